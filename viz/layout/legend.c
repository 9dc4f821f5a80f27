/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "viz/layout/legend.h"

#include <stdio.h>
#include <string.h>

#include "viz/svg/label.h"
#include "viz/svg/number.h"
#include "viz/svg/style.h"

#define SWATCH (16 * SVG_PIXEL)
#define LINE (26 * SVG_PIXEL)
#define SPACE (6 * SVG_PIXEL)
#define BETWEEN (20 * SVG_PIXEL)
#define FLOW_ROW (18 * SVG_PIXEL)

/* The classes of risk, in the words of the page (viz/page/colour.js). */
static const char *const risks[NEAP_RISK_COUNT] = {
    "none: all others", "low: with one of these", "medium: with one at the bound",
    "high: with one above the bound"};

/* Returns where the next entry goes. */
static int draw_text(struct svg *svg, int x, int y, const char *text) {
  svg_label(svg, "caption", x, y, text);
  return x + label_width(text, STYLE_SMALL) + BETWEEN;
}

/* ---------------------------------------------------------------- colours */

/* A swatch and its meaning; returns where the next entry goes. */
static int draw_entry(struct svg *svg, int x, int y, const char *class, const char *meaning,
                      const char *text) {
  char style[32];
  snprintf(style, sizeof style, "%s wide", class);
  svg_rectangle_start(svg, style, x, y - 12 * SVG_PIXEL, SWATCH, SWATCH);
  svg_title(svg, meaning);
  svg_end(svg);
  return draw_text(svg, x + SWATCH + SPACE, y, text);
}

/* The number of buffers of a class, in brackets, so that nobody takes it for part of a name. */
static void count_text(const struct colouring_class *class, char text[NUMBER_TEXT + 2]) {
  char number[NUMBER_TEXT];
  number_grouped(number, (int64_t) class->count);
  snprintf(text, NUMBER_TEXT + 2, "(%s)", number);
}

/* The width of an entry besides its label. */
static int extra_of(const struct colouring_class *class) {
  char number[NUMBER_TEXT + 2];
  count_text(class, number);
  return SWATCH + SPACE + BETWEEN + label_width(number, STYLE_SMALL) + SPACE;
}

/* The words of the legend for a class. */
static const char *words_of(const struct colouring *colouring, size_t class) {
  return colouring->scale == COLOURING_RISK ? risks[class] : colouring->classes[class].label;
}

/* The greatest width of labels with which all entries fit into `room`: only long ones are cut. */
static int widest_label(const struct colouring *colouring, int room) {
  int least = 0, most = room;
  while (least < most) {
    int middle = least + (most - least + 1) / 2, used = 0;
    for (size_t i = 0; i < colouring->count; i++) {
      if (colouring->classes[i].count == 0) continue;
      int width = label_width(words_of(colouring, i), STYLE_SMALL);
      used += extra_of(&colouring->classes[i]) + (width < middle ? width : middle);
    }
    if (used <= room) least = middle;
    else most = middle - 1;
  }
  return least;
}

/* A class as "conv (12)", its label in at most `room` hundredths of a pixel. */
static int draw_class(struct svg *svg, int x, int y, int room,
                      const struct colouring *colouring, size_t index) {
  const struct colouring_class *class = &colouring->classes[index];
  char label[LABEL_BYTES], number[NUMBER_TEXT + 2], text[LABEL_BYTES + NUMBER_TEXT + 2];
  count_text(class, number);
  label_fit(words_of(colouring, index), STYLE_SMALL, room, label);
  snprintf(text, sizeof text, "%s%s%s", label, *label ? " " : "", number);
  return draw_entry(svg, x, y, colouring_style(colouring, index), words_of(colouring, index),
                    text);
}

void legend_draw_colours(struct svg *svg, int x, int y, int right,
                         const struct colouring *colouring) {
  size_t count = colouring->count;
  svg_group(svg, "legend colours");
  char title[64];
  snprintf(title, sizeof title, "colours: %.40s", colouring->title);
  x = draw_text(svg, x, y, title) - BETWEEN / 2;
  int widest = widest_label(colouring, right - x);
  for (size_t i = 0; i < count; i++) {
    /* Risk is shown from high to none. */
    size_t class = colouring->scale == COLOURING_RISK ? count - 1 - i : i;
    if (colouring->classes[class].count > 0)
      x = draw_class(svg, x, y, widest, colouring, class);
  }
  svg_end(svg);
}

void legend_draw_risks(struct svg *svg, int x, int y) {
  svg_group(svg, "legend colours");
  x = draw_text(svg, x, y, "colours: risk") - BETWEEN / 2;
  for (int risk = NEAP_RISK_COUNT; risk-- > 0;) {
    const char *class = neap_risk_name((neap_risk)risk);
    x = draw_entry(svg, x, y, class, risks[risk], risks[risk]);
  }
  svg_end(svg);
}

/* ---------------------------------------------------------------- lines and marks */

static int draw_line(struct svg *svg, int x, int y, const char *class, const char *text) {
  svg_line(svg, class, x, y - 4 * SVG_PIXEL, x + LINE, y - 4 * SVG_PIXEL);
  return draw_text(svg, x + LINE + SPACE, y, text);
}

static int draw_mark(struct svg *svg, int x, int y, const char *class, const char *text) {
  svg_rectangle(svg, class, x, y - 11 * SVG_PIXEL, LINE, SWATCH - 2 * SVG_PIXEL);
  return draw_text(svg, x + LINE + SPACE, y, text);
}

void legend_draw_marks(struct svg *svg, int x, int y, const struct legend_marks *marks) {
  svg_group(svg, "legend lines");
  if (marks->collisions) x = draw_mark(svg, x, y, "clash", "collision");
  if (marks->capacity) x = draw_line(svg, x, y, "capacity", "capacity");
  if (marks->beyond) x = draw_mark(svg, x, y, "beyond", "above the capacity");
  if (marks->bound) x = draw_line(svg, x, y, "bound", "bound");
  if (marks->lower_bound) x = draw_line(svg, x, y, "bound lower", "lower bound");
  if (marks->stack) x = draw_mark(svg, x, y, "stack", "critical stack, which sets the peak");
  x = draw_line(svg, x, y, "target", "smallest rectangle around the plan");
  draw_line(svg, x, y, "outline", "arena");
  svg_end(svg);
}

/* ---------------------------------------------------------------- rows that break */

/* Where the next entry of a legend goes. */
struct flow {
  struct svg *svg; /* NULL: only measures */
  const struct frame *area;
  int x, y;
};

/* A swatch of a class of rectangles, or a sample of a line, with its words. */
static void flow_entry(struct flow *flow, const char *class, bool is_line, const char *words) {
  int sign = is_line ? LINE : SWATCH;
  char label[LABEL_BYTES], style[32];
  label_fit(words, STYLE_SMALL, flow->area->right - flow->area->left - sign - SPACE, label);
  int across = sign + SPACE + label_width(label, STYLE_SMALL);
  if (flow->x > flow->area->left && flow->x + across > flow->area->right) {
    flow->x = flow->area->left;
    flow->y += FLOW_ROW;
  }
  snprintf(style, sizeof style, "%.24s wide", class);
  if (flow->svg && is_line) draw_line(flow->svg, flow->x, flow->y, class, label);
  else if (flow->svg) draw_entry(flow->svg, flow->x, flow->y, class, words, label);
  flow->x += across + BETWEEN / 2;
}

static void flow_classes(struct flow *flow, const struct colouring *colouring) {
  for (size_t i = 0; i < colouring->count; i++) {
    char words[LABEL_BYTES + 32];
    size_t class = colouring->scale == COLOURING_RISK ? colouring->count - 1 - i : i;
    if (colouring->classes[class].count == 0) continue;
    bool is_first = flow->x == flow->area->left && flow->y == flow->area->top;
    snprintf(words, sizeof words, "%.30s%s%s",
             is_first && colouring->scale == COLOURING_RAMP ? colouring->title : "",
             is_first && colouring->scale == COLOURING_RAMP ? " " : "",
             words_of(colouring, class));
    flow_entry(flow, colouring_style(colouring, class), false, words);
  }
}

int legend_flow(struct svg *svg, const struct frame *area, const struct colouring *colouring,
                const struct legend_marks *marks) {
  struct flow flow = {svg, area, area->left, area->top};
  if (svg) svg_group(svg, "legend");
  flow_classes(&flow, colouring);
  if (marks->collisions) flow_entry(&flow, "clash", false, "collision");
  if (marks->capacity) flow_entry(&flow, "capacity", true, "capacity");
  if (marks->bound) flow_entry(&flow, "bound", true, "bound");
  if (marks->lower_bound) flow_entry(&flow, "bound lower", true, "lower bound");
  flow_entry(&flow, "target", true, "peak");
  if (svg) svg_end(svg);
  return flow.y - area->top + FLOW_ROW;
}

void legend_draw_signs(struct svg *svg, int x, int y, const struct signs *signs,
                       bool has_banks) {
  const struct relations *relations = signs->plan->problem->relations;
  svg_group(svg, "legend signs");
  if (signs->broken->count > 0) x = draw_mark(svg, x, y, "broken", "broken relation or limit");
  if (relations && relations->reserved_count > 0)
    x = draw_mark(svg, x, y, "reserved", "reserved bytes");
  if (has_banks) x = draw_line(svg, x, y, "bank", "bank boundary");
  if (signs->has_overlaps)
    x = draw_mark(svg, x, y, "shared", "bytes shared by an overlap allowance");
  if (signs->has_exclusions)
    x = draw_mark(svg, x, y, "excluded", "bytes shared by an exclusion");
  if (signs->body_count > 0) x = draw_mark(svg, x, y, "body", "colocated buffers");
  if (signs->has_fixed) {
    svg_rectangle(svg, "fixed", x + SPACE, y - 7 * SVG_PIXEL, SIGNS_PIN, SIGNS_PIN);
    draw_text(svg, x + SPACE + SIGNS_PIN + SPACE, y, "fixed offset");
  }
  svg_end(svg);
}
