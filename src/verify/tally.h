/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Counts the live intervals of bytes that share a byte with a given interval.  Intervals belong
 * to groups, and only intervals of the same group share bytes.
 */
#ifndef VERIFY_TALLY_H
#define VERIFY_TALLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
