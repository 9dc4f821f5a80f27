/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The largest neighbourhood of a layout contains all buffers.  It has no obstacles, so a search
 * can reuse what it learned about one target for the next, and a target that it refutes is
 * refuted for the whole problem.  So these searches live as long as the tuner and advance one
 * restart at a time.
 *
 * If alignments do not divide the sizes, a second search uses sizes that are rounded up to all
 * alignments (facts/rounding).  Rounding often wastes fewer bytes than the gap that the first
 * search leaves, because the first search has many more offsets to choose from.
 */
#include "tune/repacker.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "facts/domain.h"
#include "facts/rounding.h"
#include "order/sorter.h"
#include "place/placer.h"
#include "search/method.h"
#include "search/minimiser.h"

struct search {
  struct minimiser *minimiser; /* created when first needed */
  bool is_over;
};

struct global_search {
  struct global_task task;
  struct search searches[GLOBAL_SEARCHES];
  struct rounding rounding;
  neap_size lower_bound;
};

void global_search_free(struct global_search *global) {
  if (!global) return;
  for (size_t i = 0; i < GLOBAL_SEARCHES; i++)
    minimiser_free(global->searches[i].minimiser);
  rounding_clear(&global->rounding);
  free(global);
}

/*
 * Whether a problem may be rounded.  Distances, windows and banks count exact bytes, which
 * rounded sizes would change.
 */
static bool suits_rounding(const struct neap_problem *problem) {
  return !domains_matter(problem) && !problem_has(problem, RELATION_TIES | RELATION_GAP);
}

struct global_search *global_search_new(const struct global_task *task) {
  struct global_search *global = memory_array(1, sizeof *global);
  if (!global) return NULL;
  global->task = *task;
  global->lower_bound = task->bound;
  global->searches[GLOBAL_ROUNDED].is_over = !suits_rounding(task->problem);
  if (global->searches[GLOBAL_ROUNDED].is_over) return global;
  switch (rounding_init(&global->rounding, task->problem)) {
  case ROUNDING_MADE:
    return global;
  case ROUNDING_USELESS:
    global->searches[GLOBAL_ROUNDED].is_over = true;
    return global;
  case ROUNDING_MEMORY:
    break;
  }
  global_search_free(global);
  return NULL;
}

bool global_search_can_go_on(const struct global_search *global, enum global_kind search) {
  return !global->searches[search].is_over;
}

neap_size global_search_lower_bound(const struct global_search *global) {
  return global->lower_bound;
}

/* ---------------------------------------------------------------- making a search */

static neap_status make_minimiser(struct global_search *global, enum global_kind search,
                                  const neap_offset *incumbent, neap_error *error) {
  bool is_plain = search == GLOBAL_PLAIN;
  struct minimiser_task task = {.problem =
                                    is_plain ? global->task.problem : &global->rounding.problem,
                                .incumbent = incumbent,
                                .lower_bound = global->lower_bound,
                                .capacity = -1,
                                .rules = method_rules_without(global->task.disabled),
                                .seed = global->task.seed,
                                .variant = global->task.variant,
                                .budget = global->task.budget};
  return minimiser_new(&global->searches[search].minimiser, &task, error);
}

/* Places the rounded buffers in the order of their offsets in a layout. */
static neap_status place_rounded(const struct global_search *global, struct placer *placer,
                                 const neap_offset *layout, neap_error *error) {
  gsl_permutation order = {0};
  neap_status status =
      order_init(&order, global->task.problem->count) ? NEAP_OK : error_memory(error);
  if (status == NEAP_OK) {
    sorter_sort_by_offset(layout, &order);
    status = placer_fill(placer, &order, error);
  }
  order_clear(&order);
  return status;
}

/*
 * Creates the search over rounded sizes, which needs a layout of rounded buffers to begin with.
 */
static neap_status make_rounded(struct global_search *global, const neap_offset *layout,
                                neap_error *error) {
  struct placer *placer = NULL;
  neap_status status = placer_new(&placer, &global->rounding.problem, global->task.sections,
                                  place_rule_at(0), global->task.budget, error);
  if (status == NEAP_OK) status = place_rounded(global, placer, layout, error);
  if (status == NEAP_OK)
    status = make_minimiser(global, GLOBAL_ROUNDED, placer_offsets(placer), error);
  placer_free(placer);
  return status;
}

static neap_status prepare(struct global_search *global, enum global_kind search,
                           const neap_offset *layout, neap_error *error) {
  struct minimiser *minimiser = global->searches[search].minimiser;
  if (!minimiser)
    return search == GLOBAL_PLAIN ? make_minimiser(global, search, layout, error)
                                  : make_rounded(global, layout, error);
  if (search == GLOBAL_PLAIN) minimiser_adopt(minimiser, layout);
  return NEAP_OK;
}

/* ---------------------------------------------------------------- one step */

static void take_if_lower(const struct global_search *global, const struct minimiser *minimiser,
                          neap_offset *layout) {
  const neap_offset *found = minimiser_offsets(minimiser);
  const struct neap_problem *problem = global->task.problem;
  if (problem_peak(problem, found) < problem_peak(problem, layout))
    memcpy(layout, found, problem->count * sizeof *layout);
}

neap_status global_search_step(struct global_search *global, enum global_kind search,
                               neap_offset *layout, neap_error *error) {
  struct search *used = &global->searches[search];
  assert(!used->is_over);
  neap_status status = prepare(global, search, layout, error);
  if (status == NEAP_OK) status = minimiser_step(used->minimiser, &used->is_over, error);
  if (status != NEAP_OK) return status;
  take_if_lower(global, used->minimiser, layout);
  if (search == GLOBAL_PLAIN && minimiser_lower_bound(used->minimiser) > global->lower_bound)
    global->lower_bound = minimiser_lower_bound(used->minimiser);
  return NEAP_OK;
}
