/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The knobs of core/knobs.def.  Every build checks the table.  Builds with --enable-checks also
 * draw values for all knobs and plan: plans verify, and what is claimed agrees with brute force, or
 * with what the usual values give.  (test_relations does so for tiny problems with relations.)
 * NEAP_LONG in the environment takes twenty times as many problems.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/knobs.h"
#include "core/random.h"
#include "tests/support/random_graph.h"
#include "tests/support/random_relations.h"
#include "tests/support/reference.h"
#include "tests/support/run.h"
#include "tests/support/sample.h"

/* ---------------------------------------------------------------- the table */

static const struct row {
  const char *name, *why;
  double value, low, high;
} rows[] = {
#define KNOB(type, name, value, low, high, why) {#name, why, value, low, high},
#include "core/knobs.def"
#undef KNOB
};

TEST(every_value_is_in_its_range) {
  for (size_t i = 0; i < SAMPLE_COUNT(rows); i++) {
    const struct row *row = &rows[i];
    if (!(row->low <= row->value && row->value <= row->high && row->low < row->high))
      fail_msg("%s: expected low <= value <= high and low < high", row->name);
    if (row->why[0] == '\0') fail_msg("%s: expected a reason", row->name);
  }
}

#ifdef NEAP_CHECKS

/* ---------------------------------------------------------------- setting */

TEST(texts_set_values) {
  const size_t spare = CELL_BEAM_SPARE;
  assert_null(knobs_set("CELL_BEAM_SPARE=7,BLAME_FADE=0.5,ALIGNER_STEP=1"));
  assert_true(CELL_BEAM_SPARE == 7 && BLAME_FADE == 0.5 && ALIGNER_STEP == 1);
  assert_null(knobs_set("ALIGNER_STEP=2"));
  assert_true(CELL_BEAM_SPARE == spare && ALIGNER_STEP == 2);
  static const char *const wrong[] = {"NO_KNOB=1",       "BLAME_FADE",    "BLAME_FADE=",
                                      "BLAME_FADE=high", "BLAME_FADE=7",  "BLAME_FADE=nan",
                                      "BLAME_FAD=0.5",   "BLAME_FADE=1x", "=1"};
  for (size_t i = 0; i < SAMPLE_COUNT(wrong); i++)
    assert_string_equal(knobs_set(wrong[i]), wrong[i]);
  assert_string_equal(knobs_set("ALIGNER_STEP=2,ALIGNER_STEP=0"), "ALIGNER_STEP=0");
  assert_null(knobs_set(""));
}

/* ---------------------------------------------------------------- any values */

static void draw(uint64_t seed) {
  struct random random;
  assert_true(random_init(&random, seed));
  knobs_draw(&random);
  random_clear(&random);
}

static const char *const runs[][9] = {
    {"max-ticks", "3000", NULL},
    {"max-ticks", "3000", "threads", "2", NULL},
    {"engine", "exact", "max-ticks", "3000", NULL},
    {"engine", "tune", "max-ticks", "1000", NULL},
    {"engine", "tune", "max-rounds", "10", "rearrange", "auto", "max-ticks", "1000", NULL},
    {"engine", "sort", "max-ticks", "3000", NULL},
};

/* The certificate of a plan, if there is one, proves what is true. */
static void check_certificate(const neap_problem *problem, const neap_plan *plan,
                              neap_size optimum) {
  neap_certificate *certificate = NULL;
  neap_certificate_info info = NEAP_INIT(neap_certificate_info);
  neap_error error;
  neap_status status = neap_certify(problem, plan, NULL, &certificate, &error);
  if (status == NEAP_NO_PLAN) return;
  assert_ok(status, &error);
  neap_certificate_describe(certificate, &info);
  assert_true(info.least <= optimum);
  neap_certificate_free(certificate);
}

static void check_claims(uint64_t seed) {
  struct instance instance = instance_random(seed, 7, seed % 3 ? WITH_ALL : 0);
  neap_problem *problem = instance_problem(&instance);
  neap_size optimum = reference_optimum(&instance);
  neap_plan *plan = run_plan(problem, runs[seed % SAMPLE_COUNT(runs)]);
  neap_report report = NEAP_INIT(neap_report);
  neap_plan_report(plan, &report);
  if (report.lower_bound > optimum || report.peak < optimum ||
      (report.outcome == NEAP_OPTIMAL && report.peak > optimum)) {
    instance_print(&instance, seed);
    fail_msg("optimum %" PRId64 ", peak %" PRId64 ", lower bound %" PRId64, optimum,
             report.peak, report.lower_bound);
  }
  check_certificate(problem, plan, optimum);
  neap_plan_free(plan);
  neap_problem_free(problem);
  instance_free(&instance);
}

TEST(claims_are_true) {
  for (uint64_t seed = 0; seed < sample_tries(400); seed++) {
    draw(seed);
    check_claims(seed);
  }
  knobs_set("");
}

/* There may be more fixed rectangles than can be obstacles. */
TEST(fixed_rectangles_need_not_be_obstacles) {
  static const uint64_t seeds[] = {1124, 3290, 7772};
  assert_null(knobs_set("OBSTACLES_LEDGES_MAX=0"));
  for (size_t i = 0; i < SAMPLE_COUNT(seeds); i++)
    check_claims(seeds[i]);
  knobs_set("");
}

/* Bounds of relaxed parts count in full the buffers that share bytes in this problem's layouts. */
TEST(relaxed_parts_have_layouts_below_their_bounds) {
  struct tiny tiny = tiny_random(TINY_HARD_POOLED, 2077);
  neap_problem *problem = tiny_problem(&tiny);
  assert_null(knobs_set("MINIMISER_LARGE=0"));
  neap_plan_free(run_plan(problem, runs[2]));
  knobs_set("");
  neap_problem_free(problem);
}

TEST(larger_plans_verify) {
  for (uint64_t seed = 0; seed < sample_tries(200); seed++) {
    struct instance instance = instance_random(seed, 150, seed % 3 ? WITH_ALL : 0);
    neap_problem *problem = instance_problem(&instance);
    neap_report report = NEAP_INIT(neap_report);
    draw(seed);
    neap_plan *plan = run_plan(problem, runs[seed % SAMPLE_COUNT(runs)]);
    neap_plan_report(plan, &report);
    assert_true(reference_bound(&instance) <= report.lower_bound);
    assert_true(report.lower_bound <= report.peak);
    neap_plan_free(plan);
    neap_problem_free(problem);
    instance_free(&instance);
  }
  knobs_set("");
}

/* ---------------------------------------------------------------- orders */

/* The bound of the order that a search finds, and what it proves of all orders. */
static neap_report scheduled(const neap_graph *graph) {
  neap_problem *problem;
  neap_plan *plan;
  neap_report report = NEAP_INIT(neap_report);
  neap_error error;
  neap_graph *copy = neap_graph_copy(graph);
  assert_non_null(copy);
  assert_ok(neap_graph_reorder(copy, &(neap_scheduling){.schedule = NEAP_SCHEDULE_OPTIMAL},
                               &(neap_liveness){0}, &error),
            &error);
  assert_ok(neap_graph_to_problem(copy, &(neap_liveness){0}, &problem, &error), &error);
  plan = run_plan(problem, runs[0]);
  neap_plan_report(plan, &report);
  neap_plan_free(plan);
  neap_problem_free(problem);
  neap_graph_free(copy);
  return report;
}

TEST(claims_about_orders_are_true) {
  struct dice dice = {41};
  for (uint64_t seed = 0; seed < sample_tries(300); seed++) {
    neap_graph *graph = random_graph(&dice, 12);
    knobs_set("");
    neap_report best = scheduled(graph);
    assert_true(best.order.outcome == NEAP_OPTIMAL);
    draw(seed);
    neap_report report = scheduled(graph);
    assert_true(report.order.lower_bound <= best.bound && best.bound <= report.bound);
    assert_true(report.order.outcome != NEAP_OPTIMAL || report.bound == best.bound);
    neap_graph_free(graph);
  }
  knobs_set("");
}

#endif

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_value_is_in_its_range),
#ifdef NEAP_CHECKS
      cmocka_unit_test(texts_set_values),
      cmocka_unit_test(claims_are_true),
      cmocka_unit_test(fixed_rectangles_need_not_be_obstacles),
      cmocka_unit_test(relaxed_parts_have_layouts_below_their_bounds),
      cmocka_unit_test(larger_plans_verify),
      cmocka_unit_test(claims_about_orders_are_true),
#endif
  };
  return cmocka_run_group_tests_name("knobs", tests, NULL, NULL);
}
