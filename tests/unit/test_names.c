/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <string.h>

#include "core/names.h"
#include "tests/unit/sample.h"

static bool add(struct names *names, const char *name) {
  return names_add(names, name, strlen(name));
}

static size_t find(const struct names *names, const char *name) {
  return names_find(names, name, strlen(name));
}

static void an_empty_pool_finds_nothing(void **state) {
  (void)state;
  struct names names = {0};
  assert_int_equal(find(&names, "a"), NAMES_NONE);
  assert_int_equal(find(&names, ""), NAMES_NONE);
  names_clear(&names);
}

static void names_are_numbered_in_order_of_arrival(void **state) {
  (void)state;
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
static void the_length_is_part_of_a_name(void **state) {
  (void)state;
  struct names names = {0};
  assert_true(names_add(&names, "abcdef", 3));
  assert_string_equal(names_text(&names, 0), "abc");
  assert_int_equal(names_find(&names, "abcxyz", 3), 0);
  assert_int_equal(names_find(&names, "abc", 2), NAMES_NONE);
  assert_int_equal(names_find(&names, "abcdef", 6), NAMES_NONE);
  names_clear(&names);
}

static void many_names_are_found_while_they_grow(void **state) {
  (void)state;
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

static void reserving_changes_no_names(void **state) {
  (void)state;
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

static void numbers_need_no_table(void **state) {
  (void)state;
  enum { COUNT = 1200 };
  static const char *const strangers[] = {"",  "00", "01", "1200", "99999999999999999999999",
                                          "a", "-1", "1 ", " 1",   "12a"};
  struct names names = {0};
  char text[32];
  assert_true(names_reserve_numbers(&names, 3));
  for (size_t i = 0; i < COUNT; i++)
    assert_true(names_add_number(&names));
  assert_null(names.slot);
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

static void clearing_leaves_an_empty_pool(void **state) {
  (void)state;
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
      cmocka_unit_test(an_empty_pool_finds_nothing),
      cmocka_unit_test(names_are_numbered_in_order_of_arrival),
      cmocka_unit_test(the_length_is_part_of_a_name),
      cmocka_unit_test(many_names_are_found_while_they_grow),
      cmocka_unit_test(reserving_changes_no_names),
      cmocka_unit_test(numbers_need_no_table),
      cmocka_unit_test(clearing_leaves_an_empty_pool),
  };
  return cmocka_run_group_tests_name("names", tests, NULL, NULL);
}
