/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Graphs of operators made in code, and operators of problems. */
#include <string.h>

#include "neap-tool.h"
#include "tests/support/sample.h"

/* ---------------------------------------------------------------- graphs */

/* Graphs of operators made in code, from tensors to a plan. */

/* ---------------------------------------------------------------- building */

static size_t add_tensor(neap_graph *graph, const char *name, neap_size bytes) {
  neap_error error;
  neap_tensor tensor = NEAP_TENSOR_INIT;
  tensor.bytes = bytes;
  assert_ok(neap_graph_add_tensor(graph, name, &tensor, &error), &error);
  return neap_graph_tensor_count(graph) - 1;
}

static size_t add_marked(neap_graph *graph, const char *name, neap_size bytes, bool is_input,
                         neap_tensor_kind kind) {
  neap_error error;
  neap_tensor tensor = NEAP_TENSOR_INIT;
  tensor.bytes = bytes;
  tensor.is_input = is_input;
  tensor.kind = kind;
  assert_ok(neap_graph_add_tensor(graph, name, &tensor, &error), &error);
  return neap_graph_tensor_count(graph) - 1;
}

/* Adds an operator with up to two inputs; SIZE_MAX: none. */
static void add_operator(neap_graph *graph, const char *name, size_t first, size_t second,
                         size_t output) {
  neap_error error;
  assert_ok(neap_graph_add_operator(graph, name, &error), &error);
  if (first != SIZE_MAX)
    assert_ok(neap_graph_add_link(graph, NEAP_LINK_INPUT, first, &error), &error);
  if (second != SIZE_MAX)
    assert_ok(neap_graph_add_link(graph, NEAP_LINK_INPUT, second, &error), &error);
  assert_ok(neap_graph_add_link(graph, NEAP_LINK_OUTPUT, output, &error), &error);
}

/*
 * Two branches whose operators alternate: each branch makes a large tensor and then a small one
 * from it.  Running one branch after the other needs less memory.
 */
static neap_graph *make_branches(void) {
  neap_graph *graph = neap_graph_new();
  assert_non_null(graph);
  size_t input = add_marked(graph, "input", 10, true, NEAP_TENSOR_ACTIVATION);
  size_t weights = add_marked(graph, "weights", 5000, false, NEAP_TENSOR_CONSTANT);
  size_t left = add_tensor(graph, "left", 100), right = add_tensor(graph, "right", 100);
  size_t small_left = add_tensor(graph, "small_left", 1);
  size_t small_right = add_tensor(graph, "small_right", 1);
  size_t sum = add_tensor(graph, "sum", 2);
  add_operator(graph, "CONV_2D", input, weights, left);
  add_operator(graph, "CONV_2D", input, weights, right);
  add_operator(graph, "MEAN", left, SIZE_MAX, small_left);
  add_operator(graph, "MEAN", right, SIZE_MAX, small_right);
  add_operator(graph, "ADD", small_left, small_right, sum);
  return graph;
}

static neap_problem *problem_of(const neap_graph *graph, const neap_liveness *liveness) {
  neap_problem *problem = sample_graph_problem(graph, liveness);
  return problem;
}

static neap_range lifetime_of(const neap_problem *problem, const char *name) {
  size_t index = 0;
  neap_buffer buffer = NEAP_INIT(neap_buffer);
  assert_true(neap_problem_find(problem, name, &index));
  assert_true(neap_problem_buffer_at(problem, index, &buffer));
  assert_int_equal(buffer.range_count, 1);
  return buffer.ranges[0];
}

static void expect_lifetime(const neap_problem *problem, const char *name, neap_time start,
                            neap_time end) {
  neap_range range = lifetime_of(problem, name);
  assert_int_equal(range.start, start);
  assert_int_equal(range.end, end);
}

/* ---------------------------------------------------------------- problems */

TEST(tensors_live_from_their_writer_to_their_last_reader) {
  neap_graph *graph = make_branches();
  neap_problem *problem = problem_of(graph, NULL);
  size_t index;
  assert_int_equal(neap_graph_tensor_count(graph), 7);
  assert_int_equal(neap_graph_operator_count(graph), 5);
  assert_string_equal(neap_graph_operator_name(graph, 4), "ADD");
  assert_int_equal(neap_problem_count(problem), 6);
  assert_false(neap_problem_find(problem, "weights", &index));
  expect_lifetime(problem, "input", 0, 2);
  expect_lifetime(problem, "left", 0, 3);
  expect_lifetime(problem, "right", 1, 4);
  expect_lifetime(problem, "sum", 4, 5);
  assert_null(neap_problem_graph(problem));
  neap_problem_free(problem);
  neap_graph_free(graph);
}

TEST(liveness_has_options) {
  static const char *const kept[] = {"left"};
  neap_graph *graph = make_branches();
  neap_problem *problem =
      problem_of(graph, &(neap_liveness){.no_inputs = true, .keep = kept, .keep_count = 1});
  size_t index;
  assert_false(neap_problem_find(problem, "input", &index));
  expect_lifetime(problem, "left", 0, 5);
  neap_problem_free(problem);
  problem = problem_of(graph, &(neap_liveness){.keep_all = true});
  expect_lifetime(problem, "right", 1, 5);
  neap_problem_free(problem);
  neap_graph_free(graph);
}

TEST(unknown_names_to_keep_are_errors) {
  static const char *const kept[] = {"nobody"};
  neap_graph *graph = make_branches();
  neap_problem *problem = NULL;
  neap_error error;
  const neap_liveness liveness = {.keep = kept, .keep_count = 1};
  assert_error(neap_graph_to_problem(graph, &liveness, &problem, &error), NEAP_ERROR_ARGUMENT,
               &error);
  neap_graph_free(graph);
}

TEST(an_output_can_use_the_bytes_of_an_input) {
  neap_graph *graph = neap_graph_new();
  neap_error error;
  size_t a = add_tensor(graph, "a", 64), b = add_tensor(graph, "b", 64);
  size_t scratch = add_tensor(graph, "scratch", 8);
  add_operator(graph, "CONV_2D", SIZE_MAX, SIZE_MAX, a);
  add_operator(graph, "RELU", a, SIZE_MAX, b);
  assert_ok(neap_graph_add_link(graph, NEAP_LINK_TEMPORARY, scratch, &error), &error);
  assert_ok(
      neap_graph_add_pair(graph, &(neap_in_place){sizeof(neap_in_place), 0, 0, false}, &error),
      &error);
  neap_problem *apart = problem_of(graph, NULL);
  neap_problem *shared = problem_of(graph, &(neap_liveness){.in_place = true});
  assert_int_equal(sample_bound(apart).bytes, 136);
  assert_int_equal(sample_bound(shared).bytes, 72);
  expect_lifetime(apart, "scratch", 1, 2);
  neap_problem_free(apart);
  neap_problem_free(shared);
  neap_graph_free(graph);
}

TEST(tensors_of_the_runtime_are_listed) {
  neap_graph *graph = make_branches();
  neap_tensor memory = NEAP_TENSOR_INIT;
  neap_runtime_tensor tensor = NEAP_INIT(neap_runtime_tensor);
  neap_error error;
  memory.bytes = 16;
  memory.kind = NEAP_TENSOR_VARIABLE;
  assert_ok(neap_graph_add_tensor(graph, "planned", &memory, &error), &error);
  memory.is_runtime = true;
  assert_ok(neap_graph_add_tensor(graph, "memory", &memory, &error), &error);
  neap_problem *problem = problem_of(graph, &(neap_liveness){.list_runtime = true});
  assert_true(neap_problem_runtime_tensor_at(problem, 0, &tensor));
  assert_string_equal(tensor.name, "memory");
  assert_int_equal(tensor.size, 16);
  assert_false(tensor.is_buffer);
  assert_ok(neap_problem_add_runtime_tensor(problem, "more", 3, &error), &error);
  assert_true(neap_problem_runtime_tensor_at(problem, 1, &tensor));
  assert_false(tensor.is_buffer);
  assert_false(neap_problem_runtime_tensor_at(problem, 2, &tensor));
  assert_error(neap_problem_add_runtime_tensor(problem, "more", 3, &error), NEAP_ERROR_INPUT,
               &error);
  assert_error(neap_problem_add_runtime_tensor(problem, "less", -1, &error), NEAP_ERROR_INPUT,
               &error);
  neap_problem_free(problem);
  neap_graph_free(graph);
}

/* ---------------------------------------------------------------- orders */

TEST(scheduling_lowers_the_bound) {
  neap_graph *graph = make_branches(), *copy = neap_graph_copy(graph);
  neap_error error;
  assert_ok(neap_graph_reorder(copy, &(neap_scheduling){.schedule = NEAP_SCHEDULE_MIN_PEAK},
                               NULL, &error),
            &error);
  neap_problem *given = problem_of(graph, NULL), *best = problem_of(copy, NULL);
  neap_operator_order order = NEAP_INIT(neap_operator_order);
  assert_false(neap_problem_order(given, &order));
  assert_true(neap_problem_order(best, &order));
  assert_int_equal(order.count, 5);
  bool is_first[5] = {false};
  for (size_t k = 0; k < order.count; k++) {
    assert_in_range(order.given[k], 0, 4);
    is_first[order.given[k]] = true;
  }
  for (size_t k = 0; k < order.count; k++)
    assert_true(is_first[k]);
  assert_int_equal(sample_bound(given).bytes, 210);
  assert_int_equal(sample_bound(best).bytes, 111);
  neap_problem_free(given);
  neap_problem_free(best);
  neap_graph_free(graph);
  neap_graph_free(copy);
}

TEST(reports_state_the_quality_of_the_order) {
  neap_graph *graph = make_branches();
  neap_error error;
  assert_ok(neap_graph_reorder(graph, &(neap_scheduling){.schedule = NEAP_SCHEDULE_MIN_PEAK},
                               NULL, &error),
            &error);
  neap_problem *problem = problem_of(graph, NULL);
  neap_plan *plan = sample_solve(problem, NULL);
  neap_report report = sample_report(plan);
  assert_true(report.order.is_scheduled);
  assert_int_equal(report.order.given_bound, 210);
  assert_int_equal(report.order.lower_bound, 111);
  assert_int_equal(report.order.outcome, NEAP_OPTIMAL);
  neap_plan_free(plan);
  neap_problem_free(problem);
  neap_graph_free(graph);
}

/* For programs that reorder operators themselves. */
TEST(an_order_can_be_recorded) {
  static const size_t given[] = {1, 0};
  neap_problem *problem = neap_problem_new();
  neap_error error;
  assert_ok(neap_problem_add_simple(problem, "a", 8, 0, 2, &error), &error);
  const neap_operator_order order = {.struct_size = sizeof(neap_operator_order),
                                     .given = given,
                                     .count = 2,
                                     .given_bound = 12,
                                     .lower_bound = 8};
  assert_ok(neap_problem_set_order(problem, &order, &error), &error);
  neap_operator_order found = NEAP_INIT(neap_operator_order);
  assert_true(neap_problem_order(problem, &found));
  assert_int_equal(found.count, 2);
  assert_ptr_not_equal(found.given, given);
  assert_memory_equal(found.given, given, sizeof given);
  assert_int_equal(found.given_bound, 12);
  assert_int_equal(found.lower_bound, 8);
  neap_problem_free(problem);
  problem = neap_problem_new();
  assert_false(neap_problem_order(problem, &found));
  neap_problem_free(problem);
}

/* ---------------------------------------------------------------- errors */

TEST(malformed_tensors_are_errors) {
  neap_graph *graph = neap_graph_new();
  neap_error error;
  neap_tensor tensor = NEAP_TENSOR_INIT;
  add_tensor(graph, "a", 1);
  assert_error(neap_graph_add_tensor(graph, "a", &tensor, &error), NEAP_ERROR_INPUT, &error);
  assert_error(neap_graph_add_tensor(graph, "", &tensor, &error), NEAP_ERROR_INPUT, &error);
  tensor.alignment = 0;
  assert_error(neap_graph_add_tensor(graph, "b", &tensor, &error), NEAP_ERROR_INPUT, &error);
  tensor.alignment = 1;
  tensor.bytes = -1;
  assert_error(neap_graph_add_tensor(graph, "b", &tensor, &error), NEAP_ERROR_INPUT, &error);
  assert_int_equal(neap_graph_tensor_count(graph), 1);
  neap_graph_free(graph);
}

TEST(links_need_an_operator_and_come_by_role) {
  neap_graph *graph = neap_graph_new();
  neap_error error;
  const neap_in_place pair = {sizeof(neap_in_place), 0, 0, false};
  size_t a = add_tensor(graph, "a", 1), b = add_tensor(graph, "b", 1);
  assert_error(neap_graph_add_link(graph, NEAP_LINK_INPUT, a, &error), NEAP_ERROR_ARGUMENT,
               &error);
  assert_error(neap_graph_add_pair(graph, &pair, &error), NEAP_ERROR_ARGUMENT, &error);
  assert_ok(neap_graph_add_operator(graph, "", &error), &error);
  assert_error(neap_graph_add_link(graph, NEAP_LINK_INPUT, 2, &error), NEAP_ERROR_ARGUMENT,
               &error);
  assert_ok(neap_graph_add_link(graph, NEAP_LINK_OUTPUT, b, &error), &error);
  assert_error(neap_graph_add_pair(graph, &pair, &error), NEAP_ERROR_INPUT, &error);
  assert_ok(neap_graph_add_link(graph, NEAP_LINK_TEMPORARY, a, &error), &error);
  assert_error(neap_graph_add_link(graph, NEAP_LINK_OUTPUT, a, &error), NEAP_ERROR_ARGUMENT,
               &error);
  neap_graph_free(graph);
}

TEST(operators_out_of_order_are_errors) {
  neap_graph *graph = neap_graph_new();
  neap_problem *problem = NULL;
  neap_error error;
  size_t a = add_tensor(graph, "a", 1), b = add_tensor(graph, "b", 1);
  add_operator(graph, "", a, SIZE_MAX, b);
  assert_error(neap_graph_to_problem(graph, NULL, &problem, &error), NEAP_ERROR_INPUT, &error);
  neap_graph_free(graph);
  graph = neap_graph_new();
  a = add_tensor(graph, "a", 1);
  add_operator(graph, "", SIZE_MAX, SIZE_MAX, a);
  add_operator(graph, "", SIZE_MAX, SIZE_MAX, a);
  assert_error(neap_graph_to_problem(graph, NULL, &problem, &error), NEAP_ERROR_INPUT, &error);
  neap_graph_free(graph);
  neap_graph_free(NULL);
}

static size_t add_end(neap_graph *graph, const char *name, neap_size bytes, bool is_input) {
  neap_error error;
  neap_tensor tensor = NEAP_TENSOR_INIT;
  tensor.bytes = bytes;
  tensor.is_input = is_input;
  tensor.is_output = !is_input;
  assert_ok(neap_graph_add_tensor(graph, name, &tensor, &error), &error);
  return neap_graph_tensor_count(graph) - 1;
}

/* Tensors may be added between states, and states to a copy. */
TEST(an_output_can_be_an_input_of_the_next_run) {
  neap_error error;
  neap_graph *graph = neap_graph_new();
  size_t h = add_end(graph, "h", 64, true), a = add_tensor(graph, "a", 32);
  size_t g = add_end(graph, "g", 64, false);
  add_operator(graph, "Cell", h, SIZE_MAX, a);
  add_operator(graph, "Gate", a, SIZE_MAX, g);
  assert_error(neap_graph_add_state(graph, g, 99, &error), NEAP_ERROR_ARGUMENT, &error);
  assert_error(neap_graph_add_state(graph, h, g, &error), NEAP_ERROR_INPUT, &error);
  assert_ok(neap_graph_add_state(graph, g, h, &error), &error);
  size_t i = add_end(graph, "i", 8, true), o = add_end(graph, "o", 8, false);
  add_operator(graph, "Count", i, SIZE_MAX, o);
  neap_graph *copy = neap_graph_copy(graph);
  assert_error(neap_graph_add_state(copy, g, i, &error), NEAP_ERROR_INPUT, &error);
  assert_ok(neap_graph_add_state(copy, o, i, &error), &error);
  neap_problem *problem = problem_of(copy, NULL);
  neap_plan *plan = sample_solve(problem, NULL);
  size_t places[4];
  static const char *const names[] = {"h", "g", "i", "o"};
  for (size_t n = 0; n < 4; n++)
    assert_true(neap_problem_find(problem, names[n], &places[n]));
  assert_int_equal(neap_plan_offset(plan, places[0]), neap_plan_offset(plan, places[1]));
  assert_int_not_equal(neap_plan_offset(plan, places[2]), neap_plan_offset(plan, places[3]));
  neap_plan_free(plan);
  neap_problem_free(problem);
  neap_graph_free(copy);
  neap_graph_free(graph);
}

TEST(an_operator_can_be_removed) {
  neap_error error;
  neap_graph *graph = make_branches();
  neap_problem *before = problem_of(graph, NULL);
  size_t count = neap_graph_operator_count(graph), more = add_tensor(graph, "more", 7);
  for (int round = 0; round < 2; round++) {
    add_operator(graph, "RELU", more - 1, SIZE_MAX, more);
    neap_in_place pair = {sizeof(neap_in_place), 0, 0, false};
    neap_allowance allowance = {sizeof(neap_allowance), 0, 0, 1};
    neap_part part = {sizeof(neap_part), 0, 0, 0, NEAP_ALIAS_CONCAT};
    assert_ok(neap_graph_add_pair(graph, &pair, &error), &error);
    assert_ok(neap_graph_add_allowance(graph, &allowance, &error), &error);
    assert_ok(neap_graph_add_part(graph, &part, &error), &error);
    if (round == 0) neap_graph_remove_operator(graph);
    assert_int_equal(neap_graph_operator_count(graph), count + (size_t)round);
  }
  neap_problem *after = problem_of(graph, NULL);
  assert_int_equal(neap_problem_count(after), neap_problem_count(before) + 1);
  assert_int_equal(lifetime_of(after, "sum").end, lifetime_of(before, "sum").end + 1);
  assert_int_equal(lifetime_of(after, "more").start, (neap_time)count);
  neap_problem_free(after);
  neap_problem_free(before);
  while (neap_graph_operator_count(graph) > 0)
    neap_graph_remove_operator(graph);
  neap_graph_remove_operator(graph);
  neap_graph_free(graph);
}

/* ---------------------------------------------------------------- operators of problems */

/* Operators, shapes and types of problems: what they accept, and what becomes of them. */

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

TEST(test_shapes) {
  neap_problem *problem = sample();
  neap_buffer buffer = NEAP_INIT(neap_buffer);
  assert_true(neap_problem_buffer_at(problem, 0, &buffer));
  assert_null(buffer.shape);
  assert_null(buffer.dtype);
  assert_true(neap_problem_buffer_at(problem, 2, &buffer));
  assert_non_null(buffer.shape);
  assert_null(buffer.dtype);
  neap_problem_free(problem);
}

TEST(test_bad_shapes) {
  static const neap_size shape[NEAP_RANK_MAX + 1] = {-2};
  static const neap_range range = {0, 2};
  neap_problem *problem = sample();
  neap_buffer buffer = NEAP_BUFFER_INIT;
  neap_error error;
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

TEST(test_operators) {
  neap_problem *problem = sample();
  const size_t reads[] = {0, 1}, twice[] = {1, 1}, none[] = {3};
  neap_operator_info info = {.struct_size = sizeof(neap_operator_info),
                             .type = "Add",
                             .name = "sum",
                             .reads = reads,
                             .read_count = 2};
  neap_error error;
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
  assert_string_equal(info.name, "sum");
  assert_int_equal(info.read_count, 2);
  assert_int_equal(info.make_count, 1);
  assert_int_equal(info.makes[0], 1);
  assert_false(neap_problem_operator_at(problem, 3, &info));
  neap_problem_free(problem);
}

/* A label goes with its operator, into copies and into problems. */
TEST(test_labels) {
  neap_graph *graph = neap_graph_new();
  neap_operator_info info = NEAP_INIT(neap_operator_info);
  neap_error error;
  assert_int_equal(neap_graph_label_operator(graph, "x", &error), NEAP_ERROR_ARGUMENT);
  assert_ok(neap_graph_add_operator(graph, "Conv", &error), &error);
  assert_int_equal(neap_graph_label_operator(graph, "\xff", &error), NEAP_ERROR_INPUT);
  assert_ok(neap_graph_label_operator(graph, "first", &error), &error);
  assert_ok(neap_graph_label_operator(graph, "conv1", &error), &error);
  neap_graph *copy = neap_graph_copy(graph);
  neap_graph_free(graph);
  neap_problem *problem = sample_graph_problem(copy, NULL);
  assert_true(neap_problem_operator_at(problem, 0, &info));
  assert_string_equal(info.type, "Conv");
  assert_string_equal(info.name, "conv1");
  neap_problem_free(problem);
  neap_graph_free(copy);
}

TEST(test_durations) {
  neap_graph *graph = neap_graph_new();
  neap_error error;
  assert_int_equal(neap_graph_time_operator(graph, 1, &error), NEAP_ERROR_ARGUMENT);
  assert_ok(neap_graph_add_operator(graph, "Conv", &error), &error);
  assert_int_equal(neap_graph_time_operator(graph, -1, &error), NEAP_ERROR_INPUT);
  assert_int_equal(neap_graph_time_operator(graph, NEAP_DURATION_MAX + 1, &error),
                   NEAP_ERROR_INPUT);
  assert_ok(neap_graph_time_operator(graph, NEAP_DURATION_MAX, &error), &error);
  assert_ok(neap_graph_time_operator(graph, 0, &error), &error);
  neap_graph_free(graph);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tensors_live_from_their_writer_to_their_last_reader),
      cmocka_unit_test(liveness_has_options),
      cmocka_unit_test(unknown_names_to_keep_are_errors),
      cmocka_unit_test(an_output_can_use_the_bytes_of_an_input),
      cmocka_unit_test(tensors_of_the_runtime_are_listed),
      cmocka_unit_test(scheduling_lowers_the_bound),
      cmocka_unit_test(reports_state_the_quality_of_the_order),
      cmocka_unit_test(an_order_can_be_recorded),
      cmocka_unit_test(malformed_tensors_are_errors),
      cmocka_unit_test(links_need_an_operator_and_come_by_role),
      cmocka_unit_test(operators_out_of_order_are_errors),
      cmocka_unit_test(an_operator_can_be_removed),
      cmocka_unit_test(an_output_can_be_an_input_of_the_next_run),
      cmocka_unit_test(test_shapes),
      cmocka_unit_test(test_bad_shapes),
      cmocka_unit_test(test_operators),
      cmocka_unit_test(test_labels),
      cmocka_unit_test(test_durations),
  };
  return cmocka_run_group_tests_name("api graph", tests, NULL, NULL);
}
