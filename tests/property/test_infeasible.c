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
#include "tests/property/random_problem.h"
#include "tests/property/run.h"
#include "tests/unit/sample.h"

#define MOST 5

/* Small numbers, so that trying all offsets ends: sizes to 4, alignments to 3, a few fixed. */
static neap_problem *tiny_problem(struct random *random) {
  neap_problem *problem = neap_problem_new();
  assert_non_null(problem);
  size_t count = 2 + random_below(random, MOST - 1);
  for (size_t i = 0; i < count; i++) {
    char name[24];
    neap_error error;
    neap_buffer buffer = NEAP_BUFFER_INIT;
    neap_range ranges[2];
    snprintf(name, sizeof name, "b%zu", i);
    ranges[0].start = random_below(random, 5);
    ranges[0].end = ranges[0].start + 1 + random_below(random, 3);
    ranges[1].start = ranges[0].end + 1 + random_below(random, 2);
    ranges[1].end = ranges[1].start + 1 + random_below(random, 2);
    buffer.name = name;
    buffer.size = random_below(random, 5);
    buffer.alignment = random_below(random, 4) == 0 ? 2 + random_below(random, 2) : 1;
    buffer.ranges = ranges;
    buffer.range_count = random_below(random, 4) == 0 ? 2 : 1;
    if (random_below(random, 8) == 0)
      buffer.fixed_offset = buffer.alignment * (neap_offset)random_below(random, 3);
    /* Two that are fixed may collide: such a one is left free. */
    if (neap_problem_add(problem, &buffer, &error) != NEAP_OK) {
      buffer.fixed_offset = NEAP_UNPLACED;
      assert_ok(neap_problem_add(problem, &buffer, &error), &error);
    }
  }
  return problem;
}

static bool alive_together(const neap_buffer *a, const neap_buffer *b) {
  for (size_t i = 0; i < a->range_count; i++)
    for (size_t j = 0; j < b->range_count; j++)
      if (a->ranges[i].start < b->ranges[j].end && b->ranges[j].start < a->ranges[i].end)
        return true;
  return false;
}

static bool collides(const neap_problem *problem, const neap_offset *offsets, size_t a,
                     size_t b) {
  neap_buffer one = NEAP_INIT(neap_buffer), other = NEAP_INIT(neap_buffer);
  neap_problem_buffer_at(problem, a, &one);
  neap_problem_buffer_at(problem, b, &other);
  return one.size > 0 && other.size > 0 && offsets[a] < offsets[b] + other.size &&
         offsets[b] < offsets[a] + one.size && alive_together(&one, &other);
}

/* Whether buffers from `next` on can be given offsets within the capacity. */
static bool can_fit(const neap_problem *problem, neap_offset *offsets, size_t next,
                    neap_size capacity) {
  if (next == neap_problem_count(problem)) return true;
  neap_buffer buffer = NEAP_INIT(neap_buffer);
  neap_problem_buffer_at(problem, next, &buffer);
  for (neap_offset offset = 0; offset + buffer.size <= capacity; offset++) {
    bool is_fixed = buffer.fixed_offset != NEAP_UNPLACED;
    if (offset % buffer.alignment != 0 || (is_fixed && offset != buffer.fixed_offset)) continue;
    offsets[next] = offset;
    bool fits = true;
    for (size_t i = 0; i < next && fits; i++)
      fits = !collides(problem, offsets, i, next);
    if (fits && can_fit(problem, offsets, next + 1, capacity)) return true;
  }
  return false;
}

static neap_size optimum_of(const neap_problem *problem) {
  neap_offset offsets[MOST + 1];
  for (neap_size capacity = 0;; capacity++)
    if (can_fit(problem, offsets, 0, capacity)) return capacity;
}

/* Whether two that are fixed collide: then there is no layout at all. */
static bool is_impossible(const neap_problem *problem) {
  neap_offset offsets[MOST + 1];
  for (size_t i = 0; i < neap_problem_count(problem); i++) {
    neap_buffer buffer = NEAP_INIT(neap_buffer);
    neap_problem_buffer_at(problem, i, &buffer);
    offsets[i] = buffer.fixed_offset;
    for (size_t j = 0; j < i && offsets[i] != NEAP_UNPLACED; j++)
      if (offsets[j] != NEAP_UNPLACED && collides(problem, offsets, i, j)) return true;
  }
  return false;
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
  neap_plan *plan;
  neap_report report = NEAP_INIT(neap_report);
  neap_error error;
  assert_ok(neap_solve(problem, options, &plan, &error), &error);
  neap_plan_report(plan, &report);
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

static void proofs_hold_by_a_slow_method(void **state) {
  (void)state;
  struct random random;
  assert_true(random_init(&random, 11));
  for (uint64_t i = 0; i < times(500, 20); i++) {
    neap_problem *problem = tiny_problem(&random);
    neap_error error;
    if (is_impossible(problem)) {
      assert_int_not_equal(neap_problem_check(problem, &error), NEAP_OK);
    } else {
      neap_size optimum = optimum_of(problem);
      check_engine(problem, "exact", optimum);
      check_engine(problem, "auto", optimum);
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
  assert_ok(neap_options_set(options, "rearrange", "exact", &error), &error);
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

static void ticks_repeat_on_one_thread_or_many(void **state) {
  (void)state;
  static const char *const engines[] = {"exact", "auto", "tune"};
  struct random random;
  assert_true(random_init(&random, 12));
  for (uint64_t i = 0; i < times(60, 10); i++) {
    neap_problem *problem;
    neap_error error;
    size_t count = 30 + random_below(&random, 170);
    assert_ok(neap_problem_generate(i % 2 ? "random" : "perfect", count, i, &problem, &error),
              &error);
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
