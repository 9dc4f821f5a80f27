/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operators, shapes and types of problems: what they accept, and what becomes of them. */
#include <string.h>

#include "neap/graph.h"
#include "tests/unit/sample.h"

static neap_problem *sample(void) {
  static const neap_size shape[] = {1, -1, 4};
  static const neap_range range = {0, 2};
  neap_problem *problem = neap_problem_new();
  neap_buffer buffer = NEAP_BUFFER_INIT;
  neap_error error;
  assert_non_null(problem);
  assert_ok(neap_problem_add_simple(problem, "plain", 4, 0, 1, &error), &error);
  buffer.name = "shaped";
  buffer.size = 16;
  buffer.ranges = &range;
  buffer.range_count = 1;
  buffer.shape = shape;
  buffer.rank = 3;
  buffer.dtype = "float32";
  assert_ok(neap_problem_add(problem, &buffer, &error), &error);
  buffer.name = "scalar";
  buffer.rank = 0;
  buffer.dtype = "";
  assert_ok(neap_problem_add(problem, &buffer, &error), &error);
  return problem;
}

static void test_shapes(void **state) {
  neap_problem *problem = sample();
  neap_buffer buffer = NEAP_INIT(neap_buffer);
  (void)state;
  assert_true(neap_problem_buffer_at(problem, 1, &buffer));
  assert_int_equal(buffer.rank, 3);
  assert_int_equal(buffer.shape[1], -1);
  assert_string_equal(buffer.dtype, "float32");
  assert_true(neap_problem_buffer_at(problem, 0, &buffer));
  assert_null(buffer.shape);
  assert_null(buffer.dtype);
  assert_true(neap_problem_buffer_at(problem, 2, &buffer));
  assert_non_null(buffer.shape);
  assert_null(buffer.dtype);
  neap_problem_free(problem);
}

static void test_bad_shapes(void **state) {
  static const neap_size shape[NEAP_RANK_MAX + 1] = {-2};
  static const neap_range range = {0, 2};
  neap_problem *problem = sample();
  neap_buffer buffer = NEAP_BUFFER_INIT;
  neap_error error;
  (void)state;
  buffer.name = "bad";
  buffer.ranges = &range;
  buffer.range_count = 1;
  buffer.shape = shape;
  buffer.rank = 1;
  assert_int_equal(neap_problem_add(problem, &buffer, &error), NEAP_ERROR_INPUT);
  assert_non_null(strstr(error.text, "found -2"));
  buffer.rank = NEAP_RANK_MAX + 1;
  assert_int_equal(neap_problem_add(problem, &buffer, &error), NEAP_ERROR_INPUT);
  buffer.shape = NULL;
  buffer.rank = 1;
  assert_int_equal(neap_problem_add(problem, &buffer, &error), NEAP_ERROR_INPUT);
  buffer.rank = 0;
  buffer.dtype = "\xff";
  assert_int_equal(neap_problem_add(problem, &buffer, &error), NEAP_ERROR_INPUT);
  assert_int_equal(neap_problem_count(problem), 3);
  neap_problem_free(problem);
}

static void test_operators(void **state) {
  neap_problem *problem = sample();
  const size_t reads[] = {0, 1}, twice[] = {1, 1}, none[] = {3};
  neap_operator_info info = {.struct_size = sizeof(neap_operator_info),
                             .type = "Add",
                             .name = "sum",
                             .reads = reads,
                             .read_count = 2};
  neap_error error;
  (void)state;
  assert_int_equal(neap_problem_operator_count(problem), 0);
  info.makes = twice;
  info.make_count = 1;
  for (int i = 0; i < 3; i++)
    assert_ok(neap_problem_add_operator(problem, &info, &error), &error);
  assert_int_equal(neap_problem_horizon(problem), 3);
  info.make_count = 2;
  assert_int_equal(neap_problem_add_operator(problem, &info, &error), NEAP_ERROR_INPUT);
  assert_non_null(strstr(error.text, "lists buffer 'shaped' twice"));
  info.makes = none;
  info.make_count = 1;
  assert_int_equal(neap_problem_add_operator(problem, &info, &error), NEAP_ERROR_INPUT);
  info.make_count = 0;
  info.name = "\xff";
  assert_int_equal(neap_problem_add_operator(problem, &info, &error), NEAP_ERROR_INPUT);
  assert_int_equal(neap_problem_operator_count(problem), 3);
  assert_true(neap_problem_operator_at(problem, 2, &info));
  assert_string_equal(info.type, "Add");
  assert_string_equal(info.name, "sum");
  assert_int_equal(info.read_count, 2);
  assert_int_equal(info.make_count, 1);
  assert_int_equal(info.makes[0], 1);
  assert_false(neap_problem_operator_at(problem, 3, &info));
  neap_problem_free(problem);
}

/* A label goes with its operator, into copies and into problems. */
static void test_labels(void **state) {
  neap_graph *graph = neap_graph_new();
  neap_operator_info info = NEAP_INIT(neap_operator_info);
  neap_problem *problem;
  neap_error error;
  (void)state;
  assert_int_equal(neap_graph_label_operator(graph, "x", &error), NEAP_ERROR_ARGUMENT);
  assert_ok(neap_graph_add_operator(graph, "Conv", &error), &error);
  assert_null(neap_graph_operator_label(graph, 0));
  assert_int_equal(neap_graph_label_operator(graph, "\xff", &error), NEAP_ERROR_INPUT);
  assert_ok(neap_graph_label_operator(graph, "first", &error), &error);
  assert_ok(neap_graph_label_operator(graph, "conv1", &error), &error);
  neap_graph *copy = neap_graph_copy(graph);
  neap_graph_free(graph);
  assert_string_equal(neap_graph_operator_label(copy, 0), "conv1");
  assert_ok(neap_graph_to_problem(copy, NULL, &problem, &error), &error);
  assert_true(neap_problem_operator_at(problem, 0, &info));
  assert_string_equal(info.type, "Conv");
  assert_string_equal(info.name, "conv1");
  neap_problem_free(problem);
  neap_graph_free(copy);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_shapes), cmocka_unit_test(test_bad_shapes),
      cmocka_unit_test(test_operators), cmocka_unit_test(test_labels)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
