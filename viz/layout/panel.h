/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The panel that shows one arena of a plan: its only one, or a pool. */
#ifndef VIZ_LAYOUT_PANEL_H
#define VIZ_LAYOUT_PANEL_H

#include "viz/layout/boxes.h"
#include "viz/layout/levels.h"
#include "viz/layout/signs.h"
#include "viz/layout/soundness.h"
#include "viz/layout/stack.h"
#include "viz/svg/frame.h"

struct panel {
  const struct neap_plan *plan;
  const struct signs *signs;
  const struct short_names *names;
  size_t pool; /* 0 without pools */
  struct levels levels;
  struct frame frame;
  int right; /* where the margin beside the panel ends */
  bool is_figure; /* without that margin: levels have their names above their lines */
  const struct axis *time;
  struct axis offsets;
  struct boxes boxes;
  struct stack stack; /* empty in an unsound plan, whose peak means nothing */
  struct collisions collisions;
};

/*
 * Prepares a panel; set plan, signs, names, pool, frame, right and time before.  Zeroed panels may be
 * cleared.  O(n log n).
 */
neap_status panel_init(struct panel *panel, const struct colouring *colouring,
                       const struct soundness *soundness, neap_error *error);
void panel_clear(struct panel *panel);

/* Whether part of the panel is above the capacity. */
bool panel_has_beyond(const struct panel *panel);

/* Draws the panel with its axes, the time axis with labels where `has_times`. */
neap_status panel_draw(const struct panel *panel, struct svg *svg, bool has_times,
                       neap_error *error);

#endif
