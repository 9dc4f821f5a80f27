/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which buffer each cell of a picture in characters shows: the one that covers its middle.  What
 * covers no middle leaves a speck, in its first cell, if nothing else is there.
 */
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "viz/glyph.h"
#include "viz/label.h"
#include "viz/text.h"

#define LEFT 11  /* characters for the vertical axis */
#define RIGHT 14 /* for the names of levels */
#define AROUND 5 /* lines around the cells */

/* ---------------------------------------------------------------- axes */

static int within(size_t value, int low, int high) {
  return value < (size_t)low ? low : value > (size_t)high ? high : (int)value;
}

static void set_axes(struct text_grid *grid) {
  const neap_report *report = &grid->plan->report;
  const neap_text_style *style = grid->style;
  neap_size top = report->peak > report->lower_bound ? report->peak : report->lower_bound;
  neap_time horizon = grid->plan->problem->horizon;
  grid->across = (struct axis){.low = 0, .high = horizon > 0 ? horizon : 1};
  grid->up = (struct axis){.unit = AXIS_BYTES, .low = 0, .high = top > 0 ? top : 1};
  if (style->has_window && style->when.start < style->when.end && style->low < style->high) {
    grid->across.low = style->when.start;
    grid->across.high = style->when.end;
    grid->up.low = style->low;
    grid->up.high = style->high;
  }
  grid->across.to = grid->columns * TEXT_UNIT;
  grid->up.from = grid->rows * TEXT_UNIT;
  grid->up.to = TEXT_UNIT;
  axis_set_step(&grid->across, 14 * TEXT_UNIT);
  axis_set_step(&grid->up, 3 * TEXT_UNIT);
}

int text_row_of(const struct text_grid *grid, neap_offset level) {
  if (level < grid->up.low || level > grid->up.high) return -1;
  int row = (axis_at(&grid->up, level) - 1) / TEXT_UNIT;
  return row < grid->rows ? row : grid->rows - 1;
}

/* ---------------------------------------------------------------- rectangles */

/* The cells that a rectangle covers: [left, right) and [top, bottom). */
struct patch {
  int left, right, top, bottom;
};

static int64_t clamp(int64_t value, const struct axis *axis) {
  return value < axis->low ? axis->low : value > axis->high ? axis->high : value;
}

/* False where nothing of it is in sight. */
static bool patch_of(const struct text_grid *grid, size_t buffer, size_t range,
                     struct patch *patch) {
  neap_range when = grid->plan->problem->ranges[range];
  neap_offset low = grid->plan->offsets[buffer], high = plan_end(grid->plan, buffer);
  if (when.end <= grid->across.low || when.start >= grid->across.high || high <= grid->up.low ||
      low >= grid->up.high)
    return false;
  const int half = TEXT_UNIT / 2;
  patch->left = (axis_at(&grid->across, clamp(when.start, &grid->across)) + half) / TEXT_UNIT;
  patch->right = (axis_at(&grid->across, clamp(when.end, &grid->across)) + half) / TEXT_UNIT;
  patch->top = (axis_at(&grid->up, clamp(high, &grid->up)) + half) / TEXT_UNIT;
  patch->bottom = (axis_at(&grid->up, clamp(low, &grid->up)) + half) / TEXT_UNIT;
  return true;
}

static bool is_empty(const struct patch *patch) {
  return patch->left >= patch->right || patch->top >= patch->bottom;
}

static void fill(struct text_grid *grid, const struct patch *patch, size_t buffer) {
  for (int row = patch->top; row < patch->bottom; row++)
    for (int column = patch->left; column < patch->right; column++) {
      struct text_cell *cell = text_at(grid, column, row);
      cell->owner = cell->owner == TEXT_HOLE ? (int64_t)buffer : TEXT_COLLISION;
    }
}

/* After all others. */
static void leave_speck(struct text_grid *grid, const struct patch *patch) {
  int column = patch->left < grid->columns ? patch->left : grid->columns - 1;
  int row = patch->top < grid->rows ? patch->top : grid->rows - 1;
  struct text_cell *cell = text_at(grid, column, row);
  if (cell->owner == TEXT_HOLE) cell->owner = TEXT_SPECK;
}

static void paint(struct text_grid *grid, bool specks) {
  const struct neap_problem *problem = grid->plan->problem;
  for (size_t i = 0, range = 0; i < problem->count; i++)
    for (; range < problem->buffers[i].ranges_end; range++) {
      struct patch patch;
      if (!patch_of(grid, i, range, &patch) || is_empty(&patch) != specks) continue;
      if (specks) leave_speck(grid, &patch);
      else fill(grid, &patch, i);
    }
}

neap_status text_grid_init(struct text_grid *grid, const struct neap_plan *plan,
                           const neap_text_style *style, neap_error *error) {
  *grid = (struct text_grid){.plan = plan, .style = style};
  grid->columns =
      within(style->columns, NEAP_TEXT_COLUMNS_MIN, NEAP_TEXT_COLUMNS_MAX) - LEFT - RIGHT;
  grid->rows = within(style->lines, NEAP_TEXT_LINES_MIN, NEAP_TEXT_LINES_MAX) - AROUND + 1;
  size_t count = (size_t)grid->columns * (size_t)grid->rows;
  grid->cells = memory_array(count, sizeof *grid->cells);
  if (!grid->cells) return error_memory(error);
  for (size_t i = 0; i < count; i++)
    grid->cells[i].owner = TEXT_HOLE;
  set_axes(grid);
  paint(grid, false);
  paint(grid, true);
  return NEAP_OK;
}

void text_grid_clear(struct text_grid *grid) {
  free(grid->cells);
  *grid = (struct text_grid){0};
}

/* ---------------------------------------------------------------- names */

/* How many cells a character takes, as terminals have it; 0 of what joins the one before. */
static int cells_of(uint32_t code) {
  int width = glyph_width(code);
  return width == 0 ? 0 : code >= 0x1100 && width > 1000 ? 2 : 1;
}

#define MOST 64 /* characters of a name */

/* As much of a name as there is room for, with a dot for what cannot be shown. */
static int shorten(const char *name, bool unicode, int room, uint32_t codes[MOST]) {
  int count = 0, used = 0;
  while (*name && count < MOST) {
    uint32_t code;
    name += glyph_next(name, &code);
    int cells = cells_of(code);
    if (cells == 0) continue;
    if (code == GLYPH_REPLACEMENT || (!unicode && code >= 0x80)) code = '?', cells = 1;
    if (used + cells > room) {
      if (count > 0) codes[count - 1] = unicode ? 0x2026 : '~';
      break;
    }
    used += cells;
    codes[count++] = code;
  }
  return count;
}

static bool owns_all(const struct text_grid *grid, size_t buffer, int row, int left,
                     int right) {
  for (int column = left; column < right; column++)
    if (text_at(grid, column, row)->owner != (int64_t)buffer) return false;
  return true;
}

/* The row nearest to the middle, of equals the upper, that is all the buffer's own; or -1. */
static int row_for_name(const struct text_grid *grid, size_t buffer,
                        const struct patch *patch) {
  int middle = patch->top + (patch->bottom - 1 - patch->top) / 2;
  for (int away = 0; away < patch->bottom - patch->top; away++) {
    int above = middle - away, below = middle + away;
    if (above >= patch->top && owns_all(grid, buffer, above, patch->left, patch->right))
      return above;
    if (below < patch->bottom && owns_all(grid, buffer, below, patch->left, patch->right))
      return below;
  }
  return -1;
}

static void write_name(struct text_grid *grid, size_t buffer, const struct patch *patch) {
  int left = patch->left + 1, room = patch->right - left;
  int row = room < 3 ? -1 : row_for_name(grid, buffer, patch);
  if (row < 0) return;
  uint32_t codes[MOST];
  int count =
      shorten(problem_name(grid->plan->problem, buffer), grid->style->unicode, room, codes);
  for (int i = 0; i < count && left < patch->right; i++) {
    text_at(grid, left++, row)->sign = codes[i];
    if (cells_of(codes[i]) == 2 && left < patch->right)
      text_at(grid, left++, row)->is_tail = true;
  }
}

void text_write_names(struct text_grid *grid) {
  const struct neap_problem *problem = grid->plan->problem;
  for (size_t i = 0; i < problem->count; i++) {
    struct patch patch;
    if (patch_of(grid, i, problem_ranges_begin(problem, i), &patch) && !is_empty(&patch))
      write_name(grid, i, &patch);
  }
}
