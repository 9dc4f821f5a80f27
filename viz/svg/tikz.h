/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pictures as TikZ, which LaTeX typesets in the fonts of the document. */
#ifndef VIZ_SVG_TIKZ_H
#define VIZ_SVG_TIKZ_H

#include <stdio.h>

#include "neap/neap.h"

/*
 * Writes an SVG that svg.h has written, of `across` by `down` pixels, as a tikzpicture for \input.
 * The caller checks the stream for errors when it closes it.
 */
neap_status tikz_write(const char *svg, size_t size, int across, int down, FILE *stream,
                       neap_error *error);

#endif
