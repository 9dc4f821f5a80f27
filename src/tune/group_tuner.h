/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The group tuner: sorts a group, places it around what is placed already, and rearranges it
 * until one of its goals is reached.
 */
#ifndef TUNE_GROUP_TUNER_H
#define TUNE_GROUP_TUNER_H

#include "place/placer.h"
#include "tune/goals.h"
#include "tune/rearrange.h"

struct group_tuner {
  const struct neap_problem *problem;
  struct placer *placer;
  struct budget *budget;
  const uint32_t *rank; /* of each buffer in the sorted order */
  const struct rearranger *rearranger;
  uint64_t cap; /* maximum number of orders to try for a group, >= 1 */
  neap_size bound;
  struct random *random;
  struct history history;
  size_t *sorted, *last, *best, *next; /* each has room for the largest group */
  uint64_t rounds;                     /* orders placed so far, in all groups */
};

/*
 * The caller sets the fields from `problem` to `random`; this function initialises the others.
 * False when memory is short.
 */
bool group_tuner_init(struct group_tuner *tuner, size_t largest_group);
void group_tuner_clear(struct group_tuner *tuner);

/*
 * Tunes a group: reorders `members` to the best order found and leaves them placed in that
 * order. NEAP_NO_PLAN if the budget is spent; the group is then placed in part or not at all.
 */
neap_status group_tuner_run(struct group_tuner *tuner, size_t *members, size_t count,
                            neap_error *error);

#endif
