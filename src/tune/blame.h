/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How much each buffer is to blame for buffers that end above the bound. */
#ifndef TUNE_BLAME_H
#define TUNE_BLAME_H

#include "tune/room.h"

struct blame {
  double *weights; /* per buffer, in units of the time they were given */
  double unit;     /* what a blame of 1 weighs now */
  size_t count;
  struct buffer_list found; /* scratch */
};

/* False when memory is short. */
bool blame_init(struct blame *blame, size_t count);
void blame_clear(struct blame *blame);

/* Lets all blame fade, in constant time: blame added from now on counts for more. */
void blame_fade(struct blame *blame);

/* How much a buffer is to blame, >= 0: 1 if it was blamed once just now. */
double blame_of(const struct blame *blame, size_t buffer);

/*
 * Blames a buffer and its support chain: the buffer it lies on, the one below that, and so on down
 * to the floor.  The chain ends after 64 buffers, or at one that is alive with thousands of others.
 * False when memory is short.  The time depends on how many buffers are alive with the chain.
 */
bool blame_add(struct blame *blame, const struct room_layout *layout, size_t buffer);

#endif
