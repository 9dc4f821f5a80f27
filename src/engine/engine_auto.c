/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The engine `auto`: runs the cheap engines first, each from the best layout so far, until the
 * bound is reached or the budget is spent.  So an easy problem takes no longer than sorting.
 *
 *     sort ─► tune, a few new orders ─► exact ─► exact and tune in turns
 *             (with constraints)
 *
 * Large problems without constraints begin with `exact`, which usually reaches the bound in the
 * time of a sort, and otherwise sorts by size.  Further sorted orders follow, each after twice the
 * work of all before it, so none is found much later than by sorting.
 *
 * Most problems are solved within the head start of `exact`.  The remaining problems are hard
 * for it, so `tune` gets a share of the work.  With alignments, fixed offsets or several
 * lifetimes, that is half, and each engine adopts the other's layouts.  Without these, or where
 * relations connect buffers, it is small, because exact search usually succeeds alone.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/knobs.h"
#include "core/memory.h"
#include "engine/engine.h"
#include "facts/constraints.h"
#include "search/minimiser.h"
#include "tune/rearrange.h"

enum stage { STAGE_SORT, STAGE_REORDER, STAGE_SEARCH };

/* An engine at work. */
struct runner {
  const struct engine *engine; /* NULL: no engine */
  struct neap_options options;
  struct task task;
  void *state;      /* NULL before the first step */
  double work;      /* in ticks, each as long as in small problems */
  double tick_cost; /* the cost of one tick in this unit */
  bool is_over;
};

struct auto_state {
  const struct task *task;
  enum stage stage;
  bool stage_ended; /* the next step begins the next stage */
  struct runner first, second;
  struct runner sorted; /* beside the search, if that began without sorting */
  struct runner *last; /* the runner that made the last step */
  bool is_constrained; /* the problem has constraints: both adopt each other's layouts */
  neap_offset *best;
  neap_size best_peak; /* NEAP_UNPLACED before there is a plan */
  neap_size lower_bound;
};

/* ---------------------------------------------------------------- runners */

static void runner_init(struct runner *runner, const struct engine *engine,
                        const struct task *task) {
  *runner = (struct runner){
      .engine = engine, .options = *task->options, .task = *task, .tick_cost = 1};
}

static void runner_clear(struct runner *runner) {
  if (runner->state) runner->engine->free(runner->state);
  *runner = (struct runner){.is_over = true};
}

static void limit_rounds(struct runner *runner, int64_t most) {
  if (runner->options.value[OPTION_MAX_ROUNDS] > most)
    runner->options.value[OPTION_MAX_ROUNDS] = most;
}

/* Starts the engine, unless it has started already, from the best layout so far. */
static neap_status runner_start(struct runner *runner, const struct auto_state *chain,
                                neap_error *error) {
  if (runner->state) return NEAP_OK;
  runner->task.options = &runner->options;
  runner->task.incumbent = chain->best_peak == NEAP_UNPLACED ? NULL : chain->best;
  return runner->engine->start(&runner->task, &runner->state, error);
}

static neap_status runner_step(struct runner *runner, const struct auto_state *chain,
                               struct step *step, neap_error *error) {
  uint64_t before = chain->task->budget->ticks;
  neap_status status = runner_start(runner, chain, error);
  if (status == NEAP_OK) status = runner->engine->step(runner->state, step, error);
  uint64_t ticks = chain->task->budget->ticks - before;
  runner->work += 1 + (double)ticks * runner->tick_cost;
  return status;
}

/* ---------------------------------------------------------------- stages */

static void begin_sort(struct auto_state *chain) {
  runner_init(&chain->first, &engine_sort, chain->task);
  limit_rounds(&chain->first, AUTO_SORT_ROUNDS);
}

/*
 * Begins with the rearranger in the options.  If that one repacks, another rearranger is used,
 * because repacking comes later.
 */
static void begin_reorder(struct auto_state *chain) {
  struct runner *runner = &chain->first;
  runner_init(runner, &engine_tune, chain->task);
  limit_rounds(runner, AUTO_REORDER_ROUNDS);
  int64_t *rearranger = &runner->options.value[OPTION_REARRANGE];
  if (rearranger_at((size_t)*rearranger)->repacks)
    *rearranger = (int64_t)rearranger_index_of_orders();
}

static void begin_search(struct auto_state *chain) {
  const struct task *task = chain->task;
  chain->stage = STAGE_SEARCH;
  const int64_t *options = task->options->value;
  task_limit_work(task);
  runner_init(&chain->first, &engine_exact, task);
  chain->first.tick_cost = minimiser_tick_cost(task->problem);
  if (task_skips_sort(task)) {
    runner_init(&chain->sorted, &engine_sort, task);
    chain->sorted.work = AUTO_FIRST_LAYOUTS * (double)task->problem->count;
  }
  if (!rearranger_at((size_t)options[OPTION_REARRANGE])->repacks) return;
  double start = AUTO_HEAD_START_PER_BUFFER * (double)task->problem->count;
  runner_init(&chain->second, &engine_tune, task);
  chain->second.work = start > AUTO_HEAD_START ? start : AUTO_HEAD_START;
  if (!chain->is_constrained || problem_has(task->problem, RELATION_SHARES | RELATION_BINDS))
    chain->second.tick_cost =
        task->problem->count > AUTO_LARGE ? AUTO_LARGE_TICK_COST : AUTO_RESERVED_TICK_COST;
}

/*
 * Whether new orders are skipped.  Without constraints, the search achieves more in the same
 * time.  New orders also need a layout to begin with.
 */
static bool skips_reordering(const struct auto_state *chain) {
  return chain->best_peak == NEAP_UNPLACED || !chain->is_constrained;
}

static void begin_next_stage(struct auto_state *chain) {
  runner_clear(&chain->first);
  chain->stage_ended = false;
  chain->stage++;
  if (chain->stage == STAGE_REORDER && skips_reordering(chain)) chain->stage++;
  if (chain->stage == STAGE_REORDER) begin_reorder(chain);
  else begin_search(chain);
}

/* ---------------------------------------------------------------- starting and ending */

static void auto_free(void *state) {
  struct auto_state *chain = state;
  if (!chain) return;
  runner_clear(&chain->first);
  runner_clear(&chain->second);
  runner_clear(&chain->sorted);
  free(chain->best);
  free(chain);
}

static neap_status auto_start(const struct task *task, void **state, neap_error *error) {
  struct auto_state *chain = memory_array(1, sizeof *chain);
  if (!chain) return error_memory(error);
  chain->task = task;
  chain->best_peak = NEAP_UNPLACED;
  chain->is_constrained = constraints_any(task->problem);
  chain->lower_bound = task->bound.lower_bound;
  chain->best = memory_array(task->problem->count, sizeof *chain->best);
  chain->second.is_over = chain->sorted.is_over = true;
  if (task_skips_sort(task)) begin_search(chain);
  else begin_sort(chain);
  chain->last = &chain->first;
  neap_status status =
      chain->best ? runner_start(&chain->first, chain, error) : error_memory(error);
  if (status == NEAP_OK) *state = chain;
  else auto_free(chain);
  return status;
}

/* ---------------------------------------------------------------- one step */

/*
 * Passes the best layout on: to `tune` always, but to `exact` only with constraints; otherwise
 * `exact` keeps its own course.
 */
static void pass_on(const struct auto_state *chain) {
  bool to_second = chain->last == &chain->first;
  const struct runner *other = to_second ? &chain->second : &chain->first;
  if (other->state && other->engine->adopt && (to_second || chain->is_constrained))
    other->engine->adopt(other->state, chain->best);
}

/* Keeps a layout that is better than all earlier ones, and marks the round as improved. */
static void keep_if_best(struct auto_state *chain, struct step *step) {
  step->round.improved =
      chain->best_peak == NEAP_UNPLACED || step->round.peak < chain->best_peak;
  if (!step->round.improved) return;
  chain->best_peak = step->round.peak;
  memcpy(chain->best, chain->last->engine->best(chain->last->state),
         chain->task->problem->count * sizeof *chain->best);
  pass_on(chain);
}

static bool is_lowest(const struct auto_state *chain) {
  return chain->best_peak != NEAP_UNPLACED && chain->best_peak <= chain->lower_bound;
}

/* The runner that has done least work.  `tune` needs a layout to begin with. */
static struct runner *choose_runner(struct auto_state *chain) {
  struct runner *const others[] = {&chain->sorted, &chain->second}, *chosen = &chain->first;
  bool needs_layout = chain->stage == STAGE_SEARCH && chain->best_peak == NEAP_UNPLACED;
  if (needs_layout && !chain->first.is_over) return chosen;
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (!others[i]->is_over && (chosen->is_over || others[i]->work < chosen->work))
      chosen = others[i];
  return chosen;
}

/* Whether the search ends because one of its engines has ended. */
static bool ends_search(struct auto_state *chain, const struct step *step) {
  chain->last->is_over = true;
  bool is_proven = step->reason == NEAP_STOP_PROVEN || step->reason == NEAP_STOP_BOUND;
  bool has_layout = chain->best_peak != NEAP_UNPLACED;
  return is_proven || (chain->first.is_over && (chain->second.is_over || !has_layout));
}

static neap_status auto_step(void *state, struct step *step, neap_error *error) {
  struct auto_state *chain = state;
  if (chain->stage_ended) begin_next_stage(chain);
  chain->last = choose_runner(chain);
  neap_status status = runner_step(chain->last, chain, step, error);
  if (status != NEAP_OK) return status;
  if (chain->last == &chain->sorted) chain->sorted.work *= 2;
  if (step->has_round) keep_if_best(chain, step);
  const struct engine *engine = chain->last->engine;
  if (engine->lower_bound && engine->lower_bound(chain->last->state) > chain->lower_bound)
    chain->lower_bound = engine->lower_bound(chain->last->state);
  if (step->stop && chain->stage == STAGE_SEARCH && ends_search(chain, step)) return NEAP_OK;
  chain->stage_ended = step->stop && chain->stage != STAGE_SEARCH;
  step->stop = is_lowest(chain);
  step->reason = NEAP_STOP_BOUND;
  return NEAP_OK;
}

/* ---------------------------------------------------------------- results */

static const neap_offset *auto_best(const void *state) {
  const struct auto_state *chain = state;
  return chain->best_peak == NEAP_UNPLACED ? NULL : chain->best;
}

static neap_size auto_lower_bound(const void *state) {
  const struct auto_state *chain = state;
  return chain->lower_bound;
}

static const neap_offset *auto_layout(const void *state) {
  const struct auto_state *chain = state;
  const struct runner *runner = chain->last;
  return runner->engine->layout ? runner->engine->layout(runner->state)
                                : runner->engine->best(runner->state);
}

const struct engine engine_auto = {
    .info = {.name = "auto", .summary = "run sort, tune and exact until the bound is reached"},
    .start = auto_start,
    .step = auto_step,
    .best = auto_best,
    .lower_bound = auto_lower_bound,
    .free = auto_free,
    .layout = auto_layout,
};
