/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A line chart. */
#ifndef VIZ_CHARTS_CHART_H
#define VIZ_CHARTS_CHART_H

#include "neap-tool.h"
#include "neap/neap-io.h"
#include "viz/svg/axis.h"
#include "viz/svg/render.h"
#include "viz/svg/svg.h"

neap_status chart_write(const neap_chart *chart, enum render_kind kind, FILE *stream,
                        neap_error *error);

/* ---------------------------------------------------------------- bars */

/* A bar chart of bytes. */

neap_status bars_write(const neap_bars *bars, enum render_kind kind, FILE *stream,
                       neap_error *error);

/* ---------------------------------------------------------------- series */

/* A chart's series: lines, marks and levels. */

/* The axes on which a series is drawn. */
struct series_axes {
  const struct neap_chart *chart;
  const struct axis *across, *up;
  int aside; /* with names: from a series to the next one, in hundredths of a pixel */
};

/* Where point `index` of a series lies; false when there is none. */
bool series_point(const struct series_axes *axes, const struct neap_series *series,
                  size_t index, int *x, int *y);

/* Draws the band of a series that has one, to be drawn before all lines. */
void series_draw_band(const struct series_axes *axes, const struct neap_series *series,
                      size_t look, struct svg *svg);

/* Draws a series with colour and mark number `look`; a reference only as its dashed line. */
void series_draw(const struct series_axes *axes, const struct neap_series *series, size_t look,
                 struct svg *svg);

/* Draws the key beside a name: the mark alone, or a piece of the line of a reference. */
void series_draw_key(const struct neap_series *series, size_t look, int x, int y,
                     struct svg *svg);

#endif
