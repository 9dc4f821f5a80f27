/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A panel with its axes: the background of a drawing. */
#ifndef VIZ_SVG_FRAME_H
#define VIZ_SVG_FRAME_H

#include "viz/svg/axis.h"
#include "viz/svg/svg.h"

/* The panel's edges, in hundredths of a pixel. */
struct frame {
  int left, top, right, bottom;
};

/* Draws the background. */
void frame_panel(struct svg *svg, const struct frame *frame);

/* Draws grid lines and, if `labels`, tick labels below the panel. */
void frame_across(struct svg *svg, const struct frame *frame, const struct axis *axis,
                  bool labels);

/* Draws grid lines, and tick labels left of the panel. */
void frame_up(struct svg *svg, const struct frame *frame, const struct axis *axis);

/* The titles of the axes: below the panel, and rotated along the left edge of the page. */
void frame_title_across(struct svg *svg, const struct frame *frame, const char *title);
void frame_title_up(struct svg *svg, const struct frame *frame, const char *title);

/* A level in the picture that is named in the margin. */
struct level {
  const char *name, *value; /* one line each; value may be "" */
  int y;
  int text_y; /* the place of the name: frame_spread_levels */
};

/*
 * Finds places in the right margin for the names of levels, which are sorted downwards: beside the
 * level, or as near as the `spacing` between base lines and the panel's ends allow.
 */
void frame_spread_levels(const struct frame *frame, struct level *levels, size_t count,
                         int spacing);

#endif
