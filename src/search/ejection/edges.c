/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "search/ejection/edges.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/bisection.h"
#include "core/memory.h"

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

/* The number of edges before one. */
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
