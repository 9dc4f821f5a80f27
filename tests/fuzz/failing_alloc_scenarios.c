/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "formats/json/plan.h"
#include "tests/fuzz/failing_alloc.h"
#include "tests/unit/onnx_maker.h"
#include "tests/unit/sample.h"

/* ---------------------------------------------------------------- the fixture */

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

static const char dsa_text[] =
    "{\"schema_version\":1,\"profile\":\"pypto_structured\",\"instance\":\"i\",\"problem\":{"
    "\"pools\":[{\"id\":7,\"name\":\"p\",\"capacity\":256,\"reserved_ranges\":[{\"begin\":0,"
    "\"end\":16}]},{\"id\":3,\"name\":\"p\",\"capacity\":null,\"reserved_ranges\":[]}],"
    "\"buffers\":[{\"id\":5,\"name\":\"a\",\"size\":32,\"alignment\":16,\"live_intervals\":"
    "[{\"lower\":2,\"upper\":5},{\"lower\":0,\"upper\":3}],\"allowed_pools\":[7]},"
    "{\"id\":2,\"name\":\"\",\"size\":8,\"alignment\":1,\"live_intervals\":[{\"lower\":4,"
    "\"upper\":6}],\"allowed_pools\":[3,7]}],\"constraints\":{\"colocations\":[],"
    "\"separations\":[{\"first\":5,\"second\":2,\"reasons\":[\"generic\",\"cross_pipe\"]}],"
    "\"temporal_exclusions\":[],\"pinned_allocations\":[]},\"cost_model\":{"
    "\"reuse_penalties\":[{\"first\":2,\"second\":5,\"cost\":5,\"reason\":\"cross_core\"}]},"
    "\"objective\":{\"aggregation\":\"lexicographic\",\"terms\":[\"reuse_cost\"]}}}";

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
static const char conflicts_text[] = "first,second\na,b\nb,c\n";

const char *const fixture_files[] = {"problem.csv",
                                     "problem.ops",
                                     "problem.json",
                                     "plan.json",
                                     "blocks.json",
                                     "plan.csv",
                                     "graph.json",
                                     "model.tflite",
                                     "planned.tflite",
                                     "model.onnx",
                                     "branches.tflite",
                                     "scratch.csv",
                                     "dsa.json",
                                     "relations.json",
                                     "pools.csv",
                                     "conflicts.csv",
                                     "parts.json",
                                     "operators.json",
                                     NULL};

void fixture_write(const char *path, const void *bytes, size_t size) {
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(bytes, 1, size, file), size);
  assert_int_equal(fclose(file), 0);
}

static void write_text(const char *path, const char *text) {
  fixture_write(path, text, strlen(text));
}

static void write_onnx(const char *path) {
  size_t size;
  char *bytes = onnx_make(onnx_text, "Neg a -> r\noutput r\n", &size);
  fixture_write(path, bytes, size);
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

/* Some with several ranges, and one with a fixed offset. */
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

static void write_blocks_file(const neap_plan *plan) {
  neap_error error;
  FILE *file = fopen("blocks.json", "w");
  assert_non_null(file);
  assert_ok(json_plan_write_blocks(plan, file, &error), &error);
  assert_int_equal(fclose(file), 0);
}

void fixture_make(struct fixture *fixture) {
  neap_error error;
  write_text("problem.csv", csv_text);
  write_text("problem.ops", ops_text);
  write_text("relations.json", relations_text);
  write_text("pools.csv", pools_text);
  write_text("conflicts.csv", conflicts_text);
  write_text("dsa.json", dsa_text);
  write_onnx("model.onnx");
  fixture->problem = make_problem();
  fixture->aligned = make_aligned();
  assert_ok(neap_solve(fixture->problem, NULL, &fixture->plan, &error), &error);
  assert_ok(neap_plan_set_base(fixture->plan, 4096, &error), &error);
  assert_ok(neap_problem_write(fixture->problem, "problem.json", NULL, &error), &error);
  assert_ok(neap_plan_write(fixture->plan, "plan.json", NULL, &error), &error);
  assert_ok(neap_plan_write(fixture->plan, "plan.csv", NULL, &error), &error);
  write_blocks_file(fixture->plan);
  fixture_make_graphs(fixture);
  fixture->null = fopen("/dev/null", "w");
  assert_non_null(fixture->null);
}

void fixture_clear(struct fixture *fixture) {
  fixture_clear_graphs(fixture);
  neap_plan_free(fixture->plan);
  neap_problem_free(fixture->problem);
  neap_problem_free(fixture->aligned);
  fclose(fixture->null);
  for (size_t i = 0; fixture_files[i]; i++)
    remove(fixture_files[i]);
}

/* ---------------------------------------------------------------- fingerprints */

void fingerprint_number(uint64_t *fingerprint, uint64_t value) {
  *fingerprint = (*fingerprint ^ value) * UINT64_C(0x100000001b3) + 1;
}

static void mix_text(uint64_t *fingerprint, const char *text) {
  for (; text && *text; text++)
    fingerprint_number(fingerprint, (unsigned char)*text);
}

static void mix_operators(uint64_t *fingerprint, const neap_problem *problem) {
  neap_operator_info info = NEAP_INIT(neap_operator_info);
  for (size_t k = 0; neap_problem_operator_at(problem, k, &info); k++) {
    mix_text(fingerprint, info.type);
    mix_text(fingerprint, info.name);
    for (size_t i = 0; i < info.read_count; i++)
      fingerprint_number(fingerprint, info.reads[i]);
    for (size_t i = 0; i < info.make_count; i++)
      fingerprint_number(fingerprint, ~info.makes[i]);
  }
}

void fingerprint_problem(uint64_t *fingerprint, const neap_problem *problem) {
  fingerprint_number(fingerprint, (uint64_t)neap_problem_horizon(problem));
  for (size_t i = 0; i < neap_problem_count(problem); i++) {
    neap_buffer buffer = NEAP_INIT(neap_buffer);
    neap_problem_buffer_at(problem, i, &buffer);
    mix_text(fingerprint, buffer.name);
    mix_text(fingerprint, buffer.hint);
    mix_text(fingerprint, buffer.dtype);
    for (size_t d = 0; d < buffer.rank; d++)
      fingerprint_number(fingerprint, (uint64_t)buffer.shape[d]);
    fingerprint_number(fingerprint, (uint64_t)buffer.size);
    fingerprint_number(fingerprint, (uint64_t)buffer.alignment);
    for (size_t r = 0; r < buffer.range_count; r++) {
      fingerprint_number(fingerprint, (uint64_t)buffer.ranges[r].start);
      fingerprint_number(fingerprint, (uint64_t)buffer.ranges[r].end);
    }
  }
  mix_operators(fingerprint, problem);
}

void fingerprint_plan(uint64_t *fingerprint, const neap_plan *plan) {
  neap_report report = NEAP_INIT(neap_report);
  neap_plan_report(plan, &report);
  fingerprint_number(fingerprint, (uint64_t)report.peak);
  fingerprint_number(fingerprint, report.rounds);
  for (size_t i = 0; i < report.buffers; i++)
    fingerprint_number(fingerprint, (uint64_t)neap_plan_offset(plan, i));
}

/* ---------------------------------------------------------------- making problems */

neap_status no_memory(neap_error *error) {
  *error = (neap_error){.status = NEAP_ERROR_MEMORY, .text = "NULL came back"};
  return NEAP_ERROR_MEMORY;
}

static neap_status build(const struct fixture *fixture, uint64_t *fingerprint,
                         neap_error *error) {
  neap_problem *problem = neap_problem_new();
  if (!problem) return no_memory(error);
  neap_status status = NEAP_OK;
  (void)fixture;
  for (size_t i = 0; i < 40 && status == NEAP_OK; i++) {
    const neap_range ranges[] = {{(neap_time)i, (neap_time)i + 3}, {(neap_time)i + 5, 60}};
    char name[32];
    snprintf(name, sizeof name, "tensor%zu", i);
    neap_buffer buffer = {.struct_size = sizeof(neap_buffer),
                          .name = name,
                          .size = 64,
                          .alignment = 16,
                          .fixed_offset = NEAP_UNPLACED,
                          .ranges = ranges,
                          .range_count = 1 + i % 2,
                          .hint = i > 20 ? name : NULL,
                          .bank = i % 5 == 0 ? 128 : 0};
    size_t before = neap_problem_count(problem);
    status = neap_problem_add(problem, &buffer, error);
    if (status != NEAP_OK && neap_problem_count(problem) != before) status = NEAP_ERROR_UNSOUND;
    if (status != NEAP_OK && neap_problem_find(problem, name, &before))
      status = NEAP_ERROR_UNSOUND;
  }
  if (status == NEAP_OK) fingerprint_problem(fingerprint, problem);
  neap_problem_free(problem);
  return status;
}

/* After a failure, the same call with enough memory must succeed completely. */
static neap_status build_on(const struct fixture *fixture, uint64_t *fingerprint,
                            neap_error *error) {
  neap_problem *problem = neap_problem_new();
  if (!problem) return no_memory(error);
  neap_status status = NEAP_OK;
  (void)fixture;
  for (size_t i = 0; i < 20 && status == NEAP_OK; i++) {
    const neap_range range = {(neap_time)i, (neap_time)i + 3};
    char name[32];
    snprintf(name, sizeof name, "tensor%zu", i);
    neap_buffer buffer = {.struct_size = sizeof(neap_buffer),
                          .name = name,
                          .size = 64,
                          .alignment = 16,
                          .fixed_offset = NEAP_UNPLACED,
                          .ranges = &range,
                          .range_count = 1,
                          .hint = name};
    status = neap_problem_add(problem, &buffer, error);
    if (status == NEAP_ERROR_MEMORY) status = neap_problem_add(problem, &buffer, error);
  }
  if (status == NEAP_OK) fingerprint_problem(fingerprint, problem);
  neap_problem_free(problem);
  return status;
}

static neap_status convert_operations(const struct fixture *fixture, uint64_t *fingerprint,
                                      neap_error *error) {
  static const neap_operation operations[] = {{"a", true, 8, 1},  {"b", true, 9, 1},
                                              {"a", false, 0, 0}, {"a", true, 7, 1},
                                              {"b", false, 0, 0}, {"a", false, 0, 0}};
  neap_problem *problem = NULL;
  (void)fixture;
  neap_status status =
      neap_problem_from_operations(operations, SAMPLE_COUNT(operations), &problem, error);
  if (status == NEAP_OK) fingerprint_problem(fingerprint, problem);
  neap_problem_free(problem);
  return status;
}

static neap_status read_and_retime(const struct fixture *fixture, uint64_t *fingerprint,
                                   neap_error *error) {
  neap_problem *problem = NULL, *retimed = NULL;
  (void)fixture;
  neap_status status = neap_problem_read("problem.ops", NULL, &problem, error);
  if (status == NEAP_OK) status = neap_problem_retime(problem, &retimed, error);
  if (status == NEAP_OK) fingerprint_problem(fingerprint, retimed);
  neap_problem_free(retimed);
  neap_problem_free(problem);
  return status;
}

static neap_status read_problem(const char *path, uint64_t *fingerprint, neap_error *error) {
  neap_problem *problem = NULL;
  neap_status status = neap_problem_read(path, NULL, &problem, error);
  if (status == NEAP_OK) fingerprint_problem(fingerprint, problem);
  neap_problem_free(problem);
  return status;
}

static neap_status read_csv(const struct fixture *fixture, uint64_t *fingerprint,
                            neap_error *error) {
  (void)fixture;
  return read_problem("problem.csv", fingerprint, error);
}

static neap_status read_ops(const struct fixture *fixture, uint64_t *fingerprint,
                            neap_error *error) {
  (void)fixture;
  return read_problem("problem.ops", fingerprint, error);
}

static neap_status read_json(const struct fixture *fixture, uint64_t *fingerprint,
                             neap_error *error) {
  (void)fixture;
  return read_problem("problem.json", fingerprint, error);
}

/* Also writes it back, which reads its note. */
static neap_status read_dsa(const struct fixture *fixture, uint64_t *fingerprint,
                            neap_error *error) {
  neap_problem *problem = NULL;
  (void)fixture;
  neap_status status = neap_problem_read("dsa.json", NULL, &problem, error);
  if (status == NEAP_OK) fingerprint_problem(fingerprint, problem);
  if (status == NEAP_OK) status = neap_problem_write(problem, "out.json", "dsa", error);
  neap_problem_free(problem);
  return status;
}

static neap_status write_dsa_plan(const struct fixture *fixture, uint64_t *fingerprint,
                                  neap_error *error) {
  static const neap_writing writing = {.struct_size = sizeof(neap_writing), .format = "dsa"};
  (void)fingerprint;
  return neap_plan_write(fixture->plan, "out.json", &writing, error);
}

/* Reads a problem with constraints, and writes it. */
static neap_status copy_constraints(const char *path, const char *conflicts,
                                    uint64_t *fingerprint, neap_error *error) {
  const neap_reading reading = {.struct_size = sizeof(neap_reading), .conflicts = conflicts};
  neap_problem *problem = NULL;
  neap_status status = neap_problem_read(path, &reading, &problem, error);
  if (status == NEAP_OK) fingerprint_problem(fingerprint, problem);
  if (status == NEAP_OK) status = neap_problem_write(problem, "out.json", NULL, error);
  neap_problem_free(problem);
  return status;
}

static neap_status copy_relations(const struct fixture *fixture, uint64_t *fingerprint,
                                  neap_error *error) {
  (void)fixture;
  return copy_constraints("relations.json", NULL, fingerprint, error);
}

static neap_status copy_conflicts(const struct fixture *fixture, uint64_t *fingerprint,
                                  neap_error *error) {
  (void)fixture;
  return copy_constraints("pools.csv", "conflicts.csv", fingerprint, error);
}

static neap_status read_onnx(const struct fixture *fixture, uint64_t *fingerprint,
                             neap_error *error) {
  static const neap_dimension dimension = {"N", 3};
  static const neap_reading reading = {
      .struct_size = sizeof(neap_reading), .dimensions = &dimension, .dimension_count = 1};
  neap_problem *problem = NULL;
  (void)fixture;
  neap_status status = neap_problem_read("model.onnx", &reading, &problem, error);
  if (status == NEAP_OK) fingerprint_problem(fingerprint, problem);
  neap_problem_free(problem);
  return status;
}

static neap_status read_plan(const char *path, uint64_t *fingerprint, neap_error *error) {
  neap_plan *plan = NULL;
  neap_status status = neap_plan_read(path, NULL, &plan, error);
  if (status == NEAP_OK) fingerprint_plan(fingerprint, plan);
  neap_plan_free(plan);
  return status;
}

static neap_status read_json_plan(const struct fixture *fixture, uint64_t *fingerprint,
                                  neap_error *error) {
  (void)fixture;
  return read_plan("plan.json", fingerprint, error);
}

static neap_status read_blocks(const struct fixture *fixture, uint64_t *fingerprint,
                               neap_error *error) {
  (void)fixture;
  return read_plan("blocks.json", fingerprint, error);
}

static neap_status write_blocks(const struct fixture *fixture, uint64_t *fingerprint,
                                neap_error *error) {
  (void)fingerprint;
  return json_plan_write_blocks(fixture->plan, fixture->null, error);
}

static neap_status read_csv_plan(const struct fixture *fixture, uint64_t *fingerprint,
                                 neap_error *error) {
  (void)fixture;
  return read_plan("plan.csv", fingerprint, error);
}

/* ---------------------------------------------------------------- planning */

neap_status solve_with(const neap_problem *problem, const char *const *pairs,
                       uint64_t *fingerprint, neap_error *error) {
  neap_options *options = neap_options_new();
  if (!options) return no_memory(error);
  neap_plan *plan = NULL;
  neap_status status = NEAP_OK;
  for (; *pairs && status == NEAP_OK; pairs += 2)
    status = neap_options_set(options, pairs[0], pairs[1], error);
  if (status == NEAP_OK) status = neap_solve(problem, options, &plan, error);
  if (status == NEAP_OK) fingerprint_plan(fingerprint, plan);
  neap_plan_free(plan);
  neap_options_free(options);
  return status;
}

static neap_status tune(const struct fixture *fixture, uint64_t *fingerprint,
                        neap_error *error) {
  static const char *const pairs[] = {"engine", "tune", "order", "overlap,-size/duration",
                                      NULL};
  return solve_with(fixture->problem, pairs, fingerprint, error);
}

static neap_status tune_tight(const struct fixture *fixture, uint64_t *fingerprint,
                              neap_error *error) {
  static const char *const pairs[] = {"engine",     "tune",   "place",      "tight",
                                      "rearrange",  "search", "max-rounds", "5",
                                      "group-size", "3",      NULL};
  return solve_with(fixture->problem, pairs, fingerprint, error);
}

static neap_status tune_metrics(const struct fixture *fixture, uint64_t *fingerprint,
                                neap_error *error) {
  static const char *const pairs[] = {"engine",  "tune",       "place", "best-fit", "rearrange",
                                      "metrics", "max-rounds", "5",     NULL};
  return solve_with(fixture->problem, pairs, fingerprint, error);
}

static neap_status tune_exact(const struct fixture *fixture, uint64_t *fingerprint,
                              neap_error *error) {
  static const char *const pairs[] = {"engine",     "tune", "rearrange", "exact",
                                      "max-rounds", "5",    NULL};
  return solve_with(fixture->problem, pairs, fingerprint, error);
}

/* Groups, and searches of everything with sizes as they are and rounded up. */
static neap_status repack(const struct fixture *fixture, uint64_t *fingerprint,
                          neap_error *error) {
  static const char *const pairs[] = {"engine",           "tune",       "rearrange",
                                      "repack",           "max-rounds", "5",
                                      "max-group-rounds", "12",         NULL};
  return solve_with(fixture->problem, pairs, fingerprint, error);
}

static neap_status repack_aligned(const struct fixture *fixture, uint64_t *fingerprint,
                                  neap_error *error) {
  static const char *const pairs[] = {"engine",           "tune",       "rearrange",
                                      "repack",           "max-rounds", "5",
                                      "max-group-rounds", "12",         NULL};
  return solve_with(fixture->aligned, pairs, fingerprint, error);
}

static neap_status repack_tight(const struct fixture *fixture, uint64_t *fingerprint,
                                neap_error *error) {
  static const char *const pairs[] = {"engine", "tune",  "rearrange",  "repack", "max-rounds",
                                      "4",      "order", "-size",      "seed",   "3",
                                      "place",  "tight", "group-size", "3",      NULL};
  return solve_with(fixture->aligned, pairs, fingerprint, error);
}

static neap_status sort(const struct fixture *fixture, uint64_t *fingerprint,
                        neap_error *error) {
  static const char *const pairs[] = {"engine", "sort", NULL};
  return solve_with(fixture->problem, pairs, fingerprint, error);
}

/* A planner whose step has failed can still be asked for its plan. */
static neap_status step_on(const struct fixture *fixture, uint64_t *fingerprint,
                           neap_error *error) {
  neap_planner *planner = NULL;
  neap_plan *plan = NULL;
  bool done = false;
  neap_status status = neap_planner_new(fixture->problem, NULL, &planner, error);
  while (status == NEAP_OK && !done)
    status = neap_planner_step(planner, &done, error);
  neap_status asked = planner ? neap_planner_plan(planner, &plan, NULL) : status;
  if (status == NEAP_OK && asked != NEAP_OK) status = neap_planner_plan(planner, &plan, error);
  if (status == NEAP_OK) fingerprint_plan(fingerprint, plan);
  neap_plan_free(plan);
  neap_planner_free(planner);
  return status;
}

static neap_status examine(const struct fixture *fixture, uint64_t *fingerprint,
                           neap_error *error) {
  neap_bound bound = NEAP_INIT(neap_bound);
  neap_offset offsets[16] = {0};
  neap_plan *plan = NULL;
  neap_collision *collisions = NULL;
  size_t count = 0;
  neap_status status = neap_problem_bound(fixture->problem, &bound, error);
  if (status == NEAP_OK) status = neap_problem_check(fixture->problem, error);
  if (status == NEAP_OK) status = neap_plan_verify(fixture->plan, -1, error);
  if (status == NEAP_OK) status = neap_plan_new(fixture->problem, offsets, &plan, error);
  if (status == NEAP_OK)
    status = neap_plan_collisions(plan, 100, &collisions, &count, NULL, error);
  if (status == NEAP_OK) fingerprint_number(fingerprint, (uint64_t)bound.bytes + count);
  neap_collisions_free(collisions);
  neap_plan_free(plan);
  return status;
}

/* ---------------------------------------------------------------- writing */

static neap_status write_csv(const struct fixture *fixture, uint64_t *fingerprint,
                             neap_error *error) {
  (void)fingerprint;
  return neap_problem_write(fixture->problem, "out.csv", NULL, error);
}

static neap_status write_json(const struct fixture *fixture, uint64_t *fingerprint,
                              neap_error *error) {
  (void)fingerprint;
  return neap_problem_write(fixture->problem, "out.json", NULL, error);
}

static neap_status write_ops(const struct fixture *fixture, uint64_t *fingerprint,
                             neap_error *error) {
  neap_problem *problem = NULL;
  (void)fixture;
  (void)fingerprint;
  neap_status status = neap_problem_read("problem.ops", NULL, &problem, error);
  if (status == NEAP_OK) status = neap_problem_write(problem, "out.ops", NULL, error);
  neap_problem_free(problem);
  return status;
}

static neap_status write_csv_plan(const struct fixture *fixture, uint64_t *fingerprint,
                                  neap_error *error) {
  (void)fingerprint;
  return neap_plan_write(fixture->plan, "out.csv", NULL, error);
}

static neap_status write_json_plan(const struct fixture *fixture, uint64_t *fingerprint,
                                   neap_error *error) {
  (void)fingerprint;
  return neap_plan_write(fixture->plan, "out.json", NULL, error);
}

static neap_status write_table(const struct fixture *fixture, uint64_t *fingerprint,
                               neap_error *error) {
  (void)fingerprint;
  return neap_plan_write(fixture->plan, "out.txt", NULL, error);
}

static neap_status write_report(const struct fixture *fixture, uint64_t *fingerprint,
                                neap_error *error) {
  (void)fingerprint;
  return neap_plan_write_report(fixture->plan, "a \"name\"", true, fixture->null, error);
}

static neap_status draw(const struct fixture *fixture, uint64_t *fingerprint,
                        neap_error *error) {
  const neap_writing drawing = {
      .struct_size = sizeof(neap_writing), .name = "fixture", .colour_by = "name"};
  (void)fingerprint;
  return neap_plan_write(fixture->plan, "out.svg", &drawing, error);
}

static neap_status page(const struct fixture *fixture, uint64_t *fingerprint,
                        neap_error *error) {
  const neap_panel layout = {fixture->plan, "engine"};
  const neap_writing drawing = {.struct_size = sizeof(neap_writing),
                                .name = "fixture",
                                .colour_by = "name",
                                .other = fixture->plan,
                                .other_name = "other",
                                .layouts = &layout,
                                .layout_count = 1,
                                .comparison = "{\"engines\": []}"};
  (void)fingerprint;
  return neap_plan_write(fixture->plan, "out.html", &drawing, error);
}

static neap_status chart(const struct fixture *fixture, uint64_t *fingerprint,
                         neap_error *error) {
  static const double x[] = {1, 2, 3, 5}, peaks[] = {900, 800, NAN, 700},
                      bound[] = {600, 600, 600, 600};
  static const neap_series series[] = {{"peak & all", peaks, false}, {"bound", bound, true}};
  static const neap_chart chart = {.title = "title",
                                   .x_label = "rounds",
                                   .y_label = "bytes",
                                   .x = x,
                                   .x_count = 4,
                                   .series = series,
                                   .series_count = 2,
                                   .y_is_bytes = true};
  (void)fixture;
  (void)fingerprint;
  return neap_chart_draw(&chart, "out.svg", error);
}

/* Keeps the layouts of its rounds; its history differs every time. */
static neap_status course(const struct fixture *fixture, uint64_t *fingerprint,
                          neap_error *error) {
  neap_options *options = neap_options_new();
  neap_plan *plan = NULL;
  (void)fingerprint;
  if (!options) return no_memory(error);
  neap_status status = neap_options_set(options, "keep-layouts", "yes", error);
  if (status == NEAP_OK) status = neap_options_set(options, "engine", "tune", error);
  if (status == NEAP_OK) status = neap_solve(fixture->problem, options, &plan, error);
  neap_options_free(options);
  if (status == NEAP_OK) status = neap_plan_draw_course(plan, "/dev/null", error);
  neap_plan_free(plan);
  return status;
}

/* Keeps the groups that were taken out of its layouts, writes them and reads them back. */
static neap_status groups(const struct fixture *fixture, uint64_t *fingerprint,
                          neap_error *error) {
  static const char *const pairs[][2] = {{"keep-layouts", "yes"}, {"engine", "tune"},
                                         {"order", "-size"},      {"rearrange", "repack"},
                                         {"max-rounds", "3"},     {"max-group-rounds", "8"}};
  neap_options *options = neap_options_new();
  neap_plan *plan = NULL, *again = NULL;
  if (!options) return no_memory(error);
  neap_status status = NEAP_OK;
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs && status == NEAP_OK; i++)
    status = neap_options_set(options, pairs[i][0], pairs[i][1], error);
  if (status == NEAP_OK) status = neap_solve(fixture->problem, options, &plan, error);
  neap_options_free(options);
  if (status == NEAP_OK) status = neap_plan_write(plan, "out.json", NULL, error);
  if (status == NEAP_OK) {
    status = neap_plan_read("out.json", NULL, &again, error);
    unlink("out.json");
  }
  neap_round round = NEAP_INIT(neap_round);
  size_t moves = 0;
  for (size_t i = 0; status == NEAP_OK && neap_plan_round_at(again, i, &round); i++)
    moves += round.move_count;
  assert_true(status != NEAP_OK || moves > 0);
  fingerprint_number(fingerprint, moves);
  neap_plan_free(plan);
  neap_plan_free(again);
  return status;
}

static neap_status bars(const struct fixture *fixture, uint64_t *fingerprint,
                        neap_error *error) {
  static const neap_bar items[] = {{"one", 900, "", true}, {"two", 1800, "", false}};
  const neap_panel panels[] = {{fixture->plan, "one"}, {fixture->plan, "two"}};
  const neap_bars bars = {.title = "bars",
                          .items = items,
                          .count = 2,
                          .level = 800,
                          .level_name = "bound",
                          .panels = panels,
                          .panel_count = 2};
  (void)fingerprint;
  return neap_bars_draw(&bars, "out.svg", error);
}

static neap_status draw_text(const struct fixture *fixture, uint64_t *fingerprint,
                             neap_error *error) {
  const neap_text_style style = {
      .struct_size = sizeof(neap_text_style), .columns = 80, .lines = 24, .unicode = true};
  (void)fingerprint;
  return neap_plan_draw_text(fixture->plan, NULL, &style, fixture->null, error);
}

const struct scenario scenarios[] = {
    {"build", NULL, build, false, NULL},
    {"build_on", NULL, build_on, false, NULL},
    {"relate_in_one_arena", NULL, relate_in_one_arena, false, NULL},
    {"decide_pairs", NULL, decide_pairs, false, NULL},
    {"relate_in_pools", NULL, relate_in_pools, false, NULL},
    {"choose_pools", NULL, choose_pools, false, NULL},
    {"certify_layout", NULL, certify_layout, false, NULL},
    {"certify_order", NULL, certify_order, false, NULL},
    {"certify_terms", NULL, certify_terms, false, NULL},
    {"certify_plan", NULL, certify_plan, false, NULL},
    {"explain_set", NULL, explain_set, false, NULL},
    {"explain_sum", NULL, explain_sum, false, NULL},
    {"convert_operations", NULL, convert_operations, false, NULL},
    {"read_and_retime", NULL, read_and_retime, false, NULL},
    {"read_csv", NULL, read_csv, false, NULL},
    {"read_ops", NULL, read_ops, false, NULL},
    {"read_json", NULL, read_json, true, NULL},
    {"read_onnx", NULL, read_onnx, false, NULL},
    {"read_dsa", "out.json", read_dsa, false, NULL},
    {"write_dsa_plan", "out.json", write_dsa_plan, false, NULL},
    {"read_json_plan", NULL, read_json_plan, true, NULL},
    {"read_blocks", NULL, read_blocks, true, NULL},
    {"write_blocks", NULL, write_blocks, true, NULL},
    {"read_csv_plan", NULL, read_csv_plan, false, NULL},
    {"tune", NULL, tune, false, NULL},
    {"tune_tight", NULL, tune_tight, false, NULL},
    {"tune_metrics", NULL, tune_metrics, false, NULL},
    {"tune_exact", NULL, tune_exact, false, NULL},
    {"repack", NULL, repack, false, NULL},
    {"repack_aligned", NULL, repack_aligned, false, NULL},
    {"repack_tight", NULL, repack_tight, false, NULL},
    {"sort", NULL, sort, false, NULL},
    {"step_on", NULL, step_on, false, NULL},
    {"examine", NULL, examine, false, NULL},
    {"write_csv", "out.csv", write_csv, false, NULL},
    {"write_json", "out.json", write_json, false, NULL},
    {"write_ops", "out.ops", write_ops, false, NULL},
    {"write_csv_plan", "out.csv", write_csv_plan, false, NULL},
    {"write_json_plan", "out.json", write_json_plan, false, NULL},
    {"write_table", "out.txt", write_table, false, NULL},
    {"write_report", NULL, write_report, false, NULL},
    {"draw", "out.svg", draw, false, NULL},
    {"page", "out.html", page, false, NULL},
    {"chart", "out.svg", chart, false, NULL},
    {"course", NULL, course, false, NULL},
    {"groups", NULL, groups, true, NULL},
    {"copy_relations", "out.json", copy_relations, true, NULL},
    {"copy_conflicts", "out.json", copy_conflicts, true, NULL},
    {"bars", "out.svg", bars, false, NULL},
    {"draw_text", NULL, draw_text, false, NULL},
    {NULL, NULL, NULL, false, NULL},
};
