/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A cell shows the buffer that covers its middle.  A buffer that covers no middle leaves a speck
 * in its first cell, unless that shows another buffer.  Collisions are marked last and always
 * take at least one cell.  O(n + cells covered): in a sound plan, buffers cover each cell once at
 * most.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "neap-tool.h"
#include "viz/svg/glyph.h"
#include "viz/svg/label.h"
#include "viz/text/picture.h"

#define LEFT 11         /* characters for the vertical axis */
#define RIGHT 14        /* characters for the names of levels, ... */
#define RIGHT_SHARED 24 /* ... and where the capacity shares a row with another level */
#define AROUND 5        /* lines around the cells; an unsound plan has one more */

/* ---------------------------------------------------------------- axes */

static int clamp_size(size_t value, int low, int high) {
  return value < (size_t)low ? low : value > (size_t)high ? high : (int)value;
}

/* A capacity of more than twice the rest would flatten everything else, and is left out. */
static neap_size highest_level(const struct levels *report) {
  neap_size top = report->peak > report->lower_bound ? report->peak : report->lower_bound;
  if (report->capacity > top && report->capacity / 2 <= top) top = report->capacity;
  return top > 0 ? top : 1;
}

static bool has_window(const neap_text_style *style) {
  return style->has_window && style->when.start < style->when.end && style->low < style->high;
}

static void set_up(struct text_grid *grid) {
  const struct levels *report = &grid->levels;
  grid->up = (struct axis){.unit = AXIS_BYTES, .low = 0, .high = highest_level(report)};
  if (has_window(grid->style)) {
    grid->up.low = grid->style->low;
    grid->up.high = grid->style->high;
  }
  grid->up.from = grid->rows * TEXT_UNIT;
  grid->up.to = TEXT_UNIT;
  axis_set_step(&grid->up, 3 * TEXT_UNIT);
  grid->level_rows[TEXT_CAPACITY] =
      report->capacity < 0 ? -1 : text_grid_row_of(grid, report->capacity);
  grid->level_rows[TEXT_PEAK] = text_grid_row_of(grid, report->peak);
  grid->level_rows[TEXT_BOUND] = text_grid_row_of(grid, report->lower_bound);
}

static void set_across(struct text_grid *grid) {
  neap_time horizon = grid->plan->problem->horizon;
  int capacity = grid->level_rows[TEXT_CAPACITY];
  bool shares = capacity >= 0 && (capacity == grid->level_rows[TEXT_PEAK] ||
                                  capacity == grid->level_rows[TEXT_BOUND]);
  grid->columns = grid->width - LEFT - (shares ? RIGHT_SHARED : RIGHT);
  grid->across = (struct axis){.low = 0, .high = horizon > 0 ? horizon : 1};
  if (has_window(grid->style)) {
    grid->across.low = grid->style->when.start;
    grid->across.high = grid->style->when.end;
  }
  grid->across.to = grid->columns * TEXT_UNIT;
  axis_set_step(&grid->across, 14 * TEXT_UNIT);
  neap_time moments = grid->across.high - grid->across.low;
  grid->has_operators = neap_problem_operator_count(grid->plan->problem) > 0 &&
                        moments <= grid->columns / TEXT_OPERATOR_LEAST;
  if (grid->has_operators) grid->across.step = 1;
}

int text_grid_row_of(const struct text_grid *grid, neap_offset level) {
  if (level < grid->up.low || level > grid->up.high) return -1;
  int row = (axis_at(&grid->up, level) - 1) / TEXT_UNIT;
  return row < grid->rows ? row : grid->rows - 1;
}

/* ---------------------------------------------------------------- rectangles */

/* The cells that a rectangle covers: [left, right) and [top, bottom). */
struct patch {
  int left, right, top, bottom;
};

static int64_t clamp_to_axis(int64_t value, const struct axis *axis) {
  return value < axis->low ? axis->low : value > axis->high ? axis->high : value;
}

/* Finds the cells of a box; false if no part is in sight. */
static bool patch_of_box(const struct text_grid *grid, neap_range when, neap_offset low,
                         neap_offset high, struct patch *patch) {
  if (when.end <= grid->across.low || when.start >= grid->across.high || high <= grid->up.low ||
      low >= grid->up.high)
    return false;
  const int half = TEXT_UNIT / 2;
  patch->left =
      (axis_at(&grid->across, clamp_to_axis(when.start, &grid->across)) + half) / TEXT_UNIT;
  patch->right =
      (axis_at(&grid->across, clamp_to_axis(when.end, &grid->across)) + half) / TEXT_UNIT;
  patch->top = (axis_at(&grid->up, clamp_to_axis(high, &grid->up)) + half) / TEXT_UNIT;
  patch->bottom = (axis_at(&grid->up, clamp_to_axis(low, &grid->up)) + half) / TEXT_UNIT;
  return true;
}

static bool patch_of(const struct text_grid *grid, size_t buffer, size_t range,
                     struct patch *patch) {
  if (neap_plan_pool(grid->plan, buffer) != grid->pool) return false;
  return patch_of_box(grid, grid->plan->problem->ranges[range], grid->plan->offsets[buffer],
                      plan_end(grid->plan, buffer), patch);
}

static bool is_empty(const struct patch *patch) {
  return patch->left >= patch->right || patch->top >= patch->bottom;
}

static void fill_patch(struct text_grid *grid, const struct patch *patch, size_t buffer) {
  assert(patch->left >= 0 && patch->right <= grid->columns);
  assert(patch->top >= 0 && patch->bottom <= grid->rows);
  for (int row = patch->top; row < patch->bottom; row++)
    for (int column = patch->left; column < patch->right; column++) {
      struct text_cell *cell = text_grid_at(grid, column, row);
      if (cell->owner == TEXT_HOLE) cell->owner = (int64_t)buffer;
      else cell->owner = grid->plan->problem->relations ? TEXT_SHARED : TEXT_COLLISION;
      if (cell->owner == TEXT_SHARED) grid->has_shared = true;
    }
}

/* Marks a buffer that covers no middle of a cell; call this after all others. */
static void leave_speck(struct text_grid *grid, const struct patch *patch) {
  int column = patch->left < grid->columns ? patch->left : grid->columns - 1;
  int row = patch->top < grid->rows ? patch->top : grid->rows - 1;
  struct text_cell *cell = text_grid_at(grid, column, row);
  if (cell->owner == TEXT_HOLE) cell->owner = TEXT_SPECK;
}

/* Widens an interval to at least one cell, within the grid. */
static void widen_to_cell(int *from, int *to, int limit) {
  if (*from >= limit) *from = limit - 1;
  if (*to <= *from) *to = *from + 1;
}

static void mark_collision(struct text_grid *grid, const neap_collision *collision) {
  struct patch patch;
  neap_range when = soundness_span(grid->plan->problem, collision);
  if (neap_plan_pool(grid->plan, collision->first) != grid->pool ||
      !patch_of_box(grid, when, collision->low, collision->high, &patch))
    return;
  widen_to_cell(&patch.left, &patch.right, grid->columns);
  widen_to_cell(&patch.top, &patch.bottom, grid->rows);
  for (int row = patch.top; row < patch.bottom; row++)
    for (int column = patch.left; column < patch.right; column++)
      text_grid_at(grid, column, row)->owner = TEXT_COLLISION;
}

static void fill_cells(struct text_grid *grid, bool specks) {
  const struct neap_problem *problem = grid->plan->problem;
  for (size_t i = 0, range = 0; i < problem->count; i++)
    for (; range < problem->buffers[i].ranges_end; range++) {
      struct patch patch;
      if (!patch_of(grid, i, range, &patch) || is_empty(&patch) != specks) continue;
      if (specks) leave_speck(grid, &patch);
      else fill_patch(grid, &patch, i);
    }
}

/* Fills reserved bytes; after the buffers, so that a buffer in reserved bytes can be seen. */
static void fill_reserved(struct text_grid *grid) {
  neap_reserved reserved = NEAP_INIT(neap_reserved);
  for (size_t i = 0; neap_problem_reserved_at(grid->plan->problem, i, &reserved); i++) {
    struct patch patch;
    if (reserved.pool != grid->pool ||
        !patch_of_box(grid, reserved.when, reserved.low, reserved.high, &patch))
      continue;
    widen_to_cell(&patch.left, &patch.right, grid->columns);
    widen_to_cell(&patch.top, &patch.bottom, grid->rows);
    grid->has_reserved = true;
    for (int row = patch.top; row < patch.bottom; row++)
      for (int column = patch.left; column < patch.right; column++)
        if (text_grid_at(grid, column, row)->owner == TEXT_HOLE)
          text_grid_at(grid, column, row)->owner = TEXT_RESERVED;
  }
}

#define ROWS_LEAST 4

/* The rows of a pool, which shares the lines and has two more for its name and time axis. */
static int rows_of(const neap_text_style *style, const struct neap_plan *plan, bool sound) {
  int lines = clamp_size(style->lines, NEAP_TEXT_LINES_MIN, NEAP_TEXT_LINES_MAX) - AROUND + 1;
  int pools = (int)levels_count(plan);
  if (!sound) lines--;
  if (!plan->pools) return lines;
  int rows = (lines + 1 - 2 * pools) / pools;
  return rows < ROWS_LEAST ? ROWS_LEAST : rows;
}

neap_status text_grid_init(struct text_grid *grid, const struct neap_plan *plan, size_t pool,
                           const struct soundness *soundness, const neap_text_style *style,
                           neap_error *error) {
  *grid = (struct text_grid){
      .plan = plan, .style = style, .pool = pool, .levels = levels_of(plan, pool)};
  grid->width = clamp_size(style->columns, NEAP_TEXT_COLUMNS_MIN, NEAP_TEXT_COLUMNS_MAX);
  grid->rows = rows_of(style, plan, soundness->sound);
  set_up(grid);
  set_across(grid);
  size_t count = (size_t)grid->columns * (size_t)grid->rows;
  grid->cells = memory_array(count, sizeof *grid->cells);
  if (!grid->cells) return error_memory(error);
  for (size_t i = 0; i < count; i++)
    grid->cells[i].owner = TEXT_HOLE;
  fill_cells(grid, false);
  fill_cells(grid, true);
  fill_reserved(grid);
  for (size_t i = 0; i < soundness->collisions.count; i++)
    mark_collision(grid, &soundness->collisions.items[i]);
  return NEAP_OK;
}

void text_grid_clear(struct text_grid *grid) {
  free(grid->cells);
  *grid = (struct text_grid){0};
}

/* ---------------------------------------------------------------- names */

int text_grid_cells(uint32_t code) {
  int width = glyph_width(code);
  return width == 0 ? 0 : code >= 0x1100 && width > 1000 ? 2 : 1;
}

int text_grid_shorten(const char *text, bool unicode, int room, uint32_t codes[TEXT_NAME]) {
  int count = 0, used = 0;
  while (*text && count < TEXT_NAME) {
    uint32_t code;
    text += neap_text_next(text, &code);
    int cells = text_grid_cells(code);
    if (cells == 0) continue;
    if (code == NEAP_REPLACEMENT || (!unicode && code >= 0x80)) code = '?', cells = 1;
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
    if (text_grid_at(grid, column, row)->owner != (int64_t)buffer) return false;
  return true;
}

/* The row nearest to the middle, the upper one of two, that shows nothing but the buffer; or -1. */
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
  uint32_t codes[TEXT_NAME];
  int count = text_grid_shorten(problem_name(grid->plan->problem, buffer), grid->style->unicode,
                                room, codes);
  for (int i = 0; i < count && left < patch->right; i++) {
    text_grid_at(grid, left++, row)->sign = codes[i];
    if (text_grid_cells(codes[i]) == 2 && left < patch->right)
      text_grid_at(grid, left++, row)->is_tail = true;
  }
}

void text_grid_write_names(struct text_grid *grid) {
  const struct neap_problem *problem = grid->plan->problem;
  for (size_t i = 0; i < problem->count; i++) {
    struct patch patch;
    if (patch_of(grid, i, problem_ranges_begin(problem, i), &patch) && !is_empty(&patch))
      write_name(grid, i, &patch);
  }
}
