/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists of moves: what they copy, and where they stop. */
#include <stdlib.h>

#include "model/moves.h"
#include "tests/support/sample.h"

static const uint32_t members[] = {1, 3, 4, 7, 8, 9};
static const neap_offset offsets[] = {10, 30, 40, 70, 80, 90};

static neap_move move_of(neap_move_outcome outcome, size_t count) {
  return (neap_move){.blamed = 3,
                     .top = 100,
                     .target = 99,
                     .outcome = outcome,
                     .member_count = count,
                     .members = members,
                     .offsets = outcome == NEAP_MOVE_LOWERED ? offsets : NULL};
}

static void add(struct moves *moves, neap_move_outcome outcome, size_t count) {
  neap_move move = move_of(outcome, count);
  assert_true(moves_add(moves, &move));
}

static void expect_stored(const neap_move *move, size_t count) {
  assert_int_equal(move->blamed, 3);
  assert_int_equal(move->member_count, count);
  assert_non_null(move->members);
  assert_ptr_not_equal(move->members, members);
  assert_memory_equal(move->members, members, count * sizeof *members);
  assert_int_equal(move->offsets != NULL, move->outcome == NEAP_MOVE_LOWERED);
  if (move->offsets) assert_memory_equal(move->offsets, offsets, count * sizeof *offsets);
}

static void expect_bare(const neap_move *move, size_t count) {
  assert_int_equal(move->member_count, count);
  assert_null(move->members);
  assert_null(move->offsets);
}

TEST(a_list_owns_copies) {
  struct moves moves = {0};
  moves_begin(&moves, 10, 100);
  add(&moves, NEAP_MOVE_LOWERED, 6);
  add(&moves, NEAP_MOVE_OPEN, 5);
  add(&moves, NEAP_MOVE_LOWERED, 0);
  assert_int_equal(moves.count, 3);
  expect_stored(&moves.items[0], 6);
  expect_stored(&moves.items[1], 5);
  expect_stored(&moves.items[2], 0);
  moves_begin(&moves, 10, 100);
  assert_int_equal(moves.count, 0);
  moves_clear(&moves);
}

/* Moves that lowered nothing get half of the room; further members and moves do not fit. */
TEST(a_list_stores_no_more_than_it_may) {
  struct moves moves = {0};
  moves_begin(&moves, 5, 10);
  add(&moves, NEAP_MOVE_REFUTED, 6);
  add(&moves, NEAP_MOVE_REFUTED, 5);
  add(&moves, NEAP_MOVE_OPEN, 1);
  add(&moves, NEAP_MOVE_LOWERED, 6);
  add(&moves, NEAP_MOVE_LOWERED, 5);
  add(&moves, NEAP_MOVE_LOWERED, 1);
  assert_int_equal(moves.count, 5);
  expect_bare(&moves.items[0], 6);
  expect_stored(&moves.items[1], 5);
  expect_bare(&moves.items[2], 1);
  expect_bare(&moves.items[3], 6);
  expect_stored(&moves.items[4], 5);
  moves_clear(&moves);
}

TEST(a_copy_is_one_block) {
  const neap_move list[] = {move_of(NEAP_MOVE_OPEN, 3),
                            move_of(NEAP_MOVE_LOWERED, 6),
                            {.blamed = NEAP_NO_BUFFER, .member_count = 9},
                            move_of(NEAP_MOVE_LOWERED, 1)};
  neap_move *copy;
  assert_true(moves_copy(list, SAMPLE_COUNT(list), &copy));
  expect_stored(&copy[0], 3);
  expect_stored(&copy[1], 6);
  expect_bare(&copy[2], 9);
  expect_stored(&copy[3], 1);
  free(copy);
  assert_true(moves_copy(NULL, 0, &copy));
  assert_null(copy);
}

TEST(a_copy_larger_than_all_memory_fails) {
  neap_move list[] = {move_of(NEAP_MOVE_LOWERED, SIZE_MAX / 8)}, *copy;
  assert_false(moves_copy(list, 1, &copy));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_list_owns_copies),
      cmocka_unit_test(a_list_stores_no_more_than_it_may),
      cmocka_unit_test(a_copy_is_one_block),
      cmocka_unit_test(a_copy_larger_than_all_memory_fails),
  };
  return cmocka_run_group_tests_name("moves", tests, NULL, NULL);
}
