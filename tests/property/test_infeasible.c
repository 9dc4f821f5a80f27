/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Proofs re-checked by a method that has nothing in common with the search: every whole offset of
 * every buffer is tried, with nothing but the definition of a sound plan.  And with a budget of
 * ticks the same bytes come out each time.  NEAP_LONG in the environment takes twenty times as
 * many problems.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/random.h"
#include "neap-tool.h"
#include "tests/support/brute_relations.h"
#include "tests/support/generated.h"
#include "tests/support/run.h"
#include "tests/support/sample.h"

#define MOST 5

/* Small numbers, so that trying all offsets ends: sizes to 4, alignments to 3, a few fixed. */
static struct tiny draw(struct random *random) {
  struct tiny tiny = {
      .count = 2 + random_below(random, MOST - 1),
      .objective = {NEAP_TERM_SPILL, NEAP_TERM_PEAK, NEAP_TERM_REUSE, NEAP_TERM_MOVED}};
  for (size_t i = 0; i < tiny.count; i++) {
    struct tiny_buffer *buffer = &tiny.buffers[i];
    neap_range *ranges = buffer->ranges;
    *buffer = (struct tiny_buffer)TINY_BUFFER_INIT;
    ranges[0].start = random_below(random, 5);
    ranges[0].end = ranges[0].start + 1 + random_below(random, 3);
    ranges[1].start = ranges[0].end + 1 + random_below(random, 2);
    ranges[1].end = ranges[1].start + 1 + random_below(random, 2);
    buffer->size = random_below(random, 5);
    buffer->alignment = random_below(random, 4) == 0 ? 2 + random_below(random, 2) : 1;
    buffer->range_count = random_below(random, 4) == 0 ? 2 : 1;
    if (random_below(random, 8) == 0)
      buffer->fixed = buffer->alignment * (neap_offset)random_below(random, 3);
  }
  return tiny;
}

static neap_options *options_for(const char *engine, const char *name, int64_t value) {
  neap_options *options = neap_options_new();
  neap_error error;
  char text[32];
  snprintf(text, sizeof text, "%lld", (long long)value);
  assert_non_null(options);
  assert_ok(neap_options_set(options, "engine", engine, &error), &error);
  assert_ok(neap_options_set(options, name, text, &error), &error);
  return options;
}

static void check_capacity(const neap_problem *problem, const char *engine, neap_size capacity,
                           neap_status expected) {
  neap_options *options = options_for(engine, "capacity", capacity);
  neap_plan *plan = NULL;
  neap_error error;
  assert_int_equal(neap_solve(problem, options, &plan, &error), expected);
  if (expected == NEAP_OK) assert_ok(neap_plan_verify(plan, capacity, &error), &error);
  neap_plan_free(plan);
  neap_options_free(options);
}

static void check_optimum(const neap_problem *problem, const char *engine, neap_size optimum) {
  neap_options *options = options_for(engine, "seed", 1);
  neap_plan *plan = sample_solve(problem, options);
  neap_report report = sample_report(plan);
  assert_int_equal(report.peak, optimum);
  assert_int_equal(report.outcome, NEAP_OPTIMAL);
  assert_int_equal(report.lower_bound, optimum);
  neap_plan_free(plan);
  neap_options_free(options);
}

static void check_engine(const neap_problem *problem, const char *engine, neap_size optimum) {
  check_optimum(problem, engine, optimum);
  check_capacity(problem, engine, optimum, NEAP_OK);
  if (optimum > 0) check_capacity(problem, engine, optimum - 1, NEAP_INFEASIBLE);
}

static uint64_t times(uint64_t usual, uint64_t more) {
  return getenv("NEAP_LONG") ? usual * more : usual;
}

TEST(proofs_hold_by_a_slow_method) {
  struct random random;
  assert_true(random_init(&random, 11));
  for (uint64_t i = 0; i < times(500, 20); i++) {
    struct tiny tiny = draw(&random);
    neap_problem *problem = tiny_problem(&tiny);
    struct brute_plan best;
    struct brute_costs least;
    neap_error error;
    enum brute_verdict verdict = brute_solve(&tiny, -1, &best, &least);
    assert_true(verdict != BRUTE_UNKNOWN);
    if (verdict == BRUTE_INFEASIBLE) { /* two that are fixed collide */
      assert_int_not_equal(neap_problem_check(problem, &error), NEAP_OK);
    } else {
      check_engine(problem, "exact", least.of[NEAP_TERM_PEAK]);
      check_engine(problem, "auto", least.of[NEAP_TERM_PEAK]);
    }
    neap_problem_free(problem);
  }
  random_clear(&random);
}

/* ---------------------------------------------------------------- the same bytes */

static neap_plan *plan_within(const neap_problem *problem, const char *engine, int64_t ticks,
                              const char *threads) {
  neap_options *options = options_for(engine, "max-ticks", ticks);
  neap_plan *plan = NULL;
  neap_error error;
  assert_ok(neap_options_set(options, "threads", threads, &error), &error);
  neap_status status = neap_solve(problem, options, &plan, &error);
  assert_true(status == NEAP_OK || status == NEAP_NO_PLAN);
  neap_options_free(options);
  return plan;
}

static void expect_same(const neap_plan *a, const neap_plan *b, size_t count) {
  assert_int_equal(a == NULL, b == NULL);
  for (size_t i = 0; a && i < count; i++)
    assert_int_equal(neap_plan_offset(a, i), neap_plan_offset(b, i));
}

TEST(ticks_repeat_on_one_thread_or_many) {
  static const char *const engines[] = {"exact", "auto", "tune"};
  struct random random;
  assert_true(random_init(&random, 12));
  for (uint64_t i = 0; i < times(60, 10); i++) {
    size_t count = 30 + random_below(&random, 170);
    neap_problem *problem = sample_generate(i % 2 ? "random" : "perfect", count, i);
    int64_t ticks = 1 + random_below(&random, 5000);
    neap_plan *one = plan_within(problem, engines[i % 3], ticks, "1");
    neap_plan *again = plan_within(problem, engines[i % 3], ticks, "4");
    expect_same(one, again, count);
    neap_plan_free(one);
    neap_plan_free(again);
    neap_problem_free(problem);
  }
  random_clear(&random);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(proofs_hold_by_a_slow_method),
      cmocka_unit_test(ticks_repeat_on_one_thread_or_many),
  };
  return cmocka_run_group_tests_name("infeasible", tests, NULL, NULL);
}
