/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Shapes of TensorFlow Lite models for other inputs than those in the file, as LiteRT makes them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/files.h"
#include "tests/support/tflite_maker.h"

/* A model with an input 'in' and an output 'out'. */
static const struct row {
  const char *in, *others; /* tensors */
  const char *operators, *out;
  const char *given, *expected; /* the shape of 'out'; or words of the refusal */
} rows[] = {
    /* elements */
    {"float32[?1,4]", "", "RELU in -> out", "float32[1,4]", "in:0=5", "5 4"},
    {"float32[?1,4]", "constant c float32[3,1]\n", "ADD in c -> out", "float32[3,4]", "in:0=3",
     "3 4"},
    {"float32[?1,4]", "constant c float32[3,1]\n", "ADD in c -> out", "float32[3,4]", "in:0=2",
     "!does not take these inputs"},
    {"float32[?1,4]", "", "SOFTMAX in -> out : 0", "float32[1,4]", "in:0=5", "5 4"},
    {"float32[?1,4]", "constant c float32[]\n", "LESS in c -> out", "bool[1,4]", "in:0=5",
     "5 4"},
    /* windows */
    {"float32[?1,?8,?8,4]", "constant w float32[5,3,3,4]\n",
     "CONV_2D in w -> out : 0 2 1 0 1 1", "float32[1,8,4,5]", "in:0=2,in:1=11,in:2=7",
     "2 11 4 5"},
    {"float32[1,?8,?8,4]", "constant w float32[5,3,3,4]\n", "CONV_2D in w -> out : 1 2 1 0 1 2",
     "float32[1,4,3,5]", "in:1=11,in:2=9", "1 7 4 5"},
    {"float32[1,?8,8,4]", "constant w float32[5,3,3,4]\n", "CONV_2D in w -> out : 1 2 1 0 1 2",
     "float32[1,4,3,5]", "in:1=4", "!does not take these inputs"},
    {"float32[1,8,8,?4]", "constant w float32[6,1,1,4]\n", "CONV_2D in w -> out : 0 1 1 0 1 1",
     "float32[1,8,8,6]", "in:3=8", "1 8 8 6"},
    {"float32[1,8,8,?4]", "constant w float32[6,1,1,4]\n", "CONV_2D in w -> out : 0 1 1 0 1 1",
     "float32[1,8,8,6]", "in:3=6", "!does not take these inputs"},
    {"float32[1,?8,8,2]", "constant w float32[1,3,3,4]\n",
     "DEPTHWISE_CONV_2D in w -> out : 1 1 1 2 0 1 2", "float32[1,4,6,4]", "in:1=5", "1 1 6 4"},
    {"float32[1,?8,?8,2]", "", "MAX_POOL_2D in -> out : 0 2 3 2 2", "float32[1,3,4,2]",
     "in:1=10,in:2=3", "1 4 2 2"},
    {"float32[?1,8,8,2]", "constant s int32[2] : 3 4\n",
     "RESIZE_BILINEAR in s -> out : 0 0 0 0", "float32[1,3,4,2]", "in:0=4", "4 3 4 2"},
    {"float32[1,?8,8,4]", "", "SPACE_TO_DEPTH in -> out : 2", "float32[1,4,4,16]", "in:1=2",
     "1 1 4 16"},
    {"float32[1,?8,8,4]", "", "SPACE_TO_DEPTH in -> out : 2", "float32[1,4,4,16]", "in:1=3",
     "!does not take these inputs"},
    {"float32[1,?8,8,4]", "", "DEPTH_TO_SPACE in -> out : 2", "float32[1,16,16,1]", "in:1=3",
     "1 6 16 1"},
    {"float32[1,?8,8,4]", "constant b int32[2] : 2 2\nconstant p int32[2,2] : 1 1 0 0\n",
     "SPACE_TO_BATCH_ND in b p -> out", "float32[4,5,4,4]", "in:1=10", "4 6 4 4"},
    {"float32[?4,8,8,4]", "constant b int32[2] : 2 2\nconstant p int32[2,2] : 0 1 0 0\n",
     "BATCH_TO_SPACE_ND in b p -> out", "float32[1,15,16,4]", "in:0=8", "2 15 16 4"},
    {"float32[?1,8]", "constant p int32[2,2] : 0 0 1 2\n", "PAD in p -> out", "float32[1,11]",
     "in:0=7", "7 11"},
    {"float32[?1,4,4,2]", "constant s int32[4] : 1 8 8 3\nconstant w float32[3,2,2,2]\n",
     "TRANSPOSE_CONV s w in -> out : 0 2 2", "float32[1,8,8,3]", "in:0=2",
     "!does not take these inputs"},
    /* products */
    {"float32[?1,8]", "constant w float32[3,8]\n", "FULLY_CONNECTED in w - -> out : 0 0 0",
     "float32[1,3]", "in:0=6", "6 3"},
    {"float32[?1,2,8]", "constant w float32[3,8]\n", "FULLY_CONNECTED in w - -> out : 0 0 1",
     "float32[1,2,3]", "in:0=6", "6 2 3"},
    {"float32[?1,?2,8]", "constant w float32[1,8,3]\n", "BATCH_MATMUL in w -> out : 0 0",
     "float32[1,2,3]", "in:0=6,in:1=5", "6 5 3"},
    {"float32[1,?2,8]", "", "BATCH_MATMUL in in -> out : 0 1", "float32[1,2,2]", "in:1=5",
     "1 5 5"},
    /* dimensions */
    {"float32[?1,2,8]", "constant s int32[2] : -1 16\n", "RESHAPE in s -> out", "float32[1,16]",
     "in:0=5", "5 16"},
    {"float32[?1,2,8]", "constant s int32[2] : 1 16\n", "RESHAPE in s -> out", "float32[1,16]",
     "in:0=5", "!'RESHAPE', does not take these inputs"},
    {"float32[?1,2,8]", "constant p int32[3] : 2 1 0\n", "TRANSPOSE in p -> out",
     "float32[8,2,1]", "in:0=5", "8 2 5"},
    {"float32[1,?2,8]", "", "SQUEEZE in -> out", "float32[2,8]", "in:1=5", "5 8"},
    {"float32[1,?2,8]", "", "SQUEEZE in -> out", "float32[2,8]", "in:1=1",
     "!does not take these inputs"},
    {"float32[?2,8]", "constant a int32[] : -1\n", "EXPAND_DIMS in a -> out", "float32[2,8,1]",
     "in:0=3", "3 8 1"},
    {"float32[?2,8]", "constant t int32[2] : 2 1\n", "TILE in t -> out", "float32[4,8]",
     "in:0=3", "6 8"},
    {"float32[?1,8]", "constant s int32[2] : 4 8\n", "BROADCAST_TO in s -> out", "float32[4,8]",
     "in:0=3", "!does not take these inputs"},
    /* parts */
    {"float32[?2,8]", "constant c float32[3,8]\n", "CONCATENATION in c -> out", "float32[5,8]",
     "in:0=3", "6 8"},
    {"float32[?2,8]", "", "PACK in in -> out : 2 1", "float32[2,2,8]", "in:0=3", "3 2 8"},
    {"float32[?2,8]", "tensor o float32[2,2,8]\ntensor q float32[2,8]\n",
     "PACK in in -> o : 2 0\nUNPACK o -> q out : 2 0", "float32[2,8]", "in:0=3", "3 8"},
    {"float32[?4,8]", "constant a int32[] : 0\ntensor b float32[2,8]\n",
     "SPLIT a in -> b out : 2", "float32[2,8]", "in:0=6", "3 8"},
    {"float32[?4,8]", "constant a int32[] : 0\ntensor b float32[2,8]\n",
     "SPLIT a in -> b out : 2", "float32[2,8]", "in:0=5", "!does not take these inputs"},
    {"float32[?4,8]",
     "constant s int32[2] : 1 -1\nconstant a int32[] : 0\ntensor b float32[1,8]\n",
     "SPLIT_V in s a -> b out : 2", "float32[3,8]", "in:0=9", "8 8"},
    {"float32[?4,8]", "constant i int32[2,1] : 0 1\n", "GATHER in i -> out : 1 0",
     "float32[4,2,1]", "in:0=9", "9 2 1"},
    {"float32[?4,8]", "constant b int32[2] : 1 2\nconstant n int32[2] : -1 3\n",
     "SLICE in b n -> out", "float32[3,3]", "in:0=9", "8 3"},
    {"float32[?4,8]",
     "constant b int32[2] : 1 -1\nconstant e int32[2] : 99 0\nconstant t int32[2] : 2 -2\n",
     "STRIDED_SLICE in b e t -> out", "float32[2,4]", "in:0=9", "4 4"},
    /* reductions */
    {"float32[?1,4,4,2]", "constant a int32[2] : 1 2\n", "MEAN in a -> out : 0", "float32[1,2]",
     "in:0=9", "9 2"},
    {"float32[?1,4,4,2]", "constant a int32[1] : -1\n", "SUM in a -> out : 1",
     "float32[1,4,4,1]", "in:0=9", "9 4 4 1"},
    {"float32[?1,4]", "constant a int32[] : 1\n", "ARG_MAX in a -> out", "int32[1]", "in:0=9",
     "9"},
    /* shapes that the model computes */
    {"float32[?1,2,8]",
     "tensor s int32[3]\nconstant b int32[1] : 0\nconstant n int32[1] : 1\ntensor d int32[1]\n"
     "constant r int32[1] : 16\ntensor t int32[2]\n",
     "SHAPE in -> s : 2\nSLICE s b n -> d\nCONCATENATION d r -> t\nRESHAPE in t -> out",
     "float32[1,16]", "in:0=5", "5 16"},
    {"float32[?1,2,8]",
     "tensor s int32[3]\nconstant i int32[2] : 0 1\ntensor d int32[2]\nconstant a int32[1] : "
     "0\n"
     "tensor m int32[]\nconstant r int32[] : 8\ntensor t int32[2]\n",
     "SHAPE in -> s : 2\nGATHER s i -> d : 0 0\nREDUCE_PROD d a -> m : 0\nPACK m r -> t : 2 0\n"
     "RESHAPE in t -> out",
     "float32[2,8]", "in:0=5", "10 8"},
    {"float32[?1,2,8]", "tensor s int32[3]\ntensor m int32[3]\n",
     "SHAPE in -> s : 2\nNEG s -> m\nFILL m s -> out", "float32[1,2,8]", "in:0=5",
     "!does not follow neap's rule"},
    /* operators without a rule, or with one that the model contradicts */
    {"float32[?1,4]", "", "custom Mine in -> out", "float32[1,4]", "in:0=5",
     "!'CUSTOM', has no rule in neap"},
    {"float32[?1,4]", "", "RELU in -> out", "float32[1,5]", "in:0=5",
     "!does not follow neap's rule"},
    /* what does not depend on the input, or has no value */
    {"float32[?1,4]", "", "custom Mine in -> out", "float32[1,4]", "in:0=1", "1 4"},
    {"float32[?1,?4]", "", "RELU in -> out", "float32[1,4]", "in:0=5",
     "!free dimension 'in:1': set it"},
    {"float32[?1,4]", "", "RELU in -> out", "float32[1,4]", "in:0=4294967296",
     "!more than a dimension"},
};

/* "in:0=5,in:1=7" */
static size_t read_given(char *text, neap_dimension *dimensions) {
  size_t count = 0;
  for (char *at = strtok(text, ","); at; at = strtok(NULL, ",")) {
    char *value = strchr(at, '=');
    *value = '\0';
    dimensions[count++] = (neap_dimension){at, strtoll(value + 1, NULL, 10)};
  }
  return count;
}

static void describe(const neap_problem *problem, char *text, size_t size) {
  neap_buffer buffer = NEAP_INIT(neap_buffer);
  size_t index, length = 0;
  text[0] = '\0';
  assert_true(neap_problem_find(problem, "out", &index));
  assert_true(neap_problem_buffer_at(problem, index, &buffer));
  for (size_t d = 0; d < buffer.rank; d++)
    length += (size_t)snprintf(text + length, size - length, "%s%lld", d > 0 ? " " : "",
                               (long long)buffer.shape[d]);
}

static void expect(const struct row *row) {
  char text[1024], given[128], found[128];
  neap_dimension dimensions[4];
  neap_problem *problem;
  neap_error error;
  snprintf(text, sizeof text, "tensor in %s\n%stensor out %s\ninputs in\noutputs out\n%s\n",
           row->in, row->others, row->out, row->operators);
  snprintf(given, sizeof given, "%s", row->given);
  tflite_make_file(text, "m.tflite");
  neap_reading reading = {.struct_size = sizeof reading,
                          .model.dimensions = dimensions,
                          .model.dimension_count = read_given(given, dimensions)};
  neap_status status = neap_problem_read("m.tflite", &reading, &problem, &error);
  if (row->expected[0] == '!') {
    if (status == NEAP_OK) fail_msg("not refused: %s", row->operators);
    assert_says(&error, row->expected + 1);
    return;
  }
  if (status != NEAP_OK) fail_msg("%s: %s", row->operators, error.text);
  describe(problem, found, sizeof found);
  if (strcmp(found, row->expected) != 0)
    fail_msg("%s with %s: expected %s, found %s", row->operators, row->given, row->expected,
             found);
  neap_problem_free(problem);
}

TEST(operators_make_shapes_for_other_inputs) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    expect(&rows[i]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      FILES_CASE(operators_make_shapes_for_other_inputs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
