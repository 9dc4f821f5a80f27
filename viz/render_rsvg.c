/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * PNG and PDF of SVG, by librsvg onto a surface of cairo.  In a PDF everything remains lines and
 * letters; a pixel is 3/4 of a point, as in CSS.
 */
#include <cairo-pdf.h>
#include <cairo.h>
#include <librsvg/rsvg.h>

#include "core/error.h"
#include "viz/render.h"

#define POINTS_PER_PIXEL .75

neap_status render_check(enum render_kind kind, neap_error *error) {
  (void)kind;
  (void)error;
  return NEAP_OK;
}

/* The stream remembers its failures. */
static cairo_status_t write_stream(void *stream, const unsigned char *bytes, unsigned length) {
  fwrite(bytes, 1, length, stream);
  return CAIRO_STATUS_SUCCESS;
}

static neap_status of_cairo(cairo_status_t status, neap_error *error) {
  if (status == CAIRO_STATUS_SUCCESS) return NEAP_OK;
  if (status == CAIRO_STATUS_NO_MEMORY) return error_memory(error);
  return error_set(error, NEAP_ERROR_SYSTEM, "cannot render: %s",
                   cairo_status_to_string(status));
}

static neap_status of_glib(GError *failure, neap_error *error) {
  neap_status status = error_set(error, NEAP_ERROR_SYSTEM, "cannot render: %s",
                                 failure ? failure->message : "librsvg does not say why");
  if (failure) g_error_free(failure);
  return status;
}

static cairo_surface_t *open_surface(enum render_kind kind, int across, int down,
                                     FILE *stream) {
  if (kind == RENDER_PNG)
    return cairo_image_surface_create(CAIRO_FORMAT_RGB24, across * RENDER_SCALE,
                                      down * RENDER_SCALE);
  cairo_surface_t *surface = cairo_pdf_surface_create_for_stream(
      write_stream, stream, across * POINTS_PER_PIXEL, down * POINTS_PER_PIXEL);
  /* The same picture is the same bytes, whenever it is drawn. */
  cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE, "");
  return surface;
}

static neap_status paint(RsvgHandle *handle, cairo_surface_t *surface, double scale, int across,
                         int down, neap_error *error) {
  const RsvgRectangle page = {0, 0, across, down};
  GError *failure = NULL;
  cairo_t *context = cairo_create(surface);
  cairo_scale(context, scale, scale);
  bool good = rsvg_handle_render_document(handle, context, &page, &failure);
  neap_status status = good ? of_cairo(cairo_status(context), error) : of_glib(failure, error);
  cairo_destroy(context);
  return status;
}

static neap_status render_handle(enum render_kind kind, RsvgHandle *handle, int across,
                                 int down, FILE *stream, neap_error *error) {
  cairo_surface_t *surface = open_surface(kind, across, down, stream);
  double scale = kind == RENDER_PNG ? RENDER_SCALE : POINTS_PER_PIXEL;
  neap_status status = of_cairo(cairo_surface_status(surface), error);
  if (status == NEAP_OK) status = paint(handle, surface, scale, across, down, error);
  if (status == NEAP_OK && kind == RENDER_PNG)
    status = of_cairo(cairo_surface_write_to_png_stream(surface, write_stream, stream), error);
  cairo_surface_finish(surface); /* a PDF is written by now */
  if (status == NEAP_OK) status = of_cairo(cairo_surface_status(surface), error);
  cairo_surface_destroy(surface);
  return status;
}

neap_status render(enum render_kind kind, const char *svg, size_t size, int across, int down,
                   FILE *stream, neap_error *error) {
  GError *failure = NULL;
  RsvgHandle *handle = rsvg_handle_new_from_data((const guint8 *)svg, size, &failure);
  if (!handle) return of_glib(failure, error);
  neap_status status = render_handle(kind, handle, across, down, stream, error);
  g_object_unref(handle);
  return status;
}
