/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The legend of a plan's picture: every colour and every kind of line in it. */
#ifndef VIZ_LAYOUT_LEGEND_H
#define VIZ_LAYOUT_LEGEND_H

#include "viz/layout/colouring.h"
#include "viz/layout/signs.h"
#include "viz/svg/frame.h"
#include "viz/svg/svg.h"

/* The lines and marks in the picture. */
struct legend_marks {
  bool bound, lower_bound, capacity, stack, collisions;
  bool beyond; /* the area above a capacity */
};

#define LEGEND_ROW (22 * SVG_PIXEL) /* between base lines */

/* Draws one row from (x, y) to `right`: the classes with buffers, and the number of these. */
void legend_draw_colours(struct svg *svg, int x, int y, int right,
                         const struct colouring *colouring);

/* Draws one row from (x, y): the classes of risk, without counts. */
void legend_draw_risks(struct svg *svg, int x, int y);

/* Draws one row from (x, y): the lines and marks. */
void legend_draw_marks(struct svg *svg, int x, int y, const struct legend_marks *marks);

/*
 * Draws all colours and lines from left to right in `area`, in as many rows as needed; the top of
 * the area is the first base line.  Returns the height of the rows; with `svg` NULL, draws nothing.
 */
int legend_flow(struct svg *svg, const struct frame *area, const struct colouring *colouring,
                const struct legend_marks *marks);

/* Draws one row from (x, y): the signs of relations. */
void legend_draw_signs(struct svg *svg, int x, int y, const struct signs *signs,
                       bool has_banks);

#endif
