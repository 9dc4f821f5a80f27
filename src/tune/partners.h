/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Among a set of buffers from which some are taken away over time: who lives longest together
 * with a given one?
 */
#ifndef TUNE_PARTNERS_H
#define TUNE_PARTNERS_H

#include "model/problem.h"

struct partners {
  const struct neap_problem *problem;
  const size_t *members; /* the caller's, by position */
  size_t leaf_count;
  struct partners_node *nodes;
  size_t *leaf_position;       /* members by ascending start: the position of each */
  size_t *position_leaf;       /* the inverse */
  struct partners_entry *heap; /* of the search under way */
  size_t heap_count, heap_capacity;
  size_t seed;
  neap_time seed_duration;
  neap_range seed_hull;
};

/* Members 0 .. count - 1, named by their position from here on.  False when memory is short. */
bool partners_init(struct partners *partners, const struct neap_problem *problem,
                   const size_t *members, size_t count);
void partners_clear(struct partners *partners);

/* Takes a member away. */
void partners_remove(struct partners *partners, size_t position);

/* Begins a search for those that overlap buffer `seed`.  False when memory is short. */
bool partners_search(struct partners *partners, size_t seed);

/*
 * The next member, by descending overlap with the seed, equal ones by position; *position is
 * SIZE_MAX when there is none left. Nothing may be removed between partners_search and the last
 * call.  False when memory is short.
 */
bool partners_next(struct partners *partners, size_t *position, neap_time *overlap);

#endif
