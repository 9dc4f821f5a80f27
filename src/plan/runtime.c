/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A buffer that is alive throughout is a band across the whole layout; every other buffer is
 * either below or above it.  Removing the band and lowering what is above it gives a sound layout
 * of the other buffers.  The band then goes on top.
 *
 *      |  b  |  c  |              |vvvvvvvvvvv|
 *      |vvvvvvvvvvv|      ->      |  b  |  c  |
 *      |  a   | d  |              |  a   | d  |
 *
 * O(bands * n) time to remove them.  Placing again takes O(bands * n) for each order of the bands:
 * all orders if there are few bands, which finds the lowest end, or else one, the largest first.
 */
#include "plan/runtime.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/checked.h"
#include "core/checks.h"
#include "core/error.h"
#include "core/memory.h"
#include "model/collide.h"

/* ---------------------------------------------------------------- placing */

/* Limits on the number of bands and of buffers up to which all orders are tried. */
#define BANDS_PERMUTED 6
#define PERMUTED_COUNT 20000

struct taken {
  neap_offset low, high;
};

struct band {
  size_t index; /* of the buffer */
  neap_size size;
  neap_offset offset;
};

static int by_low(const void *left, const void *right) {
  const struct taken *a = left, *b = right;
  return a->low < b->low ? -1 : a->low > b->low;
}

/* Finds the lowest offset with room for the buffer, and the interval that follows it. */
static bool find_room(const struct buffer *buffer, const struct taken *taken, size_t count,
                      neap_offset *offset, size_t *before) {
  neap_offset end;
  *offset = 0;
  for (*before = 0; *before < count; ++*before) {
    if (!checked_add(*offset, buffer->size, &end)) return false;
    if (end <= taken[*before].low) return true;
    if (taken[*before].high > *offset &&
        !checked_round_up(taken[*before].high, buffer->alignment, offset))
      return false;
  }
  return checked_add(*offset, buffer->size, &end);
}

static int by_size(const void *left, const void *right) {
  const struct band *a = left, *b = right;
  if (a->size != b->size) return a->size > b->size ? -1 : 1;
  return a->index < b->index ? -1 : a->index > b->index;
}

struct placing {
  const struct neap_problem *problem;
  struct taken *others, *taken; /* by offset; with room for the bands in `taken` */
  size_t other_count;
  struct band *bands; /* the unplaced buffers, the largest first */
  size_t band_count;
};

static bool placing_init(struct placing *placing, const neap_offset *offsets) {
  const struct neap_problem *problem = placing->problem;
  placing->others = memory_array(problem->count, sizeof *placing->others);
  placing->taken = memory_array(problem->count, sizeof *placing->taken);
  placing->bands = memory_array(problem->count, sizeof *placing->bands);
  if (!placing->others || !placing->taken || !placing->bands) return false;
  for (size_t i = 0; i < problem->count; i++) {
    neap_size size = problem->buffers[i].size;
    if (offsets[i] == NEAP_UNPLACED)
      placing->bands[placing->band_count++] = (struct band){i, size, 0};
    else if (size > 0)
      placing->others[placing->other_count++] = (struct taken){offsets[i], offsets[i] + size};
  }
  if (placing->other_count > 0)
    qsort(placing->others, placing->other_count, sizeof *placing->others, by_low);
  if (placing->band_count > 0)
    qsort(placing->bands, placing->band_count, sizeof *placing->bands, by_size);
  return true;
}

static void placing_clear(struct placing *placing) {
  free(placing->others);
  free(placing->taken);
  free(placing->bands);
}

/* Places the bands one after another, in `order` if it is not NULL; false above NEAP_MAX. */
static bool place_all(struct placing *placing, const size_t *order, neap_size *peak) {
  size_t count = placing->other_count, before;
  memcpy(placing->taken, placing->others, count * sizeof *placing->taken);
  *peak = 0;
  for (size_t b = 0; b < placing->band_count; b++) {
    struct band *band = &placing->bands[order ? order[b] : b];
    const struct buffer *buffer = &placing->problem->buffers[band->index];
    if (!find_room(buffer, placing->taken, count, &band->offset, &before)) return false;
    if (band->offset + band->size > *peak) *peak = band->offset + band->size;
    if (band->size == 0) continue;
    memmove(placing->taken + before + 1, placing->taken + before,
            (count++ - before) * sizeof *placing->taken);
    placing->taken[before] = (struct taken){band->offset, band->offset + band->size};
    assert(before == 0 || placing->taken[before - 1].low < band->offset);
    assert(before + 1 == count ||
           placing->taken[before].high <= placing->taken[before + 1].low);
  }
  return true;
}

/* The next permutation in lexicographic order; false after the last. */
static bool next_permutation(size_t *order, size_t count) {
  size_t i = count, j = count;
  while (i > 1 && order[i - 2] >= order[i - 1])
    i--;
  if (i <= 1) return false;
  while (order[j - 1] <= order[i - 2])
    j--;
  size_t moved = order[i - 2];
  order[i - 2] = order[j - 1];
  order[j - 1] = moved;
  for (size_t low = i - 1, high = count - 1; low < high; low++, high--) {
    moved = order[low];
    order[low] = order[high];
    order[high] = moved;
  }
  return true;
}

/*
 * Places the bands in every order and keeps the best.  That finds the lowest peak: if the bands
 * of any placement are placed again from the lowest up, none of them ends higher.
 */
static bool place_best(struct placing *placing) {
  size_t order[BANDS_PERMUTED] = {0, 1, 2, 3, 4, 5}, best[BANDS_PERMUTED];
  neap_size peak, lowest = NEAP_MAX;
  assert(placing->band_count <= BANDS_PERMUTED);
  bool is_placed = false;
  do
    if (place_all(placing, order, &peak) && (!is_placed || peak < lowest)) {
      is_placed = true;
      lowest = peak;
      memcpy(best, order, sizeof best);
    }
  while (next_permutation(order, placing->band_count));
  return is_placed && place_all(placing, best, &peak);
}

neap_status runtime_place(const struct neap_problem *problem, neap_offset *offsets,
                          neap_error *error) {
  struct placing placing = {.problem = problem};
  neap_size peak;
  neap_status status = placing_init(&placing, offsets) ? NEAP_OK : error_memory(error);
  bool is_small = placing.band_count <= BANDS_PERMUTED && problem->count <= PERMUTED_COUNT;
  if (status == NEAP_OK &&
      !(is_small ? place_best(&placing) : place_all(&placing, NULL, &peak)))
    status = error_set(error, NEAP_ERROR_INPUT, "the plan ends above 2^63 - 1");
  for (size_t b = 0; status == NEAP_OK && b < placing.band_count; b++)
    offsets[placing.bands[b].index] = placing.bands[b].offset;
  placing_clear(&placing);
  return status;
}

/* ---------------------------------------------------------------- lifting */

/* The time from the first start to the last end. */
static neap_range whole_of(const struct neap_problem *problem) {
  neap_range whole = {NEAP_MAX, 0};
  for (size_t i = 0; i < problem->count; i++) {
    neap_range hull = problem_hull(problem, i);
    if (hull.start < whole.start) whole.start = hull.start;
    if (hull.end > whole.end) whole.end = hull.end;
  }
  return whole;
}

static bool lives_throughout(const struct neap_problem *problem, size_t index,
                             neap_range whole) {
  neap_range hull = problem_hull(problem, index);
  size_t ranges = problem->buffers[index].ranges_end - problem_ranges_begin(problem, index);
  return ranges == 1 && hull.start <= whole.start && hull.end >= whole.end;
}

/* Marks the buffers that the runtime allocates; returns how many there are. */
static size_t mark_lifted(const struct neap_problem *problem, bool *is_lifted) {
  const struct names *names = &problem->runtime.names;
  neap_range whole = whole_of(problem);
  size_t count = 0;
  for (size_t r = 0; r < names->count; r++) {
    const char *name = names_text(names, r);
    size_t i = names_find(&problem->names, name, strlen(name));
    if (i == NAMES_NONE || !lives_throughout(problem, i, whole)) continue;
    is_lifted[i] = true;
    count++;
  }
  return count;
}

/* The highest band that is still placed. */
static size_t highest_band(const struct neap_problem *problem, const bool *is_lifted,
                           const neap_offset *offsets) {
  size_t found = problem->count;
  for (size_t i = 0; i < problem->count; i++)
    if (is_lifted[i] && offsets[i] != NEAP_UNPLACED &&
        (found == problem->count || offsets[i] > offsets[found]))
      found = i;
  return found;
}

/* How far everything above a band can drop once it is removed, given the alignments. */
static neap_size find_drop(const struct neap_problem *problem, const neap_offset *offsets,
                           neap_offset band) {
  neap_offset low = NEAP_MAX;
  int64_t step = 1;
  for (size_t i = 0; i < problem->count; i++) {
    const struct buffer *buffer = &problem->buffers[i];
    if (offsets[i] == NEAP_UNPLACED || offsets[i] < band || buffer->size == 0) continue;
    if (offsets[i] < low) low = offsets[i];
    if (!checked_mul(step / common_divisor(step, buffer->alignment), buffer->alignment, &step))
      return 0;
  }
  return low == NEAP_MAX ? 0 : (low - band) / step * step;
}

/* Removes the bands, from the highest down, and lowers what is above them. */
static void close_bands(const struct neap_problem *problem, const bool *is_lifted,
                        neap_offset *offsets) {
  size_t band;
  while ((band = highest_band(problem, is_lifted, offsets)) < problem->count) {
    neap_offset from = offsets[band];
    offsets[band] = NEAP_UNPLACED;
    neap_size drop = find_drop(problem, offsets, from);
    assert(drop >= 0);
    for (size_t i = 0; i < problem->count; i++)
      if (offsets[i] >= from && problem->buffers[i].size > 0) offsets[i] -= drop;
  }
}

/* Places the bands again, with or without closing the gaps they leave; `other` is scratch. */
static neap_status try_lift(const struct neap_problem *problem, const bool *is_lifted,
                            bool closed, neap_offset *offsets, neap_offset *other,
                            bool *is_done, neap_error *error) {
  memcpy(other, offsets, problem->count * sizeof *other);
  if (closed) close_bands(problem, is_lifted, other);
  for (size_t i = 0; i < problem->count; i++)
    if (is_lifted[i]) other[i] = NEAP_UNPLACED;
  neap_status status = runtime_place(problem, other, error);
  if (status != NEAP_OK) return status;
  *is_done = problem_peak(problem, other) <= problem_peak(problem, offsets);
  if (*is_done) memcpy(offsets, other, problem->count * sizeof *other);
  return NEAP_OK;
}

/* Asserts that the buffers are still apart. */
static void check_layout(const struct neap_problem *problem, const neap_offset *offsets) {
  neap_collision collision;
  bool found = false;
  if (collide_first(problem, offsets, &collision, &found, NULL) == NEAP_OK) assert(!found);
}

neap_status runtime_lift(const struct neap_problem *problem, neap_offset *offsets,
                         neap_error *error) {
  if (problem->runtime.names.count == 0 || problem->fixed_count > 0) return NEAP_OK;
  bool *is_lifted = memory_array(problem->count, sizeof *is_lifted), is_done = false;
  neap_offset *other = memory_array(problem->count, sizeof *other);
  neap_status status = is_lifted && other ? NEAP_OK : error_memory(error);
  if (status == NEAP_OK && mark_lifted(problem, is_lifted) > 0) {
    status = try_lift(problem, is_lifted, true, offsets, other, &is_done, error);
    if (status == NEAP_OK && !is_done)
      status = try_lift(problem, is_lifted, false, offsets, other, &is_done, error);
    if (CHECKS && is_done) check_layout(problem, offsets);
  }
  free(is_lifted);
  free(other);
  return status;
}
