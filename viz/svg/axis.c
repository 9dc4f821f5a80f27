/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "viz/svg/axis.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/checked.h"
#include "core/uint256.h"
#include "viz/svg/number.h"

/* How far b lies above a (<= b); up to 2^64 - 1. */
static uint64_t distance_between(int64_t a, int64_t b) { return (uint64_t)b - (uint64_t)a; }

static int extent(const struct axis *axis) { return abs(axis->to - axis->from); }

int axis_at(const struct axis *axis, int64_t value) {
  assert(axis->low < axis->high && value >= axis->low && value <= axis->high);
  uint64_t span = distance_between(axis->low, axis->high);
  wide_half scaled = (wide_half)distance_between(axis->low, value) * (unsigned)extent(axis);
  int moved = (int)((scaled + span / 2) / span);
  return axis->from < axis->to ? axis->from + moved : axis->from - moved;
}

/* The next larger round number: 1, 2, 5, 10, ... or 1, 2, 4, 8, ...; 0 past the last. */
static int64_t larger_step(const struct axis *axis, int64_t step) {
  if (axis->unit != AXIS_NUMBER) return step > INT64_MAX / 2 ? 0 : step * 2;
  int64_t leading = step;
  while (leading >= 10)
    leading /= 10;
  int64_t next = leading == 2 ? step / 2 : step; /* 2 * 2.5 = 5 */
  int64_t factor = leading == 2 ? 5 : 2;
  return checked_mul(next, factor, &next) ? next : 0;
}

bool axis_is_logarithmic(enum axis_unit unit) {
  return unit == AXIS_SECONDS || unit == AXIS_POWERS;
}

/* Whether ticks at 1, 2 and 5 times powers of ten, three per decade, are far enough apart. */
static bool fits_three_a_decade(const struct axis *axis, int spacing) {
  uint64_t decades = distance_between(axis->low, axis->high) / AXIS_DECADE + 1;
  return axis->unit == AXIS_POWERS && decades <= (uint64_t)(extent(axis) / (3 * spacing));
}

void axis_set_step(struct axis *axis, int spacing) {
  assert(axis->low < axis->high && spacing > 0);
  if (fits_three_a_decade(axis, spacing)) {
    axis->step = 1;
    return;
  }
  uint64_t span = distance_between(axis->low, axis->high);
  uint64_t most = (uint64_t)(extent(axis) / spacing);
  if (most == 0) most = 1;
  axis->step = axis_is_logarithmic(axis->unit) ? AXIS_DECADE : 1;
  while (span / (uint64_t)axis->step > most) {
    int64_t next = larger_step(axis, axis->step);
    if (next == 0) break;
    axis->step = next;
  }
}

static bool has_three_a_decade(const struct axis *axis) {
  return axis->unit == AXIS_POWERS && axis->step < AXIS_DECADE;
}

/* The places of 1, 2 and 5 within a decade, and of the 1 of the next decade. */
static const int in_decade[] = {0, 301, 699, AXIS_DECADE};

/* The decade that a value lies in; the quotient rounded down. */
static int64_t decade_of(int64_t value) {
  return value / AXIS_DECADE - (value % AXIS_DECADE < 0);
}

int64_t axis_power_from(int64_t least) {
  int64_t start = decade_of(least) * AXIS_DECADE;
  size_t i = 0;
  while (start + in_decade[i] < least)
    i++;
  return start + in_decade[i];
}

bool axis_first_tick(const struct axis *axis, int64_t *tick) {
  if (has_three_a_decade(axis)) {
    *tick = axis_power_from(axis->low);
    return *tick <= axis->high;
  }
  int64_t rest = axis->low % axis->step;
  *tick = axis->low - rest;
  return rest <= 0 ? *tick <= axis->high : axis_next_tick(axis, tick);
}

bool axis_next_tick(const struct axis *axis, int64_t *tick) {
  if (has_three_a_decade(axis)) {
    *tick = axis_power_from(*tick + 1);
    return *tick <= axis->high;
  }
  return checked_add(*tick, axis->step, tick) && *tick <= axis->high;
}

/*
 * Labels a value in the unit that labels elsewhere have for it, if four decimals give every tick
 * exactly: the step must be at least a sixteenth of the unit.  Otherwise, uses the next smaller
 * unit that does.
 */
static void label_bytes(const struct axis *axis, int64_t value, char label[AXIS_LABEL]) {
  static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  static const char *const fraction[] = {"",     ".0625", ".125", ".1875", ".25",  ".3125",
                                         ".375", ".4375", ".5",   ".5625", ".625", ".6875",
                                         ".75",  ".8125", ".875", ".9375"};
  int unit = 0;
  while (unit < 6 && axis->high >> (10 * unit + 10) != 0 && axis->step >> (10 * unit + 6) != 0)
    unit++;
  int64_t one = INT64_C(1) << (10 * unit);
  int64_t sixteenths = unit == 0 ? 0 : value % one / (one / 16);
  char whole[NUMBER_TEXT];
  snprintf(label, AXIS_LABEL, "%s%s %s", number_grouped(whole, value / one),
           fraction[llabs(sixteenths)], units[unit]);
}

/* Labels a value with the power of ten below: "10 ms". */
static void label_seconds(int64_t value, char label[AXIS_LABEL]) {
  static const char *const units[] = {"ns", "\xc2\xb5s", "ms", "s"};
  int64_t decade = decade_of(value), unit = (decade + 9) / 3;
  unit = decade < -9 ? 0 : unit > 3 ? 3 : unit;
  int64_t power = 1;
  for (int64_t i = 3 * unit - 9; i < decade && power < INT64_MAX / 10; i++)
    power *= 10;
  char number[NUMBER_TEXT];
  snprintf(label, AXIS_LABEL, "%s %s", number_grouped(number, power), units[unit]);
}

/* "0.05", "2,000" */
static void label_power(int64_t value, char label[AXIS_LABEL]) {
  static const int leading[] = {1, 2, 5};
  int64_t decade = decade_of(value), number = 1;
  for (size_t i = 0; i < 3; i++)
    if (value - decade * AXIS_DECADE >= in_decade[i]) number = leading[i];
  for (; decade > 0 && number < INT64_MAX / 10; decade--)
    number *= 10;
  char text[NUMBER_TEXT];
  snprintf(label, AXIS_LABEL, "%s", number_scaled(text, number, (int)decade, number));
}

const char *axis_label(const struct axis *axis, int64_t value, char label[AXIS_LABEL]) {
  char number[NUMBER_TEXT];
  if (axis->unit == AXIS_SECONDS) label_seconds(value, label);
  else if (axis->unit == AXIS_POWERS) label_power(value, label);
  else if (value == 0) snprintf(label, AXIS_LABEL, "0");
  else if (axis->unit == AXIS_BYTES) label_bytes(axis, value, label);
  else
    snprintf(label, AXIS_LABEL, "%s", number_scaled(number, value, axis->exponent, axis->step));
  return label;
}
