/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How far values are above a level: one dot per line, with its name to the left, and its value
 * and gap to the right.  Gaps range from hundredths of a percent to thousands of percent, so
 * the axis is logarithmic.  Zero is not on such an axis: values at the level are on a line of
 * their own before a break.  Dots mark places, because lengths from a logarithmic axis mean
 * nothing.
 *
 * Without a level there are no gaps: then bars that begin at 0 show the values.
 */
#include "viz/charts/chart.h"

#include <math.h>
#include <stdio.h>

#include "core/error.h"
#include "core/text.h"
#include "viz/layout/small_multiples.h"
#include "viz/svg/frame.h"
#include "viz/svg/label.h"
#include "viz/svg/number.h"
#include "viz/svg/style.h"

#define PAGE_ACROSS 960
#define LINE (24 * SVG_PIXEL)
#define LEFT (250 * SVG_PIXEL)
#define RIGHT (800 * SVG_PIXEL)
#define TOP (96 * SVG_PIXEL)
#define BARS_MAX 200
#define ZERO (LEFT + 24 * SVG_PIXEL) /* where values equal to the level are */
#define FIRST (LEFT + 76 * SVG_PIXEL) /* where the logarithmic axis begins, after the break */
#define LEAST (-2 * AXIS_DECADE)      /* a smaller gap is printed as "<0.01 %" */
#define MOST (10 * AXIS_DECADE)

struct board {
  const neap_bars *bars;
  size_t shown;
  struct frame frame;
  struct axis axis;
};

static bool has_gaps(const struct board *board) { return board->bars->level > 0; }

/* The gap from the level to a value, in percent. */
static double gap_of(const struct board *board, neap_size value) {
  return 100 * ((double)value / (double)board->bars->level - 1);
}

/* Whether a value has a place after the break, and which: thousandths of decades of a percent. */
static bool place_of(const struct board *board, neap_size value, int64_t *place) {
  double gap = gap_of(board, value);
  if (value <= board->bars->level || !(gap > 0)) return false;
  double decades = AXIS_DECADE * log10(gap);
  *place = decades < LEAST ? LEAST : decades > MOST ? MOST : (int64_t)lround(decades);
  return true;
}

/*
 * Sets the axis from the decade of the least gap to 1, 2 or 5 times a power of ten; without gaps,
 * from 0.1 % to 10 %.
 */
static void set_gap_axis(struct board *board) {
  int64_t low = MOST, high = LEAST, place;
  for (size_t i = 0; i < board->shown; i++)
    if (place_of(board, board->bars->items[i].value, &place)) {
      if (place < low) low = place;
      if (place > high) high = place;
    }
  if (low > high) low = -AXIS_DECADE, high = AXIS_DECADE;
  low = (int64_t)floor((double)low / AXIS_DECADE) * AXIS_DECADE;
  high = axis_power_from(high);
  if (high < low + AXIS_DECADE) high = low + AXIS_DECADE;
  board->axis = (struct axis){.unit = AXIS_POWERS,
                              .low = low,
                              .high = high,
                              .from = FIRST,
                              .to = RIGHT - 10 * SVG_PIXEL};
  axis_set_step(&board->axis, 40 * SVG_PIXEL);
}

static void set_byte_axis(struct board *board) {
  neap_size most = 1;
  for (size_t i = 0; i < board->shown; i++)
    if (board->bars->items[i].value > most) most = board->bars->items[i].value;
  board->axis = (struct axis){
      .unit = AXIS_BYTES, .low = 0, .high = most, .from = LEFT, .to = RIGHT - 10 * SVG_PIXEL};
  axis_set_step(&board->axis, 90 * SVG_PIXEL);
}

static void board_init(struct board *board, const neap_bars *bars) {
  *board = (struct board){.bars = bars, .shown = bars->count};
  if (board->shown > BARS_MAX) board->shown = BARS_MAX;
  int lines = (int)(board->shown > 0 ? board->shown : 1);
  board->frame = (struct frame){LEFT, TOP, RIGHT, TOP + lines * LINE + LINE / 2};
  if (has_gaps(board)) set_gap_axis(board);
  else set_byte_axis(board);
}

/* ---------------------------------------------------------------- one line */

static void draw_dot(const struct board *board, const neap_bar *bar, int y, struct svg *svg) {
  int64_t place;
  int x = place_of(board, bar->value, &place) ? axis_at(&board->axis, place) : ZERO;
  svg_line(svg, "leader", LEFT, y, x, y);
  svg_start(svg, "circle");
  svg_attribute(svg, "class", bar->is_marked ? "mark series0" : "mark series1");
  svg_length(svg, "cx", x);
  svg_length(svg, "cy", y);
  svg_length(svg, "r", 6 * SVG_PIXEL);
}

static void draw_bar(const struct board *board, const neap_bar *bar, int y, struct svg *svg) {
  int end = axis_at(&board->axis, bar->value);
  svg_rectangle_start(svg, bar->is_marked ? "low" : "none", LEFT, y - 8 * SVG_PIXEL,
                      end > LEFT ? end - LEFT : 1, 16 * SVG_PIXEL);
}

static void draw_line(const struct board *board, size_t index, struct svg *svg) {
  const neap_bar *bar = &board->bars->items[index];
  int y = TOP + (int)index * LINE + LINE / 2;
  char label[LABEL_BYTES], bytes[TEXT_BYTES], number[NUMBER_TEXT], text[160];
  label_fit(bar->name, STYLE_STRONG, LEFT - 24 * SVG_PIXEL, label);
  svg_label(svg, bar->is_marked ? "strong end" : "end", LEFT - 10 * SVG_PIXEL,
            y + 4 * SVG_PIXEL, label);
  if (bar->value < 0) {
    int left = (has_gaps(board) ? FIRST : LEFT) + 8 * SVG_PIXEL;
    label_fit(bar->note, STYLE_SMALL, RIGHT - left - 12 * SVG_PIXEL, label);
    svg_label(svg, "note", left, y + 4 * SVG_PIXEL, label);
    return;
  }
  if (has_gaps(board)) draw_dot(board, bar, y, svg);
  else draw_bar(board, bar, y, svg);
  snprintf(text, sizeof text, "%.80s: %s bytes", label, number_grouped(number, bar->value));
  svg_title(svg, text);
  svg_end(svg);
  text_bytes(bytes, bar->value);
  if (has_gaps(board))
    snprintf(text, sizeof text, "%s  +%s", bytes,
             neap_gap_text(gap_of(board, bar->value), number));
  svg_label(svg, "detail", RIGHT + 8 * SVG_PIXEL, y + 4 * SVG_PIXEL,
            has_gaps(board) ? text : bytes);
}

/* ---------------------------------------------------------------- the axis */

/* Two strokes across the lower edge of the panel, where the axis is broken. */
static void draw_break(const struct board *board, struct svg *svg) {
  int middle = (ZERO + FIRST) / 2, y = board->frame.bottom, half = 5 * SVG_PIXEL;
  svg_rectangle(svg, "page", middle - 3 * SVG_PIXEL, TOP, 6 * SVG_PIXEL, y - TOP);
  for (int side = -1; side <= 1; side += 2) {
    int x = middle + side * 3 * SVG_PIXEL;
    svg_line(svg, "outline", x, TOP, x, y);
    svg_line(svg, "outline", x - half / 2, y + half, x + half / 2, y - half);
  }
}

static void draw_level(const struct board *board, struct svg *svg) {
  char text[160], bytes[TEXT_BYTES];
  svg_line(svg, "bound", ZERO, TOP, ZERO, board->frame.bottom);
  snprintf(text, sizeof text, "%s %s", board->bars->level_name,
           text_bytes(bytes, board->bars->level));
  svg_label(svg, "strong", LEFT, TOP - 8 * SVG_PIXEL, text);
  svg_label(svg, "tick middle", ZERO, board->frame.bottom + 17 * SVG_PIXEL, "0");
  snprintf(text, sizeof text, "percent above the %s, on a logarithmic scale after the break",
           board->bars->level_name);
  frame_title_across(svg, &board->frame, text);
}

static void board_draw(const struct board *board, struct svg *svg) {
  frame_panel(svg, &board->frame);
  frame_across(svg, &board->frame, &board->axis, true);
  if (has_gaps(board)) {
    draw_break(board, svg);
    draw_level(board, svg);
  }
  for (size_t i = 0; i < board->shown; i++)
    draw_line(board, i, svg);
  svg_line(svg, "outline", LEFT, TOP, LEFT, board->frame.bottom);
  if (board->shown == board->bars->count) return;
  char text[64];
  snprintf(text, sizeof text, "and %zu more", board->bars->count - board->shown);
  svg_label(svg, "note", LEFT, board->frame.bottom + 54 * SVG_PIXEL, text);
}

neap_status bars_write(const neap_bars *bars, enum render_kind kind, FILE *stream,
                       neap_error *error) {
  struct board board;
  struct svg svg;
  char title[LABEL_BYTES], description[160];
  board_init(&board, bars);
  int below = board.frame.bottom / SVG_PIXEL + 74;
  int down = below + small_multiples_down(bars->panel_count);
  label_fit(bars->title, STYLE_HEAD, (PAGE_ACROSS - 60) * SVG_PIXEL, title);
  snprintf(description, sizeof description,
           has_gaps(&board) ? "How far %zu values are above the %s, on a logarithmic scale."
                            : "A bar chart of %zu values in bytes, from 0.",
           bars->count, bars->level_name);
  neap_status status =
      svg_open(&svg, kind, stream, PAGE_ACROSS, down, title, description, error);
  if (status != NEAP_OK) return status;
  style_write(&svg, PAGE_ACROSS, down);
  svg_label(&svg, "head", 30 * SVG_PIXEL, 44 * SVG_PIXEL, title);
  board_draw(&board, &svg);
  status = small_multiples_draw(bars->panels, bars->panel_count, below * SVG_PIXEL,
                                PAGE_ACROSS * SVG_PIXEL, &svg, error);
  return svg_close(&svg, status, error);
}
