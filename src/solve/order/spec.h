/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The syntax of orders: "size", "-size", "size*duration", "size/duration",
 * "overlap,size,duration".
 */
#ifndef ORDER_SPEC_H
#define ORDER_SPEC_H

#include "core/uint256.h"
#include "model/problem.h"

/* ---------------------------------------------------------------- metrics */

/* The metrics to sort buffers by: duration, size, and overlap with others. */

enum metric { METRIC_DURATION, METRIC_SIZE, METRIC_OVERLAP };
#define METRIC_COUNT 3

struct metrics {
  wide_half *values[METRIC_COUNT]; /* one per buffer; NULL if not computed */
};

/* The name on the command line. */
const char *metric_name(enum metric metric);

/*
 * Computes the metrics whose bit (1 << metric) is in `wanted`. The overlap of a buffer is the
 * sum, over all others, of the time that both are alive. O(n log n) time, O(n) memory.
 */
neap_status metrics_init(struct metrics *metrics, const struct neap_problem *problem,
                         unsigned wanted, neap_error *error);
void metrics_clear(struct metrics *metrics);

/* ---------------------------------------------------------------- spec */

enum combine { COMBINE_SINGLE, COMBINE_SUM, COMBINE_PRODUCT, COMBINE_RATIO };

/* One key: a metric, or two or three combined. */
struct order_key {
  enum combine combine;
  enum metric metrics[METRIC_COUNT];
  size_t metric_count;
  bool ascending; /* otherwise the largest comes first */
};

#define ORDER_KEYS 8

/* Keys by priority: each decides between buffers for which all earlier keys are equal. */
struct order_spec {
  struct order_key keys[ORDER_KEYS];
  size_t key_count;
};

/*
 * Parses an order. Keys are separated by commas; a leading '-' makes a key ascending; '+', '*'
 * and '/' combine metrics, one operator per key, and '/' only two metrics. NEAP_ERROR_ARGUMENT
 * gives the column (error->column) and what was expected there.
 */
neap_status order_spec_parse(struct order_spec *spec, const char *text, neap_error *error);

/*
 * The texts of orders that work well for networks and traces, the most useful one first; NULL past
 * the last.
 */
const char *order_preset(size_t index);

#endif
