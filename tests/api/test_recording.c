/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a plan keeps of the run that made it: layouts of rounds, and the run's course. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "neap/models.h"
#include "tests/support/files.h"
#include "tests/support/work.h"

static neap_plan *solve(const neap_problem *problem, const char *engine, const char *layouts) {
  neap_options *options = neap_options_new();
  assert_non_null(options);
  work_set(options, "engine", engine);
  work_set(options, "max-ticks", "200000");
  if (layouts) work_set(options, "keep-layouts", layouts);
  neap_plan *plan = sample_solve(problem, options);
  neap_options_free(options);
  return plan;
}

/* The peak of the round's layout, which is sound. */
static neap_size expect_sound(const neap_problem *problem, const neap_round *round) {
  neap_error error;
  assert_non_null(round->offsets);
  neap_plan *plan = sample_plan(problem, round->offsets);
  assert_ok(neap_plan_verify(plan, -1, &error), &error);
  neap_report report = sample_report(plan);
  neap_plan_free(plan);
  return report.peak;
}

static void expect_layout(const neap_problem *problem, const neap_round *round) {
  assert_int_equal(expect_sound(problem, round), round->peak);
}

static size_t count_rounds(const neap_plan *plan) {
  neap_round round = NEAP_INIT(neap_round);
  size_t count = 0;
  while (neap_plan_round_at(plan, count, &round))
    count++;
  return count;
}

static neap_round round_at(const neap_plan *plan, size_t index) {
  neap_round round = NEAP_INIT(neap_round);
  assert_true(neap_plan_round_at(plan, index, &round));
  return round;
}

TEST(every_round_has_its_layout) {
  static const char *const engines[] = {"auto", "tune", "sort", "exact", "tflite-arena"};
  neap_problem *problem = work_hard();
  for (size_t e = 0; e < SAMPLE_COUNT(engines); e++) {
    neap_plan *plan = solve(problem, engines[e], "yes");
    assert_true(count_rounds(plan) > 0);
    for (size_t i = 0; i < count_rounds(plan); i++) {
      neap_round round = round_at(plan, i);
      expect_layout(problem, &round);
    }
    neap_plan_free(plan);
  }
  neap_problem_free(problem);
}

/* The layouts change nothing else. */
/* ---------------------------------------------------------------- groups */

/* Buffers of random sizes and times: a problem that sorting does not solve. */
static neap_problem *random_work(void) {
  neap_problem *problem = neap_problem_new();
  uint64_t state = 42;
  for (int i = 0; i < 60; i++) {
    char name[16];
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    neap_time start = (neap_time)(state >> 33) % 40;
    snprintf(name, sizeof name, "t%d", i);
    sample_add(problem, name, start, start + 1 + (neap_time)(state >> 53) % 12,
               1 + (neap_size)(state >> 40) % 1000);
  }
  return problem;
}

static neap_plan *solve_in_groups(const neap_problem *problem, const char *keeps) {
  neap_options *options = work_tuner();
  work_set(options, "rearrange", "repack");
  work_set(options, "order", "-size");
  work_set(options, "max-rounds", "6");
  work_set(options, "keep-layouts", keeps);
  neap_plan *plan = sample_solve(problem, options);
  neap_options_free(options);
  return plan;
}

static neap_offset highest_end(const neap_problem *problem, const neap_move *move,
                               const neap_offset *offsets) {
  neap_offset top = 0;
  for (size_t i = 0; i < move->member_count; i++) {
    neap_buffer buffer = NEAP_INIT(neap_buffer);
    assert_true(neap_problem_buffer_at(problem, move->members[i], &buffer));
    neap_offset end = offsets[move->members[i]] + buffer.size;
    if (end > top) top = end;
  }
  return top;
}

/* Follows a move from one sound layout to the next; false if its members are not stored. */
static bool follow(const neap_problem *problem, const neap_move *move, neap_offset *offsets) {
  assert_true(move->target < move->top);
  assert_int_equal(move->offsets != NULL, move->members && move->outcome == NEAP_MOVE_LOWERED);
  if (!move->members) return move->outcome != NEAP_MOVE_LOWERED;
  bool has_blamed = move->blamed == NEAP_NO_BUFFER;
  for (size_t i = 0; i < move->member_count; i++) {
    has_blamed |= move->members[i] == move->blamed;
    assert_true(i == 0 || move->members[i - 1] < move->members[i]);
  }
  assert_true(has_blamed);
  assert_int_equal(highest_end(problem, move, offsets), move->top);
  if (!move->offsets) return true;
  for (size_t i = 0; i < move->member_count; i++)
    offsets[move->members[i]] = move->offsets[i];
  assert_true(highest_end(problem, move, offsets) <= move->target);
  expect_sound(problem, &(neap_round){.struct_size = sizeof(neap_round), .offsets = offsets});
  return true;
}

TEST(groups_lead_from_one_round_to_the_next) {
  neap_problem *problem = random_work();
  neap_plan *plan = solve_in_groups(problem, "yes");
  size_t count = neap_problem_count(problem), lowered = 0, moves = 0;
  neap_offset *offsets = test_calloc(count, sizeof *offsets);
  assert_int_equal(round_at(plan, 0).move_count, 0);
  for (size_t r = 1; r < count_rounds(plan); r++) {
    neap_round round = round_at(plan, r);
    bool is_known = true;
    memcpy(offsets, round_at(plan, r - 1).offsets, count * sizeof *offsets);
    assert_true(round.move_count <= round.group_rounds);
    for (size_t i = 0; i < round.move_count && is_known; i++, moves++) {
      is_known = follow(problem, &round.moves[i], offsets);
      lowered += round.moves[i].outcome == NEAP_MOVE_LOWERED;
    }
  }
  assert_true(moves > 0 && lowered > 0);
  test_free(offsets);
  neap_plan_free(plan);
  neap_problem_free(problem);
}

static void expect_same_moves(const neap_round *a, const neap_round *b) {
  assert_int_equal(a->move_count, b->move_count);
  for (size_t i = 0; i < a->move_count; i++) {
    const neap_move *x = &a->moves[i], *y = &b->moves[i];
    assert_true(x->blamed == y->blamed && x->top == y->top && x->target == y->target &&
                x->outcome == y->outcome && x->member_count == y->member_count);
    assert_true(!x->members == !y->members && !x->offsets == !y->offsets);
    if (x->members)
      assert_memory_equal(x->members, y->members, x->member_count * sizeof *x->members);
    if (x->offsets)
      assert_memory_equal(x->offsets, y->offsets, x->member_count * sizeof *x->offsets);
  }
}

TEST(groups_survive_writing_and_reading) {
  neap_problem *problem = random_work();
  neap_plan *plan = solve_in_groups(problem, "yes"), *without = solve_in_groups(problem, "no");
  files_write_plan(plan, "plan.json");
  neap_plan *again = files_read_plan("plan.json");
  for (size_t i = 0; i < count_rounds(plan); i++) {
    neap_round kept = round_at(plan, i), read = round_at(again, i);
    expect_same_moves(&kept, &read);
    assert_int_equal(round_at(without, i).move_count, 0);
    assert_null(round_at(without, i).moves);
  }
  files_write_plan(again, "again.json");
  files_expect_same("plan.json", "again.json");
  neap_plan_free(plan);
  neap_plan_free(without);
  neap_plan_free(again);
  neap_problem_free(problem);
}

TEST(without_the_option_no_layouts_are_kept) {
  neap_problem *problem = work_hard();
  neap_plan *plain = solve(problem, "auto", NULL), *kept = solve(problem, "auto", "yes");
  assert_int_equal(count_rounds(plain), count_rounds(kept));
  for (size_t i = 0; i < count_rounds(plain); i++)
    assert_null(round_at(plain, i).offsets);
  work_expect_same(plain, kept);
  neap_plan_free(plain);
  neap_plan_free(kept);
  neap_problem_free(problem);
}

TEST(layouts_survive_writing_and_reading) {
  neap_problem *problem = work_hard();
  neap_plan *plan = solve(problem, "tune", "yes");
  size_t rounds = count_rounds(plan), bytes = neap_problem_count(problem) * sizeof(neap_offset);
  files_write_plan(plan, "plan.json");
  neap_plan *again = files_read_plan("plan.json");
  assert_int_equal(count_rounds(again), rounds);
  for (size_t i = 0; i < rounds; i++)
    assert_memory_equal(round_at(again, i).offsets, round_at(plan, i).offsets, bytes);
  files_write_plan(again, "again.json");
  files_expect_same("plan.json", "again.json");
  neap_plan_free(plan);
  neap_plan_free(again);
  neap_problem_free(problem);
}

TEST(a_file_without_layouts_does_not_mention_them) {
  neap_problem *problem = work_hard();
  neap_plan *plan = solve(problem, "tune", NULL);
  files_write_plan(plan, "plan.json");
  char *text = files_text("plan.json");
  assert_null(strstr(text, "offsets"));
  free(text);
  neap_plan_free(plan);
  neap_problem_free(problem);
}

/* ---------------------------------------------------------------- the course of the run */

static bool improved(const neap_moment *now, const neap_moment *before) {
  bool lower =
      now->peak != NEAP_UNPLACED && (before->peak == NEAP_UNPLACED || now->peak < before->peak);
  bool nearer = now->peak == before->peak && now->excess_area < before->excess_area;
  return lower || nearer || now->lower_bound > before->lower_bound;
}

static neap_size bound_of(const neap_plan *plan) {
  const neap_bound bound = sample_bound(neap_plan_problem(plan));
  return bound.lower_bound;
}

static void expect_course(const neap_plan *plan) {
  neap_moment before = NEAP_INIT(neap_moment), now = NEAP_INIT(neap_moment);
  neap_report report = sample_report(plan);
  assert_true(neap_plan_moment_at(plan, 0, &before));
  assert_int_equal(before.peak, NEAP_UNPLACED);
  assert_int_equal(before.rounds, 0);
  size_t count = 1;
  for (; neap_plan_moment_at(plan, count, &now); count++) {
    neap_moment next = NEAP_INIT(neap_moment);
    bool is_last = !neap_plan_moment_at(plan, count + 1, &next);
    assert_true(is_last || improved(&now, &before));
    assert_true(now.seconds >= before.seconds && now.rounds >= before.rounds &&
                now.ticks >= before.ticks && now.lower_bound >= before.lower_bound);
    before = now;
  }
  assert_true(count >= 2);
  assert_int_equal(before.peak, report.peak);
  assert_int_equal(before.excess_area > 0, before.peak > bound_of(plan));
  assert_int_equal(before.lower_bound, report.lower_bound);
  assert_int_equal(before.rounds, report.run.rounds);
  assert_true(before.seconds == report.run.seconds);
}

TEST(the_course_leads_to_the_plan) {
  static const char *const engines[] = {"auto", "tune", "sort", "exact", "nnvm"};
  neap_problem *problem = work_hard();
  for (size_t e = 0; e < SAMPLE_COUNT(engines); e++) {
    neap_plan *plan = solve(problem, engines[e], NULL);
    expect_course(plan);
    neap_plan_free(plan);
  }
  neap_problem_free(problem);
}

TEST(a_plan_that_was_read_has_no_course) {
  neap_problem *problem = work_hard();
  neap_plan *plan = solve(problem, "tune", NULL);
  neap_moment moment = NEAP_INIT(neap_moment);
  files_write_plan(plan, "plan.json");
  neap_plan *again = files_read_plan("plan.json");
  assert_false(neap_plan_moment_at(again, 0, &moment));
  neap_plan_free(plan);
  neap_plan_free(again);
  neap_problem_free(problem);
}

int main(void) {
  neap_models_register();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_round_has_its_layout),
      cmocka_unit_test(without_the_option_no_layouts_are_kept),
      cmocka_unit_test(groups_lead_from_one_round_to_the_next),
      FILES_CASE(groups_survive_writing_and_reading),
      FILES_CASE(layouts_survive_writing_and_reading),
      FILES_CASE(a_file_without_layouts_does_not_mention_them),
      cmocka_unit_test(the_course_leads_to_the_plan),
      FILES_CASE(a_plan_that_was_read_has_no_course),
  };
  return cmocka_run_group_tests_name("recording", tests, NULL, NULL);
}
