/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A coverage raster.
 *
 * For each cell we want the area that the rectangles of each class cover.  The area that [x0, x1) x
 * [y0, y1) covers in cell (i, j) is the product of the lengths covered in column i and in row
 * j.  A column's covered length is a difference of two ramps, one from x0 and one from x1, and
 * the differences of a ramp from one column to the next are zero except in two of them:
 *
 *      covered right of x     0    0   .6   1    1    1
 *      its differences        0    0   .6  .4    0    0
 *
 * So a rectangle of any extent takes sixteen additions to an array of differences in both
 * directions.  At the end, two passes of running sums turn the differences into areas.  All
 * numbers are integers, and edges that coincide are rounded alike, so rectangles that tile an
 * area fill it, however small they are.
 *
 * A rectangle also adds one square hundredth of a pixel to each cell that it touches, so that no
 * rectangle vanishes for lack of area.
 *
 * O(n + cells) time for each class, and 8 bytes per cell and class, whatever the rectangles.
 */
#include "viz/layout/boxes.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"

#define CELL (2 * SVG_PIXEL) /* a cell's side */
#define FULL ((int64_t)CELL * CELL)
#define LEVELS 4 /* of fullness */

neap_status cells_init(struct cells *cells, const struct colouring *colouring,
                       const struct frame *frame, neap_error *error) {
  *cells = (struct cells){.colouring = colouring, .frame = *frame};
  /* Two columns more: a ramp that starts at the far edge has its differences there. */
  cells->columns = (frame->right - frame->left + CELL - 1) / CELL + 2;
  cells->rows = (frame->bottom - frame->top + CELL - 1) / CELL + 2;
  for (size_t class = 0; class < colouring->count; class ++) {
    cells->cover[class] =
        memory_array((size_t)cells->columns * (size_t)cells->rows, sizeof(int64_t));
    if (!cells->cover[class]) return error_memory(error);
  }
  return NEAP_OK;
}

void cells_clear(struct cells *cells) {
  for (size_t class = 0; class < COLOURING_MAX; class ++)
    free(cells->cover[class]);
  *cells = (struct cells){0};
}

/* ---------------------------------------------------------------- adding */

/* A difference along one axis: `amount` more from cell `at` on. */
struct difference {
  int at, amount;
};

static void find_ramps(int from, int to, struct difference differences[4]) {
  differences[0] = (struct difference){from / CELL, CELL - from % CELL};
  differences[1] = (struct difference){from / CELL + 1, from % CELL};
  differences[2] = (struct difference){to / CELL, to % CELL - CELL};
  differences[3] = (struct difference){to / CELL + 1, -(to % CELL)};
}

/* The cells that an interval touches: at least one, and none beyond the last. */
static void find_touched(int from, int to, int count, struct difference differences[2]) {
  int first = from / CELL, end = to > from ? (to + CELL - 1) / CELL : first + 1;
  if (first > count - 3) first = count - 3;
  if (end > count - 2) end = count - 2;
  differences[0] = (struct difference){first, 1};
  differences[1] = (struct difference){end, -1};
}

static void add_products(struct cells *cells, int64_t *cover, const struct difference *across,
                         const struct difference *down, int count) {
  for (int j = 0; j < count; j++)
    for (int i = 0; i < count; i++)
      cover[down[j].at * cells->columns + across[i].at] +=
          (int64_t)across[i].amount * down[j].amount;
}

void cells_add(struct cells *cells, size_t class, const struct frame *rectangle) {
  int left = rectangle->left - cells->frame.left, right = rectangle->right - cells->frame.left;
  int top = rectangle->top - cells->frame.top, bottom = rectangle->bottom - cells->frame.top;
  struct difference across[4], down[4];
  assert(class < cells->colouring->count && left >= 0 && left <= right && top >= 0 &&
         top <= bottom);
  assert(right / CELL + 1 < cells->columns && bottom / CELL + 1 < cells->rows);
  find_ramps(left, right, across);
  find_ramps(top, bottom, down);
  add_products(cells, cells->cover[class], across, down, 4);
  find_touched(left, right, cells->columns, across);
  find_touched(top, bottom, cells->rows, down);
  add_products(cells, cells->cover[class], across, down, 2);
}

/* ---------------------------------------------------------------- drawing */

static void sum_up(const struct cells *cells, int64_t *cover) {
  for (int row = 0; row < cells->rows; row++)
    for (int i = 1; i < cells->columns; i++)
      cover[row * cells->columns + i] += cover[row * cells->columns + i - 1];
  for (int i = cells->columns; i < cells->rows * cells->columns; i++)
    cover[i] += cover[i - cells->columns];
}

/*
 * A cell's look: 0 is empty, otherwise 1 + class * LEVELS + level.  The class is the one that
 * covers most of the cell; of equals the last, which is the riskiest.
 */
static unsigned char look_of(const struct cells *cells, int cell) {
  int64_t most = 0, all = 0;
  size_t most_class = 0;
  for (size_t class = 0; class < cells->colouring->count; class ++) {
    int64_t cover = cells->cover[class][cell];
    assert(cover >= 0);
    if (cover >= most) most_class = class;
    if (cover > most) most = cover;
    all += cover;
  }
  if (all == 0) return 0;
  int64_t level = all >= FULL ? LEVELS - 1 : all * LEVELS / FULL;
  return (unsigned char)(1 + (int64_t)most_class * LEVELS + level);
}

struct looks {
  const struct colouring *colouring;
  int columns, rows;
  unsigned char *look;
};

/* Whether all cells of a row from `first` on look alike. */
static bool all_look(const struct looks *looks, int row, int first, int count,
                     unsigned char look) {
  for (int i = first; i < first + count; i++)
    if (looks->look[row * looks->columns + i] != look) return false;
  return true;
}

/* Draws and removes the block of cells of one look that begins at this cell. */
static void draw_block(struct looks *looks, const struct frame *frame, int row, int column,
                       struct svg *svg) {
  unsigned char look = looks->look[row * looks->columns + column];
  int across = 1, down = 1;
  while (column + across < looks->columns && all_look(looks, row, column + across, 1, look))
    across++;
  while (row + down < looks->rows && all_look(looks, row + down, column, across, look))
    down++;
  for (int i = row; i < row + down; i++)
    memset(looks->look + i * looks->columns + column, 0, (size_t)across);
  svg_to(svg, 'M', frame->left + column * CELL, frame->top + row * CELL);
  svg_along(svg, 'h', across * CELL);
  svg_along(svg, 'v', down * CELL);
  svg_along(svg, 'h', -across * CELL);
  svg_shut(svg);
}

/* One path for all cells of a look. */
static void draw_look(struct looks *looks, const struct frame *frame, unsigned char look,
                      struct svg *svg) {
  static const char *const levels[LEVELS] = {"part1", "part2", "part3", "part4"};
  bool started = false;
  for (int i = 0; i < looks->rows * looks->columns; i++) {
    if (looks->look[i] != look) continue;
    if (!started) {
      char class[32];
      snprintf(class, sizeof class, "%s %s",
               colouring_style(looks->colouring, (size_t)(look - 1) / LEVELS),
               levels[(look - 1) % LEVELS]);
      svg_path_start(svg, class);
    }
    started = true;
    draw_block(looks, frame, i / looks->columns, i % looks->columns, svg);
  }
  if (!started) return;
  svg_path_finish(svg);
  svg_end(svg);
}

neap_status cells_draw(struct cells *cells, struct svg *svg, neap_error *error) {
  struct looks looks = {cells->colouring, cells->columns, cells->rows, NULL};
  looks.look = memory_array((size_t)looks.columns * (size_t)looks.rows, 1);
  if (!looks.look) return error_memory(error);
  size_t classes = cells->colouring->count;
  for (size_t class = 0; class < classes; class ++)
    sum_up(cells, cells->cover[class]);
  for (int i = 0; i < looks.rows * looks.columns; i++)
    looks.look[i] = look_of(cells, i);
  svg_group(svg, "cells");
  svg_attribute(svg, "shape-rendering", "crispEdges");
  for (size_t look = 1; look <= classes * LEVELS; look++)
    draw_look(&looks, &cells->frame, (unsigned char)look, svg);
  svg_end(svg);
  free(looks.look);
  return NEAP_OK;
}
