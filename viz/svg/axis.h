/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Axes: where a value lies in the picture, and which values get a tick. */
#ifndef VIZ_SVG_AXIS_H
#define VIZ_SVG_AXIS_H

#include <stdbool.h>
#include <stdint.h>

enum axis_unit {
  AXIS_NUMBER, /* ticks at 1, 2 or 5 times a power of ten */
  AXIS_BYTES,  /* ticks at powers of two, in B, KiB, MiB, ... */
  /* Logarithmic: in thousandths of decades. */
  AXIS_SECONDS, /* ticks at powers of ten, in ns, ms, s, ... */
  AXIS_POWERS   /* ticks at 1, 2 and 5 times powers of ten, or at powers of ten alone */
};

#define AXIS_DECADE 1000

struct axis {
  enum axis_unit unit;
  int exponent;      /* of AXIS_NUMBER: a value v stands for v * 10^exponent */
  int64_t low, high; /* the span of the axis; low < high */
  int from, to;      /* the places of both, in hundredths of a pixel */
  /*
   * The step between ticks, which are its multiples; of AXIS_POWERS one or more decades, or 1 for
   * ticks at 1, 2 and 5 times powers of ten.
   */
  int64_t step;
};

/*
 * The place of a value, to the nearest hundredth of a pixel.  Integers make it exact, so adjacent
 * rectangles share their edge in the picture.
 */
int axis_at(const struct axis *axis, int64_t value);

/* Chooses the step so that ticks lie at least `spacing` hundredths of a pixel apart. */
void axis_set_step(struct axis *axis, int spacing);

/* The first tick, and the one after a tick; false when there is none. */
bool axis_first_tick(const struct axis *axis, int64_t *tick);
bool axis_next_tick(const struct axis *axis, int64_t *tick);

/* The first of 1, 2 and 5 times powers of ten, in AXIS_POWERS, that is at least `least`. */
int64_t axis_power_from(int64_t least);

#define AXIS_LABEL 64

/* Whether a unit is logarithmic, so that only quantities above 0 are on the axis. */
bool axis_is_logarithmic(enum axis_unit unit);

/*
 * Labels a value in the unit and with the decimals that suit the step: "1.5 MiB", "2,000".  Returns
 * `label`.
 */
const char *axis_label(const struct axis *axis, int64_t value, char label[AXIS_LABEL]);

#endif
