/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The metrics to sort buffers by: duration, size, and overlap with others. */
#ifndef ORDER_METRICS_H
#define ORDER_METRICS_H

#include "core/wide.h"
#include "model/problem.h"

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

#endif
