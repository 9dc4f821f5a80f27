/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reading ONNX models: names, order, constants, free dimensions, liveness; and damaged models.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "models/onnx/onnx.h"
#include "neap-tool.h"
#include "tests/support/bands.h"
#include "tests/support/onnx_maker.h"
#include "tests/support/sample.h"

/* ---------------------------------------------------------------- reading */

static neap_status read_with(const char *text, const char *within, const neap_reading *reading,
                             neap_graph **graph, neap_error *error) {
  size_t size;
  char *bytes = onnx_make(text, within, &size);
  neap_status status = onnx_read(bytes, size, reading, graph, error);
  free(bytes);
  return status;
}

static const neap_reading plain = NEAP_INIT(neap_reading);

static neap_graph *read_graph(const char *text) {
  neap_graph *graph = NULL;
  neap_error error;
  assert_ok(read_with(text, NULL, &plain, &graph, &error), &error);
  return graph;
}

static void expect_error_within(const char *text, const char *within, const char *words) {
  neap_graph *graph = NULL;
  neap_error error;
  assert_error(read_with(text, within, &plain, &graph, &error), NEAP_ERROR_INPUT, &error);
  assert_says(&error, words);
}

static void expect_error(const char *text, const char *words) {
  expect_error_within(text, NULL, words);
}

static const neap_tensor *tensor_of(const neap_graph *graph, const char *name) {
  size_t index = names_find(&graph->names, name, strlen(name));
  assert_true(index != NAMES_NONE);
  return &graph->tensors[index];
}

static neap_buffer buffer_of(const neap_problem *problem, const char *name) {
  size_t index;
  assert_true(neap_problem_find(problem, name, &index));
  neap_buffer buffer = sample_buffer(problem, index);
  return buffer;
}

/* When a tensor is alive, and its size. */
static void expect_life(const neap_graph *graph, const neap_liveness *options, const char *name,
                        neap_time start, neap_time end, neap_size size) {
  neap_problem *problem = sample_graph_problem(graph, options);
  neap_buffer buffer = buffer_of(problem, name);
  assert_int_equal(buffer.ranges[0].start, start);
  assert_int_equal(buffer.ranges[0].end, end);
  assert_int_equal(buffer.size, size);
  neap_problem_free(problem);
}

static size_t count_buffers(const neap_graph *graph, const neap_liveness *options) {
  neap_problem *problem = sample_graph_problem(graph, options);
  size_t count = neap_problem_count(problem);
  neap_problem_free(problem);
  return count;
}

/* ---------------------------------------------------------------- tensors */

TEST(a_chain_is_read) {
  neap_graph *graph = read_graph("input x float[2,3]\n"
                                 "constant w float[3,4]{0}\n"
                                 "Gemm x w -> y\n"
                                 "Relu y -> z\n"
                                 "output z float[2,4]\n");
  assert_int_equal(neap_graph_operator_count(graph), 2);
  assert_string_equal(graph->operators[0].name, "Gemm");
  assert_int_equal(tensor_of(graph, "w")->kind, NEAP_TENSOR_CONSTANT);
  expect_life(graph, NULL, "x", 0, 1, 24);
  expect_life(graph, NULL, "y", 0, 2, 32);
  expect_life(graph, NULL, "z", 1, 2, 32);
  assert_int_equal(count_buffers(graph, NULL), 3);
  neap_graph_free(graph);
}

TEST(elements_have_widths) {
  static const struct {
    const char *type;
    neap_size bytes, alignment;
  } rows[] = {{"float", 28, 4},  {"uint8", 7, 1},       {"int16", 14, 2},    {"int64", 56, 8},
              {"bool", 7, 1},    {"float16", 14, 2},    {"bfloat16", 14, 2}, {"int4", 4, 1},
              {"double", 56, 8}, {"complex128", 112, 8}};
  for (size_t i = 0; i < SAMPLE_COUNT(rows); i++) {
    char text[256];
    snprintf(text, sizeof text, "input x %s[7]\nRelu x -> y\noutput y\n", rows[i].type);
    neap_graph *graph = read_graph(text);
    assert_int_equal(tensor_of(graph, "x")->bytes, rows[i].bytes);
    assert_int_equal(tensor_of(graph, "y")->bytes, rows[i].bytes);
    assert_int_equal(tensor_of(graph, "x")->alignment, rows[i].alignment);
    neap_graph_free(graph);
  }
}

TEST(old_initializers_are_inputs_too) {
  neap_graph *graph = read_graph("input x float[4]\ninput w float[4]\n"
                                 "constant w float[4]{1,2,3,4}\n"
                                 "Mul x w -> y\noutput y\n");
  assert_int_equal(tensor_of(graph, "w")->kind, NEAP_TENSOR_CONSTANT);
  assert_false(tensor_of(graph, "w")->is_input);
  assert_true(tensor_of(graph, "x")->is_input);
  assert_true(tensor_of(graph, "y")->is_output);
  neap_graph_free(graph);
}

TEST(optional_outputs_can_be_omitted) {
  neap_graph *graph = read_graph("opset 13\ninput x float[8]\n"
                                 "Dropout x -> y mask\nDropout y -> z -\nDropout z -> - only\n"
                                 "output z\n");
  assert_int_equal(neap_graph_tensor_count(graph), 5);
  expect_life(graph, NULL, "mask", 0, 1, 8);
  expect_life(graph, NULL, "only", 2, 3, 8);
  neap_graph_free(graph);
}

TEST(names_are_checked) {
  expect_error("input x float[1]\ninput x float[1]\n", "duplicate tensor 'x'");
  expect_error("input x float[1]\nRelu x -> y\nRelu x -> y\n", "duplicate tensor 'y'");
  expect_error("input x float[1]\nRelu x -> x\n", "duplicate tensor 'x'");
  expect_error("input x float[1]\nRelu y -> z\n", "reads tensor 'y', which does not exist");
  expect_error("input x float[1]\noutput y\n", "the output 'y' of the graph does not exist");
  expect_error("input \xff float[1]\n", "UTF-8");
  expect_error("constant c float[-1]{0}\n", "negative");
  expect_error("input x float[-2]\n", "dimension 0 is -2");
  expect_error("input x float[4294967296,4294967296]\n", "too many");
  expect_error("input x float[2305843009213693952]\n", "too many");
}

/* ---------------------------------------------------------------- constants */

/* Whether their data is in the model, in another file, or missing. */
TEST(constants_have_the_bytes_of_their_shapes) {
  neap_graph *graph =
      read_graph("input x float[2]\nexternal far float[4,5]\nconstant lost int8[7]\n"
                 "constant near float[2]{1,2}\nraw packed uint8[3]{1,2,3}\n"
                 "sparse thin float[2,3]\nconstant text string[9]\n"
                 "Shape far -> shape\nAdd x near -> y\noutput y\n");
  neap_left_out left_out;
  assert_int_equal(tensor_of(graph, "far")->bytes, 80);
  assert_int_equal(tensor_of(graph, "lost")->bytes, 7);
  assert_int_equal(tensor_of(graph, "near")->bytes, 8);
  assert_int_equal(tensor_of(graph, "packed")->bytes, 3);
  assert_int_equal(tensor_of(graph, "thin")->bytes, 24);
  assert_int_equal(tensor_of(graph, "text")->bytes, 0);
  assert_int_equal(tensor_of(graph, "shape")->bytes, 16);
  neap_graph_left_out(graph, &left_out);
  assert_int_equal(left_out.constants, 7);
  assert_int_equal(left_out.constant_bytes, 80 + 7 + 8 + 3 + 24 + 16);
  neap_graph_free(graph);
}

TEST(constants_are_left_out) {
  neap_graph *graph = read_graph("input x float[2,12]\n"
                                 "Constant -> a value=float[2]{1,2}\n"
                                 "constant b float[2]{3,4}\n"
                                 "Add a b -> c\n"
                                 "RandomNormal -> r shape=[5]\n"
                                 "Shape x -> s\n"
                                 "constant one int64[1]{1}\nconstant three int64[1]{3}\n"
                                 "Gather s one -> twelve\n"
                                 "Div twelve three -> four\n"
                                 "constant open int64[1]{-1}\n"
                                 "Concat four open -> shape axis=0\n"
                                 "Reshape x shape -> y\n"
                                 "output y\noutput c\n");
  assert_int_equal(neap_graph_operator_count(graph), 2); /* RandomNormal and Reshape */
  assert_int_equal(tensor_of(graph, "c")->kind, NEAP_TENSOR_CONSTANT);
  assert_int_equal(tensor_of(graph, "shape")->kind, NEAP_TENSOR_CONSTANT);
  assert_int_equal(tensor_of(graph, "r")->kind, NEAP_TENSOR_ACTIVATION);
  expect_life(graph, NULL, "y", 1, 2, 96);
  neap_graph_free(graph);
}

TEST(raw_elements_are_read) {
  neap_graph *graph = read_graph("input x float[6]\nraw s int64[2]{-1,2}\n"
                                 "Reshape x s -> y\nraw f float[2]{2.5,1}\n"
                                 "Resize y - f -> z\n"
                                 "raw t int32[2]{-1,14}\nCast t -> u to=7\n"
                                 "Reshape z u -> w\noutput w\n");
  assert_int_equal(tensor_of(graph, "z")->bytes, 7 * 2 * 4);
  assert_int_equal(tensor_of(graph, "w")->bytes, 7 * 2 * 4);
  neap_graph_free(graph);
}

TEST(external_elements_are_unknown) {
  neap_graph *graph = read_graph("input x float[2,3]\nexternal w float[3,4]\n"
                                 "sparse v float[4,5]\n"
                                 "MatMul x w -> y\nMatMul y v -> z\noutput z\n");
  assert_int_equal(tensor_of(graph, "z")->bytes, 40);
  neap_graph_free(graph);
  expect_error(
      "input x float[2,3]\nexternal s int64[1]\nReshape x s -> y : here\n",
      "operator 0, 'Reshape' named 'here': the shape of tensor 'y' cannot be inferred: "
      "the elements of input 1 are unknown");
}

/* A few bytes that describe many elements: these are counted, not created. */
TEST(huge_constants_need_no_memory) {
  neap_graph *graph = read_graph("input x float[1]\nconstant n int64[1]{4000000000}\n"
                                 "ConstantOfShape n -> big\nExpand x n -> bigger\n"
                                 "constant z int64{0}\nconstant m int64{4000000000}\n"
                                 "constant o int64{1}\nRange z m o -> range\n"
                                 "output bigger\n");
  assert_int_equal(tensor_of(graph, "bigger")->bytes, 16000000000);
  neap_graph_free(graph);
  /* Very many tensors of the largest size whose elements are kept. */
  char *many = calloc(1, 2000000);
  size_t at = (size_t)sprintf(many, "constant n int64[1]{4096}\n");
  for (int i = 0; i < 40000; i++)
    at += (size_t)sprintf(many + at, "ConstantOfShape n -> t%d\n", i);
  graph = read_graph(many);
  assert_int_equal(neap_graph_operator_count(graph), 0);
  neap_graph_free(graph);
  free(many);
}

/* ---------------------------------------------------------------- shapes that are declared */

TEST(free_dimensions_need_values) {
  static const char text[] = "input x float[N,?,3]\nRelu x -> y\noutput y float[N,?,3]\n";
  neap_graph *graph;
  neap_error error;
  const neap_dimension dimensions[] = {{"N", 2}, {"x:1", 5}, {"batch", 1}};
  neap_reading reading = {.struct_size = sizeof(neap_reading), .model.dimensions = dimensions};
  expect_error(text, "free dimensions 'N', 'x:1': set them, for example with "
                     "neap_reading.model.dimensions N=1,x:1=1");
  reading.model.dimension_count = 1;
  assert_error(read_with(text, NULL, &reading, &graph, &error), NEAP_ERROR_INPUT, &error);
  assert_says(&error, "free dimension 'x:1': set it, for example with "
                      "neap_reading.model.dimensions x:1=1");
  reading.model.dimension_count = 2;
  assert_ok(read_with(text, NULL, &reading, &graph, &error), &error);
  assert_int_equal(tensor_of(graph, "x")->bytes, 2 * 5 * 3 * 4);
  assert_int_equal(tensor_of(graph, "y")->bytes, 2 * 5 * 3 * 4);
  neap_graph_free(graph);
  reading.model.dimension_count = 3;
  assert_error(read_with(text, NULL, &reading, &graph, &error), NEAP_ERROR_ARGUMENT, &error);
  assert_says(&error, "no free dimension 'batch'; it has 'N', 'x:1', 'y:1'");
  expect_error("input x float[-1]\n", "free dimension 'x:0'");
  expect_error("input x float\n", "tensor 'x' has no shape");
  expect_error("input x\n", "tensor 'x' has no shape");
}

TEST(declared_shapes_are_used) {
  neap_graph *graph;
  neap_error error;
  const neap_dimension dimension = {"M", 9};
  const neap_reading reading = {.struct_size = sizeof(neap_reading),
                                .model.dimensions = &dimension,
                                .model.dimension_count = 1};
  static const char open[] = "input x float[4]\nnew:Thing x -> y\nvalue y float16[M]\n";
  graph = read_graph("input x float[4]\nnew:Thing x -> y\nvalue y float16[5]\noutput y\n");
  assert_int_equal(tensor_of(graph, "y")->bytes, 10);
  neap_graph_free(graph);
  expect_error(open,
               "free dimension 'M': set it, for example with "
               "neap_reading.model.dimensions M=1 (operator 0, 'Thing': unknown operator)");
  assert_ok(read_with(open, NULL, &reading, &graph, &error), &error);
  assert_int_equal(tensor_of(graph, "y")->bytes, 18);
  neap_graph_free(graph);
  /* A free dimension in the middle is inferred. */
  graph = read_graph("input x float[4]\nRelu x -> y\nvalue y float[unk]\noutput y\n");
  assert_int_equal(tensor_of(graph, "y")->bytes, 16);
  neap_graph_free(graph);
  expect_error("input x float[4]\nnew:Thing x -> y : here\n",
               "operator 0, 'Thing' named 'here': the shape of tensor 'y' cannot be inferred");
}

/*
 * Values that are given for dimensions, and what is declared, are compared with what operators
 * make.
 */
TEST(contradictions_are_found) {
  neap_graph *graph;
  neap_error error;
  static const char text[] = "input x float[N,2]\nRelu x -> y\noutput y float[M,2]\n";
  const neap_dimension dimensions[] = {{"N", 2}, {"M", 9}};
  neap_reading reading = {.struct_size = sizeof(neap_reading),
                          .model.dimensions = dimensions,
                          .model.dimension_count = 2};
  assert_error(read_with(text, NULL, &reading, &graph, &error), NEAP_ERROR_ARGUMENT, &error);
  assert_says(&error,
              "neap_reading.model.dimensions: dimension 0 of tensor 'y' is given as 9, but "
              "operator 0, 'Relu' makes 2");
  /* Runtimes also use the shape that the operator makes. */
  graph = read_graph("input x float[4]\nRelu x -> y\nvalue y float[5]\noutput y\n");
  assert_int_equal(tensor_of(graph, "y")->bytes, 16);
  neap_graph_free(graph);
  graph = read_graph("input x float[4]\nRelu x -> y\nvalue y float[1,4]\noutput y\n");
  assert_int_equal(tensor_of(graph, "y")->bytes, 16);
  neap_graph_free(graph);
  expect_error("input x float[4]\nRelu x -> y\nvalue y int8[4]\noutput y\n",
               "tensor 'y' is declared as a tensor of int8, but operator 0, 'Relu' makes one "
               "of float");
}

TEST(texts_are_elsewhere) {
  neap_left_out left_out;
  neap_graph *graph = read_graph("input names string[7]\nIdentity names -> y\n"
                                 "my:Count y -> n\nvalue n int64[1]\noutput n\n");
  neap_graph_left_out(graph, &left_out);
  assert_int_equal(left_out.elsewhere, 2);
  assert_int_equal(tensor_of(graph, "n")->bytes, 8);
  neap_graph_free(graph);
}

/* ---------------------------------------------------------------- order */

TEST(operators_are_sorted) {
  neap_graph *graph = read_graph("input x float[1]\n"
                                 "Add b c -> d\nRelu x -> b\nAbs b -> a\nNeg x -> c\n"
                                 "output d\n");
  static const char *const wanted[] = {"Relu", "Abs", "Neg", "Add"};
  assert_int_equal(neap_graph_operator_count(graph), 4);
  for (size_t k = 0; k < 4; k++)
    assert_string_equal(graph->operators[k].name, wanted[k]);
  neap_graph_free(graph);
  expect_error("input x float[1]\nAdd x c -> b : p\nRelu b -> c : q\nNeg c -> d : r\n",
               "depends on its own output (cycle)");
  /* The operator after the cycle is not on it. */
  expect_error("input x float[1]\nNeg c -> d : r\nRelu c -> c2 : q\nAdd x c2 -> c : p\n",
               "operator 2, 'Add' named 'p' depends on");
}

/* ---------------------------------------------------------------- in place */

TEST(elements_go_in_place) {
  const neap_liveness in_place = {.in_place = true};
  neap_graph *graph = read_graph("input x float[2,3]\n"
                                 "Relu x -> a\nSigmoid a -> b\nconstant one float{1}\n"
                                 "Add one b -> c\nTranspose c -> d\n"
                                 "constant six int64[1]{6}\nReshape d six -> e\n"
                                 "Softmax e -> f\noutput f\n");
  assert_int_equal(count_buffers(graph, NULL), 7);
  assert_int_equal(count_buffers(graph, &in_place), 4); /* x, abc, de, f */
  expect_life(graph, &in_place, "a", 0, 4, 24);
  assert_true(graph->pairs[graph->operators[4].pairs_begin].is_view);
  neap_graph_free(graph);
  /* A broadcast input of the same size cannot be overwritten. */
  graph = read_graph("input x float[1]\ninput y float[4]\nNeg x -> a\nNeg y -> b\n"
                     "Equal a b -> c\noutput c\n");
  assert_int_equal(count_buffers(graph, &in_place), 5);
  neap_graph_free(graph);
}

/* ---------------------------------------------------------------- graphs within */

TEST(subgraphs_keep_tensors_alive) {
  static const char text[] = "input x float[4]\ninput c bool[]\nNeg x -> a\nNeg x -> b\n"
                             "If c -> y then=@\nvalue y float[4]\noutput y\n";
  neap_graph *graph;
  neap_error error;
  assert_ok(read_with(text, "Relu a -> r\noutput r\n", &plain, &graph, &error), &error);
  /* Neg, Neg, If, enter, Relu, leave, return */
  expect_life(graph, NULL, "a", 0, 7, 16);
  expect_life(graph, NULL, "b", 1, 2, 16);
  expect_life(graph, NULL, "r", 4, 6, 16);
  expect_life(graph, NULL, "y", 2, 7, 16);
  neap_graph_free(graph);
  /* A tensor made inside the subgraph hides one of the same name outside. */
  assert_ok(read_with(text, "Relu x -> a\nRelu a -> r\noutput r\n", &plain, &graph, &error),
            &error);
  expect_life(graph, NULL, "a", 0, 1, 16);
  expect_life(graph, NULL, "a#5", 4, 6, 16);
  neap_graph_free(graph);
  expect_error("input c bool[]\nIf c -> y\n", "operator 0, 'If'");
}

/* A branch that is never taken needs no memory. */
TEST(only_the_branch_that_is_taken_is_planned) {
  static const char within[] = "Relu x -> a\nConcat a a -> r axis=0\noutput r\n";
  neap_graph *graph;
  neap_error error;
  assert_ok(read_with("input x float[4]\nconstant c bool[1]{1}\nIf c -> y then_branch=@ "
                      "else_branch=@\noutput y\n",
                      within, &plain, &graph, &error),
            &error);
  assert_int_equal(tensor_of(graph, "y")->bytes, 32);
  assert_int_equal(graph->step_count, 3);
  neap_graph_free(graph);
}

/*
 * The state of a loop lives in the outputs of the operator; further outputs have a row for each
 * turn.
 */
TEST(loops_have_states_and_turns) {
  static const char text[] = "input x float[4]\nconstant turns int64[]{5}\n"
                             "constant on bool[]{1}\nLoop turns on x -> y rows body=@\n"
                             "output y\noutput rows\n";
  static const char within[] = "input i int64[]\ninput go bool[]\ninput s float[]\n"
                               "Identity go -> again\nAdd s s -> t\nNeg t -> row\n"
                               "output again\noutput t\noutput row\n";
  neap_graph *graph;
  neap_error error;
  assert_ok(read_with(text, within, &plain, &graph, &error), &error);
  assert_int_equal(graph->missing.count, 0);
  assert_int_equal(tensor_of(graph, "rows")->bytes, 5 * 16);
  /* Loop, enter, Identity, Add, Neg, leave, return */
  expect_life(graph, NULL, "y", 0, 7, 16);
  expect_life(graph, NULL, "s", 1, 4, 16);
  expect_life(graph, NULL, "t", 3, 6, 16);
  neap_graph_free(graph);
  /* A state that grows makes the memory of a turn unknown. */
  assert_ok(read_with("input x float[4]\nconstant turns int64[]{5}\nconstant on bool[]{1}\n"
                      "Loop turns on x -> y body=@\noutput y float[128]\n",
                      "input i int64[]\ninput go bool[]\ninput s float[]\n"
                      "Identity go -> again\nConcat s s -> t axis=0\n"
                      "output again\noutput t\n",
                      &plain, &graph, &error),
            &error);
  assert_int_equal(graph->missing.count, 1);
  assert_string_equal(names_text(&graph->missing, 0),
                      "the body of operator 0, 'Loop': the shape of output 0 changes from turn "
                      "to turn");
  neap_graph_free(graph);
  expect_error_within("input x float[4]\ninput turns int64[]\nconstant on bool[]{1}\n"
                      "Loop turns on x -> y rows body=@\noutput y\noutput rows\n",
                      within, "free dimension 'rows:0'");
}

TEST(scans_pass_slices) {
  neap_graph *graph;
  neap_error error;
  assert_ok(read_with("opset 11\ninput s float[2]\ninput x float[2,7]\n"
                      "Scan s x -> t rows num_scan_inputs=1 scan_input_axes=[1] "
                      "scan_output_axes=[-1] body=@\noutput t\noutput rows\n",
                      "input a float[]\ninput b float[]\nAdd a b -> c\nConcat c c -> d axis=0\n"
                      "output c\noutput d\n",
                      &plain, &graph, &error),
            &error);
  assert_int_equal(graph->missing.count, 0);
  assert_int_equal(tensor_of(graph, "t")->bytes, 8);
  assert_int_equal(tensor_of(graph, "b")->bytes, 8);
  assert_int_equal(tensor_of(graph, "rows")->bytes, 4 * 7 * 4);
  neap_graph_free(graph);
  /* Without outputs, only the state must last: Scan, enter, Add, Concat, leave */
  assert_ok(read_with("opset 11\ninput s float[2]\ninput x float[2,7]\n"
                      "Scan s x -> - - num_scan_inputs=1 scan_input_axes=[1] body=@\n"
                      "Neg s -> y\noutput y\n",
                      "input a float[]\ninput b float[]\nAdd a b -> c\nConcat c c -> d axis=0\n"
                      "output c\noutput d\n",
                      &plain, &graph, &error),
            &error);
  assert_int_equal(graph->missing.count, 0);
  expect_life(graph, NULL, "a", 1, 5, 8);
  expect_life(graph, NULL, "b", 1, 3, 8);
  neap_graph_free(graph);
}

/* Nested subgraphs: too many levels are an error, not deep recursion. */
TEST(nesting_is_bounded) {
  struct onnx_bytes graph = {0}, model = {0};
  neap_graph *read;
  neap_error error;
  for (int depth = 0; depth < 12; depth++) {
    struct onnx_bytes node = {0}, attribute = {0};
    onnx_put_message(&attribute, 6, &graph);
    onnx_put_message(&node, 5, &attribute);
    onnx_put_message(&graph, 1, &node);
  }
  onnx_put_number(&model, 1, 8);
  onnx_put_message(&model, 7, &graph);
  assert_error(onnx_read(model.bytes, model.size, &plain, &read, &error), NEAP_ERROR_INPUT,
               &error);
  assert_says(&error, "deeper than 8");
  free(model.bytes);
}

/* ---------------------------------------------------------------- parts */

static void expect_part(const neap_graph *graph, size_t index, size_t input, size_t output,
                        neap_size offset, neap_alias alias) {
  assert_true(index < graph->part_count);
  const neap_part *part = &graph->parts[index];
  assert_int_equal(part->input, input);
  assert_int_equal(part->output, output);
  assert_int_equal(part->offset, offset);
  assert_int_equal(part->alias, alias);
}

/* Dimensions before the axis must have one element. */
TEST(concatenations_and_splits_have_parts) {
  neap_graph *graph = read_graph("input x float[1,2,4]\nconstant w float[1,3,4]{0}\n"
                                 "Relu x -> a\nConcat a w a -> b axis=1\n"
                                 "Split b -> c d axis=1 split=[3,4]\nConcat c c -> e axis=2\n"
                                 "constant one int64[1]{-5}\nconstant end int64[1]{7}\n"
                                 "constant first int64[1]{1}\nconstant last int64[1]{2}\n"
                                 "Slice b one end first -> f\nSlice b first last last -> g\n"
                                 "output d\noutput e\noutput f\noutput g\n");
  assert_int_equal(graph->part_count, 6);
  expect_part(graph, 5, 0, 0, 32, NEAP_ALIAS_SPLIT);
  expect_part(graph, 0, 0, 0, 0, NEAP_ALIAS_CONCAT);
  expect_part(graph, 1, 1, 0, 32, NEAP_ALIAS_CONCAT);
  expect_part(graph, 2, 2, 0, 80, NEAP_ALIAS_CONCAT);
  expect_part(graph, 3, 0, 0, 0, NEAP_ALIAS_SPLIT);
  expect_part(graph, 4, 0, 1, 48, NEAP_ALIAS_SPLIT);
  neap_graph_free(graph);
}

/* ---------------------------------------------------------------- bands and groups */

/* Names what lowers the peak of a model when it is split: "rows", "channels" or "nothing". */
static const char *band_along(const char *text) {
  neap_bands *split = NULL;
  neap_bands_segment segment = NEAP_INIT(neap_bands_segment);
  neap_error error;
  const neap_model_limits limits = bands_limits(NEAP_BANDS_PEAK, 0);
  onnx_make_file(text, NULL, "split.onnx");
  assert_ok(bands_find("split.onnx", &plain, &limits, &split, &error), &error);
  bool is_split = neap_bands_segment_at(split, 0, &segment);
  bool is_by_channels = is_split && segment.is_by_channels;
  neap_bands_free(split);
  remove("split.onnx");
  return !is_split ? "nothing" : is_by_channels ? "channels" : "rows";
}

/* An operator between one that makes many channels, and one that needs all rows of each. */
static const char *groups_of(int opset, const char *operator) {
  char text[1024];
  snprintf(text, sizeof text,
           "opset %d\ninput x float[1,2,2,2]\nconstant w float[64,2,1,1]\n"
           "constant each float[64]\nconstant all float[1]\nconstant map float[64,1,1]\n"
           "constant columns float[2]\nconstant depthwise float[64,1,1,1]\n"
           "constant pairs float[64,32,1,1]\n"
           "constant none int64[8]{0,0,1,1,0,0,1,1}\nconstant more int64[8]{0,1,0,0,0,0,0,0}\n"
           "Conv x w each -> a\n%s\nGlobalMaxPool b -> c\noutput c\n",
           opset, operator);
  return band_along(text);
}

TEST(channels_that_do_not_depend_on_each_other_run_in_groups) {
  static const char *const apart[] = {
      "Relu a -> b",
      "Mul a map -> b",
      "Mul a columns -> b",
      "Mul all a -> b",
      "PRelu a map -> b",
      "BatchNormalization a each each each each -> b",
      "InstanceNormalization a each each -> b",
      "Conv a depthwise each -> b group=64",
      "MaxPool a -> b kernel_shape=[2,2]",
      "Pad a none -> b",
      "Concat a a -> b axis=2",
      "ReduceMean a -> b axes=[2]",
      "QuantizeLinear a each -> d axis=1\nDequantizeLinear d each -> b"};
  static const char *const together[] = {
      "Conv a pairs -> b group=2", "LRN a -> b size=3",      "Softmax a -> b axis=1",
      "Pad a more -> b",           "Concat a a -> b axis=1", "ReduceMean a -> b axes=[1]",
      "ImageScaler a -> b"};
  for (size_t i = 0; i < SAMPLE_COUNT(apart); i++)
    assert_string_equal(groups_of(13, apart[i]), "channels");
  for (size_t i = 0; i < SAMPLE_COUNT(together); i++)
    assert_string_equal(groups_of(13, together[i]), "nothing");
}

/* Before version 7, an attribute told where the dimensions of the second operand begin. */
TEST(old_constants_are_broadcast_from_an_axis) {
  assert_string_equal(groups_of(6, "Mul a each -> b broadcast=1 axis=1"), "channels");
  assert_string_equal(groups_of(6, "PRelu a each -> b"), "channels");
  const char *const head = "opset 6\ninput x float[1,1,64,4]\nconstant rows float[64]\n"
                           "constant columns float[4]\nRelu x -> a\n";
  const char *const tail = "MaxPool b -> c kernel_shape=[4,4] strides=[4,4]\noutput c\n";
  char text[512];
  snprintf(text, sizeof text, "%sMul a columns -> b broadcast=1 axis=3\n%s", head, tail);
  assert_string_equal(band_along(text), "rows");
  snprintf(text, sizeof text, "%sMul a rows -> b broadcast=1 axis=2\n%s", head, tail);
  assert_string_equal(band_along(text), "nothing");
}

/* ---------------------------------------------------------------- damage */

static const char everything[] =
    "input x float[N,3,8,?]\nconstant w float[4,3,3,3]{0}\nexternal v float[4]\n"
    "Conv x w v -> a : first pads=[1,1,1,1] auto_pad='NOTSET'\n"
    "BatchNormalization a v v v v -> b epsilon=0.5f\nMaxPool b -> c kernel_shape=[2,2]\n"
    "Shape c -> s\nraw i int64[1]{0}\nGather s i -> n\nconstant m int64[1]{-1}\n"
    "Concat n m -> t axis=0\nReshape c t -> d\nTranspose d -> e perm=[1,0]\n"
    "constant l int64[1]{100}\nSlice e i l -> f\nSplit f -> g h\nEinsum g h -> k "
    "equation='ij,ik->jk'\n"
    "Pad k p -> q\nconstant p int64[4]{0,1,0,1}\nResize q - r -> u\nconstant r float[2]{2,2}\n"
    "If i -> y branch=@\nvalue y float[2]\noutput y\noutput u\nsparse z float[2,2]\n";

static const char within[] = "Relu a -> r\noutput r\n";
static const neap_dimension sizes[] = {{"N", 2}, {"x:3", 6}};
static const neap_reading sized = {
    .struct_size = sizeof(neap_reading), .model.dimensions = sizes, .model.dimension_count = 2};

/* Returns a graph or fills the error; the graph can then be used. */
static bool survive(const char *bytes, size_t size) {
  neap_graph *graph = NULL;
  neap_problem *problem = NULL;
  neap_error error = {.text = ""};
  char *copy = malloc(size ? size : 1); /* sanitizers notice reads past the end */
  assert_non_null(copy);
  memcpy(copy, bytes, size);
  onnx_is(copy, size, &plain);
  neap_status status = onnx_read(copy, size, &sized, &graph, &error);
  if (status == NEAP_ERROR_ARGUMENT) status = onnx_read(copy, size, &plain, &graph, &error);
  bool is_read = status == NEAP_OK;
  if (is_read && neap_graph_to_problem(graph, NULL, &problem, &error) == NEAP_OK)
    neap_problem_free(problem);
  else assert_true(error.text[0]);
  if (is_read) neap_graph_free(graph);
  free(copy);
  return is_read;
}

static uint64_t draw(uint64_t *random) {
  *random ^= *random << 13;
  *random ^= *random >> 7;
  *random ^= *random << 17;
  return *random;
}

TEST(damaged_files_never_crash) {
  size_t size, sound = 0;
  char *bytes = onnx_make(everything, within, &size), *damaged = malloc(size);
  uint64_t random = 88172645463325252u;
  assert_non_null(damaged);
  assert_true(onnx_is(bytes, size, &plain) && survive(bytes, size));
  for (size_t cut = 0; cut < size; cut++)
    survive(bytes, cut);
  for (int round = 0; round < 40000; round++) {
    memcpy(damaged, bytes, size);
    for (int change = 0; change <= round % 3; change++) {
      uint64_t number = draw(&random);
      damaged[number % size] = (char)(number >> 40);
    }
    sound += survive(damaged, size);
  }
  assert_true(sound > 1000); /* not all of them are rejected early */
  free(damaged);
  free(bytes);
}

/* Input that would take quadratic time is rejected or handled quickly. */
TEST(repetition_is_cheap) {
  struct onnx_bytes graph = {0}, model = {0}, node = {0};
  neap_graph *read;
  neap_error error;
  for (int i = 0; i < 200000; i++)
    onnx_put_bytes(&model, 7, "\x0a\0", 2);
  assert_error(onnx_read(model.bytes, model.size, &plain, &read, &error), NEAP_ERROR_INPUT,
               &error);
  assert_says(&error, "found 200000");
  for (int i = 0; i < 200000; i++)
    onnx_put_bytes(&node, 5, "", 0);
  onnx_put_message(&graph, 1, &node);
  model.size = 0;
  onnx_put_message(&model, 7, &graph);
  assert_error(onnx_read(model.bytes, model.size, &plain, &read, &error), NEAP_ERROR_INPUT,
               &error);
  assert_says(&error, "attributes, found 200000");
  free(model.bytes);
}

TEST(wrong_files_are_refused) {
  neap_graph *graph;
  neap_error error;
  size_t size;
  assert_false(onnx_is("", 0, &plain));
  assert_false(onnx_is("id,lower,upper,size\n", 20, &plain));
  assert_false(onnx_is("\x08\x07", 2, &plain));
  assert_false(onnx_is("\x08\x07\x3b", 3, &plain));
  assert_true(onnx_is("\x08\x07\x12\x01p\x3a", 6, &plain));
  assert_true(onnx_is("\x12\x01p\x3a\x02??\x08", 8, &plain)); /* in another order */
  assert_false(onnx_is("\x12\x01p\x3a\x02??", 7, &plain));
  assert_false(onnx_is("\"\x01p:\x01\n", 6, &plain));       /* no version */
  assert_false(onnx_is("\x08\x07\x58\x01\x3a", 5, &plain)); /* a field that models lack */
  assert_false(onnx_is("\x08\x07\x3d\x01", 4, &plain));     /* a graph of another kind */
  assert_error(onnx_read("", 0, &plain, &graph, &error), NEAP_ERROR_INPUT, &error);
  assert_says(&error, "with one graph, found 0");
  assert_error(onnx_read("\x3a\0\x3a\0", 4, &plain, &graph, &error), NEAP_ERROR_INPUT, &error);
  assert_says(&error, "with one graph, found 2");
  assert_error(onnx_read("\x08\x07\x3a\x7f", 4, &plain, &graph, &error), NEAP_ERROR_INPUT,
               &error);
  assert_says(&error, "broken ONNX model");
  char *bytes = onnx_make("", NULL, &size);
  assert_ok(onnx_read(bytes, size, &plain, &graph, &error), &error);
  assert_int_equal(neap_graph_tensor_count(graph), 0);
  neap_graph_free(graph);
  free(bytes);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_chain_is_read),
      cmocka_unit_test(elements_have_widths),
      cmocka_unit_test(old_initializers_are_inputs_too),
      cmocka_unit_test(optional_outputs_can_be_omitted),
      cmocka_unit_test(names_are_checked),
      cmocka_unit_test(constants_have_the_bytes_of_their_shapes),
      cmocka_unit_test(constants_are_left_out),
      cmocka_unit_test(raw_elements_are_read),
      cmocka_unit_test(external_elements_are_unknown),
      cmocka_unit_test(huge_constants_need_no_memory),
      cmocka_unit_test(free_dimensions_need_values),
      cmocka_unit_test(declared_shapes_are_used),
      cmocka_unit_test(contradictions_are_found),
      cmocka_unit_test(texts_are_elsewhere),
      cmocka_unit_test(operators_are_sorted),
      cmocka_unit_test(elements_go_in_place),
      cmocka_unit_test(subgraphs_keep_tensors_alive),
      cmocka_unit_test(only_the_branch_that_is_taken_is_planned),
      cmocka_unit_test(loops_have_states_and_turns),
      cmocka_unit_test(scans_pass_slices),
      cmocka_unit_test(nesting_is_bounded),
      cmocka_unit_test(repetition_is_cheap),
      cmocka_unit_test(concatenations_and_splits_have_parts),
      cmocka_unit_test(channels_that_do_not_depend_on_each_other_run_in_groups),
      cmocka_unit_test(old_constants_are_broadcast_from_an_axis),
      cmocka_unit_test(damaged_files_never_crash),
      cmocka_unit_test(wrong_files_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
