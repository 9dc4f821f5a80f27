/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What colours and lines of a plan's picture mean. */
#ifndef VIZ_LEGEND_H
#define VIZ_LEGEND_H

#include "viz/svg.h"

/*
 * In one line from (x, y): the classes of risk with how many buffers each has, and the lines.
 */
void legend_draw(struct svg *svg, int x, int y, const size_t counts[NEAP_RISK_COUNT],
                 bool has_lower_bound);

#endif
