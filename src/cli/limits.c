/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/limits.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "cli/messages.h"

/* Far above any valid limit, and far from overflowing. */
#define LARGEST INT64_C(1000000000000)

static bool read_number(const char **text, int64_t *number) {
  const char *at = *text;
  for (*number = 0; *at >= '0' && *at <= '9' && *number < LARGEST; at++)
    *number = *number * 10 + (*at - '0');
  bool good = at > *text && *number < LARGEST;
  *text = at;
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
  int64_t first, last, step = 1;
  if (!read_number(text, &first)) return false;
  last = first;
  if (skip_word(text, "..") && !read_number(text, &last)) return false;
  if (last != first && skip_word(text, "..") && !read_number(text, &step)) return false;
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

int limits_read(const char *name, const char *text, struct limits *limits) {
  *limits = (struct limits){.values = malloc(LIMITS_MAX * sizeof *limits->values)};
  if (!limits->values) return message_memory();
  const char *at = text;
  bool good = read_part(&at, limits);
  while (good && skip_word(&at, ","))
    good = read_part(&at, limits);
  if (!good || *at)
    return message_usage(
        "--%s: expected up to %d numbers, such as 1,2,5 or 1..10 or 5..50..5, found '%.40s'",
        name, LIMITS_MAX, text);
  sort_each_once(limits);
  return 0;
}
