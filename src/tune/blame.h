/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The share of each buffer in the blame for buffers that end above the bound. */
#ifndef TUNE_BLAME_H
#define TUNE_BLAME_H

#include "tune/room.h"

struct blame {
  double *weights; /* per buffer, in the units that were valid when blame was added */
  double unit;     /* the weight of a blame of 1 now */
  size_t count;
  struct buffer_list found; /* scratch */
};

/* False when memory is short. */
bool blame_init(struct blame *blame, size_t count);
void blame_clear(struct blame *blame);

/* Lets all blame fade, in constant time: blame that is added later weighs more. */
void blame_fade(struct blame *blame);

/* The blame of a buffer, >= 0, in present units: 1 if it was blamed once just now. */
double blame_of(const struct blame *blame, size_t buffer);

/*
 * Blames a buffer and its support chain: the buffer that it rests on, the buffer below that,
 * and so on down to offset 0.  The chain ends after 64 buffers, or at a buffer that is alive
 * together with thousands of others.  False when memory is short.  The time is proportional to
 * the number of buffers alive together with the chain.
 */
bool blame_add(struct blame *blame, const struct room_layout *layout, size_t buffer);

#endif
