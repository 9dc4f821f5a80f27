/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A bar chart of bytes. */
#ifndef VIZ_CHARTS_BARS_H
#define VIZ_CHARTS_BARS_H

#include "neap-tool.h"
#include "neap/neap-io.h"
#include "viz/svg/render.h"

neap_status bars_write(const neap_bars *bars, enum render_kind kind, FILE *stream,
                       neap_error *error);

#endif
