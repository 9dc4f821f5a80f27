/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Replaces render_rsvg.c in builds without librsvg. */
#include <stdio.h>

#include "core/error.h"
#include "viz/svg/render.h"

neap_status render_check(neap_error *error) {
  return error_set(error, NEAP_ERROR_ARGUMENT,
                   "this neap was built without librsvg: write a file that ends in .svg, and "
                   "convert it with rsvg-convert");
}

neap_status render(enum render_kind kind, const char *svg, size_t size, int across, int down,
                   FILE *stream, neap_error *error) {
  (void)kind;
  (void)svg;
  (void)size;
  (void)across;
  (void)down;
  (void)stream;
  return render_check(error);
}
