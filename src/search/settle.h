/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where tied rectangles can lie, given which of the others are placed. */
#ifndef SEARCH_SETTLE_H
#define SEARCH_SETTLE_H

#include "search/ties.h"

/* Which rectangles are not placed, as bits, and the offsets of those that are. */
struct settle_view {
  const struct ties *ties;
  const uint64_t *left;
  const neap_offset *offsets;
  neap_offset limit; /* higher offsets are of no interest */
};

/*
 * The lowest offset of a rectangle at or above `from` that its domain and its placed partners allow,
 * and, if it is in a body, those of all other members, too; NEAP_UNPLACED if there is none up to
 * the limit.  The rectangle itself is not placed.
 */
neap_offset settle_lowest(const struct settle_view *view, uint32_t rectangle, neap_offset from);

/*
 * The rectangle is not placed, its partner neither.  The least offset that it can have if it rests
 * on the partner, which lies at `low` or higher.
 */
neap_offset settle_on(const struct tie_partner *partner, neap_offset low);

#endif
