/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pictures of several layouts, and of more buffers than can be distinguished. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "plan/plan.h"
#include "tests/support/layout.h"
#include "tests/support/picture.h"
#include "tests/support/random_problem.h"
#include "tests/support/sample.h"

/* ---------------------------------------------------------------- layouts side by side */

/* Layouts side by side below a chart, read back from their SVG. */

#define PANELS "//s:g[@class='panel-layout']"
#define BOXES "//s:g[@class='small boxes']//s:rect"

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

TEST(panels_show_their_plans_to_one_scale) {
  static const struct sample samples[] = {{0, 5, 300, 1}, {4, 9, 100, 1}};
  static const neap_offset low[] = {0, 300}, high[] = {200, 0};
  neap_problem *problem = sample_problem(samples, 2);
  neap_plan *lower = sample_plan(problem, low), *higher = sample_plan(problem, high);
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
TEST(plans_far_above_the_scale_are_cut_off) {
  static const struct sample samples[] = {{0, 5, 300, 1}, {4, 9, 100, 1}, {1, 2, 0, 1}};
  static const neap_offset low[] = {0, 300, 0}, high[] = {700, 90000000, 9000};
  neap_problem *problem = sample_problem(samples, 3);
  neap_plan *lower = sample_plan(problem, low), *higher = sample_plan(problem, high);
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

TEST(only_the_first_of_many_panels_are_shown) {
  static const struct sample samples[] = {{0, 5, 300, 1}};
  static const neap_offset offsets[] = {0};
  neap_problem *problem = sample_problem(samples, 1);
  neap_plan *plan = sample_plan(problem, offsets);
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
TEST(large_plans_are_merged_into_cells) {
  struct instance instance = instance_random(5, 5000, 0);
  neap_problem *problem = instance_problem(&instance);
  struct layout layout;
  layout_sorted(&layout, problem, "size", "lowest");
  neap_plan *plan = sample_plan(problem, layout.offsets);
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

/* ---------------------------------------------------------------- many buffers */

/* Pictures of plans with more buffers than can be distinguished. */

#define many_BOXES "//s:g[@class='boxes']//s:rect"
#define TARGET "//s:rect[@class='outline target']"

/* A grid of `across` by `up` buffers of equal size that fill the container. */
static neap_plan *plan_of_tiles(neap_problem **problem, size_t across, size_t up) {
  neap_offset *offsets = calloc(across * up, sizeof *offsets);
  *problem = neap_problem_new();
  assert_true(offsets && *problem);
  for (size_t i = 0; i < across * up; i++) {
    char name[32];
    snprintf(name, sizeof name, "tile%zu", i);
    neap_time start = (neap_time)(i % across);
    sample_add(*problem, name, start, start + 1, 4096);
    offsets[i] = 4096 * (neap_offset)(i / across);
  }
  neap_plan *plan = sample_plan(*problem, offsets);
  free(offsets);
  return plan;
}

/* The area of a path that only uses M, h, v, h, z. */
static double area_of(const xmlNode *path) {
  xmlChar *data = xmlGetProp(path, (const xmlChar *)"d");
  assert_non_null(data);
  double area = 0;
  for (char *at = strchr((char *)data, 'h'); at; at = strchr(at, 'h')) {
    double across = strtod(at + 1, &at);
    assert_int_equal(*at, 'v');
    area += across * strtod(at + 1, &at);
    at = strchr(at, 'z');
  }
  xmlFree(data);
  return area;
}

static double area_of_cells(const struct picture *picture, const char *path) {
  struct found found = picture_find(picture, path);
  double area = 0;
  for (size_t i = 0; i < found.count; i++)
    area += area_of(found.nodes[i]);
  found_clear(&found);
  return area;
}

static double area_of_rectangle(const xmlNode *node) {
  return picture_number(node, "width") * picture_number(node, "height");
}

TEST(twenty_thousand_rectangles_are_quick_and_small) {
  neap_problem *problem;
  neap_plan *plan = plan_of_tiles(&problem, 200, 100);
  clock_t start = clock();
  struct picture picture = picture_of_plan(plan);
  double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
  assert_true(seconds < 5); /* with sanitizers; less than half a second without */
  assert_true(picture.size < 8000000);
  assert_int_equal(picture_count(&picture, many_BOXES), 20000);
  assert_false(picture_mentions(&picture, "text", "too small"));
  picture_clear(&picture);
  neap_plan_free(plan);
  neap_problem_free(problem);
}

TEST(small_rectangles_are_merged_and_keep_their_area) {
  neap_problem *problem;
  neap_plan *plan = plan_of_tiles(&problem, 50, 1000);
  struct picture picture = picture_of_plan(plan);
  assert_int_equal(picture_count(&picture, many_BOXES), 0);
  assert_true(picture_mentions(&picture, "text", "50,000 of 50,000 buffers are too small"));
  assert_true(picture.size < 40000);
  double full = area_of_cells(&picture, "//s:path[@class='ramp0 part4']");
  double target = area_of_rectangle(picture_only(&picture, TARGET));
  assert_true(full >= 0.995 * target && full <= 1.005 * target);
  picture_clear(&picture);
  neap_plan_free(plan);
  neap_problem_free(problem);
}

/*
 * One small buffer at every moment next to a huge one: hardly any area, yet the full width is
 * marked.
 */
TEST(small_rectangles_never_vanish) {
  const size_t count = 5000;
  neap_problem *problem = neap_problem_new();
  neap_offset *offsets = calloc(count + 1, sizeof *offsets);
  assert_true(problem && offsets);
  for (size_t i = 0; i < count; i++) {
    char name[32];
    snprintf(name, sizeof name, "speck%zu", i);
    sample_add(problem, name, (neap_time)i, (neap_time)i + 1, 1);
    offsets[i] = INT64_C(1) << 50;
  }
  sample_add(problem, "huge", 0, 1, INT64_C(1) << 40);
  struct picture picture = picture_of_offsets(problem, offsets);
  double across = picture_number(picture_only(&picture, TARGET), "width");
  double cells = area_of_cells(&picture, "//s:g[@class='cells']/s:path");
  assert_true(cells >= across * 2 - 4); /* a row of cells of two pixels */
  picture_clear(&picture);
  free(offsets);
  neap_problem_free(problem);
}

/* With more rectangles than can be drawn, the larger ones keep their titles. */
TEST(large_rectangles_stand_out_among_many) {
  neap_problem *problem = neap_problem_new();
  neap_offset *offsets = calloc(6000, sizeof *offsets);
  assert_true(problem && offsets);
  sample_add(problem, "large", 0, 6000, 1 << 20);
  for (size_t i = 1; i < 6000; i++) {
    char name[32];
    snprintf(name, sizeof name, "small%zu", i);
    sample_add(problem, name, (neap_time)i, (neap_time)i + 1, 64);
    offsets[i] = 1 << 20;
  }
  struct picture picture = picture_of_offsets(problem, offsets);
  assert_int_equal(picture_count(&picture, many_BOXES), 1);
  assert_true(picture_says(&picture, "text", "large"));
  assert_true(picture_mentions(&picture, "text", "5,999 of 6,000 buffers are too small"));
  picture_clear(&picture);
  free(offsets);
  neap_problem_free(problem);
}

/* A curve with more steps than pixels still shows its maximum. */
TEST(the_live_curve_keeps_its_summit) {
  neap_problem *problem;
  neap_plan *plan = plan_of_tiles(&problem, 9000, 1);
  neap_plan_free(plan);
  sample_add(problem, "summit", 4321, 4322, 50000);
  neap_offset *offsets = calloc(9001, sizeof *offsets);
  assert_non_null(offsets);
  offsets[9000] = 4096;
  struct picture picture = picture_of_offsets(problem, offsets);
  xmlChar *data =
      xmlGetProp(picture_only(&picture, "//s:path[@class='summit']"), (const xmlChar *)"d");
  xmlChar *curve =
      xmlGetProp(picture_only(&picture, "//s:path[@class='curve']"), (const xmlChar *)"d");
  char level[32], *end;
  double x = strtod((char *)data + 1, &end);
  snprintf(level, sizeof level, "V%.4g", strtod(end, &end)); /* the same height in the curve */
  assert_non_null(strstr((char *)curve, level));
  assert_true(x > 500 && x < 600);
  xmlFree(data);
  xmlFree(curve);
  picture_clear(&picture);
  free(offsets);
  neap_problem_free(problem);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(panels_show_their_plans_to_one_scale),
      cmocka_unit_test(plans_far_above_the_scale_are_cut_off),
      cmocka_unit_test(only_the_first_of_many_panels_are_shown),
      cmocka_unit_test(large_plans_are_merged_into_cells),
      cmocka_unit_test(twenty_thousand_rectangles_are_quick_and_small),
      cmocka_unit_test(small_rectangles_are_merged_and_keep_their_area),
      cmocka_unit_test(small_rectangles_never_vanish),
      cmocka_unit_test(large_rectangles_stand_out_among_many),
      cmocka_unit_test(the_live_curve_keeps_its_summit),
  };
  return cmocka_run_group_tests_name("many", tests, NULL, NULL);
}
