/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Small multiples: layouts side by side, all to one scale. */
#ifndef VIZ_LAYOUT_SMALL_MULTIPLES_H
#define VIZ_LAYOUT_SMALL_MULTIPLES_H

#include "neap/neap-io.h"
#include "plan/plan.h"
#include "viz/svg/svg.h"

/* How far down the page they go, in pixels; 0 of none. */
int small_multiples_down(size_t count);

/*
 * Draws them from `top`, across a page of `right` hundredths of a pixel, NEAP_PANELS_MAX at
 * most.  O(n) for each.
 */
neap_status small_multiples_draw(const neap_panel *panels, size_t count, int top, int right,
                                 struct svg *svg, neap_error *error);

#endif
