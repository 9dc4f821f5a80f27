/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the verifier says of given plans. */
#include <stdlib.h>
#include <string.h>

#include "neap/planner.h"
#include "tests/support/sample.h"

/* ---------------------------------------------------------------- offsets */

/* Plans of given offsets, and what the verifier says of them. */

/*
 * Three in a row, each overlapping the next; `middle` wants multiples of 8 and `last` is fixed
 * at 0.
 */
static neap_problem *three(void) {
  neap_problem *problem = neap_problem_new();
  const neap_range range = {3, 8};
  neap_buffer buffer = NEAP_BUFFER_INIT;
  neap_error error;
  sample_add(problem, "first", 0, 5, 10);
  buffer.name = "middle";
  buffer.size = 20;
  buffer.alignment = 8;
  buffer.ranges = &range;
  buffer.range_count = 1;
  assert_ok(neap_problem_add(problem, &buffer, &error), &error);
  sample_add_fixed(problem, "last", 6, 9, 12, 0);
  return problem;
}

/*
 * The verifier's answer to a layout of `three`; where it is a fault, its message has these
 * words.
 */
static void expect_verdict(const neap_offset *offsets, neap_size capacity, neap_status status,
                           const char *const *words) {
  neap_problem *problem = three();
  neap_plan *plan = sample_plan(problem, offsets);
  neap_error error;
  if (status == NEAP_OK) {
    assert_ok(neap_plan_verify(plan, capacity, &error), &error);
    assert_ok(neap_plan_verify(plan, capacity, NULL), &error);
  } else {
    assert_error(neap_plan_verify(plan, capacity, &error), status, &error);
    for (; *words; words++)
      assert_says(&error, *words);
    assert_int_equal(neap_plan_verify(plan, capacity, NULL), status);
  }
  neap_plan_free(plan);
  neap_problem_free(problem);
}

static const neap_offset sound[] = {0, 16, 0};

static void a_sound_plan_is_sound(void **state) {
  (void)state;
  expect_verdict(sound, -1, NEAP_OK, NULL);
  expect_verdict(sound, 36, NEAP_OK, NULL);
  expect_verdict(sound, NEAP_MAX, NEAP_OK, NULL);
}

static void a_collision_is_named(void **state) {
  (void)state;
  const char *const words[] = {"'first'", "'middle'", "[16, 20)", "[3, 5)", NULL};
  expect_verdict((const neap_offset[]){10, 16, 0}, -1, NEAP_ERROR_UNSOUND, words);
}

static void a_missed_alignment_is_named(void **state) {
  (void)state;
  const char *const words[] = {"'middle'", "17", "8", NULL};
  expect_verdict((const neap_offset[]){0, 17, 0}, -1, NEAP_ERROR_UNSOUND, words);
}

static void a_moved_fixed_buffer_is_named(void **state) {
  (void)state;
  const char *const words[] = {"'last'", "1", "0", NULL};
  expect_verdict((const neap_offset[]){0, 16, 1}, -1, NEAP_ERROR_UNSOUND, words);
}

static void an_exceeded_capacity_is_named(void **state) {
  (void)state;
  const char *const words[] = {"'middle'", "36", "35", NULL};
  expect_verdict(sound, 35, NEAP_ERROR_UNSOUND, words);
  expect_verdict(sound, 0, NEAP_ERROR_UNSOUND, (const char *const[]){NULL});
}

static void an_empty_plan_is_sound(void **state) {
  (void)state;
  neap_problem *problem = neap_problem_new();
  neap_plan *plan = sample_plan(problem, NULL);
  neap_error error;
  assert_ok(neap_plan_verify(plan, 0, &error), &error);
  neap_report report = sample_report(plan);
  assert_int_equal(report.peak, 0);
  assert_int_equal(report.outcome, NEAP_OPTIMAL);
  assert_true(report.gap_percent == 0);
  neap_plan_free(plan);
  neap_problem_free(problem);
}

/* ---------------------------------------------------------------- plans */

static void impossible_offsets_are_rejected(void **state) {
  (void)state;
  static const neap_offset table[][3] = {
      {0, NEAP_UNPLACED, 0}, {-5, 16, 0}, {NEAP_MAX - 9, 16, 0}, {0, NEAP_MAX, 0}};
  neap_problem *problem = three();
  for (size_t i = 0; i < SAMPLE_COUNT(table); i++) {
    neap_plan *plan = NULL;
    neap_error error;
    assert_error(neap_plan_new(problem, table[i], &plan, &error), NEAP_ERROR_ARGUMENT, &error);
  }
  neap_problem_free(problem);
}

static void a_plan_reports_what_can_be_computed(void **state) {
  (void)state;
  neap_problem *problem = three();
  neap_plan *plan = sample_plan(problem, sound);
  neap_report report = sample_report(plan);
  assert_ptr_equal(neap_plan_problem(plan), problem);
  for (size_t i = 0; i < 3; i++)
    assert_int_equal(neap_plan_offset(plan, i), sound[i]);
  assert_int_equal(report.buffers, 3);
  assert_int_equal(report.bound, 32);
  assert_int_equal(report.peak, 36);
  assert_true(report.lower_bound >= 32 && report.lower_bound <= 36);
  assert_string_equal(report.run.engine, "");
  assert_int_equal(report.run.rounds, 0);
  assert_true(report.run.seconds == 0);
  neap_round round = NEAP_INIT(neap_round);
  assert_false(neap_plan_round_at(plan, 0, &round));
  neap_plan_free(plan);
  neap_problem_free(problem);
}

/*
 * No layout can be lower than 36: middle lies above last, at a multiple of 8.  Where middle ends
 * decides about all three, because the others are alive with it.
 */
static void a_plan_lists_the_risk_of_each_buffer(void **state) {
  static const struct {
    neap_offset middle;
    neap_risk risk;
  } rows[] = {{24, NEAP_RISK_HIGH}, {16, NEAP_RISK_MEDIUM}};
  (void)state;
  neap_problem *problem = three();
  sample_add(problem, "apart", 20, 21, 1);
  for (size_t r = 0; r < SAMPLE_COUNT(rows); r++) {
    neap_plan *plan = sample_plan(problem, (const neap_offset[]){0, rows[r].middle, 0, 0});
    for (size_t i = 0; i < 3; i++)
      assert_int_equal(neap_plan_risk(plan, i), rows[r].risk);
    assert_int_equal(neap_plan_risk(plan, 3), NEAP_RISK_NONE);
    neap_plan_free(plan);
  }
  neap_problem_free(problem);
}

static void the_gap_is_measured_from_the_lower_bound(void **state) {
  (void)state;
  const struct sample samples[] = {{0, 4, 100, 0}, {0, 4, 100, 0}};
  neap_problem *problem = sample_problem(samples, 2);
  neap_plan *plan = sample_plan(problem, (const neap_offset[]){0, 150});
  neap_report report = sample_report(plan);
  assert_int_equal(report.lower_bound, 200);
  assert_true(report.gap_percent > 24.999 && report.gap_percent < 25.001);
  assert_int_equal(report.outcome, NEAP_FEASIBLE);
  neap_plan_free(plan);
  neap_problem_free(problem);
}

static void a_plan_keeps_a_capacity(void **state) {
  (void)state;
  neap_problem *problem = three();
  neap_plan *plan = sample_plan(problem, sound);
  neap_error error;
  neap_report report = sample_report(plan);
  assert_int_equal(report.capacity, -1);
  for (neap_size capacity = 1; capacity >= -1; capacity--) {
    assert_ok(neap_plan_set_capacity(plan, capacity, &error), &error);
    neap_plan_report(plan, &report);
    assert_int_equal(report.capacity, capacity);
  }
  assert_error(neap_plan_set_capacity(plan, -2, &error), NEAP_ERROR_ARGUMENT, &error);
  assert_int_equal(neap_plan_verify(plan, -1, &error), NEAP_OK);
  neap_plan_free(plan);
  neap_problem_free(problem);
}

static void a_base_gives_addresses(void **state) {
  (void)state;
  neap_problem *problem = three();
  neap_plan *plan = sample_plan(problem, sound);
  neap_error error;
  assert_ok(neap_plan_set_base(plan, 0, &error), &error);
  assert_ok(neap_plan_set_base(plan, UINT64_MAX - 36, &error), &error);
  assert_error(neap_plan_set_base(plan, UINT64_MAX - 35, &error), NEAP_ERROR_ARGUMENT, &error);
  neap_plan_free(plan);
  neap_problem_free(problem);
}

/* ---------------------------------------------------------------- collisions */

static void collisions_are_listed(void **state) {
  (void)state;
  neap_problem *problem = three();
  neap_plan *plan = sample_plan(problem, (const neap_offset[]){0, 8, 0});
  neap_collision *collisions;
  size_t count;
  neap_error error;
  assert_ok(neap_plan_collisions(plan, 10, &collisions, &count, NULL, &error), &error);
  assert_int_equal(count, 2);
  const neap_collision wanted[] = {{0, 1, {3, 5}, 8, 10}, {1, 2, {6, 8}, 8, 12}};
  assert_memory_equal(collisions, wanted, sizeof wanted);
  neap_collisions_free(collisions);
  assert_ok(neap_plan_collisions(plan, 1, &collisions, &count, NULL, &error), &error);
  assert_int_equal(count, 1);
  assert_memory_equal(collisions, wanted, sizeof wanted[0]);
  neap_collisions_free(collisions);
  neap_plan_free(plan);
  plan = sample_plan(problem, sound);
  assert_ok(neap_plan_collisions(plan, 10, &collisions, &count, NULL, &error), &error);
  assert_int_equal(count, 0);
  neap_collisions_free(collisions);
  neap_plan_free(plan);
  neap_problem_free(problem);
}

/* ---------------------------------------------------------------- relations */

/* Plans of given offsets and pools, and what the verifier says about relations in them. */

/*
 * The verifier's answer to a layout: sound if `words` is NULL, otherwise its message has all of
 * them, separated by "|".  The list of collisions agrees unless `other`: then something else is
 * wrong.
 */
static void expect(const neap_problem *problem, const neap_offset *offsets, const size_t *pools,
                   bool other, const char *words) {
  neap_error error;
  neap_collision *collisions;
  size_t count;
  uint64_t total;
  neap_plan *plan = sample_plan(problem, offsets);
  if (pools) assert_ok(neap_plan_set_pools(plan, pools, &error), &error);
  assert_ok(neap_plan_collisions(plan, 9, &collisions, &count, &total, &error), &error);
  assert_int_equal(count, total);
  assert_int_equal(count > 0, words && !other);
  free(collisions);
  if (!words) {
    assert_ok(neap_plan_verify(plan, -1, &error), &error);
  } else {
    char copy[512];
    assert_error(neap_plan_verify(plan, -1, &error), NEAP_ERROR_UNSOUND, &error);
    strcpy(copy, words);
    for (char *word = strtok(copy, "|"); word; word = strtok(NULL, "|"))
      assert_says(&error, word);
    assert_int_equal(neap_plan_verify(plan, -1, NULL), NEAP_ERROR_UNSOUND);
  }
  neap_plan_free(plan);
}

#define AT(...) ((const neap_offset[]){__VA_ARGS__})
#define IN(...) ((const size_t[]){__VA_ARGS__})

/* ---------------------------------------------------------------- pairs that conflict */

static void separated_buffers_never_share_a_byte(void **state) {
  (void)state;
  const struct sample samples[] = {{0, 4, 10, 0}, {4, 8, 10, 0}, {0, 9, 0, 0}};
  neap_problem *problem = sample_problem(samples, 3);
  expect(problem, AT(0, 0, 0), NULL, false, NULL);
  sample_relate(problem, NEAP_SEPARATION, 1, 0, 0);
  sample_relate(problem, NEAP_SEPARATION, 0, 1, 0);
  sample_relate(problem, NEAP_SEPARATION, 0, 2, 0);
  expect(problem, AT(0, 10, 5), NULL, false, NULL);
  expect(problem, AT(10, 0, 15), NULL, false, NULL);
  expect(
      problem, AT(0, 9, 0), NULL, false,
      "'b0' and 'b1' share bytes [9, 10)|the separation of 'b1' and 'b0' (reason 'a reason')");
  neap_problem_free(problem);
}

static void a_separated_pair_collides_at_no_time(void **state) {
  (void)state;
  const struct sample samples[] = {{6, 9, 4, 0}, {0, 4, 10, 0}, {4, 8, 10, 0}};
  const neap_collision wanted[] = {{0, 2, {6, 8}, 9, 13}, {1, 2, {0, 0}, 9, 10}};
  neap_problem *problem = sample_problem(samples, 3);
  neap_collision *collisions;
  size_t count;
  neap_error error;
  sample_relate(problem, NEAP_SEPARATION, 2, 1, 0);
  sample_relate(problem, NEAP_SEPARATION, 1, 2, 0);
  sample_relate(problem, NEAP_SEPARATION, 2, 0, 0);
  neap_plan *plan = sample_plan(problem, AT(9, 0, 9));
  for (size_t limit = 0; limit < 4; limit++) {
    uint64_t total;
    assert_ok(neap_plan_collisions(plan, limit, &collisions, &count, &total, &error), &error);
    assert_int_equal(total, 2);
    assert_int_equal(count, limit < 2 ? limit : 2);
    assert_memory_equal(collisions, wanted, count * sizeof *wanted);
    free(collisions);
  }
  neap_plan_free(plan);
  neap_problem_free(problem);
}

static void excluded_buffers_may_share_bytes(void **state) {
  (void)state;
  const struct sample samples[] = {{0, 9, 10, 0}, {0, 9, 10, 0}, {3, 5, 10, 0}};
  neap_problem *problem = sample_problem(samples, 3);
  sample_relate(problem, NEAP_EXCLUSION, 1, 0, 0);
  expect(problem, AT(0, 0, 10), NULL, false, NULL);
  expect(problem, AT(0, 5, 15), NULL, false, NULL);
  expect(problem, AT(0, 5, 14), NULL, false, "'b1' and 'b2' share bytes [14, 15)|[3, 5)");
  expect(problem, AT(5, 0, 14), NULL, false, "'b0' and 'b2' share bytes [14, 15)|[3, 5)");
  neap_problem_free(problem);
}

/*
 * A permitted pair does not hide a collision: neither of the new one's neighbours in bytes
 * collides with it, but a buffer below them does.
 */
static void permitted_pairs_hide_nothing(void **state) {
  (void)state;
  const struct sample samples[] = {
      {0, 9, 100, 0}, {0, 9, 10, 0}, {0, 9, 10, 0}, {2, 4, 5, 0}, {5, 7, 5, 0}};
  neap_problem *problem = sample_problem(samples, 5);
  sample_relate(problem, NEAP_EXCLUSION, 0, 1, 0);
  sample_relate(problem, NEAP_EXCLUSION, 0, 2, 0);
  sample_relate(problem, NEAP_EXCLUSION, 0, 4, 0);
  expect(problem, AT(0, 10, 30, 100, 20), NULL, false, NULL);
  expect(problem, AT(0, 10, 30, 22, 22), NULL, false, "'b0' and 'b3' share bytes [22, 27)");
  expect(problem, AT(0, 10, 30, 95, 22), NULL, false, "'b0' and 'b3' share bytes [95, 100)");
  expect(problem, AT(0, 10, 30, 100, 26), NULL, false, "'b2' and 'b4' share bytes [30, 31)");
  neap_problem_free(problem);
}

/* `first`, the output, is written while `second`, the input, is read 4 bytes ahead of it. */
static void one_byte_decides_about_an_overlap(void **state) {
  (void)state;
  const struct sample samples[] = {{4, 8, 10, 0}, {0, 5, 10, 0}};
  neap_problem *problem = sample_problem(samples, 2);
  sample_relate(problem, NEAP_OVERLAP, 0, 1, 4);
  expect(problem, AT(0, 4), NULL, false, NULL);
  expect(problem, AT(0, 5), NULL, false, NULL);
  expect(problem, AT(0, 10), NULL, false, NULL);
  expect(problem, AT(10, 0), NULL, false, NULL);
  expect(
      problem, AT(0, 3), NULL, false,
      "'b0' and 'b1' share bytes [3, 10)|[4, 5)|lets 'b1' begin 4 bytes above 'b0'|'a reason'");
  expect(problem, AT(9, 0), NULL, false, "[9, 10)");
  neap_problem_free(problem);
}

static void an_overlap_of_0_bytes_is_in_place(void **state) {
  (void)state;
  const struct sample samples[] = {{4, 8, 10, 0}, {0, 5, 20, 0}};
  neap_problem *problem = sample_problem(samples, 2);
  sample_relate(problem, NEAP_OVERLAP, 0, 1, 0);
  expect(problem, AT(7, 7), NULL, false, NULL);
  expect(problem, AT(8, 7), NULL, false, "[8, 18)");
  sample_relate(problem, NEAP_OVERLAP, 1, 0, 1); /* either of two may hold */
  expect(problem, AT(8, 7), NULL, false, NULL);
  expect(problem, AT(7, 7), NULL, false, NULL);
  neap_problem_free(problem);
}

/* More bytes than `first` has: it may still lie below `second` as if there were no relation. */
static void an_overlap_never_forbids(void **state) {
  (void)state;
  const struct sample samples[] = {{4, 8, 10, 0}, {0, 5, 10, 0}};
  neap_problem *problem = sample_problem(samples, 2);
  sample_relate(problem, NEAP_OVERLAP, 0, 1, NEAP_MAX);
  expect(problem, AT(0, 10), NULL, false, NULL);
  expect(problem, AT(10, 0), NULL, false, NULL);
  expect(problem, AT(5, 0), NULL, false, "[5, 10)");
  neap_problem_free(problem);
}

static void an_overlap_may_serve_a_separation(void **state) {
  (void)state;
  const struct sample samples[] = {{0, 4, 10, 0}, {4, 8, 10, 0}};
  neap_problem *problem = sample_problem(samples, 2);
  sample_relate(problem, NEAP_SEPARATION, 0, 1, 0);
  sample_relate(problem, NEAP_OVERLAP, 0, 1, 6);
  expect(problem, AT(0, 6), NULL, false, NULL);
  expect(problem, AT(0, 5), NULL, false, "[5, 10)|separation|begin 6 bytes above");
  neap_problem_free(problem);
}

/* ---------------------------------------------------------------- colocation */

static void colocated_buffers_keep_their_distance(void **state) {
  (void)state;
  const struct sample samples[] = {{0, 9, 10, 0}, {0, 9, 2, 0}};
  neap_problem *problem = sample_problem(samples, 2);
  sample_relate(problem, NEAP_COLOCATION, 0, 1, 4);
  expect(problem, AT(0, 4), NULL, false, NULL);
  expect(problem, AT(7, 11), NULL, false, NULL);
  const char *words = "'b0' is at offset 1|'b1' at offset 4|'b1' 4 bytes above 'b0'|'a reason'";
  expect(problem, AT(1, 4), NULL, true, words);
  expect(problem, AT(0, 5), NULL, true, "'b1' at offset 5");
  expect(problem, AT(0, 12), NULL, true, "'b1' at offset 12");
  neap_problem_free(problem);
}

/* Two views of one tensor overlap, and a third buffer keeps off all of them. */
static void views_of_one_buffer_may_share_bytes(void **state) {
  (void)state;
  const struct sample samples[] = {
      {0, 9, 20, 0}, {0, 9, 10, 0}, {0, 9, 10, 0}, {3, 5, 10, 0}, {4, 9, 2, 0}};
  neap_problem *problem = sample_problem(samples, 5);
  sample_relate(problem, NEAP_COLOCATION, 0, 1, 0);
  sample_relate(problem, NEAP_COLOCATION, 2, 0, -6);
  sample_relate(problem, NEAP_EXCLUSION, 4, 2, 0);
  sample_relate(problem, NEAP_EXCLUSION, 0, 4, 0);
  expect(problem, AT(0, 0, 6, 20, 10), NULL, false, NULL);
  expect(problem, AT(10, 10, 16, 0, 20), NULL, false, NULL);
  expect(problem, AT(0, 0, 6, 20, 9), NULL, false, "'b1' and 'b4' share bytes [9, 10)");
  expect(problem, AT(0, 0, 6, 19, 10), NULL, false, "'b0' and 'b3' share bytes [19, 20)");
  neap_problem_free(problem);
}

static void colocation_may_be_downwards(void **state) {
  (void)state;
  const struct sample samples[] = {{0, 9, 10, 0}, {0, 9, 2, 0}};
  neap_problem *problem = sample_problem(samples, 2);
  sample_relate(problem, NEAP_COLOCATION, 0, 1, -4);
  expect(problem, AT(4, 0), NULL, false, NULL);
  expect(problem, AT(4, 1), NULL, true, "'b1' 4 bytes below 'b0'");
  neap_problem_free(problem);
}

static void colocation_does_not_overflow(void **state) {
  (void)state;
  const struct sample samples[] = {{0, 9, 0, 0}, {0, 9, 0, 0}};
  neap_problem *problem = sample_problem(samples, 2);
  sample_relate(problem, NEAP_COLOCATION, 0, 1, NEAP_MAX);
  expect(problem, AT(0, NEAP_MAX), NULL, false, NULL);
  expect(problem, AT(2, 0), NULL, true, "'b0' is at offset 2");
  neap_problem_free(problem);
}

/* ---------------------------------------------------------------- limits of one buffer */

static void a_window_holds_all_bytes(void **state) {
  (void)state;
  neap_problem *problem = neap_problem_new();
  neap_buffer buffer = NEAP_BUFFER_INIT;
  buffer.size = 10;
  buffer.window_low = 5;
  buffer.window_high = 20;
  sample_add_buffer(problem, "a", buffer);
  expect(problem, AT(5), NULL, false, NULL);
  expect(problem, AT(10), NULL, false, NULL);
  expect(problem, AT(4), NULL, true, "'a' is at bytes [4, 14), outside its window [5, 20)");
  expect(problem, AT(11), NULL, true, "'a' is at bytes [11, 21), outside its window [5, 20)");
  neap_problem_free(problem);
}

static void a_bank_holds_all_bytes(void **state) {
  (void)state;
  neap_problem *problem = neap_problem_new();
  neap_buffer buffer = NEAP_BUFFER_INIT;
  buffer.size = 10;
  buffer.bank = 16;
  sample_add_buffer(problem, "a", buffer);
  buffer.size = 0;
  sample_add_buffer(problem, "nothing", buffer);
  expect(problem, AT(6, 16), NULL, false, NULL);
  expect(problem, AT(16, 15), NULL, false, NULL);
  expect(problem, AT(7, 0), NULL, true, "'a' is at bytes [7, 17), in more than one bank of 16");
  expect(problem, AT(15, 0), NULL, true, "bank");
  neap_problem_free(problem);
}

static void banks_keep_buffers_apart(void **state) {
  (void)state;
  const struct sample samples[] = {{0, 4, 20, 0}, {4, 8, 10, 0}, {0, 9, 0, 0}};
  neap_problem *problem = sample_problem(samples, 3);
  sample_relate(problem, NEAP_BANK_SEPARATION, 0, 1, 16);
  sample_relate(problem, NEAP_BANK_SEPARATION, 2, 0, 16);
  expect(problem, AT(0, 32, 0), NULL, false, NULL);
  expect(problem, AT(16, 6, 20), NULL, false, NULL);
  expect(problem, AT(0, 31, 0), NULL, true,
         "'b0' at bytes [0, 20)|'b1' at bytes [31, 41)|bank 1,|banks of 16 bytes|'a reason'");
  expect(problem, AT(15, 5, 0), NULL, true, "bank 0,");
  neap_problem_free(problem);
}

/* ---------------------------------------------------------------- pools */

/* Pool x for 32 bytes at multiples of 8, y without limits. */
static neap_problem *with_pools(void) {
  neap_problem *problem = neap_problem_new();
  const neap_pool x = {sizeof(neap_pool), "x", 32, 8, 0, -1},
                  y = {sizeof(neap_pool), "y", -1, 1, 0, -1};
  neap_error error;
  assert_ok(neap_problem_add_pool(problem, &x, &error), &error);
  assert_ok(neap_problem_add_pool(problem, &y, &error), &error);
  return problem;
}

static void buffers_collide_only_within_a_pool(void **state) {
  (void)state;
  neap_problem *problem = with_pools();
  sample_add(problem, "a", 0, 9, 10);
  sample_add(problem, "b", 0, 9, 10);
  sample_add(problem, "c", 9, 12, 10);
  sample_relate(problem, NEAP_SEPARATION, 0, 2, 0);
  sample_relate(problem, NEAP_BANK_SEPARATION, 0, 1, 1024);
  expect(problem, AT(0, 0, 10), IN(0, 1, 1), false, NULL);
  expect(problem, AT(0, 0, 0), IN(1, 0, 0), false, NULL);
  expect(problem, AT(10, 0, 10), IN(1, 1, 0), true, "alignment");
  expect(problem, AT(0, 0, 1), IN(1, 0, 1), false, "'a' and 'c' share bytes [1, 10)");
  expect(problem, AT(0, 10, 24), IN(1, 1, 0), true, "'c' ends at 34|32 bytes of pool 'x'");
  expect(problem, AT(0, 10, 16), IN(1, 1, 0), true, "banks");
  neap_problem_free(problem);
}

static void neighbours_in_other_pools_are_no_neighbours(void **state) {
  (void)state;
  neap_problem *problem = with_pools();
  sample_add(problem, "a", 0, 9, 30);
  sample_add(problem, "b", 1, 9, 30);
  sample_add(problem, "c", 2, 9, 10);
  sample_add(problem, "d", 3, 9, 10);
  expect(problem, AT(0, 0, 30, 40), IN(0, 1, 1, 1), false, NULL);
  expect(problem, AT(0, 0, 29, 40), IN(0, 1, 1, 1), false, "'b' and 'c' share bytes [29, 30)");
  expect(problem, AT(0, 0, 30, 40), IN(1, 0, 1, 1), false, NULL);
  expect(problem, AT(5, 0, 30, 40), IN(1, 0, 1, 1), false, "'a' and 'c' share bytes [30, 35)");
  sample_relate(problem, NEAP_EXCLUSION, 0, 2, 0);
  expect(problem, AT(5, 0, 30, 40), IN(1, 0, 1, 1), false, NULL);
  expect(problem, AT(5, 0, 30, 39), IN(1, 0, 1, 1), false, "'c' and 'd' share bytes [39, 40)");
  neap_problem_free(problem);
}

static void a_pool_must_be_allowed_and_aligned(void **state) {
  (void)state;
  neap_problem *problem = with_pools();
  const size_t only[] = {1};
  neap_buffer buffer = NEAP_BUFFER_INIT;
  buffer.size = 8;
  sample_add_buffer(problem, "any", buffer);
  buffer.pools = only;
  buffer.pool_count = 1;
  sample_add_buffer(problem, "only", buffer);
  expect(problem, AT(24, 3), IN(0, 1), false, NULL);
  expect(problem, AT(24, 0), IN(0, 0), true, "'only' is in pool 'x', which it does not allow");
  expect(problem, AT(12, 0), IN(0, 1), true,
         "'any' is at offset 12, which is not a multiple of 8, the alignment of pool 'x'");
  expect(problem, AT(32, 0), IN(0, 1), true, "'any' ends at 40, above the capacity of 32");
  expect(problem, AT(32, 0), IN(1, 1), false, NULL);
  expect(problem, AT(0, 8), NULL, true, "'only' is in pool 'x'");
  neap_problem_free(problem);
}

static void colocated_buffers_are_in_one_pool(void **state) {
  (void)state;
  neap_problem *problem = with_pools();
  sample_add(problem, "a", 0, 9, 8);
  sample_add(problem, "b", 0, 9, 8);
  sample_relate(problem, NEAP_COLOCATION, 0, 1, 8);
  expect(problem, AT(0, 8), IN(0, 0), false, NULL);
  expect(problem, AT(0, 8), IN(1, 1), false, NULL);
  expect(problem, AT(0, 8), IN(0, 1), true,
         "'a' is in pool 'x' and 'b' is in pool 'y'|'b' 8 bytes above 'a'");
  neap_problem_free(problem);
}

/* ---------------------------------------------------------------- reserved bytes */

static void reserve(neap_problem *problem, size_t pool, neap_offset low, neap_offset high,
                    neap_time start, neap_time end) {
  const neap_reserved reserved = {sizeof(neap_reserved), pool, low, high, {start, end}};
  neap_error error;
  assert_ok(neap_problem_reserve(problem, &reserved, &error), &error);
}

static void reserved_bytes_are_left_alone(void **state) {
  (void)state;
  const struct sample samples[] = {{4, 8, 10, 0}, {0, 9, 0, 0}};
  neap_problem *problem = sample_problem(samples, 2);
  reserve(problem, 0, 10, 20, 0, NEAP_MAX);
  reserve(problem, 0, 12, 14, 0, NEAP_MAX);
  reserve(problem, 0, 30, 40, 8, 12);
  reserve(problem, 0, 40, 50, 7, 8);
  reserve(problem, 0, 50, 60, 0, 4);
  expect(problem, AT(0, 15), NULL, false, NULL);
  expect(problem, AT(20, 12), NULL, false, NULL);
  expect(problem, AT(30, 0), NULL, false, NULL);
  expect(problem, AT(50, 0), NULL, false, NULL);
  expect(problem, AT(1, 0), NULL, true,
         "'b0' uses bytes [10, 11) at times [4, 8), but bytes [10, 20) are reserved");
  expect(problem, AT(19, 0), NULL, true, "uses bytes [19, 20)");
  expect(problem, AT(31, 0), NULL, true, "uses bytes [40, 41) at times [7, 8)");
  expect(problem, AT(49, 0), NULL, true, "uses bytes [49, 50) at times [7, 8)");
  neap_problem_free(problem);
}

static void bytes_are_reserved_in_one_pool(void **state) {
  (void)state;
  neap_problem *problem = with_pools();
  sample_add(problem, "a", 0, 9, 8);
  reserve(problem, 1, 0, 16, 5, 20);
  reserve(problem, 0, 24, 25, 8, 9);
  expect(problem, AT(0), IN(0), false, NULL);
  expect(problem, AT(16), IN(0), false, NULL);
  expect(problem, AT(16), IN(1), false, NULL);
  expect(problem, AT(24), IN(1), false, NULL);
  expect(problem, AT(15), IN(1), true, "'a' uses bytes [15, 16) of pool 'y' at times [5, 9)");
  expect(problem, AT(24), IN(0), true, "'a' uses bytes [24, 25) of pool 'x' at times [8, 9)");
  neap_problem_free(problem);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_sound_plan_is_sound),
      cmocka_unit_test(a_collision_is_named),
      cmocka_unit_test(a_missed_alignment_is_named),
      cmocka_unit_test(a_moved_fixed_buffer_is_named),
      cmocka_unit_test(an_exceeded_capacity_is_named),
      cmocka_unit_test(an_empty_plan_is_sound),
      cmocka_unit_test(impossible_offsets_are_rejected),
      cmocka_unit_test(a_plan_reports_what_can_be_computed),
      cmocka_unit_test(a_plan_lists_the_risk_of_each_buffer),
      cmocka_unit_test(the_gap_is_measured_from_the_lower_bound),
      cmocka_unit_test(a_plan_keeps_a_capacity),
      cmocka_unit_test(a_base_gives_addresses),
      cmocka_unit_test(collisions_are_listed),
      cmocka_unit_test(separated_buffers_never_share_a_byte),
      cmocka_unit_test(a_separated_pair_collides_at_no_time),
      cmocka_unit_test(excluded_buffers_may_share_bytes),
      cmocka_unit_test(permitted_pairs_hide_nothing),
      cmocka_unit_test(one_byte_decides_about_an_overlap),
      cmocka_unit_test(an_overlap_of_0_bytes_is_in_place),
      cmocka_unit_test(an_overlap_never_forbids),
      cmocka_unit_test(an_overlap_may_serve_a_separation),
      cmocka_unit_test(colocated_buffers_keep_their_distance),
      cmocka_unit_test(views_of_one_buffer_may_share_bytes),
      cmocka_unit_test(colocation_may_be_downwards),
      cmocka_unit_test(colocation_does_not_overflow),
      cmocka_unit_test(a_window_holds_all_bytes),
      cmocka_unit_test(a_bank_holds_all_bytes),
      cmocka_unit_test(banks_keep_buffers_apart),
      cmocka_unit_test(buffers_collide_only_within_a_pool),
      cmocka_unit_test(neighbours_in_other_pools_are_no_neighbours),
      cmocka_unit_test(a_pool_must_be_allowed_and_aligned),
      cmocka_unit_test(colocated_buffers_are_in_one_pool),
      cmocka_unit_test(reserved_bytes_are_left_alone),
      cmocka_unit_test(bytes_are_reserved_in_one_pool),
  };
  return cmocka_run_group_tests_name("api verify", tests, NULL, NULL);
}
