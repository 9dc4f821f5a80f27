/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The live-size curve, as steps over a filled area. */
#ifndef VIZ_LAYOUT_CURVE_H
#define VIZ_LAYOUT_CURVE_H

#include "facts/live.h"
#include "viz/svg/axis.h"
#include "viz/svg/svg.h"

/*
 * Draws the curve along axes that hold all of it, and marks where it reaches `summit`, its
 * maximum.  If there are too many steps to see, it draws the highest in every half pixel.
 */
void curve_draw(struct svg *svg, const struct live *live, const struct axis *across,
                const struct axis *up, neap_size summit);

#endif
