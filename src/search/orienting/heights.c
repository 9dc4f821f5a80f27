/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Statements are the arcs of a network, from lower to higher rectangles.  The longest path to a
 * rectangle is its lowest possible offset, and the longest path from it, including its own
 * size, is the room that it needs above that offset.  The sum of both must not exceed the
 * capacity:
 *
 *     ┌───────┐ ─┬─ capacity         room above y: size of y + size of x
 *     │   x   │  │                   room below y: size of z
 *     ├───────┤  │
 *     │   y   │  │ above y
 *     ├───────┤ ─┼─ lowest offset of y
 *     │   z   │  │ below y
 *     └───────┘ ─┴─ 0
 *
 * In addition, all rectangles of one column that are stated to lie below the same rectangle
 * need the sum of their sizes there, however they are stacked.
 *
 * A new arc raises the room of the rectangles connected to it.  If it closes a cycle, or a
 * rectangle exceeds the capacity, the arcs on the paths are the explanation.  Cost of a
 * statement: linear in the columns of its two rectangles and in the arcs of each rectangle
 * whose room rises.
 */
#include "search/orienting/heights.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/knobs.h"
#include "core/memory.h"

/* ---------------------------------------------------------------- making */

bool heights_suit(const struct part *part) {
  return part->count <= HEIGHTS_COUNT_MOST && !part->ties && !part->is_relaxed &&
         !part_is_fixed(part) && part->column_count <= HEIGHTS_SUMS_MOST / part->count &&
         part->extent < NEAP_MAX / 16;
}

static bool allocate(struct heights *heights) {
  const size_t count = heights->part->count, columns = heights->part->column_count;
  const size_t pairs = count * count / 2 + 1;
  struct heights_side *below = &heights->sides[HEIGHTS_BELOW];
  struct heights_side *above = &heights->sides[HEIGHTS_ABOVE];
  const struct memory_part parts[] = {{&heights->size, count, sizeof(neap_size)},
                                      {&heights->own, count, sizeof(neap_size)},
                                      {&heights->alignment, count, sizeof(neap_size)},
                                      {&below->room, count, sizeof(neap_size)},
                                      {&above->room, count, sizeof(neap_size)},
                                      {&below->sums, count * columns, sizeof(neap_size)},
                                      {&above->sums, count * columns, sizeof(neap_size)},
                                      {&below->reason, count, sizeof *below->reason},
                                      {&above->reason, count, sizeof *above->reason},
                                      {&heights->pairs, pairs, sizeof *heights->pairs},
                                      {&heights->columns_begin, count + 1, sizeof(uint32_t)},
                                      {&heights->columns, count * columns, sizeof(uint32_t)},
                                      {&heights->members_begin, columns + 1, sizeof(uint32_t)},
                                      {&heights->members, count * columns, sizeof(uint32_t)},
                                      {&heights->pair_of, count * count, sizeof(uint32_t)},
                                      {&heights->why, 2 * pairs, sizeof(uint32_t)},
                                      {&heights->waiting, count, sizeof(uint32_t)},
                                      {&below->next, count * count, sizeof(uint32_t)},
                                      {&above->next, count * count, sizeof(uint32_t)},
                                      {&below->next_count, count, sizeof(uint32_t)},
                                      {&above->next_count, count, sizeof(uint32_t)},
                                      {&below->changed, count, sizeof(uint32_t)},
                                      {&above->changed, count, sizeof(uint32_t)},
                                      {&below->is_changed, count, sizeof(bool)},
                                      {&above->is_changed, count, sizeof(bool)},
                                      {&heights->is_waiting, count, sizeof(bool)},
                                      {&heights->is_stated, 2 * pairs, sizeof(bool)},
                                      {&heights->is_why, 2 * pairs, sizeof(bool)}};
  heights->arrays = memory_block(parts, sizeof parts / sizeof *parts);
  return heights->arrays != NULL;
}

static void list_columns(struct heights *heights) {
  const struct part *part = heights->part;
  uint32_t used = 0;
  for (uint32_t i = 0; i < part->count; i++) {
    for (size_t s = part_spans_begin(part, i); s < part->spans_end[i]; s++)
      for (uint32_t c = part->spans[s].first; c < part->spans[s].end; c++)
        heights->columns[used++] = c;
    heights->columns_begin[i + 1] = used;
  }
  used = 0;
  for (uint32_t c = 0; c < part->column_count; c++) {
    for (uint32_t i = 0; i < part->count; i++)
      if (part_is_in(part, i, c)) heights->members[used++] = i;
    heights->members_begin[c + 1] = used;
  }
}

static void list_pairs(struct heights *heights) {
  const uint32_t count = (uint32_t)heights->part->count;
  for (uint32_t i = 0; i < count; i++) {
    heights->pair_of[i * count + i] = HEIGHTS_NONE;
    for (uint32_t k = 0; k < i; k++) {
      bool is_pair = part_meet(heights->part, k, i);
      uint32_t pair = is_pair ? heights->pair_count++ : HEIGHTS_NONE;
      heights->pair_of[i * count + k] = heights->pair_of[k * count + i] = pair;
      if (is_pair) heights->pairs[pair] = (struct heights_pair){k, i};
    }
  }
}

bool heights_init(struct heights *heights, const struct part *part) {
  assert(heights_suit(part));
  const struct heights_reason none = {HEIGHTS_NONE, HEIGHTS_NONE};
  *heights = (struct heights){.part = part};
  if (!allocate(heights)) return false;
  for (uint32_t i = 0; i < part->count; i++) {
    heights->size[i] = part->size[i] * part->steps;
    heights->own[i] = part_end(part, i, 0);
    heights->alignment[i] = part->alignment[i] * part->steps;
    heights->sides[HEIGHTS_ABOVE].room[i] = heights->own[i];
    heights->sides[HEIGHTS_BELOW].reason[i] = heights->sides[HEIGHTS_ABOVE].reason[i] = none;
  }
  list_columns(heights);
  list_pairs(heights);
  return true;
}

void heights_clear(struct heights *heights) {
  free(heights->arrays);
  free(heights->changes);
  *heights = (struct heights){0};
}

/* ---------------------------------------------------------------- explaining */

static void add_why(struct heights *heights, uint32_t statement) {
  if (heights->is_why[statement]) return;
  heights->is_why[statement] = true;
  heights->why[heights->why_count++] = statement;
}

/* Ends an explanation. */
static void end_why(struct heights *heights) {
  for (uint32_t i = 0; i < heights->why_count; i++)
    heights->is_why[heights->why[i]] = false;
}

/* The statement that `beyond` lies on a side of `rectangle`. */
static uint32_t statement_on(const struct heights *heights, int side, uint32_t beyond,
                             uint32_t rectangle) {
  return side == HEIGHTS_BELOW ? heights_statement(heights, beyond, rectangle)
                               : heights_statement(heights, rectangle, beyond);
}

/*
 * Explains a sum: lists the statements that put rectangles of a column beyond `rectangle`.
 * Skips rectangles as long as *slack covers their sizes.
 */
static void explain_sum(struct heights *heights, int side, uint32_t rectangle, uint32_t column,
                        neap_size *slack) {
  const neap_size *sizes = side == HEIGHTS_ABOVE ? heights->own : heights->size;
  for (uint32_t k = heights->members_begin[column]; k < heights->members_begin[column + 1];
       k++) {
    uint32_t beyond = heights->members[k];
    uint32_t statement = statement_on(heights, side, beyond, rectangle);
    if (statement == HEIGHTS_NONE || !heights->is_stated[statement]) continue;
    if (sizes[beyond] <= *slack) *slack -= sizes[beyond];
    else add_why(heights, statement);
  }
}

/*
 * Explains the room on one side of a rectangle, up to *slack bytes less.  The start of a path
 * whose room is within *slack need not be explained; its room is then subtracted from *slack.
 */
static void explain_room(struct heights *heights, int side, uint32_t rectangle,
                         neap_size *slack) {
  const struct heights_side *own = &heights->sides[side];
  for (;;) {
    neap_size room =
        own->room[rectangle] - (side == HEIGHTS_ABOVE ? heights->own[rectangle] : 0);
    struct heights_reason reason = own->reason[rectangle];
    if (room <= *slack) {
      *slack -= room;
      return;
    }
    if (reason.statement == HEIGHTS_NONE) {
      explain_sum(heights, side, rectangle, reason.column, slack);
      return;
    }
    /* A cycle is an explanation, too.  It shows in the paths below; paths above still end. */
    if (side == HEIGHTS_BELOW && heights->is_why[reason.statement]) return;
    add_why(heights, reason.statement);
    rectangle = side == HEIGHTS_BELOW ? heights_lower(heights, reason.statement)
                                      : heights_upper(heights, reason.statement);
  }
}

/* Explains why the room below `lower` and above `upper` exceeds the capacity. */
static void explain_need(struct heights *heights, uint32_t lower, uint32_t upper,
                         neap_size need) {
  /* With alignments, a small difference can grow by padding, so no slack is used. */
  neap_size slack = heights->part->is_unaligned ? need - heights->capacity - 1 : 0;
  heights->why_count = 0;
  explain_room(heights, HEIGHTS_BELOW, lower, &slack);
  explain_room(heights, HEIGHTS_ABOVE, upper, &slack);
  end_why(heights);
}

/* The height that two rectangles need if `lower` lies below `upper`. */
static neap_size need_of(const struct heights *heights, uint32_t lower, uint32_t upper) {
  neap_offset offset = heights->sides[HEIGHTS_BELOW].room[lower] + heights->size[lower];
  return round_up(offset, heights->alignment[upper]) +
         heights->sides[HEIGHTS_ABOVE].room[upper];
}

bool heights_excludes(const struct heights *heights, uint32_t statement) {
  return need_of(heights, heights_lower(heights, statement),
                 heights_upper(heights, statement)) > heights->capacity;
}

void heights_explain(struct heights *heights, uint32_t statement) {
  uint32_t lower = heights_lower(heights, statement), upper = heights_upper(heights, statement);
  explain_need(heights, lower, upper, need_of(heights, lower, upper));
}

static bool exceeds(const struct heights *heights, uint32_t rectangle) {
  return heights->sides[HEIGHTS_BELOW].room[rectangle] +
             heights->sides[HEIGHTS_ABOVE].room[rectangle] >
         heights->capacity;
}

bool heights_exceed(const struct heights *heights) {
  for (uint32_t i = 0; i < heights->part->count; i++)
    if (exceeds(heights, i)) return true;
  return false;
}

/* ---------------------------------------------------------------- raising */

static void note_change(struct heights *heights, struct heights_change change) {
  if (!memory_reserve(&heights->changes, &heights->change_capacity, heights->change_count + 1,
                      sizeof *heights->changes))
    heights->failed = true;
  else heights->changes[heights->change_count++] = change;
}

static void set_room(struct heights *heights, int side, uint32_t at, neap_size room,
                     struct heights_reason reason) {
  struct heights_side *own = &heights->sides[side];
  note_change(heights, (struct heights_change){false, (uint32_t)side, at, own->room[at],
                                               own->reason[at]});
  own->room[at] = room;
  own->reason[at] = reason;
  if (own->is_changed[at]) return;
  own->is_changed[at] = true;
  own->changed[own->changed_count++] = at;
}

/* The room that a rectangle needs on a side because `beyond` lies there. */
static neap_size room_beside(const struct heights *heights, int side, uint32_t beyond,
                             uint32_t rectangle) {
  const neap_size *room = heights->sides[side].room;
  if (side == HEIGHTS_ABOVE) return heights->size[rectangle] + room[beyond];
  return round_up(room[beyond] + heights->size[beyond], heights->alignment[rectangle]);
}

/*
 * Explains a cycle that `statement` closes at `source`: follows the reasons back to `source`.
 */
static bool refuse_cycle(struct heights *heights, int side, uint32_t statement,
                         uint32_t source) {
  heights->why_count = 0;
  for (;;) {
    add_why(heights, statement);
    uint32_t at = side == HEIGHTS_BELOW ? heights_lower(heights, statement)
                                        : heights_upper(heights, statement);
    if (at == source) break;
    statement = heights->sides[side].reason[at].statement;
    assert(statement != HEIGHTS_NONE);
  }
  end_why(heights);
  return false;
}

static bool refuse_room(struct heights *heights, uint32_t rectangle) {
  explain_need(heights, rectangle, rectangle,
               heights->sides[HEIGHTS_BELOW].room[rectangle] +
                   heights->sides[HEIGHTS_ABOVE].room[rectangle]);
  return false;
}

/* Raises the room of the rectangles that have `at` right beyond them. */
static bool raise_beside(struct heights *heights, int side, uint32_t at, uint32_t source,
                         uint32_t *waiting) {
  const struct heights_side *from = &heights->sides[1 - side];
  for (uint32_t k = 0; k < from->next_count[at]; k++) {
    uint32_t other = from->next[at * heights->part->count + k];
    neap_size room = room_beside(heights, side, at, other);
    if (room <= heights->sides[side].room[other]) continue;
    uint32_t statement = statement_on(heights, side, at, other);
    if (other == source) return refuse_cycle(heights, side, statement, source);
    set_room(heights, side, other, room, (struct heights_reason){statement, HEIGHTS_NONE});
    if (heights->is_waiting[other]) continue;
    heights->is_waiting[other] = true;
    heights->waiting[(*waiting)++] = other;
  }
  return true;
}

/*
 * Raises the room on one side of a rectangle, and then of the rectangles that depend on it.
 * `source` is the other end of a new arc, to which a cycle would lead back, or HEIGHTS_NONE.
 */
static bool raise(struct heights *heights, int side, uint32_t rectangle, neap_size room,
                  struct heights_reason reason, uint32_t source) {
  uint32_t waiting = 0;
  bool is_possible = true;
  if (room <= heights->sides[side].room[rectangle]) return true;
  set_room(heights, side, rectangle, room, reason);
  heights->waiting[waiting++] = rectangle;
  while (waiting > 0) {
    uint32_t at = heights->waiting[--waiting];
    heights->is_waiting[at] = false;
    if (!is_possible || heights->failed) continue;
    is_possible = exceeds(heights, at) ? refuse_room(heights, at)
                                       : raise_beside(heights, side, at, source, &waiting);
  }
  return is_possible && !heights->failed;
}

/* ---------------------------------------------------------------- statements */

/*
 * Adds a rectangle beyond another to its sums, or removes it with sign -1.  Above, sizes count
 * without padding, which the topmost rectangle does not need.
 */
static void add_beyond(struct heights *heights, int side, uint32_t rectangle, uint32_t beyond,
                       int sign) {
  neap_size size = side == HEIGHTS_ABOVE ? heights->own[beyond] : heights->size[beyond];
  neap_size *sums = heights->sides[side].sums + rectangle * heights->part->column_count;
  for (uint32_t k = heights->columns_begin[beyond]; k < heights->columns_begin[beyond + 1]; k++)
    sums[heights->columns[k]] += sign * size;
}

/*
 * Raises the room of a rectangle to the largest sum beyond it, after `beyond` was added.  Only
 * columns of `beyond` have changed.
 */
static bool raise_to_sum(struct heights *heights, int side, uint32_t rectangle,
                         uint32_t beyond) {
  const neap_size *sums = heights->sides[side].sums + rectangle * heights->part->column_count;
  uint32_t fullest = heights->columns[heights->columns_begin[beyond]];
  for (uint32_t k = heights->columns_begin[beyond]; k < heights->columns_begin[beyond + 1]; k++)
    if (sums[heights->columns[k]] > sums[fullest]) fullest = heights->columns[k];
  neap_size room = side == HEIGHTS_ABOVE
                       ? heights->size[rectangle] + sums[fullest]
                       : round_up(sums[fullest], heights->alignment[rectangle]);
  return raise(heights, side, rectangle, room, (struct heights_reason){HEIGHTS_NONE, fullest},
               HEIGHTS_NONE);
}

static void link(struct heights *heights, int side, uint32_t rectangle, uint32_t beyond) {
  struct heights_side *own = &heights->sides[side];
  own->next[rectangle * heights->part->count + own->next_count[rectangle]++] = beyond;
  add_beyond(heights, side, rectangle, beyond, 1);
}

/* Undoes the last link, which must be to `beyond`. */
static void unlink_last(struct heights *heights, int side, uint32_t rectangle,
                        uint32_t beyond) {
  heights->sides[side].next_count[rectangle]--;
  add_beyond(heights, side, rectangle, beyond, -1);
}

static void forget_changed(struct heights_side *side) {
  for (uint32_t i = 0; i < side->changed_count; i++)
    side->is_changed[side->changed[i]] = false;
  side->changed_count = 0;
}

bool heights_state(struct heights *heights, uint32_t statement) {
  const uint32_t lower = heights_lower(heights, statement);
  const uint32_t upper = heights_upper(heights, statement);
  const struct heights_reason reason = {statement, HEIGHTS_NONE};
  assert(!heights->is_stated[statement] && !heights->is_stated[statement ^ 1]);
  forget_changed(&heights->sides[HEIGHTS_BELOW]);
  forget_changed(&heights->sides[HEIGHTS_ABOVE]);
  note_change(heights, (struct heights_change){.is_statement = true, .at = statement});
  if (heights->failed) return false;
  heights->is_stated[statement] = true;
  link(heights, HEIGHTS_BELOW, upper, lower);
  link(heights, HEIGHTS_ABOVE, lower, upper);
  return raise(heights, HEIGHTS_BELOW, upper, room_beside(heights, HEIGHTS_BELOW, lower, upper),
               reason, lower) &&
         raise(heights, HEIGHTS_ABOVE, lower, room_beside(heights, HEIGHTS_ABOVE, upper, lower),
               reason, HEIGHTS_NONE) &&
         raise_to_sum(heights, HEIGHTS_BELOW, upper, lower) &&
         raise_to_sum(heights, HEIGHTS_ABOVE, lower, upper);
}

static void undo_change(struct heights *heights, const struct heights_change *change) {
  struct heights_side *side = &heights->sides[change->side];
  const uint32_t at = change->at;
  if (change->is_statement) {
    heights->is_stated[at] = false;
    unlink_last(heights, HEIGHTS_BELOW, heights_upper(heights, at), heights_lower(heights, at));
    unlink_last(heights, HEIGHTS_ABOVE, heights_lower(heights, at), heights_upper(heights, at));
    return;
  }
  side->room[at] = change->value;
  side->reason[at] = change->reason;
}

void heights_undo(struct heights *heights, size_t change_count) {
  while (heights->change_count > change_count)
    undo_change(heights, &heights->changes[--heights->change_count]);
}
