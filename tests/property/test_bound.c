/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The lower bound with alignments, against the lowest stack of one section over all orders, and
 * against the optimum of small problems with lifetimes, gaps, fixed offsets and empty buffers.
 * It must never pass them; how often it reaches them is counted, so that a weaker bound is
 * noticed.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "search/parts.h"
#include "tests/support/brute_relations.h"
#include "tests/support/random_problem.h"
#include "tests/support/random_relations.h"
#include "tests/support/reference.h"
#include "tests/support/sample.h"

#define MOST 6

/* The alignments that the buffers of an instance have, and what is expected of the bound. */
struct family {
  const char *name;
  neap_size alignments[6];
  size_t count;
  unsigned tight_percent; /* at least this often the lowest stack is the bound */
};

static const struct family families[] = {
    {"8", {8}, 1, 100},
    {"12", {12}, 1, 100},
    {"1 and 2", {1, 2}, 2, 100},
    {"1 and 4", {1, 4}, 2, 90},
    {"1, 2, 4 and 8", {1, 2, 4, 8}, 4, 88},
    {"4 and 16", {4, 16}, 2, 80},
    {"1 and 16", {1, 16}, 2, 70},
    {"1 and 64", {1, 64}, 2, 65},
    {"8 and 12", {8, 12}, 2, 65},
    {"2, 3, 4, 6, 12 and 18", {2, 3, 4, 6, 12, 18}, 6, 60},
};

static neap_size lower_bound_of(const struct instance *instance) {
  neap_problem *problem = instance_problem(instance);
  const neap_bound bound = sample_bound(problem);
  neap_problem_free(problem);
  return bound.lower_bound;
}

/* ---------------------------------------------------------------- one section */

static struct instance draw_stack(const struct family *family, struct dice *dice) {
  static const neap_size sizes[] = {8, 40, 200};
  neap_size largest = sizes[dice_roll(dice, SAMPLE_COUNT(sizes))];
  struct instance stack = {.count = 2 + dice_roll(dice, MOST - 1)};
  stack.rectangles = test_calloc(stack.count, sizeof *stack.rectangles);
  for (size_t i = 0; i < stack.count; i++)
    stack.rectangles[i] =
        (struct rectangle){.number = (unsigned)i,
                           .size = 1 + (neap_size)dice_roll(dice, (uint64_t)largest),
                           .alignment = family->alignments[dice_roll(dice, family->count)],
                           .fixed = NEAP_UNPLACED,
                           .ranges = {{0, 1}},
                           .range_count = 1};
  return stack;
}

/* The lowest height, if below `best`, over all orders of what is not in the set `used`. */
static neap_size lowest_stack(const struct instance *stack, unsigned used, neap_size height,
                              neap_size best) {
  if (height >= best) return best;
  if (used == (1u << stack->count) - 1) return height;
  for (size_t i = 0; i < stack->count; i++) {
    if (used & 1u << i) continue;
    neap_size start = height;
    while (start % stack->rectangles[i].alignment != 0)
      start++;
    best = lowest_stack(stack, used | 1u << i, start + stack->rectangles[i].size, best);
  }
  return best;
}

TEST(stacks_are_not_lower) {
  const uint64_t count = 400;
  for (size_t f = 0; f < SAMPLE_COUNT(families); f++) {
    uint64_t tight = 0;
    for (uint64_t seed = 0; seed < count; seed++) {
      struct dice dice = {seed};
      struct instance stack = draw_stack(&families[f], &dice);
      neap_size lowest = lowest_stack(&stack, 0, 0, NEAP_MAX), bound = lower_bound_of(&stack);
      instance_expect(&stack, seed, "the lower bound is above the lowest stack",
                      bound <= lowest);
      tight += bound == lowest;
      instance_free(&stack);
    }
    print_message("alignments %s: tight in %" PRIu64 " of %" PRIu64 " stacks\n",
                  families[f].name, tight, count);
    assert_true(100 * tight >= families[f].tight_percent * count);
  }
}

/* ---------------------------------------------------------------- problems */

/* Aligns what is not fixed; the optimum of up to 6 buffers is found by trying every order. */
static struct instance draw_problem(uint64_t seed) {
  struct dice dice = {seed + 17};
  const struct family *family = &families[dice_roll(&dice, SAMPLE_COUNT(families))];
  struct instance instance = instance_random(seed, MOST, WITH_GAPS | WITH_ZEROS | WITH_FIXED);
  for (size_t i = 0; i < instance.count; i++) {
    struct rectangle *rectangle = &instance.rectangles[i];
    if (rectangle->size > 1000) rectangle->size %= 1000;
    if (rectangle->fixed == NEAP_UNPLACED)
      rectangle->alignment = family->alignments[dice_roll(&dice, family->count)];
  }
  return instance;
}

/* The bound from which the parts of the exact search begin, in bytes. */
static neap_size lower_bound_of_parts(const struct instance *instance) {
  neap_problem *problem = instance_problem(instance);
  struct parts parts;
  neap_error error;
  neap_size most = 0;
  assert_ok(parts_init(&parts, problem, &error), &error);
  for (size_t p = 0; p < parts.count; p++) {
    neap_size bytes = part_step(&parts.items[p]) * parts.items[p].lower_bound;
    if (bytes > most) most = bytes;
  }
  parts_clear(&parts);
  neap_problem_free(problem);
  return most;
}

TEST(optima_are_not_lower) {
  uint64_t tight = 0, count = 2000;
  for (uint64_t seed = 0; seed < count; seed++) {
    struct instance instance = draw_problem(seed);
    neap_size optimum = reference_optimum(&instance), bound = lower_bound_of(&instance);
    instance_expect(&instance, seed, "the lower bound is above the optimum", bound <= optimum);
    instance_expect(&instance, seed, "the lower bound of a part is above the optimum",
                    lower_bound_of_parts(&instance) <= optimum);
    tight += bound == optimum;
    instance_free(&instance);
  }
  print_message("tight in %" PRIu64 " of %" PRIu64 " problems\n", tight, count);
  assert_true(100 * tight >= 85 * count);
}

/* ---------------------------------------------------------------- separated banks */

#define BANKED_MOST 4

/* Separates all pairs of some buffers by banks of one size, as one statement in JSON does. */
static void separate_some(struct tiny *tiny, struct dice *dice, neap_size bank,
                          unsigned chosen) {
  for (size_t b = 1; b < tiny->count; b++)
    for (size_t a = 0; a < b; a++)
      if (chosen >> a & chosen >> b & 1 && tiny->relation_count < TINY_RELATIONS_ROOM) {
        bool ascends = dice_roll(dice, 2) == 0; /* a pair may be listed in either order */
        tiny->relations[tiny->relation_count++] =
            (neap_relation){.struct_size = sizeof(neap_relation),
                            .kind = NEAP_BANK_SEPARATION,
                            .first = ascends ? a : b,
                            .second = ascends ? b : a,
                            .bytes = bank};
      }
}

/* Buffers without limits, some of which are never alive together. */
static struct tiny draw_plain(struct dice *dice, size_t count) {
  struct tiny tiny = {
      .count = count,
      .objective = {NEAP_TERM_SPILL, NEAP_TERM_PEAK, NEAP_TERM_REUSE, NEAP_TERM_MOVED}};
  for (size_t i = 0; i < tiny.count; i++) {
    struct tiny_buffer buffer = TINY_BUFFER_INIT;
    buffer.size = 1 + (neap_size)dice_roll(dice, 9);
    buffer.ranges[0].start = (neap_time)dice_roll(dice, 3);
    buffer.ranges[0].end = buffer.ranges[0].start + 1;
    buffer.range_count = 1;
    tiny.buffers[i] = buffer;
  }
  return tiny;
}

/* The lower bound; -1 if the problem contradicts itself. */
static neap_size lower_bound_of_tiny(const struct tiny *tiny) {
  neap_problem *problem = tiny_problem(tiny);
  neap_error error;
  neap_size lower_bound = -1;
  if (problem && neap_problem_check(problem, &error) == NEAP_OK)
    lower_bound = sample_bound(problem).lower_bound;
  neap_problem_free(problem);
  return lower_bound;
}

static void check_tiny(const struct tiny *tiny, bool is_bounded) {
  if (!is_bounded) tiny_print(tiny, stderr);
  assert_true(is_bounded);
}

/* In one clique, only the topmost buffer may leave part of its last bank free. */
TEST(cliques_of_banks_are_tight) {
  uint64_t raised = 0, count = 400;
  for (uint64_t seed = 0; seed < count; seed++) {
    struct dice dice = {seed};
    struct tiny tiny = draw_plain(&dice, 2 + dice_roll(&dice, BANKED_MOST - 1));
    struct brute_plan plan;
    struct brute_costs costs;
    neap_size apart = lower_bound_of_tiny(&tiny);
    separate_some(&tiny, &dice, 1 + (neap_size)dice_roll(&dice, 8), ~0u);
    if (brute_solve(&tiny, -1, &plan, &costs) != BRUTE_OPTIMAL) continue;
    neap_size bound = lower_bound_of_tiny(&tiny);
    check_tiny(&tiny, bound == costs.of[NEAP_TERM_PEAK]);
    raised += bound > apart;
  }
  print_message("raised by banks: %" PRIu64 " of %" PRIu64 "\n", raised, count);
  assert_true(10 * raised >= 8 * count);
}

/* Lists of separated buffers in problems with all else that may be hard, also in pools. */
TEST(cliques_of_banks_are_not_too_high) {
  static const enum tiny_kind kinds[] = {TINY_HARD,  TINY_POOLED,   TINY_WINDOWS,
                                         TINY_FIXED, TINY_RESERVES, TINY_COLOCATIONS,
                                         TINY_BANKS};
  static const neap_size banks[] = {1, 2, 3, 4, 6, 8};
  uint64_t count = sample_tries(500), solved = 0, tight = 0;
  for (uint64_t seed = 0; seed < count; seed++) {
    struct dice dice = {seed + 5};
    struct tiny tiny = tiny_random(kinds[seed % SAMPLE_COUNT(kinds)], seed);
    struct brute_plan plan;
    struct brute_costs costs;
    for (uint64_t lists = 1 + dice_roll(&dice, 2); lists > 0; lists--)
      separate_some(&tiny, &dice, banks[dice_roll(&dice, SAMPLE_COUNT(banks))],
                    (unsigned)dice_roll(&dice, 1u << tiny.count));
    neap_size bound = lower_bound_of_tiny(&tiny);
    if (bound < 0) continue;
    enum brute_verdict verdict = brute_solve(&tiny, -1, &plan, &costs);
    check_tiny(&tiny, verdict != BRUTE_OPTIMAL || bound <= costs.of[NEAP_TERM_PEAK]);
    solved += verdict == BRUTE_OPTIMAL;
    tight += verdict == BRUTE_OPTIMAL && bound == costs.of[NEAP_TERM_PEAK];
  }
  print_message("tight in %" PRIu64 " of %" PRIu64 " problems\n", tight, solved);
  assert_true(2 * solved >= count && 10 * tight >= 6 * solved);
}

/* The bound is NEAP_MAX where no plan can separate the buffers, or none within 64 bits. */
TEST(banks_may_be_too_large) {
  const neap_size bank = NEAP_MAX / 2; /* two of them leave one byte */
  struct dice dice = {1};
  struct tiny tiny = draw_plain(&dice, 3);
  for (size_t i = 0; i < tiny.count; i++)
    tiny.buffers[i].size = 2;
  separate_some(&tiny, &dice, bank, ~0u);
  assert_true(lower_bound_of_tiny(&tiny) == NEAP_MAX);
  tiny.buffers[1].size = 1;
  tiny.relation_count = 1; /* of the first two buffers */
  assert_true(lower_bound_of_tiny(&tiny) == bank + 1);
  tiny.buffers[1].window_high = bank;
  assert_true(lower_bound_of_tiny(&tiny) == bank + 2);
  tiny.buffers[0].window_high = bank;
  assert_true(lower_bound_of_tiny(&tiny) == NEAP_MAX);
}

/* ---------------------------------------------------------------- cases */

/* The padding of a buffer elsewhere saves nothing where the bound is attained. */
TEST(padding_elsewhere_does_not_count) {
  static const struct sample samples[] = {
      {0, 2, 100, 64}, {0, 2, 120, 64}, {5, 6, 1, 64}, {5, 6, 2, 64}};
  neap_problem *problem = sample_problem(samples, SAMPLE_COUNT(samples));
  const neap_bound bound = sample_bound(problem);
  assert_int_equal(bound.bytes, 220);
  assert_int_equal(bound.lower_bound, 228); /* 120 rounded up to 128, and 100 on top */
  neap_problem_free(problem);
}

/* Of two buffers aligned to 64, the gap between them takes only one of the others. */
TEST(small_buffers_fill_padding) {
  static const struct sample samples[] = {
      {0, 1, 40, 64}, {0, 1, 40, 64}, {0, 1, 24, 1}, {0, 1, 24, 1}};
  neap_problem *problem = sample_problem(samples, SAMPLE_COUNT(samples));
  const neap_bound bound = sample_bound(problem);
  assert_int_equal(bound.lower_bound, 128);
  neap_problem_free(problem);
}

/* No two buffers aligned to 64 fit below the fixed one, which ends at 70. */
TEST(fixed_buffers_are_not_the_topmost) {
  static const struct sample samples[] = {{0, 1, 64, 64}, {0, 1, 64, 64}};
  neap_problem *problem = sample_problem(samples, SAMPLE_COUNT(samples));
  sample_add_fixed(problem, "fixed", 0, 1, 10, 60);
  const neap_bound bound = sample_bound(problem);
  assert_int_equal(bound.bytes, 138);
  assert_int_equal(bound.lower_bound, 192);
  neap_problem_free(problem);
}

/* Sums stay below NEAP_MAX whatever the numbers are. */
TEST(numbers_may_be_huge) {
  static const struct sample samples[] = {{0, 1, NEAP_MAX / 8, (neap_size)1 << 60},
                                          {0, 1, NEAP_MAX / 8, ((neap_size)1 << 60) - 1},
                                          {0, 1, 3, NEAP_MAX / 8}};
  neap_problem *problem = sample_problem(samples, SAMPLE_COUNT(samples));
  const neap_bound bound = sample_bound(problem);
  assert_int_equal(bound.bytes, NEAP_MAX / 8 * 2 + 3);
  assert_true(bound.lower_bound >= bound.bytes);
  neap_problem_free(problem);
}

/* Buffers may fill all of the address space. */
TEST(the_largest_buffers_are_planned) {
  static const struct sample problems[][2] = {
      {{0, 1, NEAP_MAX, 1}, {1, 2, 0, 1}},
      {{0, 2, NEAP_MAX / 2 + 1, 1}, {1, 3, NEAP_MAX / 2, 1}},
      {{0, 2, NEAP_MAX - 64, 32}, {1, 3, 3, 31}},
  };
  for (size_t i = 0; i < SAMPLE_COUNT(problems); i++) {
    neap_problem *problem = sample_problem(problems[i], 2);
    neap_error error;
    neap_plan *plan = sample_solve(problem, NULL);
    assert_ok(neap_plan_verify(plan, -1, &error), &error);
    neap_report report = sample_report(plan);
    assert_true(report.lower_bound >= report.bound && report.peak >= report.lower_bound);
    neap_plan_free(plan);
    neap_problem_free(problem);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(stacks_are_not_lower),
      cmocka_unit_test(optima_are_not_lower),
      cmocka_unit_test(cliques_of_banks_are_tight),
      cmocka_unit_test(cliques_of_banks_are_not_too_high),
      cmocka_unit_test(banks_may_be_too_large),
      cmocka_unit_test(padding_elsewhere_does_not_count),
      cmocka_unit_test(small_buffers_fill_padding),
      cmocka_unit_test(fixed_buffers_are_not_the_topmost),
      cmocka_unit_test(numbers_may_be_huge),
      cmocka_unit_test(the_largest_buffers_are_planned),
  };
  return cmocka_run_group_tests_name("property bound", tests, NULL, NULL);
}
