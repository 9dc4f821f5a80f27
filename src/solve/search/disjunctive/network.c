/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The network of a part: its nodes, and the pairs of nodes that statements are about.
 *
 * With ties, a node is a body, and the distances at which two bodies collide are intervals.
 * For each interval, the upper node lies beyond one end or the other (a disjunctive temporal
 * network: Dechter, Meiri and Pearl 1991).
 *
 *     distance of two bodies  ───(██████)────────(████)────►   two intervals, two pairs
 *
 * Intervals end at distances that alignments allow, and overlapping intervals are joined.
 *
 * Layouts of models in bands have few pairs, and longest paths refute all lower layouts before the
 * first decision (after one conflict for person):
 *
 *     model in bands    rectangles   nodes   pairs   pairs open when the optimum - 1 is refuted
 *     person                    82      56      98    30
 *     vww                      185     120     241   135
 *     detection                125     105     305   235
 *     MobileNetV2              238     145     316   242
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/checked.h"
#include "core/knobs.h"
#include "core/memory.h"
#include "search/disjunctive/longest_paths.h"

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

/* Whether two rectangles of a body share a byte and a column. */
static bool collide_inside(const struct part *part, uint32_t a, uint32_t b) {
  neap_offset low = heights_delta(part, a), other = heights_delta(part, b);
  return low < other + part->size[b] && other < low + part->size[a] && part_meet(part, a, b);
}

/* Whether a bank must not have bytes of a rectangle and of another one of its body. */
static bool is_separated_inside(const struct ties *ties, uint32_t rectangle) {
  if (ties->body[rectangle] == TIES_NONE) return false;
  for (size_t k = ties->partners_begin[rectangle]; k < ties->partners_begin[rectangle + 1]; k++)
    if (ties->partners[k].bank > 0 &&
        ties->body[ties->partners[k].other] == ties->body[rectangle])
      return true;
  return false;
}

/* Whether all offsets of a body that suit each rectangle by itself suit them together. */
static bool has_sound_bodies(const struct part *part) {
  const struct ties *ties = part->ties;
  for (uint32_t i = 0; i < part->count; i++)
    if (is_separated_inside(ties, i)) return false;
  for (size_t b = 0; b < ties->body_count; b++)
    for (size_t i = ties->bodies[b].rectangles_begin; i < ties->bodies[b].rectangles_end; i++)
      for (size_t k = ties->bodies[b].rectangles_begin; k < i; k++)
        if (collide_inside(part, ties->rectangles[i], ties->rectangles[k])) return false;
  return true;
}

bool heights_suit(const struct part *part) {
  if (part->is_relaxed || part->extent >= NEAP_MAX / 16) return false;
  if (part->count > HEIGHTS_COUNT_MOST) return false;
  return part->ties ? has_sound_bodies(part)
                    : part->column_count <= HEIGHTS_SUMS_MOST / part->count;
}

/* ---------------------------------------------------------------- nodes */

static bool allocate_nodes(struct heights *heights) {
  const size_t count = heights->part->count;
  struct heights_side *below = &heights->sides[HEIGHTS_BELOW];
  struct heights_side *above = &heights->sides[HEIGHTS_ABOVE];
  const struct memory_part parts[] = {{&heights->own, count, sizeof(neap_size)},
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
                                      {&heights->arcs_begin, count + 1, sizeof(uint32_t)},
                                      {&below->is_changed, count, sizeof(bool)},
                                      {&above->is_changed, count, sizeof(bool)},
                                      {&heights->is_regular, count, sizeof(bool)},
                                      {&heights->is_waiting, count, sizeof(bool)}};
  heights->arrays = memory_block(parts, sizeof parts / sizeof *parts);
  return heights->arrays != NULL;
}

/* Makes the grain a multiple of a number to which offsets are rounded. */
static void coarsen(struct heights *heights, neap_size step) {
  if (heights->grain == 0) return;
  neap_size times = step / common_divisor(heights->grain, step);
  if (!checked_mul(heights->grain, times, &heights->grain)) heights->grain = 0;
}

/* Of two alignments in a body, the larger one usually implies the other. */
static void align_node(struct heights *heights, uint32_t node, neap_size alignment,
                       neap_offset delta) {
  neap_size own = heights->alignment[node];
  const neap_offset residue = round_up(delta, alignment) - delta;
  const neap_size common = smaller_of(own, alignment);
  heights->is_regular[node] &= larger_of(own, alignment) % common == 0 &&
                               (residue - heights->residue[node]) % common == 0;
  if (alignment <= own) return;
  heights->alignment[node] = alignment;
  heights->residue[node] = residue;
}

/* Applies the domain of a rectangle or member to the offset of its node. */
static void limit_node(struct heights *heights, uint32_t node, const struct domain *domain,
                       neap_offset delta) {
  neap_offset limit = domain->fixed;
  if (limit == NEAP_UNPLACED && domain->window_high < NEAP_MAX)
    limit = domain->window_high - domain->size;
  if (limit != NEAP_UNPLACED && limit - delta < heights->limit[node])
    heights->limit[node] = limit - delta;
  align_node(heights, node, domain->alignment, delta);
  heights->is_regular[node] &= domain_is_plain(domain);
  if (domain_is_plain(domain)) coarsen(heights, domain->alignment);
  else heights->grain = 0;
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

static void describe_plain(struct heights *heights, uint32_t node) {
  const struct part *part = heights->part;
  const uint32_t rectangle = heights->first[node];
  heights->alignment[node] = part->alignment[rectangle] * part->steps;
  if (part->fixed[rectangle] == NEAP_UNPLACED) return;
  heights->limit[node] = part->fixed[rectangle] * part->steps;
  heights->is_regular[node] = false;
  heights->grain = 0;
}

static void describe_node(struct heights *heights, uint32_t node) {
  const struct part *part = heights->part;
  const uint32_t rectangle = heights->first[node];
  heights->own[node] = part_end(part, rectangle, 0);
  heights->alignment[node] = 1;
  heights->limit[node] = NEAP_MAX;
  heights->is_regular[node] = true;
  if (part->ties) describe_tied(heights, node);
  else describe_plain(heights, node);
  coarsen(heights, heights->alignment[node]);
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
  heights->grain = 1;
  for (uint32_t n = 0; n < heights->count; n++)
    describe_node(heights, n);
}

/* ---------------------------------------------------------------- pairs */

/*
 * Distances from one node to another at which they collide: between both ends, which are possible.
 */
struct interval {
  neap_offset low, high;
  struct heights_collision collision;
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
  heights->pairs[heights->pair_count] = *pair;
  heights->pairs[heights->pair_count++].collisions_end = heights->collision_count;
  return true;
}

/* Adds a collision to the last pair. */
static bool append_collision(struct heights *heights, struct heights_collision collision) {
  if (!memory_reserve(&heights->collisions, &heights->collision_capacity,
                      heights->collision_count + 1, sizeof *heights->collisions))
    return false;
  heights->collisions[heights->collision_count++] = collision;
  heights->pairs[heights->pair_count - 1].collisions_end++;
  return true;
}

/* Two rectangles of which no bank may have bytes. */
static bool append_bank(struct heights *heights, uint32_t first, uint32_t second,
                        neap_size bank) {
  const struct part *part = heights->part;
  const neap_offset low = heights_delta(part, first), other = heights_delta(part, second);
  struct heights_pair pair = {.first = heights->node[first],
                              .second = heights->node[second],
                              .bank = bank,
                              .end = {low + part->size[first], other + part->size[second]},
                              .start = {other, low}};
  pair.weight[0] = pair.end[0] - pair.start[0];
  pair.weight[1] = pair.end[1] - pair.start[1];
  coarsen(heights, bank);
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

/*
 * The distances at which two rectangles collide, as distances of their nodes; false if there are
 * none.
 */
static bool find_interval(const struct heights *heights, uint32_t first, uint32_t second,
                          struct interval *interval) {
  const struct part *part = heights->part;
  const struct tie_partner *link = allowance_of(part, first, second);
  const neap_offset shift = heights_delta(part, first) - heights_delta(part, second);
  if (!link && !part_meet(part, first, second)) return false;
  interval->collision = (struct heights_collision){first, second};
  interval->low = shift - (link ? link->above : part->size[second] * part->steps);
  interval->high = shift + (link ? link->below : part->size[first] * part->steps);
  if (part->ties)
    round_interval(heights, heights->node[first], heights->node[second], interval);
  return interval->low < interval->high;
}

/* Joins intervals that overlap, and appends a pair for each. */
static bool append_intervals(struct heights *heights, uint32_t first, uint32_t second,
                             struct interval *intervals, size_t count) {
  qsort(intervals, count, sizeof *intervals, by_low);
  for (size_t i = 0; i < count; i++) {
    const neap_offset low = intervals[i].low, high = intervals[i].high;
    const struct heights_pair pair = {.first = first, .second = second, .weight = {high, -low}};
    struct heights_pair *last = i > 0 ? &heights->pairs[heights->pair_count - 1] : NULL;
    if (last && low < last->weight[0]) last->weight[0] = larger_of(last->weight[0], high);
    else if (!append_pair(heights, &pair)) return false;
    if (!append_collision(heights, intervals[i].collision)) return false;
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
      if (heights->has_banks && !append_banks(heights, own[i], others[k])) return false;
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

/* The most that a statement takes, with padding; large if the upper node can need any. */
static neap_offset most_taken(const struct heights *heights, uint32_t statement) {
  const struct heights_pair *pair = &heights->pairs[statement / 2];
  const uint32_t upper = heights_upper(heights, statement);
  if (!heights->is_regular[upper]) return NEAP_MAX / 4;
  return pair->weight[statement % 2] + pair->bank + heights->alignment[upper];
}

static bool allocate_arcs(struct heights *heights) {
  const size_t pairs = heights->pair_count, statements = 2 * pairs;
  struct heights_side *below = &heights->sides[HEIGHTS_BELOW];
  struct heights_side *above = &heights->sides[HEIGHTS_ABOVE];
  const struct memory_part parts[] = {{&below->arcs, statements, sizeof *below->arcs},
                                      {&above->arcs, statements, sizeof *above->arcs},
                                      {&below->next, statements, sizeof(uint32_t)},
                                      {&above->next, statements, sizeof(uint32_t)},
                                      {&heights->why, statements, sizeof(uint32_t)},
                                      {&heights->is_stated, statements, sizeof(bool)},
                                      {&heights->is_why, statements, sizeof(bool)}};
  heights->statements = memory_block(parts, sizeof parts / sizeof *parts);
  return heights->statements != NULL;
}

static bool list_arcs(struct heights *heights) {
  const uint32_t pairs = heights->pair_count;
  if (!allocate_arcs(heights)) return false;
  for (uint32_t s = 0; s < 2 * pairs; s++)
    heights->arcs_begin[heights_lower(heights, s) + 1]++;
  for (uint32_t n = 0; n < heights->count; n++)
    heights->arcs_begin[n + 1] += heights->arcs_begin[n];
  uint32_t *used = heights->sides[HEIGHTS_BELOW].next_count; /* zeroes, and again below */
  for (uint32_t s = 0; s < 2 * pairs; s++) {
    const uint32_t node = heights_lower(heights, s), other = heights_upper(heights, s);
    const uint32_t place = heights->arcs_begin[node] + used[node]++;
    for (uint32_t side = 0; side < HEIGHTS_SIDES; side++)
      heights->sides[side].arcs[place] =
          (struct heights_arc){other, s ^ side, most_taken(heights, s ^ side)};
  }
  memset(used, 0, heights->count * sizeof *used);
  return true;
}

/* ---------------------------------------------------------------- sums */

static bool allocate_sums(struct heights *heights) {
  const size_t count = heights->part->count, columns = heights->part->column_count;
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

static bool prepare_sums(struct heights *heights) {
  const size_t count = heights->part->count;
  if (heights->part->column_count > HEIGHTS_SUMS_MOST / count) return true;
  if (!allocate_sums(heights)) return false;
  list_columns(heights);
  for (size_t i = 0; i < count * count; i++)
    heights->pair_of[i] = HEIGHTS_NONE;
  for (uint32_t p = 0; p < heights->pair_count; p++)
    for (size_t k = heights_collisions_begin(heights, p); k < heights->pairs[p].collisions_end;
         k++) {
      const struct heights_collision *collision = &heights->collisions[k];
      heights->pair_of[collision->first * count + collision->second] = p;
      heights->pair_of[collision->second * count + collision->first] = p;
    }
  return true;
}

/* ---------------------------------------------------------------- the whole */

bool heights_init(struct heights *heights, const struct part *part, bool has_banks) {
  assert(heights_suit(part));
  *heights = (struct heights){.part = part, .capacity = -1, .has_banks = has_banks};
  if (!allocate_nodes(heights)) return false;
  list_nodes(heights);
  return list_pairs(heights) && list_arcs(heights) && prepare_sums(heights);
}
