/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Places floating-point quantities on axes, which use integers. */
#ifndef VIZ_SVG_MEASURE_H
#define VIZ_SVG_MEASURE_H

#include <stddef.h>

#include "viz/svg/axis.h"

/* The range of quantities, ignoring any that are not finite or absurdly large. */
struct measure {
  size_t count;
  double low, high;
  bool whole; /* all quantities are integers */
};

/* Begin with a zeroed struct. */
void measure_add(struct measure *measure, double quantity);

/*
 * Sets the axis' unit, exponent, low and high so that it holds the span; `from` and `to` remain
 * to be set.
 */
void measure_axis(const struct measure *measure, enum axis_unit unit, struct axis *axis);

/* Converts a quantity to the axis' units; false if it is not on the axis. */
bool measure_value(const struct axis *axis, double quantity, int64_t *value);

#endif
