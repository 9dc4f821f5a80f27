/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kinds of pictures; kinds other than SVG are rendered from it. */
#ifndef VIZ_SVG_RENDER_H
#define VIZ_SVG_RENDER_H

#include <stdio.h>

#include "neap/neap.h"

enum render_kind { RENDER_SVG, RENDER_PNG, RENDER_PDF };

/* NEAP_ERROR_ARGUMENT: only SVG can be written, because this library was built without librsvg. */
neap_status render_check(neap_error *error);

/* The width of a pixel of the SVG in pixels of a PNG. */
#define RENDER_SCALE 2

/*
 * Writes an SVG of `across` by `down` pixels to `stream` as the kind, which is not SVG.
 * The caller checks the stream for errors when it closes it.
 */
neap_status render(enum render_kind kind, const char *svg, size_t size, int across, int down,
                   FILE *stream, neap_error *error);

#endif
