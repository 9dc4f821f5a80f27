/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An interval shares a byte with [low, high) if it begins below `high` and does not end at or
 * below `low`.  So the number of these is the number of begins below `high` minus the number of
 * ends at or below `low`.  Intervals of lower groups are in both numbers and cancel.
 */
#include "verify/collide.h"

#include <assert.h>
#include <stdlib.h>

#include "core/bisection.h"
#include "core/memory.h"

bool tally_init(struct tally *tally, size_t capacity) {
  *tally = (struct tally){.count = 0};
  tally->lows = memory_array(capacity, sizeof *tally->lows);
  tally->highs = memory_array(capacity, sizeof *tally->highs);
  tally->live_lows = memory_array(capacity + 1, sizeof *tally->live_lows);
  tally->live_highs = memory_array(capacity + 1, sizeof *tally->live_highs);
  return tally->lows && tally->highs && tally->live_lows && tally->live_highs;
}

void tally_clear(struct tally *tally) {
  free(tally->lows);
  free(tally->highs);
  free(tally->live_lows);
  free(tally->live_highs);
}

void tally_enter(struct tally *tally, size_t group, int64_t low, int64_t high) {
  assert(low < high);
  tally->lows[tally->count] = (struct tally_mark){group, low};
  tally->highs[tally->count++] = (struct tally_mark){group, high};
}

static int ascending(const void *left, const void *right) {
  const struct tally_mark *a = left, *b = right;
  if (a->group != b->group) return a->group < b->group ? -1 : 1;
  return a->at < b->at ? -1 : a->at > b->at;
}

/* Intervals are often entered by ascending low. */
static void sort_marks(struct tally_mark *marks, size_t count) {
  size_t sorted = 1;
  while (sorted < count && ascending(&marks[sorted - 1], &marks[sorted]) <= 0)
    sorted++;
  if (sorted < count) qsort(marks, count, sizeof *marks, ascending);
}

void tally_seal(struct tally *tally) {
  sort_marks(tally->lows, tally->count);
  sort_marks(tally->highs, tally->count);
}

/* The number of marks before a position. */
static size_t marks_before(const struct tally_mark *marks, size_t count, size_t group,
                           int64_t at) {
  struct bisection search = bisection_of(0, count);
  while (bisection_open(&search)) {
    const struct tally_mark *mark = &marks[search.middle];
    bisection_step(&search, mark->group < group || (mark->group == group && mark->at < at));
  }
  return search.low;
}

static void fenwick_add(size_t *tree, size_t count, size_t position, size_t amount) {
  for (size_t i = position + 1; i <= count; i += i & -i)
    tree[i] += amount;
}

/* The sum of the first `count` elements. */
static size_t fenwick_sum(const size_t *tree, size_t count) {
  size_t sum = 0;
  for (size_t i = count; i > 0; i &= i - 1)
    sum += tree[i];
  return sum;
}

/* Equal marks are all counted at the first of them. */
void tally_set(struct tally *tally, size_t group, int64_t low, int64_t high, bool is_live) {
  size_t amount = is_live ? 1 : SIZE_MAX; /* 1 or, modulo 2^N, -1 */
  size_t begin = marks_before(tally->lows, tally->count, group, low);
  size_t end = marks_before(tally->highs, tally->count, group, high);
  assert(begin < tally->count && tally->lows[begin].at == low);
  assert(end < tally->count && tally->highs[end].at == high);
  fenwick_add(tally->live_lows, tally->count, begin, amount);
  fenwick_add(tally->live_highs, tally->count, end, amount);
}

size_t tally_count(const struct tally *tally, size_t group, int64_t low, int64_t high) {
  size_t begun =
      fenwick_sum(tally->live_lows, marks_before(tally->lows, tally->count, group, high));
  size_t ended =
      fenwick_sum(tally->live_highs, marks_before(tally->highs, tally->count, group, low + 1));
  assert(ended <= begun);
  return begun - ended;
}
