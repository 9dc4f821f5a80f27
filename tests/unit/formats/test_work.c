/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The durations of operators that follow from the shapes in a model. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/graph.h"
#include "models/onnx/onnx.h"
#include "models/operators/multiply_accumulates.h"
#include "neap/neap-io.h"
#include "tests/support/files.h"
#include "tests/support/onnx_maker.h"
#include "tests/support/tflite_maker.h"

struct row {
  const char *text; /* a model, whose last operator counts */
  int64_t duration;
};

static int64_t last_duration(neap_graph *graph) {
  size_t count = neap_graph_operator_count(graph);
  assert_true(count > 0);
  int64_t duration = graph_operator_duration(graph, count - 1);
  neap_graph *copy = neap_graph_copy(graph);
  assert_non_null(copy);
  assert_true(graph_operator_duration(copy, count - 1) == duration);
  neap_graph_free(copy);
  neap_graph_free(graph);
  return duration;
}

static neap_graph *read_tflite(const char *text) {
  neap_graph *graph;
  neap_error error;
  tflite_make_file(text, "m.tflite");
  assert_ok(neap_graph_read("m.tflite", NULL, &graph, &error), &error);
  return graph;
}

static neap_graph *read_onnx(const char *text) {
  const neap_reading plain = NEAP_INIT(neap_reading);
  neap_graph *graph;
  neap_error error;
  size_t size;
  char *bytes = onnx_make(text, NULL, &size);
  assert_ok(onnx_read(bytes, size, &plain, &graph, &error), &error);
  free(bytes);
  return graph;
}

static void expect_rows(const struct row *rows, size_t count,
                        neap_graph *read(const char *text)) {
  for (size_t i = 0; i < count; i++) {
    int64_t found = last_duration(read(rows[i].text));
    if (found != rows[i].duration)
      fail_msg("row %zu: expected %lld, found %lld", i, (long long)rows[i].duration,
               (long long)found);
  }
}

/* ---------------------------------------------------------------- TensorFlow Lite */

#define TFLITE_ENDS "inputs x\noutputs y\n"

TEST(tflite_operators_take_their_multiply_accumulates) {
  static const struct row rows[] = {
      /* 4 * 4 * 5 elements, each of 3 * 3 * 2 products */
      {"tensor x int8[1,8,8,2]\nconstant w int8[5,3,3,2]\ntensor y int8[1,4,4,5]\n" TFLITE_ENDS
       "CONV_2D x w -> y : 0 2 2\n",
       80 * 18},
      /* two groups: a filter has one of the two channels */
      {"tensor x int8[1,8,8,2]\nconstant w int8[4,3,3,1]\ntensor y int8[1,8,8,4]\n" TFLITE_ENDS
       "CONV_2D x w -> y : 0 1 1\n",
       256 * 9},
      {"tensor x int8[2,8,8,3]\nconstant w int8[1,3,5,6]\ntensor y int8[2,8,8,6]\n" TFLITE_ENDS
       "DEPTHWISE_CONV_2D x w -> y : 0 1 1 2\n",
       768 * 15},
      {"tensor x int8[3,4,5]\nconstant w int8[7,5]\ntensor y int8[3,4,7]\n" TFLITE_ENDS
       "FULLY_CONNECTED x w -> y : 0 0 1\n",
       84 * 5},
      /* 3 * 3 * 2 elements of the input, each for 4 * 2 * 2 products */
      {"constant s int32[4] : 1 6 6 4\nconstant w int8[4,2,2,2]\ntensor x int8[1,3,3,2]\n"
       "tensor y int8[1,6,6,4]\n" TFLITE_ENDS "TRANSPOSE_CONV s w x -> y : 0 2 2\n",
       18 * 16},
      {"tensor x float32[2,3,4]\nconstant w float32[2,4,5]\ntensor y "
       "float32[2,3,5]\n" TFLITE_ENDS "BATCH_MATMUL x w -> y : 0 0\n",
       30 * 4},
      {"tensor x float32[2,4,3]\nconstant w float32[2,4,5]\ntensor y "
       "float32[2,3,5]\n" TFLITE_ENDS "BATCH_MATMUL x w -> y : 1 0\n",
       30 * 4},
      {"tensor x float32[1,4,4,4,2]\nconstant w float32[2,2,2,2,3]\n"
       "tensor y float32[1,4,4,4,3]\n" TFLITE_ENDS "CONV_3D x w -> y\n",
       192 * 16},
      /* four batches, weights of 6 * 3 and 6 * 2 */
      {"tensor x float32[4,3]\nconstant w float32[6,3]\nconstant t float32[6,2]\n"
       "variable v float32[4,12]\ntensor y float32[4,6]\n" TFLITE_ENDS
       "SVDF x w t - v -> y : 1 0\n",
       4 * 30},
  };
  expect_rows(rows, SAMPLE_COUNT(rows), read_tflite);
}

TEST(tflite_operators_take_the_elements_they_make) {
  static const struct row rows[] = {
      {"tensor x int8[1,8,8,2]\ntensor y int8[1,8,8,2]\n" TFLITE_ENDS "RELU x -> y\n", 128},
      {"tensor x float32[3,4]\nconstant c float32[1]\ntensor y float32[3,4]\n" TFLITE_ENDS
       "ADD x c -> y\n",
       12},
      {"tensor x int8[1,8,8,2]\ntensor y int8[1,4,4,2]\n" TFLITE_ENDS
       "MAX_POOL_2D x -> y : 0 2 2 2 2 0\n",
       32},
      /* both outputs */
      {"constant axis int32[1] : 1\ntensor x int8[1,10]\ntensor a int8[1,5]\ntensor y "
       "int8[1,5]\n" TFLITE_ENDS "SPLIT axis x -> a y : 2\n",
       10},
      /* an output without dimensions, and one without elements */
      {"tensor x int8[8]\ntensor y int8[]\n" TFLITE_ENDS "SUM x -> y : 0\n", 1},
      {"tensor x int8[8]\ntensor y int8[0]\n" TFLITE_ENDS "RELU x -> y\n", 1},
      /* fewer products than elements: no channel of the filter is left */
      {"tensor x int8[1,2,2,1]\nconstant w int8[3,1,1,0]\ntensor y int8[1,2,2,3]\n" TFLITE_ENDS
       "CONV_2D x w -> y : 0 1 1\n",
       12},
  };
  expect_rows(rows, SAMPLE_COUNT(rows), read_tflite);
}

/* With --target tflm, scratch buffers are also outputs, but computing them takes no time. */
TEST(scratch_buffers_take_no_time) {
  const neap_reading reading = {.struct_size = sizeof reading,
                                .graph.target = "tflm",
                                .graph.kernels = NEAP_KERNELS_CMSIS_NN};
  neap_graph *graph;
  neap_error error;
  tflite_make_file("tensor x int8[1,8,8,1] scales 1\nconstant w int8[2,1,1,1] scales 2\n"
                   "constant b int32[2]\ntensor y int8[1,4,4,2] scales 1\n" TFLITE_ENDS
                   "CONV_2D x w b -> y : 0 2 2\n",
                   "m.tflite");
  assert_ok(neap_graph_read("m.tflite", &reading, &graph, &error), &error);
  const struct graph_links outputs = graph->operators[0].outputs;
  assert_int_equal(outputs.end - outputs.begin, 2);
  assert_int_equal(last_duration(graph), 32);
}

/* ---------------------------------------------------------------- ONNX */

TEST(onnx_operators_take_their_multiply_accumulates) {
  static const struct row rows[] = {
      /* 4 * 6 * 6 elements, each of 3 * 3 * 3 products */
      {"input x float[1,3,8,8]\nconstant w float[4,3,3,3]\nConv x w -> y\noutput y\n",
       144 * 27},
      {"input x float[1,3,8,8]\nconstant w float[3,1,3,3]\nConv x w -> y group=3\noutput y\n",
       108 * 9},
      {"input x uint8[1,3,8,8]\nconstant w uint8[4,3,3,3]\nConvInteger x w -> y\noutput y\n",
       144 * 27},
      {"input x uint8[1,3,8,8]\nconstant s float[]{1}\nconstant z uint8[]{0}\n"
       "constant w uint8[4,3,3,3]\nQLinearConv x s z w s z s z -> y\noutput y\n",
       144 * 27},
      /* 2 * 4 * 4 elements of the input, each for 5 * 3 * 3 products */
      {"input x float[1,2,4,4]\nconstant w float[2,5,3,3]\nConvTranspose x w -> y\noutput y\n",
       32 * 45},
      {"input x float[3,4]\nconstant w float[4,5]\nGemm x w -> y\noutput y\n", 15 * 4},
      {"input x float[4,3]\nconstant w float[5,4]\nGemm x w -> y transA=1 transB=1\noutput y\n",
       15 * 4},
      {"input x float[2,3,4]\ninput w float[2,4,5]\nMatMul x w -> y\noutput y\n", 30 * 4},
      /* vectors are rows on the left, columns on the right */
      {"input x float[3,4]\nconstant w float[4]\nMatMul x w -> y\noutput y\n", 3 * 4},
      {"input x float[7]\nconstant w float[7]\nMatMul x w -> y\noutput y\n", 7},
      {"input x uint8[3,4]\nconstant w uint8[4,5]\nMatMulInteger x w -> y\noutput y\n", 15 * 4},
      {"input x uint8[3,4]\nconstant s float[]{1}\nconstant z uint8[]{0}\n"
       "constant w uint8[4,5]\nQLinearMatMul x s z w s z s z -> y\noutput y\n",
       15 * 4},
      /* six steps of two batches, all weights in each */
      {"input x float[6,2,3]\nconstant w float[1,16,3]\nconstant r float[1,16,4]\n"
       "LSTM x w r -> y hidden_size=4\noutput y\n",
       12 * 112},
  };
  expect_rows(rows, SAMPLE_COUNT(rows), read_onnx);
}

TEST(onnx_operators_take_the_elements_they_make) {
  static const struct row rows[] = {
      {"input x float[2,3]\nRelu x -> y\noutput y\n", 6},
      {"input x float[2,3]\ninput z float[4,1,1]\nAdd x z -> y\noutput y\n", 24},
      {"input x float[1,3,8,8]\nMaxPool x -> y kernel_shape=[2,2] strides=[2,2]\noutput y\n",
       48},
      {"opset 11\ninput x float[10]\nSplit x -> a b split=[4,6]\noutput a\noutput b\n", 10},
      {"input x float[10]\nReduceSum x -> y keepdims=0\noutput y\n", 1},
      {"input x float[0,4]\nRelu x -> y\noutput y\n", 1},
      /* an operator that neap does not know */
      {"input x float[2,3]\nmy.domain:Conv x -> y\noutput y float[5]\n", 5},
      /* sums of nothing */
      {"input x float[3,0]\nconstant w float[0,5]\nMatMul x w -> y\noutput y\n", 15},
  };
  expect_rows(rows, SAMPLE_COUNT(rows), read_onnx);
}

/* ---------------------------------------------------------------- limits */

TEST(too_many_products_are_unknown) {
  static const struct row rows[] = {
      /* 2^60 products, for 2^30 elements */
      {"input x float[32768,1073741824]\ninput w float[1073741824,32768]\n"
       "MatMul x w -> y\noutput y\n",
       INT64_C(1) << 30},
      /* more elements than products may be counted */
      {"input x uint8[1073741824,16777216]\nRelu x -> y\noutput y\n", WORK_MAX}};
  assert_int_equal(work_products(6, 20, 4), 30);
  assert_int_equal(work_products(6, 20, 0), 0);
  assert_int_equal(work_products(6, -1, 1), 0);
  assert_int_equal(work_products(WORK_MAX, 1, 1), WORK_MAX);
  assert_int_equal(work_products(WORK_MAX, 2, 1), 0);
  assert_int_equal(work_products(INT64_MAX, INT64_MAX, 1), 0);
  expect_rows(rows, SAMPLE_COUNT(rows), read_onnx);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      FILES_CASE(tflite_operators_take_their_multiply_accumulates),
      FILES_CASE(tflite_operators_take_the_elements_they_make),
      FILES_CASE(scratch_buffers_take_no_time),
      cmocka_unit_test(onnx_operators_take_their_multiply_accumulates),
      cmocka_unit_test(onnx_operators_take_the_elements_they_make),
      cmocka_unit_test(too_many_products_are_unknown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
