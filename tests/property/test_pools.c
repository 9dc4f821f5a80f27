/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pools against trying everything: every pool of every buffer, and every offset.  NEAP_LONG in the
 * environment takes twenty times as many problems.
 */
#include <stdlib.h>

#include "core/random.h"
#include "neap/relations.h"
#include "tests/support/brute_relations.h"
#include "tests/support/run.h"
#include "tests/support/sample.h"

#define MOST 6
#define MOST_RELATED 4 /* where contradictions may make all offsets fail */

/* ---------------------------------------------------------------- drawing */

static void draw_pools(struct tiny *tiny, struct random *random) {
  static const char *const names[] = {"fast", "near", "slow"};
  tiny->pool_count = 2 + random_below(random, 2);
  for (size_t p = 0; p < tiny->pool_count; p++) {
    neap_pool pool = NEAP_POOL_INIT;
    pool.name = names[p];
    pool.capacity = 1 + (neap_size)random_below(random, 9);
    if (random_below(random, 4) == 0) pool.capacity = -1;
    if (random_below(random, 4) == 0) pool.alignment = 2 + (neap_size)random_below(random, 2);
    if (random_below(random, 3) == 0) pool.cost = (neap_size)random_below(random, 4);
    tiny->pools[p] = pool;
  }
}

/* A random list of pools, or all. */
static void draw_list(struct tiny *tiny, size_t index, bool is_forced, struct random *random) {
  struct tiny_buffer *buffer = &tiny->buffers[index];
  size_t *list = buffer->pools, count = tiny->pool_count;
  if (!is_forced && random_below(random, 2) == 0) return;
  for (size_t p = 0; p < count; p++)
    list[p] = p;
  for (size_t p = count - 1; p > 0; p--) {
    size_t other = random_below(random, (uint32_t)p + 1), pool = list[p];
    list[p] = list[other];
    list[other] = pool;
  }
  buffer->pool_count = is_forced ? 1 : 1 + random_below(random, (uint32_t)count);
}

static void draw_buffer(struct tiny *tiny, size_t index, bool is_forced,
                        struct random *random) {
  struct tiny_buffer *buffer = &tiny->buffers[index];
  neap_range *ranges = buffer->ranges;
  *buffer = (struct tiny_buffer)TINY_BUFFER_INIT;
  ranges[0].start = random_below(random, 5);
  ranges[0].end = ranges[0].start + 1 + random_below(random, 3);
  ranges[1].start = ranges[0].end + 1 + random_below(random, 2);
  ranges[1].end = ranges[1].start + 1 + random_below(random, 2);
  buffer->size = random_below(random, 5);
  buffer->alignment = random_below(random, 4) == 0 ? 2 : 1;
  if (random_below(random, 8) == 0) buffer->fixed = 2 * (neap_offset)random_below(random, 3);
  buffer->range_count = random_below(random, 4) == 0 ? 2 : 1;
  draw_list(tiny, index, is_forced, random);
}

/* Relations of kinds that matter for what may share bytes. */
static void draw_relations(struct tiny *tiny, struct random *random) {
  static const neap_relation_kind kinds[] = {NEAP_SEPARATION, NEAP_EXCLUSION, NEAP_OVERLAP,
                                             NEAP_COLOCATION};
  for (size_t k = random_below(random, 3); tiny->count > 1 && k > 0; k--) {
    neap_relation *relation = &tiny->relations[tiny->relation_count++];
    relation->struct_size = sizeof *relation;
    relation->kind = kinds[random_below(random, 4)];
    relation->first = random_below(random, (uint32_t)tiny->count);
    relation->second =
        (relation->first + 1 + random_below(random, (uint32_t)tiny->count - 1)) % tiny->count;
    bool has_number = relation->kind == NEAP_OVERLAP || relation->kind == NEAP_COLOCATION;
    relation->bytes = has_number ? (neap_size)random_below(random, 3) : 0;
  }
}

static void draw_tiny(struct tiny *tiny, bool is_forced, struct random *random) {
  bool are_related = random_below(random, 2) == 0;
  *tiny = (struct tiny){
      .count = 1 + random_below(random, are_related ? MOST_RELATED : MOST),
      .objective = {NEAP_TERM_SPILL, NEAP_TERM_PEAK, NEAP_TERM_REUSE, NEAP_TERM_MOVED}};
  draw_pools(tiny, random);
  for (size_t i = 0; i < tiny->count; i++)
    draw_buffer(tiny, i, is_forced, random);
  if (are_related) draw_relations(tiny, random);
}

/* ---------------------------------------------------------------- comparing */

/* Whether the plan is said to be optimal, which is never said wrongly. */
static bool check_plan(const struct tiny *tiny, const neap_plan *plan,
                       const struct brute_costs *least) {
  struct brute_plan found = {.pools = {0}};
  neap_pool_report pool = NEAP_INIT(neap_pool_report);
  neap_report report = sample_report(plan);
  for (size_t i = 0; i < tiny->count; i++) {
    found.pools[i] = neap_plan_pool(plan, i);
    found.offsets[i] = neap_plan_offset(plan, i);
  }
  assert_true(brute_is_sound(tiny, &found, -1));
  assert_int_equal(report.costs.spilled_bytes, least->of[NEAP_TERM_SPILL]);
  assert_int_equal(report.costs.spilled_lower_bound, least->of[NEAP_TERM_SPILL]);
  assert_int_equal(report.peak, brute_costs_of(tiny, &found).of[NEAP_TERM_PEAK]);
  for (size_t p = 0; neap_plan_pool_at(plan, p, &pool); p++)
    assert_true(pool.bound <= pool.lower_bound && pool.lower_bound <= pool.peak);
  if (report.outcome != NEAP_OPTIMAL) return false;
  assert_int_equal(report.peak, least->of[NEAP_TERM_PEAK]);
  assert_true(report.run.stop_reason == NEAP_STOP_BOUND ||
              report.run.stop_reason == NEAP_STOP_PROVEN);
  return true;
}

struct tally {
  size_t planned, optimal;
};

static void compare_one(const struct tiny *tiny, const char *engine, struct tally *tally) {
  neap_problem *problem = tiny_problem(tiny);
  neap_options *options = run_options((const char *const[]){"engine", engine, NULL});
  neap_plan *plan = NULL;
  neap_error error;
  if (neap_problem_check(problem, &error) == NEAP_OK) { /* nothing contradicts */
    struct brute_plan best;
    struct brute_costs least;
    enum brute_verdict verdict = brute_solve(tiny, -1, &best, &least);
    neap_status status = neap_solve(problem, options, &plan, &error);
    assert_true(verdict != BRUTE_UNKNOWN);
    if (verdict == BRUTE_INFEASIBLE) assert_int_equal(status, NEAP_INFEASIBLE);
    else assert_ok(status, &error);
    tally->planned += plan != NULL;
    tally->optimal += plan && check_plan(tiny, plan, &least);
  }
  neap_plan_free(plan);
  neap_options_free(options);
  neap_problem_free(problem);
}

/* Nearly all are proven: only padding in a pool may hide that other plans are no better. */
static void compare_many(bool is_forced, uint64_t seed) {
  size_t count = sample_tries(1000);
  struct random random;
  struct tally tally = {0, 0};
  assert_true(random_init(&random, seed));
  for (size_t k = 0; k < count; k++) {
    struct tiny tiny;
    draw_tiny(&tiny, is_forced, &random);
    compare_one(&tiny, k % 2 ? "exact" : "auto", &tally);
  }
  print_message("%zu of %zu plans are optimal\n", tally.optimal, tally.planned);
  assert_true(100 * tally.optimal >= 95 * tally.planned);
  random_clear(&random);
}

TEST(forced_pools_fit_exactly_when_they_can) {
  compare_many(true, 1);
}

TEST(free_pools_cost_the_least) {
  compare_many(false, 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(forced_pools_fit_exactly_when_they_can),
      cmocka_unit_test(free_pools_cost_the_least),
  };
  return cmocka_run_group_tests_name("pools", tests, NULL, NULL);
}
