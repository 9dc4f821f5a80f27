/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The members of a plan. */
#ifndef PLAN_PLAN_H
#define PLAN_PLAN_H

#include "model/problem.h"

struct neap_plan {
  const neap_problem *problem;
  neap_problem *owned; /* the same if the plan owns it, otherwise NULL */
  neap_offset *offsets;
  unsigned char *risks; /* neap_risk of each buffer */
  neap_report report;   /* report.engine points to `engine` */
  char engine[64];
  neap_round *rounds;
  size_t round_count;
  neap_offset *layouts; /* of the rounds that have one, one after another */
  neap_moment *moments;
  size_t moment_count;
  bool has_base;
  uint64_t base;
  size_t *pools; /* per buffer; NULL without pools */
  /* For shared objects: the object of each buffer, and each object's size; otherwise NULL. */
  size_t *objects;
  neap_size *object_sizes;
  size_t object_count;
};

/* Sets a peak that is above the ends of all buffers. */
void plan_set_peak(neap_plan *plan, neap_size peak);

static inline neap_offset plan_end(const neap_plan *plan, size_t index) {
  return plan->offsets[index] + plan->problem->buffers[index].size;
}

#endif
