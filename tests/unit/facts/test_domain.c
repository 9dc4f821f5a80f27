/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The offsets that a buffer or a body of colocated buffers may have. */
#include "core/checked.h"
#include "core/residues.h"
#include "facts/bodies.h"
#include "facts/domain.h"
#include "model/problem.h"
#include "tests/support/random_problem.h"
#include "tests/support/sample.h"

/* ---------------------------------------------------------------- domains */

/* The offsets that a buffer may have by itself, and arithmetic progressions. */

/* ---------------------------------------------------------------- progressions */

static int64_t slow_reach(int64_t step, int64_t modulus, int64_t low, int64_t high) {
  for (int64_t x = 0; x < modulus; x++)
    if (step * x % modulus >= low && step * x % modulus <= high) return x;
  return -1;
}

TEST(multiples_reach_a_range) {
  for (int64_t modulus = 1; modulus <= 24; modulus++)
    for (int64_t step = 0; step <= 30; step++)
      for (int64_t low = 0; low < modulus; low++)
        for (int64_t high = low; high < modulus; high++) {
          int64_t x, wanted = slow_reach(step, modulus, low, high);
          bool reaches = residues_reaches(step, modulus, low, high, &x);
          if (reaches != (wanted >= 0) || (reaches && x != wanted))
            fail_msg("%d x mod %d in [%d, %d]: expected %d, found %d", (int)step, (int)modulus,
                     (int)low, (int)high, (int)wanted, reaches ? (int)x : -1);
        }
}

TEST(reaching_far_takes_no_time) {
  int64_t x;
  assert_true(residues_reaches(1000000007, 1000000009, 1, 1, &x));
  assert_int_equal(x, 500000004); /* -2 x = 1 modulo 1000000009 */
  assert_false(residues_reaches(INT64_MAX - 1, INT64_MAX, 2, 2, &x) && x != INT64_MAX - 2);
  assert_false(residues_reaches(6, 12, 3, 5, &x));
}

TEST(progressions_meet) {
  for (int64_t a = 1; a <= 12; a++)
    for (int64_t b = 1; b <= 12; b++)
      for (int64_t rests = 0; rests < a * b; rests++) {
        struct residues met = {a, rests % a};
        int64_t wanted = 0, next = -1;
        while (wanted < a * b && (wanted % a != rests % a || wanted % b != rests / a))
          wanted++;
        bool meets = residues_meet(&met, b, rests / a);
        assert_int_equal(meets, wanted < a * b);
        if (!meets) continue;
        assert_true(residues_next(&met, 0, &next));
        assert_int_equal(next, wanted);
        assert_int_equal(met.step, a / common_divisor(a, b) * b);
      }
}

TEST(a_progression_may_have_one_number) {
  struct residues met = {INT64_C(1) << 40, 0};
  int64_t next;
  assert_true(residues_meet(&met, (INT64_C(1) << 40) + 1, 5) == false);
  met = (struct residues){INT64_C(1) << 40, 3};
  assert_true(residues_meet(&met, (INT64_C(1) << 40) + 1, 3));
  assert_int_equal(met.step, INT64_MAX);
  assert_true(residues_next(&met, 3, &next));
  assert_int_equal(next, 3);
  assert_false(residues_next(&met, 4, &next));
}

/* ---------------------------------------------------------------- one domain */

#define SPACE 80

static bool slow_has(const struct domain *domain, neap_offset offset) {
  neap_offset end = offset + domain->size;
  if (domain->fixed != NEAP_UNPLACED && offset != domain->fixed) return false;
  if (offset % domain->alignment != 0) return false;
  if (offset < domain->window_low || end > domain->window_high) return false;
  if (domain->bank > 0 && domain->size > 0 && offset / domain->bank != (end - 1) / domain->bank)
    return false;
  for (size_t h = 0; h < domain->hole_count && domain->size > 0; h++)
    if (offset < domain->holes[h].high && domain->holes[h].low < end) return false;
  return true;
}

static neap_offset slow_next(const struct domain *domain, neap_offset from) {
  for (neap_offset offset = from; offset <= SPACE; offset++)
    if (slow_has(domain, offset)) return offset;
  return NEAP_UNPLACED;
}

static struct domain draw_domain(struct dice *dice, struct hole holes[4]) {
  struct domain domain = {.alignment = 1 + (neap_size)dice_roll(dice, 6),
                          .size = (neap_size)dice_roll(dice, 7),
                          .fixed = NEAP_UNPLACED,
                          .window_high = SPACE,
                          .holes = holes};
  if (dice_chance(dice, 30)) domain.bank = domain.size + (neap_size)dice_roll(dice, 9);
  if (dice_chance(dice, 30)) {
    domain.window_low = (neap_offset)dice_roll(dice, 40);
    domain.window_high = domain.window_low + domain.size + (neap_size)dice_roll(dice, 20);
  }
  neap_offset at = (neap_offset)dice_roll(dice, 8);
  for (size_t most = (size_t)dice_roll(dice, 5); domain.hole_count < most; at += 2) {
    holes[domain.hole_count].low = at;
    at += 1 + (neap_offset)dice_roll(dice, 9);
    holes[domain.hole_count++].high = at;
    at += (neap_offset)dice_roll(dice, 12);
  }
  if (dice_chance(dice, 15)) domain.fixed = domain.alignment * (neap_offset)dice_roll(dice, 20);
  return domain;
}

TEST(the_next_offset_is_the_lowest_allowed) {
  size_t found = 0, none = 0;
  for (uint64_t seed = 0, tries = sample_tries(20000); seed < tries; seed++) {
    struct dice dice = {seed};
    struct hole holes[4];
    struct domain domain = draw_domain(&dice, holes);
    for (neap_offset from = 0; from < SPACE; from += 1 + (neap_offset)dice_roll(&dice, 7)) {
      neap_offset wanted = slow_next(&domain, from), next = domain_next(&domain, from);
      if (next != wanted)
        fail_msg("seed %d, from %d: expected %d, found %d", (int)seed, (int)from, (int)wanted,
                 (int)next);
      found += next != NEAP_UNPLACED;
      none += next == NEAP_UNPLACED;
    }
  }
  assert_true(found > 10000 && none > 10000);
}

TEST(large_numbers_do_not_overflow) {
  struct domain domain = {
      .size = 10, .alignment = 8, .fixed = NEAP_UNPLACED, .window_high = NEAP_MAX};
  assert_int_equal(domain_next(&domain, NEAP_MAX - 20), NEAP_MAX - 15);
  assert_int_equal(domain_next(&domain, NEAP_MAX - 14), NEAP_UNPLACED);
  assert_int_equal(domain_next(&domain, NEAP_MAX), NEAP_UNPLACED);
  /* A bank begins at a multiple of the alignment after some 10^18 bytes. */
  domain = (struct domain){.size = 1000000009,
                           .alignment = 1000000007,
                           .fixed = NEAP_UNPLACED,
                           .window_high = NEAP_MAX,
                           .bank = 1000000009};
  assert_int_equal(domain_next(&domain, 1), INT64_C(1000000007) * 1000000009);
  domain.bank = 1000000008;
  assert_int_equal(domain_next(&domain, 0), NEAP_UNPLACED);
}

/* ---------------------------------------------------------------- the domains of a problem */

static void reserve(neap_problem *problem, neap_offset low, neap_offset high, neap_time start,
                    neap_time end) {
  const neap_reserved reserved = {sizeof(neap_reserved), 0, low, high, {start, end}};
  neap_error error;
  assert_ok(neap_problem_reserve(problem, &reserved, &error), &error);
}

static void expect_domain(const struct domains *domains, size_t buffer,
                          const struct hole *wanted, size_t count) {
  struct domain domain = domains_of(domains, buffer);
  assert_int_equal(domain.hole_count, count);
  for (size_t h = 0; h < count; h++) {
    assert_int_equal(domain.holes[h].low, wanted[h].low);
    assert_int_equal(domain.holes[h].high, wanted[h].high);
  }
}

TEST(reserved_bytes_concern_those_alive) {
  static const struct sample samples[] = {
      {0, 4, 8, 2}, {0, 3, 8, 1}, {5, 9, 8, 1}, {5, 9, 0, 1}, {6, 7, 4, 1}};
  static const neap_range ranges[] = {{0, 1}, {8, 9}};
  static const struct hole early[] = {{0, 4}, {10, 30}}, late[] = {{0, 4}, {16, 24}};
  static const struct hole both[] = {{0, 4}, {16, 24}};
  neap_problem *problem = sample_problem(samples, SAMPLE_COUNT(samples));
  struct domains domains;
  neap_error error;
  sample_add_gapped(problem, "gapped", ranges, 2, 4);
  assert_false(domains_matter(problem));
  reserve(problem, 20, 30, 2, 4);
  reserve(problem, 16, 24, 0, NEAP_MAX);
  reserve(problem, 10, 16, 2, 3);
  reserve(problem, 0, 4, 0, NEAP_MAX);
  assert_true(domains_matter(problem));
  assert_ok(domains_init(&domains, problem, &error), &error);
  expect_domain(&domains, 0, early, 2);
  expect_domain(&domains, 1, early, 2);
  expect_domain(&domains, 2, late, 2);
  expect_domain(&domains, 3, NULL, 0);
  expect_domain(&domains, 4, late, 2);
  expect_domain(&domains, 5, both, 2);
  assert_ptr_equal(domains_of(&domains, 0).holes, domains_of(&domains, 1).holes);
  assert_int_equal(domains_of(&domains, 0).alignment, 2);
  domains_clear(&domains);
  domains_clear(&domains);
  neap_problem_free(problem);
}

TEST(limits_are_those_of_the_buffer) {
  const neap_range range = {0, 2};
  neap_buffer buffer = NEAP_BUFFER_INIT;
  neap_problem *problem = neap_problem_new();
  struct domains domains;
  neap_error error;
  buffer.name = "a";
  buffer.size = 4;
  buffer.ranges = &range;
  buffer.range_count = 1;
  assert_ok(neap_problem_add(problem, &buffer, &error), &error);
  buffer.name = "b";
  buffer.window_low = 16;
  buffer.window_high = 64;
  buffer.bank = 32;
  assert_ok(neap_problem_add(problem, &buffer, &error), &error);
  assert_ok(domains_init(&domains, problem, &error), &error);
  assert_true(domains_matter(problem));
  struct domain plain = domains_of(&domains, 0), limited = domains_of(&domains, 1);
  assert_true(domain_is_plain(&plain) && !domain_is_plain(&limited));
  assert_int_equal(domain_next(&limited, 0), 16);
  assert_int_equal(domain_next(&limited, 29), 32);
  assert_int_equal(domain_next(&limited, 61), NEAP_UNPLACED);
  domains_clear(&domains);
  neap_problem_free(problem);
}

/* ---------------------------------------------------------------- bodies */

/* Colocated buffers as rigid bodies. */

static void colocate(neap_problem *problem, size_t first, size_t second, neap_size bytes) {
  const neap_relation relation = {
      sizeof(neap_relation), NEAP_COLOCATION, first, second, bytes, NULL};
  neap_error error;
  assert_ok(neap_problem_relate(problem, &relation, &error), &error);
}

TEST(without_colocations_there_is_nothing) {
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

TEST(chains_become_bodies) {
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

TEST(bodies_that_are_too_large_are_refused) {
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

#define bodies_SPACE 200
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
    buffer.window_high =
        dice_chance(dice, 20) ? 60 + (neap_size)dice_roll(dice, 60) : bodies_SPACE;
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

static neap_offset bodies_slow_next(const struct bodies *bodies, const struct domains *domains,
                                    neap_offset from) {
  for (neap_offset base = from; base < bodies_SPACE; base++) {
    bool is_allowed = true;
    for (size_t m = bodies->items[0].begin; m < bodies->items[0].end; m++) {
      struct domain domain = domains_of(domains, bodies->members[m]);
      if (!domain_has(&domain, base + bodies->inner[bodies->members[m]])) is_allowed = false;
    }
    if (is_allowed) return base;
  }
  return NEAP_UNPLACED;
}

TEST(the_next_offset_suits_all_members) {
  size_t found = 0, none = 0;
  for (uint64_t seed = 0, tries = sample_tries(5000); seed < tries; seed++) {
    struct dice dice = {seed};
    neap_problem *problem = draw(&dice);
    struct domains domains;
    struct bodies bodies;
    neap_error error;
    assert_ok(domains_init(&domains, problem, &error), &error);
    assert_ok(bodies_init(&bodies, problem, &error), &error);
    assert_int_equal(bodies.count, 1);
    for (neap_offset from = 0; from < bodies_SPACE / 2; from += 7) {
      neap_offset wanted = bodies_slow_next(&bodies, &domains, from);
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

TEST(coprime_alignments_take_no_time) {
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
TEST(banks_that_never_agree_end_the_search) {
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
      cmocka_unit_test(multiples_reach_a_range),
      cmocka_unit_test(reaching_far_takes_no_time),
      cmocka_unit_test(progressions_meet),
      cmocka_unit_test(a_progression_may_have_one_number),
      cmocka_unit_test(the_next_offset_is_the_lowest_allowed),
      cmocka_unit_test(large_numbers_do_not_overflow),
      cmocka_unit_test(reserved_bytes_concern_those_alive),
      cmocka_unit_test(limits_are_those_of_the_buffer),
      cmocka_unit_test(without_colocations_there_is_nothing),
      cmocka_unit_test(chains_become_bodies),
      cmocka_unit_test(bodies_that_are_too_large_are_refused),
      cmocka_unit_test(the_next_offset_suits_all_members),
      cmocka_unit_test(coprime_alignments_take_no_time),
      cmocka_unit_test(banks_that_never_agree_end_the_search),
  };
  return cmocka_run_group_tests_name("domain", tests, NULL, NULL);
}
