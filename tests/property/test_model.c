/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The bound, the metrics, the sorter, the sections, collisions and the verifier against their
 * slow and obvious counterparts.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "facts/columns.h"
#include "neap/planner.h"
#include "order/sorter.h"
#include "tests/support/random_problem.h"
#include "tests/support/reference.h"
#include "tests/support/sample.h"
#include "verify/collide.h"

static void expect(const struct instance *instance, uint64_t seed, const char *what,
                   int64_t wanted, int64_t found) {
  if (wanted == found) return;
  instance_print(instance, seed);
  fail_msg("%s: expected %" PRId64 ", found %" PRId64, what, wanted, found);
}

/* Runs a check on many instances. */
static void for_instances(uint64_t seeds, size_t most, unsigned with,
                          void check(const struct instance *, const neap_problem *, uint64_t)) {
  for (uint64_t seed = 0; seed < seeds; seed++) {
    struct instance instance = instance_random(seed, most, with);
    neap_problem *problem = instance_problem(&instance);
    check(&instance, problem, seed);
    neap_problem_free(problem);
    instance_free(&instance);
  }
}

/* ---------------------------------------------------------------- the bound */

/* How many separate ranges of time have this sum alive; the first of them goes to *first. */
static size_t ranges_with(const struct instance *instance, neap_size bytes, neap_range *first) {
  size_t count = 0;
  bool inside = false;
  neap_time horizon = reference_horizon(instance);
  for (neap_time moment = 0; moment <= horizon; moment++) {
    bool attained = moment < horizon && reference_live(instance, moment) == bytes;
    if (attained && !inside && count++ == 0) first->start = moment;
    if (!attained && inside && count == 1) first->end = moment;
    inside = attained;
  }
  return count;
}

static void check_bound(const struct instance *instance, const neap_problem *problem,
                        uint64_t seed) {
  neap_range first = {0, 0};
  const neap_bound bound = sample_bound(problem);
  expect(instance, seed, "bound", reference_bound(instance), bound.bytes);
  expect(instance, seed, "lower bound >= bound", true, bound.lower_bound >= bound.bytes);
  if (bound.bytes == 0) return;
  expect(instance, seed, "ranges at the bound",
         (int64_t)ranges_with(instance, bound.bytes, &first), (int64_t)bound.range_count);
  expect(instance, seed, "start at the bound", first.start, bound.start);
  expect(instance, seed, "end at the bound", first.end, bound.end);
}

TEST(bound_is_the_largest_sum_alive) {
  for_instances(4000, 25, WITH_ALL, check_bound);
}

static void check_lower_bound(const struct instance *instance, const neap_problem *problem,
                              uint64_t seed) {
  const neap_bound bound = sample_bound(problem);
  expect(instance, seed, "lower bound <= optimum", true,
         bound.lower_bound <= reference_optimum(instance));
}

TEST(lower_bound_is_below_the_optimum) {
  for_instances(1500, 6, WITH_ALL, check_lower_bound);
}

/* ---------------------------------------------------------------- metrics */

static neap_time duration(const struct rectangle *rectangle) {
  return reference_overlap(rectangle, rectangle);
}

static void check_metrics(const struct instance *instance, const neap_problem *problem,
                          uint64_t seed) {
  struct metrics metrics;
  neap_error error;
  assert_ok(metrics_init(&metrics, problem, (1u << METRIC_COUNT) - 1, &error), &error);
  for (size_t i = 0; i < instance->count; i++) {
    const struct rectangle *rectangle = &instance->rectangles[i];
    expect(instance, seed, "duration", duration(rectangle),
           (int64_t)metrics.values[METRIC_DURATION][i]);
    expect(instance, seed, "size", rectangle->size, (int64_t)metrics.values[METRIC_SIZE][i]);
    expect(instance, seed, "overlap", reference_metric(instance, i),
           (int64_t)metrics.values[METRIC_OVERLAP][i]);
  }
  metrics_clear(&metrics);
}

TEST(metrics_are_those_of_all_pairs) {
  for_instances(4000, 25, WITH_ALL, check_metrics);
}

/* ---------------------------------------------------------------- sorting */

/* The values of an instance are small: everything fits. */
struct fraction {
  int64_t over, under;
};

static int64_t metric_of(const struct instance *instance, size_t index, enum metric metric) {
  switch (metric) {
  case METRIC_DURATION:
    return duration(&instance->rectangles[index]);
  case METRIC_SIZE:
    return instance->rectangles[index].size;
  case METRIC_OVERLAP:
    return reference_metric(instance, index);
  }
  return 0;
}

static struct fraction key_of(const struct instance *instance, size_t index,
                              const struct order_key *key) {
  struct fraction value = {metric_of(instance, index, key->metrics[0]), 1};
  for (size_t m = 1; m < key->metric_count; m++) {
    int64_t next = metric_of(instance, index, key->metrics[m]);
    if (key->combine == COMBINE_SUM) value.over += next;
    if (key->combine == COMBINE_PRODUCT) value.over *= next;
    if (key->combine == COMBINE_RATIO) value.under = next;
  }
  if (value.over == 0 && value.under == 0) value.under = 1; /* 0 / 0 is 0 */
  return value;
}

static int compare_fractions(struct fraction a, struct fraction b) {
  if (a.under == 0 || b.under == 0)
    return (a.under == 0) - (b.under == 0); /* a / 0 is infinite */
  int64_t left = a.over * b.under, right = b.over * a.under;
  return (left > right) - (left < right);
}

/* Positive when `second` belongs before `first`. */
static int compare_keys(const struct instance *instance, const struct order_spec *spec,
                        size_t first, size_t second) {
  for (size_t k = 0; k < spec->key_count; k++) {
    const struct order_key *key = &spec->keys[k];
    int comparison =
        compare_fractions(key_of(instance, second, key), key_of(instance, first, key));
    if (comparison != 0) return key->ascending ? -comparison : comparison;
  }
  return 0;
}

static void check_sorted(const struct instance *instance, const neap_problem *problem,
                         const char *text, uint64_t seed) {
  struct order_spec spec;
  gsl_permutation order;
  neap_error error;
  assert_ok(order_spec_parse(&spec, text, &error), &error);
  assert_true(order_init(&order, instance->count));
  assert_ok(sorter_sort(problem, &spec, &order, &error), &error);
  bool *seen = test_calloc(instance->count + 1, 1);
  for (size_t i = 0; i < instance->count; i++) {
    assert_in_range(order.data[i], 0, instance->count - 1);
    expect(instance, seed, text, false, seen[order.data[i]]);
    seen[order.data[i]] = true;
    if (i == 0) continue;
    size_t before = order.data[i - 1], here = order.data[i];
    int comparison = compare_keys(instance, &spec, before, here);
    expect(instance, seed, text, true, comparison < 0 || (comparison == 0 && before < here));
  }
  test_free(seen);
  order_clear(&order);
}

static void check_sorter(const struct instance *instance, const neap_problem *problem,
                         uint64_t seed) {
  static const char *const specs[] = {"size",
                                      "-size",
                                      "duration",
                                      "overlap",
                                      "-overlap,-size",
                                      "size*duration",
                                      "-size*duration*overlap",
                                      "size+duration",
                                      "size+duration+overlap",
                                      "size/duration",
                                      "size/overlap",
                                      "-overlap/size",
                                      "overlap,size,duration",
                                      "-overlap,size/overlap,-duration"};
  for (size_t i = 0; i < SAMPLE_COUNT(specs); i++)
    check_sorted(instance, problem, specs[i], seed);
}

TEST(sorter_sorts_by_every_key) {
  for_instances(500, 20, WITH_ALL, check_sorter);
  for_instances(20, 300, WITH_ALL, check_sorter);
}

/* ---------------------------------------------------------------- sections */

static bool share_a_section(const struct sections *sections, size_t a, size_t b) {
  for (size_t i = sections_spans_begin(sections, a); i < sections->spans_end[a]; i++)
    for (size_t j = sections_spans_begin(sections, b); j < sections->spans_end[b]; j++)
      if (sections->spans[i].first < sections->spans[j].end &&
          sections->spans[j].first < sections->spans[i].end)
        return true;
  return false;
}

static void check_sections(const struct instance *instance, const neap_problem *problem,
                           uint64_t seed) {
  struct sections sections;
  neap_error error;
  assert_ok(columns_init(&sections, problem, SECTIONS_ALL, &error), &error);
  size_t ranges = 0;
  for (size_t a = 0; a < instance->count; a++) {
    ranges += instance->rectangles[a].range_count;
    for (size_t i = sections_spans_begin(&sections, a) + 1; i < sections.spans_end[a]; i++)
      expect(instance, seed, "spans ascend and do not touch", true,
             sections.spans[i - 1].end < sections.spans[i].first);
    for (size_t b = 0; b < instance->count; b++)
      expect(instance, seed, "overlap in time",
             reference_overlap(&instance->rectangles[a], &instance->rectangles[b]) > 0,
             share_a_section(&sections, a, b));
  }
  expect(instance, seed, "no more sections than ranges", true, sections.count <= ranges);
  sections_clear(&sections);
}

TEST(sections_tell_which_buffers_overlap) {
  for_instances(3000, 20, WITH_ALL, check_sections);
  for_instances(60, 300, WITH_ALL, check_sections);
}

/* ---------------------------------------------------------------- collisions */

/* Offsets so low that many collide; some buffers are not placed where that is allowed. */
static neap_offset *draw_offsets(const struct instance *instance, struct dice *dice,
                                 unsigned unplaced) {
  neap_offset *offsets = test_calloc(instance->count + 1, sizeof *offsets);
  for (size_t i = 0; i < instance->count; i++) {
    uint64_t top = 1 + 3 * (uint64_t)instance->rectangles[i].size;
    offsets[i] =
        dice_chance(dice, unplaced) ? NEAP_UNPLACED : (neap_offset)dice_roll(dice, top);
  }
  return offsets;
}

static neap_collision *room_for_collisions(const struct instance *instance) {
  size_t pairs = instance->count * instance->count / 2;
  return test_calloc(REFERENCE_MEETINGS * pairs + 1, sizeof(neap_collision));
}

static void expect_collision(const struct instance *instance, uint64_t seed,
                             const neap_collision *wanted, const neap_collision *found) {
  expect(instance, seed, "first", (int64_t)wanted->first, (int64_t)found->first);
  expect(instance, seed, "second", (int64_t)wanted->second, (int64_t)found->second);
  expect(instance, seed, "when.start", wanted->when.start, found->when.start);
  expect(instance, seed, "when.end", wanted->when.end, found->when.end);
  expect(instance, seed, "low", wanted->low, found->low);
  expect(instance, seed, "high", wanted->high, found->high);
}

/* The collision that is found must be one of all collisions; without any, none is found. */
static void check_first(const struct instance *instance, const neap_problem *problem,
                        uint64_t seed, const neap_offset *offsets, const neap_collision *wanted,
                        size_t count) {
  neap_collision found;
  bool any;
  neap_error error;
  size_t i = 0;
  assert_ok(collide_first(&(struct placement){problem, offsets, NULL}, &found, &any, &error),
            &error);
  expect(instance, seed, "any collision", count > 0, any);
  if (!any) return;
  while (i < count && memcmp(&wanted[i], &found, sizeof found) != 0)
    i++;
  expect(instance, seed, "the collision found is one", true, i < count);
}

/* Of all collisions, the earliest are listed, and each of these is one of those wanted. */
static void check_listed(const struct instance *instance, const neap_problem *problem,
                         uint64_t seed, const neap_offset *offsets, size_t limit,
                         const neap_collision *wanted, size_t count) {
  struct collisions found;
  neap_error error;
  size_t listed = count < limit ? count : limit, at = 0;
  neap_time last = 0;
  assert_ok(collide_all(&(struct placement){problem, offsets, NULL}, limit, &found, &error),
            &error);
  expect(instance, seed, "collisions listed", (int64_t)listed, (int64_t)found.count);
  expect(instance, seed, "collisions in all", (int64_t)count, (int64_t)found.total);
  for (size_t i = 0; i < listed; i++)
    if (found.items[i].when.start > last) last = found.items[i].when.start;
  for (size_t i = 0; i < count; i++) {
    bool is_next = at < listed && memcmp(&found.items[at], &wanted[i], sizeof *wanted) == 0;
    if (is_next) at++;
    else expect(instance, seed, "left out, so not early", true, wanted[i].when.start >= last);
  }
  for (size_t i = at; i < listed; i++)
    expect_collision(instance, seed, &wanted[i], &found.items[i]);
  free(found.items);
}

static void check_collisions(const struct instance *instance, const neap_problem *problem,
                             uint64_t seed) {
  struct dice dice = {seed};
  neap_offset *offsets = draw_offsets(instance, &dice, 20);
  neap_collision *wanted = room_for_collisions(instance);
  size_t count = reference_collisions(instance, offsets, wanted);
  check_first(instance, problem, seed, offsets, wanted, count);
  size_t limits[] = {SIZE_MAX, count, count / 2, 0};
  for (size_t l = 0; l < SAMPLE_COUNT(limits); l++)
    check_listed(instance, problem, seed, offsets, limits[l], wanted, count);
  test_free(wanted);
  test_free(offsets);
}

TEST(collisions_are_those_of_all_pairs) {
  for_instances(4000, 16, WITH_ALL, check_collisions);
}

/* ---------------------------------------------------------------- the verifier */

static bool is_sound(const struct instance *instance, const neap_offset *offsets,
                     neap_size capacity) {
  neap_collision *collisions = room_for_collisions(instance);
  bool sound = reference_collisions(instance, offsets, collisions) == 0;
  test_free(collisions);
  for (size_t i = 0; i < instance->count; i++) {
    const struct rectangle *rectangle = &instance->rectangles[i];
    if (offsets[i] % rectangle->alignment != 0) sound = false;
    if (rectangle->fixed != NEAP_UNPLACED && offsets[i] != rectangle->fixed) sound = false;
    if (capacity >= 0 && offsets[i] + rectangle->size > capacity) sound = false;
  }
  return sound;
}

/* A sound layout, in which now and then an offset is changed a little. */
static void check_verifier(const struct instance *instance, const neap_problem *problem,
                           uint64_t seed) {
  struct dice dice = {seed};
  neap_offset *offsets = test_calloc(instance->count + 1, sizeof *offsets);
  size_t *order = instance_order(instance, &dice);
  reference_place(instance, order, instance->count, "lowest", offsets);
  neap_size peak = reference_peak(instance, offsets);
  for (unsigned change = 0; change < 6; change++) {
    neap_size capacity = dice_chance(&dice, 50) ? -1 : peak - (neap_size)dice_roll(&dice, 2);
    neap_error error;
    neap_plan *plan = sample_plan(problem, offsets);
    neap_status status = neap_plan_verify(plan, capacity, &error);
    expect(instance, seed, "verified",
           is_sound(instance, offsets, capacity) ? NEAP_OK : NEAP_ERROR_UNSOUND, status);
    neap_plan_free(plan);
    if (instance->count == 0) break;
    size_t victim = dice_roll(&dice, instance->count);
    offsets[victim] += (neap_offset)dice_roll(&dice, 7) - 3;
    if (offsets[victim] < 0) offsets[victim] = 0;
  }
  test_free(order);
  test_free(offsets);
}

TEST(verifier_sees_every_fault) {
  for_instances(3000, 16, WITH_ALL, check_verifier);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bound_is_the_largest_sum_alive),
      cmocka_unit_test(lower_bound_is_below_the_optimum),
      cmocka_unit_test(metrics_are_those_of_all_pairs),
      cmocka_unit_test(sorter_sorts_by_every_key),
      cmocka_unit_test(sections_tell_which_buffers_overlap),
      cmocka_unit_test(collisions_are_those_of_all_pairs),
      cmocka_unit_test(verifier_sees_every_fault),
  };
  return cmocka_run_group_tests_name("property model", tests, NULL, NULL);
}
