/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The placer by every rule, with marks and rollbacks between, and the classifier, against their
 * slow and obvious counterparts.
 */
#include <inttypes.h>
#include <string.h>

#include "facts/columns.h"
#include "facts/excess.h"
#include "facts/risk.h"
#include "place/placer.h"
#include "place/state.h"
#include "tests/support/layout.h"
#include "tests/support/random_problem.h"
#include "tests/support/reference.h"
#include "tests/support/sample.h"
#include "tune/reorderer.h"

/* ---------------------------------------------------------------- placing in one go */

/* Neap's layout of an instance, whole and in an order of its own. */
struct subject {
  struct instance instance;
  uint64_t seed;
  neap_problem *problem;
  struct sections sections;
  struct budget budget;
  struct placer *placer;
  size_t *order; /* what has been put, in this order; first what the test wants to put */
  neap_offset *wanted;
};

/* Gives the container any shape, since a small one has neither a crown nor buckets. */
static void reshape(struct subject *subject, struct dice dice) {
  struct container *container = &subject->placer->container;
  size_t leaves = container->leaves;
  unsigned depths = 1;
  neap_error error;
  while (leaves >> depths != 0)
    depths++;
  struct container_shape shape = {.bucket_height = (unsigned)dice_roll(&dice, 4),
                                  .bucket_most = 1 + (uint32_t)dice_roll(&dice, 12)};
  if (shape.bucket_height >= depths) shape.bucket_height = depths - 1;
  shape.crown = (unsigned)dice_roll(&dice, depths - shape.bucket_height);
  container_clear(container);
  assert_true(container_init(container, &subject->sections, shape));
  assert_ok(placer_reset(subject->placer, &error), &error);
}

static void subject_init(struct subject *subject, uint64_t seed, size_t most, const char *rule,
                         struct dice *dice) {
  neap_error error;
  subject->seed = seed;
  subject->instance = instance_random(seed, most, WITH_ALL);
  subject->problem = instance_problem(&subject->instance);
  subject->order = instance_order(&subject->instance, dice);
  subject->wanted = test_calloc(subject->instance.count + 1, sizeof *subject->wanted);
  budget_init(&subject->budget, 0, 0);
  assert_ok(columns_init(&subject->sections, subject->problem, SECTIONS_ALL, &error), &error);
  assert_ok(placer_new(&subject->placer, subject->problem, &subject->sections,
                       layout_rule(rule), &subject->budget, &error),
            &error);
  reshape(subject, *dice);
}

static void subject_clear(struct subject *subject) {
  placer_free(subject->placer);
  sections_clear(&subject->sections);
  neap_problem_free(subject->problem);
  test_free(subject->order);
  test_free(subject->wanted);
  instance_free(&subject->instance);
}

/* The placer must equal a fresh one into which `count` buffers of the order were put. */
static void expect_layout(struct subject *subject, const size_t *order, size_t count,
                          const char *rule) {
  const neap_offset *found = placer_offsets(subject->placer);
  reference_place(&subject->instance, order, count, rule, subject->wanted);
  for (size_t i = 0; i < subject->instance.count; i++)
    if (found[i] != subject->wanted[i]) {
      instance_print(&subject->instance, subject->seed);
      for (size_t k = 0; k < count; k++)
        print_error("  put %zu: expected at %" PRId64 ", found at %" PRId64 "\n", order[k],
                    subject->wanted[order[k]], found[order[k]]);
      fail_msg("rule %s puts buffer %zu elsewhere", rule, i);
    }
  assert_int_equal(placer_peak(subject->placer),
                   reference_peak(&subject->instance, subject->wanted));
}

static void place_whole(const char *rule) {
  for (uint64_t seed = 0, tries = sample_tries(2500); seed < tries; seed++) {
    struct dice dice = {seed};
    struct subject subject;
    subject_init(&subject, seed, seed % 50 == 0 ? 60 : 14, rule, &dice);
    gsl_permutation order = {subject.instance.count, subject.order};
    neap_error error;
    assert_ok(placer_fill(subject.placer, &order, &error), &error);
    expect_layout(&subject, subject.order, subject.instance.count, rule);
    subject_clear(&subject);
  }
}

TEST(lowest_takes_the_lowest_room) {
  place_whole("lowest");
}

TEST(drop_stays_above_all_neighbours) {
  place_whole("drop");
}

TEST(tight_rests_on_uncovered_buffers) {
  place_whole("tight");
}

TEST(best_fit_takes_the_smallest_hole) {
  place_whole("best-fit");
}

/* ---------------------------------------------------------------- marks and rollbacks */

#define MARKS 4

/* What the test knows of a placer's past. */
struct past {
  size_t put; /* buffers put: the first of the order */
  struct placer_mark marks[MARKS];
  size_t put_at_mark[MARKS];
  size_t marks_count;
};

static void put_next(struct subject *subject, struct past *past, struct dice *dice) {
  size_t left = subject->instance.count - past->put;
  if (left == 0) return;
  size_t pick = past->put + dice_roll(dice, left), buffer = subject->order[pick];
  subject->order[pick] = subject->order[past->put];
  subject->order[past->put++] = buffer;
  neap_error error;
  assert_ok(placer_put(subject->placer, buffer, &error), &error);
}

/* Rolls back to one of the marks, which stays; the marks set after it are gone. */
static void roll_back(struct subject *subject, struct past *past, struct dice *dice) {
  if (past->marks_count == 0) return;
  size_t mark = dice_roll(dice, past->marks_count);
  placer_rollback(subject->placer, past->marks[mark]);
  past->put = past->put_at_mark[mark];
  past->marks_count = mark + 1;
}

static void set_mark(struct subject *subject, struct past *past) {
  if (past->marks_count == MARKS) return;
  past->marks[past->marks_count] = placer_mark(subject->placer);
  past->put_at_mark[past->marks_count++] = past->put;
}

static void forget(struct subject *subject, struct past *past, bool reset) {
  neap_error error;
  placer_forget(subject->placer);
  past->marks_count = 0;
  if (!reset) return;
  assert_ok(placer_reset(subject->placer, &error), &error);
  past->put = 0;
}

static void live_a_little(struct subject *subject, const char *rule, struct dice *dice) {
  struct past past = {0};
  for (size_t step = 0; step < 3 * subject->instance.count; step++) {
    uint64_t what = dice_roll(dice, 100);
    if (what < 60) put_next(subject, &past, dice);
    else if (what < 78) set_mark(subject, &past);
    else if (what < 95) roll_back(subject, &past, dice);
    else forget(subject, &past, what >= 98);
    expect_layout(subject, subject->order, past.put, rule);
  }
}

static void rollback_with(const char *rule) {
  for (uint64_t seed = 0, tries = sample_tries(400); seed < tries; seed++) {
    struct dice dice = {seed};
    struct subject subject;
    subject_init(&subject, seed, 12, rule, &dice);
    live_a_little(&subject, rule, &dice);
    subject_clear(&subject);
  }
}

TEST(lowest_rolls_back) {
  rollback_with("lowest");
}

TEST(drop_rolls_back) {
  rollback_with("drop");
}

TEST(tight_rolls_back) {
  rollback_with("tight");
}

TEST(best_fit_rolls_back) {
  rollback_with("best-fit");
}

/* ---------------------------------------------------------------- classes and merging */

static void expect_classes(struct subject *subject, neap_size threshold) {
  const struct instance *instance = &subject->instance;
  const neap_offset *offsets = placer_offsets(subject->placer);
  unsigned char *wanted = test_calloc(instance->count + 1, 1);
  unsigned char *found = test_calloc(instance->count + 1, 1);
  size_t counts[NEAP_RISK_COUNT], tally[NEAP_RISK_COUNT] = {0};
  neap_error error;
  reference_classify(instance, offsets, threshold, wanted);
  assert_ok(risk_classify(subject->problem, &subject->sections, offsets, threshold, found,
                          counts, &error),
            &error);
  for (size_t i = 0; i < instance->count; i++) {
    tally[found[i]]++;
    if (wanted[i] == found[i]) continue;
    instance_print(instance, subject->seed);
    fail_msg("buffer %zu: expected %s, found %s at threshold %" PRId64, i,
             neap_risk_name((neap_risk)wanted[i]), neap_risk_name((neap_risk)found[i]),
             threshold);
  }
  assert_memory_equal(counts, tally, sizeof tally);

  gsl_permutation order = {instance->count, subject->order}, merged = order;
  merged.data = test_calloc(instance->count + 1, sizeof *merged.data);
  merge_by_risk(&order, found, counts, &merged);
  size_t at = 0;
  for (int risk = NEAP_RISK_HIGH; risk >= NEAP_RISK_NONE; risk--)
    for (size_t i = 0; i < instance->count; i++)
      if (found[subject->order[i]] == risk)
        assert_int_equal(merged.data[at++], subject->order[i]);
  assert_int_equal(at, instance->count);
  test_free(merged.data);
  test_free(wanted);
  test_free(found);
}

TEST(excess_is_that_of_all_moments) {
  for (uint64_t seed = 0, tries = sample_tries(3000); seed < tries; seed++) {
    struct dice dice = {seed};
    struct subject subject;
    subject_init(&subject, seed, 20, "lowest", &dice);
    gsl_permutation order = {subject.instance.count, subject.order};
    neap_error error;
    assert_ok(placer_fill(subject.placer, &order, &error), &error);
    const neap_offset *offsets = placer_offsets(subject.placer);
    neap_size peak = placer_peak(subject.placer);
    neap_size threshold = (neap_size)dice_roll(&dice, (uint64_t)peak + 2);
    size_t count;
    int64_t area = reference_excess(&subject.instance, offsets, threshold, &count);
    struct excess found = excess_measure(subject.problem, offsets, threshold);
    if (found.peak != peak || found.area != area || found.count != count) {
      instance_print(&subject.instance, seed);
      fail_msg("above %" PRId64 ": expected %" PRId64 " of %zu, found %" PRId64 " of %zu",
               threshold, area, count, found.area, found.count);
    }
    subject_clear(&subject);
  }
}

TEST(classes_are_those_of_all_pairs) {
  for (uint64_t seed = 0, tries = sample_tries(3000); seed < tries; seed++) {
    struct dice dice = {seed};
    struct subject subject;
    subject_init(&subject, seed, 20, "lowest", &dice);
    gsl_permutation order = {subject.instance.count, subject.order};
    neap_error error;
    assert_ok(placer_fill(subject.placer, &order, &error), &error);
    neap_size peak = placer_peak(subject.placer);
    expect_classes(&subject, reference_bound(&subject.instance));
    expect_classes(&subject, peak);
    expect_classes(&subject, (neap_size)dice_roll(&dice, (uint64_t)peak + 1));
    subject_clear(&subject);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lowest_takes_the_lowest_room),
      cmocka_unit_test(drop_stays_above_all_neighbours),
      cmocka_unit_test(tight_rests_on_uncovered_buffers),
      cmocka_unit_test(best_fit_takes_the_smallest_hole),
      cmocka_unit_test(lowest_rolls_back),
      cmocka_unit_test(drop_rolls_back),
      cmocka_unit_test(tight_rolls_back),
      cmocka_unit_test(best_fit_rolls_back),
      cmocka_unit_test(excess_is_that_of_all_moments),
      cmocka_unit_test(classes_are_those_of_all_pairs),
  };
  return cmocka_run_group_tests_name("property layout", tests, NULL, NULL);
}
