/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The input of scenarios, and fingerprints of their results. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "examples/models/model.h"
#include "files/json/plan.h"
#include "tests/fuzz/failing_alloc.h"
#include "tests/support/onnx_maker.h"
#include "tests/support/sample.h"
#include "tests/support/tflite_maker.h"

/* ---------------------------------------------------------------- texts */

static const char csv_text[] = "id,lower,upper,size,alignment,gaps,hint\n"
                               "first,0,9,100,16,3-5,\"a, b\"\n"
                               "second,2,7,50,1,,\n"
                               "third,4,12,30,8,6-7 8-9,\n";
static const char ops_text[] = "name,type,size,alignment\n"
                               "a,alloc,100,16\n"
                               "b,alloc,50,1\n"
                               "a,free,0,0\n"
                               "a,alloc,20,4\n"
                               "b,free,0,0\n";

/* Its operators are out of order, it computes shapes, and one operator has a subgraph. */
static const char onnx_text[] =
    "input x float[2,N]\nconstant i int64[1]{1}\nreal:Relu c -> z\n"
    "value z float[3]\nRelu x -> a : first\nShape a -> s\nGather s i -> n\n"
    "Concat n i -> t axis=0\nReshape a t2 -> b\nAdd b b -> c\nConstant -> t2 "
    "value_ints=[0,-1]\n"
    "sparse w float[2]\nIf i -> y then=@\nvalue y float[2]\noutput y\noutput z\n";

/* A network whose bands overlap, with padding, and a reshape whose shape is computed. */
static const char rows_text[] =
    "opset 13\ninput x float[N,1,12,6]\nconstant v float[4,1,3,3]\n"
    "constant w float[1,4,3,3]\nconstant zero int64[1]{0}\nconstant rest int64[1]{-1}\n"
    "Conv x v -> a : first pads=[1,1,1,1]\nRelu a -> b\n"
    "MaxPool b -> c kernel_shape=[3,3] strides=[2,1] pads=[1,0,0,0]\n"
    "Conv c w -> d auto_pad='SAME_LOWER'\nShape d -> s\nGather s zero -> n axis=0\n"
    "Concat n rest -> t axis=0\nReshape d t -> y\noutput y\n";

/* A network that runs in groups of channels, whose weights are slices of constants. */
static const char groups_text[] =
    "opset 13\ninput x float[N,2,2,2]\nconstant w float[24,2,1,1]\nconstant v float[24,1,2,2]\n"
    "constant b float[24]\nConv x w b -> a\nConv a v b -> c : deep group=24\n"
    "GlobalMaxPool c -> d\noutput d\n";

/* A large tensor that is read again at the end, and a shape that is computed. */
static const char skip_onnx_text[] =
    "opset 13\ninput x float[1,4]\nvalue wide float[1,32]\n"
    "Concat x x x x x x x x -> wide : widen axis=1\nReduceMax wide -> a axes=[1]\n"
    "Shape wide -> s\nExpand a s -> b\nNeg b -> c : neg\nReduceMax c -> d axes=[1]\n"
    "Mul wide d -> y\noutput y\n";

static const char relations_text[] =
    "{\"format\":\"neap-problem\",\"version\":1,\"separations\":[{\"buffers\":[\"a\",\"b\"],"
    "\"reason\":\"two\"}],\"exclusions\":[{\"buffers\":[\"a\",\"c\",\"d\"]}],"
    "\"pools\":[{\"name\":\"p\",\"capacity\":99,\"base\":\"0x10\"},{\"name\":\"q\"}],"
    "\"reserved\":[{\"pool\":\"q\",\"bytes\":[0,4]}],\"objective\":[\"peak\"],\"buffers\":["
    "{\"name\":\"a\",\"size\":4,\"lifetimes\":[[0,2]],\"pools\":[\"q\",\"p\"],\"near\":8},"
    "{\"name\":\"b\",\"size\":4,\"lifetimes\":[[3,4]],\"window\":[4,null]},"
    "{\"name\":\"c\",\"size\":4,\"lifetimes\":[[0,2]],\"bank\":16},"
    "{\"name\":\"d\",\"size\":4,\"lifetimes\":[[0,2]]}]}";
static const char pools_text[] = "id,size,pool,window_low,near\na,4,p;q,4,\nb,5,q,,8\nc,6,,,\n";

static const char graph_text[] =
    "{\"format\": \"neap-graph\", \"version\": 1, \"tensors\": [\n"
    "{\"name\": \"x\", \"bytes\": 64}, {\"name\": \"w\", \"bytes\": 9, \"kind\": "
    "\"constant\"},\n"
    "{\"name\": \"y\", \"bytes\": 64}, {\"name\": \"s\", \"bytes\": 8, \"kind\": "
    "\"variable\"},\n"
    "{\"name\": \"t\", \"shape\": [3], \"dtype\": \"i4\"}, {\"name\": \"v\", \"bytes\": 64},\n"
    "{\"name\": \"z\", \"bytes\": 64}, {\"name\": \"q\", \"bytes\": 32, \"keep\": true}],\n"
    "\"operators\": [\n"
    "{\"name\": \"CONV\", \"label\": \"block1/conv\", \"inputs\": [\"x\", \"w\"], "
    "\"outputs\": [\"y\"], \"temporaries\": "
    "[\"t\"]},\n"
    "{\"inputs\": [\"y\", \"s\"], \"outputs\": [\"v\", \"q\"], \"views\": [[0, 0]]},\n"
    "{\"inputs\": [\"v\"], \"outputs\": [\"z\"], \"in_place\": [[0, 0]]}],\n"
    "\"inputs\": [\"x\"], \"outputs\": [\"z\"]}\n";

static const char parts_text[] =
    "{\"format\": \"neap-graph\", \"version\": 1, \"inputs\": [\"x\"], \"outputs\": [\"z\"], "
    "\"tensors\": [\n"
    "{\"name\": \"x\", \"bytes\": 4}, {\"name\": \"a\", \"bytes\": 8}, {\"name\": \"b\", "
    "\"bytes\": 4}, {\"name\": \"c\", \"bytes\": 12},\n"
    "{\"name\": \"d\", \"bytes\": 6}, {\"name\": \"z\", \"bytes\": 4}], \"operators\": [\n"
    "{\"inputs\": [\"x\"], \"outputs\": [\"a\"]}, {\"inputs\": [\"x\"], \"outputs\": "
    "[\"b\"]},\n"
    "{\"inputs\": [\"a\", \"b\"], \"outputs\": [\"c\"], \"concat\": [[0, 0, 0], [1, 0, 8]]},\n"
    "{\"inputs\": [\"c\"], \"outputs\": [\"d\"], \"split\": [[0, 0, 4]]},\n"
    "{\"inputs\": [\"d\", \"c\"], \"outputs\": [\"z\"]}]}\n";

/* Its best order needs 2144 bytes, and 1728 if the first operator runs again. */
static const char skip_text[] =
    "tensor x float32[16]\ntensor wide float32[120]\ntensor a float32[16]\n"
    "tensor long float32[400]\ntensor b float32[16]\ntensor c float32[120]\n"
    "tensor y float32[120]\nconstant pad1 int32[1,2] : 4 100\n"
    "constant pad2 int32[1,2] : 0 384\nconstant begin int32[1] : 8\n"
    "constant size int32[1] : 16\ninputs x\noutputs y\nPAD x pad1 -> wide\n"
    "SLICE wide begin size -> a\nPAD a pad2 -> long\nSLICE long begin size -> b\n"
    "PAD b pad1 -> c\nADD c wide -> y\n";

/*
 * Bands compute rows twice, the fewest if their inputs are padded explicitly.  All layouts are at
 * their bounds, because a search that lacks memory may skip a method and find another layout.
 */
static const char padded_text[] =
    "tensor x int8[1,7,200,1] scales 1\ntensor a int8[1,7,200,8] scales 1\n"
    "tensor y int8[1,7,200,1] scales 1\nconstant v int8[8,3,3,1] scales 1\n"
    "constant u int8[1,3,3,8] scales 1\ninputs x\noutputs y\n"
    "CONV_2D x v -> a : 0 1 1 0 1 1\nCONV_2D a u -> y : 0 1 1 0 1 1\n";

/* Its batch is free. */
static const char free_text[] =
    "tensor x float32[?1,2,8]\ntensor s int32[3]\nconstant b int32[1] : 0\n"
    "constant n int32[1] : 1\ntensor d int32[1]\nconstant r int32[1] : 16\ntensor t int32[2]\n"
    "tensor y float32[1,16]\ninputs x\noutputs y\nSHAPE x -> s : 2\nSLICE s b n -> d\n"
    "CONCATENATION d r -> t\nRESHAPE x t -> y\n";

static const char operators_text[] =
    "{\"format\": \"neap-problem\", \"version\": 1, \"buffers\": [\n"
    "{\"name\": \"x\", \"size\": 64, \"lifetimes\": [[0, 1]], \"shape\": [4, 4], "
    "\"dtype\": \"float32\"},\n"
    "{\"name\": \"y\", \"size\": 16, \"lifetimes\": [[0, 3]], \"shape\": [-1, 16], "
    "\"dtype\": \"a type with a long name\"}],\n"
    "\"operators\": [{\"type\": \"CONV_2D\", \"name\": \"block1/conv with a long name\", "
    "\"reads\": [\"x\"], \"makes\": [\"y\"]},\n"
    "{\"type\": \"\", \"reads\": [], \"makes\": []}, "
    "{\"type\": \"ADD\", \"reads\": [\"y\"], \"makes\": []}]}\n";

static const struct {
  const char *path, *text;
} texts[] = {
    {"problem.csv", csv_text},
    {"problem.ops", ops_text},
    {"relations.json", relations_text},
    {"pools.csv", pools_text},
    {"conflicts.csv", "first,second\na,b\nb,c\n"},
    {"graph.json", graph_text},
    {"parts.json", parts_text},
    {"operators.json", operators_text},
    {"scratch.csv", "operator,bytes\n1,64\nADD,8\n"},
};

const char *const fixture_files[] = {
    "problem.csv",    "problem.ops",    "problem.json",    "plan.json",
    "columns.json",   "plan.csv",       "graph.json",      "model.tflite",
    "planned.tflite", "model.onnx",     "branches.tflite", "skip.tflite",
    "scratch.csv",    "relations.json", "pools.csv",       "conflicts.csv",
    "parts.json",     "operators.json", "rows.onnx",       "skip.onnx",
    "groups.onnx",    "padded.tflite",  "free.tflite",     NULL};

/* ---------------------------------------------------------------- the fixture */

struct fixture fixture;

static void write_file(const char *path, const void *bytes, size_t size) {
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(bytes, 1, size, file), size);
  assert_int_equal(fclose(file), 0);
}

static void write_onnx(const char *text, const char *within, const char *path) {
  size_t size;
  char *bytes = onnx_make(text, within, &size);
  write_file(path, bytes, size);
  free(bytes);
}

/*
 * Seven buffers whose bound no layout reaches, so that every part of the tuner runs; one has a
 * gap, one a hint.
 */
static neap_problem *make_problem(void) {
  static const struct sample samples[] = {{1, 4, 2, 0}, {2, 3, 2, 0}, {3, 5, 1, 0},
                                          {3, 6, 1, 0}, {4, 6, 1, 0}, {5, 7, 2, 0},
                                          {6, 7, 2, 0}};
  static const neap_range ranges[] = {{20, 22}, {24, 25}};
  neap_problem *problem = sample_problem(samples, SAMPLE_COUNT(samples));
  neap_buffer buffer = NEAP_BUFFER_INIT;
  buffer.name = "a \"quoted\" <name>, with all & sundry";
  buffer.size = 3;
  buffer.ranges = ranges;
  buffer.range_count = 2;
  buffer.hint = "a hint";
  neap_error error;
  assert_ok(neap_problem_add(problem, &buffer, &error), &error);
  return problem;
}

/* Some buffers have several ranges, and one has a fixed offset. */
static neap_problem *make_aligned(void) {
  static const struct sample samples[] = {{1, 4, 20, 8}, {2, 3, 18, 8}, {3, 5, 9, 16},
                                          {3, 6, 10, 4}, {4, 6, 11, 6}, {5, 7, 21, 8},
                                          {6, 7, 23, 4}, {0, 2, 30, 8}, {5, 9, 13, 16}};
  static const neap_range ranges[] = {{2, 3}, {6, 7}};
  neap_problem *problem = sample_problem(samples, SAMPLE_COUNT(samples));
  sample_add_gapped(problem, "twice", ranges, 2, 7);
  sample_add_fixed(problem, "fixed", 5, 6, 5, 8);
  return problem;
}

static void write_columns_file(const neap_plan *plan) {
  neap_error error;
  FILE *file = fopen("columns.json", "w");
  assert_non_null(file);
  assert_ok(json_plan_write_columns(plan, file, &error), &error);
  assert_int_equal(fclose(file), 0);
}

static void write_model(const char *name, const char *path) {
  for (size_t i = 0; model_at(i); i++) {
    if (strcmp(model_at(i)->name, name) != 0) continue;
    size_t size;
    unsigned char *bytes = model_make(model_at(i), &size);
    assert_non_null(bytes);
    write_file(path, bytes, size);
    free(bytes);
    return;
  }
  fail_msg("there is no model %s", name);
}

void fixture_make(void) {
  neap_error error;
  for (size_t i = 0; i < SAMPLE_COUNT(texts); i++)
    write_file(texts[i].path, texts[i].text, strlen(texts[i].text));
  write_onnx(onnx_text, "Neg a -> r\noutput r\n", "model.onnx");
  write_onnx(rows_text, NULL, "rows.onnx");
  write_onnx(groups_text, NULL, "groups.onnx");
  write_onnx(skip_onnx_text, NULL, "skip.onnx");
  write_model("keyword", "model.tflite");
  write_model("keyword_planned", "planned.tflite");
  write_model("branches", "branches.tflite");
  tflite_make_file(skip_text, "skip.tflite");
  tflite_make_file(padded_text, "padded.tflite");
  tflite_make_file(free_text, "free.tflite");
  fixture.problem = make_problem();
  fixture.aligned = make_aligned();
  assert_ok(neap_solve(fixture.problem, NULL, &fixture.plan, &error), &error);
  assert_ok(neap_plan_set_base(fixture.plan, 4096, &error), &error);
  assert_ok(neap_problem_write(fixture.problem, "problem.json", NULL, &error), &error);
  assert_ok(neap_plan_write(fixture.plan, "plan.json", NULL, &error), &error);
  assert_ok(neap_plan_write(fixture.plan, "plan.csv", NULL, &error), &error);
  write_columns_file(fixture.plan);
  assert_ok(neap_problem_read("graph.json", NULL, &fixture.graph_problem, &error), &error);
  assert_ok(neap_plan_read("planned.tflite", NULL, &fixture.model_plan, &error), &error);
  fixture.null = fopen("/dev/null", "w");
  assert_non_null(fixture.null);
}

void fixture_clear(void) {
  neap_plan_free(fixture.model_plan);
  neap_problem_free(fixture.graph_problem);
  neap_plan_free(fixture.plan);
  neap_problem_free(fixture.problem);
  neap_problem_free(fixture.aligned);
  fclose(fixture.null);
  for (size_t i = 0; fixture_files[i]; i++)
    remove(fixture_files[i]);
}

/* ---------------------------------------------------------------- fingerprints */

void fingerprint_number(struct attempt *attempt, uint64_t value) {
  attempt->fingerprint = (attempt->fingerprint ^ value) * UINT64_C(0x100000001b3) + 1;
}

static void mix_text(struct attempt *attempt, const char *text) {
  for (; text && *text; text++)
    fingerprint_number(attempt, (unsigned char)*text);
}

static void mix_operators(struct attempt *attempt, const neap_problem *problem) {
  neap_operator_info info = NEAP_INIT(neap_operator_info);
  for (size_t k = 0; neap_problem_operator_at(problem, k, &info); k++) {
    mix_text(attempt, info.type);
    mix_text(attempt, info.name);
    for (size_t i = 0; i < info.read_count; i++)
      fingerprint_number(attempt, info.reads[i]);
    for (size_t i = 0; i < info.make_count; i++)
      fingerprint_number(attempt, ~info.makes[i]);
  }
}

void fingerprint_problem(struct attempt *attempt, const neap_problem *problem) {
  fingerprint_number(attempt, (uint64_t)neap_problem_horizon(problem));
  for (size_t i = 0; i < neap_problem_count(problem); i++) {
    neap_buffer buffer = NEAP_INIT(neap_buffer);
    neap_problem_buffer_at(problem, i, &buffer);
    mix_text(attempt, buffer.name);
    mix_text(attempt, buffer.hint);
    mix_text(attempt, buffer.dtype);
    for (size_t d = 0; d < buffer.rank; d++)
      fingerprint_number(attempt, (uint64_t)buffer.shape[d]);
    fingerprint_number(attempt, (uint64_t)buffer.size);
    fingerprint_number(attempt, (uint64_t)buffer.alignment);
    for (size_t r = 0; r < buffer.range_count; r++) {
      fingerprint_number(attempt, (uint64_t)buffer.ranges[r].start);
      fingerprint_number(attempt, (uint64_t)buffer.ranges[r].end);
    }
  }
  mix_operators(attempt, problem);
}

void fingerprint_plan(struct attempt *attempt, const neap_plan *plan) {
  neap_report report = NEAP_INIT(neap_report);
  neap_plan_report(plan, &report);
  fingerprint_number(attempt, (uint64_t)report.peak);
  fingerprint_number(attempt, report.run.rounds);
  for (size_t i = 0; i < report.buffers; i++)
    fingerprint_number(attempt, (uint64_t)neap_plan_offset(plan, i));
}

/* ---------------------------------------------------------------- steps of scenarios */

neap_status no_memory(neap_error *error) {
  *error = (neap_error){.status = NEAP_ERROR_MEMORY, .text = "NULL came back"};
  return NEAP_ERROR_MEMORY;
}

static neap_status set_options(neap_options *options, const char *text, neap_error *error) {
  char words[256];
  neap_status status = NEAP_OK;
  snprintf(words, sizeof words, "%s", text);
  char *rest = words;
  for (const char *name; rest && (name = strsep(&rest, " ")) && status == NEAP_OK;)
    status = neap_options_set(options, name, strsep(&rest, " "), error);
  return status;
}

neap_status solve_with(const neap_problem *problem, const char *text, struct attempt *attempt) {
  neap_options *options = neap_options_new();
  neap_plan *plan = NULL;
  if (!options) return no_memory(&attempt->error);
  neap_status status = set_options(options, text, &attempt->error);
  if (status == NEAP_OK) status = neap_solve(problem, options, &plan, &attempt->error);
  if (status == NEAP_OK) fingerprint_plan(attempt, plan);
  neap_plan_free(plan);
  neap_options_free(options);
  return status;
}
