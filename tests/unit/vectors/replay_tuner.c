/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Replays the tuner (doc/tuner.md): the converter, the overlap check and the exporter (R2-R5,
 * R31-R33); the metrics, the sorter and the placer (R6-R18); the classifier, the merger, the stop
 * goals and whole runs (R19-R30).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "facts/columns.h"
#include "facts/risk.h"
#include "order/sorter.h"
#include "plan/plan.h"
#include "tests/support/layout.h"
#include "tests/unit/vectors/replay.h"
#include "tune/reorderer.h"

/* ---------------------------------------------------------------- problems */

/* ---------------------------------------------------------------- convert */

static neap_operation read_operation(const json_t *object) {
  const char *type = member_text(object, "type");
  bool is_alloc = strcmp(type, "alloc") == 0;
  if (!is_alloc && strcmp(type, "free") != 0) fail_msg("\"%s\" is no type of operation", type);
  return (neap_operation){member_text(object, "name"), is_alloc, member_integer(object, "size"),
                          member_integer(object, "align")};
}

static void expect_rectangle(const neap_problem *problem, size_t index,
                             const json_t *expected) {
  neap_buffer buffer = sample_buffer(problem, index);
  assert_string_equal(buffer.name, member_text(expected, "name"));
  assert_int_equal(buffer.range_count, 1);
  assert_int_equal(buffer.ranges[0].start, member_integer(expected, "start"));
  assert_int_equal(buffer.ranges[0].end, member_integer(expected, "end"));
  assert_int_equal(buffer.size, member_integer(expected, "size"));
  assert_int_equal(buffer.alignment, member_integer(expected, "align"));
  assert_int_equal(buffer.fixed_offset, NEAP_UNPLACED);
}

static void expect_bound(const neap_problem *problem, const json_t *expected) {
  const neap_bound bound = sample_bound(problem);
  assert_int_equal(bound.bytes, member_integer(expected, "bound"));
}

static void expect_refusal(const neap_error *error, const json_t *expected) {
  const char *kind = member_text(expected, "error");
  if (strcmp(kind, "double_alloc") != 0 && strcmp(kind, "free_without_alloc") != 0)
    fail_msg("\"%s\" is no error that this test knows", kind);
  assert_int_equal(error->line, member_integer(expected, "at") + 1);
  sample_check_error(error, NEAP_ERROR_INPUT, __FILE__, __LINE__);
}

void replay_convert(const json_t *vector) {
  const json_t *list = member_array(vector, "operations"),
               *expected = member(vector, "expected");
  size_t count = json_array_size(list);
  neap_operation *operations = test_calloc(count + 1, sizeof *operations);
  for (size_t i = 0; i < count; i++)
    operations[i] = read_operation(json_array_get(list, i));
  neap_problem *problem = NULL;
  neap_error error;
  neap_status status = neap_problem_from_operations(operations, count, &problem, &error);
  test_free(operations);
  if (json_object_get(expected, "error")) {
    assert_int_equal(status, NEAP_ERROR_INPUT);
    expect_refusal(&error, expected);
    return;
  }
  assert_int_equal(status, NEAP_OK);
  const json_t *rectangles = member_array(expected, "rectangles");
  assert_int_equal(neap_problem_count(problem), json_array_size(rectangles));
  for (size_t i = 0; i < json_array_size(rectangles); i++)
    expect_rectangle(problem, i, json_array_get(rectangles, i));
  expect_bound(problem, expected);
  assert_int_equal(neap_problem_horizon(problem), member_integer(expected, "container_length"));
  neap_problem_free(problem);
}

/* ---------------------------------------------------------------- plans of given offsets */

static neap_plan *given_plan(const neap_problem *problem, const json_t *vector) {
  const json_t *list = member_array(vector, "start_offsets");
  assert_int_equal(json_array_size(list), neap_problem_count(problem));
  int64_t *offsets = vector_integers(list);
  neap_plan *plan = sample_plan(problem, offsets);
  test_free(offsets);
  return plan;
}

void replay_check_overlap(const json_t *vector) {
  const json_t *expected = member(vector, "expected");
  const json_t *conflicts = member_array(expected, "conflicts");
  bool ok = json_is_true(member(expected, "ok"));
  neap_problem *problem = vector_problem(vector);
  neap_plan *plan = given_plan(problem, vector);
  neap_collision *collisions;
  size_t count;
  neap_error error;
  assert_ok(neap_plan_collisions(plan, SIZE_MAX, &collisions, &count, NULL, &error), &error);
  assert_int_equal(count, json_array_size(conflicts));
  for (size_t i = 0; i < count; i++) {
    const json_t *pair = json_array_get(conflicts, i);
    assert_int_equal(collisions[i].first, element_integer(pair, 0));
    assert_int_equal(collisions[i].second, element_integer(pair, 1));
  }
  free(collisions);
  assert_int_equal(neap_plan_verify(plan, -1, &error), ok ? NEAP_OK : NEAP_ERROR_UNSOUND);
  neap_plan_free(plan);
  neap_problem_free(problem);
}

/* ---------------------------------------------------------------- export */

static void expect_exported(const neap_plan *plan, size_t index, const json_t *expected) {
  neap_buffer buffer = sample_buffer(neap_plan_problem(plan), index);
  assert_true(plan->has_base);
  uint64_t start = plan->base + (uint64_t)neap_plan_offset(plan, index);
  assert_string_equal(buffer.name, member_text(expected, "name"));
  assert_int_equal(buffer.ranges[0].start, member_integer(expected, "start_time"));
  assert_int_equal(buffer.ranges[0].end, member_integer(expected, "end_time"));
  assert_int_equal(buffer.size, member_integer(expected, "size"));
  assert_int_equal(neap_plan_offset(plan, index), member_integer(expected, "start_offset"));
  assert_int_equal(plan_end(plan, index), member_integer(expected, "end_offset"));
  assert_int_equal(start, member_integer(expected, "start_address"));
  assert_int_equal(start + (uint64_t)buffer.size, member_integer(expected, "end_address"));
}

void replay_export(const json_t *vector) {
  const json_t *expected = member_array(vector, "expected");
  neap_problem *problem = vector_problem(vector);
  neap_plan *plan = given_plan(problem, vector);
  neap_error error;
  assert_ok(neap_plan_set_base(plan, (uint64_t)member_integer(vector, "base"), &error), &error);
  assert_int_equal(neap_problem_count(problem), json_array_size(expected));
  for (size_t i = 0; i < json_array_size(expected); i++)
    expect_exported(plan, i, json_array_get(expected, i));
  neap_plan_free(plan);
  neap_problem_free(problem);
}

/* ---------------------------------------------------------------- orders and placement */

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
    neap_buffer buffer = sample_buffer(problem, members[k]);
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
  const neap_bound bound = sample_bound(problem);
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
    neap_buffer buffer = sample_buffer(problem, order.data[i]);
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
  const neap_bound bound = sample_bound(problem);
  assert_int_equal(bound.bytes, member_integer(expected, "bound"));
  size_t *order = vector_order(problem, member_array(vector, "order"));
  for (size_t i = 0; i < SAMPLE_COUNT(rules); i++)
    expect_placed(problem, order, rules[i], member(expected, rules[i]));
  test_free(order);
  neap_problem_free(problem);
}

/* ---------------------------------------------------------------- the tuner */

/* ---------------------------------------------------------------- classify */

/* Expects the buffers that end above the threshold (comparison 1) or exactly at it (0). */
static void expect_ends(const struct layout *layout, neap_size threshold, int comparison,
                        const json_t *expected, const char *what) {
  int64_t *found = test_calloc(layout->count + 1, sizeof *found);
  size_t count = 0;
  for (size_t i = 0; i < layout->count; i++) {
    neap_offset end = layout->ends[i];
    if ((end > threshold) - (end < threshold) == comparison) found[count++] = (int64_t)i;
  }
  expect_integers(expected, found, count, what);
  test_free(found);
}

static void expect_classes(const json_t *expected, const unsigned char *risks,
                           const size_t counts[NEAP_RISK_COUNT], size_t count) {
  size_t tally[NEAP_RISK_COUNT] = {0};
  assert_int_equal(json_array_size(expected), count);
  for (size_t i = 0; i < count; i++) {
    const char *name = json_string_value(json_array_get(expected, i));
    assert_string_equal(neap_risk_name((neap_risk)risks[i]), name);
    tally[risks[i]]++;
  }
  assert_memory_equal(counts, tally, sizeof tally);
}

static void expect_merged(const json_t *expected, const struct layout *layout,
                          const unsigned char *risks, const size_t counts[NEAP_RISK_COUNT]) {
  size_t count = layout->count;
  gsl_permutation order, merged;
  assert_true(order_init(&order, count) && order_init(&merged, count));
  memcpy(order.data, layout->order, count * sizeof *order.data);
  merge_by_risk(&order, risks, counts, &merged);
  int64_t *found = test_calloc(count + 1, sizeof *found);
  for (size_t i = 0; i < count; i++)
    found[i] = (int64_t)merged.data[i];
  expect_integers(expected, found, count, "merged_untuned_order");
  test_free(found);
  order_clear(&order);
  order_clear(&merged);
}

void replay_classify(const json_t *vector) {
  const json_t *expected = member(vector, "expected");
  neap_size threshold = member_integer(vector, "threshold");
  neap_problem *problem = vector_problem(vector);
  size_t count = neap_problem_count(problem);
  size_t *order = vector_order(problem, member_array(vector, "order"));
  struct layout layout;
  layout_ordered(&layout, problem, order, "lowest");
  test_free(order);
  expect_integers(member_array(expected, "start_offsets"), layout.offsets, count,
                  "start_offsets");
  expect_ends(&layout, threshold, 1, member_array(expected, "over"), "over");
  expect_ends(&layout, threshold, 0, member_array(expected, "at"), "at");

  struct sections sections;
  neap_error error;
  unsigned char *risks = test_calloc(count + 1, 1);
  size_t counts[NEAP_RISK_COUNT];
  assert_ok(columns_init(&sections, problem, SECTIONS_ALL, &error), &error);
  assert_ok(risk_classify(problem, &sections, layout.offsets, threshold, risks, counts, &error),
            &error);
  expect_classes(member_array(expected, "classes"), risks, counts, count);
  expect_merged(member_array(expected, "merged_untuned_order"), &layout, risks, counts);
  test_free(risks);
  sections_clear(&sections);
  layout_clear(&layout);
  neap_problem_free(problem);
}

/* ---------------------------------------------------------------- stop goals */

/* Numbers each name by its position in the vector's first order. */
static void number_names(const json_t *first, const json_t *names, size_t *order) {
  size_t count = json_array_size(first);
  assert_int_equal(json_array_size(names), count);
  for (size_t i = 0; i < count; i++) {
    const char *name = json_string_value(json_array_get(names, i));
    size_t at = 0;
    while (at < count && strcmp(json_string_value(json_array_get(first, at)), name) != 0)
      at++;
    assert_true(at < count);
    order[i] = at;
  }
}

static neap_stop_reason reason_named(const char *name) {
  static const struct {
    const char *name;
    neap_stop_reason reason;
  } table[] = {{"bound_reached", NEAP_STOP_BOUND},
               {"same_order", NEAP_STOP_FIXED_POINT},
               {"cap", NEAP_STOP_ITERATION_CAP}};
  for (size_t i = 0; i < SAMPLE_COUNT(table); i++)
    if (strcmp(table[i].name, name) == 0) return table[i].reason;
  fail_msg("\"%s\" is no reason that this test knows", name);
  return NEAP_STOP_COMPLETE;
}

void replay_stop_goal(const json_t *vector) {
  const json_t *orders = member_array(vector, "orders"), *peaks = member_array(vector, "peaks");
  const json_t *first = json_array_get(orders, 0), *expected = member(vector, "expected");
  uint64_t rounds = json_array_size(orders), round = 0;
  size_t *order = test_calloc(json_array_size(first) + 1, sizeof *order);
  struct history history;
  history_init(&history, json_array_size(first));
  struct goals goals = {member_integer(vector, "bound"),
                        (uint64_t)member_integer(vector, "cap"), &history};
  bool stop = false;
  neap_stop_reason reason = NEAP_STOP_COMPLETE;
  neap_error error;
  while (!stop && round < rounds) {
    number_names(first, json_array_get(orders, round), order);
    neap_size peak = element_integer(peaks, round);
    assert_ok(goals_check(&goals, ++round, order, peak, &stop, &reason, &error), &error);
  }
  assert_true(stop);
  assert_int_equal(round, member_integer(expected, "stops_at_round"));
  assert_int_equal(reason, reason_named(member_text(expected, "reason")));
  history_clear(&history);
  test_free(order);
}

/* ---------------------------------------------------------------- optimum */

/* The tuner draws at random, and should not depend on luck. */
#define SEEDS 20

static neap_plan *solve_tuned(const neap_problem *problem, const char *rearrange,
                              unsigned seed) {
  char text[16];
  neap_options *options = neap_options_new();
  neap_error error;
  assert_non_null(options);
  snprintf(text, sizeof text, "%u", seed);
  assert_ok(neap_options_set(options, "engine", "tune", &error), &error);
  assert_ok(neap_options_set(options, "seed", text, &error), &error);
  if (rearrange) assert_ok(neap_options_set(options, "rearrange", rearrange, &error), &error);
  neap_plan *plan = sample_solve(problem, options);
  assert_ok(neap_plan_verify(plan, -1, &error), &error);
  neap_options_free(options);
  return plan;
}

static void expect_report(const neap_report *report, neap_size bound, neap_size optimum) {
  assert_int_equal(report->bound, bound);
  assert_int_equal(report->peak, optimum);
  assert_true(report->lower_bound <= optimum);
  if (optimum == bound) {
    assert_int_equal(report->outcome, NEAP_OPTIMAL);
    assert_int_equal(report->run.stop_reason, NEAP_STOP_BOUND);
  } else {
    assert_true(report->run.stop_reason == NEAP_STOP_PROVEN ||
                report->run.stop_reason == NEAP_STOP_FIXED_POINT ||
                report->run.stop_reason == NEAP_STOP_ITERATION_CAP);
  }
}

void replay_optimum(const json_t *vector) {
  const json_t *expected = member(vector, "expected");
  neap_size bound = member_integer(expected, "bound");
  neap_size optimum = member_integer(expected, "optimum");
  neap_problem *problem = vector_problem(vector);
  struct layout layout;
  layout_sorted(&layout, problem, "size", "lowest");
  assert_int_equal(layout.peak, member_integer(expected, "size_desc_lowest_peak"));
  layout_clear(&layout);

  size_t *witness = vector_order(problem, member_array(expected, "witness_order"));
  layout_ordered(&layout, problem, witness, "lowest");
  expect_integers(member_array(expected, "witness_offsets"), layout.offsets, layout.count,
                  "witness_offsets");
  assert_int_equal(layout.peak, optimum);
  layout_clear(&layout);
  test_free(witness);

  static const char *const ways[] = {NULL, "auto", "repack"}; /* NULL: by default */
  for (size_t way = 0; way < SAMPLE_COUNT(ways); way++)
    for (unsigned seed = 0; seed <= SEEDS; seed++) {
      neap_plan *plan = solve_tuned(problem, ways[way], seed);
      neap_report report = sample_report(plan);
      expect_report(&report, bound, optimum);
      neap_plan_free(plan);
    }
  neap_problem_free(problem);
}
