/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Computes the terms in which doc/certificate.md states proofs: conflict, strict, gap, place, stack
 * and cliques.  The checker computes them independently, so both must agree to the byte; the
 * definitions and their proofs are in that document.
 *
 *   - items_place leaps upwards: to the next multiple of the alignment, out of a bank boundary, out
 *     of a reserved hole, until no limit moves the offset.  After ITEMS_LEAPS_MOST leaps it
 *     gives up.
 *   - items_stack bounds the height of strict buffers.  On a grid of spacing g, each buffer raises
 *     the grid line reached by at least a weight W, and only the topmost can lose bytes below its
 *     end:
 *
 *         up(low) ──┬──────┬─────────┬─────┐
 *                   │  W1  │   W2    │ W3  │ largest loss      height >= up(low) + sum W - loss
 *                   └──────┴─────────┴─────┘
 *
 *     The result is the maximum over the prefixes of the buffers, highest low first, and over the
 *     spacings 1, the common divisor of the alignments, and a / s for large alignments a.
 *
 * Cost: a place takes its leaps times the reserved holes; a stack O(n log n) plus n per spacing, of
 * which there are at most 66.
 *
 * Units: bytes.  Invariant: all finite numbers are at most LARGEST (items_suit), so sums and the
 * scaled numbers of a grid do not overflow, and ITEMS_NOWHERE is above every real offset.
 */
#include "certify/conflicts.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/checked.h"
#include "core/knobs.h"

#define LARGEST (INT64_C(1) << 52) /* 64 times this is below ITEMS_NOWHERE */

/* ---------------------------------------------------------------- pairs */

neap_size items_gap(const struct items *items, uint32_t below, uint32_t above) {
  assert(below != above);
  const struct pair_rule *rule = pair_rules_find(&items->rules, below, above);
  if (!rule) return items->problem->buffers[below].size;
  return below < above ? rule->first_below : rule->second_below;
}

static bool meet_in_time(const struct neap_problem *problem, uint32_t i, uint32_t j) {
  for (size_t r = problem_ranges_begin(problem, i); r < problem->buffers[i].ranges_end; r++)
    if (problem_lives_during(problem, j, problem->ranges[r])) return true;
  return false;
}

bool items_conflict(const struct items *items, uint32_t i, uint32_t j) {
  const struct neap_problem *problem = items->problem;
  if (problem->buffers[i].size == 0 || problem->buffers[j].size == 0) return false;
  size_t body = bodies_of(&items->bodies, i);
  if (body != BODIES_NONE && body == bodies_of(&items->bodies, j)) return false;
  /* Separations come first: buffers that a core separates may also be excluded. */
  const struct pair_rule *rule = pair_rules_find(&items->rules, i, j);
  if (pair_rules_separate(&items->rules, rule, i, j)) return true;
  return !(rule && rule->is_excluded) && meet_in_time(problem, i, j);
}

bool items_strict(const struct items *items, uint32_t i, uint32_t j) {
  const struct pair_rule *rule = pair_rules_find(&items->rules, i, j);
  return !(rule && rule->has_gap) && items_conflict(items, i, j);
}

/* ---------------------------------------------------------------- offsets */

static neap_offset leap_holes(const struct neap_problem *problem, uint32_t buffer,
                              neap_offset at) {
  const struct relations *relations = problem->relations;
  neap_size size = problem->buffers[buffer].size;
  for (size_t i = 0; i < relations->reserved_count && size > 0 && at < ITEMS_NOWHERE; i++) {
    const neap_reserved *hole = &relations->reserved[i];
    if (at >= hole->high || hole->low >= at + size ||
        !problem_lives_during(problem, buffer, hole->when))
      continue;
    at = hole->high < ITEMS_NOWHERE ? hole->high : ITEMS_NOWHERE;
  }
  return at;
}

static neap_offset leap_bank(neap_size bank, neap_size size, neap_offset at) {
  if (bank == 0 || size == 0 || at >= ITEMS_NOWHERE) return at;
  if (size > bank) return ITEMS_NOWHERE;
  return at / bank == (at + size - 1) / bank ? at : round_up(at, bank);
}

neap_offset items_place(const struct items *items, uint32_t buffer, neap_offset at,
                        bool *is_scattered) {
  const struct neap_problem *problem = items->problem;
  const struct buffer *own = &problem->buffers[buffer];
  const struct limits *limits = problem_limits(problem, buffer);
  if (at < limits->window_low) at = limits->window_low;
  if (own->fixed_offset != NEAP_UNPLACED)
    return at <= own->fixed_offset ? own->fixed_offset : ITEMS_NOWHERE;
  for (int leaps = 0; leaps < ITEMS_LEAPS_MOST; leaps++) {
    if (at >= ITEMS_NOWHERE || at + own->size > limits->window_high) return ITEMS_NOWHERE;
    neap_offset before = at;
    at = leap_bank(limits->bank, own->size, round_up(at, own->alignment));
    assert(at >= before);
    if (problem->relations) at = leap_holes(problem, buffer, at);
    if (at == before) return at;
  }
  *is_scattered = true;
  return ITEMS_NOWHERE;
}

/* ---------------------------------------------------------------- stacks */

#define ALIGNMENTS_MOST 8

struct grids {
  neap_size alignments[ALIGNMENTS_MOST]; /* distinct, descending */
  size_t count;
  neap_size common;
};

static void note_alignment(struct grids *grids, neap_size alignment) {
  size_t at = 0;
  while (at < grids->count && grids->alignments[at] > alignment)
    at++;
  if (at == ALIGNMENTS_MOST || (at < grids->count && grids->alignments[at] == alignment))
    return;
  if (grids->count < ALIGNMENTS_MOST) grids->count++;
  memmove(grids->alignments + at + 1, grids->alignments + at,
          (grids->count - 1 - at) * sizeof *grids->alignments);
  grids->alignments[at] = alignment;
  assert(at == 0 || grids->alignments[at - 1] > alignment);
}

/* The largest height of a prefix of the sorted stack, on a grid of spacing modulus / scale. */
static neap_size stack_on_grid(const struct items *items, const struct item_low *stack,
                               size_t count, neap_size modulus, neap_size scale) {
  neap_size most = 0, sum = 0, worst = 0;
  assert(modulus > 0 && scale > 0);
  for (size_t i = 0; i < count; i++) {
    const struct buffer *own = &items->problem->buffers[stack[i].buffer];
    neap_size size = own->size * scale, weight, loss;
    if (own->fixed_offset != NEAP_UNPLACED) {
      neap_offset start = own->fixed_offset * scale, end = round_up(start + size, modulus);
      weight = end - round_up(start, modulus);
      loss = end - (start + size);
    } else {
      neap_size step = common_divisor(modulus, scale * own->alignment);
      neap_size padded = round_up(size, step);
      weight = padded - padded % modulus;
      loss = weight - size + modulus - step;
    }
    sum += weight;
    if (loss > worst) worst = loss;
    assert(weight >= 0 && loss >= 0);
    neap_size top = round_up(stack[i].low * scale, modulus) + sum - worst;
    top = top / scale + (top % scale > 0);
    if (top > most) most = top;
  }
  return most;
}

static int highest_first(const void *left, const void *right) {
  const struct item_low *a = left, *b = right;
  if (a->low != b->low) return a->low > b->low ? -1 : 1;
  return (a->buffer > b->buffer) - (a->buffer < b->buffer);
}

static neap_size stack_aligned(const struct items *items, const struct item_low *stack,
                               size_t count, const struct grids *grids) {
  static const neap_size scales[] = {1, 2, 3, 4, 8, 16, 32, 64};
  neap_size most = stack_on_grid(items, stack, count, grids->common, 1);
  for (size_t s = 0; s < sizeof scales / sizeof *scales; s++)
    for (size_t a = 0; a < grids->count; a++) {
      if (grids->alignments[a] / scales[s] <= grids->common) continue;
      neap_size divisor = common_divisor(grids->alignments[a], scales[s]);
      neap_size top = stack_on_grid(items, stack, count, grids->alignments[a] / divisor,
                                    scales[s] / divisor);
      if (top > most) most = top;
    }
  return most;
}

neap_size items_stack(const struct items *items, struct item_low *stack, size_t count) {
  struct grids grids = {.common = 0};
  if (count == 0) return 0;
  qsort(stack, count, sizeof *stack, highest_first);
  if (stack[0].low >= ITEMS_NOWHERE) return ITEMS_NOWHERE;
  for (size_t i = 0; i < count; i++) {
    neap_size alignment = items->problem->buffers[stack[i].buffer].alignment;
    note_alignment(&grids, alignment);
    grids.common = common_divisor(alignment, grids.common);
  }
  neap_size plain = stack_on_grid(items, stack, count, 1, 1);
  if (grids.alignments[0] == 1) return plain;
  neap_size aligned = stack_aligned(items, stack, count, &grids);
  return aligned > plain ? aligned : plain;
}

/* ---------------------------------------------------------------- the whole */

bool items_suit(const struct neap_problem *problem) {
  if (problem->extent > LARGEST || problem->fixed_top > LARGEST) return false;
  for (size_t i = 0; i < problem->count; i++) {
    const struct limits *limits = problem_limits(problem, i);
    if (limits->window_low > LARGEST || limits->bank > LARGEST) return false;
  }
  for (size_t i = 0; problem->relations && i < problem->relations->reserved_count; i++) {
    neap_offset high = problem->relations->reserved[i].high;
    if (high > LARGEST && high < NEAP_MAX) return false;
  }
  return true;
}

neap_status items_init(struct items *items, const struct neap_problem *problem,
                       neap_error *error) {
  *items = (struct items){.problem = problem};
  if (!problem->relations) return NEAP_OK;
  neap_status status = bodies_init(&items->bodies, problem, error);
  return status == NEAP_OK ? pair_rules_init(&items->rules, problem, error) : status;
}

void items_clear(struct items *items) {
  bodies_clear(&items->bodies);
  pair_rules_clear(&items->rules);
}
