/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The relations of each buffer. */
#ifndef FACTS_RELATION_INDEX_H
#define FACTS_RELATION_INDEX_H

#include "model/problem.h"

struct relation_index {
  size_t *ends; /* per buffer: one past its last in `items`; NULL: no buffer has any */
  const neap_relation **items; /* each at both of its buffers, in the order of the problem */
};

/*
 * Lists the relations that have one of the effects.  False when memory is short.  O(buffers +
 * relations), O(1) if there are none.  A zeroed index may be cleared.
 */
bool relation_index_init(struct relation_index *index, const struct neap_problem *problem,
                         unsigned effects);
void relation_index_clear(struct relation_index *index);

/* The relations of one buffer. */
struct related {
  const neap_relation *const *items;
  size_t count;
};

static inline struct related relation_index_of(const struct relation_index *index,
                                               size_t buffer) {
  if (!index->ends) return (struct related){NULL, 0};
  size_t begin = buffer == 0 ? 0 : index->ends[buffer - 1];
  return (struct related){index->items + begin, index->ends[buffer] - begin};
}

/* The other buffer of a relation. */
static inline size_t relation_other(const neap_relation *relation, size_t buffer) {
  return relation->first == buffer ? relation->second : relation->first;
}

#endif
