/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * DOT: accepted and rejected graphs of operators, and conflict graphs; and the models of
 * $NEAP_SHARED, which are skipped if they are missing.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "files/dot/conflicts.h"
#include "files/dot/graph.h"
#include "files/dot/library.h"
#include "model/graph.h"
#include "model/problem.h"
#include "neap/planner.h"
#include "tests/support/fault.h"

static const neap_reading plain = NEAP_INIT(neap_reading);

static neap_graph *read_graph(const char *text, const neap_reading *reading) {
  neap_graph *graph;
  neap_error error;
  char *copy = fault_copy(text, strlen(text));
  assert_true(dot_graph_is(text, strlen(text), &plain));
  assert_ok(dot_graph_read(copy, strlen(text), reading, &graph, &error), &error);
  free(copy);
  return graph;
}

static neap_problem *read_problem(const char *text, const neap_reading *reading) {
  neap_graph *graph = read_graph(text, reading);
  neap_problem *problem = sample_graph_problem(graph, &reading->graph.liveness);
  neap_graph_free(graph);
  return problem;
}

static void expect_buffer(const neap_problem *problem, const char *name, neap_time start,
                          neap_time end, neap_size size) {
  size_t index;
  neap_buffer buffer = NEAP_INIT(neap_buffer);
  if (!neap_problem_find(problem, name, &index)) fail_msg("there is no buffer %s", name);
  neap_problem_buffer_at(problem, index, &buffer);
  if (buffer.ranges[0].start != start || buffer.ranges[0].end != end || buffer.size != size)
    fail_msg("%s: found %d to %d, %d bytes", name, (int)buffer.ranges[0].start,
             (int)buffer.ranges[0].end, (int)buffer.size);
}

static void refuse(const char *text, const neap_reading *reading, size_t line,
                   const char *words) {
  neap_graph *graph;
  neap_error error;
  char *copy = fault_copy(text, strlen(text));
  assert_error(dot_graph_read(copy, strlen(text), reading, &graph, &error), NEAP_ERROR_INPUT,
               &error);
  if (!strstr(error.text, words)) fail_msg("expected '%s' in '%s'", words, error.text);
  assert_int_equal(error.line, line);
  free(copy);
}

/* ---------------------------------------------------------------- operators */

TEST(edges_are_tensors) {
  neap_problem *problem = read_problem("digraph {\n"
                                       "  x [type=input]; w [type=constant];\n"
                                       "  x -> conv [bytes=100]; w -> conv [bytes=7];\n"
                                       "  conv -> relu [bytes=50]; conv -> add [bytes=50];\n"
                                       "  relu -> add [bytes=50];\n"
                                       "  add -> y [bytes=30]; y [type=output];\n"
                                       "}\n",
                                       &plain);
  assert_int_equal(neap_problem_count(problem), 4);
  expect_buffer(problem, "x", 0, 1, 100);
  expect_buffer(problem, "conv", 0, 3, 50);
  expect_buffer(problem, "relu", 1, 3, 50);
  expect_buffer(problem, "add", 2, 3, 30);
  neap_problem_free(problem);
}

/*
 * Ports and sizes distinguish the tensors of a node; the node may give the size of a tensor
 * that is never read.
 */
TEST(a_node_can_write_several_tensors) {
  neap_problem *problem = read_problem(
      "digraph {\n"
      "  split -> a [bytes=8, out_port_id=0]; split -> b [bytes=8, out_port_id=1];\n"
      "  split -> c [bytes=9, out_port_id=1];\n"
      "  a [bytes=5]; b [size=6]; \"split:1\" [bytes=3]; c [bytes=2]\n"
      "}",
      &plain);
  assert_int_equal(neap_problem_count(problem), 7);
  expect_buffer(problem, "split", 0, 2, 8);
  expect_buffer(problem, "a", 1, 5, 5);
  expect_buffer(problem, "c", 3, 5, 2);
  neap_problem_free(problem);
}

TEST(sizes_come_in_many_forms) {
  static const struct {
    const char *attributes;
    neap_size bytes;
  } cases[] = {{"bytes=12", 12},
               {"size=13", 13},
               {"shape=\"(1, 3, 64, 64)\", dtype=float", 49152},
               {"shape=\"(64,)\"", 256},
               {"shape=\"(2, 3)\", dtype=int8", 6},
               {"shape=\"[3, 3]\", dtype=i4", 5},
               {"label=\"[1, 64, 112, 112]\"", 3211264},
               {"label=\"[]\"", 4},
               {"label=\"(64, 3, 7, 7)\"", 37632},
               {"label=\"x\\n[2, 5] float16\"", 20},
               {"label=\"1x3x4x5xf16\"", 120},
               {"shape=\"2x3xi8\"", 6},
               {"shape=\"(0, 4)\"", 0},
               {"shape=64", 256},
               {"label=\"2x\", bytes=7", 7},
               {"label=\"2xf16\"", 4}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[256];
    snprintf(text, sizeof text, "digraph { a -> b [%s] }", cases[i].attributes);
    neap_problem *problem = read_problem(text, &plain);
    expect_buffer(problem, "a", 0, 2, cases[i].bytes);
    neap_problem_free(problem);
  }
}

TEST(attributes_are_chosen) {
  const char *text = "digraph { b [step=9]; c [step=10]; a [step=7];\n"
                     "a -> b [mem=5, bytes=1]; b -> c [mem=\"[2, 2]\", bytes=1]; }";
  neap_reading reading = {
      .struct_size = sizeof(neap_reading), .dot.size = "mem", .dot.order = "step"};
  neap_problem *problem = read_problem(text, &reading);
  expect_buffer(problem, "a", 0, 2, 5);
  expect_buffer(problem, "b", 1, 3, 16);
  neap_problem_free(problem);
  reading.dot.order = "stage";
  refuse(text, &reading, 1, "node 'b': no attribute stage");
  reading = (neap_reading){.struct_size = sizeof(neap_reading), .dot.size = "weight"};
  refuse(text, &reading, 2, "edge 'b' -> 'c': no attribute weight");
}

TEST(dimensions_get_values) {
  static const neap_dimension dimensions[] = {{"N", 2}, {"?", 8}};
  const char *text = "digraph { a -> b [shape=\"[N, ?, 3]\", dtype=i8] }";
  neap_reading reading = {.struct_size = sizeof(neap_reading),
                          .model.dimensions = dimensions,
                          .model.dimension_count = 2};
  neap_problem *problem = read_problem(text, &reading);
  expect_buffer(problem, "a", 0, 2, 48);
  neap_problem_free(problem);
  refuse(text, &plain, 0, "free dimensions 'N', '?': set them");
}

/* The shape in which Graphviz draws a node is not the shape of its tensor. */
TEST(elements_give_the_alignment) {
  static const struct {
    const char *attribute;
    neap_size alignment;
  } rows[] = {{"shape=\"[3, 5]\"", 4},         {"shape=\"[3, 5]\", dtype=int64", 8},
              {"shape=\"[3] f16\"", 2},        {"shape=\"[3]\", dtype=uint8", 1},
              {"label=\"3x5xcomplex128\"", 8}, {"bytes=64", 1}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char text[128];
    snprintf(text, sizeof text, "digraph { a -> b [%s]; b [bytes=1] }", rows[i].attribute);
    neap_graph *graph = read_graph(text, &plain);
    assert_int_equal(graph->tensors[0].alignment, rows[i].alignment);
    neap_graph_free(graph);
  }
}

TEST(drawing_attributes_are_ignored) {
  neap_problem *problem = read_problem(
      "digraph { rankdir=LR; node [shape=box, label=\"conv (3x3)\"];\n"
      "subgraph cluster_0 { a; b } a -> b [label=\"main [1, 2]\"]; b -> c [bytes=1];"
      "c [label=<<b>c</b>>]; }",
      &plain);
  expect_buffer(problem, "a", 0, 2, 8);
  neap_problem_free(problem);
}

TEST(order_is_topological) {
  neap_problem *problem =
      read_problem("digraph { c; b; a; a -> b [bytes=1]; b -> c [bytes=2];\n"
                   "a -> c [bytes=4]; }",
                   &plain);
  expect_buffer(problem, "a", 0, 2, 1);
  expect_buffer(problem, "a:1", 0, 3, 4);
  expect_buffer(problem, "b", 1, 3, 2);
  neap_problem_free(problem);
  /* The smallest id that may come next does. */
  problem = read_problem("digraph { a [id=3]; b [id=2]; c [id=1]; d [id=9]; a -> d [bytes=1];\n"
                         "b -> d [bytes=2]; c -> d [bytes=3]; }",
                         &plain);
  expect_buffer(problem, "c", 0, 4, 3);
  expect_buffer(problem, "b", 1, 4, 2);
  expect_buffer(problem, "a", 2, 4, 1);
  neap_problem_free(problem);
}

TEST(sharing_follows_names) {
  neap_reading reading = {.struct_size = sizeof(neap_reading),
                          .graph.liveness = {.in_place = true}};
  neap_problem *problem =
      read_problem("digraph { a [type=conv]; b [type=relu_]; c [type=Reshape]; d [type=conv];\n"
                   "a -> b [bytes=8]; b -> c [bytes=8]; c -> d [bytes=8]; d [bytes=1] }",
                   &reading);
  assert_int_equal(neap_problem_count(problem), 2);
  expect_buffer(problem, "a", 0, 4, 8);
  neap_problem_free(problem);
}

/* Tensors computed from constants only are constant. */
TEST(constants_are_folded) {
  neap_problem *problem = read_problem(
      "digraph { w [type=get_attr]; s [type=Constant]; q; x [type=placeholder];\n"
      "w -> q; s -> q; q -> conv [bytes=64]; x -> conv [bytes=2]; conv [bytes=1] }",
      &plain);
  assert_int_equal(neap_problem_count(problem), 2);
  expect_buffer(problem, "x", 0, 1, 2);
  expect_buffer(problem, "conv", 0, 1, 1);
  neap_problem_free(problem);
}

/* ---------------------------------------------------------------- what is refused */

TEST(malformed_text_is_refused) {
  for (int twice = 0; twice < 2; twice++) { /* failures leave no state behind */
    refuse("digraph {\n a -> b [bytes=1]\n -> -> c }", &plain, 3, "syntax error at '->'");
    refuse("digraph {\n a -> b\n", &plain, 3, "ends too early");
    refuse("digraph {\n /* never ends", &plain, 2, "an unterminated comment");
    refuse("digraph { a [x=\"never ends\n\n", &plain, 1, "an unterminated quoted string");
    refuse("digraph { a [x=<never ends\n", &plain, 2, "an unterminated HTML string");
    refuse("", &plain, 0, "found none");
    refuse("digraph { a -> b [bytes=1] }\n digraph { c -> d [bytes=1] }", &plain, 0,
           "found text after its end");
    refuse("digraph { a -> b [bytes=1] } and so on", &plain, 0, "found text after its end");
    refuse("digraph {\n a -> b [bytes=4k] }", &plain, 2, "a number followed by letters");
    refuse("digraph { 1conv -> 2relu [bytes=4] }", &plain, 1, "a number followed by letters");
    refuse("digraph { \"%1\" -> b [bytes=4] }", &plain, 0, "must not begin with %");
    refuse("graph { a -- b }", &plain, 0, "expected a digraph");
  }
  neap_graph *graph;
  neap_error error;
  assert_error(dot_graph_read("digraph {\n\0}", 12, &plain, &graph, &error), NEAP_ERROR_INPUT,
               &error);
  assert_int_equal(error.line, 2);
}

TEST(senseless_graphs_are_refused) {
  neap_reading by_id = {.struct_size = sizeof(neap_reading), .dot.order = "id"};
  refuse("digraph { a -> b [bytes=1]; b -> c [bytes=1]; c -> a [bytes=1]; c -> d [bytes=1] }",
         &plain, 1, "'c' -> 'a' -> 'b' -> 'c'");
  refuse("digraph { a -> a [bytes=1] }", &plain, 1, "'a' -> 'a'");
  refuse("digraph { a [id=2]; b [id=1]; a -> b [bytes=1] }", &by_id, 1,
         "edge 'a' -> 'b': goes backwards in the order of 'id', from 2 to 1");
  refuse("digraph { a -> b }", &plain, 1, "edge 'a' -> 'b': no size");
  refuse("digraph b {\n\"a\" -> b [size=1]; c -> a [size=1]\na:p -> b }", &plain, 3,
         "edge 'a' -> 'b': no size");
  refuse("digraph {\na\n-> b\n-> c }", &plain, 3, "edge 'a' -> 'b': no size");
  refuse("digraph {\n{a c} -> b\n}", &plain, 0, "edge 'a' -> 'b': no size");
  refuse("digraph {\nsubgraph a { c }\na=b // a -> b\na -> b\n}", &plain, 4,
         "edge 'a' -> 'b': no size");
  refuse("digraph { a -> b [label=\"2x\"] }", &plain, 1, "no size");
  refuse("digraph { a -> b [bytes=many] }", &plain, 1, "found 'many'");
  refuse("digraph { a -> b [bytes=-1] }", &plain, 1, "found '-1'");
  refuse("digraph { a -> b [shape=\"[1, 2]\", dtype=string] }", &plain, 1, "found 'string'");
  refuse("digraph { a -> b [shape=\"[4294967296, 4294967296]\"] }", &plain, 1, "elements");
  refuse("digraph { a -> b [shape=\"[2305843009213693952]\"] }", &plain, 1, "bits");
  refuse("digraph { \"\\xff\" -> b [bytes=9223372036854775808] }", &plain, 1, "bytes");
}

/* ---------------------------------------------------------------- damage */

TEST(truncated_text_never_crashes) {
  const char *text = "strict digraph \"g\" { x [id=0, type=\"nncf_model_input\"];\n"
                     "x -> \"a b\" [shape=\"(1, 2)\", dtype=float]; /* c */ // d\n"
                     "\"a b\" -> y [label=<[1]>]; subgraph s { y } }\n";
  for (size_t length = 0; length < strlen(text) - 2; length++) {
    neap_graph *graph;
    neap_error error;
    char *copy = fault_copy(text, length);
    assert_error(dot_graph_read(copy, length, &plain, &graph, &error), NEAP_ERROR_INPUT,
                 &error);
    free(copy);
  }
  neap_graph_free(read_graph(text, &plain));
}

/*
 * A text of `count` copies of a piece, in which %d is the number of the copy, between two
 * others.
 */
static char *repeat(const char *before, const char *piece, int count, const char *after) {
  size_t room = strlen(before) + strlen(after) + (size_t)count * (strlen(piece) + 12) + 1;
  char *text = test_malloc(room);
  size_t length = (size_t)snprintf(text, room, "%s", before);
  for (int i = 0; i < count; i++) {
    const char *number = strstr(piece, "%d");
    length += (size_t)(number ? snprintf(text + length, room - length, "%.*s%d%s",
                                         (int)(number - piece), piece, i, number + 2)
                              : snprintf(text + length, room - length, "%s", piece));
  }
  snprintf(text + length, room - length, "%s", after);
  return text;
}

TEST(short_text_that_asks_for_much_is_rejected) {
  static const struct {
    const char *before, *piece, *after, *words;
    int count;
  } bombs[] = {
      {"digraph { {", "a%d ", "} -> {b c} }", NULL, 1000},
      {"digraph { subgraph s {", "a%d ", "} -> c }", NULL, 3000},
      {"digraph { a -> ", "{", "}", "nested deeper", 5000},
      {"digraph { a [", "b%d=1,", "] }", "names of attributes", 300},
      {"digraph { subgraph s { a b c d e f g h i j } ", "subgraph s {} -> subgraph s {};", "}",
       "multiply to more than", 2000},
  };
  for (size_t b = 0; b < sizeof bombs / sizeof *bombs; b++) {
    char *text = repeat(bombs[b].before, bombs[b].piece, bombs[b].count, bombs[b].after);
    refuse(text, &plain, bombs[b].words ? 1 : 0, bombs[b].words ? bombs[b].words : "no size");
    test_free(text);
  }
  char *chain = repeat("digraph { a", "-> a%d ", 4000, "[bytes=3] }");
  refuse(chain, &plain, 1, "more parts than Graphviz supports");
  test_free(chain);
  char *comment = repeat("digraph { /*", "xxxxxxxxxx", 30000, "*/ }");
  refuse(comment, &plain, 1, "comment is longer than");
  test_free(comment);
  char *named = repeat("digraph { subgraph s {", "a%d ", 2000, "} ");
  char *often = repeat(named, "x -> subgraph s {};", 100, "}");
  refuse(often, &plain, 1, "multiply to more than");
  test_free(named);
  test_free(often);
  char *left = repeat("digraph { {", "a%d ", 2000, "} -> {");
  char *both = repeat(left, "b%d ", 2000, "} }");
  refuse(both, &plain, 1, "multiply to more than");
  test_free(left);
  test_free(both);
}

/* ---------------------------------------------------------------- conflicts */

static char *conflicts_of(const neap_problem *problem, const neap_plan *plan) {
  struct fault_output output;
  neap_error error;
  fault_output_open(&output);
  assert_ok(plan ? dot_conflicts_write_plan(plan, output.stream, &error)
                 : dot_conflicts_write_problem(problem, output.stream, &error),
            &error);
  return fault_output_close(&output);
}

static bool overlap(const neap_buffer *a, const neap_buffer *b) {
  for (size_t i = 0; i < a->range_count; i++)
    for (size_t j = 0; j < b->range_count; j++)
      if (a->ranges[i].start < b->ranges[j].end && b->ranges[j].start < a->ranges[i].end)
        return true;
  return false;
}

static size_t count_overlaps(const neap_problem *problem) {
  size_t count = 0;
  for (size_t i = 0; i < problem->count; i++)
    for (size_t j = 0; j < i; j++) {
      neap_buffer a = NEAP_INIT(neap_buffer), b = NEAP_INIT(neap_buffer);
      neap_problem_buffer_at(problem, i, &a);
      neap_problem_buffer_at(problem, j, &b);
      count += overlap(&a, &b);
    }
  return count;
}

TEST(conflicts_are_overlaps) {
  static const neap_range often[] = {{0, 2}, {4, 6}, {8, 9}};
  static const neap_range later[] = {{1, 5}, {8, 12}};
  neap_problem *problem = neap_problem_new();
  neap_error error;
  sample_add_gapped(problem, "of\\ten", often, 3, 8);
  sample_add_gapped(problem, "a \"b\" -- c", later, 2, 16);
  sample_add(problem, "graph", 2, 4, 1);
  sample_add(problem, "e", 6, 8, 5);
  neap_plan *plan = sample_solve(problem, NULL);
  char *text = conflicts_of(problem, plan);
  Agraph_t *graph;
  dot_library_lock();
  assert_ok(dot_library_parse(text, strlen(text), &graph, &error), &error);
  assert_int_equal(agnnodes(graph), 4);
  assert_int_equal((size_t)agnedges(graph), count_overlaps(problem));
  for (size_t i = 0; i < problem->count; i++) {
    Agnode_t *node = agnode(graph, dot_library_text(problem_name(problem, i)), 0);
    assert_non_null(node);
    assert_int_equal(atoi(dot_library_attribute(node, "bytes")), problem->buffers[i].size);
    assert_int_equal(atoi(dot_library_attribute(node, "offset")), neap_plan_offset(plan, i));
    assert_string_equal(dot_library_attribute(node, "class"),
                        neap_risk_name(neap_plan_risk(plan, i)));
  }
  assert_string_equal(
      dot_library_attribute(agnode(graph, dot_library_text("of\\ten"), 0), "lifetime"),
      "0-2 4-6 8-9");
  agclose(graph);
  dot_library_unlock();
  free(text);
  text = conflicts_of(problem, NULL);
  assert_null(strstr(text, "offset"));
  free(text);
  neap_plan_free(plan);
  neap_problem_free(problem);
}

TEST(names_that_dot_cannot_represent_are_rejected) {
  static const char *const names[] = {"end\\", "a\\\"b", "%1", "\xef\xbb\xbf", "a\\\nb"};
  for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
    neap_problem *problem = neap_problem_new();
    struct fault_output output;
    neap_error error;
    sample_add(problem, names[n], 0, 1, 1);
    fault_output_open(&output);
    assert_error(dot_conflicts_write_problem(problem, output.stream, &error), NEAP_ERROR_FORMAT,
                 &error);
    free(fault_output_close(&output));
    neap_problem_free(problem);
  }
}

TEST(too_many_conflicts_are_refused) {
  neap_problem *problem = neap_problem_new();
  struct fault_output output;
  neap_error error;
  for (int i = 0; i < 1500; i++) {
    char name[16];
    snprintf(name, sizeof name, "b%d", i);
    sample_add(problem, name, 0, 1, 1);
  }
  fault_output_open(&output);
  assert_error(dot_conflicts_write_problem(problem, output.stream, &error), NEAP_ERROR_FORMAT,
               &error);
  free(fault_output_close(&output));
  neap_problem_free(problem);
}

/* ---------------------------------------------------------------- models */

static int by_size_and_life(const void *left, const void *right) {
  const int64_t *a = left, *b = right;
  for (size_t i = 0; i < 3; i++)
    if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
  return 0;
}

static int64_t (*rows_of(const neap_problem *problem))[3] {
  int64_t (*rows)[3] = test_calloc(problem->count + 1, sizeof *rows);
  for (size_t i = 0; i < problem->count; i++) {
    neap_range hull = problem_hull(problem, i);
    rows[i][0] = problem->buffers[i].size;
    rows[i][1] = hull.start;
    rows[i][2] = hull.end;
  }
  qsort(rows, problem->count, sizeof *rows, by_size_and_life);
  return rows;
}

TEST(models_are_their_instances) {
  static const struct {
    const char *model, *instance;
  } pairs[] = {{"nncf_fx_resnet18", "torch__fx__resnet18"},
               {"nncf_onnx_inception_v3", "onnx__inception_v3"},
               {"nncf_onnx_resnet18", "onnx__resnet18"},
               {"nncf_openvino_mobilenet_v2", "openvino__2024.1__mobilenet-v2"},
               {"nncf_torch_mobilenet_v2", "torch__nncf_graph__model_graph_mobilenet_v2"},
               {"nncf_torch_inception_v3_quant",
                "torch__quantization__test_quantized_graphs__inception_v3"}};
  const char *shared = getenv("NEAP_SHARED");
  char path[4096];
  snprintf(path, sizeof path, "%s/data/models/dot", shared ? shared : "");
  if (!shared || access(path, R_OK) != 0) skip();
  for (size_t p = 0; p < sizeof pairs / sizeof *pairs; p++) {
    neap_problem *model, *instance;
    neap_error error;
    snprintf(path, sizeof path, "%s/data/models/dot/%s.dot", shared, pairs[p].model);
    assert_ok(neap_problem_read(path, NULL, &model, &error), &error);
    snprintf(path, sizeof path, "%s/data/instances/dot/%s.csv", shared, pairs[p].instance);
    assert_ok(neap_problem_read(path, NULL, &instance, &error), &error);
    assert_int_equal(model->count, instance->count);
    int64_t (*found)[3] = rows_of(model), (*wanted)[3] = rows_of(instance);
    assert_memory_equal(found, wanted, model->count * sizeof *found);
    test_free(found);
    test_free(wanted);
    neap_problem_free(model);
    neap_problem_free(instance);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(edges_are_tensors),
      cmocka_unit_test(a_node_can_write_several_tensors),
      cmocka_unit_test(sizes_come_in_many_forms),
      cmocka_unit_test(attributes_are_chosen),
      cmocka_unit_test(dimensions_get_values),
      cmocka_unit_test(elements_give_the_alignment),
      cmocka_unit_test(drawing_attributes_are_ignored),
      cmocka_unit_test(order_is_topological),
      cmocka_unit_test(sharing_follows_names),
      cmocka_unit_test(constants_are_folded),
      cmocka_unit_test(malformed_text_is_refused),
      cmocka_unit_test(senseless_graphs_are_refused),
      cmocka_unit_test(truncated_text_never_crashes),
      cmocka_unit_test(short_text_that_asks_for_much_is_rejected),
      cmocka_unit_test(conflicts_are_overlaps),
      cmocka_unit_test(names_that_dot_cannot_represent_are_rejected),
      cmocka_unit_test(too_many_conflicts_are_refused),
      cmocka_unit_test(models_are_their_instances),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
