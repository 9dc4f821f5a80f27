/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Engines: whatever turns a problem into offsets, in one table. */
#ifndef ENGINE_ENGINE_H
#define ENGINE_ENGINE_H

#include "core/budget.h"
#include "engine/options.h"
#include "model/problem.h"
#include "runtimes/strategy.h"

/* What an engine is given; all of it outlives the engine's state. */
struct task {
  const struct neap_problem *problem;
  const struct neap_options *options;
  neap_bound bound;
  const neap_offset *incumbent; /* a sound layout to begin with, or NULL */
  struct budget *budget;
};

/* What one step came to. */
struct step {
  bool has_round;   /* a layout was finished */
  neap_round round; /* if so; round.round is set by the planner */
  bool stop;
  neap_stop_reason reason; /* if stop */
};

struct engine {
  neap_engine_info info;
  neap_status (*start)(const struct task *task, void **state, neap_error *error);
  /* NEAP_NO_PLAN when the budget ends amid the step, which then counts for nothing. */
  neap_status (*step)(void *state, struct step *step, neap_error *error);
  /* The best offsets so far; NULL before there are any. */
  const neap_offset *(*best)(const void *state);
  /* The best lower bound proven so far; NULL where the engine proves nothing. */
  neap_size (*lower_bound)(const void *state);
  void (*free)(void *state);
  /* The shared objects of the best plan; NULL, as the function may be, where it has none. */
  const struct objects *(*objects)(const void *state);
  /* The offsets of the last round, until the next step; NULL where those are the best ones. */
  const neap_offset *(*layout)(const void *state);
};

/* NULL past the last.  All planners of runtimes are one engine; neap_engine_at tells them apart. */
const struct engine *engine_at(size_t index);

/* Which planner of a runtime the engine is; NULL of neap's own. */
const struct strategy *engine_strategy(size_t index);

extern const struct engine engine_auto;
extern const struct engine engine_exact;
extern const struct engine engine_runtime;
extern const struct engine engine_sort;
extern const struct engine engine_tune;

#endif
