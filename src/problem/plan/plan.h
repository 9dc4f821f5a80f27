/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The members of a plan. */
#ifndef PLAN_PLAN_H
#define PLAN_PLAN_H

#include "facts/live_bytes.h"
#include "neap/planner.h"

struct neap_plan {
  const neap_problem *problem;
  neap_problem *owned; /* `problem` if the plan owns it, otherwise NULL */
  neap_offset *offsets;
  unsigned char *risks; /* neap_risk of each buffer */
  neap_report report;   /* report.run.engine points to `engine` */
  char engine[64];
  char uncertified[256]; /* report.uncertified points to it */
  neap_round *rounds;
  size_t round_count;
  neap_offset *layouts; /* of the rounds that have one, one after another */
  neap_moment *moments;
  size_t moment_count;
  neap_overlap *overlaps;
  size_t overlap_count;
  neap_size total; /* the sum of all sizes */
  bool has_base;
  uint64_t base;
  size_t *pools;                  /* per buffer; NULL without pools */
  neap_pool_report *pool_reports; /* likewise, per pool */
  bool is_open; /* the buffers could be in other pools at no higher cost, with a lower peak */
  /* For a set that cannot fit: the missing bytes, or a lower bound unless `is_missing_exact`. */
  neap_size missing;
  bool is_missing_exact;
  /* For shared objects: the object of each buffer, and each object's size; otherwise NULL. */
  size_t *objects;
  neap_size *object_sizes;
  size_t object_count;
};

/*
 * Makes a plan of which only the offsets and their peak are known, for neap_plan_verify.
 * NEAP_ERROR_ARGUMENT if an offset is missing or too high.
 */
neap_status plan_outline(const neap_problem *problem, const neap_offset *offsets,
                         neap_plan **plan, neap_error *error);

/* The pools that an engine chose for the buffers, and the bounds that it proved. */
struct pooling {
  const size_t *pools;           /* per buffer */
  const neap_size *lower_bounds; /* per pool, on the peak of the buffers in it */
  neap_size spilled_lower_bound;
  bool is_open; /* unknown whether other pools of the same cost allow a lower sum of peaks */
};

/* Like neap_plan_set_pools, with the bounds that were proven. */
neap_status plan_set_pooling(neap_plan *plan, const struct pooling *pooling, neap_error *error);

/* Computes overlapped_bytes, reuse_cost and moved_bytes of report.costs; lists the overlaps. */
neap_status plan_assess_terms(neap_plan *plan, neap_error *error);

/*
 * The live-size curve of the buffers in a pool, or of all without pools.  The largest value is
 * neap_pool_report.bound, or neap_report.bound.
 */
neap_status plan_live_init(struct live *live, const neap_plan *plan, size_t pool,
                           neap_error *error);

/* Sets a peak that is above the ends of all buffers. */
void plan_set_peak(neap_plan *plan, neap_size peak);

static inline neap_offset plan_end(const neap_plan *plan, size_t index) {
  return plan->offsets[index] + plan->problem->buffers[index].size;
}

#endif
