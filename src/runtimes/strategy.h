/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table of runtime planners, each adapted to problems.
 *
 * A buffer becomes a usage record, alive from its first moment to its last, including any gaps
 * between its ranges of time, since runtimes have none. NNVM's pass gets a graph with a node
 * for every moment at which buffers begin or end. PPL.NN's managers get requests and releases
 * in order of time, with requests before releases within a moment.
 *
 * A problem that comes from a graph is planned as the runtime would plan the graph: the arena
 * and NNVM's pass analyse liveness themselves, and requests come in the order in which
 * operators make them.
 */
#ifndef RUNTIMES_STRATEGY_H
#define RUNTIMES_STRATEGY_H

#include "core/budget.h"
#include "model/problem.h"
#include "neap/planner.h"
#include "runtimes/objects.h"

/* The input of a planner. */
struct strategy_task {
  struct records records;  /* by first task, then in the problem's order */
  const size_t *buffers;   /* the buffer of each record */
  const size_t *record_of; /* the record of each buffer */
  /* The graph that the buffers come from, in terms of buffers; or NULL. */
  const struct operators *operators;
  neap_size alignment; /* of all offsets: the largest alignment of any buffer */
  struct budget *budget;
};

/* The output of a planner; offsets are by record. */
struct strategy_result {
  neap_offset *offsets;
  neap_size total;
  bool has_objects;
  struct objects objects; /* if has_objects */
};

struct strategy {
  neap_engine_info info;
  /* NEAP_ERROR_ARGUMENT: the planner does not support something in the problem. */
  neap_status (*plan)(const struct strategy_task *task, struct strategy_result *result,
                      neap_error *error);
};

/* NULL after the last. */
const struct strategy *strategy_at(size_t index);

/*
 * Plans a problem. The caller passes a zeroed `result`, which is by buffer, and clears it, even
 * after an error. NEAP_ERROR_ARGUMENT: the planner does not support something in the problem,
 * such as fixed offsets; NEAP_NO_PLAN: the budget is spent.
 */
neap_status strategy_run(const struct strategy *strategy, const struct neap_problem *problem,
                         struct budget *budget, struct strategy_result *result,
                         neap_error *error);
void strategy_result_clear(struct strategy_result *result);

/* One table per file. */
extern const struct strategy strategies_gpu[], strategies_arena[], strategies_tflm[],
    strategies_nnvm[], strategies_pplnn[];

#endif
