/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A problem as the reasons see it: which buffers conflict, how far apart their offsets must be,
 * and which offsets each allows by itself.  Colocated buffers do not conflict; apart from that,
 * colocations and separated banks are ignored, which only weakens the proof.
 */
#ifndef CERTIFY_CONFLICTS_H
#define CERTIFY_CONFLICTS_H

#include "core/budget.h"
#include "facts/bodies.h"
#include "facts/pair_rules.h"

/* Stands for infinity: an offset that no buffer can have. */
#define ITEMS_NOWHERE (INT64_C(1) << 60)

struct items {
  const struct neap_problem *problem;
  struct bodies bodies;
  struct pair_rules rules;
};

/* The struct must be zeroed; clear it in any case. */
neap_status items_init(struct items *items, const struct neap_problem *problem,
                       neap_error *error);
void items_clear(struct items *items);

/* Whether all numbers are small enough to be added and multiplied without overflow. */
bool items_suit(const struct neap_problem *problem);

/* The least difference of the offsets of two buffers in conflict if `below` lies below. */
neap_size items_gap(const struct items *items, uint32_t below, uint32_t above);

bool items_conflict(const struct items *items, uint32_t i, uint32_t j);

/* Whether two buffers must not share a byte. */
bool items_strict(const struct items *items, uint32_t i, uint32_t j);

/*
 * place() of doc/certificate.md: the lowest offset at or above `at` that a buffer allows by
 * itself, or ITEMS_NOWHERE.  Sets *is_scattered if finding it takes too many leaps.
 */
neap_offset items_place(const struct items *items, uint32_t buffer, neap_offset at,
                        bool *is_scattered);

/* A buffer and its lowest possible offset. */
struct item_low {
  neap_offset low;
  uint32_t buffer;
};

/*
 * The stack of doc/certificate.md: a lower bound of the height of pairwise strict buffers.
 * Sorts them by their lows, descending.
 */
neap_size items_stack(const struct items *items, struct item_low *stack, size_t count);

#endif
