/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The outcome of a run of an experiment, and statistics over several runs. */
#ifndef CLI_EXPERIMENT_OUTCOME_H
#define CLI_EXPERIMENT_OUTCOME_H

#include <neap/neap.h>
#include <stddef.h>

/* Unknown numbers are -1; the peak is unknown if and only if there is no plan. */
struct outcome {
  int64_t buffers, bound, lower_bound, peak, rounds, ticks, objects, object_bound;
  int64_t memory; /* the largest resident size of the run's process, in bytes */
  double gap_percent, seconds;
  char status[16];         /* of the plan, or infeasible, unknown, failed, timeout, memory */
  char stop_reason[24];    /* "" if there is none */
  const char *stop_phrase; /* as the library words it; forked processes share the text */
  char error[200];         /* the message if there is no plan, or "" */
};

#define OUTCOME_INIT                                                                          \
  {                                                                                           \
    .buffers = -1, .bound = -1, .lower_bound = -1, .peak = -1, .rounds = -1, .ticks = -1,     \
    .objects = -1, .object_bound = -1, .memory = -1, .gap_percent = -1, .seconds = -1,        \
    .status = "failed", .stop_phrase = ""                                                     \
  }

static inline bool outcome_is_planned(const struct outcome *outcome) {
  return outcome->peak >= 0;
}
bool outcome_is_optimal(const struct outcome *outcome);

/* Notes all of a plan but the number of buffers and the bound, which belong to its problem. */
void outcome_note_plan(struct outcome *outcome, const neap_plan *plan);

/* Notes why there is no plan. */
void outcome_note_failure(struct outcome *outcome, neap_status status, const char *error);

/* A quantity's median, extremes and quartiles, which are interpolated between values. */
struct spread {
  double median, min, q1, q3, max;
};

/* Statistics over the runs that gave a plan; all 0 if there are none. */
struct statistics {
  int64_t plans, optimal; /* how many runs gave a plan, and an optimal one */
  struct spread peak, gap_percent, seconds;
  double rounds, ticks; /* medians */
};

/* Sorts `values`; all numbers are 0 if there are none. */
struct spread spread_of(double *values, size_t count);

/* `scratch` has room for `count` numbers. */
struct statistics statistics_of(const struct outcome *outcomes, size_t count, double *scratch);

/*
 * Whether one setting is better than another: it has more plans; among equals, a lower median
 * peak, then a smaller range of peaks, then fewer ticks.
 */
bool statistics_are_better(const struct statistics *one, const struct statistics *other);

#endif
