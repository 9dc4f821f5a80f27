/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The classifier, the excess and the merger. */
#include <string.h>

#include "facts/columns.h"
#include "facts/excess.h"
#include "facts/risk.h"
#include "tests/support/sample.h"
#include "tune/reorderer.h"

#define MOST 8

/* One letter per buffer: H, M, L or N. */
static void expect_classes(neap_problem *problem, const neap_offset *offsets,
                           neap_size threshold, const char *wanted) {
  struct sections sections;
  unsigned char risks[MOST];
  size_t counts[NEAP_RISK_COUNT], tally[NEAP_RISK_COUNT] = {0};
  neap_error error;
  assert_ok(columns_init(&sections, problem, SECTIONS_ALL, &error), &error);
  assert_ok(risk_classify(problem, &sections, offsets, threshold, risks, counts, &error),
            &error);
  for (size_t i = 0; i < neap_problem_count(problem); i++) {
    char letter = "NLMH"[risks[i]];
    tally[risks[i]]++;
    if (letter != wanted[i])
      fail_msg("buffer %zu: expected %c, found %c", i, wanted[i], letter);
  }
  assert_memory_equal(counts, tally, sizeof tally);
  sections_clear(&sections);
  neap_problem_free(problem);
}

/* Four buffers in sequence, each of which overlaps the next. */
static const struct sample chain[] = {
    {0, 3, 10, 0}, {2, 6, 10, 0}, {5, 9, 10, 0}, {8, 12, 10, 0}};
static const neap_offset chain_offsets[] = {0, 10, 0, 10};

TEST(high_is_over_and_around_it) {
  const neap_offset offsets[] = {12, 0, 10, 0};
  expect_classes(sample_problem(chain, 4), offsets, 20, "HHMM");
  expect_classes(sample_problem(chain, 4), offsets, 21, "HHLN");
}

TEST(medium_is_at_and_around_it) {
  expect_classes(sample_problem(chain, 4), chain_offsets, 20, "MMMM");
  const neap_offset low[] = {10, 0, 0, 0};
  expect_classes(sample_problem(chain, 4), low, 20, "MMLN");
}

TEST(nothing_over_and_nothing_at_is_no_risk) {
  expect_classes(sample_problem(chain, 4), chain_offsets, 21, "NNNN");
}

TEST(everything_over_is_high) {
  expect_classes(sample_problem(chain, 4), chain_offsets, 0, "HHHH");
}

/* A neighbour of both an over and an at is high, and so is an at next to an over. */
TEST(high_comes_before_medium) {
  const struct sample samples[] = {{0, 4, 10, 0}, {3, 6, 5, 0}, {5, 8, 10, 0}, {7, 9, 1, 0}};
  const neap_offset offsets[] = {11, 0, 10, 0};
  expect_classes(sample_problem(samples, 4), offsets, 20, "HHMM");
}

/* An at that is high because of one neighbour still makes its other neighbours medium. */
TEST(neighbours_of_an_at_that_is_high_are_medium) {
  const struct sample samples[] = {{0, 4, 11, 0}, {3, 8, 10, 0}, {7, 9, 5, 0}, {8, 11, 1, 0}};
  const neap_offset offsets[] = {20, 10, 0, 5};
  expect_classes(sample_problem(samples, 4), offsets, 20, "HHML");
}

TEST(meeting_ends_are_no_neighbours) {
  const struct sample samples[] = {{0, 4, 21, 0}, {4, 8, 1, 0}};
  expect_classes(sample_problem(samples, 2), (const neap_offset[]){0, 0}, 20, "HN");
}

TEST(a_gap_is_time_away) {
  const neap_range ranges[] = {{0, 2}, {6, 8}};
  neap_problem *problem = neap_problem_new();
  sample_add_gapped(problem, "gapped", ranges, 2, 10);
  sample_add(problem, "in the gap", 2, 6, 30);
  sample_add(problem, "after it", 7, 9, 1);
  expect_classes(problem, (const neap_offset[]){0, 0, 10}, 20, "NHN");
}

TEST(size_zero_has_a_class_as_well) {
  const struct sample samples[] = {{0, 4, 0, 0}, {2, 6, 20, 0}, {3, 5, 0, 0}};
  expect_classes(sample_problem(samples, 3), (const neap_offset[]){0, 0, 0}, 19, "HHH");
  expect_classes(sample_problem(samples, 3), (const neap_offset[]){0, 0, 0}, 20, "MMM");
}

TEST(no_buffers_have_no_classes) {
  expect_classes(neap_problem_new(), NULL, 0, "");
}

/* ---------------------------------------------------------------- merging */

/* ---------------------------------------------------------------- excess */

TEST(excess_counts_only_what_is_above) {
  neap_problem *problem = sample_problem(chain, 4);
  const neap_offset offsets[] = {12, 0, 25, 0};
  struct excess excess = excess_measure(problem, offsets, 20);
  assert_int_equal(excess.peak, 35);
  assert_int_equal(excess.area, 2 * 3 + 10 * 4);
  assert_int_equal(excess.count, 2);
  excess = excess_measure(problem, offsets, 35);
  assert_int_equal(excess.area, 0);
  assert_int_equal(excess.count, 0);
  neap_problem_free(problem);
}

/* One product that is too large, then a sum of two products that are not. */
TEST(excess_stops_at_the_largest_number) {
  const neap_size half = INT64_C(1) << 62;
  const struct sample products[] = {{0, 2, half, 0}};
  const struct sample sums[] = {{0, 1, half - 1, 0}, {1, 3, half - 1, 0}};
  const neap_offset offsets[] = {0, 0};
  neap_problem *problem = sample_problem(products, 1);
  assert_int_equal(excess_measure(problem, offsets, 0).area, NEAP_MAX);
  assert_int_equal(excess_measure(problem, offsets, half).area, 0);
  neap_problem_free(problem);
  problem = sample_problem(sums, 2);
  assert_int_equal(excess_measure(problem, offsets, 0).area, NEAP_MAX);
  assert_int_equal(excess_measure(problem, offsets, half - 2).area, 3);
  neap_problem_free(problem);
}

TEST(less_excess_is_peak_then_area_then_count) {
  const struct excess best = {10, 5, 2}, wider = {10, 6, 1}, more = {10, 5, 3},
                      high = {11, 0, 0};
  assert_true(excess_is_less(&best, &wider) && excess_is_less(&best, &more));
  assert_true(excess_is_less(&best, &high) && excess_is_less(&wider, &high));
  assert_false(excess_is_less(&wider, &best) || excess_is_less(&more, &best));
  assert_false(excess_is_less(&high, &best) || excess_is_less(&best, &best));
}

TEST(merging_goes_by_risk_and_keeps_the_order_within) {
  size_t before[] = {4, 1, 5, 0, 3, 2}, after[6];
  const size_t wanted[] = {5, 2, 1, 0, 4, 3};
  const unsigned char risks[] = {NEAP_RISK_LOW,  NEAP_RISK_MEDIUM, NEAP_RISK_HIGH,
                                 NEAP_RISK_NONE, NEAP_RISK_NONE,   NEAP_RISK_HIGH};
  const size_t counts[NEAP_RISK_COUNT] = {2, 1, 1, 2};
  const gsl_permutation order = {6, before};
  gsl_permutation merged = {6, after};
  merge_by_risk(&order, risks, counts, &merged);
  assert_memory_equal(after, wanted, sizeof wanted);
}

TEST(merging_one_class_changes_nothing) {
  size_t before[] = {2, 0, 1}, after[3];
  const unsigned char risks[] = {NEAP_RISK_LOW, NEAP_RISK_LOW, NEAP_RISK_LOW};
  const size_t counts[NEAP_RISK_COUNT] = {[NEAP_RISK_LOW] = 3};
  const gsl_permutation order = {3, before};
  gsl_permutation merged = {3, after};
  merge_by_risk(&order, risks, counts, &merged);
  assert_memory_equal(after, before, sizeof before);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(high_is_over_and_around_it),
      cmocka_unit_test(medium_is_at_and_around_it),
      cmocka_unit_test(nothing_over_and_nothing_at_is_no_risk),
      cmocka_unit_test(everything_over_is_high),
      cmocka_unit_test(high_comes_before_medium),
      cmocka_unit_test(neighbours_of_an_at_that_is_high_are_medium),
      cmocka_unit_test(meeting_ends_are_no_neighbours),
      cmocka_unit_test(a_gap_is_time_away),
      cmocka_unit_test(size_zero_has_a_class_as_well),
      cmocka_unit_test(no_buffers_have_no_classes),
      cmocka_unit_test(excess_counts_only_what_is_above),
      cmocka_unit_test(excess_stops_at_the_largest_number),
      cmocka_unit_test(less_excess_is_peak_then_area_then_count),
      cmocka_unit_test(merging_goes_by_risk_and_keeps_the_order_within),
      cmocka_unit_test(merging_one_class_changes_nothing),
  };
  return cmocka_run_group_tests_name("classify", tests, NULL, NULL);
}
