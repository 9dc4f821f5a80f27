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
 * A buffer's left and lower edges are drawn within its cells; the rest of these shows its class.
 */
#include "viz/text/picture.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/error.h"
#include "core/text.h"
#include "viz/layout/colouring.h"
#include "viz/layout/describe.h"
#include "viz/svg/glyph.h"

/* ---------------------------------------------------------------- characters */

#define RAMP_MAX 5 /* classes */
#define REST_MAX 2 /* classes of buffers without what the ramp shows */

struct charset {
  uint32_t left, below, speck, collision, shared, reserved;
  uint32_t risk[NEAP_RISK_COUNT], groups[COLOURING_MAX],
      ramp[RAMP_MAX + REST_MAX];     /* fills, by class */
  uint32_t levels[TEXT_LEVEL_COUNT]; /* where there is no buffer */
  uint32_t side, tick_left, corner, floor, tick_floor;
};

static const struct charset ascii = {
    .left = '|',
    .below = '_',
    .speck = '\'',
    .collision = 'X',
    .shared = '&',
    .reserved = '!',
    .risk = {'.', ':', '=', '#'},
    .groups = {'#', ':', '=', '%', '*', '/', '\\', 'o', '+', '.'},
    .ramp = {'.', ':', '=', '%', '#', '-', '+'},
    .levels = {[TEXT_CAPACITY] = '^', [TEXT_PEAK] = '~', [TEXT_BOUND] = '-'},
    .side = '|',
    .tick_left = '+',
    .corner = '+',
    .floor = '-',
    .tick_floor = '+',
};
static const struct charset unicode = {
    .left = 0x258f,
    .below = 0x2581,
    .speck = 0xb7,
    .collision = 'X',
    .shared = '&',
    .reserved = 0x2261,
    .risk = {' ', 0x2591, 0x2592, 0x2593},
    .groups = {0x2592, 0x2593, 0x2571, 0x2572, 0x2573, 0x2022, 0x25aa, 0x2218, 0x2219, 0x2591},
    .ramp = {' ', 0xb7, 0x2591, 0x2592, 0x2593, 0x2572, 0x2571},
    .levels = {[TEXT_CAPACITY] = 0x2501, [TEXT_PEAK] = 0x254c, [TEXT_BOUND] = 0x2500},
    .side = 0x2502,
    .tick_left = 0x2524,
    .corner = 0x2514,
    .floor = 0x2500,
    .tick_floor = 0x252c,
};

#define INK(background) "\033[38;5;16;48;5;" #background "m" /* black on a background */
/* Risk gets warmer, ramps get darker, groups differ in hue. */
static const char *const risk_paints[NEAP_RISK_COUNT] = {INK(252), INK(153), INK(215),
                                                         INK(210)};
static const char *const group_paints[COLOURING_MAX] = {INK(117), INK(216), INK(115), INK(218),
                                                        INK(186), INK(183), INK(149), INK(180),
                                                        INK(123), INK(252)};
static const char *const ramp_paints[RAMP_MAX + REST_MAX] = {
    INK(230), INK(193), INK(115), INK(73), INK(68), INK(250), INK(255)};
static const char *const level_paints[TEXT_LEVEL_COUNT] = {
    [TEXT_CAPACITY] = "\033[32m", [TEXT_PEAK] = "\033[35m", [TEXT_BOUND] = "\033[35m"};
#define PAINT_SHARED INK(141)
#define PAINT_RESERVED "\033[38;5;246m"
#define PAINT_COLLISION "\033[1;37;41m"
#define PLAIN "\033[0m"

struct page {
  const struct text_grid *grid;
  const struct soundness *soundness;
  const struct colouring *colouring;
  const char *name; /* of the subject, or NULL */
  const struct charset *set;
  FILE *stream;
  const char *paint;             /* the escape sequence in force */
  bool has_shared, has_reserved; /* whether any cells so far show such bytes */
  int blanks;                    /* held back, so that no line ends in one */
};

/* The position of a class in the tables above. */
static size_t look_of(const struct colouring *colouring, size_t class) {
  if (class == colouring->others) return COLOURING_MAX - 1;
  if (colouring->scale != COLOURING_RAMP) return class;
  return class < colouring->steps ? colouring_step(colouring, class)
                                  : RAMP_MAX + class - colouring->steps;
}

static const char *paint_of(const struct page *page, size_t class) {
  size_t look = look_of(page->colouring, class);
  enum colouring_scale scale = page->colouring->scale;
  return scale == COLOURING_RISK     ? risk_paints[look]
         : scale == COLOURING_GROUPS ? group_paints[look]
                                     : ramp_paints[look];
}

/* Without colours, fills distinguish the classes. */
static uint32_t fill_of(const struct page *page, size_t class) {
  if (page->grid->style->colours) return ' ';
  size_t look = look_of(page->colouring, class);
  enum colouring_scale scale = page->colouring->scale;
  return scale == COLOURING_RISK     ? page->set->risk[look]
         : scale == COLOURING_GROUPS ? page->set->groups[look]
                                     : page->set->ramp[look];
}

static void flush_blanks(struct page *page) {
  for (; page->blanks > 0; page->blanks--)
    fputc(' ', page->stream);
}

static void put_character(struct page *page, uint32_t code) {
  char bytes[GLYPH_BYTES];
  if (code == ' ' && !page->paint) {
    page->blanks++;
    return;
  }
  flush_blanks(page);
  fwrite(bytes, 1, glyph_encode(code, bytes), page->stream);
}

static void use_paint(struct page *page, const char *paint) {
  if (!page->grid->style->colours || page->paint == paint) return;
  flush_blanks(page);
  fputs(PLAIN, page->stream);
  if (paint) fputs(paint, page->stream);
  page->paint = paint;
}

/* ---------------------------------------------------------------- cells */

/* Draws an empty cell, which shows a level; of several levels in a row the most important. */
static void put_empty(struct page *page, int row) {
  for (int level = TEXT_LEVEL_COUNT; level-- > 0;)
    if (page->grid->level_rows[level] == row) {
      use_paint(page, level_paints[level]);
      put_character(page, page->set->levels[level]);
      return;
    }
  use_paint(page, NULL);
  put_character(page, ' ');
}

static bool has_other_owner(const struct text_grid *grid, int column, int row, int64_t owner) {
  if (column < 0 || row >= grid->rows) return true;
  return text_grid_at(grid, column, row)->owner != owner;
}

static void put_owned(struct page *page, int column, int row, const struct text_cell *cell) {
  const struct text_grid *grid = page->grid;
  size_t class = page->colouring->of[cell->owner];
  use_paint(page, paint_of(page, class));
  if (cell->sign) put_character(page, cell->sign);
  else if (has_other_owner(grid, column - 1, row, cell->owner))
    put_character(page, page->set->left);
  else
    put_character(page, has_other_owner(grid, column, row + 1, cell->owner)
                            ? page->set->below
                            : fill_of(page, class));
}

static void put_cell(struct page *page, int column, int row) {
  const struct text_cell *cell = text_grid_at(page->grid, column, row);
  if (cell->is_tail) return;
  if (cell->owner >= 0) {
    put_owned(page, column, row, cell);
  } else if (cell->owner == TEXT_HOLE) {
    put_empty(page, row);
  } else if (cell->owner == TEXT_SHARED || cell->owner == TEXT_RESERVED) {
    bool shared = cell->owner == TEXT_SHARED;
    use_paint(page, shared ? PAINT_SHARED : PAINT_RESERVED);
    put_character(page, shared ? page->set->shared : page->set->reserved);
  } else {
    bool collision = cell->owner == TEXT_COLLISION;
    use_paint(page, collision ? PAINT_COLLISION : NULL);
    put_character(page, collision ? page->set->collision : page->set->speck);
  }
}

/* ---------------------------------------------------------------- around the cells */

/* The tick of a row, if it has one. */
static bool tick_of(const struct text_grid *grid, int row, int64_t *tick) {
  for (bool any = axis_first_tick(&grid->up, tick); any; any = axis_next_tick(&grid->up, tick))
    if (text_grid_row_of(grid, *tick) == row) return true;
  return false;
}

static void put_left(struct page *page, int row) {
  char label[AXIS_LABEL] = "";
  int64_t tick;
  bool ticked = tick_of(page->grid, row, &tick);
  if (ticked) axis_label(&page->grid->up, tick, label);
  fprintf(page->stream, "%9s ", label);
  put_character(page, ticked ? page->set->tick_left : page->set->side);
}

#define ROW_NAME 48

/* The names of the levels in a row: "peak = bound", "capacity, peak". */
static const char *name_of_row(const struct page *page, int row, char name[ROW_NAME]) {
  const struct levels *report = &page->grid->levels;
  const char *bound = report->lower_bound > report->bound ? "lower bound" : "bound";
  const struct {
    const char *name;
    neap_size bytes;
  } levels[TEXT_LEVEL_COUNT] = {
      [TEXT_CAPACITY] = {"capacity", report->capacity},
      [TEXT_PEAK] = {"peak", report->peak},
      [TEXT_BOUND] = {bound, report->lower_bound},
  };
  size_t used = 0, last = TEXT_LEVEL_COUNT;
  name[0] = '\0';
  for (size_t level = 0; level < TEXT_LEVEL_COUNT; level++) {
    if (page->grid->level_rows[level] != row) continue;
    const char *join = last == TEXT_LEVEL_COUNT                    ? ""
                       : levels[last].bytes == levels[level].bytes ? " = "
                                                                   : ", ";
    used += (size_t)snprintf(name + used, ROW_NAME - used, "%s%s", join, levels[level].name);
    last = level;
  }
  return name;
}

static void put_row(struct page *page, int row) {
  put_left(page, row);
  for (int column = 0; column < page->grid->columns; column++)
    put_cell(page, column, row);
  use_paint(page, NULL);
  char text[ROW_NAME];
  const char *name = name_of_row(page, row, text);
  if (*name) flush_blanks(page);
  page->blanks = 0;
  fprintf(page->stream, "%s%s\n", *name ? " " : "", name);
}

/* Writes a text, within `room` cells; returns how many cells the text takes. */
static int put_text(struct page *page, const char *text, int room) {
  uint32_t codes[TEXT_NAME];
  int cells = 0, count = text_grid_shorten(text, page->grid->style->unicode, room, codes);
  for (int i = 0; i < count; i++) {
    put_character(page, codes[i]);
    cells += text_grid_cells(codes[i]);
  }
  return cells;
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
  put_character(page, page->set->corner);
  for (int column = 0; column < page->grid->columns; column++)
    put_character(page, is_tick_column(page->grid, column, &tick) ? page->set->tick_floor
                                                                  : page->set->floor);
  fputc('\n', page->stream);
}

/* The cells from a tick to the next one, or to the end. */
static int room_at(const struct text_grid *grid, int column) {
  int64_t tick;
  int end = column + 1;
  while (end < grid->columns && !is_tick_column(grid, end, &tick))
    end++;
  return end - column;
}

/* Labels begin below their ticks; where there is room, the operator's type follows. */
static void put_times(struct page *page) {
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
    int room = room_at(page->grid, column);
    int used = fprintf(page->stream, "%s", axis_label(&page->grid->across, tick, label));
    if (page->grid->has_operators && room > used + 2) {
      fputc(' ', page->stream);
      used += 1 + put_text(page, neap_problem_operator_type(page->grid->plan->problem, tick),
                           room - used - 2);
    }
    column += used;
  }
  fputs(" time\n", page->stream);
}

/* ---------------------------------------------------------------- legend and head */

#define ENTRY 16 /* cells for a legend's entry, enough to distinguish names */

/* The number of groups with a colour: as many as the legend has room for. */
static size_t most_classes(const struct text_grid *grid) {
  int most = (grid->width - 10) / ENTRY;
  return most < 2 ? 2 : most > COLOURING_MAX ? COLOURING_MAX : (size_t)most;
}

/* A swatch, a name and how many buffers; within `room` cells.  Returns how many it takes. */
static int put_class(struct page *page, size_t class, int room) {
  const struct colouring_class *self = &page->colouring->classes[class];
  char number[NUMBER_TEXT];
  int digits = snprintf(number, sizeof number, " %zu", self->count);
  put_text(page, "  ", 2);
  use_paint(page, paint_of(page, class));
  put_character(page, page->set->left);
  put_character(page, fill_of(page, class));
  use_paint(page, NULL);
  put_character(page, ' ');
  int label = room - 5, used = 5 + put_text(page, self->label, label);
  return used + digits <= room ? used + put_text(page, number, digits) : used;
}

static void put_sign(struct page *page, const char *paint, uint32_t sign, const char *name) {
  put_text(page, "  ", 2);
  use_paint(page, paint);
  put_character(page, sign);
  use_paint(page, NULL);
  put_character(page, ' ');
  put_text(page, name, TEXT_NAME);
}

#define COLLISION_ENTRY 13 /* cells of the entries of signs */
#define SHARED_ENTRY 10
#define RESERVED_ENTRY 12

static void put_legend(struct page *page) {
  const struct colouring *colouring = page->colouring;
  bool clash = page->soundness->collisions.total > 0;
  int used = put_text(page, colouring->title, 10) + (clash ? COLLISION_ENTRY : 0) +
             (page->has_shared ? SHARED_ENTRY : 0) + (page->has_reserved ? RESERVED_ENTRY : 0);
  for (size_t i = 0; i < colouring->count; i++) {
    int room = (page->grid->width - used) / (int)(colouring->count - i);
    size_t class = colouring->scale == COLOURING_RISK ? colouring->count - 1 - i : i;
    used += put_class(page, class, room);
  }
  if (clash) put_sign(page, PAINT_COLLISION, page->set->collision, "collision");
  if (page->has_shared) put_sign(page, PAINT_SHARED, page->set->shared, "shared");
  if (page->has_reserved) put_sign(page, PAINT_RESERVED, page->set->reserved, "reserved");
  page->blanks = 0;
  fputc('\n', page->stream);
}

/* Writes "unsound: 2 collisions: 'a' and 'b', 'c' and 'd'", in one line. */
static void put_fault(struct page *page) {
  char text[640], pairs[512], count[SOUNDNESS_COUNT];
  int room = page->grid->width;
  soundness_count(page->soundness, count);
  snprintf(text, sizeof text, "unsound: %s%s", count, *count ? ": " : "");
  size_t used = strlen(text), most = sizeof pairs;
  if ((size_t)room > used + 64 && (size_t)room - used < most) most = (size_t)room - used;
  else if ((size_t)room <= used + 64) most = 64;
  snprintf(text + used, sizeof text - used, "%s",
           soundness_text(page->soundness, page->grid->plan, pairs, most));
  size_t length = text_utf8_prefix(text, strnlen(text, (size_t)room));
  while (length > 0 && text[length - 1] == ' ')
    length--;
  fprintf(page->stream, "%.*s\n", (int)length, text);
}

static void put_head(struct page *page) {
  const neap_report *report = &page->grid->plan->report;
  char text[TEXT_BYTES], gap[NUMBER_TEXT], label[LABEL_BYTES];
  if (page->name) fprintf(page->stream, "%s: ", label_clean(page->name, label));
  fprintf(page->stream, "%zu buffer%s, peak %s", report->buffers,
          report->buffers == 1 ? "" : "s", text_bytes(text, report->peak));
  fprintf(page->stream, ", bound %s", text_bytes(text, report->bound));
  if (report->lower_bound > report->bound)
    fprintf(page->stream, ", lower bound %s", text_bytes(text, report->lower_bound));
  if (report->capacity >= 0)
    fprintf(page->stream, ", capacity %s", text_bytes(text, report->capacity));
  if (page->soundness->sound)
    fprintf(page->stream, ", gap %s: %s", neap_gap_text(report->gap_percent, gap),
            neap_outcome_name(report->outcome));
  if (page->soundness->sound && report->order.is_scheduled)
    fprintf(page->stream, " layout, %s order", neap_outcome_name(report->order.outcome));
  fputc('\n', page->stream);
  if (!page->soundness->sound) put_fault(page);
}

/* ---------------------------------------------------------------- the whole */

/* "sram: 1.19 KiB of 2.00 KiB used, 832 B free" */
static void put_pool(struct page *page) {
  char label[LABEL_BYTES], text[LEVELS_TEXT];
  const struct levels *levels = &page->grid->levels;
  fprintf(page->stream, "%s: %s\n", label_clean(levels->pool, label),
          levels_text(levels, text));
}

/* Writes one pool, or the only arena. */
static void put_grid(struct page *page) {
  page->has_shared = page->has_shared || page->grid->has_shared;
  page->has_reserved = page->has_reserved || page->grid->has_reserved;
  if (page->grid->levels.pool) put_pool(page);
  for (int row = 0; row < page->grid->rows; row++)
    put_row(page, row);
  put_floor(page);
}

static neap_status draw_grids(struct page *page, struct text_grid *grid, neap_error *error) {
  const struct neap_plan *plan = grid->plan;
  const neap_text_style *style = grid->style;
  size_t count = levels_count(plan);
  page->grid = grid;
  put_head(page);
  for (size_t pool = 0; pool < count; pool++) {
    if (pool > 0) {
      text_grid_clear(grid);
      neap_status status = text_grid_init(grid, plan, pool, page->soundness, style, error);
      if (status != NEAP_OK) return status;
    }
    text_grid_write_names(grid);
    put_grid(page);
  }
  put_times(page);
  put_legend(page);
  if (problem_pool_count(plan->problem) > count && plan->pools)
    fprintf(page->stream, "The first %zu of %zu pools are drawn.\n", count,
            problem_pool_count(plan->problem));
  return NEAP_OK;
}

static neap_status draw_page(struct page *page, struct text_grid *grid,
                             const neap_writing *writing, neap_error *error) {
  struct colouring colouring = {0};
  const struct colouring_wish wish = {writing->colour_by, most_classes(grid),
                                      page->soundness->sound};
  neap_status status = colouring_init(&colouring, grid->plan, &wish, error);
  page->colouring = &colouring;
  if (status == NEAP_OK) status = draw_grids(page, grid, error);
  if (status == NEAP_OK && ferror(page->stream))
    status = error_system(error, "", "cannot write");
  colouring_clear(&colouring);
  return status;
}

neap_status text_picture_write(const neap_plan *plan, const neap_writing *writing,
                               const neap_text_style *style, FILE *stream, neap_error *error) {
  struct text_grid grid = {0};
  struct soundness soundness;
  struct page page = {.soundness = &soundness,
                      .name = writing->name,
                      .set = style->unicode ? &unicode : &ascii,
                      .stream = stream};
  neap_status status = soundness_init(&soundness, plan, error);
  if (status == NEAP_OK) status = text_grid_init(&grid, plan, 0, &soundness, style, error);
  if (status == NEAP_OK) status = draw_page(&page, &grid, writing, error);
  text_grid_clear(&grid);
  soundness_clear(&soundness);
  return status;
}
