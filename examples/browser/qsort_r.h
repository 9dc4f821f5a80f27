/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * qsort_r, which emscripten's C library lacks before 3.1.9: a heap sort.  build-aux/wasm.sh includes it in every file.
 * neap never sorts equal items, so every algorithm gives the same order.
 */
#ifndef BROWSER_QSORT_R_H
#define BROWSER_QSORT_R_H

#include <stddef.h>

typedef int qsort_r_compare(const void *, const void *, void *);

static inline void qsort_r_swap(char *a, char *b, size_t size) {
  for (char *end = a + size; a < end; a++, b++) {
    char byte = *a;
    *a = *b;
    *b = byte;
  }
}

/* Moves the item at `at` down in a heap whose greatest item is the first. */
static inline void qsort_r_sift(char *items, size_t at, size_t count, size_t size,
                                qsort_r_compare *compare, void *context) {
  for (size_t child; (child = 2 * at + 1) < count; at = child) {
    char *greater = items + child * size;
    if (child + 1 < count && compare(greater, greater + size, context) < 0) {
      child++;
      greater += size;
    }
    if (compare(items + at * size, greater, context) >= 0) return;
    qsort_r_swap(items + at * size, greater, size);
  }
}

static inline void qsort_r(void *array, size_t count, size_t size, qsort_r_compare *compare,
                           void *context) {
  char *items = (char *)array;
  for (size_t at = count / 2; at-- > 0;)
    qsort_r_sift(items, at, count, size, compare, context);
  for (size_t left = count; left-- > 1;) {
    qsort_r_swap(items, items + left * size, size);
    qsort_r_sift(items, 0, left, size, compare, context);
  }
}

#endif
