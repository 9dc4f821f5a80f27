/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the colours of drawings stand for. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan/plan.h"
#include "tests/support/sample.h"
#include "viz/layout/colouring.h"
#include "viz/layout/quantity.h"

struct buffer_row {
  const char *name, *hint;
  neap_time start, end;
  neap_size size;
};

static neap_problem *problem_of(const struct buffer_row *rows, size_t count) {
  neap_problem *problem = neap_problem_new();
  assert_non_null(problem);
  for (size_t i = 0; i < count; i++) {
    neap_buffer buffer = NEAP_BUFFER_INIT;
    neap_error error;
    const neap_range range = {rows[i].start, rows[i].end};
    buffer.name = rows[i].name;
    buffer.hint = rows[i].hint;
    buffer.size = rows[i].size;
    buffer.ranges = &range;
    buffer.range_count = 1;
    assert_ok(neap_problem_add(problem, &buffer, &error), &error);
  }
  return problem;
}

/* A plan with all buffers on top of each other, or all at the bottom. */
static neap_plan *plan_of(const neap_problem *problem, bool stacked) {
  neap_offset *offsets = calloc(problem->count + 1, sizeof *offsets), at = 0;
  assert_non_null(offsets);
  for (size_t i = 0; i < problem->count; i++) {
    offsets[i] = stacked ? at : 0;
    at += problem->buffers[i].size;
  }
  neap_plan *plan = sample_plan(problem, offsets);
  free(offsets);
  return plan;
}

static struct colouring colour(const neap_plan *plan, const char *by, size_t most, bool sound) {
  struct colouring colouring;
  const struct colouring_wish wish = {by, most, sound};
  neap_error error;
  assert_ok(colouring_init(&colouring, plan, &wish, &error), &error);
  return colouring;
}

/* The labels of the classes, each with its count: "conv 2|add 1|". */
static const char *legend(const struct colouring *colouring, char text[1024]) {
  text[0] = '\0';
  for (size_t i = 0; i < colouring->count; i++)
    snprintf(text + strlen(text), 1024 - strlen(text), "%s %zu|", colouring->classes[i].label,
             colouring->classes[i].count);
  return text;
}

static void expect_legend(const struct buffer_row *rows, size_t count, const char *by,
                          size_t most, const char *wanted) {
  char text[1024];
  neap_problem *problem = problem_of(rows, count);
  neap_plan *plan = plan_of(problem, true);
  struct colouring colouring = colour(plan, by, most, true);
  assert_string_equal(legend(&colouring, text), wanted);
  colouring_clear(&colouring);
  neap_plan_free(plan);
  neap_problem_free(problem);
}

TEST(names_group_by_their_first_part) {
  static const struct buffer_row rows[] = {
      {"conv1/weights", NULL, 0, 1, 10}, {"conv1/bias", NULL, 0, 1, 10},
      {"conv_1", NULL, 0, 1, 8},         {"conv_22", NULL, 0, 1, 8},
      {"a.b.c", NULL, 0, 1, 7},          {"12", NULL, 0, 1, 6},
      {"/lead/x", NULL, 0, 1, 5},        {"plain", NULL, 0, 1, 4},
  };
  expect_legend(rows, SAMPLE_COUNT(rows), "name", 10,
                "conv1 2|conv 2|a 1|other names 1|/lead 1|plain 1|");
}

/* A prefix that all names share says nothing. */
TEST(a_common_prefix_of_names_is_ignored) {
  static const struct buffer_row rows[] = {
      {"/model/layer1/conv", NULL, 0, 1, 10},
      {"/model/layer1/relu", NULL, 0, 1, 10},
      {"/model/layer2/conv", NULL, 0, 1, 10},
      {"/model/head", NULL, 0, 1, 1},
  };
  expect_legend(rows, SAMPLE_COUNT(rows), "name", 10, "layer1 2|layer2 1|head 1|");
}

TEST(the_largest_groups_have_their_own_colours) {
  static const struct buffer_row rows[] = {
      {"t0", "small", 0, 1, 1},      {"t1", "large", 0, 1, 90}, {"t2", NULL, 0, 1, 20},
      {"t3", "medium", 0, 1, 30},    {"t4", "large", 0, 1, 1},  {"t5", "tiny", 0, 1, 0},
      {"t6", "other\x01", 0, 1, 25},
  };
  expect_legend(rows, SAMPLE_COUNT(rows), "operator", 10,
                "large 2|medium 1|other\xef\xbf\xbd 1|no operator 1|small 1|tiny 1|");
  expect_legend(rows, SAMPLE_COUNT(rows), "operator", 3, "large 2|medium 1|4 others 4|");
}

TEST(ramps_end_at_round_numbers) {
  static const struct buffer_row rows[] = {
      {"a", NULL, 0, 1, 0},       {"b", NULL, 0, 3, 100},       {"c", NULL, 0, 40, 3000},
      {"d", NULL, 0, 500, 70000}, {"e", NULL, 0, 900, 1 << 20},
  };
  expect_legend(rows, SAMPLE_COUNT(rows), "size", 10,
                "up to 512 B 2|up to 4 KiB 1|up to 32 KiB 0|up to 256 KiB 1|up to 2 MiB 1|");
  expect_legend(rows, SAMPLE_COUNT(rows), "lifetime", 10,
                "up to 2 1|up to 10 1|up to 50 1|up to 200 0|up to 1,000 2|");
  expect_legend(rows, 1, "size", 10, "up to 1 B 1|");
}

TEST(the_largest_numbers_have_a_class) {
  const struct buffer_row rows[] = {{"a", NULL, 0, 1, 1},
                                    {"b", NULL, 0, NEAP_MAX, NEAP_MAX / 2}};
  expect_legend(rows, 2, "lifetime", 5,
                "up to 5,000 1|up to 50,000,000 0|up to 500,000,000,000 0|"
                "up to 5,000,000,000,000,000 0|up to 9,223,372,036,854,775,807 1|");
  expect_legend(rows, 2, "size", 2, "up to 2 GiB 1|up to 8 EiB 1|");
}

/* ---------------------------------------------------------------- ages and padding */

static void expect_classes(const neap_plan *plan, const char *by, size_t most,
                           const char *wanted) {
  char text[1024];
  struct colouring colouring = colour(plan, by, most, true);
  assert_string_equal(legend(&colouring, text), wanted);
  colouring_clear(&colouring);
}

/* Most bytes are alive at 4, when c has just been allocated; d is in its gap. */
TEST(ages_are_those_at_the_fullest_moment) {
  static const struct buffer_row rows[] = {{"a", NULL, 0, 6, 10},
                                           {"b", NULL, 2, 5, 10},
                                           {"c", NULL, 4, 5, 10},
                                           {"freed", NULL, 0, 4, 1},
                                           {"later", NULL, 5, 7, 1}};
  expect_legend(rows, SAMPLE_COUNT(rows), "age", 10,
                "up to 2 2|up to 5 1|freed before 1|allocated later 1|");
  neap_problem *problem = problem_of(rows, SAMPLE_COUNT(rows));
  const neap_range ranges[] = {{0, 4}, {6, 7}};
  neap_buffer gap = {.struct_size = sizeof(neap_buffer),
                     .name = "d",
                     .size = 1,
                     .ranges = ranges,
                     .range_count = 2,
                     .alignment = 1,
                     .fixed_offset = NEAP_UNPLACED,
                     .near_offset = NEAP_UNPLACED,
                     .window_high = NEAP_MAX};
  neap_error error;
  assert_ok(neap_problem_add(problem, &gap, &error), &error);
  neap_plan *plan = plan_of(problem, true);
  expect_classes(plan, "age", 10, "up to 2 2|up to 5 1|freed before 1|allocated later 2|");
  neap_plan_free(plan);
  neap_problem_free(problem);
}

static neap_plan *aligned_plan(neap_problem *problem, const neap_size *alignments,
                               const neap_offset *offsets, size_t count) {
  for (size_t i = 0; i < count; i++)
    problem->buffers[i].alignment = alignments[i];
  neap_plan *plan = sample_plan(problem, offsets);
  return plan;
}

/* Above a's 10 bytes are 6 of padding; below c is a hole of 32, which no alignment explains. */
TEST(padding_is_less_than_the_alignment) {
  static const struct buffer_row rows[] = {{"a", NULL, 0, 2, 10},
                                           {"b", NULL, 1, 3, 16},
                                           {"c", NULL, 2, 5, 16},
                                           {"d", NULL, 3, 4, 0}};
  const neap_size alignments[] = {1, 16, 16, 16};
  const neap_offset offsets[] = {0, 16, 64, 8};
  neap_problem *problem = problem_of(rows, SAMPLE_COUNT(rows));
  neap_plan *plan = aligned_plan(problem, alignments, offsets, SAMPLE_COUNT(rows));
  neap_size padding[4];
  neap_error error;
  assert_ok(padding_find(plan, padding, &error), &error);
  assert_int_equal(padding[0], 0);
  assert_int_equal(padding[1], 6);
  assert_int_equal(padding[2], 0);
  assert_int_equal(padding[3], 0);
  expect_classes(plan, "waste", 10, "up to 8 B 1|none 3|");
  neap_plan_free(plan);
  neap_problem_free(problem);
}

/* Pools also align their buffers, and reserved bytes are not padding. */
TEST(padding_knows_pools_and_reserved_bytes) {
  static const struct buffer_row rows[] = {{"a", NULL, 0, 2, 10}, {"b", NULL, 0, 2, 10}};
  neap_problem *problem = problem_of(rows, 2);
  const neap_pool pools[] = {
      {.struct_size = sizeof(neap_pool), .name = "x", .capacity = -1, .alignment = 12},
      {.struct_size = sizeof(neap_pool), .name = "y", .capacity = -1, .alignment = 1}};
  const neap_reserved reserved = {
      .struct_size = sizeof(neap_reserved), .pool = 1, .low = 0, .high = 5, .when = {1, 3}};
  neap_error error;
  assert_ok(neap_problem_add_pool(problem, &pools[0], &error), &error);
  assert_ok(neap_problem_add_pool(problem, &pools[1], &error), &error);
  assert_ok(neap_problem_reserve(problem, &reserved, &error), &error);
  const neap_size alignments[] = {8, 8};
  const neap_offset offsets[] = {24, 8};
  const size_t in[] = {0, 1};
  neap_plan *plan = aligned_plan(problem, alignments, offsets, 2);
  assert_ok(neap_plan_set_pools(plan, in, &error), &error);
  neap_size padding[2];
  assert_ok(padding_find(plan, padding, &error), &error);
  assert_int_equal(padding[0], 0); /* 24 bytes are a multiple of 8 and 12: room for it at 0 */
  assert_int_equal(padding[1], 3);
  expect_classes(plan, "pool", 10, "x 1|y 1|");
  neap_plan_free(plan);
  neap_problem_free(problem);
}

/* The highest end at or below a buffer's offset, of all that are alive with it. */
static neap_size slow_padding(const neap_plan *plan, size_t buffer) {
  const struct neap_problem *problem = plan->problem;
  neap_offset highest = 0;
  for (size_t i = 0; i < problem->count; i++) {
    neap_range a = problem_hull(problem, i), b = problem_hull(problem, buffer);
    neap_offset end = plan_end(plan, i);
    if (a.start < b.end && b.start < a.end && end <= plan->offsets[buffer] && end > highest)
      highest = end;
  }
  neap_size below = plan->offsets[buffer] - highest;
  return below < problem->buffers[buffer].alignment ? below : 0;
}

#define MANY 60

TEST(padding_is_that_of_a_slow_search) {
  for (unsigned seed = 1; seed <= 50; seed++) {
    struct buffer_row rows[MANY];
    char names[MANY][8];
    neap_size alignments[MANY], padding[MANY];
    neap_offset offsets[MANY];
    for (size_t i = 0; i < MANY; i++) {
      unsigned mixed = (unsigned)(i * 7919 + seed * 104729) * 2654435761u;
      snprintf(names[i], sizeof names[i], "%zu", i);
      neap_time start = mixed % 17;
      rows[i] = (struct buffer_row){names[i], NULL, start, start + 1 + (mixed >> 8) % 9,
                                    1 + (mixed >> 12) % 40};
      alignments[i] = (neap_size)1 << (mixed >> 20) % 6;
      offsets[i] = (neap_offset)((mixed >> 16) % 200) / alignments[i] * alignments[i];
    }
    neap_problem *problem = problem_of(rows, MANY);
    neap_plan *plan = aligned_plan(problem, alignments, offsets, MANY);
    neap_error error;
    assert_ok(padding_find(plan, padding, &error), &error);
    for (size_t i = 0; i < MANY; i++)
      assert_int_equal(padding[i], slow_padding(plan, i));
    neap_plan_free(plan);
    neap_problem_free(problem);
  }
}

/* ---------------------------------------------------------------- the default */

static void expect_default(const neap_plan *plan, bool sound, const char *title) {
  struct colouring colouring = colour(plan, NULL, 10, sound);
  assert_string_equal(colouring.title, title);
  colouring_clear(&colouring);
}

TEST(risk_is_the_default_only_of_the_tuner) {
  struct buffer_row rows[] = {{"conv/a", NULL, 0, 1, 10}, {"add/a", NULL, 1, 2, 10}};
  neap_problem *problem = problem_of(rows, 2);
  neap_plan *gap = plan_of(problem, true), *none = plan_of(problem, false);
  assert_true(gap->report.peak > gap->report.bound);
  expect_default(gap, true, "size");
  expect_default(gap, false, "size");
  expect_default(none, true, "size");
  const neap_round rounds[2] = {{.struct_size = sizeof(neap_round), .round = 1, .peak = 20},
                                {.struct_size = sizeof(neap_round), .round = 2, .peak = 10}};
  neap_history history = {.struct_size = sizeof(neap_history),
                          .engine = "tune",
                          .round_list = rounds,
                          .round_count = 1};
  neap_error error;
  assert_ok(neap_plan_set_history(none, &history, &error), &error);
  expect_default(none, true, "size");
  history.round_count = 2;
  assert_ok(neap_plan_set_history(none, &history, &error), &error);
  expect_default(none, true, "risk");
  expect_default(none, false, "size");
  history.engine = "auto";
  assert_ok(neap_plan_set_history(none, &history, &error), &error);
  expect_default(none, true, "size");
  neap_plan_free(gap);
  neap_plan_free(none);
  neap_problem_free(problem);
}

TEST(operators_come_before_sizes) {
  static const struct buffer_row hinted[] = {{"a/x", "conv", 0, 1, 10},
                                             {"b/x", "add", 1, 2, 10}},
                                 alike[] = {{"a/x", "conv", 0, 1, 10},
                                            {"b/x", "conv", 1, 2, 10}},
                                 numbered[] = {{"1", NULL, 0, 1, 10}, {"2", NULL, 1, 2, 10}};
  const struct {
    const struct buffer_row *rows;
    const char *title;
  } cases[] = {{hinted, "operator"}, {alike, "size"}, {numbered, "size"}};
  for (size_t i = 0; i < SAMPLE_COUNT(cases); i++) {
    neap_problem *problem = problem_of(cases[i].rows, 2);
    neap_plan *plan = plan_of(problem, false);
    expect_default(plan, true, cases[i].title);
    neap_plan_free(plan);
    neap_problem_free(problem);
  }
}

TEST(an_empty_plan_has_no_classes) {
  neap_problem *problem = neap_problem_new();
  neap_plan *plan = plan_of(problem, true);
  neap_colouring_info info = NEAP_INIT(neap_colouring_info);
  for (size_t i = 0; neap_colouring_at(i, &info); i++) {
    struct colouring colouring = colour(plan, info.name, 10, true);
    for (size_t k = 0; k < colouring.count; k++)
      assert_int_equal(colouring.classes[k].count, 0);
    colouring_clear(&colouring);
  }
  neap_plan_free(plan);
  neap_problem_free(problem);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(names_group_by_their_first_part),
      cmocka_unit_test(a_common_prefix_of_names_is_ignored),
      cmocka_unit_test(the_largest_groups_have_their_own_colours),
      cmocka_unit_test(ramps_end_at_round_numbers),
      cmocka_unit_test(the_largest_numbers_have_a_class),
      cmocka_unit_test(ages_are_those_at_the_fullest_moment),
      cmocka_unit_test(padding_is_less_than_the_alignment),
      cmocka_unit_test(padding_knows_pools_and_reserved_bytes),
      cmocka_unit_test(padding_is_that_of_a_slow_search),
      cmocka_unit_test(risk_is_the_default_only_of_the_tuner),
      cmocka_unit_test(operators_come_before_sizes),
      cmocka_unit_test(an_empty_plan_has_no_classes),
  };
  return cmocka_run_group_tests_name("colouring", tests, NULL, NULL);
}
