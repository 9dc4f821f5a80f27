/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is named in the right margin of a layout: its levels, and the layers of the stack that
 * makes the peak.
 */
#ifndef VIZ_CALLOUTS_H
#define VIZ_CALLOUTS_H

#include "viz/frame.h"
#include "viz/stack.h"

#define CALLOUTS_GUTTER (22 * SVG_PIXEL) /* between the panel and the names */

struct callouts {
  const struct neap_plan *plan;
  const struct stack *stack;
  const struct axis *across, *up;
  const struct frame *frame; /* the panel */
  int right;                 /* where the margin ends */
  const struct level *levels;
  size_t level_count; /* downwards; their text_y need not be set */
};

/*
 * Outlines the layers of the stack, and names levels and layers, with leaders that do not cross.
 * Of more layers than there is room for the largest are named, and the others counted.
 */
neap_status callouts_draw(const struct callouts *callouts, struct svg *svg, neap_error *error);

#endif
