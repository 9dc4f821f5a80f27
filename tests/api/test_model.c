/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Models as a library: opening, planning, fitting, bands, writing. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "neap/models.h"
#include "tests/support/files.h"
#include "tests/support/sample.h"

static char branches[4096];

static neap_model *open_model(const neap_reading *reading) {
  neap_model *model;
  neap_error error;
  assert_ok(neap_model_open(branches, reading, &model, &error), &error);
  return model;
}

static neap_fit_report fit_report(const neap_fit *fit) {
  neap_fit_report report = NEAP_INIT(neap_fit_report);
  neap_fit_get_report(fit, &report);
  return report;
}

static neap_size peak_of(const neap_plan *plan) {
  neap_report report = NEAP_INIT(neap_report);
  neap_plan_report(plan, &report);
  return report.peak;
}

/* ---------------------------------------------------------------- opening */

TEST(a_model_is_opened_from_bytes) {
  neap_model *model = NULL;
  neap_problem *problem, *same;
  neap_error error;
  char text[65536];
  FILE *file = fopen(branches, "rb");
  assert_non_null(file);
  const size_t size = fread(text, 1, sizeof text, file);
  fclose(file);
  assert_ok(neap_model_open_bytes("bytes", text, size, NULL, &model, &error), &error);
  memset(text, 0, size); /* they were copied */
  assert_string_equal(neap_model_format(model), "tflite");
  assert_ok(neap_model_problem(model, NULL, &problem, &error), &error);
  neap_model *other = open_model(NULL);
  assert_ok(neap_model_problem(other, NULL, &same, &error), &error);
  assert_int_equal(neap_problem_count(problem), neap_problem_count(same));
  neap_problem_free(same);
  neap_problem_free(problem);
  neap_model_free(other);
  neap_model_free(model);
}

TEST(what_is_no_model_is_an_error) {
  neap_model *model = NULL;
  neap_error error;
  assert_error(neap_model_open_bytes("table", "id,lower", 8, NULL, &model, &error),
               NEAP_ERROR_INPUT, &error);
  assert_string_equal(error.source, "table");
  assert_error(neap_model_open_bytes("nothing", "", 0, NULL, &model, &error), NEAP_ERROR_INPUT,
               &error);
  assert_error(neap_model_open("no/such/file", NULL, &model, &error), NEAP_ERROR_SYSTEM,
               &error);
  assert_null(model);
  neap_model_free(NULL);
}

TEST(operators_and_graph_are_those_of_the_model) {
  neap_model *model = open_model(NULL);
  neap_problem *problem;
  neap_graph *graph;
  neap_error error;
  neap_operator_info info = NEAP_INIT(neap_operator_info);
  assert_ok(neap_model_problem(model, NULL, &problem, &error), &error);
  assert_ok(neap_model_graph(model, &graph, &error), &error);
  assert_int_equal(neap_graph_operator_count(graph), 5);
  for (size_t k = 0; k < 5; k++) {
    assert_true(neap_problem_operator_at(problem, k, &info));
    assert_string_equal(info.type, neap_graph_operator_name(graph, k));
  }
  neap_graph_free(graph);
  neap_problem_free(problem);
  neap_model_free(model);
}

/* ---------------------------------------------------------------- arenas and plans */

TEST(the_arena_is_the_sum_of_its_parts) {
  neap_model *model = open_model(NULL);
  neap_plan *plan;
  neap_error error;
  neap_arena arena = NEAP_INIT(neap_arena);
  assert_ok(neap_model_own_plan(model, &plan, &error), &error);
  assert_true(neap_problem_arena(neap_plan_problem(plan), peak_of(plan), &arena));
  neap_size tail = 0;
  for (int part = 0; part < NEAP_ARENA_PARTS; part++) {
    assert_non_null(neap_arena_part_name((neap_arena_part)part));
    tail += arena.parts[part];
  }
  assert_null(neap_arena_part_name(NEAP_ARENA_PARTS));
  assert_int_equal(arena.operator_count, 5);
  assert_int_equal(arena.used, arena.head + arena.tail);
  assert_true(tail <= arena.tail && arena.tail - tail < 16 * NEAP_ARENA_PARTS);
  assert_true(arena.smallest >= arena.used);
  neap_plan_free(plan);
  neap_model_free(model);
}

TEST(a_model_is_written_with_its_plan) {
  const neap_scheduling best = {.schedule = NEAP_SCHEDULE_OPTIMAL};
  neap_model *model = open_model(NULL), *written;
  neap_plan *plan, *again;
  neap_error error;
  assert_ok(neap_model_plan(model, &best, NULL, &plan, &error), &error);
  assert_ok(neap_model_write(model, plan, "planned.tflite", &error), &error);
  assert_error(neap_model_write(model, plan, "planned.onnx", &error), NEAP_ERROR_ARGUMENT,
               &error);
  assert_ok(neap_model_open("planned.tflite", NULL, &written, &error), &error);
  assert_ok(neap_model_own_plan(written, &again, &error), &error);
  assert_int_equal(peak_of(again), peak_of(plan));
  neap_plan_free(again);
  neap_plan_free(plan);
  neap_model_free(written);
  neap_model_free(model);
}

/* ---------------------------------------------------------------- fits and bands */

/* The model is freed first: a fit must outlive its model. */
TEST(a_fit_stops_at_the_first_step_that_fits) {
  neap_model_limits limits = NEAP_INIT(neap_model_limits);
  neap_fit_step step = NEAP_INIT(neap_fit_step);
  neap_model *model = open_model(NULL);
  neap_fit *fit;
  neap_error error;
  limits.capacity = 6144;
  assert_ok(neap_model_fit(model, &limits, &fit, &error), &error);
  neap_model_free(model);
  const neap_fit_report report = fit_report(fit);
  assert_true(report.fits && !report.is_open && !report.is_refused && !report.is_infeasible);
  assert_true(neap_fit_step_at(fit, 1, &step) && step.fits);
  assert_int_equal(step.means, NEAP_FIT_ORDER);
  assert_int_equal(step.need.peak, peak_of(neap_fit_plan(fit)));
  assert_false(neap_fit_step_at(fit, 2, &step));
  assert_null(neap_fit_bands(fit));
  assert_ok(neap_fit_write(fit, "fits.tflite", &error), &error);
  neap_fit_free(fit);
}

static bool end_at_once(const neap_bands_progress *progress, void *user) {
  (void)progress;
  ++*(int *)user;
  return false;
}

TEST(limits_are_checked_and_searches_end) {
  neap_model_limits limits = NEAP_INIT(neap_model_limits);
  neap_model *model = open_model(NULL);
  neap_bands *bands = NULL;
  neap_fit *fit = NULL;
  neap_error error;
  int calls = 0;
  assert_error(neap_model_fit(model, &limits, &fit, &error), NEAP_ERROR_ARGUMENT, &error);
  assert_error(neap_model_fit(model, NULL, &fit, &error), NEAP_ERROR_ARGUMENT, &error);
  limits.goal = NEAP_BANDS_WORK;
  assert_error(neap_model_bands(model, NULL, &limits, &bands, &error), NEAP_ERROR_ARGUMENT,
               &error);
  limits.capacity = 1;
  assert_error(neap_model_bands(model, NULL, &limits, &bands, &error), NEAP_INFEASIBLE, &error);
  limits.second_capacity = 2;
  assert_error(neap_model_fit(model, &limits, &fit, &error), NEAP_ERROR_ARGUMENT, &error);
  limits = (neap_model_limits)NEAP_INIT(neap_model_limits);
  limits.keep_on = end_at_once;
  limits.user = &calls;
  assert_ok(neap_model_bands(model, NULL, &limits, &bands, &error), &error);
  assert_int_equal(calls > 0, true);
  neap_bands_free(bands);
  neap_model_free(model);
}

TEST(bands_lower_what_they_are_to_lower) {
  neap_model_limits limits = NEAP_INIT(neap_model_limits);
  neap_bands_report report = NEAP_INIT(neap_bands_report);
  neap_bands_segment segment = NEAP_INIT(neap_bands_segment);
  neap_model *model = open_model(NULL), *written;
  neap_model_need choice;
  neap_bands *bands;
  neap_plan *again;
  neap_error error;
  limits.keep_on_curve = true;
  assert_ok(neap_model_bands(model, NULL, &limits, &bands, &error), &error);
  neap_model_free(model);
  neap_bands_get_report(bands, &report);
  assert_int_equal(report.goal, NEAP_BANDS_ARENA);
  assert_true(report.is_split && report.after.arena < report.before.arena);
  assert_true(neap_bands_segment_at(bands, 0, &segment));
  assert_true(segment.count > 1 && segment.first < segment.end);
  for (size_t i = 1; i < segment.count; i++)
    assert_true(segment.ends[i - 1] < segment.ends[i]);
  neap_size last = 0;
  for (size_t i = 0; neap_bands_choice_at(bands, i, &choice); i++) {
    assert_true(choice.peak >= last);
    last = choice.peak;
  }
  assert_int_equal(last, report.before.peak);
  assert_int_equal(peak_of(neap_bands_plan(bands)), report.after.peak);
  assert_int_equal(peak_of(neap_bands_plan_before(bands)), report.before.peak);
  assert_ok(neap_bands_write(bands, NULL, "bands.tflite", &error), &error);
  assert_ok(neap_model_open("bands.tflite", NULL, &written, &error), &error);
  assert_ok(neap_model_own_plan(written, &again, &error), &error);
  assert_int_equal(peak_of(again), report.after.peak);
  neap_plan_free(again);
  neap_model_free(written);
  neap_bands_free(bands);
}

static bool share(neap_fit *const fits[2], neap_arena *arena) {
  const neap_plan *const plans[] = {neap_fit_plan(fits[0]), neap_fit_plan(fits[1])};
  return neap_plans_arena(plans, 2, arena);
}

TEST(models_fit_an_arena_that_they_share) {
  neap_model *model = open_model(NULL);
  const neap_model *const twice[] = {model, model};
  neap_model_limits limits = NEAP_INIT(neap_model_limits);
  neap_arena arena = NEAP_INIT(neap_arena), lower = arena;
  neap_fit *fits[2];
  neap_error error;
  limits.capacity = 9000;
  assert_ok(neap_models_fit(twice, 2, &limits, fits, &error), &error);
  assert_true(share(fits, &arena));
  assert_true(arena.smallest <= 9000 && arena.operator_count == 10);
  neap_fit_free(fits[0]);
  neap_fit_free(fits[1]);
  limits.capacity = arena.smallest - 16;
  assert_ok(neap_models_fit(twice, 2, &limits, fits, &error), &error);
  assert_true(share(fits, &lower));
  assert_true(lower.head < arena.head && lower.smallest < arena.smallest);
  neap_fit_free(fits[0]);
  neap_fit_free(fits[1]);
  assert_error(neap_models_fit(twice, 0, &limits, fits, &error), NEAP_ERROR_ARGUMENT, &error);
  limits.second_capacity = 16;
  assert_error(neap_models_fit(twice, 2, &limits, fits, &error), NEAP_ERROR_ARGUMENT, &error);
  neap_model_free(model);
}

int main(void) {
  const char *source = getenv("NEAP_SOURCE");
  const struct CMUnitTest tests[] = {
      FILES_CASE(a_model_is_opened_from_bytes),
      FILES_CASE(what_is_no_model_is_an_error),
      FILES_CASE(operators_and_graph_are_those_of_the_model),
      FILES_CASE(the_arena_is_the_sum_of_its_parts),
      FILES_CASE(a_model_is_written_with_its_plan),
      FILES_CASE(a_fit_stops_at_the_first_step_that_fits),
      FILES_CASE(limits_are_checked_and_searches_end),
      FILES_CASE(bands_lower_what_they_are_to_lower),
      FILES_CASE(models_fit_an_arena_that_they_share),
  };
  snprintf(branches, sizeof branches, "%.3000s/examples/branches.tflite",
           source ? source : ".");
  return cmocka_run_group_tests(tests, NULL, NULL);
}
