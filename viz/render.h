/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kind of picture that a file's name selects; SVG is rendered to the others. */
#ifndef VIZ_RENDER_H
#define VIZ_RENDER_H

#include <stdio.h>

#include "neap/neap.h"

enum render_kind { RENDER_SVG, RENDER_PNG, RENDER_PDF };

/* By the extension, in either case; SVG if it is another. */
enum render_kind render_kind_of(const char *path);

/* NEAP_ERROR_ARGUMENT if this library cannot render a kind. */
neap_status render_check(enum render_kind kind, neap_error *error);

/* A pixel of the SVG is this many pixels of a PNG across. */
#define RENDER_SCALE 2

/*
 * Writes an SVG of `across` by `down` pixels to `stream` as the kind, which is not SVG.
 * The caller checks the stream for errors when it closes it.
 */
neap_status render(enum render_kind kind, const char *svg, size_t size, int across, int down,
                   FILE *stream, neap_error *error);

#endif
