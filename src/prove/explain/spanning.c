/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * If no single buffer is alive at all crowded moments, two together may be: one alive at the first
 * of them, and one that covers the rest, from where the other ends.  For the first one, buffers
 * that end last are tried first, each with the largest partner.
 */
#include "explain/spanning.h"

#include <stdlib.h>

#include "core/error.h"
#include "explain/core.h"
#include "facts/live_bytes.h"

/* The first crowded moment at or after a time; NEAP_UNPLACED if there is none. */
static neap_time next_crowded(const struct live *live, neap_size capacity, neap_time from) {
  for (size_t s = 0; s + 1 < live->count; s++)
    if (live->steps[s].bytes > capacity && live->steps[s + 1].time > from)
      return live->steps[s].time > from ? live->steps[s].time : from;
  return NEAP_UNPLACED;
}

static bool is_whole(const struct neap_problem *problem, size_t buffer) {
  return problem_ranges_begin(problem, buffer) + 1 == problem->buffers[buffer].ranges_end;
}

/* The largest buffer alive during all of a time, except one; NEAP_NO_BUFFER if there is none. */
static size_t largest_in(const struct neap_problem *problem, neap_range when, size_t except) {
  size_t best = NEAP_NO_BUFFER;
  for (size_t i = 0; i < problem->count; i++) {
    neap_range hull = problem_hull(problem, i);
    if (i == except || !is_whole(problem, i) || hull.start > when.start || hull.end < when.end)
      continue;
    if (best == NEAP_NO_BUFFER || problem->buffers[i].size > problem->buffers[best].size)
      best = i;
  }
  return best != NEAP_NO_BUFFER && problem->buffers[best].size > 0 ? best : NEAP_NO_BUFFER;
}

/* Moves the buffer that ends last, of those from place `at` on, to `at`. */
static void bring_longest(const struct neap_problem *problem, size_t *buffers, size_t at,
                          size_t count) {
  size_t best = at;
  for (size_t i = at + 1; i < count; i++)
    if (problem_hull(problem, buffers[i]).end > problem_hull(problem, buffers[best]).end)
      best = i;
  size_t longest = buffers[best];
  for (; best > at; best--)
    buffers[best] = buffers[best - 1];
  buffers[at] = longest;
}

static neap_status find_pairs(struct spanning *spanning, const struct neap_problem *problem,
                              neap_size capacity, const struct live *live, neap_error *error) {
  size_t count;
  size_t *first = core_alive(problem, spanning->when.start, &count);
  if (!first) return error_memory(error);
  for (size_t i = 0; i < count && i < SPANNING_MOST; i++) {
    bring_longest(problem, first, i, count);
    if (!is_whole(problem, first[i])) continue;
    neap_time rest = next_crowded(live, capacity, problem_hull(problem, first[i]).end);
    if (rest == NEAP_UNPLACED) continue;
    size_t other = largest_in(problem, (neap_range){rest, spanning->when.end}, first[i]);
    if (other == NEAP_NO_BUFFER) continue;
    spanning->pairs[spanning->pair_count++] = (struct spanning_pair){first[i], other};
  }
  free(first);
  return NEAP_OK;
}

neap_status spanning_find(struct spanning *spanning, const struct neap_problem *problem,
                          neap_size capacity, neap_error *error) {
  struct live live;
  *spanning = (struct spanning){.pair_count = 0};
  neap_status status = live_init(&live, problem, error);
  if (status != NEAP_OK) return status;
  for (size_t s = 0; s + 1 < live.count; s++) {
    if (live.steps[s].bytes <= capacity) continue;
    if (spanning->when.end == 0) spanning->when.start = live.steps[s].time;
    spanning->when.end = live.steps[s + 1].time;
  }
  if (spanning->when.end > 0) status = find_pairs(spanning, problem, capacity, &live, error);
  live_clear(&live);
  return status;
}
