/* SPDX-License-Identifier: GPL-3.0-or-later */
/* TensorFlow Lite models with called subgraphs, variables, and what only the runtime can keep. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "neap-tool.h"
#include "neap/planner.h"
#include "tests/support/bands.h"
#include "tests/support/files.h"
#include "tests/support/tflite_maker.h"

/*
 * WHILE copies its inputs to its outputs, runs the condition, and then the body and the condition
 * until that is false.
 */
static const char loop[] = "tensor x float32[1,64]\n"
                           "tensor wide float32[1,64]\n"
                           "tensor y float32[1,64]\n"
                           "tensor z float32[1,64]\n"
                           "inputs x\n"
                           "outputs z\n"
                           "MUL x x -> wide\n"
                           "WHILE wide -> y : 1 2\n"
                           "ADD x y -> z\n"
                           "subgraph\n"
                           "tensor cond/x float32[1,64]\n"
                           "constant limit float32[1,64]\n"
                           "tensor less bool[1,64]\n"
                           "inputs cond/x\n"
                           "outputs less\n"
                           "LESS cond/x limit -> less\n"
                           "subgraph\n"
                           "tensor body/x float32[1,64]\n"
                           "tensor body/a float32[1,64]\n"
                           "tensor body/b float32[1,64]\n"
                           "inputs body/x\n"
                           "outputs body/b\n"
                           "ADD body/x body/x -> body/a\n"
                           "ADD body/a body/x -> body/b\n";

/* Subgraph 2 is called from subgraph 0 and from subgraph 1. */
static const char nested[] = "tensor c bool[1]\n"
                             "tensor x float32[16]\n"
                             "tensor y float32[16]\n"
                             "tensor z float32[16]\n"
                             "inputs c x\n"
                             "outputs z\n"
                             "IF c x -> y : 1 2\n"
                             "IF c y -> z : 2 2\n"
                             "subgraph\n"
                             "tensor outer/x float32[16]\n"
                             "constant yes bool[1]\n"
                             "tensor outer/y float32[16]\n"
                             "inputs outer/x\n"
                             "outputs outer/y\n"
                             "IF yes outer/x -> outer/y : 2 2\n"
                             "subgraph\n"
                             "tensor inner/x float32[16]\n"
                             "tensor inner/y float32[16]\n"
                             "inputs inner/x\n"
                             "outputs inner/y\n"
                             "ADD inner/x inner/x -> inner/y\n";

/* A streaming model: a resource, made once, that keeps the last values. */
static const char stream[] = "tensor x int8[1,40]\n"
                             "tensor state resource[]\n"
                             "tensor old int8[1,80]\n"
                             "tensor y int8[1,120]\n"
                             "tensor text string[1]\n"
                             "tensor list variant[1]\n"
                             "inputs x\n"
                             "outputs y\n"
                             "CALL_ONCE -> : 1\n"
                             "VAR_HANDLE -> state\n"
                             "READ_VARIABLE state -> old\n"
                             "CONCATENATION old x -> y\n"
                             "ASSIGN_VARIABLE state x ->\n"
                             "subgraph\n"
                             "tensor handle resource[]\n"
                             "constant zeros int8[1,80]\n"
                             "VAR_HANDLE -> handle\n"
                             "ASSIGN_VARIABLE handle zeros ->\n";

/* As Vela writes it: the accelerator's tensors lie within its scratch tensor, tensor 3. */
static const char compiled[] = "tensor x int8[32]\n"
                               "tensor a int8[48]\n"
                               "constant commands int8[16]\n"
                               "tensor work int8[200]\n"
                               "tensor fast int8[200]\n"
                               "tensor b int8[48]\n"
                               "tensor y int8[32]\n"
                               "inputs x\n"
                               "outputs y\n"
                               "CONCATENATION x x -> a\n"
                               "custom ethos-u commands work fast a -> b\n"
                               "RELU b -> y\n"
                               "plan 0 1 : 208 16 -1 0 0 64 208\n";

/* The runtime would keep all apart, also those of a subgraph that nothing calls: 32 + 64 + 640. */
static const char unused[] = "tensor x int8[64]\n"
                             "tensor y int8[64]\n"
                             "tensor lost int8[30]\n"
                             "inputs x\n"
                             "outputs y\n"
                             "RELU x -> y\n"
                             "subgraph\n"
                             "tensor far int8[64]\n"
                             "tensor large int8[640]\n";

/* Each wide tensor can be reduced before the next one is made, in three of five subgraphs. */
static const char forks[] = "tensor c bool[1]\n"
                            "tensor x float32[1,64]\n"
                            "tensor s float32[1,64]\n"
                            "tensor t float32[1,64]\n"
                            "tensor u float32[1,64]\n"
                            "constant w float32[16,64]\n"
                            "constant v float32[16,64]\n"
                            "tensor m float32[16,64]\n"
                            "tensor n float32[16,64]\n"
                            "tensor a float32[1,64]\n"
                            "tensor b float32[1,64]\n"
                            "constant axis int32[1] : 0\n"
                            "inputs c x\n"
                            "outputs u\n"
                            "ADD x w -> m\n"
                            "ADD x v -> n\n"
                            "MEAN m axis -> a : 1\n"
                            "MEAN n axis -> b : 1\n"
                            "ADD a b -> s\n"
                            "IF c s -> t : 1 2\n"
                            "WHILE t -> u : 3 4\n"
                            "subgraph\n"
                            "tensor then/x float32[1,64]\n"
                            "tensor then/y float32[1,64]\n"
                            "constant then/w float32[16,64]\n"
                            "constant then/v float32[16,64]\n"
                            "tensor then/m float32[16,64]\n"
                            "tensor then/n float32[16,64]\n"
                            "tensor then/a float32[1,64]\n"
                            "tensor then/b float32[1,64]\n"
                            "constant then/axis int32[1] : 0\n"
                            "inputs then/x\n"
                            "outputs then/y\n"
                            "ADD then/x then/w -> then/m\n"
                            "ADD then/x then/v -> then/n\n"
                            "MEAN then/m then/axis -> then/a : 1\n"
                            "MEAN then/n then/axis -> then/b : 1\n"
                            "ADD then/a then/b -> then/y\n"
                            "subgraph\n"
                            "tensor else/x float32[1,64]\n"
                            "tensor else/y float32[1,64]\n"
                            "inputs else/x\n"
                            "outputs else/y\n"
                            "RELU else/x -> else/y\n"
                            "subgraph\n"
                            "tensor cond/x float32[1,64]\n"
                            "constant limit float32[1,64]\n"
                            "tensor less bool[1,64]\n"
                            "inputs cond/x\n"
                            "outputs less\n"
                            "LESS cond/x limit -> less\n"
                            "subgraph\n"
                            "tensor body/x float32[1,64]\n"
                            "tensor body/r float32[1,64]\n"
                            "tensor body/y float32[1,64]\n"
                            "constant body/w float32[16,64]\n"
                            "constant body/v float32[16,64]\n"
                            "tensor body/m float32[16,64]\n"
                            "tensor body/n float32[16,64]\n"
                            "tensor body/a float32[1,64]\n"
                            "tensor body/b float32[1,64]\n"
                            "constant body/axis int32[1] : 0\n"
                            "inputs body/x\n"
                            "outputs body/y\n"
                            "RELU body/x -> body/r\n"
                            "ADD body/r body/w -> body/m\n"
                            "ADD body/r body/v -> body/n\n"
                            "MEAN body/m body/axis -> body/a : 1\n"
                            "MEAN body/n body/axis -> body/b : 1\n"
                            "ADD body/a body/b -> body/y\n";

/* The batch and the height are free, and a shape is computed. */
static const char free_batch[] = "tensor x float32[?1,?9,9,4]\n"
                                 "constant w float32[8,3,3,4]\n"
                                 "tensor a float32[1,5,5,8]\n"
                                 "tensor s int32[4]\n"
                                 "constant begin int32[1] : 0\n"
                                 "constant end int32[1] : 1\n"
                                 "constant one int32[1] : 1\n"
                                 "tensor n int32[1]\n"
                                 "constant rest int32[1] : -1\n"
                                 "tensor t int32[2]\n"
                                 "tensor y float32[1,200]\n"
                                 "inputs x\n"
                                 "outputs y\n"
                                 "CONV_2D x w -> a : 0 2 2 0 1 1\n"
                                 "SHAPE a -> s : 2\n"
                                 "STRIDED_SLICE s begin end one -> n\n"
                                 "CONCATENATION n rest -> t\n"
                                 "RESHAPE a t -> y\n";

/* Branches of which one is called twice. */
static const char branches[] = "tensor x int8[64]\n"
                               "tensor y int8[64]\n"
                               "inputs x\n"
                               "outputs y\n"
                               "STABLEHLO_CASE x -> y : 1 2 1\n"
                               "subgraph\n"
                               "tensor a int8[64]\n"
                               "tensor b int8[64]\n"
                               "inputs a\n"
                               "outputs b\n"
                               "RELU a -> b\n"
                               "subgraph\n"
                               "tensor c int8[64]\n"
                               "inputs c\n"
                               "outputs c\n";

static const struct seed {
  const char *name, *text;
} seeds[] = {{"loop", loop},       {"nested", nested},     {"stream", stream},
             {"forks", forks},     {"compiled", compiled}, {"unused", unused},
             {"free", free_batch}, {"branches", branches}};

/* ---------------------------------------------------------------- reading */

static neap_problem *read_model(const char *text, const neap_reading *reading) {
  neap_problem *problem;
  neap_error error;
  tflite_make_file(text, "m.tflite");
  assert_ok(neap_problem_read("m.tflite", reading, &problem, &error), &error);
  return problem;
}

static void expect_refused(const char *text, const char *words) {
  neap_problem *problem;
  neap_error error;
  tflite_make_file(text, "m.tflite");
  assert_error(neap_problem_read("m.tflite", NULL, &problem, &error), NEAP_ERROR_INPUT, &error);
  assert_says(&error, words);
}

static neap_buffer buffer_of(const neap_problem *problem, const char *name) {
  neap_buffer buffer = NEAP_INIT(neap_buffer);
  size_t index;
  if (!neap_problem_find(problem, name, &index)) fail_msg("there is no buffer %s", name);
  assert_true(neap_problem_buffer_at(problem, index, &buffer));
  assert_int_equal(buffer.range_count, 1);
  return buffer;
}

static bool are_together(const neap_problem *problem, const char *left, const char *right) {
  neap_buffer a = buffer_of(problem, left), b = buffer_of(problem, right);
  return a.ranges->start < b.ranges->end && b.ranges->start < a.ranges->end;
}

static bool is_buffer(const neap_problem *problem, const char *name) {
  size_t index;
  return neap_problem_find(problem, name, &index);
}

/* ---------------------------------------------------------------- called subgraphs */

TEST(a_called_subgraph_lives_within_the_call) {
  static const char *const called[] = {"cond/x", "less", "body/x", "body/a", "body/b"};
  neap_problem *problem = read_model(loop, NULL);
  assert_int_equal(neap_problem_count(problem), 9);
  for (size_t i = 0; i < SAMPLE_COUNT(called); i++) {
    assert_true(are_together(problem, called[i], "wide"));
    assert_true(are_together(problem, called[i], "y"));
    assert_true(are_together(problem, called[i], "x"));
    assert_false(are_together(problem, called[i], "z"));
  }
  assert_false(are_together(problem, "cond/x", "body/x"));
  assert_false(are_together(problem, "less", "body/x"));
  assert_false(are_together(problem, "wide", "z"));
  /* x, wide, y, body/x, body/a, body/b */
  assert_int_equal(sample_bound(problem).bytes, 6 * 256);
  neap_problem_free(problem);
}

TEST(a_subgraph_called_twice_lives_from_first_to_last) {
  neap_problem *problem = read_model(nested, NULL);
  neap_buffer inner = buffer_of(problem, "inner/x"), outer = buffer_of(problem, "outer/y");
  assert_true(inner.ranges->start < outer.ranges->end);
  assert_true(are_together(problem, "inner/x", "z"));
  assert_true(are_together(problem, "inner/y", "y"));
  assert_true(are_together(problem, "inner/x", "inner/y"));
  assert_false(are_together(problem, "outer/x", "z"));
  neap_problem_free(problem);
}

/* Whatever an operator calls is alive with its output, and with no other branch. */
TEST(all_operators_that_call_are_followed) {
  static const char *const calls[] = {"CALL x -> y : 1",
                                      "STABLEHLO_REDUCE x -> y : 1",
                                      "STABLEHLO_SCATTER x -> y : 1",
                                      "STABLEHLO_REDUCE_WINDOW x -> y : 1",
                                      "STABLEHLO_SORT x -> y : 1",
                                      "IF x -> y : 1 2",
                                      "STABLEHLO_CASE x -> y : 1 2 3"};
  for (size_t i = 0; i < SAMPLE_COUNT(calls); i++) {
    char text[640];
    snprintf(text, sizeof text,
             "tensor x int8[64]\ntensor y int8[64]\ninputs x\noutputs y\n%s\n"
             "subgraph\ntensor a int8[64]\ntensor b int8[640]\ninputs a\noutputs b\n"
             "PAD a -> b\n"
             "subgraph\ntensor c int8[64]\ntensor d int8[640]\ninputs c\noutputs d\n"
             "PAD c -> d\n"
             "subgraph\ntensor e int8[64]\ntensor f int8[640]\ninputs e\noutputs f\n"
             "PAD e -> f\n",
             calls[i]);
    const char *count = strrchr(calls[i], ' ') + 1, *const made[] = {"b", "d", "f"};
    neap_problem *problem = read_model(text, NULL);
    for (int s = 0; s < *count - '0'; s++)
      assert_true(are_together(problem, made[s], "y"));
    if (*count > '1') assert_false(are_together(problem, "b", "d"));
    assert_int_equal(sample_bound(problem).bytes, 64 + 64 + 64 + 640);
    neap_problem_free(problem);
  }
}

TEST(steps_of_calls_are_counted_apart) {
  const struct {
    const char *text;
    size_t operators;
  } models[] = {{loop, 6}, {nested, 4}, {stream, 7}};
  for (size_t m = 0; m < SAMPLE_COUNT(models); m++) {
    neap_problem *problem = read_model(models[m].text, NULL);
    const neap_graph *graph = neap_problem_graph(problem);
    assert_int_equal(neap_graph_operator_count(graph) - neap_graph_step_count(graph),
                     models[m].operators);
    neap_problem_free(problem);
  }
}

TEST(calls_that_cannot_be_are_refused) {
  expect_refused("tensor c bool[1]\ninputs c\noutputs c\nIF c -> c : 0 0\n", "calls itself");
  expect_refused("CALL_ONCE -> : 1\nsubgraph\nCALL_ONCE -> : 2\nsubgraph\nCALL_ONCE -> : 1\n",
                 "subgraph 1 calls itself");
  expect_refused("CALL_ONCE -> : 7\n", "calls subgraph 7, but the model has 1");
  expect_refused("CALL_ONCE ->\n", "expected the subgraphs that it calls");
  expect_refused("STABLEHLO_CASE -> : 1 2\nsubgraph\n",
                 "calls subgraph 2, but the model has 2");
}

static size_t kept_in(const char *text) {
  neap_problem *problem = read_model(text, NULL);
  size_t count = neap_graph_kept_count(neap_problem_graph(problem));
  neap_problem_free(problem);
  return count;
}

/* Reads a model for TensorFlow Lite Micro with its operators in another order. */
static neap_problem *read_ordered(const char *text, neap_schedule schedule) {
  const neap_reading reading = {.struct_size = sizeof(neap_reading), .graph.target = "tflm"};
  const neap_scheduling scheduling = {.schedule = schedule};
  neap_problem *problem;
  neap_error error;
  tflite_make_file(text, "m.tflite");
  assert_ok(neap_problem_prepare("m.tflite", &reading, &scheduling, &problem, &error), &error);
  return problem;
}

/* The calls keep their place, and the subgraph with several callers keeps its order. */
TEST(called_subgraphs_are_reordered_within) {
  neap_operator_order order = NEAP_INIT(neap_operator_order);
  neap_problem *given = read_model(
      forks, &(neap_reading){.struct_size = sizeof(neap_reading), .graph.target = "tflm"});
  neap_problem *problem = read_ordered(forks, NEAP_SCHEDULE_OPTIMAL);
  assert_int_equal(kept_in(loop), 1);
  assert_int_equal(kept_in(nested), 4);
  assert_int_equal(kept_in(forks), 2);
  /* Two wide tensors at once, or one, and a scratch buffer. */
  assert_int_equal(sample_bound(given).bytes, 2 * 4096 + 3 * 256 + 16 + 32);
  assert_true(neap_problem_order(problem, &order));
  assert_int_equal(sample_bound(problem).bytes, 4096 + 4 * 256 + 16 + 32);
  assert_int_equal(order.lower_bound, sample_bound(problem).bytes);
  neap_problem_free(given);
  neap_problem_free(problem);
}

/* The graph does not show that ASSIGN_VARIABLE writes what READ_VARIABLE reads. */
TEST(users_of_variables_keep_their_order) {
  static const char text[] = "tensor x int8[64]\n"
                             "tensor state resource[]\n"
                             "tensor old int8[640]\n"
                             "tensor wide int8[640]\n"
                             "tensor new int8[64]\n"
                             "tensor y int8[64]\n"
                             "inputs x\n"
                             "outputs y\n"
                             "VAR_HANDLE -> state\n"
                             "READ_VARIABLE state -> old\n"
                             "CONCATENATION x x -> wide\n"
                             "FULLY_CONNECTED wide -> new\n"
                             "ASSIGN_VARIABLE state new ->\n"
                             "FULLY_CONNECTED old -> y\n";
  static const size_t before[] = {0, 1, 4}; /* the others are free to move */
  size_t found = 0;
  neap_operator_order order = NEAP_INIT(neap_operator_order);
  neap_problem *problem = read_ordered(text, NEAP_SCHEDULE_OPTIMAL);
  assert_true(neap_problem_order(problem, &order));
  assert_int_equal(order.count, 6);
  for (size_t k = 0; k < order.count; k++)
    if (found < SAMPLE_COUNT(before) && order.given[k] == before[found]) found++;
  assert_int_equal(found, SAMPLE_COUNT(before));
  assert_int_equal(sample_bound(problem).bytes, 640 + 64);
  assert_int_equal(kept_in(text), 3);
  neap_problem_free(problem);
}

/* ---------------------------------------------------------------- parts of tensors */

/* TensorFlow Lite Micro makes the copies. */
TEST(concatenations_need_no_copies) {
  static const char model[] =
      "tensor x int8[1,4]\ntensor a int8[1,2,5]\ntensor b int8[1,1,5]\n"
      "tensor c int8[1,3,5]\ntensor d int8[1,3,10]\ntensor y int8[1,4]\n"
      "inputs x\noutputs y\nFULLY_CONNECTED x -> a\n"
      "FULLY_CONNECTED x -> b\nCONCATENATION a b -> c\n"
      "CONCATENATION c c -> d\nFULLY_CONNECTED d -> y\n";
  neap_reading reading = {.struct_size = sizeof(neap_reading),
                          .graph.liveness.aliases = NEAP_ALIAS_CONCAT | NEAP_ALIAS_SPLIT};
  neap_aliased aliased;
  neap_problem *problem = read_model(model, &reading);
  neap_problem_aliased(problem, &aliased);
  assert_int_equal(aliased.operators, 1);
  assert_int_equal(aliased.bytes, 15);
  neap_problem_free(problem);
  reading.graph.target = "tflm";
  assert_int_equal(neap_problem_read("m.tflite", &reading, &problem, NULL),
                   NEAP_ERROR_ARGUMENT);
}

/* ---------------------------------------------------------------- kinds of tensors */

TEST(what_only_the_runtime_can_keep_is_not_planned) {
  neap_problem *problem = read_model(stream, NULL);
  assert_int_equal(neap_problem_count(problem), 3);
  assert_false(is_buffer(problem, "state") || is_buffer(problem, "handle"));
  assert_int_equal(sample_bound(problem).bytes, 40 + 80 + 120);
  neap_problem_free(problem);
}

TEST(sizes_follow_the_target) {
  static const char model[] = "tensor x int4[1,33]\n"
                              "tensor y int4[1,33]\n"
                              "inputs x\n"
                              "outputs y\n"
                              "RELU x -> y\n";
  const neap_reading target = {.struct_size = sizeof(neap_reading), .graph.target = "tflm"};
  neap_problem *plain = read_model(model, NULL), *problem = read_model(model, &target);
  assert_int_equal(buffer_of(plain, "x").size, 17);
  assert_int_equal(buffer_of(problem, "x").size, 48);
  assert_int_equal(buffer_of(problem, "x").alignment, 16);
  assert_null(neap_problem_target(plain));
  assert_string_equal(neap_problem_target(problem), "tflm");
  neap_problem_free(plain);
  neap_problem_free(problem);
}

/* An input that no operator reads is gone when the first operator runs. */
TEST(an_unread_input_is_gone_at_once) {
  static const char model[] = "tensor x int8[16]\n"
                              "tensor unread int8[32]\n"
                              "tensor y int8[32]\n"
                              "inputs x unread\n"
                              "outputs y\n"
                              "ADD x x -> y\n";
  const neap_reading target = {.struct_size = sizeof(neap_reading), .graph.target = "tflm"};
  neap_problem *plain = read_model(model, NULL), *problem = read_model(model, &target);
  assert_int_equal(sample_bound(plain).bytes, 80);
  assert_int_equal(sample_bound(problem).bytes, 48);
  assert_true(are_together(problem, "x", "unread"));
  assert_string_equal(neap_problem_operator_type(problem, 0), "");
  assert_string_equal(neap_problem_operator_type(problem, 1), "ADD");
  neap_problem_free(plain);
  /* Where that moment matters, scheduling keeps the order. */
  plain = read_ordered(model, NEAP_SCHEDULE_MIN_PEAK);
  assert_int_equal(sample_bound(plain).bytes, 48);
  neap_problem_free(plain);
  neap_problem_free(problem);
}

TEST(a_tensor_that_nothing_makes_lives_while_it_is_read) {
  static const char model[] = "tensor x int8[16]\n"
                              "tensor work int8[64]\n"
                              "tensor a int8[16]\n"
                              "tensor y int8[16]\n"
                              "inputs x\n"
                              "outputs y\n"
                              "RELU x -> a\n"
                              "custom accelerated a work work -> y\n";
  neap_problem *problem = read_model(model, NULL);
  neap_buffer work = buffer_of(problem, "work");
  assert_true(work.ranges->start == 1 && work.ranges->end == 2);
  neap_problem_free(problem);
}

/* ---------------------------------------------------------------- plans in models */

/* Like a caller's own plan, the copy gets into a model even if the runtime's layout is as low. */
static neap_plan *solve_and_copy(const neap_problem *problem) {
  neap_plan *solved = sample_solve(problem, NULL), *plan;
  size_t count = neap_problem_count(problem);
  neap_offset *offsets = test_calloc(count + 1, sizeof *offsets);
  neap_error error;
  for (size_t i = 0; i < count; i++)
    offsets[i] = neap_plan_offset(solved, i);
  assert_ok(neap_plan_new(problem, offsets, &plan, &error), &error);
  test_free(offsets);
  neap_plan_free(solved);
  return plan;
}

static void write_plan(const neap_plan *plan, const char *model, const char *path) {
  const neap_writing writing = {
      .struct_size = sizeof(neap_writing), .model = model, .replace = true};
  neap_error error;
  assert_ok(neap_plan_write(plan, path, &writing, &error), &error);
}

static long size_of(const char *path) {
  struct stat found;
  assert_int_equal(stat(path, &found), 0);
  return (long)found.st_size;
}

/* Numbers 0, 1, ... of the plan that ends a model written by neap. */
static int32_t *plan_numbers(const char *path, size_t count) {
  int32_t *numbers = test_calloc(count, sizeof *numbers);
  char *text = files_text(path);
  long size = size_of(path);
  const char *at = NULL;
  for (long i = 0; i + (long)(4 * count) < size && !at; i += 4) {
    int32_t head[4];
    memcpy(head, text + i, sizeof head);
    if (head[0] == (int32_t)(4 * count) && head[1] == 1 && head[2] < 64 &&
        head[3] == (int32_t)count - 3)
      at = text + i + 4;
  }
  assert_non_null(at);
  memcpy(numbers, at, 4 * count);
  free(text);
  return numbers;
}

/* The plan in a model has the offsets of all subgraphs, and reads back as it was. */
TEST(plans_hold_all_subgraphs) {
  for (size_t s = 0; s < SAMPLE_COUNT(seeds); s++) {
    const neap_reading target = {.struct_size = sizeof(neap_reading),
                                 .graph.target = "tflm",
                                 .graph.liveness = {.list_runtime = true}};
    neap_problem *problem = read_model(seeds[s].text, &target);
    neap_plan *plan = sample_solve(problem, NULL);
    neap_report report = NEAP_INIT(neap_report), again = NEAP_INIT(neap_report);
    neap_error error;
    write_plan(plan, "m.tflite", "out.tflite");
    neap_plan *read = files_read_plan("out.tflite");
    assert_ok(neap_plan_verify(read, -1, &error), &error);
    neap_plan_report(plan, &report);
    neap_plan_report(read, &again);
    assert_int_equal(again.peak, report.peak);
    assert_int_equal(again.bound, report.bound);
    assert_int_equal(again.buffers, report.buffers);
    neap_plan_free(read);
    neap_plan_free(plan);
    neap_problem_free(problem);
  }
}

TEST(the_header_has_the_number_of_subgraphs) {
  const neap_reading target = {.struct_size = sizeof(neap_reading), .graph.target = "tflm"};
  neap_problem *problem = read_model(stream, &target);
  neap_plan *plan = solve_and_copy(problem);
  write_plan(plan, "m.tflite", "out.tflite");
  int32_t *numbers = plan_numbers("out.tflite", 3 + 8);
  assert_int_equal(numbers[0], 1);
  assert_int_equal(numbers[1], 2);
  assert_int_equal(numbers[2], 8);
  assert_true(numbers[3] >= 0 && numbers[5] >= 0 && numbers[6] >= 0);
  for (size_t i = 0; i < 8; i++)
    if (i != 0 && i != 2 && i != 3) assert_int_equal(numbers[3 + i], -1);
  test_free(numbers);
  neap_plan_free(plan);
  neap_problem_free(problem);
}

/* By itself, the runtime takes 64 bytes for the first model, no more than neap for the second. */
static const char two_chains[] = "tensor a int8[16]\ntensor b int8[16]\ntensor a1 int8[16]\n"
                                 "tensor a2 int8[16]\ntensor a3 int8[16]\ntensor b1 int8[16]\n"
                                 "tensor b2 int8[16]\ntensor y int8[16]\n"
                                 "inputs a b\noutputs y\n"
                                 "CONV_2D a -> a1\nCONV_2D a1 -> a2\nCONV_2D a2 -> a3\n"
                                 "CONV_2D b -> b1\nCONV_2D b1 -> b2\nADD a3 b2 -> y\n";
static const char chain[] = "tensor x int8[16]\ntensor a int8[64]\ntensor y int8[16]\n"
                            "inputs x\noutputs y\nCONV_2D x -> a\nCONV_2D a -> y\n";

static void expect_written(const char *text, size_t tensors, neap_size peak, bool has_offsets) {
  const neap_reading target = {.struct_size = sizeof(neap_reading), .graph.target = "tflm"};
  neap_problem *problem = read_model(text, &target);
  neap_plan *plan = sample_solve(problem, NULL);
  neap_report report = NEAP_INIT(neap_report), again = NEAP_INIT(neap_report);
  neap_plan_report(plan, &report);
  assert_int_equal(report.peak, peak);
  assert_int_equal(report.is_runtimes_own, !has_offsets);
  write_plan(plan, "m.tflite", "out.tflite");
  int32_t *numbers = has_offsets ? plan_numbers("out.tflite", 3 + tensors) : NULL;
  for (size_t t = 0; t < tensors && has_offsets; t++)
    assert_true(numbers[3 + t] >= 0);
  if (!has_offsets) files_expect_same("m.tflite", "out.tflite");
  neap_plan *read = files_read_plan("out.tflite");
  neap_plan_report(read, &again);
  assert_int_equal(again.peak, peak);
  test_free(numbers);
  neap_plan_free(read);
  neap_plan_free(plan);
  neap_problem_free(problem);
}

TEST(offsets_are_written_only_if_they_lower_the_head) {
  expect_written(two_chains, 8, 48, true);
  expect_written(chain, 3, 80, false);
}

/* A model that the plan does not change stays as it is, so that there is nothing to replace. */
TEST(what_does_not_change_is_not_replaced) {
  static const char *const texts[] = {chain, compiled};
  for (size_t i = 0; i < SAMPLE_COUNT(texts); i++) {
    neap_problem *problem = read_model(
        texts[i], &(neap_reading){.struct_size = sizeof(neap_reading), .graph.target = "tflm"});
    neap_plan *plan = sample_solve(problem, NULL);
    neap_error error;
    assert_ok(neap_plan_write(
                  plan, "out.tflite",
                  &(neap_writing){.struct_size = sizeof(neap_writing), .model = "m.tflite"},
                  &error),
              &error);
    files_expect_same("m.tflite", "out.tflite");
    neap_plan_free(plan);
    neap_problem_free(problem);
  }
}

/* The operators of each subgraph are written in the plan's order. */
TEST(called_subgraphs_are_written_in_order) {
  neap_problem *problem = read_ordered(forks, NEAP_SCHEDULE_OPTIMAL), *again;
  neap_plan *plan = sample_solve(problem, NULL);
  neap_error error;
  write_plan(plan, "m.tflite", "out.tflite");
  assert_int_equal(size_of("out.tflite"), size_of("m.tflite"));
  assert_ok(neap_problem_read(
                "out.tflite",
                &(neap_reading){.struct_size = sizeof(neap_reading), .graph.target = "tflm"},
                &again, &error),
            &error);
  assert_int_equal(sample_bound(again).bytes, sample_bound(problem).bytes);
  for (size_t k = 0; k < neap_problem_operator_count(problem); k++)
    assert_string_equal(neap_problem_operator_type(again, (neap_time)k),
                        neap_problem_operator_type(problem, (neap_time)k));
  neap_problem_free(again);
  neap_plan_free(plan);
  neap_problem_free(problem);
}

/* The first two numbers mean nothing to the runtime. */
TEST(any_version_is_read) {
  static const char *const heads[] = {"plan 0 0", "plan 0 1", "plan 1 0", "plan 1 1",
                                      "plan 1 7"};
  for (size_t h = 0; h < SAMPLE_COUNT(heads); h++) {
    char text[256];
    snprintf(
        text, sizeof text,
        "tensor x int8[16]\ntensor y int8[16]\ninputs x\noutputs y\nRELU x -> y\n%s : 0 16\n",
        heads[h]);
    tflite_make_file(text, "m.tflite");
    neap_plan *plan = files_read_plan("m.tflite");
    assert_int_equal(neap_plan_offset(plan, 1), 16);
    neap_plan_free(plan);
  }
}

TEST(a_plan_must_have_all_tensors) {
  neap_plan *plan;
  neap_error error;
  tflite_make_file("tensor x int8[16]\ninputs x\nsubgraph\ntensor y int8[16]\nplan 1 2 : 0\n",
                   "m.tflite");
  assert_error(neap_plan_read("m.tflite", NULL, &plan, &error), NEAP_ERROR_INPUT, &error);
  assert_says(&error, "all 2 tensors, found 1");
}

TEST(replacing_a_plan_does_not_grow_the_model) {
  const neap_reading target = {.struct_size = sizeof(neap_reading), .graph.target = "tflm"};
  neap_problem *problem = read_model(loop, &target);
  neap_plan *plan = sample_solve(problem, NULL);
  write_plan(plan, "m.tflite", "a.tflite");
  write_plan(plan, "a.tflite", "b.tflite");
  write_plan(plan, "b.tflite", "c.tflite");
  assert_int_equal(size_of("b.tflite"), size_of("a.tflite"));
  files_expect_same("a.tflite", "c.tflite");
  neap_plan_free(plan);
  neap_problem_free(problem);
}

/* A plan of another length, and a plan whose data something else also uses, get a new place. */
TEST(a_plan_of_another_length_gets_a_new_place) {
  static const char model[] = "tensor x int8[16]\n"
                              "tensor y int8[16]\n"
                              "inputs x\n"
                              "outputs y\n"
                              "RELU x -> y\n"
                              "plan 1 1 : 0 16 32\n";
  const neap_reading target = {.struct_size = sizeof(neap_reading), .graph.target = "tflm"};
  neap_problem *problem = read_model(model, &target);
  neap_plan *plan = sample_solve(problem, NULL);
  write_plan(plan, "m.tflite", "a.tflite");
  neap_plan *read = files_read_plan("a.tflite");
  assert_true(size_of("a.tflite") > size_of("m.tflite"));
  neap_plan_free(read);
  neap_plan_free(plan);
  neap_problem_free(problem);
}

/* The runtime places tensors that nothing uses, if they fit below the peak. */
TEST(what_nothing_uses_is_left_to_the_runtime) {
  static const char model[] = "tensor x int8[64]\n"
                              "tensor y int8[64]\n"
                              "tensor lost int8[60]\n"
                              "tensor far int8[64]\n"
                              "inputs x\n"
                              "outputs y\n"
                              "RELU x -> y\n";
  const neap_reading target = {.struct_size = sizeof(neap_reading), .graph.target = "tflm"};
  neap_problem *problem = read_model(model, &target);
  neap_plan *plan = sample_solve(problem, NULL);
  write_plan(plan, "m.tflite", "out.tflite");
  files_expect_same("m.tflite", "out.tflite");
  neap_plan_free(plan);
  neap_problem_free(problem);
}

TEST(what_nothing_uses_costs_the_largest) {
  const neap_reading target = {.struct_size = sizeof(neap_reading), .graph.target = "tflm"};
  neap_problem *problem = read_model(unused, &target);
  neap_plan *plan = sample_solve(problem, NULL), *read;
  assert_int_equal(neap_problem_count(problem), 5);
  for (size_t i = 0; i < 5; i++)
    assert_int_equal(neap_problem_is_unused(problem, i), i >= 2);
  neap_report report = sample_report(plan);
  assert_true(report.peak == 640 && report.outcome == NEAP_OPTIMAL && !report.is_runtimes_own);
  write_plan(plan, "m.tflite", "out.tflite");
  int32_t *numbers = plan_numbers("out.tflite", 3 + 5);
  for (size_t i = 0; i < 5; i++)
    assert_true(numbers[3 + i] >= 0);
  test_free(numbers);
  read = files_read_plan("out.tflite");
  neap_plan_report(read, &report);
  assert_int_equal(report.peak, 640);
  neap_plan_free(read);
  neap_plan_free(plan);
  neap_problem_free(problem);
}

/* With the planner of the runtime, and without a target. */
TEST(the_runtime_keeps_apart_what_nothing_uses) {
  const neap_reading target = {.struct_size = sizeof(neap_reading), .graph.target = "tflm"},
                     none = {.struct_size = sizeof(neap_reading), .graph.target = NULL};
  neap_options *options = neap_options_new();
  neap_problem *problem = read_model(unused, &target);
  neap_error error;
  assert_ok(neap_options_set(options, "engine", "tflm-greedy", &error), &error);
  neap_plan *plan = sample_solve(problem, options);
  neap_report report = sample_report(plan);
  assert_true(report.peak == 32 + 64 + 640);
  neap_plan_free(plan);
  neap_problem_free(problem);
  neap_options_free(options);
  problem = read_model(unused, &none);
  assert_int_equal(neap_problem_count(problem), 2);
  neap_problem_free(problem);
}

/* ---------------------------------------------------------------- compiled operators */

TEST(compiled_operators_keep_their_layout) {
  const neap_reading target = {.struct_size = sizeof(neap_reading), .graph.target = "tflm"};
  neap_problem *problem = read_model(compiled, &target);
  neap_error error;
  neap_buffer work = buffer_of(problem, "work");
  assert_int_equal(neap_problem_count(problem), 5); /* with two scratch buffers */
  assert_int_equal(work.fixed_offset, 0);
  assert_true(work.ranges->start == 0 && work.ranges->end == 3);
  neap_plan *given = files_read_plan("m.tflite");
  assert_ok(neap_plan_verify(given, -1, &error), &error);
  neap_plan *plan = sample_solve(problem, NULL);
  write_plan(plan, "m.tflite", "out.tflite");
  files_expect_same("m.tflite", "out.tflite");
  neap_plan_free(given);
  neap_plan_free(plan);
  neap_problem_free(problem);
}

TEST(a_plan_that_moves_them_is_refused) {
  neap_problem *problem = read_model(compiled, NULL);
  neap_offset offsets[] = {208, 16, 208};
  neap_error error;
  neap_plan *plan = sample_plan(problem, offsets);
  assert_error(neap_plan_write(plan, "out.tflite",
                               &(neap_writing){.struct_size = sizeof(neap_writing),
                                               .model = "m.tflite",
                                               .replace = true},
                               &error),
               NEAP_ERROR_ARGUMENT, &error);
  assert_says(&error, "compiled for offset 0");
  neap_plan_free(plan);
  neap_problem_free(problem);
}

/* Without a plan there is no layout to keep. */
TEST(without_a_plan_nothing_is_pinned) {
  char text[512];
  snprintf(text, sizeof text, "%.*s", (int)(strstr(compiled, "plan") - compiled), compiled);
  neap_problem *problem = read_model(text, NULL);
  assert_int_equal(neap_problem_count(problem), 6);
  assert_int_equal(buffer_of(problem, "work").fixed_offset, NEAP_UNPLACED);
  neap_problem_free(problem);
}

/* ---------------------------------------------------------------- variables */

static const char with_variable[] = "tensor x int8[16]\n"
                                    "variable memory int8[40]\n"
                                    "tensor y int8[16]\n"
                                    "inputs x\n"
                                    "outputs y\n"
                                    "ADD x memory -> y\n";

TEST(variables_are_left_to_the_runtime) {
  const neap_reading target = {.struct_size = sizeof(neap_reading),
                               .graph.target = "tflm",
                               .graph.liveness = {.list_runtime = true}};
  neap_problem *problem = read_model(with_variable, &target);
  neap_plan *plan = sample_solve(problem, NULL);
  neap_runtime_tensor tensor = NEAP_INIT(neap_runtime_tensor);
  assert_false(is_buffer(problem, "memory"));
  assert_true(neap_problem_runtime_tensor_at(problem, 0, &tensor));
  assert_string_equal(tensor.name, "memory");
  assert_int_equal(tensor.size, 40);
  assert_false(tensor.is_buffer);
  write_plan(plan, "m.tflite", "out.tflite");
  files_expect_same("m.tflite", "out.tflite");
  neap_plan_free(plan);
  neap_problem_free(problem);
}

TEST(variables_are_planned_on_request) {
  const neap_reading target = {.struct_size = sizeof(neap_reading),
                               .graph.target = "tflm",
                               .graph.variables = NEAP_VARIABLES_PLAN,
                               .graph.liveness = {.list_runtime = true}};
  neap_problem *problem = read_model(with_variable, &target);
  neap_plan *plan = sample_solve(problem, NULL);
  neap_runtime_tensor tensor = NEAP_INIT(neap_runtime_tensor);
  neap_buffer memory = buffer_of(problem, "memory");
  assert_int_equal(memory.size, 48);
  assert_false(neap_problem_runtime_tensor_at(problem, 0, &tensor));
  write_plan(plan, "m.tflite", "out.tflite");
  int32_t *numbers = plan_numbers("out.tflite", 3 + 3);
  assert_true(numbers[3 + 1] >= 0);
  neap_plan *read = files_read_plan("out.tflite");
  assert_true(is_buffer(neap_plan_problem(read), "memory"));
  neap_plan_free(read);
  test_free(numbers);
  neap_plan_free(plan);
  neap_problem_free(problem);
}

/* Tensor 2 of subgraph 1 is a variable, for which the runtime looks at the offset of tensor 2. */
static const char variable_of_a_subgraph[] = "tensor c bool[1]\n"
                                             "tensor x int8[16]\n"
                                             "tensor y int8[16]\n"
                                             "inputs c x\n"
                                             "outputs y\n"
                                             "IF c x -> y : 1 1\n"
                                             "subgraph\n"
                                             "tensor in int8[16]\n"
                                             "tensor out int8[16]\n"
                                             "variable memory int8[16]\n"
                                             "inputs in\n"
                                             "outputs out\n"
                                             "ADD in memory -> out\n";

TEST(variables_of_subgraphs_get_their_memory) {
  const neap_reading target = {.struct_size = sizeof(neap_reading),
                               .graph.target = "tflm",
                               .graph.liveness = {.list_runtime = true}};
  neap_problem *problem = read_model(variable_of_a_subgraph, &target);
  neap_plan *plan = solve_and_copy(problem);
  neap_report report = NEAP_INIT(neap_report), again = NEAP_INIT(neap_report);
  write_plan(plan, "m.tflite", "out.tflite");
  int32_t *numbers = plan_numbers("out.tflite", 3 + 6);
  assert_int_equal(numbers[3 + 2], -1);
  assert_int_equal(numbers[3 + 5], -1);
  assert_true(numbers[3] >= 0 && numbers[4] >= 0 && numbers[6] >= 0 && numbers[7] >= 0);
  neap_plan *read = files_read_plan("out.tflite");
  neap_plan_report(plan, &report);
  neap_plan_report(read, &again);
  assert_int_equal(again.peak, report.peak);
  test_free(numbers);
  neap_plan_free(read);
  neap_plan_free(plan);
  neap_problem_free(problem);
}

TEST(a_plan_that_loses_a_variable_is_refused) {
  char text[1024];
  neap_plan *plan;
  neap_error error;
  snprintf(text, sizeof text, "%splan 1 2 : 0 16 32 48 64 -1\n", variable_of_a_subgraph);
  tflite_make_file(text, "m.tflite");
  assert_error(neap_plan_read("m.tflite", NULL, &plan, &error), NEAP_ERROR_INPUT, &error);
  assert_says(&error, "'memory'");
}

/* ---------------------------------------------------------------- bands */

/* Whether bands lower the peak of a model that makes a large tensor of one channel and pools it. */
static bool is_split(const char *large, const char *small, const char *resize) {
  char text[1024];
  neap_bands *split = NULL;
  neap_bands_report report = NEAP_INIT(neap_bands_report);
  neap_error error;
  const neap_model_limits limits = bands_limits(NEAP_BANDS_PEAK, 0);
  snprintf(text, sizeof text,
           "tensor x int8[1,16,4,1]\ntensor large int8[1,%s,1]\ntensor small int8[1,%s,1]\n"
           "constant size int32[2] : 0 0\ninputs x\noutputs small\n%s\n"
           "AVERAGE_POOL_2D large -> small : 0 4 4 4 4\n",
           large, small, resize);
  tflite_make_file(text, "resize.tflite");
  assert_ok(bands_find("resize.tflite", NULL, &limits, &split, &error), &error);
  neap_bands_get_report(split, &report);
  neap_bands_free(split);
  return report.is_split;
}

/* A band of rows must be made of the same rows, with the same distances between them. */
TEST(what_is_resized_exactly_is_computed_in_bands) {
  assert_true(is_split("64,16", "16,4", "RESIZE_BILINEAR x size -> large : 0 0 0 0"));
  assert_true(is_split("64,16", "16,4", "RESIZE_BILINEAR x size -> large : 0 0 0 1"));
  assert_true(is_split("48,16", "12,4", "RESIZE_NEAREST_NEIGHBOR x size -> large : 0 0"));
  assert_true(is_split("48,16", "12,4", "RESIZE_NEAREST_NEIGHBOR x size -> large : 0 1"));
  /* Corners are aligned, a third is rounded, and rows are not repeated equally often. */
  assert_false(is_split("64,16", "16,4", "RESIZE_BILINEAR x size -> large : 0 0 1 0"));
  assert_false(is_split("64,16", "16,4", "RESIZE_NEAREST_NEIGHBOR x size -> large : 1 0"));
  assert_false(is_split("48,16", "12,4", "RESIZE_BILINEAR x size -> large : 0 0 0 0"));
  assert_false(is_split("40,16", "10,4", "RESIZE_NEAREST_NEIGHBOR x size -> large : 0 0"));
}

/* ---------------------------------------------------------------- seeds */

/* The seeds of the fuzzer are these models; NEAP_UPDATE=1 writes them. */
TEST(the_seeds_are_these_models) {
  const char *source = getenv("NEAP_SOURCE");
  if (!source) skip();
  for (size_t s = 0; s < SAMPLE_COUNT(seeds); s++) {
    char path[4096];
    snprintf(path, sizeof path, "%.3900s/tests/fuzz/corpus/tflite/%s.tflite", source,
             seeds[s].name);
    if (getenv("NEAP_UPDATE")) tflite_make_file(seeds[s].text, path);
    tflite_make_file(seeds[s].text, "seed.tflite");
    files_expect_same("seed.tflite", path);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      FILES_CASE(a_called_subgraph_lives_within_the_call),
      FILES_CASE(a_subgraph_called_twice_lives_from_first_to_last),
      FILES_CASE(all_operators_that_call_are_followed),
      FILES_CASE(steps_of_calls_are_counted_apart),
      FILES_CASE(calls_that_cannot_be_are_refused),
      FILES_CASE(called_subgraphs_are_reordered_within),
      FILES_CASE(users_of_variables_keep_their_order),
      FILES_CASE(concatenations_need_no_copies),
      FILES_CASE(what_only_the_runtime_can_keep_is_not_planned),
      FILES_CASE(sizes_follow_the_target),
      FILES_CASE(an_unread_input_is_gone_at_once),
      FILES_CASE(a_tensor_that_nothing_makes_lives_while_it_is_read),
      FILES_CASE(plans_hold_all_subgraphs),
      FILES_CASE(the_header_has_the_number_of_subgraphs),
      FILES_CASE(what_does_not_change_is_not_replaced),
      FILES_CASE(called_subgraphs_are_written_in_order),
      FILES_CASE(any_version_is_read),
      FILES_CASE(a_plan_must_have_all_tensors),
      FILES_CASE(replacing_a_plan_does_not_grow_the_model),
      FILES_CASE(a_plan_of_another_length_gets_a_new_place),
      FILES_CASE(what_nothing_uses_is_left_to_the_runtime),
      FILES_CASE(what_nothing_uses_costs_the_largest),
      FILES_CASE(the_runtime_keeps_apart_what_nothing_uses),
      FILES_CASE(compiled_operators_keep_their_layout),
      FILES_CASE(a_plan_that_moves_them_is_refused),
      FILES_CASE(without_a_plan_nothing_is_pinned),
      FILES_CASE(variables_are_left_to_the_runtime),
      FILES_CASE(variables_are_planned_on_request),
      FILES_CASE(offsets_are_written_only_if_they_lower_the_head),
      FILES_CASE(variables_of_subgraphs_get_their_memory),
      FILES_CASE(a_plan_that_loses_a_variable_is_refused),
      FILES_CASE(what_is_resized_exactly_is_computed_in_bands),
      FILES_CASE(the_seeds_are_these_models),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
