/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The planners of runtimes in one table, each set to work on a problem.
 *
 * A buffer is a usage record: it lives from the moment it is made up to and with the last moment
 * that it is used, through all gaps between its ranges of time, of which runtimes know nothing.
 * NNVM's pass sees a graph with a node for every moment at which buffers begin or end; PPL.NN's
 * managers see requests and releases in the order of time, and within a moment requests first.
 *
 * A problem made of a graph is planned as the runtime would plan the graph: the arena and NNVM's
 * pass find out lives by themselves, and requests come as the operators make them.
 */
#ifndef RUNTIMES_STRATEGY_H
#define RUNTIMES_STRATEGY_H

#include "model/problem.h"
#include "runtimes/records.h"

/* What a planner works on. */
struct strategy_task {
  struct records records;  /* by first task; among equal ones in the problem's order */
  const size_t *buffers;   /* the buffer of each record */
  const size_t *record_of; /* the record of each buffer */
  /* What the buffers come from, by buffer; NULL unless the problem was made of a graph. */
  const struct operators *operators;
  neap_size alignment; /* of all offsets: the largest alignment of any buffer */
  struct budget *budget;
};

/* What it made; offsets are by record. */
struct strategy_result {
  neap_offset *offsets;
  neap_size total;
  bool has_objects;
  struct objects objects; /* if so */
};

struct strategy {
  neap_engine_info info;
  /* NEAP_ERROR_ARGUMENT says what of the problem the planner cannot do. */
  neap_status (*plan)(const struct strategy_task *task, struct strategy_result *result,
                      neap_error *error);
};

/* NULL past the last. */
const struct strategy *strategy_at(size_t index);

/*
 * Plans a problem.  `result`, by buffer, is zeroed before and cleared by the caller whatever comes
 * of it.  NEAP_ERROR_ARGUMENT: the planner cannot do what the problem asks for, such as fixed
 * offsets; NEAP_NO_PLAN: the budget is at its end.
 */
neap_status strategy_run(const struct strategy *strategy, const struct neap_problem *problem,
                         struct budget *budget, struct strategy_result *result,
                         neap_error *error);
void strategy_result_clear(struct strategy_result *result);

/* Each in a file of its own. */
extern const struct strategy strategies_gpu[], strategies_arena[], strategies_nnvm[],
    strategies_pplnn[];

#endif
