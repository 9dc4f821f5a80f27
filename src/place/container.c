/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The container is a segment tree over sections (Bentley 1977).  A buffer's span is the union of
 * O(log n) *canonical* nodes; above them are O(log n) nodes that the span covers partly.
 *
 *                      [        1        ]              a span over the leaves x:
 *                  [   2   ]        [   3   ]           canonical: 5 and 12
 *                [ 4 ]   [ 5 ]    [ 6 ]   [ 7 ]         partly:    2 3 6 and 1
 *                8   9  10   11  12  13  14  15
 *                        x   x    x
 *
 * Each node has two sets of bytes.  `across`: taken by the buffers for which it is canonical.
 * `within`: taken by any buffer that is alive at some time in the node, a union over time.  A
 * buffer that overlaps a span is stored either at a partly covered node (then it is alive
 * throughout that node, and `across` has its bytes), or at or below a canonical one (`within`
 * has its bytes).  So O(log n) sets contain all bytes taken during a span.
 *
 * A union over time of a good layout is nearly solid: it has few pieces, however many buffers
 * it consists of.  The lowest free range is found by leaping: try an offset in one set after
 * another; if a piece is in the way, leap above it; stop when all sets in a row agree.  Sets are
 * only read upwards, each from its own position, so a search costs the number of sets plus the
 * pieces that it leaps over, not the neighbours in time.  (A union of intervals per node of a
 * segment tree is folklore; the tuner's trials are undone with a log of replaced pieces.)
 *
 * In traces with lives of all lengths, unions are not nearly solid, and searches leap over thousands
 * of pieces: a layout then costs about O(n^1.7).  So a set may have at most `most` pieces, if that is
 * not 0.  When it has more, its smallest gaps count as taken until it has half as many.  Layouts stay
 * sound, because no taken byte counts as free, and a search leaps over O(most log n) pieces.  The
 * price is that small gaps stay empty.
 */
#include "place/container.h"

#include <assert.h>
#include <stdlib.h>

#include "core/checked.h"
#include "core/checks.h"
#include "core/memory.h"
#include "core/tree.h"

/* A node with its two sets is as large as a line of the cache and never lies in two. */
#define CACHE_LINE 64

bool container_init(struct container *container, size_t section_count) {
  *container = (struct container){.leaves = tree_leaves(section_count)};
  const size_t node_count = 2 * container->leaves;
  container->memory = memory_array(node_count + 1, sizeof *container->nodes);
  if (!container->memory) return false;
  size_t beyond = (uintptr_t)container->memory % CACHE_LINE;
  container->nodes =
      (void *)((char *)container->memory + (beyond == 0 ? 0 : CACHE_LINE - beyond));
  return true;
}

void container_clear(struct container *container) {
  for (size_t node = 0; container->nodes && node < 2 * container->leaves; node++) {
    pieces_clear(&container->nodes[node].across);
    pieces_clear(&container->nodes[node].within);
  }
  free(container->memory);
  pieces_log_clear(&container->log);
  *container = (struct container){0};
}

void container_reset(struct container *container) {
  for (size_t node = 0; node < 2 * container->leaves; node++)
    container->nodes[node].across.count = container->nodes[node].within.count = 0;
  container->log.change_count = container->log.replaced_count = 0;
  container->logging = false;
}

/* ---------------------------------------------------------------- the nodes of a span */

/* At most two canonical and two partly covered nodes per level, on 33 levels. */
#define NODES_MAX 66

struct nodes {
  size_t canonical[NODES_MAX], partly[NODES_MAX];
  size_t canonical_count, partly_count;
};

static void find_nodes(const struct container *container, struct span span,
                       struct nodes *nodes) {
  assert(span.first < span.end && span.end <= container->leaves);
  nodes->canonical_count = nodes->partly_count = 0;
  const size_t first = span.first + container->leaves, end = span.end + container->leaves;
  struct tree_cover cover = {first, end};
  for (size_t node; (node = tree_cover_next(&cover)) != 0;)
    nodes->canonical[nodes->canonical_count++] = node;
  /* The ancestors of the span's first and last leaf that reach beyond it. */
  for (unsigned level = 1; first >> level != 0; level++) {
    size_t left = first >> level, right = (end - 1) >> level;
    if (left << level < first || (left + 1) << level > end)
      nodes->partly[nodes->partly_count++] = left;
    if (right != left && (right + 1) << level > end)
      nodes->partly[nodes->partly_count++] = right;
  }
  assert(nodes->canonical_count >= 1);
  assert(nodes->canonical_count <= NODES_MAX && nodes->partly_count <= NODES_MAX);
}

/* Adds bytes to a set, and thins it if it has too many pieces; false when memory is short. */
static bool take(struct container *container, struct pieces *set, struct piece taken) {
  if (!pieces_insert(set, taken, container->logging ? &container->log : NULL)) return false;
  bool is_long = container->most > 0 && set->count > container->most && !container->logging;
  return !is_long || pieces_thin(set, container->most / 2);
}

bool container_take(struct container *container, const struct span *spans, size_t span_count,
                    struct piece taken) {
  struct nodes nodes;
  for (size_t s = 0; s < span_count; s++) {
    find_nodes(container, spans[s], &nodes);
    for (size_t i = 0; i < nodes.canonical_count; i++) {
      struct container_node *node = &container->nodes[nodes.canonical[i]];
      if (!take(container, &node->across, taken) || !take(container, &node->within, taken))
        return false;
    }
    for (size_t i = 0; i < nodes.partly_count; i++)
      if (!take(container, &container->nodes[nodes.partly[i]].within, taken)) return false;
  }
  return true;
}

/* ---------------------------------------------------------------- looking */

static void add_to_view(struct view *view, const struct pieces *set) {
  if (set->count == 0) return;
  assert(view->count < view->capacity);
  const struct piece *items = pieces_items(set);
  view->next[view->count] = items[0].low;
  view->sets[view->count++] = (struct view_set){items, set->count, 0};
}

static bool reserve_sets(struct view *view, size_t count) {
  return memory_reserve(&view->sets, &view->capacity, count, sizeof *view->sets) &&
         memory_reserve(&view->next, &view->next_capacity, count, sizeof *view->next);
}

bool container_view(const struct container *container, const struct span *spans,
                    size_t span_count, struct view *view) {
  struct nodes nodes;
  view->count = 0;
  for (size_t s = 0; s < span_count; s++) {
    find_nodes(container, spans[s], &nodes);
    if (!reserve_sets(view, view->count + nodes.canonical_count + nodes.partly_count))
      return false;
    /* Canonical nodes first: they are the fullest and allow the longest leaps. */
    for (size_t i = nodes.canonical_count; i-- > 0;)
      add_to_view(view, &container->nodes[nodes.canonical[i]].within);
    for (size_t i = nodes.partly_count; i-- > 0;)
      add_to_view(view, &container->nodes[nodes.partly[i]].across);
  }
  return true;
}

void view_clear(struct view *view) {
  free(view->sets);
  free(view->next);
  *view = (struct view){0};
}

void view_rewind(struct view *view) {
  for (size_t s = 0; s < view->count; s++) {
    view->sets[s].at = 0;
    view->next[s] = view->sets[s].items[0].low;
  }
}

/* Moves the position in a set to its first piece above `offset`. */
static inline void advance_above(struct view *view, size_t s, neap_offset offset) {
  struct view_set *set = &view->sets[s];
  set->at = pieces_above(set->items, set->count, set->at, offset);
  view->next[s] = set->at < set->count ? set->items[set->at].low : NEAP_MAX;
}

/* Whether no set has any of the bytes. */
static bool is_free(const struct view *view, neap_offset low, neap_offset high) {
  for (size_t s = 0; s < view->count; s++)
    for (size_t i = 0; i < view->sets[s].count; i++)
      if (view->sets[s].items[i].low < high && low < view->sets[s].items[i].high) return false;
  return true;
}

/* Leaps over the pieces of a set that are in the way of `size` bytes. */
static inline neap_offset leap(struct view *view, size_t s, neap_offset offset, neap_size size,
                               neap_size alignment) {
  advance_above(view, s, offset);
  while (view->next[s] < offset + size) {
    offset = round_up(view->sets[s].items[view->sets[s].at].high, alignment);
    advance_above(view, s, offset);
  }
  return offset;
}

neap_offset view_lowest(struct view *view, neap_offset from, neap_size size,
                        neap_size alignment) {
  assert(from >= 0 && size >= 1 && alignment >= 1);
  neap_offset offset = round_up(from, alignment);
  size_t agreed = 0, at = 0;
  while (agreed < view->count) {
    agreed++;
    if (view->next[at] < offset + size) {
      neap_offset tried = offset;
      offset = leap(view, at, offset, size, alignment);
      if (offset != tried) agreed = 1;
    }
    at = at + 1 < view->count ? at + 1 : 0;
  }
  assert(offset >= from);
  assert_slowly(offset % alignment == 0 && is_free(view, offset, offset + size));
  return offset;
}

neap_offset view_free_until(struct view *view, neap_offset offset) {
  neap_offset until = NEAP_MAX;
  for (size_t s = 0; s < view->count; s++) {
    if (view->next[s] <= offset) advance_above(view, s, offset);
    if (view->next[s] < until) until = view->next[s];
  }
  return until;
}

neap_offset view_free_from(const struct view *view) {
  neap_offset from = 0;
  for (size_t s = 0; s < view->count; s++) {
    const struct view_set *set = &view->sets[s];
    if (set->at > 0 && set->items[set->at - 1].high > from) from = set->items[set->at - 1].high;
  }
  return from;
}

neap_offset view_top(const struct view *view) {
  neap_offset top = 0;
  for (size_t i = 0; i < view->count; i++) {
    neap_offset high = view->sets[i].items[view->sets[i].count - 1].high;
    if (high > top) top = high;
  }
  return top;
}
