/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A segment tree over the rectangles by ascending first column.  Each node keeps, for the
 * rectangles below it that are left, the first and the last end, the smallest rank and the
 * smallest size.
 *
 *     columns  0   1   2   3   4   5       rectangles by first column, with their ends
 *              ├───a───┤                        [    first end 2, last end 6    ]
 *              ├───────────b───────────┤        [ 2 .. 6 ]              [ 3 .. 5 ]
 *                  ├───c───┤                   a 2      b 6            c 3      d 5
 *                          ├───d───┤
 *
 * A rectangle within a span starts in it, which selects a run of leaves (`begin` holds the
 * start of each column's run), and ends in it, which prunes nodes whose first end is too late.
 * Queries descend by branch and bound: O(log n) where few rectangles start in the span, O(n) at
 * worst.  Updates take O(log n).
 */
#include "search/boards/candidates.h"

#include <assert.h>
#include <stdlib.h>

#include "core/memory.h"
#include "core/tree.h"

struct candidates_node {
  uint32_t first_end, last_end; /* UINT32_MAX and 0 where no rectangle is left */
  uint32_t best_rank;
  neap_size least_size;
};

static const struct candidates_node no_rectangle = {UINT32_MAX, 0, CANDIDATES_NONE, NEAP_MAX};

/* Sorts the rectangles by first column and then by index: counts them, then fills from behind. */
static void arrange_places(struct candidates *candidates) {
  const struct part *part = candidates->part;
  uint32_t *begin = candidates->begin, before = 0;
  for (uint32_t i = 0; i < part->count; i++)
    begin[part->spans[i].first]++;
  for (uint32_t s = 0; s <= part->column_count; s++)
    before = begin[s] += before;
  for (uint32_t i = (uint32_t)part->count; i-- > 0;) {
    uint32_t place = --begin[part->spans[i].first];
    candidates->item[place] = i;
    candidates->place[i] = place;
  }
}

bool candidates_init(struct candidates *candidates, const struct part *part) {
  *candidates = (struct candidates){.part = part, .leaves = tree_leaves(part->count)};
  candidates->item = memory_array(part->count, sizeof *candidates->item);
  candidates->place = memory_array(part->count, sizeof *candidates->place);
  candidates->begin = memory_array((size_t)part->column_count + 1, sizeof *candidates->begin);
  candidates->nodes = memory_array(2 * candidates->leaves, sizeof *candidates->nodes);
  if (!candidates->item || !candidates->place || !candidates->begin || !candidates->nodes) {
    candidates_clear(candidates);
    return false;
  }
  arrange_places(candidates);
  return true;
}

void candidates_clear(struct candidates *candidates) {
  free(candidates->item);
  free(candidates->place);
  free(candidates->begin);
  free(candidates->nodes);
  *candidates = (struct candidates){0};
}

/* ---------------------------------------------------------------- adding and removing */

static void combine_children(struct candidates *candidates, size_t node) {
  const struct candidates_node *a = &candidates->nodes[tree_left(node)];
  const struct candidates_node *b = &candidates->nodes[tree_right(node)];
  candidates->nodes[node] = (struct candidates_node){
      .first_end = a->first_end < b->first_end ? a->first_end : b->first_end,
      .last_end = a->last_end > b->last_end ? a->last_end : b->last_end,
      .best_rank = a->best_rank < b->best_rank ? a->best_rank : b->best_rank,
      .least_size = a->least_size < b->least_size ? a->least_size : b->least_size};
}

static struct candidates_node leaf_of(const struct candidates *candidates, uint32_t item) {
  if (candidates->part->fixed[item] != NEAP_UNPLACED) return no_rectangle;
  uint32_t end = candidates->part->spans[item].end;
  return (struct candidates_node){end, end, candidates->rank[item],
                                  candidates->part->size[item]};
}

/* Fills all nodes but the leaves of rectangles. */
static void fill_nodes(struct candidates *candidates) {
  struct tree_level level = {candidates->leaves, candidates->part->count};
  for (;;) {
    if (tree_has_next(level)) candidates->nodes[level.first + level.count] = no_rectangle;
    if (level.first == 1) return;
    level = tree_above(level);
    for (size_t node = level.first; node < level.first + level.count; node++)
      combine_children(candidates, node);
  }
}

void candidates_fill(struct candidates *candidates, const uint32_t *rank) {
  candidates->rank = rank;
  for (size_t p = 0; p < candidates->part->count; p++)
    candidates->nodes[candidates->leaves + p] = leaf_of(candidates, candidates->item[p]);
  fill_nodes(candidates);
}

static bool is_there(const struct candidates *candidates, uint32_t item) {
  size_t node = candidates->leaves + candidates->place[item];
  return candidates->nodes[node].best_rank != CANDIDATES_NONE;
}

void candidates_rerank(struct candidates *candidates, const uint32_t *rank) {
  candidates->rank = rank;
  for (uint32_t i = 0; i < candidates->part->count; i++)
    if (is_there(candidates, i))
      candidates->nodes[candidates->leaves + candidates->place[i]] = leaf_of(candidates, i);
  fill_nodes(candidates);
}

static void put_leaf(struct candidates *candidates, uint32_t item,
                     struct candidates_node leaf) {
  size_t node = candidates->leaves + candidates->place[item];
  candidates->nodes[node] = leaf;
  while ((node = tree_parent(node)) != 0)
    combine_children(candidates, node);
}

void candidates_remove(struct candidates *candidates, uint32_t item) {
  assert(is_there(candidates, item));
  put_leaf(candidates, item, no_rectangle);
}

void candidates_restore(struct candidates *candidates, uint32_t item) {
  assert(!is_there(candidates, item));
  put_leaf(candidates, item, leaf_of(candidates, item));
}

/* ---------------------------------------------------------------- queries */

/*
 * A query over the places in [first, end): for rectangles that end by `last_end` and have a
 * size of at most `most`.  Each query says whether they must cover column `at`.
 */
struct query {
  const struct candidates *candidates;
  size_t first, end;
  uint32_t last_end, at, from;
  neap_size most;
  uint32_t rank;  /* the smallest so far */
  neap_size size; /* the smallest so far */
};

static struct query query_of(const struct candidates *candidates, struct span span,
                             uint32_t at) {
  return (struct query){.candidates = candidates,
                        .first = candidates->begin[span.first],
                        .last_end = span.end,
                        .at = at,
                        .most = NEAP_MAX,
                        .rank = CANDIDATES_NONE,
                        .size = NEAP_MAX};
}

static void find_best(struct query *query, size_t node, size_t left, size_t right) {
  const struct candidates_node *here = &query->candidates->nodes[node];
  if (left >= query->end || right <= query->first || here->best_rank >= query->rank ||
      here->first_end > query->last_end || here->last_end <= query->at ||
      here->least_size > query->most)
    return;
  if (right - left == 1) {
    if (here->best_rank >= query->from) query->rank = here->best_rank;
    return;
  }
  size_t middle = left + (right - left) / 2;
  bool left_first = query->candidates->nodes[tree_left(node)].best_rank <
                    query->candidates->nodes[tree_right(node)].best_rank;
  if (left_first) find_best(query, tree_left(node), left, middle);
  find_best(query, tree_right(node), middle, right);
  if (!left_first) find_best(query, tree_left(node), left, middle);
}

uint32_t candidates_best(const struct candidates *candidates, struct span span, uint32_t at,
                         neap_size most, uint32_t from) {
  assert(span_contains(span, at));
  struct query query = query_of(candidates, span, at);
  query.most = most;
  query.end = candidates->begin[at + 1];
  query.from = from;
  find_best(&query, 1, 0, candidates->leaves);
  return query.rank;
}

/* The last end, up to `at`, of the rectangles that start before `at`. */
static uint32_t last_end_before(const struct query *query, size_t node, size_t left,
                                size_t right, uint32_t most) {
  const struct candidates_node *here = &query->candidates->nodes[node];
  if (left >= query->end || right <= query->first || here->first_end > query->at ||
      here->last_end <= most || here->least_size > query->most)
    return most;
  bool all_count = query->most == NEAP_MAX && here->last_end <= query->at &&
                   left >= query->first && right <= query->end;
  if (right - left == 1 || all_count) return here->last_end;
  size_t middle = left + (right - left) / 2;
  most = last_end_before(query, tree_right(node), middle, right, most);
  return last_end_before(query, tree_left(node), left, middle, most);
}

/* The first place in the query whose rectangle ends by `last_end`; SIZE_MAX when none does. */
static size_t first_place(const struct query *query, size_t node, size_t left, size_t right) {
  const struct candidates_node *here = &query->candidates->nodes[node];
  if (left >= query->end || right <= query->first || here->first_end > query->last_end ||
      here->least_size > query->most)
    return SIZE_MAX;
  if (right - left == 1) return left;
  size_t middle = left + (right - left) / 2;
  size_t found = first_place(query, tree_left(node), left, middle);
  return found != SIZE_MAX ? found : first_place(query, tree_right(node), middle, right);
}

struct span candidates_hole(const struct candidates *candidates, struct span span, uint32_t at,
                            neap_size most) {
  assert(span_contains(span, at));
  struct query query = query_of(candidates, span, at);
  query.most = most;
  query.end = candidates->begin[at];
  uint32_t first = last_end_before(&query, 1, 0, candidates->leaves, span.first);
  query.first = candidates->begin[at + 1];
  query.end = candidates->begin[span.end];
  size_t next = first_place(&query, 1, 0, candidates->leaves);
  uint32_t end =
      next == SIZE_MAX ? span.end : candidates->part->spans[candidates->item[next]].first;
  return (struct span){first, end};
}

static void find_smallest(struct query *query, size_t node, size_t left, size_t right) {
  const struct candidates_node *here = &query->candidates->nodes[node];
  if (left >= query->end || right <= query->first || here->least_size >= query->size ||
      here->first_end > query->last_end)
    return;
  if (right - left == 1) {
    const struct span *span = &query->candidates->part->spans[query->candidates->item[left]];
    if (span->first > query->at || span->end <= query->at) query->size = here->least_size;
    return;
  }
  size_t middle = left + (right - left) / 2;
  find_smallest(query, tree_left(node), left, middle);
  find_smallest(query, tree_right(node), middle, right);
}

neap_size candidates_smallest(const struct candidates *candidates, struct span span,
                              uint32_t at) {
  assert(span_contains(span, at));
  struct query query = query_of(candidates, span, at);
  query.end = candidates->begin[span.end];
  find_smallest(&query, 1, 0, candidates->leaves);
  return query.size;
}
