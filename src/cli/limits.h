/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists of numbers to sweep. */
#ifndef CLI_LIMITS_H
#define CLI_LIMITS_H

#include <stddef.h>
#include <stdint.h>

#define LIMITS_MAX 1000

#define LIMITS_MILLION 1000000

struct limits {
  int64_t *values; /* ascending, each once; released with free() */
  size_t count;
  int64_t
      unit; /* what stands for 1 in `values`: 1, or LIMITS_MILLION where decimals are allowed */
};

/*
 * Reads a comma-separated list of numbers and ranges: "1,2,5", "1..10", "5..50..5"; with a unit
 * of LIMITS_MILLION also "0.25,0.5" and "0.2..0.8..0.1".  `name` is the option's name.  Returns
 * 0, or the exit code of the message it has printed.
 */
int limits_read(const char *name, const char *text, int64_t unit, struct limits *limits);

#define LIMIT_TEXT 32

/* The value at `index` as an option takes it: "50", "0.25".  Returns `text`. */
const char *limit_text(const struct limits *limits, size_t index, char text[LIMIT_TEXT]);

#endif
