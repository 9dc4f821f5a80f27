/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rectangles too small to be drawn one by one, merged into cells that show how full they are.
 */
#ifndef VIZ_LAYOUT_CELLS_H
#define VIZ_LAYOUT_CELLS_H

#include "viz/layout/colouring.h"
#include "viz/svg/frame.h"
#include "viz/svg/svg.h"

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
