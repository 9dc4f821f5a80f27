/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of engines, which turn a problem into offsets. */
#ifndef ENGINE_ENGINE_H
#define ENGINE_ENGINE_H

#include "core/budget.h"
#include "engine/options.h"
#include "facts/sections.h"
#include "neap/planner.h"
#include "neap/relations.h"
#include "plan/plan.h"
#include "runtimes/strategy.h"

/* The input of an engine.  Its pointers must stay valid as long as the engine's state. */
struct task {
  const struct neap_problem *problem;
  const struct neap_options *options;
  neap_bound bound;
  /* The sections of all buffers, none of which is empty; NULL: not available. */
  const struct sections *sections;
  const neap_offset *incumbent; /* a sound layout to start from, or NULL */
  struct budget *budget;
};

/*
 * Unless the options limit time or work, ends the run after five million further ticks, or 16
 * for each buffer if that is more.  That takes a few seconds for most problems, and gives the
 * same result on every machine.
 */
void task_limit_work(const struct task *task);

/*
 * Whether a search usually solves such a problem in the time of a sort, and the options specify
 * no order.
 */
bool task_skips_sort(const struct task *task);

/* The outcome of one step. */
struct step {
  bool has_round;   /* the step finished a layout, which is `round` */
  neap_round round; /* the planner sets round.round */
  bool stop;
  neap_stop_reason reason; /* if `stop` is true */
};

struct engine {
  neap_engine_info info;
  neap_status (*start)(const struct task *task, void **state, neap_error *error);
  /* NEAP_NO_PLAN: the budget ended during the step, which then has no effect. */
  neap_status (*step)(void *state, struct step *step, neap_error *error);
  /* The best offsets so far, or NULL. */
  const neap_offset *(*best)(const void *state);
  /* The best lower bound proven so far.  The function is NULL if the engine proves none. */
  neap_size (*lower_bound)(const void *state);
  void (*free)(void *state);
  /*
   * The shared objects of the best plan, or NULL.  The function is NULL if the engine makes
   * none.
   */
  const struct objects *(*objects)(const void *state);
  /* The offsets of the last round, valid until the next step; NULL if they are the best ones. */
  const neap_offset *(*layout)(const void *state);
  /* Adopts a sound layout found elsewhere, if it is better.  NULL if the engine cannot. */
  void (*adopt)(void *state, const neap_offset *offsets);
  /* The pools of the best plan.  The function is NULL if the engine makes none. */
  const struct pooling *(*pooling)(const void *state);
  /* Why there is no plan, or NEAP_OK if only the budget ended.  The function may be NULL. */
  const neap_error *(*refusal)(const void *state);
  /* A proven lower bound on the cost of reuse or moves in every plan.  NULL: none is proven. */
  neap_size (*term_bound)(const void *state, neap_term term);
};

/*
 * NULL after the last.  All planners of runtimes are one engine; neap_engine_at lists them
 * separately.
 */
const struct engine *engine_at(size_t index);

/* The engine that plans a problem: the selected engine, or a layer above it. */
const struct engine *engine_for(const struct neap_problem *problem,
                                const struct neap_options *options);

/*
 * Whether some layouts of the problem cost more than others, and the selected engine is one of
 * neap's own.
 */
bool engine_has_costs(const struct neap_problem *problem, const struct neap_options *options);

/*
 * The engine, or planner of a runtime, at this index of the list of neap_engine_at; NULL after
 * the last.
 */
const neap_engine_info *engine_info(size_t index);

/* The planner of a runtime at this index; NULL for neap's own engines. */
const struct strategy *engine_strategy(size_t index);

extern const struct engine engine_auto;
extern const struct engine engine_exact;
/* Not in the table: for problems with pools. */
extern const struct engine engine_pooled;
extern const struct engine engine_runtime;
/* Not in the table: for penalties and earlier offsets. */
extern const struct engine engine_soft;
extern const struct engine engine_sort;
extern const struct engine engine_tune;

#endif
