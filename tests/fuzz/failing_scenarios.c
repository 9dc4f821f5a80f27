/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of scenarios; those in failing_constraints.c make problems of their own. */
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "files/json/plan.h"
#include "neap-tool.h"
#include "tests/fuzz/failing_alloc.h"
#include "tests/support/bands.h"
#include "tests/support/sample.h"

/* ---------------------------------------------------------------- making problems */

static neap_status build(struct attempt *attempt) {
  neap_problem *problem = neap_problem_new();
  if (!problem) return no_memory(&attempt->error);
  neap_status status = NEAP_OK;
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
    status = neap_problem_add(problem, &buffer, &attempt->error);
    if (status != NEAP_OK && neap_problem_count(problem) != before) status = NEAP_ERROR_UNSOUND;
    if (status != NEAP_OK && neap_problem_find(problem, name, &before))
      status = NEAP_ERROR_UNSOUND;
  }
  if (status == NEAP_OK) fingerprint_problem(attempt, problem);
  neap_problem_free(problem);
  return status;
}

/* After a failure, the same call with enough memory must succeed completely. */
static neap_status build_on(struct attempt *attempt) {
  neap_problem *problem = neap_problem_new();
  if (!problem) return no_memory(&attempt->error);
  neap_status status = NEAP_OK;
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
    status = neap_problem_add(problem, &buffer, &attempt->error);
    if (status == NEAP_ERROR_MEMORY)
      status = neap_problem_add(problem, &buffer, &attempt->error);
  }
  if (status == NEAP_OK) fingerprint_problem(attempt, problem);
  neap_problem_free(problem);
  return status;
}

static neap_status convert_operations(struct attempt *attempt) {
  static const neap_operation operations[] = {{"a", true, 8, 1},  {"b", true, 9, 1},
                                              {"a", false, 0, 0}, {"a", true, 7, 1},
                                              {"b", false, 0, 0}, {"a", false, 0, 0}};
  neap_problem *problem = NULL;
  neap_status status = neap_problem_from_operations(operations, SAMPLE_COUNT(operations),
                                                    &problem, &attempt->error);
  if (status == NEAP_OK) fingerprint_problem(attempt, problem);
  neap_problem_free(problem);
  return status;
}

/* Many operators, so that all lists grow several times. */
static neap_status add_operators(struct attempt *attempt) {
  const neap_size shape[] = {1, 2, 4};
  const neap_range range = {0, 1};
  const size_t links[] = {1, 0};
  neap_buffer buffer = NEAP_BUFFER_INIT;
  neap_problem *problem = neap_problem_new();
  if (!problem) return no_memory(&attempt->error);
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
    status = neap_problem_add(problem, &buffer, &attempt->error);
  }
  for (size_t k = 0; k < 20 && status == NEAP_OK; k++) {
    const neap_operator_info info = {.struct_size = sizeof(neap_operator_info),
                                     .type = k % 3 == 0 ? "CONV_2D" : "ADD",
                                     .name = k % 2 == 0 ? "block1/conv" : NULL,
                                     .reads = links,
                                     .read_count = k % 3,
                                     .makes = links,
                                     .make_count = 2 - k % 3};
    status = neap_problem_add_operator(problem, &info, &attempt->error);
  }
  if (status == NEAP_OK) fingerprint_problem(attempt, problem);
  neap_problem_free(problem);
  return status;
}

static neap_status generate(struct attempt *attempt) {
  neap_problem *problem = NULL;
  neap_status status =
      neap_problem_generate(attempt->scenario->from, 30, 7, &problem, &attempt->error);
  if (status == NEAP_OK) fingerprint_problem(attempt, problem);
  neap_problem_free(problem);
  return status;
}

static neap_status generate_network(struct attempt *attempt) {
  neap_graph *graph = NULL;
  neap_problem *problem = NULL;
  neap_status status = neap_graph_generate(attempt->scenario->from, 7, &graph, &attempt->error);
  if (status == NEAP_OK) status = neap_graph_to_problem(graph, NULL, &problem, &attempt->error);
  if (status == NEAP_OK) fingerprint_problem(attempt, problem);
  neap_problem_free(problem);
  neap_graph_free(graph);
  return status;
}

/* ---------------------------------------------------------------- files */

/* Writes it back if there is an output: some formats keep a note of what they read. */
static neap_status read_problem(struct attempt *attempt) {
  const struct scenario *scenario = attempt->scenario;
  const char *format = scenario->writing ? scenario->writing->format : NULL;
  neap_problem *problem = NULL;
  const neap_scheduling scheduling = {.schedule = scenario->schedule};
  neap_status status = neap_problem_prepare(scenario->from, scenario->reading, &scheduling,
                                            &problem, &attempt->error);
  if (status == NEAP_OK) fingerprint_problem(attempt, problem);
  if (status == NEAP_OK && scenario->output)
    status = neap_problem_write(problem, scenario->output, format, &attempt->error);
  neap_problem_free(problem);
  return status;
}

static neap_status read_plan(struct attempt *attempt) {
  neap_plan *plan = NULL;
  neap_status status = neap_plan_read(attempt->scenario->from, NULL, &plan, &attempt->error);
  if (status == NEAP_OK) fingerprint_plan(attempt, plan);
  neap_plan_free(plan);
  return status;
}

static neap_status write_problem(struct attempt *attempt) {
  return neap_problem_write(fixture.problem, attempt->scenario->output, NULL, &attempt->error);
}

static neap_status write_plan(struct attempt *attempt) {
  const struct scenario *scenario = attempt->scenario;
  return neap_plan_write(fixture.plan, scenario->output, scenario->writing, &attempt->error);
}

static neap_status write_model_plan(struct attempt *attempt) {
  const struct scenario *scenario = attempt->scenario;
  return neap_plan_write(fixture.model_plan, scenario->output, scenario->writing,
                         &attempt->error);
}

/* Makes a split, which the caller frees in every case, and writes it. */
static neap_status write_split(struct attempt *attempt, neap_bands **split) {
  const struct scenario *scenario = attempt->scenario;
  const neap_size capacity = strtol(scenario->options, NULL, 10);
  const neap_model_limits limits = bands_limits(
      capacity < 0 ? NEAP_BANDS_PEAK : NEAP_BANDS_WORK, capacity < 0 ? 0 : capacity);
  neap_status status =
      bands_find(scenario->from, scenario->reading, &limits, split, &attempt->error);
  return status == NEAP_OK ? neap_bands_write(*split, NULL, scenario->output, &attempt->error)
                           : status;
}

/* Without a split, the model does not fit the capacity. */
static neap_status split_model(struct attempt *attempt) {
  neap_bands *split = NULL;
  neap_status status = write_split(attempt, &split);
  neap_bands_free(split);
  return status;
}

static size_t count_operators(const neap_problem *problem, const char *type) {
  size_t count = 0;
  for (size_t k = 0; k < neap_problem_operator_count(problem); k++)
    count += strcmp(neap_problem_operator_type(problem, (neap_time)k), type) == 0;
  return count;
}

/* Likewise where the least work pads both convolutions of both bands. */
static neap_status band_padded(struct attempt *attempt) {
  neap_bands *split = NULL;
  neap_status status = write_split(attempt, &split);
  if (status == NEAP_OK)
    assert_int_equal(count_operators(neap_plan_problem(neap_bands_plan(split)), "PAD"), 2);
  neap_bands_free(split);
  return status;
}

/* Makes a model fit one or two memories, and writes the best fit, which the caller always frees. */
static neap_status write_fit(struct attempt *attempt, neap_fit **fit) {
  const struct scenario *scenario = attempt->scenario;
  char *rest;
  neap_model_limits limits =
      bands_limits(NEAP_BANDS_ARENA, strtol(scenario->options, &rest, 10));
  limits.second_capacity = strtol(rest, NULL, 10);
  limits.memories[0] = "first";
  limits.memories[1] = "second";
  neap_reading reading = NEAP_INIT(neap_reading);
  if (scenario->reading) reading = *scenario->reading;
  reading.model.pointer = 8; /* the sizes of memories are for a PC */
  neap_status status = bands_fit(scenario->from, &reading, &limits, fit, &attempt->error);
  return status == NEAP_OK ? neap_fit_write(*fit, scenario->output, &attempt->error) : status;
}

/* Only all means together fit the model into the arena. */
static neap_status fit_model(struct attempt *attempt) {
  neap_fit *fit = NULL;
  neap_status status = write_fit(attempt, &fit);
  neap_fit_free(fit);
  return status;
}

/* Tensors are in both memories. */
static neap_status fit_pools(struct attempt *attempt) {
  neap_fit *fit = NULL;
  neap_status status = write_fit(attempt, &fit);
  if (status == NEAP_OK) {
    neap_fit_report report = NEAP_INIT(neap_fit_report);
    neap_fit_step step = NEAP_INIT(neap_fit_step);
    neap_fit_get_report(fit, &report);
    assert_true(report.fits);
    assert_true(neap_fit_step_at(fit, report.best, &step));
    assert_true(step.needs[1] > 0);
  }
  neap_fit_free(fit);
  return status;
}

/* Nothing fits, so that arenas are halved, and the smallest is in bands. */
static neap_status fit_smallest(struct attempt *attempt) {
  neap_fit *fit = NULL;
  neap_status status = write_fit(attempt, &fit);
  if (status == NEAP_OK) {
    neap_fit_report report = NEAP_INIT(neap_fit_report);
    neap_bands_report split = NEAP_INIT(neap_bands_report);
    neap_fit_get_report(fit, &report);
    neap_bands_get_report(neap_fit_bands(fit), &split);
    assert_false(report.fits);
    assert_int_equal(split.goal, NEAP_BANDS_ARENA);
    assert_true(split.after.arena < split.before.arena);
  }
  neap_fit_free(fit);
  return status;
}

/* Two models share an arena for which heads must be lowered, one of them opened from bytes. */
static neap_status fit_shared(struct attempt *attempt) {
  const struct scenario *scenario = attempt->scenario;
  static char text[1 << 16];
  neap_model *models[2] = {NULL, NULL};
  neap_fit *fits[2] = {NULL, NULL};
  neap_reading reading = NEAP_INIT(neap_reading);
  const neap_model_limits limits =
      bands_limits(NEAP_BANDS_ARENA, strtol(scenario->options, NULL, 10));
  neap_arena arena = NEAP_INIT(neap_arena);
  reading.model.pointer = 8;
  const int file = open(scenario->from, O_RDONLY); /* which allocates nothing */
  const ssize_t size = read(file, text, sizeof text);
  assert_true(size > 0 && close(file) == 0);
  neap_status status = neap_model_open_bytes(scenario->from, text, (size_t)size, &reading,
                                             &models[0], &attempt->error);
  if (status == NEAP_OK)
    status = neap_model_open(scenario->from, &reading, &models[1], &attempt->error);
  if (status == NEAP_OK)
    status =
        neap_models_fit((const neap_model *const *)models, 2, &limits, fits, &attempt->error);
  neap_model_free(models[0]);
  neap_model_free(models[1]);
  if (status == NEAP_OK) {
    status = neap_fit_write(fits[0], scenario->output, &attempt->error);
    const neap_plan *const plans[] = {neap_fit_plan(fits[0]), neap_fit_plan(fits[1])};
    assert_true(neap_plans_arena(plans, 2, &arena) && arena.operator_count > 0);
  }
  neap_fit_free(fits[0]);
  neap_fit_free(fits[1]);
  return status;
}

static neap_status read_and_retime(struct attempt *attempt) {
  neap_problem *problem = NULL, *retimed = NULL;
  neap_status status = neap_problem_read("problem.ops", NULL, &problem, &attempt->error);
  if (status == NEAP_OK) status = neap_problem_retime(problem, &retimed, &attempt->error);
  if (status == NEAP_OK) fingerprint_problem(attempt, retimed);
  neap_problem_free(retimed);
  neap_problem_free(problem);
  return status;
}

static neap_status read_graph(struct attempt *attempt) {
  const neap_liveness liveness = {.in_place = true};
  neap_graph *graph = NULL;
  neap_problem *problem = NULL;
  neap_status status = neap_graph_read(attempt->scenario->from, NULL, &graph, &attempt->error);
  if (status == NEAP_OK)
    status = neap_graph_to_problem(graph, &liveness, &problem, &attempt->error);
  if (status == NEAP_OK) fingerprint_problem(attempt, problem);
  neap_graph_free(graph);
  neap_problem_free(problem);
  return status;
}

static neap_status write_graph(struct attempt *attempt) {
  neap_graph *graph = NULL;
  neap_status status = neap_graph_read(attempt->scenario->from, NULL, &graph, &attempt->error);
  if (status == NEAP_OK) status = neap_graph_write(graph, "out.json", NULL, &attempt->error);
  neap_graph_free(graph);
  return status;
}

static neap_status copy_graph(struct attempt *attempt) {
  neap_problem *problem = NULL, *again = NULL;
  neap_graph *copy = NULL;
  const size_t first = 0;
  neap_size bound;
  neap_status status =
      neap_problem_read(attempt->scenario->from, NULL, &problem, &attempt->error);
  if (status == NEAP_OK && !(copy = neap_graph_copy(neap_problem_graph(problem))))
    status = no_memory(&attempt->error);
  if (status == NEAP_OK) status = neap_graph_to_problem(copy, NULL, &again, &attempt->error);
  if (status == NEAP_OK)
    status = neap_problem_bounds_without(again, &first, 1, &bound, &attempt->error);
  if (status == NEAP_OK) fingerprint_problem(attempt, again);
  neap_graph_free(copy);
  neap_problem_free(problem);
  neap_problem_free(again);
  return status;
}

static neap_status write_columns(struct attempt *attempt) {
  return json_plan_write_columns(fixture.plan, fixture.null, &attempt->error);
}

/* ---------------------------------------------------------------- planning */

static neap_status solve(struct attempt *attempt) {
  return solve_with(fixture.problem, attempt->scenario->options, attempt);
}

static neap_status solve_aligned(struct attempt *attempt) {
  return solve_with(fixture.aligned, attempt->scenario->options, attempt);
}

static neap_status solve_file(struct attempt *attempt) {
  const struct scenario *scenario = attempt->scenario;
  neap_problem *problem = NULL;
  const neap_scheduling scheduling = {.schedule = scenario->schedule};
  neap_status status = neap_problem_prepare(scenario->from, scenario->reading, &scheduling,
                                            &problem, &attempt->error);
  if (status == NEAP_OK) status = solve_with(problem, scenario->options, attempt);
  neap_problem_free(problem);
  return status;
}

static neap_status run_engine(struct attempt *attempt) {
  char options[96];
  snprintf(options, sizeof options, "engine %s max-ticks 2000", attempt->scenario->from);
  return solve_with(fixture.graph_problem, options, attempt);
}

/* A planner whose step has failed can still be asked for its plan. */
static neap_status step_on(struct attempt *attempt) {
  neap_planner *planner = NULL;
  neap_plan *plan = NULL;
  bool done = false;
  neap_status status = neap_planner_new(fixture.problem, NULL, &planner, &attempt->error);
  while (status == NEAP_OK && !done)
    status = neap_planner_step(planner, &done, &attempt->error);
  neap_status asked = planner ? neap_planner_plan(planner, &plan, NULL) : status;
  if (status == NEAP_OK && asked != NEAP_OK)
    status = neap_planner_plan(planner, &plan, &attempt->error);
  if (status == NEAP_OK) fingerprint_plan(attempt, plan);
  neap_plan_free(plan);
  neap_planner_free(planner);
  return status;
}

static neap_status examine(struct attempt *attempt) {
  neap_bound bound = NEAP_INIT(neap_bound);
  neap_offset offsets[16] = {0};
  neap_plan *plan = NULL;
  neap_collision *collisions = NULL;
  size_t count = 0;
  neap_status status = neap_problem_bound(fixture.problem, &bound, &attempt->error);
  if (status == NEAP_OK) status = neap_problem_check(fixture.problem, &attempt->error);
  if (status == NEAP_OK) status = neap_plan_verify(fixture.plan, -1, &attempt->error);
  if (status == NEAP_OK)
    status = neap_plan_new(fixture.problem, offsets, &plan, &attempt->error);
  if (status == NEAP_OK)
    status = neap_plan_collisions(plan, 100, &collisions, &count, NULL, &attempt->error);
  if (status == NEAP_OK) fingerprint_number(attempt, (uint64_t)bound.bytes + count);
  free(collisions);
  neap_plan_free(plan);
  return status;
}

/* Keeps the layouts of its rounds; its history differs every time. */
static neap_status course(struct attempt *attempt) {
  neap_options *options = neap_options_new();
  neap_plan *plan = NULL;
  if (!options) return no_memory(&attempt->error);
  neap_status status = neap_options_set(options, "keep-layouts", "yes", &attempt->error);
  if (status == NEAP_OK) status = neap_options_set(options, "engine", "tune", &attempt->error);
  if (status == NEAP_OK) status = neap_solve(fixture.problem, options, &plan, &attempt->error);
  neap_options_free(options);
  neap_plan_free(plan);
  return status;
}

/* Keeps the groups that were taken out of its layouts, writes them and reads them back. */
static neap_status groups(struct attempt *attempt) {
  static const char *const pairs[][2] = {{"keep-layouts", "yes"}, {"engine", "tune"},
                                         {"order", "-size"},      {"rearrange", "repack"},
                                         {"max-rounds", "3"},     {"max-group-rounds", "8"}};
  neap_options *options = neap_options_new();
  neap_plan *plan = NULL, *again = NULL;
  if (!options) return no_memory(&attempt->error);
  neap_status status = NEAP_OK;
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs && status == NEAP_OK; i++)
    status = neap_options_set(options, pairs[i][0], pairs[i][1], &attempt->error);
  if (status == NEAP_OK) status = neap_solve(fixture.problem, options, &plan, &attempt->error);
  neap_options_free(options);
  if (status == NEAP_OK) status = neap_plan_write(plan, "out.json", NULL, &attempt->error);
  if (status == NEAP_OK) {
    status = neap_plan_read("out.json", NULL, &again, &attempt->error);
    unlink("out.json");
  }
  neap_round round = NEAP_INIT(neap_round);
  size_t moves = 0;
  for (size_t i = 0; status == NEAP_OK && neap_plan_round_at(again, i, &round); i++)
    moves += round.move_count;
  assert_true(status != NEAP_OK || moves > 0);
  fingerprint_number(attempt, moves);
  neap_plan_free(plan);
  neap_plan_free(again);
  return status;
}

/* ---------------------------------------------------------------- pictures */

static neap_status write_report(struct attempt *attempt) {
  const neap_summary summary = {
      .plan = fixture.plan, .input = "a \"name\"", .has_rounds = true};
  return neap_summary_write(&summary, fixture.null, &attempt->error);
}

static neap_status page(struct attempt *attempt) {
  const neap_panel layout = {fixture.plan, "engine"};
  const neap_writing drawing = {.struct_size = sizeof(neap_writing),
                                .name = "fixture",
                                .colour_by = "name",
                                .other = fixture.plan,
                                .other_name = "other",
                                .layouts = &layout,
                                .layout_count = 1,
                                .comparison = "{\"engines\": []}"};
  return neap_plan_write(fixture.plan, "out.html", &drawing, &attempt->error);
}

static neap_status chart(struct attempt *attempt) {
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
  return neap_chart_draw(&chart, "out.svg", &attempt->error);
}

static neap_status bars(struct attempt *attempt) {
  static const neap_bar items[] = {{"one", 900, "", true}, {"two", 1800, "", false}};
  const neap_panel panels[] = {{fixture.plan, "one"}, {fixture.plan, "two"}};
  const neap_bars bars = {.title = "bars",
                          .items = items,
                          .count = 2,
                          .level = 800,
                          .level_name = "bound",
                          .panels = panels,
                          .panel_count = 2};
  return neap_bars_draw(&bars, "out.svg", &attempt->error);
}

static neap_status draw_text(struct attempt *attempt) {
  const neap_text_style style = {
      .struct_size = sizeof(neap_text_style), .columns = 80, .lines = 24, .unicode = true};
  return neap_plan_draw_text(fixture.plan, NULL, &style, fixture.null, &attempt->error);
}

/* ---------------------------------------------------------------- all of them */

static const neap_dimension one = {"N", 1};
static const neap_reading with_one = {
    .struct_size = sizeof(neap_reading), .model.dimensions = &one, .model.dimension_count = 1};
static const neap_dimension batch = {"x:0", 3};
static const neap_reading with_batch = {.struct_size = sizeof(neap_reading),
                                        .model.dimensions = &batch,
                                        .model.dimension_count = 1};
static const neap_dimension dimension = {"N", 3};
static const neap_reading with_dimension = {.struct_size = sizeof(neap_reading),
                                            .model.dimensions = &dimension,
                                            .model.dimension_count = 1},
                          with_conflicts = {.struct_size = sizeof(neap_reading),
                                            .table.conflicts = "conflicts.csv"},
                          for_target = {.struct_size = sizeof(neap_reading),
                                        .graph.target = "tflm",
                                        .model.scratch = "scratch.csv",
                                        .graph.liveness = {.list_runtime = true}},
                          over_inputs = {.struct_size = sizeof(neap_reading),
                                         .graph.kernels = NEAP_KERNELS_REFERENCE,
                                         .graph.liveness = {.overlap = true}},
                          over_elements = {.struct_size = sizeof(neap_reading),
                                           .graph.kernels = NEAP_KERNELS_ELEMENTWISE,
                                           .graph.liveness = {.overlap = true}},
                          /* parts that lie in their wholes */
    with_aliases = {.struct_size = sizeof(neap_reading),
                    .graph.liveness = {.aliases = NEAP_ALIAS_CONCAT | NEAP_ALIAS_SPLIT}};
static const neap_writing as_picture = {.struct_size = sizeof(neap_writing),
                                        .name = "fixture",
                                        .colour_by = "name"},
                          as_header = {.struct_size = sizeof(neap_writing),
                                       .format = "header",
                                       .prefix = "NET"},
                          as_source = {.struct_size = sizeof(neap_writing),
                                       .format = "source",
                                       .prefix = "NET",
                                       .header = "out.h"},
                          as_buffer_plan = {.struct_size = sizeof(neap_writing),
                                            .format = "buffer-plan",
                                            .prefix = "NET",
                                            .replace = true},
                          into_model = {.struct_size = sizeof(neap_writing),
                                        .format = "tflite",
                                        .model = "model.tflite",
                                        .replace = true},
                          into_planned = {.struct_size = sizeof(neap_writing),
                                          .format = "tflite",
                                          .model = "planned.tflite",
                                          .replace = true};

/* A row has only what its scenario needs. */
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"

static const struct scenario scenarios[] = {
    {"build", build},
    {"build_on", build_on},
    {"relate_in_one_arena", relate_in_one_arena},
    {"decide_pairs", decide_pairs},
    {"relate_in_pools", relate_in_pools},
    {"choose_pools", choose_pools},
    {"certify_layout", certify_layout},
    {"certify_banks", certify_banks},
    {"certify_order", certify_order},
    {"certify_rules", certify_rules},
    {"certify_terms", certify_terms},
    {"certify_plan", certify_plan},
    {"recompute", recompute},
    {"repeat_operators", repeat_operators, "skip.tflite", "out.tflite"},
    {"repeat_nodes", repeat_operators, "skip.onnx", "out.onnx"},
    {"explain_set", explain_set},
    {"explain_sum", explain_sum},
    {"convert_operations", convert_operations},
    {"add_operators", add_operators},
    {"read_csv", read_problem, "problem.csv"},
    {"read_ops", read_problem, "problem.ops"},
    {"read_json", read_problem, "problem.json", .by_jansson = true},
    {"read_onnx", read_problem, "model.onnx", .reading = &with_dimension},
    {"read_model", read_problem, "model.tflite"},
    {"read_model_with_batch", read_problem, "free.tflite", .reading = &with_batch},
    {"read_operators", read_problem, "operators.json", .by_jansson = true},
    {"read_overlap_of_model", read_problem, "model.tflite", .reading = &over_inputs},
    {"read_overlap", read_problem, "graph.json", .reading = &over_elements, .by_jansson = true},
    {"schedule", read_problem, "branches.tflite", "out.json",
     .schedule = NEAP_SCHEDULE_MIN_PEAK},
    {"write_ops", read_problem, "problem.ops", "out.ops"},
    {"copy_relations", read_problem, "relations.json", "out.json", .by_jansson = true},
    {"copy_conflicts", read_problem, "pools.csv", "out.json", .reading = &with_conflicts,
     .by_jansson = true},
    {"read_and_retime", read_and_retime},
    {"read_graph", read_graph, "graph.json", .by_jansson = true},
    {"read_graph_of_model", read_graph, "model.tflite"},
    {"copy_graph", copy_graph, "model.tflite"},
    {"write_graph", write_graph, "graph.json", "out.json"},
    {"read_json_plan", read_plan, "plan.json", .by_jansson = true},
    {"read_columns", read_plan, "columns.json", .by_jansson = true},
    {"read_csv_plan", read_plan, "plan.csv"},
    {"read_model_plan", read_plan, "planned.tflite"},
    {"write_csv", write_problem, NULL, "out.csv"},
    {"write_json", write_problem, NULL, "out.json"},
    {"write_columns", write_columns, .by_jansson = true},
    {"write_csv_plan", write_plan, NULL, "out.csv"},
    {"write_json_plan", write_plan, NULL, "out.json"},
    {"write_table", write_plan, NULL, "out.txt"},
    {"draw", write_plan, NULL, "out.svg", .writing = &as_picture},
    {"write_header", write_plan, NULL, "out.h", .writing = &as_header},
    {"write_source", write_plan, NULL, "out.c", .writing = &as_source},
    {"write_model_plan", write_model_plan, NULL, "out.tflite", .writing = &into_model},
    {"replace_model_plan", write_model_plan, NULL, "out.tflite", .writing = &into_planned},
    {"split_model", split_model, "branches.tflite", "out.tflite", "5000"},
    {"split_rows", split_model, "rows.onnx", "out.onnx", "1536", .reading = &with_one},
    {"split_groups", split_model, "groups.onnx", "out.onnx", "300", .reading = &with_one},
    {"split_padded", band_padded, "padded.tflite", "out.tflite", "10100"},
    {"fit_model", fit_model, "branches.tflite", "out.tflite", "4900"},
    {"fit_smallest", fit_smallest, "padded.tflite", "out.tflite", "12000"},
    {"fit_shared", fit_shared, "branches.tflite", "out.tflite", "9000"},
    {"fit_pools", fit_pools, "rows.onnx", "out.onnx", "1200 1200", .reading = &with_one},
    {"fit_pools_in_bands", fit_pools, "rows.onnx", "out.onnx", "1024 600",
     .reading = &with_one},
    {"write_buffer_plan", write_model_plan, NULL, "plan.h", .writing = &as_buffer_plan},
    {"tune", solve, NULL, NULL, "engine tune order overlap,-size/duration"},
    {"tune_tight", solve, NULL, NULL,
     "engine tune place tight rearrange search max-rounds 5 group-size 3"},
    {"tune_metrics", solve, NULL, NULL,
     "engine tune place best-fit rearrange metrics max-rounds 5"},
    /* Groups, and searches of everything with sizes as they are and rounded up. */
    {"repack", solve, NULL, NULL,
     "engine tune rearrange repack max-rounds 5 max-group-rounds 12"},
    {"repack_aligned", solve_aligned, NULL, NULL,
     "engine tune rearrange repack max-rounds 5 max-group-rounds 12"},
    {"repack_tight", solve_aligned, NULL, NULL,
     "engine tune rearrange repack max-rounds 4 order -size seed 3 place tight group-size 3"},
    {"sort", solve, NULL, NULL, "engine sort"},
    /* The bound cannot be reached, so the search has something to do. */
    {"search", solve, NULL, NULL, "engine exact max-ticks 5000"},
    {"plan_for_target", solve_file, "branches.tflite", NULL, "max-ticks 2000",
     .reading = &for_target},
    {"plan_aliased", solve_file, "parts.json", NULL, "max-ticks 2000", .reading = &with_aliases,
     .schedule = NEAP_SCHEDULE_MIN_PEAK},
    {"step_on", step_on},
    {"examine", examine},
    {"course", course},
    {"groups", groups, .by_jansson = true},
    {"write_report", write_report},
    {"page", page, NULL, "out.html"},
    {"chart", chart, NULL, "out.svg"},
    {"bars", bars, NULL, "out.svg"},
    {"draw_text", draw_text},
    {"generate_cells", generate_network, "amoebanet-a-imagenet"},
    {"generate_randwire", generate_network, "randwire"},
};

/* Also every engine, and every kind of generated problem. */
void scenarios_list(void (*add)(const struct scenario *scenario)) {
  neap_engine_info engine = NEAP_INIT(neap_engine_info);
  neap_kind_info kind;
  for (size_t i = 0; i < SAMPLE_COUNT(scenarios); i++)
    add(&scenarios[i]);
  for (size_t i = 0; neap_engine_at(i, &engine); i++)
    add(&(struct scenario){.name = engine.name, .run = run_engine, .from = engine.name});
  for (size_t i = 0; neap_kind_at(i, &kind); i++)
    add(&(struct scenario){.name = kind.name, .run = generate, .from = kind.name});
}
