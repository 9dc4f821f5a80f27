/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lets operators of a graph run again, for neap_graph_recompute. */
#ifndef RECOMPUTE_RECOMPUTE_H
#define RECOMPUTE_RECOMPUTE_H

#include "core/budget.h"
#include "neap/graph.h"
#include "recompute/runs.h"

/* The planner of the graphs that recomputation finds. */
struct recompute_layouts {
  /*
   * Plans a graph's problem for a short time.  Sets *peak to the peak of the layout; leaves
   * *peak unchanged if no layout is found.
   */
  neap_status (*plan)(void *state, const neap_graph *graph, struct budget *budget,
                      neap_size *peak, neap_error *error);
  void *state;
};

neap_status recompute_graph(neap_graph *graph, const neap_scheduling *scheduling,
                            const neap_liveness *options,
                            const struct recompute_layouts *layouts, neap_error *error);

/* ---------------------------------------------------------------- recomputer */

/* Searches for runs of operators that fit a capacity in the least time. */

struct recomputer_task {
  const struct runs_model *model;
  neap_size capacity; /* for the bytes alive at each run */
  int64_t most_time;  /* limit on the time of the runs */
  int64_t least_time; /* lower bound on the time of runs that fit */
  struct budget *budget;
};

/*
 * Improves `runs` until they fit in the least time or the budget ends: lowers first the peak,
 * to the capacity, and then the time.  If no runs fit, keeps the runs with the lowest peak.
 */
neap_status recomputer_run(const struct recomputer_task *task, struct runs *runs,
                           neap_error *error);

/* ---------------------------------------------------------------- least */

/* Lower bounds on the time that repeated runs take within a capacity. */

/* Stands for a time when no runs fit. */
#define LEAST_NEVER INT64_MAX

/*
 * `profile` describes `runs`, in which each operator runs at least once.  The operators at the
 * highest moments are tried first.
 */
struct least_task {
  const struct runs_model *model;
  const struct runs *runs;
  const struct runs_profile *profile;
  neap_size capacity;
  int64_t enough; /* the proof stops above this time */
};

/*
 * Raises *extra to a time that the repeated runs take in every sequence that fits the capacity,
 * or to LEAST_NEVER if none fits.  Stops when the budget ends.
 */
neap_status least_extra(const struct least_task *task, struct budget *budget, int64_t *extra,
                        neap_error *error);

/* Sets *peak to the largest need of any operator, which repeated runs cannot lower. */
neap_status least_peak(const struct runs_model *model, neap_size *peak, neap_error *error);

#endif
