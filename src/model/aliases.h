/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which tensors lie where in which others, so that concatenations and splits copy nothing.  It depends
 * on the graph and on options alone, never on the order of the operators.
 */
#ifndef MODEL_ALIASES_H
#define MODEL_ALIASES_H

#include "model/graph.h"

/* Bodies are named by one of their tensors.  Arrays are NULL if no tensor lies in another. */
struct aliases {
  size_t count;         /* tensors */
  size_t *bodies;       /* per tensor: its body, which is itself if nothing shares its bytes */
  neap_offset *offsets; /* per tensor: in its body, whose lowest byte is 0 */
  bool *is_divided;     /* per body: its tensors do not all cover the same bytes */
};

/*
 * The graph's liveness must have been checked.  Begin with zeroes; clear even on failure.
 * O(n log n) time and O(n) memory for n tensors, operators, pairs and parts.
 */
neap_status aliases_init(struct aliases *aliases, const struct neap_graph *graph,
                         const neap_liveness *options, neap_error *error);
void aliases_clear(struct aliases *aliases);

static inline size_t aliases_body(const struct aliases *aliases, size_t tensor) {
  return aliases->bodies ? aliases->bodies[tensor] : tensor;
}

static inline neap_offset aliases_offset(const struct aliases *aliases, size_t tensor) {
  return aliases->offsets ? aliases->offsets[tensor] : 0;
}

/* Whether no tensor shares some of a tensor's bytes only: just then it may be overwritten in place. */
static inline bool aliases_is_simple(const struct aliases *aliases, size_t tensor) {
  return !aliases->is_divided || !aliases->is_divided[aliases->bodies[tensor]];
}

/* Whether two tensors lie in the same bytes. */
bool aliases_is_same(const struct aliases *aliases, const struct neap_graph *graph,
                     size_t first, size_t second);

#endif
