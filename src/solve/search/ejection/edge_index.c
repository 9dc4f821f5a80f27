/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 *     time ───────────────────────────────►
 *     │ strip 1 │  strip 2   │  strip 3   │
 *        ▭  ▭▭    ▭  ▭ ▭▭       ▭   ▭          each in one strip: few edges to visit
 *             ▭▭▭▭▭▭▭▭▭▭▭▭▭▭▭▭▭                in several strips: all edges are visited
 *
 * About STRIPS_PER_STRIP rectangles begin in each strip.  Small parts have one strip, all
 * time.  A change costs, per strip that the rectangle touches, a bisection and a move of the
 * edges above it.
 */
#include "search/ejection/ejector.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/bisection.h"
#include "core/knobs.h"
#include "core/memory.h"

/* ---------------------------------------------------------------- a sorted list */

bool edges_init(struct edges *edges, size_t most) {
  *edges = (struct edges){.list = memory_array(most, sizeof *edges->list)};
  return edges->list != NULL;
}

void edges_clear(struct edges *edges) {
  free(edges->list);
  *edges = (struct edges){0};
}

static bool is_before(struct edge left, struct edge right) {
  return left.at != right.at ? left.at < right.at : left.item < right.item;
}

/* The number of edges before a given edge. */
static size_t rank_of(const struct edges *edges, struct edge edge) {
  struct bisection search = bisection_of(0, edges->count);
  while (bisection_open(&search))
    bisection_step(&search, is_before(edges->list[search.middle], edge));
  return search.low;
}

void edges_insert(struct edges *edges, struct edge edge) {
  struct edge *place = edges->list + rank_of(edges, edge);
  memmove(place + 1, place, (size_t)(edges->list + edges->count - place) * sizeof *place);
  *place = edge;
  edges->count++;
}

void edges_remove(struct edges *edges, struct edge edge) {
  struct edge *place = edges->list + rank_of(edges, edge);
  assert(place < edges->list + edges->count && place->item == edge.item);
  edges->count--;
  memmove(place, place + 1, (size_t)(edges->list + edges->count - place) * sizeof *place);
}

void edges_move(struct edges *edges, struct edge edge, neap_offset to) {
  size_t place = rank_of(edges, edge);
  assert(place < edges->count && edges->list[place].item == edge.item);
  struct edge moved = {to, edge.item};
  struct edge *list = edges->list;
  for (; place > 0 && is_before(moved, list[place - 1]); place--)
    list[place] = list[place - 1];
  for (; place + 1 < edges->count && is_before(list[place + 1], moved); place++)
    list[place] = list[place + 1];
  list[place] = moved;
}

size_t edges_below(const struct edges *edges, neap_offset height) {
  return rank_of(edges, (struct edge){height, 0});
}

/* ---------------------------------------------------------------- strips */

/* The number of rectangles that begin in a strip. */

/* The strip in which a column lies. */
static uint32_t strip_of(const struct strips *strips, uint32_t column) {
  uint32_t strip = 1;
  while (strip + 1 < strips->count && strips->begins[strip + 1] <= column)
    strip++;
  return strip;
}

static void divide(struct strips *strips) {
  const struct part *part = strips->part;
  strips->count = 2;
  for (size_t i = STRIPS_PER_STRIP; i < part->count && !part->has_gaps; i += STRIPS_PER_STRIP) {
    uint32_t begin = part_hull(part, i).first;
    if (begin > strips->begins[strips->count - 1]) strips->begins[strips->count++] = begin;
  }
  bool is_one = strips->count == 2;
  if (is_one) strips->count = 1;
  assert(strips->count <= part->count / STRIPS_PER_STRIP + 3);
  for (size_t i = 0; i < part->count; i++) {
    struct span hull = part_hull(part, i);
    strips->first[i] = 1;
    if (is_one) continue;
    strips->first[i] = strip_of(strips, hull.first);
    strips->last[i] = strip_of(strips, hull.end - 1);
    assert(strips->first[i] <= strips->last[i] && strips->last[i] < strips->count);
  }
}

/* Makes room for all rectangles that touch a strip. */
static bool open_strip(struct strips *strips, size_t k) {
  size_t most = 0;
  for (size_t i = 0; i < strips->part->count; i++)
    most += k == 0 || (strips->first[i] <= k && k <= strips->last[i]);
  return edges_init(&strips->list[k].bottoms, most) && edges_init(&strips->list[k].tops, most);
}

bool strips_init(struct strips *strips, const struct part *part) {
  size_t most = part->count / STRIPS_PER_STRIP + 3;
  strips->part = part;
  strips->list = memory_array(most, sizeof *strips->list);
  strips->begins = memory_array(most, sizeof *strips->begins);
  strips->first = memory_array(part->count, sizeof *strips->first);
  strips->last = memory_array(part->count, sizeof *strips->last);
  if (!strips->list || !strips->begins || !strips->first || !strips->last) return false;
  divide(strips);
  for (size_t k = 0; k < strips->count; k++)
    if (!open_strip(strips, k)) return false;
  return true;
}

void strips_clear(struct strips *strips) {
  for (size_t k = 0; k < strips->count; k++) {
    edges_clear(&strips->list[k].bottoms);
    edges_clear(&strips->list[k].tops);
  }
  free(strips->list);
  free(strips->begins);
  free(strips->first);
  free(strips->last);
  *strips = (struct strips){0};
}

static struct edge top_at(const struct strips *strips, uint32_t item, neap_offset offset) {
  return (struct edge){offset + strips->part->size[item], item};
}

/* The next strip that a rectangle touches; strip 0, all time, comes first. */
static uint32_t next_strip(const struct strips *strips, uint32_t item, uint32_t strip) {
  return strip == 0 ? strips->first[item] : strip + 1;
}

void strips_insert(struct strips *strips, uint32_t item, neap_offset offset) {
  for (uint32_t k = 0; k <= strips->last[item]; k = next_strip(strips, item, k)) {
    edges_insert(&strips->list[k].bottoms, (struct edge){offset, item});
    edges_insert(&strips->list[k].tops, top_at(strips, item, offset));
  }
}

void strips_remove(struct strips *strips, uint32_t item, neap_offset offset) {
  for (uint32_t k = 0; k <= strips->last[item]; k = next_strip(strips, item, k)) {
    edges_remove(&strips->list[k].bottoms, (struct edge){offset, item});
    edges_remove(&strips->list[k].tops, top_at(strips, item, offset));
  }
}

void strips_move(struct strips *strips, uint32_t item, neap_offset from, neap_offset to) {
  for (uint32_t k = 0; k <= strips->last[item]; k = next_strip(strips, item, k)) {
    edges_move(&strips->list[k].bottoms, (struct edge){from, item}, to);
    edges_move(&strips->list[k].tops, top_at(strips, item, from), top_at(strips, item, to).at);
  }
}
