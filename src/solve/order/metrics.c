/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Each metric is one array.  Durations and sizes are below 2^63; overlaps, sums over all pairs,
 * are below 2^127.  Only the metrics that an order uses are computed: O(n), or O(n log n) for
 * overlaps (order/coverage).
 */
#include "order/spec.h"

#include <stdlib.h>

#include "core/error.h"
#include "core/memory.h"
#include "order/coverage.h"

const char *metric_name(enum metric metric) {
  static const char *const names[METRIC_COUNT] = {"duration", "size", "overlap"};
  return names[metric];
}

static bool fill_overlap(wide_half *values, const struct neap_problem *problem) {
  struct coverage coverage;
  if (!coverage_init(&coverage, problem, NULL, 0)) return false;
  for (size_t i = 0; i < problem->count; i++)
    values[i] = coverage_overlap(&coverage, problem, i, true);
  coverage_clear(&coverage);
  return true;
}

static bool fill_metric(wide_half *values, const struct neap_problem *problem,
                        enum metric metric) {
  if (metric == METRIC_OVERLAP) return fill_overlap(values, problem);
  for (size_t i = 0; i < problem->count; i++)
    values[i] = metric == METRIC_SIZE ? (wide_half)problem->buffers[i].size
                                      : (wide_half)problem_duration(problem, i);
  return true;
}

neap_status metrics_init(struct metrics *metrics, const struct neap_problem *problem,
                         unsigned wanted, neap_error *error) {
  *metrics = (struct metrics){0};
  for (unsigned m = 0; m < METRIC_COUNT; m++) {
    if (!(wanted & (1u << m))) continue;
    metrics->values[m] = memory_array(problem->count, sizeof *metrics->values[m]);
    if (metrics->values[m] && fill_metric(metrics->values[m], problem, (enum metric)m))
      continue;
    metrics_clear(metrics);
    return error_memory(error);
  }
  return NEAP_OK;
}

void metrics_clear(struct metrics *metrics) {
  for (size_t m = 0; m < METRIC_COUNT; m++) {
    free(metrics->values[m]);
    metrics->values[m] = NULL;
  }
}
