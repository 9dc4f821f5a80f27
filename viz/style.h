/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The look that all pictures share: colours for light and dark surroundings, type, and the
 * fills that tell classes apart.
 */
#ifndef VIZ_STYLE_H
#define VIZ_STYLE_H

#include "viz/svg.h"

/* Font sizes by CSS class, in hundredths of a pixel: what label widths are reckoned with. */
#define STYLE_HEAD 2000   /* head */
#define STYLE_VALUE 1700  /* value */
#define STYLE_STRONG 1200 /* strong */
#define STYLE_SMALL 1100  /* caption, detail, note, tick */
#define STYLE_NAME 1000   /* name */

/* Writes <style>, <defs> and the page's background; right after svg_open. */
void style_write(struct svg *svg, int width, int height);

/*
 * The class of things of series `index` of a chart: as many colours as there are, then again
 * from the first.
 */
const char *style_series(size_t index);

#endif
