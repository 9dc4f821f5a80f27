/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The exact way: an exact search (search/minimiser) looks for a layout of the group alone
 * within the bound, or else for the lowest one.  The members are then ordered by their offsets
 * in this layout, lowest first.  Placed into an empty container in this order, no member is
 * higher than in the layout (doc/tuner.md, "Searching orders is enough").  Later proposals are
 * those of `auto`.  If the problem has relations, all proposals are, because the members alone
 * would lack them.
 *
 * The search spends the run's ticks and ends when the run ends, with the best layout so far.
 */
#include <assert.h>
#include <stdlib.h>

#include "core/memory.h"
#include "search/minimiser.h"
#include "tune/rearrange.h"

/* The limit on ticks for one group: a few tenths of a second. */
#define GROUP_TICKS UINT64_C(100000)

/* A problem of the members only, in their first order; NULL when memory is short. */
static neap_problem *problem_of(const struct trial *trial) {
  neap_problem *problem = neap_problem_new();
  neap_status status = problem ? NEAP_OK : NEAP_ERROR_MEMORY;
  for (size_t i = 0; i < trial->count && status == NEAP_OK; i++) {
    neap_buffer buffer = NEAP_INIT(neap_buffer);
    neap_problem_buffer_at(trial->problem, trial->sorted[i], &buffer);
    status = neap_problem_add(problem, &buffer, NULL);
  }
  if (status == NEAP_OK) return problem;
  neap_problem_free(problem);
  return NULL;
}

/* Lowers the layout in `offsets`, which has one offset per buffer of the problem. */
static neap_status lower_layout(const struct trial *trial, const neap_problem *problem,
                                neap_offset *offsets) {
  struct budget budget;
  struct minimiser *minimiser;
  struct minimiser_task task = {.problem = problem,
                                .incumbent = offsets,
                                .capacity = trial->bound,
                                .rules = RULES_ALL,
                                .seed = 1,
                                .budget = &budget};
  budget_init_within(&budget, trial->budget, GROUP_TICKS);
  neap_status status = minimiser_new(&minimiser, &task, NULL);
  if (status != NEAP_OK) return status;
  for (bool done = false; !done && status == NEAP_OK;)
    status = minimiser_step(minimiser, &done, NULL);
  for (size_t i = 0; i < trial->count; i++)
    offsets[i] = minimiser_offsets(minimiser)[i];
  minimiser_free(minimiser);
  budget_look(&budget);
  return status == NEAP_NO_PLAN ? NEAP_OK : status;
}

/* Insertion sort: groups are small, and members with equal offsets must keep their order. */
static void sort_by_offset(const struct trial *trial, neap_offset *offsets, size_t *next) {
  for (size_t i = 0; i < trial->count; i++) {
    neap_offset offset = offsets[i];
    size_t at = i;
    for (; at > 0 && offsets[at - 1] > offset; at--) {
      offsets[at] = offsets[at - 1];
      next[at] = next[at - 1];
    }
    offsets[at] = offset;
    next[at] = trial->sorted[i];
  }
}

static enum proposal propose_exact(const struct trial *trial, size_t *next) {
  neap_problem *problem = problem_of(trial);
  neap_offset *offsets = memory_array(trial->count, sizeof *offsets);
  neap_status status = problem && offsets ? NEAP_OK : NEAP_ERROR_MEMORY;
  assert(trial->count >= 1);
  for (size_t i = 0; status == NEAP_OK && i < trial->count; i++)
    offsets[i] = trial->offsets[trial->sorted[i]]; /* the group is placed in full */
  if (status == NEAP_OK) status = lower_layout(trial, problem, offsets);
  if (status == NEAP_OK) sort_by_offset(trial, offsets, next);
  neap_problem_free(problem);
  free(offsets);
  if (status == NEAP_ERROR_MEMORY) return PROPOSAL_MEMORY;
  return status == NEAP_OK ? PROPOSAL_MADE : PROPOSAL_NONE;
}

enum proposal exact_propose(const struct trial *trial, size_t *next) {
  bool is_first = trial->tried == 1 && !trial->problem->relations;
  return is_first ? propose_exact(trial, next) : auto_propose(trial, next);
}
