/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which operators run before or after a given operator in every order. */
#ifndef SCHEDULE_BEFORE_AFTER_H
#define SCHEDULE_BEFORE_AFTER_H

#include "schedule/costs.h"

enum side { SIDE_EITHER, SIDE_BEFORE, SIDE_SELF, SIDE_AFTER };

/* The operators of a whole graph, or of a segment in the segment's numbering. */
struct sides {
  size_t count;
  const struct costs_lists *befores, *afters, *readers;
  const struct shares *shares;
  const unsigned char *lives; /* NULL: no value stays */
  unsigned char *of;          /* per operator; SIDE_EITHER at first */
  size_t *stack;
};

/* Returns sides of a whole graph, with the members before `of` set. */
struct sides sides_of(const struct costs *costs);

/* The members before `of` must be set.  False if memory is short; clear even then. */
bool sides_init(struct sides *sides);
void sides_clear(struct sides *sides);

/* Finds the sides relative to operator k; O(operators + dependences). */
void sides_find(struct sides *sides, size_t k);

/*
 * Puts a set of operators before the current operator, which must not be in the set.  All
 * dependences of the set's operators must be in the set.
 */
void sides_put_before(struct sides *sides, const uint64_t *set);

/* Whether the value stays, or an operator of a side at or above `from` reads it. */
bool sides_need_from(const struct sides *sides, size_t value, enum side from);

/* An upper bound on k's savings in any order: inputs that nothing needs later may end. */
neap_size sides_most_shared(const struct sides *sides, size_t k, struct share_uses uses);

#endif
