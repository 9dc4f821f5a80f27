/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lists weaker problems around the highest column and proves a bound with one of them
 * (certify/layout).  A choice is a unit and a window of columns: windows double until they cover
 * all columns, and units go from coarse, with little loss in the highest column, to finer ones.
 *
 *     sizes in the highest column   12 8 4 8      unit 4, then finer; windows of reach 1, 2, 4, ...
 *     in units of 4                  3 2 1 2      fewer heights, so fewer states
 *
 * If only sizes and alignments that divide the unit limit the offsets, the unit also replaces the
 * alignments; doc/certificate.md proves that this is sound.
 *
 * Cost: at most WEAKER_CHOICES_MOST searches of a limited number of states; making a choice is
 * linear in the buffers' columns.  Sizes are in bytes.  Invariants: no buffer of a choice
 * rounds down to 0; a choice that has a layout is not searched again.
 */
#include "certify/reasons.h"

#include <assert.h>
#include <stdlib.h>

#include "certify/conflicts.h"
#include "certify/layout.h"
#include "core/checked.h"
#include "core/error.h"
#include "core/knobs.h"
#include "core/memory.h"
#include "facts/columns.h"
#include "facts/subset.h"

#define UNITS_MOST 8

/* ---------------------------------------------------------------- units */

static bool has_column(const struct weaker *weaker, size_t buffer, struct span window) {
  const struct sections *sections = &weaker->sections;
  for (size_t s = sections_spans_begin(sections, buffer); s < sections->spans_end[buffer]; s++)
    if (spans_meet(sections->spans[s], window)) return true;
  return false;
}

static bool find_highest(const struct weaker *weaker, uint32_t *highest, neap_size *most) {
  const struct sections *sections = &weaker->sections;
  neap_size *change = memory_array(sections->count + 1, sizeof *change), load = 0;
  if (!change) return false;
  for (size_t i = 0; i < weaker->problem->count; i++)
    for (size_t s = sections_spans_begin(sections, i); s < sections->spans_end[i]; s++) {
      change[sections->spans[s].first] += weaker->problem->buffers[i].size;
      change[sections->spans[s].end] -= weaker->problem->buffers[i].size;
    }
  *highest = 0;
  *most = 0;
  for (uint32_t c = 0; c < sections->count; c++) {
    load += change[c];
    if (load <= *most) continue;
    *most = load;
    *highest = c;
  }
  free(change);
  return true;
}

/* The bytes that the buffers in a window lose if sizes are rounded down. */
static neap_size loss_of(const struct weaker *weaker, struct span window, neap_size unit) {
  neap_size loss = 0;
  for (size_t i = 0; i < weaker->problem->count; i++)
    if (has_column(weaker, i, window)) loss += weaker->problem->buffers[i].size % unit;
  return loss;
}

static neap_size divisor_of(const struct weaker *weaker, struct span window) {
  neap_size divisor = 0;
  for (size_t i = 0; i < weaker->problem->count; i++)
    if (weaker->problem->buffers[i].size > 0 && has_column(weaker, i, window))
      divisor = common_divisor(weaker->problem->buffers[i].size, divisor);
  return divisor;
}

static neap_size smallest_divisor(neap_size number) {
  for (neap_size divisor = 2; divisor < WEAKER_PRIMES_BELOW; divisor++)
    if (number % divisor == 0) return divisor;
  return number;
}

/*
 * Lists the units to try, the coarsest first: units that suit the highest column, then their
 * divisors.
 */
static size_t list_units(const struct weaker *weaker, uint32_t highest, neap_size most,
                         neap_size *units) {
  const struct span column = {highest, highest + 1};
  const struct span all = {0, (uint32_t)weaker->sections.count};
  neap_size divisor = divisor_of(weaker, column), coarsest = divisor;
  assert(divisor > 0 && loss_of(weaker, column, divisor) == 0);
  size_t count = 0;
  for (neap_size unit = 2 * divisor; unit <= most / 2; unit *= 2)
    if (loss_of(weaker, column, unit) <= most / WEAKER_LITTLE) coarsest = unit;
  if (coarsest != divisor) units[count++] = coarsest;
  while (count < UNITS_MOST) {
    neap_size loss = loss_of(weaker, all, divisor);
    units[count++] = divisor;
    if (loss == 0) break;
    while (divisor > 1 && loss_of(weaker, all, divisor) == loss)
      divisor /= smallest_divisor(divisor);
  }
  return count;
}

/* ---------------------------------------------------------------- choices */

/* Lists a choice for each unit and each number of columns around the highest one. */
static void list_choices(struct weaker *weaker, uint32_t highest, neap_size most) {
  neap_size units[UNITS_MOST];
  uint32_t columns = (uint32_t)weaker->sections.count;
  size_t count = list_units(weaker, highest, most, units);
  for (size_t u = 0; u < count; u++) {
    struct span window = {highest, highest + 1};
    for (uint32_t reach = 1; window.end - window.first < columns; reach *= 2) {
      window.first = highest > reach ? highest - reach : 0;
      window.end = columns - highest > reach ? highest + reach + 1 : columns;
      if (weaker->count == WEAKER_CHOICES_MOST) return;
      weaker->choices[weaker->count++] = (struct weaker_choice){units[u], window, false};
    }
  }
}

/* Whether the problem has no relations that tie buffers together across a window. */
static bool suits(const struct neap_problem *problem) {
  return !problem_has(problem, RELATION_JOINS | RELATION_GAP);
}

neap_status weaker_init(struct weaker *weaker, const struct neap_problem *problem,
                        neap_error *error) {
  uint32_t highest;
  neap_size most;
  *weaker = (struct weaker){.problem = problem};
  if (!suits(problem)) return NEAP_OK;
  neap_status status = columns_init(&weaker->sections, problem, SECTIONS_NONEMPTY, error);
  if (status != NEAP_OK) return status;
  weaker->choices = memory_array(WEAKER_CHOICES_MOST, sizeof *weaker->choices);
  if (!weaker->choices || !find_highest(weaker, &highest, &most)) return error_memory(error);
  if (most > 0) list_choices(weaker, highest, most);
  return NEAP_OK;
}

void weaker_clear(struct weaker *weaker) {
  sections_clear(&weaker->sections);
  free(weaker->choices);
}

/* ---------------------------------------------------------------- one of them */

struct rounding {
  neap_size unit;
  bool is_free; /* nothing but sizes and alignments that divide the unit limits offsets */
};

static void round_size(neap_buffer *buffer, size_t index, const void *user) {
  const struct rounding *rounding = user;
  (void)index;
  buffer->size = round_down(buffer->size, rounding->unit);
  if (rounding->is_free && rounding->unit > 1) buffer->alignment = rounding->unit;
}

static bool is_free(const struct neap_problem *problem, size_t buffer, neap_size unit) {
  const struct limits *limits = problem_limits(problem, buffer);
  return problem->buffers[buffer].fixed_offset == NEAP_UNPLACED && limits->window_low == 0 &&
         limits->bank == 0 && unit % problem->buffers[buffer].alignment == 0;
}

static neap_status make_subset(const struct weaker *weaker, const struct weaker_choice *choice,
                               struct subset *subset, neap_error *error) {
  const struct neap_problem *problem = weaker->problem;
  struct rounding rounding = {choice->unit, true};
  size_t *kept = memory_array(problem->count, sizeof *kept), count = 0;
  if (!kept) return error_memory(error);
  for (size_t i = 0; i < problem->count; i++)
    if (problem->buffers[i].size >= choice->unit && has_column(weaker, i, choice->window)) {
      rounding.is_free &= is_free(problem, i, choice->unit);
      kept[count++] = i;
    }
  if (problem->relations && problem->relations->reserved_count > 0) rounding.is_free = false;
  const struct subset_choice which = {kept, count, 0, false};
  const struct subset_edits edits = {.buffer = round_size, .user = &rounding};
  neap_status status = subset_init_edited(subset, problem, &which, &edits, error);
  free(kept);
  return status;
}

static void print_weaker(const struct certify_task *task, const struct subset *subset,
                         neap_size unit, const struct lines *proof) {
  lines_word(task->proof, "weaker");
  lines_number(task->proof, unit);
  for (size_t i = 0; i < subset->problem->count; i++)
    lines_number(task->proof, certify_number(task, subset->originals[i]));
  lines_end(task->proof);
  lines_append(task->proof, proof);
}

/* Searches the subset for a proof of the task. */
static neap_status prove_subset(struct certify_task *task, const struct subset *subset,
                                struct weaker_choice *choice, uint64_t states,
                                neap_error *error) {
  struct certify_task inner = *task;
  struct lines proof = {0};
  struct items items = {0};
  size_t *originals = memory_array(subset->problem->count, sizeof *originals);
  if (!originals) return error_memory(error);
  for (size_t i = 0; i < subset->problem->count; i++)
    originals[i] = (size_t)certify_number(task, subset->originals[i]);
  inner.problem = subset->problem;
  inner.originals = originals;
  inner.proof = &proof;
  neap_status status = items_init(&items, subset->problem, error);
  if (status == NEAP_OK) status = layout_prove(&inner, &items, states, error);
  choice->has_layout = inner.has_layout;
  task->least = inner.least;
  if (status == NEAP_OK && task->least > 0) print_weaker(task, subset, choice->unit, &proof);
  task->proof->failed |= proof.failed;
  items_clear(&items);
  lines_clear(&proof);
  free(originals);
  return status;
}

neap_status weaker_prove(struct weaker *weaker, struct certify_task *task, uint64_t states,
                         neap_error *error) {
  neap_status status = NEAP_OK;
  for (size_t c = 0; c < weaker->count && status == NEAP_OK && task->least == 0; c++) {
    struct subset subset;
    struct weaker_choice *choice = &weaker->choices[c];
    if (choice->has_layout || !budget_tick(task->budget)) continue;
    status = make_subset(weaker, choice, &subset, error);
    if (status != NEAP_OK) return status;
    status = prove_subset(task, &subset, choice, states, error);
    subset_clear(&subset);
  }
  return status;
}
