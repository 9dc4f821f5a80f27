/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "viz/svg/style.h"

#include <stdio.h>

#include "viz/svg/style_sheet.h"

#define SERIES 8

const char *style_series(size_t index) {
  static const char *const classes[SERIES] = {"series0", "series1", "series2", "series3",
                                              "series4", "series5", "series6", "series7"};
  return classes[index % SERIES];
}

static void write_rule(struct svg *svg, const char *selector, const char *first,
                       const char *second) {
  if (!first[0] && !second[0]) return;
  char text[320];
  snprintf(text, sizeof text, "%s{%s%s%s}\n", selector, first, first[0] && second[0] ? ";" : "",
           second);
  svg_text(svg, text);
}

/* Writes the shades, before the rules, which make exceptions. */
static void write_shades(struct svg *svg, bool dark) {
  for (const struct shade *shade = sheet_shades; shade < sheet_shades + sheet_shades_count;
       shade++) {
    const char *colour = dark ? shade->dark : shade->light;
    char text[128];
    snprintf(text, sizeof text, ".%s{fill:%s}.%s.tiny{stroke:%s}\n", shade->class, colour,
             shade->class, colour);
    svg_text(svg, text);
  }
}

static void write_rules(struct svg *svg, const struct rule *list, size_t count, bool shaded) {
  svg_start(svg, "style");
  svg_text(svg, "\n");
  if (shaded) write_shades(svg, false);
  for (size_t i = 0; i < count; i++)
    write_rule(svg, list[i].selector, list[i].always, list[i].light);
  svg_text(svg, "@media (prefers-color-scheme:dark){\n");
  if (shaded) write_shades(svg, true);
  for (size_t i = 0; i < count; i++)
    write_rule(svg, list[i].selector, "", list[i].dark);
  svg_text(svg, "}\n");
  svg_end(svg);
}

/*
 * Starts a square tile that repeats over the whole picture, so that hatching continues from one
 * rectangle to the next.
 */
static void start_pattern(struct svg *svg, const char *id, const char *class, int side) {
  svg_start(svg, "pattern");
  svg_attribute(svg, "id", id);
  svg_attribute(svg, "patternUnits", "userSpaceOnUse");
  svg_length(svg, "width", side);
  svg_length(svg, "height", side);
  svg_rectangle(svg, class, 0, 0, side, side);
}

/* Draws rising or falling lines, which pass the tile's corners so that they join. */
static void draw_hatching(struct svg *svg, const char *class, int side, bool rising) {
  svg_path_start(svg, class);
  for (int shift = -side; shift <= side; shift += side) {
    svg_to(svg, 'M', shift - SVG_PIXEL, rising ? side + SVG_PIXEL : -SVG_PIXEL);
    svg_to(svg, 'L', shift + side + SVG_PIXEL, rising ? -SVG_PIXEL : side + SVG_PIXEL);
  }
  svg_path_finish(svg);
  svg_end(svg);
}

static void write_patterns(struct svg *svg) {
  svg_start(svg, "defs");
  start_pattern(svg, "neap-low", "low", 8 * SVG_PIXEL);
  svg_rectangle(svg, "dots", 100, 100, 120, 120);
  svg_rectangle(svg, "dots", 500, 500, 120, 120);
  svg_end(svg);
  start_pattern(svg, "neap-medium", "medium", 8 * SVG_PIXEL);
  draw_hatching(svg, "hatch", 8 * SVG_PIXEL, true);
  svg_end(svg);
  start_pattern(svg, "neap-high", "high", 5 * SVG_PIXEL);
  draw_hatching(svg, "hatch", 5 * SVG_PIXEL, false);
  svg_end(svg);
  start_pattern(svg, "neap-beyond", "panel", 6 * SVG_PIXEL);
  draw_hatching(svg, "above", 6 * SVG_PIXEL, true);
  svg_end(svg);
  start_pattern(svg, "neap-clash", "glass", 8 * SVG_PIXEL);
  draw_hatching(svg, "cross", 8 * SVG_PIXEL, true);
  draw_hatching(svg, "cross", 8 * SVG_PIXEL, false);
  svg_end(svg);
  svg_end(svg);
}

void style_write(struct svg *svg, int width, int height) {
  write_rules(svg, sheet_plain, sheet_plain_count, true);
  write_patterns(svg);
  svg_rectangle(svg, "page", 0, 0, width * SVG_PIXEL, height * SVG_PIXEL);
}

void style_write_signs(struct svg *svg) {
  write_rules(svg, sheet_signs, sheet_signs_count, false);
  svg_start(svg, "defs");
  start_pattern(svg, "neap-reserved", "panel", 6 * SVG_PIXEL);
  draw_hatching(svg, "stripe", 6 * SVG_PIXEL, true);
  svg_end(svg);
  start_pattern(svg, "neap-shared", "glass", 6 * SVG_PIXEL);
  draw_hatching(svg, "weave", 6 * SVG_PIXEL, false);
  svg_end(svg);
  start_pattern(svg, "neap-excluded", "glass", 6 * SVG_PIXEL);
  svg_rectangle(svg, "drop", 2 * SVG_PIXEL, 2 * SVG_PIXEL, 2 * SVG_PIXEL, 2 * SVG_PIXEL);
  svg_end(svg);
  svg_end(svg);
}
