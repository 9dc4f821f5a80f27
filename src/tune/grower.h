/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Grows groups for the repacker: a seed and the buffers most related to it. */
#ifndef TUNE_GROWER_H
#define TUNE_GROWER_H

#include "core/random.h"
#include "tune/blame.h"

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
