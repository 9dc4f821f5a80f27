/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Texts from outside, character by character: what may stand in XML, and how wide it is. */
#ifndef VIZ_GLYPH_H
#define VIZ_GLYPH_H

#include <stddef.h>
#include <stdint.h>

/* Stands for what cannot be shown. */
#define GLYPH_REPLACEMENT 0xfffdu

/*
 * Sets *code to the character that the text, which is not empty, begins with, and returns how
 * many bytes it takes.  Invalid UTF-8 is taken a byte at a time; it, control characters, those
 * that turn the direction of writing, and non-characters give GLYPH_REPLACEMENT: what remains
 * is valid in XML and leaves its surroundings alone.
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
