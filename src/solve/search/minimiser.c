/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The peak of a layout is the highest of its parts' peaks, so the minimiser works on the highest
 * part until it cannot be lowered or another part is higher.
 *
 * For a part it first tries the lowest capacity that is not yet refuted: on real networks that
 * nearly always succeeds immediately.  If a few restarts leave that capacity open, the minimiser
 * bisects between it and the best layout, which lowers the best layout; then it starts over
 * with more patience.  Every layout found lowers the upper end, every refutation raises the
 * lower end, and the part is done when they meet.  A capacity left open moves neither end.
 *
 * Capacities and peaks of a part are in its steps, and the lower bound of the problem is in
 * bytes.  Invariants: unless parts are relaxed, the optimum of a part is in [lower, upper];
 * once it has a layout, `upper` is that layout's peak; while it is searched, lower <= target <
 * upper.
 *
 *     lower        passed        target        upper
 *     ├──────────────┼─────────────┼─────────────┤   capacities
 *     refuted: -1    left open     tried now     reached by a layout
 */
#include "search/minimiser.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/knobs.h"
#include "core/memory.h"
#include "facts/bodies.h"
#include "facts/constraints.h"
#include "facts/domain.h"
#include "model/problem.h"
#include "search/parts.h"
#include "search/portfolio.h"

/* ---------------------------------------------------------------- empty rectangles */

/* Offsets for buffers of 0 bytes, which the searches ignore. */

static neap_offset lowest_of(const struct bodies *bodies, const struct domains *domains,
                             size_t buffer) {
  size_t body = bodies_of(bodies, buffer);
  if (body != BODIES_NONE) return bodies_next(bodies, domains, body, 0) + bodies->inner[buffer];
  struct domain domain = domains_of(domains, buffer);
  return domain_next(&domain, 0);
}

/*
 * Sets the offset of each buffer of 0 bytes to the lowest one allowed, together with its body.
 */
static neap_status empty_settle(const struct neap_problem *problem, neap_offset *offsets,
                                neap_error *error) {
  struct bodies bodies;
  struct domains domains;
  neap_status status = bodies_init(&bodies, problem, error);
  if (status != NEAP_OK) return status;
  status = domains_init(&domains, problem, error);
  for (size_t i = 0; i < problem->count && status == NEAP_OK; i++)
    if (problem->buffers[i].size == 0) {
      neap_offset lowest = lowest_of(&bodies, &domains, i);
      /* If its body has no place, the search refutes the members with bytes. */
      offsets[i] = lowest < 0 ? 0 : lowest;
    }
  domains_clear(&domains);
  bodies_clear(&bodies);
  return status;
}

/* The highest window_low of a buffer of 0 bytes; 0 if there is none. */
static neap_offset empty_window(const struct neap_problem *problem) {
  neap_offset most = 0;
  if (!problem->relations || problem->relations->window_count == 0) return 0;
  for (size_t i = 0; i < problem->count; i++)
    if (problem->buffers[i].size == 0 && problem_limits(problem, i)->window_low > most)
      most = problem_limits(problem, i)->window_low;
  return most;
}

/* ---------------------------------------------------------------- the minimiser */

/* The state of the work on a part, in its steps. */
struct standing {
  struct portfolio *portfolio; /* created when work on the part starts */
  neap_size lower, upper;  /* the optimum is in [lower, upper]; a layout reaches upper */
  neap_size target;        /* the capacity being tried */
  /* The largest capacity left open or refuted since patience was last raised, or NEAP_UNPLACED. */
  neap_size passed;
  uint64_t tries, patience;
  bool has_layout; /* otherwise `upper` is out of reach */
  bool is_stuck;   /* no search supports the part, or a sorted layout should come first */
};

struct minimiser {
  struct minimiser_task task;
  struct parts parts;
  bool is_relaxed; /* the parts are relaxed; only the task's lower bound is proven */
  struct standing *standings;
  neap_offset *offsets;
  neap_size empty_top;  /* the highest window_low of buffers of 0 bytes */
  size_t first_missing; /* all parts before this one have a layout */
  bool may_be_hopeless; /* some part may be impossible or stuck */
  bool aims_low;        /* starts with the lowest target, even without a layout */
  neap_size lower_bound;
};

/* ---------------------------------------------------------------- making */

static neap_size peak_of(const struct minimiser *minimiser, size_t p,
                         const neap_offset *offsets) {
  const struct part *part = &minimiser->parts.items[p];
  neap_size peak = 0;
  for (size_t i = 0; i < part->count; i++) {
    size_t buffer = part->buffer[i];
    neap_offset end = offsets[buffer] + minimiser->task.problem->buffers[buffer].size;
    if (end > peak) peak = end;
  }
  neap_offset top = part->ties ? ties_empty_top(part->ties, offsets) : 0;
  return top > peak ? top : peak;
}

/* The peak in steps, rounded up: a layout from elsewhere may have offsets between two of them. */
static neap_size steps_of(const struct minimiser *minimiser, size_t p,
                          const neap_offset *offsets) {
  neap_size peak = peak_of(minimiser, p, offsets);
  neap_size step = part_step(&minimiser->parts.items[p]);
  return peak / step + (peak % step != 0);
}

/*
 * The initial upper end for a part without a layout: one step above the extent, which no layout
 * exceeds, or above the capacity or NEAP_MAX if that is lower.
 */
static neap_size out_of_reach(const struct minimiser *minimiser, size_t p) {
  const struct part *part = &minimiser->parts.items[p];
  neap_size most = part->extent, capacity = minimiser->task.capacity;
  if (capacity < 0) capacity = NEAP_MAX;
  if (capacity / part_step(part) < most) most = capacity / part_step(part);
  if (most < part->lower_bound) most = part->lower_bound;
  return most < NEAP_MAX ? most + 1 : NEAP_MAX; /* a bound of NEAP_MAX leaves no layout */
}

/* A relaxed part counts buffers in full that may share bytes, so layouts can be below its bound. */
static void respect_layout(const struct minimiser *minimiser, struct standing *standing) {
  if (minimiser->is_relaxed && standing->lower > standing->upper)
    standing->lower = standing->upper;
}

static void init_standing(struct minimiser *minimiser, size_t p) {
  const struct part *part = &minimiser->parts.items[p];
  struct standing *standing = &minimiser->standings[p];
  standing->has_layout = minimiser->task.incumbent != NULL;
  standing->upper = standing->has_layout ? steps_of(minimiser, p, minimiser->offsets)
                                         : out_of_reach(minimiser, p);
  standing->lower = part->lower_bound;
  respect_layout(minimiser, standing);
  standing->passed = NEAP_UNPLACED;
  standing->patience = MINIMISER_PATIENCE;
  standing->is_stuck = !portfolio_suits(part);
  if (standing->is_stuck || standing->lower >= standing->upper)
    minimiser->may_be_hopeless = true;
  assert(standing->lower <= standing->upper);
}

/* Whether it is proven that a part has no layout, at any height or within the capacity. */
static bool is_impossible(const struct minimiser *minimiser, size_t p) {
  const struct standing *standing = &minimiser->standings[p];
  return !standing->has_layout && standing->lower >= standing->upper;
}

/* The lower bound to report if no layout, or none within the capacity, exists. */
static neap_size beyond_capacity(const struct minimiser *minimiser) {
  neap_size capacity = minimiser->task.capacity;
  return capacity < 0 || capacity == NEAP_MAX ? NEAP_MAX : capacity + 1;
}

/* Raises the lower bound to the highest bound proven for a part, in bytes. */
static void raise_lower_bound(struct minimiser *minimiser) {
  if (minimiser->is_relaxed) return;
  for (size_t p = 0; p < minimiser->parts.count; p++) {
    neap_size step = part_step(&minimiser->parts.items[p]);
    neap_size lower = is_impossible(minimiser, p) ? beyond_capacity(minimiser)
                                                  : minimiser->standings[p].lower * step;
    if (lower > minimiser->lower_bound) minimiser->lower_bound = lower;
  }
}

/*
 * Large parts with relations are relaxed if possible, because only the local search supports
 * them.
 */
static neap_status make_parts(struct minimiser *minimiser, neap_error *error) {
  const struct neap_problem *problem = minimiser->task.problem;
  neap_status status = NEAP_OK;
  if (problem->relations && problem->count > MINIMISER_LARGE)
    status = parts_relax(&minimiser->parts, problem, &minimiser->is_relaxed, error);
  if (status != NEAP_OK || minimiser->is_relaxed) return status;
  const struct sections *sections = minimiser->task.sections;
  if (sections) return parts_init_by_sections(&minimiser->parts, problem, sections, error);
  return parts_init(&minimiser->parts, problem, error);
}

static neap_status init_minimiser(struct minimiser *minimiser, neap_error *error) {
  const struct minimiser_task *task = &minimiser->task;
  neap_status status = make_parts(minimiser, error);
  if (status != NEAP_OK) return status;
  minimiser->lower_bound = task->lower_bound;
  minimiser->standings = memory_array(minimiser->parts.count, sizeof *minimiser->standings);
  minimiser->offsets = memory_array(task->problem->count, sizeof *minimiser->offsets);
  if (!minimiser->standings || !minimiser->offsets) return error_memory(error);
  if (task->incumbent)
    memcpy(minimiser->offsets, task->incumbent,
           task->problem->count * sizeof *minimiser->offsets);
  else status = empty_settle(task->problem, minimiser->offsets, error);
  minimiser->empty_top = empty_window(task->problem);
  minimiser->aims_low = minimiser_finds_first(task->problem, 0);
  for (size_t p = 0; p < minimiser->parts.count; p++)
    init_standing(minimiser, p);
  raise_lower_bound(minimiser);
  return status;
}

neap_status minimiser_new(struct minimiser **minimiser, const struct minimiser_task *task,
                          neap_error *error) {
  struct minimiser *made = memory_array(1, sizeof *made);
  if (!made) return error_memory(error);
  made->task = *task;
  neap_status status = init_minimiser(made, error);
  if (status == NEAP_OK) *minimiser = made;
  else minimiser_free(made);
  return status;
}

static void free_portfolio(struct standing *standing) {
  portfolio_free(standing->portfolio);
  standing->portfolio = NULL;
}

static void free_portfolios(struct minimiser *minimiser) {
  for (size_t p = 0; p < minimiser->parts.count; p++)
    free_portfolio(&minimiser->standings[p]);
}

void minimiser_free(struct minimiser *minimiser) {
  if (!minimiser) return;
  if (minimiser->standings) free_portfolios(minimiser);
  free(minimiser->standings);
  free(minimiser->offsets);
  parts_clear(&minimiser->parts);
  free(minimiser);
}

/* ---------------------------------------------------------------- choosing a target */

/*
 * The lowest peak worth reaching for a part: lower ones are refuted for the part, excluded by
 * the lower bound of the whole, or not required by the capacity.
 */
static neap_size goal_of(const struct minimiser *minimiser, size_t p) {
  neap_size step = part_step(&minimiser->parts.items[p]);
  neap_size enough = minimiser->lower_bound / step;
  if (minimiser->task.capacity / step > enough) enough = minimiser->task.capacity / step;
  neap_size lower = minimiser->standings[p].lower;
  return lower > enough ? lower : enough;
}

/* The first part that has no layout yet, or the number of parts. */
static size_t first_missing(const struct minimiser *minimiser) {
  size_t p = minimiser->first_missing;
  while (p < minimiser->parts.count && minimiser->standings[p].has_layout)
    p++;
  return p;
}

/*
 * The first part without a layout; SIZE_MAX if there is none, or if some part is impossible or
 * stuck.
 */
static size_t part_to_find(const struct minimiser *minimiser) {
  size_t found = first_missing(minimiser);
  if (found == minimiser->parts.count) return SIZE_MAX;
  for (size_t p = found; minimiser->may_be_hopeless && p < minimiser->parts.count; p++)
    if (!minimiser->standings[p].has_layout &&
        (is_impossible(minimiser, p) || minimiser->standings[p].is_stuck))
      return SIZE_MAX;
  return found;
}

/*
 * The part to work on: one without a layout, else the highest if lowering it can help; else
 * SIZE_MAX.
 */
static size_t highest_part(const struct minimiser *minimiser) {
  neap_size capacity = minimiser->task.capacity;
  if (capacity >= 0 && minimiser->lower_bound > capacity)
    return SIZE_MAX; /* proven infeasible */
  size_t highest = part_to_find(minimiser);
  if (highest != SIZE_MAX) return highest;
  neap_size most = 0;
  for (size_t p = 0; p < minimiser->parts.count; p++) {
    if (!minimiser->standings[p].has_layout) return SIZE_MAX;
    neap_size upper = minimiser->standings[p].upper * part_step(&minimiser->parts.items[p]);
    if (upper <= most) continue;
    most = upper;
    highest = p;
  }
  if (highest == SIZE_MAX) return SIZE_MAX;
  const struct standing *standing = &minimiser->standings[highest];
  return standing->is_stuck || standing->upper <= goal_of(minimiser, highest) ? SIZE_MAX
                                                                              : highest;
}

/*
 * Rounds a capacity up to whole units, unless that reaches the best layout: the search settles
 * how much of the last unit is used only at the end.
 */
static neap_size in_whole_units(const struct minimiser *minimiser, size_t p,
                                neap_size capacity) {
  if (capacity >= minimiser->standings[p].upper) return capacity;
  neap_size whole = round_up(capacity, minimiser->parts.items[p].steps);
  return whole < minimiser->standings[p].upper ? whole : capacity;
}

/* Sets the next target after one has been left open, found or refuted. */
static void choose_target(struct minimiser *minimiser, size_t p) {
  struct standing *standing = &minimiser->standings[p];
  neap_size goal = goal_of(minimiser, p);
  standing->tries = 0;
  if (!standing->has_layout && !minimiser->aims_low && standing->passed == NEAP_UNPLACED &&
      standing->target == 0) {
    standing->target = standing->upper - 1; /* at first, accept any layout */
    return;
  }
  if (standing->passed == NEAP_UNPLACED || goal >= standing->upper) {
    standing->target =
        goal < standing->upper ? in_whole_units(minimiser, p, goal) : standing->upper - 1;
    return;
  }
  neap_size below = standing->passed > goal - 1 ? standing->passed : goal - 1;
  standing->target = in_whole_units(minimiser, p, below + (standing->upper - below) / 2);
  if (standing->target > below) return;
  standing->target = in_whole_units(minimiser, p, goal);
  standing->passed = NEAP_UNPLACED;
  standing->patience += MINIMISER_MORE_PATIENCE;
}

/* ---------------------------------------------------------------- one step */

static void take_layout(struct minimiser *minimiser, size_t p) {
  const struct part *part = &minimiser->parts.items[p];
  struct standing *standing = &minimiser->standings[p];
  const neap_offset *offsets = portfolio_offsets(standing->portfolio);
  standing->upper = 0;
  standing->has_layout = true;
  for (size_t i = 0; i < part->count; i++) {
    minimiser->offsets[part->buffer[i]] = offsets[i] * part->unit;
    if (part_end(part, i, offsets[i]) > standing->upper)
      standing->upper = part_end(part, i, offsets[i]);
  }
  if (part->ties && ties_top(part->ties, offsets) > standing->upper)
    standing->upper = ties_top(part->ties, offsets);
  if (part->ties) ties_place_members(part->ties, offsets, part->unit, minimiser->offsets);
  respect_layout(minimiser, standing);
  assert(standing->upper >= standing->lower);
}

/*
 * The number of restarts for a target.  The lowest target is often the easiest to decide: no
 * byte may be wasted, so wrong decisions fail immediately.
 */
static uint64_t patience_for(const struct minimiser *minimiser, size_t p) {
  const struct standing *standing = &minimiser->standings[p];
  neap_size goal = in_whole_units(minimiser, p, goal_of(minimiser, p));
  bool further = standing->patience > MINIMISER_PATIENCE && standing->target == goal;
  return standing->patience + (further ? MINIMISER_GOAL_PATIENCE : 0);
}

static neap_status learn_from_verdict(struct minimiser *minimiser, size_t p,
                                      enum verdict verdict, neap_error *error) {
  struct standing *standing = &minimiser->standings[p];
  switch (verdict) {
  case VERDICT_MEMORY:
    return error_memory(error);
  case VERDICT_STOPPED:
    return NEAP_NO_PLAN;
  case VERDICT_FOUND:
    if (!standing->has_layout) standing->passed = NEAP_UNPLACED;
    take_layout(minimiser, p);
    assert(standing->upper <= standing->target);
    portfolio_guide(standing->portfolio, minimiser->offsets);
    break;
  case VERDICT_REFUTED:
    assert(standing->target >= standing->lower && standing->target < standing->upper);
    standing->passed = standing->target;
    standing->lower = standing->target + 1;
    minimiser->may_be_hopeless = true;
    raise_lower_bound(minimiser);
    break;
  case VERDICT_OPEN:
    if (portfolio_improved(standing->portfolio, standing->upper)) {
      take_layout(minimiser, p);
      portfolio_guide(standing->portfolio, minimiser->offsets);
    }
    if (standing->target >= standing->upper) break;
    /* Far below any limit, boards close holes that a sorted layout fills later. */
    if (!standing->has_layout && minimiser->aims_low && minimiser->task.variant == 0) {
      standing->is_stuck = minimiser->may_be_hopeless = true;
      return NEAP_OK;
    }
    if (++standing->tries < patience_for(minimiser, p)) return NEAP_OK;
    standing->passed = standing->target;
    break;
  }
  choose_target(minimiser, p);
  return NEAP_OK;
}

/* Takes the portfolio's lower bound, which may be higher than the refuted target. */
static void take_proof(struct minimiser *minimiser, size_t p) {
  struct standing *standing = &minimiser->standings[p];
  neap_size proven = portfolio_proven(standing->portfolio);
  assert(!standing->has_layout || proven <= standing->upper);
  if (proven > standing->upper) proven = standing->upper; /* no layout is within the capacity */
  if (proven <= standing->lower) return;
  standing->lower = proven;
  minimiser->may_be_hopeless = true;
  raise_lower_bound(minimiser);
  if (proven == standing->upper) return;
  standing->passed = NEAP_UNPLACED; /* the lowest target is a new one */
  choose_target(minimiser, p);
}

/* Makes the portfolio of a part; false when memory is short. */
static bool make_portfolio(struct minimiser *minimiser, size_t p) {
  const struct part *part = &minimiser->parts.items[p];
  const struct minimiser_task *task = &minimiser->task;
  struct standing *standing = &minimiser->standings[p];
  standing->portfolio = portfolio_new(
      (struct method_task){part, task->rules, task->seed, task->turns, task->variant});
  if (!standing->portfolio) return false;
  /* With constraints, finding a layout as low as the incumbent can take long. */
  if (standing->has_layout && (part->ties || part_is_constrained(part)))
    portfolio_guide(standing->portfolio, minimiser->offsets);
  choose_target(minimiser, p);
  return true;
}

/* Does one restart for a part. */
static neap_status search_part(struct minimiser *minimiser, size_t p, neap_error *error) {
  struct standing *standing = &minimiser->standings[p];
  if (!standing->portfolio && !make_portfolio(minimiser, p)) return error_memory(error);
  assert(standing->target >= standing->lower && standing->target < standing->upper);
  portfolio_aim(standing->portfolio, in_whole_units(minimiser, p, goal_of(minimiser, p)));
  enum verdict verdict =
      portfolio_step(standing->portfolio, standing->target, minimiser->task.budget);
  minimiser->task.budget->restarts++;
  neap_status status = learn_from_verdict(minimiser, p, verdict, error);
  if (status != NEAP_ERROR_MEMORY) take_proof(minimiser, p);
  minimiser->first_missing = first_missing(minimiser);
  /* The part never has to be lowered again, because goals only rise. */
  if (standing->has_layout && standing->upper <= goal_of(minimiser, p))
    free_portfolio(standing);
  return status;
}

neap_status minimiser_step(struct minimiser *minimiser, bool *done, neap_error *error) {
  size_t p = highest_part(minimiser);
  neap_status status = p == SIZE_MAX ? NEAP_OK : search_part(minimiser, p, error);
  *done = status == NEAP_OK && highest_part(minimiser) == SIZE_MAX;
  if (*done || status == NEAP_ERROR_MEMORY)
    free_portfolios(minimiser); /* verifying the plan needs memory, too */
  return status;
}

/* ---------------------------------------------------------------- sharing results */

static void adopt_part(struct minimiser *minimiser, size_t p, const neap_offset *offsets) {
  const struct part *part = &minimiser->parts.items[p];
  struct standing *standing = &minimiser->standings[p];
  neap_size upper = steps_of(minimiser, p, offsets);
  if (upper >= standing->upper) return;
  standing->upper = upper;
  standing->has_layout = true;
  for (size_t i = 0; i < part->count; i++)
    minimiser->offsets[part->buffer[i]] = offsets[part->buffer[i]];
  if (part->ties) ties_copy_members(part->ties, offsets, minimiser->offsets);
  if (!standing->portfolio) return;
  portfolio_guide(standing->portfolio, minimiser->offsets);
  if (standing->target >= upper) choose_target(minimiser, p);
}

void minimiser_adopt(struct minimiser *minimiser, const neap_offset *offsets) {
  for (size_t p = 0; p < minimiser->parts.count; p++)
    adopt_part(minimiser, p, offsets);
}

void minimiser_raise(struct minimiser *minimiser, neap_size lower_bound) {
  if (lower_bound > minimiser->lower_bound) minimiser->lower_bound = lower_bound;
}

/* ---------------------------------------------------------------- results */

const neap_offset *minimiser_offsets(const struct minimiser *minimiser) {
  return first_missing(minimiser) == minimiser->parts.count ? minimiser->offsets : NULL;
}

neap_size minimiser_peak(const struct minimiser *minimiser) {
  if (!minimiser_offsets(minimiser)) return NEAP_MAX;
  neap_size peak = minimiser->empty_top;
  for (size_t p = 0; p < minimiser->parts.count; p++) {
    neap_size part = peak_of(minimiser, p, minimiser->offsets);
    if (part > peak) peak = part;
  }
  return peak;
}

neap_size minimiser_lower_bound(const struct minimiser *minimiser) {
  return minimiser->lower_bound;
}

/*
 * Whether the local search supports the parts of a large problem, relaxed if it has relations.
 */
static bool suits_local(const struct neap_problem *problem) {
  bool is_tied = problem->relations && (problem->fixed_count > 0 || constraints_align(problem));
  return problem->range_count == problem->count && !is_tied;
}

bool minimiser_finds_first(const struct neap_problem *problem, uint64_t max_ticks) {
  return problem->count > MINIMISER_SORTED_MOST && !problem->relations &&
         !constraints_any(problem) &&
         (max_ticks == 0 || max_ticks / MINIMISER_FIRST_TICKS >= problem->count);
}

/*
 * With other constraints, only the global search works, whose steps touch sets of all buffers.
 */
double minimiser_tick_cost(const struct neap_problem *problem) {
  bool is_slow =
      problem->count > MINIMISER_LARGE && constraints_any(problem) && !suits_local(problem);
  return is_slow ? (double)problem->count / MINIMISER_BUFFERS_PER_TICK : 1;
}
