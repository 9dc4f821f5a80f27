/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "viz/svg/measure.h"

#include <math.h>

#define LARGEST 1e300  /* beyond it, differences might overflow */
#define EXACT 1e15     /* a double represents all integers below it */
#define RESOLUTION 1e6 /* distinguishable parts of an axis, at least */

static bool is_measurable(double quantity) {
  return isfinite(quantity) && fabs(quantity) < LARGEST;
}

void measure_add(struct measure *measure, double quantity) {
  if (!is_measurable(quantity)) return;
  bool first = measure->count++ == 0;
  if (first || quantity < measure->low) measure->low = quantity;
  if (first || quantity > measure->high) measure->high = quantity;
  measure->whole = (first || measure->whole) && quantity == floor(quantity);
}

/* Returns quantity * 10^-exponent, the same with every mathematics library. */
static double in_units(double quantity, int exponent) {
  for (; exponent > 0; exponent--)
    quantity /= 10;
  for (; exponent < 0; exponent++)
    quantity *= 10;
  return quantity;
}

static double largest_magnitude(const struct measure *measure) {
  return fmax(fabs(measure->low), fabs(measure->high));
}

/*
 * The exponent of the largest unit 10^e, up to 1, that resolves the span; a larger unit if the
 * numbers would not fit otherwise.
 */
static int choose_exponent(const struct measure *measure) {
  int exponent = 0;
  double span = measure->high - measure->low, most = largest_magnitude(measure);
  if (span == 0) span = most;
  if (!measure->whole && span > 0)
    while (in_units(span, exponent) < RESOLUTION)
      exponent--;
  while (in_units(most, exponent) >= EXACT)
    exponent++;
  return exponent;
}

/* Clamps to the range of byte counts. */
static int64_t whole_bytes(double bytes) {
  if (!(bytes > 0)) return 0;
  return bytes < 0x1p62 ? (int64_t)llround(bytes) : INT64_C(1) << 62;
}

static int64_t decades_of(double quantity, double (*rounded)(double)) {
  return (int64_t)rounded(log10(quantity) * AXIS_DECADE);
}

/* Sets an axis from the least quantity to the largest. */
static void set_powers(const struct measure *measure, struct axis *axis) {
  bool any = measure->low > 0;
  axis->low = any ? decades_of(measure->low, floor) : 0;
  axis->high = any ? decades_of(measure->high, ceil) : 0;
  if (axis->high == axis->low) axis->high++;
}

/* Sets an axis from one power of ten to another, so that both ends get a tick. */
static void set_decades(const struct measure *measure, struct axis *axis) {
  bool any = measure->low > 0;
  axis->low = any ? (int64_t)floor(log10(measure->low)) * AXIS_DECADE : 0;
  axis->high = any ? (int64_t)ceil(log10(measure->high)) * AXIS_DECADE : 0;
  if (axis->high == axis->low) axis->high += AXIS_DECADE;
}

void measure_axis(const struct measure *measure, enum axis_unit unit, struct axis *axis) {
  axis->unit = unit;
  axis->exponent = unit == AXIS_NUMBER ? choose_exponent(measure) : 0;
  if (unit == AXIS_SECONDS) {
    set_decades(measure, axis);
  } else if (unit == AXIS_POWERS) {
    set_powers(measure, axis);
  } else if (unit == AXIS_BYTES) {
    axis->low = whole_bytes(measure->low);
    axis->high = whole_bytes(measure->high);
  } else {
    axis->low = (int64_t)floor(in_units(measure->low, axis->exponent));
    axis->high = (int64_t)ceil(in_units(measure->high, axis->exponent));
  }
}

bool measure_value(const struct axis *axis, double quantity, int64_t *value) {
  if (!is_measurable(quantity)) return false;
  if (axis_is_logarithmic(axis->unit) && quantity <= 0) return false;
  if (axis->unit == AXIS_BYTES) *value = whole_bytes(quantity);
  else if (axis_is_logarithmic(axis->unit)) *value = decades_of(quantity, round);
  else *value = llround(in_units(quantity, axis->exponent));
  return *value >= axis->low && *value <= axis->high;
}
