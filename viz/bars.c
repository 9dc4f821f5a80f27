/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Bar charts: one bar per line, with its name to the left and its value to the right.  Bars begin
 * at 0, so that lengths can be compared; a line across them marks the reference level.
 */
#include "viz/bars.h"

#include <stdio.h>

#include "core/error.h"
#include "core/text.h"
#include "viz/frame.h"
#include "viz/label.h"
#include "viz/multiples.h"
#include "viz/number.h"
#include "viz/style.h"

#define PAGE_ACROSS 960
#define LINE (24 * SVG_PIXEL)
#define LEFT (250 * SVG_PIXEL)
#define RIGHT (800 * SVG_PIXEL)
#define TOP (96 * SVG_PIXEL)
#define BARS_MAX 200

struct board {
  const neap_bars *bars;
  size_t shown;
  struct frame frame;
  struct axis axis;
};

static void board_init(struct board *board, const neap_bars *bars) {
  *board = (struct board){.bars = bars, .shown = bars->count};
  if (board->shown > BARS_MAX) board->shown = BARS_MAX;
  int lines = (int)(board->shown > 0 ? board->shown : 1);
  board->frame = (struct frame){LEFT, TOP, RIGHT, TOP + lines * LINE + LINE / 2};
  neap_size most = bars->level > 0 ? bars->level : 1;
  for (size_t i = 0; i < board->shown; i++)
    if (bars->items[i].value > most) most = bars->items[i].value;
  board->axis = (struct axis){
      .unit = AXIS_BYTES, .low = 0, .high = most, .from = LEFT, .to = RIGHT - 10 * SVG_PIXEL};
  axis_set_step(&board->axis, 90 * SVG_PIXEL);
}

static void draw_bar(const struct board *board, size_t index, struct svg *svg) {
  const neap_bar *bar = &board->bars->items[index];
  int y = TOP + (int)index * LINE + LINE / 2;
  char label[LABEL_BYTES], bytes[TEXT_BYTES], percent[NUMBER_TEXT], text[160];
  label_fit(bar->name, STYLE_STRONG, LEFT - 24 * SVG_PIXEL, label);
  svg_label(svg, bar->is_marked ? "strong end" : "end", LEFT - 10 * SVG_PIXEL,
            y + 4 * SVG_PIXEL, label);
  if (bar->value < 0) {
    label_fit(bar->note, STYLE_SMALL, RIGHT - LEFT - 20 * SVG_PIXEL, label);
    svg_label(svg, "note", LEFT + 8 * SVG_PIXEL, y + 4 * SVG_PIXEL, label);
    return;
  }
  int end = axis_at(&board->axis, bar->value);
  svg_rectangle_start(svg, bar->is_marked ? "low" : "none", LEFT, y - 8 * SVG_PIXEL,
                      end > LEFT ? end - LEFT : 1, 16 * SVG_PIXEL);
  snprintf(text, sizeof text, "%.80s: %s bytes", label, number_grouped(percent, bar->value));
  svg_title(svg, text);
  svg_end(svg);
  double gap =
      board->bars->level > 0 ? 100 * ((double)bar->value / (double)board->bars->level - 1) : 0;
  snprintf(text, sizeof text, "%s  +%s", text_bytes(bytes, bar->value),
           neap_gap_text(gap, percent));
  svg_label(svg, "detail", RIGHT + 8 * SVG_PIXEL, y + 4 * SVG_PIXEL, text);
}

static void draw_level(const struct board *board, struct svg *svg) {
  int x = axis_at(&board->axis, board->bars->level);
  char text[160], bytes[TEXT_BYTES];
  svg_line(svg, "bound", x, TOP, x, board->frame.bottom);
  snprintf(text, sizeof text, "%s %s", board->bars->level_name,
           text_bytes(bytes, board->bars->level));
  svg_label(svg, "strong middle", x, TOP - 8 * SVG_PIXEL, text);
}

static void board_draw(const struct board *board, struct svg *svg) {
  frame_panel(svg, &board->frame);
  frame_across(svg, &board->frame, &board->axis, true);
  for (size_t i = 0; i < board->shown; i++)
    draw_bar(board, i, svg);
  draw_level(board, svg);
  svg_line(svg, "outline", LEFT, TOP, LEFT, board->frame.bottom);
  if (board->shown == board->bars->count) return;
  char text[64];
  snprintf(text, sizeof text, "and %zu more", board->bars->count - board->shown);
  svg_label(svg, "note", LEFT, board->frame.bottom + 36 * SVG_PIXEL, text);
}

neap_status bars_write(const neap_bars *bars, enum render_kind kind, FILE *stream,
                       neap_error *error) {
  struct board board;
  struct svg svg;
  char title[LABEL_BYTES], description[160];
  board_init(&board, bars);
  int below = board.frame.bottom / SVG_PIXEL + 60;
  int down = below + multiples_down(bars->panel_count);
  label_fit(bars->title, STYLE_HEAD, (PAGE_ACROSS - 60) * SVG_PIXEL, title);
  snprintf(description, sizeof description, "A bar chart of %zu values in bytes, from 0.",
           bars->count);
  neap_status status =
      svg_open(&svg, kind, stream, PAGE_ACROSS, down, title, description, error);
  if (status != NEAP_OK) return status;
  style_write(&svg, PAGE_ACROSS, down);
  svg_label(&svg, "head", 30 * SVG_PIXEL, 44 * SVG_PIXEL, title);
  board_draw(&board, &svg);
  status = multiples_draw(bars->panels, bars->panel_count, below * SVG_PIXEL,
                          PAGE_ACROSS * SVG_PIXEL, &svg, error);
  return svg_close(&svg, status, error);
}
