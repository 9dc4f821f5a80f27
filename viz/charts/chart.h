/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A line chart. */
#ifndef VIZ_CHARTS_CHART_H
#define VIZ_CHARTS_CHART_H

#include "neap-tool.h"
#include "neap/neap-io.h"
#include "viz/svg/render.h"

neap_status chart_write(const neap_chart *chart, enum render_kind kind, FILE *stream,
                        neap_error *error);

#endif
