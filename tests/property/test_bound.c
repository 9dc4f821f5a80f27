/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The lower bound with alignments, against the lowest stack of one section over all orders, and
 * against the optimum of small problems with lifetimes, gaps, fixed offsets and empty buffers.
 * It must never pass them; how often it reaches them is counted, so that a weaker bound is
 * noticed.
 */
#include <inttypes.h>
#include <string.h>

#include "search/parts.h"
#include "tests/support/random_problem.h"
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

static void stacks_are_not_lower(void **state) {
  const uint64_t count = 400;
  (void)state;
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

/* What the parts of the exact search take for granted at its beginning, in bytes. */
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

static void optima_are_not_lower(void **state) {
  uint64_t tight = 0, count = 2000;
  (void)state;
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

/* ---------------------------------------------------------------- cases */

/* The padding of a buffer elsewhere saves nothing where the bound is attained. */
static void padding_elsewhere_does_not_count(void **state) {
  static const struct sample samples[] = {
      {0, 2, 100, 64}, {0, 2, 120, 64}, {5, 6, 1, 64}, {5, 6, 2, 64}};
  neap_problem *problem = sample_problem(samples, SAMPLE_COUNT(samples));
  (void)state;
  const neap_bound bound = sample_bound(problem);
  assert_int_equal(bound.bytes, 220);
  assert_int_equal(bound.lower_bound, 228); /* 120 rounded up to 128, and 100 on top */
  neap_problem_free(problem);
}

/* Of two buffers aligned to 64, the gap between them takes only one of the others. */
static void small_buffers_fill_padding(void **state) {
  static const struct sample samples[] = {
      {0, 1, 40, 64}, {0, 1, 40, 64}, {0, 1, 24, 1}, {0, 1, 24, 1}};
  neap_problem *problem = sample_problem(samples, SAMPLE_COUNT(samples));
  (void)state;
  const neap_bound bound = sample_bound(problem);
  assert_int_equal(bound.lower_bound, 128);
  neap_problem_free(problem);
}

/* No two buffers aligned to 64 fit below the fixed one, which ends at 70. */
static void fixed_buffers_are_not_the_topmost(void **state) {
  static const struct sample samples[] = {{0, 1, 64, 64}, {0, 1, 64, 64}};
  neap_problem *problem = sample_problem(samples, SAMPLE_COUNT(samples));
  (void)state;
  sample_add_fixed(problem, "fixed", 0, 1, 10, 60);
  const neap_bound bound = sample_bound(problem);
  assert_int_equal(bound.bytes, 138);
  assert_int_equal(bound.lower_bound, 192);
  neap_problem_free(problem);
}

/* Sums stay below NEAP_MAX whatever the numbers are. */
static void numbers_may_be_huge(void **state) {
  static const struct sample samples[] = {{0, 1, NEAP_MAX / 8, (neap_size)1 << 60},
                                          {0, 1, NEAP_MAX / 8, ((neap_size)1 << 60) - 1},
                                          {0, 1, 3, NEAP_MAX / 8}};
  neap_problem *problem = sample_problem(samples, SAMPLE_COUNT(samples));
  (void)state;
  const neap_bound bound = sample_bound(problem);
  assert_int_equal(bound.bytes, NEAP_MAX / 8 * 2 + 3);
  assert_true(bound.lower_bound >= bound.bytes);
  neap_problem_free(problem);
}

/* Buffers may fill all of the address space. */
static void the_largest_buffers_are_planned(void **state) {
  static const struct sample problems[][2] = {
      {{0, 1, NEAP_MAX, 1}, {1, 2, 0, 1}},
      {{0, 2, NEAP_MAX / 2 + 1, 1}, {1, 3, NEAP_MAX / 2, 1}},
      {{0, 2, NEAP_MAX - 64, 32}, {1, 3, 3, 31}},
  };
  (void)state;
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
      cmocka_unit_test(padding_elsewhere_does_not_count),
      cmocka_unit_test(small_buffers_fill_padding),
      cmocka_unit_test(fixed_buffers_are_not_the_topmost),
      cmocka_unit_test(numbers_may_be_huge),
      cmocka_unit_test(the_largest_buffers_are_planned),
  };
  return cmocka_run_group_tests_name("property bound", tests, NULL, NULL);
}
