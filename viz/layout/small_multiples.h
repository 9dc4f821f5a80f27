/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Small multiples: layouts side by side, all to one scale. */
#ifndef VIZ_LAYOUT_SMALL_MULTIPLES_H
#define VIZ_LAYOUT_SMALL_MULTIPLES_H

#include "neap/neap-io.h"
#include "plan/plan.h"
#include "viz/svg/svg.h"

/* The height of the panels on the page, in pixels; 0 without panels. */
int small_multiples_down(size_t count);

/*
 * Draws at most NEAP_PANELS_MAX panels from `top`, across a page of `right` hundredths of a pixel.
 * O(n) for each.
 */
neap_status small_multiples_draw(const neap_panel *panels, size_t count, int top, int right,
                                 struct svg *svg, neap_error *error);

#endif
