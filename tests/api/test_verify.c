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

TEST(a_sound_plan_is_sound) {
  expect_verdict(sound, -1, NEAP_OK, NULL);
  expect_verdict(sound, 36, NEAP_OK, NULL);
  expect_verdict(sound, NEAP_MAX, NEAP_OK, NULL);
}

TEST(a_collision_is_named) {
  const char *const words[] = {"'first'", "'middle'", "[16, 20)", "[3, 5)", NULL};
  expect_verdict((const neap_offset[]){10, 16, 0}, -1, NEAP_ERROR_UNSOUND, words);
}

TEST(a_missed_alignment_is_named) {
  const char *const words[] = {"'middle'", "17", "8", NULL};
  expect_verdict((const neap_offset[]){0, 17, 0}, -1, NEAP_ERROR_UNSOUND, words);
}

TEST(a_moved_fixed_buffer_is_named) {
  const char *const words[] = {"'last'", "1", "0", NULL};
  expect_verdict((const neap_offset[]){0, 16, 1}, -1, NEAP_ERROR_UNSOUND, words);
}

TEST(an_exceeded_capacity_is_named) {
  const char *const words[] = {"'middle'", "36", "35", NULL};
  expect_verdict(sound, 35, NEAP_ERROR_UNSOUND, words);
  expect_verdict(sound, 0, NEAP_ERROR_UNSOUND, (const char *const[]){NULL});
}

TEST(an_empty_plan_is_sound) {
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

TEST(impossible_offsets_are_rejected) {
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

TEST(a_plan_reports_what_can_be_computed) {
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
 * No layout can be lower than 36: middle lies above last, at a multiple of 8.  The end of middle
 * decides the risk of all three, because the others are alive with it.
 */
TEST(a_plan_lists_the_risk_of_each_buffer) {
  static const struct {
    neap_offset middle;
    neap_risk risk;
  } rows[] = {{24, NEAP_RISK_HIGH}, {16, NEAP_RISK_MEDIUM}};
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

TEST(the_gap_is_measured_from_the_lower_bound) {
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

TEST(a_plan_keeps_a_capacity) {
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

TEST(a_base_gives_addresses) {
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

TEST(collisions_are_listed) {
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

/* ---------------------------------------------------------------- a table of layouts */

/*
 * Of each problem, layouts that are sound, and what the message says about others; after a "!", no
 * pair collides.
 */
static const struct row {
  const char *name, *buffers, *relations;
  struct {
    const char *offsets, *words;
  } layouts[8];
} rows[] = {
    {"unrelated buffers share bytes at other times", "10:0-4 10:4-8 0", "", {{"0 0 0", NULL}}},
    {"separated buffers never share a byte",
     "10:0-4 10:4-8 0",
     "separate b a, separate a b, separate a c",
     {{"0 10 5", NULL},
      {"10 0 15", NULL},
      {"0 9 0",
       "'a' and 'b' share bytes [9, 10)|the separation of 'b' and 'a' (reason 'a reason')"}}},
    {"excluded buffers may share bytes",
     "10 10 10:3-5",
     "exclude b a",
     {{"0 0 10", NULL},
      {"0 5 15", NULL},
      {"0 5 14", "'b' and 'c' share bytes [14, 15)|[3, 5)"},
      {"5 0 14", "'a' and 'c' share bytes [14, 15)|[3, 5)"}}},
    /* The new buffer collides with none of its neighbours in bytes, but with one below them. */
    {"permitted pairs hide nothing",
     "100 10 10 5:2-4 5:5-7",
     "exclude a b, exclude a c, exclude a e",
     {{"0 10 30 100 20", NULL},
      {"0 10 30 22 22", "'a' and 'd' share bytes [22, 27)"},
      {"0 10 30 95 22", "'a' and 'd' share bytes [95, 100)"},
      {"0 10 30 100 26", "'c' and 'e' share bytes [30, 31)"}}},
    /* a, the output, is written while b, the input, is read 4 bytes ahead of it. */
    {"one byte decides about an overlap",
     "10:4-8 10:0-5",
     "overlap a b 4",
     {{"0 4", NULL},
      {"0 5", NULL},
      {"0 10", NULL},
      {"10 0", NULL},
      {"0 3",
       "'a' and 'b' share bytes [3, 10)|[4, 5)|lets 'b' begin 4 bytes above 'a'|'a reason'"},
      {"9 0", "[9, 10)"}}},
    {"an overlap of 0 bytes is in place",
     "10:4-8 20:0-5",
     "overlap a b 0",
     {{"7 7", NULL}, {"8 7", "[8, 18)"}}},
    {"either of two overlaps may hold",
     "10:4-8 20:0-5",
     "overlap a b 0, overlap b a 1",
     {{"8 7", NULL}, {"7 7", NULL}}},
    /* The allowance exceeds a's size: a may still lie below b as if there were no relation. */
    {"an overlap never forbids",
     "10:4-8 10:0-5",
     "overlap a b 9223372036854775807",
     {{"0 10", NULL}, {"10 0", NULL}, {"5 0", "[5, 10)"}}},
    {"an overlap may serve a separation",
     "10:0-4 10:4-8",
     "separate a b, overlap a b 6",
     {{"0 6", NULL}, {"0 5", "[5, 10)|separation|begin 6 bytes above"}}},
    {"colocated buffers keep their distance",
     "10 2",
     "colocate a b 4",
     {{"0 4", NULL},
      {"7 11", NULL},
      {"1 4", "!'a' is at offset 1|'b' at offset 4|'b' 4 bytes above 'a'|'a reason'"},
      {"0 5", "!'b' at offset 5"},
      {"0 12", "!'b' at offset 12"}}},
    /* Two views of one tensor overlap, and a third buffer keeps off all of them. */
    {"views of one buffer may share bytes",
     "20 10 10 10:3-5 2:4-9",
     "colocate a b 0, colocate c a -6, exclude e c, exclude a e",
     {{"0 0 6 20 10", NULL},
      {"10 10 16 0 20", NULL},
      {"0 0 6 20 9", "'b' and 'e' share bytes [9, 10)"},
      {"0 0 6 19 10", "'a' and 'd' share bytes [19, 20)"}}},
    {"colocation may be downwards",
     "10 2",
     "colocate a b -4",
     {{"4 0", NULL}, {"4 1", "!'b' 4 bytes below 'a'"}}},
    {"colocation does not overflow",
     "0 0",
     "colocate a b 9223372036854775807",
     {{"0 9223372036854775807", NULL}, {"2 0", "!'a' is at offset 2"}}},
    {"a window holds all bytes",
     "10[5,20)",
     "",
     {{"5", NULL},
      {"10", NULL},
      {"4", "!'a' is at bytes [4, 14), outside its window [5, 20)"},
      {"11", "!'a' is at bytes [11, 21), outside its window [5, 20)"}}},
    {"a bank holds all bytes",
     "10/16 0/16",
     "",
     {{"6 16", NULL},
      {"16 15", NULL},
      {"7 0", "!'a' is at bytes [7, 17), in more than one bank of 16"},
      {"15 0", "!bank"}}},
    {"banks keep buffers apart",
     "20:0-4 10:4-8 0",
     "banks a b 16, banks c a 16",
     {{"0 32 0", NULL},
      {"16 6 20", NULL},
      {"0 31 0",
       "!'a' at bytes [0, 20)|'b' at bytes [31, 41)|bank 1,|banks of 16 bytes|'a reason'"},
      {"15 5 0", "!bank 0,"}}},
};

static void a_layout_is_judged(void **state) {
  const struct row *row = *state;
  neap_problem *problem = sample_read(row->buffers);
  sample_read_relations(problem, row->relations);
  for (size_t i = 0; i < SAMPLE_COUNT(row->layouts) && row->layouts[i].offsets; i++) {
    const char *words = row->layouts[i].words;
    const bool other = words && words[0] == '!';
    neap_offset offsets[8];
    size_t count = 0;
    for (const char *text = row->layouts[i].offsets; *text; count++) {
      char *rest;
      assert_true(count < SAMPLE_COUNT(offsets));
      offsets[count] = strtoll(text, &rest, 10);
      assert_true(rest > text);
      text = rest;
    }
    assert_int_equal(count, neap_problem_count(problem));
    expect(problem, offsets, NULL, other, other ? words + 1 : words);
  }
  neap_problem_free(problem);
}

/* ---------------------------------------------------------------- pairs that conflict */

TEST(a_separated_pair_collides_at_no_time) {
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

TEST(buffers_collide_only_within_a_pool) {
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

TEST(neighbours_in_other_pools_are_no_neighbours) {
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

TEST(a_pool_must_be_allowed_and_aligned) {
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

TEST(colocated_buffers_are_in_one_pool) {
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

TEST(reserved_bytes_are_left_alone) {
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

TEST(bytes_are_reserved_in_one_pool) {
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
  static const struct CMUnitTest others[] = {
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
      cmocka_unit_test(a_separated_pair_collides_at_no_time),
      cmocka_unit_test(buffers_collide_only_within_a_pool),
      cmocka_unit_test(neighbours_in_other_pools_are_no_neighbours),
      cmocka_unit_test(a_pool_must_be_allowed_and_aligned),
      cmocka_unit_test(colocated_buffers_are_in_one_pool),
      cmocka_unit_test(reserved_bytes_are_left_alone),
      cmocka_unit_test(bytes_are_reserved_in_one_pool),
  };
  return sample_run("api verify", others, SAMPLE_COUNT(others), a_layout_is_judged, rows,
                    SAMPLE_COUNT(rows), sizeof *rows);
}
