/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The rearranger: given how a group's order turned out, which order to try next.  A table of
 * ways.
 */
#ifndef TUNE_REARRANGE_H
#define TUNE_REARRANGE_H

#include "core/random.h"
#include "model/problem.h"

/* A group being tuned, as the ways see it. */
struct trial {
  const struct neap_problem *problem;
  const neap_offset *offsets; /* where the last order tried put the members */
  neap_size bound;            /* what the peak should not pass */
  size_t count;               /* members */
  const size_t *sorted;       /* the members in their first order */
  const size_t *last;         /* in the last order tried */
  const size_t *best;         /* in the best order so far */
  uint64_t tried;             /* orders so far, >= 1 */
  uint64_t cap;               /* orders at most */
  bool repeated; /* the last proposal had been tried before, and was not tried again */
  struct random *random;
};

struct rearranger {
  const char *name;
  const char *summary;
  /* Writes the next order to `next` (of trial->count); false when it has none. */
  bool (*propose)(const struct trial *trial, size_t *next);
  /* Whether a proposal that has been tried before is no reason to end: the way has others. */
  bool goes_on;
};

/* The ways, the default first; NULL past the last. */
const struct rearranger *rearranger_at(size_t index);
const struct rearranger *rearranger_find(const char *name);

/* The ways, one a file. */
bool offenders_propose(const struct trial *trial, size_t *next);
bool top_propose(const struct trial *trial, size_t *next);
bool metrics_propose(const struct trial *trial, size_t *next);
bool search_propose(const struct trial *trial, size_t *next);
bool exact_propose(const struct trial *trial, size_t *next);
bool exhaustive_propose(const struct trial *trial, size_t *next);
bool auto_propose(const struct trial *trial, size_t *next);

/* Whether all orders of the group can be tried within the cap. */
bool exhaustive_fits(const struct trial *trial);

#endif
