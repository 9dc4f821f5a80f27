/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Problems from arrays, and plans as arrays. */
#include "tests/unit/sample.h"

#define COUNT 4

static const neap_time starts[COUNT] = {0, 1, 2, 3};
static const neap_time ends[COUNT] = {2, 3, 4, 5};
static const neap_size sizes[COUNT] = {100, 60, 40, 100};
static const neap_size alignments[COUNT] = {1, 64, 8, 1};

static void arrays_become_buffers(void **state) {
  (void)state;
  const char *const names[COUNT] = {"a", "b", "c", "d"};
  const neap_arrays numbered = {sizeof(neap_arrays), COUNT, starts, ends, sizes, NULL, NULL};
  const neap_arrays named = {sizeof(neap_arrays), COUNT, starts, ends, sizes,
                             alignments,          names};
  neap_problem *problem = neap_problem_new();
  neap_error error;
  neap_buffer buffer = NEAP_INIT(neap_buffer);
  assert_ok(neap_problem_add_arrays(problem, &numbered, &error), &error);
  assert_ok(neap_problem_add_arrays(problem, &named, &error), &error);
  assert_int_equal(neap_problem_count(problem), 2 * COUNT);
  neap_problem_buffer_at(problem, 3, &buffer);
  assert_string_equal(buffer.name, "3");
  assert_int_equal(buffer.alignment, 1);
  neap_problem_buffer_at(problem, COUNT + 1, &buffer);
  assert_string_equal(buffer.name, "b");
  assert_int_equal(buffer.size, 60);
  assert_int_equal(buffer.alignment, 64);
  assert_int_equal(buffer.range_count, 1);
  assert_int_equal(buffer.ranges[0].start, 1);
  assert_int_equal(buffer.ranges[0].end, 3);
  neap_problem_free(problem);
}

static void the_item_in_error_is_located(void **state) {
  (void)state;
  const neap_time early[COUNT] = {2, 3, 2, 5};
  const neap_arrays arrays = {sizeof(neap_arrays), COUNT, starts, early, sizes, NULL, NULL};
  neap_problem *problem = neap_problem_new();
  neap_error error;
  assert_int_equal(neap_problem_add_arrays(problem, &arrays, &error), NEAP_ERROR_INPUT);
  assert_int_equal(error.line, 3);
  assert_int_equal(neap_problem_count(problem), 2);
  assert_int_equal(neap_problem_add_arrays(problem, &arrays, NULL), NEAP_ERROR_INPUT);
  neap_problem_free(problem);
}

static void a_call_packs_arrays(void **state) {
  (void)state;
  neap_offset offsets[COUNT] = {-7, -7, -7, -7};
  neap_size peak = -7;
  assert_int_equal(neap_pack(COUNT, starts, ends, sizes, alignments, offsets, &peak), NEAP_OK);
  assert_int_equal(peak, 160);
  for (int i = 0; i < COUNT; i++) {
    assert_int_equal(offsets[i] % alignments[i], 0);
    for (int k = 0; k < i; k++)
      assert_true(starts[i] >= ends[k] || offsets[i] >= offsets[k] + sizes[k] ||
                  offsets[k] >= offsets[i] + sizes[i]);
  }
  assert_int_equal(neap_pack(COUNT, starts, ends, sizes, NULL, offsets, NULL), NEAP_OK);
  assert_int_equal(neap_pack(0, NULL, NULL, NULL, NULL, NULL, &peak), NEAP_OK);
  assert_int_equal(peak, 0);
}

static void what_cannot_be_packed_changes_nothing(void **state) {
  (void)state;
  const neap_size negative[COUNT] = {1, 1, 1, -1};
  neap_offset offsets[COUNT] = {-7, -7, -7, -7};
  neap_size peak = -7;
  assert_int_equal(neap_pack(COUNT, starts, ends, negative, NULL, offsets, &peak),
                   NEAP_ERROR_INPUT);
  assert_int_equal(peak, -7);
  assert_int_equal(offsets[0], -7);
}

static void offsets_are_an_array(void **state) {
  (void)state;
  const neap_arrays arrays = {sizeof(neap_arrays), COUNT, starts, ends, sizes, NULL, NULL};
  neap_problem *problem = neap_problem_new();
  neap_plan *plan;
  neap_error error;
  assert_ok(neap_problem_add_arrays(problem, &arrays, &error), &error);
  assert_ok(neap_solve(problem, NULL, &plan, &error), &error);
  for (size_t i = 0; i < COUNT; i++)
    assert_int_equal(neap_plan_offsets(plan)[i], neap_plan_offset(plan, i));
  neap_plan_free(plan);
  neap_problem_free(problem);
}

/* A call without a report plans like one with. */
static void packing_is_solving(void **state) {
  (void)state;
  const neap_arrays arrays = {sizeof(neap_arrays), COUNT, starts, ends, sizes, NULL, NULL};
  neap_problem *problem = neap_problem_new();
  neap_offset offsets[COUNT];
  neap_plan *plan;
  neap_error error;
  assert_ok(neap_problem_add_arrays(problem, &arrays, &error), &error);
  assert_ok(neap_solve(problem, NULL, &plan, &error), &error);
  assert_int_equal(neap_pack(COUNT, starts, ends, sizes, NULL, offsets, NULL), NEAP_OK);
  assert_memory_equal(offsets, neap_plan_offsets(plan), sizeof offsets);
  neap_plan_free(plan);
  neap_problem_free(problem);
}

static void a_number_is_refused_where_it_is_taken(void **state) {
  (void)state;
  const neap_arrays arrays = {sizeof(neap_arrays), COUNT, starts, ends, sizes, NULL, NULL};
  neap_problem *problem = neap_problem_new();
  neap_error error;
  assert_ok(neap_problem_add_simple(problem, "2", 1, 0, 1, &error), &error);
  assert_int_equal(neap_problem_add_arrays(problem, &arrays, &error), NEAP_ERROR_INPUT);
  assert_int_equal(error.line, 2);
  neap_problem_free(problem);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(arrays_become_buffers),
      cmocka_unit_test(the_item_in_error_is_located),
      cmocka_unit_test(a_call_packs_arrays),
      cmocka_unit_test(what_cannot_be_packed_changes_nothing),
      cmocka_unit_test(offsets_are_an_array),
      cmocka_unit_test(packing_is_solving),
      cmocka_unit_test(a_number_is_refused_where_it_is_taken),
  };
  return cmocka_run_group_tests_name("api arrays", tests, NULL, NULL);
}
