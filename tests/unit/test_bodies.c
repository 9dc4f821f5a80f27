/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Colocated buffers as rigid bodies. */
#include "model/bodies.h"

#include "tests/property/random_problem.h"
#include "tests/unit/sample.h"

static void colocate(neap_problem *problem, size_t first, size_t second, neap_size bytes) {
  const neap_relation relation = {
      sizeof(neap_relation), NEAP_COLOCATION, first, second, bytes, NULL};
  neap_error error;
  assert_ok(neap_problem_relate(problem, &relation, &error), &error);
}

static void without_colocations_there_is_nothing(void **state) {
  (void)state;
  static const struct sample samples[] = {{0, 2, 4, 1}};
  neap_problem *problem = sample_problem(samples, 1);
  struct bodies bodies;
  neap_error error;
  assert_ok(bodies_init(&bodies, problem, &error), &error);
  assert_int_equal(bodies.count, 0);
  assert_int_equal(bodies_of(&bodies, 0), BODIES_NONE);
  bodies_clear(&bodies);
  neap_problem_free(problem);
}

static void chains_become_bodies(void **state) {
  (void)state;
  static const struct sample samples[] = {{0, 2, 4, 1}, {0, 2, 4, 1}, {0, 2, 4, 1},
                                          {0, 2, 4, 1}, {0, 2, 4, 1}, {0, 2, 4, 1},
                                          {0, 2, 4, 1}};
  static const neap_offset inner[] = {8, 3, 0, 0, 0, 10, 0};
  static const size_t of[] = {0, 1, 0, BODIES_NONE, 1, 0, BODIES_NONE};
  neap_problem *problem = sample_problem(samples, SAMPLE_COUNT(samples));
  struct bodies bodies;
  neap_error error;
  colocate(problem, 0, 5, 2);
  colocate(problem, 4, 1, 3);
  colocate(problem, 5, 2, -10);
  colocate(problem, 2, 0, 8); /* says nothing new */
  assert_ok(bodies_init(&bodies, problem, &error), &error);
  assert_int_equal(bodies.count, 2);
  for (size_t i = 0; i < SAMPLE_COUNT(samples); i++) {
    assert_int_equal(bodies_of(&bodies, i), of[i]);
    assert_int_equal(bodies.inner[i], inner[i]);
  }
  assert_int_equal(bodies.items[0].end - bodies.items[0].begin, 3);
  assert_int_equal(bodies.members[bodies.items[1].begin], 1);
  assert_int_equal(bodies.members[bodies.items[1].begin + 1], 4);
  bodies_clear(&bodies);
  bodies_clear(&bodies);
  neap_problem_free(problem);
}

static void bodies_that_are_too_large_are_refused(void **state) {
  (void)state;
  static const struct sample samples[] = {{0, 2, 4, 1}, {0, 2, 4, 1}, {0, 2, 4, 1}};
  neap_problem *problem = sample_problem(samples, SAMPLE_COUNT(samples));
  struct bodies bodies;
  neap_error error;
  colocate(problem, 0, 1, NEAP_MAX - 4);
  assert_ok(bodies_init(&bodies, problem, &error), &error);
  bodies_clear(&bodies);
  colocate(problem, 2, 0, 1);
  assert_error(bodies_init(&bodies, problem, &error), NEAP_ERROR_INPUT, &error);
  assert_says(&error, "2^63");
  neap_problem_free(problem);
}

/* ---------------------------------------------------------------- offsets of a body */

#define SPACE 200
#define MEMBERS 4

static neap_problem *draw(struct dice *dice) {
  static const char *const names[MEMBERS] = {"a", "b", "c", "d"};
  const neap_range range = {0, 2};
  neap_problem *problem = neap_problem_new();
  neap_error error;
  size_t count = 2 + (size_t)dice_roll(dice, MEMBERS - 1);
  for (size_t i = 0; i < count; i++) {
    neap_buffer buffer = NEAP_BUFFER_INIT;
    buffer.name = names[i];
    buffer.size = 1 + (neap_size)dice_roll(dice, 6);
    buffer.alignment = 1 + (neap_size)dice_roll(dice, 4);
    buffer.ranges = &range;
    buffer.range_count = 1;
    if (dice_chance(dice, 20)) buffer.bank = buffer.size + (neap_size)dice_roll(dice, 6);
    buffer.window_high = dice_chance(dice, 20) ? 60 + (neap_size)dice_roll(dice, 60) : SPACE;
    assert_ok(neap_problem_add(problem, &buffer, &error), &error);
    if (i > 0)
      colocate(problem, (size_t)dice_roll(dice, i), i, (neap_size)dice_roll(dice, 41) - 20);
  }
  if (!dice_chance(dice, 50)) return problem;
  const neap_reserved reserved = {
      sizeof(neap_reserved), 0, 10, 10 + 1 + (neap_offset)dice_roll(dice, 20), {0, 1}};
  assert_ok(neap_problem_reserve(problem, &reserved, &error), &error);
  return problem;
}

static neap_offset slow_next(const struct bodies *bodies, const struct domains *domains,
                             neap_offset from) {
  for (neap_offset base = from; base < SPACE; base++) {
    bool is_allowed = true;
    for (size_t m = bodies->items[0].begin; m < bodies->items[0].end; m++) {
      struct domain domain = domains_of(domains, bodies->members[m]);
      if (!domain_has(&domain, base + bodies->inner[bodies->members[m]])) is_allowed = false;
    }
    if (is_allowed) return base;
  }
  return NEAP_UNPLACED;
}

static void the_next_offset_suits_all_members(void **state) {
  (void)state;
  size_t found = 0, none = 0;
  for (uint64_t seed = 0; seed < 5000; seed++) {
    struct dice dice = {seed};
    neap_problem *problem = draw(&dice);
    struct domains domains;
    struct bodies bodies;
    neap_error error;
    assert_ok(domains_init(&domains, problem, &error), &error);
    assert_ok(bodies_init(&bodies, problem, &error), &error);
    assert_int_equal(bodies.count, 1);
    for (neap_offset from = 0; from < SPACE / 2; from += 7) {
      neap_offset wanted = slow_next(&bodies, &domains, from);
      neap_offset next = bodies_next(&bodies, &domains, 0, from);
      if (next != wanted)
        fail_msg("seed %d, from %d: expected %d, found %d", (int)seed, (int)from, (int)wanted,
                 (int)next);
      found += next != NEAP_UNPLACED;
      none += next == NEAP_UNPLACED;
    }
    bodies_clear(&bodies);
    domains_clear(&domains);
    neap_problem_free(problem);
  }
  assert_true(found > 5000 && none > 5000);
}

static void coprime_alignments_take_no_time(void **state) {
  (void)state;
  static const struct sample samples[] = {{0, 2, 4, 1000000007}, {0, 2, 4, 1000000009}};
  neap_problem *problem = sample_problem(samples, SAMPLE_COUNT(samples));
  struct domains domains;
  struct bodies bodies;
  neap_error error;
  colocate(problem, 0, 1, 0);
  assert_ok(domains_init(&domains, problem, &error), &error);
  assert_ok(bodies_init(&bodies, problem, &error), &error);
  assert_int_equal(bodies_next(&bodies, &domains, 0, 1), INT64_C(1000000007) * 1000000009);
  bodies_clear(&bodies);
  domains_clear(&domains);
  neap_problem_free(problem);
}

/* Each of the two fits a bank only where the other does not. */
static void banks_that_never_agree_end_the_search(void **state) {
  (void)state;
  static const neap_range range = {0, 2};
  neap_problem *problem = neap_problem_new();
  struct domains domains;
  struct bodies bodies;
  neap_error error;
  for (size_t i = 0; i < 2; i++) {
    neap_buffer buffer = NEAP_BUFFER_INIT;
    buffer.name = i == 0 ? "a" : "b";
    buffer.size = 3;
    buffer.bank = 4;
    buffer.ranges = &range;
    buffer.range_count = 1;
    buffer.window_low = i == 0 ? 100 : 0;
    assert_ok(neap_problem_add(problem, &buffer, &error), &error);
  }
  colocate(problem, 0, 1, 2);
  assert_ok(domains_init(&domains, problem, &error), &error);
  assert_ok(bodies_init(&bodies, problem, &error), &error);
  assert_int_equal(bodies.items[0].period, 4);
  assert_int_equal(bodies_next(&bodies, &domains, 0, 0), NEAP_UNPLACED);
  bodies_clear(&bodies);
  domains_clear(&domains);
  neap_problem_free(problem);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(without_colocations_there_is_nothing),
      cmocka_unit_test(chains_become_bodies),
      cmocka_unit_test(bodies_that_are_too_large_are_refused),
      cmocka_unit_test(the_next_offset_suits_all_members),
      cmocka_unit_test(coprime_alignments_take_no_time),
      cmocka_unit_test(banks_that_never_agree_end_the_search),
  };
  return cmocka_run_group_tests_name("bodies", tests, NULL, NULL);
}
