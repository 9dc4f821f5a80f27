/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Charts, read back from their SVG. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/picture.h"
#include "tests/support/sample.h"

/* ---------------------------------------------------------------- curves */

/* Charts, read back from their SVG. */

#define MARKS "//*[starts-with(@class, 'mark ')][s:title]"
#define MIB 1048576.0

static const double rounds[] = {1, 2, 3, 5, 10, 20};
static const double falling[] = {1.5 * MIB, 1.25 * MIB, 1.2 * MIB, 1.1 * MIB, 1.01 * MIB, MIB};
static const double gappy[] = {1.6 * MIB, 1.5 * MIB, NAN, 1.2 * MIB, NAN, 1.1 * MIB};
static const double level_curve[] = {MIB, MIB, MIB, MIB, MIB, MIB};

static const neap_series both[] = {
    {"tune", falling, false}, {"sort <best-fit>", gappy, false}, {"bound", level_curve, true}};

static neap_chart chart_of(const neap_series *series, size_t count) {
  return (neap_chart){.title = "Peak against the cap on rounds",
                      .x_label = "rounds",
                      .y_label = "peak",
                      .x = rounds,
                      .x_count = SAMPLE_COUNT(rounds),
                      .series = series,
                      .series_count = count,
                      .y_is_bytes = true};
}

TEST(a_chart_gives_the_recorded_bytes) {
  neap_chart chart = chart_of(both, 3);
  struct picture picture = picture_of_chart(&chart);
  picture_expect_golden(&picture, "chart.svg");
  picture_clear(&picture);
}

TEST(every_value_has_a_mark) {
  neap_chart chart = chart_of(both, 3);
  struct picture picture = picture_of_chart(&chart);
  assert_int_equal(picture_count(&picture, MARKS), 6 + 4);
  assert_true(picture_says(&picture, "title", "tune\nat 5: 1,153,434 B"));
  assert_true(picture_says(&picture, "text", "sort <best-fit>"));
  picture_clear(&picture);
}

/* The line is horizontal up to the next x and then goes down; changes have marks. */
TEST(steps_hold_until_the_next_value) {
  static const double times[] = {0.001, 0.01, 0.1, 1, 10};
  static const double values[] = {NAN, 8 * MIB, 8 * MIB, 4 * MIB, 4 * MIB};
  static const neap_series series[] = {{"peak", values, false}};
  const neap_chart chart = {.title = "steps",
                            .x = times,
                            .x_count = 5,
                            .series = series,
                            .series_count = 1,
                            .y_is_bytes = true,
                            .x_is_seconds = true,
                            .is_stepped = true};
  struct picture picture = picture_of_chart(&chart);
  xmlChar *data = xmlGetProp(picture_only(&picture, "//s:path[starts-with(@class, 'series ')]"),
                             (const xmlChar *)"d");
  assert_int_equal(strchr((const char *)data, 'H') - strrchr((const char *)data, 'M') > 0, 1);
  assert_int_equal(picture_count(&picture, MARKS), 3); /* first, lower, last */
  assert_true(picture_says(&picture, "title", "peak\nat 0.01 s: 8,388,608 B"));
  assert_true(picture_says(&picture, "text", "10 ms"));
  xmlFree(data);
  picture_clear(&picture);
}

TEST(a_missing_value_breaks_the_line) {
  neap_chart chart = chart_of(&both[1], 1);
  struct picture picture = picture_of_chart(&chart);
  xmlChar *data = xmlGetProp(picture_only(&picture, "//s:path[starts-with(@class, 'series ')]"),
                             (const xmlChar *)"d");
  size_t moves = 0;
  for (const char *at = (const char *)data; *at; at++)
    moves += *at == 'M';
  assert_int_equal(moves, 3);
  xmlFree(data);
  picture_clear(&picture);
}

TEST(a_reference_is_dashed_and_has_no_marks) {
  neap_chart chart = chart_of(&both[2], 1);
  struct picture picture = picture_of_chart(&chart);
  assert_int_equal(picture_count(&picture, MARKS), 0);
  assert_int_equal(picture_count(&picture, "//s:path[@class='level bound']"), 1);
  picture_clear(&picture);
}

TEST(series_differ_in_colour_and_in_shape) {
  neap_chart chart = chart_of(both, 2);
  struct picture picture = picture_of_chart(&chart);
  assert_int_equal(picture_count(&picture, "//s:circle[@class='mark series0'][s:title]"), 6);
  assert_int_equal(picture_count(&picture, "//s:path[@class='mark series1'][s:title]"), 4);
  picture_clear(&picture);
}

/* ---------------------------------------------------------------- bands */

static const double least[] = {1.4 * MIB, 1.2 * MIB, 1.1 * MIB, MIB, MIB, MIB};
static const double most[] = {2 * MIB, 1.3 * MIB, NAN, 1.2 * MIB, 1.1 * MIB, 1.05 * MIB};
static const neap_band ranges[] = {{least, most}, {NULL, NULL}};

static size_t count_of(const char *text, char wanted) {
  size_t count = 0;
  for (; *text; text++)
    count += *text == wanted;
  return count;
}

/* A gap splits the band: over the first two x, and over the last three. */
TEST(a_band_covers_the_range_of_its_series) {
  const neap_series series[] = {{"tune", falling, false}, {"bound", level_curve, true}};
  neap_chart chart = chart_of(series, 2);
  chart.bands = ranges;
  chart.caption = "median of 5 seeds";
  struct picture picture = picture_of_chart(&chart);
  struct found bands = picture_find(&picture, "//s:path[@class='band series0']");
  assert_int_equal(bands.count, 2);
  static const size_t corners[] = {4, 6};
  for (size_t i = 0; i < 2; i++) {
    xmlChar *data = xmlGetProp(bands.nodes[i], (const xmlChar *)"d");
    const char *text = (const char *)data;
    assert_int_equal(count_of(text, 'M') + count_of(text, 'L'), corners[i]);
    xmlFree(data);
  }
  found_clear(&bands);
  assert_true(picture_says(&picture, "text", "median of 5 seeds"));
  assert_true(picture_says(&picture, "title",
                           "tune\nat 1: 1,572,864 B\nfrom 1,468,006 B to 2,097,152 B"));
  assert_true(picture_says(&picture, "title", "tune\nat 3: 1,258,291 B"));
  assert_true(picture_says(&picture, "text", "2 MiB")); /* the axis spans the band */
  picture_clear(&picture);
}

/* Values of two series at a name stand side by side, and nothing connects names. */
TEST(names_take_the_place_of_numbers) {
  static const double x[] = {0, 1, 2}, one[] = {3, 4, 5}, other[] = {5, 3, NAN};
  static const double low[] = {2, 4, 5}, high[] = {4, 4, 6};
  static const char *const names[] = {"auto", "a <name>", "top"};
  static const neap_series series[] = {{"2", one, false}, {"20", other, false}};
  static const neap_band bands[] = {{low, high}, {NULL, NULL}};
  const neap_chart chart = {.x = x,
                            .x_count = 3,
                            .x_names = names,
                            .series = series,
                            .series_count = 2,
                            .bands = bands};
  struct picture picture = picture_of_chart(&chart);
  assert_int_equal(picture_count(&picture, "//s:path[starts-with(@class, 'series ')]"), 0);
  assert_int_equal(picture_count(&picture, "//s:line[@class='whisker series0']"), 2);
  assert_true(picture_says(&picture, "text", "a <name>"));
  assert_true(picture_says(&picture, "title", "2\nat auto: 3\nfrom 2 to 4"));
  assert_true(picture_says(&picture, "title", "20\nat a <name>: 3"));
  struct found circles = picture_find(&picture, "//s:circle[s:title]");
  assert_int_equal(circles.count, 3);
  const xmlNode *whisker = picture_only(&picture, "//s:line[@class='whisker series0'][1]");
  assert_true(fabs(picture_number(circles.nodes[0], "cx") - picture_number(whisker, "x1")) <
              0.02);
  found_clear(&circles);
  picture_clear(&picture);
}

/* ---------------------------------------------------------------- axes */

/* Equal factors are equally far apart. */
TEST(a_logarithmic_axis_has_ticks_at_1_2_and_5) {
  static const double x[] = {1, 10, 100}, y[] = {3, 2, 1};
  static const char *const ticks[] = {"2", "5", "10", "20", "50", "100"};
  const neap_series series = {"line", y, false};
  const neap_chart chart = {
      .x = x, .x_count = 3, .series = &series, .series_count = 1, .x_is_logarithmic = true};
  struct picture picture = picture_of_chart(&chart);
  for (size_t i = 0; i < SAMPLE_COUNT(ticks); i++)
    assert_true(picture_says(&picture, "text", ticks[i]));
  struct found marks = picture_find(&picture, "//s:circle[s:title]");
  assert_int_equal(marks.count, 3);
  double across[3];
  for (size_t i = 0; i < 3; i++)
    across[i] = picture_number(marks.nodes[i], "cx");
  assert_true(fabs(across[1] - (across[0] + across[2]) / 2) < 0.02);
  assert_true(picture_says(&picture, "title", "line\nat 10: 2"));
  found_clear(&marks);
  picture_clear(&picture);
}

/* Powers of ten, where 1, 2 and 5 would be too close.  Below 1 there are decimals. */
TEST(a_long_logarithmic_axis_has_powers_of_ten) {
  static const double x[] = {0, 0.01, 1, 1e9}, y[] = {4, 3, 2, 1};
  const neap_series series = {"line", y, false};
  const neap_chart chart = {
      .x = x + 1, .x_count = 3, .series = &series, .series_count = 1, .x_is_logarithmic = true};
  struct picture picture = picture_of_chart(&chart);
  assert_true(picture_says(&picture, "text", "0.01"));
  assert_true(picture_says(&picture, "text", "1,000,000,000"));
  assert_false(picture_says(&picture, "text", "0.02"));
  picture_clear(&picture);
}

TEST(what_is_not_above_0_is_not_on_a_logarithmic_axis) {
  static const double x[] = {-1, 0, 4}, y[] = {3, 2, 1};
  const neap_series series = {"line", y, false};
  neap_chart chart = {
      .x = x, .x_count = 3, .series = &series, .series_count = 1, .x_is_logarithmic = true};
  struct picture picture = picture_of_chart(&chart);
  picture_clear(&picture);
  chart.x_count = 1;
  picture = picture_of_chart(&chart);
  assert_int_equal(picture_count(&picture, MARKS), 0);
  picture_clear(&picture);
}

TEST(an_axis_that_does_not_begin_at_0_is_labelled) {
  neap_chart chart = chart_of(both, 3);
  struct picture picture = picture_of_chart(&chart);
  assert_true(picture_says(&picture, "text", "The vertical axis begins at 1 MiB, not at 0."));
  picture_clear(&picture);
  static const double wide[] = {9 * MIB, 8 * MIB, 7 * MIB, 3 * MIB, 2 * MIB, MIB};
  const neap_series series = {"wide", wide, false};
  chart = chart_of(&series, 1);
  picture = picture_of_chart(&chart);
  assert_false(picture_mentions(&picture, "text", "vertical axis begins"));
  assert_true(picture_says(&picture, "text", "0"));
  picture_clear(&picture);
}

TEST(round_numbers_get_round_ticks) {
  static const double x[] = {0.1, 0.25, 0.5, 1}, y[] = {-1, 0, 1, 3.25};
  const neap_series series = {"line", y, false};
  const neap_chart chart = {.x = x, .x_count = 4, .series = &series, .series_count = 1};
  struct picture picture = picture_of_chart(&chart);
  assert_true(picture_says(&picture, "text", "0.1"));
  assert_true(picture_says(&picture, "text", "-0.5"));
  assert_true(picture_says(&picture, "title", "line\nat 1: 3.25"));
  picture_clear(&picture);
}

/* The centre of a mark, which is a circle. */
TEST(points_lie_at_their_values) {
  static const double x[] = {0, 25, 100}, y[] = {0, 50, 100};
  const neap_series series = {"line", y, false};
  const neap_chart chart = {.x = x, .x_count = 3, .series = &series, .series_count = 1};
  struct picture picture = picture_of_chart(&chart);
  struct found marks = picture_find(&picture, "//s:circle[s:title]");
  assert_int_equal(marks.count, 3);
  double across[3], up[3];
  for (size_t i = 0; i < 3; i++) {
    across[i] = picture_number(marks.nodes[i], "cx");
    up[i] = picture_number(marks.nodes[i], "cy");
  }
  assert_true(fabs(across[1] - (across[0] + (across[2] - across[0]) / 4)) < 0.02);
  assert_true(fabs(up[1] - (up[0] + up[2]) / 2) < 0.02);
  assert_true(up[0] > up[2]);
  found_clear(&marks);
  picture_clear(&picture);
}

/* ---------------------------------------------------------------- limits */

TEST(a_single_point_is_drawn) {
  static const double x[] = {4}, y[] = {12288};
  const neap_series series[] = {{"one", y, false}, {"bound", y, true}};
  const neap_chart chart = {
      .x = x, .x_count = 1, .series = series, .series_count = 2, .y_is_bytes = true};
  struct picture picture = picture_of_chart(&chart);
  assert_int_equal(picture_count(&picture, MARKS), 1);
  assert_int_equal(picture_count(&picture, "//s:line[@class='level bound'][@x1 != @x2]"), 2);
  assert_true(picture_says(&picture, "text", "12.00 KiB"));
  picture_clear(&picture);
}

TEST(a_chart_without_values_is_drawn) {
  static const double none[] = {NAN, INFINITY, -INFINITY, NAN, NAN, NAN};
  const neap_series series = {"none", none, false};
  const neap_chart charts[] = {{0}, chart_of(&series, 1)};
  for (size_t i = 0; i < 2; i++) {
    struct picture picture = picture_of_chart(&charts[i]);
    assert_true(picture_says(&picture, "text", "no values"));
    picture_clear(&picture);
  }
}

TEST(any_number_can_be_drawn) {
  static const double extremes[][3] = {
      {-1e300, 0, 1e300},
      {1e-300, 2e-300, 3e-300},
      {1e15, 1e15 + 1, 1e15 + 2},
      {1e20, 2e20, 3e20},
      {0, 0, 0},
      {-5, -5, -5},
      {1, 1 + 1e-15, 2},
      {9.3e18, 1.8446744e19, 1e40},
      {1e299, -0.0, 1e-320},
  };
  for (size_t i = 0; i < SAMPLE_COUNT(extremes); i++)
    for (int bytes = 0; bytes < 2; bytes++) {
      const neap_series series = {"extreme", extremes[i], false};
      const neap_chart chart = {.x = extremes[i],
                                .x_count = 3,
                                .series = &series,
                                .series_count = 1,
                                .y_is_bytes = bytes == 1};
      struct picture picture = picture_of_chart(&chart);
      picture_clear(&picture);
    }
}

TEST(any_text_gives_valid_xml) {
  const neap_series series[] = {{"\xff\xfe a&<b>\x01", falling, false}, {NULL, gappy, false}};
  neap_chart chart = chart_of(series, 2);
  chart.title = "]]> \xed\xa0\x80 <title>";
  chart.x_label = "\xc3";
  struct picture picture = picture_of_chart(&chart);
  assert_true(picture_says(&picture, "text", "\xef\xbf\xbd\xef\xbf\xbd a&<b>\xef\xbf\xbd"));
  picture_clear(&picture);
}

/* Names that do not fit beside the lines are counted. */
TEST(a_hundred_series_can_be_drawn) {
  neap_series series[100];
  for (size_t i = 0; i < 100; i++)
    series[i] = (neap_series){"series", falling, false};
  neap_chart chart = chart_of(series, 100);
  struct picture picture = picture_of_chart(&chart);
  assert_int_equal(picture_count(&picture, MARKS), 600);
  assert_true(picture_says(&picture, "text", "and 89 more"));
  picture_clear(&picture);
}

TEST(a_full_device_is_an_error) {
  if (access("/dev/full", W_OK) != 0) skip();
  neap_chart chart = chart_of(both, 3);
  neap_error error;
  assert_error(neap_chart_draw(&chart, "/dev/full", &error), NEAP_ERROR_SYSTEM, &error);
  assert_string_equal(error.source, "/dev/full");
}

/* ---------------------------------------------------------------- bars */

/* The chart of neap compare, read back from its SVG. */

#define DOTS "//s:circle"

static neap_bars bars_of(const neap_bar *items, size_t count, neap_size level) {
  return (neap_bars){
      .title = "bars", .items = items, .count = count, .level = level, .level_name = "bound"};
}

static double dot(const struct picture *picture, size_t index) {
  char path[64];
  snprintf(path, sizeof path, "(" DOTS ")[%zu]", index + 1);
  return picture_number(picture_only(picture, path), "cx");
}

TEST(gaps_are_on_a_logarithmic_scale) {
  static const neap_bar items[] = {{"best", 100000, "", true},
                                   {"one percent", 101000, "", true},
                                   {"ten percent", 110000, "", false},
                                   {"naive", 1100000, "", false},
                                   {"none", -1, "no such input", false}};
  neap_bars bars = bars_of(items, 5, 100000);
  struct picture picture = picture_of_bars(&bars);
  assert_int_equal(picture_count(&picture, DOTS), 4);
  double decade = dot(&picture, 2) - dot(&picture, 1);
  assert_true(decade > 40);
  assert_true(fabs(dot(&picture, 3) - dot(&picture, 2) - 2 * decade) < 0.03);
  assert_true(dot(&picture, 0) < dot(&picture, 1));
  assert_true(picture_says(&picture, "text", "97.66 KiB  +0 %"));
  assert_true(picture_says(&picture, "text", "1.05 MiB  +1,000.00 %"));
  assert_true(picture_says(&picture, "text", "no such input"));
  assert_true(picture_says(&picture, "title", "naive: 1,100,000 bytes"));
  picture_clear(&picture);
}

/* The axis of 29 % to 1,337 % does not go on to 10,000 %. */
TEST(the_axis_ends_near_the_largest_gap) {
  static const neap_bar items[] = {
      {"auto", 100000, "", true}, {"sort", 129000, "", true}, {"naive", 1437300, "", false}};
  static const neap_bar near[] = {{"sort", 129000, "", true}, {"arena", 131050, "", false}};
  neap_bars bars = bars_of(items, 3, 100000), close = bars_of(near, 2, 100000);
  struct picture picture = picture_of_bars(&bars);
  assert_true(picture_says(&picture, "text", "10"));
  assert_true(picture_says(&picture, "text", "2,000"));
  assert_false(picture_says(&picture, "text", "10,000"));
  assert_true(dot(&picture, 2) > 700 && dot(&picture, 2) < 790);
  picture_clear(&picture);
  picture = picture_of_bars(&close);
  assert_true(picture_says(&picture, "text", "100"));
  assert_false(picture_says(&picture, "text", "200"));
  picture_clear(&picture);
}

/* Gaps that are too small to print are still right of the bound. */
TEST(a_tiny_gap_is_not_at_the_bound) {
  static const neap_bar items[] = {{"a", NEAP_MAX / 2, "", true},
                                   {"b", NEAP_MAX / 2 + 1, "", true}};
  static const neap_bar far[] = {{"a", 1000000000, "", true}, {"b", 1000000001, "", true}};
  neap_bars same = bars_of(items, 2, NEAP_MAX / 2), bars = bars_of(far, 2, 1000000000);
  struct picture picture = picture_of_bars(&same);
  assert_int_equal(picture_count(&picture, DOTS), 2);
  picture_clear(&picture);
  picture = picture_of_bars(&bars);
  assert_true(dot(&picture, 0) < dot(&picture, 1));
  picture_clear(&picture);
}

TEST(without_gaps_all_dots_are_at_the_bound) {
  static const neap_bar items[] = {{"a", 7, "", true}, {"b", 7, "", false}};
  neap_bars bars = bars_of(items, 2, 7);
  struct picture picture = picture_of_bars(&bars);
  assert_true(dot(&picture, 0) == dot(&picture, 1));
  assert_true(picture_says(&picture, "text", "bound 7 B"));
  picture_clear(&picture);
}

/* Without a level, bars begin at 0. */
TEST(without_a_level_there_are_bars) {
  static const neap_bar items[] = {{"a", 0, "", true}, {"b", 8, "", false}};
  neap_bars bars = bars_of(items, 2, 0);
  struct picture picture = picture_of_bars(&bars);
  assert_int_equal(picture_count(&picture, DOTS), 0);
  assert_true(picture_says(&picture, "title", "b: 8 bytes"));
  assert_true(picture_says(&picture, "text", "8 B"));
  picture_clear(&picture);
}

TEST(no_bars_can_be_drawn) {
  for (neap_size level = 0; level < 2; level++) {
    neap_bars bars = bars_of(NULL, 0, level);
    struct picture picture = picture_of_bars(&bars);
    assert_int_equal(picture_count(&picture, DOTS), 0);
    picture_clear(&picture);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_chart_gives_the_recorded_bytes),
      cmocka_unit_test(every_value_has_a_mark),
      cmocka_unit_test(steps_hold_until_the_next_value),
      cmocka_unit_test(a_missing_value_breaks_the_line),
      cmocka_unit_test(a_reference_is_dashed_and_has_no_marks),
      cmocka_unit_test(series_differ_in_colour_and_in_shape),
      cmocka_unit_test(a_band_covers_the_range_of_its_series),
      cmocka_unit_test(names_take_the_place_of_numbers),
      cmocka_unit_test(a_logarithmic_axis_has_ticks_at_1_2_and_5),
      cmocka_unit_test(a_long_logarithmic_axis_has_powers_of_ten),
      cmocka_unit_test(what_is_not_above_0_is_not_on_a_logarithmic_axis),
      cmocka_unit_test(an_axis_that_does_not_begin_at_0_is_labelled),
      cmocka_unit_test(round_numbers_get_round_ticks),
      cmocka_unit_test(points_lie_at_their_values),
      cmocka_unit_test(a_single_point_is_drawn),
      cmocka_unit_test(a_chart_without_values_is_drawn),
      cmocka_unit_test(any_number_can_be_drawn),
      cmocka_unit_test(any_text_gives_valid_xml),
      cmocka_unit_test(a_hundred_series_can_be_drawn),
      cmocka_unit_test(a_full_device_is_an_error),
      cmocka_unit_test(gaps_are_on_a_logarithmic_scale),
      cmocka_unit_test(the_axis_ends_near_the_largest_gap),
      cmocka_unit_test(a_tiny_gap_is_not_at_the_bound),
      cmocka_unit_test(without_gaps_all_dots_are_at_the_bound),
      cmocka_unit_test(without_a_level_there_are_bars),
      cmocka_unit_test(no_bars_can_be_drawn),
  };
  return cmocka_run_group_tests_name("chart", tests, NULL, NULL);
}
