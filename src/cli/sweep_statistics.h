/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Statistics over the runs of one setting. */
#ifndef CLI_SWEEP_STATISTICS_H
#define CLI_SWEEP_STATISTICS_H

#include <neap/neap.h>

/* What one run gave. */
struct outcome {
  neap_status status; /* NEAP_OK, NEAP_NO_PLAN or NEAP_INFEASIBLE */
  neap_report report; /* without its engine, which belongs to the plan */
  uint64_t ticks;
};

/* A quantity's median, extremes and quartiles, which are interpolated between values. */
struct spread {
  double median, min, q1, q3, max;
};

/* Over the runs that gave a plan; all 0 if there are none. */
struct statistics {
  size_t plans, optimal; /* how many runs gave a plan, and an optimal one */
  struct spread peak, gap_percent, seconds;
  double rounds, ticks; /* medians */
};

/* Sorts `values`; all numbers are 0 if there are none. */
struct spread spread_of(double *values, size_t count);

/* `scratch` has room for `count` numbers. */
struct statistics statistics_of(const struct outcome *outcomes, size_t count, double *scratch);

/*
 * The best of several settings: the one with the most plans; among equals, the lowest median peak,
 * then the smallest range of peaks, then the fewest ticks, then the first.  `count` if none has a plan.
 */
size_t statistics_best(const struct statistics *statistics, size_t count);

#endif
