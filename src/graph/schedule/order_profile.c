/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "schedule/order_profile.h"

#include <stdlib.h>

#include "core/checked.h"

neap_size moments_find(struct moment *moments, struct costs_walk *walk, const size_t *order,
                       size_t count) {
  neap_size most = 0;
  for (size_t k = 0; k < count; k++) {
    walk->peak = 0;
    costs_walk_pass(walk, order[k]);
    moments[k] = (struct moment){k, walk->peak};
    most = larger_of(most, walk->peak);
  }
  return most;
}

static int higher_first(const void *left, const void *right) {
  const struct moment *a = left, *b = right;
  if (a->bytes != b->bytes) return a->bytes > b->bytes ? -1 : 1;
  return a->k < b->k ? -1 : a->k > b->k;
}

void moments_sort(struct moment *moments, size_t count) {
  qsort(moments, count, sizeof *moments, higher_first);
}
