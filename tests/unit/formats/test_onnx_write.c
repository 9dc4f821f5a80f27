/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ONNX models written with their operators in another order, and some of them repeated.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/graph.h"
#include "tests/support/files.h"
#include "tests/support/onnx_maker.h"

/* ---------------------------------------------------------------- writing */

static const neap_reading plain = NEAP_INIT(neap_reading);

static neap_graph *read_graph(const char *path, const neap_reading *reading) {
  neap_graph *graph = NULL;
  neap_error error;
  assert_ok(neap_graph_read(path, reading, &graph, &error), &error);
  return graph;
}

static void make_model(const char *text, const char *within) {
  onnx_make_file(text, within, "in.onnx");
}

/* Writes in.onnx as out.onnx, with the operators at these digits; NULL: as it is. */
static neap_status write_runs(const char *digits, const neap_reading *reading,
                              neap_error *error) {
  neap_graph *graph = read_graph("in.onnx", reading);
  neap_problem *problem = sample_graph_problem(graph, NULL);
  const neap_writing writing = {
      .struct_size = sizeof(neap_writing), .model = "in.onnx", .reading = reading};
  size_t given[16], count = 0;
  neap_operator_order order = NEAP_INIT(neap_operator_order);
  for (; digits && digits[count]; count++)
    given[count] = (size_t)(digits[count] - '0');
  order.given = given;
  order.count = count;
  if (digits) assert_ok(neap_problem_set_order(problem, &order, error), error);
  neap_plan *plan = sample_solve(problem, NULL);
  neap_status status = neap_plan_write(plan, "out.onnx", &writing, error);
  neap_plan_free(plan);
  neap_problem_free(problem);
  neap_graph_free(graph);
  return status;
}

static void append_links(const neap_graph *graph, struct graph_links links, char *text) {
  for (size_t i = links.begin; i < links.end; i++) {
    strcat(text, " ");
    strcat(text, names_text(&graph->names, graph->links[i]));
  }
}

/* "Relu x -> y; " for each operator, with its label if it has one. */
static void expect_operators(const neap_reading *reading, const char *expected) {
  neap_graph *graph = read_graph("out.onnx", reading);
  char text[1024] = "";
  for (size_t k = 0; k < graph->operator_count; k++) {
    const struct graph_operator *node = &graph->operators[k];
    strcat(text, node->name);
    append_links(graph, node->inputs, text);
    strcat(text, " ->");
    append_links(graph, node->outputs, text);
    if (node->label) strcat(strcat(text, " : "), node->label);
    strcat(text, "; ");
  }
  assert_string_equal(text, expected);
  neap_graph_free(graph);
}

/* ---------------------------------------------------------------- cases */

TEST(readers_read_the_newest) {
  neap_error error;
  make_model("opset 13\ninput x float[1,4]\nconstant w float[4,4]\nconstant eight float[]{8}\n"
             "value a float[1,4]\n"
             "Gemm x w -> a : first\nClip a - eight -> b\nmy.own:Thing b -> c : first#2\n"
             "value c float[1,4]\nAdd a c -> y\noutput y\n",
             NULL);
  assert_ok(write_runs("01203", &plain, &error), &error);
  expect_operators(&plain, "Gemm x w -> a : first; Clip a eight -> b; "
                           "Thing b -> c : first#2; Gemm x w -> a#2 : first#3; "
                           "Add a#2 c -> y; ");
  assert_ok(write_runs("0120123", &plain, &error), &error); /* also what only is declared */
  expect_operators(&plain, "Gemm x w -> a : first; Clip a eight -> b; Thing b -> c : first#2; "
                           "Gemm x w -> a#2 : first#3; Clip a#2 eight -> b#2; "
                           "Thing b#2 -> c#2 : first#2#2; Add a#2 c#2 -> y; ");
}

TEST(a_model_without_another_order_is_copied) {
  neap_error error;
  make_model("input x float[2]\nRelu x -> y\noutput y\n", NULL);
  assert_ok(write_runs(NULL, &plain, &error), &error);
  files_expect_same("in.onnx", "out.onnx");
}

static const char shapes_text[] =
    "opset 13\ninput x float[N,3]\nconstant half float[]{0.5f}\nMul half half -> quarter\n"
    "Relu x -> a\nShape a -> s\nNeg x -> b\nReshape b s -> c\nMul a quarter -> d\n"
    "Add c d -> y\noutput y\n";

/* Nodes whose outputs are known follow what they read. */
TEST(shapes_come_in_time) {
  neap_error error;
  const neap_dimension dimension = {"N", 2};
  neap_reading reading = NEAP_INIT(neap_reading);
  reading.model.dimensions = &dimension;
  reading.model.dimension_count = 1;
  make_model(shapes_text, NULL);
  assert_ok(write_runs("10234", &reading, &error), &error);
  expect_operators(&reading, "Neg x -> b; Relu x -> a; Reshape b s -> c; "
                             "Mul a quarter -> d; Add c d -> y; ");
  assert_error(write_runs("12034", &reading, &error), NEAP_ERROR_FORMAT, &error);
  assert_says(&error, "'Reshape' needs tensor 's' before it can be computed");
}

/* With fixed dimensions, a shape that is needed before its tensor is a constant. */
TEST(shapes_can_come_before_tensors) {
  neap_error error;
  char text[sizeof shapes_text];
  strcpy(text, shapes_text);
  *strchr(text, 'N') = '2';
  make_model(text, NULL);
  assert_ok(write_runs("12034", &plain, &error), &error);
  expect_operators(&plain, "Neg x -> b; Reshape b s -> c; Relu x -> a; "
                           "Mul a quarter -> d; Add c d -> y; ");
}

TEST(other_models_are_refused) {
  neap_error error;
  make_model("input x float[2]\nRelu x -> a\nNeg a -> y\noutput y\n", NULL);
  assert_error(write_runs("012", &plain, &error), NEAP_ERROR_ARGUMENT, &error);
  assert_says(&error, "the plan has operator 2");
  assert_error(write_runs("0", &plain, &error), NEAP_ERROR_ARGUMENT, &error);
  assert_says(&error, "the plan lacks operator 1");
  assert_error(write_runs("10", &plain, &error), NEAP_ERROR_FORMAT, &error);
}

/* ---------------------------------------------------------------- what runs once */

static bool is_once(const char *text, const char *within, const char *type) {
  make_model(text, within);
  neap_graph *graph = read_graph("in.onnx", &plain);
  size_t k = 0;
  while (k < graph->operator_count && strcmp(graph->operators[k].name, type) != 0)
    k++;
  assert_true(k < graph->operator_count);
  bool is_once = graph->operators[k].is_once;
  neap_graph_free(graph);
  return is_once;
}

TEST(some_operators_run_once) {
  static const char subgraph[] = "opset 13\ninput x float[2]\nconstant c bool[]{1}\n"
                                 "Relu x -> a\nNeg a -> b\nIf c -> y then=@\n"
                                 "value y float[2]\noutput y\n";
  assert_false(is_once(subgraph, "Abs b -> r\noutput r\n", "Relu"));
  assert_true(is_once(subgraph, "Abs b -> r\noutput r\n", "Neg"));
  assert_true(is_once(subgraph, "Abs b -> r\noutput r\n", "If"));
  assert_true(is_once("opset 13\ninput x float[2]\nRandomUniformLike x -> y\noutput y\n", NULL,
                      "RandomUniformLike"));
  assert_false(
      is_once("opset 13\ninput x float[2]\nDropout x -> y\noutput y\n", NULL, "Dropout"));
  assert_true(is_once("opset 13\ninput x float[2]\nconstant r float[]{0.5f}\n"
                      "constant t bool[]{1}\nDropout x r t -> y\noutput y\n",
                      NULL, "Dropout"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      FILES_CASE(readers_read_the_newest),  FILES_CASE(a_model_without_another_order_is_copied),
      FILES_CASE(shapes_come_in_time),      FILES_CASE(shapes_can_come_before_tensors),
      FILES_CASE(other_models_are_refused), FILES_CASE(some_operators_run_once)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
