/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The largest neighbourhood of a layout contains all buffers.  It has no obstacles, so a search
 * can reuse what it learned about one target for the next, and a target that it refutes is
 * refuted for the whole problem.  So these searches live as long as the tuner and advance one
 * restart at a time.
 *
 * If alignments do not divide the sizes, a second search uses sizes that are rounded up to all
 * alignments (model/rounding).  Rounding often wastes fewer bytes than the gap that the first
 * search leaves, because the first search has many more offsets to choose from.
 */
#include "tune/whole.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "facts/domain.h"
#include "facts/rounding.h"
#include "order/sorter.h"
#include "place/placer.h"
#include "search/minimiser.h"

struct search {
  struct minimiser *minimiser; /* created when first needed */
  bool is_over;
};

struct whole {
  struct whole_task task;
  struct search searches[WHOLE_SEARCHES];
  struct rounding rounding;
  neap_size lower_bound;
};

void whole_free(struct whole *whole) {
  if (!whole) return;
  for (size_t i = 0; i < WHOLE_SEARCHES; i++)
    minimiser_free(whole->searches[i].minimiser);
  rounding_clear(&whole->rounding);
  free(whole);
}

/*
 * Whether a problem may be rounded.  Distances, windows and banks count exact bytes, which
 * rounded sizes would change.
 */
static bool suits_rounding(const struct neap_problem *problem) {
  return !domains_matter(problem) && !problem_has(problem, NEAP_COLOCATION) &&
         !problem_has(problem, NEAP_OVERLAP) && !problem_has(problem, NEAP_BANK_SEPARATION);
}

struct whole *whole_new(const struct whole_task *task) {
  struct whole *whole = memory_array(1, sizeof *whole);
  if (!whole) return NULL;
  whole->task = *task;
  whole->lower_bound = task->bound;
  whole->searches[WHOLE_ROUNDED].is_over = !suits_rounding(task->problem);
  if (whole->searches[WHOLE_ROUNDED].is_over) return whole;
  switch (rounding_init(&whole->rounding, task->problem)) {
  case ROUNDING_MADE:
    return whole;
  case ROUNDING_USELESS:
    whole->searches[WHOLE_ROUNDED].is_over = true;
    return whole;
  case ROUNDING_MEMORY:
    break;
  }
  whole_free(whole);
  return NULL;
}

bool whole_can_go_on(const struct whole *whole, enum whole_search search) {
  return !whole->searches[search].is_over;
}

neap_size whole_lower_bound(const struct whole *whole) { return whole->lower_bound; }

/* ---------------------------------------------------------------- making a search */

static neap_status make_minimiser(struct whole *whole, enum whole_search search,
                                  const neap_offset *incumbent, neap_error *error) {
  bool is_plain = search == WHOLE_PLAIN;
  struct minimiser_task task = {.problem =
                                    is_plain ? whole->task.problem : &whole->rounding.problem,
                                .incumbent = incumbent,
                                .lower_bound = whole->lower_bound,
                                .capacity = -1,
                                .rules = RULES_ALL,
                                .seed = whole->task.seed,
                                .variant = whole->task.variant,
                                .budget = whole->task.budget};
  return minimiser_new(&whole->searches[search].minimiser, &task, error);
}

/* Places the rounded buffers in the order of their offsets in a layout. */
static neap_status place_rounded(const struct whole *whole, struct placer *placer,
                                 const neap_offset *layout, neap_error *error) {
  gsl_permutation order = {0};
  neap_status status =
      order_init(&order, whole->task.problem->count) ? NEAP_OK : error_memory(error);
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
static neap_status make_rounded(struct whole *whole, const neap_offset *layout,
                                neap_error *error) {
  struct placer *placer = NULL;
  neap_status status = placer_new(&placer, &whole->rounding.problem, whole->task.sections,
                                  place_rule_at(0), whole->task.budget, error);
  if (status == NEAP_OK) status = place_rounded(whole, placer, layout, error);
  if (status == NEAP_OK)
    status = make_minimiser(whole, WHOLE_ROUNDED, placer_offsets(placer), error);
  placer_free(placer);
  return status;
}

static neap_status prepare(struct whole *whole, enum whole_search search,
                           const neap_offset *layout, neap_error *error) {
  struct minimiser *minimiser = whole->searches[search].minimiser;
  if (!minimiser)
    return search == WHOLE_PLAIN ? make_minimiser(whole, search, layout, error)
                                 : make_rounded(whole, layout, error);
  if (search == WHOLE_PLAIN) minimiser_adopt(minimiser, layout);
  return NEAP_OK;
}

/* ---------------------------------------------------------------- one step */

static void take_if_lower(const struct whole *whole, const struct minimiser *minimiser,
                          neap_offset *layout) {
  const neap_offset *found = minimiser_offsets(minimiser);
  const struct neap_problem *problem = whole->task.problem;
  if (problem_peak(problem, found) < problem_peak(problem, layout))
    memcpy(layout, found, problem->count * sizeof *layout);
}

neap_status whole_step(struct whole *whole, enum whole_search search, neap_offset *layout,
                       neap_error *error) {
  struct search *used = &whole->searches[search];
  assert(!used->is_over);
  neap_status status = prepare(whole, search, layout, error);
  if (status == NEAP_OK) status = minimiser_step(used->minimiser, &used->is_over, error);
  if (status != NEAP_OK) return status;
  take_if_lower(whole, used->minimiser, layout);
  if (search == WHOLE_PLAIN && minimiser_lower_bound(used->minimiser) > whole->lower_bound)
    whole->lower_bound = minimiser_lower_bound(used->minimiser);
  return NEAP_OK;
}
