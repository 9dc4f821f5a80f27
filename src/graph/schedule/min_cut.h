/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Networks with capacities in bytes, and the minimum cut between two nodes: the capacity of the
 * edges to remove so that nothing can flow from one to the other.  It equals the largest flow,
 * which is its proof.
 */
#ifndef SCHEDULE_MIN_CUT_H
#define SCHEDULE_MIN_CUT_H

#include "core/budget.h"
#include "neap/neap.h"

struct cut_edge {
  size_t to, next; /* next: of the same node */
  neap_size room;
};

struct cut {
  size_t *firsts; /* per node: its first edge */
  size_t *levels, *nexts, *queue;
  struct cut_edge *edges; /* edge i goes against edge i ^ 1 */
  size_t node_count, edge_count, node_capacity, edge_capacity;
  neap_size *saved; /* the room of each edge when it was saved */
  size_t saved_count, saved_capacity;
};

/* Begins a network without edges; a cut begins with zeroes.  False if memory is short. */
bool cut_begin(struct cut *cut, size_t node_count);

/*
 * Adds an edge.  The capacities of edges that can be cut sum to at most NEAP_MAX, the capacity
 * of all other edges.
 */
bool cut_join(struct cut *cut, size_t from, size_t to, neap_size bytes);

/*
 * The minimum cut between two nodes, by the algorithm of Y. Dinitz (1970); O(nodes^2 * edges),
 * and far less in practice.  If the budget ends first, returns the flow so far, a lower bound
 * on the cut.
 */
neap_size cut_least(struct cut *cut, size_t from, size_t to, struct budget *budget);

/* Adds a flow of at most `most` to the present flow; returns the flow that was added. */
neap_size cut_flow(struct cut *cut, size_t from, size_t to, neap_size most,
                   struct budget *budget);

/* Saves the edges and the flow, for cut_restore.  False if memory is short. */
bool cut_save(struct cut *cut);

/* Restores the flow, and removes the edges added since then. */
void cut_restore(struct cut *cut);

/* Whether a node is on the side of `from`, which is the smallest of all minimum cuts. */
bool cut_is_before(const struct cut *cut, size_t node);

void cut_clear(struct cut *cut);

#endif
