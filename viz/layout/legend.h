/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The legend of a plan's picture: every colour and every kind of line in it. */
#ifndef VIZ_LAYOUT_LEGEND_H
#define VIZ_LAYOUT_LEGEND_H

#include "viz/layout/colouring.h"
#include "viz/layout/signs.h"
#include "viz/svg/frame.h"
#include "viz/svg/svg.h"

/* Which of the lines and marks are in the picture. */
struct legend_marks {
  bool bound, lower_bound, capacity, stack, collisions;
  bool beyond; /* the area above a capacity */
};

#define LEGEND_ROW (22 * SVG_PIXEL) /* between base lines */

/* One row from (x, y) to `right`: the classes that any buffer has, with how many. */
void legend_draw_colours(struct svg *svg, int x, int y, int right,
                         const struct colouring *colouring);

/* One row from (x, y): the classes of risk, without counts. */
void legend_draw_risks(struct svg *svg, int x, int y);

/* One row from (x, y): the lines and marks. */
void legend_draw_marks(struct svg *svg, int x, int y, const struct legend_marks *marks);

/*
 * All colours and lines, in as many rows as they need from left to right in `area`, whose top
 * is the first base line.  Returns the height of the rows; with `svg` NULL it draws nothing.
 */
int legend_flow(struct svg *svg, const struct frame *area, const struct colouring *colouring,
                const struct legend_marks *marks);

/* One row from (x, y): the signs of relations. */
void legend_draw_signs(struct svg *svg, int x, int y, const struct signs *signs,
                       bool has_banks);

#endif
