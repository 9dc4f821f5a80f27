/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The quantities that ramps of colours show: one number per buffer. */
#ifndef VIZ_LAYOUT_QUANTITY_H
#define VIZ_LAYOUT_QUANTITY_H

#include "plan/plan.h"

enum quantity {
  QUANTITY_SIZE,     /* bytes */
  QUANTITY_LIFETIME, /* the time alive, without gaps */
  QUANTITY_WASTE,    /* bytes below the buffer that alignment leaves unused (see below) */
  QUANTITY_AGE       /* the time from its allocation to quantity_moment */
};

/* The age of a buffer that is not alive at the moment. */
#define QUANTITY_FREED (-1) /* no lifetime begins later */
#define QUANTITY_LATER (-2)

/*
 * Sets values[i] to the quantity of buffer i.  O(n); for the waste and the age O(n log n) time and
 * O(n) memory.
 */
neap_status quantity_list(enum quantity quantity, const struct neap_plan *plan, int64_t *values,
                          neap_error *error);

/* Sets *moment to the first time at which most bytes are alive; 0 without buffers. */
neap_status quantity_moment(const struct neap_problem *problem, neap_time *moment,
                            neap_error *error);

/* ---------------------------------------------------------------- padding */

/* Bytes that alignment leaves unused. */

/*
 * Sets padding[i] to the free bytes right below buffer i, down to the highest buffer or reserved
 * bytes below it at any time of its life, if they are fewer than the step of its offset (from its
 * own alignment and its pool's).  Otherwise 0: the free bytes are then a hole, which another layout
 * might fill.  Also 0 for buffers without bytes.
 *
 * O(n log n) time, O(n) memory; for each pool another O(n).
 */
neap_status padding_find(const struct neap_plan *plan, neap_size *padding, neap_error *error);

#endif
