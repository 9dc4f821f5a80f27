/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "schedule/min_cut.h"

#include <stdlib.h>

#include "core/memory.h"

#define NONE SIZE_MAX

bool cut_begin(struct cut *cut, size_t node_count) {
  if (node_count > cut->node_capacity) {
    cut_clear(cut);
    cut->firsts = memory_array(node_count, sizeof *cut->firsts);
    cut->levels = memory_array(node_count, sizeof *cut->levels);
    cut->nexts = memory_array(node_count, sizeof *cut->nexts);
    cut->queue = memory_array(node_count, sizeof *cut->queue);
    if (!cut->firsts || !cut->levels || !cut->nexts || !cut->queue) return false;
    cut->node_capacity = node_count;
  }
  cut->node_count = node_count;
  cut->edge_count = 0;
  for (size_t n = 0; n < node_count; n++)
    cut->firsts[n] = NONE;
  return true;
}

static void add_edge(struct cut *cut, size_t from, size_t to, neap_size room) {
  cut->edges[cut->edge_count] = (struct cut_edge){to, cut->firsts[from], room};
  cut->firsts[from] = cut->edge_count++;
}

bool cut_join(struct cut *cut, size_t from, size_t to, neap_size bytes) {
  if (!memory_reserve(&cut->edges, &cut->edge_capacity, cut->edge_count + 2,
                      sizeof *cut->edges))
    return false;
  add_edge(cut, from, to, bytes);
  add_edge(cut, to, from, 0);
  return true;
}

/* ---------------------------------------------------------------- flows */

/*
 * Numbers the nodes by their distance from `start` along edges with room, or by their distance
 * to `start` if `is_against`.  Stops at `end`; false if `end` cannot be reached.
 */
static bool find_levels(struct cut *cut, size_t start, size_t end, bool is_against) {
  size_t head = 0, tail = 0;
  for (size_t n = 0; n < cut->node_count; n++)
    cut->levels[n] = NONE;
  cut->levels[start] = 0;
  cut->queue[tail++] = start;
  while (head < tail && cut->levels[end] == NONE) {
    size_t at = cut->queue[head++];
    for (size_t e = cut->firsts[at]; e != NONE; e = cut->edges[e].next) {
      size_t next = cut->edges[e].to;
      if (cut->edges[is_against ? e ^ 1 : e].room == 0 || cut->levels[next] != NONE) continue;
      cut->levels[next] = cut->levels[at] + 1;
      cut->queue[tail++] = next;
    }
  }
  return cut->levels[end] != NONE;
}

/* Finds a node's next edge with room to the level before; false if there is none left. */
static bool find_next(struct cut *cut, size_t at) {
  for (size_t *e = &cut->nexts[at]; *e != NONE; *e = cut->edges[*e].next) {
    const struct cut_edge *edge = &cut->edges[*e];
    if (edge->room > 0 && cut->levels[edge->to] + 1 == cut->levels[at]) return true;
  }
  return false;
}

/*
 * Sends at most `most` bytes along a path of `length` edges; returns the number of edges before
 * the first full one.
 */
static size_t fill_path(struct cut *cut, const size_t *path, size_t length, neap_size most,
                        neap_size *total) {
  size_t left = length;
  for (size_t i = 0; i < length; i++)
    if (cut->edges[path[i]].room < most) most = cut->edges[path[i]].room;
  for (size_t i = length; i-- > 0;) {
    cut->edges[path[i]].room -= most;
    cut->edges[path[i] ^ 1].room += most;
    if (cut->edges[path[i]].room == 0) left = i;
  }
  *total += most;
  return left;
}

/* Fills shortest paths, all or up to `most`; the queue holds the edges of the present path. */
static neap_size fill_level(struct cut *cut, size_t from, size_t to, neap_size most,
                            struct budget *budget) {
  size_t *path = cut->queue, length = 0, at = from;
  neap_size total = 0;
  for (size_t n = 0; n < cut->node_count; n++)
    cut->nexts[n] = cut->firsts[n];
  while (total < most && budget_tick(budget)) {
    if (at == to) {
      length = fill_path(cut, path, length, most - total, &total);
      at = length > 0 ? cut->edges[path[length - 1]].to : from;
    } else if (find_next(cut, at)) {
      path[length++] = cut->nexts[at];
      at = cut->edges[cut->nexts[at]].to;
    } else {
      if (at == from) break;
      cut->levels[at] = NONE;
      at = cut->edges[path[--length] ^ 1].to;
    }
  }
  return total;
}

neap_size cut_flow(struct cut *cut, size_t from, size_t to, neap_size most,
                   struct budget *budget) {
  neap_size total = 0;
  while (total < most && budget_tick(budget) && find_levels(cut, to, from, true))
    total += fill_level(cut, from, to, most - total, budget);
  return total;
}

neap_size cut_least(struct cut *cut, size_t from, size_t to, struct budget *budget) {
  neap_size total = cut_flow(cut, from, to, NEAP_MAX, budget);
  find_levels(cut, from, to, false);
  return total;
}

bool cut_save(struct cut *cut) {
  if (!memory_reserve(&cut->saved, &cut->saved_capacity, cut->edge_count, sizeof *cut->saved))
    return false;
  for (size_t e = 0; e < cut->edge_count; e++)
    cut->saved[e] = cut->edges[e].room;
  cut->saved_count = cut->edge_count;
  return true;
}

void cut_restore(struct cut *cut) {
  while (cut->edge_count > cut->saved_count) {
    size_t e = --cut->edge_count;
    cut->firsts[cut->edges[e ^ 1].to] = cut->edges[e].next;
  }
  for (size_t e = 0; e < cut->edge_count; e++)
    cut->edges[e].room = cut->saved[e];
}

/* The levels are those of a search that has not found `to`. */
bool cut_is_before(const struct cut *cut, size_t node) { return cut->levels[node] != NONE; }

void cut_clear(struct cut *cut) {
  free(cut->firsts);
  free(cut->levels);
  free(cut->nexts);
  free(cut->queue);
  free(cut->edges);
  free(cut->saved);
  *cut = (struct cut){.firsts = NULL};
}
