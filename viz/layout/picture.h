/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The picture of a plan. */
#ifndef VIZ_LAYOUT_PICTURE_H
#define VIZ_LAYOUT_PICTURE_H

#include "facts/live_bytes.h"
#include "neap/neap-io.h"
#include "viz/layout/boxes.h"
#include "viz/layout/level_lines.h"
#include "viz/layout/signs.h"
#include "viz/layout/soundness.h"
#include "viz/layout/stack.h"
#include "viz/svg/axis.h"
#include "viz/svg/frame.h"
#include "viz/svg/svg.h"

/* NEAP_ERROR_ARGUMENT: there is no such colouring. */
neap_status picture_write_svg(const neap_plan *plan, const neap_writing *writing, FILE *stream,
                              neap_error *error);
neap_status picture_write_png(const neap_plan *plan, const neap_writing *writing, FILE *stream,
                              neap_error *error);
neap_status picture_write_pdf(const neap_plan *plan, const neap_writing *writing, FILE *stream,
                              neap_error *error);

/* ---------------------------------------------------------------- curve */

/* The live-size curve, as steps over a filled area. */

/*
 * Draws the curve along axes that contain it, and marks where it reaches `summit`, its maximum.  If
 * there are too many steps to see, draws the highest one in every half pixel.
 */
void curve_draw(struct svg *svg, const struct live *live, const struct axis *across,
                const struct axis *up, neap_size summit);

/* ---------------------------------------------------------------- panel */

/* The panel that shows one arena of a plan: its only one, or a pool. */

struct panel {
  const struct neap_plan *plan;
  const struct signs *signs;
  const struct short_names *names;
  size_t pool; /* 0 without pools */
  struct levels levels;
  struct frame frame;
  int right;      /* where the margin beside the panel ends */
  bool is_figure; /* without that margin: levels are named above their lines */
  const struct axis *time;
  struct axis offsets;
  struct boxes boxes;
  struct stack stack; /* empty in an unsound plan, whose peak means nothing */
  struct collisions collisions;
};

/*
 * Prepares a panel; set plan, signs, names, pool, frame, right and time before.  Zeroed panels
 * may be cleared.  O(n log n).
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
