/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Many layouts have the same peak, and a search that compares only peaks cannot see which of
 * them is closest to a lower peak.  The area above the bound can:
 *
 *      bytes      +--+                    +------+
 *                 |a |                    |      |   The peak is the same, but in the layout on
 *      bound .....|..|..............   ...|......|.. the left, less is above the bound.
 *              +--+--+                    |  b   |
 *              |  b   |                +--+      |
 *              +------+-----           |a |------+------> time
 *
 * Unless relations permit it, live buffers never share bytes, so no byte is counted twice.
 */
#include "facts/excess.h"

#include <assert.h>

#include "core/checked.h"

/* a + b * c, or NEAP_MAX if that is larger. */
static int64_t add_product(int64_t a, int64_t b, int64_t c) {
  int64_t sum;
  assert(a >= 0 && b >= 0 && c >= 0);
  return checked_mul(b, c, &sum) && checked_add(a, sum, &sum) ? sum : NEAP_MAX;
}

struct excess excess_measure(const struct neap_problem *problem, const neap_offset *offsets,
                             neap_size threshold) {
  struct excess excess = {0};
  assert(threshold >= 0);
  for (size_t i = 0; i < problem->count; i++) {
    neap_size size = problem->buffers[i].size, end = offsets[i] + size;
    assert(offsets[i] >= 0 && offsets[i] <= NEAP_MAX - size);
    if (end > excess.peak) excess.peak = end;
    if (end <= threshold) continue;
    neap_size above = end - threshold < size ? end - threshold : size;
    excess.area = add_product(excess.area, above, problem_duration(problem, i));
    excess.count++;
  }
  return excess;
}

bool excess_is_less(const struct excess *a, const struct excess *b) {
  if (a->peak != b->peak) return a->peak < b->peak;
  return a->area != b->area ? a->area < b->area : a->count < b->count;
}
