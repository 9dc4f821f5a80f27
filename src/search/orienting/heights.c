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
 * With ties, a node is a body, and the distances at which two bodies collide are intervals: of each, the
 * upper node lies beyond one end or the other (Dechter, Meiri and Pearl 1991, temporal constraint
 * networks).  Weights may then be 0 or negative, and only a cycle with a positive sum contradicts itself.
 *
 *     distance of two bodies  ───(██████)────────(████)────►   two intervals, two pairs
 *
 * In addition, without ties, all rectangles of one column that are stated to lie below the same rectangle
 * need the sum of their sizes there, however they are stacked.
 *
 * A new arc raises the room of the nodes connected to it.  If it closes a cycle, or a node exceeds the
 * capacity, the arcs on the paths are the explanation.  Cost of a statement: linear in the columns of its
 * two rectangles and in the arcs of each node whose room rises.
 */
#include "search/orienting/heights.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/knobs.h"
#include "core/memory.h"
#include "search/boards/place_tied.h"

/* ---------------------------------------------------------------- bodies */

/* The rectangles of a node, in `ties` order; a node without a body has one. */
static const uint32_t *rectangles_of(const struct part *part, const uint32_t *rectangle,
                                     size_t *count) {
  const struct ties *ties = part->ties;
  *count = 1;
  if (!ties || ties->body[*rectangle] == TIES_NONE) return rectangle;
  const struct tie_body *body = &ties->bodies[ties->body[*rectangle]];
  *count = body->rectangles_end - body->rectangles_begin;
  return ties->rectangles + body->rectangles_begin;
}

static neap_offset delta_of(const struct part *part, uint32_t rectangle) {
  return part->ties ? part->ties->delta[rectangle] : 0;
}

/* Whether two rectangles of a body share a byte and a column. */
static bool collide_inside(const struct part *part, uint32_t a, uint32_t b) {
  neap_offset low = delta_of(part, a), other = delta_of(part, b);
  return low < other + part->size[b] && other < low + part->size[a] && part_meet(part, a, b);
}

static bool has_sound_bodies(const struct part *part) {
  const struct ties *ties = part->ties;
  for (size_t b = 0; b < ties->body_count; b++)
    for (size_t i = ties->bodies[b].rectangles_begin; i < ties->bodies[b].rectangles_end; i++)
      for (size_t k = ties->bodies[b].rectangles_begin; k < i; k++)
        if (collide_inside(part, ties->rectangles[i], ties->rectangles[k])) return false;
  return true;
}

bool heights_suit(const struct part *part) {
  if (part->is_relaxed || part->extent >= NEAP_MAX / 16) return false;
  if (part->ties) return part->count <= HEIGHTS_TIED_MOST && has_sound_bodies(part);
  return part->count <= HEIGHTS_COUNT_MOST && !part_is_fixed(part) &&
         part->column_count <= HEIGHTS_SUMS_MOST / part->count;
}

/* ---------------------------------------------------------------- nodes */

static bool allocate_nodes(struct heights *heights) {
  const size_t count = heights->part->count;
  struct heights_side *below = &heights->sides[HEIGHTS_BELOW];
  struct heights_side *above = &heights->sides[HEIGHTS_ABOVE];
  const struct memory_part parts[] = {{&heights->size, count, sizeof(neap_size)},
                                      {&heights->own, count, sizeof(neap_size)},
                                      {&heights->alignment, count, sizeof(neap_size)},
                                      {&heights->residue, count, sizeof(neap_offset)},
                                      {&heights->limit, count, sizeof(neap_offset)},
                                      {&below->room, count, sizeof(neap_size)},
                                      {&above->room, count, sizeof(neap_size)},
                                      {&below->reason, count, sizeof *below->reason},
                                      {&above->reason, count, sizeof *above->reason},
                                      {&heights->node, count, sizeof(uint32_t)},
                                      {&heights->first, count, sizeof(uint32_t)},
                                      {&heights->waiting, count, sizeof(uint32_t)},
                                      {&below->next_count, count, sizeof(uint32_t)},
                                      {&above->next_count, count, sizeof(uint32_t)},
                                      {&below->changed, count, sizeof(uint32_t)},
                                      {&above->changed, count, sizeof(uint32_t)},
                                      {&heights->incident_begin, count + 1, sizeof(uint32_t)},
                                      {&below->is_changed, count, sizeof(bool)},
                                      {&above->is_changed, count, sizeof(bool)},
                                      {&heights->is_waiting, count, sizeof(bool)}};
  heights->arrays = memory_block(parts, sizeof parts / sizeof *parts);
  return heights->arrays != NULL;
}

/* Takes up what the domain of a rectangle or member says of the offset of its node. */
static void limit_node(struct heights *heights, uint32_t node, const struct domain *domain,
                       neap_offset delta) {
  neap_offset limit = domain->fixed;
  if (limit == NEAP_UNPLACED && domain->window_high < NEAP_MAX)
    limit = domain->window_high - domain->size;
  if (limit != NEAP_UNPLACED && limit - delta < heights->limit[node])
    heights->limit[node] = limit - delta;
  if (domain->alignment > heights->alignment[node]) {
    heights->alignment[node] = domain->alignment;
    heights->residue[node] = round_up(delta, domain->alignment) - delta;
  }
  heights->has_slack &= domain->alignment == 1 && domain_is_plain(domain);
}

static void describe_tied(struct heights *heights, uint32_t node) {
  const struct ties *ties = heights->part->ties;
  const uint32_t rectangle = heights->first[node], body = ties->body[rectangle];
  if (body == TIES_NONE) {
    limit_node(heights, node, &ties->domains[rectangle], 0);
    return;
  }
  heights->own[node] = ties->bodies[body].size;
  for (size_t k = ties->bodies[body].members_begin; k < ties->bodies[body].members_end; k++)
    limit_node(heights, node, &ties->members[k].domain, ties->members[k].delta);
}

static void describe_node(struct heights *heights, uint32_t node) {
  const struct part *part = heights->part;
  const uint32_t rectangle = heights->first[node];
  heights->size[node] = part->size[rectangle] * part->steps;
  heights->own[node] = part_end(part, rectangle, 0);
  heights->alignment[node] = 1;
  heights->limit[node] = NEAP_MAX;
  if (part->ties) describe_tied(heights, node);
  else heights->alignment[node] = part->alignment[rectangle] * part->steps;
}

static void list_nodes(struct heights *heights) {
  const struct part *part = heights->part;
  for (uint32_t i = 0; i < part->count; i++) {
    size_t count;
    const uint32_t first = *rectangles_of(part, &i, &count);
    if (first == i) {
      heights->first[heights->count] = i;
      heights->node[i] = heights->count++;
    }
  }
  for (uint32_t i = 0; i < part->count; i++) {
    size_t count;
    heights->node[i] = heights->node[*rectangles_of(part, &i, &count)];
  }
  heights->has_slack = part->ties || part->is_unaligned;
  for (uint32_t n = 0; n < heights->count; n++)
    describe_node(heights, n);
}

/* ---------------------------------------------------------------- pairs */

/* Distances from one node to another at which they collide: between both ends, which are possible. */
struct interval {
  neap_offset low, high;
};

static int by_low(const void *left, const void *right) {
  const struct interval *a = left, *b = right;
  return a->low != b->low ? (a->low < b->low ? -1 : 1)
                          : (a->high > b->high) - (a->high < b->high);
}

/* The allowance of two rectangles; NULL if they have none. */
static const struct tie_partner *allowance_of(const struct part *part, uint32_t first,
                                              uint32_t second) {
  const struct ties *ties = part->ties;
  for (size_t k = ties ? ties->partners_begin[first] : 0;
       ties && k < ties->partners_begin[first + 1]; k++)
    if (ties->partners[k].other == second && ties->partners[k].bank == 0)
      return &ties->partners[k];
  return NULL;
}

static bool append_pair(struct heights *heights, const struct heights_pair *pair) {
  if (!memory_reserve(&heights->pairs, &heights->pair_capacity, heights->pair_count + 1,
                      sizeof *heights->pairs))
    return false;
  heights->pairs[heights->pair_count++] = *pair;
  return true;
}

/* Two rectangles of which no bank may have bytes. */
static bool append_bank(struct heights *heights, uint32_t first, uint32_t second,
                        neap_size bank) {
  const struct part *part = heights->part;
  const neap_offset low = delta_of(part, first), other = delta_of(part, second);
  struct heights_pair pair = {.first = heights->node[first],
                              .second = heights->node[second],
                              .bank = bank,
                              .end = {low + part->size[first], other + part->size[second]},
                              .start = {other, low}};
  pair.weight[0] = pair.end[0] - pair.start[0];
  pair.weight[1] = pair.end[1] - pair.start[1];
  return append_pair(heights, &pair);
}

/* The largest multiple that is at most `value`, which may be negative. */
static neap_offset floor_to(neap_offset value, neap_size step) {
  neap_offset rest = value % step;
  return value - (rest < 0 ? rest + step : rest);
}

static bool append_banks(struct heights *heights, uint32_t first, uint32_t second) {
  const struct ties *ties = heights->part->ties;
  for (size_t k = ties ? ties->partners_begin[first] : 0;
       ties && k < ties->partners_begin[first + 1]; k++) {
    const struct tie_partner *link = &ties->partners[k];
    if (link->other == second && link->bank > 0 &&
        !append_bank(heights, first, second, link->bank))
      return false;
  }
  return true;
}

/* Distances are the difference of two residues, if alignments have a common divisor. */
static void round_interval(const struct heights *heights, uint32_t first, uint32_t second,
                           struct interval *interval) {
  neap_size step = common_divisor(heights->alignment[first], heights->alignment[second]);
  neap_offset shift = heights->residue[second] - heights->residue[first];
  interval->low = floor_to(interval->low - shift, step) + shift;
  interval->high = shift - floor_to(shift - interval->high, step);
}

/* The distances at which two rectangles collide, as distances of their nodes; false if there are none. */
static bool find_interval(const struct heights *heights, uint32_t first, uint32_t second,
                          struct interval *interval) {
  const struct part *part = heights->part;
  const struct tie_partner *link = allowance_of(part, first, second);
  const neap_offset shift = delta_of(part, first) - delta_of(part, second);
  if (!link && !part_meet(part, first, second)) return false;
  interval->low = shift - (link ? link->above : part->size[second] * part->steps);
  interval->high = shift + (link ? link->below : part->size[first] * part->steps);
  if (part->ties)
    round_interval(heights, heights->node[first], heights->node[second], interval);
  return interval->low < interval->high;
}

/* Joins intervals that overlap, and appends a pair for each. */
static bool append_intervals(struct heights *heights, uint32_t first, uint32_t second,
                             struct interval *intervals, size_t count) {
  size_t used = 0;
  qsort(intervals, count, sizeof *intervals, by_low);
  for (size_t i = 0; i < count; i++)
    if (used > 0 && intervals[i].low < intervals[used - 1].high) {
      if (intervals[i].high > intervals[used - 1].high)
        intervals[used - 1].high = intervals[i].high;
    } else intervals[used++] = intervals[i];
  for (size_t i = 0; i < used; i++) {
    const struct heights_pair pair = {
        .first = first, .second = second, .weight = {intervals[i].high, -intervals[i].low}};
    if (!append_pair(heights, &pair)) return false;
  }
  return true;
}

static bool pair_nodes(struct heights *heights, uint32_t first, uint32_t second,
                       struct interval *intervals) {
  const struct part *part = heights->part;
  size_t counts[2], used = 0;
  const uint32_t *own = rectangles_of(part, &heights->first[first], &counts[0]);
  const uint32_t *others = rectangles_of(part, &heights->first[second], &counts[1]);
  for (size_t i = 0; i < counts[0]; i++)
    for (size_t k = 0; k < counts[1]; k++) {
      if (!append_banks(heights, own[i], others[k])) return false;
      if (find_interval(heights, own[i], others[k], &intervals[used])) used++;
    }
  return append_intervals(heights, first, second, intervals, used);
}

static bool list_pairs(struct heights *heights) {
  const size_t count = heights->part->count;
  struct interval *intervals = memory_array(count * count / 4 + 1, sizeof *intervals);
  bool is_made = intervals != NULL;
  for (uint32_t i = 0; i < heights->count && is_made; i++)
    for (uint32_t k = 0; k < i && is_made; k++)
      is_made = pair_nodes(heights, k, i, intervals);
  free(intervals);
  return is_made;
}

static bool list_incident(struct heights *heights) {
  const size_t ends = 2 * (size_t)heights->pair_count, pairs = heights->pair_count;
  const struct memory_part parts[] = {
      {&heights->incident, ends, sizeof(uint32_t)},
      {&heights->sides[HEIGHTS_BELOW].next, ends, sizeof(uint32_t)},
      {&heights->sides[HEIGHTS_ABOVE].next, ends, sizeof(uint32_t)},
      {&heights->why, 2 * pairs, sizeof(uint32_t)},
      {&heights->is_stated, 2 * pairs, sizeof(bool)},
      {&heights->is_why, 2 * pairs, sizeof(bool)}};
  heights->statements = memory_block(parts, sizeof parts / sizeof *parts);
  if (!heights->statements) return false;
  for (size_t p = 0; p < pairs; p++) {
    heights->incident_begin[heights->pairs[p].first + 1]++;
    heights->incident_begin[heights->pairs[p].second + 1]++;
  }
  for (uint32_t n = 0; n < heights->count; n++)
    heights->incident_begin[n + 1] += heights->incident_begin[n];
  uint32_t *place = heights->sides[HEIGHTS_BELOW].next_count; /* zeroes, and again below */
  for (uint32_t p = 0; p < pairs; p++)
    for (uint32_t side = 0; side < 2; side++) {
      uint32_t node = heights_lower(heights, 2 * p + side);
      heights->incident[heights->incident_begin[node] + place[node]++] = p;
    }
  memset(place, 0, heights->count * sizeof *place);
  return true;
}

/* ---------------------------------------------------------------- sums */

static bool allocate_sums(struct heights *heights) {
  const size_t count = heights->count, columns = heights->part->column_count;
  const struct memory_part parts[] = {
      {&heights->sides[HEIGHTS_BELOW].sums, count * columns, sizeof(neap_size)},
      {&heights->sides[HEIGHTS_ABOVE].sums, count * columns, sizeof(neap_size)},
      {&heights->columns_begin, count + 1, sizeof(uint32_t)},
      {&heights->columns, count * columns, sizeof(uint32_t)},
      {&heights->members_begin, columns + 1, sizeof(uint32_t)},
      {&heights->members, count * columns, sizeof(uint32_t)},
      {&heights->pair_of, count * count, sizeof(uint32_t)}};
  heights->sums = memory_block(parts, sizeof parts / sizeof *parts);
  return heights->sums != NULL;
}

/* Whether a node is one rectangle. */
static bool is_single(const struct heights *heights, uint32_t node) {
  const struct ties *ties = heights->part->ties;
  return !ties || ties->body[heights->first[node]] == TIES_NONE;
}

/* Bodies are in no column. */
static void list_columns(struct heights *heights) {
  const struct part *part = heights->part;
  uint32_t used = 0;
  for (uint32_t n = 0; n < heights->count; n++) {
    const uint32_t i = heights->first[n];
    size_t end = is_single(heights, n) ? part->spans_end[i] : part_spans_begin(part, i);
    for (size_t s = part_spans_begin(part, i); s < end; s++)
      for (uint32_t c = part->spans[s].first; c < part->spans[s].end; c++)
        heights->columns[used++] = c;
    heights->columns_begin[n + 1] = used;
  }
  used = 0;
  for (uint32_t c = 0; c < part->column_count; c++) {
    for (uint32_t n = 0; n < heights->count; n++)
      if (is_single(heights, n) && part_is_in(part, heights->first[n], c))
        heights->members[used++] = n;
    heights->members_begin[c + 1] = used;
  }
}

/* Two nodes of one rectangle each have one pair at most, apart from banks. */
static bool prepare_sums(struct heights *heights) {
  const size_t count = heights->count;
  if (heights->part->column_count > HEIGHTS_SUMS_MOST / count) return true;
  if (!allocate_sums(heights)) return false;
  list_columns(heights);
  for (size_t i = 0; i < count * count; i++)
    heights->pair_of[i] = HEIGHTS_NONE;
  for (uint32_t p = 0; p < heights->pair_count; p++) {
    const struct heights_pair *pair = &heights->pairs[p];
    if (pair->bank > 0 || !is_single(heights, pair->first) || !is_single(heights, pair->second))
      continue;
    heights->pair_of[pair->first * count + pair->second] = p;
    heights->pair_of[pair->second * count + pair->first] = p;
  }
  return true;
}

/* ---------------------------------------------------------------- making */

bool heights_init(struct heights *heights, const struct part *part) {
  assert(heights_suit(part));
  *heights = (struct heights){.part = part, .capacity = -1};
  if (!allocate_nodes(heights)) return false;
  list_nodes(heights);
  return list_pairs(heights) && list_incident(heights) && prepare_sums(heights);
}

void heights_clear(struct heights *heights) {
  free(heights->arrays);
  free(heights->sums);
  free(heights->statements);
  free(heights->pairs);
  free(heights->changes);
  *heights = (struct heights){0};
}

/* The lowest offset of a node by itself, at or above another one; above the capacity if there is none. */
static neap_offset settle(const struct heights *heights, uint32_t node, neap_offset from) {
  const struct part *part = heights->part;
  const uint32_t rectangle = heights->first[node];
  if (!part->ties) return round_up(from, heights->alignment[node]);
  static const uint64_t all[(HEIGHTS_COUNT_LIMIT + 63) / 64] = {
      [0 ...(HEIGHTS_COUNT_LIMIT + 63) / 64 - 1] = UINT64_MAX};
  const struct settle_view view = {part->ties, all, NULL, heights->capacity};
  const neap_offset delta = part->ties->delta[rectangle];
  neap_offset low = settle_lowest(&view, rectangle, (from > 0 ? from : 0) + delta);
  return low == NEAP_UNPLACED ? heights->capacity + 1 : low - delta;
}

/* Room above a node that its highest possible offset leaves; certificates do not know of it. */
static neap_size settle_above(const struct heights *heights, uint32_t node, neap_size room) {
  if (!heights->part->ties) return room;
  neap_offset high = heights->capacity - room - heights->residue[node];
  if (high < 0) return room;
  return heights->capacity - round_down(high, heights->alignment[node]) -
         heights->residue[node];
}

void heights_reset(struct heights *heights, neap_size capacity) {
  static const struct heights_reason none = {HEIGHTS_NONE, HEIGHTS_NONE};
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
  return (offsets[rectangle] - delta_of(heights->part, rectangle)) * heights->part->steps;
}

neap_size heights_place(const struct heights *heights, neap_offset *offsets) {
  const struct part *part = heights->part;
  const neap_size *room = heights->sides[HEIGHTS_BELOW].room;
  neap_size peak = 0;
  for (uint32_t n = 0; n < heights->count; n++)
    if (room[n] + heights->own[n] > peak) peak = room[n] + heights->own[n];
  for (uint32_t i = 0; i < part->count; i++) {
    assert(room[heights->node[i]] % part->steps == 0);
    offsets[i] = room[heights->node[i]] / part->steps + delta_of(part, i);
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

/* The statement that `beyond` lies on a side of `rectangle`; both are nodes of one rectangle. */
static uint32_t statement_on(const struct heights *heights, int side, uint32_t beyond,
                             uint32_t rectangle) {
  uint32_t pair = heights->pair_of[(size_t)beyond * heights->count + rectangle];
  if (pair == HEIGHTS_NONE) return HEIGHTS_NONE;
  bool is_second = heights->pairs[pair].first != beyond;
  return 2 * pair + (side == HEIGHTS_BELOW ? is_second : !is_second);
}

/* What a rectangle beyond a node takes at least: its size, but for what it can share with the node. */
static neap_size taken_by(const struct heights *heights, int side, uint32_t node,
                          uint32_t beyond) {
  const uint32_t statement = statement_on(heights, side, beyond, node);
  const neap_offset weight = heights->pairs[statement / 2].weight[statement % 2];
  if (side == HEIGHTS_BELOW)
    return weight < heights->size[beyond] ? weight : heights->size[beyond];
  return heights->own[beyond] - larger_of(heights->size[node] - weight, 0);
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
    const neap_size size = taken_by(heights, side, rectangle, beyond);
    if (size <= *slack) *slack -= size;
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
  uint32_t steps = 0;
  for (;;) {
    neap_size room =
        own->room[rectangle] - (side == HEIGHTS_ABOVE ? heights->own[rectangle] : 0);
    struct heights_reason reason = own->reason[rectangle];
    if (room <= *slack) {
      *slack -= room;
      return;
    }
    if (reason.statement == HEIGHTS_NONE) {
      if (reason.column != HEIGHTS_NONE)
        explain_sum(heights, side, rectangle, reason.column, slack);
      return;
    }
    /* A cycle is an explanation, too, unless padding raises what is in it. */
    if (steps++ == heights->count) {
      if (heights->part->ties) explain_by_all(heights);
      return;
    }
    add_why(heights, reason.statement);
    rectangle = side == HEIGHTS_BELOW ? heights_lower(heights, reason.statement)
                                      : heights_upper(heights, reason.statement);
  }
}

/* Explains why the room below `lower` and above `upper` exceeds the capacity. */
static void explain_need(struct heights *heights, uint32_t lower, uint32_t upper,
                         neap_size need) {
  /* With alignments, a small difference can grow by padding, so no slack is used. */
  neap_size slack = heights->has_slack ? need - heights->capacity - 1 : 0;
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

static bool exceeds(const struct heights *heights, uint32_t rectangle) {
  return heights->sides[HEIGHTS_BELOW].room[rectangle] +
             heights->sides[HEIGHTS_ABOVE].room[rectangle] >
         heights->capacity;
}

bool heights_exceed(const struct heights *heights) {
  for (uint32_t n = 0; n < heights->count; n++)
    if (exceeds(heights, n)) return true;
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
 * Whether the cycle that `statement` closes at `source` contradicts itself: follows the reasons back to
 * `source`, and explains it.  Padding alone can raise what is in a cycle, too, until it fits.
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

static bool refuse_room(struct heights *heights, uint32_t rectangle) {
  explain_need(heights, rectangle, rectangle,
               heights->sides[HEIGHTS_BELOW].room[rectangle] +
                   heights->sides[HEIGHTS_ABOVE].room[rectangle]);
  return false;
}

/* Raises the room of the nodes that have `at` right beyond them. */
static bool raise_beside(struct heights *heights, int side, uint32_t at, uint32_t source,
                         uint32_t *waiting) {
  const struct heights_side *from = &heights->sides[1 - side];
  for (uint32_t k = 0; k < from->next_count[at]; k++) {
    uint32_t statement = from->next[heights->incident_begin[at] + k];
    uint32_t other = side == HEIGHTS_BELOW ? heights_upper(heights, statement)
                                           : heights_lower(heights, statement);
    neap_size room = room_beside(heights, side, statement);
    if (room <= heights->sides[side].room[other]) continue;
    if (other == source && refuse_cycle(heights, statement, source)) return false;
    set_room(heights, side, other, room, (struct heights_reason){statement, HEIGHTS_NONE});
    if (heights->is_waiting[other]) continue;
    heights->is_waiting[other] = true;
    heights->waiting[(*waiting)++] = other;
  }
  return true;
}

/*
 * Raises the room on one side of a node, and then of the nodes that depend on it.  `source` is the other
 * end of a new arc, to which a cycle would lead back, or HEIGHTS_NONE.
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
    is_possible = exceeds(heights, at) ? refuse_room(heights, at)
                                       : raise_beside(heights, side, at, source, &waiting);
  }
  return is_possible && !heights->failed;
}

/* ---------------------------------------------------------------- statements */

/* Adds to the sums of a node, in the columns that two rectangles beyond it share. */
static void add_common(struct heights *heights, neap_size *sums, uint32_t beyond,
                       uint32_t other, neap_size bytes) {
  struct common common =
      part_common(heights->part, heights->first[beyond], heights->first[other]);
  struct span span;
  while (common_next(&common, &span))
    for (uint32_t c = span.first; c < span.end; c++)
      sums[c] += bytes;
}

/*
 * Adds a rectangle beyond another to its sums, or removes it with sign -1, without what others there can
 * share with it.  Above, sizes count without padding, which the topmost rectangle does not need.
 */
static void add_beyond(struct heights *heights, int side, uint32_t node, uint32_t beyond,
                       int sign) {
  const struct ties *ties = heights->part->ties;
  neap_size *sums = heights->sides[side].sums + node * heights->part->column_count;
  const neap_size size = taken_by(heights, side, node, beyond);
  for (uint32_t k = heights->columns_begin[beyond]; k < heights->columns_begin[beyond + 1]; k++)
    sums[heights->columns[k]] += sign * size;
  if (!ties) return;
  const uint32_t rectangle = heights->first[beyond];
  for (size_t k = ties->partners_begin[rectangle]; k < ties->partners_begin[rectangle + 1];
       k++) {
    const uint32_t other = heights->node[ties->partners[k].other];
    if (ties->partners[k].saving == 0 || !is_single(heights, other) || other == node) continue;
    uint32_t statement = statement_on(heights, side, other, node);
    if (statement != HEIGHTS_NONE && heights->is_stated[statement])
      add_common(heights, sums, beyond, other, -sign * ties->partners[k].saving);
  }
}

/* Whether a statement counts for sums: not if it is about banks, or bodies. */
static bool has_sum(const struct heights *heights, uint32_t statement) {
  const struct heights_pair *pair = &heights->pairs[statement / 2];
  return heights->sums &&
         heights->pair_of[(size_t)pair->first * heights->count + pair->second] == statement / 2;
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
  neap_size room =
      side == HEIGHTS_ABOVE
          ? settle_above(heights, rectangle, heights->size[rectangle] + sums[fullest])
          : settle(heights, rectangle, sums[fullest]);
  return raise(heights, side, rectangle, room, (struct heights_reason){HEIGHTS_NONE, fullest},
               HEIGHTS_NONE);
}

/* `node`: that has `beyond` on a side, by a statement. */
static void link(struct heights *heights, int side, uint32_t statement, uint32_t node,
                 uint32_t beyond) {
  struct heights_side *own = &heights->sides[side];
  own->next[heights->incident_begin[node] + own->next_count[node]++] = statement;
  if (has_sum(heights, statement)) add_beyond(heights, side, node, beyond, 1);
}

/* Undoes the last link, which must be to `beyond`. */
static void unlink_last(struct heights *heights, int side, uint32_t statement, uint32_t node,
                        uint32_t beyond) {
  heights->sides[side].next_count[node]--;
  if (has_sum(heights, statement)) add_beyond(heights, side, node, beyond, -1);
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
  link(heights, HEIGHTS_BELOW, statement, upper, lower);
  link(heights, HEIGHTS_ABOVE, statement, lower, upper);
  return raise(heights, HEIGHTS_BELOW, upper, room_beside(heights, HEIGHTS_BELOW, statement),
               reason, lower) &&
         raise(heights, HEIGHTS_ABOVE, lower, room_beside(heights, HEIGHTS_ABOVE, statement),
               reason, HEIGHTS_NONE) &&
         (!has_sum(heights, statement) || (raise_to_sum(heights, HEIGHTS_BELOW, upper, lower) &&
                                           raise_to_sum(heights, HEIGHTS_ABOVE, lower, upper)));
}

static void undo_change(struct heights *heights, const struct heights_change *change) {
  struct heights_side *side = &heights->sides[change->side];
  const uint32_t at = change->at;
  if (change->is_statement) {
    heights->is_stated[at] = false;
    const uint32_t lower = heights_lower(heights, at), upper = heights_upper(heights, at);
    unlink_last(heights, HEIGHTS_BELOW, at, upper, lower);
    unlink_last(heights, HEIGHTS_ABOVE, at, lower, upper);
    return;
  }
  side->room[at] = change->value;
  side->reason[at] = change->reason;
}

void heights_undo(struct heights *heights, size_t change_count) {
  while (heights->change_count > change_count)
    undo_change(heights, &heights->changes[--heights->change_count]);
}
