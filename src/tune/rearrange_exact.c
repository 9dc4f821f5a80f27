/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The exact way: the group alone is searched for a layout within the bound, or the lowest there
 * is, and its members come in the order of the offsets found, from the bottom up.  Placed in that
 * order into a container without others, they lie as low as in the layout.  After that the way is
 * auto.
 */
#include <stdlib.h>

#include "core/memory.h"
#include "search/minimiser.h"
#include "tune/rearrange.h"

/* A group's search ends with this, if not with a proof: some tenths of a second. */
#define TICKS UINT64_C(100000)

/* The members as a problem of their own, in their first order; NULL when memory is short. */
static neap_problem *problem_of(const struct trial *trial) {
  neap_problem *problem = neap_problem_new();
  neap_status status = problem ? NEAP_OK : NEAP_ERROR_MEMORY;
  for (size_t i = 0; i < trial->count && status == NEAP_OK; i++) {
    neap_buffer buffer;
    neap_problem_get(trial->problem, trial->sorted[i], &buffer);
    status = neap_problem_add(problem, &buffer, NULL);
  }
  if (status == NEAP_OK) return problem;
  neap_problem_free(problem);
  return NULL;
}

/* Lowers the layout in `offsets`, one for each of the problem's buffers. */
static bool lower(const struct trial *trial, const neap_problem *problem,
                  neap_offset *offsets) {
  struct budget budget;
  struct minimiser *minimiser;
  struct minimiser_task task = {.problem = problem,
                                .incumbent = offsets,
                                .capacity = trial->bound,
                                .rules = RULES_ALL,
                                .seed = 1,
                                .budget = &budget};
  budget_init(&budget, TICKS, 0);
  if (minimiser_new(&minimiser, &task, NULL) != NEAP_OK) return false;
  neap_status status = NEAP_OK;
  for (bool done = false; !done && status == NEAP_OK;)
    status = minimiser_step(minimiser, &done, NULL);
  for (size_t i = 0; i < trial->count; i++)
    offsets[i] = minimiser_offsets(minimiser)[i];
  minimiser_free(minimiser);
  return status == NEAP_OK || status == NEAP_NO_PLAN;
}

/* Insertion sort: groups are small, and equal ones must keep their order. */
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

static bool propose_exact(const struct trial *trial, size_t *next) {
  neap_problem *problem = problem_of(trial);
  neap_offset *offsets = memory_array(trial->count, sizeof *offsets);
  bool good = problem && offsets;
  for (size_t i = 0; good && i < trial->count; i++)
    offsets[i] = trial->offsets[trial->sorted[i]];
  good = good && lower(trial, problem, offsets);
  if (good) sort_by_offset(trial, offsets, next);
  neap_problem_free(problem);
  free(offsets);
  return good;
}

bool exact_propose(const struct trial *trial, size_t *next) {
  return trial->tried == 1 ? propose_exact(trial, next) : auto_propose(trial, next);
}
