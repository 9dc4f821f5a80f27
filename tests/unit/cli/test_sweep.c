/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sweeps: layouts that become panels, their names, statistics, and the best setting. */
#include "cli/experiment/layouts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/experiment/outcome.h"
#include "neap/planner.h"
#include "tests/support/sample.h"

/* ---------------------------------------------------------------- layouts */

#define SETTINGS 100

static char numbers[SETTINGS][8];
static char *texts[SETTINGS];
static char first_way[] = "auto", second_way[] = "top";
static char *ways[] = {first_way, second_way};

static struct design design_of(size_t factors) {
  for (size_t i = 0; i < SETTINGS; i++) {
    snprintf(numbers[i], sizeof numbers[i], "%zu", i + 1);
    texts[i] = numbers[i];
  }
  return (struct design){.factors = {{.name = "max-rounds", .texts = texts, .count = SETTINGS},
                                     {.name = "rearrange", .texts = ways, .count = 2}},
                         .factor_count = factors,
                         .setting_count = factors == 1 ? SETTINGS : 2 * SETTINGS};
}

/* Of one buffer. */
static neap_plan *plan_at(const neap_problem *problem, neap_offset offset) {
  neap_plan *plan;
  neap_error error;
  assert_ok(neap_plan_new(problem, &offset, &plan, &error), &error);
  return plan;
}

static neap_problem *one_buffer(void) {
  static const struct sample samples[] = {{0, 1, 4, 1}};
  return sample_problem(samples, 1);
}

TEST(equal_layouts_share_a_panel) {
  struct design design = design_of(1);
  struct layouts layouts = {.count = 0};
  neap_panel panels[NEAP_PANELS_MAX];
  neap_problem *problem = one_buffer();
  for (size_t i = 0; i < 12; i++)
    layouts_add(&layouts, &design, i, plan_at(problem, i == 4 ? 7 : 0));
  assert_int_equal(layouts_panels(&layouts, &design, panels), 2);
  assert_string_equal(panels[0].name, "1-4, 6-12 (11 runs)");
  assert_string_equal(panels[1].name, "max-rounds 5");
  assert_int_equal(neap_plan_offset(panels[1].plan, 0), 7);
  layouts_clear(&layouts);
  neap_problem_free(problem);
}

/* The name gives the first ranges, and how many runs there are in all. */
TEST(scattered_settings_are_counted) {
  struct design design = design_of(1);
  struct layouts layouts = {.count = 0};
  neap_panel panels[NEAP_PANELS_MAX];
  neap_problem *problem = one_buffer();
  for (size_t i = 0; i < 30; i++)
    layouts_add(&layouts, &design, i, plan_at(problem, i % 3 == 2 ? 7 : 0));
  assert_int_equal(layouts_panels(&layouts, &design, panels), 2);
  assert_string_equal(panels[0].name, "1-2, 4-5, 7-8, ... (20 runs)");
  assert_string_equal(panels[1].name, "3, 6, 9, ... (10 runs)");
  layouts_clear(&layouts);
  neap_problem_free(problem);
}

TEST(of_two_options_panels_name_the_values) {
  struct design design = design_of(2);
  struct layouts layouts = {.count = 0};
  neap_panel panels[NEAP_PANELS_MAX];
  neap_problem *problem = one_buffer();
  for (size_t i = 0; i < 4; i++)
    layouts_add(&layouts, &design, i, plan_at(problem, i == 1 ? 7 : 0));
  assert_int_equal(layouts_panels(&layouts, &design, panels), 2);
  assert_string_equal(panels[0].name, "1 \xc2\xb7 auto, ... (3 runs)");
  assert_string_equal(panels[1].name, "1 \xc2\xb7 top");
  layouts_clear(&layouts);
  neap_problem_free(problem);
}

/* Panels stay in the order of settings, and the first and the last are among them. */
TEST(many_layouts_are_thinned_out) {
  struct design design = design_of(1);
  for (size_t count = 1; count <= SETTINGS; count++) {
    struct layouts layouts = {.count = 0};
    neap_panel panels[NEAP_PANELS_MAX];
    neap_problem *problem = one_buffer();
    for (size_t i = 0; i < count; i++)
      layouts_add(&layouts, &design, i, plan_at(problem, (neap_offset)i));
    assert_true(layouts.count <= LAYOUTS_MAX);
    size_t shown = layouts_panels(&layouts, &design, panels);
    assert_int_equal(shown, count < NEAP_PANELS_MAX ? count : NEAP_PANELS_MAX);
    assert_int_equal(neap_plan_offset(panels[0].plan, 0), 0);
    assert_int_equal(neap_plan_offset(panels[shown - 1].plan, 0), (neap_offset)count - 1);
    for (size_t i = 1; i < shown; i++)
      assert_true(neap_plan_offset(panels[i - 1].plan, 0) <
                  neap_plan_offset(panels[i].plan, 0));
    layouts_clear(&layouts);
    neap_problem_free(problem);
  }
}

/* ---------------------------------------------------------------- statistics */

static struct outcome outcome_of(neap_size peak, int64_t ticks) {
  return (struct outcome){.status = "feasible", .peak = peak, .ticks = ticks};
}

TEST(quartiles_are_interpolated) {
  double values[] = {40, 10, 30, 20};
  struct spread spread = spread_of(values, 4);
  assert_true(spread.min == 10 && spread.max == 40);
  assert_true(spread.median == 25 && spread.q1 == 17.5 && spread.q3 == 32.5);
}

TEST(one_value_is_all_of_its_statistics) {
  double value = 7;
  struct spread spread = spread_of(&value, 1);
  assert_true(spread.min == 7 && spread.q1 == 7 && spread.median == 7 && spread.q3 == 7 &&
              spread.max == 7);
  spread = spread_of(&value, 0);
  assert_true(spread.min == 0 && spread.max == 0);
}

TEST(only_runs_with_a_plan_count) {
  double scratch[4];
  struct outcome outcomes[] = {outcome_of(30, 3), OUTCOME_INIT, outcome_of(10, 9),
                               outcome_of(20, 1)};
  strcpy(outcomes[2].status, "optimal");
  outcomes[1].ticks = 1000;
  struct statistics statistics = statistics_of(outcomes, 4, scratch);
  assert_int_equal(statistics.plans, 3);
  assert_int_equal(statistics.optimal, 1);
  assert_true(statistics.peak.median == 20 && statistics.peak.max == 30);
  assert_true(statistics.ticks == 3);
}

/* Each setting is better than the one before for one reason alone. */
TEST(the_best_is_chosen_by_plans_peak_range_and_work) {
  static const struct statistics settings[] = {
      {.plans = 0, .peak = {.median = 0}},
      {.plans = 4, .peak = {.median = 1, .min = 1, .max = 1}, .ticks = 1},
      {.plans = 5, .peak = {.median = 9, .min = 8, .max = 11}, .ticks = 7},
      {.plans = 5, .peak = {.median = 8, .min = 8, .max = 12}, .ticks = 9},
      {.plans = 5, .peak = {.median = 8, .min = 7, .max = 10}, .ticks = 9},
      {.plans = 5, .peak = {.median = 8, .min = 7, .max = 10}, .ticks = 6},
      {.plans = 5, .peak = {.median = 8, .min = 7, .max = 10}, .ticks = 6}};
  for (size_t i = 0; i < SAMPLE_COUNT(settings); i++)
    for (size_t j = 0; j < SAMPLE_COUNT(settings); j++) {
      bool is_equal = (i == 5 && j == 6) || (i == 6 && j == 5);
      assert_int_equal(statistics_are_better(&settings[i], &settings[j]), i > j && !is_equal);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(equal_layouts_share_a_panel),
      cmocka_unit_test(scattered_settings_are_counted),
      cmocka_unit_test(of_two_options_panels_name_the_values),
      cmocka_unit_test(many_layouts_are_thinned_out),
      cmocka_unit_test(quartiles_are_interpolated),
      cmocka_unit_test(one_value_is_all_of_its_statistics),
      cmocka_unit_test(only_runs_with_a_plan_count),
      cmocka_unit_test(the_best_is_chosen_by_plans_peak_range_and_work),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
