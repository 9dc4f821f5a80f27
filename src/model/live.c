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
#include "model/flat.h"
#include "model/gaps.h"

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

/* The range of a buffer that has one. */
static bool only_range(const struct neap_problem *problem, size_t buffer, neap_range *range) {
  size_t begin = buffer == 0 ? 0 : problem->buffers[buffer - 1].ranges_end;
  if (problem->buffers[buffer].ranges_end != begin + 1) return false;
  *range = problem->ranges[begin];
  return true;
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
  return count;
}

/* When two buffers of one range each are alive together; false if they have more, or never are. */
static bool find_common(const struct neap_problem *problem, const struct gap *gap,
                        neap_range *common) {
  neap_range first, second;
  if (!only_range(problem, gap->first, &first) || !only_range(problem, gap->second, &second))
    return false;
  common->start = first.start > second.start ? first.start : second.start;
  common->end = first.end < second.end ? first.end : second.end;
  return common->start < common->end;
}

/*
 * Appends what allowances let buffers share while both are alive.  No buffer shares more bytes than
 * it has, so that the sums stay above 0.
 */
static bool list_savings(const struct neap_problem *problem, const struct gaps *gaps,
                         struct change *changes, size_t *count) {
  neap_size *left = memory_array(problem->count, sizeof *left);
  for (size_t i = 0; left && i < problem->count; i++)
    left[i] = problem->buffers[i].size;
  for (size_t i = 0; left && i < gaps->count; i++) {
    const struct gap *gap = &gaps->items[i];
    neap_range common;
    neap_size saved =
        gap_saving(gap, problem->buffers[gap->first].size, problem->buffers[gap->second].size);
    neap_size *output = &left[gap->second_is_output ? gap->second : gap->first];
    if (saved > *output) saved = *output;
    if (saved == 0 || !find_common(problem, gap, &common)) continue;
    *output -= saved;
    changes[(*count)++] = (struct change){common.start, -saved};
    changes[(*count)++] = (struct change){common.end, saved};
  }
  bool has_room = left != NULL;
  free(left);
  return has_room;
}

/* No sum of live sizes exceeds the problem's extent, which does not overflow. */
static void sum_changes(struct live *live, const struct change *changes, size_t count) {
  neap_size bytes = 0, last = 0;
  for (size_t i = 0; i < count; i++) {
    bytes += changes[i].bytes;
    if (i + 1 < count && changes[i + 1].time == changes[i].time) continue;
    assert(bytes >= 0); /* a saving may come before the buffers */
    if (bytes != last) live->steps[live->count++] = (struct live_step){changes[i].time, bytes};
    last = bytes;
  }
  assert(last == 0);
}

static neap_status make_steps(struct live *live, const struct neap_problem *problem,
                              const struct gaps *gaps, neap_error *error) {
  *live = (struct live){0};
  size_t most = 2 * problem->range_count + 2 * gaps->count;
  struct change *changes = memory_array(most, sizeof *changes);
  live->steps = memory_array(most, sizeof *live->steps);
  bool fits = changes && live->steps;
  size_t count = fits ? list_changes(problem, changes) : 0;
  if (fits && gaps->count > 0) fits = list_savings(problem, gaps, changes, &count);
  if (fits) {
    qsort(changes, count, sizeof *changes, by_time);
    sum_changes(live, changes, count);
  }
  free(changes);
  if (fits) return NEAP_OK;
  live_clear(live);
  return error_memory(error);
}

neap_status live_init(struct live *live, const struct neap_problem *problem,
                      neap_error *error) {
  static const struct gaps none;
  return make_steps(live, problem, &none, error);
}

neap_status live_init_shared(struct live *live, const struct neap_problem *problem,
                             neap_error *error) {
  neap_problem *flat = NULL;
  struct gaps gaps = {0};
  *live = (struct live){0};
  neap_status status = flat_init(&flat, problem, error);
  if (flat) problem = flat;
  if (status == NEAP_OK) status = gaps_init(&gaps, problem, error);
  if (status == NEAP_OK) status = make_steps(live, problem, &gaps, error);
  gaps_clear(&gaps);
  neap_problem_free(flat);
  return status;
}

void live_clear(struct live *live) {
  free(live->steps);
  *live = (struct live){0};
}
