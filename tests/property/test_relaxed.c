/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Large problems with relations, whose parts are relaxed: plans are sound, and nothing is claimed that
 * is not proven.  neap_solve verifies each plan.
 */
#include "core/random.h"
#include "neap-tool.h"
#include "neap/relations.h"
#include "tests/unit/sample.h"

#define BUFFERS 2500
#define SEEDS 4

/* Relates random buffers; alive together or not, the relation must be kept. */
static void relate(neap_problem *problem, struct random *random, neap_relation_kind kind,
                   size_t count, neap_size bytes) {
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
  neap_plan *plan;
  neap_report report = NEAP_INIT(neap_report);
  neap_error error;
  assert_ok(neap_options_set(options, "engine", engine, &error), &error);
  assert_ok(neap_options_set(options, "max-ticks", "10000", &error), &error);
  assert_ok(neap_solve(problem, options, &plan, &error), &error);
  neap_plan_report(plan, &report);
  neap_plan_free(plan);
  neap_options_free(options);
  return report;
}

static void large_problems_are_planned(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < SEEDS; seed++) {
    struct random random;
    assert_true(random_init(&random, seed));
    neap_problem *problem;
    neap_error error;
    assert_ok(neap_problem_generate("random", BUFFERS, seed, &problem, &error), &error);
    relate(problem, &random, NEAP_SEPARATION, 60, 0);
    relate(problem, &random, NEAP_OVERLAP, 60, 64);
    if (seed % 2 == 0) relate(problem, &random, NEAP_BANK_SEPARATION, 5, 1 << 16);
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
  const struct CMUnitTest tests[] = {cmocka_unit_test(large_problems_are_planned)};
  return cmocka_run_group_tests_name("property relaxed", tests, NULL, NULL);
}
