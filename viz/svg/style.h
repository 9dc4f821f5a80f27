/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The look that all pictures share: colours for light and dark backgrounds, type, and the fills of
 * classes.
 */
#ifndef VIZ_SVG_STYLE_H
#define VIZ_SVG_STYLE_H

#include <stdbool.h>

#include "viz/svg/svg.h"

/* Font sizes by CSS class, in hundredths of a pixel, for computing the widths of labels. */
#define STYLE_HEAD 2000   /* head */
#define STYLE_VALUE 1700  /* value */
#define STYLE_STRONG 1200 /* strong */
#define STYLE_STRONG 1200 /* strong */
#define STYLE_SMALL 1100  /* caption, detail, note, tick */
#define STYLE_NAME 1000   /* name */

/* Writes <style>, <defs> and the page's background.  Call it right after svg_open. */
void style_write(struct svg *svg, int width, int height);

/* Adds what signs of relations need (signs.h).  Call it right after style_write. */
void style_write_signs(struct svg *svg);

/* A rule of the style sheet for light backgrounds, such as ".end" and "text-anchor:end". */
struct style_rule {
  char selectors[112], properties[320];
};

/* Lists the rules in their order; later ones win. */
bool style_rule_at(size_t index, struct style_rule *rule);

/* The class of series `index` of a chart; colours repeat after the last. */
const char *style_series(size_t index);

#endif
