/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "facts/reserved.h"
#include "tests/support/sample.h"
#include "verify/collide.h"

/* Expects exactly one collision, or none if NULL. Takes ownership of the problem. */
static void expect_one(neap_problem *problem, const neap_offset *offsets,
                       const neap_collision *wanted) {
  neap_collision found;
  struct collisions all;
  bool any;
  neap_error error;
  assert_ok(collide_first(&(struct placement){problem, offsets, NULL}, &found, &any, &error),
            &error);
  assert_int_equal(any, wanted != NULL);
  assert_ok(collide_all(&(struct placement){problem, offsets, NULL}, SIZE_MAX, &all, &error),
            &error);
  assert_int_equal(all.count, wanted ? 1 : 0);
  assert_int_equal(all.total, all.count);
  if (wanted) {
    assert_memory_equal(&found, wanted, sizeof found);
    assert_memory_equal(all.items, wanted, sizeof found);
  }
  free(all.items);
  neap_problem_free(problem);
}

TEST(one_byte_and_one_moment_are_a_collision) {
  const struct sample samples[] = {{0, 5, 10, 0}, {4, 8, 10, 0}};
  const neap_collision wanted = {0, 1, {4, 5}, 9, 10};
  expect_one(sample_problem(samples, 2), (const neap_offset[]){0, 9}, &wanted);
  expect_one(sample_problem(samples, 2), (const neap_offset[]){0, 10}, NULL);
}

TEST(adjacent_lifetimes_do_not_collide) {
  const struct sample samples[] = {{0, 5, 10, 0}, {5, 8, 10, 0}};
  expect_one(sample_problem(samples, 2), (const neap_offset[]){0, 0}, NULL);
}

TEST(the_lower_index_comes_first) {
  const struct sample samples[] = {{4, 8, 10, 0}, {0, 5, 10, 0}};
  const neap_collision wanted = {0, 1, {4, 5}, 5, 10};
  expect_one(sample_problem(samples, 2), (const neap_offset[]){5, 0}, &wanted);
}

TEST(a_contained_rectangle_collides_with_all_of_it) {
  const struct sample samples[] = {{0, 9, 100, 0}, {3, 5, 10, 0}};
  const neap_collision wanted = {0, 1, {3, 5}, 40, 50};
  expect_one(sample_problem(samples, 2), (const neap_offset[]){0, 40}, &wanted);
}

TEST(size_zero_collides_with_nothing) {
  const struct sample samples[] = {{0, 9, 100, 0}, {0, 9, 0, 0}, {0, 9, 0, 0}};
  expect_one(sample_problem(samples, 3), (const neap_offset[]){0, 50, 50}, NULL);
}

TEST(unplaced_buffers_are_ignored) {
  const struct sample samples[] = {{0, 9, 10, 0}, {0, 9, 10, 0}, {0, 9, 10, 0}};
  const neap_collision wanted = {0, 2, {0, 9}, 3, 10};
  expect_one(sample_problem(samples, 3), (const neap_offset[]){0, NEAP_UNPLACED, 3}, &wanted);
}

TEST(the_largest_numbers_collide_as_well) {
  const neap_size half = NEAP_MAX / 2;
  const struct sample samples[] = {{0, NEAP_MAX, half, 0}, {NEAP_MAX - 1, NEAP_MAX, half, 0}};
  const neap_collision wanted = {0, 1, {NEAP_MAX - 1, NEAP_MAX}, half, NEAP_MAX - 1};
  expect_one(sample_problem(samples, 2), (const neap_offset[]){half, half}, &wanted);
  expect_one(sample_problem(samples, 2), (const neap_offset[]){half, 0}, NULL);
}

/* Four in one place, one after the other: those that collide first are listed first. */
TEST(the_earliest_collisions_are_listed_and_all_are_counted) {
  const struct sample samples[] = {{0, 9, 10, 0}, {3, 9, 10, 0}, {1, 9, 10, 0}, {2, 9, 10, 0}};
  const neap_offset offsets[] = {0, 0, 0, 0};
  static const size_t pairs[7][6][2] = {
      {{0}},
      {{0, 2}},
      {{0, 2}, {0, 3}},
      {{0, 2}, {0, 3}, {2, 3}},
      {{0, 1}, {0, 2}, {0, 3}, {2, 3}},
      {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {2, 3}},
      {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}},
  };
  neap_problem *problem = sample_problem(samples, 4);
  for (size_t limit = 0; limit <= 7; limit++) {
    struct collisions all;
    neap_error error;
    assert_ok(collide_all(&(struct placement){problem, offsets, NULL}, limit, &all, &error),
              &error);
    assert_int_equal(all.count, limit < 6 ? limit : 6);
    assert_int_equal(all.total, 6);
    for (size_t i = 0; i < all.count; i++) {
      assert_int_equal(all.items[i].first, pairs[all.count][i][0]);
      assert_int_equal(all.items[i].second, pairs[all.count][i][1]);
    }
    free(all.items);
  }
  neap_problem_free(problem);
}

TEST(buffers_collide_once_in_each_time_together) {
  const neap_range ranges[] = {{0, 2}, {5, 8}, {11, 20}},
                   others[] = {{2, 5}, {7, 12}, {15, 16}};
  const neap_collision wanted[] = {
      {0, 1, {7, 8}, 2, 10}, {0, 1, {11, 12}, 2, 10}, {0, 1, {15, 16}, 2, 10}};
  neap_problem *problem = neap_problem_new();
  struct collisions all;
  neap_error error;
  sample_add_gapped(problem, "a", ranges, 3, 10);
  sample_add_gapped(problem, "b", others, 3, 10);
  assert_ok(collide_all(&(struct placement){problem, (const neap_offset[]){0, 2}, NULL}, 9,
                        &all, &error),
            &error);
  assert_int_equal(all.count, 3);
  assert_memory_equal(all.items, wanted, sizeof wanted);
  free(all.items);
  neap_problem_free(problem);
}

/* Checking all pairs of 100,000 would take hours. */
TEST(countless_collisions_are_counted_quickly) {
  enum { COUNT = 100000, LIMIT = 500 };
  neap_problem *problem = neap_problem_new();
  neap_offset *offsets = calloc(COUNT, sizeof *offsets);
  struct collisions all;
  neap_error error;
  assert_non_null(offsets);
  for (size_t i = 0; i < COUNT; i++) {
    char name[32];
    snprintf(name, sizeof name, "b%zu", i);
    sample_add(problem, name, 0, 10, 1 + (neap_size)(i % 7));
  }
  assert_ok(collide_all(&(struct placement){problem, offsets, NULL}, LIMIT, &all, &error),
            &error);
  assert_int_equal(all.count, LIMIT);
  assert_true(all.total == (uint64_t)COUNT * (COUNT - 1) / 2);
  free(all.items);
  free(offsets);
  neap_problem_free(problem);
}

/* Here 50,000 pairs may share all their bytes; then one buffer moves down by a byte. */
TEST(many_permitted_pairs_are_quick) {
  enum { COUNT = 100000 };
  neap_problem *problem = neap_problem_new();
  neap_offset *offsets = calloc(COUNT, sizeof *offsets);
  const struct placement placement = {problem, offsets, NULL};
  neap_collision first;
  struct collisions all;
  bool found;
  neap_error error;
  assert_non_null(offsets);
  for (size_t i = 0; i < COUNT; i++) {
    char name[32];
    snprintf(name, sizeof name, "b%zu", i);
    sample_add(problem, name, 0, 10, 8);
    offsets[i] = (neap_offset)(i / 2 * 8);
    const neap_relation relation = {sizeof(neap_relation),
                                    i % 4 == 1 ? NEAP_EXCLUSION : NEAP_COLOCATION,
                                    i - 1,
                                    i,
                                    0,
                                    NULL};
    if (i % 2 == 1) assert_ok(neap_problem_relate(problem, &relation, &error), &error);
  }
  assert_ok(collide_first(&placement, &first, &found, &error), &error);
  assert_false(found);
  offsets[COUNT - 1]--;
  assert_ok(collide_first(&placement, &first, &found, &error), &error);
  assert_true(found);
  assert_int_equal(first.second, COUNT - 1);
  assert_int_equal(first.low, 399991);
  assert_ok(collide_all(&placement, SIZE_MAX, &all, &error), &error);
  assert_int_equal(all.total, 2);
  free(all.items);
  free(offsets);
  neap_problem_free(problem);
}

/* Comparing each buffer with all reserved bytes would take 10^10 steps. */
TEST(many_reserved_bytes_are_quick) {
  enum { COUNT = 100000 };
  neap_problem *problem = neap_problem_new();
  neap_offset *offsets = calloc(COUNT, sizeof *offsets);
  const struct placement placement = {problem, offsets, NULL};
  struct reserved_use use;
  bool found;
  neap_error error;
  assert_non_null(offsets);
  for (size_t i = 0; i < COUNT; i++) {
    char name[32];
    offsets[i] = (neap_offset)i * 8;
    const neap_reserved reserved = {
        sizeof(neap_reserved), 0, offsets[i] + 4, offsets[i] + 8, {0, 1 + (neap_time)i % 20}};
    snprintf(name, sizeof name, "b%zu", i);
    sample_add(problem, name, 0, 10, 4);
    assert_ok(neap_problem_reserve(problem, &reserved, &error), &error);
  }
  assert_ok(reserved_first(&placement, &use, &found, &error), &error);
  assert_false(found);
  offsets[77777]++;
  assert_ok(reserved_first(&placement, &use, &found, &error), &error);
  assert_true(found);
  assert_int_equal(use.buffer, 77777);
  assert_int_equal(use.low, 622220);
  assert_int_equal(use.high, 622221);
  free(offsets);
  neap_problem_free(problem);
}

TEST(the_first_is_always_the_same) {
  const struct sample same = {0, 9, 10, 0}, samples[] = {same, same, same, same, same};
  const neap_offset offsets[] = {4, 0, 8, 30, 33};
  neap_collision first;
  for (int again = 0; again < 10; again++) {
    neap_problem *problem = sample_problem(samples, 5);
    neap_collision found;
    bool any;
    neap_error error;
    assert_ok(collide_first(&(struct placement){problem, offsets, NULL}, &found, &any, &error),
              &error);
    assert_true(any);
    if (again > 0) assert_memory_equal(&found, &first, sizeof found);
    first = found;
    neap_problem_free(problem);
  }
}

TEST(a_collision_is_described) {
  char text[COLLIDE_TEXT];
  neap_problem *problem = neap_problem_new();
  sample_add(problem, "left", 0, 5, 10);
  sample_add(problem, "right", 2, 9, 10);
  const neap_collision collision = {0, 1, {2, 5}, 3, 10};
  assert_ptr_equal(collide_text(problem, &collision, text), text);
  assert_string_equal(
      text, "'left' and 'right' share bytes [3, 10) while both live, at times [2, 5)");
  neap_problem_free(problem);
}

/* Names of any length and the largest numbers fit in the text. */
TEST(long_names_are_cut) {
  char text[COLLIDE_TEXT], name[5000];
  memset(name, 'x', sizeof name);
  name[sizeof name - 1] = '\0';
  neap_problem *problem = neap_problem_new();
  sample_add(problem, name, 0, NEAP_MAX, 10);
  name[sizeof name - 2] = '\x01';
  sample_add(problem, name, 0, NEAP_MAX, 10);
  const neap_collision collision = {0, 1, {NEAP_MAX - 1, NEAP_MAX}, NEAP_MAX - 1, NEAP_MAX};
  collide_text(problem, &collision, text);
  assert_true(strlen(text) < COLLIDE_TEXT);
  assert_non_null(strstr(text, "[9223372036854775806, 9223372036854775807)"));
  assert_non_null(strstr(text, "..."));
  neap_problem_free(problem);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_byte_and_one_moment_are_a_collision),
      cmocka_unit_test(adjacent_lifetimes_do_not_collide),
      cmocka_unit_test(the_lower_index_comes_first),
      cmocka_unit_test(a_contained_rectangle_collides_with_all_of_it),
      cmocka_unit_test(size_zero_collides_with_nothing),
      cmocka_unit_test(unplaced_buffers_are_ignored),
      cmocka_unit_test(the_largest_numbers_collide_as_well),
      cmocka_unit_test(the_earliest_collisions_are_listed_and_all_are_counted),
      cmocka_unit_test(buffers_collide_once_in_each_time_together),
      cmocka_unit_test(countless_collisions_are_counted_quickly),
      cmocka_unit_test(many_permitted_pairs_are_quick),
      cmocka_unit_test(many_reserved_bytes_are_quick),
      cmocka_unit_test(the_first_is_always_the_same),
      cmocka_unit_test(a_collision_is_described),
      cmocka_unit_test(long_names_are_cut),
  };
  return cmocka_run_group_tests_name("collide", tests, NULL, NULL);
}
