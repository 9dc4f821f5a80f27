/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rearrangers: propose the next order of a group, given the layout of the last one.
 */
#ifndef TUNE_REARRANGE_H
#define TUNE_REARRANGE_H

#include "core/random.h"
#include "model/problem.h"

/* A group being tuned. */
struct trial {
  const struct neap_problem *problem;
  const neap_offset *offsets; /* the layout of the last order */
  neap_size bound;            /* the goal: a peak at or below this */
  size_t count;               /* number of members */
  const size_t *sorted;       /* the members in their first order */
  const size_t *last;         /* in the last order tried */
  const size_t *best;         /* in the best order so far */
  uint64_t tried;             /* number of orders so far, >= 1 */
  uint64_t cap;               /* maximum number of orders */
  bool repeated;              /* the last proposal had been tried before and was skipped */
  struct random *random;
};

struct rearranger {
  const char *name;
  const char *summary;
  /* Writes the next order to `next` (of trial->count); false if there is none. */
  bool (*propose)(const struct trial *trial, size_t *next);
  /* Whether to ask again after a proposal that was tried before. */
  bool goes_on;
  /* The way proposes no orders; groups are taken out of the layout instead (tune/repacker). */
  bool repacks;
};

/* The table of ways, the default first; NULL after the last. */
const struct rearranger *rearranger_at(size_t index);

/* The index of the way `auto`, which proposes orders. */
size_t rearranger_index_of_orders(void);

/* Whether all orders of the group can be tried within the maximum. */
bool exhaustive_fits(const struct trial *trial);

#endif
