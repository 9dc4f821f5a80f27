/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lower bounds on reuse penalties and moves (costs/bounds), which the planner asks for only where
 * its exact search has given up, against the least costs of tiny problems within a capacity.  They
 * must never pass them; how often they reach them is counted, so that weaker bounds are noticed.
 * NEAP_LONG in the environment takes twenty times as many problems.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "costs/minimise.h"
#include "tests/support/brute_relations.h"
#include "tests/support/random_relations.h"
#include "tests/support/sample.h"

struct tally {
  unsigned paid,
      reached; /* problems whose least cost is not 0, and how often the bound is that cost */
};

/* Makes one term the first to be minimised. */
static void prefer(struct tiny *tiny, neap_term term) {
  size_t at = 0;
  while (tiny->objective[at] != term)
    at++;
  for (; at > 0; at--)
    tiny->objective[at] = tiny->objective[at - 1];
  tiny->objective[0] = term;
}

static neap_size bound_of(const struct net *net, neap_term term, neap_size capacity,
                          uint64_t seed) {
  struct budget budget;
  neap_size bound;
  neap_error error;
  budget_init(&budget, 0, 0);
  assert_ok(bounds_find(net, term, capacity, seed, &budget, &bound, &error), &error);
  return bound + (term == NEAP_TERM_REUSE ? net->base_reuse : 0);
}

static void compare(const struct tiny *tiny, neap_problem *problem, neap_term term,
                    neap_size capacity, uint64_t seed, struct tally *tally) {
  struct net net = {0};
  struct brute_plan plan;
  struct brute_costs least;
  neap_error error;
  bool too_large = false, is_contradictory = false;
  enum brute_verdict verdict = brute_solve(tiny, capacity, &plan, &least);
  assert_ok(net_init(&net, problem, &too_large, &is_contradictory, &error), &error);
  bool is_possible = !too_large && !is_contradictory && net_limit(&net, capacity);
  if (verdict == BRUTE_OPTIMAL && !is_possible) fail_msg("seed %" PRIu64 ": no network", seed);
  if (verdict == BRUTE_OPTIMAL) {
    neap_size bound = bound_of(&net, term, capacity, seed), cost = least.of[term];
    if (bound > cost) {
      tiny_print(tiny, stderr);
      fail_msg("seed %" PRIu64 ", capacity %" PRId64 ": at least %" PRId64
               " must be paid, but %" PRId64 " is enough",
               seed, capacity, bound, cost);
    }
    tally->paid += cost > 0;
    tally->reached += cost > 0 && bound == cost;
  }
  net_clear(&net);
}

/* Within the least peak, and a little more. */
static void compare_one(enum tiny_kind kind, neap_term term, uint64_t seed,
                        struct tally *tally) {
  struct tiny tiny = tiny_random(kind, seed);
  struct brute_plan plan;
  struct brute_costs lowest;
  neap_error error;
  neap_problem *problem = tiny_problem(&tiny);
  if (problem && tiny.pool_count == 0 && neap_problem_check(problem, &error) == NEAP_OK) {
    prefer(&tiny, NEAP_TERM_PEAK);
    if (brute_solve(&tiny, -1, &plan, &lowest) == BRUTE_OPTIMAL) {
      prefer(&tiny, term);
      compare(&tiny, problem, term, lowest.of[NEAP_TERM_PEAK] + (neap_size)(seed % 3), seed,
              tally);
    }
  }
  neap_problem_free(problem);
}

/* At least `percent` of the costs that must be paid are proven. */
static void compare_many(enum tiny_kind kind, neap_term term, unsigned percent) {
  struct tally tally = {0};
  uint64_t count = sample_tries(1000);
  for (uint64_t seed = 1; seed <= count; seed++)
    compare_one(kind, term, seed, &tally);
  print_message("%u of %u costs proven\n", tally.reached, tally.paid);
  assert_true(tally.paid >= count / 50);
  assert_true((uint64_t)tally.reached * 100 >= (uint64_t)tally.paid * percent);
}

TEST(penalties_are_bounded) {
  compare_many(TINY_PENALTIES, NEAP_TERM_REUSE, 90);
}

TEST(moves_are_bounded) {
  compare_many(TINY_MOVES, NEAP_TERM_MOVED, 80);
}

TEST(penalties_in_a_mixture_are_bounded) {
  compare_many(TINY_PRICED, NEAP_TERM_REUSE, 70);
}

TEST(moves_in_a_mixture_are_bounded) {
  compare_many(TINY_PRICED, NEAP_TERM_MOVED, 75);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(penalties_are_bounded),
      cmocka_unit_test(moves_are_bounded),
      cmocka_unit_test(penalties_in_a_mixture_are_bounded),
      cmocka_unit_test(moves_in_a_mixture_are_bounded),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
