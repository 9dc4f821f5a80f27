/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The look that all pictures share: colours, type, and the fills of classes. */
#ifndef VIZ_SVG_STYLE_H
#define VIZ_SVG_STYLE_H

#include "viz/svg/style_sheet.h"
#include "viz/svg/svg.h"

/* Writes <style>, <defs> and the page's background.  Call it right after svg_open. */
void style_write(struct svg *svg, int width, int height);

/* Adds the styles of signs of relations (signs.h).  Call it right after style_write. */
void style_write_signs(struct svg *svg);

/* The class of series `index` of a chart; colours repeat after the last. */
const char *style_series(size_t index);

#endif
