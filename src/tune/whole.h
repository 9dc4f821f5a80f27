/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Searches for lower layouts of all buffers at once, which helps where groups do not. */
#ifndef TUNE_WHOLE_H
#define TUNE_WHOLE_H

#include "core/budget.h"
#include "facts/sections.h"

struct whole_task {
  const struct neap_problem *problem;
  const struct sections *sections; /* SECTIONS_ALL */
  struct budget *budget;
  neap_size bound; /* the peak cannot, or need not, be below this */
  uint64_t seed;
  uint64_t variant; /* different variants search in different orders from the start */
};

/* The searches: with sizes as they are, and with sizes rounded up to the alignments. */
enum whole_search { WHOLE_PLAIN, WHOLE_ROUNDED, WHOLE_SEARCHES };

struct whole;

/* The task's pointers must stay valid as long as the result.  NULL when memory is short. */
struct whole *whole_new(const struct whole_task *task);
void whole_free(struct whole *whole);

/* Whether the search has targets left to try. */
bool whole_can_go_on(const struct whole *whole, enum whole_search search);

/*
 * Makes one restart of a search, from a sound layout, which becomes lower or stays as it is.
 * The search must have something left to try.  NEAP_NO_PLAN when the budget is spent;
 * NEAP_ERROR_MEMORY.
 */
neap_status whole_step(struct whole *whole, enum whole_search search, neap_offset *layout,
                       neap_error *error);

/* The best lower bound proven, at least the task's bound. */
neap_size whole_lower_bound(const struct whole *whole);

#endif
