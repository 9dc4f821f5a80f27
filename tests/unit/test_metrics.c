/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "order/metrics.h"
#include "tests/unit/sample.h"

#define ALL ((1u << METRIC_COUNT) - 1)

static struct metrics compute(const neap_problem *problem, unsigned wanted) {
  struct metrics metrics;
  neap_error error;
  assert_ok(metrics_init(&metrics, problem, wanted, &error), &error);
  return metrics;
}

static void names_are_those_of_the_command_line(void **state) {
  (void)state;
  assert_string_equal(metric_name(METRIC_DURATION), "duration");
  assert_string_equal(metric_name(METRIC_SIZE), "size");
  assert_string_equal(metric_name(METRIC_OVERLAP), "overlap");
}

/* 8:00-8:10 and 8:05-8:15 overlap for five minutes. */
static void two_buffers_overlap_while_both_are_alive(void **state) {
  (void)state;
  const struct sample samples[] = {{480, 490, 7, 0}, {485, 495, 9, 0}};
  neap_problem *problem = sample_problem(samples, 2);
  struct metrics metrics = compute(problem, ALL);
  assert_int_equal(metrics.values[METRIC_DURATION][0], 10);
  assert_int_equal(metrics.values[METRIC_DURATION][1], 10);
  assert_int_equal(metrics.values[METRIC_SIZE][0], 7);
  assert_int_equal(metrics.values[METRIC_SIZE][1], 9);
  assert_int_equal(metrics.values[METRIC_OVERLAP][0], 5);
  assert_int_equal(metrics.values[METRIC_OVERLAP][1], 5);
  metrics_clear(&metrics);
  neap_problem_free(problem);
}

static void adjacent_lifetimes_do_not_overlap(void **state) {
  (void)state;
  const struct sample samples[] = {{0, 5, 1, 0}, {5, 9, 1, 0}, {9, 10, 1, 0}};
  neap_problem *problem = sample_problem(samples, 3);
  struct metrics metrics = compute(problem, ALL);
  for (size_t i = 0; i < 3; i++)
    assert_int_equal(metrics.values[METRIC_OVERLAP][i], 0);
  metrics_clear(&metrics);
  neap_problem_free(problem);
}

/* Overlap is counted per pair, even if three buffers are alive at once. */
static void overlap_sums_over_all_others(void **state) {
  (void)state;
  const struct sample samples[] = {{0, 10, 1, 0}, {2, 6, 1, 0}, {4, 12, 1, 0}, {0, 10, 1, 0}};
  neap_problem *problem = sample_problem(samples, 4);
  struct metrics metrics = compute(problem, ALL);
  assert_int_equal(metrics.values[METRIC_OVERLAP][0], 4 + 6 + 10);
  assert_int_equal(metrics.values[METRIC_OVERLAP][1], 4 + 2 + 4);
  assert_int_equal(metrics.values[METRIC_OVERLAP][2], 6 + 2 + 6);
  assert_int_equal(metrics.values[METRIC_OVERLAP][3], 10 + 4 + 6);
  metrics_clear(&metrics);
  neap_problem_free(problem);
}

static void buffers_of_size_zero_overlap_too(void **state) {
  (void)state;
  const struct sample samples[] = {{0, 10, 0, 0}, {3, 5, 8, 0}};
  neap_problem *problem = sample_problem(samples, 2);
  struct metrics metrics = compute(problem, ALL);
  assert_int_equal(metrics.values[METRIC_SIZE][0], 0);
  assert_int_equal(metrics.values[METRIC_OVERLAP][0], 2);
  assert_int_equal(metrics.values[METRIC_OVERLAP][1], 2);
  metrics_clear(&metrics);
  neap_problem_free(problem);
}

/* A buffer's gap counts for neither its duration nor its overlap. */
static void gaps_do_not_count(void **state) {
  (void)state;
  const neap_range ranges[] = {{0, 4}, {10, 11}, {20, 30}};
  neap_problem *problem = neap_problem_new();
  sample_add_gapped(problem, "gapped", ranges, 3, 5);
  sample_add(problem, "in a gap", 4, 10, 5);
  sample_add(problem, "across", 3, 21, 5);
  struct metrics metrics = compute(problem, ALL);
  assert_int_equal(metrics.values[METRIC_DURATION][0], 4 + 1 + 10);
  assert_int_equal(metrics.values[METRIC_OVERLAP][0], 1 + 1 + 1);
  assert_int_equal(metrics.values[METRIC_OVERLAP][1], 6);
  assert_int_equal(metrics.values[METRIC_OVERLAP][2], 3 + 6);
  metrics_clear(&metrics);
  neap_problem_free(problem);
}

static void overlaps_past_64_bits_are_exact(void **state) {
  (void)state;
  const struct sample whole = {0, NEAP_MAX, 1, 0};
  const struct sample samples[] = {whole, whole, whole, whole, whole};
  neap_problem *problem = sample_problem(samples, 5);
  struct metrics metrics = compute(problem, ALL);
  wide_half wanted = (wide_half)NEAP_MAX * 4;
  for (size_t i = 0; i < 5; i++) {
    assert_true(metrics.values[METRIC_DURATION][i] == NEAP_MAX);
    assert_true(metrics.values[METRIC_OVERLAP][i] == wanted);
  }
  metrics_clear(&metrics);
  neap_problem_free(problem);
}

static void only_requested_metrics_are_computed(void **state) {
  (void)state;
  const struct sample samples[] = {{0, 5, 3, 0}};
  neap_problem *problem = sample_problem(samples, 1);
  for (unsigned wanted = 0; wanted <= ALL; wanted++) {
    struct metrics metrics = compute(problem, wanted);
    for (enum metric metric = METRIC_DURATION; metric < METRIC_COUNT; metric++)
      assert_int_equal(metrics.values[metric] != NULL, (wanted >> metric) & 1);
    metrics_clear(&metrics);
  }
  neap_problem_free(problem);
}

static void no_buffers_have_no_metrics(void **state) {
  (void)state;
  neap_problem *problem = neap_problem_new();
  struct metrics metrics = compute(problem, ALL);
  metrics_clear(&metrics);
  neap_problem_free(problem);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(names_are_those_of_the_command_line),
      cmocka_unit_test(two_buffers_overlap_while_both_are_alive),
      cmocka_unit_test(adjacent_lifetimes_do_not_overlap),
      cmocka_unit_test(overlap_sums_over_all_others),
      cmocka_unit_test(buffers_of_size_zero_overlap_too),
      cmocka_unit_test(gaps_do_not_count),
      cmocka_unit_test(overlaps_past_64_bits_are_exact),
      cmocka_unit_test(only_requested_metrics_are_computed),
      cmocka_unit_test(no_buffers_have_no_metrics),
  };
  return cmocka_run_group_tests_name("metrics", tests, NULL, NULL);
}
