/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Statistics of the runs of a sweep, and the choice of the best setting. */
#include "cli/experiment/outcome.h"

#include <string.h>

#include "tests/support/sample.h"

static struct outcome outcome_of(neap_size peak, int64_t ticks) {
  return (struct outcome){.status = "feasible", .peak = peak, .ticks = ticks};
}

static void quartiles_are_interpolated(void **state) {
  (void)state;
  double values[] = {40, 10, 30, 20};
  struct spread spread = spread_of(values, 4);
  assert_true(spread.min == 10 && spread.max == 40);
  assert_true(spread.median == 25 && spread.q1 == 17.5 && spread.q3 == 32.5);
}

static void one_value_is_all_of_its_statistics(void **state) {
  (void)state;
  double value = 7;
  struct spread spread = spread_of(&value, 1);
  assert_true(spread.min == 7 && spread.q1 == 7 && spread.median == 7 && spread.q3 == 7 &&
              spread.max == 7);
  spread = spread_of(&value, 0);
  assert_true(spread.min == 0 && spread.max == 0);
}

static void only_runs_with_a_plan_count(void **state) {
  (void)state;
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
static void the_best_is_chosen_by_plans_peak_range_and_work(void **state) {
  (void)state;
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
      cmocka_unit_test(quartiles_are_interpolated),
      cmocka_unit_test(one_value_is_all_of_its_statistics),
      cmocka_unit_test(only_runs_with_a_plan_count),
      cmocka_unit_test(the_best_is_chosen_by_plans_peak_range_and_work),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
