/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Problems made from problems: of some buffers, or with rounded sizes. */
#include <string.h>

#include "facts/rounding.h"
#include "facts/subset.h"
#include "tests/support/layout.h"
#include "tests/support/random_problem.h"
#include "tests/support/sample.h"

/* ---------------------------------------------------------------- subsets */

/* Some buffers of a problem as a problem of their own. */

/* Two pools; buffers a to e, each with something of its own. */
static neap_problem *make_whole(void) {
  static const size_t both[] = {1, 0};
  neap_problem *problem = neap_problem_new();
  neap_pool fast = NEAP_POOL_INIT, slow = NEAP_POOL_INIT;
  fast.name = "fast";
  fast.capacity = 100;
  fast.alignment = 6;
  slow.name = "slow";
  assert_int_equal(neap_problem_add_pool(problem, &fast, NULL), NEAP_OK);
  assert_int_equal(neap_problem_add_pool(problem, &slow, NULL), NEAP_OK);
  const neap_range ranges[] = {{0, 2}, {5, 7}};
  neap_buffer buffer = NEAP_BUFFER_INIT;
  buffer.ranges = ranges;
  for (size_t i = 0; i < 5; i++) {
    char name[] = {(char)('a' + (char)i), '\0'};
    buffer.name = name;
    buffer.size = 10 + (neap_size)i;
    buffer.alignment = i == 1 ? 4 : 1;
    buffer.fixed_offset = i == 3 ? 12 : NEAP_UNPLACED;
    buffer.range_count = 1 + i % 2;
    buffer.hint = i == 2 ? "hint" : NULL;
    buffer.window_high = i == 1 ? 64 : NEAP_MAX;
    buffer.pools = i == 2 ? both : NULL;
    buffer.pool_count = i == 2 ? 2 : 0;
    buffer.near_offset = i == 4 ? 24 : NEAP_UNPLACED;
    assert_int_equal(neap_problem_add(problem, &buffer, NULL), NEAP_OK);
  }
  const neap_relation relations[] = {{sizeof(neap_relation), NEAP_SEPARATION, 0, 1, 0, "far"},
                                     {sizeof(neap_relation), NEAP_REUSE_PENALTY, 4, 1, 7, NULL},
                                     {sizeof(neap_relation), NEAP_COLOCATION, 2, 4, -3, NULL}};
  for (size_t i = 0; i < 3; i++)
    assert_int_equal(neap_problem_relate(problem, &relations[i], NULL), NEAP_OK);
  const neap_reserved reserved[] = {{sizeof(neap_reserved), 0, 0, 8, {0, NEAP_MAX}},
                                    {sizeof(neap_reserved), 1, 4, 9, {2, 3}}};
  for (size_t i = 0; i < 2; i++)
    assert_int_equal(neap_problem_reserve(problem, &reserved[i], NULL), NEAP_OK);
  const neap_term order[] = {NEAP_TERM_PEAK, NEAP_TERM_MOVED, NEAP_TERM_SPILL, NEAP_TERM_REUSE};
  assert_int_equal(neap_problem_set_objective(problem, order, NULL), NEAP_OK);
  return problem;
}

static void expect_same_buffer(const neap_problem *whole, size_t original,
                               const neap_problem *part, size_t place) {
  neap_buffer a = NEAP_INIT(neap_buffer), b = NEAP_INIT(neap_buffer);
  assert_true(neap_problem_buffer_at(whole, original, &a));
  assert_true(neap_problem_buffer_at(part, place, &b));
  assert_string_equal(a.name, b.name);
  assert_int_equal(a.size, b.size);
  assert_int_equal(a.fixed_offset, b.fixed_offset);
  assert_int_equal(a.range_count, b.range_count);
  assert_memory_equal(a.ranges, b.ranges, a.range_count * sizeof *a.ranges);
  assert_int_equal(a.window_high, b.window_high);
  assert_int_equal(a.near_offset, b.near_offset);
  assert_int_equal(a.move_cost, b.move_cost);
  assert_int_equal(a.hint != NULL, b.hint != NULL);
}

static const size_t chosen[] = {4, 1, 3};

TEST(a_pool_becomes_the_arena) {
  neap_problem *whole = make_whole();
  struct subset subset;
  const struct subset_choice choice = {chosen, 3, 1, false};
  assert_int_equal(subset_init(&subset, whole, &choice, NULL), NEAP_OK);
  assert_int_equal(neap_problem_count(subset.problem), 3);
  for (size_t i = 0; i < 3; i++) {
    assert_int_equal(subset.originals[i], chosen[i]);
    assert_int_equal(subset.places[chosen[i]], i);
    expect_same_buffer(whole, chosen[i], subset.problem, i);
  }
  assert_int_equal(subset.places[0], SUBSET_NONE);
  assert_int_equal(problem_pool_count(subset.problem), 0);
  neap_relation relation = NEAP_INIT(neap_relation);
  assert_true(neap_problem_relation_at(subset.problem, 0, &relation));
  assert_int_equal(relation.kind, NEAP_REUSE_PENALTY);
  assert_int_equal(relation.first, 0);
  assert_int_equal(relation.second, 1);
  assert_false(neap_problem_relation_at(subset.problem, 1, &relation));
  neap_reserved reserved = NEAP_INIT(neap_reserved);
  assert_true(neap_problem_reserved_at(subset.problem, 0, &reserved));
  assert_int_equal(reserved.pool, 0);
  assert_int_equal(reserved.low, 4);
  assert_false(neap_problem_reserved_at(subset.problem, 1, &reserved));
  neap_term order[NEAP_TERM_COUNT];
  neap_problem_objective(subset.problem, order);
  assert_int_equal(order[0], NEAP_TERM_PEAK);
  subset_clear(&subset);
  neap_problem_free(whole);
}

TEST(alignments_rise_to_the_pools) {
  neap_problem *whole = make_whole();
  struct subset subset;
  const struct subset_choice choice = {chosen, 3, 0, true};
  assert_int_equal(subset_init(&subset, whole, &choice, NULL), NEAP_OK);
  neap_buffer buffer = sample_buffer(subset.problem, 0);
  assert_int_equal(buffer.alignment, 6);
  neap_problem_buffer_at(subset.problem, 1, &buffer);
  assert_int_equal(buffer.alignment, 12);
  subset_clear(&subset);
  neap_problem_free(whole);
}

TEST(a_fixed_offset_must_suit_the_pool) {
  neap_problem *whole = make_whole();
  whole->relations->pools[0].alignment = 5;
  struct subset subset;
  neap_error error;
  const struct subset_choice choice = {chosen, 3, 0, true};
  assert_int_equal(subset_init(&subset, whole, &choice, &error), NEAP_ERROR_INPUT);
  assert_non_null(strstr(error.text, "fixed offset 12"));
  neap_problem_free(whole);
}

TEST(pools_can_be_kept) {
  static const size_t indices[] = {2, 4};
  neap_problem *whole = make_whole();
  struct subset subset;
  const struct subset_choice choice = {indices, 2, SUBSET_NONE, false};
  assert_int_equal(subset_init(&subset, whole, &choice, NULL), NEAP_OK);
  assert_int_equal(problem_pool_count(subset.problem), 2);
  neap_buffer buffer = sample_buffer(subset.problem, 0);
  assert_int_equal(buffer.pool_count, 2);
  assert_int_equal(buffer.pools[0], 1);
  neap_relation relation = NEAP_INIT(neap_relation);
  assert_true(neap_problem_relation_at(subset.problem, 0, &relation));
  assert_int_equal(relation.kind, NEAP_COLOCATION);
  assert_int_equal(relation.bytes, -3);
  neap_reserved reserved = NEAP_INIT(neap_reserved);
  assert_true(neap_problem_reserved_at(subset.problem, 1, &reserved));
  assert_int_equal(reserved.pool, 1);
  subset_clear(&subset);
  subset_clear(&subset); /* harmless */
  neap_problem_free(whole);
}

TEST(a_plain_problem_stays_plain) {
  static const struct sample samples[] = {{0, 2, 1, 4}, {1, 3, 12, 6}};
  static const size_t indices[] = {1};
  neap_problem *whole = sample_problem(samples, SAMPLE_COUNT(samples));
  struct subset subset;
  const struct subset_choice choice = {indices, 1, 0, true};
  assert_int_equal(subset_init(&subset, whole, &choice, NULL), NEAP_OK);
  assert_null(subset.problem->relations);
  expect_same_buffer(whole, 1, subset.problem, 0);
  subset_clear(&subset);
  neap_problem_free(whole);
}

/* ---------------------------------------------------------------- rounded sizes */

/* Problems with sizes rounded up to all alignments. */

static neap_problem *make(const struct sample *samples, size_t count) {
  return sample_problem(samples, count);
}

static void expect_useless(neap_problem *problem) {
  struct rounding rounding;
  assert_int_equal(rounding_init(&rounding, problem), ROUNDING_USELESS);
  rounding_clear(&rounding); /* harmless */
  neap_problem_free(problem);
}

/* ---------------------------------------------------------------- sizes */

static void expect_sizes(const neap_problem *problem, const neap_size *wanted) {
  struct rounding rounding;
  assert_int_equal(rounding_init(&rounding, problem), ROUNDING_MADE);
  for (size_t i = 0; i < neap_problem_count(problem); i++) {
    neap_buffer rounded = NEAP_INIT(neap_buffer), original = NEAP_INIT(neap_buffer);
    neap_problem_buffer_at(&rounding.problem, i, &rounded);
    neap_problem_buffer_at(problem, i, &original);
    if (rounded.size != wanted[i])
      fail_msg("buffer %zu: expected %lld, found %lld", i, (long long)wanted[i],
               (long long)rounded.size);
    assert_int_equal(rounded.alignment, original.alignment);
    assert_int_equal(rounded.fixed_offset, original.fixed_offset);
    assert_int_equal(rounded.range_count, original.range_count);
    assert_string_equal(rounded.name, original.name);
  }
  rounding_clear(&rounding);
  rounding_clear(&rounding);
}

TEST(sizes_are_multiples_of_all_alignments) {
  static const struct sample samples[] = {
      {0, 2, 1, 4}, {1, 3, 12, 6}, {2, 4, 13, 0}, {0, 4, 0, 0}, {0, 4, 24, 3}};
  neap_problem *problem = make(samples, SAMPLE_COUNT(samples));
  expect_sizes(problem, (const neap_size[]){12, 12, 24, 0, 24});
  neap_problem_free(problem);
}

/* Fixed buffers cannot move, so larger sizes would save nothing and could make them collide. */
TEST(fixed_buffers_keep_their_sizes) {
  static const struct sample samples[] = {{0, 2, 5, 8}};
  neap_problem *problem = make(samples, 1);
  sample_add_fixed(problem, "fixed", 0, 2, 5, 16);
  sample_add_fixed(problem, "on it", 0, 2, 3, 21);
  expect_sizes(problem, (const neap_size[]){8, 5, 3});
  neap_problem_free(problem);
}

TEST(without_alignment_rounding_is_useless) {
  static const struct sample samples[] = {{0, 2, 1, 1}, {1, 3, 12, 1}, {2, 4, 13, 0}};
  expect_useless(make(samples, 0));
  expect_useless(make(samples, SAMPLE_COUNT(samples)));
}

TEST(aligned_sizes_need_no_rounding) {
  static const struct sample samples[] = {{0, 2, 12, 4}, {1, 3, 24, 6}, {2, 4, 0, 3}};
  neap_problem *problem = make(samples, SAMPLE_COUNT(samples));
  sample_add_fixed(problem, "fixed", 0, 2, 5, 100);
  expect_useless(problem);
}

/* ---------------------------------------------------------------- large numbers */

TEST(a_common_multiple_may_be_too_large) {
  static const struct sample coprime[] = {
      {0, 2, 1, 2147483647}, {2, 4, 1, 2147483629}, {4, 6, 1, 2147483587}};
  expect_useless(make(coprime, SAMPLE_COUNT(coprime)));
}

/* All extents add up to less than 2^63, or not. */
TEST(two_buffers_of_a_quarter_of_all_fit) {
  const neap_size large = INT64_C(1) << 61;
  const struct sample samples[] = {{0, 2, 1, large}, {2, 4, 3, 8}, {2, 4, 3, 8}};
  neap_problem *problem = make(samples, 2);
  expect_sizes(problem, (const neap_size[]){large, large});
  neap_problem_free(problem);
  expect_useless(make(samples, SAMPLE_COUNT(samples)));
}

TEST(rounded_sizes_may_be_too_large) {
  const neap_size rest = INT64_C(1) << 40, half = rest / 2, large = NEAP_MAX - rest;
  const struct sample fits[] = {{0, 2, large, 1}, {0, 2, 1, half}};
  const struct sample sums[] = {{0, 2, large, 1}, {0, 2, 1, half}, {2, 4, 1, 1}};
  const struct sample alone[] = {{0, 2, NEAP_MAX - 10, 1}, {0, 2, 1, 8}};
  neap_problem *problem = make(fits, SAMPLE_COUNT(fits));
  expect_sizes(problem, (const neap_size[]){large + 1, half});
  neap_problem_free(problem);
  expect_useless(make(sums, SAMPLE_COUNT(sums)));
  expect_useless(make(alone, SAMPLE_COUNT(alone)));
}

/* The rounded buffers would not fit on top of a fixed one. */
TEST(room_above_fixed_buffers_is_limited) {
  static const struct sample samples[] = {{0, 2, 1, 1024}};
  neap_problem *problem = make(samples, 1);
  sample_add_fixed(problem, "fixed", 0, 2, 10, NEAP_MAX - 1500);
  expect_useless(problem);
}

/* ---------------------------------------------------------------- layouts */

static void expect_same_numbers(const struct instance *instance, const neap_problem *problem) {
  for (size_t i = 0; i < instance->count; i++) {
    neap_buffer buffer = sample_buffer(problem, i);
    assert_int_equal(buffer.size, instance->rectangles[i].size);
  }
}

/* Lays out the rounded problem and verifies its offsets for the original. */
static void check_layout(const struct instance *instance, const neap_problem *problem,
                         const struct rounding *rounding, uint64_t seed) {
  static const char *const rules[] = {"lowest", "drop", "tight", "best-fit"};
  struct dice dice = {seed};
  size_t *order = instance_order(instance, &dice);
  struct layout layout;
  neap_error error;
  layout_ordered(&layout, &rounding->problem, order,
                 rules[dice_roll(&dice, SAMPLE_COUNT(rules))]);
  neap_plan *plan = sample_plan(problem, layout.offsets);
  if (neap_plan_verify(plan, -1, &error) != NEAP_OK) {
    instance_print(instance, seed);
    fail_msg("%s", error.text);
  }
  neap_plan_free(plan);
  layout_clear(&layout);
  test_free(order);
}

/* Without fixed buffers, no layout by the lowest rule leaves a byte unused for alignment. */
static void check_alignment(const struct instance *instance, const struct rounding *rounding,
                            uint64_t seed) {
  struct dice dice = {seed};
  size_t *order = instance_order(instance, &dice);
  struct instance loose = instance_copy(instance);
  struct layout layout, unaligned;
  for (size_t i = 0; i < instance->count; i++) {
    loose.rectangles[i].alignment = 1;
    loose.rectangles[i].size = rounding->problem.buffers[i].size;
  }
  neap_problem *problem = instance_problem(&loose);
  layout_ordered(&layout, &rounding->problem, order, "lowest");
  layout_ordered(&unaligned, problem, order, "lowest");
  for (size_t i = 0; i < instance->count; i++)
    assert_int_equal(layout.offsets[i], unaligned.offsets[i]);
  layout_clear(&layout);
  layout_clear(&unaligned);
  neap_problem_free(problem);
  instance_free(&loose);
  test_free(order);
}

TEST(layouts_of_the_rounding_are_layouts_of_the_original) {
  size_t made = 0, aligned = 0;
  for (uint64_t seed = 0, tries = sample_tries(3000); seed < tries; seed++) {
    struct instance instance = instance_random(seed, 20, WITH_ALL);
    neap_problem *problem = instance_problem(&instance);
    struct rounding rounding;
    enum rounding_outcome outcome = rounding_init(&rounding, problem);
    assert_int_not_equal(outcome, ROUNDING_MEMORY);
    if (outcome == ROUNDING_MADE) {
      made++;
      check_layout(&instance, problem, &rounding, seed);
      if (problem->fixed_count == 0) {
        aligned++;
        check_alignment(&instance, &rounding, seed);
      }
    }
    expect_same_numbers(&instance, problem);
    rounding_clear(&rounding);
    neap_problem_free(problem);
    instance_free(&instance);
  }
  assert_true(made > sample_tries(500) && aligned > sample_tries(200) && aligned < made);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_pool_becomes_the_arena),
      cmocka_unit_test(alignments_rise_to_the_pools),
      cmocka_unit_test(a_fixed_offset_must_suit_the_pool),
      cmocka_unit_test(pools_can_be_kept),
      cmocka_unit_test(a_plain_problem_stays_plain),
      cmocka_unit_test(sizes_are_multiples_of_all_alignments),
      cmocka_unit_test(fixed_buffers_keep_their_sizes),
      cmocka_unit_test(without_alignment_rounding_is_useless),
      cmocka_unit_test(aligned_sizes_need_no_rounding),
      cmocka_unit_test(a_common_multiple_may_be_too_large),
      cmocka_unit_test(two_buffers_of_a_quarter_of_all_fit),
      cmocka_unit_test(rounded_sizes_may_be_too_large),
      cmocka_unit_test(room_above_fixed_buffers_is_limited),
      cmocka_unit_test(layouts_of_the_rounding_are_layouts_of_the_original),
  };
  return cmocka_run_group_tests_name("subset", tests, NULL, NULL);
}
