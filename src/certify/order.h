/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The part `order`: no order of a graph's operators has a lower bound than the present one. */
#ifndef CERTIFY_ORDER_H
#define CERTIFY_ORDER_H

#include "certify/certificate.h"

/*
 * Appends the proof to task->proof, for a problem built from a graph of which it is proven that its
 * order is optimal; for other problems, does nothing.  Sets task->order to what is proven, or 0.
 */
neap_status order_prove(struct certify_task *task, neap_error *error);

#endif
