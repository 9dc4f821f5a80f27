/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The live-size curve: how many bytes are alive, over all of time. */
#ifndef MODEL_LIVE_H
#define MODEL_LIVE_H

#include "model/problem.h"

/* `bytes` are alive from `time` to the next step. */
struct live_step {
  neap_time time;
  neap_size bytes;
};

/*
 * The steps ascend strictly in time, and each differs in bytes from the one before; before the
 * first and from the last on nothing is alive.  Buffers of size 0 leave no trace.
 */
struct live {
  size_t count;
  struct live_step *steps;
};

/* O(n log n) time, O(n) memory. */
neap_status live_init(struct live *live, const struct neap_problem *problem, neap_error *error);
void live_clear(struct live *live);

#endif
