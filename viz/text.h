/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A picture in characters: cells that each show one buffer, a hole, or a sign written over them.
 */
#ifndef VIZ_TEXT_H
#define VIZ_TEXT_H

#include "plan/plan.h"
#include "viz/axis.h"

/* What a cell shows, where it shows no buffer. */
#define TEXT_HOLE (-1)
#define TEXT_SPECK (-2)     /* buffers too small for a cell of their own */
#define TEXT_COLLISION (-3) /* two buffers */

#define TEXT_UNIT 100 /* of axes: a cell's side */

struct text_cell {
  int64_t owner; /* a buffer, or one of the above */
  uint32_t sign; /* a character over it; 0: none */
  bool is_tail;  /* of a wide sign in the cell before: nothing is printed */
};

struct text_grid {
  const struct neap_plan *plan;
  const neap_text_style *style;
  int columns, rows; /* of cells; the topmost row is headroom */
  struct axis across, up;
  struct text_cell *cells;
};

/* Lays out axes and fills the cells.  O(n + cells covered). */
neap_status text_grid_init(struct text_grid *grid, const struct neap_plan *plan,
                           const neap_text_style *style, neap_error *error);
void text_grid_clear(struct text_grid *grid);

static inline struct text_cell *text_at(const struct text_grid *grid, int column, int row) {
  return &grid->cells[row * grid->columns + column];
}

/* The row on whose lower edge, or just above it, a level lies; -1 when it is out of sight. */
int text_row_of(const struct text_grid *grid, neap_offset level);

/* Writes the names of buffers into their cells, where these are wide enough. */
void text_write_names(struct text_grid *grid);

#endif
