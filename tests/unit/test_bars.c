/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The chart of neap compare, read back from its SVG. */
#include <math.h>
#include <stdio.h>

#include "tests/unit/picture.h"
#include "tests/unit/sample.h"

#define DOTS "//s:circle"

static neap_bars bars_of(const neap_bar *items, size_t count, neap_size level) {
  return (neap_bars){
      .title = "bars", .items = items, .count = count, .level = level, .level_name = "bound"};
}

static double dot(const struct picture *picture, size_t index) {
  char path[64];
  snprintf(path, sizeof path, "(" DOTS ")[%zu]", index + 1);
  return picture_number(picture_only(picture, path), "cx");
}

static void gaps_are_on_a_logarithmic_scale(void **state) {
  (void)state;
  static const neap_bar items[] = {{"best", 100000, "", true},
                                   {"one percent", 101000, "", true},
                                   {"ten percent", 110000, "", false},
                                   {"naive", 1100000, "", false},
                                   {"none", -1, "no such input", false}};
  neap_bars bars = bars_of(items, 5, 100000);
  struct picture picture = picture_of_bars(&bars);
  assert_int_equal(picture_count(&picture, DOTS), 4);
  double decade = dot(&picture, 2) - dot(&picture, 1);
  assert_true(decade > 40);
  assert_true(fabs(dot(&picture, 3) - dot(&picture, 2) - 2 * decade) < 0.03);
  assert_true(dot(&picture, 0) < dot(&picture, 1));
  assert_true(picture_says(&picture, "text", "97.66 KiB  +0 %"));
  assert_true(picture_says(&picture, "text", "1.05 MiB  +1,000.00 %"));
  assert_true(picture_says(&picture, "text", "no such input"));
  assert_true(picture_says(&picture, "title", "naive: 1,100,000 bytes"));
  picture_clear(&picture);
}

/* Gaps that are too small to print are still right of the bound. */
static void a_tiny_gap_is_not_at_the_bound(void **state) {
  (void)state;
  static const neap_bar items[] = {{"a", NEAP_MAX / 2, "", true},
                                   {"b", NEAP_MAX / 2 + 1, "", true}};
  static const neap_bar far[] = {{"a", 1000000000, "", true}, {"b", 1000000001, "", true}};
  neap_bars same = bars_of(items, 2, NEAP_MAX / 2), bars = bars_of(far, 2, 1000000000);
  struct picture picture = picture_of_bars(&same);
  assert_int_equal(picture_count(&picture, DOTS), 2);
  picture_clear(&picture);
  picture = picture_of_bars(&bars);
  assert_true(dot(&picture, 0) < dot(&picture, 1));
  picture_clear(&picture);
}

static void without_gaps_all_dots_are_at_the_bound(void **state) {
  (void)state;
  static const neap_bar items[] = {{"a", 7, "", true}, {"b", 7, "", false}};
  neap_bars bars = bars_of(items, 2, 7);
  struct picture picture = picture_of_bars(&bars);
  assert_true(dot(&picture, 0) == dot(&picture, 1));
  assert_true(picture_says(&picture, "text", "bound 7 B"));
  picture_clear(&picture);
}

/* Without a level, bars begin at 0. */
static void without_a_level_there_are_bars(void **state) {
  (void)state;
  static const neap_bar items[] = {{"a", 0, "", true}, {"b", 8, "", false}};
  neap_bars bars = bars_of(items, 2, 0);
  struct picture picture = picture_of_bars(&bars);
  assert_int_equal(picture_count(&picture, DOTS), 0);
  assert_true(picture_says(&picture, "title", "b: 8 bytes"));
  assert_true(picture_says(&picture, "text", "8 B"));
  picture_clear(&picture);
}

static void no_bars_can_be_drawn(void **state) {
  (void)state;
  for (neap_size level = 0; level < 2; level++) {
    neap_bars bars = bars_of(NULL, 0, level);
    struct picture picture = picture_of_bars(&bars);
    assert_int_equal(picture_count(&picture, DOTS), 0);
    picture_clear(&picture);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(gaps_are_on_a_logarithmic_scale),
      cmocka_unit_test(a_tiny_gap_is_not_at_the_bound),
      cmocka_unit_test(without_gaps_all_dots_are_at_the_bound),
      cmocka_unit_test(without_a_level_there_are_bars),
      cmocka_unit_test(no_bars_can_be_drawn),
  };
  return cmocka_run_group_tests_name("bars", tests, NULL, NULL);
}
