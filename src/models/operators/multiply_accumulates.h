/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts the work of operators. */
#ifndef MODELS_OPERATORS_MULTIPLY_ACCUMULATES_H
#define MODELS_OPERATORS_MULTIPLY_ACCUMULATES_H

#include "neap/graph.h"

/* Larger counts are treated as unknown, so that sums over thousands of operators fit 63 bits. */
#define WORK_MAX (INT64_MAX / 4096)

/*
 * Counts multiply-accumulates where `weights` are divided into `shares` equal shares, and each
 * of `elements` is multiplied by one share.  Returns 0 if the count exceeds WORK_MAX, or if
 * there are no weights or shares.
 */
int64_t work_products(int64_t elements, int64_t weights, int64_t shares);

/*
 * Sets the duration of the graph's last operator, once its outputs are linked: the larger of its
 * multiply-accumulates and the elements that it makes, and at least 1.
 */
neap_status work_time_operator(neap_graph *graph, int64_t macs, neap_error *error);

#endif
