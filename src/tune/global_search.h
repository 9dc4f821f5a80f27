/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Searches for lower layouts of all buffers at once, which helps where groups do not. */
#ifndef TUNE_GLOBAL_SEARCH_H
#define TUNE_GLOBAL_SEARCH_H

#include "core/budget.h"
#include "facts/sections.h"

struct global_task {
  const struct neap_problem *problem;
  const struct sections *sections; /* SECTIONS_ALL */
  struct budget *budget;
  neap_size bound; /* the peak cannot, or need not, be below this */
  uint64_t disabled; /* see method_rules_without */
  uint64_t seed;
  uint64_t variant; /* different variants search in different orders from the start */
};

/* The searches: with sizes as they are, and with sizes rounded up to the alignments. */
enum global_kind { GLOBAL_PLAIN, GLOBAL_ROUNDED, GLOBAL_SEARCHES };

struct global_search;

/* The task's pointers must stay valid as long as the result.  NULL when memory is short. */
struct global_search *global_search_new(const struct global_task *task);
void global_search_free(struct global_search *global);

/* Whether the search has targets left to try. */
bool global_search_can_go_on(const struct global_search *global, enum global_kind search);

/*
 * Makes one restart of a search, from a sound layout, which becomes lower or stays as it is.
 * The search must have something left to try.  NEAP_NO_PLAN when the budget is spent;
 * NEAP_ERROR_MEMORY.
 */
neap_status global_search_step(struct global_search *global, enum global_kind search,
                               neap_offset *layout, neap_error *error);

/* The best lower bound proven, at least the task's bound. */
neap_size global_search_lower_bound(const struct global_search *global);

#endif
