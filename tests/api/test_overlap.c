/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which outputs may lie over inputs: what kernels allow, and what a graph in JSON states itself. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "neap/models.h"
#include "neap/relations.h"
#include "tests/support/files.h"
#include "tests/support/tflite_maker.h"

enum { NO_OVERLAP = -1 };

static const neap_reading reference = {.struct_size = sizeof(neap_reading),
                                       .graph.kernels = NEAP_KERNELS_REFERENCE,
                                       .graph.liveness = {.overlap = true}};

/* The bytes of the overlap of two buffers. */
static neap_size overlap_of(const neap_problem *problem, const char *output,
                            const char *input) {
  neap_relation relation = NEAP_INIT(neap_relation);
  size_t first, second;
  assert_true(neap_problem_find(problem, output, &first));
  if (!neap_problem_find(problem, input, &second)) return NO_OVERLAP;
  for (size_t i = 0; neap_problem_relation_at(problem, i, &relation); i++)
    if (relation.kind == NEAP_OVERLAP && relation.first == first && relation.second == second)
      return relation.bytes;
  return NO_OVERLAP;
}

static neap_size read_overlap(const char *path, const neap_reading *reading, const char *output,
                              const char *input) {
  neap_problem *problem;
  neap_error error;
  assert_ok(neap_problem_read(path, reading, &problem, &error), &error);
  neap_size bytes = overlap_of(problem, output, input);
  neap_problem_free(problem);
  return bytes;
}

/* ---------------------------------------------------------------- TensorFlow Lite */

/* A model with one operator, which makes y, and how far y may lie over x. */
struct operation {
  const char *tensors, *operator;
  neap_size bytes;
};

static void expect_samples(const struct operation *samples, size_t count,
                           const neap_reading *reading) {
  for (size_t i = 0; i < count; i++) {
    char text[1024];
    snprintf(text, sizeof text, "%s\ninputs x%s\noutputs y\n%s\n", samples[i].tensors,
             strstr(samples[i].tensors, "tensor z") ? " z" : "", samples[i].operator);
    tflite_make_file(text, "m.tflite");
    neap_size bytes = read_overlap("m.tflite", reading, "y", "x");
    if (bytes != samples[i].bytes)
      fail_msg("%s: expected %d, found %d", text, (int)samples[i].bytes, (int)bytes);
  }
}

#define IMAGE "tensor x int8[1,96,96,1]\nconstant w int8[8,3,3,1]\n"
#define PIXELS "tensor x int8[1,48,48,8]\nconstant w int8[1,3,3,8]\n"

TEST(windows) {
  static const struct operation samples[] = {
      /* The first two operators of a MobileNet. */
      {IMAGE "tensor y int8[1,48,48,8]", "CONV_2D x w -> y : 0 2 2 0 1 1",
       47 * 192 + 47 * 6 + 7},
      {PIXELS "tensor y int8[1,48,48,8]", "DEPTHWISE_CONV_2D x w -> y : 0 1 1 1 0 1 1", 49 * 8},
      /* No padding, a dilation of two. */
      {"tensor x int8[1,7,7,2]\nconstant w int8[3,3,3,2]\ntensor y int8[1,3,3,3]",
       "CONV_2D x w -> y : 1 1 1 0 2 2", 2 + 2},
      /* Two groups. */
      {"tensor x int8[1,4,4,4]\nconstant w int8[6,1,1,2]\ntensor y int8[1,4,4,6]",
       "CONV_2D x w -> y : 0 1 1 0 1 1", 15 * 2 + 2 + 1},
      /* A multiplier of two, elements of four bytes. */
      {"tensor x float32[1,3,3,2]\nconstant w float32[1,1,1,4]\n"
       "tensor y float32[1,3,3,4]",
       "DEPTHWISE_CONV_2D x w -> y : 1 1 1 2 0 1 1", 4 * (8 * 2 + 1 + 1)},
      {"tensor x uint8[1,6,6,4]\ntensor y uint8[1,3,3,4]",
       "AVERAGE_POOL_2D x -> y : 1 2 2 2 2 0", 0},
      {"tensor x int16[1,4,4,3]\ntensor y int16[1,4,4,3]",
       "AVERAGE_POOL_2D x -> y : 0 1 1 3 3 0", 2 * 5 * 3}};
  expect_samples(samples, SAMPLE_COUNT(samples), &reference);
}

#define AXES "constant a int32[2] : "
#define PADS "constant p int32[4,2] : "

TEST(other_kernels) {
  static const struct operation samples[] = {
      {"tensor x int8[2,3]\nconstant w int8[5,3]\ntensor y int8[2,5]",
       "FULLY_CONNECTED x w - -> y : 0 0 0", 2 + 4},
      {"tensor x float32[4]\ntensor y float32[4]", "RELU x -> y", 0},
      {"tensor x int8[4,5]\ntensor y float32[4,5]", "DEQUANTIZE x -> y", 19 * 3},
      {"tensor x float32[4,5]\ntensor y int8[4,5]", "QUANTIZE x -> y", 0},
      {"tensor x int8[2,10]\ntensor y int16[2,10]", "SOFTMAX x -> y", 19},
      {PADS "0 0 1 1 1 1 0 0\ntensor x int8[1,2,2,3]\ntensor y int8[1,4,4,3]", "PAD x p -> y",
       32 - 11},
      {AXES "2 1\ntensor x float32[1,4,4,8]\ntensor y float32[1,1,1,8]", "MEAN x a -> y : 1",
       0},
      {"tensor x int8[2,3]\ntensor z int8[2,3]\ntensor y int8[2,3]", "ADD z x -> y", 0},
      {"tensor x int8[2,3]\nconstant z int8[1,3]\ntensor y int8[2,3]", "ADD z x -> y", 0},
      {"tensor x int8[2,3]\nconstant z int8[1,3]\ntensor y int8[2,3]", "PRELU x z -> y", 0}};
  expect_samples(samples, SAMPLE_COUNT(samples), &reference);
}

TEST(unmodelled_kernels) {
  static const struct operation samples[] = {
      /* Copied by memcpy; read at several times; cleared first. */
      {"tensor x int8[4]\ntensor y int8[2,2]", "RESHAPE x -> y", NO_OVERLAP},
      {"tensor x int8[4]\nconstant z int8[4]\ntensor y int8[8]", "CONCATENATION x z -> y",
       NO_OVERLAP},
      {AXES "1 2\ntensor x int8[1,4,4,8]\ntensor y int8[1,1,1,8]", "MEAN x a -> y : 1",
       NO_OVERLAP},
      {AXES "1 2\ntensor x float32[1,4,4,8]\ntensor y float32[1,8]", "MEAN x a -> y : 0",
       NO_OVERLAP},
      {AXES "1 3\ntensor x float32[1,4,4,8]\ntensor y float32[1,1,4,1]", "MEAN x a -> y : 1",
       NO_OVERLAP},
      {"tensor x int8[4]\ntensor y int8[4]", "custom mine x -> y", NO_OVERLAP},
      /* Broadcast; read twice; of types that a compiler may tell apart. */
      {"tensor x int8[1,3]\ntensor z int8[2,3]\ntensor y int8[2,3]", "ADD x z -> y",
       NO_OVERLAP},
      {"tensor x int8[3]\ntensor y int8[3]", "ADD x x -> y", NO_OVERLAP},
      {"tensor x int8[3,3]\ntensor y int8[3,3]", "FULLY_CONNECTED x x -> y : 0 0 0",
       NO_OVERLAP},
      {"tensor x float32[4]\ntensor y int16[4]", "QUANTIZE x -> y", NO_OVERLAP},
      {"tensor x int4[4]\ntensor y int4[4]", "RELU x -> y", NO_OVERLAP},
      {"tensor x float32[4]\ntensor y int8[4]", "RELU x -> y", NO_OVERLAP}};
  expect_samples(samples, SAMPLE_COUNT(samples), &reference);
}

/* Operators that the runtime would refuse or compute in another way. */
TEST(unusual_operators) {
  static const struct operation samples[] = {
      {IMAGE "tensor y int8[1,48,48,8]", "CONV_2D x w -> y", NO_OVERLAP},
      {IMAGE "tensor y int8[1,47,48,8]", "CONV_2D x w -> y : 0 2 2 0 1 1", NO_OVERLAP},
      {IMAGE "tensor y int8[1,48,48,7]", "CONV_2D x w -> y : 0 2 2 0 1 1", NO_OVERLAP},
      {IMAGE "tensor y int8[1,48,48,8]", "CONV_2D x w -> y : 2 2 2 0 1 1", NO_OVERLAP},
      {IMAGE "tensor y int8[1,48,48,8]", "CONV_2D x w -> y : 0 0 2 0 1 1", NO_OVERLAP},
      {IMAGE "tensor y int8[1,48,48,8]", "CONV_2D x w -> y : 0 2 2 0 1 0", NO_OVERLAP},
      {IMAGE "tensor y int8[1,48,48,8]", "CONV_2D x - -> y : 0 2 2 0 1 1", NO_OVERLAP},
      {IMAGE "tensor y float32[1,48,48,8]", "CONV_2D x w -> y : 0 2 2 0 1 1", NO_OVERLAP},
      {PIXELS "tensor y int8[1,48,48,8]", "DEPTHWISE_CONV_2D x w -> y : 0 1 1 2 0 1 1",
       NO_OVERLAP},
      {PADS "0 0 1 1 1 2 0 0\ntensor x int8[1,2,2,3]\ntensor y int8[1,4,4,3]", "PAD x p -> y",
       NO_OVERLAP},
      {PADS "0 0 1 1 1\ntensor x int8[1,2,2,3]\ntensor y int8[1,4,4,3]", "PAD x p -> y",
       NO_OVERLAP},
      {"tensor x int8[2,3]\nconstant w int8[5,3]\ntensor y int8[2,5]",
       "FULLY_CONNECTED x w -> y : 0 1 0", NO_OVERLAP},
      {"tensor x int8[2,3]\nconstant w int8[5,4]\ntensor y int8[2,5]",
       "FULLY_CONNECTED x w -> y : 0 0 0", NO_OVERLAP},
      {"tensor x float32[2,3]\nconstant w int8[5,3]\ntensor y float32[2,5]",
       "FULLY_CONNECTED x w -> y : 0 0 0", NO_OVERLAP}};
  expect_samples(samples, SAMPLE_COUNT(samples), &reference);
}

TEST(operators_with_scratch_have_none) {
  static const struct operation samples[] = {
      {"tensor x float32[4]\ntensor y float32[4]", "RELU x -> y", NO_OVERLAP}};
  files_make("scratch.csv", "operator,bytes\n0,16\n");
  expect_samples(samples, 1,
                 &(neap_reading){.struct_size = sizeof(neap_reading),
                                 .graph.kernels = NEAP_KERNELS_REFERENCE,
                                 .graph.liveness = {.overlap = true},
                                 .model.scratch = "scratch.csv"});
}

/* A model with most kinds of kernels. */
static const char model_text[] = "tensor x int8[1,5,5,2]\n"
                                 "constant w int8[4,3,3,2]\n"
                                 "constant d int8[1,3,3,4]\n"
                                 "tensor conv int8[1,3,3,4]\n"
                                 "tensor deep int8[1,3,3,4]\n"
                                 "constant pads int32[4,2] : 0 0 1 0 0 1 0 0\n"
                                 "tensor padded int8[1,4,4,4]\n"
                                 "tensor pool int8[1,2,2,4]\n"
                                 "constant v int8[3,16]\n"
                                 "tensor dense int8[1,3]\n"
                                 "tensor soft int8[1,3]\n"
                                 "tensor real float32[1,3]\n"
                                 "constant axes int32[2] : 1 2\n"
                                 "tensor wide float32[1,1,1,3]\n"
                                 "tensor mean float32[1,1,1,3]\n"
                                 ""
                                 "outputs mean\n"
                                 "CONV_2D x w -> conv : 0 2 2 0 1 1\n"
                                 "DEPTHWISE_CONV_2D conv d - -> deep : 0 1 1 1 0 1 1\n"
                                 "PAD deep pads -> padded\n"
                                 "AVERAGE_POOL_2D padded -> pool : 1 2 2 2 2 0\n"
                                 "FULLY_CONNECTED pool v -> dense : 0 0 0\n"
                                 "SOFTMAX dense -> soft\n"
                                 "DEQUANTIZE soft -> real\n"
                                 "RESHAPE real -> wide\n"
                                 "MEAN wide axes -> mean : 1\n";

TEST(the_seed_is_this_model) {
  char path[4096];
  const char *source = getenv("NEAP_SOURCE");
  tflite_make_file(model_text, "seed.tflite");
  assert_int_equal(read_overlap("seed.tflite", &reference, "real", "soft"), 2 * 3);
  assert_int_equal(read_overlap("seed.tflite", &reference, "mean", "wide"), 0);
  assert_int_equal(read_overlap("seed.tflite", &reference, "wide", "real"), NO_OVERLAP);
  if (!source) skip();
  snprintf(path, sizeof path, "%.3900s/tests/fuzz/corpus/tflite/kernels.tflite", source);
  if (getenv("NEAP_UPDATE")) tflite_make_file(model_text, path);
  files_expect_same("seed.tflite", path);
}

/* ---------------------------------------------------------------- kernels */

static const char graph[] =
    "{\"format\": \"neap-graph\", \"version\": 1, \"inputs\": [\"x\"], \"outputs\": [\"z\"],"
    " \"tensors\": [{\"name\": \"x\", \"bytes\": 8}, {\"name\": \"a\", \"bytes\": 8},"
    "  {\"name\": \"b\", \"bytes\": 8}, {\"name\": \"c\", \"bytes\": 9},"
    "  {\"name\": \"z\", \"bytes\": 9}],"
    " \"operators\": [{\"inputs\": [\"x\"], \"outputs\": [\"a\"], \"in_place\": [[0, 0]]},"
    "  {\"inputs\": [\"a\"], \"outputs\": [\"b\"], \"views\": [[0, 0]]},"
    "  {\"inputs\": [\"b\"], \"outputs\": [\"c\"], \"in_place\": [[0, 0]]},"
    "  {\"inputs\": [\"c\"], \"outputs\": [\"z\"], \"overlap\": [[0, 0, 5]]}]}";

static void expect_graph(neap_kernels kernels, bool overlap, neap_size pair, neap_size stated) {
  const neap_reading reading = {.struct_size = sizeof(neap_reading),
                                .graph.kernels = kernels,
                                .graph.liveness = {.overlap = overlap}};
  files_make("g.json", graph);
  assert_int_equal(read_overlap("g.json", &reading, "a", "x"), pair);
  assert_int_equal(read_overlap("g.json", &reading, "b", "a"), NO_OVERLAP); /* a view */
  assert_int_equal(read_overlap("g.json", &reading, "c", "b"), NO_OVERLAP); /* other sizes */
  assert_int_equal(read_overlap("g.json", &reading, "z", "c"), stated);
}

TEST(kernels_choose_allowances) {
  expect_graph(NEAP_KERNELS_DEFAULT, false, NO_OVERLAP, NO_OVERLAP);
  expect_graph(NEAP_KERNELS_ELEMENTWISE, false, NO_OVERLAP, NO_OVERLAP);
  expect_graph(NEAP_KERNELS_DEFAULT, true, NO_OVERLAP, 5);
  expect_graph(NEAP_KERNELS_ELEMENTWISE, true, 0, 5);
}

/* CMSIS-NN has kernels of its own for ADD, but not for RELU nor for float32. */
TEST(replaced_kernels_have_none) {
  static const struct operation samples[] = {
      {"tensor x int8[4]\ntensor y int8[4]", "RELU x -> y", 0},
      {"tensor x int8[4]\ntensor z int8[4]\ntensor y int8[4]", "ADD x z -> y", NO_OVERLAP},
      {"tensor x float32[4]\ntensor z float32[4]\ntensor y float32[4]", "ADD x z -> y", 0}};
  for (neap_kernels kernels = NEAP_KERNELS_CMSIS_NN; kernels <= NEAP_KERNELS_CMSIS_NN_MVE;
       kernels++)
    expect_samples(samples, SAMPLE_COUNT(samples),
                   &(neap_reading){.struct_size = sizeof(neap_reading),
                                   .graph.kernels = kernels,
                                   .graph.liveness = {.overlap = true}});
}

TEST(graphs_keep_what_kernels_allow) {
  const neap_reading reading = {.struct_size = sizeof(neap_reading),
                                .graph.kernels = NEAP_KERNELS_ELEMENTWISE,
                                .graph.liveness = {.overlap = true}};
  const neap_liveness liveness = {.overlap = true};
  neap_graph *read;
  neap_liveness prepared;
  neap_error error;
  files_make("g.json", graph);
  assert_ok(neap_graph_read("g.json", &reading, &read, &error), &error);
  assert_ok(neap_graph_prepare(read, &reading, &prepared, &error), &error);
  assert_true(prepared.overlap);
  neap_problem *problem = sample_graph_problem(read, &liveness);
  assert_int_equal(overlap_of(problem, "a", "x"), 0);
  neap_problem_free(problem);
  neap_graph_free(read);
}

static void expect_error(const char *path, neap_kernels kernels, const char *words) {
  neap_problem *problem;
  neap_error error;
  assert_error(neap_problem_read(path,
                                 &(neap_reading){.struct_size = sizeof(neap_reading),
                                                 .graph.kernels = kernels,
                                                 .graph.liveness = {.overlap = true}},
                                 &problem, &error),
               NEAP_ERROR_ARGUMENT, &error);
  assert_says(&error, words);
}

TEST(kernels_need_their_inputs) {
  files_make("g.json", graph);
  files_make("t.csv", "id,lower,upper,size\na,0,1,4\n");
  files_make("g.dot", "digraph { a -> b [bytes=4] }\n");
  expect_error(
      "g.json", NEAP_KERNELS_REFERENCE,
      "neap_reading.graph.kernels tflm-reference needs a TensorFlow Lite model (.tflite); "
      "this input is json");
  expect_error("t.csv", NEAP_KERNELS_ELEMENTWISE,
               "neap_liveness.overlap needs a graph of operators");
  expect_error("t.csv", NEAP_KERNELS_DEFAULT,
               "neap_liveness.overlap needs a graph of operators");
  expect_error("g.dot", NEAP_KERNELS_DEFAULT,
               "neap_liveness.overlap needs neap_reading.graph.kernels");
  expect_error("g.json", (neap_kernels)(NEAP_KERNELS_ELEMENTWISE + 1),
               "neap_reading.graph.kernels is 7, which is none");
}

TEST(the_kernels_are_listed) {
  static const char *const names[] = {"tflm-reference", "cmsis-nn",    "cmsis-nn-dsp",
                                      "cmsis-nn-mve",   "tflm-python", "elementwise"};
  neap_kernels_info info = NEAP_INIT(neap_kernels_info);
  size_t count = 0;
  for (; neap_kernels_at(count, &info); count++) {
    assert_in_range(count, 0, SAMPLE_COUNT(names) - 1);
    assert_string_equal(info.name, names[count]);
    assert_int_equal(info.kernels, count + 1);
    assert_true(strlen(info.summary) > 0);
  }
  assert_int_equal(count, SAMPLE_COUNT(names));
}

TEST(broken_allowances_are_refused) {
  static const struct {
    const char *overlap, *words;
  } samples[] = {{"[[0, 0]]", "expected [input, output, bytes], found an array of 2"},
                 {"[[0, 1, 0]]", "expected the positions of an input and an output"},
                 {"[[0, 0, -1]]", "expected"},
                 {"[0]", "expected"},
                 {"{}", "expected"}};
  for (size_t i = 0; i < SAMPLE_COUNT(samples); i++) {
    char text[512];
    neap_problem *problem;
    neap_error error;
    snprintf(
        text, sizeof text,
        "{\"format\": \"neap-graph\", \"version\": 1, \"inputs\": [\"x\"], \"outputs\": [],"
        " \"tensors\": [{\"name\": \"x\", \"bytes\": 8}, {\"name\": \"y\", \"bytes\": 8}],"
        " \"operators\": [{\"inputs\": [\"x\"], \"outputs\": [\"y\"], \"overlap\": %s}]}",
        samples[i].overlap);
    files_make("b.json", text);
    assert_error(neap_problem_read("b.json", NULL, &problem, &error), NEAP_ERROR_INPUT, &error);
    assert_says(&error, samples[i].words);
  }
}

int main(void) {
  neap_models_register();
  const struct CMUnitTest tests[] = {FILES_CASE(windows),
                                     FILES_CASE(other_kernels),
                                     FILES_CASE(unmodelled_kernels),
                                     FILES_CASE(unusual_operators),
                                     FILES_CASE(operators_with_scratch_have_none),
                                     FILES_CASE(the_seed_is_this_model),
                                     FILES_CASE(kernels_choose_allowances),
                                     FILES_CASE(replaced_kernels_have_none),
                                     FILES_CASE(graphs_keep_what_kernels_allow),
                                     FILES_CASE(kernels_need_their_inputs),
                                     FILES_CASE(the_kernels_are_listed),
                                     FILES_CASE(broken_allowances_are_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
