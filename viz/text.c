/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A plan as text, for terminals.
 *
 *      9 buffers, peak 168 B, bound 168 B, gap 0 %: optimal
 *            |                              peak = bound
 *       128 -|    |skip======|
 *            |  |relu___|
 *        64 -|     |conv2===|
 *            ||conv1
 *         0 -+--------+--------
 *            0        5
 *      risk ...
 *
 * A buffer's left and lower edges are drawn within its cells; what is left of them shows its
 * class.
 */
#include "viz/text.h"

#include <inttypes.h>
#include <string.h>

#include "core/error.h"
#include "core/text.h"
#include "viz/describe.h"
#include "viz/glyph.h"

/* ---------------------------------------------------------------- characters */

struct charset {
  uint32_t left, below, fill[NEAP_RISK_COUNT], speck, collision;
  uint32_t bound, peak; /* levels, where no buffer is */
  uint32_t side, tick_left, corner, floor, tick_floor;
};

static const struct charset ascii = {
    '|', '_', {'.', ':', '=', '#'}, '\'', 'X', '-', '~', '|', '+', '+', '-', '+'};
static const struct charset unicode = {0x258f, 0x2581, {' ', 0x2591, 0x2592, 0x2593},
                                       0xb7,   'X',    0x2500,
                                       0x254c, 0x2502, 0x2524,
                                       0x2514, 0x2500, 0x252c};

/* By class: black on backgrounds that get warmer with the risk. */
static const char *const paints[NEAP_RISK_COUNT] = {
    "\033[38;5;16;48;5;252m", "\033[38;5;16;48;5;153m", "\033[38;5;16;48;5;215m",
    "\033[38;5;16;48;5;210m"};
#define PAINT_LEVEL "\033[35m"
#define PAINT_COLLISION "\033[1;37;41m"
#define PLAIN "\033[0m"

struct page {
  const struct text_grid *grid;
  const struct charset *set;
  FILE *stream;
  const char *paint; /* what is in force */
  int blanks;        /* held back: none end a line */
  int bound_row, peak_row;
};

static void flush(struct page *page) {
  for (; page->blanks > 0; page->blanks--)
    fputc(' ', page->stream);
}

static void put(struct page *page, uint32_t code) {
  char bytes[GLYPH_BYTES];
  if (code == ' ' && !page->paint) {
    page->blanks++;
    return;
  }
  flush(page);
  fwrite(bytes, 1, glyph_encode(code, bytes), page->stream);
}

static void use(struct page *page, const char *paint) {
  if (!page->grid->style->colours || page->paint == paint) return;
  flush(page);
  fputs(PLAIN, page->stream);
  if (paint) fputs(paint, page->stream);
  page->paint = paint;
}

/* ---------------------------------------------------------------- cells */

static void put_empty(struct page *page, int row) {
  bool bound = row == page->bound_row, peak = row == page->peak_row;
  use(page, bound || peak ? PAINT_LEVEL : NULL);
  put(page, bound ? page->set->bound : peak ? page->set->peak : ' ');
}

static bool differs(const struct text_grid *grid, int column, int row, int64_t owner) {
  if (column < 0 || row >= grid->rows) return true;
  return text_at(grid, column, row)->owner != owner;
}

static void put_owned(struct page *page, int column, int row, const struct text_cell *cell) {
  const struct text_grid *grid = page->grid;
  int risk = grid->plan->risks[cell->owner];
  use(page, paints[risk]);
  uint32_t fill = grid->style->colours ? ' ' : page->set->fill[risk];
  if (cell->sign) put(page, cell->sign);
  else if (differs(grid, column - 1, row, cell->owner)) put(page, page->set->left);
  else put(page, differs(grid, column, row + 1, cell->owner) ? page->set->below : fill);
}

static void put_cell(struct page *page, int column, int row) {
  const struct text_cell *cell = text_at(page->grid, column, row);
  if (cell->is_tail) return;
  if (cell->owner >= 0) {
    put_owned(page, column, row, cell);
  } else if (cell->owner == TEXT_HOLE) {
    put_empty(page, row);
  } else {
    bool collision = cell->owner == TEXT_COLLISION;
    use(page, collision ? PAINT_COLLISION : NULL);
    put(page, collision ? page->set->collision : page->set->speck);
  }
}

/* ---------------------------------------------------------------- around the cells */

/* The tick of a row, if it has one. */
static bool tick_of(const struct text_grid *grid, int row, int64_t *tick) {
  for (bool any = axis_first_tick(&grid->up, tick); any; any = axis_next_tick(&grid->up, tick))
    if (text_row_of(grid, *tick) == row) return true;
  return false;
}

static void put_left(struct page *page, int row) {
  char label[AXIS_LABEL] = "";
  int64_t tick;
  bool ticked = tick_of(page->grid, row, &tick);
  if (ticked) axis_label(&page->grid->up, tick, label);
  fprintf(page->stream, "%9s ", label);
  put(page, ticked ? page->set->tick_left : page->set->side);
}

static const char *name_of_row(const struct page *page, int row) {
  bool bound = row == page->bound_row, peak = row == page->peak_row;
  const neap_report *report = &page->grid->plan->report;
  bool lifted = report->lower_bound > report->bound;
  if (bound && peak)
    return report->peak != report->lower_bound ? "peak, bound" : "peak = bound";
  return peak ? "peak" : bound ? lifted ? "lower bound" : "bound" : "";
}

static void put_row(struct page *page, int row) {
  put_left(page, row);
  for (int column = 0; column < page->grid->columns; column++)
    put_cell(page, column, row);
  use(page, NULL);
  const char *name = name_of_row(page, row);
  if (*name) flush(page);
  page->blanks = 0;
  fprintf(page->stream, "%s%s\n", *name ? " " : "", name);
}

static bool is_tick_column(const struct text_grid *grid, int column, int64_t *tick) {
  const struct axis *across = &grid->across;
  for (bool any = axis_first_tick(across, tick); any; any = axis_next_tick(across, tick))
    if (axis_at(across, *tick) / TEXT_UNIT == column) return true;
  return false;
}

static void put_floor(struct page *page) {
  int64_t tick;
  fprintf(page->stream, "%10s", "");
  put(page, page->set->corner);
  for (int column = 0; column < page->grid->columns; column++)
    put(page,
        is_tick_column(page->grid, column, &tick) ? page->set->tick_floor : page->set->floor);
  fputc('\n', page->stream);
}

/* Labels begin below their ticks. */
static void put_times(const struct page *page) {
  int64_t tick;
  int column = 0;
  fprintf(page->stream, "%11s", "");
  while (column < page->grid->columns) {
    char label[AXIS_LABEL];
    if (!is_tick_column(page->grid, column, &tick)) {
      fputc(' ', page->stream);
      column++;
      continue;
    }
    column += fprintf(page->stream, "%s", axis_label(&page->grid->across, tick, label));
  }
  fputs(" time\n", page->stream);
}

#define COUNTED 55 /* cells beside which there is room for counts */

static void put_legend(struct page *page) {
  static const char *const names[NEAP_RISK_COUNT] = {"none", "low", "medium", "high"};
  size_t counts[NEAP_RISK_COUNT] = {0};
  const struct neap_plan *plan = page->grid->plan;
  for (size_t i = 0; i < plan->problem->count; i++)
    counts[plan->risks[i]]++;
  fputs("risk", page->stream);
  for (int risk = NEAP_RISK_COUNT; risk-- > 0;) {
    fputs("  ", page->stream);
    use(page, paints[risk]);
    put(page, page->set->left);
    put(page, page->grid->style->colours ? ' ' : page->set->fill[risk]);
    use(page, NULL);
    fprintf(page->stream, " %s", names[risk]);
    if (page->grid->columns >= COUNTED) fprintf(page->stream, " %zu", counts[risk]);
  }
  fputc('\n', page->stream);
}

static void put_head(const struct page *page, bool sound) {
  const neap_report *report = &page->grid->plan->report;
  char peak[TEXT_BYTES], bound[TEXT_BYTES], gap[NUMBER_TEXT];
  bool lifted = report->lower_bound > report->bound;
  fprintf(page->stream, "%zu buffer%s, peak %s, %s %s, gap %s: %s\n", report->buffers,
          report->buffers == 1 ? "" : "s", text_bytes(peak, report->peak),
          lifted ? "lower bound" : "bound", text_bytes(bound, report->lower_bound),
          number_percent(gap, report->gap_percent),
          sound ? neap_outcome_name(report->outcome) : "unsound");
}

static void put_page(struct page *page, bool sound) {
  put_head(page, sound);
  for (int row = 0; row < page->grid->rows; row++)
    put_row(page, row);
  put_floor(page);
  put_times(page);
  put_legend(page);
}

neap_status neap_plan_draw_text(const neap_plan *plan, const neap_text_style *style,
                                FILE *stream, neap_error *error) {
  struct text_grid grid;
  neap_status status = neap_plan_verify(plan, -1, error);
  bool sound = status == NEAP_OK;
  if (!sound && status != NEAP_ERROR_UNSOUND) return status;
  status = text_grid_init(&grid, plan, style, error);
  if (status != NEAP_OK) return status;
  text_write_names(&grid);
  struct page page = {.grid = &grid,
                      .set = style->unicode ? &unicode : &ascii,
                      .stream = stream,
                      .bound_row = text_row_of(&grid, plan->report.lower_bound),
                      .peak_row = text_row_of(&grid, plan->report.peak)};
  put_page(&page, sound);
  text_grid_clear(&grid);
  return ferror(stream) ? error_system(error, "", "cannot write") : NEAP_OK;
}
