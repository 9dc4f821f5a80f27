/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Layouts side by side below a chart, read back from their SVG. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "plan/plan.h"
#include "tests/property/random_problem.h"
#include "tests/unit/layout.h"
#include "tests/unit/picture.h"
#include "tests/unit/sample.h"

#define PANELS "//s:g[@class='panel-layout']"
#define BOXES "//s:g[@class='small boxes']//s:rect"

static neap_plan *plan_of(const neap_problem *problem, const neap_offset *offsets) {
  neap_plan *plan;
  neap_error error;
  assert_ok(neap_plan_new(problem, offsets, &plan, &error), &error);
  return plan;
}

static struct picture draw(const neap_panel *panels, size_t count) {
  static const neap_bar bars[] = {{"one", 400, "", true}};
  const neap_bars all = {.title = "bars",
                         .items = bars,
                         .count = 1,
                         .level = 300,
                         .level_name = "bound",
                         .panels = panels,
                         .panel_count = count};
  return picture_of_bars(&all);
}

#define expect_near(a, b) assert_true(fabs((a) - (b)) < 0.0151)

/*
 * Checks every rectangle of panel `index` against its background and a scale of `high` bytes.
 */
static void expect_panel(const struct picture *picture, size_t index, const neap_plan *plan,
                         double high) {
  char path[128];
  snprintf(path, sizeof path, PANELS "[%zu]/s:rect[@class='panel']", index + 1);
  const xmlNode *panel = picture_only(picture, path);
  double left = picture_number(panel, "x"), across = picture_number(panel, "width");
  double down = picture_number(panel, "height") - 4; /* there is room above the scale */
  double bottom = picture_number(panel, "y") + down + 4;
  double horizon = (double)neap_problem_horizon(plan->problem);
  snprintf(path, sizeof path, PANELS "[%zu]/s:g[@class='small boxes']//s:rect", index + 1);
  struct found boxes = picture_find(picture, path);
  assert_int_equal(boxes.count, plan->problem->range_count);
  size_t range = 0;
  for (size_t i = 0; i < plan->problem->count; i++)
    for (; range < plan->problem->buffers[i].ranges_end; range++) {
      neap_range when = plan->problem->ranges[range];
      const xmlNode *box = boxes.nodes[range];
      expect_near(picture_number(box, "x"), left + across * (double)when.start / horizon);
      expect_near(picture_number(box, "width"),
                  across * (double)(when.end - when.start) / horizon);
      expect_near(picture_number(box, "y"), bottom - down * (double)plan_end(plan, i) / high);
    }
  found_clear(&boxes);
}

static void panels_show_their_plans_to_one_scale(void **state) {
  (void)state;
  static const struct sample samples[] = {{0, 5, 300, 1}, {4, 9, 100, 1}};
  static const neap_offset low[] = {0, 300}, high[] = {200, 0};
  neap_problem *problem = sample_problem(samples, 2);
  neap_plan *lower = plan_of(problem, low), *higher = plan_of(problem, high);
  const neap_panel panels[] = {{lower, "lower & better"}, {higher, "higher"}};
  struct picture picture = draw(panels, 2);
  assert_int_equal(picture_count(&picture, PANELS), 2);
  expect_panel(&picture, 0, lower, 500);
  expect_panel(&picture, 1, higher, 500);
  assert_true(picture_says(&picture, "text", "lower & better"));
  assert_true(picture_says(&picture, "text", "peak 500 B, gap 25.00 %"));
  assert_int_equal(picture_count(&picture, PANELS "/s:line[@class='bound']"), 2);
  assert_int_equal(picture_count(&picture, PANELS "/s:line[@class='target']"), 2);
  picture_clear(&picture);
  neap_plan_free(lower);
  neap_plan_free(higher);
  neap_problem_free(problem);
}

/* The scale ends at twice the lowest peak. */
static void plans_far_above_the_scale_are_cut_off(void **state) {
  (void)state;
  static const struct sample samples[] = {{0, 5, 300, 1}, {4, 9, 100, 1}, {1, 2, 0, 1}};
  static const neap_offset low[] = {0, 300, 0}, high[] = {700, 90000000, 9000};
  neap_problem *problem = sample_problem(samples, 3);
  neap_plan *lower = plan_of(problem, low), *higher = plan_of(problem, high);
  const neap_panel panels[] = {{lower, "lower"}, {higher, "higher"}};
  struct picture picture = draw(panels, 2);
  struct found boxes = picture_find(&picture, PANELS "[2]/s:g[@class='small boxes']/s:rect");
  assert_int_equal(boxes.count, 1); /* the one of 300 bytes, cut at 100 */
  const xmlNode *panel = picture_only(&picture, PANELS "[2]/s:rect[@class='panel']");
  expect_near(picture_number(boxes.nodes[0], "y"), picture_number(panel, "y") + 4);
  expect_near(picture_number(boxes.nodes[0], "height"),
              (picture_number(panel, "height") - 4) / 8);
  /* With the gap, the caption would be wider than the panel. */
  assert_true(picture_says(&picture, "text", "peak 85.83 MiB, cut off"));
  assert_int_equal(picture_count(&picture, PANELS "[2]/s:line[@class='target']"), 0);
  found_clear(&boxes);
  picture_clear(&picture);
  neap_plan_free(lower);
  neap_plan_free(higher);
  neap_problem_free(problem);
}

static void only_the_first_of_many_panels_are_shown(void **state) {
  (void)state;
  static const struct sample samples[] = {{0, 5, 300, 1}};
  static const neap_offset offsets[] = {0};
  neap_problem *problem = sample_problem(samples, 1);
  neap_plan *plan = plan_of(problem, offsets);
  neap_panel panels[NEAP_PANELS_MAX + 1];
  for (size_t i = 0; i <= NEAP_PANELS_MAX; i++)
    panels[i] = (neap_panel){plan, "same"};
  struct picture picture = draw(panels, NEAP_PANELS_MAX + 1);
  assert_int_equal(picture_count(&picture, PANELS), NEAP_PANELS_MAX);
  assert_true(picture_mentions(&picture, "text", "24 of 25 are shown"));
  picture_clear(&picture);
  neap_plan_free(plan);
  neap_problem_free(problem);
}

/* The size of a picture does not depend on the size of its problems. */
static void large_plans_are_merged_into_cells(void **state) {
  (void)state;
  struct instance instance = instance_random(5, 5000, 0);
  neap_problem *problem = instance_problem(&instance);
  struct layout layout;
  layout_sorted(&layout, problem, "size", "lowest");
  neap_plan *plan = plan_of(problem, layout.offsets);
  neap_panel panels[NEAP_PANELS_MAX];
  for (size_t i = 0; i < NEAP_PANELS_MAX; i++)
    panels[i] = (neap_panel){plan, "large"};
  struct picture picture = draw(panels, NEAP_PANELS_MAX);
  assert_true(picture_count(&picture, "//s:g[@class='cells']") > 0);
  assert_true(picture_count(&picture, BOXES) <= NEAP_PANELS_MAX * 1700);
  assert_true(picture.size < 6000000);
  picture_clear(&picture);
  neap_plan_free(plan);
  layout_clear(&layout);
  neap_problem_free(problem);
  instance_free(&instance);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(panels_show_their_plans_to_one_scale),
      cmocka_unit_test(plans_far_above_the_scale_are_cut_off),
      cmocka_unit_test(only_the_first_of_many_panels_are_shown),
      cmocka_unit_test(large_plans_are_merged_into_cells),
  };
  return cmocka_run_group_tests_name("multiples", tests, NULL, NULL);
}
