/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Labels: texts cut to the available room.  A text that is NULL counts as "". */
#ifndef VIZ_SVG_LABEL_H
#define VIZ_SVG_LABEL_H

#include <stdbool.h>

#include "viz/svg/svg.h"

#define LABEL_CHARACTERS 200 /* that a label keeps of a long text, at most */
#define LABEL_BYTES (4 * LABEL_CHARACTERS + 4)

/* The width of a text in hundredths of a pixel, at a font size in the same unit. */
int label_width(const char *text, int font_size);

/*
 * Writes the text, with the replacements of neap_text_next, into `label`; of a text that is too
 * long, the beginning and the end with "…" between them.  Returns `label`.
 */
const char *label_clean(const char *text, char label[LABEL_BYTES]);

/*
 * Does the same within `room` hundredths of a pixel.  Returns false, with label "", if fewer
 * than four characters fit beside "…".  Cuts are at borders of words where one is near, and
 * never inside a number.
 */
bool label_fit(const char *text, int font_size, int room, char label[LABEL_BYTES]);

#endif
