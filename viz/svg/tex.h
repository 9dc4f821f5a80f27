/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Untrusted text for LaTeX. */
#ifndef VIZ_SVG_TEX_H
#define VIZ_SVG_TEX_H

#include <stdio.h>

/*
 * Writes text in ASCII that every LaTeX typesets, whatever its input encoding and its fonts: nothing in it is a command
 * of its own, and letters and signs beyond ASCII are commands of LaTeX's kernel.  Those without one are written as their
 * number, such as U+4E2D.
 */
void tex_put(FILE *stream, const char *text);

#endif
