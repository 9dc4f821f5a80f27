/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Computes the live-size curve by a sweep over starts and ends.  All changes at one moment are one
 * step, or none if they cancel out, such as when a buffer replaces another of the same size.
 * O(n log n) time, O(n) memory.
 */
#include "model/live.h"

#include <assert.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/memory.h"

/* The bytes that become alive at a time; negative if they end. */
struct change {
  neap_time time;
  neap_size bytes;
};

/* Ends first, so that the running sum never counts two buffers that only touch in time. */
static int by_time(const void *left, const void *right) {
  const struct change *a = left, *b = right;
  if (a->time != b->time) return a->time < b->time ? -1 : 1;
  return a->bytes < b->bytes ? -1 : a->bytes > b->bytes;
}

static size_t list_changes(const struct neap_problem *problem, struct change *changes) {
  size_t count = 0, range = 0;
  for (size_t i = 0; i < problem->count; i++) {
    neap_size size = problem->buffers[i].size;
    for (; range < problem->buffers[i].ranges_end; range++) {
      if (size == 0) continue;
      changes[count++] = (struct change){problem->ranges[range].start, size};
      changes[count++] = (struct change){problem->ranges[range].end, -size};
    }
  }
  qsort(changes, count, sizeof *changes, by_time);
  return count;
}

/* No sum of live sizes exceeds the problem's extent, which does not overflow. */
static void sum_changes(struct live *live, const struct change *changes, size_t count) {
  neap_size bytes = 0, last = 0;
  for (size_t i = 0; i < count; i++) {
    bytes += changes[i].bytes;
    assert(bytes >= 0);
    if (i + 1 < count && changes[i + 1].time == changes[i].time) continue;
    if (bytes != last) live->steps[live->count++] = (struct live_step){changes[i].time, bytes};
    last = bytes;
  }
  assert(last == 0);
}

neap_status live_init(struct live *live, const struct neap_problem *problem,
                      neap_error *error) {
  *live = (struct live){0};
  size_t most = 2 * problem->range_count;
  struct change *changes = memory_array(most, sizeof *changes);
  live->steps = memory_array(most, sizeof *live->steps);
  bool fits = changes && live->steps;
  if (fits) sum_changes(live, changes, list_changes(problem, changes));
  free(changes);
  if (fits) return NEAP_OK;
  live_clear(live);
  return error_memory(error);
}

void live_clear(struct live *live) {
  free(live->steps);
  *live = (struct live){0};
}
