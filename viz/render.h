/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What kind of picture a file's name asks for, and making the others of SVG. */
#ifndef VIZ_RENDER_H
#define VIZ_RENDER_H

#include <stdio.h>

#include "neap/neap.h"

enum render_kind { RENDER_SVG, RENDER_PNG, RENDER_PDF };

/* By the ending, whatever its case; SVG where it says nothing. */
enum render_kind render_kind_of(const char *path);

/* NEAP_ERROR_ARGUMENT where this library was built without what a kind takes. */
neap_status render_check(enum render_kind kind, neap_error *error);

/* How many of a PNG's pixels a pixel of the SVG is across. */
#define RENDER_SCALE 2

/*
 * Writes an SVG of `across` by `down` pixels to `stream` as the kind, which is not SVG.
 * Failures of the stream are left to whoever closes it.
 */
neap_status render(enum render_kind kind, const char *svg, size_t size, int across, int down,
                   FILE *stream, neap_error *error);

#endif
