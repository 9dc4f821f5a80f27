/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "viz/render.h"

#include <string.h>
#include <strings.h>

#include "core/error.h"
#include "neap/neap-io.h"

enum render_kind render_kind_of(const char *path) {
  size_t length = strlen(path);
  const char *ending = length > 4 ? path + length - 4 : "";
  if (strcasecmp(ending, ".png") == 0) return RENDER_PNG;
  return strcasecmp(ending, ".pdf") == 0 ? RENDER_PDF : RENDER_SVG;
}

neap_status neap_picture_check(const char *path, neap_error *error) {
  return error_in_file(error, render_check(render_kind_of(path), error), path);
}
