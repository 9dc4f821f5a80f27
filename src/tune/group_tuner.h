/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The group tuner: sorts a group, places it on what is there, and rearranges it until one of
 * its own goals holds.
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
  uint64_t cap; /* orders tried for a group at most, >= 1 */
  neap_size bound;
  struct random *random;
  struct history history;
  size_t *sorted, *last, *best, *next; /* room for the largest group each */
  uint64_t rounds;                     /* orders placed, of all groups so far */
};

/*
 * The fields from `problem` to `random` are set by the caller; this sets up the others.  False
 * when memory is short.
 */
bool group_tuner_init(struct group_tuner *tuner, size_t largest_group);
void group_tuner_clear(struct group_tuner *tuner);

/*
 * Tunes a group, whose members end up in the order found, and leaves them placed so.
 * NEAP_NO_PLAN when the budget is spent: the group is then placed in part or not at all.
 */
neap_status group_tuner_run(struct group_tuner *tuner, size_t *members, size_t count,
                            neap_error *error);

#endif
