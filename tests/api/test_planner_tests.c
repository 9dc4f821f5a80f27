/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tests of other planners, in data/planner-tests of $NEAP_SHARED: the verdicts of MiniMalloc,
 * every object and offset of TensorFlow Lite's GPU delegate, and the largest sum of live sizes of
 * TensorFlow Lite Micro, TVM and Vela, which their planners reach or aim at.  Skipped where there
 * is no such folder.  neap cannot express gaps with a window, in which a buffer keeps some of its
 * bytes; such cases are skipped.
 */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "neap/models.h"
#include "plan/plan.h"
#include "tests/support/sample.h"

static json_t *expected; /* the whole of expected.json */

static void path_of(char path[4096], const char *name) {
  const char *shared = getenv("NEAP_SHARED");
  snprintf(path, 4096, "%s/data/planner-tests/%s", shared ? shared : "", name);
}

static bool has_window(const json_t *extra) {
  const json_t *gaps = json_object_get(extra, "gaps");
  for (size_t i = 0; i < json_array_size(gaps); i++)
    if (json_is_array(json_object_get(json_array_get(gaps, i), "window"))) return true;
  return false;
}

/* What is left of a life without its gaps. */
static size_t cut_gaps(const json_t *extra, neap_range life, neap_range *ranges) {
  const json_t *gaps = json_object_get(extra, "gaps");
  size_t count = 0;
  for (size_t i = 0; i < json_array_size(gaps); i++) {
    const json_t *gap = json_object_get(json_array_get(gaps, i), "lifespan");
    neap_time start = json_integer_value(json_array_get(gap, 0));
    neap_time end = json_integer_value(json_array_get(gap, 1));
    if (start > life.start) ranges[count++] = (neap_range){life.start, start};
    life.start = end;
  }
  if (life.start < life.end) ranges[count++] = life;
  return count;
}

static void add_with_extra(neap_problem *to, const neap_buffer *from, const json_t *extra) {
  neap_range ranges[16];
  neap_buffer buffer = *from;
  neap_error error;
  const json_t *alignment = json_object_get(extra, "alignment");
  const json_t *fixed = json_object_get(extra, "fixed_offset");
  buffer.ranges = ranges;
  buffer.range_count = cut_gaps(extra, from->ranges[0], ranges);
  if (alignment) buffer.alignment = json_integer_value(alignment);
  if (fixed) buffer.fixed_offset = json_integer_value(fixed);
  assert_ok(neap_problem_add(to, &buffer, &error), &error);
}

static neap_problem *read_case(const char *name, const json_t *extras) {
  char file[256], path[4096];
  neap_problem *read, *made = neap_problem_new();
  neap_error error;
  snprintf(file, sizeof file, "%s.csv", name);
  path_of(path, file);
  assert_non_null(made);
  assert_ok(neap_problem_read(path, NULL, &read, &error), &error);
  for (size_t i = 0; i < neap_problem_count(read); i++) {
    neap_buffer buffer = sample_buffer(read, i);
    add_with_extra(made, &buffer, json_array_get(extras, i));
  }
  neap_problem_free(read);
  return made;
}

static void check_verdict(const neap_problem *problem, const char *engine, int64_t capacity,
                          bool feasible) {
  neap_options *options = neap_options_new();
  neap_error error;
  neap_plan *plan = NULL;
  char text[32];
  snprintf(text, sizeof text, "%lld", (long long)capacity);
  assert_ok(neap_options_set(options, "engine", engine, &error), &error);
  assert_ok(neap_options_set(options, "capacity", text, &error), &error);
  neap_status status = neap_solve(problem, options, &plan, &error);
  assert_int_equal(status, feasible ? NEAP_OK : NEAP_INFEASIBLE);
  if (feasible) assert_ok(neap_plan_verify(plan, capacity, &error), &error);
  neap_plan_free(plan);
  neap_options_free(options);
}

static void the_verdict_is_reproduced(void **state) {
  const char *name = *state;
  const json_t *test = json_object_get(expected, name);
  const json_t *extras = json_object_get(test, "extra");
  for (size_t i = 0; i < json_array_size(extras); i++)
    if (has_window(json_array_get(extras, i))) skip();
  const char *verdict =
      json_string_value(json_object_get(json_object_get(test, "expect"), "exact"));
  bool feasible = strncmp(verdict, "feasible", strlen("feasible")) == 0;
  int64_t capacity = json_integer_value(json_object_get(test, "capacity"));
  neap_problem *problem = read_case(name, extras);
  check_verdict(problem, "exact", capacity, feasible);
  check_verdict(problem, "auto", capacity, feasible);
  neap_problem_free(problem);
}

/* ---------------------------------------------------------------- TensorFlow Lite GPU */

static neap_plan *plan_with(const neap_problem *problem, const char *engine) {
  neap_options *options = neap_options_new();
  neap_error error;
  assert_ok(neap_options_set(options, "engine", engine, &error), &error);
  neap_plan *plan = sample_solve(problem, options);
  neap_options_free(options);
  return plan;
}

static void expect_objects(const neap_plan *plan, const json_t *wanted) {
  const json_t *ids = json_object_get(wanted, "object_ids");
  const json_t *sizes = json_object_get(wanted, "object_sizes");
  neap_report report = sample_report(plan);
  assert_int_equal(json_array_size(ids), report.buffers);
  assert_int_equal(json_array_size(sizes), report.objects.count);
  for (size_t i = 0; i < report.buffers; i++)
    assert_int_equal(plan->objects[i], json_integer_value(json_array_get(ids, i)));
  for (size_t o = 0; o < report.objects.count; o++)
    assert_int_equal(plan->object_sizes[o],
                     json_integer_value(json_array_get(sizes, o)));
}

static void expect_offsets(const neap_plan *plan, const json_t *wanted) {
  const json_t *offsets = json_object_get(wanted, "offsets");
  neap_report report = sample_report(plan);
  for (size_t i = 0; i < report.buffers; i++)
    assert_int_equal(neap_plan_offset(plan, i), json_integer_value(json_array_get(offsets, i)));
  assert_int_equal(report.peak, json_integer_value(json_object_get(wanted, "total")));
}

static void the_delegate_is_reproduced(void **state) {
  static const char *const pairs[][2] = {{"naive", "tflite-gpu-naive"},
                                         {"equality", "tflite-gpu-equality"},
                                         {"greedy_in_order", "tflite-gpu-greedy-in-order"},
                                         {"mincostflow", "tflite-gpu-mincostflow"},
                                         {"greedy_by_breadth", "tflite-gpu-greedy-by-breadth"},
                                         {"greedy_by_size", "tflite-gpu-greedy-by-size"}};
  const char *name = *state;
  const json_t *expect = json_object_get(json_object_get(expected, name), "expect");
  const json_t *all = json_object_get(expect, "all_strategies");
  neap_problem *problem = read_case(name, NULL);
  for (size_t p = 0; p < SAMPLE_COUNT(pairs); p++) {
    const json_t *wanted = all ? all : json_object_get(expect, pairs[p][0]);
    assert_non_null(wanted);
    neap_plan *plan = plan_with(problem, pairs[p][1]);
    expect_objects(plan, wanted);
    neap_plan_free(plan);
  }
  neap_plan *plan = plan_with(problem, "tflite-gpu-offset-greedy-by-size");
  expect_offsets(plan, json_object_get(expect, "greedy_by_size_offsets"));
  neap_plan_free(plan);
  neap_problem_free(problem);
}

/* ---------------------------------------------------------------- the bound */

static void the_load_is_reached(void **state) {
  const char *name = *state;
  const json_t *test = json_object_get(expected, name);
  neap_problem *problem = read_case(name, NULL);
  neap_plan *plan = plan_with(problem, "auto");
  neap_report report = sample_report(plan);
  assert_int_equal(report.bound, json_integer_value(json_object_get(test, "max_load")));
  assert_int_equal(report.peak, report.bound);
  neap_plan_free(plan);
  neap_problem_free(problem);
}

/* What to do with a test of this name; NULL: nothing. */
static CMUnitTestFunction check_of(const char *name, const json_t *test) {
  static const struct {
    const char *prefix;
    CMUnitTestFunction check;
  } checks[] = {{"minimalloc_", the_verdict_is_reproduced},
                {"tflite_gpu_", the_delegate_is_reproduced},
                {"tflm_", the_load_is_reached},
                {"tvm_", the_load_is_reached},
                {"vela_", the_load_is_reached}};
  for (size_t c = 0; c < SAMPLE_COUNT(checks); c++)
    if (strncmp(name, checks[c].prefix, strlen(checks[c].prefix)) == 0 &&
        json_object_get(test, "buffers"))
      return checks[c].check;
  return NULL;
}

TEST(no_folder) {
  print_message("skipped: there is no data/planner-tests in NEAP_SHARED\n");
  skip();
}

int main(void) {
  neap_models_register();
  char path[4096];
  struct CMUnitTest tests[64];
  size_t count = 0;
  path_of(path, "expected.json");
  expected = json_load_file(path, 0, NULL);
  const char *name;
  json_t *value;
  json_object_foreach(expected, name, value) {
    CMUnitTestFunction check = check_of(name, value);
    if (!check || count == SAMPLE_COUNT(tests)) continue;
    tests[count++] = (struct CMUnitTest){name, check, NULL, NULL, (void *)(uintptr_t)name};
  }
  if (count == 0)
    tests[count++] = (struct CMUnitTest){"no_folder", no_folder, NULL, NULL, NULL};
  int failed = _cmocka_run_group_tests("planner_tests", tests, count, NULL, NULL);
  json_decref(expected);
  return failed;
}
