/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Joined pieces of small packings: certain joints leave a layout within the lower bound if there is
 * one, and all joints give layouts without collisions.
 */
#include <stdlib.h>

#include "search/full_boundaries/jigsaw.h"
#include "search/parts.h"
#include "search/portfolio.h"
#include "tests/support/generated.h"
#include "tests/support/random_problem.h"
#include "tests/support/reference.h"
#include "tests/support/sample.h"

#define MOST 15
#define DURATION 7
#define SIZE 10

struct piece {
  int64_t start, end, bottom, top;
};

static int64_t between(struct dice *dice, int64_t low, int64_t high) {
  return low + (int64_t)dice_roll(dice, (uint64_t)(high - low + 1));
}

/* Cuts a piece in one of three ways if it is large enough; returns how many have been added. */
static size_t cut(struct dice *dice, struct piece *piece, struct piece *added) {
  struct piece whole = *piece;
  int64_t x = between(dice, whole.start + 1, whole.end),
          y = between(dice, whole.bottom + 1, whole.top);
  uint64_t kind = dice_roll(dice, 3);
  if (kind == 0 && x < whole.end) {
    piece->end = x;
    added[0] = (struct piece){x, whole.end, whole.bottom, whole.top};
    return 1;
  }
  if (kind == 1 && y < whole.top) {
    piece->top = y;
    added[0] = (struct piece){whole.start, whole.end, y, whole.top};
    return 1;
  }
  if (kind < 2 || x >= whole.end - 1 || y >= whole.top - 1) return 0;
  int64_t right = between(dice, x + 1, whole.end - 1),
          high = between(dice, y + 1, whole.top - 1);
  *piece = (struct piece){whole.start, right, whole.bottom, y};
  added[0] = (struct piece){right, whole.end, whole.bottom, high};
  added[1] = (struct piece){x, whole.end, high, whole.top};
  added[2] = (struct piece){whole.start, x, y, whole.top};
  added[3] = (struct piece){x, right, y, high};
  return 4;
}

static size_t cut_sheet(struct dice *dice, struct piece *pieces) {
  size_t count = 1;
  pieces[0] = (struct piece){0, DURATION, 0, SIZE};
  for (int tries = 0; tries < 30 && count < MOST; tries++) {
    struct piece added[4], *piece = &pieces[dice_roll(dice, count)], before = *piece;
    size_t more = cut(dice, piece, added);
    if (count + more > MOST) *piece = before;
    for (size_t i = 0; i < more && count + more <= MOST; i++)
      pieces[count + i] = added[i];
    if (count + more <= MOST) count += more;
  }
  return count;
}

static neap_problem *random_sheet(uint64_t seed) {
  struct dice dice = {seed};
  struct piece pieces[MOST];
  neap_problem *problem = neap_problem_new();
  size_t count = cut_sheet(&dice, pieces);
  for (size_t i = 0; i < count; i++) {
    char name[] = {(char)('a' + i), 0};
    sample_add(problem, name, pieces[i].start, pieces[i].end, pieces[i].top - pieces[i].bottom);
  }
  return problem;
}

/* ---------------------------------------------------------------- checks */

/* A part as an instance whose times are columns. */
static struct instance instance_of(const struct part *part, struct rectangle *rectangles) {
  for (size_t i = 0; i < part->count; i++)
    rectangles[i] = (struct rectangle){.number = (unsigned)i,
                                       .size = part->size[i],
                                       .alignment = 1,
                                       .fixed = NEAP_UNPLACED,
                                       .ranges = {{part->spans[i].first, part->spans[i].end}},
                                       .range_count = 1};
  return (struct instance){part->count, rectangles};
}

/* Lays out what has been joined in any order: the rectangles must not collide, nor end higher. */
static void check_expansion(struct jigsaw *jigsaw, const struct part *joined, uint64_t seed) {
  struct rectangle all[MOST], some[MOST];
  struct instance instance = instance_of(jigsaw->part, all), pieces = instance_of(joined, some);
  struct dice dice = {seed};
  neap_offset offsets[MOST], from[MOST];
  neap_collision collisions[MOST * MOST * REFERENCE_MEETINGS];
  size_t *order = instance_order(&pieces, &dice);
  reference_place(&pieces, order, pieces.count, "lowest", from);
  jigsaw_expand(jigsaw, joined, from, offsets);
  if (reference_collisions(&instance, offsets, collisions) > 0 ||
      reference_peak(&instance, offsets) > reference_peak(&pieces, from)) {
    instance_print(&instance, seed);
    fail_msg("the layout is not that of what has been joined");
  }
  test_free(order);
}

/* Whether there is a layout within the lower bound. */
static bool has_layout(const struct part *part) {
  struct method_task task = {.part = part, .rules = RULES_ALL, .seed = 1};
  struct budget budget;
  enum verdict verdict = VERDICT_OPEN;
  task.rules.disabled = method_bit(&method_boundaries);
  budget_init(&budget, 0, 0);
  struct portfolio *portfolio = portfolio_new(task);
  assert_non_null(portfolio);
  while (verdict == VERDICT_OPEN)
    verdict = portfolio_step(portfolio, part->lower_bound, &budget);
  portfolio_free(portfolio);
  return verdict == VERDICT_FOUND;
}

static size_t check_part(const struct part *part, uint64_t variant, uint64_t seed) {
  struct jigsaw jigsaw;
  struct budget budget;
  struct part joined = {0};
  budget_init(&budget, 0, 0);
  assert_true(jigsaw_init(&jigsaw, part, variant, &budget));
  assert_true(jigsaw_part(&jigsaw, &joined));
  check_expansion(&jigsaw, &joined, seed);
  if (variant == JIGSAW_CERTAIN && !has_layout(&joined)) {
    struct rectangle all[MOST];
    struct instance instance = instance_of(part, all);
    instance_print(&instance, seed);
    fail_msg("what has been joined has no layout within the lower bound");
  }
  size_t count = part->count - joined.count;
  part_clear(&joined);
  jigsaw_clear(&jigsaw);
  return count;
}

static size_t check_sheets(uint64_t variant, uint64_t count) {
  size_t joints = 0;
  for (uint64_t seed = 0; seed < sample_tries(count); seed++) {
    neap_problem *problem = random_sheet(seed);
    struct parts parts;
    neap_error error;
    assert_ok(parts_init(&parts, problem, &error), &error);
    for (size_t p = 0; p < parts.count; p++)
      joints += check_part(&parts.items[p], variant, seed);
    parts_clear(&parts);
    neap_problem_free(problem);
  }
  return joints;
}

TEST(certain_joints_keep_a_layout) {
  assert_true(check_sheets(JIGSAW_CERTAIN, 1500) > 1500);
}

TEST(joints_give_sound_layouts) {
  size_t all = check_sheets(0, 400);
  assert_true(check_sheets(1, 400) <= all);
  assert_true(all > 400);
}

/* ---------------------------------------------------------------- larger sheets */

/* Most pieces of a large sheet are joined. */
TEST(sheets_are_put_together) {
  static const char *const kinds[] = {"perfect", "sheet"};
  for (size_t k = 0; k < SAMPLE_COUNT(kinds); k++) {
    struct parts parts;
    struct jigsaw jigsaw;
    struct budget budget;
    neap_error error;
    bool suits;
    budget_init(&budget, 0, 0);
    neap_problem *problem = sample_generate(kinds[k], 1000, 5);
    assert_ok(parts_init(&parts, problem, &error), &error);
    assert_true(jigsaw_test(&parts.items[0], &suits) && suits);
    assert_true(jigsaw_init(&jigsaw, &parts.items[0], 0, &budget));
    assert_true(jigsaw.left_count < 300);
    jigsaw_clear(&jigsaw);
    parts_clear(&parts);
    neap_problem_free(problem);
  }
}

/* Buffers that may not lie everywhere are not joined. */
TEST(constraints_do_not_suit) {
  for (int fixed = 0; fixed < 2; fixed++) {
    neap_problem *problem = neap_problem_new();
    struct parts parts;
    neap_error error;
    neap_range life = {1, 3};
    neap_buffer buffer = NEAP_BUFFER_INIT;
    buffer.name = "b";
    buffer.size = 1;
    buffer.ranges = &life;
    buffer.range_count = 1;
    if (fixed) buffer.fixed_offset = 1;
    else buffer.alignment = 2;
    bool suits = true;
    sample_add(problem, "a", 0, 2, 2);
    assert_ok(neap_problem_add(problem, &buffer, &error), &error);
    sample_add(problem, "c", 0, 1, 1);
    sample_add(problem, "d", 2, 4, 2);
    sample_add(problem, "e", 3, 4, 1);
    assert_ok(parts_init(&parts, problem, &error), &error);
    assert_true(jigsaw_test(&parts.items[0], &suits) && !suits);
    parts_clear(&parts);
    neap_problem_free(problem);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(certain_joints_keep_a_layout),
      cmocka_unit_test(joints_give_sound_layouts),
      cmocka_unit_test(sheets_are_put_together),
      cmocka_unit_test(constraints_do_not_suit),
  };
  return cmocka_run_group_tests_name("jigsaw", tests, NULL, NULL);
}
