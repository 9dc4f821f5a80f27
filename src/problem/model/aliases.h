/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds the tensors that can share bytes with parts of other tensors, so that concatenations
 * and splits copy nothing.  The result depends only on the graph and the options, never on the
 * order of the operators.
 */
#ifndef MODEL_ALIASES_H
#define MODEL_ALIASES_H

#include "model/graph.h"
#include "neap/graph.h"

/* A body is identified by one of its tensors.  Arrays are NULL if no tensor is inside another. */
struct aliases {
  size_t count;         /* tensors */
  size_t *bodies;       /* per tensor: its body; the tensor itself if it shares no bytes */
  neap_offset *offsets; /* per tensor: its offset in its body, whose lowest byte is 0 */
  bool *is_divided;     /* per body: whether some tensor covers only some of its bytes */
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

/*
 * Whether all tensors that share bytes with this one share all of them: only then may it be
 * overwritten in place.
 */
static inline bool aliases_is_simple(const struct aliases *aliases, size_t tensor) {
  return !aliases->is_divided || !aliases->is_divided[aliases->bodies[tensor]];
}

/* Whether an operator's pair applies: the output has the input's value, always or in place. */
bool aliases_pair_applies(const neap_liveness *options, const neap_in_place *pair);

/* Whether two tensors cover the same bytes. */
bool aliases_is_same(const struct aliases *aliases, const struct neap_graph *graph,
                     size_t first, size_t second);

#endif
