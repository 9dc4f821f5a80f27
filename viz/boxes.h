/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rectangles of a plan. */
#ifndef VIZ_BOXES_H
#define VIZ_BOXES_H

#include "plan/plan.h"
#include "viz/axis.h"
#include "viz/svg.h"

struct boxes {
  const struct neap_plan *plan;
  const struct axis *across, *up; /* in time they hold all of the plan */
  bool is_small; /* one picture among many: rectangles without titles and names */
  int least;     /* rectangles whose shorter side is less are merged */
  size_t merged; /* how many are; of plan->problem->range_count */
};

/*
 * Decides which rectangles can be seen one by one: all of a few, of many those that are large
 * enough.  What lies above the axis is cut off.  O(n).
 */
void boxes_init(struct boxes *boxes, const struct neap_plan *plan, const struct axis *across,
                const struct axis *up, bool is_small);

/*
 * Draws the rectangles, each with a title that says all about its buffer, then names where they
 * fit.  O(n).
 */
neap_status boxes_draw(const struct boxes *boxes, struct svg *svg, neap_error *error);

#endif
