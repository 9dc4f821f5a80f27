/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The inside of a plan. */
#ifndef PLAN_PLAN_H
#define PLAN_PLAN_H

#include "model/problem.h"

struct neap_plan {
  const neap_problem *problem;
  neap_problem *owned; /* the same, where the plan is to free it; otherwise NULL */
  neap_offset *offsets;
  unsigned char *risks; /* neap_risk of each buffer */
  neap_report report;   /* its engine points to `engine` */
  char engine[64];
  neap_round *rounds;
  size_t round_count;
  neap_offset *layouts; /* of the rounds that have theirs, one after the other */
  neap_moment *moments;
  size_t moment_count;
  bool has_base;
  uint64_t base;
  /* Of a plan of shared objects: the object of each buffer, and their sizes; NULL of others. */
  size_t *objects;
  neap_size *object_sizes;
  size_t object_count;
};

/*
 * What a planner or a reader knows of how a plan came about; what can be computed from the
 * offsets is not among it.
 */
struct plan_history {
  const char *engine;
  neap_size lower_bound; /* proven; less than the problem's own counts for nothing */
  neap_stop_reason stop_reason;
  uint64_t rounds, seed;
  double seconds;
  const neap_round *round_list; /* copied, with the layouts that there are */
  size_t round_count;
  const neap_moment *moments; /* copied */
  size_t moment_count;
};

/* Adds it to a plan. */
neap_status plan_set_history(neap_plan *plan, const struct plan_history *history,
                             neap_error *error);

/*
 * Adds shared objects, copied: the one of each buffer, and their sizes.  They lie end to end,
 * where the offsets say; the peak is where the last one ends.  NEAP_ERROR_ARGUMENT when there is
 * no such object.
 */
neap_status plan_set_objects(neap_plan *plan, const size_t *of, const neap_size *sizes,
                             size_t count, neap_error *error);

/* Says that the plan reaches higher than its buffers do. */
void plan_set_peak(neap_plan *plan, neap_size peak);

static inline neap_offset plan_end(const neap_plan *plan, size_t index) {
  return plan->offsets[index] + plan->problem->buffers[index].size;
}

#endif
