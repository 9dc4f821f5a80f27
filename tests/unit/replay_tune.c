/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Replays the classifier, the merger, the stop goals and whole runs (doc/tuner.md, R19-R30). */
#include <stdio.h>
#include <string.h>

#include "model/risk.h"
#include "order/sorter.h"
#include "tests/unit/layout.h"
#include "tests/unit/replay.h"
#include "tune/goals.h"
#include "tune/merge.h"

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
  assert_ok(sections_init(&sections, problem, SECTIONS_ALL, &error), &error);
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
  neap_plan *plan;
  neap_error error;
  assert_non_null(options);
  snprintf(text, sizeof text, "%u", seed);
  assert_ok(neap_options_set(options, "engine", "tune", &error), &error);
  assert_ok(neap_options_set(options, "seed", text, &error), &error);
  if (rearrange) assert_ok(neap_options_set(options, "rearrange", rearrange, &error), &error);
  assert_ok(neap_solve(problem, options, &plan, &error), &error);
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
    assert_int_equal(report->stop_reason, NEAP_STOP_BOUND);
  } else {
    assert_true(report->stop_reason == NEAP_STOP_PROVEN ||
                report->stop_reason == NEAP_STOP_FIXED_POINT ||
                report->stop_reason == NEAP_STOP_ITERATION_CAP);
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
      neap_report report = NEAP_INIT(neap_report);
      neap_plan_report(plan, &report);
      expect_report(&report, bound, optimum);
      neap_plan_free(plan);
    }
  neap_problem_free(problem);
}
