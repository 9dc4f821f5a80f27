/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The placer and its rules, and which buffers wait. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/random.h"
#include "facts/columns.h"
#include "place/placer.h"
#include "place/state.h"
#include "tests/support/layout.h"
#include "tests/support/sample.h"

/* ---------------------------------------------------------------- placing */

/* The placer and its rules on layouts small enough to draw. */

/* A problem with a placer that works on it. */
struct setting {
  neap_problem *problem;
  struct sections sections;
  struct budget budget;
  struct placer *placer;
};

/* Takes ownership of the problem. */
static void set_up(struct setting *setting, neap_problem *problem, const char *rule) {
  neap_error error;
  setting->problem = problem;
  budget_init(&setting->budget, 0, 0);
  assert_ok(columns_init(&setting->sections, problem, SECTIONS_ALL, &error), &error);
  assert_ok(placer_new(&setting->placer, problem, &setting->sections, layout_rule(rule),
                       &setting->budget, &error),
            &error);
}

static void tear_down(struct setting *setting) {
  placer_free(setting->placer);
  sections_clear(&setting->sections);
  neap_problem_free(setting->problem);
}

static void put(struct setting *setting, size_t buffer) {
  neap_error error;
  assert_ok(placer_put(setting->placer, buffer, &error), &error);
}

static void expect_offsets(const struct setting *setting, const neap_offset *wanted) {
  const neap_offset *found = placer_offsets(setting->placer);
  for (size_t i = 0; i < neap_problem_count(setting->problem); i++)
    if (found[i] != wanted[i])
      fail_msg("buffer %zu: expected at %lld, found at %lld", i, (long long)wanted[i],
               (long long)found[i]);
}

/* ---------------------------------------------------------------- the rules */

TEST(the_table_begins_with_the_default) {
  static const char *const names[] = {"lowest", "drop", "tight", "best-fit"};
  size_t count = 0;
  while (place_rule_at(count)) {
    const struct place_rule *rule = place_rule_at(count++);
    assert_ptr_equal(layout_rule(rule->name), rule);
    assert_true(rule->summary && rule->summary[0]);
  }
  assert_string_equal(place_rule_at(0)->name, "lowest");
  for (size_t i = 0; i < SAMPLE_COUNT(names); i++)
    layout_rule(names[i]);
}

/*
 *  bytes
 *   25 |ccccccccccc           lowest fills the hole over a that b leaves when it dies;
 *   20 |ccccccccccc           drop and tight go on top of c.
 *   10 |bbbb   ddddd
 *    0 |aaaaaaaaaaaa
 */
#define WITH_HOLE "10:0-10 10:0-4 5:0-10 8:6-10"
#define ALIGNED "10%16:0-4 7%16:1-5 1%4:2-6 100%64:3-7"

static const struct row {
  const char *name, *buffers; /* as sample_read takes them */
  const char *rule;           /* NULL: every rule */
  const char *offsets;
  neap_size peak;
} rows[] = {
    {"lowest fills holes", WITH_HOLE, "lowest", "0 10 20 10", 25},
    {"drop stacks", WITH_HOLE, "drop", "0 10 20 25", 33},
    {"tight follows the one before", WITH_HOLE, "tight", "0 10 20 25", 33},
    /* No buffer waits for c, since d came after b, its only neighbour. So tight acts as lowest. */
    {"tight falls back to lowest", "9:0-4 5:2-12 4:6-8 3:10-12", "tight", "0 9 14 0", 18},
    /*
     * Gaps of 6 and 4 bytes, and room above them. 3 bytes go in the smaller gap, although it is
     * higher; 5 only fit in the larger one; 7 go on top. Buffers that end early hold up others,
     * which makes the gaps.
     */
    {"best-fit puts 3 bytes in the smaller hole", "2 6:0-1 2 4:0-1 2 3:5-6", "best-fit",
     "0 2 8 10 14 10", 16},
    {"best-fit puts 5 bytes in the larger hole", "2 6:0-1 2 4:0-1 2 5:5-6", "best-fit",
     "0 2 8 10 14 2", 16},
    {"best-fit puts 7 bytes on top", "2 6:0-1 2 4:0-1 2 7:5-6", "best-fit", "0 2 8 10 14 16",
     23},
    {"best-fit takes the lower of equal holes", "2 4:0-1 2 4:0-1 2 3:5-6", "best-fit",
     "0 2 6 8 12 2", 14},
    /* The gap of 4 bytes from byte 3 has room for 2 bytes, but not at a multiple of 8. */
    {"best-fit counts what alignment costs", "3 4:0-1 1 12:0-1 1 2%8:5-6", "best-fit",
     "0 3 7 8 20 8", 21},
    {"lowest aligns offsets", ALIGNED, "lowest", "0 16 12 64", 164},
    {"drop aligns offsets", ALIGNED, "drop", "0 16 24 64", 164},
    {"tight aligns offsets", ALIGNED, "tight", "0 16 24 64", 164},
    {"alignments need not be powers of two", "10 10%7 1%3", "lowest", "0 14 12", 24},
    {"empty buffers block nothing", "10 0 5 0%8", NULL, "0 0 10 0", 15},
    {"buffers with disjoint lifetimes share bytes", "10:0-5 10:5-9 10:9-11", NULL, "0 0 0", 10},
    /* Four buffers, each of nearly a quarter of the address space. */
    {"offsets reach the top",
     "2305843009213693951:0-9223372036854775807 2305843009213693951:1-5 "
     "2305843009213693951:2-5 2305843009213693951:3-5",
     NULL, "0 2305843009213693951 4611686018427387902 6917529027641081853",
     9223372036854775804},
};

/* Places all buffers by index. */
static void expect_row(const struct row *row, const char *rule) {
  struct setting setting;
  char found[128] = "";
  set_up(&setting, sample_read(row->buffers), rule);
  size_t count = neap_problem_count(setting.problem), length = 0;
  for (size_t i = 0; i < count; i++)
    put(&setting, i);
  for (size_t i = 0; i < count; i++)
    length += (size_t)sprintf(found + length, "%s%" PRId64, i ? " " : "",
                              placer_offsets(setting.placer)[i]);
  if (strcmp(found, row->offsets) != 0)
    fail_msg("%s: expected %s, found %s", rule, row->offsets, found);
  assert_int_equal(placer_peak(setting.placer), row->peak);
  tear_down(&setting);
}

static void buffers_are_placed(void **state) {
  const struct row *row = *state;
  if (row->rule) expect_row(row, row->rule);
  for (size_t i = 0; !row->rule && place_rule_at(i); i++)
    expect_row(row, place_rule_at(i)->name);
}

static void each_rule(void check(const char *rule)) {
  for (size_t i = 0; place_rule_at(i); i++)
    check(place_rule_at(i)->name);
}

/* During a buffer's gap, others may use its bytes; it needs its bytes in all of its ranges. */
static void lie_in_gaps(const char *rule) {
  const neap_range outer[] = {{0, 2}, {8, 10}};
  struct setting setting;
  neap_problem *problem = neap_problem_new();
  sample_add_gapped(problem, "outer", outer, 2, 10);
  sample_add(problem, "inner", 2, 8, 10);
  sample_add(problem, "later", 7, 9, 3);
  set_up(&setting, problem, rule);
  for (size_t i = 0; i < 3; i++)
    put(&setting, i);
  expect_offsets(&setting, (const neap_offset[]){0, 0, 10});
  tear_down(&setting);
}

TEST(gaps_are_used) { each_rule(lie_in_gaps); }

static void lay_nothing(const char *rule) {
  struct setting setting;
  neap_error error;
  gsl_permutation none = {0, NULL};
  set_up(&setting, neap_problem_new(), rule);
  assert_ok(placer_fill(setting.placer, &none, &error), &error);
  assert_int_equal(placer_peak(setting.placer), 0);
  tear_down(&setting);
}

TEST(no_buffers_have_peak_zero) { each_rule(lay_nothing); }

/* ---------------------------------------------------------------- fixed offsets */

static neap_problem *problem_with_fixed(void) {
  neap_problem *problem = neap_problem_new();
  sample_add(problem, "a", 0, 5, 10);
  sample_add_fixed(problem, "fixed", 0, 5, 10, 12);
  sample_add(problem, "b", 0, 5, 2);
  sample_add(problem, "c", 4, 9, 3);
  return problem;
}

TEST(fixed_buffers_are_placed_first) {
  struct setting setting;
  set_up(&setting, problem_with_fixed(), "lowest");
  expect_offsets(&setting,
                 (const neap_offset[]){NEAP_UNPLACED, 12, NEAP_UNPLACED, NEAP_UNPLACED});
  assert_int_equal(placer_peak(setting.placer), 22);
  for (size_t i = 0; i < 4; i++)
    put(&setting, i);
  expect_offsets(&setting, (const neap_offset[]){0, 12, 10, 22});
  tear_down(&setting);
}

TEST(reset_keeps_fixed_buffers) {
  struct setting setting;
  neap_error error;
  set_up(&setting, problem_with_fixed(), "lowest");
  for (size_t i = 0; i < 4; i++)
    put(&setting, i);
  assert_ok(placer_reset(setting.placer, &error), &error);
  expect_offsets(&setting,
                 (const neap_offset[]){NEAP_UNPLACED, 12, NEAP_UNPLACED, NEAP_UNPLACED});
  assert_int_equal(placer_peak(setting.placer), 22);
  put(&setting, 3);
  put(&setting, 0);
  expect_offsets(&setting, (const neap_offset[]){22, 12, NEAP_UNPLACED, 0});
  assert_int_equal(placer_peak(setting.placer), 32);
  tear_down(&setting);
}

/* ---------------------------------------------------------------- order of calls */

TEST(placed_buffers_do_not_move) {
  struct setting setting;
  set_up(&setting, sample_read(WITH_HOLE), "lowest");
  put(&setting, 2);
  put(&setting, 2);
  put(&setting, 0);
  put(&setting, 2);
  expect_offsets(&setting, (const neap_offset[]){5, NEAP_UNPLACED, 0, NEAP_UNPLACED});
  assert_int_equal(placer_peak(setting.placer), 15);
  tear_down(&setting);
}

TEST(filling_equals_placing_one_by_one) {
  size_t elements[] = {3, 1, 0, 2};
  const gsl_permutation order = {4, elements};
  struct setting filled, done;
  neap_error error;
  set_up(&filled, sample_read(WITH_HOLE), "lowest");
  set_up(&done, sample_read(WITH_HOLE), "lowest");
  put(&filled, 1); /* is there before the others */
  put(&done, 1);
  assert_ok(placer_fill(filled.placer, &order, &error), &error);
  for (size_t i = 0; i < 4; i++)
    put(&done, elements[i]);
  expect_offsets(&filled, placer_offsets(done.placer));
  tear_down(&filled);
  tear_down(&done);
}

TEST(a_spent_budget_stops_placing) {
  struct setting setting;
  neap_error error;
  size_t elements[] = {0, 1, 2, 3};
  const gsl_permutation order = {4, elements};
  set_up(&setting, sample_read(WITH_HOLE), "lowest");
  budget_init(&setting.budget, 3, 0);
  assert_int_equal(placer_fill(setting.placer, &order, &error), NEAP_NO_PLAN);
  expect_offsets(&setting, (const neap_offset[]){0, 10, 20, NEAP_UNPLACED});
  assert_int_equal(setting.budget.end, BUDGET_TICKS);
  assert_int_equal(placer_put(setting.placer, 3, NULL), NEAP_NO_PLAN);
  assert_int_equal(placer_offsets(setting.placer)[3], NEAP_UNPLACED);
  tear_down(&setting);
}

TEST(placing_a_buffer_takes_a_tick) {
  struct setting setting;
  set_up(&setting, sample_read(WITH_HOLE), "lowest");
  uint64_t before = setting.budget.ticks;
  for (size_t i = 0; i < 4; i++)
    put(&setting, i);
  assert_int_equal(setting.budget.ticks - before, 4);
  tear_down(&setting);
}

/* ---------------------------------------------------------------- marks */

static void rollback_gives_the_state_at_the_mark(const char *rule) {
  struct setting setting, fresh;
  set_up(&setting, sample_read(WITH_HOLE), rule);
  put(&setting, 0);
  struct placer_mark mark = placer_mark(setting.placer);
  for (int again = 0; again < 3; again++) {
    put(&setting, 3);
    put(&setting, 2);
    put(&setting, 1);
    placer_rollback(setting.placer, mark);
    expect_offsets(&setting,
                   (const neap_offset[]){0, NEAP_UNPLACED, NEAP_UNPLACED, NEAP_UNPLACED});
    assert_int_equal(placer_peak(setting.placer), 10);
  }
  for (size_t i = 1; i < 4; i++)
    put(&setting, i);
  set_up(&fresh, sample_read(WITH_HOLE), rule);
  for (size_t i = 0; i < 4; i++)
    put(&fresh, i);
  expect_offsets(&setting, placer_offsets(fresh.placer));
  tear_down(&fresh);
  tear_down(&setting);
}

TEST(tried_placements_can_be_undone) { each_rule(rollback_gives_the_state_at_the_mark); }

TEST(marks_nest) {
  struct setting setting;
  set_up(&setting, sample_read(WITH_HOLE), "lowest");
  struct placer_mark empty = placer_mark(setting.placer);
  put(&setting, 0);
  struct placer_mark one = placer_mark(setting.placer);
  put(&setting, 1);
  placer_rollback(setting.placer, one);
  put(&setting, 2);
  expect_offsets(&setting, (const neap_offset[]){0, NEAP_UNPLACED, 10, NEAP_UNPLACED});
  placer_rollback(setting.placer, empty);
  assert_int_equal(placer_peak(setting.placer), 0);
  put(&setting, 2);
  expect_offsets(&setting,
                 (const neap_offset[]){NEAP_UNPLACED, NEAP_UNPLACED, 0, NEAP_UNPLACED});
  tear_down(&setting);
}

TEST(forget_keeps_everything) {
  struct setting setting;
  set_up(&setting, sample_read(WITH_HOLE), "lowest");
  put(&setting, 0);
  placer_mark(setting.placer);
  put(&setting, 1);
  placer_forget(setting.placer);
  put(&setting, 2);
  struct placer_mark mark = placer_mark(setting.placer);
  put(&setting, 3);
  placer_rollback(setting.placer, mark);
  expect_offsets(&setting, (const neap_offset[]){0, 10, 20, NEAP_UNPLACED});
  assert_int_equal(placer_peak(setting.placer), 25);
  tear_down(&setting);
}

/* ---------------------------------------------------------------- waiting buffers */

/* Waiting buffers, by definition: a buffer waits until one placed after it overlaps it in time. */

#define BUFFERS 60
#define HORIZON 40
#define ROUNDS 200

static struct sample samples[BUFFERS];

static bool overlap(size_t a, size_t b) {
  return samples[a].start < samples[b].end && samples[b].start < samples[a].end;
}

static neap_problem *random_samples(struct random *random) {
  for (size_t i = 0; i < BUFFERS; i++) {
    neap_time start = random_below(random, HORIZON);
    samples[i] = (struct sample){
        .start = start, .end = start + 1 + random_below(random, HORIZON / 4), .size = 1};
  }
  return sample_problem(samples, BUFFERS);
}

/* Adds a buffer to both, and expects that they meet the same. */
static void meet(struct waiting *waiting, bool *waits, size_t next) {
  bool met[BUFFERS] = {false};
  size_t count = 0;
  assert_true(waiting_meet(waiting, next));
  for (size_t i = 0; i < waiting->met_count; i++)
    met[waiting->met[i]] = true;
  for (size_t i = 0; i < BUFFERS; i++) {
    bool expected = waits[i] && overlap(i, next);
    assert_int_equal(met[i], expected);
    count += expected;
    if (expected) waits[i] = false;
  }
  assert_int_equal(waiting->met_count, count);
  waits[next] = true;
}

/* Places buffers `from` to `end` of an order. */
static void meet_all(struct waiting *waiting, bool *waits, const size_t *order, size_t from,
                     size_t end) {
  for (size_t i = from; i < end; i++)
    meet(waiting, waits, order[i]);
}

static void shuffle(struct random *random, size_t *order) {
  for (size_t i = 0; i < BUFFERS; i++) {
    size_t other = random_below(random, (uint32_t)i + 1);
    order[i] = order[other];
    order[other] = i;
  }
}

/* Goes back from the end to the middle, and on in another order, as trials of the tuner do. */
TEST(buffers_wait_for_the_next_that_overlaps) {
  struct random random;
  assert_true(random_init(&random, 1));
  for (int round = 0; round < ROUNDS; round++) {
    struct sections sections;
    struct waiting waiting;
    neap_error error;
    size_t order[BUFFERS];
    bool waits[BUFFERS] = {false}, kept[BUFFERS];
    neap_problem *problem = random_samples(&random);
    shuffle(&random, order);
    assert_ok(columns_init(&sections, problem, SECTIONS_ALL, &error), &error);
    assert_true(waiting_init(&waiting, &sections, BUFFERS));
    for (int layout = 0; layout < 2; layout++) {
      size_t middle = random_below(&random, BUFFERS);
      meet_all(&waiting, waits, order, 0, middle);
      memcpy(kept, waits, sizeof kept);
      waiting.logging = true;
      size_t mark = waiting.change_count;
      meet_all(&waiting, waits, order, middle, BUFFERS);
      waiting_undo(&waiting, mark);
      memcpy(waits, kept, sizeof kept);
      for (size_t i = BUFFERS; i-- > middle;)
        meet(&waiting, waits, order[i]);
      waiting_reset(&waiting, BUFFERS);
      memset(waits, 0, sizeof waits);
    }
    waiting_clear(&waiting);
    sections_clear(&sections);
    neap_problem_free(problem);
  }
  random_clear(&random);
}

int main(void) {
  static const struct CMUnitTest others[] = {
      cmocka_unit_test(the_table_begins_with_the_default),
      cmocka_unit_test(gaps_are_used),
      cmocka_unit_test(no_buffers_have_peak_zero),
      cmocka_unit_test(fixed_buffers_are_placed_first),
      cmocka_unit_test(reset_keeps_fixed_buffers),
      cmocka_unit_test(placed_buffers_do_not_move),
      cmocka_unit_test(filling_equals_placing_one_by_one),
      cmocka_unit_test(a_spent_budget_stops_placing),
      cmocka_unit_test(placing_a_buffer_takes_a_tick),
      cmocka_unit_test(tried_placements_can_be_undone),
      cmocka_unit_test(marks_nest),
      cmocka_unit_test(forget_keeps_everything),
      cmocka_unit_test(buffers_wait_for_the_next_that_overlaps),
  };
  return sample_run("placer", others, SAMPLE_COUNT(others), buffers_are_placed, rows,
                    SAMPLE_COUNT(rows), sizeof *rows);
}
