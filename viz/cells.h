/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rectangles too small to be drawn one by one, merged into cells that show how full they are.
 */
#ifndef VIZ_CELLS_H
#define VIZ_CELLS_H

#include "viz/frame.h"
#include "viz/svg.h"

struct cells {
  struct frame frame; /* what is covered */
  int columns, rows;
  int64_t *cover[NEAP_RISK_COUNT]; /* by class; made of differences until cells_draw */
};

/* Zeroed `cells` may be cleared. */
neap_status cells_init(struct cells *cells, const struct frame *frame, neap_error *error);
void cells_clear(struct cells *cells);

/* Adds a rectangle within the frame, in hundredths of a pixel; it may have no area.  O(1). */
void cells_add(struct cells *cells, neap_risk risk, const struct frame *rectangle);

/* Draws all that was added; once.  O(cells). */
neap_status cells_draw(struct cells *cells, struct svg *svg, neap_error *error);

#endif
