/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares the trees in arrays with plain arrays: their shape, range minima, maxima. */
#include "core/tree.h"

#include "core/max_tree.h"
#include "core/range_min.h"
#include "tests/property/random_problem.h"
#include "tests/unit/sample.h"

#define MOST 70

/* ---------------------------------------------------------------- shape */

static void leaves_are_the_next_power_of_two(void **state) {
  (void)state;
  const size_t expected[][2] = {{0, 1}, {1, 1}, {2, 2}, {3, 4}, {4, 4}, {5, 8}, {1025, 2048}};
  for (size_t i = 0; i < SAMPLE_COUNT(expected); i++)
    assert_int_equal(tree_leaves(expected[i][0]), expected[i][1]);
}

static void children_know_their_parents(void **state) {
  (void)state;
  for (size_t node = 1; node < 64; node++) {
    assert_int_equal(tree_parent(tree_left(node)), node);
    assert_int_equal(tree_parent(tree_right(node)), node);
  }
  assert_int_equal(tree_parent(1), 0);
}

/* Counts how often each leaf lies below one of the nodes. */
static void count_leaves(size_t node, size_t leaves, unsigned *counts) {
  if (node >= leaves) {
    counts[node - leaves]++;
    return;
  }
  count_leaves(tree_left(node), leaves, counts);
  count_leaves(tree_right(node), leaves, counts);
}

/* Two neighbours of a cover with the same parent could be replaced by it. */
static void expect_cover(size_t leaves, size_t first, size_t end) {
  unsigned counts[MOST * 2] = {0};
  bool chosen[MOST * 4] = {false};
  struct tree_cover cover = {leaves + first, leaves + end};
  for (size_t node; (node = tree_cover_next(&cover)) != 0;) {
    assert_true(node < 2 * leaves && !chosen[node]);
    assert_false(chosen[node ^ 1]);
    chosen[node] = true;
    count_leaves(node, leaves, counts);
  }
  for (size_t leaf = 0; leaf < leaves; leaf++)
    assert_int_equal(counts[leaf], first <= leaf && leaf < end ? 1 : 0);
}

static void covers_are_exact_and_small(void **state) {
  (void)state;
  for (size_t leaves = 1; leaves <= 64; leaves *= 2)
    for (size_t first = 0; first <= leaves; first++)
      for (size_t end = first; end <= leaves; end++)
        expect_cover(leaves, first, end);
}

/* ---------------------------------------------------------------- range minima */

static size_t first_least(const int64_t *values, size_t first, size_t end) {
  size_t best = first;
  for (size_t i = first + 1; i < end; i++)
    if (values[i] < values[best]) best = i;
  return best;
}

static void follow_minima(size_t count) {
  struct dice dice = {count};
  struct range_min tree;
  int64_t values[MOST];
  assert_true(range_min_init(&tree, count));
  for (size_t i = 0; i < count; i++)
    values[i] = (int64_t)dice_roll(&dice, 9) - 4;
  range_min_fill(&tree, values);
  for (int step = 0; step < 300; step++) {
    size_t first = (size_t)dice_roll(&dice, count);
    size_t end = first + 1 + (size_t)dice_roll(&dice, count - first);
    int64_t more = (int64_t)dice_roll(&dice, 7) - 3, least;
    range_min_add(&tree, first, end, more);
    for (size_t i = first; i < end; i++)
      values[i] += more;
    size_t from = (size_t)dice_roll(&dice, count);
    size_t to = from + 1 + (size_t)dice_roll(&dice, count - from);
    assert_int_equal(range_min_in(&tree, from, to, &least), first_least(values, from, to));
    assert_int_equal(range_min_of(&tree, from, to), least);
    assert_int_equal(least, values[first_least(values, from, to)]);
    assert_int_equal(range_min_first(&tree), first_least(values, 0, count));
    assert_int_equal(range_min_least(&tree), values[first_least(values, 0, count)]);
    assert_int_equal(range_min_at(&tree, from), values[from]);
  }
  range_min_clear(&tree);
}

static void minima_are_those_of_an_array(void **state) {
  (void)state;
  for (size_t count = 1; count <= MOST; count++)
    follow_minima(count);
}

/* ---------------------------------------------------------------- maxima */

static size_t next_of(const int64_t *values, size_t count, size_t from, int64_t least) {
  for (size_t i = from; i < count; i++)
    if (values[i] >= least) return i;
  return count;
}

static int64_t largest_of(const int64_t *values, size_t count) {
  int64_t largest = MAX_TREE_NONE;
  for (size_t i = 0; i < count; i++)
    if (values[i] > largest) largest = values[i];
  return largest;
}

static void follow_maxima(size_t count) {
  struct dice dice = {count};
  struct max_tree tree;
  int64_t values[MOST];
  assert_true(max_tree_init(&tree, count));
  assert_int_equal(max_tree_next(&tree, 0, INT64_MIN + 1), count);
  assert_int_equal(max_tree_largest(&tree), MAX_TREE_NONE);
  for (size_t i = 0; i < count; i++)
    values[i] = MAX_TREE_NONE;
  for (int step = 0; step < 300 && count > 0; step++) {
    size_t index = (size_t)dice_roll(&dice, count);
    values[index] = dice_chance(&dice, 40) ? MAX_TREE_NONE : (int64_t)dice_roll(&dice, 9) - 4;
    max_tree_set(&tree, index, values[index]);
    size_t from = (size_t)dice_roll(&dice, count + 2);
    int64_t least = (int64_t)dice_roll(&dice, 12) - 6;
    assert_int_equal(max_tree_next(&tree, from, least), next_of(values, count, from, least));
    assert_int_equal(max_tree_largest(&tree), largest_of(values, count));
  }
  max_tree_clear(&tree);
}

static void maxima_are_those_of_an_array(void **state) {
  (void)state;
  for (size_t count = 0; count <= MOST; count++)
    follow_maxima(count);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(leaves_are_the_next_power_of_two),
      cmocka_unit_test(children_know_their_parents),
      cmocka_unit_test(covers_are_exact_and_small),
      cmocka_unit_test(minima_are_those_of_an_array),
      cmocka_unit_test(maxima_are_those_of_an_array),
  };
  return cmocka_run_group_tests_name("tree", tests, NULL, NULL);
}
