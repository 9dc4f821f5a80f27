/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "viz/svg/svg.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/output.h"
#include "neap-tool.h"
#include "viz/svg/glyph.h"

/* ---------------------------------------------------------------- opening and closing */

#if LIBXML_VERSION >= 21200
typedef const xmlError *xml_complaint;
#else
typedef xmlError *xml_complaint;
#endif

/*
 * libxml2 would print to standard error, through one of two handlers.  All that can go wrong in
 * writing is memory.
 */
static void on_error(void *context, xml_complaint error) {
  (void)error;
  ((struct svg *)context)->failed = true;
}

static void on_message(void *context, const char *format, ...) {
  (void)format;
  ((struct svg *)context)->failed = true;
}

/* The stream remembers its failures until output_close; libxml2 need not know of them. */
static int write_stream(void *context, const char *bytes, int length) {
  fwrite(bytes, 1, (size_t)length, context);
  return length;
}

static const xmlChar *xml_text(const char *text) { return (const xmlChar *)text; }

static void contain_errors(struct svg *svg) {
  svg->old_handler = xmlStructuredError;
  svg->old_handler_context = xmlStructuredErrorContext;
  svg->old_printer = xmlGenericError;
  svg->old_printer_context = xmlGenericErrorContext;
  xmlSetStructuredErrorFunc(svg, on_error);
  xmlSetGenericErrorFunc(svg, on_message);
}

static void release_errors(const struct svg *svg) {
  xmlSetStructuredErrorFunc(svg->old_handler_context, svg->old_handler);
  xmlSetGenericErrorFunc(svg->old_printer_context, svg->old_printer);
}

static void open_writer(struct svg *svg) {
  xmlOutputBuffer *buffer = xmlOutputBufferCreateIO(write_stream, NULL, svg->stream, NULL);
  if (buffer) svg->writer = xmlNewTextWriter(buffer);
  if (buffer && !svg->writer) xmlOutputBufferClose(buffer);
}

static void note_result(struct svg *svg, int result) {
  svg->failed = svg->failed || result < 0;
}

static void start_picture(struct svg *svg, int width, int height) {
  char text[64];
  note_result(svg, xmlTextWriterSetIndent(svg->writer, 1));
  note_result(svg, xmlTextWriterSetIndentString(svg->writer, xml_text("")));
  note_result(svg, xmlTextWriterStartDocument(svg->writer, NULL, NULL, NULL));
  svg_start(svg, "svg");
  svg_attribute(svg, "xmlns", "http://www.w3.org/2000/svg");
  svg_length(svg, "width", width * SVG_PIXEL);
  svg_length(svg, "height", height * SVG_PIXEL);
  snprintf(text, sizeof text, "0 0 %d %d", width, height);
  svg_attribute(svg, "viewBox", text);
  svg_attribute(svg, "role", "img");
  svg_attribute(svg, "aria-labelledby", "neap-title neap-description");
  if (!svg->failed)
    note_result(svg, xmlTextWriterWriteComment(svg->writer, xml_text(" " OUTPUT_NOTICE " ")));
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
  contain_errors(svg);
  svg->stream = kind == RENDER_SVG ? output : open_memstream(&svg->text, &svg->size);
  if (svg->stream) open_writer(svg);
  if (!svg->writer) return svg_close(svg, error_memory(error), error);
  start_picture(svg, width, height);
  write_description(svg, "title", "neap-title", title);
  write_description(svg, "desc", "neap-description", description);
  return NEAP_OK;
}

/* Memory can fail a stream as well. */
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
  if (svg->writer && !svg->failed) note_result(svg, xmlTextWriterEndDocument(svg->writer));
  if (svg->writer) xmlFreeTextWriter(svg->writer); /* hands over what is left */
  release_errors(svg);
  if (svg->failed && status == NEAP_OK) status = error_memory(error);
  if (svg->kind != RENDER_SVG) status = close_rendered(svg, status, error);
  return status;
}

/* ---------------------------------------------------------------- elements */

void svg_start(struct svg *svg, const char *element) {
  if (!svg->failed) note_result(svg, xmlTextWriterStartElement(svg->writer, xml_text(element)));
}

void svg_end(struct svg *svg) {
  if (!svg->failed) note_result(svg, xmlTextWriterEndElement(svg->writer));
}

void svg_attribute(struct svg *svg, const char *name, const char *value) {
  if (!svg->failed)
    note_result(svg, xmlTextWriterWriteAttribute(svg->writer, xml_text(name), xml_text(value)));
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

static void write_text(struct svg *svg, const char *text) {
  if (!svg->failed) note_result(svg, xmlTextWriterWriteString(svg->writer, xml_text(text)));
}

/* In pieces, so that it needs no memory of its own. */
void svg_text(struct svg *svg, const char *text) {
  char piece[512];
  size_t used = 0;
  while (*text) {
    uint32_t code = '\n';
    text += *text == '\n' ? 1 : neap_text_next(text, &code);
    used += glyph_encode(code, piece + used);
    if (used + GLYPH_BYTES < sizeof piece && *text) continue;
    piece[used] = '\0';
    write_text(svg, piece);
    used = 0;
  }
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
  if (!svg->failed) note_result(svg, xmlTextWriterStartAttribute(svg->writer, xml_text("d")));
}

void svg_to(struct svg *svg, char command, int x, int y) {
  char text[2 * LENGTH_TEXT + 2] = {command};
  int size = 1 + format_length(text + 1, x);
  text[size++] = ' ';
  format_length(text + size, y);
  write_text(svg, text);
}

void svg_along(struct svg *svg, char command, int length) {
  char text[LENGTH_TEXT + 1] = {command};
  format_length(text + 1, length);
  write_text(svg, text);
}

void svg_shut(struct svg *svg) { write_text(svg, "z"); }

void svg_path_finish(struct svg *svg) {
  if (!svg->failed) note_result(svg, xmlTextWriterEndAttribute(svg->writer));
}

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
