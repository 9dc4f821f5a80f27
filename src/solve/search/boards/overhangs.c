/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A segment tree over the columns (Bentley 1977).  A fixed rectangle is listed at the O(log n)
 * nodes that make up its span, where it lies *across*, and at all nodes above them, where it
 * lies *inside*:
 *
 *     node          [        1        ]       inside 1: a b
 *                 [   2   ]       [   3   ]   inside 2: a b    across 3: a
 *               [ 4 ]   [ 5 ]   [ 6 ]  [ 7 ]  across 5: a b
 *     columns     0       1       2      3
 *                         ├───────a──────┤
 *                         ├─b─┤
 *
 * A rectangle that has a column in a run lies across a node on the path to one of the run's
 * nodes, or inside or across such a node itself.  Lists are ascending, so bisection in O(log n)
 * lists finds the lowest rectangle above a floor.  The lists take O(m log n) memory for m fixed
 * rectangles, however long their spans are.
 */
#include "search/boards/local_state.h"

#include <assert.h>
#include <stdlib.h>

#include "core/knobs.h"
#include "core/memory.h"
#include "core/tree.h"

/* ---------------------------------------------------------------- making */

static bool sort_items(struct overhangs *overhangs) {
  overhangs->item = memory_array(overhangs->count, sizeof *overhangs->item);
  overhangs->top = memory_array((size_t)overhangs->count + 1, sizeof *overhangs->top);
  if (!overhangs->item || !overhangs->top) return false;
  part_list_fixed(overhangs->part, overhangs->item);
  overhangs->top[overhangs->count] = NEAP_MAX;
  for (uint32_t place = overhangs->count; place-- > 0;) {
    neap_offset top = overhangs_top(overhangs, place), above = overhangs->top[place + 1];
    assert(place + 1 == overhangs->count ||
           overhangs_bottom(overhangs, place) <= overhangs_bottom(overhangs, place + 1));
    overhangs->top[place] = top < above ? top : above;
  }
  return true;
}

/*
 * A rectangle to be listed.  The first pass only counts: begins[node + 2] is the number of
 * entries of a node.
 */
struct entry {
  struct overhangs *overhangs;
  struct span span;
  uint32_t place;
  bool is_counted;
};

static void list_at(size_t *begins, uint32_t *list, size_t node, const struct entry *entry) {
  if (entry->is_counted) begins[node + 2]++;
  else list[begins[node + 1]++] = entry->place;
}

static void enter_node(const struct entry *entry, size_t node, size_t left, size_t right) {
  struct overhangs *overhangs = entry->overhangs;
  if (left >= entry->span.end || right <= entry->span.first) return;
  if (entry->span.first <= left && right <= entry->span.end) {
    list_at(overhangs->across_begin, overhangs->across, node, entry);
    return;
  }
  assert(right - left > 1); /* one column is either in the span or not */
  list_at(overhangs->inside_begin, overhangs->inside, node, entry);
  size_t middle = left + (right - left) / 2;
  enter_node(entry, tree_left(node), left, middle);
  enter_node(entry, tree_right(node), middle, right);
}

static void enter_all(struct overhangs *overhangs, bool is_counted) {
  for (uint32_t place = 0; place < overhangs->count; place++) {
    struct entry entry = {overhangs, overhangs_span(overhangs, place), place, is_counted};
    enter_node(&entry, 1, 0, overhangs->leaves);
  }
}

static void add_up(size_t *begins, size_t count) {
  for (size_t i = 1; i < count; i++)
    begins[i] += begins[i - 1];
}

static bool make_lists(struct overhangs *overhangs) {
  size_t nodes = 2 * overhangs->leaves;
  overhangs->across_begin = memory_array(nodes + 2, sizeof *overhangs->across_begin);
  overhangs->inside_begin = memory_array(nodes + 2, sizeof *overhangs->inside_begin);
  if (!overhangs->across_begin || !overhangs->inside_begin) return false;
  enter_all(overhangs, true);
  add_up(overhangs->across_begin, nodes + 2);
  add_up(overhangs->inside_begin, nodes + 2);
  overhangs->across =
      memory_array(overhangs->across_begin[nodes + 1], sizeof *overhangs->across);
  overhangs->inside =
      memory_array(overhangs->inside_begin[nodes + 1], sizeof *overhangs->inside);
  if (!overhangs->across || !overhangs->inside) return false;
  enter_all(overhangs, false);
  return true;
}

/* ---------------------------------------------------------------- queries */

struct query {
  const struct overhangs *overhangs;
  struct span span;
  uint32_t from; /* places before this one begin below the floor */
  uint32_t best;
};

/* Takes the first place in a list from query->from on, if it is the best so far. */
static void look_at(struct query *query, const uint32_t *list, size_t first, size_t end) {
  if (first == end || list[end - 1] < query->from || list[first] >= query->best) return;
  while (first < end) {
    size_t middle = first + (end - first) / 2;
    if (list[middle] < query->from) first = middle + 1;
    else end = middle;
  }
  assert(list[first] >= query->from);
  if (list[first] < query->best) query->best = list[first];
}

static void look_below(struct query *query, size_t node, size_t left, size_t right) {
  const struct overhangs *overhangs = query->overhangs;
  if (left >= query->span.end || right <= query->span.first) return;
  look_at(query, overhangs->across, overhangs->across_begin[node],
          overhangs->across_begin[node + 1]);
  if (overhangs->inside_begin[node] == overhangs->inside_begin[node + 1]) return;
  if (query->span.first <= left && right <= query->span.end) {
    look_at(query, overhangs->inside, overhangs->inside_begin[node],
            overhangs->inside_begin[node + 1]);
    return;
  }
  size_t middle = left + (right - left) / 2;
  look_below(query, tree_left(node), left, middle);
  look_below(query, tree_right(node), middle, right);
}

/* The first place, from `from` on, of a rectangle that has a column in `span`. */
static uint32_t lowest_from(const struct overhangs *overhangs, struct span span,
                            uint32_t from) {
  struct query query = {overhangs, span, from, OVERHANGS_NONE};
  if (from < overhangs->count) look_below(&query, 1, 0, overhangs->leaves);
  return query.best;
}

uint32_t overhangs_lowest(const struct overhangs *overhangs, struct span span,
                          neap_offset floor) {
  uint32_t first = 0, end = overhangs->count;
  while (first < end) {
    uint32_t middle = first + (end - first) / 2;
    if (overhangs_bottom(overhangs, middle) < floor) first = middle + 1;
    else end = middle;
  }
  return lowest_from(overhangs, span, first);
}

/* ---------------------------------------------------------------- all */

/* Whether two fixed rectangles collide: then the higher one begins below the lower one's top. */
static bool any_collide(const struct overhangs *overhangs) {
  for (uint32_t place = 0; place < overhangs->count; place++) {
    struct span span = overhangs_span(overhangs, place);
    neap_offset bottom = overhangs_bottom(overhangs, place);
    if (overhangs_lowest(overhangs, span, bottom) != place) return true;
    uint32_t next = overhangs_lowest(overhangs, span, bottom + 1);
    if (next != OVERHANGS_NONE &&
        overhangs_bottom(overhangs, next) < overhangs_top(overhangs, place))
      return true;
  }
  return false;
}

/*
 * The lowest end of a rectangle among the fixed ones: it moves up to the top of each one that
 * it hits.  After OVERHANGS_LOOKS_MOST of them, a lower bound of that end.
 */
static neap_offset lowest_end(const struct overhangs *overhangs, size_t item) {
  neap_size size = overhangs->part->size[item], alignment = overhangs->part->alignment[item];
  struct span span = overhangs->part->spans[item];
  neap_offset offset = 0;
  for (uint32_t place = 0, looks = 0; looks < OVERHANGS_LOOKS_MOST; place++, looks++) {
    place = lowest_from(overhangs, span, place);
    if (place == OVERHANGS_NONE || overhangs_bottom(overhangs, place) >= offset + size) break;
    neap_offset top = overhangs_top(overhangs, place);
    if (top > offset) offset = round_up(top, alignment);
  }
  return offset + size;
}

/*
 * Without alignments the search notices at once if a rectangle cannot end within the capacity.
 * With alignments it may notice late, so this finds the lowest ends in advance.
 */
static neap_size find_peak(const struct overhangs *overhangs) {
  const struct part *part = overhangs->part;
  neap_size peak = 0;
  for (size_t i = 0; i < part->count; i++) {
    neap_offset end = 0;
    if (part->fixed[i] != NEAP_UNPLACED) end = part->fixed[i] + part->size[i];
    else if (!part->is_unaligned) end = lowest_end(overhangs, i);
    if (end > peak) peak = end;
  }
  return peak;
}

bool overhangs_init(struct overhangs *overhangs, const struct part *part) {
  *overhangs = (struct overhangs){.part = part, .leaves = tree_leaves(part->column_count)};
  for (size_t i = 0; i < part->count; i++)
    overhangs->count += part->fixed[i] != NEAP_UNPLACED;
  if (overhangs->count == 0) return true;
  if (!sort_items(overhangs) || !make_lists(overhangs)) {
    overhangs_clear(overhangs);
    return false;
  }
  overhangs->collide = any_collide(overhangs);
  overhangs->peak = find_peak(overhangs);
  return true;
}

void overhangs_clear(struct overhangs *overhangs) {
  free(overhangs->item);
  free(overhangs->top);
  free(overhangs->across_begin);
  free(overhangs->inside_begin);
  free(overhangs->across);
  free(overhangs->inside);
  *overhangs = (struct overhangs){.count = 0};
}
