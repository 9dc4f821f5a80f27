/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Improves layouts around the buffers that the runtime places itself. */
#ifndef ENGINE_SURROUND_H
#define ENGINE_SURROUND_H

#include "core/budget.h"
#include "engine/options.h"
#include "model/problem.h"

typedef neap_status surround_pack(const neap_problem *problem,
                                  const struct neap_options *options, struct budget *budget,
                                  neap_offset *offsets, neap_error *error);

struct surrounding {
  const struct neap_problem *problem;
  const struct neap_options *options; /* seed and engine of the searches */
  struct budget *budget;              /* when it ends, the best layout so far is kept */
  neap_size goal;                     /* the search ends at a peak at or below this */
  /* Plans a problem with options and within a budget; returns as planner_pack. */
  surround_pack *pack;
};

/*
 * Places the runtime's own buffers as the runtime will, and improves the layout of the others
 * until the peak is at most `goal`.  Nothing changes if there are no such buffers.
 */
neap_status surround(const struct surrounding *surrounding, neap_offset *offsets,
                     neap_error *error);

#endif
