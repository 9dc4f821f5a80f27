/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Grows groups of three kinds:
 *
 *   - Buffers with lifetimes most similar to the seed's, because they can exchange places.
 *     Among similar buffers, those that end above the bound or are to blame for it (tune/blame)
 *     come first.
 *   - Buffers near the seed in both time and memory.
 *   - Buffers close above and below the seed at one moment of its lifetime.
 *
 * Part of a buffer's merit is random, so that groups from the same seed differ.
 *
 * Candidates are the buffers alive in a window of time around the seed.  If there are too many,
 * the window shrinks around a random moment of the seed's lifetime, so the cost does not grow
 * with the size of the problem.
 */
#include "tune/grower.h"

#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>

#include "core/knobs.h"
#include "core/memory.h"
#include "core/sort.h"

struct candidate {
  double merit;
  uint32_t buffer;
};

struct grower {
  struct grower_task task;
  struct buffer_list found;
  struct candidate *candidates;
  size_t candidate_count, candidate_capacity;
  bool *is_found; /* per buffer; all false between calls */
  uint32_t *members;
  size_t member_count, member_capacity;
  struct grower_wish wish; /* the wish of the last group */
};

void grower_free(struct grower *grower) {
  if (!grower) return;
  free(grower->found.items);
  free(grower->candidates);
  free(grower->is_found);
  free(grower->members);
  free(grower);
}

struct grower *grower_new(const struct grower_task *task) {
  struct grower *grower = memory_array(1, sizeof *grower);
  if (!grower) return NULL;
  grower->task = *task;
  grower->is_found = memory_array(task->layout.problem->count, sizeof *grower->is_found);
  if (grower->is_found) return grower;
  grower_free(grower);
  return NULL;
}

static double chance(const struct grower *grower) {
  return gsl_rng_uniform(&grower->task.random->rng);
}

/* ---------------------------------------------------------------- windows of time */

static struct span hull_of(const struct grower *grower, size_t buffer) {
  const struct sections *sections = grower->task.layout.sections;
  return (struct span){sections->spans[sections_spans_begin(sections, buffer)].first,
                       sections->spans[sections->spans_end[buffer] - 1].end};
}

/* Extends a run of sections by `margin` on both sides. */
static struct span widen(const struct grower *grower, struct span hull, uint64_t margin) {
  uint64_t end = hull.end + margin, all = grower->task.layout.sections->count;
  return (struct span){hull.first > margin ? hull.first - (uint32_t)margin : 0,
                       (uint32_t)(end < all ? end : all)};
}

/* Draws one of the sections in which the seed is alive, with equal probabilities. */
static uint32_t draw_moment(const struct grower *grower) {
  const struct sections *sections = grower->task.layout.sections;
  const struct span *end = sections->spans + sections->spans_end[grower->wish.seed];
  const struct span *begin =
      sections->spans + sections_spans_begin(sections, grower->wish.seed);
  uint64_t alive = 0;
  for (const struct span *span = begin; span < end; span++)
    alive += span->end - span->first;
  uint32_t left = (uint32_t)(chance(grower) * (double)alive);
  for (; left >= begin->end - begin->first; begin++)
    left -= begin->end - begin->first;
  return begin->first + left;
}

/* Finds the buffers alive in a window; false when memory is short. */
static bool find_in(struct grower *grower, struct span window) {
  grower->found.count = 0;
  return neighbours_find(grower->task.layout.neighbours, window, GROWER_CANDIDATES_MOST,
                         &grower->found);
}

static bool find_candidates(struct grower *grower, struct span hull) {
  uint64_t length = hull.end - hull.first;
  uint32_t moment = draw_moment(grower);
  const struct span at_moment = {moment, moment + 1};
  if (grower->wish.kinship == KIN_ALL) {
    size_t sections = grower->task.layout.sections->count;
    return find_in(grower, (struct span){0, (uint32_t)sections});
  }
  if (grower->wish.kinship == KIN_STACK) return find_in(grower, at_moment);
  if (!find_in(grower, widen(grower, hull, length * GROWER_MARGIN))) return false;
  while (grower->found.count > GROWER_CANDIDATES_MOST && length > 0) {
    length /= 2;
    if (!find_in(grower, widen(grower, at_moment, length))) return false;
  }
  return true;
}

/* ---------------------------------------------------------------- members */

/* The number of sections that two hulls share, as a fraction of their union. */
static double likeness(struct span a, struct span b) {
  uint32_t first = a.first > b.first ? a.first : b.first, end = a.end < b.end ? a.end : b.end;
  uint32_t low = a.first < b.first ? a.first : b.first, high = a.end > b.end ? a.end : b.end;
  return first < end ? (double)(end - first) / (high - low) : 0;
}

static int by_merit(const void *left, const void *right) {
  const struct candidate *a = left, *b = right;
  if (a->merit != b->merit) return a->merit > b->merit ? -1 : 1;
  return a->buffer < b->buffer ? -1 : a->buffer > b->buffer;
}

/* The distance between the offsets of two buffers, as a fraction of the peak. */
static double distance(const struct grower *grower, uint32_t buffer) {
  const neap_offset *offsets = grower->task.layout.offsets;
  return fabs((double)(offsets[buffer] - offsets[grower->wish.seed])) /
         (double)grower->wish.peak;
}

static double trouble(const struct grower *grower, uint32_t buffer) {
  const struct room_layout *layout = &grower->task.layout;
  bool is_over =
      layout->offsets[buffer] + layout->problem->buffers[buffer].size > grower->task.bound;
  double blame = blame_of(grower->task.blame, buffer);
  return (is_over ? GROWER_OVER_MERIT : 0) + GROWER_BLAME_MERIT * (blame / (1 + blame));
}

static double merit_of(const struct grower *grower, struct span hull, uint32_t buffer) {
  double like = likeness(hull, hull_of(grower, buffer));
  switch (grower->wish.kinship) {
  case KIN_LIFETIME:
    return like + trouble(grower, buffer) + GROWER_CHANCE_MERIT * chance(grower);
  case KIN_NEAR:
    return like - distance(grower, buffer) + GROWER_CHANCE_MERIT_NEAR * chance(grower);
  case KIN_STACK:
  case KIN_ALL:
    break;
  }
  return -distance(grower, buffer);
}

static bool can_join(const struct grower *grower, uint32_t buffer) {
  return !grower->is_found[buffer] && movable_has(grower->task.layout.movable, buffer);
}

/* Ranks the candidates, the best first. */
static bool rank_candidates(struct grower *grower, size_t seed, struct span hull) {
  struct buffer_list *found = &grower->found;
  grower->candidate_count = 0;
  if (!memory_reserve(&grower->candidates, &grower->candidate_capacity, found->count,
                      sizeof *grower->candidates))
    return false;
  grower->is_found[seed] = true;
  for (size_t i = 0; i < found->count; i++) {
    uint32_t buffer = found->items[i];
    if (!can_join(grower, buffer)) continue;
    grower->is_found[buffer] = true;
    grower->candidates[grower->candidate_count++] =
        (struct candidate){merit_of(grower, hull, buffer), buffer};
  }
  grower->is_found[seed] = false;
  for (size_t i = 0; i < found->count; i++)
    grower->is_found[found->items[i]] = false;
  qsort(grower->candidates, grower->candidate_count, sizeof *grower->candidates, by_merit);
  return true;
}

bool grower_grow(struct grower *grower, const struct grower_wish *wish) {
  size_t seed = wish->seed;
  struct span hull = hull_of(grower, seed);
  grower->wish = *wish;
  if (!find_candidates(grower, hull) || !rank_candidates(grower, seed, hull)) return false;
  size_t all = grower->candidate_count + 1, count = all < wish->most ? all : wish->most;
  if (!memory_reserve(&grower->members, &grower->member_capacity, count,
                      sizeof *grower->members))
    return false;
  grower->members[0] = (uint32_t)seed;
  for (size_t i = 1; i < count; i++)
    grower->members[i] = grower->candidates[i - 1].buffer;
  qsort(grower->members, count, sizeof *grower->members, sort_by_number);
  grower->member_count = count;
  return true;
}

const uint32_t *grower_members(const struct grower *grower, size_t *count) {
  *count = grower->member_count;
  return grower->members;
}
