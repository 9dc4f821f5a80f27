/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pictures of plans with more buffers than can be distinguished. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "neap/planner.h"
#include "tests/unit/picture.h"
#include "tests/unit/sample.h"

#define BOXES "//s:g[@class='boxes']//s:rect"
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
  neap_plan *plan;
  neap_error error;
  assert_ok(neap_plan_new(*problem, offsets, &plan, &error), &error);
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

static void twenty_thousand_rectangles_are_quick_and_small(void **state) {
  (void)state;
  neap_problem *problem;
  neap_plan *plan = plan_of_tiles(&problem, 200, 100);
  clock_t start = clock();
  struct picture picture = picture_of_plan(plan);
  double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
  assert_true(seconds < 5); /* with sanitizers; less than half a second without */
  assert_true(picture.size < 8000000);
  assert_int_equal(picture_count(&picture, BOXES), 20000);
  assert_false(picture_mentions(&picture, "text", "too small"));
  picture_clear(&picture);
  neap_plan_free(plan);
  neap_problem_free(problem);
}

static void small_rectangles_are_merged_and_keep_their_area(void **state) {
  (void)state;
  neap_problem *problem;
  neap_plan *plan = plan_of_tiles(&problem, 50, 1000);
  struct picture picture = picture_of_plan(plan);
  assert_int_equal(picture_count(&picture, BOXES), 0);
  assert_true(picture_mentions(&picture, "text", "50,000 of 50,000 buffers are too small"));
  assert_true(picture.size < 40000);
  double full = area_of_cells(&picture, "//s:path[@class='medium part4']");
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
static void small_rectangles_never_vanish(void **state) {
  (void)state;
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
static void large_rectangles_stand_out_among_many(void **state) {
  (void)state;
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
  assert_int_equal(picture_count(&picture, BOXES), 1);
  assert_true(picture_says(&picture, "text", "large"));
  assert_true(picture_mentions(&picture, "text", "5,999 of 6,000 buffers are too small"));
  picture_clear(&picture);
  free(offsets);
  neap_problem_free(problem);
}

/* A curve with more steps than pixels still shows its maximum. */
static void the_live_curve_keeps_its_summit(void **state) {
  (void)state;
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
      cmocka_unit_test(twenty_thousand_rectangles_are_quick_and_small),
      cmocka_unit_test(small_rectangles_are_merged_and_keep_their_area),
      cmocka_unit_test(small_rectangles_never_vanish),
      cmocka_unit_test(large_rectangles_stand_out_among_many),
      cmocka_unit_test(the_live_curve_keeps_its_summit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
