/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Groups, and the tuner round by round, against their slow and literal counterparts. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tests/property/random_problem.h"
#include "tests/property/reference.h"
#include "tests/property/reference_tuner.h"
#include "tests/property/run.h"
#include "tests/unit/sample.h"
#include "tune/group.h"

#define MOST 30

static const int64_t overlaps[] = {1, 250, 500, 1000}; /* thousandths */
static const size_t group_sizes[] = {1, 2, 5, 12};

/* ---------------------------------------------------------------- groups */

static void check_groups(const struct instance *instance, uint64_t seed, struct dice *dice,
                         struct groups *groups) {
  const struct reference_settings settings = {
      .group_size = group_sizes[dice_roll(dice, SAMPLE_COUNT(group_sizes))],
      .group_overlap = overlaps[dice_roll(dice, SAMPLE_COUNT(overlaps))]};
  const struct grouping grouping = {settings.group_size,
                                    settings.group_overlap * (GROUP_OVERLAP_ONE / 1000)};
  size_t members[MOST], ends[MOST], *list = instance_order(instance, dice);
  size_t count = dice_roll(dice, instance->count + 1);
  size_t wanted = reference_groups(instance, &settings, list, count, members, ends);
  neap_problem *problem = instance_problem(instance);
  neap_error error;
  assert_ok(groups_make(groups, problem, &grouping, list, count, &error), &error);
  bool same = groups->count == wanted;
  for (size_t g = 0; same && g < wanted; g++)
    same = groups->ends[g] == ends[g];
  for (size_t i = 0; same && i < count; i++)
    same = groups->members[i] == members[i];
  if (!same) {
    instance_print(instance, seed);
    for (size_t i = 0; i < count; i++)
      print_error("  list %zu\n", list[i]);
    for (size_t g = 0, i = 0; g < wanted; g++)
      for (; i < ends[g]; i++)
        print_error("  expected group %zu: %zu\n", g, members[i]);
    for (size_t g = 0, i = 0; g < groups->count; g++)
      for (; i < groups->ends[g]; i++)
        print_error("  found group %zu: %zu\n", g, groups->members[i]);
    fail_msg("groups of up to %zu at %" PRId64 " thousandths differ", settings.group_size,
             settings.group_overlap);
  }
  neap_problem_free(problem);
  test_free(list);
}

static void groups_are_greedy_clusters(void **state) {
  (void)state;
  struct groups groups = {0};
  for (uint64_t seed = 0; seed < 4000; seed++) {
    struct dice dice = {seed};
    struct instance instance = instance_random(seed, MOST, WITH_ALL);
    check_groups(&instance, seed, &dice, &groups);
    instance_free(&instance);
  }
  groups_clear(&groups);
}

/* ---------------------------------------------------------------- rounds */

static void print_round(const char *whose, const neap_round *round) {
  print_error("  %s round %" PRIu64 ": peak %" PRId64 ", excess %" PRId64
              " of %zu, high %zu medium %zu low %zu none %zu, "
              "groups %zu + %zu, improved %d\n",
              whose, round->round, round->peak, round->excess_area, round->excess_count,
              round->risk[NEAP_RISK_HIGH], round->risk[NEAP_RISK_MEDIUM],
              round->risk[NEAP_RISK_LOW], round->risk[NEAP_RISK_NONE], round->high_groups,
              round->medium_groups, round->improved);
}

static bool same_round(const neap_round *a, const neap_round *b) {
  return a->round == b->round && a->peak == b->peak && a->excess_area == b->excess_area &&
         a->excess_count == b->excess_count && memcmp(a->risk, b->risk, sizeof a->risk) == 0 &&
         a->high_groups == b->high_groups && a->medium_groups == b->medium_groups &&
         a->improved == b->improved;
}

static void compare(const struct instance *instance, uint64_t seed, const neap_plan *plan,
                    const struct reference_run *wanted) {
  neap_report report = NEAP_INIT(neap_report);
  neap_plan_report(plan, &report);
  bool same = report.rounds == wanted->count && report.stop_reason == wanted->reason;
  neap_round found = NEAP_INIT(neap_round);
  for (uint64_t r = 0; same && r < wanted->count; r++)
    same = neap_plan_round_at(plan, r, &found) && same_round(&found, &wanted->rounds[r]);
  for (size_t i = 0; same && i < instance->count; i++)
    same = neap_plan_offset(plan, i) == wanted->offsets[i];
  if (same) return;
  instance_print(instance, seed);
  for (uint64_t r = 0; r < wanted->count; r++)
    print_round("expected", &wanted->rounds[r]);
  for (uint64_t r = 0; neap_plan_round_at(plan, r, &found); r++)
    print_round("found", &found);
  fail_msg("expected %" PRIu64 " rounds until %s, found %" PRIu64 " until %s", wanted->count,
           neap_stop_reason_name(wanted->reason), report.rounds,
           neap_stop_reason_name(report.stop_reason));
}

static void check_rounds(uint64_t seed, bool top) {
  struct dice dice = {seed};
  struct instance instance = instance_random(seed, MOST, WITH_GAPS | WITH_ZEROS);
  const struct reference_settings settings = {
      .top = top,
      .max_rounds = 1 + dice_roll(&dice, 12),
      .max_group_rounds = 1 + dice_roll(&dice, 8),
      .group_size = group_sizes[dice_roll(&dice, SAMPLE_COUNT(group_sizes))],
      .group_overlap = overlaps[dice_roll(&dice, SAMPLE_COUNT(overlaps))]};
  char texts[4][32];
  snprintf(texts[0], sizeof texts[0], "%" PRIu64, settings.max_rounds);
  snprintf(texts[1], sizeof texts[1], "%" PRIu64, settings.max_group_rounds);
  snprintf(texts[2], sizeof texts[2], "%zu", settings.group_size);
  snprintf(texts[3], sizeof texts[3], "%d.%03d", (int)(settings.group_overlap / 1000),
           (int)(settings.group_overlap % 1000));
  const char *const pairs[] = {"engine",
                               "tune",
                               "order",
                               "size",
                               "place",
                               "lowest",
                               "rearrange",
                               top ? "top" : "offenders",
                               "max-rounds",
                               texts[0],
                               "max-group-rounds",
                               texts[1],
                               "group-size",
                               texts[2],
                               "group-overlap",
                               texts[3],
                               NULL};
  struct reference_run wanted;
  reference_tune(&instance, &settings, &wanted);
  neap_problem *problem = instance_problem(&instance);
  neap_plan *plan = run_plan(problem, pairs);
  compare(&instance, seed, plan, &wanted);
  neap_plan_free(plan);
  neap_problem_free(problem);
  test_free(wanted.offsets);
  instance_free(&instance);
}

static void offenders_go_first_round_by_round(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < 2000; seed++)
    check_rounds(seed, false);
}

static void the_highest_goes_first_round_by_round(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < 2000; seed++)
    check_rounds(seed, true);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(groups_are_greedy_clusters),
      cmocka_unit_test(offenders_go_first_round_by_round),
      cmocka_unit_test(the_highest_goes_first_round_by_round),
  };
  return cmocka_run_group_tests_name("property rounds", tests, NULL, NULL);
}
