/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Orders of buffers, and the sorter, which creates the first order. */
#ifndef ORDER_SORTER_H
#define ORDER_SORTER_H

#include <gsl/gsl_permutation.h>

#include "order/spec.h"

/*
 * An order is a GSL permutation: element r is the buffer in position r. We allocate its memory,
 * so GSL's error handler is never called. order_init creates the identity; false when memory is
 * short.
 */
bool order_init(gsl_permutation *order, size_t count);
void order_clear(gsl_permutation *order);

/*
 * Sorts all buffers into `order` (initialised for the problem's count) by the keys in `spec`,
 * then by index. Exact: ratios are compared by cross-multiplication, a / 0 is infinite and 0 /
 * 0 is 0. O(n log n).
 */
neap_status sorter_sort(const struct neap_problem *problem, const struct order_spec *spec,
                        gsl_permutation *order, neap_error *error);

/* Sorts all buffers into `order` by their offsets, then by index. */
void sorter_sort_by_offset(const neap_offset *offsets, gsl_permutation *order);

#endif
