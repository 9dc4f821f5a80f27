/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "viz/svg/svg.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/output.h"
#include "neap-tool.h"
#include "viz/svg/glyph.h"

/* ---------------------------------------------------------------- opening and closing */

/* Writes the end of the current tag, if there is one. */
static void end_tag(struct svg *svg, const char *end) {
  if (svg->is_in_tag) fputs(end, svg->stream);
  svg->is_in_tag = false;
}

static void start_picture(struct svg *svg, int width, int height) {
  char text[64];
  fputs("<?xml version=\"1.0\"?>\n", svg->stream);
  svg_start(svg, "svg");
  svg_attribute(svg, "xmlns", "http://www.w3.org/2000/svg");
  svg_length(svg, "width", width * SVG_PIXEL);
  svg_length(svg, "height", height * SVG_PIXEL);
  snprintf(text, sizeof text, "0 0 %d %d", width, height);
  svg_attribute(svg, "viewBox", text);
  svg_attribute(svg, "role", "img");
  svg_attribute(svg, "aria-labelledby", "neap-title neap-description");
  end_tag(svg, ">\n");
  fputs("<!-- " OUTPUT_NOTICE " -->\n", svg->stream);
}

static void write_description(struct svg *svg, const char *element, const char *id,
                              const char *text) {
  svg_start(svg, element);
  svg_attribute(svg, "id", id);
  svg_text(svg, text);
  svg_end(svg);
}

neap_status svg_open(struct svg *svg, enum render_kind kind, FILE *output, int width,
                     int height, const char *title, const char *description,
                     neap_error *error) {
  *svg = (struct svg){.kind = kind, .output = output, .across = width, .down = height};
  svg->stream = kind == RENDER_SVG ? output : open_memstream(&svg->text, &svg->size);
  if (!svg->stream) return svg_close(svg, error_memory(error), error);
  start_picture(svg, width, height);
  write_description(svg, "title", "neap-title", title);
  write_description(svg, "desc", "neap-description", description);
  return NEAP_OK;
}

/* Closes the rendered SVG; even a stream in memory can fail. */
static neap_status close_rendered(struct svg *svg, neap_status status, neap_error *error) {
  bool good = svg->stream && !ferror(svg->stream);
  if (svg->stream && fclose(svg->stream) != 0) good = false;
  if (status == NEAP_OK && !good) status = error_memory(error);
  if (status == NEAP_OK)
    status =
        render(svg->kind, svg->text, svg->size, svg->across, svg->down, svg->output, error);
  free(svg->text);
  return status;
}

neap_status svg_close(struct svg *svg, neap_status status, neap_error *error) {
  while (svg->depth > 0)
    svg_end(svg);
  return svg->kind == RENDER_SVG ? status : close_rendered(svg, status, error);
}

/* ---------------------------------------------------------------- elements */

void svg_start(struct svg *svg, const char *element) {
  assert(svg->depth < SVG_DEPTH);
  end_tag(svg, ">\n");
  fprintf(svg->stream, "<%s", element);
  svg->open[svg->depth++] = element;
  svg->is_in_tag = true;
}

void svg_end(struct svg *svg) {
  const char *element = svg->open[--svg->depth];
  if (!svg->is_in_tag) fprintf(svg->stream, "</%s>\n", element);
  end_tag(svg, "/>\n");
}

void svg_escape(FILE *stream, const char *text) {
  for (; *text; text++) {
    const char *entity = *text == '&'   ? "&amp;"
                         : *text == '<' ? "&lt;"
                         : *text == '>' ? "&gt;"
                         : *text == '"' ? "&quot;"
                                        : NULL;
    if (entity) fputs(entity, stream);
    else putc(*text, stream);
  }
}

static void write_text(struct svg *svg, const char *text) {
  while (*text) {
    char bytes[GLYPH_BYTES + 1];
    uint32_t code = '\n';
    text += *text == '\n' ? 1 : neap_text_next(text, &code);
    bytes[glyph_encode(code, bytes)] = '\0';
    svg_escape(svg->stream, bytes);
  }
}

void svg_attribute(struct svg *svg, const char *name, const char *value) {
  fprintf(svg->stream, " %s=\"", name);
  write_text(svg, value);
  putc('"', svg->stream);
}

#define LENGTH_TEXT 16

/* "12.5": no more places than needed.  Returns the text's length. */
static int format_length(char text[LENGTH_TEXT], int length) {
  unsigned magnitude = length < 0 ? 0u - (unsigned)length : (unsigned)length;
  int size = snprintf(text, LENGTH_TEXT, "%s%u.%02u", length < 0 ? "-" : "",
                      magnitude / SVG_PIXEL, magnitude % SVG_PIXEL);
  while (text[size - 1] == '0')
    size--;
  if (text[size - 1] == '.') size--;
  text[size] = '\0';
  return size;
}

void svg_length(struct svg *svg, const char *name, int length) {
  char text[LENGTH_TEXT];
  format_length(text, length);
  svg_attribute(svg, name, text);
}

void svg_text(struct svg *svg, const char *text) {
  if (*text) end_tag(svg, ">");
  write_text(svg, text);
}

void svg_title(struct svg *svg, const char *text) {
  svg_start(svg, "title");
  svg_text(svg, text);
  svg_end(svg);
}

/* ---------------------------------------------------------------- paths */

void svg_path_start(struct svg *svg, const char *class) {
  svg_start(svg, "path");
  svg_attribute(svg, "class", class);
  fputs(" d=\"", svg->stream);
}

void svg_to(struct svg *svg, char command, int x, int y) {
  char text[2 * LENGTH_TEXT + 2] = {command};
  int size = 1 + format_length(text + 1, x);
  text[size++] = ' ';
  format_length(text + size, y);
  fputs(text, svg->stream);
}

void svg_along(struct svg *svg, char command, int length) {
  char text[LENGTH_TEXT + 1] = {command};
  format_length(text + 1, length);
  fputs(text, svg->stream);
}

void svg_shut(struct svg *svg) { putc('z', svg->stream); }

void svg_path_finish(struct svg *svg) { putc('"', svg->stream); }

/* ---------------------------------------------------------------- whole elements */

void svg_line(struct svg *svg, const char *class, int x1, int y1, int x2, int y2) {
  svg_start(svg, "line");
  svg_attribute(svg, "class", class);
  svg_length(svg, "x1", x1);
  svg_length(svg, "y1", y1);
  svg_length(svg, "x2", x2);
  svg_length(svg, "y2", y2);
  svg_end(svg);
}

void svg_label(struct svg *svg, const char *class, int x, int y, const char *text) {
  svg_start(svg, "text");
  svg_attribute(svg, "class", class);
  svg_length(svg, "x", x);
  svg_length(svg, "y", y);
  svg_text(svg, text);
  svg_end(svg);
}

void svg_rectangle_start(struct svg *svg, const char *class, int x, int y, int width,
                         int height) {
  svg_start(svg, "rect");
  svg_attribute(svg, "class", class);
  svg_length(svg, "x", x);
  svg_length(svg, "y", y);
  svg_length(svg, "width", width);
  svg_length(svg, "height", height);
}

void svg_rectangle(struct svg *svg, const char *class, int x, int y, int width, int height) {
  svg_rectangle_start(svg, class, x, y, width, height);
  svg_end(svg);
}

void svg_group(struct svg *svg, const char *class) {
  svg_start(svg, "g");
  svg_attribute(svg, "class", class);
}
