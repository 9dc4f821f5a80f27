/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs planners without making plans: for neap_pack, and for engines that plan parts of a
 * problem.
 */
#ifndef ENGINE_PLANNER_H
#define ENGINE_PLANNER_H

#include "core/budget.h"
#include "engine/options.h"
#include "model/problem.h"
#include "neap/planner.h"
#include "neap/relations.h"

struct packing {
  const neap_options *options; /* NULL: the default */
  struct budget *budget;       /* the budget that this run is a part of; NULL: none */
};

/*
 * Plans a problem without pools, and returns only the offsets and their peak, not a plan with a
 * report.  The offsets are verified.  `peak` may be NULL.
 */
neap_status planner_pack(const neap_problem *problem, const struct packing *packing,
                         neap_offset *offsets, neap_size *peak, neap_error *error);

/* The best offsets so far, not verified; NULL if there are none. */
const neap_offset *planner_best(const neap_planner *planner);

/* The best proven lower bound on the peak. */
neap_size planner_lower_bound(const neap_planner *planner);

/* A proven lower bound on the cost of reuse or moves in every plan. */
neap_size planner_term_bound(const neap_planner *planner, neap_term term);

/* The ticks so far. */
uint64_t planner_ticks(const neap_planner *planner);

/* Why the run ended; NEAP_STOP_CANCELLED before that. */
neap_stop_reason planner_reason(const neap_planner *planner);

/*
 * NEAP_OK: some layout fits the capacity.  NEAP_INFEASIBLE: no layout does.  NEAP_NO_PLAN:
 * neither is known.
 */
neap_status planner_verdict(const neap_planner *planner, neap_error *error);

/* ---------------------------------------------------------------- surround */

/* Improves layouts around the buffers that the runtime places itself. */

typedef neap_status surround_pack(const neap_problem *problem,
                                  const struct neap_options *options, struct budget *budget,
                                  neap_offset *offsets, neap_error *error);

struct surrounding {
  const struct neap_problem *problem;
  const struct neap_options *options; /* seed and engine of the searches */
  struct budget *budget;              /* when it ends, the best layout so far is kept */
  neap_size goal;                     /* the search ends at a peak at or below this */
  /* Plans a problem with options and within a budget; returns as planner_pack. */
  surround_pack *pack;
};

/*
 * Places the runtime's own buffers as the runtime will, and improves the layout of the others
 * until the peak is at most `goal`.  Nothing changes if there are no such buffers.
 */
neap_status surround(const struct surrounding *surrounding, neap_offset *offsets,
                     neap_error *error);

/* ---------------------------------------------------------------- trace */

/*
 * Builds with --enable-checks or --enable-sanitizers write every run of a planner to the file that
 * NEAP_TRACE names, as a trace that tests/fuzz/calls replays: the problem as it is, the options,
 * each step, and each plan that is taken.  Other builds do nothing here.
 */

#ifdef NEAP_TRACES

/*
 * Each function is called before the call that it records, so that the trace of a run that crashes
 * ends with the call that crashed.  Planners that run inside a step are not in the trace.
 */
void trace_planner(const neap_planner *planner, const neap_problem *problem,
                   const neap_options *options);
void trace_step_begin(const neap_planner *planner);
void trace_step_end(void);
void trace_plan(const neap_planner *planner);
void trace_free(const neap_planner *planner);

#else

static inline void trace_planner(const neap_planner *planner, const neap_problem *problem,
                                 const neap_options *options) {
  (void)planner, (void)problem, (void)options;
}
static inline void trace_step_begin(const neap_planner *planner) { (void)planner; }
static inline void trace_step_end(void) {}
static inline void trace_plan(const neap_planner *planner) { (void)planner; }
static inline void trace_free(const neap_planner *planner) { (void)planner; }

#endif

#endif
