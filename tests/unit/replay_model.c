/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Replays the converter, the overlap check and the exporter (doc/tuner.md, R2-R5, R31-R33). */
#include <stdlib.h>
#include <string.h>

#include "plan/plan.h"
#include "tests/unit/replay.h"

/* ---------------------------------------------------------------- convert */

static neap_operation read_operation(const json_t *object) {
  const char *type = member_text(object, "type");
  bool is_alloc = strcmp(type, "alloc") == 0;
  if (!is_alloc && strcmp(type, "free") != 0) fail_msg("\"%s\" is no type of operation", type);
  return (neap_operation){member_text(object, "name"), is_alloc, member_integer(object, "size"),
                          member_integer(object, "align")};
}

static void expect_rectangle(const neap_problem *problem, size_t index,
                             const json_t *expected) {
  neap_buffer buffer = NEAP_INIT(neap_buffer);
  neap_problem_buffer_at(problem, index, &buffer);
  assert_string_equal(buffer.name, member_text(expected, "name"));
  assert_int_equal(buffer.range_count, 1);
  assert_int_equal(buffer.ranges[0].start, member_integer(expected, "start"));
  assert_int_equal(buffer.ranges[0].end, member_integer(expected, "end"));
  assert_int_equal(buffer.size, member_integer(expected, "size"));
  assert_int_equal(buffer.alignment, member_integer(expected, "align"));
  assert_int_equal(buffer.fixed_offset, NEAP_UNPLACED);
}

static void expect_bound(const neap_problem *problem, const json_t *expected) {
  neap_bound bound = NEAP_INIT(neap_bound);
  neap_error error;
  assert_ok(neap_problem_bound(problem, &bound, &error), &error);
  assert_int_equal(bound.bytes, member_integer(expected, "bound"));
}

static void expect_refusal(const neap_error *error, const json_t *expected) {
  const char *kind = member_text(expected, "error");
  if (strcmp(kind, "double_alloc") != 0 && strcmp(kind, "free_without_alloc") != 0)
    fail_msg("\"%s\" is no error that this test knows", kind);
  assert_int_equal(error->line, member_integer(expected, "at") + 1);
  sample_check_error(error, NEAP_ERROR_INPUT, __FILE__, __LINE__);
}

void replay_convert(const json_t *vector) {
  const json_t *list = member_array(vector, "operations"),
               *expected = member(vector, "expected");
  size_t count = json_array_size(list);
  neap_operation *operations = test_calloc(count + 1, sizeof *operations);
  for (size_t i = 0; i < count; i++)
    operations[i] = read_operation(json_array_get(list, i));
  neap_problem *problem = NULL;
  neap_error error;
  neap_status status = neap_problem_from_operations(operations, count, &problem, &error);
  test_free(operations);
  if (json_object_get(expected, "error")) {
    assert_int_equal(status, NEAP_ERROR_INPUT);
    expect_refusal(&error, expected);
    return;
  }
  assert_int_equal(status, NEAP_OK);
  const json_t *rectangles = member_array(expected, "rectangles");
  assert_int_equal(neap_problem_count(problem), json_array_size(rectangles));
  for (size_t i = 0; i < json_array_size(rectangles); i++)
    expect_rectangle(problem, i, json_array_get(rectangles, i));
  expect_bound(problem, expected);
  assert_int_equal(neap_problem_horizon(problem), member_integer(expected, "container_length"));
  neap_problem_free(problem);
}

/* ---------------------------------------------------------------- plans of given offsets */

static neap_plan *given_plan(const neap_problem *problem, const json_t *vector) {
  const json_t *list = member_array(vector, "start_offsets");
  assert_int_equal(json_array_size(list), neap_problem_count(problem));
  int64_t *offsets = vector_integers(list);
  neap_plan *plan;
  neap_error error;
  assert_ok(neap_plan_new(problem, offsets, &plan, &error), &error);
  test_free(offsets);
  return plan;
}

void replay_check_overlap(const json_t *vector) {
  const json_t *expected = member(vector, "expected");
  const json_t *conflicts = member_array(expected, "conflicts");
  bool ok = json_is_true(member(expected, "ok"));
  neap_problem *problem = vector_problem(vector);
  neap_plan *plan = given_plan(problem, vector);
  neap_collision *collisions;
  size_t count;
  neap_error error;
  assert_ok(neap_plan_collisions(plan, SIZE_MAX, &collisions, &count, NULL, &error), &error);
  assert_int_equal(count, json_array_size(conflicts));
  for (size_t i = 0; i < count; i++) {
    const json_t *pair = json_array_get(conflicts, i);
    assert_int_equal(collisions[i].first, element_integer(pair, 0));
    assert_int_equal(collisions[i].second, element_integer(pair, 1));
  }
  neap_collisions_free(collisions);
  assert_int_equal(neap_plan_verify(plan, -1, &error), ok ? NEAP_OK : NEAP_ERROR_UNSOUND);
  neap_plan_free(plan);
  neap_problem_free(problem);
}

/* ---------------------------------------------------------------- export */

static void expect_exported(const neap_plan *plan, size_t index, const json_t *expected) {
  neap_buffer buffer = NEAP_INIT(neap_buffer);
  neap_problem_buffer_at(neap_plan_problem(plan), index, &buffer);
  uint64_t base;
  assert_true(neap_plan_base(plan, &base));
  uint64_t start = base + (uint64_t)neap_plan_offset(plan, index);
  assert_string_equal(buffer.name, member_text(expected, "name"));
  assert_int_equal(buffer.ranges[0].start, member_integer(expected, "start_time"));
  assert_int_equal(buffer.ranges[0].end, member_integer(expected, "end_time"));
  assert_int_equal(buffer.size, member_integer(expected, "size"));
  assert_int_equal(neap_plan_offset(plan, index), member_integer(expected, "start_offset"));
  assert_int_equal(plan_end(plan, index), member_integer(expected, "end_offset"));
  assert_int_equal(start, member_integer(expected, "start_address"));
  assert_int_equal(start + (uint64_t)buffer.size, member_integer(expected, "end_address"));
}

void replay_export(const json_t *vector) {
  const json_t *expected = member_array(vector, "expected");
  neap_problem *problem = vector_problem(vector);
  neap_plan *plan = given_plan(problem, vector);
  neap_error error;
  assert_ok(neap_plan_set_base(plan, (uint64_t)member_integer(vector, "base"), &error), &error);
  assert_int_equal(neap_problem_count(problem), json_array_size(expected));
  for (size_t i = 0; i < json_array_size(expected); i++)
    expect_exported(plan, i, json_array_get(expected, i));
  neap_plan_free(plan);
  neap_problem_free(problem);
}
