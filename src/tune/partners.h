/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds the buffers of a set that are alive together with a given one for longest. Buffers can
 * be removed from the set.
 */
#ifndef TUNE_PARTNERS_H
#define TUNE_PARTNERS_H

#include "core/heap.h"
#include "model/problem.h"

struct partners {
  const struct neap_problem *problem;
  const size_t *members; /* the caller's, by position */
  size_t leaves;         /* of a tree over the members (core/tree.h) */
  struct partners_node *nodes;
  size_t *leaf_position; /* positions by ascending start */
  size_t *position_leaf; /* the inverse of leaf_position */
  struct heap heap;      /* of the current search */
  size_t seed;
  neap_time seed_duration;
  neap_range seed_hull;
};

/*
 * From here on, members are identified by their positions, 0 .. count - 1. False when memory is
 * short.
 */
bool partners_init(struct partners *partners, const struct neap_problem *problem,
                   const size_t *members, size_t count);
void partners_clear(struct partners *partners);

/* Removes a member. */
void partners_remove(struct partners *partners, size_t position);

/* Begins a search for the members that overlap buffer `seed`. False when memory is short. */
bool partners_search(struct partners *partners, size_t seed);

/*
 * Finds the next member, by descending overlap with the seed, then by position; *position is
 * SIZE_MAX if there is none. No member may be removed between partners_search and the last
 * call. False when memory is short.
 */
bool partners_next(struct partners *partners, size_t *position, neap_time *overlap);

#endif
