/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Shares the work among several ways to lower a layout.  The next turn goes to the way with the
 * least work in proportion to its worth.  A way that lowers the peak gains worth, as in
 * adaptive large-neighbourhood search (Ropke and Pisinger 2006).
 */
#ifndef TUNE_SHARES_H
#define TUNE_SHARES_H

#include <stdbool.h>
#include <stddef.h>

#define SHARES_MOST 4

struct shares {
  size_t count;
  struct {
    double work, worth;
    bool is_closed; /* nothing is left to try */
  } ways[SHARES_MOST];
};

void shares_init(struct shares *shares, size_t count);

/* The way whose turn it is, the first among equals; `count` if all are closed. */
size_t shares_choose(const struct shares *shares);

/* Records work of a way, in ticks. */
void shares_spend(struct shares *shares, size_t way, double ticks);

/* Records that a way has lowered the peak. */
void shares_reward(struct shares *shares, size_t way);

#endif
