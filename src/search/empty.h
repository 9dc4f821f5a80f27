/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Offsets for buffers of 0 bytes, which no search places. */
#ifndef SEARCH_EMPTY_H
#define SEARCH_EMPTY_H

#include "model/problem.h"

/* Sets the offset of each buffer of 0 bytes to the lowest that it may have, together with its body. */
neap_status empty_settle(const struct neap_problem *problem, neap_offset *offsets,
                         neap_error *error);

/* The highest lower end of a window that a buffer of 0 bytes has; 0 without any. */
neap_offset empty_window(const struct neap_problem *problem);

#endif
