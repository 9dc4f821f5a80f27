/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Methods share the work: each one present gets its share, and the others get nothing. */
#include "core/knobs.h"
#include "search/portfolio.h"
#include "tests/support/sample.h"

static size_t index_of(const struct method *method) {
  size_t m = 0;
  while (methods[m] != method)
    m++;
  return m;
}

/* What each method has spent after many turns of a hundred ticks. */
static void spend(struct ledger *ledger, int count) {
  for (int i = 0; i < count; i++) {
    size_t m = 0;
    while (!ledger_is_due(ledger, m, (uint64_t)i) || !methods[m]->finds_layouts) {
      if (ledger_is_due(ledger, m, (uint64_t)i)) ledger->work[m] += 100;
      else m++;
    }
    ledger->work[m] += 100;
  }
}

static uint64_t work_of(const struct ledger *ledger, const struct method *method) {
  return ledger->work[index_of(method)];
}

static void leave_out(struct ledger *ledger, const struct method *method) {
  ledger->is_there[index_of(method)] = false;
}

/* All but boundaries, which take every second turn. */
static struct ledger all_there(void) {
  struct ledger ledger = {.leader = METHODS_MOST, .count = PORTFOLIO_SMALL + 1};
  for (size_t m = 0; m < method_count; m++)
    ledger.is_there[m] = methods[m] != &method_boundaries;
  return ledger;
}

TEST(the_table_is_sound) {
  assert_ptr_equal(methods[method_count - 1], &method_boards);
  for (size_t m = 0; m < method_count; m++) {
    const struct method *method = methods[m];
    assert_int_equal(method_bit(method), 1u << m);
    assert_true(method->create && method->free && method->step);
    assert_true(method->finds_layouts || method->proves_bounds);
    assert_true(!method->is_local_search || method->finds_layouts);
    assert_true(method->share.every > 0 || method->share.ratio[SHARE_USUAL] > 0);
    assert_true(method->summary || method == &method_boards);
    for (size_t other = 0; other < m; other++)
      assert_string_not_equal(methods[other]->name, method->name);
  }
}

TEST(boards_work_alone_at_first) {
  struct ledger ledger = all_there();
  leave_out(&ledger, &method_restacking);
  leave_out(&ledger, &method_disjunctive);
  spend(&ledger, 20);
  assert_int_equal(work_of(&ledger, &method_boards), 2000);
}

TEST(methods_that_are_not_there_get_nothing) {
  const size_t boundaries = index_of(&method_boundaries);
  for (size_t left_out = 0; left_out + 1 < method_count; left_out++) {
    struct ledger ledger = all_there();
    if (left_out == boundaries) continue;
    ledger.is_there[left_out] = false;
    spend(&ledger, 50000);
    for (size_t m = 0; m < method_count; m++)
      assert_int_equal(ledger.work[m] == 0, m == left_out || m == boundaries);
  }
}

TEST(boundaries_take_every_second_turn) {
  struct ledger ledger = {.is_there = {[0] = false}, .leader = METHODS_MOST};
  ledger.is_there[index_of(&method_boundaries)] = true;
  ledger.is_there[index_of(&method_boards)] = true;
  spend(&ledger, 101);
  assert_int_equal(work_of(&ledger, &method_boundaries), 5100);
  assert_int_equal(work_of(&ledger, &method_boards), 5000);
}

/* The shares of other methods, as parts of the work of the boards. */
TEST(beams_get_most_where_depth_first_is_stuck) {
  struct ledger ledger = all_there(), small = all_there(), aligned = all_there();
  small.count = PORTFOLIO_SMALL;
  aligned.is_aligned = true;
  struct ledger *all[] = {&ledger, &small, &aligned};
  for (size_t i = 0; i < SAMPLE_COUNT(all); i++) {
    leave_out(all[i], &method_restacking);
    leave_out(all[i], &method_ejection);
    spend(all[i], 100000);
  }
  uint64_t boards = work_of(&ledger, &method_boards);
  assert_in_range(work_of(&ledger, &method_beams) * 10 / boards, 45, 55);
  assert_in_range(work_of(&ledger, &method_coarsening) * 100 / boards, 4, 6);
  assert_true(work_of(&small, &method_beams) < work_of(&small, &method_boards));
  assert_true(work_of(&small, &method_coarsening) < work_of(&small, &method_boards) / 8);
  assert_in_range(work_of(&aligned, &method_beams) * 10 / work_of(&aligned, &method_boards), 75,
                  85);
}

TEST(ejection_gets_more_where_others_are_stuck) {
  struct ledger ledger = all_there();
  ledger.is_fixed = true;
  leave_out(&ledger, &method_restacking);
  leave_out(&ledger, &method_beams);
  leave_out(&ledger, &method_disjunctive);
  spend(&ledger, 2000);
  uint64_t boards = work_of(&ledger, &method_boards);
  assert_in_range(work_of(&ledger, &method_ejection) * 10 / boards, 8, 12);
  spend(&ledger, 200000);
  boards = work_of(&ledger, &method_boards);
  assert_in_range(work_of(&ledger, &method_ejection) * 10 / boards, 35, 45);
}

TEST(ejection_gets_more_while_it_leads) {
  for (int leads = 0; leads < 2; leads++) {
    struct ledger ledger = all_there();
    ledger.is_aligned = true;
    if (leads) ledger.leader = index_of(&method_ejection);
    leave_out(&ledger, &method_disjunctive);
    spend(&ledger, 200000);
    uint64_t finders = work_of(&ledger, &method_boards) + work_of(&ledger, &method_beams) +
                       work_of(&ledger, &method_restacking);
    uint64_t tenths = work_of(&ledger, &method_ejection) * 10 / finders;
    assert_in_range(tenths, leads ? 38 : 4, leads ? 41 : 6);
  }
}

TEST(beams_start_sooner_where_alignments_differ) {
  const struct {
    size_t count;
    bool is_aligned;
    uint64_t start;
  } samples[] = {{200, true, 4000}, {2000, true, 40000}, {200, false, 65536}};
  for (size_t i = 0; i < SAMPLE_COUNT(samples); i++) {
    struct ledger ledger = all_there();
    ledger.count = samples[i].count;
    ledger.is_aligned = samples[i].is_aligned;
    leave_out(&ledger, &method_restacking);
    while (work_of(&ledger, &method_beams) == 0)
      spend(&ledger, 1);
    assert_in_range(work_of(&ledger, &method_boards), samples[i].start, samples[i].start + 99);
  }
}

TEST(disjunctive_gets_most_after_a_little_depth_first) {
  struct ledger ledger = all_there();
  ledger.is_tied = true;
  leave_out(&ledger, &method_restacking);
  spend(&ledger, 5);
  assert_int_equal(work_of(&ledger, &method_disjunctive), 0);
  spend(&ledger, 10000);
  assert_in_range(work_of(&ledger, &method_disjunctive) / work_of(&ledger, &method_boards), 7,
                  8);
}

TEST(disjunctive_gets_little_in_other_large_parts) {
  struct ledger ledger = all_there(), small = all_there();
  small.count = PORTFOLIO_SMALL;
  spend(&ledger, 50000);
  spend(&small, 50000);
  assert_true(work_of(&ledger, &method_disjunctive) > 0);
  assert_true(work_of(&ledger, &method_disjunctive) < work_of(&ledger, &method_boards) / 3);
  assert_true(work_of(&small, &method_disjunctive) > 7 * work_of(&small, &method_boards));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_table_is_sound),
      cmocka_unit_test(boards_work_alone_at_first),
      cmocka_unit_test(methods_that_are_not_there_get_nothing),
      cmocka_unit_test(boundaries_take_every_second_turn),
      cmocka_unit_test(beams_get_most_where_depth_first_is_stuck),
      cmocka_unit_test(beams_start_sooner_where_alignments_differ),
      cmocka_unit_test(disjunctive_gets_most_after_a_little_depth_first),
      cmocka_unit_test(disjunctive_gets_little_in_other_large_parts),
      cmocka_unit_test(ejection_gets_more_where_others_are_stuck),
      cmocka_unit_test(ejection_gets_more_while_it_leads),
  };
  return cmocka_run_group_tests_name("portfolio", tests, NULL, NULL);
}
