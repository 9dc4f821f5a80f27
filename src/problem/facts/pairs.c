/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "facts/columns.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/bisection.h"
#include "core/memory.h"
#include "core/sort.h"

/*
 * Enters each pair under both of its buffers; `place` holds the next free position of each
 * buffer.
 */
static void enter_pairs(struct pairs *pairs, size_t *place, const struct pair *list,
                        size_t count) {
  for (size_t i = 0; i < count; i++) {
    pairs->others[place[list[i].first]++] = list[i].second;
    pairs->others[place[list[i].second]++] = list[i].first;
  }
}

/* Sorts the partners of each buffer and drops repetitions. */
static void tidy_partners(struct pairs *pairs, size_t buffer_count) {
  size_t used = 0, begin = 0;
  for (size_t i = 0; i < buffer_count; i++) {
    size_t end = pairs->begin[i + 1];
    if (end > begin)
      qsort(pairs->others + begin, end - begin, sizeof *pairs->others, sort_by_number);
    pairs->begin[i] = used;
    for (size_t k = begin; k < end; k++)
      if (used == pairs->begin[i] || pairs->others[used - 1] != pairs->others[k])
        pairs->others[used++] = pairs->others[k];
    begin = end;
  }
  pairs->begin[buffer_count] = used;
}

bool pairs_init(struct pairs *pairs, size_t buffer_count, const struct pair *list,
                size_t count) {
  *pairs = (struct pairs){0};
  size_t *place = memory_array(buffer_count + 1, sizeof *place);
  pairs->begin = memory_array(buffer_count + 1, sizeof *pairs->begin);
  pairs->others = memory_array(2 * count, sizeof *pairs->others);
  bool ready = place && pairs->begin && pairs->others;
  if (ready) {
    for (size_t i = 0; i < count; i++) {
      assert(list[i].first < buffer_count && list[i].second < buffer_count);
      pairs->begin[list[i].first + 1]++;
      pairs->begin[list[i].second + 1]++;
    }
    for (size_t i = 0; i < buffer_count; i++)
      pairs->begin[i + 1] += pairs->begin[i];
    memcpy(place, pairs->begin, (buffer_count + 1) * sizeof *place);
    enter_pairs(pairs, place, list, count);
    tidy_partners(pairs, buffer_count);
  }
  free(place);
  return ready;
}

void pairs_clear(struct pairs *pairs) {
  free(pairs->begin);
  free(pairs->others);
  *pairs = (struct pairs){0};
}

bool pairs_has(const struct pairs *pairs, uint32_t first, uint32_t second) {
  struct bisection search = bisection_of(pairs->begin[first], pairs->begin[first + 1]);
  size_t end = search.high;
  while (bisection_open(&search))
    bisection_step(&search, pairs->others[search.middle] < second);
  return search.low < end && pairs->others[search.low] == second;
}
