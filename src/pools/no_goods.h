/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * No-goods: sets of units that do not fit into a pool together.  Tracks units that enter and
 * leave pools.
 */
#ifndef POOLS_NO_GOODS_H
#define POOLS_NO_GOODS_H

#include <stdbool.h>
#include <stddef.h>

struct no_good {
  size_t pool;
  size_t *units;
  size_t count;
  size_t present; /* the number of its units in the pool now */
  bool is_proven; /* otherwise, the search only found no layout within its limits */
};

struct no_goods {
  struct no_good *items;
  size_t count, capacity;
  /* A list, per unit, of the sets that contain it: links[first[unit]], then by `next`. */
  struct no_good_link {
    size_t item, next;
  } * links;
  size_t link_count, link_capacity;
  size_t *first; /* NO_GOODS_END: none */
};

#define NO_GOODS_END ((size_t)-1)

bool no_goods_init(struct no_goods *no_goods, size_t units);
void no_goods_clear(struct no_goods *no_goods);

/* Adds a set whose units are all in the pool now; false if memory runs out. */
bool no_goods_add(struct no_goods *no_goods, size_t pool, const size_t *units, size_t count,
                  bool is_proven);

/* Forgets the sets that are not proven. */
void no_goods_forget_open(struct no_goods *no_goods, size_t units);

/* Records that a unit enters or leaves a pool. */
void no_goods_enter(struct no_goods *no_goods, size_t unit, size_t pool);
void no_goods_leave(struct no_goods *no_goods, size_t unit, size_t pool);

/*
 * Whether the unit would complete a no-good if it entered the pool; *is_proven tells whether
 * one of these is proven.
 */
bool no_goods_forbid(const struct no_goods *no_goods, size_t unit, size_t pool,
                     bool *is_proven);

#endif
