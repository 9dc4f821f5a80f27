/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Grows groups for the repacker: a seed and the buffers most related to it. */
#ifndef TUNE_GROWER_H
#define TUNE_GROWER_H

#include "core/random.h"
#include "tune/room.h"

/* ---------------------------------------------------------------- blame */

/* The share of each buffer in the blame for buffers that end above the bound. */

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

/* ---------------------------------------------------------------- grower */

struct grower_task {
  struct room_layout layout;
  const struct blame *blame;
  struct random *random;
  neap_size bound;
};

struct grower;

/* The task's pointers must stay valid as long as the grower.  NULL when memory is short. */
struct grower *grower_new(const struct grower_task *task);
void grower_free(struct grower *grower);

/* Which buffers join a group first. */
enum kinship {
  KIN_LIFETIME, /* buffers with similar lifetimes */
  KIN_NEAR,     /* with similar lifetimes and offsets */
  KIN_STACK,    /* alive at one moment of the seed's life, with similar offsets */
  KIN_ALL       /* all buffers, if they are not too many */
};
#define KINSHIPS 3 /* without KIN_ALL */

struct grower_wish {
  size_t seed; /* a buffer of at least one byte without fixed offset */
  size_t most; /* members, >= 1 */
  enum kinship kinship;
  neap_size peak; /* of the layout, > 0 */
};

/*
 * Makes a group of the seed and other buffers, all with at least one byte and without a fixed
 * offset.  False when memory is short.
 */
bool grower_grow(struct grower *grower, const struct grower_wish *wish);

/* The buffers of the last group, ascending. */
const uint32_t *grower_members(const struct grower *grower, size_t *count);

#endif
