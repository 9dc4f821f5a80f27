/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Breaks text into lines that fit a terminal. */
#ifndef CLI_WRAP_H
#define CLI_WRAP_H

#include <stdio.h>

/*
 * Prints text (ASCII), starting in `column`, and ends the line.  Lines are broken
 * between words before column 80 and begin in column `indent`; an empty line in the text
 * separates paragraphs.
 */
void wrap(FILE *stream, const char *text, int column, int indent);

/* Prints `count` spaces. */
void wrap_pad(FILE *stream, int count);

#endif
