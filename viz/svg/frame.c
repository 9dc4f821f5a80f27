/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "viz/svg/frame.h"

#include <assert.h>
#include <stdio.h>

#include "viz/svg/label.h"
#include "viz/svg/style.h"

void frame_panel(struct svg *svg, const struct frame *frame) {
  svg_rectangle(svg, "panel", frame->left, frame->top, frame->right - frame->left,
                frame->bottom - frame->top);
}

void frame_across(struct svg *svg, const struct frame *frame, const struct axis *axis,
                  bool labels) {
  int64_t tick;
  char label[AXIS_LABEL];
  for (bool any = axis_first_tick(axis, &tick); any; any = axis_next_tick(axis, &tick)) {
    int x = axis_at(axis, tick);
    svg_line(svg, "grid", x, frame->top, x, frame->bottom + (labels ? 4 * SVG_PIXEL : 0));
    if (labels)
      svg_label(svg, "tick middle", x, frame->bottom + 17 * SVG_PIXEL,
                axis_label(axis, tick, label));
  }
}

void frame_up(struct svg *svg, const struct frame *frame, const struct axis *axis) {
  int64_t tick;
  char label[AXIS_LABEL];
  for (bool any = axis_first_tick(axis, &tick); any; any = axis_next_tick(axis, &tick)) {
    int y = axis_at(axis, tick);
    svg_line(svg, "grid", frame->left - 4 * SVG_PIXEL, y, frame->right, y);
    svg_label(svg, "tick end", frame->left - 8 * SVG_PIXEL, y + 4 * SVG_PIXEL,
              axis_label(axis, tick, label));
  }
}

void frame_title_across(struct svg *svg, const struct frame *frame, const char *title) {
  char label[LABEL_BYTES];
  label_fit(title, STYLE_SMALL, frame->right - frame->left, label);
  svg_label(svg, "caption middle", frame->left + (frame->right - frame->left) / 2,
            frame->bottom + 36 * SVG_PIXEL, label);
}

void frame_title_up(struct svg *svg, const struct frame *frame, const char *title) {
  char label[LABEL_BYTES], turn[64];
  int x = 20, y = (frame->top + (frame->bottom - frame->top) / 2) / SVG_PIXEL;
  label_fit(title, STYLE_SMALL, frame->bottom - frame->top, label);
  snprintf(turn, sizeof turn, "translate(%d %d) rotate(-90)", x, y);
  svg_start(svg, "text");
  svg_attribute(svg, "class", "caption middle");
  svg_attribute(svg, "transform", turn);
  svg_text(svg, label);
  svg_end(svg);
}

/*
 * One pass downwards keeps each name below the one before; one pass upwards then moves those back
 * that went beyond the panel.  O(n).
 */
void frame_spread_levels(const struct frame *frame, struct level *levels, size_t count,
                         int spacing) {
  int low = frame->top + spacing / 2;
  for (size_t i = 0; i < count; i++) {
    assert(i == 0 || levels[i - 1].y <= levels[i].y);
    levels[i].text_y = levels[i].y > low ? levels[i].y : low;
    low = levels[i].text_y + spacing;
  }
  int high = frame->bottom;
  for (size_t i = count; i-- > 0;) {
    if (levels[i].text_y > high) levels[i].text_y = high;
    high = levels[i].text_y - spacing;
  }
}
