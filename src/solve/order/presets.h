/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Orders that work well for networks and traces. */
#ifndef ORDER_PRESETS_H
#define ORDER_PRESETS_H

#include <stddef.h>

/* The text of an order (order/spec), the most useful one first; NULL past the last. */
const char *order_preset(size_t index);

#endif
