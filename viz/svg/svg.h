/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes SVG, one element a line.
 *
 * Every length is an integer of hundredths of a pixel, so that the same picture gives the same
 * bytes on every machine and in every locale.  Texts may contain anything: characters that XML does
 * not allow become U+FFFD.
 */
#ifndef VIZ_SVG_SVG_H
#define VIZ_SVG_SVG_H

#include <stdbool.h>
#include <stdio.h>

#include "viz/svg/render.h"

#define SVG_PIXEL 100
#define SVG_DEPTH 8 /* of nested elements */

struct svg {
  enum render_kind kind;
  FILE *output; /* what the picture is written to */
  FILE *stream; /* what SVG is written to: the output, or memory to be rendered */
  char *text;   /* of the stream in memory, once it is closed */
  size_t size;
  int across, down;
  const char *open[SVG_DEPTH]; /* the elements to end, from the outermost on */
  int depth;
  bool is_in_tag; /* attributes may follow */
};

/*
 * Opens a picture of `width` by `height` pixels; title and description are for screen
 * readers.  Kinds other than SVG are rendered when it is closed.
 */
neap_status svg_open(struct svg *svg, enum render_kind kind, FILE *output, int width,
                     int height, const char *title, const char *description, neap_error *error);

/* Ends the picture.  Returns `status`, or the failure of ending it; the stream has write errors. */
neap_status svg_close(struct svg *svg, neap_status status, neap_error *error);

void svg_start(struct svg *svg, const char *element);
void svg_end(struct svg *svg);

/* Add attributes to the element started last, before its content. */
void svg_attribute(struct svg *svg, const char *name, const char *value);
void svg_length(struct svg *svg, const char *name, int length);

/* Escapes text for an element, or for an attribute in double quotes. */
void svg_escape(FILE *stream, const char *text);

/* Text in the element; "\n" breaks a line in titles. */
void svg_text(struct svg *svg, const char *text);

/* Writes a <title>, which browsers show as the tooltip of the element. */
void svg_title(struct svg *svg, const char *text);

/*
 * A path, between svg_path_start and svg_path_finish (which leaves the element open, for a
 * title).  Each command has up to two numbers: svg_to for those that take a point, svg_along
 * for h, v, H and V, svg_shut for z.
 */
void svg_path_start(struct svg *svg, const char *class);
void svg_to(struct svg *svg, char command, int x, int y);
void svg_along(struct svg *svg, char command, int length);
void svg_shut(struct svg *svg);
void svg_path_finish(struct svg *svg);

/* Whole elements. */
void svg_line(struct svg *svg, const char *class, int x1, int y1, int x2, int y2);
void svg_label(struct svg *svg, const char *class, int x, int y, const char *text);
void svg_rectangle(struct svg *svg, const char *class, int x, int y, int width, int height);

/* As svg_rectangle, but leaves the element open for a title. */
void svg_rectangle_start(struct svg *svg, const char *class, int x, int y, int width,
                         int height);

/* <g class="...">, to be ended. */
void svg_group(struct svg *svg, const char *class);

#endif
