/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/sort.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/bisection.h"

/* So few are inserted one after another, which takes a fraction of the time of qsort. */
#define FEW 40

/* ---------------------------------------------------------------- numbers */

static int by_value(const void *left, const void *right) {
  int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
  return a < b ? -1 : a > b;
}

void sort_numbers(int64_t *numbers, size_t count) {
  if (count > FEW) {
    qsort(numbers, count, sizeof *numbers, by_value);
    return;
  }
  for (size_t i = 1; i < count; i++) {
    int64_t number = numbers[i];
    size_t at = i;
    for (; at > 0 && numbers[at - 1] > number; at--)
      numbers[at] = numbers[at - 1];
    numbers[at] = number;
  }
}

/* ---------------------------------------------------------------- anything else */

/* Moves the item at `at` to its place among those before it, which are sorted. */
static void insert_item(char *items, size_t at, size_t size,
                        int compare(const void *, const void *, void *), void *context) {
  char item[SORT_ITEM_MOST];
  memcpy(item, items + at * size, size);
  struct bisection search = bisection_of(0, at);
  while (bisection_open(&search))
    bisection_step(&search, compare(items + search.middle * size, item, context) < 0);
  char *to = items + search.low * size;
  memmove(to + size, to, (at - search.low) * size);
  memcpy(to, item, size);
}

void sort_items(void *items, size_t count, size_t size,
                int compare(const void *, const void *, void *), void *context) {
  assert(size <= SORT_ITEM_MOST);
  if (count > FEW) {
    qsort_r(items, count, size, compare, context);
    return;
  }
  for (size_t i = 1; i < count; i++)
    insert_item(items, i, size, compare, context);
}
