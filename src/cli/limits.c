/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/limits.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/messages.h"

/* Far above any valid limit, and far from overflowing. */
#define LARGEST INT64_C(1000000000000)

static const char *read_digits(const char *at, int64_t *number) {
  for (*number = 0; *at >= '0' && *at <= '9' && *number < LARGEST; at++)
    *number = *number * 10 + (*at - '0');
  return at;
}

/* At most as many decimals as the unit has zeros.  Two dots are not a decimal point. */
static const char *read_decimals(const char *at, int64_t unit, int64_t *fraction) {
  *fraction = 0;
  if (*at != '.' || at[1] == '.' || unit == 1) return at;
  for (at++; *at >= '0' && *at <= '9' && unit > 1; at++) {
    unit /= 10;
    *fraction += (*at - '0') * unit;
  }
  return at;
}

static bool read_number(const char **text, int64_t unit, int64_t *number) {
  int64_t whole, fraction;
  const char *digits = read_digits(*text, &whole);
  const char *end = read_decimals(digits, unit, &fraction);
  size_t length = (size_t)(end - *text);
  bool good = length > (size_t)(end > digits) && whole < LARGEST;
  *number = whole * unit + fraction;
  *text = end;
  return good;
}

static bool skip_word(const char **text, const char *word) {
  size_t length = strlen(word);
  if (strncmp(*text, word, length) != 0) return false;
  *text += length;
  return true;
}

/* Adds "3", "3..7" or "3..7..2" to the values. */
static bool read_part(const char **text, struct limits *limits) {
  int64_t first, last, unit = limits->unit, step = unit;
  if (!read_number(text, unit, &first)) return false;
  last = first;
  if (skip_word(text, "..") && !read_number(text, unit, &last)) return false;
  if (last != first && skip_word(text, "..") && !read_number(text, unit, &step)) return false;
  if (last < first || step < 1) return false;
  if ((last - first) / step >= (int64_t)(LIMITS_MAX - limits->count)) return false;
  for (int64_t value = first; value <= last; value += step)
    limits->values[limits->count++] = value;
  return true;
}

static int ascending(const void *a, const void *b) {
  int64_t one = *(const int64_t *)a, other = *(const int64_t *)b;
  return one < other ? -1 : one > other;
}

static void sort_each_once(struct limits *limits) {
  size_t kept = 0;
  qsort(limits->values, limits->count, sizeof *limits->values, ascending);
  for (size_t i = 0; i < limits->count; i++)
    if (i == 0 || limits->values[i] != limits->values[i - 1])
      limits->values[kept++] = limits->values[i];
  limits->count = kept;
}

static int refuse_list(const char *name, const char *text, int64_t unit) {
  const char *example = unit == 1 ? "1,2,5 or 1..10 or 5..50..5" : "0.25,0.5 or 0.2..0.8..0.1";
  return message_usage("--%s: expected up to %d numbers, such as %s, found '%.40s'", name,
                       LIMITS_MAX, example, text);
}

int limits_read(const char *name, const char *text, int64_t unit, struct limits *limits) {
  *limits =
      (struct limits){.values = malloc(LIMITS_MAX * sizeof *limits->values), .unit = unit};
  if (!limits->values) return message_memory();
  const char *at = text;
  bool good = read_part(&at, limits);
  while (good && skip_word(&at, ","))
    good = read_part(&at, limits);
  if (!good || *at) return refuse_list(name, text, unit);
  sort_each_once(limits);
  return 0;
}

const char *limit_text(const struct limits *limits, size_t index, char text[LIMIT_TEXT]) {
  int64_t whole = limits->values[index] / limits->unit;
  int64_t fraction = limits->values[index] % limits->unit;
  int length = snprintf(text, LIMIT_TEXT, "%" PRId64, whole);
  if (fraction == 0) return text;
  length += snprintf(text + length, LIMIT_TEXT - (size_t)length, ".%06" PRId64, fraction);
  while (text[length - 1] == '0')
    text[--length] = '\0';
  return text;
}
