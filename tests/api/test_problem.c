/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Problems made in code. */
#include <stdio.h>
#include <string.h>

#include "neap-tool.h"
#include "neap/planner.h"
#include "neap/relations.h"
#include "tests/support/sample.h"

/* ---------------------------------------------------------------- names and versions */

TEST(the_version_is_that_of_the_header) {
  char text[32];
  snprintf(text, sizeof text, "%d.%d.%d", NEAP_VERSION_MAJOR, NEAP_VERSION_MINOR,
           NEAP_VERSION_MICRO);
  assert_string_equal(NEAP_VERSION_STRING, text);
  assert_string_equal(neap_version(), NEAP_VERSION_STRING);
  assert_int_equal(neap_version_number(), NEAP_VERSION_NUMBER);
}

TEST(every_value_has_a_unique_name) {
  for (int i = NEAP_OK; i <= NEAP_ERROR_UNSOUND; i++)
    for (int j = NEAP_OK; j < i; j++)
      assert_string_not_equal(neap_status_name((neap_status)i),
                              neap_status_name((neap_status)j));
  for (int i = NEAP_STOP_BOUND; i <= NEAP_STOP_INCOMPLETE; i++)
    for (int j = NEAP_STOP_BOUND; j < i; j++)
      assert_string_not_equal(neap_stop_reason_name((neap_stop_reason)i),
                              neap_stop_reason_name((neap_stop_reason)j));
  assert_non_null(neap_status_name((neap_status)99));
}

/* These are read by scripts. */
TEST(names_in_json_never_change) {
  assert_string_equal(neap_outcome_name(NEAP_OPTIMAL), "optimal");
  assert_string_equal(neap_outcome_name(NEAP_FEASIBLE), "feasible");
  assert_string_equal(neap_stop_reason_name(NEAP_STOP_BOUND), "bound");
  assert_string_equal(neap_stop_reason_name(NEAP_STOP_PROVEN), "proven");
  assert_string_equal(neap_stop_reason_name(NEAP_STOP_FIXED_POINT), "fixed_point");
  assert_string_equal(neap_stop_reason_name(NEAP_STOP_ITERATION_CAP), "iteration_cap");
  assert_string_equal(neap_stop_reason_name(NEAP_STOP_TIME_LIMIT), "time_limit");
  assert_string_equal(neap_stop_reason_name(NEAP_STOP_TICK_LIMIT), "tick_limit");
  assert_string_equal(neap_stop_reason_name(NEAP_STOP_CANCELLED), "cancelled");
  assert_string_equal(neap_risk_name(NEAP_RISK_NONE), "none");
  assert_string_equal(neap_risk_name(NEAP_RISK_LOW), "low");
  assert_string_equal(neap_risk_name(NEAP_RISK_MEDIUM), "medium");
  assert_string_equal(neap_risk_name(NEAP_RISK_HIGH), "high");
  assert_string_equal(neap_move_outcome_name(NEAP_MOVE_LOWERED), "lowered");
  assert_string_equal(neap_move_outcome_name(NEAP_MOVE_REFUTED), "refuted");
  assert_string_equal(neap_move_outcome_name(NEAP_MOVE_OPEN), "open");
}

TEST(null_can_be_freed) {
  neap_problem_free(NULL);
  neap_options_free(NULL);
  neap_plan_free(NULL);
  neap_planner_free(NULL);
}

/* ---------------------------------------------------------------- adding */

TEST(a_buffer_is_copied) {
  char name[] = "tensor", hint[] = "keep near";
  neap_range ranges[] = {{3, 5}, {8, 9}};
  neap_buffer buffer = {.struct_size = sizeof(neap_buffer),
                        .name = name,
                        .size = 100,
                        .alignment = 16,
                        .fixed_offset = 32,
                        .ranges = ranges,
                        .range_count = 2,
                        .hint = hint};
  neap_problem *problem = neap_problem_new();
  neap_error error;
  assert_ok(neap_problem_add(problem, &buffer, &error), &error);
  memset(name, 'x', sizeof name - 1);
  memset(hint, 'x', sizeof hint - 1);
  memset(ranges, 0, sizeof ranges);
  neap_buffer found = sample_buffer(problem, 0);
  assert_string_equal(found.name, "tensor");
  assert_string_equal(found.hint, "keep near");
  assert_int_equal(found.size, 100);
  assert_int_equal(found.alignment, 16);
  assert_int_equal(found.fixed_offset, 32);
  assert_int_equal(found.range_count, 2);
  assert_int_equal(found.ranges[0].start, 3);
  assert_int_equal(found.ranges[1].end, 9);
  neap_problem_free(problem);
}

TEST(a_simple_buffer_has_the_defaults) {
  neap_problem *problem = neap_problem_new();
  neap_error error;
  neap_buffer found = NEAP_INIT(neap_buffer);
  size_t index = 99;
  assert_ok(neap_problem_add_simple(problem, "tensor", 100, 3, 5, &error), &error);
  assert_true(neap_problem_find(problem, "tensor", &index));
  assert_int_equal(index, 0);
  assert_true(neap_problem_buffer_at(problem, 0, &found));
  assert_false(neap_problem_buffer_at(problem, 1, &found));
  assert_int_equal(found.size, 100);
  assert_int_equal(found.alignment, 1);
  assert_int_equal(found.fixed_offset, NEAP_UNPLACED);
  assert_int_equal(found.range_count, 1);
  assert_int_equal(found.ranges[0].start, 3);
  assert_int_equal(found.ranges[0].end, 5);
  assert_null(found.hint);
  assert_error(neap_problem_add_simple(problem, "tensor", 1, 0, 1, &error), NEAP_ERROR_INPUT,
               &error);
  assert_error(neap_problem_add_simple(problem, "never", 1, 5, 5, &error), NEAP_ERROR_INPUT,
               &error);
  neap_problem_free(problem);
}

/* A valid buffer with one change must be refused, with a word about the change in the message. */
#define ANYWHERE 0, NEAP_MAX, 0, NULL, 0, NEAP_UNPLACED, -1, NULL, 0, NULL
#define BUFFER(name, size, alignment, fixed)                   \
  {sizeof(neap_buffer),          name, size, alignment, fixed, \
   (const neap_range[]){{2, 7}}, 1,    NULL, ANYWHERE}
#define ALIVE(count, ...)             \
  {sizeof(neap_buffer),               \
   "new",                             \
   8,                                 \
   1,                                 \
   NEAP_UNPLACED,                     \
   (const neap_range[]){__VA_ARGS__}, \
   count,                             \
   NULL,                              \
   ANYWHERE}

static const struct refused {
  neap_buffer buffer;
  const char *words;
} refused[] = {
    {BUFFER(NULL, 8, 1, NEAP_UNPLACED), "name"},
    {BUFFER("", 8, 1, NEAP_UNPLACED), "name"},
    {BUFFER("\xff\xfe", 8, 1, NEAP_UNPLACED), "UTF-8"},
    {BUFFER("caf\xc3", 8, 1, NEAP_UNPLACED), "UTF-8"},
    {BUFFER("taken", 8, 1, NEAP_UNPLACED), "'taken'"},
    {BUFFER("new", -1, 1, NEAP_UNPLACED), "-1"},
    {BUFFER("new", INT64_MIN, 1, NEAP_UNPLACED), "size"},
    {BUFFER("new", 8, 0, NEAP_UNPLACED), "alignment"},
    {BUFFER("new", 8, -8, NEAP_UNPLACED), "-8"},
    {BUFFER("new", 8, 1, -2), "-2"},
    {BUFFER("new", 8, 8, 12), "12"},
    {{sizeof(neap_buffer), "new", 8, 1, NEAP_UNPLACED, NULL, 0, NULL, ANYWHERE}, "range"},
    {ALIVE(1, {-1, 7}), "-1"},
    {ALIVE(1, {7, 7}), "7"},
    {ALIVE(1, {7, 6}), "7"},
    {ALIVE(2, {0, 5}, {4, 9}), "4"},
    {ALIVE(2, {6, 9}, {0, 3}), "0"},
    {BUFFER("new", NEAP_MAX, 1, NEAP_UNPLACED), "2^63"},
    {BUFFER("new", NEAP_MAX - 100, 1, NEAP_UNPLACED), "2^63"},
    {BUFFER("new", 8, NEAP_MAX, NEAP_UNPLACED), "2^63"},
    {BUFFER("new", 8, 1, NEAP_MAX - 4), "2^63"},
};

TEST(invalid_buffers_are_described) {
  for (size_t i = 0; i < SAMPLE_COUNT(refused); i++) {
    neap_problem *problem = neap_problem_new();
    sample_add(problem, "taken", 0, 9, 1000);
    neap_error error;
    assert_error(neap_problem_add(problem, &refused[i].buffer, &error), NEAP_ERROR_INPUT,
                 &error);
    assert_says(&error, refused[i].words);
    assert_int_equal(error.line, 0);
    assert_int_equal(neap_problem_add(problem, &refused[i].buffer, NULL), NEAP_ERROR_INPUT);

    /* The problem is unchanged, as if nothing had been tried. */
    assert_int_equal(neap_problem_count(problem), 1);
    assert_int_equal(neap_problem_horizon(problem), 9);
    sample_add(problem, "new", 2, 7, 8);
    size_t index;
    assert_true(neap_problem_find(problem, "new", &index));
    assert_int_equal(index, 1);
    neap_problem_free(problem);
  }
}

TEST(ranges_that_touch_are_joined) {
  const neap_range ranges[] = {{0, 2}, {2, 5}, {5, 6}, {7, 9}};
  neap_problem *problem = neap_problem_new();
  sample_add_gapped(problem, "a", ranges, 4, 1);
  neap_buffer buffer = sample_buffer(problem, 0);
  assert_int_equal(buffer.range_count, 2);
  assert_int_equal(buffer.ranges[0].start, 0);
  assert_int_equal(buffer.ranges[0].end, 6);
  assert_int_equal(buffer.ranges[1].start, 7);
  neap_problem_free(problem);
}

TEST(hints_may_come_late) {
  neap_problem *problem = neap_problem_new();
  for (int i = 0; i < 40; i++) {
    char name[16], hint[16];
    const neap_range range = {i, i + 1};
    snprintf(name, sizeof name, "b%d", i);
    snprintf(hint, sizeof hint, "h%d", i);
    neap_buffer buffer = NEAP_BUFFER_INIT;
    buffer.name = name;
    buffer.ranges = &range;
    buffer.range_count = 1;
    buffer.hint = i >= 20 && i % 3 == 0 ? hint : NULL;
    neap_error error;
    assert_ok(neap_problem_add(problem, &buffer, &error), &error);
  }
  for (size_t i = 0; i < 40; i++) {
    char hint[16];
    snprintf(hint, sizeof hint, "h%zu", i);
    neap_buffer buffer = sample_buffer(problem, i);
    if (i >= 20 && i % 3 == 0) assert_string_equal(buffer.hint, hint);
    else assert_null(buffer.hint);
  }
  neap_problem_free(problem);
}

TEST(buffers_are_found_by_name) {
  const struct sample samples[] = {{0, 1, 1, 0}, {0, 1, 1, 0}, {0, 1, 1, 0}};
  neap_problem *problem = sample_problem(samples, 3);
  size_t index = 99;
  assert_true(neap_problem_find(problem, "b2", &index));
  assert_int_equal(index, 2);
  assert_false(neap_problem_find(problem, "b3", &index));
  assert_false(neap_problem_find(problem, "", &index));
  assert_false(neap_problem_find(problem, "b", &index));
  neap_problem_free(problem);
}

/* ---------------------------------------------------------------- fixed offsets */

TEST(fixed_offsets_that_collide_are_named) {
  neap_problem *problem = neap_problem_new();
  neap_error error;
  sample_add_fixed(problem, "first", 0, 5, 10, 0);
  sample_add_fixed(problem, "later", 5, 9, 10, 0);
  sample_add(problem, "free", 0, 9, 10);
  assert_ok(neap_problem_check(problem, &error), &error);
  sample_add_fixed(problem, "collides", 4, 6, 10, 9);
  assert_error(neap_problem_check(problem, &error), NEAP_ERROR_INPUT, &error);
  assert_says(&error, "'collides'");
  assert_int_equal(neap_problem_check(problem, NULL), NEAP_ERROR_INPUT);

  neap_planner *planner = NULL;
  neap_plan *plan = NULL;
  assert_error(neap_planner_new(problem, NULL, &planner, &error), NEAP_ERROR_INPUT, &error);
  assert_error(neap_solve(problem, NULL, &plan, &error), NEAP_ERROR_INPUT, &error);
  assert_says(&error, "'collides'");
  neap_problem_free(problem);
}

/* ---------------------------------------------------------------- the bound */

TEST(the_bound_reports_when_it_is_reached) {
  const struct sample samples[] = {
      {0, 10, 5, 0}, {2, 4, 7, 0}, {4, 5, 7, 0}, {6, 8, 7, 0}, {9, 12, 3, 0}};
  neap_problem *problem = sample_problem(samples, 5);
  neap_bound bound = sample_bound(problem);
  assert_int_equal(bound.bytes, 12);
  assert_int_equal(bound.lower_bound, 12);
  assert_int_equal(bound.start, 2);
  assert_int_equal(bound.end, 5); /* one buffer goes as the next comes: one range */
  assert_int_equal(bound.range_count, 2);
  neap_problem_free(problem);
}

TEST(no_buffers_have_bound_zero) {
  neap_problem *problem = neap_problem_new();
  neap_bound bound = sample_bound(problem);
  assert_int_equal(bound.bytes, 0);
  assert_int_equal(bound.lower_bound, 0);
  assert_int_equal(bound.start, 0);
  assert_int_equal(bound.end, 0);
  assert_int_equal(neap_problem_horizon(problem), 0);
  neap_problem_free(problem);
}

TEST(a_fixed_offset_raises_the_lower_bound) {
  neap_problem *problem = neap_problem_new();
  sample_add_fixed(problem, "high", 0, 5, 10, 500);
  sample_add(problem, "low", 0, 5, 10);
  neap_bound bound = sample_bound(problem);
  assert_int_equal(bound.bytes, 20);
  assert_int_equal(bound.lower_bound, 510);
  neap_problem_free(problem);
}

/* ---------------------------------------------------------------- operations */

#define ALLOC(name, size) {name, true, size, 1}
#define FREE(name) {name, false, 0, 0}

static neap_problem *convert(const neap_operation *operations, size_t count) {
  neap_problem *problem;
  neap_error error;
  assert_ok(neap_problem_from_operations(operations, count, &problem, &error), &error);
  return problem;
}

TEST(operations_become_buffers) {
  const neap_operation operations[] = {ALLOC("a", 8), ALLOC("b", 9), FREE("a"), ALLOC("c", 7),
                                       FREE("b")};
  neap_problem *problem = convert(operations, SAMPLE_COUNT(operations));
  assert_int_equal(neap_problem_count(problem), 3);
  sample_expect_times(problem, "a", 0, 2);
  sample_expect_times(problem, "b", 1, 4);
  sample_expect_times(problem, "c", 3, 5); /* never freed */
  assert_int_equal(neap_problem_horizon(problem), 5);
  neap_problem_free(problem);
}

/* The total time also counts operations that end nothing. */
TEST(the_horizon_is_the_number_of_operations) {
  const neap_operation operations[] = {ALLOC("a", 8), FREE("a"), ALLOC("b", 8), FREE("b")};
  neap_problem *problem = convert(operations, SAMPLE_COUNT(operations));
  assert_int_equal(neap_problem_horizon(problem), 4);
  neap_problem_free(problem);
  problem = convert(NULL, 0);
  assert_int_equal(neap_problem_horizon(problem), 0);
  assert_int_equal(neap_problem_count(problem), 0);
  neap_problem_free(problem);
}

TEST(a_name_used_again_gets_a_number) {
  const neap_operation operations[] = {ALLOC("a", 8), FREE("a"), ALLOC("a", 4), FREE("a"),
                                       ALLOC("a", 2)};
  neap_problem *problem = convert(operations, SAMPLE_COUNT(operations));
  assert_int_equal(neap_problem_count(problem), 3);
  sample_expect_times(problem, "a", 0, 1);
  sample_expect_times(problem, "a#1", 2, 3);
  sample_expect_times(problem, "a#2", 4, 5);
  neap_problem_free(problem);
}

/*
 * A sequence may use such a name itself: then all names differ, or an error says where they do not.
 */
TEST(numbered_names_stay_unique) {
  const neap_operation operations[] = {ALLOC("a#1", 8), ALLOC("a", 8), FREE("a"),
                                       ALLOC("a", 4)};
  neap_problem *problem = NULL;
  neap_error error;
  neap_status status =
      neap_problem_from_operations(operations, SAMPLE_COUNT(operations), &problem, &error);
  if (status == NEAP_OK) {
    neap_buffer first = NEAP_INIT(neap_buffer), last = NEAP_INIT(neap_buffer);
    neap_problem_buffer_at(problem, 0, &first);
    neap_problem_buffer_at(problem, 2, &last);
    assert_string_not_equal(first.name, last.name);
  } else {
    assert_int_equal(status, NEAP_ERROR_INPUT);
    assert_int_not_equal(error.line, 0);
  }
  neap_problem_free(problem);
}

/* A part that is missing is noted once, and then no plan is called optimal. */
TEST(no_plan_of_a_part_is_optimal) {
  static const struct sample one[] = {{0, 2, 8, 0}};
  neap_problem *problem = sample_problem(one, 1);
  neap_report report = NEAP_INIT(neap_report);
  neap_plan *plan;
  neap_error error;
  assert_null(neap_problem_missing(problem, 0));
  assert_error(neap_problem_add_missing(problem, "", &error), NEAP_ERROR_ARGUMENT, &error);
  for (int i = 0; i < 2; i++)
    assert_ok(neap_problem_add_missing(problem, "a body", &error), &error);
  assert_string_equal(neap_problem_missing(problem, 0), "a body");
  assert_null(neap_problem_missing(problem, 1));
  assert_ok(neap_solve(problem, NULL, &plan, &error), &error);
  neap_plan_report(plan, &report);
  assert_int_equal(report.outcome, NEAP_FEASIBLE);
  neap_plan_free(plan);
  neap_problem_free(problem);
}

TEST(rejected_operations_are_located) {
  static const struct {
    neap_operation operations[4];
    size_t line;
    const char *words;
  } table[] = {
      {{FREE("x"), ALLOC("a", 1), ALLOC("b", 1), FREE("b")}, 1, "'x'"},
      {{ALLOC("a", 1), ALLOC("a", 1), FREE("a"), FREE("a")}, 2, "'a'"},
      {{ALLOC("a", 1), FREE("a"), FREE("a"), ALLOC("b", 1)}, 3, "'a'"},
      {{ALLOC("a", 1), ALLOC("b", 1), FREE("a"), FREE("a")}, 4, "'a'"},
      {{ALLOC("a", 1), ALLOC("b", -1), FREE("a"), FREE("b")}, 2, "-1"},
      {{ALLOC("a", 1), {"b", true, 1, 0}, FREE("a"), FREE("b")}, 2, "alignment"},
      {{ALLOC("a", 1), ALLOC("", 1), FREE("a"), FREE("")}, 2, "name"},
      {{ALLOC("a", 1), ALLOC("\xff", 1), FREE("a"), FREE("\xff")}, 2, "UTF-8"},
      {{ALLOC("a", 1), ALLOC("b", NEAP_MAX), FREE("a"), FREE("b")}, 2, "2^63"},
  };
  for (size_t i = 0; i < SAMPLE_COUNT(table); i++) {
    neap_problem *problem = NULL;
    neap_error error;
    assert_error(neap_problem_from_operations(table[i].operations, 4, &problem, &error),
                 NEAP_ERROR_INPUT, &error);
    assert_int_equal(error.line, table[i].line);
    assert_says(&error, table[i].words);
    assert_int_equal(neap_problem_from_operations(table[i].operations, 4, &problem, NULL),
                     NEAP_ERROR_INPUT);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_version_is_that_of_the_header),
      cmocka_unit_test(every_value_has_a_unique_name),
      cmocka_unit_test(names_in_json_never_change),
      cmocka_unit_test(null_can_be_freed),
      cmocka_unit_test(a_buffer_is_copied),
      cmocka_unit_test(a_simple_buffer_has_the_defaults),
      cmocka_unit_test(invalid_buffers_are_described),
      cmocka_unit_test(ranges_that_touch_are_joined),
      cmocka_unit_test(hints_may_come_late),
      cmocka_unit_test(buffers_are_found_by_name),
      cmocka_unit_test(fixed_offsets_that_collide_are_named),
      cmocka_unit_test(the_bound_reports_when_it_is_reached),
      cmocka_unit_test(no_buffers_have_bound_zero),
      cmocka_unit_test(a_fixed_offset_raises_the_lower_bound),
      cmocka_unit_test(operations_become_buffers),
      cmocka_unit_test(the_horizon_is_the_number_of_operations),
      cmocka_unit_test(a_name_used_again_gets_a_number),
      cmocka_unit_test(numbered_names_stay_unique),
      cmocka_unit_test(no_plan_of_a_part_is_optimal),
      cmocka_unit_test(rejected_operations_are_located),
  };
  return cmocka_run_group_tests_name("api problem", tests, NULL, NULL);
}
