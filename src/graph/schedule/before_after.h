/* SPDX-License-Identifier: GPL-3.0-or-later */
/* When operators run, in every order, relative to one of them. */
#ifndef SCHEDULE_BEFORE_AFTER_H
#define SCHEDULE_BEFORE_AFTER_H

#include "schedule/costs.h"

enum side { SIDE_EITHER, SIDE_BEFORE, SIDE_SELF, SIDE_AFTER };

/* Of a whole graph or of a segment, whose numbers are then those of the segment. */
struct sides {
  size_t count;
  const struct costs_lists *befores, *afters, *readers;
  const struct shares *shares;
  const unsigned char *lives; /* NULL: no value stays */
  unsigned char *of;          /* per operator; SIDE_EITHER at first */
  size_t *stack;
};

/* The members of a whole graph before `of`. */
struct sides sides_of(const struct costs *costs);

/* The members before `of` are set.  False if memory is short; clear even then. */
bool sides_init(struct sides *sides);
void sides_clear(struct sides *sides);

/* Finds the sides relative to operator k; O(operators + dependences). */
void sides_find(struct sides *sides, size_t k);

/*
 * Puts a set of operators before the present one, which is not in it; all that they depend on
 * is in it, too.
 */
void sides_put_before(struct sides *sides, const uint64_t *set);

/* Whether the value stays, or an operator that runs after that one reads it. */
bool sides_need_later(const struct sides *sides, size_t value);

/* No less than operator k saves in any order: inputs that nothing needs later may end. */
neap_size sides_most_shared(const struct sides *sides, size_t k, struct share_uses uses);

#endif
