/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which layouts of a sweep become panels, and their names. */
#include "cli/experiment/layouts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "neap/planner.h"
#include "tests/support/sample.h"

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

static void equal_layouts_share_a_panel(void **state) {
  (void)state;
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
static void scattered_settings_are_counted(void **state) {
  (void)state;
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

static void of_two_options_panels_name_the_values(void **state) {
  (void)state;
  struct design design = design_of(2);
  struct layouts layouts = {.count = 0};
  neap_panel panels[NEAP_PANELS_MAX];
  neap_problem *problem = one_buffer();
  for (size_t i = 0; i < 4; i++)
    layouts_add(&layouts, &design, i, plan_at(problem, i == 1 ? 7 : 0));
  assert_int_equal(layouts_panels(&layouts, &design, panels), 2);
  assert_string_equal(panels[0].name,
                      "1 \xc2\xb7 auto, ... (3 runs)");
  assert_string_equal(panels[1].name, "1 \xc2\xb7 top");
  layouts_clear(&layouts);
  neap_problem_free(problem);
}

/* Panels stay in the order of settings, and the first and the last are among them. */
static void many_layouts_are_thinned_out(void **state) {
  (void)state;
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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(equal_layouts_share_a_panel),
      cmocka_unit_test(scattered_settings_are_counted),
      cmocka_unit_test(of_two_options_panels_name_the_values),
      cmocka_unit_test(many_layouts_are_thinned_out),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
