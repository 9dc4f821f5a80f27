/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The containers of core against plain arrays. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/heap.h"
#include "core/index_set.h"
#include "core/max_tree.h"
#include "core/names.h"
#include "core/range_min.h"
#include "core/tree.h"
#include "tests/support/random_problem.h"
#include "tests/support/sample.h"

/* ---------------------------------------------------------------- heap */

/* Compares the heap with a list that is searched for its smallest entry. */

#define MOST 200

struct list {
  struct heap_entry items[MOST];
  size_t count;
};

static bool comes_first(const struct heap_entry *a, const struct heap_entry *b) {
  return a->key < b->key || (a->key == b->key && a->tie < b->tie);
}

static struct heap_entry take_smallest(struct list *list) {
  size_t best = 0;
  for (size_t i = 1; i < list->count; i++)
    if (comes_first(&list->items[i], &list->items[best])) best = i;
  struct heap_entry taken = list->items[best];
  list->items[best] = list->items[--list->count];
  return taken;
}

static void add_to_both(struct heap *heap, struct list *list, struct dice *dice, size_t id) {
  struct heap_entry entry = {(int64_t)dice_roll(dice, 20) - 10, dice_roll(dice, 1000), id};
  list->items[list->count++] = entry;
  assert_true(heap_push(heap, entry));
}

static void take_from_both(struct heap *heap, struct list *list) {
  struct heap_entry entry = heap_pop(heap), expected = take_smallest(list);
  assert_true(entry.key == expected.key && entry.tie == expected.tie);
}

TEST(entries_leave_by_key_and_tie) {
  for (uint64_t seed = 0; seed < 20; seed++) {
    struct dice dice = {seed};
    struct heap heap = {0};
    struct list list = {.count = 0};
    for (size_t step = 0; step < 2000; step++) {
      assert_int_equal(heap.count, list.count);
      if (list.count == 0 || (list.count < MOST && dice_chance(&dice, 55)))
        add_to_both(&heap, &list, &dice, step);
      else take_from_both(&heap, &list);
    }
    while (list.count > 0)
      take_from_both(&heap, &list);
    assert_int_equal(heap.count, 0);
    heap_clear(&heap);
  }
}

TEST(every_id_leaves_once) {
  struct heap heap = {0};
  bool seen[MOST] = {false};
  assert_true(heap_reserve(&heap, MOST));
  for (size_t id = 0; id < MOST; id++)
    assert_true(heap_push(&heap, (struct heap_entry){(int64_t)(id * 37 % 11), 0, id}));
  for (size_t i = 0; i < MOST; i++) {
    size_t id = heap_pop(&heap).id;
    assert_false(seen[id]);
    seen[id] = true;
  }
  heap_clear(&heap);
}

TEST(only_keys_below_the_limit_leave) {
  struct heap heap = {0};
  size_t id = 99;
  assert_false(heap_pop_below(&heap, INT64_MAX, &id));
  assert_true(heap_push(&heap, (struct heap_entry){7, 0, 1}));
  assert_true(heap_push(&heap, (struct heap_entry){5, 0, 2}));
  assert_false(heap_pop_below(&heap, 5, &id));
  assert_int_equal(id, 99);
  assert_true(heap_pop_below(&heap, 6, &id));
  assert_int_equal(id, 2);
  assert_false(heap_pop_below(&heap, 7, &id));
  assert_true(heap_pop_below(&heap, INT64_MAX, &id));
  assert_int_equal(id, 1);
  assert_int_equal(heap.count, 0);
  heap_clear(&heap);
}

/* ---------------------------------------------------------------- ordered set */

/* Compares the ordered set with a plain array, at sizes where levels begin. */

static size_t below(const bool *members, size_t number) {
  while (number-- > 0)
    if (members[number]) return number;
  return INDEX_NONE;
}

static size_t above(const bool *members, size_t limit, size_t number) {
  while (++number < limit)
    if (members[number]) return number;
  return INDEX_NONE;
}

/* In sparse sets, neighbours are far apart, so searches go up and down all levels. */
static void follow(size_t limit, uint64_t density) {
  struct dice dice = {limit + density};
  struct index_set set;
  bool *members = test_calloc(limit, sizeof *members);
  assert_true(index_set_init(&set, limit));
  for (int step = 0; step < 400; step++) {
    size_t number = (size_t)dice_roll(&dice, limit);
    members[number] = dice_roll(&dice, 100) < density;
    if (members[number]) index_set_add(&set, number);
    else index_set_remove(&set, number);
    assert_true(index_set_has(&set, number) == members[number]);
    size_t asked = (size_t)dice_roll(&dice, limit);
    assert_true(index_set_below(&set, asked) == below(members, asked));
    assert_true(index_set_above(&set, asked) == above(members, limit, asked));
  }
  index_set_clear(&set);
  test_free(members);
}

TEST(neighbours_are_those_of_an_array) {
  const size_t limits[] = {1, 2, 63, 64, 65, 4095, 4096, 4097, 262143, 262144, 262145};
  for (size_t i = 0; i < SAMPLE_COUNT(limits); i++) {
    follow(limits[i], 90);
    follow(limits[i], 10);
  }
}

TEST(adding_and_removing_report_membership) {
  struct index_set set;
  assert_true(index_set_init(&set, 130));
  assert_false(index_set_has(&set, 129));
  index_set_add(&set, 129);
  index_set_add(&set, 0);
  assert_true(index_set_has(&set, 129) && index_set_has(&set, 0));
  assert_true(index_set_above(&set, 0) == 129 && index_set_below(&set, 129) == 0);
  index_set_remove(&set, 129);
  assert_false(index_set_has(&set, 129));
  assert_true(index_set_above(&set, 0) == INDEX_NONE && index_set_below(&set, 0) == INDEX_NONE);
  index_set_clear(&set);
}

/* ---------------------------------------------------------------- trees in arrays */

/* Compares the trees in arrays with plain arrays: their shape, range minima, maxima. */

#define tree_MOST 70

/* ---------------------------------------------------------------- shape */

TEST(leaves_are_the_next_power_of_two) {
  const size_t expected[][2] = {{0, 1}, {1, 1}, {2, 2}, {3, 4}, {4, 4}, {5, 8}, {1025, 2048}};
  for (size_t i = 0; i < SAMPLE_COUNT(expected); i++)
    assert_int_equal(tree_leaves(expected[i][0]), expected[i][1]);
}

TEST(children_know_their_parents) {
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
  unsigned counts[tree_MOST * 2] = {0};
  bool chosen[tree_MOST * 4] = {false};
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

TEST(covers_are_exact_and_small) {
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
  int64_t values[tree_MOST];
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
    assert_int_equal(least, values[first_least(values, from, to)]);
    assert_int_equal(range_min_first(&tree), first_least(values, 0, count));
    assert_int_equal(range_min_least(&tree), values[first_least(values, 0, count)]);
    assert_int_equal(range_min_at(&tree, from), values[from]);
  }
  range_min_clear(&tree);
}

TEST(minima_are_those_of_an_array) {
  for (size_t count = 1; count <= tree_MOST; count++)
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
  int64_t values[tree_MOST];
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

TEST(maxima_are_those_of_an_array) {
  for (size_t count = 0; count <= tree_MOST; count++)
    follow_maxima(count);
}

/* ---------------------------------------------------------------- names */

static bool add(struct names *names, const char *name) {
  return names_add(names, name, strlen(name));
}

static size_t find(const struct names *names, const char *name) {
  return names_find(names, name, strlen(name));
}

TEST(an_empty_pool_finds_nothing) {
  struct names names = {0};
  assert_int_equal(find(&names, "a"), NAMES_NONE);
  assert_int_equal(find(&names, ""), NAMES_NONE);
  names_clear(&names);
}

TEST(names_are_numbered_in_order_of_arrival) {
  static const char *const texts[] = {"conv", "conv1", "con", "", "v", "\xc3\xa9"};
  struct names names = {0};
  for (size_t i = 0; i < SAMPLE_COUNT(texts); i++)
    assert_true(add(&names, texts[i]));
  assert_int_equal(names.count, SAMPLE_COUNT(texts));
  for (size_t i = 0; i < SAMPLE_COUNT(texts); i++) {
    assert_int_equal(find(&names, texts[i]), i);
    assert_string_equal(names_text(&names, i), texts[i]);
  }
  names_clear(&names);
}

/* Names are looked up by their length, not as terminated texts. */
TEST(the_length_is_part_of_a_name) {
  struct names names = {0};
  assert_true(names_add(&names, "abcdef", 3));
  assert_string_equal(names_text(&names, 0), "abc");
  assert_int_equal(names_find(&names, "abcxyz", 3), 0);
  assert_int_equal(names_find(&names, "abc", 2), NAMES_NONE);
  assert_int_equal(names_find(&names, "abcdef", 6), NAMES_NONE);
  names_clear(&names);
}

TEST(many_names_are_found_while_they_grow) {
  enum { COUNT = 50000 };
  struct names names = {0};
  char text[32];
  for (size_t i = 0; i < COUNT; i++) {
    snprintf(text, sizeof text, "tensor%zu", i);
    assert_int_equal(find(&names, text), NAMES_NONE);
    assert_true(add(&names, text));
    snprintf(text, sizeof text, "tensor%zu", i / 2);
    assert_int_equal(find(&names, text), i / 2);
  }
  for (size_t i = 0; i < COUNT; i++) {
    snprintf(text, sizeof text, "tensor%zu", i);
    assert_int_equal(find(&names, text), i);
    assert_string_equal(names_text(&names, i), text);
  }
  names_clear(&names);
}

TEST(reserving_changes_no_names) {
  struct names names = {0};
  assert_true(add(&names, "a"));
  assert_true(names_reserve(&names, 1000));
  assert_true(names_reserve(&names, 2));
  assert_int_equal(find(&names, "a"), 0);
  assert_int_equal(find(&names, "b"), NAMES_NONE);
  assert_true(add(&names, "a name that is longer than usual"));
  assert_int_equal(find(&names, "a name that is longer than usual"), 1);
  assert_false(names_reserve(&names, SIZE_MAX));
  assert_int_equal(names.count, 2);
  names_clear(&names);
}

TEST(numbers_need_no_table) {
  enum { COUNT = 1200 };
  static const char *const strangers[] = {"",  "00", "01", "1200", "99999999999999999999999",
                                          "a", "-1", "1 ", " 1",   "12a"};
  struct names names = {0};
  char text[32];
  assert_true(names_reserve_numbers(&names, 3));
  for (size_t i = 0; i < COUNT; i++)
    assert_true(names_add_number(&names));
  assert_null(names.set.slots);
  for (size_t round = 0; round < 2; round++) {
    for (size_t i = 0; i < COUNT; i++) {
      snprintf(text, sizeof text, "%zu", i);
      assert_string_equal(names_text(&names, i), text);
      assert_int_equal(find(&names, text), i);
    }
    for (size_t i = 0; i < SAMPLE_COUNT(strangers); i++) {
      assert_int_equal(find(&names, strangers[i]), round == 0 ? NAMES_NONE : COUNT + i);
      if (round == 0) assert_true(names_are_numbers(&names));
    }
    for (size_t i = 0; round == 0 && i < SAMPLE_COUNT(strangers); i++)
      assert_true(add(&names, strangers[i]));
  }
  assert_false(names_are_numbers(&names));
  assert_true(names_reserve(&names, 2));
  assert_false(names_reserve_numbers(&names, SIZE_MAX));
  names_clear(&names);
}

TEST(clearing_leaves_an_empty_pool) {
  struct names names = {0};
  assert_true(add(&names, "a"));
  names_clear(&names);
  assert_int_equal(find(&names, "a"), NAMES_NONE);
  assert_true(add(&names, "b"));
  assert_int_equal(find(&names, "b"), 0);
  names_clear(&names);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(entries_leave_by_key_and_tie),
      cmocka_unit_test(every_id_leaves_once),
      cmocka_unit_test(only_keys_below_the_limit_leave),
      cmocka_unit_test(neighbours_are_those_of_an_array),
      cmocka_unit_test(adding_and_removing_report_membership),
      cmocka_unit_test(leaves_are_the_next_power_of_two),
      cmocka_unit_test(children_know_their_parents),
      cmocka_unit_test(covers_are_exact_and_small),
      cmocka_unit_test(minima_are_those_of_an_array),
      cmocka_unit_test(maxima_are_those_of_an_array),
      cmocka_unit_test(an_empty_pool_finds_nothing),
      cmocka_unit_test(names_are_numbered_in_order_of_arrival),
      cmocka_unit_test(the_length_is_part_of_a_name),
      cmocka_unit_test(many_names_are_found_while_they_grow),
      cmocka_unit_test(reserving_changes_no_names),
      cmocka_unit_test(numbers_need_no_table),
      cmocka_unit_test(clearing_leaves_an_empty_pool),
  };
  return cmocka_run_group_tests_name("containers", tests, NULL, NULL);
}
