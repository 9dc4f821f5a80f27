/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text in lines that fit a terminal. */
#ifndef CLI_WRAP_H
#define CLI_WRAP_H

#include <stdio.h>

/*
 * Prints text (ASCII), the cursor being in `column`, and ends the line.  Lines are broken
 * between words before column 80 and begin in column `indent`; an empty line in the text parts
 * paragraphs.
 */
void wrap(FILE *stream, const char *text, int column, int indent);

/* `count` spaces. */
void wrap_pad(FILE *stream, int count);

#endif
