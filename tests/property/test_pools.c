/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pools against trying everything: every pool of every buffer, and every offset.  NEAP_LONG in the
 * environment takes twenty times as many problems.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/random.h"
#include "neap/relations.h"
#include "tests/property/run.h"
#include "tests/unit/sample.h"

#define MOST 6
#define MOST_RELATED 4 /* where contradictions may make all offsets fail */
#define POOLS_MOST 3

/* A problem as plain arrays. */
struct tiny {
  size_t count, pool_count;
  neap_pool pools[POOLS_MOST];
  neap_buffer buffers[MOST];
  neap_range ranges[MOST][2];
  size_t lists[MOST][POOLS_MOST];
  neap_relation relations[MOST];
  size_t relation_count;
};

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
  neap_buffer *buffer = &tiny->buffers[index];
  size_t *list = tiny->lists[index], count = tiny->pool_count;
  if (!is_forced && random_below(random, 2) == 0) return;
  for (size_t p = 0; p < count; p++)
    list[p] = p;
  for (size_t p = count - 1; p > 0; p--) {
    size_t other = random_below(random, (uint32_t)p + 1), pool = list[p];
    list[p] = list[other];
    list[other] = pool;
  }
  buffer->pools = list;
  buffer->pool_count = is_forced ? 1 : 1 + random_below(random, (uint32_t)count);
}

static void draw_buffer(struct tiny *tiny, size_t index, bool is_forced,
                        struct random *random) {
  static const char *const names[MOST] = {"a", "b", "c", "d", "e", "f"};
  neap_buffer buffer = NEAP_BUFFER_INIT;
  neap_range *ranges = tiny->ranges[index];
  ranges[0].start = random_below(random, 5);
  ranges[0].end = ranges[0].start + 1 + random_below(random, 3);
  ranges[1].start = ranges[0].end + 1 + random_below(random, 2);
  ranges[1].end = ranges[1].start + 1 + random_below(random, 2);
  buffer.name = names[index];
  buffer.size = random_below(random, 5);
  buffer.alignment = random_below(random, 4) == 0 ? 2 : 1;
  if (random_below(random, 8) == 0)
    buffer.fixed_offset = 2 * (neap_offset)random_below(random, 3);
  buffer.ranges = ranges;
  buffer.range_count = random_below(random, 4) == 0 ? 2 : 1;
  tiny->buffers[index] = buffer;
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
  *tiny = (struct tiny){.count = 1 + random_below(random, are_related ? MOST_RELATED : MOST)};
  draw_pools(tiny, random);
  for (size_t i = 0; i < tiny->count; i++)
    draw_buffer(tiny, i, is_forced, random);
  if (are_related) draw_relations(tiny, random);
}

static neap_problem *make_problem(const struct tiny *tiny) {
  neap_error error;
  neap_problem *problem = neap_problem_new();
  for (size_t p = 0; p < tiny->pool_count; p++)
    assert_ok(neap_problem_add_pool(problem, &tiny->pools[p], &error), &error);
  for (size_t i = 0; i < tiny->count; i++)
    assert_ok(neap_problem_add(problem, &tiny->buffers[i], &error), &error);
  for (size_t i = 0; i < tiny->relation_count; i++)
    assert_ok(neap_problem_relate(problem, &tiny->relations[i], &error), &error);
  return problem;
}

/* ---------------------------------------------------------------- trying everything */

static bool alive_together(const neap_buffer *a, const neap_buffer *b) {
  for (size_t i = 0; i < a->range_count; i++)
    for (size_t j = 0; j < b->range_count; j++)
      if (a->ranges[i].start < b->ranges[j].end && b->ranges[j].start < a->ranges[i].end)
        return true;
  return false;
}

struct attempt {
  const struct tiny *tiny;
  size_t pools[MOST];
  neap_offset offsets[MOST];
};

static bool is_related(const struct tiny *tiny, neap_relation_kind kind, size_t a, size_t b,
                       neap_size *bytes) {
  bool found = false;
  for (size_t i = 0; i < tiny->relation_count; i++) {
    const neap_relation *relation = &tiny->relations[i];
    if (relation->kind != kind || relation->first != a || relation->second != b) continue;
    if (!found || relation->bytes < *bytes) *bytes = relation->bytes;
    found = true;
  }
  return found;
}

static bool is_related_either_way(const struct tiny *tiny, neap_relation_kind kind, size_t a,
                                  size_t b) {
  neap_size bytes;
  return is_related(tiny, kind, a, b, &bytes) || is_related(tiny, kind, b, a, &bytes);
}

/* Whether two buffers are colocated, also by way of others. */
static bool share_body(const struct tiny *tiny, size_t a, size_t b) {
  size_t bodies[MOST];
  for (size_t i = 0; i < tiny->count; i++)
    bodies[i] = i;
  for (size_t i = 0; i < tiny->relation_count; i++) {
    if (tiny->relations[i].kind != NEAP_COLOCATION) continue;
    size_t from = bodies[tiny->relations[i].first], to = bodies[tiny->relations[i].second];
    for (size_t j = 0; j < tiny->count; j++)
      if (bodies[j] == from) bodies[j] = to;
  }
  return bodies[a] == bodies[b];
}

/* Whether `above` may begin where it does although `below` begins there or lower. */
static bool is_clear(const struct attempt *attempt, size_t below, size_t above) {
  neap_size gap = attempt->tiny->buffers[below].size, allowed;
  if (is_related(attempt->tiny, NEAP_OVERLAP, below, above, &allowed) && allowed < gap)
    gap = allowed;
  return attempt->offsets[above] - attempt->offsets[below] >= gap;
}

static bool collides(const struct attempt *attempt, size_t a, size_t b) {
  const struct tiny *tiny = attempt->tiny;
  const neap_buffer *one = &tiny->buffers[a], *other = &tiny->buffers[b];
  if (attempt->pools[a] != attempt->pools[b] || one->size == 0 || other->size == 0)
    return false;
  if (is_related_either_way(tiny, NEAP_EXCLUSION, a, b) || share_body(tiny, a, b)) return false;
  if (!alive_together(one, other) && !is_related_either_way(tiny, NEAP_SEPARATION, a, b))
    return false;
  return !is_clear(attempt, a, b) && !is_clear(attempt, b, a);
}

/* Whether two buffers are colocated as they should be. */
static bool is_split(const struct attempt *attempt, size_t a, size_t b) {
  for (size_t i = 0; i < attempt->tiny->relation_count; i++) {
    const neap_relation *relation = &attempt->tiny->relations[i];
    size_t first = relation->first, second = relation->second;
    if (relation->kind != NEAP_COLOCATION) continue;
    if (!(first == a && second == b) && !(first == b && second == a)) continue;
    if (attempt->pools[a] != attempt->pools[b]) return true;
    if (attempt->offsets[second] != attempt->offsets[first] + relation->bytes) return true;
  }
  return false;
}

/* All fit below this, stacked, wherever the fixed ones are. */
#define UNLIMITED 40

/* Whether the buffers from `next` on can be given offsets. */
static bool can_fit(struct attempt *attempt, size_t next) {
  if (next == attempt->tiny->count) return true;
  const neap_buffer *buffer = &attempt->tiny->buffers[next];
  const neap_pool *pool = &attempt->tiny->pools[attempt->pools[next]];
  neap_size capacity = pool->capacity < 0 ? UNLIMITED : pool->capacity;
  for (neap_offset offset = 0; offset + buffer->size <= capacity; offset++) {
    if (offset % buffer->alignment != 0 || offset % pool->alignment != 0) continue;
    if (buffer->fixed_offset != NEAP_UNPLACED && offset != buffer->fixed_offset) continue;
    attempt->offsets[next] = offset;
    bool fits = true;
    for (size_t i = 0; i < next && fits; i++)
      fits = !collides(attempt, i, next) && !is_split(attempt, i, next);
    if (fits && can_fit(attempt, next + 1)) return true;
  }
  return false;
}

/* Tries the pools of the buffers from `next` on; the least cost below *least, which it lowers. */
static void try_pools(struct attempt *attempt, size_t next, neap_size cost, neap_size *least) {
  const struct tiny *tiny = attempt->tiny;
  if (*least >= 0 && cost >= *least) return;
  if (next == tiny->count) {
    if (can_fit(attempt, 0)) *least = cost;
    return;
  }
  const neap_buffer *buffer = &tiny->buffers[next];
  size_t places = buffer->pools ? buffer->pool_count : tiny->pool_count;
  for (size_t place = 0; place < places; place++) {
    size_t pool = buffer->pools ? buffer->pools[place] : place;
    neap_size per_byte = tiny->pools[pool].cost < 0 ? (neap_size)place : tiny->pools[pool].cost;
    attempt->pools[next] = pool;
    try_pools(attempt, next + 1, cost + per_byte * buffer->size, least);
  }
}

/* -1 if nothing fits. */
static neap_size least_cost(const struct tiny *tiny) {
  struct attempt attempt = {.tiny = tiny};
  neap_size least = -1;
  try_pools(&attempt, 0, 0, &least);
  return least;
}

/* The sum over the pools of the highest ends of the first buffers. */
static neap_size sum_of_peaks(const struct attempt *attempt, size_t count) {
  neap_size peaks[POOLS_MOST] = {0}, sum = 0;
  for (size_t i = 0; i < count; i++) {
    neap_size end = attempt->offsets[i] + attempt->tiny->buffers[i].size;
    if (end > peaks[attempt->pools[i]]) peaks[attempt->pools[i]] = end;
  }
  for (size_t p = 0; p < attempt->tiny->pool_count; p++)
    sum += peaks[p];
  return sum;
}

/* Tries the pools and offsets of the buffers from `next` on, at the least cost; lowers *peak. */
static void try_peaks(struct attempt *attempt, size_t next, neap_size cost, neap_size *peak) {
  const struct tiny *tiny = attempt->tiny;
  const neap_buffer *buffer = &tiny->buffers[next];
  if (cost < 0 || sum_of_peaks(attempt, next) >= *peak) return;
  if (next == tiny->count) {
    *peak = sum_of_peaks(attempt, next);
    return;
  }
  size_t places = buffer->pools ? buffer->pool_count : tiny->pool_count;
  for (size_t place = 0; place < places; place++) {
    size_t p = buffer->pools ? buffer->pools[place] : place;
    const neap_pool *pool = &tiny->pools[p];
    neap_size capacity = pool->capacity < 0 ? *peak : pool->capacity;
    neap_size per_byte = pool->cost < 0 ? (neap_size)place : pool->cost;
    attempt->pools[next] = p;
    for (neap_offset offset = 0; offset + buffer->size <= capacity; offset++) {
      bool is_aligned = offset % buffer->alignment == 0 && offset % pool->alignment == 0;
      bool is_free = buffer->fixed_offset == NEAP_UNPLACED || offset == buffer->fixed_offset;
      attempt->offsets[next] = offset;
      for (size_t i = 0; i < next && is_free; i++)
        is_free = !collides(attempt, i, next) && !is_split(attempt, i, next);
      if (is_aligned && is_free)
        try_peaks(attempt, next + 1, cost - per_byte * buffer->size, peak);
    }
  }
}

/* The least sum of peaks at a cost, up to one that is known. */
static neap_size least_peak(const struct tiny *tiny, neap_size least, neap_size known) {
  struct attempt attempt = {.tiny = tiny};
  try_peaks(&attempt, 0, least, &known);
  return known;
}

/* ---------------------------------------------------------------- comparing */

static bool check_plan(const struct tiny *tiny, const neap_plan *plan, neap_size least) {
  struct attempt attempt = {.tiny = tiny};
  neap_report report = NEAP_INIT(neap_report);
  neap_pool_report pool = NEAP_INIT(neap_pool_report);
  neap_size peak = 0;
  neap_plan_report(plan, &report);
  assert_int_equal(report.spilled_bytes, least);
  assert_int_equal(report.spilled_lower_bound, least);
  for (size_t i = 0; i < tiny->count; i++) {
    attempt.pools[i] = neap_plan_pool(plan, i);
    attempt.offsets[i] = neap_plan_offset(plan, i);
    for (size_t j = 0; j < i; j++)
      assert_false(collides(&attempt, j, i) || is_split(&attempt, j, i));
  }
  for (size_t p = 0; neap_plan_pool_at(plan, p, &pool); p++) {
    assert_true(tiny->pools[p].capacity < 0 || pool.peak <= tiny->pools[p].capacity);
    assert_true(pool.bound <= pool.lower_bound && pool.lower_bound <= pool.peak);
    peak += pool.peak;
  }
  assert_int_equal(report.peak, peak);
  /* Optimal is never said wrongly, and is said of what is. */
  if (report.outcome != NEAP_OPTIMAL) return false;
  assert_int_equal(report.peak, least_peak(tiny, least, report.peak));
  assert_true(report.stop_reason == NEAP_STOP_BOUND || report.stop_reason == NEAP_STOP_PROVEN);
  return true;
}

struct tally {
  size_t planned, optimal;
};

static void compare_one(const struct tiny *tiny, const char *engine, struct tally *tally) {
  neap_problem *problem = make_problem(tiny);
  neap_options *options = run_options((const char *const[]){"engine", engine, NULL});
  neap_plan *plan = NULL;
  neap_error error;
  if (neap_problem_check(problem, &error) == NEAP_OK) { /* nothing contradicts */
    neap_size least = least_cost(tiny);
    neap_status status = neap_solve(problem, options, &plan, &error);
    if (least < 0) assert_int_equal(status, NEAP_INFEASIBLE);
    else assert_ok(status, &error);
    tally->planned += plan != NULL;
    tally->optimal += plan && check_plan(tiny, plan, least);
  }
  neap_plan_free(plan);
  neap_options_free(options);
  neap_problem_free(problem);
}

/* Nearly all are proven: only what pads a pool may hide that others are no better. */
static void compare_many(bool is_forced, uint64_t seed) {
  size_t count = getenv("NEAP_LONG") ? 40000 : 1000;
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

static void forced_pools_fit_exactly_when_they_can(void **state) {
  (void)state;
  compare_many(true, 1);
}

static void free_pools_cost_the_least(void **state) {
  (void)state;
  compare_many(false, 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(forced_pools_fit_exactly_when_they_can),
      cmocka_unit_test(free_pools_cost_the_least),
  };
  return cmocka_run_group_tests_name("pools", tests, NULL, NULL);
}
