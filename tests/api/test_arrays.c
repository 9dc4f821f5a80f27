/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Problems from arrays, and plans of offsets that other planners found. */
#include "neap/planner.h"
#include "tests/support/sample.h"

/* ---------------------------------------------------------------- arrays */

/* Problems from arrays, and plans as arrays. */

#define COUNT 4

static const neap_time starts[COUNT] = {0, 1, 2, 3};
static const neap_time ends[COUNT] = {2, 3, 4, 5};
static const neap_size sizes[COUNT] = {100, 60, 40, 100};
static const neap_size alignments[COUNT] = {1, 64, 8, 1};

TEST(arrays_become_buffers) {
  const char *const names[COUNT] = {"a", "b", "c", "d"};
  const neap_arrays numbered = {sizeof(neap_arrays), COUNT, starts, ends, sizes, NULL, NULL};
  const neap_arrays named = {sizeof(neap_arrays), COUNT, starts, ends, sizes,
                             alignments,          names};
  neap_problem *problem = neap_problem_new();
  neap_error error;
  assert_ok(neap_problem_add_arrays(problem, &numbered, &error), &error);
  assert_ok(neap_problem_add_arrays(problem, &named, &error), &error);
  assert_int_equal(neap_problem_count(problem), 2 * COUNT);
  neap_buffer buffer = sample_buffer(problem, 3);
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

TEST(the_item_in_error_is_located) {
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

TEST(a_call_packs_arrays) {
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

TEST(what_cannot_be_packed_changes_nothing) {
  const neap_size negative[COUNT] = {1, 1, 1, -1};
  neap_offset offsets[COUNT] = {-7, -7, -7, -7};
  neap_size peak = -7;
  assert_int_equal(neap_pack(COUNT, starts, ends, negative, NULL, offsets, &peak),
                   NEAP_ERROR_INPUT);
  assert_int_equal(peak, -7);
  assert_int_equal(offsets[0], -7);
}

TEST(offsets_are_an_array) {
  const neap_arrays arrays = {sizeof(neap_arrays), COUNT, starts, ends, sizes, NULL, NULL};
  neap_problem *problem = neap_problem_new();
  neap_error error;
  assert_ok(neap_problem_add_arrays(problem, &arrays, &error), &error);
  neap_plan *plan = sample_solve(problem, NULL);
  for (size_t i = 0; i < COUNT; i++)
    assert_int_equal(neap_plan_offsets(plan)[i], neap_plan_offset(plan, i));
  neap_plan_free(plan);
  neap_problem_free(problem);
}

/* A call without a report makes the same plan as a call with one. */
TEST(packing_is_solving) {
  const neap_arrays arrays = {sizeof(neap_arrays), COUNT, starts, ends, sizes, NULL, NULL};
  neap_problem *problem = neap_problem_new();
  neap_offset offsets[COUNT];
  neap_error error;
  assert_ok(neap_problem_add_arrays(problem, &arrays, &error), &error);
  neap_plan *plan = sample_solve(problem, NULL);
  assert_int_equal(neap_pack(COUNT, starts, ends, sizes, NULL, offsets, NULL), NEAP_OK);
  assert_memory_equal(offsets, neap_plan_offsets(plan), sizeof offsets);
  neap_plan_free(plan);
  neap_problem_free(problem);
}

TEST(a_number_is_refused_where_it_is_taken) {
  const neap_arrays arrays = {sizeof(neap_arrays), COUNT, starts, ends, sizes, NULL, NULL};
  neap_problem *problem = neap_problem_new();
  neap_error error;
  assert_ok(neap_problem_add_simple(problem, "2", 1, 0, 1, &error), &error);
  assert_int_equal(neap_problem_add_arrays(problem, &arrays, &error), NEAP_ERROR_INPUT);
  assert_int_equal(error.line, 2);
  neap_problem_free(problem);
}

/* ---------------------------------------------------------------- planners outside */

/* What a planner outside the library does: it makes a plan from its own offsets or objects. */

static const struct sample three[] = {{0, 2, 100, 0}, {1, 3, 60, 0}, {3, 5, 40, 0}};

TEST(a_plan_records_how_it_was_made) {
  static const neap_offset layout[] = {0, 120, 0}, offsets[] = {0, 100, 0};
  const neap_round rounds[] = {
      {.struct_size = sizeof(neap_round),
       .round = 1,
       .peak = 180,
       .improved = true,
       .offsets = layout},
      {.struct_size = sizeof(neap_round), .round = 2, .peak = 160, .improved = true}};
  const neap_moment moments[] = {
      {.struct_size = sizeof(neap_moment), .peak = NEAP_UNPLACED, .lower_bound = 160},
      {.struct_size = sizeof(neap_moment),
       .seconds = 0.5,
       .rounds = 2,
       .peak = 160,
       .lower_bound = 160}};
  const neap_history history = {.struct_size = sizeof(neap_history),
                                .engine = "mine",
                                .lower_bound = 160,
                                .stop_reason = NEAP_STOP_PROVEN,
                                .rounds = 2,
                                .seed = 7,
                                .seconds = 0.5,
                                .round_list = rounds,
                                .round_count = 2,
                                .moments = moments,
                                .moment_count = 2};
  neap_problem *problem = sample_problem(three, SAMPLE_COUNT(three));
  neap_plan *plan = sample_plan(problem, offsets);
  neap_error error;
  neap_round round = NEAP_INIT(neap_round);
  neap_moment moment = NEAP_INIT(neap_moment);
  assert_ok(neap_plan_set_history(plan, &history, &error), &error);
  neap_report report = sample_report(plan);
  assert_string_equal(report.run.engine, "mine");
  assert_int_equal(report.run.stop_reason, NEAP_STOP_PROVEN);
  assert_int_equal(report.run.rounds, 2);
  assert_int_equal(report.run.seed, 7);
  assert_int_equal(report.outcome, NEAP_OPTIMAL);
  assert_true(neap_plan_round_at(plan, 0, &round));
  assert_ptr_not_equal(round.offsets, layout);
  assert_memory_equal(round.offsets, layout, sizeof layout);
  assert_true(neap_plan_round_at(plan, 1, &round));
  assert_null(round.offsets);
  assert_false(neap_plan_round_at(plan, 2, &round));
  assert_true(neap_plan_moment_at(plan, 1, &moment));
  assert_int_equal(moment.rounds, 2);
  assert_false(neap_plan_moment_at(plan, 2, &moment));
  neap_plan_free(plan);
  neap_problem_free(problem);
}

TEST(a_plan_may_consist_of_shared_objects) {
  static const neap_offset offsets[] = {0, 100, 0};
  static const size_t of[] = {0, 1, 0};
  static const neap_size object_sizes[] = {100, 64};
  neap_problem *problem = sample_problem(three, SAMPLE_COUNT(three));
  neap_plan *plan = sample_plan(problem, offsets);
  neap_error error;
  assert_ok(neap_plan_set_objects(plan, of, object_sizes, 2, &error), &error);
  assert_ok(neap_plan_verify(plan, -1, &error), &error);
  neap_report report = sample_report(plan);
  assert_int_equal(report.objects.count, 2);
  assert_int_equal(report.peak, 164);
  assert_int_equal(report.objects.bound, 160);
  for (size_t i = 0; i < SAMPLE_COUNT(three); i++)
    assert_int_equal(neap_plan_offset(plan, i), offsets[i]);
  neap_plan_free(plan);
  neap_problem_free(problem);
}

TEST(impossible_objects_are_errors) {
  static const neap_offset offsets[] = {0, 100, 0};
  static const size_t of[] = {0, 2, 0}, both[] = {0, 1, 0};
  static const neap_size object_sizes[] = {100, 64}, huge[] = {100, NEAP_MAX},
                         small[] = {100, 59};
  neap_problem *problem = sample_problem(three, SAMPLE_COUNT(three));
  neap_plan *plan = sample_plan(problem, offsets);
  neap_error error;
  assert_error(neap_plan_set_objects(plan, of, object_sizes, 2, &error), NEAP_ERROR_ARGUMENT,
               &error);
  assert_error(neap_plan_set_objects(plan, both, huge, 2, &error), NEAP_ERROR_ARGUMENT, &error);
  assert_ok(neap_plan_set_objects(plan, both, small, 2, &error), &error);
  assert_error(neap_plan_verify(plan, -1, &error), NEAP_ERROR_UNSOUND, &error);
  neap_plan_free(plan);
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
      cmocka_unit_test(a_plan_records_how_it_was_made),
      cmocka_unit_test(a_plan_may_consist_of_shared_objects),
      cmocka_unit_test(impossible_objects_are_errors),
  };
  return cmocka_run_group_tests_name("api arrays", tests, NULL, NULL);
}
