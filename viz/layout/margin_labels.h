/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names in the right margin of a layout: its levels, and either the layers of the critical stack
 * or, in an unsound plan, the pairs that collide.
 */
#ifndef VIZ_LAYOUT_MARGIN_LABELS_H
#define VIZ_LAYOUT_MARGIN_LABELS_H

#include "verify/collide.h"
#include "viz/layout/label_obstacles.h"
#include "viz/layout/short_names.h"
#include "viz/layout/stack.h"
#include "viz/svg/frame.h"

#define CALLOUTS_GUTTER (22 * SVG_PIXEL) /* between the panel and the names */

struct margin_labels {
  const struct neap_plan *plan;
  const struct stack *stack;           /* empty in an unsound plan */
  const struct collisions *collisions; /* empty in a sound plan */
  const struct axis *across, *up;
  const struct frame *frame; /* the panel */
  int right;                 /* where the margin ends */
  const struct level *levels;
  size_t level_count; /* levels from top to bottom; text_y need not be set */
  const struct short_names *names;
  struct label_obstacles *keepouts; /* gets the leaders, too */
};

/*
 * Outlines the layers of the stack, and names the levels and the layers or collisions, with leaders
 * that do not cross.  Where room is short, names the largest and counts the others.
 */
neap_status margin_labels_draw(const struct margin_labels *callouts, struct svg *svg,
                               neap_error *error);

#endif
