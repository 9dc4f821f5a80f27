/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What several runs of one setting give together. */
#ifndef CLI_SWEEP_STATISTICS_H
#define CLI_SWEEP_STATISTICS_H

#include <neap/neap.h>

/* What one run gave. */
struct outcome {
  neap_status status; /* NEAP_OK, NEAP_NO_PLAN or NEAP_INFEASIBLE */
  neap_report report; /* without its engine, which belongs to the plan */
  uint64_t ticks;
};

/* Five numbers about a quantity; quartiles between two values are interpolated. */
struct spread {
  double median, min, q1, q3, max;
};

/* About the runs that gave a plan; all 0 without any. */
struct statistics {
  size_t plans, optimal; /* how many runs gave a plan, and an optimal one */
  struct spread peak, gap_percent, seconds;
  double rounds, ticks; /* medians */
};

/* Sorts `values`; with none, all numbers are 0. */
struct spread spread_of(double *values, size_t count);

/* `scratch` has room for `count` numbers. */
struct statistics statistics_of(const struct outcome *outcomes, size_t count, double *scratch);

/*
 * The best of several settings: with the most plans; of these the least median peak, then the
 * least range of peaks, then the least work in ticks, then the first.  `count` if none has a plan.
 */
size_t statistics_best(const struct statistics *statistics, size_t count);

#endif
