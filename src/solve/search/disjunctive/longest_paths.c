/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Statements are the arcs of a network, from lower to higher rectangles.  The longest path to a
 * rectangle is its lowest possible offset, and the longest path from it, including its own size, is
 * the room that it needs above that offset.  The sum of both must not exceed the capacity:
 *
 *     ┌───────┐ ─┬─ capacity         room above y: size of y + size of x
 *     │   x   │  │                   room below y: size of z
 *     ├───────┤  │
 *     │   y   │  │ above y
 *     ├───────┤ ─┼─ lowest offset of y
 *     │   z   │  │ below y
 *     └───────┘ ─┴─ 0
 *
 * With ties (search/disjunctive/network), weights may be 0 or negative, and only a cycle with a
 * positive sum contradicts itself.
 *
 * In addition, all rectangles of one column that are stated to lie below the same one need the
 * sum of their sizes there, less the bytes that they can share, however they are stacked.
 *
 * A new arc raises the room of the nodes connected to it.  If it closes a cycle, or a node exceeds
 * the capacity, the arcs on the paths are the explanation.  Cost of a statement: linear in the
 * columns of its two rectangles and in the arcs of each node whose room rises.
 */
#include "search/disjunctive/longest_paths.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/knobs.h"
#include "core/memory.h"
#include "search/boards/place_constrained.h"

void heights_clear(struct heights *heights) {
  free(heights->arrays);
  free(heights->sums);
  free(heights->statements);
  free(heights->pairs);
  free(heights->collisions);
  free(heights->changes);
  *heights = (struct heights){0};
}

/* ---------------------------------------------------------------- nodes by themselves */

/*
 * The lowest offset of a node by itself, at or above another one; above the capacity if there is
 * none.
 */
static neap_offset settle(const struct heights *heights, uint32_t node, neap_offset from) {
  const struct part *part = heights->part;
  const uint32_t rectangle = heights->first[node];
  if (heights->is_regular[node]) {
    const neap_offset residue = heights->residue[node];
    return from <= residue ? residue
                           : round_up(from - residue, heights->alignment[node]) + residue;
  }
  if (!part->ties) /* it is fixed */
    return from <= heights->limit[node] ? heights->limit[node] : heights->capacity + 1;
  const struct settle_view view = {.ties = part->ties, .limit = heights->capacity};
  const neap_offset delta = part->ties->delta[rectangle];
  neap_offset low = settle_lowest(&view, rectangle, (from > 0 ? from : 0) + delta);
  return low == NEAP_UNPLACED ? heights->capacity + 1 : low - delta;
}

/* Room above a node that its highest possible offset leaves. */
static neap_size settle_above(const struct heights *heights, uint32_t node, neap_size room) {
  neap_offset high = heights->capacity - room - heights->residue[node];
  if (high < 0) return room;
  return heights->capacity - round_down(high, heights->alignment[node]) -
         heights->residue[node];
}

void heights_reset(struct heights *heights, neap_size capacity) {
  static const struct heights_reason none = {HEIGHTS_NONE, HEIGHTS_NONE, HEIGHTS_NONE};
  heights_undo(heights, 0);
  heights->capacity = capacity;
  for (uint32_t n = 0; n < heights->count; n++) {
    neap_size above = heights->own[n];
    if (capacity - heights->limit[n] > above) above = capacity - heights->limit[n];
    heights->sides[HEIGHTS_BELOW].room[n] = settle(heights, n, 0);
    heights->sides[HEIGHTS_ABOVE].room[n] = settle_above(heights, n, above);
    heights->sides[HEIGHTS_BELOW].reason[n] = heights->sides[HEIGHTS_ABOVE].reason[n] = none;
  }
}

neap_offset heights_offset_in(const struct heights *heights, uint32_t node,
                              const neap_offset *offsets) {
  const uint32_t rectangle = heights->first[node];
  return (offsets[rectangle] - heights_delta(heights->part, rectangle)) * heights->part->steps;
}

neap_size heights_place(const struct heights *heights, neap_offset *offsets) {
  const struct part *part = heights->part;
  const neap_size *room = heights->sides[HEIGHTS_BELOW].room;
  neap_size peak = 0;
  for (uint32_t n = 0; n < heights->count; n++)
    if (room[n] + heights->own[n] > peak) peak = room[n] + heights->own[n];
  for (uint32_t i = 0; i < part->count; i++) {
    assert(room[heights->node[i]] % part->steps == 0);
    offsets[i] = room[heights->node[i]] / part->steps + heights_delta(part, i);
  }
  return peak;
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

/* Lists everything stated, where no path explains a contradiction. */
static void explain_by_all(struct heights *heights) {
  for (uint32_t s = 0; s < 2 * heights->pair_count; s++)
    if (heights->is_stated[s]) add_why(heights, s);
}

/* The statement that one rectangle lies on a side of another, or HEIGHTS_NONE. */
static uint32_t statement_on(const struct heights *heights, int side, uint32_t beyond,
                             uint32_t rectangle) {
  const uint32_t pair = heights->pair_of[(size_t)beyond * heights->part->count + rectangle];
  if (pair == HEIGHTS_NONE) return HEIGHTS_NONE;
  const bool is_second = heights->pairs[pair].first != heights->node[beyond];
  return 2 * pair + (side == HEIGHTS_BELOW ? is_second : !is_second);
}

/*
 * The least bytes that a rectangle takes beyond another by a statement: its size, less the bytes
 * both can share.  Above, it counts without padding, which the topmost rectangle does not need.
 */
static neap_size taken_by(const struct heights *heights, uint32_t statement, int side,
                          uint32_t rectangle, uint32_t beyond) {
  const struct part *part = heights->part;
  const neap_offset weight = heights->pairs[statement / 2].weight[statement % 2];
  const neap_offset shift = heights_delta(part, rectangle) - heights_delta(part, beyond);
  if (side == HEIGHTS_BELOW) return smaller_of(weight + shift, heights_size(heights, beyond));
  return part_end(part, beyond, 0) -
         larger_of(heights_size(heights, rectangle) - (weight - shift), 0);
}

/*
 * Whether something that takes `size` can be missing in an explanation that has *slack bytes to
 * spare, which it then takes, padding included.
 */
static bool can_spare(const struct heights *heights, neap_size size, neap_size *slack) {
  if (size <= 0) return true;
  if (heights->grain == 0 || size > *slack) return false;
  neap_size taken = round_up(size, heights->grain);
  if (taken > *slack) return false;
  *slack -= taken;
  return true;
}

/*
 * Explains a sum: lists the statements that put rectangles of a column beyond `rectangle`.
 * Skips rectangles as long as *slack covers their sizes.
 */
static void explain_sum(struct heights *heights, int side, uint32_t rectangle, uint32_t column,
                        neap_size *slack) {
  for (uint32_t k = heights->members_begin[column]; k < heights->members_begin[column + 1];
       k++) {
    uint32_t beyond = heights->members[k];
    uint32_t statement = statement_on(heights, side, beyond, rectangle);
    if (statement == HEIGHTS_NONE || !heights->is_stated[statement]) continue;
    const neap_size size = taken_by(heights, statement, side, rectangle, beyond);
    if (!can_spare(heights, size, slack)) add_why(heights, statement);
  }
}

/*
 * Explains the room on one side of a node, up to *slack bytes less.  The start of a path
 * whose room is within *slack need not be explained; its room is then subtracted from *slack.
 */
static void explain_room(struct heights *heights, int side, uint32_t node, neap_size *slack) {
  const struct heights_side *own = &heights->sides[side];
  uint32_t steps = 0;
  for (;;) {
    neap_size room = own->room[node] - (side == HEIGHTS_ABOVE ? heights->own[node] : 0);
    struct heights_reason reason = own->reason[node];
    if (can_spare(heights, room, slack)) return;
    if (reason.statement == HEIGHTS_NONE) {
      if (reason.column != HEIGHTS_NONE)
        explain_sum(heights, side, reason.rectangle, reason.column, slack);
      return;
    }
    /* A cycle is also an explanation, unless padding raises the nodes in it. */
    if (steps++ == heights->count) {
      if (heights->part->ties) explain_by_all(heights);
      return;
    }
    add_why(heights, reason.statement);
    node = side == HEIGHTS_BELOW ? heights_lower(heights, reason.statement)
                                 : heights_upper(heights, reason.statement);
  }
}

/* Explains why the room below `lower` and above `upper` exceeds the capacity. */
static void explain_need(struct heights *heights, uint32_t lower, uint32_t upper,
                         neap_size need) {
  neap_size slack = need - heights->capacity - 1;
  heights->why_count = 0;
  explain_room(heights, HEIGHTS_BELOW, lower, &slack);
  explain_room(heights, HEIGHTS_ABOVE, upper, &slack);
  end_why(heights);
}

/* The height that two nodes need with a statement. */
static neap_size need_of(const struct heights *heights, uint32_t statement) {
  const uint32_t lower = heights_lower(heights, statement),
                 upper = heights_upper(heights, statement);
  const neap_size *below = heights->sides[HEIGHTS_BELOW].room;
  neap_offset offset = settle(heights, upper, heights_after(heights, statement, below[lower]));
  return offset + heights->sides[HEIGHTS_ABOVE].room[upper];
}

bool heights_excludes(const struct heights *heights, uint32_t statement) {
  return need_of(heights, statement) > heights->capacity;
}

void heights_explain(struct heights *heights, uint32_t statement) {
  explain_need(heights, heights_lower(heights, statement), heights_upper(heights, statement),
               need_of(heights, statement));
}

/* The height that a node needs. */
static neap_size need_at(const struct heights *heights, uint32_t node) {
  return heights->sides[HEIGHTS_BELOW].room[node] + heights->sides[HEIGHTS_ABOVE].room[node];
}

bool heights_exceed(const struct heights *heights) {
  for (uint32_t n = 0; n < heights->count; n++)
    if (need_at(heights, n) > heights->capacity) return true;
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

/* The room that a statement needs beside the node at its other end. */
static neap_size room_beside(const struct heights *heights, int side, uint32_t statement) {
  const neap_size *room = heights->sides[side].room;
  const uint32_t lower = heights_lower(heights, statement),
                 upper = heights_upper(heights, statement);
  if (side == HEIGHTS_ABOVE)
    return settle_above(heights, lower,
                        heights->pairs[statement / 2].weight[statement % 2] + room[upper]);
  return settle(heights, upper, heights_after(heights, statement, room[lower]));
}

/*
 * Whether the cycle that `statement` closes at `source` contradicts itself: follows the reasons
 * back to `source`, and explains it.  Padding alone can also raise the nodes in a cycle, until
 * the cycle fits.
 */
static bool refuse_cycle(struct heights *heights, uint32_t statement, uint32_t source) {
  neap_offset sum = 0;
  uint32_t steps = 0;
  heights->why_count = 0;
  for (; steps <= heights->count; steps++) {
    add_why(heights, statement);
    sum += heights->pairs[statement / 2].weight[statement % 2];
    uint32_t at = heights_lower(heights, statement);
    if (at == source) break;
    statement = heights->sides[HEIGHTS_BELOW].reason[at].statement;
    if (statement == HEIGHTS_NONE) break;
  }
  end_why(heights);
  return steps <= heights->count && statement != HEIGHTS_NONE && sum > 0;
}

static bool refuse_room(struct heights *heights, uint32_t node) {
  explain_need(heights, node, node, need_at(heights, node));
  return false;
}

/* Raises the room of the nodes that have `at` right beyond them. */
static bool raise_beside(struct heights *heights, int side, uint32_t at, uint32_t source,
                         uint32_t *waiting) {
  const struct heights_side *from = &heights->sides[1 - side];
  for (uint32_t k = 0; k < from->next_count[at]; k++) {
    uint32_t statement = from->next[heights->arcs_begin[at] + k];
    uint32_t other = side == HEIGHTS_BELOW ? heights_upper(heights, statement)
                                           : heights_lower(heights, statement);
    neap_size room = room_beside(heights, side, statement);
    if (room <= heights->sides[side].room[other]) continue;
    if (other == source && refuse_cycle(heights, statement, source)) return false;
    set_room(heights, side, other, room,
             (struct heights_reason){statement, HEIGHTS_NONE, HEIGHTS_NONE});
    if (heights->is_waiting[other]) continue;
    heights->is_waiting[other] = true;
    heights->waiting[(*waiting)++] = other;
  }
  return true;
}

/*
 * Raises the room on one side of a node, and then of the nodes that depend on it.  `source` is the
 * other end of a new arc, to which a cycle would lead back, or HEIGHTS_NONE.
 */
static bool raise(struct heights *heights, int side, uint32_t node, neap_size room,
                  struct heights_reason reason, uint32_t source) {
  uint32_t waiting = 0;
  bool is_possible = true;
  if (room <= heights->sides[side].room[node]) return true;
  set_room(heights, side, node, room, reason);
  heights->waiting[waiting++] = node;
  while (waiting > 0) {
    uint32_t at = heights->waiting[--waiting];
    heights->is_waiting[at] = false;
    if (!is_possible || heights->failed) continue;
    is_possible = need_at(heights, at) > heights->capacity
                      ? refuse_room(heights, at)
                      : raise_beside(heights, side, at, source, &waiting);
  }
  return is_possible && !heights->failed;
}

/* ---------------------------------------------------------------- statements */

/* Adds to the sums of a rectangle, in the columns that two beyond it share. */
static void add_common(struct heights *heights, neap_size *sums, uint32_t beyond,
                       uint32_t other, neap_size bytes) {
  struct common common = part_common(heights->part, beyond, other);
  struct span span;
  while (common_next(&common, &span))
    for (uint32_t c = span.first; c < span.end; c++)
      sums[c] += bytes;
}

/*
 * Adds a rectangle to the sums of the rectangle that it lies beyond, or removes it with sign
 * -1, without the bytes that others there can share with it.
 */
static void add_beyond(struct heights *heights, uint32_t statement, int side,
                       uint32_t rectangle, uint32_t beyond, int sign) {
  const struct ties *ties = heights->part->ties;
  neap_size *sums = heights->sides[side].sums + rectangle * heights->part->column_count;
  const neap_size size = taken_by(heights, statement, side, rectangle, beyond);
  for (uint32_t k = heights->columns_begin[beyond]; k < heights->columns_begin[beyond + 1]; k++)
    sums[heights->columns[k]] += sign * size;
  if (!ties) return;
  for (size_t k = ties->partners_begin[beyond]; k < ties->partners_begin[beyond + 1]; k++) {
    const uint32_t other = ties->partners[k].other;
    if (ties->partners[k].saving == 0 || other == rectangle) continue;
    const uint32_t theirs = statement_on(heights, side, other, rectangle);
    if (theirs != HEIGHTS_NONE && heights->is_stated[theirs])
      add_common(heights, sums, beyond, other, -sign * ties->partners[k].saving);
  }
}

/*
 * Raises the room of a node to the largest sum beyond one of its rectangles, after `beyond` was
 * added.  Only columns of `beyond` have changed.
 */
static bool raise_to_sum(struct heights *heights, int side, uint32_t rectangle,
                         uint32_t beyond) {
  const neap_size *sums = heights->sides[side].sums + rectangle * heights->part->column_count;
  const uint32_t node = heights->node[rectangle];
  const neap_offset low = heights_delta(heights->part, rectangle);
  const neap_offset top = low + heights_size(heights, rectangle);
  uint32_t fullest = heights->columns[heights->columns_begin[beyond]];
  for (uint32_t k = heights->columns_begin[beyond]; k < heights->columns_begin[beyond + 1]; k++)
    if (sums[heights->columns[k]] > sums[fullest]) fullest = heights->columns[k];
  neap_size room = side == HEIGHTS_ABOVE ? settle_above(heights, node, top + sums[fullest])
                                         : settle(heights, node, sums[fullest] - low);
  return raise(heights, side, node, room,
               (struct heights_reason){HEIGHTS_NONE, fullest, rectangle}, HEIGHTS_NONE);
}

/* Adds the rectangles that collide to the sums of each other, or removes them with sign -1. */
static void add_collisions(struct heights *heights, uint32_t statement, int sign) {
  const uint32_t pair = statement / 2;
  if (!heights->sums) return;
  for (size_t k = heights_collisions_begin(heights, pair);
       k < heights->pairs[pair].collisions_end; k++) {
    const struct heights_collision at = heights_collision_at(heights, statement, k);
    add_beyond(heights, statement, HEIGHTS_BELOW, at.second, at.first, sign);
    add_beyond(heights, statement, HEIGHTS_ABOVE, at.first, at.second, sign);
  }
}

static bool raise_to_sums(struct heights *heights, uint32_t statement) {
  const uint32_t pair = statement / 2;
  if (!heights->sums) return true;
  for (size_t k = heights_collisions_begin(heights, pair);
       k < heights->pairs[pair].collisions_end; k++) {
    const struct heights_collision at = heights_collision_at(heights, statement, k);
    if (!raise_to_sum(heights, HEIGHTS_BELOW, at.second, at.first) ||
        !raise_to_sum(heights, HEIGHTS_ABOVE, at.first, at.second))
      return false;
  }
  return true;
}

/* Lists a statement of a node and of one on a side of it. */
static void link(struct heights *heights, int side, uint32_t statement, uint32_t node) {
  struct heights_side *own = &heights->sides[side];
  own->next[heights->arcs_begin[node] + own->next_count[node]++] = statement;
}

static void forget_changed(struct heights_side *side) {
  for (uint32_t i = 0; i < side->changed_count; i++)
    side->is_changed[side->changed[i]] = false;
  side->changed_count = 0;
}

bool heights_state(struct heights *heights, uint32_t statement) {
  const uint32_t lower = heights_lower(heights, statement);
  const uint32_t upper = heights_upper(heights, statement);
  const struct heights_reason reason = {statement, HEIGHTS_NONE, HEIGHTS_NONE};
  assert(!heights->is_stated[statement] && !heights->is_stated[statement ^ 1]);
  forget_changed(&heights->sides[HEIGHTS_BELOW]);
  forget_changed(&heights->sides[HEIGHTS_ABOVE]);
  note_change(heights, (struct heights_change){.is_statement = true, .at = statement});
  if (heights->failed) return false;
  heights->is_stated[statement] = true;
  link(heights, HEIGHTS_BELOW, statement, upper);
  link(heights, HEIGHTS_ABOVE, statement, lower);
  add_collisions(heights, statement, 1);
  return raise(heights, HEIGHTS_BELOW, upper, room_beside(heights, HEIGHTS_BELOW, statement),
               reason, lower) &&
         raise(heights, HEIGHTS_ABOVE, lower, room_beside(heights, HEIGHTS_ABOVE, statement),
               reason, HEIGHTS_NONE) &&
         raise_to_sums(heights, statement);
}

static void undo_change(struct heights *heights, const struct heights_change *change) {
  struct heights_side *side = &heights->sides[change->side];
  const uint32_t at = change->at;
  if (change->is_statement) {
    heights->is_stated[at] = false;
    heights->sides[HEIGHTS_BELOW].next_count[heights_upper(heights, at)]--;
    heights->sides[HEIGHTS_ABOVE].next_count[heights_lower(heights, at)]--;
    add_collisions(heights, at, -1);
    return;
  }
  side->room[at] = change->value;
  side->reason[at] = change->reason;
}

void heights_undo(struct heights *heights, size_t change_count) {
  while (heights->change_count > change_count)
    undo_change(heights, &heights->changes[--heights->change_count]);
}
