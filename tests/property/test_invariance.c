/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What does not matter does not change the outcome: where time begins, its unit, the order of
 * the input.
 */
#include <string.h>

#include "neap-tool.h"
#include "tests/support/layout.h"
#include "tests/support/random_problem.h"
#include "tests/support/reference.h"
#include "tests/support/run.h"
#include "tests/support/sample.h"

#define MOST 30

static void expect_equal(const struct instance *instance, uint64_t seed, const char *what,
                         neap_size wanted, neap_size found) {
  if (wanted == found) return;
  instance_print(instance, seed);
  fail_msg("%s: expected %lld, found %lld", what, (long long)wanted, (long long)found);
}

/* Time t becomes t * factor + shift. */
static struct instance with_other_time(const struct instance *instance, neap_time factor,
                                       neap_time shift) {
  struct instance changed = instance_copy(instance);
  for (size_t i = 0; i < changed.count; i++)
    for (size_t r = 0; r < changed.rectangles[i].range_count; r++) {
      neap_range *range = &changed.rectangles[i].ranges[r];
      range->start = range->start * factor + shift;
      range->end = range->end * factor + shift;
    }
  return changed;
}

static struct instance shuffled(const struct instance *instance, struct dice *dice) {
  struct instance changed = instance_copy(instance);
  size_t *order = instance_order(instance, dice);
  for (size_t i = 0; i < changed.count; i++)
    changed.rectangles[i] = instance->rectangles[order[i]];
  test_free(order);
  return changed;
}

static neap_bound bound_of(const struct instance *instance) {
  neap_problem *problem = instance_problem(instance);
  const neap_bound bound = sample_bound(problem);
  neap_problem_free(problem);
  return bound;
}

/* ---------------------------------------------------------------- time */

/* Whole plans, offset by offset: nothing in the tuner looks at times as such. */
static void expect_same_plan(const struct instance *instance, const struct instance *changed,
                             uint64_t seed, const char *what) {
  static const char *const rules[] = {"lowest", "drop", "tight", "best-fit"};
  neap_problem *problem = instance_problem(instance), *other = instance_problem(changed);
  for (size_t i = 0; i < SAMPLE_COUNT(rules); i++) {
    const char *const pairs[] = {"engine", "tune",       "order", "size", "place",
                                 rules[i], "max-rounds", "8",     NULL};
    neap_plan *plan = run_plan(problem, pairs), *same = run_plan(other, pairs);
    if (!run_same(plan, same)) {
      instance_print(instance, seed);
      fail_msg("%s changes the plan by rule %s", what, rules[i]);
    }
    neap_plan_free(plan);
    neap_plan_free(same);
  }
  neap_problem_free(problem);
  neap_problem_free(other);
}

TEST(shifting_time_changes_nothing) {
  for (uint64_t seed = 0, tries = sample_tries(200); seed < tries; seed++) {
    struct instance instance = instance_random(seed, MOST, WITH_ALL);
    struct instance shifted = with_other_time(&instance, 1, NEAP_MAX - 1000);
    neap_bound before = bound_of(&instance), after = bound_of(&shifted);
    expect_equal(&instance, seed, "bound", before.bytes, after.bytes);
    expect_equal(&instance, seed, "lower bound", before.lower_bound, after.lower_bound);
    if (before.bytes > 0)
      expect_equal(&instance, seed, "start", before.start + (NEAP_MAX - 1000), after.start);
    expect_same_plan(&instance, &shifted, seed, "shifting time");
    instance_free(&shifted);
    instance_free(&instance);
  }
}

TEST(scaling_time_changes_nothing) {
  for (uint64_t seed = 0, tries = sample_tries(200); seed < tries; seed++) {
    struct instance instance = instance_random(seed, MOST, WITH_ALL);
    struct instance scaled = with_other_time(&instance, 1000003, 0);
    neap_bound before = bound_of(&instance), after = bound_of(&scaled);
    expect_equal(&instance, seed, "bound", before.bytes, after.bytes);
    expect_equal(&instance, seed, "ranges", (neap_size)before.range_count,
                 (neap_size)after.range_count);
    expect_same_plan(&instance, &scaled, seed, "scaling time");
    instance_free(&scaled);
    instance_free(&instance);
  }
}

/* The layout of the same buffers, by name: retiming may sort them by allocation. */
static void expect_same_layout(const struct instance *instance, uint64_t seed,
                               const neap_problem *problem, const neap_problem *retimed) {
  struct layout before, after;
  layout_sorted(&before, problem, "size", "lowest");
  layout_sorted(&after, retimed, "size", "lowest");
  expect_equal(instance, seed, "count", (neap_size)before.count, (neap_size)after.count);
  for (size_t i = 0; i < before.count; i++) {
    size_t j;
    neap_buffer buffer = sample_buffer(problem, i);
    assert_true(neap_problem_find(retimed, buffer.name, &j));
    expect_equal(instance, seed, buffer.name, before.offsets[i], after.offsets[j]);
  }
  layout_clear(&before);
  layout_clear(&after);
}

/* Every start and every end is a moment of its own, and there are no others. */
static void expect_one_event_a_step(const neap_problem *retimed) {
  size_t count = neap_problem_count(retimed);
  bool *taken = test_calloc(2 * count + 1, sizeof *taken);
  for (size_t i = 0; i < count; i++) {
    neap_buffer buffer = sample_buffer(retimed, i);
    assert_int_equal(buffer.range_count, 1);
    const neap_time events[] = {buffer.ranges[0].start, buffer.ranges[0].end};
    for (size_t e = 0; e < 2; e++) {
      assert_in_range(events[e], 0, 2 * count - 1);
      assert_false(taken[events[e]]);
      taken[events[e]] = true;
    }
  }
  test_free(taken);
}

/* Retiming keeps which buffers are alive together, and thus the bound and every order's layout. */
TEST(retiming_keeps_layouts) {
  for (uint64_t seed = 0, tries = sample_tries(1000); seed < tries; seed++) {
    struct instance instance =
        instance_random(seed, MOST, WITH_ALIGNMENTS | WITH_ZEROS | WITH_FIXED | DISTINCT_SIZES);
    neap_problem *problem = instance_problem(&instance), *retimed;
    neap_bound before = bound_of(&instance), after = NEAP_INIT(neap_bound);
    neap_error error;
    assert_ok(neap_problem_retime(problem, &retimed, &error), &error);
    assert_ok(neap_problem_bound(retimed, &after, &error), &error);
    expect_equal(&instance, seed, "bound", before.bytes, after.bytes);
    expect_same_layout(&instance, seed, problem, retimed);
    expect_one_event_a_step(retimed);
    neap_problem_free(retimed);
    neap_problem_free(problem);
    instance_free(&instance);
  }
}

/* ---------------------------------------------------------------- the order of the input */

TEST(permuting_leaves_the_bound) {
  for (uint64_t seed = 0, tries = sample_tries(1000); seed < tries; seed++) {
    struct dice dice = {seed};
    struct instance instance = instance_random(seed, MOST, WITH_ALL);
    struct instance other = shuffled(&instance, &dice);
    neap_bound before = bound_of(&instance), after = bound_of(&other);
    expect_equal(&instance, seed, "bound", before.bytes, after.bytes);
    expect_equal(&instance, seed, "lower bound", before.lower_bound, after.lower_bound);
    expect_equal(&instance, seed, "start", before.start, after.start);
    expect_equal(&instance, seed, "end", before.end, after.end);
    instance_free(&other);
    instance_free(&instance);
  }
}

/* Where the sort decides every rank, nothing is left for the input's order to decide. */
TEST(permuting_leaves_the_peak_where_no_keys_are_equal) {
  static const char *const ways[] = {"offenders", "top", "search", "exhaustive", "auto"};
  for (uint64_t seed = 0, tries = sample_tries(200); seed < tries; seed++) {
    struct dice dice = {seed};
    struct instance instance =
        instance_random(seed, MOST, WITH_GAPS | WITH_FIXED | DISTINCT_SIZES);
    struct instance other = shuffled(&instance, &dice);
    for (size_t i = 0; i < SAMPLE_COUNT(ways); i++) {
      const char *const pairs[] = {"engine", "tune",       "order", "size", "rearrange",
                                   ways[i],  "max-rounds", "8",     NULL};
      expect_equal(&instance, seed, ways[i], run_peak(&instance, pairs),
                   run_peak(&other, pairs));
    }
    const char *const sort[] = {"engine", "sort", "order", "size", NULL};
    expect_equal(&instance, seed, "sort", run_peak(&instance, sort), run_peak(&other, sort));
    instance_free(&other);
    instance_free(&instance);
  }
}

/* ---------------------------------------------------------------- sizes */

/* Sizes, alignments and fixed offsets times `factor`. */
static struct instance with_other_sizes(const struct instance *instance, neap_size factor) {
  struct instance changed = instance_copy(instance);
  for (size_t i = 0; i < changed.count; i++) {
    struct rectangle *rectangle = &changed.rectangles[i];
    rectangle->size *= factor;
    rectangle->alignment *= factor;
    if (rectangle->fixed != NEAP_UNPLACED) rectangle->fixed *= factor;
  }
  return changed;
}

/*
 * If all sizes are multiples of a unit, so is every offset.  `repack` is left out, because it draws
 * its targets in bytes.
 */
TEST(scaling_sizes_scales_the_peak) {
  const char *const pairs[] = {"engine", "tune",       "order", "size", "rearrange",
                               "auto",   "max-rounds", "8",     NULL};
  for (uint64_t seed = 0, tries = sample_tries(200); seed < tries; seed++) {
    struct instance instance = instance_random(seed, MOST, WITH_ALL);
    struct instance larger = with_other_sizes(&instance, 4096);
    expect_equal(&instance, seed, "peak", run_peak(&instance, pairs) * 4096,
                 run_peak(&larger, pairs));
    instance_free(&larger);
    instance_free(&instance);
  }
}

/*
 * With many buffers, auto begins with the search, unless alignment or another constraint calls for
 * the tuner. An alignment that divides all sizes constrains nothing.
 */
TEST(scaling_many_sizes_scales_the_plan) {
  const char *const pairs[] = {"engine", "auto", "max-ticks", "60000", NULL};
  static const uint64_t seeds[] = {6, 11};
  for (size_t s = 0; s < SAMPLE_COUNT(seeds); s++) {
    struct instance instance = instance_random(seeds[s], 8000, 0);
    assert_true(instance.count > 5000);
    struct instance larger = with_other_sizes(&instance, 64);
    neap_problem *problem = instance_problem(&instance), *other = instance_problem(&larger);
    neap_plan *plan = run_plan(problem, pairs), *scaled = run_plan(other, pairs);
    neap_report before = NEAP_INIT(neap_report), after = NEAP_INIT(neap_report);
    neap_plan_report(plan, &before);
    neap_plan_report(scaled, &after);
    assert_int_equal(before.run.rounds, after.run.rounds);
    for (size_t i = 0; i < instance.count; i++)
      assert_int_equal(neap_plan_offset(plan, i) * 64, neap_plan_offset(scaled, i));
    neap_plan_free(plan);
    neap_plan_free(scaled);
    neap_problem_free(problem);
    neap_problem_free(other);
    instance_free(&larger);
    instance_free(&instance);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(shifting_time_changes_nothing),
      cmocka_unit_test(scaling_time_changes_nothing),
      cmocka_unit_test(retiming_keeps_layouts),
      cmocka_unit_test(permuting_leaves_the_bound),
      cmocka_unit_test(permuting_leaves_the_peak_where_no_keys_are_equal),
      cmocka_unit_test(scaling_sizes_scales_the_peak),
      cmocka_unit_test(scaling_many_sizes_scales_the_plan),
  };
  return cmocka_run_group_tests_name("property invariance", tests, NULL, NULL);
}
