/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rules (search/full_boundaries/jigsaw_rules) are applied to one boundary at a time, the surest
 * rule first.  When pieces are joined, all rules may apply again to the boundaries where they
 * began or ended:
 *
 *     ──────┬─────      ──────┬─────      ────────────
 *       3   │  2          3   │  2             5            Two pieces in one place are one,
 *       ────┤─────  ──►   ────┴─────  ──►                   and so are stacked pieces of
 *       2   │  2             2                              the same lifetime.
 *     ──────┴─────      ────────────      ────────────
 *
 * If no sums are equal by coincidence, a packing that was cut from a sheet by straight cuts and
 * pinwheels is joined back into the whole sheet.  Coincidences leave several pieces, mostly few
 * enough for the search.
 *
 * Cost: a boundary where e pieces begin or end takes about e^2 steps, and there are at most
 * JIGSAW_STEPS_MOST in all.  Sizes are in units.  Invariant: a piece is either in the lists of
 * its two boundaries or has a parent, and a parent comes after all pieces joined into it.
 */
#include "search/full_boundaries/jigsaw.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/knobs.h"
#include "core/memory.h"

/* ---------------------------------------------------------------- which parts suit */

/* The sum of sizes per column; no rectangle is fixed. */
static neap_size *loads_of(const struct part *part) {
  neap_size *loads = memory_array(part->column_count, sizeof *loads);
  if (loads) part_add_up(part, false, loads);
  return loads;
}

static bool is_full(const struct part *part, const neap_size *loads, uint32_t boundary) {
  return boundary > 0 && boundary < part->column_count &&
         loads[boundary - 1] == part->lower_bound && loads[boundary] == part->lower_bound;
}

bool jigsaw_test(const struct part *part, bool *suits) {
  *suits = false;
  if (!part->is_simple || !part->is_unaligned || part->is_relaxed || part->ties ||
      part->column_count < 3 || part->count > UINT32_MAX / 4 || part_is_fixed(part) ||
      part->padding)
    return true;
  neap_size *loads = loads_of(part);
  if (!loads) return false;
  uint32_t full = 0;
  for (uint32_t b = 1; b < part->column_count; b++)
    full += is_full(part, loads, b);
  *suits = full > part->column_count / 2;
  free(loads);
  return true;
}

/* ---------------------------------------------------------------- making */

/* Numbers boundaries by rule, then from the first to the last; 0 comes before all of them. */
static size_t open_number(const struct jigsaw *jigsaw, uint32_t at, size_t rule) {
  return rule * ((size_t)jigsaw->part->column_count + 1) + at + 1;
}

static void close_boundary(struct jigsaw *jigsaw, uint32_t at) {
  struct jigsaw_boundary *boundary = &jigsaw->boundaries[at];
  if (boundary->is_open)
    index_set_remove(&jigsaw->open, open_number(jigsaw, at, boundary->rule));
  boundary->is_open = false;
}

static void open_boundary(struct jigsaw *jigsaw, uint32_t at, uint32_t rule) {
  struct jigsaw_boundary *boundary = &jigsaw->boundaries[at];
  if (boundary->is_open && boundary->rule == rule) return;
  close_boundary(jigsaw, at);
  boundary->is_open = true;
  boundary->rule = rule;
  index_set_add(&jigsaw->open, open_number(jigsaw, at, rule));
}

/* Takes the first open boundary of the surest rule; false if there is none. */
static bool next_boundary(struct jigsaw *jigsaw, uint32_t *at, uint32_t *rule) {
  size_t number = index_set_above(&jigsaw->open, 0);
  if (number == INDEX_NONE) return false;
  *at = (uint32_t)((number - 1) % ((size_t)jigsaw->part->column_count + 1));
  *rule = jigsaw->boundaries[*at].rule;
  close_boundary(jigsaw, *at);
  return true;
}

static void add_piece(struct jigsaw *jigsaw, uint32_t start, uint32_t end, neap_size size) {
  struct jigsaw_boundary *from = &jigsaw->boundaries[start], *to = &jigsaw->boundaries[end];
  jigsaw->pieces[jigsaw->count] = (struct jigsaw_piece){.start = start,
                                                        .end = end,
                                                        .size = size,
                                                        .parent = JIGSAW_NONE,
                                                        .next_start = from->starts,
                                                        .next_end = to->ends};
  from->starts = to->ends = jigsaw->count++;
  from->start_count++;
  to->end_count++;
  jigsaw->left_count++;
  open_boundary(jigsaw, start, 0);
  open_boundary(jigsaw, end, 0);
}

static void take_out_piece(struct jigsaw *jigsaw, uint32_t id) {
  struct jigsaw_piece *pieces = jigsaw->pieces;
  struct jigsaw_boundary *from = &jigsaw->boundaries[pieces[id].start];
  struct jigsaw_boundary *to = &jigsaw->boundaries[pieces[id].end];
  uint32_t *link = &from->starts;
  while (*link != id)
    link = &pieces[*link].next_start;
  *link = pieces[id].next_start;
  for (link = &to->ends; *link != id;)
    link = &pieces[*link].next_end;
  *link = pieces[id].next_end;
  from->start_count--;
  to->end_count--;
  jigsaw->left_count--;
  open_boundary(jigsaw, pieces[id].start, 0);
  open_boundary(jigsaw, pieces[id].end, 0);
}

void jigsaw_join(struct jigsaw *jigsaw, uint32_t start, uint32_t end, neap_size size,
                 const struct jigsaw_joint *joints, size_t count) {
  assert(count >= 2);
  for (size_t i = 0; i < count; i++) {
    struct jigsaw_piece *piece = &jigsaw->pieces[joints[i].piece];
    assert(piece->parent == JIGSAW_NONE && piece->start >= start && piece->end <= end);
    assert(joints[i].delta >= 0 && joints[i].delta + piece->size <= size);
    take_out_piece(jigsaw, joints[i].piece);
    piece->parent = jigsaw->count;
    piece->delta = joints[i].delta;
  }
  add_piece(jigsaw, start, end, size);
}

static void fill_boundaries(struct jigsaw *jigsaw, const neap_size *loads) {
  const struct part *part = jigsaw->part;
  for (uint32_t b = 0; b <= part->column_count; b++)
    jigsaw->boundaries[b] =
        (struct jigsaw_boundary){.starts = JIGSAW_NONE,
                                 .ends = JIGSAW_NONE,
                                 .is_full = is_full(part, loads, b),
                                 .is_edge = b == 0 || b == part->column_count};
  for (uint32_t i = 0; i < part->count; i++)
    add_piece(jigsaw, part->spans[i].first, part->spans[i].end, part->size[i]);
}

/* Charges the ticks for one boundary; false at the end of the budget. */
static bool spend_steps(const struct jigsaw *jigsaw, uint32_t at, uint64_t *steps,
                        struct budget *budget) {
  uint64_t events = jigsaw->boundaries[at].start_count + jigsaw->boundaries[at].end_count;
  uint64_t before = *steps / JIGSAW_STEPS_PER_TICK;
  *steps += 1 + (events <= JIGSAW_EVENTS ? events * events : 0);
  uint64_t ticks = *steps / JIGSAW_STEPS_PER_TICK - before;
  if (ticks == 0) return true;
  budget_spend(budget, ticks);
  return budget_look(budget) && *steps < JIGSAW_STEPS_MOST;
}

/* Applies the rules until none of them joins anything. */
static void join_pieces(struct jigsaw *jigsaw, struct budget *budget) {
  uint64_t steps = 0;
  uint32_t at, rule;
  while (next_boundary(jigsaw, &at, &rule)) {
    if (!spend_steps(jigsaw, at, &steps, budget)) return;
    if (jigsaw_apply(jigsaw, at, rule)) continue;
    if (rule + 1 < jigsaw_rule_count()) open_boundary(jigsaw, at, rule + 1);
  }
}

bool jigsaw_init(struct jigsaw *jigsaw, const struct part *part, uint64_t variant,
                 struct budget *budget) {
  *jigsaw = (struct jigsaw){.part = part, .variant = variant};
  neap_size *loads = loads_of(part);
  /* Each joint makes one piece of at least two, so there are fewer joints than rectangles. */
  jigsaw->pieces = memory_array(2 * part->count, sizeof *jigsaw->pieces);
  jigsaw->boundaries = memory_array((size_t)part->column_count + 1, sizeof *jigsaw->boundaries);
  jigsaw->sums = memory_scratch(JIGSAW_SUMS, sizeof *jigsaw->sums);
  jigsaw->offsets = memory_array(2 * part->count, sizeof *jigsaw->offsets);
  bool ready = loads && jigsaw->pieces && jigsaw->boundaries && jigsaw->sums &&
               jigsaw->offsets &&
               index_set_init(&jigsaw->open, open_number(jigsaw, 0, jigsaw_rule_count()));
  if (ready) {
    fill_boundaries(jigsaw, loads);
    join_pieces(jigsaw, budget);
  }
  free(loads);
  if (ready) return true;
  jigsaw_clear(jigsaw);
  return false;
}

void jigsaw_clear(struct jigsaw *jigsaw) {
  free(jigsaw->pieces);
  free(jigsaw->boundaries);
  free(jigsaw->sums);
  free(jigsaw->offsets);
  index_set_clear(&jigsaw->open);
  *jigsaw = (struct jigsaw){0};
}

/* ---------------------------------------------------------------- the joined part */

/* Numbers the boundaries where pieces start or end, and the columns between them. */
static uint32_t number_columns(const struct jigsaw *jigsaw, uint32_t *column) {
  uint32_t count = 0;
  for (uint32_t b = 0; b <= jigsaw->part->column_count; b++) {
    const struct jigsaw_boundary *boundary = &jigsaw->boundaries[b];
    column[b] = count;
    if (boundary->start_count + boundary->end_count > 0) count++;
  }
  return count - 1;
}

static void add_rectangle(struct part *joined, const struct jigsaw_piece *piece, uint32_t id,
                          const uint32_t *column) {
  size_t item = joined->count++;
  joined->buffer[item] = id;
  joined->size[item] = piece->size;
  joined->alignment[item] = 1;
  joined->fixed[item] = NEAP_UNPLACED;
  joined->spans[item] = (struct span){column[piece->start], column[piece->end]};
  joined->spans_end[item] = item + 1;
}

bool jigsaw_part(const struct jigsaw *jigsaw, struct part *joined) {
  const struct part *part = jigsaw->part;
  uint32_t *column = memory_array((size_t)part->column_count + 1, sizeof *column);
  bool done = column && part_allocate(joined, jigsaw->left_count, jigsaw->left_count);
  if (done) {
    joined->column_count = number_columns(jigsaw, column);
    for (uint32_t b = 0; b <= part->column_count; b++)
      for (uint32_t id = jigsaw->boundaries[b].starts; id != JIGSAW_NONE;
           id = jigsaw->pieces[id].next_start)
        add_rectangle(joined, &jigsaw->pieces[id], id, column);
    joined->unit = joined->steps = 1;
    joined->lower_bound = part->lower_bound;
    joined->extent = part->extent;
    joined->is_simple = joined->is_unaligned = true;
  }
  free(column);
  return done;
}

void jigsaw_expand(struct jigsaw *jigsaw, const struct part *joined, const neap_offset *from,
                   neap_offset *offsets) {
  for (size_t i = 0; i < joined->count; i++)
    jigsaw->offsets[joined->buffer[i]] = from[i];
  /* A parent comes after all that have been joined into it. */
  for (uint32_t id = jigsaw->count; id-- > 0;) {
    const struct jigsaw_piece *piece = &jigsaw->pieces[id];
    if (piece->parent != JIGSAW_NONE)
      jigsaw->offsets[id] = jigsaw->offsets[piece->parent] + piece->delta;
  }
  memcpy(offsets, jigsaw->offsets, jigsaw->part->count * sizeof *offsets);
}
