/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The live-size curve: the bytes alive at each time.  Bytes that relations let buffers share
 * count once.  The largest value is the bound.
 */
#ifndef FACTS_LIVE_BYTES_H
#define FACTS_LIVE_BYTES_H

#include "model/problem.h"

/* `bytes` are alive from `time` to the next step. */
struct live_step {
  neap_time time;
  neap_size bytes;
};

/*
 * Steps ascend strictly in time, and each differs in bytes from the previous one.  No bytes are
 * alive before the first step or after the last.  Buffers of size 0 are ignored.
 */
struct live {
  size_t count;
  struct live_step *steps;
};

/* O(n log n) time, O(n) memory, plus what loads_find needs. */
neap_status live_init(struct live *live, const struct neap_problem *problem, neap_error *error);
void live_clear(struct live *live);

/* Adds another curve to this one; their sums must not exceed NEAP_MAX.  O(steps of both). */
neap_status live_add(struct live *live, const struct live *other, neap_error *error);

#endif
