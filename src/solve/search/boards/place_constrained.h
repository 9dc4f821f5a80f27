/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The lowest possible offset of a tied rectangle, given the rectangles already placed. */
#ifndef SEARCH_BOARDS_PLACE_CONSTRAINED_H
#define SEARCH_BOARDS_PLACE_CONSTRAINED_H

#include "search/constraint_groups.h"

/*
 * The state of the search: `left` has a bit per rectangle not placed, NULL: none is; `offsets`
 * holds the others.
 */
struct settle_view {
  const struct ties *ties;
  const uint64_t *left;
  const neap_offset *offsets;
  neap_offset limit; /* higher offsets count as impossible */
};

/*
 * The lowest offset of a rectangle, at or above `from`, that its domain and its placed partners
 * allow.  In a body, the domains and partners of all members must allow theirs.  NEAP_UNPLACED
 * if there is none up to the limit.  The rectangle must not be placed.
 */
neap_offset settle_lowest(const struct settle_view *view, uint32_t rectangle, neap_offset from);

/*
 * The least offset of a rectangle that rests on a partner lying at `low` or higher.  Neither is
 * placed.
 */
neap_offset settle_on(const struct tie_partner *partner, neap_offset low);

#endif
