/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rectangles sorted by their lower or by their upper edge. */
#ifndef SEARCH_EJECTION_EDGES_H
#define SEARCH_EJECTION_EDGES_H

#include <stdbool.h>
#include <stddef.h>

#include "neap/neap.h"

struct edge {
  neap_offset at;
  uint32_t item;
};

/* Ascending; at the same height, by item. */
struct edges {
  struct edge *list;
  size_t count;
};

/* Makes an empty list with room for `most` edges; false when memory is short. */
bool edges_init(struct edges *edges, size_t most);
void edges_clear(struct edges *edges);

void edges_insert(struct edges *edges, struct edge edge);

/* For both, the edge must be in the list. */
void edges_remove(struct edges *edges, struct edge edge);
void edges_move(struct edges *edges, struct edge edge, neap_offset to);

/* The number of edges below a height. */
size_t edges_below(const struct edges *edges, neap_offset height);

#endif
