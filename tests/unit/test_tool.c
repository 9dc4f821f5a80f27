/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the program alone uses: neap-tool.h. */
#include <string.h>

#include "neap-tool.h"
#include "neap/relations.h"
#include "tests/support/sample.h"

/* ---------------------------------------------------------------- bounds */

TEST(the_bound_without_a_buffer_is_lower) {
  static const size_t indices[] = {0, 1};
  neap_problem *problem = neap_problem_new();
  neap_error error;
  neap_size bounds[2];
  assert_ok(neap_problem_add_simple(problem, "a", 10, 0, 3, &error), &error);
  assert_ok(neap_problem_add_simple(problem, "b", 20, 1, 2, &error), &error);
  assert_ok(neap_problem_bounds_without(problem, indices, 2, bounds, &error), &error);
  assert_int_equal(bounds[0], 20);
  assert_int_equal(bounds[1], 10);
  neap_problem_free(problem);
}

/* An exclusion, and a separation that the third buffer's removal leaves alone. */
TEST(relations_count_in_bounds_without) {
  const struct sample samples[] = {{0, 9, 10, 0}, {0, 9, 20, 0}, {0, 9, 5, 0}, {9, 12, 30, 0}};
  const neap_relation relations[] = {{sizeof(neap_relation), NEAP_EXCLUSION, 0, 1, 0, NULL},
                                     {sizeof(neap_relation), NEAP_SEPARATION, 3, 1, 0, NULL}};
  const size_t indices[] = {2, 1, 3, 0};
  neap_problem *problem = sample_problem(samples, 4);
  neap_size bounds[4];
  neap_error error;
  for (size_t i = 0; i < SAMPLE_COUNT(relations); i++)
    assert_ok(neap_problem_relate(problem, &relations[i], &error), &error);
  assert_ok(neap_problem_bounds_without(problem, indices, 4, bounds, &error), &error);
  assert_int_equal(bounds[0], 30);
  assert_int_equal(bounds[1], 30);
  assert_int_equal(bounds[2], 25); /* the excluded ones count as the larger */
  assert_int_equal(bounds[3], 30); /* separated buffers are not alive together */
  neap_problem_free(problem);
}

/* ---------------------------------------------------------------- retiming */

TEST(releases_come_before_allocations) {
  neap_problem *problem = neap_problem_new(), *retimed;
  neap_error error;
  sample_add(problem, "a", 100, 200, 8);
  sample_add(problem, "b", 150, 300, 8);
  sample_add(problem, "c", 200, 300, 8);
  assert_ok(neap_problem_retime(problem, &retimed, &error), &error);
  sample_expect_times(retimed, "a", 0, 2);
  sample_expect_times(retimed, "b", 1, 4);
  sample_expect_times(retimed, "c", 3, 5);
  assert_int_equal(sample_bound(retimed).bytes, 16);
  neap_problem_free(retimed);
  neap_problem_free(problem);
}

TEST(retiming_keeps_everything_else) {
  const neap_range range = {5, 9};
  neap_buffer buffer = {.struct_size = sizeof(neap_buffer),
                        .name = "a",
                        .size = 24,
                        .alignment = 8,
                        .fixed_offset = 64,
                        .ranges = &range,
                        .range_count = 1,
                        .hint = "here"};
  neap_problem *problem = neap_problem_new(), *retimed;
  neap_error error;
  assert_ok(neap_problem_add(problem, &buffer, &error), &error);
  assert_ok(neap_problem_retime(problem, &retimed, &error), &error);
  neap_problem_free(problem);
  neap_problem_buffer_at(retimed, 0, &buffer);
  assert_string_equal(buffer.name, "a");
  assert_string_equal(buffer.hint, "here");
  assert_int_equal(buffer.size, 24);
  assert_int_equal(buffer.alignment, 8);
  assert_int_equal(buffer.fixed_offset, 64);
  neap_problem_free(retimed);
}

TEST(gaps_cannot_be_retimed) {
  const neap_range ranges[] = {{0, 2}, {5, 6}};
  neap_problem *problem = neap_problem_new(), *retimed = NULL;
  neap_error error;
  sample_add_gapped(problem, "gapped", ranges, 2, 4);
  assert_error(neap_problem_retime(problem, &retimed, &error), NEAP_ERROR_FORMAT, &error);
  assert_says(&error, "gapped");
  neap_problem_free(problem);
}

TEST(an_empty_problem_can_be_retimed) {
  neap_problem *problem = neap_problem_new(), *retimed;
  neap_error error;
  assert_ok(neap_problem_retime(problem, &retimed, &error), &error);
  assert_int_equal(neap_problem_count(retimed), 0);
  neap_problem_free(retimed);
  neap_problem_free(problem);
}

/* ---------------------------------------------------------------- graphs and texts */

TEST(tensors_never_planned_are_counted) {
  neap_graph *graph = neap_graph_new();
  neap_tensor constant = NEAP_TENSOR_INIT, external = NEAP_TENSOR_INIT;
  neap_left_out left_out;
  neap_error error;
  constant.kind = NEAP_TENSOR_CONSTANT;
  constant.bytes = 5000;
  external.kind = NEAP_TENSOR_EXTERNAL;
  external.bytes = 4;
  assert_ok(neap_graph_add_tensor(graph, "weights", &constant, &error), &error);
  assert_ok(neap_graph_add_tensor(graph, "state", &external, &error), &error);
  neap_graph_left_out(graph, &left_out);
  assert_int_equal(left_out.constants, 1);
  assert_int_equal(left_out.elsewhere, 1);
  assert_int_equal(left_out.constant_bytes, 5000);
  neap_graph_free(graph);
}

static void expect_shape(const neap_size *shape, size_t rank, const char *dtype,
                         const char *expected) {
  const neap_buffer buffer = {
      .struct_size = sizeof(neap_buffer), .shape = shape, .rank = rank, .dtype = dtype};
  char text[NEAP_SHAPE_TEXT];
  assert_string_equal(neap_shape_text(&buffer, text), expected);
}

TEST(shapes_are_texts) {
  static const neap_size shape[] = {1, -1, 4};
  expect_shape(NULL, 0, NULL, "");
  expect_shape(shape, 3, "float32", "1x?x4 float32");
  expect_shape(shape, 0, NULL, "scalar");
}

TEST(long_shapes_are_truncated) {
  neap_size shape[NEAP_RANK_MAX];
  char text[NEAP_SHAPE_TEXT];
  char type[2 * NEAP_SHAPE_TEXT];
  neap_buffer buffer = {
      .struct_size = sizeof(neap_buffer), .shape = shape, .rank = NEAP_RANK_MAX, .dtype = type};
  memset(type, 'a', sizeof type);
  type[sizeof type - 1] = '\0';
  for (size_t d = 0; d < NEAP_RANK_MAX; d++)
    shape[d] = NEAP_MAX;
  neap_shape_text(&buffer, text);
  assert_true(strlen(text) < NEAP_SHAPE_TEXT);
  assert_non_null(strstr(text, "x... a"));
}

/* Shapes stay, operators go. */
TEST(retiming_keeps_shapes_and_drops_operators) {
  static const neap_size shape[] = {1, -1, 4};
  static const neap_range range = {0, 2};
  neap_problem *problem = neap_problem_new(), *retimed;
  neap_buffer buffer = NEAP_BUFFER_INIT;
  neap_error error;
  buffer.name = "shaped";
  buffer.size = 16;
  buffer.ranges = &range;
  buffer.range_count = 1;
  buffer.shape = shape;
  buffer.rank = 3;
  buffer.dtype = "float32";
  assert_ok(neap_problem_add(problem, &buffer, &error), &error);
  assert_ok(neap_problem_add_operator(
                problem,
                &(neap_operator_info){.struct_size = sizeof(neap_operator_info), .type = "Add"},
                &error),
            &error);
  assert_string_equal(neap_problem_operator_type(problem, 0), "Add");
  assert_string_equal(neap_problem_operator_type(problem, 1), "");
  assert_string_equal(neap_problem_operator_type(problem, -1), "");
  assert_ok(neap_problem_retime(problem, &retimed, &error), &error);
  assert_int_equal(neap_problem_operator_count(retimed), 0);
  assert_string_equal(neap_problem_operator_type(retimed, 0), "");
  assert_true(neap_problem_buffer_at(retimed, 0, &buffer));
  expect_shape(buffer.shape, buffer.rank, buffer.dtype, "1x?x4 float32");
  neap_problem_free(retimed);
  neap_problem_free(problem);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_bound_without_a_buffer_is_lower),
      cmocka_unit_test(relations_count_in_bounds_without),
      cmocka_unit_test(releases_come_before_allocations),
      cmocka_unit_test(retiming_keeps_everything_else),
      cmocka_unit_test(gaps_cannot_be_retimed),
      cmocka_unit_test(an_empty_problem_can_be_retimed),
      cmocka_unit_test(retiming_keeps_shapes_and_drops_operators),
      cmocka_unit_test(tensors_never_planned_are_counted),
      cmocka_unit_test(shapes_are_texts),
      cmocka_unit_test(long_shapes_are_truncated),
  };
  return cmocka_run_group_tests_name("tool", tests, NULL, NULL);
}
