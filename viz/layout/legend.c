/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "viz/layout/legend.h"

#include <stdio.h>

#include "viz/svg/label.h"
#include "viz/svg/number.h"
#include "viz/svg/style.h"

#define SWATCH (16 * SVG_PIXEL)
#define LINE (26 * SVG_PIXEL)
#define SPACE (6 * SVG_PIXEL)
#define BETWEEN (20 * SVG_PIXEL)

static const char *const meanings[NEAP_RISK_COUNT] = {
    "Risk none: all other buffers",
    "Risk low: alive together with a buffer of medium or high risk",
    "Risk medium: ends at the bound, or is alive together with a buffer that does",
    "Risk high: ends above the bound, or is alive together with a buffer that does",
};

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

/* What an entry takes besides its label. */
static int extra_of(const struct colouring_class *class) {
  char number[NUMBER_TEXT];
  number_grouped(number, (int64_t) class->count);
  return SWATCH + SPACE + BETWEEN + label_width(number, STYLE_SMALL) + SPACE;
}

/* How wide labels may be at most, so that all entries fit into `room`: only long ones are cut. */
static int widest_label(const struct colouring *colouring, int room) {
  int least = 0, most = room;
  while (least < most) {
    int middle = least + (most - least + 1) / 2, used = 0;
    for (size_t i = 0; i < colouring->count; i++) {
      if (colouring->classes[i].count == 0) continue;
      int width = label_width(colouring->classes[i].label, STYLE_SMALL);
      used += extra_of(&colouring->classes[i]) + (width < middle ? width : middle);
    }
    if (used <= room) least = middle;
    else most = middle - 1;
  }
  return least;
}

/* A class as "conv 12", its label in at most `room` hundredths of a pixel. */
static int draw_class(struct svg *svg, int x, int y, int room,
                      const struct colouring *colouring, size_t index) {
  const struct colouring_class *class = &colouring->classes[index];
  char label[LABEL_BYTES], number[NUMBER_TEXT], text[LABEL_BYTES + NUMBER_TEXT];
  number_grouped(number, (int64_t) class->count);
  label_fit(class->label, STYLE_SMALL, room, label);
  snprintf(text, sizeof text, "%s%s%s", label, *label ? " " : "", number);
  return draw_entry(svg, x, y, colouring_style(colouring, index),
                    colouring->scale == COLOURING_RISK ? meanings[index] : class->label, text);
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
    const char *name = neap_risk_name((neap_risk)risk);
    x = draw_entry(svg, x, y, name, meanings[risk], name);
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
  draw_line(svg, x, y, "outline", "container");
  svg_end(svg);
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
