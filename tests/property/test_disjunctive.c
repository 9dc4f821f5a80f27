/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Problems of lifetimes and random separations: what the orienter finds and proves, against brute
 * force, and that larger ones are proven with little work.
 */
#include "core/random.h"
#include "search/disjunctive/disjunctive.h"
#include "search/parts.h"
#include "tests/support/method.h"
#include "tests/support/random_problem.h"
#include "tests/support/run.h"
#include "tests/support/sample.h"

#define SMALL 7
#define MOST 40
#define TURNS 200

struct separated {
  size_t count;
  neap_size size[MOST], alignment[MOST];
  neap_range life[MOST];
  bool conflict[MOST][MOST], separated[MOST][MOST];
};

/* Sizes of one of four sorts; the last one has tiny buffers among large ones. */
static neap_size draw_size(struct dice *dice, uint64_t sort) {
  if (sort == 0) return 1 + (neap_size)dice_roll(dice, 1000);
  if (sort == 1) return 64 * (1 + (neap_size)dice_roll(dice, 32));
  if (sort == 2) return (neap_size)32 << dice_roll(dice, 7);
  return dice_chance(dice, 30) ? (neap_size)32 << dice_roll(dice, 3)
                               : 2048 * (1 + (neap_size)dice_roll(dice, 2));
}

static struct separated draw(uint64_t seed, size_t least, size_t most, bool is_aligned) {
  static const unsigned percents[] = {5, 10, 20, 40};
  struct dice dice = {seed};
  struct separated drawn = {.count = least + dice_roll(&dice, most - least + 1)};
  neap_time span = (neap_time)10 << dice_roll(&dice, 4);
  uint64_t longest = (uint64_t)3 << dice_roll(&dice, 3);
  unsigned percent = percents[dice_roll(&dice, 4)];
  for (size_t i = 0; i < drawn.count; i++) {
    neap_time start = (neap_time)dice_roll(&dice, (uint64_t)span);
    drawn.life[i] = (neap_range){start, start + 1 + (neap_time)dice_roll(&dice, longest)};
    drawn.size[i] = draw_size(&dice, seed % 4);
    drawn.alignment[i] = is_aligned ? 1 + (neap_size)dice_roll(&dice, 6) * 8 : 1;
    for (size_t k = 0; k < i; k++) {
      bool meet =
          drawn.life[i].start < drawn.life[k].end && drawn.life[k].start < drawn.life[i].end;
      drawn.separated[i][k] = !meet && dice_chance(&dice, percent);
      drawn.conflict[i][k] = drawn.conflict[k][i] = meet || drawn.separated[i][k];
    }
  }
  return drawn;
}

static neap_problem *problem_of(const struct separated *drawn) {
  neap_problem *problem = neap_problem_new();
  neap_error error;
  for (size_t i = 0; i < drawn->count; i++) {
    char name[24];
    neap_buffer buffer = NEAP_BUFFER_INIT;
    snprintf(name, sizeof name, "b%zu", i);
    buffer.name = name;
    buffer.size = drawn->size[i];
    buffer.alignment = drawn->alignment[i];
    buffer.ranges = &drawn->life[i];
    buffer.range_count = 1;
    assert_ok(neap_problem_add(problem, &buffer, &error), &error);
  }
  for (size_t i = 0; i < drawn->count; i++)
    for (size_t k = 0; k < i; k++) {
      neap_relation relation = {.struct_size = sizeof(neap_relation),
                                .kind = NEAP_SEPARATION,
                                .first = k,
                                .second = i};
      if (drawn->separated[i][k])
        assert_ok(neap_problem_relate(problem, &relation, &error), &error);
    }
  return problem;
}

/* ---------------------------------------------------------------- brute force */

/* The lowest offset of a buffer at or above those of all that are placed. */
static neap_offset lowest(const struct separated *drawn, const neap_offset *offsets, size_t i,
                          neap_offset low) {
  for (size_t k = 0; k < drawn->count; k++)
    if (offsets[k] >= 0 && drawn->conflict[i][k] && low < offsets[k] + drawn->size[k])
      low = offsets[k] + drawn->size[k];
  return (low + drawn->alignment[i] - 1) / drawn->alignment[i] * drawn->alignment[i];
}

/* Places what is left in all orders of ascending offset. */
static neap_size optimum(const struct separated *drawn, neap_offset *offsets, neap_offset low,
                         neap_size peak, neap_size best) {
  bool is_whole = true;
  if (peak >= best) return best;
  for (size_t i = 0; i < drawn->count; i++) {
    if (offsets[i] >= 0) continue;
    is_whole = false;
    offsets[i] = lowest(drawn, offsets, i, low);
    neap_size end = offsets[i] + drawn->size[i];
    best = optimum(drawn, offsets, offsets[i], end > peak ? end : peak, best);
    offsets[i] = NEAP_UNPLACED;
  }
  return is_whole ? peak : best;
}

static neap_size brute_optimum(const struct separated *drawn) {
  neap_offset offsets[MOST];
  for (size_t i = 0; i < drawn->count; i++)
    offsets[i] = NEAP_UNPLACED;
  return optimum(drawn, offsets, 0, 0, NEAP_MAX);
}

/* ---------------------------------------------------------------- tests */

/* The peak that is found and proven, in bytes; 0 if the part does not suit. */
static neap_size solve(const struct part *part, struct rules rules) {
  const struct method_task task = {.part = part, .rules = rules};
  const neap_size capacity = part->lower_bound;
  void *orienter = NULL;
  struct budget budget;
  neap_size peak = 0;
  budget_init(&budget, 0, 0);
  assert_true(method_disjunctive.create(&task, &orienter));
  for (int turn = 0; orienter && turn < TURNS; turn++) {
    enum verdict verdict =
        method_turn(&method_disjunctive, orienter, capacity, capacity, &budget);
    neap_size proven = findings_of(orienter)->proven;
    peak = findings_of(orienter)->peak;
    assert_int_equal(verdict == VERDICT_REFUTED, proven > capacity);
    assert_int_equal(verdict == VERDICT_FOUND, peak == capacity);
    assert_true(proven <= peak);
    if (peak < NEAP_MAX)
      assert_int_equal(part_peak(part, findings_of(orienter)->offsets), peak);
  }
  if (orienter) assert_int_equal(findings_of(orienter)->proven, peak);
  method_disjunctive.free(orienter);
  peak *= part_step(part);
  return peak;
}

TEST(optima_are_found_and_proven) {
  size_t solved = 0, raised = 0;
  for (uint64_t seed = 0, tries = sample_tries(1500); seed < tries; seed++) {
    struct separated drawn = draw(seed, 4, SMALL, seed % 3 == 0);
    neap_problem *problem = problem_of(&drawn);
    struct rules rules = RULES_ALL;
    struct parts parts;
    neap_error error;
    rules.twins = seed % 5 > 0;
    assert_ok(parts_init(&parts, problem, &error), &error);
    if (parts.count == 1) {
      neap_size found = solve(&parts.items[0], rules);
      solved += found > 0;
      raised += found > parts.items[0].lower_bound * part_step(&parts.items[0]);
      if (found > 0) assert_int_equal(found, brute_optimum(&drawn));
    }
    parts_clear(&parts);
    neap_problem_free(problem);
  }
  assert_true(solved > 100 && raised > 5);
}

/* The optimum of a problem as the other searches prove it, or 0. */
static neap_size other_optimum(const neap_problem *problem) {
  static const char *const options[] = {"engine",  "exact",       "max-ticks", "20000",
                                        "disable", "disjunctive", NULL};
  neap_plan *plan = run_plan(problem, options);
  neap_report report = sample_report(plan);
  neap_plan_free(plan);
  return report.outcome == NEAP_OPTIMAL ? report.peak : 0;
}

TEST(optima_are_those_of_other_searches) {
  size_t compared = 0, raised = 0;
  for (uint64_t seed = 0, tries = sample_tries(600); seed < tries; seed++) {
    struct separated drawn = draw(seed, SMALL, 24, seed % 3 == 0);
    neap_problem *problem = problem_of(&drawn);
    struct parts parts;
    neap_error error;
    assert_ok(parts_init(&parts, problem, &error), &error);
    neap_size expected = parts.count == 1 ? other_optimum(problem) : 0;
    neap_size found = expected ? solve(&parts.items[0], RULES_ALL) : 0;
    compared += found > 0;
    raised += found > 0 && found > parts.items[0].lower_bound * part_step(&parts.items[0]);
    if (found > 0) assert_int_equal(found, expected);
    parts_clear(&parts);
    neap_problem_free(problem);
  }
  print_message("%zu compared, %zu above the bound\n", compared, raised);
  assert_true(compared > sample_tries(100) && raised > sample_tries(5));
}

static size_t count_open(const char *const *options) {
  size_t open = 0;
  for (uint64_t seed = 0, tries = sample_tries(300); seed < tries; seed++) {
    struct separated drawn = draw(seed, 10, MOST, false);
    neap_problem *problem = problem_of(&drawn);
    neap_plan *plan = run_plan(problem, options);
    neap_report report = sample_report(plan);
    open += report.outcome != NEAP_OPTIMAL;
    neap_plan_free(plan);
    neap_problem_free(problem);
  }
  return open;
}

/* All but a few; without the orienter, more than three times as many stay open. */
TEST(larger_problems_are_proven) {
  static const char *const with[] = {"engine", "exact", "max-ticks", "100000", NULL};
  static const char *const without[] = {"engine",  "exact",       "max-ticks", "100000",
                                        "disable", "disjunctive", NULL};
  size_t open = count_open(with), before = count_open(without);
  print_message("%zu open, %zu without the orienter\n", open, before);
  assert_true(open <= 6);
  assert_true(before > 3 * open);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(optima_are_found_and_proven),
      cmocka_unit_test(optima_are_those_of_other_searches),
      cmocka_unit_test(larger_problems_are_proven),
  };
  return cmocka_run_group_tests_name("property orienter", tests, NULL, NULL);
}
