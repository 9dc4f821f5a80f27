/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares the heap with a list that is searched for its smallest entry. */
#include "core/heap.h"

#include "tests/property/random_problem.h"
#include "tests/unit/sample.h"

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

static void entries_leave_by_key_and_tie(void **state) {
  (void)state;
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

static void every_id_leaves_once(void **state) {
  (void)state;
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

static void only_keys_below_the_limit_leave(void **state) {
  (void)state;
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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(entries_leave_by_key_and_tie),
      cmocka_unit_test(every_id_leaves_once),
      cmocka_unit_test(only_keys_below_the_limit_leave),
  };
  return cmocka_run_group_tests_name("heap", tests, NULL, NULL);
}
