/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rules of the style sheet. */
#ifndef VIZ_SVG_STYLE_SHEET_H
#define VIZ_SVG_STYLE_SHEET_H

#include <stddef.h>

/* Font sizes by CSS class, in hundredths of a pixel, for computing the widths of labels. */
#define STYLE_HEAD 2000   /* head */
#define STYLE_VALUE 1700  /* value */
#define STYLE_STRONG 1200 /* strong */
#define STYLE_SMALL 1100  /* caption, detail, note, tick */
#define STYLE_NAME 1000   /* name */

struct rule {
  const char *selector;
  const char *always; /* for both backgrounds */
  const char *light, *dark;
};
extern const struct rule sheet_plain[],
    sheet_signs[]; /* the latter only where there are such signs */
extern const size_t sheet_plain_count, sheet_signs_count;

/* The fill of a class of rectangles, and the edge of those that are hardly more than an edge. */
struct shade {
  const char *class, *light, *dark;
};
extern const struct shade sheet_shades[];
extern const size_t sheet_shades_count;

#endif
