/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rectangles of a plan. */
#ifndef VIZ_LAYOUT_BOXES_H
#define VIZ_LAYOUT_BOXES_H

#include "plan/plan.h"
#include "viz/layout/colouring.h"
#include "viz/layout/constraint_text.h"
#include "viz/layout/label_obstacles.h"
#include "viz/layout/short_names.h"
#include "viz/svg/axis.h"
#include "viz/svg/frame.h"
#include "viz/svg/svg.h"

struct boxes {
  const struct neap_plan *plan;
  const struct colouring *colouring;
  const struct relation_index *bonds; /* relations that titles mention, or NULL */
  const struct short_names *names;    /* NULL if `is_small` */
  const bool *is_unnamed;         /* per buffer: something else names it; or NULL */
  const struct axis *across, *up; /* the time axis covers the whole plan */
  bool has_pool;                  /* draw the buffers in `pool` only */
  size_t pool;
  bool is_small; /* one picture among many: rectangles have neither titles nor names */
  int least;     /* rectangles with a shorter side are merged into cells */
  size_t merged; /* the number of merged rectangles */
};

/*
 * Decides which rectangles to draw one by one: all if there are few, otherwise the large ones.  Set
 * all fields up to `is_small` before.  Parts above the byte axis are cut off.  O(n).
 */
void boxes_init(struct boxes *boxes);

/* Draws the rectangles, each with a title that describes its buffer.  O(n). */
neap_status boxes_draw(const struct boxes *boxes, struct svg *svg, neap_error *error);

/*
 * Names the rectangles: inside where any form of the short name fits, otherwise beside them where
 * there is room.  Names keep clear of the keepouts and of each other.  Call this last.
 */
neap_status boxes_name(const struct boxes *boxes, struct label_obstacles *keepouts,
                       struct svg *svg, neap_error *error);

/* ---------------------------------------------------------------- cells */

/*
 * Rectangles too small to be drawn one by one, merged into cells that show how full they are.
 */

struct cells {
  const struct colouring *colouring;
  struct frame frame; /* the area covered */
  int columns, rows;
  int64_t *cover[COLOURING_MAX]; /* by class; holds differences until cells_draw sums them up */
};

/* Zeroed `cells` may be cleared. */
neap_status cells_init(struct cells *cells, const struct colouring *colouring,
                       const struct frame *frame, neap_error *error);
void cells_clear(struct cells *cells);

/*
 * Adds a rectangle of a class within the frame, in hundredths of a pixel; it may have no area.
 * O(1).
 */
void cells_add(struct cells *cells, size_t class, const struct frame *rectangle);

/* Draws everything that was added.  Call it once.  O(cells). */
neap_status cells_draw(struct cells *cells, struct svg *svg, neap_error *error);

#endif
