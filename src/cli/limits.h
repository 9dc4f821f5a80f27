/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists of limits to sweep. */
#ifndef CLI_LIMITS_H
#define CLI_LIMITS_H

#include <stddef.h>
#include <stdint.h>

#define LIMITS_MAX 1000

struct limits {
  int64_t *values; /* ascending, each once; released with free() */
  size_t count;
};

/*
 * Reads a comma-separated list of numbers and ranges: "1,2,5", "1..10", "5..50..5".  `name` is
 * the option's name.  Returns 0, or the exit code of the message it has printed.
 */
int limits_read(const char *name, const char *text, struct limits *limits);

#endif
