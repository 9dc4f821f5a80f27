/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Renders SVG to PNG and PDF: librsvg draws onto a cairo surface.  A PDF keeps lines and letters;
 * one pixel is 3/4 of a point, as in CSS.
 *
 * librsvg and its dependencies are some forty shared objects.  They are loaded when the first
 * picture is rendered, so that other runs do not pay for them: the headers give the types, and
 * the table below the addresses.
 */
#include <cairo-pdf.h>
#include <cairo.h>
#include <dlfcn.h>
#include <librsvg/rsvg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "core/error.h"
#include "viz/svg/render.h"

#define POINTS_PER_PIXEL .75

/* ---------------------------------------------------------------- the libraries */

/* Every function used, each with the type that its header declares. */
#define CAIRO_FUNCTIONS(X)               \
  X(cairo_create)                        \
  X(cairo_destroy)                       \
  X(cairo_image_surface_create)          \
  X(cairo_pdf_surface_create_for_stream) \
  X(cairo_pdf_surface_set_metadata)      \
  X(cairo_scale)                         \
  X(cairo_status)                        \
  X(cairo_status_to_string)              \
  X(cairo_surface_destroy)               \
  X(cairo_surface_finish)                \
  X(cairo_surface_status)                \
  X(cairo_surface_write_to_png_stream)
#define RSVG_FUNCTIONS(X)      \
  X(rsvg_handle_new_from_data) \
  X(rsvg_handle_render_document)
#define GLIB_FUNCTIONS(X) X(g_error_free)
#define GOBJECT_FUNCTIONS(X) X(g_object_unref)

struct renderer {
#define MEMBER(name) __typeof__(&(name)) name;
  CAIRO_FUNCTIONS(MEMBER)
  RSVG_FUNCTIONS(MEMBER)
  GLIB_FUNCTIONS(MEMBER)
  GOBJECT_FUNCTIONS(MEMBER)
#undef MEMBER
};

/* Where a function's address goes. */
struct wanted {
  const char *name;
  size_t offset;
};

#define WANTED(name) {#name, offsetof(struct renderer, name)},
static const struct wanted cairo_functions[] = {CAIRO_FUNCTIONS(WANTED){0}};
static const struct wanted rsvg_functions[] = {RSVG_FUNCTIONS(WANTED){0}};
static const struct wanted glib_functions[] = {GLIB_FUNCTIONS(WANTED){0}};
static const struct wanted gobject_functions[] = {GOBJECT_FUNCTIONS(WANTED){0}};
#undef WANTED

static const struct {
  const char *name;
  const struct wanted *functions;
} libraries[] = {{"librsvg-2.so.2", rsvg_functions},
                 {"libcairo.so.2", cairo_functions},
                 {"libglib-2.0.so.0", glib_functions},
                 {"libgobject-2.0.so.0", gobject_functions}};

/*
 * Fills in the addresses of one library's functions.  The library stays loaded: GLib registers
 * types that cannot be taken back.
 */
static bool load_library(struct renderer *renderer, const char *name,
                         const struct wanted *functions) {
  void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (!library) return false;
  for (; functions->name; functions++) {
    void *address = dlsym(library, functions->name);
    if (!address) return false;
    memcpy((char *)renderer + functions->offset, &address, sizeof address);
  }
  return true;
}

static neap_status load_renderer(struct renderer *renderer, neap_error *error) {
  for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++)
    if (!load_library(renderer, libraries[i].name, libraries[i].functions))
      return error_set(error, NEAP_ERROR_ARGUMENT,
                       "cannot load %s, which renders PNG and PDF: install librsvg (Debian: "
                       "librsvg2-2), or write .svg",
                       libraries[i].name);
  return NEAP_OK;
}

neap_status render_check(neap_error *error) {
  struct renderer renderer;
  return load_renderer(&renderer, error);
}

/* ---------------------------------------------------------------- rendering */

/* Writes to the stream, which remembers its failures. */
static cairo_status_t write_stream(void *stream, const unsigned char *bytes, unsigned length) {
  fwrite(bytes, 1, length, stream);
  return CAIRO_STATUS_SUCCESS;
}

static neap_status status_of_cairo(const struct renderer *with, cairo_status_t status,
                                   neap_error *error) {
  if (status == CAIRO_STATUS_SUCCESS) return NEAP_OK;
  if (status == CAIRO_STATUS_NO_MEMORY) return error_memory(error);
  return error_set(error, NEAP_ERROR_SYSTEM, "cannot render: %s",
                   with->cairo_status_to_string(status));
}

static neap_status status_of_glib(const struct renderer *with, GError *failure,
                                  neap_error *error) {
  neap_status status = error_set(error, NEAP_ERROR_SYSTEM, "cannot render: %s",
                                 failure ? failure->message : "librsvg gives no reason");
  if (failure) with->g_error_free(failure);
  return status;
}

static cairo_surface_t *open_surface(const struct renderer *with, enum render_kind kind,
                                     int across, int down, FILE *stream) {
  if (kind == RENDER_PNG)
    return with->cairo_image_surface_create(CAIRO_FORMAT_RGB24, across * RENDER_SCALE,
                                            down * RENDER_SCALE);
  cairo_surface_t *surface = with->cairo_pdf_surface_create_for_stream(
      write_stream, stream, across * POINTS_PER_PIXEL, down * POINTS_PER_PIXEL);
  /* No date, so that the same picture always gives the same bytes. */
  with->cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE, "");
  return surface;
}

static neap_status render_surface(const struct renderer *with, RsvgHandle *handle,
                                  cairo_surface_t *surface, double scale,
                                  const RsvgRectangle *page, neap_error *error) {
  GError *failure = NULL;
  cairo_t *context = with->cairo_create(surface);
  with->cairo_scale(context, scale, scale);
  bool good = with->rsvg_handle_render_document(handle, context, page, &failure);
  neap_status status = good ? status_of_cairo(with, with->cairo_status(context), error)
                            : status_of_glib(with, failure, error);
  with->cairo_destroy(context);
  return status;
}

static neap_status render_handle(const struct renderer *with, enum render_kind kind,
                                 RsvgHandle *handle, const RsvgRectangle *page, FILE *stream,
                                 neap_error *error) {
  cairo_surface_t *surface =
      open_surface(with, kind, (int)page->width, (int)page->height, stream);
  double scale = kind == RENDER_PNG ? RENDER_SCALE : POINTS_PER_PIXEL;
  neap_status status = status_of_cairo(with, with->cairo_surface_status(surface), error);
  if (status == NEAP_OK) status = render_surface(with, handle, surface, scale, page, error);
  if (status == NEAP_OK && kind == RENDER_PNG)
    status = status_of_cairo(
        with, with->cairo_surface_write_to_png_stream(surface, write_stream, stream), error);
  with->cairo_surface_finish(surface); /* a PDF is written by now */
  if (status == NEAP_OK)
    status = status_of_cairo(with, with->cairo_surface_status(surface), error);
  with->cairo_surface_destroy(surface);
  return status;
}

/* Whether this much memory is free now; `access` decides which limits of the process count. */
static bool has_room(size_t bytes, int access) {
  void *room =
      mmap(NULL, bytes, access, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (room == MAP_FAILED) return false;
  munmap(room, bytes);
  return true;
}

/*
 * GLib and Pango end the process if they get no memory or no thread.  So this asks first: for the
 * stacks of their threads and the fonts, for the picture and its elements, and for heap addresses.
 */
static bool can_render(size_t size, int across, int down) {
  const size_t basis = (size_t)64 << 20, addresses = (size_t)256 << 20;
  size_t pixels = (size_t)across * RENDER_SCALE * (size_t)down * RENDER_SCALE; /* of int */
  return has_room(basis + 8 * pixels + 40 * size, PROT_READ | PROT_WRITE) &&
         has_room(addresses, PROT_NONE);
}

neap_status render(enum render_kind kind, const char *svg, size_t size, int across, int down,
                   FILE *stream, neap_error *error) {
  struct renderer with;
  neap_status status = load_renderer(&with, error);
  if (status != NEAP_OK) return status;
  if (!can_render(size, across, down)) return error_memory(error);
  GError *failure = NULL;
  RsvgHandle *handle = with.rsvg_handle_new_from_data((const guint8 *)svg, size, &failure);
  if (!handle) return status_of_glib(&with, failure, error);
  const RsvgRectangle page = {0, 0, across, down};
  status = render_handle(&with, kind, handle, &page, stream, error);
  with.g_object_unref(handle);
  return status;
}
