/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Live bytes, and lower bounds above them. */
#include <stdio.h>
#include <stdlib.h>

#include "facts/live_bytes.h"
#include "neap/neap.h"
#include "tests/support/random_problem.h"
#include "tests/support/random_relations.h"
#include "tests/support/sample.h"

/* ---------------------------------------------------------------- the curve of live bytes */

/* The live-size curve. */

static struct live live_of(const neap_problem *problem) {
  struct live live;
  neap_error error;
  assert_ok(live_init(&live, problem, &error), &error);
  return live;
}

static void expect_steps(neap_problem *problem, const struct live_step *steps, size_t count) {
  struct live live = live_of(problem);
  assert_int_equal(live.count, count);
  for (size_t i = 0; i < count; i++) {
    assert_int_equal(live.steps[i].time, steps[i].time);
    assert_int_equal(live.steps[i].bytes, steps[i].bytes);
  }
  live_clear(&live);
  neap_problem_free(problem);
}

TEST(nothing_is_alive_in_an_empty_problem) {
  expect_steps(neap_problem_new(), NULL, 0);
}

TEST(sizes_add_up_while_they_overlap) {
  static const struct sample samples[] = {{2, 6, 10, 1}, {4, 9, 5, 1}};
  static const struct live_step steps[] = {{2, 10}, {4, 15}, {6, 5}, {9, 0}};
  expect_steps(sample_problem(samples, 2), steps, 4);
}

TEST(a_successor_of_the_same_size_makes_no_step) {
  static const struct sample samples[] = {{0, 3, 10, 1}, {3, 5, 10, 1}};
  static const struct live_step steps[] = {{0, 10}, {5, 0}};
  expect_steps(sample_problem(samples, 2), steps, 2);
}

TEST(all_changes_of_a_moment_are_one_step) {
  static const struct sample samples[] = {
      {0, 3, 1, 1}, {0, 3, 2, 1}, {3, 4, 9, 1}, {3, 4, 1, 1}};
  static const struct live_step steps[] = {{0, 3}, {3, 10}, {4, 0}};
  expect_steps(sample_problem(samples, 4), steps, 3);
}

TEST(nothing_is_alive_in_a_gap) {
  static const neap_range ranges[] = {{1, 2}, {5, 8}};
  static const struct live_step steps[] = {{1, 7}, {2, 0}, {5, 7}, {8, 0}};
  neap_problem *problem = neap_problem_new();
  sample_add_gapped(problem, "gapped", ranges, 2, 7);
  expect_steps(problem, steps, 4);
}

TEST(empty_buffers_leave_no_trace) {
  static const struct sample samples[] = {{0, 9, 0, 1}, {2, 3, 4, 1}};
  static const struct live_step steps[] = {{2, 4}, {3, 0}};
  expect_steps(sample_problem(samples, 2), steps, 2);
}

/* An output over 5 bytes of an input; then an input that is a part of it. */
TEST(shared_bytes_count_once) {
  static const struct sample samples[] = {{0, 2, 10, 1}, {1, 3, 20, 1}, {1, 3, 8, 1}};
  static const struct live_step overlapping[] = {{0, 10}, {1, 33}, {2, 28}, {3, 0}};
  static const struct live_step colocated[] = {{0, 10}, {1, 28}, {3, 0}};
  static const neap_relation relations[] = {
      {sizeof(neap_relation), NEAP_OVERLAP, 1, 0, 15, NULL},
      {sizeof(neap_relation), NEAP_COLOCATION, 1, 0, 4, NULL}};
  for (int i = 0; i < 2; i++) {
    neap_problem *problem = sample_problem(samples, 3);
    neap_error error;
    assert_ok(neap_problem_relate(problem, &relations[i], &error), &error);
    expect_steps(problem, i == 0 ? overlapping : colocated, i == 0 ? 4 : 3);
  }
}

/* Both branches are alive, but only one of them runs; what is separated is not alive. */
TEST(excluded_buffers_count_as_the_larger) {
  static const struct sample samples[] = {
      {0, 4, 1, 1}, {1, 3, 10, 1}, {2, 4, 20, 1}, {5, 6, 15, 1}};
  static const struct live_step steps[] = {{0, 1}, {1, 11}, {2, 21}, {4, 0}, {5, 15}, {6, 0}};
  static const neap_relation relations[] = {
      {sizeof(neap_relation), NEAP_EXCLUSION, 1, 2, 0, NULL},
      {sizeof(neap_relation), NEAP_SEPARATION, 2, 3, 0, NULL}};
  neap_problem *problem = sample_problem(samples, 4);
  neap_error error;
  for (size_t i = 0; i < SAMPLE_COUNT(relations); i++)
    assert_ok(neap_problem_relate(problem, &relations[i], &error), &error);
  const neap_bound bound = sample_bound(problem);
  assert_int_equal(bound.bytes, 21);
  assert_int_equal(bound.lower_bound, 35);
  expect_steps(problem, steps, SAMPLE_COUNT(steps));
}

TEST(sums_reach_the_largest_number) {
  const neap_size half = NEAP_MAX / 2;
  const struct sample samples[] = {
      {0, NEAP_MAX, half, 1}, {5, NEAP_MAX, half, 1}, {NEAP_MAX - 1, NEAP_MAX, 1, 1}};
  const struct live_step steps[] = {
      {0, half}, {5, 2 * half}, {NEAP_MAX - 1, NEAP_MAX}, {NEAP_MAX, 0}};
  expect_steps(sample_problem(samples, 3), steps, 4);
}

/* ---------------------------------------------------------------- random problems */

static neap_size alive_at(const struct instance *instance, neap_time time) {
  neap_size bytes = 0;
  for (size_t i = 0; i < instance->count; i++)
    for (size_t r = 0; r < instance->rectangles[i].range_count; r++) {
      neap_range range = instance->rectangles[i].ranges[r];
      if (range.start <= time && time < range.end) bytes += instance->rectangles[i].size;
    }
  return bytes;
}

/* At the step, just before it and, given the order of steps, in between. */
static void check_steps(const struct instance *instance, const struct live *live) {
  neap_size last = 0;
  for (size_t i = 0; i < live->count; i++) {
    neap_time time = live->steps[i].time;
    assert_true(i == 0 || live->steps[i - 1].time < time);
    assert_int_not_equal(live->steps[i].bytes, last);
    assert_int_equal(alive_at(instance, time - 1), last);
    assert_int_equal(alive_at(instance, time), live->steps[i].bytes);
    last = live->steps[i].bytes;
  }
  assert_int_equal(last, 0);
}

/* Every start and end is a step or leaves the sum unchanged. */
static void check_changes(const struct instance *instance, const struct live *live) {
  for (size_t i = 0; i < instance->count; i++)
    for (size_t r = 0; r < instance->rectangles[i].range_count; r++) {
      neap_time time = instance->rectangles[i].ranges[r].start;
      neap_size bytes = 0;
      for (size_t s = 0; s < live->count && live->steps[s].time <= time; s++)
        bytes = live->steps[s].bytes;
      assert_int_equal(bytes, alive_at(instance, time));
    }
}

static neap_size highest(const struct live *live) {
  neap_size most = 0;
  for (size_t i = 0; i < live->count; i++)
    if (live->steps[i].bytes > most) most = live->steps[i].bytes;
  return most;
}

TEST(random_curves_agree_with_a_scan_and_with_the_bound) {
  for (uint64_t seed = 1, tries = sample_tries(300); seed <= tries; seed++) {
    struct instance instance = instance_random(seed, 40, WITH_GAPS | WITH_ZEROS);
    neap_problem *problem = instance_problem(&instance);
    struct live live = live_of(problem);
    check_steps(&instance, &live);
    check_changes(&instance, &live);
    const neap_bound bound = sample_bound(problem);
    assert_int_equal(highest(&live), bound.bytes);
    live_clear(&live);
    neap_problem_free(problem);
    instance_free(&instance);
  }
}

TEST(the_bound_is_the_highest_step_with_relations) {
  for (int kind = 0; kind < TINY_KIND_COUNT; kind++)
    for (uint64_t seed = 1, tries = sample_tries(300); seed <= tries; seed++) {
      const struct tiny tiny = tiny_random((enum tiny_kind)kind, seed);
      neap_problem *problem = tiny_problem(&tiny);
      neap_error error;
      neap_bound bound = NEAP_INIT(neap_bound);
      if (!problem) continue;
      if (neap_problem_check(problem, &error) == NEAP_OK) {
        assert_ok(neap_problem_bound(problem, &bound, &error), &error);
        struct live live = live_of(problem);
        assert_int_equal(highest(&live), bound.bytes);
        live_clear(&live);
      }
      neap_problem_free(problem);
    }
}

/* ---------------------------------------------------------------- chains of overlaps */

/* The lower bound from chains of buffers that overlap. */

/* `count` layers of `size` bytes, each of which may lie `gap` bytes below the one before it. */
static neap_problem *chain(size_t count, neap_size size, neap_size gap, neap_size alignment) {
  neap_problem *problem = neap_problem_new();
  neap_error error;
  for (size_t i = 0; i < count; i++) {
    char name[24];
    neap_buffer buffer = NEAP_BUFFER_INIT;
    neap_range range = {(neap_time)i, (neap_time)i + 2};
    snprintf(name, sizeof name, "b%zu", i);
    buffer.name = name;
    buffer.size = size;
    buffer.alignment = alignment;
    buffer.ranges = &range;
    buffer.range_count = 1;
    assert_ok(neap_problem_add(problem, &buffer, &error), &error);
    neap_relation relation = {sizeof(neap_relation), NEAP_OVERLAP, i, i - 1, gap, NULL};
    if (i > 0) assert_ok(neap_problem_relate(problem, &relation, &error), &error);
  }
  return problem;
}

static void expect_lowest(neap_problem *problem, neap_size lower_bound) {
  const neap_bound bound = sample_bound(problem);
  assert_true(bound.lower_bound == lower_bound);
  neap_plan *plan = sample_solve(problem, NULL);
  neap_report report = sample_report(plan);
  assert_true(report.peak == lower_bound);
  assert_true(report.outcome == NEAP_OPTIMAL);
  neap_plan_free(plan);
  neap_problem_free(problem);
}

TEST(stairs_add_up) {
  expect_lowest(chain(8, 8000, 223, 1), 8000 + 7 * 223);
}

TEST(stairs_respect_alignment) {
  expect_lowest(chain(8, 8000, 223, 16), 8000 + 7 * 224);
}

/* Beyond twice the size, it is better to begin again at the bottom. */
TEST(long_stairs_begin_again) {
  neap_problem *problem = chain(100, 8000, 223, 1);
  const neap_bound bound = sample_bound(problem);
  assert_true(bound.bytes == 8223);
  assert_true(bound.lower_bound == 16000);
  neap_problem_free(problem);
}

TEST(steps_without_gaps_need_nothing) {
  expect_lowest(chain(50, 100, 0, 1), 100);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nothing_is_alive_in_an_empty_problem),
      cmocka_unit_test(sizes_add_up_while_they_overlap),
      cmocka_unit_test(a_successor_of_the_same_size_makes_no_step),
      cmocka_unit_test(all_changes_of_a_moment_are_one_step),
      cmocka_unit_test(nothing_is_alive_in_a_gap),
      cmocka_unit_test(empty_buffers_leave_no_trace),
      cmocka_unit_test(shared_bytes_count_once),
      cmocka_unit_test(excluded_buffers_count_as_the_larger),
      cmocka_unit_test(sums_reach_the_largest_number),
      cmocka_unit_test(random_curves_agree_with_a_scan_and_with_the_bound),
      cmocka_unit_test(the_bound_is_the_highest_step_with_relations),
      cmocka_unit_test(stairs_add_up),
      cmocka_unit_test(stairs_respect_alignment),
      cmocka_unit_test(long_stairs_begin_again),
      cmocka_unit_test(steps_without_gaps_need_nothing),
  };
  return cmocka_run_group_tests_name("live", tests, NULL, NULL);
}
