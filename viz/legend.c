/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "viz/legend.h"

#include <stdio.h>

#include "viz/label.h"
#include "viz/number.h"
#include "viz/style.h"

#define SWATCH (16 * SVG_PIXEL)
#define LINE (26 * SVG_PIXEL)
#define SPACE (6 * SVG_PIXEL)
#define BETWEEN (20 * SVG_PIXEL)

static const char *const meanings[NEAP_RISK_COUNT] = {
    "Risk none: all others",
    "Risk low: lives with a buffer of medium or high risk",
    "Risk medium: ends at the bound, or lives with a buffer that does",
    "Risk high: ends above the bound, or lives with a buffer that does",
};

/* Returns where the next entry goes. */
static int draw_text(struct svg *svg, int x, int y, const char *text) {
  svg_label(svg, "caption", x, y, text);
  return x + label_width(text, STYLE_SMALL) + BETWEEN;
}

static int draw_class(struct svg *svg, int x, int y, neap_risk risk, size_t count) {
  char class[32], text[64], number[NUMBER_TEXT];
  snprintf(class, sizeof class, "%s wide", neap_risk_name(risk));
  svg_rectangle_start(svg, class, x, y - 12 * SVG_PIXEL, SWATCH, SWATCH);
  svg_title(svg, meanings[risk]);
  svg_end(svg);
  snprintf(text, sizeof text, "%s %s", neap_risk_name(risk),
           number_grouped(number, (int64_t)count));
  return draw_text(svg, x + SWATCH + SPACE, y, text);
}

static int draw_line(struct svg *svg, int x, int y, const char *class, const char *text) {
  svg_line(svg, class, x, y - 4 * SVG_PIXEL, x + LINE, y - 4 * SVG_PIXEL);
  return draw_text(svg, x + LINE + SPACE, y, text);
}

void legend_draw(struct svg *svg, int x, int y, const size_t counts[NEAP_RISK_COUNT],
                 bool has_lower_bound) {
  svg_group(svg, "legend");
  x = draw_text(svg, x, y, "risk") - BETWEEN / 2;
  for (int risk = NEAP_RISK_HIGH; risk >= NEAP_RISK_NONE; risk--)
    x = draw_class(svg, x, y, (neap_risk)risk, counts[risk]);
  x += BETWEEN;
  x = draw_line(svg, x, y, "target", "target rectangle");
  x = draw_line(svg, x, y, "outline", "container");
  x = draw_line(svg, x, y, "bound", "bound");
  x = draw_line(svg, x, y, "stack", "stack at the peak");
  if (has_lower_bound) draw_line(svg, x, y, "bound lower", "lower bound");
  svg_end(svg);
}
