/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A plan as text, for terminals. */
#ifndef VIZ_TEXT_PICTURE_H
#define VIZ_TEXT_PICTURE_H

#include "neap/neap-io.h"
#include "plan/plan.h"
#include "viz/layout/level_lines.h"
#include "viz/layout/soundness.h"
#include "viz/svg/axis.h"

/* NEAP_ERROR_ARGUMENT: there is no such colouring. */
neap_status text_picture_write(const neap_plan *plan, const neap_writing *writing,
                               const neap_text_style *style, FILE *stream, neap_error *error);

/* ---------------------------------------------------------------- grid */

/*
 * A picture in characters: each cell shows a buffer, nothing, or a character of a name.
 */

/* The owner of a cell that does not show a buffer. */
#define TEXT_HOLE (-1)
#define TEXT_SPECK (-2)     /* buffers too small for a cell of their own */
#define TEXT_COLLISION (-3) /* buffers that collide */
#define TEXT_SHARED (-4)    /* buffers that may share these bytes */
#define TEXT_RESERVED (-5)  /* reserved bytes */

#define TEXT_UNIT 100 /* the side of a cell, on the axes */

#define TEXT_OPERATOR_LEAST 8 /* the fewest cells of a moment whose operator is named */

struct text_cell {
  int64_t owner; /* a buffer, or one of the above */
  uint32_t sign; /* a character written over it; 0: none */
  bool is_tail;  /* covered by a wide character in the cell before: nothing is printed */
};

/* The lines across the picture. */
enum text_level { TEXT_CAPACITY, TEXT_PEAK, TEXT_BOUND, TEXT_LEVEL_COUNT };

struct text_grid {
  const struct neap_plan *plan;
  const neap_text_style *style;
  size_t pool; /* 0 without pools */
  struct levels levels;
  bool has_shared, has_reserved;    /* cells */
  bool has_operators;               /* each moment has room for the name of its operator */
  int width;                        /* of the whole picture, in characters */
  int columns, rows;                /* of cells; the topmost row is headroom */
  int level_rows[TEXT_LEVEL_COUNT]; /* -1 where a level is out of sight */
  struct axis across, up;
  struct text_cell *cells;
};

/*
 * Lays out the axes, fills the cells and marks the collisions of one pool, 0 without pools.
 * O(n + cells covered).
 */
neap_status text_grid_init(struct text_grid *grid, const struct neap_plan *plan, size_t pool,
                           const struct soundness *soundness, const neap_text_style *style,
                           neap_error *error);
void text_grid_clear(struct text_grid *grid);

static inline struct text_cell *text_grid_at(const struct text_grid *grid, int column,
                                             int row) {
  return &grid->cells[row * grid->columns + column];
}

/* The row with a level on its lower edge or just above that; -1 when it is out of sight. */
int text_grid_row_of(const struct text_grid *grid, neap_offset level);

/* Writes the names of buffers into their cells, where there is room. */
void text_grid_write_names(struct text_grid *grid);

/* How many cells a character takes on a terminal; 0 for one that joins the one before. */
int text_grid_cells(uint32_t code);

#define TEXT_NAME 64 /* characters of a name */

/*
 * As much of a text as `room` cells allow, with '?' for what cannot be shown.  Returns the number
 * of characters in `codes`.
 */
int text_grid_shorten(const char *text, bool unicode, int room, uint32_t codes[TEXT_NAME]);

#endif
