/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Replays the metrics, the sorter and the placer (doc/tuner.md, R6-R18). */
#include <stdlib.h>
#include <string.h>

#include "order/sorter.h"
#include "tests/unit/layout.h"
#include "tests/unit/replay.h"

/* ---------------------------------------------------------------- metrics */

static int64_t *metric_values(const struct metrics *metrics, enum metric metric, size_t count) {
  int64_t *values = test_calloc(count + 1, sizeof *values);
  for (size_t i = 0; i < count; i++)
    values[i] = (int64_t)metrics->values[metric][i];
  return values;
}

/* Two rectangles' overlap is the metric that each of them has in a problem of just these two. */
static int64_t overlap_of_pair(const neap_problem *problem, size_t i, size_t j) {
  neap_problem *pair = neap_problem_new();
  assert_non_null(pair);
  neap_error error;
  size_t members[] = {i, j};
  for (size_t k = 0; k < 2; k++) {
    neap_buffer buffer = NEAP_INIT(neap_buffer);
    neap_problem_buffer_at(problem, members[k], &buffer);
    assert_ok(neap_problem_add(pair, &buffer, &error), &error);
  }
  struct metrics metrics;
  assert_ok(metrics_init(&metrics, pair, 1u << METRIC_OVERLAP, &error), &error);
  assert_true(metrics.values[METRIC_OVERLAP][0] == metrics.values[METRIC_OVERLAP][1]);
  int64_t overlap = (int64_t)metrics.values[METRIC_OVERLAP][0];
  metrics_clear(&metrics);
  neap_problem_free(pair);
  return overlap;
}

static void expect_overlaps(const neap_problem *problem, const json_t *matrix) {
  size_t count = neap_problem_count(problem);
  assert_int_equal(json_array_size(matrix), count);
  for (size_t i = 0; i < count; i++) {
    const json_t *row = json_array_get(matrix, i);
    assert_int_equal(json_array_size(row), count);
    for (size_t j = 0; j < count; j++) {
      int64_t found = i == j ? 0 : overlap_of_pair(problem, i, j);
      assert_int_equal(found, element_integer(row, j));
    }
  }
}

void replay_metrics(const json_t *vector) {
  static const char *const keys[METRIC_COUNT] = {"duration", "size", "overlap_sum"};
  const json_t *expected = member(vector, "expected");
  neap_problem *problem = vector_problem(vector);
  size_t count = neap_problem_count(problem);
  struct metrics metrics;
  neap_error error;
  assert_ok(metrics_init(&metrics, problem, (1u << METRIC_COUNT) - 1, &error), &error);
  for (enum metric metric = METRIC_DURATION; metric < METRIC_COUNT; metric++) {
    int64_t *values = metric_values(&metrics, metric, count);
    expect_integers(member_array(expected, keys[metric]), values, count, keys[metric]);
    test_free(values);
  }
  metrics_clear(&metrics);
  expect_overlaps(problem, member_array(expected, "overlap"));
  neap_bound bound = NEAP_INIT(neap_bound);
  assert_ok(neap_problem_bound(problem, &bound, &error), &error);
  assert_int_equal(bound.bytes, member_integer(expected, "bound"));
  neap_problem_free(problem);
}

/* ---------------------------------------------------------------- sort */

/* The character that joins metrics combined in this way. */
static const char *separator(const char *combine) {
  static const char *const table[][2] = {
      {"single", ""}, {"sum", "+"}, {"product", "*"}, {"ratio", "/"}, {"lexicographic", ","}};
  for (size_t i = 0; i < SAMPLE_COUNT(table); i++)
    if (strcmp(table[i][0], combine) == 0) return table[i][1];
  fail_msg("unknown way of combining metrics: \"%s\"", combine);
  return NULL;
}

/* Writes the order as on the command line; each lexicographic key has its own sign. */
static void word_spec(const json_t *spec, char *text, size_t size) {
  const char *between = separator(member_text(spec, "combine"));
  const char *direction = member_text(spec, "direction");
  const json_t *metrics = member_array(spec, "metrics");
  bool ascending = strcmp(direction, "asc") == 0;
  assert_true(ascending || strcmp(direction, "desc") == 0);
  text[0] = '\0';
  for (size_t i = 0; i < json_array_size(metrics); i++) {
    bool begins_key = i == 0 || strcmp(between, ",") == 0;
    if (i > 0) strncat(text, between, size - strlen(text) - 1);
    if (ascending && begins_key) strncat(text, "-", size - strlen(text) - 1);
    strncat(text, json_string_value(json_array_get(metrics, i)), size - strlen(text) - 1);
  }
}

static void expect_sorted(const neap_problem *problem, const json_t *expected) {
  char text[128];
  word_spec(member(expected, "spec"), text, sizeof text);
  size_t count = neap_problem_count(problem);
  const json_t *names = member_array(expected, "names");
  struct order_spec spec;
  gsl_permutation order;
  neap_error error;
  assert_ok(order_spec_parse(&spec, text, &error), &error);
  assert_true(order_init(&order, count));
  assert_ok(sorter_sort(problem, &spec, &order, &error), &error);
  int64_t *found = test_calloc(count + 1, sizeof *found);
  assert_int_equal(json_array_size(names), count);
  for (size_t i = 0; i < count; i++) {
    found[i] = (int64_t)order.data[i];
    neap_buffer buffer = NEAP_INIT(neap_buffer);
    neap_problem_buffer_at(problem, order.data[i], &buffer);
    assert_string_equal(buffer.name, json_string_value(json_array_get(names, i)));
  }
  expect_integers(member_array(expected, "order"), found, count, text);
  test_free(found);
  order_clear(&order);
}

void replay_sort(const json_t *vector) {
  const json_t *expected = member_array(vector, "expected");
  assert_true(json_array_size(expected) > 0);
  neap_problem *problem = vector_problem(vector);
  for (size_t i = 0; i < json_array_size(expected); i++)
    expect_sorted(problem, json_array_get(expected, i));
  neap_problem_free(problem);
}

/* ---------------------------------------------------------------- place */

static void expect_placed(const neap_problem *problem, const size_t *order, const char *rule,
                          const json_t *expected) {
  size_t count = neap_problem_count(problem);
  struct layout layout;
  layout_ordered(&layout, problem, order, rule);
  expect_integers(member_array(expected, "start_offsets"), layout.offsets, count, rule);
  expect_integers(member_array(expected, "end_offsets"), layout.ends, count, rule);
  assert_int_equal(layout.peak, member_integer(expected, "target_width"));
  layout_clear(&layout);
}

void replay_place(const json_t *vector) {
  static const char *const rules[] = {"lowest", "drop", "tight"};
  const json_t *expected = member(vector, "expected");
  neap_problem *problem = vector_problem(vector);
  neap_bound bound = NEAP_INIT(neap_bound);
  neap_error error;
  assert_ok(neap_problem_bound(problem, &bound, &error), &error);
  assert_int_equal(bound.bytes, member_integer(expected, "bound"));
  size_t *order = vector_order(problem, member_array(vector, "order"));
  for (size_t i = 0; i < SAMPLE_COUNT(rules); i++)
    expect_placed(problem, order, rules[i], member(expected, rules[i]));
  test_free(order);
  neap_problem_free(problem);
}
