/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads untrusted text character by character: what XML allows, and how wide it is. */
#ifndef VIZ_SVG_GLYPH_H
#define VIZ_SVG_GLYPH_H

#include <stddef.h>
#include <stdint.h>

/* Replaces what cannot be shown. */
#define GLYPH_REPLACEMENT 0xfffdu

/*
 * Sets *code to the first character of the text, which is not empty, and returns its length in
 * bytes.  Invalid UTF-8 is read a byte at a time.  For it, for control characters, for those that
 * change the direction of writing and for non-characters, *code is GLYPH_REPLACEMENT: so every
 * character is valid in XML and does not affect the text around it.
 */
size_t glyph_next(const char *text, uint32_t *code);

#define GLYPH_BYTES 4

/* Writes a character as UTF-8, unterminated, and returns its length. */
size_t glyph_encode(uint32_t code, char bytes[GLYPH_BYTES]);

/*
 * Thousandths of the font's size: an estimate, on the wide side, for the usual sans-serif
 * fonts.
 */
int glyph_width(uint32_t code);

#endif
