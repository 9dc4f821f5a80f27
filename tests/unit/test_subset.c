/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Some buffers of a problem as a problem of their own. */
#include "model/subset.h"

#include <string.h>

#include "tests/unit/sample.h"

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

static void a_pool_becomes_the_arena(void **state) {
  (void)state;
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

static void alignments_rise_to_the_pools(void **state) {
  (void)state;
  neap_problem *whole = make_whole();
  struct subset subset;
  const struct subset_choice choice = {chosen, 3, 0, true};
  assert_int_equal(subset_init(&subset, whole, &choice, NULL), NEAP_OK);
  neap_buffer buffer = NEAP_INIT(neap_buffer);
  neap_problem_buffer_at(subset.problem, 0, &buffer);
  assert_int_equal(buffer.alignment, 6);
  neap_problem_buffer_at(subset.problem, 1, &buffer);
  assert_int_equal(buffer.alignment, 12);
  subset_clear(&subset);
  neap_problem_free(whole);
}

static void a_fixed_offset_must_suit_the_pool(void **state) {
  (void)state;
  neap_problem *whole = make_whole();
  whole->relations->pools[0].alignment = 5;
  struct subset subset;
  neap_error error;
  const struct subset_choice choice = {chosen, 3, 0, true};
  assert_int_equal(subset_init(&subset, whole, &choice, &error), NEAP_ERROR_INPUT);
  assert_non_null(strstr(error.text, "fixed offset 12"));
  neap_problem_free(whole);
}

static void pools_can_be_kept(void **state) {
  (void)state;
  static const size_t indices[] = {2, 4};
  neap_problem *whole = make_whole();
  struct subset subset;
  const struct subset_choice choice = {indices, 2, SUBSET_NONE, false};
  assert_int_equal(subset_init(&subset, whole, &choice, NULL), NEAP_OK);
  assert_int_equal(problem_pool_count(subset.problem), 2);
  neap_buffer buffer = NEAP_INIT(neap_buffer);
  neap_problem_buffer_at(subset.problem, 0, &buffer);
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

static void a_plain_problem_stays_plain(void **state) {
  (void)state;
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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_pool_becomes_the_arena),
      cmocka_unit_test(alignments_rise_to_the_pools),
      cmocka_unit_test(a_fixed_offset_must_suit_the_pool),
      cmocka_unit_test(pools_can_be_kept),
      cmocka_unit_test(a_plain_problem_stays_plain),
  };
  return cmocka_run_group_tests_name("subset", tests, NULL, NULL);
}
