/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A layout stays sound if rectangles shrink or are removed.  So a part with fewer and smaller
 * rectangles is a relaxation: if it does not fit a capacity, neither does the part.
 *
 *   - A weaker part has the rectangles of the highest column and of a few columns around it.  These
 *     usually make a capacity too low, and their small tree is soon exhausted.
 *   - Its sizes are rounded down to multiples of a unit with which the highest column loses little
 *     or nothing.  Capacities are rounded down, too, so there are fewer heights and less slack:
 *
 *         sizes in the highest column      12 8 4 8     capacity 33: slack 1
 *         of some other rectangles         7 5 9
 *         in units of 4                    3 2 1 2      capacity 8: slack 0
 *         of the others                    1 1 2
 *
 * Once a weaker part has a layout at the proven bound, the number of columns around the highest
 * is doubled.  When it covers all columns, the next unit loses less: the greatest common
 * divisor of the sizes in the highest column, then its divisors.  Chains of 30 buffers that
 * stayed open for half a minute are proven in milliseconds.
 *
 * Cost: a step is one turn of the weaker part's portfolio.  `proven` is in units of the part,
 * `lowest` and `found` in steps of the weaker part.  Invariant: the weaker part has no layout
 * below `lowest`, and has one at `found` unless that is NEAP_MAX.
 */
#include <assert.h>
#include <stdlib.h>

#include "core/knobs.h"
#include "core/memory.h"
#include "model/problem.h"
#include "search/parts.h"
#include "search/portfolio.h"

struct coarsener {
  struct findings findings;
  const struct part *part;
  struct rules rules;
  uint64_t seed;
  uint32_t highest;      /* the highest column */
  uint32_t reach;        /* columns of the weaker part on either side of it */
  neap_size divisor;     /* of all sizes in the highest column, in units of the part */
  neap_size unit;        /* of the weaker part, in units of the part; 0: no unit is left */
  neap_problem *problem; /* the part with sizes rounded down */
  struct parts parts;    /* of that problem */
  struct part *weaker;   /* the part of `parts` with the highest lower bound */
  neap_size lowest;      /* the lowest capacity of `weaker` that is not refuted */
  neap_size found;       /* the lowest capacity at which `weaker` has a layout, or NEAP_MAX */
  neap_size stride;      /* how many capacities the next refutation is to rule out */
  struct portfolio *portfolio;
};

/* ---------------------------------------------------------------- making */

static bool suits(const struct part *part) {
  size_t most = part_is_constrained(part) ? COARSENER_CONSTRAINED_MOST : COARSENER_COUNT_MOST;
  return part->is_simple && !part->ties && !part->is_relaxed && part->steps == 1 &&
         part->count <= most;
}

/* The greatest common divisor of the sizes in a column. */
static neap_size divisor_of_column(const struct part *part, uint32_t column) {
  neap_size divisor = 0;
  for (size_t i = 0; i < part->count; i++)
    if (span_contains(part->spans[i], column)) divisor = common_divisor(part->size[i], divisor);
  return divisor;
}

/* The bytes that a column loses when its rectangles are rounded down. */
static neap_size loss_in_column(const struct part *part, uint32_t column, neap_size unit) {
  neap_size loss = 0;
  for (size_t i = 0; i < part->count; i++)
    if (span_contains(part->spans[i], column)) loss += part->size[i] % unit;
  return loss;
}

/* The largest power-of-two multiple of a unit with which the column loses little, and not all. */
static neap_size coarsest_unit(const struct part *part, uint32_t column, neap_size unit) {
  neap_size all = loss_in_column(part, column, NEAP_MAX), coarsest = unit;
  neap_size most = part->lower_bound / COARSENER_LITTLE;
  assert(all > 0);
  if (most >= all) most = all - 1; /* a fixed rectangle raises the lower bound */
  for (unit *= 2; unit <= part->lower_bound / 2; unit *= 2)
    if (loss_in_column(part, column, unit) <= most) coarsest = unit;
  return coarsest;
}

static uint32_t highest_column(const struct part *part) {
  uint32_t highest = 0;
  neap_size most = 0;
  for (uint32_t at = 0; at < part->column_count; at++) {
    const neap_size load = loss_in_column(part, at, NEAP_MAX);
    if (load > most) most = load, highest = at;
  }
  return highest;
}

/* Whether rounding down to multiples of a divisor of the unit loses less. */
static bool loses_less(const struct coarsener *coarsener, neap_size divisor) {
  const struct part *part = coarsener->part;
  for (size_t i = 0; i < part->count; i++)
    if (part->size[i] % coarsener->unit >= divisor) return true;
  return false;
}

static neap_size smallest_divisor(neap_size number) {
  for (neap_size divisor = 2; divisor <= COARSENER_DIVISOR_MOST; divisor++)
    if (number % divisor == 0) return divisor;
  return number;
}

/* The next smaller unit that loses less; 0 if there is none. */
static neap_size finer_unit(const struct coarsener *coarsener) {
  neap_size unit = coarsener->unit;
  if (unit > coarsener->divisor) return coarsener->divisor;
  while (unit > 1) {
    unit /= smallest_divisor(unit);
    assert(coarsener->unit % unit == 0);
    if (loses_less(coarsener, unit)) return unit;
  }
  return 0;
}

static bool has_all_columns(const struct coarsener *coarsener) {
  return coarsener->highest <= coarsener->reach &&
         coarsener->highest + coarsener->reach + 1 >= coarsener->part->column_count;
}

/* Whether the weaker part would be the part itself, which is searched anyway. */
static bool is_part_itself(const struct coarsener *coarsener) {
  return coarsener->unit > 0 && has_all_columns(coarsener) && finer_unit(coarsener) == 0;
}

static bool coarsening_create(const struct method_task *task, void **state) {
  const struct part *part = task->part;
  if (!suits(part) || task->variant > 0) return true; /* racing searches share its proofs */
  const uint32_t highest = highest_column(part);
  struct coarsener *coarsener = memory_array(1, sizeof *coarsener);
  if (!coarsener) return false;
  *coarsener = (struct coarsener){.part = part,
                                  .rules = task->rules,
                                  .seed = task->seed,
                                  .highest = highest,
                                  .reach = COARSENER_FIRST_REACH,
                                  .divisor = divisor_of_column(part, highest),
                                  .findings = {.peak = NEAP_MAX, .proven = part->lower_bound}};
  coarsener->unit = coarsest_unit(part, highest, coarsener->divisor);
  /* Weaker parts have no weaker parts of their own. */
  coarsener->rules.disabled |= method_bit(&method_coarsening);
  if (is_part_itself(coarsener)) free(coarsener);
  else *state = coarsener;
  return true;
}

static void drop_weaker(struct coarsener *coarsener) {
  portfolio_free(coarsener->portfolio);
  parts_clear(&coarsener->parts);
  neap_problem_free(coarsener->problem);
  coarsener->portfolio = NULL;
  coarsener->problem = NULL;
}

static void coarsening_free(void *state) {
  struct coarsener *coarsener = state;
  if (!coarsener) return;
  drop_weaker(coarsener);
  free(coarsener);
}

/* ---------------------------------------------------------------- a weaker part */

/* The columns of the weaker part. */
static struct span window_of(const struct coarsener *coarsener) {
  uint32_t highest = coarsener->highest, reach = coarsener->reach;
  return (struct span){highest > reach ? highest - reach : 0, highest + reach + 1};
}

/* Adds the rectangles as buffers whose times are columns; skips those rounded down to 0. */
static bool add_rounded(struct coarsener *coarsener) {
  const struct part *part = coarsener->part;
  const struct span window = window_of(coarsener);
  for (size_t i = 0; i < part->count; i++) {
    const neap_range range = {part->spans[i].first, part->spans[i].end};
    const struct buffer buffer = {.size = round_down(part->size[i], coarsener->unit),
                                  .alignment = part->alignment[i],
                                  .fixed_offset = part->fixed[i]};
    if (buffer.size > 0 && spans_meet(part->spans[i], window) &&
        problem_add_numbered(coarsener->problem, &buffer, range, NULL) != NEAP_OK)
      return false;
  }
  return true;
}

/* The part of a problem whose lower bound is the highest. */
static struct part *highest_part(const struct parts *parts) {
  struct part *highest = NULL;
  neap_size most = 0;
  for (size_t p = 0; p < parts->count; p++) {
    neap_size bound = parts->items[p].lower_bound * part_step(&parts->items[p]);
    if (bound <= most) continue;
    most = bound;
    highest = &parts->items[p];
  }
  return highest;
}

/* No layout is lower than `lowest`, in units of the part. */
static void take_lowest(struct coarsener *coarsener) {
  assert(coarsener->weaker && coarsener->lowest >= coarsener->weaker->lower_bound);
  neap_size proven = coarsener->lowest * part_step(coarsener->weaker);
  if (proven > coarsener->findings.proven) coarsener->findings.proven = proven;
}

/* Starts at the proven bound; refuting lower capacities would add nothing. */
static void set_lowest(struct coarsener *coarsener) {
  coarsener->lowest = coarsener->findings.proven / part_step(coarsener->weaker);
  if (coarsener->lowest < coarsener->weaker->lower_bound)
    coarsener->lowest = coarsener->weaker->lower_bound;
  coarsener->found = NEAP_MAX;
  coarsener->stride = 1;
  take_lowest(coarsener);
}

/* Makes the weaker part for the unit; false when memory is short. */
static bool make_weaker(struct coarsener *coarsener) {
  coarsener->problem = neap_problem_new();
  if (!coarsener->problem || !add_rounded(coarsener) ||
      parts_init(&coarsener->parts, coarsener->problem, NULL) != NEAP_OK) {
    drop_weaker(coarsener);
    return false;
  }
  coarsener->weaker = highest_part(&coarsener->parts);
  assert(coarsener->weaker); /* the highest column keeps some of its sizes */
  set_lowest(coarsener);
  if (!portfolio_suits(coarsener->weaker)) {
    drop_weaker(coarsener);
    coarsener->unit = 0; /* sizes near NEAP_MAX */
    return true;
  }
  coarsener->portfolio = portfolio_new((struct method_task){
      .part = coarsener->weaker, .rules = coarsener->rules, .seed = coarsener->seed});
  if (!coarsener->portfolio) drop_weaker(coarsener);
  return coarsener->portfolio != NULL;
}

/* Moves on to the next stronger part: more columns, or a finer unit. */
static void strengthen(struct coarsener *coarsener) {
  drop_weaker(coarsener);
  if (has_all_columns(coarsener)) {
    assert(coarsener->unit > 0);
    coarsener->unit = finer_unit(coarsener);
    coarsener->reach = COARSENER_FIRST_REACH;
  } else {
    coarsener->reach *= 2;
    assert(coarsener->reach > 0);
  }
  if (is_part_itself(coarsener)) coarsener->unit = 0;
}

/* ---------------------------------------------------------------- searching */

/* The capacity to try next; a refutation also rules out all lower ones. */
static neap_size target_of(const struct coarsener *coarsener) {
  neap_size room = coarsener->found - coarsener->lowest;
  return coarsener->lowest + (coarsener->stride < room ? coarsener->stride : room) - 1;
}

/*
 * Doubles the stride after a refutation, and halves it if the target was feasible or too hard.
 */
static void learn(struct coarsener *coarsener, neap_size target, enum verdict verdict) {
  if (verdict == VERDICT_REFUTED) {
    coarsener->lowest = target + 1;
    if (coarsener->stride < COARSENER_STRIDE_MOST) coarsener->stride *= 2;
    take_lowest(coarsener);
  } else {
    if (verdict == VERDICT_FOUND) coarsener->found = target;
    neap_size half = (target - coarsener->lowest + 1) / 2;
    coarsener->stride = half > 1 ? half : 1;
  }
  if (coarsener->found == coarsener->lowest) strengthen(coarsener);
}

/* Whether all weaker parts have layouts at the proven bound, so that they cannot raise it. */
static bool coarsening_is_done(const void *state) {
  const struct coarsener *coarsener = state;
  return coarsener->unit == 0;
}

static enum verdict coarsening_step(void *state, const struct turn *turn,
                                    struct budget *budget) {
  struct coarsener *coarsener = state;
  assert(!coarsening_is_done(coarsener));
  if (!budget_tick(budget)) return VERDICT_STOPPED;
  if (!coarsener->portfolio && !make_weaker(coarsener)) return VERDICT_MEMORY;
  if (coarsening_is_done(coarsener)) return VERDICT_OPEN;
  neap_size target = target_of(coarsener);
  enum verdict verdict = portfolio_step(coarsener->portfolio, target, budget);
  if (verdict == VERDICT_STOPPED || verdict == VERDICT_MEMORY) return verdict;
  learn(coarsener, target, verdict);
  return turn->capacity < coarsener->findings.proven ? VERDICT_REFUTED : VERDICT_OPEN;
}

/* In small parts, weaker parts are refuted soon or never. */
const struct method method_coarsening = {
    .name = "coarsening",
    .summary = "refute peaks by the columns around the highest one, with sizes rounded down",
    .share = {.from = 2048, .ratio = {[SHARE_EARLY] = 0.5, [SHARE_USUAL] = 0.05}},
    .proves_bounds = true,
    .is_droppable = true,
    .create = coarsening_create,
    .free = coarsening_free,
    .step = coarsening_step,
    .is_done = coarsening_is_done,
};
