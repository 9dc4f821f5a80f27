/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds pairs of buffers that share bytes while both are alive, or although they are separated,
 * unless relations permit it.  The verifier and the check of fixed offsets use it; no engine
 * does.
 */
#ifndef VERIFY_COLLIDE_H
#define VERIFY_COLLIDE_H

#include "facts/placement.h"
#include "neap/proof.h"

/*
 * Finds one collision if there is any, and always the same one.  Skips buffers whose offset is
 * NEAP_UNPLACED.  O(n log n) time, O(n) memory for n ranges of time and relations.
 */
neap_status collide_first(const struct placement *placement, neap_collision *collision,
                          bool *found, neap_error *error);

/*
 * Finds two buffers whose fixed offsets collide; *found is false when there are none.  With
 * pools, considers only buffers whose pool is certain.
 */
neap_status collide_fixed(const struct neap_problem *problem, neap_collision *collision,
                          bool *found, neap_error *error);

/*
 * The collisions of a layout: overlaps of two lifetimes, and pairs that only a separation keeps
 * apart; as many as the caller asked for.
 */
struct collisions {
  neap_collision *items; /* by first, then second, then time; released with free() */
  size_t count;
  uint64_t total; /* how many there are, listed or not */
};

/*
 * Lists up to `limit` collisions, those that begin earliest and then those of separations, and
 * counts all of them.  O((n + listed) log n) time, O(n + listed) memory.
 */
neap_status collide_all(const struct placement *placement, size_t limit,
                        struct collisions *collisions, neap_error *error);

#define COLLIDE_TEXT 960

/*
 * "'a' and 'b' share bytes [10, 20) while both live, at times [2, 5)", followed by a separation or
 * an overlap that relates the two.  Returns `text`.
 */
const char *collide_text(const struct neap_problem *problem, const neap_collision *collision,
                         char text[COLLIDE_TEXT]);

#endif
