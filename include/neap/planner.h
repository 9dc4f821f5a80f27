/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Planning in steps, with callbacks and cancellation; the rounds of a run; and plans that other
 * planners made.  The conventions are those of neap.h.
 */
#ifndef NEAP_PLANNER_H
#define NEAP_PLANNER_H

#include "neap/neap.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ================================================================ engines */

/* A value of option "engine". */
typedef struct neap_engine_info {
  size_t struct_size;
  const char *name;
  const char *summary;
  bool is_runtime; /* the planner of an inference runtime, for comparison: it does not search */
} neap_engine_info;

/* Lists the engines, in a fixed order. */
NEAP_API bool neap_engine_at(size_t index, neap_engine_info *info);

/* ================================================================ planning in steps */

/*
 * A run in steps:
 *
 *     neap_planner_new
 *           |
 *           v            step: *done is false
 *        running  <-------------------------------.
 *           |  |___________________________________|
 *           |
 *           |-- step: *done is true --> over: every further step says so
 *           |-- cancel, then step ----> over, with the best plan so far
 *           `-- step: an error -------> failed: every further step returns the error
 *
 * neap_planner_plan gives the best plan so far in each state; neap_planner_free ends any state.
 */
typedef struct neap_planner neap_planner;

/* The progress of a run. */
typedef struct neap_progress {
  uint64_t ticks;    /* units of work: buffers placed and nodes of the exact search */
  uint64_t rounds;   /* finished layouts */
  uint64_t restarts; /* of the exact search */
  neap_size bound, lower_bound;
  neap_size peak; /* NEAP_UNPLACED before there is a plan */
  double seconds;
} neap_progress;

/* The progress is valid during the call; `user` is the pointer given with the function. */
typedef void neap_progress_function(const neap_progress *progress, void *user);

/*
 * Creates a planner.  `problem` must outlive the planner and its plans and must not change;
 * `options` are copied, and may be NULL for the defaults.  NEAP_ERROR_INPUT: fixed offsets
 * collide, or the engine does not support the problem.  NEAP_NO_PLAN: preparation took all
 * of time-limit.
 */
NEAP_API neap_status neap_planner_new(const neap_problem *problem, const neap_options *options,
                                      neap_planner **planner, neap_error *error);

/*
 * Like neap_planner_new, but the run begins with the search for the order of the problem's
 * operators: limits, progress, report and history include neap_operator_order.ticks and seconds.
 * If that search has taken longer than it should, planning still gets an eighth of time-limit.
 */
NEAP_API neap_status neap_planner_new_ordered(const neap_problem *problem,
                                              const neap_options *options,
                                              neap_planner **planner, neap_error *error);
NEAP_API void neap_planner_free(neap_planner *planner);

/*
 * Sets a function for neap_planner_step to call every few thousand ticks; NULL: none.  It may
 * call neap_planner_cancel and neap_planner_plan.
 */
NEAP_API void neap_planner_on_progress(neap_planner *planner, neap_progress_function *function,
                                       void *user);

/*
 * Runs the engine for one round; *done becomes true when the run is over.  After an error,
 * every further call returns the same error; the best plan so far remains available.
 */
NEAP_API neap_status neap_planner_step(neap_planner *planner, bool *done, neap_error *error);

/*
 * Creates the best plan so far, verified.  You can call it between steps and from a callback, any
 * number of times.  NEAP_NO_PLAN: there is none yet, or none that fits the capacity.
 * NEAP_INFEASIBLE: it is proven that no plan fits the capacity.  NEAP_ERROR_UNSOUND: a bug in
 * neap.
 */
NEAP_API neap_status neap_planner_plan(const neap_planner *planner, neap_plan **plan,
                                       neap_error *error);

/*
 * Stops the run soon; the best plan so far remains available.  Any thread and any signal handler
 * may call it.
 */
NEAP_API void neap_planner_cancel(neap_planner *planner);

/* ================================================================ the course of a run */

/* The risk of a buffer in a layout: the highest class that applies. */
typedef enum neap_risk {
  NEAP_RISK_NONE,
  NEAP_RISK_LOW,    /* it is alive together with a buffer of medium or high risk */
  NEAP_RISK_MEDIUM, /* it, or a buffer alive together with it, ends exactly at the bound */
  NEAP_RISK_HIGH    /* it, or a buffer alive together with it, ends above the bound */
} neap_risk;
#define NEAP_RISK_COUNT 4

/* How the search for a lower layout of a group ended. */
typedef enum neap_move_outcome {
  NEAP_MOVE_LOWERED, /* all members now end at or below the target */
  NEAP_MOVE_REFUTED, /* proven impossible while all other buffers stay where they are */
  NEAP_MOVE_OPEN     /* neither found nor refuted within the limits of the search */
} neap_move_outcome;

/* The names in JSON: "none", "refuted" and so on; never NULL. */
NEAP_API const char *neap_risk_name(neap_risk risk);
NEAP_API const char *neap_move_outcome_name(neap_move_outcome outcome);

/*
 * A group of buffers that was taken out of the layout and, if a lower layout was found for it, put
 * back there.
 */
typedef struct neap_move {
  size_t blamed;    /* the buffer that the group grew from; NEAP_NO_BUFFER: all buffers */
  neap_size top;    /* the highest end of a member before the search */
  neap_size target; /* the search looked for a layout with no member ending above this */
  neap_move_outcome outcome;
  size_t member_count;
  const uint32_t *members;    /* ascending, or NULL; see neap_round */
  const neap_offset *offsets; /* if lowered, the new offsets of the members; otherwise NULL */
} neap_move;

/* One round: a layout of all buffers. */
typedef struct neap_round {
  size_t struct_size;
  uint64_t round; /* from 1 */
  neap_size peak;
  /*
   * The part of the layout above neap_bound.lower_bound: the sum, over all buffers, of the
   * bytes above it times the time that the buffer is alive (NEAP_MAX if that is larger); and
   * the number of buffers that end above it.
   */
  int64_t excess_area;
  size_t excess_count;
  size_t risk[NEAP_RISK_COUNT]; /* the number of buffers in each risk class */
  size_t high_groups;           /* the number of groups of this risk tuned in this round */
  size_t medium_groups;
  uint64_t group_rounds;      /* the number of placements of groups in this round */
  bool improved;              /* the peak is lower than in every earlier round */
  const neap_offset *offsets; /* of all buffers; NULL without option keep-layouts */
  /*
   * With option keep-layouts, the first NEAP_MOVES_MAX groups that --rearrange repack took out,
   * in order.  A group of all buffers is listed only if it was lowered.  Applying these groups
   * to the layout of the previous round gives the layout of this round, except that the tuner
   * may have pushed buffers down afterwards.  The layout of a round without groups may come
   * from a changed order.  For n buffers, a round stores up to 2 n + NEAP_MOVE_MEMBERS members;
   * beyond that, members and offsets are NULL.
   */
  const neap_move *moves;
  size_t move_count;
} neap_round;

#define NEAP_MOVES_MAX 256
#define NEAP_MOVE_MEMBERS 1024

/*
 * Sets a function for neap_planner_step to call after every round, like
 * neap_planner_on_progress.
 */
typedef void neap_round_function(const neap_round *round, void *user);
NEAP_API void neap_planner_on_round(neap_planner *planner, neap_round_function *function,
                                    void *user);

/* Lists the rounds of the run that made the plan. */
NEAP_API bool neap_plan_round_at(const neap_plan *plan, size_t index, neap_round *round);

/* The state of a run at one moment. */
typedef struct neap_moment {
  size_t struct_size;
  double seconds; /* since its start */
  uint64_t ticks, rounds;
  neap_size peak;      /* NEAP_UNPLACED before there was a plan */
  int64_t excess_area; /* the least of all rounds with this peak; 0 before there was a plan */
  neap_size lower_bound;
} neap_moment;

/*
 * Lists the moments of the run that made the plan: the start, every improvement of the peak,
 * the excess area or the lower bound, and the end.  A plan that was read has none.
 */
NEAP_API bool neap_plan_moment_at(const neap_plan *plan, size_t index, neap_moment *moment);

/* The risk class of a buffer. */
NEAP_API neap_risk neap_plan_risk(const neap_plan *plan, size_t index);

/* ================================================================ plans of other planners */

/*
 * Creates a plan from one offset per buffer, without verifying it.  `offsets` is copied;
 * `problem` must outlive the plan.  NEAP_ERROR_ARGUMENT: an offset is negative, or a buffer ends
 * above NEAP_MAX.
 */
NEAP_API neap_status neap_plan_new(const neap_problem *problem, const neap_offset *offsets,
                                   neap_plan **plan, neap_error *error);

/*
 * Sets the pool of each buffer; `pools` is copied.  Peak and bounds are computed again.
 * NEAP_ERROR_ARGUMENT: there is no such pool.
 */
NEAP_API neap_status neap_plan_set_pools(neap_plan *plan, const size_t *pools,
                                         neap_error *error);

/*
 * Turns a plan into one of shared objects: of[i] is the object of buffer i, and sizes[k] the
 * size of object k, for k < count.  Both are copied.  The offset of a buffer is that of its
 * object; the peak is the end of the last object.  NEAP_ERROR_ARGUMENT: there is no such
 * object, or an object ends above NEAP_MAX.
 */
NEAP_API neap_status neap_plan_set_objects(neap_plan *plan, const size_t *of,
                                           const neap_size *sizes, size_t count,
                                           neap_error *error);

/* How a plan was made: facts that cannot be computed from its offsets. */
typedef struct neap_history {
  size_t struct_size;
  const char *engine;    /* copied; at most 63 bytes are kept */
  neap_size lower_bound; /* proven; ignored if it is less than neap_bound.lower_bound */
  neap_stop_reason stop_reason;
  uint64_t rounds, seed;
  double seconds;
  const neap_round *round_list; /* copied, with their layouts */
  size_t round_count;
  const neap_moment *moments; /* copied */
  size_t moment_count;
  /* Proven for the other terms of the objective; ignored if less than already known. */
  neap_size reuse_cost_lower_bound, spilled_lower_bound, moved_lower_bound;
} neap_history;

/* Records how a plan was made, for planners and readers outside this library. */
NEAP_API neap_status neap_plan_set_history(neap_plan *plan, const neap_history *history,
                                           neap_error *error);

/*
 * Sets the arena's address, so that plans are also written with start and end addresses.
 * NEAP_ERROR_ARGUMENT: base + peak exceeds UINT64_MAX.
 */
NEAP_API neap_status neap_plan_set_base(neap_plan *plan, uint64_t base, neap_error *error);

/*
 * Sets the arena's capacity in bytes, or -1 for none: drawings show it as a line, and plans in JSON
 * keep it.  The planner sets it from the option.  NEAP_ERROR_ARGUMENT: it is less than -1.
 */
NEAP_API neap_status neap_plan_set_capacity(neap_plan *plan, neap_size capacity,
                                            neap_error *error);

#ifdef __cplusplus
}
#endif

#endif
