/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Scenarios with graphs and models, with every engine on a graph, and with every kind of
 * generated problem.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "models/model.h"
#include "neap-tool.h"
#include "neap/planner.h"
#include "tests/fuzz/failing_alloc.h"
#include "tests/unit/sample.h"

/* ---------------------------------------------------------------- the fixture */

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

static void write_model(const char *name, const char *path) {
  for (size_t i = 0; model_at(i); i++) {
    if (strcmp(model_at(i)->name, name) != 0) continue;
    size_t size;
    unsigned char *bytes = model_make(model_at(i), &size);
    assert_non_null(bytes);
    fixture_write(path, bytes, size);
    free(bytes);
    return;
  }
  fail_msg("there is no model %s", name);
}

static neap_status read_graph_problem(const char *path, bool in_place, neap_problem **problem,
                                      neap_error *error) {
  const neap_liveness liveness = {.in_place = in_place};
  neap_graph *graph = NULL;
  neap_status status = neap_graph_read(path, NULL, &graph, error);
  if (status == NEAP_OK) status = neap_graph_to_problem(graph, &liveness, problem, error);
  neap_graph_free(graph);
  return status;
}

void fixture_make_graphs(struct fixture *fixture) {
  neap_error error;
  fixture_write("graph.json", graph_text, strlen(graph_text));
  fixture_write("parts.json", parts_text, strlen(parts_text));
  fixture_write("operators.json", operators_text, strlen(operators_text));
  write_model("keyword", "model.tflite");
  write_model("keyword_planned", "planned.tflite");
  write_model("branches", "branches.tflite");
  fixture_write("scratch.csv", "operator,bytes\n1,64\nADD,8\n", 26);
  assert_ok(read_graph_problem("graph.json", false, &fixture->graph_problem, &error), &error);
  assert_ok(neap_plan_read("planned.tflite", NULL, &fixture->model_plan, &error), &error);
}

void fixture_clear_graphs(struct fixture *fixture) {
  neap_plan_free(fixture->model_plan);
  neap_problem_free(fixture->graph_problem);
}

/* ---------------------------------------------------------------- scenarios */

static neap_status read_graph(const struct fixture *fixture, uint64_t *fingerprint,
                              neap_error *error) {
  neap_problem *problem = NULL;
  neap_status status = read_graph_problem(fixture->with, true, &problem, error);
  if (status == NEAP_OK) fingerprint_problem(fingerprint, problem);
  neap_problem_free(problem);
  return status;
}

static neap_status read_model(const struct fixture *fixture, uint64_t *fingerprint,
                              neap_error *error) {
  neap_problem *problem = NULL;
  neap_status status = neap_problem_read(fixture->with, NULL, &problem, error);
  if (status == NEAP_OK) fingerprint_problem(fingerprint, problem);
  neap_problem_free(problem);
  return status;
}

/* Many operators, so that all lists grow several times. */
static neap_status add_operators(const struct fixture *fixture, uint64_t *fingerprint,
                                 neap_error *error) {
  (void)fixture;
  const neap_size shape[] = {1, 2, 4};
  const neap_range range = {0, 1};
  const size_t links[] = {1, 0};
  neap_buffer buffer = NEAP_BUFFER_INIT;
  neap_problem *problem = neap_problem_new();
  if (!problem) return no_memory(error);
  neap_status status = NEAP_OK;
  buffer.size = 8;
  buffer.ranges = &range;
  buffer.range_count = 1;
  buffer.shape = shape;
  for (size_t i = 0; i < 9 && status == NEAP_OK; i++) {
    static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i"};
    buffer.name = names[i];
    buffer.rank = i % 4;
    buffer.dtype = names[8 - i];
    status = neap_problem_add(problem, &buffer, error);
  }
  for (size_t k = 0; k < 20 && status == NEAP_OK; k++) {
    const neap_operator_info info = {.struct_size = sizeof(neap_operator_info),
                                     .type = k % 3 == 0 ? "CONV_2D" : "ADD",
                                     .name = k % 2 == 0 ? "block1/conv" : NULL,
                                     .reads = links,
                                     .read_count = k % 3,
                                     .makes = links,
                                     .make_count = 2 - k % 3};
    status = neap_problem_add_operator(problem, &info, error);
  }
  if (status == NEAP_OK) fingerprint_problem(fingerprint, problem);
  neap_problem_free(problem);
  return status;
}

/* A plan for a target, which places the scratch buffers itself. */
static neap_status plan_for_target(const struct fixture *fixture, uint64_t *fingerprint,
                                   neap_error *error) {
  static const neap_reading reading = {.struct_size = sizeof(neap_reading),
                                       .target = "tflm",
                                       .scratch = "scratch.csv",
                                       .liveness = {.list_runtime = true}};
  static const char *const pairs[] = {"max-ticks", "2000", NULL};
  neap_problem *problem = NULL;
  neap_status status = neap_problem_read(fixture->with, &reading, &problem, error);
  if (status == NEAP_OK) status = solve_with(problem, pairs, fingerprint, error);
  neap_problem_free(problem);
  return status;
}

/* The overlaps of kernels, or of pairs. */
static neap_status read_overlap(const struct fixture *fixture, uint64_t *fingerprint,
                                neap_error *error) {
  bool is_model = strstr(fixture->with, ".tflite") != NULL;
  neap_reading reading = {.struct_size = sizeof(neap_reading),
                          .overlap = is_model ? "tflite-reference" : "elementwise"};
  neap_problem *problem = NULL;
  neap_status status = neap_problem_read(fixture->with, &reading, &problem, error);
  if (status == NEAP_OK) fingerprint_problem(fingerprint, problem);
  neap_problem_free(problem);
  return status;
}

/* Parts that lie in their wholes, and a plan with them. */
static neap_status plan_aliased(const struct fixture *fixture, uint64_t *fingerprint,
                                neap_error *error) {
  static const neap_reading reading = {
      .struct_size = sizeof(neap_reading),
      .liveness = {.aliases = NEAP_ALIAS_CONCAT | NEAP_ALIAS_SPLIT},
      .scheduling = {.schedule = NEAP_SCHEDULE_MIN_PEAK}};
  static const char *const pairs[] = {"max-ticks", "2000", NULL};
  neap_problem *problem = NULL;
  neap_status status = neap_problem_read(fixture->with, &reading, &problem, error);
  if (status == NEAP_OK) status = solve_with(problem, pairs, fingerprint, error);
  neap_problem_free(problem);
  return status;
}

static neap_status read_model_plan(const struct fixture *fixture, uint64_t *fingerprint,
                                   neap_error *error) {
  neap_plan *plan = NULL;
  neap_status status = neap_plan_read(fixture->with, NULL, &plan, error);
  if (status == NEAP_OK) fingerprint_plan(fingerprint, plan);
  neap_plan_free(plan);
  return status;
}

static neap_status write_model_plan(const struct fixture *fixture, uint64_t *fingerprint,
                                    neap_error *error) {
  (void)fingerprint;
  return neap_plan_write(fixture->model_plan, "out.tflite",
                         &(neap_writing){.struct_size = sizeof(neap_writing),
                                         .format = "tflite",
                                         .model = fixture->with,
                                         .replace = true},
                         error);
}

static neap_status write_header(const struct fixture *fixture, uint64_t *fingerprint,
                                neap_error *error) {
  (void)fingerprint;
  return neap_plan_write(
      fixture->plan, "out.h",
      &(neap_writing){.struct_size = sizeof(neap_writing), .format = "header", .prefix = "NET"},
      error);
}

static neap_status write_source(const struct fixture *fixture, uint64_t *fingerprint,
                                neap_error *error) {
  (void)fingerprint;
  return neap_plan_write(fixture->plan, "out.c",
                         &(neap_writing){.struct_size = sizeof(neap_writing),
                                         .format = "source",
                                         .prefix = "NET",
                                         .header = "out.h"},
                         error);
}

static neap_status write_buffer_plan(const struct fixture *fixture, uint64_t *fingerprint,
                                     neap_error *error) {
  (void)fingerprint;
  return neap_plan_write(fixture->model_plan, "plan.h",
                         &(neap_writing){.struct_size = sizeof(neap_writing),
                                         .format = "buffer-plan",
                                         .prefix = "NET",
                                         .replace = true},
                         error);
}

/* Schedules the graph in another order, which the problem then records. */
static neap_status schedule(const struct fixture *fixture, uint64_t *fingerprint,
                            neap_error *error) {
  static const neap_reading reading = {.struct_size = sizeof(neap_reading),
                                       .scheduling.schedule = NEAP_SCHEDULE_MIN_PEAK};
  neap_problem *problem = NULL;
  neap_status status = neap_problem_read(fixture->with, &reading, &problem, error);
  if (status == NEAP_OK) status = neap_problem_write(problem, "out.json", NULL, error);
  if (status == NEAP_OK) fingerprint_problem(fingerprint, problem);
  neap_problem_free(problem);
  return status;
}

static neap_status copy_graph(const struct fixture *fixture, uint64_t *fingerprint,
                              neap_error *error) {
  neap_problem *problem = NULL, *again = NULL;
  neap_graph *copy = NULL;
  const size_t first = 0;
  neap_size bound;
  neap_status status = neap_problem_read(fixture->with, NULL, &problem, error);
  if (status == NEAP_OK && !(copy = neap_graph_copy(neap_problem_graph(problem))))
    status = no_memory(error);
  if (status == NEAP_OK) status = neap_graph_to_problem(copy, NULL, &again, error);
  if (status == NEAP_OK) status = neap_problem_bounds_without(again, &first, 1, &bound, error);
  if (status == NEAP_OK) fingerprint_problem(fingerprint, again);
  neap_graph_free(copy);
  neap_problem_free(problem);
  neap_problem_free(again);
  return status;
}

static neap_status plan_graph(const struct fixture *fixture, uint64_t *fingerprint,
                              neap_error *error) {
  const char *const pairs[] = {"engine", fixture->with, "max-ticks", "2000", NULL};
  return solve_with(fixture->graph_problem, pairs, fingerprint, error);
}

/* Its bound cannot be reached, so the search has something to do. */
static neap_status search(const struct fixture *fixture, uint64_t *fingerprint,
                          neap_error *error) {
  static const char *const pairs[] = {"engine", "exact", "max-ticks", "5000", NULL};
  return solve_with(fixture->problem, pairs, fingerprint, error);
}

static neap_status generate(const struct fixture *fixture, uint64_t *fingerprint,
                            neap_error *error) {
  neap_problem *problem = NULL;
  neap_status status = neap_problem_generate(fixture->with, 30, 7, &problem, error);
  if (status == NEAP_OK) fingerprint_problem(fingerprint, problem);
  neap_problem_free(problem);
  return status;
}

static neap_status generate_network(const struct fixture *fixture, uint64_t *fingerprint,
                                    neap_error *error) {
  neap_graph *graph = NULL;
  neap_problem *problem = NULL;
  neap_status status = neap_graph_generate(fixture->with, 7, &graph, error);
  if (status == NEAP_OK) status = neap_graph_to_problem(graph, NULL, &problem, error);
  if (status == NEAP_OK) fingerprint_problem(fingerprint, problem);
  neap_problem_free(problem);
  neap_graph_free(graph);
  return status;
}

static neap_status write_graph(const struct fixture *fixture, uint64_t *fingerprint,
                               neap_error *error) {
  (void)fingerprint;
  neap_graph *graph = NULL;
  neap_status status = neap_graph_read(fixture->with, NULL, &graph, error);
  if (status == NEAP_OK) status = neap_graph_write(graph, "out.json", NULL, error);
  neap_graph_free(graph);
  return status;
}

/* ---------------------------------------------------------------- all of them */

static const struct scenario few[] = {
    {"read_graph", NULL, read_graph, true, "graph.json"},
    {"read_graph_of_model", NULL, read_graph, false, "model.tflite"},
    {"read_model", NULL, read_model, false, "model.tflite"},
    {"read_operators", NULL, read_model, true, "operators.json"},
    {"add_operators", NULL, add_operators, false, NULL},
    {"plan_for_target", NULL, plan_for_target, false, "branches.tflite"},
    {"read_overlap_of_model", NULL, read_overlap, false, "model.tflite"},
    {"read_overlap", NULL, read_overlap, true, "graph.json"},
    {"plan_aliased", NULL, plan_aliased, false, "parts.json"},
    {"read_model_plan", NULL, read_model_plan, false, "planned.tflite"},
    {"write_model_plan", "out.tflite", write_model_plan, false, "model.tflite"},
    {"replace_model_plan", "out.tflite", write_model_plan, false, "planned.tflite"},
    {"write_header", "out.h", write_header, false, NULL},
    {"write_source", "out.c", write_source, false, NULL},
    {"write_buffer_plan", "plan.h", write_buffer_plan, false, "model.tflite"},
    {"schedule", "out.json", schedule, false, "branches.tflite"},
    {"copy_graph", NULL, copy_graph, false, "model.tflite"},
    {"search", NULL, search, false, NULL},
    {"generate_cells", NULL, generate_network, false, "amoebanet-a-imagenet"},
    {"generate_randwire", NULL, generate_network, false, "randwire"},
    {"write_graph", "out.json", write_graph, false, "graph.json"},
};

static void add(struct scenario *more, size_t *count, const struct scenario *scenario) {
  assert_true(*count < SCENARIOS_MORE);
  more[(*count)++] = *scenario;
}

size_t scenarios_more(struct scenario more[SCENARIOS_MORE]) {
  size_t count = 0;
  neap_engine_info engine = NEAP_INIT(neap_engine_info);
  neap_kind_info kind;
  for (size_t i = 0; i < SAMPLE_COUNT(few); i++)
    add(more, &count, &few[i]);
  for (size_t i = 0; neap_engine_at(i, &engine); i++)
    add(more, &count, &(struct scenario){engine.name, NULL, plan_graph, false, engine.name});
  for (size_t i = 0; neap_kind_at(i, &kind); i++)
    add(more, &count, &(struct scenario){kind.name, NULL, generate, false, kind.name});
  return count;
}
