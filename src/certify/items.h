/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A problem as the reasons `column` and `layout` see it: which buffers conflict, how far apart their
 * offsets must be, and where each may be by itself.  Colocations and separated banks only matter as
 * far as colocated buffers do not conflict; what they demand beyond that is ignored.
 */
#ifndef CERTIFY_ITEMS_H
#define CERTIFY_ITEMS_H

#include "core/budget.h"
#include "model/bodies.h"
#include "model/gaps.h"
#include "model/pairs.h"

/* An offset that no buffer can have. */
#define ITEMS_NOWHERE (INT64_C(1) << 60)

/* Buffers of which no two may share a byte, ascending. */
struct clique {
  uint32_t *members;
  uint32_t count;
};

struct items {
  const struct neap_problem *problem;
  struct bodies bodies;
  struct gaps gaps;
  struct pairs excluded, separated;
  struct clique *cliques; /* sorted by their members, each once */
  size_t clique_count, clique_capacity;
};

/* Begin with zeroes, and clear in any case. */
neap_status items_init(struct items *items, const struct neap_problem *problem,
                       neap_error *error);
void items_clear(struct items *items);

/*
 * Whether all numbers are small enough to be added and multiplied, and columns few enough to be
 * listed.
 */
bool items_suit(const struct neap_problem *problem);

/* The least difference of two offsets if `below` lies below; the two conflict. */
neap_size items_gap(const struct items *items, uint32_t below, uint32_t above);

bool items_conflict(const struct items *items, uint32_t i, uint32_t j);

/* Whether two buffers may share no byte. */
bool items_strict(const struct items *items, uint32_t i, uint32_t j);

/*
 * The lowest offset at or above `at` (up to ITEMS_NOWHERE) that a buffer may have by itself, or
 * ITEMS_NOWHERE.  Sets *is_scattered if that takes too many leaps.
 */
neap_offset items_place(const struct items *items, uint32_t buffer, neap_offset at,
                        bool *is_scattered);

/* A buffer, and the lowest offset that it may have. */
struct item_low {
  neap_offset low;
  uint32_t buffer;
};

/*
 * The lowest height that buffers which share no byte can have together, as far as doc/certificate.md
 * tells.  Sorts them by their lows.
 */
neap_size items_stack(const struct items *items, struct item_low *stack, size_t count);

#endif
