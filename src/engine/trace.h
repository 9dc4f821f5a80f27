/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Builds with --enable-checks or --enable-sanitizers write every run of a planner to the file that
 * NEAP_TRACE names, as a trace that tests/fuzz/calls replays: the problem as it is, the options,
 * each step, and each plan that is taken.  Other builds do nothing here.
 */
#ifndef ENGINE_TRACE_H
#define ENGINE_TRACE_H

#include "engine/options.h"
#include "neap/planner.h"

#ifdef NEAP_TRACES

/*
 * Each is called first, so that the trace of a run that crashes ends with the call that crashed.
 * Planners that a step runs inside are not in the trace.
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
