/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Characters: their bytes, and how wide they are. */
#ifndef VIZ_SVG_GLYPH_H
#define VIZ_SVG_GLYPH_H

#include <stddef.h>
#include <stdint.h>

#define GLYPH_BYTES 4

/* Writes a character as UTF-8, unterminated, and returns its length. */
size_t glyph_encode(uint32_t code, char bytes[GLYPH_BYTES]);

/*
 * The width in thousandths of the font's size: a generous estimate for the usual sans-serif fonts.
 */
int glyph_width(uint32_t code);

#endif
