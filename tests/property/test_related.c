/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Engines on problems with relations and limits. */
#include <inttypes.h>
#include <string.h>

#include "core/random.h"
#include "neap/planner.h"
#include "tests/support/brute_relations.h"
#include "tests/support/generated.h"
#include "tests/support/random_problem.h"
#include "tests/support/run.h"
#include "tests/support/sample.h"

/* ---------------------------------------------------------------- small problems */

/*
 * Sorted layouts, the tuner and engine auto on problems with relations and limits.  Each problem is
 * drawn around a layout that keeps all of them, so that there is one.  Engines may miss it, but
 * whatever they find must be sound.
 */

#define MOST TINY_ROOM

/* What is drawn. */
enum {
  SEPARATIONS = 1,
  EXCLUSIONS = 2,
  OVERLAPS = 4,
  COLOCATIONS = 8,
  BANK_SEPARATIONS = 16,
  WINDOWS = 32,
  BANKS = 64,
  RESERVED = 128,
  FIXED = 256,
  EVERYTHING = 511
};

/* A problem and a layout of it. */
struct planted {
  neap_problem *problem;
  size_t count;
  neap_size sizes[MOST];
  struct brute_plan plan;
};

/* ---------------------------------------------------------------- drawing */

/* Stacks all buffers in a random order, with gaps. */
static void plant(struct planted *planted, const struct instance *instance, struct dice *dice) {
  size_t *order = instance_order(instance, dice);
  neap_offset top = 0;
  for (size_t i = 0; i < instance->count; i++) {
    const struct rectangle *rectangle = &instance->rectangles[order[i]];
    if (dice_chance(dice, 30)) top += (neap_offset)dice_roll(dice, 20);
    top += (rectangle->alignment - top % rectangle->alignment) % rectangle->alignment;
    planted->plan.offsets[order[i]] = top;
    planted->sizes[order[i]] = rectangle->size;
    top += rectangle->size;
  }
  test_free(order);
}

static void draw_limits(neap_buffer *buffer, neap_offset at, unsigned with, struct dice *dice) {
  neap_offset end = at + buffer->size;
  if (with & WINDOWS && dice_chance(dice, 25)) {
    buffer->window_low = (neap_offset)dice_roll(dice, (uint64_t)at + 1);
    buffer->window_high = end + (neap_offset)dice_roll(dice, 40);
  }
  if (with & BANKS && dice_chance(dice, 25)) {
    neap_size bank = buffer->size + 1 + (neap_size)dice_roll(dice, 64);
    if (at / bank == (end > at ? end - 1 : at) / bank) buffer->bank = bank;
  }
  if (with & FIXED && dice_chance(dice, 8)) buffer->fixed_offset = at;
}

static void add_buffers(struct planted *planted, const struct instance *instance, unsigned with,
                        struct dice *dice) {
  neap_error error;
  for (size_t i = 0; i < instance->count; i++) {
    const struct rectangle *rectangle = &instance->rectangles[i];
    char name[24];
    neap_buffer buffer = NEAP_BUFFER_INIT;
    snprintf(name, sizeof name, "b%zu", i);
    buffer.name = name;
    buffer.size = rectangle->size;
    buffer.alignment = rectangle->alignment;
    buffer.ranges = rectangle->ranges;
    buffer.range_count = rectangle->range_count;
    draw_limits(&buffer, planted->plan.offsets[i], with, dice);
    assert_ok(neap_problem_add(planted->problem, &buffer, &error), &error);
  }
}

/* Reserves random bytes, unless a buffer of the planted layout has some of them. */
static void reserve(struct planted *planted, struct dice *dice) {
  neap_reserved reserved = {.struct_size = sizeof(neap_reserved),
                            .low = (neap_offset)dice_roll(dice, 300),
                            .when = {0, NEAP_MAX}};
  neap_error error;
  reserved.high = reserved.low + 1 + (neap_offset)dice_roll(dice, 16);
  if (dice_chance(dice, 50)) {
    reserved.when.start = (neap_time)dice_roll(dice, 12);
    reserved.when.end = reserved.when.start + 1 + (neap_time)dice_roll(dice, 8);
  }
  for (size_t i = 0; i < planted->count; i++)
    if (planted->plan.offsets[i] < reserved.high &&
        reserved.low < planted->plan.offsets[i] + planted->sizes[i])
      return;
  assert_ok(neap_problem_reserve(planted->problem, &reserved, &error), &error);
}

/* Whether two buffers are in different banks of the planted layout. */
static bool in_different_banks(const struct planted *planted, size_t a, size_t b,
                               neap_size bank) {
  neap_offset a_last = planted->plan.offsets[a] + planted->sizes[a] - 1;
  neap_offset b_last = planted->plan.offsets[b] + planted->sizes[b] - 1;
  if (planted->sizes[a] == 0 || planted->sizes[b] == 0) return true;
  return a_last / bank < planted->plan.offsets[b] / bank ||
         b_last / bank < planted->plan.offsets[a] / bank;
}

static bool draw_relation(const struct planted *planted, neap_relation *relation, unsigned with,
                          struct dice *dice) {
  neap_offset difference =
      planted->plan.offsets[relation->second] - planted->plan.offsets[relation->first];
  relation->kind = (neap_relation_kind)dice_roll(dice, NEAP_REUSE_PENALTY);
  relation->bytes = 0;
  switch (relation->kind) {
  case NEAP_SEPARATION:
    return with & SEPARATIONS;
  case NEAP_EXCLUSION:
    return with & EXCLUSIONS;
  case NEAP_OVERLAP:
    relation->bytes = (neap_size)dice_roll(dice, 20);
    return with & OVERLAPS;
  case NEAP_COLOCATION:
    relation->bytes = difference;
    return with & COLOCATIONS;
  case NEAP_BANK_SEPARATION:
    relation->bytes = 1 + (neap_size)dice_roll(dice, 64);
    return with & BANK_SEPARATIONS &&
           in_different_banks(planted, relation->first, relation->second, relation->bytes);
  case NEAP_REUSE_PENALTY:
    break;
  }
  return false;
}

static void relate(struct planted *planted, unsigned with, struct dice *dice) {
  neap_relation relation = {.struct_size = sizeof(neap_relation), .reason = NULL};
  neap_error error;
  relation.first = (size_t)dice_roll(dice, planted->count);
  relation.second = (size_t)dice_roll(dice, planted->count);
  if (relation.first == relation.second || !draw_relation(planted, &relation, with, dice))
    return;
  assert_ok(neap_problem_relate(planted->problem, &relation, &error), &error);
}

static struct planted draw(uint64_t seed, unsigned with) {
  struct dice dice = {seed};
  struct instance instance =
      instance_random(seed, MOST, WITH_GAPS | WITH_ALIGNMENTS | WITH_ZEROS);
  struct planted planted = {.problem = neap_problem_new(), .count = instance.count};
  plant(&planted, &instance, &dice);
  add_buffers(&planted, &instance, with, &dice);
  for (size_t r = 0; with & RESERVED && r < 20; r++)
    reserve(&planted, &dice);
  size_t relations = planted.count < 2 ? 0 : (size_t)dice_roll(&dice, 2 * planted.count);
  while (relations-- > 0)
    relate(&planted, with, &dice);
  instance_free(&instance);
  return planted;
}

/* ---------------------------------------------------------------- solving */

/* What is asked of each problem. */
static const char *const sort_runs[][9] = {
    {"engine", "sort", NULL},
    {"engine", "sort", "order", "size", NULL},
    {"engine", "sort", "place", "drop", NULL},
    {"engine", "sort", "place", "tight", NULL},
    {"engine", "sort", "place", "best-fit", "order", "duration", NULL},
};
static const char *const tune_runs[][9] = {
    {"engine", "tune", "max-rounds", "8", "max-ticks", "4000", NULL},
    {"engine", "tune", "max-rounds", "4", "rearrange", "search", "max-ticks", "4000", NULL},
    {"engine", "tune", "max-rounds", "6", "place", "tight", "max-ticks", "4000", NULL},
};
static const char *const auto_runs[][9] = {
    {"max-ticks", "3000", NULL},
    {"max-ticks", "20000", NULL},
};

struct tally {
  size_t solved, missed;
};

static void expect_sound(const struct planted *planted, uint64_t seed,
                         const struct brute_plan *plan) {
  struct tiny tiny = tiny_of(planted->problem);
  if (brute_is_sound(&tiny, plan, -1)) return;
  tiny_print(&tiny, stderr);
  fail_msg("seed %" PRIu64 ": the layout is not sound", seed);
}

static void check_plan(const struct planted *planted, uint64_t seed, const neap_plan *plan) {
  struct brute_plan found = {.pools = {0}};
  for (size_t i = 0; i < planted->count; i++)
    found.offsets[i] = neap_plan_offset(plan, i);
  expect_sound(planted, seed, &found);
}

static void check_run(const struct planted *planted, uint64_t seed, const char *const *pairs,
                      struct tally *tally) {
  neap_options *options = run_options(pairs);
  neap_plan *plan;
  neap_error error;
  neap_status status = neap_solve(planted->problem, options, &plan, &error);
  if (status == NEAP_OK) {
    check_plan(planted, seed, plan);
    neap_plan_free(plan);
    tally->solved++;
  } else if (status == NEAP_NO_PLAN) tally->missed++;
  else fail_msg("seed %" PRIu64 ", %s: %s", seed, pairs[1], error.text);
  neap_options_free(options);
}

/* Solves problems of a kind, and misses at most so many percent of them. */
static void check_kind(unsigned with, uint64_t seeds, const char *const runs[][9], size_t count,
                       size_t percent) {
  struct tally tally = {0};
  size_t contradictions = 0;
  for (uint64_t seed = 0; seed < seeds; seed++) {
    struct planted planted = draw(seed, with);
    bool is_sound = neap_problem_check(planted.problem, NULL) == NEAP_OK;
    if (is_sound) expect_sound(&planted, seed, &planted.plan);
    for (size_t r = 0; is_sound && r < count; r++)
      check_run(&planted, seed, runs[r], &tally);
    contradictions += !is_sound;
    neap_problem_free(planted.problem);
  }
  assert_true(contradictions < seeds);
  if (tally.missed * 100 > (tally.solved + tally.missed) * percent)
    fail_msg("missed %zu of %zu", tally.missed, tally.solved + tally.missed);
}

#define ALL_RUNS(runs) (runs), SAMPLE_COUNT(runs)

static const unsigned kinds[] = {SEPARATIONS,         EXCLUSIONS,       OVERLAPS,  COLOCATIONS,
                                 BANK_SEPARATIONS,    WINDOWS,          BANKS,     RESERVED,
                                 FIXED | COLOCATIONS, FIXED | OVERLAPS, EVERYTHING};

TEST(sorted_layouts_are_sound) {
  for (size_t k = 0; k < SAMPLE_COUNT(kinds); k++)
    check_kind(kinds[k], 300, ALL_RUNS(sort_runs), 30);
}

TEST(tuned_layouts_are_sound) {
  for (size_t k = 0; k < SAMPLE_COUNT(kinds); k++)
    check_kind(kinds[k], 60, ALL_RUNS(tune_runs), 30);
}

TEST(automatic_layouts_are_sound) {
  for (size_t k = 0; k < SAMPLE_COUNT(kinds); k++)
    check_kind(kinds[k], 60, ALL_RUNS(auto_runs), 30);
}

/* ---------------------------------------------------------------- runtimes */

static void expect_refusal(const neap_problem *problem, const char *words) {
  neap_engine_info info = NEAP_INIT(neap_engine_info);
  for (size_t i = 0; neap_engine_at(i, &info); i++) {
    const char *const pairs[] = {"engine", info.name, NULL};
    neap_options *options = run_options(pairs);
    neap_plan *plan = NULL;
    neap_error error;
    neap_status status = neap_solve(problem, options, &plan, &error);
    if (status == NEAP_ERROR_ARGUMENT) assert_says(&error, words);
    else assert_int_equal(status, NEAP_OK);
    assert_int_equal(status != NEAP_OK, i >= 4); /* auto, tune, sort and exact keep it */
    neap_plan_free(plan);
    neap_options_free(options);
  }
}

TEST(planners_of_runtimes_refuse_what_they_may_break) {
  static const struct sample samples[] = {{0, 2, 8, 1}, {2, 4, 8, 1}};
  static const struct {
    neap_relation relation;
    const char *words;
  } cases[] = {
      {{sizeof(neap_relation), NEAP_SEPARATION, 0, 1, 0, NULL}, "separations, found 1"},
      {{sizeof(neap_relation), NEAP_COLOCATION, 0, 1, 4, NULL}, "colocations, found 1"},
      {{sizeof(neap_relation), NEAP_BANK_SEPARATION, 0, 1, 16, NULL},
       "bank separations, found 1"}};
  neap_error error;
  for (size_t i = 0; i < SAMPLE_COUNT(cases); i++) {
    neap_problem *problem = sample_problem(samples, SAMPLE_COUNT(samples));
    assert_ok(neap_problem_relate(problem, &cases[i].relation, &error), &error);
    expect_refusal(problem, cases[i].words);
    neap_problem_free(problem);
  }
  neap_problem *problem = sample_problem(samples, SAMPLE_COUNT(samples));
  const neap_reserved reserved = {sizeof(neap_reserved), 0, 4, 8, {0, NEAP_MAX}};
  assert_ok(neap_problem_reserve(problem, &reserved, &error), &error);
  expect_refusal(problem, "reserved bytes, found 1");
  neap_problem_free(problem);
}

/* ---------------------------------------------------------------- large problems */

/*
 * Large problems with relations, whose parts are relaxed: plans are sound, and nothing is claimed
 * that is not proven.  neap_solve verifies each plan.
 */

#define BUFFERS 2500
#define SEEDS 4

/* Relates random buffers; alive together or not, the relation must be kept. */
static void relaxed_relate(neap_problem *problem, struct random *random,
                           neap_relation_kind kind, size_t count, neap_size bytes) {
  neap_error error;
  for (size_t i = 0; i < count; i++) {
    neap_relation relation = {.struct_size = sizeof(neap_relation),
                              .kind = kind,
                              .first = (size_t)random_below(random, BUFFERS),
                              .second = (size_t)random_below(random, BUFFERS),
                              .bytes = bytes};
    if (relation.first != relation.second)
      assert_ok(neap_problem_relate(problem, &relation, &error), &error);
  }
}

/* Colocates pairs of neighbours, each buffer once, so that no two statements contradict. */
static void colocate(neap_problem *problem, struct random *random) {
  neap_error error;
  for (size_t i = 0; i + 1 < BUFFERS; i += 100) {
    neap_relation relation = {.struct_size = sizeof(neap_relation),
                              .kind = NEAP_COLOCATION,
                              .first = i,
                              .second = i + 1,
                              .bytes = 16 * (neap_size)random_below(random, 3)};
    assert_ok(neap_problem_relate(problem, &relation, &error), &error);
  }
}

static neap_report solve(const neap_problem *problem, const char *engine) {
  neap_options *options = neap_options_new();
  neap_error error;
  assert_ok(neap_options_set(options, "engine", engine, &error), &error);
  assert_ok(neap_options_set(options, "max-ticks", "10000", &error), &error);
  neap_plan *plan = sample_solve(problem, options);
  neap_report report = sample_report(plan);
  neap_plan_free(plan);
  neap_options_free(options);
  return report;
}

TEST(large_problems_are_planned) {
  for (uint64_t seed = 0; seed < SEEDS; seed++) {
    struct random random;
    assert_true(random_init(&random, seed));
    neap_error error;
    neap_problem *problem = sample_generate("random", BUFFERS, seed);
    relaxed_relate(problem, &random, NEAP_SEPARATION, 60, 0);
    relaxed_relate(problem, &random, NEAP_OVERLAP, 60, 64);
    if (seed % 2 == 0) relaxed_relate(problem, &random, NEAP_BANK_SEPARATION, 5, 1 << 16);
    colocate(problem, &random);
    if (neap_problem_check(problem, &error) == NEAP_OK) {
      neap_report exact = solve(problem, "exact"), all = solve(problem, "auto");
      assert_true(exact.peak >= exact.lower_bound && all.peak >= all.lower_bound);
      assert_true(exact.peak >= all.lower_bound && all.peak >= exact.lower_bound);
    }
    random_clear(&random);
    neap_problem_free(problem);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sorted_layouts_are_sound),
      cmocka_unit_test(tuned_layouts_are_sound),
      cmocka_unit_test(automatic_layouts_are_sound),
      cmocka_unit_test(planners_of_runtimes_refuse_what_they_may_break),
      cmocka_unit_test(large_problems_are_planned),
  };
  return cmocka_run_group_tests_name("related", tests, NULL, NULL);
}
