/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Horizontal axes with names instead of numbers. */
#ifndef VIZ_NAMED_AXIS_H
#define VIZ_NAMED_AXIS_H

#include "neap/neap-io.h"
#include "viz/axis.h"
#include "viz/frame.h"
#include "viz/svg.h"

/* Adds room beside the first and the last name. */
void named_axis_widen(struct axis *axis);

/*
 * How far apart `count` series at one name are drawn: as far as there is room between names, once
 * the axis has its ends.
 */
int named_axis_spread(const struct axis *axis, size_t count);

/* Grid lines and, where `labels`, names below the panel, cut to their room; crowded ones are left
 * out. */
void named_axis_draw(struct svg *svg, const struct frame *frame, const struct axis *axis,
                     const neap_chart *chart, bool labels);

#endif
