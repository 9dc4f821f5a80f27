/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tuner round by round. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "order/spec.h"
#include "tests/support/layout.h"
#include "tests/support/random_problem.h"
#include "tests/support/reference.h"
#include "tests/support/reference_tuner.h"
#include "tests/support/run.h"
#include "tests/support/sample.h"
#include "tune/group.h"
#include "tune/tuner.h"

/* ---------------------------------------------------------------- against a literal tuner */

/* Groups, and the tuner round by round, against their slow and literal counterparts. */

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

TEST(groups_are_greedy_clusters) {
  struct groups groups = {0};
  for (uint64_t seed = 0, tries = sample_tries(4000); seed < tries; seed++) {
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
  neap_report report = sample_report(plan);
  bool same = report.run.rounds == wanted->count && report.run.stop_reason == wanted->reason;
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
           neap_stop_reason_name(wanted->reason), report.run.rounds,
           neap_stop_reason_name(report.run.stop_reason));
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

TEST(offenders_go_first_round_by_round) {
  for (uint64_t seed = 0, tries = sample_tries(2000); seed < tries; seed++)
    check_rounds(seed, false);
}

TEST(the_highest_goes_first_round_by_round) {
  for (uint64_t seed = 0, tries = sample_tries(2000); seed < tries; seed++)
    check_rounds(seed, true);
}

/* ---------------------------------------------------------------- rounds that take groups out */

/* The tuner with the default rearranger, `repack`, round by round. */

static struct tuner_settings default_settings(neap_size bound) {
  struct tuner_settings settings = {.tries_presets = true,
                                    .rule = place_rule_at(0),
                                    .rearranger = rearranger_at(0),
                                    .grouping = {12, GROUP_OVERLAP_ONE / 2},
                                    .max_rounds = 50,
                                    .max_group_rounds = 30,
                                    .bound = bound};
  neap_error error;
  assert_true(settings.rearranger->repacks);
  assert_ok(order_spec_parse(&settings.order, order_preset(0), &error), &error);
  return settings;
}

/* A tuner on a random problem, and what its last round gave. */
struct run {
  uint64_t seed;
  struct instance instance;
  neap_problem *problem;
  struct tuner_settings settings;
  struct budget budget;
  struct tuner *tuner;
  neap_round round;
  bool stop;
  neap_stop_reason reason;
};

static void run_draw(struct run *run, uint64_t seed, size_t most) {
  struct dice dice = {seed};
  *run = (struct run){.seed = seed, .instance = instance_random(seed, most, WITH_ALL)};
  run->problem = instance_problem(&run->instance);
  run->settings = default_settings(reference_bound(&run->instance));
  run->settings.rule = place_rule_at((size_t)dice_roll(&dice, 4));
  run->settings.grouping.max_size = 1 + (size_t)dice_roll(&dice, 12);
  run->settings.max_group_rounds = 1 + dice_roll(&dice, 40);
  run->settings.max_rounds = 1 + dice_roll(&dice, 60);
  run->settings.seed = dice_roll(&dice, 5);
  run->settings.tries_presets = dice_chance(&dice, 50);
}

static void run_start(struct run *run, uint64_t max_ticks) {
  neap_error error;
  budget_init(&run->budget, max_ticks, 0);
  assert_ok(tuner_new(&run->tuner, run->problem, &run->settings, &run->budget, &error), &error);
  assert_null(tuner_best(run->tuner));
}

static neap_status run_step(struct run *run) {
  neap_error error;
  neap_status status = NEAP_OK;
  for (bool has_round = false; status == NEAP_OK && !has_round;)
    status = tuner_step(run->tuner, &run->round, &has_round, &run->stop, &run->reason, &error);
  if (status != NEAP_NO_PLAN) assert_ok(status, &error);
  return status;
}

static void run_clear(struct run *run) {
  tuner_free(run->tuner);
  neap_problem_free(run->problem);
  instance_free(&run->instance);
}

static void expect(const struct run *run, const char *what, bool holds) {
  if (holds) return;
  instance_print(&run->instance, run->seed);
  fail_msg("%s", what);
}

static void expect_sound(const struct run *run, const neap_offset *offsets) {
  neap_error error;
  neap_plan *plan = sample_plan(run->problem, offsets);
  expect(run, "the layout is sound", neap_plan_verify(plan, -1, &error) == NEAP_OK);
  neap_plan_free(plan);
}

static bool same_offsets(const struct run *run, const neap_offset *a, const neap_offset *b) {
  return run->instance.count == 0 || memcmp(a, b, run->instance.count * sizeof *a) == 0;
}

/* ---------------------------------------------------------------- every round */

static neap_size lowest(const struct run *run, neap_size before) {
  return run->round.peak < before ? run->round.peak : before;
}

/* `before` is the lowest peak of all earlier rounds. */
static void check_round(const struct run *run, neap_size before, neap_size lower_before) {
  const neap_offset *layout = tuner_layout(run->tuner), *best = tuner_best(run->tuner);
  neap_size lower = tuner_lower_bound(run->tuner);
  size_t buffers = 0;
  for (int risk = 0; risk < NEAP_RISK_COUNT; risk++)
    buffers += run->round.risk[risk];
  expect(run, "every buffer has a class", buffers == run->instance.count);
  expect(run, "the peak is that of the layout",
         run->round.peak == reference_peak(&run->instance, layout));
  expect(run, "a lower peak is an improvement",
         run->round.improved == (run->round.peak < before));
  expect(run, "the best layout has the lowest peak",
         reference_peak(&run->instance, best) == lowest(run, before));
  expect(run, "the lower bound does not fall", lower >= lower_before);
  expect(run, "no peak is below the lower bound", run->round.peak >= lower);
  expect_sound(run, layout);
  expect_sound(run, best);
}

/* Whether a buffer that can move ends at the peak. */
static bool can_fall(const struct run *run) {
  const neap_offset *layout = tuner_layout(run->tuner);
  for (size_t i = 0; i < run->instance.count; i++) {
    const struct rectangle *rectangle = &run->instance.rectangles[i];
    if (rectangle->fixed == NEAP_UNPLACED && rectangle->size > 0 &&
        layout[i] + rectangle->size == run->round.peak)
      return true;
  }
  return false;
}

static void check_end(const struct run *run) {
  neap_size optimum = run->instance.count < 8 ? reference_optimum(&run->instance) : -1;
  neap_size peak = reference_peak(&run->instance, tuner_best(run->tuner));
  expect(run, "it is at the bound if it says so",
         (run->reason == NEAP_STOP_BOUND) == (peak <= run->settings.bound));
  expect(run, "no more rounds than there may be", run->round.round <= run->settings.max_rounds);
  switch (run->reason) {
  case NEAP_STOP_BOUND:
    break;
  case NEAP_STOP_PROVEN:
    expect(run, "the bound is proven", peak == tuner_lower_bound(run->tuner));
    expect(run, "the proven peak is the optimum", optimum < 0 || peak == optimum);
    break;
  case NEAP_STOP_FIXED_POINT:
    expect(run, "nothing can be lower", !can_fall(run));
    expect(run, "the final peak is the optimum", optimum < 0 || peak == optimum);
    break;
  default:
    assert_int_equal(run->reason, NEAP_STOP_ITERATION_CAP);
    expect(run, "all rounds are done", run->round.round == run->settings.max_rounds);
  }
  expect(run, "the lower bound is at most the optimum",
         optimum < 0 || tuner_lower_bound(run->tuner) <= optimum);
}

/* Returns the reason of its end. */
static neap_stop_reason check_run(struct run *run) {
  neap_size peak = NEAP_MAX, lower = 0;
  run_start(run, 0);
  for (uint64_t round = 1; !run->stop; round++) {
    assert_int_equal(run_step(run), NEAP_OK);
    expect(run, "rounds count from 1", run->round.round == round);
    check_round(run, peak, lower);
    peak = lowest(run, peak);
    lower = tuner_lower_bound(run->tuner);
  }
  check_end(run);
  return run->reason;
}

static void check_runs(uint64_t seeds, size_t most, size_t *ends) {
  for (uint64_t seed = 0; seed < seeds; seed++) {
    struct run run;
    run_draw(&run, seed, most);
    ends[check_run(&run)]++;
    run_clear(&run);
  }
}

TEST(every_round_of_small_problems_is_sound) {
  size_t ends[NEAP_STOP_COMPLETE + 1] = {0};
  check_runs(1000, 7, ends);
  assert_true(ends[NEAP_STOP_BOUND] > 250 && ends[NEAP_STOP_PROVEN] > 10 &&
              ends[NEAP_STOP_ITERATION_CAP] > 10);
}

TEST(every_round_of_large_problems_is_sound) {
  size_t ends[NEAP_STOP_COMPLETE + 1] = {0};
  check_runs(80, 50, ends);
  assert_true(ends[NEAP_STOP_BOUND] > 20 && ends[NEAP_STOP_ITERATION_CAP] > 5);
}

/* A budget may end in any round; what was found is still there, even by a round cut short. */
TEST(a_spent_budget_keeps_the_best_round) {
  size_t ended = 0;
  for (uint64_t seed = 0, tries = sample_tries(300); seed < tries; seed++) {
    struct run run;
    run_draw(&run, seed, 60);
    run_start(&run, 1 + seed * 7);
    neap_size peak = NEAP_MAX, lower = 0;
    neap_status status = NEAP_OK;
    while (!run.stop && (status = run_step(&run)) == NEAP_OK) {
      check_round(&run, peak, lower);
      peak = lowest(&run, peak);
      lower = tuner_lower_bound(run.tuner);
    }
    expect(&run, "the limit is kept", run.budget.ticks <= 1 + seed * 7);
    ended += status == NEAP_NO_PLAN;
    const neap_offset *best = tuner_best(run.tuner);
    if (best) {
      expect_sound(&run, best);
      expect(&run, "nothing lower is lost",
             reference_peak(&run.instance, tuner_layout(run.tuner)) >= peak);
    }
    expect(&run, "the best round is kept",
           peak == NEAP_MAX ? !best : reference_peak(&run.instance, best) == peak);
    run_clear(&run);
  }
  assert_true(ended > sample_tries(50));
}

/* ---------------------------------------------------------------- a layout to start from */

TEST(an_incumbent_is_the_first_round) {
  for (uint64_t seed = 0; seed < 80; seed++) {
    struct run run;
    struct dice dice = {seed};
    struct layout layout;
    run_draw(&run, seed, 30);
    size_t *order = instance_order(&run.instance, &dice);
    layout_ordered(&layout, run.problem, order, "lowest");
    test_free(order);
    run.settings.incumbent = layout.offsets;
    run_start(&run, 0);
    assert_int_equal(run_step(&run), NEAP_OK);
    expect(&run, "the first round is what was given",
           same_offsets(&run, layout.offsets, tuner_layout(run.tuner)));
    for (neap_size peak = run.round.peak; !run.stop; peak = lowest(&run, peak)) {
      neap_size lower = tuner_lower_bound(run.tuner);
      assert_int_equal(run_step(&run), NEAP_OK);
      check_round(&run, peak, lower);
    }
    check_end(&run);
    layout_clear(&layout);
    run_clear(&run);
  }
}

/* ---------------------------------------------------------------- fewer rounds */

static bool repack_same_round(const struct run *a, const struct run *b) {
  const neap_round *one = &a->round, *other = &b->round;
  return one->peak == other->peak && one->improved == other->improved &&
         one->excess_area == other->excess_area && one->excess_count == other->excess_count &&
         one->high_groups == other->high_groups && one->medium_groups == other->medium_groups &&
         one->group_rounds == other->group_rounds &&
         memcmp(one->risk, other->risk, sizeof one->risk) == 0 &&
         a->budget.ticks == b->budget.ticks;
}

/* With N rounds, the tuner does what the first N of more rounds would do. */
TEST(few_rounds_are_the_first_of_many) {
  size_t cut = 0;
  for (uint64_t seed = 0, tries = sample_tries(150); seed < tries; seed++) {
    struct run many, few;
    run_draw(&many, seed, 50);
    run_draw(&few, seed, 50);
    many.settings.max_rounds = 20;
    few.settings.max_rounds = 1 + seed % 19;
    run_start(&many, 0);
    run_start(&few, 0);
    while (!few.stop) {
      expect(&many, "more rounds do not end before fewer", !many.stop);
      assert_int_equal(run_step(&many), NEAP_OK);
      assert_int_equal(run_step(&few), NEAP_OK);
      expect(&many, "the same round", repack_same_round(&many, &few));
      expect(&many, "the same layout",
             same_offsets(&many, tuner_layout(many.tuner), tuner_layout(few.tuner)));
      expect(&many, "the same best layout",
             same_offsets(&many, tuner_best(many.tuner), tuner_best(few.tuner)));
    }
    cut += few.reason == NEAP_STOP_ITERATION_CAP;
    run_clear(&many);
    run_clear(&few);
  }
  assert_true(cut > sample_tries(15));
}

/* ---------------------------------------------------------------- whole runs */

/* The engine tries the orders that engine sort tries, and goes on from there. */
TEST(tuning_is_never_worse_than_sorting) {
  static const char *const orders[] = {NULL, "size", "overlap,-size", "duration,size"};
  static const char *const rules[] = {"lowest", "drop", "tight", "best-fit"};
  for (uint64_t seed = 0, tries = sample_tries(150); seed < tries; seed++) {
    struct instance instance = instance_random(seed, 50, WITH_ALL);
    struct dice dice = {seed};
    const char *order = orders[dice_roll(&dice, SAMPLE_COUNT(orders))];
    const char *pairs[] = {"engine",
                           "sort",
                           "rearrange",
                           "repack",
                           "max-rounds",
                           dice_chance(&dice, 50) ? "12" : "3",
                           "place",
                           rules[dice_roll(&dice, SAMPLE_COUNT(rules))],
                           order ? "order" : NULL,
                           order,
                           NULL};
    neap_size sorted = run_peak(&instance, pairs);
    pairs[1] = "tune";
    if (run_peak(&instance, pairs) > sorted) {
      instance_print(&instance, seed);
      fail_msg("with order %s and place %s, tuning gives a higher peak than sorting",
               order ? order : "by default", pairs[7]);
    }
    instance_free(&instance);
  }
}

/* Wherever the ticks end. */
TEST(the_same_ticks_give_the_same_layout) {
  for (uint64_t seed = 0, tries = sample_tries(100); seed < tries; seed++) {
    struct instance instance = instance_random(seed, 60, WITH_ALL);
    neap_problem *problem = instance_problem(&instance);
    struct dice dice = {seed};
    char ticks[24];
    snprintf(ticks, sizeof ticks, "%u", 700 + (unsigned)dice_roll(&dice, 20000));
    const char *const pairs[] = {
        "engine",     "tune", "rearrange", "repack", "seed", dice_chance(&dice, 50) ? "1" : "2",
        "max-rounds", "1000", "max-ticks", ticks,    NULL};
    neap_plan *plan = run_plan(problem, pairs), *again = run_plan(problem, pairs);
    if (!run_same(plan, again)) {
      instance_print(&instance, seed);
      fail_msg("%s ticks give two layouts", ticks);
    }
    neap_plan_free(plan);
    neap_plan_free(again);
    neap_problem_free(problem);
    instance_free(&instance);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(groups_are_greedy_clusters),
      cmocka_unit_test(offenders_go_first_round_by_round),
      cmocka_unit_test(the_highest_goes_first_round_by_round),
      cmocka_unit_test(every_round_of_small_problems_is_sound),
      cmocka_unit_test(every_round_of_large_problems_is_sound),
      cmocka_unit_test(a_spent_budget_keeps_the_best_round),
      cmocka_unit_test(an_incumbent_is_the_first_round),
      cmocka_unit_test(few_rounds_are_the_first_of_many),
      cmocka_unit_test(tuning_is_never_worse_than_sorting),
      cmocka_unit_test(the_same_ticks_give_the_same_layout),
  };
  return cmocka_run_group_tests_name("property rounds", tests, NULL, NULL);
}
