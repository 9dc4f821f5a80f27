/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pictures of plans, read back from their SVG. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "plan/plan.h"
#include "tests/support/layout.h"
#include "tests/support/picture.h"
#include "tests/support/random_problem.h"
#include "tests/support/sample.h"

#define BOXES "//s:g[@class='boxes']//s:rect"
#define CONTAINER "//s:rect[@class='outline']"
#define TARGET "//s:rect[@class='outline target']"

/* ---------------------------------------------------------------- a small plan, to the byte */

static neap_problem *small_problem(void) {
  static const neap_range again[] = {{0, 2}, {6, 8}};
  neap_problem *problem = neap_problem_new();
  assert_non_null(problem);
  sample_add(problem, "input", 0, 3, 147 * 1024);
  sample_add(problem, "block1/expand & more", 1, 5, 600 * 1024);
  sample_add(problem, "block1/project", 4, 8, 98304);
  sample_add_gapped(problem, "state", again, 2, 65536);
  sample_add(problem, "nothing", 2, 4, 0);
  return problem;
}

TEST(a_small_plan_gives_the_recorded_bytes) {
  static const neap_offset offsets[] = {614400, 0, 614400, 764928, 100};
  static const neap_history history = {.struct_size = sizeof(neap_history),
                                       .engine = "tune",
                                       .stop_reason = NEAP_STOP_FIXED_POINT,
                                       .rounds = 12,
                                       .seconds = 3.5};
  neap_problem *problem = small_problem();
  neap_plan *plan = sample_plan(problem, offsets);
  neap_error error;
  assert_ok(neap_plan_set_history(plan, &history, &error), &error);
  assert_ok(neap_plan_set_base(plan, 0x20000000, &error), &error);
  assert_ok(neap_plan_set_capacity(plan, 1000000, &error), &error);
  const neap_writing drawing = {
      .struct_size = sizeof(neap_writing), .name = "model.csv", .colour_by = "risk"};
  struct picture picture = picture_drawn(plan, &drawing);
  picture_expect_golden(&picture, "plan.svg");
  picture_clear(&picture);
  neap_plan_free(plan);
  neap_problem_free(problem);
}

TEST(titles_give_all_numbers_of_a_buffer) {
  static const neap_offset offsets[] = {614400, 0, 614400, 764928, 100};
  neap_problem *problem = small_problem();
  neap_plan *plan = sample_plan(problem, offsets);
  neap_error error;
  assert_ok(neap_plan_set_base(plan, 0x20000000, &error), &error);
  struct picture picture = picture_of_plan(plan);
  assert_true(picture_says(&picture, "title",
                           "block1/expand & more\n"
                           "size 614400 B (600.00 KiB)\n"
                           "time [1, 5)\n"
                           "offset [0, 614400)\n"
                           "address [0x20000000, 0x20096000)\n"
                           "alignment 1\n"
                           "risk medium\n"
                           "buffer #1"));
  assert_true(picture_mentions(&picture, "title", "time [0, 2) [6, 8)\n"));
  assert_int_equal(picture_count(&picture, BOXES), 6);
  assert_int_equal(picture_count(&picture, "//s:g[@class='boxes']/s:g/s:rect"), 2);
  picture_clear(&picture);
  neap_plan_free(plan);
  neap_problem_free(problem);
}

/* ---------------------------------------------------------------- where rectangles lie */

/* Maps the picture to times and offsets, from the container and the target rectangle only. */
struct ruler {
  double left, per_time, bottom, per_byte;
};

static struct ruler measure(const struct picture *picture, const neap_problem *problem,
                            neap_size peak) {
  const xmlNode *container = picture_only(picture, CONTAINER);
  const xmlNode *target = picture_only(picture, TARGET);
  struct ruler ruler = {.left = picture_number(container, "x")};
  ruler.per_time = picture_number(container, "width") / (double)neap_problem_horizon(problem);
  ruler.bottom = picture_number(container, "y") + picture_number(container, "height");
  ruler.per_byte = (ruler.bottom - picture_number(target, "y")) / (double)peak;
  return ruler;
}

#define expect_near(a, b) assert_true(fabs((a) - (b)) < 0.0151)

static void expect_rectangle(const struct ruler *ruler, const xmlNode *node, neap_range when,
                             neap_offset start, neap_offset end) {
  double x = picture_number(node, "x"), y = picture_number(node, "y");
  expect_near(x, ruler->left + ruler->per_time * (double)when.start);
  expect_near(x + picture_number(node, "width"),
              ruler->left + ruler->per_time * (double)when.end);
  expect_near(y, ruler->bottom - ruler->per_byte * (double)end);
  expect_near(y + picture_number(node, "height"),
              ruler->bottom - ruler->per_byte * (double)start);
}

static void expect_all_rectangles(const struct picture *picture, const neap_plan *plan) {
  struct found boxes = picture_find(picture, BOXES);
  struct ruler ruler = measure(picture, plan->problem, plan->report.peak);
  assert_int_equal(boxes.count, plan->problem->range_count);
  size_t range = 0;
  for (size_t i = 0; i < plan->problem->count; i++)
    for (; range < plan->problem->buffers[i].ranges_end; range++)
      expect_rectangle(&ruler, boxes.nodes[range], plan->problem->ranges[range],
                       plan->offsets[i], plan_end(plan, i));
  found_clear(&boxes);
}

TEST(rectangles_lie_at_their_times_and_offsets) {
  for (uint64_t seed = 1; seed <= 40; seed++) {
    struct instance instance = instance_random(seed, 60, WITH_ALL & ~WITH_FIXED);
    neap_problem *problem = instance_problem(&instance);
    struct layout layout;
    layout_sorted(&layout, problem, "size", "lowest");
    neap_plan *plan = sample_plan(problem, layout.offsets);
    struct picture picture = picture_of_plan(plan);
    if (layout.peak > 0) expect_all_rectangles(&picture, plan);
    picture_clear(&picture);
    neap_plan_free(plan);
    layout_clear(&layout);
    neap_problem_free(problem);
    instance_free(&instance);
  }
}

/* The layers of the stack, including holes, are outlined and named. */
TEST(the_stack_at_the_peak_is_named) {
  static const struct sample samples[] = {{0, 5, 300, 1}, {2, 9, 200, 1}, {6, 9, 50, 1}};
  static const neap_offset offsets[] = {0, 400, 0};
  neap_problem *problem = sample_problem(samples, 3);
  struct picture picture = picture_of_offsets(problem, offsets);
  struct ruler ruler = measure(&picture, problem, 600);
  struct found stack =
      picture_find(&picture, "//s:g[@class='critical']/s:rect[@class='stack']");
  assert_int_equal(stack.count, 2);
  expect_rectangle(&ruler, stack.nodes[0], (neap_range){0, 5}, 0, 300);
  expect_rectangle(&ruler, stack.nodes[1], (neap_range){2, 9}, 400, 600);
  expect_rectangle(&ruler, picture_only(&picture, "//s:rect[@class='stack hole']"),
                   (neap_range){2, 5}, 300, 400);
  assert_int_equal(picture_count(&picture, "//s:text[@class='layer']"), 2);
  assert_int_equal(picture_count(&picture, "//s:path[@class='leader layer']"), 3);
  assert_true(picture_says(&picture, "text", "hole"));
  assert_true(picture_says(&picture, "text", "100 B"));
  found_clear(&stack);
  picture_clear(&picture);
  neap_problem_free(problem);
}

/* However many names there are, they keep their distance and order, and stay on the page. */
TEST(callouts_do_not_overlap) {
  for (size_t count = 1; count <= 120; count += 7) {
    neap_problem *problem = neap_problem_new();
    neap_offset *offsets = calloc(count, sizeof *offsets), at = 0;
    assert_true(problem && offsets);
    for (size_t i = 0; i < count; i++) {
      char name[32];
      neap_size size = (neap_size)(1 + i * i % 37);
      snprintf(name, sizeof name, "t%zu", i);
      sample_add(problem, name, 0, 9, size);
      offsets[i] = at;
      at += size;
    }
    struct picture picture = picture_of_offsets(problem, offsets);
    struct found names = picture_find(&picture, "//s:text[@class='layer']");
    assert_int_equal(names.count, count < 16 ? count : 16);
    for (size_t i = 0; i < names.count; i++) {
      double y = picture_number(names.nodes[i], "y");
      assert_true(y > 228 && y < 710);
      if (i > 0) assert_true(y - picture_number(names.nodes[i - 1], "y") >= 15.99);
    }
    char more[64];
    snprintf(more, sizeof more, "and %zu more in the stack", count - names.count);
    assert_int_equal(picture_says(&picture, "text", more), count > 16);
    found_clear(&names);
    picture_clear(&picture);
    neap_problem_free(problem);
    free(offsets);
  }
}

TEST(the_target_rectangle_is_the_bounding_box) {
  static const struct sample samples[] = {{10, 15, 100, 1}, {12, 30, 50, 1}};
  static const neap_offset offsets[] = {0, 150};
  neap_problem *problem = sample_problem(samples, 2);
  struct picture picture = picture_of_offsets(problem, offsets);
  const xmlNode *target = picture_only(&picture, TARGET);
  const xmlNode *container = picture_only(&picture, CONTAINER);
  struct ruler ruler = measure(&picture, problem, 200);
  expect_near(picture_number(target, "x"), ruler.left + 10 * ruler.per_time);
  expect_near(picture_number(target, "width"), 20 * ruler.per_time);
  expect_near(picture_number(target, "y") + picture_number(target, "height"), ruler.bottom);
  assert_true(picture_number(container, "y") < picture_number(target, "y"));
  /* The bound is 150, the peak 200. */
  struct found bounds = picture_find(&picture, "//s:line[@class='bound']");
  assert_true(bounds.count >= 2);
  expect_near(picture_number(bounds.nodes[1], "y1"), ruler.bottom - 150 * ruler.per_byte);
  found_clear(&bounds);
  picture_clear(&picture);
  neap_problem_free(problem);
}

/* ---------------------------------------------------------------- names */

static const char *const nasty[] = {
    "a<b>&\"'c]]>",
    "<!-- <![CDATA[ &amp; -->",
    "tab\tline\nreturn\r",
    "\x01\x02\x1b[31m\x7f",
    "\xef\xbf\xbe\xef\xbf\xbf \xf0\x9f\xbf\xbe", /* U+FFFE, U+FFFF, U+1FFFE */
    "\xe2\x80\xae turned \xe2\x81\xa6",          /* right-to-left override, isolate */
    "\xc2\x80\xc2\x9f",                          /* C1 controls */
    "\xe6\x97\xa5\xe6\x9c\xac \xf0\x9f\x98\x80 e\xcc\x81",
};

TEST(any_name_gives_valid_xml) {
  neap_problem *problem = neap_problem_new();
  assert_non_null(problem);
  neap_offset offsets[SAMPLE_COUNT(nasty) + 1];
  char *huge = malloc(10001);
  assert_non_null(huge);
  memset(huge, 'x', 10000);
  huge[10000] = '\0';
  for (size_t i = 0; i <= SAMPLE_COUNT(nasty); i++) {
    sample_add(problem, i < SAMPLE_COUNT(nasty) ? nasty[i] : huge, 0, 10, 100);
    offsets[i] = 100 * (neap_offset)i;
  }
  struct picture picture = picture_of_offsets(problem, offsets);
  assert_true(picture_mentions(&picture, "title", "a<b>&\"'c]]>\n"));
  assert_true(picture_mentions(&picture, "title", "<!-- <![CDATA[ &amp; -->\n"));
  assert_true(
      picture_says(&picture, "text", "tab\xef\xbf\xbdline\xef\xbf\xbdreturn\xef\xbf\xbd"));
  assert_true(picture_mentions(&picture, "title", "xxx\xe2\x80\xa6xxx"));
  assert_true(picture_mentions(&picture, "title", nasty[7]));
  assert_true(picture_says(&picture, "text", "e\xcc\x81")); /* its shortest part */
  assert_false(picture_mentions(&picture, "title", "\xe2\x80\xae"));
  assert_true(picture.size < 22000);
  picture_clear(&picture);
  neap_problem_free(problem);
  free(huge);
}

/* A name that does not fit is replaced by the part that differs, or else by its number. */
TEST(names_are_shortened_to_their_rectangles) {
  static const neap_offset offsets[] = {0, 0, 100};
  neap_problem *problem = neap_problem_new();
  assert_non_null(problem);
  sample_add(problem, "functional/block_17/convolution", 0, 10, 100);
  sample_add(problem, "functional/block_18/convolution", 10, 11, 100);
  sample_add(problem, "functional/block_19/convolution", 0, 100, 1000);
  struct picture picture = picture_of_offsets(problem, offsets);
  assert_false(picture_says(&picture, "text", "functional/block_17/convolution"));
  assert_true(picture_says(&picture, "text", "block_17"));
  assert_true(picture_says(&picture, "text", "block_18")); /* beside its rectangle */
  assert_true(picture_says(&picture, "text", "block_19"));
  assert_int_equal(picture_count(&picture, "//s:g[@class='names']/s:text[@class='name']"), 3);
  picture_clear(&picture);
  neap_problem_free(problem);
}

/* No line and no word lies under a name. */
TEST(names_avoid_lines) {
  static const neap_offset offsets[] = {0, 0, 900};
  neap_problem *problem = neap_problem_new();
  assert_non_null(problem);
  sample_add(problem, "below", 0, 1, 900);
  sample_add(problem, "wide", 1, 3, 800); /* the leader of "below" crosses it */
  sample_add(problem, "above", 0, 1, 100);
  struct picture picture = picture_of_offsets(problem, offsets);
  struct found leaders = picture_find(&picture, "//s:path[@class='leader layer']");
  struct found names = picture_find(&picture, "//s:text[@class='name' and .='wide']");
  assert_int_equal(names.count, 1);
  double y = picture_number(names.nodes[0], "y");
  for (size_t i = 0; i < leaders.count; i++) {
    double at = 0;
    xmlChar *path = xmlGetProp(leaders.nodes[i], (const xmlChar *)"d");
    assert_int_equal(sscanf((const char *)path, "M%*f %lf", &at), 1);
    assert_true(at < y - 10 || at > y + 3);
    xmlFree(path);
  }
  found_clear(&names);
  found_clear(&leaders);
  picture_clear(&picture);
  neap_problem_free(problem);
}

/* ---------------------------------------------------------------- limits */

TEST(an_empty_plan_is_drawn) {
  neap_problem *problem = neap_problem_new();
  struct picture picture = picture_of_offsets(problem, (const neap_offset[]){0});
  assert_true(picture_says(&picture, "text", "no buffers"));
  assert_int_equal(picture_count(&picture, BOXES), 0);
  picture_clear(&picture);
  neap_problem_free(problem);
}

TEST(an_empty_buffer_is_visible) {
  static const struct sample samples[] = {{0, 5, 0, 1}, {3, 9, 0, 1}};
  neap_problem *problem = sample_problem(samples, 2);
  struct picture picture = picture_of_offsets(problem, (const neap_offset[]){0, 0});
  struct found boxes = picture_find(&picture, BOXES);
  assert_int_equal(boxes.count, 2);
  for (size_t i = 0; i < 2; i++)
    assert_true(picture_number(boxes.nodes[i], "height") > 0);
  found_clear(&boxes);
  picture_clear(&picture);
  neap_problem_free(problem);
}

TEST(the_largest_numbers_stay_on_the_page) {
  const neap_size half = NEAP_MAX / 2;
  const struct sample samples[] = {{0, NEAP_MAX, half, 1}, {NEAP_MAX - 7, NEAP_MAX, half, 1}};
  neap_problem *problem = sample_problem(samples, 2);
  struct picture picture = picture_of_offsets(problem, (const neap_offset[]){0, half});
  const xmlNode *container = picture_only(&picture, CONTAINER);
  double left = picture_number(container, "x"),
         right = left + picture_number(container, "width");
  struct found boxes = picture_find(&picture, BOXES);
  assert_int_equal(boxes.count, 2);
  for (size_t i = 0; i < 2; i++) {
    double x = picture_number(boxes.nodes[i], "x"),
           across = picture_number(boxes.nodes[i], "width");
    assert_true(across > 0 && x >= left && x + across <= right + 0.0151);
    assert_true(picture_number(boxes.nodes[i], "height") > 100);
  }
  assert_true(picture_says(&picture, "text", "8.00 EiB"));
  found_clear(&boxes);
  picture_clear(&picture);
  neap_problem_free(problem);
}

/* If all buffers begin late, the time before is not drawn. */
TEST(late_times_fill_the_page) {
  const struct sample samples[] = {{NEAP_MAX - 100, NEAP_MAX - 50, 10, 1},
                                   {NEAP_MAX - 50, NEAP_MAX, 10, 1}};
  neap_problem *problem = sample_problem(samples, 2);
  struct picture picture = picture_of_offsets(problem, (const neap_offset[]){0, 0});
  struct found boxes = picture_find(&picture, BOXES);
  expect_near(picture_number(boxes.nodes[0], "width"), picture_number(boxes.nodes[1], "width"));
  assert_true(picture_number(boxes.nodes[0], "width") > 400);
  found_clear(&boxes);
  picture_clear(&picture);
  neap_problem_free(problem);
}

/* ---------------------------------------------------------------- unsound plans */

#define CLASHES "//s:g[@class='clashes']/s:rect[@class='clash']"

/* Status and gap say nothing of a plan that cannot be used. */
static void expect_unsound(const struct picture *picture, const char *collisions) {
  assert_true(picture_says(picture, "text", "unsound"));
  assert_true(picture_says(picture, "text", collisions));
  assert_true(picture_says(picture, "text", "collision"));
  assert_false(picture_says(picture, "text", "optimal"));
  assert_false(picture_says(picture, "text", "feasible"));
  assert_false(picture_says(picture, "text", "Gap"));
  assert_false(picture_mentions(picture, "desc", "gap"));
  assert_true(picture_mentions(picture, "desc", "Unsound: "));
  assert_int_equal(picture_count(picture, "//s:rect[starts-with(@class, 'stack')]"), 0);
}

TEST(an_unsound_plan_is_labelled_unsound) {
  static const struct sample samples[] = {{0, 10, 1000, 1}, {3, 20, 700, 1}};
  neap_problem *problem = sample_problem(samples, 2);
  neap_plan *plan = sample_plan(problem, (const neap_offset[]){0, 500});
  struct picture picture = picture_of_plan(plan);
  expect_unsound(&picture, "1 collision");
  assert_true(picture_says(&picture, "text", "Unsound: 1 collision: 'b0' and 'b1'"));
  assert_true(picture_mentions(&picture, "title", "'b0' and 'b1' share bytes [500, 1000)"));
  struct ruler ruler = measure(&picture, problem, plan->report.peak);
  expect_rectangle(&ruler, picture_only(&picture, CLASHES), (neap_range){3, 10}, 500, 1000);
  picture_clear(&picture);
  neap_plan_free(plan);
  neap_problem_free(problem);
}

/* Also where a collision is smaller than a pixel, and where buffers meet more than once. */
TEST(every_collision_is_marked) {
  const neap_range twice[] = {{0, 10}, {900, 1000}}, once[] = {{0, 1000}};
  neap_problem *problem = neap_problem_new();
  assert_non_null(problem);
  sample_add_gapped(problem, "twice", twice, 2, 5000);
  sample_add_gapped(problem, "once", once, 1, 5000);
  sample_add(problem, "speck", 500, 501, 2);
  struct picture picture = picture_of_offsets(problem, (const neap_offset[]){0, 4999, 9998});
  expect_unsound(&picture, "3 collisions");
  struct found marks = picture_find(&picture, CLASHES);
  assert_int_equal(marks.count, 3);
  for (size_t i = 0; i < marks.count; i++) {
    assert_true(picture_number(marks.nodes[i], "width") >= 7);
    assert_true(picture_number(marks.nodes[i], "height") >= 7);
  }
  assert_true(picture_says(&picture, "text", "once \xc3\x97 speck"));
  found_clear(&marks);
  picture_clear(&picture);
  neap_problem_free(problem);
}

TEST(only_the_earliest_of_many_collisions_are_marked) {
  enum { COUNT = 200 };
  neap_offset offsets[COUNT] = {0};
  neap_problem *problem = neap_problem_new();
  assert_non_null(problem);
  for (size_t i = 0; i < COUNT; i++) {
    char name[32];
    snprintf(name, sizeof name, "t%zu", i);
    sample_add(problem, name, 0, 10, 100);
  }
  struct picture picture = picture_of_offsets(problem, offsets);
  expect_unsound(&picture, "19,900 collisions");
  assert_int_equal(picture_count(&picture, CLASHES), 1000);
  assert_true(
      picture_says(&picture, "text", "The earliest 1,000 of 19,900 collisions are marked."));
  assert_true(picture_mentions(&picture, "text", "19,900 collisions: 't0' and 't1', "));
  assert_true(picture_says(&picture, "text", "and 19,884 more collisions"));
  picture_clear(&picture);
  neap_problem_free(problem);
}

/* Where nothing collides, the fault itself is named. */
TEST(other_faults_are_named) {
  static const struct sample samples[] = {{0, 10, 1000, 64}};
  neap_problem *problem = sample_problem(samples, 1);
  struct picture picture = picture_of_offsets(problem, (const neap_offset[]){3});
  assert_true(picture_says(&picture, "text", "unsound"));
  assert_true(picture_mentions(&picture, "text", "Unsound: 'b0' "));
  assert_int_equal(picture_count(&picture, "//s:rect[@class='clash']"), 0);
  picture_clear(&picture);
  neap_problem_free(problem);
}

/* ---------------------------------------------------------------- names, levels and colours */

TEST(a_picture_is_titled_with_its_input) {
  static const struct sample samples[] = {{0, 10, 1000, 1}};
  neap_problem *problem = sample_problem(samples, 1);
  neap_plan *plan = sample_plan(problem, (const neap_offset[]){0});
  const neap_writing drawing = {.struct_size = sizeof(neap_writing), .name = "model<1>.csv"};
  struct picture picture = picture_drawn(plan, &drawing);
  assert_true(picture_says(&picture, "title", "model<1>.csv: 1 buffer, peak 1000 B"));
  const xmlNode *head = picture_only(&picture, "//s:text[@class='head']");
  assert_string_equal((const char *)head->children->content, "model<1>.csv");
  picture_clear(&picture);
  picture = picture_of_plan(plan);
  assert_true(picture_says(&picture, "title", "Memory plan of 1 buffer, peak 1000 B"));
  picture_clear(&picture);
  neap_plan_free(plan);
  neap_problem_free(problem);
}

/* The height of the line that shows a capacity, above the container's floor. */
static double capacity_height(const struct picture *picture) {
  const xmlNode *container = picture_only(picture, CONTAINER);
  struct found lines = picture_find(picture, "//s:line[@class='capacity'][@x1=88]");
  assert_true(lines.count >= 1);
  double y = picture_number(lines.nodes[0], "y1");
  found_clear(&lines);
  return picture_number(container, "y") + picture_number(container, "height") - y;
}

TEST(a_capacity_is_drawn_as_a_line) {
  static const struct sample samples[] = {{0, 10, 1000, 1}};
  static const struct {
    neap_size capacity;
    const char *name, *detail;
  } cases[] = {{1500, "capacity", "66.67 % used"},
               {600, "capacity", "400 B too small"},
               {1000, "peak = bound = capacity", "100.00 % used"},
               {100000, "capacity (off scale)", "1.00 % used"}};
  neap_problem *problem = sample_problem(samples, 1);
  neap_plan *plan = sample_plan(problem, (const neap_offset[]){0});
  for (size_t i = 0; i < SAMPLE_COUNT(cases); i++) {
    neap_error error;
    assert_ok(neap_plan_set_capacity(plan, cases[i].capacity, &error), &error);
    struct picture picture = picture_of_plan(plan);
    double height = capacity_height(&picture), top = cases[i].capacity == 1500 ? 1500 : 1000;
    if (cases[i].capacity <= 1500)
      assert_true(fabs(height - 456.0 * (double)cases[i].capacity / top) < 0.02);
    else assert_true(height > 456 && height < 476);
    assert_true(picture_says(&picture, "text", cases[i].name));
    assert_true(picture_says(&picture, "text", cases[i].detail));
    assert_int_equal(
        picture_count(&picture, "//s:g[@class='legend lines']/s:line[@class='capacity']"), 1);
    picture_clear(&picture);
  }
  neap_plan_free(plan);
  neap_problem_free(problem);
}

TEST(no_capacity_draws_no_line) {
  static const struct sample samples[] = {{0, 10, 1000, 1}};
  neap_problem *problem = sample_problem(samples, 1);
  struct picture picture = picture_of_offsets(problem, (const neap_offset[]){0});
  assert_int_equal(picture_count(&picture, "//s:line[@class='capacity']"), 0);
  assert_false(picture_says(&picture, "text", "Capacity"));
  picture_clear(&picture);
  neap_problem_free(problem);
}

/* The class that a rectangle has besides those for its extent. */
static void colour_of(const xmlNode *node, char colour[32]) {
  xmlChar *class = xmlGetProp(node, (const xmlChar *)"class");
  assert_non_null(class);
  snprintf(colour, 32, "%.*s", (int)strcspn((const char *)class, " "), (const char *)class);
  xmlFree(class);
}

static void expect_all_colours_explained(const struct picture *picture) {
  struct found boxes = picture_find(picture, BOXES);
  assert_true(boxes.count > 0);
  for (size_t i = 0; i < boxes.count; i++) {
    char colour[32], path[128];
    colour_of(boxes.nodes[i], colour);
    snprintf(path, sizeof path,
             "//s:g[@class='legend colours']/s:rect[starts-with(@class, '%s ')]", colour);
    assert_int_equal(picture_count(picture, path), 1);
  }
  found_clear(&boxes);
}

TEST(the_legend_explains_every_colour) {
  neap_problem *problem = neap_problem_new();
  neap_offset offsets[40], at = 0;
  assert_non_null(problem);
  for (size_t i = 0; i < 40; i++) {
    char name[32];
    snprintf(name, sizeof name, "layer%zu/out", i % 13);
    snprintf(name + strlen(name), 8, "%zu", i);
    sample_add(problem, name, (neap_time)i, (neap_time)(i + 1 + i * i % 50),
               (neap_size)1 << (i % 20));
    offsets[i] = at;
    at += (neap_size)1 << (i % 20);
  }
  neap_plan *plan = sample_plan(problem, offsets);
  neap_colouring_info info = NEAP_INIT(neap_colouring_info);
  for (size_t i = 0; neap_colouring_at(i, &info); i++) {
    const neap_writing drawing = {.struct_size = sizeof(neap_writing), .colour_by = info.name};
    struct picture picture = picture_drawn(plan, &drawing);
    expect_all_colours_explained(&picture);
    picture_clear(&picture);
  }
  const neap_writing drawing = {
      .struct_size = sizeof(neap_writing), .format = "svg", .colour_by = "flavour"};
  neap_error error;
  assert_error(neap_plan_write(plan, "/dev/null", &drawing, &error), NEAP_ERROR_ARGUMENT,
               &error);
  assert_says(&error, "'flavour'");
  neap_plan_free(plan);
  neap_problem_free(problem);
}

/* ---------------------------------------------------------------- files */

TEST(the_same_plan_gives_the_same_bytes) {
  struct instance instance = instance_random(7, 200, WITH_ALL & ~WITH_FIXED);
  neap_problem *problem = instance_problem(&instance);
  struct layout layout;
  layout_sorted(&layout, problem, "size", "lowest");
  struct picture first = picture_of_offsets(problem, layout.offsets);
  struct picture second = picture_of_offsets(problem, layout.offsets);
  assert_int_equal(first.size, second.size);
  assert_memory_equal(first.text, second.text, first.size);
  picture_clear(&first);
  picture_clear(&second);
  layout_clear(&layout);
  neap_problem_free(problem);
  instance_free(&instance);
}

TEST(a_full_device_is_an_error) {
  if (access("/dev/full", W_OK) != 0) skip();
  neap_problem *problem = small_problem();
  neap_plan *plan = sample_plan(problem, (const neap_offset[]){614400, 0, 614400, 764928, 100});
  neap_error error;
  assert_error(
      neap_plan_write(plan, "/dev/full",
                      &(neap_writing){.struct_size = sizeof(neap_writing), .format = "svg"},
                      &error),
      NEAP_ERROR_SYSTEM, &error);
  assert_string_equal(error.source, "/dev/full");
  neap_plan_free(plan);
  neap_problem_free(problem);
}

TEST(a_missing_folder_is_an_error) {
  neap_problem *problem = small_problem();
  neap_plan *plan = sample_plan(problem, (const neap_offset[]){614400, 0, 614400, 764928, 100});
  neap_error error;
  const char *path = "/nonexistent-folder/plan.svg";
  assert_error(neap_plan_write(plan, path, NULL, &error), NEAP_ERROR_SYSTEM, &error);
  assert_string_equal(error.source, path);
  assert_int_equal(neap_plan_write(plan, path, NULL, NULL), NEAP_ERROR_SYSTEM);
  neap_plan_free(plan);
  neap_problem_free(problem);
}

/* ---------------------------------------------------------------- relations and pools */

#define SIGNS "//s:g[@class='signs']"

/* Two pools; in the first, two buffers that may overlap, and reserved bytes. */
static neap_problem *related_problem(void) {
  static const neap_pool pools[] = {{sizeof(neap_pool), "fast", 2048, 1, 0, -1},
                                    {sizeof(neap_pool), "slow", -1, 1, 0, -1}};
  static const neap_reserved reserved = {sizeof(neap_reserved), 0, 1024, 1280, {1, 3}};
  static const neap_relation relations[] = {
      {sizeof(neap_relation), NEAP_OVERLAP, 1, 0, 64, "in place"},
      {sizeof(neap_relation), NEAP_SEPARATION, 2, 3, 0, "DMA"},
      {sizeof(neap_relation), NEAP_COLOCATION, 4, 5, 16, NULL}};
  neap_problem *problem = neap_problem_new();
  neap_error error;
  for (size_t i = 0; i < 2; i++)
    assert_ok(neap_problem_add_pool(problem, &pools[i], &error), &error);
  sample_add(problem, "in", 0, 3, 512);
  sample_add(problem, "out", 2, 5, 512);
  sample_add(problem, "ping", 0, 2, 128);
  sample_add(problem, "pong", 3, 5, 128);
  sample_add(problem, "whole", 4, 6, 64);
  sample_add(problem, "part", 2, 5, 32);
  assert_ok(neap_problem_reserve(problem, &reserved, &error), &error);
  for (size_t i = 0; i < 3; i++)
    assert_ok(neap_problem_relate(problem, &relations[i], &error), &error);
  return problem;
}

static struct picture related_picture(const neap_problem *problem, const neap_offset *offsets) {
  static const size_t pools[] = {0, 0, 1, 1, 1, 1};
  neap_plan *plan = sample_plan(problem, offsets);
  neap_error error;
  assert_ok(neap_plan_set_pools(plan, pools, &error), &error);
  struct picture picture = picture_of_plan(plan);
  neap_plan_free(plan);
  return picture;
}

TEST(pools_are_panels_with_signs_of_relations) {
  static const neap_offset offsets[] = {64, 0, 0, 128, 256, 272};
  neap_problem *problem = related_problem();
  struct picture picture = related_picture(problem, offsets);
  assert_int_equal(picture_count(&picture, CONTAINER), 2);
  assert_true(picture_says(&picture, "text", "fast"));
  assert_true(picture_says(&picture, "text", "576 B of 2.00 KiB used, 1.44 KiB free"));
  assert_true(picture_says(&picture, "text", "320 B used, no capacity"));
  assert_int_equal(picture_count(&picture, "//s:g[@class='ground']/s:rect[@class='reserved']"),
                   1);
  assert_int_equal(picture_count(&picture, SIGNS "/s:rect[@class='shared']"), 1);
  assert_int_equal(picture_count(&picture, SIGNS "/s:rect[@class='body']"), 1);
  assert_int_equal(picture_count(&picture, "//s:rect[@class='broken']"), 0);
  assert_true(picture_mentions(&picture, "title", "(reason 'in place')"));
  assert_true(picture_mentions(&picture, "title", "\nseparation of 'ping' and 'pong'"));
  assert_true(picture_says(&picture, "text", "reserved bytes"));
  assert_false(picture_says(&picture, "text", "bank boundary"));
  picture_clear(&picture);
  neap_problem_free(problem);
}

TEST(broken_relations_are_named) {
  static const neap_offset offsets[] = {16, 0, 0, 64, 256, 256};
  neap_problem *problem = related_problem();
  struct picture picture = related_picture(problem, offsets);
  assert_int_equal(picture_count(&picture, SIGNS "/s:rect[@class='broken']"), 2);
  assert_int_equal(picture_count(&picture, "//s:g[@class='clashes']/s:rect"), 2);
  assert_true(picture_says(&picture, "text", "colocation"));
  assert_true(picture_says(&picture, "text", "separation"));
  assert_true(picture_says(&picture, "text", "Broken: colocation of 'whole' and 'part'"));
  assert_true(picture_says(&picture, "text", "broken relation or limit"));
  picture_clear(&picture);
  neap_problem_free(problem);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pools_are_panels_with_signs_of_relations),
      cmocka_unit_test(broken_relations_are_named),
      cmocka_unit_test(a_small_plan_gives_the_recorded_bytes),
      cmocka_unit_test(titles_give_all_numbers_of_a_buffer),
      cmocka_unit_test(rectangles_lie_at_their_times_and_offsets),
      cmocka_unit_test(the_stack_at_the_peak_is_named),
      cmocka_unit_test(callouts_do_not_overlap),
      cmocka_unit_test(the_target_rectangle_is_the_bounding_box),
      cmocka_unit_test(any_name_gives_valid_xml),
      cmocka_unit_test(names_are_shortened_to_their_rectangles),
      cmocka_unit_test(names_avoid_lines),
      cmocka_unit_test(an_empty_plan_is_drawn),
      cmocka_unit_test(an_empty_buffer_is_visible),
      cmocka_unit_test(the_largest_numbers_stay_on_the_page),
      cmocka_unit_test(late_times_fill_the_page),
      cmocka_unit_test(an_unsound_plan_is_labelled_unsound),
      cmocka_unit_test(every_collision_is_marked),
      cmocka_unit_test(only_the_earliest_of_many_collisions_are_marked),
      cmocka_unit_test(other_faults_are_named),
      cmocka_unit_test(a_picture_is_titled_with_its_input),
      cmocka_unit_test(a_capacity_is_drawn_as_a_line),
      cmocka_unit_test(no_capacity_draws_no_line),
      cmocka_unit_test(the_legend_explains_every_colour),
      cmocka_unit_test(the_same_plan_gives_the_same_bytes),
      cmocka_unit_test(a_full_device_is_an_error),
      cmocka_unit_test(a_missing_folder_is_an_error),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
