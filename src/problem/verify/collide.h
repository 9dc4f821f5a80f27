/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds pairs of buffers that share bytes while both are alive, or although they are separated,
 * unless relations permit it.  The verifier and the check of fixed offsets use it; no engine
 * does.
 */
#ifndef VERIFY_COLLIDE_H
#define VERIFY_COLLIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
 * Lists up to `limit` collisions, the earliest first and collisions of separations last, and
 * counts all collisions.  O((n + listed) log n) time, O(n + listed) memory.
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

/* ---------------------------------------------------------------- tally */

/*
 * Counts the live intervals of bytes that share a byte with a given interval.  Intervals belong
 * to groups, and only intervals of the same group share bytes.
 */

struct tally_mark {
  size_t group;
  int64_t at;
};

struct tally {
  struct tally_mark *lows, *highs; /* of all intervals, by group, then ascending */
  size_t count;
  size_t *live_lows, *live_highs; /* Fenwick trees that count the live ones of each */
};

/* Makes room for intervals; false when memory is short.  To be cleared in any case. */
bool tally_init(struct tally *tally, size_t capacity);
void tally_clear(struct tally *tally);

/* Registers an interval, low < high, as not live yet.  After the last one, call tally_seal. */
void tally_enter(struct tally *tally, size_t group, int64_t low, int64_t high);
void tally_seal(struct tally *tally);

/* Makes a registered interval live, or no longer live.  O(log n). */
void tally_set(struct tally *tally, size_t group, int64_t low, int64_t high, bool is_live);

/* The number of live intervals of the group that share a byte with [low, high).  O(log n). */
size_t tally_count(const struct tally *tally, size_t group, int64_t low, int64_t high);

#endif
