/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The syntax of orders, the sorter and its metrics. */
#include <stdio.h>
#include <string.h>

#include "order/sorter.h"
#include "order/spec.h"
#include "tests/support/random_problem.h"
#include "tests/support/sample.h"

/* ---------------------------------------------------------------- orders and the sorter */

/* The syntax of orders, the sorter, and the orders that are tried. */

/* ---------------------------------------------------------------- wording */

static struct order_spec parse(const char *text) {
  struct order_spec spec;
  neap_error error;
  assert_ok(order_spec_parse(&spec, text, &error), &error);
  return spec;
}

TEST(one_metric_is_one_key) {
  static const char *const names[] = {"duration", "size", "overlap"};
  for (enum metric metric = METRIC_DURATION; metric < METRIC_COUNT; metric++) {
    struct order_spec spec = parse(names[metric]);
    assert_int_equal(spec.key_count, 1);
    assert_int_equal(spec.keys[0].combine, COMBINE_SINGLE);
    assert_int_equal(spec.keys[0].metric_count, 1);
    assert_int_equal(spec.keys[0].metrics[0], metric);
    assert_false(spec.keys[0].ascending);
  }
}

TEST(a_sign_makes_its_own_key_ascending) {
  struct order_spec spec = parse("overlap,-size*duration,duration");
  assert_int_equal(spec.key_count, 3);
  assert_false(spec.keys[0].ascending);
  assert_true(spec.keys[1].ascending);
  assert_false(spec.keys[2].ascending);
  assert_int_equal(spec.keys[1].combine, COMBINE_PRODUCT);
  assert_int_equal(spec.keys[1].metrics[0], METRIC_SIZE);
  assert_int_equal(spec.keys[1].metrics[1], METRIC_DURATION);
}

TEST(two_and_three_metrics_combine) {
  struct order_spec spec = parse("size+duration");
  assert_int_equal(spec.keys[0].combine, COMBINE_SUM);
  assert_int_equal(spec.keys[0].metric_count, 2);
  spec = parse("size*duration*overlap");
  assert_int_equal(spec.keys[0].combine, COMBINE_PRODUCT);
  assert_int_equal(spec.keys[0].metric_count, 3);
  spec = parse("overlap+duration+size");
  assert_int_equal(spec.keys[0].combine, COMBINE_SUM);
  assert_int_equal(spec.keys[0].metrics[2], METRIC_SIZE);
  spec = parse("size/duration");
  assert_int_equal(spec.keys[0].combine, COMBINE_RATIO);
  assert_int_equal(spec.keys[0].metrics[0], METRIC_SIZE);
  assert_int_equal(spec.keys[0].metrics[1], METRIC_DURATION);
}

TEST(rejected_orders_are_located) {
  static const struct {
    const char *text;
    size_t column;
  } table[] = {
      {"", 1},
      {"sise", 1},
      {"Size", 1},
      {" size", 1},
      {"size ", 5},
      {"--size", 2},
      {"+size", 1},
      {"-", 2},
      {",size", 1},
      {"size,", 6},
      {"size,,duration", 6},
      {"size,weight", 6},
      {"size*", 6},
      {"size*weight", 6},
      {"size*-duration", 6},
      {"size+duration*overlap", 14},
      {"size/duration/overlap", 14},
      {"size/duration+overlap", 14},
      {"size;duration", 5},
      {"sizeduration", 1},
  };
  for (size_t i = 0; i < SAMPLE_COUNT(table); i++) {
    struct order_spec spec;
    neap_error error;
    if (order_spec_parse(&spec, table[i].text, &error) == NEAP_OK)
      fail_msg("\"%s\" is taken for an order", table[i].text);
    sample_check_error(&error, NEAP_ERROR_ARGUMENT, __FILE__, __LINE__);
    if (error.column != table[i].column)
      fail_msg("\"%s\": expected column %zu, found %zu: %s", table[i].text, table[i].column,
               error.column, error.text);
    assert_int_equal(order_spec_parse(&spec, table[i].text, NULL), NEAP_ERROR_ARGUMENT);
  }
}

TEST(keys_have_a_limit) {
  char text[256] = "size";
  struct order_spec spec;
  neap_error error;
  for (size_t i = 1; i < ORDER_KEYS; i++)
    strcat(text, i % 2 ? ",duration" : ",-size");
  assert_ok(order_spec_parse(&spec, text, &error), &error);
  assert_int_equal(spec.key_count, ORDER_KEYS);
  strcat(text, ",overlap");
  assert_error(order_spec_parse(&spec, text, &error), NEAP_ERROR_ARGUMENT, &error);
}

/* ---------------------------------------------------------------- sorting */

/* Sorts and expects the buffers in this order. */
static void expect_order(const neap_problem *problem, const char *text, const char *wanted) {
  struct order_spec spec = parse(text);
  gsl_permutation order;
  neap_error error;
  char found[64] = "";
  assert_true(order_init(&order, neap_problem_count(problem)));
  assert_ok(sorter_sort(problem, &spec, &order, &error), &error);
  for (size_t i = 0, length = 0; i < order.size; i++)
    length += (size_t)sprintf(found + length, "%s%zu", i ? " " : "", order.data[i]);
  if (strcmp(found, wanted) != 0) fail_msg("%s: expected %s, found %s", text, wanted, found);
  order_clear(&order);
}

TEST(an_order_begins_as_the_identity) {
  gsl_permutation order;
  assert_true(order_init(&order, 5));
  assert_int_equal(order.size, 5);
  for (size_t i = 0; i < 5; i++)
    assert_int_equal(order.data[i], i);
  order_clear(&order);
  assert_true(order_init(&order, 0));
  assert_int_equal(order.size, 0);
  order_clear(&order);
}

static const struct row {
  const char *name, *buffers; /* as sample_read takes them */
  struct {
    const char *order, *wanted; /* indices of the buffers */
  } cases[6];
} rows[] = {
    {"equal keys stay in order of index",
     "4:0-5 9:1-6 4:2-7 9:3-8 4:0-5",
     {{"size", "1 3 0 2 4"},
      {"-size", "0 2 4 1 3"},
      {"duration", "0 1 2 3 4"},
      {"-duration", "0 1 2 3 4"}}},
    {"later keys break ties",
     "4:0-5 4:0-9 8:0-2 8:0-7",
     {{"size,duration", "3 2 1 0"},
      {"size,-duration", "2 3 0 1"},
      {"-size,duration", "1 0 3 2"},
      {"-size,-duration", "0 1 2 3"}}},
    /* Sizes of 63 bits leave no room in a packed key for what follows. */
    {"long keys leave later keys to comparisons",
     "1152921504606846975:0-5 "
     "1152921504606846975:0-9 "
     "1152921504606846976:0-2 "
     "1152921504606846975:0-7",
     {{"size,duration", "2 1 3 0"},
      {"-size,-duration", "0 3 1 2"},
      {"size*duration,size", "1 3 0 2"}}},
    /* 8/2 > 9/3, though 9 > 8; ratios that differ only after rounding. */
    {"ratios compare by cross multiplication",
     "2:0-8 3:0-9",
     {{"duration/size", "0 1"}, {"-duration/size", "1 0"}}},
    {"close ratios compare exactly",
     "2305843009213693950:0-2305843009213693951 "
     "2305843009213693951:0-2305843009213693952 "
     "2305843009213693949:0-2305843009213693950",
     {{"duration/size", "2 0 1"}, {"size/duration", "1 0 2"}}},
    /* 0: alone, size 5: 5/0. 1: alone, empty: 0/0. 2 and 3 overlap for 2: 6/2 and 0/2. */
    {"a ratio to zero is infinite, and zero to zero is zero",
     "5:20-25 0:30-31 6:0-4 0:2-9 1:40-41",
     {{"size/overlap", "0 4 2 1 3"},
      {"-size/overlap", "1 3 2 0 4"},
      {"size/overlap,size", "0 4 2 1 3"},
      {"size/overlap,-size", "4 0 2 1 3"}}},
    /* duration * size * overlap needs up to 190 bits; the sum of all three more than 64. */
    {"products and sums do not overflow",
     "2305843009213693951:0-9223372036854775806 "
     "2305843009213693951:0-9223372036854775807 "
     "2305843009213693952:0-9223372036854775807",
     {{"duration*size*overlap", "2 1 0"},
      {"-duration*size*overlap", "0 1 2"},
      {"duration*size", "2 1 0"},
      {"duration+size+overlap", "2 1 0"},
      {"overlap/size", "1 0 2"}}},
    {"no buffers are sorted", "", {{"overlap/size,duration", ""}}},
    {"one buffer is sorted", "4:0-5", {{"overlap/size,duration", "0"}}},
};

static void buffers_are_sorted(void **state) {
  const struct row *row = *state;
  neap_problem *problem = sample_read(row->buffers);
  for (size_t i = 0; i < SAMPLE_COUNT(row->cases) && row->cases[i].order; i++)
    expect_order(problem, row->cases[i].order, row->cases[i].wanted);
  neap_problem_free(problem);
}

/* ---------------------------------------------------------------- by offset */

TEST(offsets_sort_upwards_then_by_index) {
  enum { MOST = 50 };
  for (size_t count = 0; count <= MOST; count++) {
    struct dice dice = {count};
    neap_offset offsets[MOST] = {0};
    gsl_permutation order;
    assert_true(order_init(&order, count));
    for (size_t i = 0; i < count; i++)
      offsets[i] = dice_chance(&dice, 10) ? NEAP_MAX : (neap_offset)dice_roll(&dice, 20);
    dice_shuffle(&dice, order.data, count); /* whatever the order was */
    sorter_sort_by_offset(offsets, &order);
    bool seen[MOST] = {false};
    for (size_t i = 0; i < count; i++) {
      assert_false(seen[order.data[i]]);
      seen[order.data[i]] = true;
      if (i == 0) continue;
      size_t last = order.data[i - 1], next = order.data[i];
      assert_true(offsets[last] < offsets[next] ||
                  (offsets[last] == offsets[next] && last < next));
    }
    order_clear(&order);
  }
}

/* ---------------------------------------------------------------- presets */

/* The text that begins the list is the default of option order; engine sort promises ten. */
TEST(presets_are_different_orders) {
  size_t count = 0;
  for (; order_preset(count); count++) {
    parse(order_preset(count));
    for (size_t i = 0; i < count; i++)
      assert_string_not_equal(order_preset(i), order_preset(count));
  }
  assert_int_equal(count, 10);
  assert_null(order_preset(count + 1));
  assert_null(order_preset(SIZE_MAX));
  assert_string_equal(order_preset(0), "size");
}

/* ---------------------------------------------------------------- metrics */

#define ALL ((1u << METRIC_COUNT) - 1)

static struct metrics compute(const neap_problem *problem, unsigned wanted) {
  struct metrics metrics;
  neap_error error;
  assert_ok(metrics_init(&metrics, problem, wanted, &error), &error);
  return metrics;
}

TEST(names_are_those_of_the_command_line) {
  assert_string_equal(metric_name(METRIC_DURATION), "duration");
  assert_string_equal(metric_name(METRIC_SIZE), "size");
  assert_string_equal(metric_name(METRIC_OVERLAP), "overlap");
}

/* 8:00-8:10 and 8:05-8:15 overlap for five minutes. */
TEST(two_buffers_overlap_while_both_are_alive) {
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

TEST(adjacent_lifetimes_do_not_overlap) {
  const struct sample samples[] = {{0, 5, 1, 0}, {5, 9, 1, 0}, {9, 10, 1, 0}};
  neap_problem *problem = sample_problem(samples, 3);
  struct metrics metrics = compute(problem, ALL);
  for (size_t i = 0; i < 3; i++)
    assert_int_equal(metrics.values[METRIC_OVERLAP][i], 0);
  metrics_clear(&metrics);
  neap_problem_free(problem);
}

/* Overlap is counted per pair, even if three buffers are alive together. */
TEST(overlap_sums_over_all_others) {
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

TEST(buffers_of_size_zero_overlap_too) {
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
TEST(gaps_do_not_count) {
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

TEST(overlaps_past_64_bits_are_exact) {
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

TEST(only_requested_metrics_are_computed) {
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

TEST(no_buffers_have_no_metrics) {
  neap_problem *problem = neap_problem_new();
  struct metrics metrics = compute(problem, ALL);
  metrics_clear(&metrics);
  neap_problem_free(problem);
}

int main(void) {
  static const struct CMUnitTest others[] = {
      cmocka_unit_test(one_metric_is_one_key),
      cmocka_unit_test(a_sign_makes_its_own_key_ascending),
      cmocka_unit_test(two_and_three_metrics_combine),
      cmocka_unit_test(rejected_orders_are_located),
      cmocka_unit_test(keys_have_a_limit),
      cmocka_unit_test(an_order_begins_as_the_identity),
      cmocka_unit_test(offsets_sort_upwards_then_by_index),
      cmocka_unit_test(presets_are_different_orders),
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
  return sample_run("order", others, SAMPLE_COUNT(others), buffers_are_sorted, rows,
                    SAMPLE_COUNT(rows), sizeof *rows);
}
