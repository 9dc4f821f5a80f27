/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a problem asks for twice, differently; and what comes close to that. */
#include <stdlib.h>
#include <string.h>

#include "neap/planner.h"
#include "tests/support/sample.h"

/* Adds a buffer that is alive during [0, 9). */
static neap_buffer sized(neap_size size) {
  neap_buffer buffer = NEAP_BUFFER_INIT;
  buffer.size = size;
  return buffer;
}

static neap_buffer fixed(neap_size size, neap_offset offset) {
  neap_buffer buffer = sized(size);
  buffer.fixed_offset = offset;
  return buffer;
}

static neap_buffer aligned(neap_size size, neap_size alignment) {
  neap_buffer buffer = sized(size);
  buffer.alignment = alignment;
  return buffer;
}

static neap_buffer between(neap_size size, neap_offset low, neap_offset high) {
  neap_buffer buffer = sized(size);
  buffer.window_low = low;
  buffer.window_high = high;
  return buffer;
}

/* A problem of two buffers, a and b. */
static neap_problem *two(neap_buffer a, neap_buffer b) {
  neap_problem *problem = neap_problem_new();
  sample_add_buffer(problem, "a", a);
  sample_add_buffer(problem, "b", b);
  return problem;
}

/*
 * Takes ownership of the problem.  Without `words` it has no contradiction; otherwise the message
 * has all of them, separated by "|".
 */
static void expect(neap_problem *problem, const char *words) {
  neap_error error;
  if (!words) {
    assert_ok(neap_problem_check(problem, &error), &error);
  } else {
    char copy[512];
    assert_error(neap_problem_check(problem, &error), NEAP_ERROR_INPUT, &error);
    strcpy(copy, words);
    for (char *word = strtok(copy, "|"); word; word = strtok(NULL, "|"))
      assert_says(&error, word);
    assert_int_equal(neap_problem_check(problem, NULL), NEAP_ERROR_INPUT);
    neap_planner *planner = NULL;
    assert_error(neap_planner_new(problem, NULL, &planner, &error), NEAP_ERROR_INPUT, &error);
  }
  neap_problem_free(problem);
}

/* ---------------------------------------------------------------- pairs */

static void separated_buffers_are_not_excluded(void **state) {
  (void)state;
  neap_problem *problem = two(sized(8), sized(8));
  sample_add_buffer(problem, "c", sized(8));
  sample_relate(problem, NEAP_EXCLUSION, 0, 2, 0);
  sample_relate(problem, NEAP_SEPARATION, 1, 2, 0);
  assert_ok(neap_problem_check(problem, NULL), &(neap_error){0});
  sample_relate(problem, NEAP_EXCLUSION, 2, 1, 0);
  expect(problem,
         "the separation of 'b' and 'c' (reason 'a reason') contradicts the exclusion of "
         "'c' and 'b' (reason 'a reason')");
}

static void separated_buffers_are_colocated_apart(void **state) {
  (void)state;
  for (neap_size bytes = 7; bytes <= 8; bytes++) {
    neap_problem *problem = two(sized(8), sized(8));
    sample_relate(problem, NEAP_COLOCATION, 0, 1, bytes);
    sample_relate(problem, NEAP_SEPARATION, 1, 0, 0);
    expect(problem, bytes == 8 ? NULL
                               : "the separation of 'b' and 'a'|contradicts|the colocation of "
                                 "'b' 7 bytes above 'a'");
  }
}

static void separated_buffers_may_be_colocated_by_others(void **state) {
  (void)state;
  for (neap_size bytes = 3; bytes <= 4; bytes++) {
    neap_problem *problem = two(sized(8), sized(8));
    sample_add_buffer(problem, "c", sized(8));
    sample_relate(problem, NEAP_COLOCATION, 0, 1, 4);
    sample_relate(problem, NEAP_COLOCATION, 2, 1, -bytes);
    sample_relate(problem, NEAP_SEPARATION, 0, 2, 0);
    expect(problem, bytes == 4 ? NULL : "yield 'c', which is colocated 7 bytes above 'a'");
  }
}

/* 'b' is 4 bytes above 'a'; allowances of other pairs, and larger ones of this pair, do not help. */
static void separated_buffers_may_share_what_is_allowed(void **state) {
  (void)state;
  for (neap_size gap = 4; gap <= 5; gap++) {
    neap_problem *problem = two(sized(8), sized(8));
    for (size_t i = 2; i < 20; i++)
      sample_add_buffer(problem, (char[]){(char)('a' + i), 0}, sized(8));
    sample_relate(problem, NEAP_COLOCATION, 0, 1, 4);
    sample_relate(problem, NEAP_SEPARATION, 1, 0, 0);
    for (size_t i = 2; i < 20; i++) {
      sample_relate(problem, NEAP_OVERLAP, i, i % 2, 0);
      sample_relate(problem, NEAP_OVERLAP, (i + 1) % 2, i, 0);
    }
    sample_relate(problem, NEAP_OVERLAP, 0, 1, 6);
    sample_relate(problem, NEAP_OVERLAP, 1, 0, 1);
    sample_relate(problem, NEAP_OVERLAP, 0, 1, gap);
    sample_relate(problem, NEAP_OVERLAP, 0, 1, 7);
    expect(problem, gap == 4 ? NULL
                             : "the separation of 'b' and 'a'|contradicts|the colocation of "
                               "'b' 4 bytes above 'a'");
  }
}

static void nothing_is_separated_from_no_bytes(void **state) {
  (void)state;
  neap_problem *problem = two(sized(8), sized(0));
  sample_relate(problem, NEAP_COLOCATION, 0, 1, 4);
  sample_relate(problem, NEAP_SEPARATION, 1, 0, 0);
  sample_relate(problem, NEAP_BANK_SEPARATION, 1, 0, 64);
  expect(problem, NULL);
}

static void overlaps_of_colocated_buffers_are_ignored(void **state) {
  (void)state;
  neap_problem *problem = two(sized(8), sized(8));
  sample_relate(problem, NEAP_COLOCATION, 0, 1, 4);
  sample_relate(problem, NEAP_OVERLAP, 0, 1, 8);
  sample_relate(problem, NEAP_EXCLUSION, 0, 1, 0);
  sample_relate(problem, NEAP_REUSE_PENALTY, 0, 1, 100);
  expect(problem, NULL);
}

/* ---------------------------------------------------------------- cycles of colocations */

static void colocations_agree(void **state) {
  (void)state;
  neap_problem *problem = two(sized(8), sized(8));
  sample_relate(problem, NEAP_COLOCATION, 0, 1, 4);
  sample_relate(problem, NEAP_COLOCATION, 1, 0, -4);
  assert_ok(neap_problem_check(problem, NULL), &(neap_error){0});
  sample_relate(problem, NEAP_COLOCATION, 1, 0, 4);
  expect(problem, "contradicts|the colocation of 'b' 4 bytes above 'a'|'a' 4 bytes above 'b'");
}

static void a_cycle_of_colocations_closes(void **state) {
  (void)state;
  for (neap_size bytes = 6; bytes <= 8; bytes++) {
    neap_problem *problem = two(sized(8), sized(8));
    sample_add_buffer(problem, "c", sized(8));
    sample_relate(problem, NEAP_COLOCATION, 0, 1, 4);
    sample_relate(problem, NEAP_COLOCATION, 1, 2, 3);
    sample_relate(problem, NEAP_COLOCATION, 0, 2, bytes);
    expect(problem, bytes == 7 ? NULL : "contradicts other colocations, which yield");
  }
}

static void sums_of_colocations_may_not_overflow(void **state) {
  (void)state;
  neap_problem *problem = two(sized(0), sized(0));
  sample_add_buffer(problem, "c", sized(0));
  sample_relate(problem, NEAP_COLOCATION, 0, 1, NEAP_MAX);
  assert_ok(neap_problem_check(problem, NULL), &(neap_error){0});
  sample_relate(problem, NEAP_COLOCATION, 1, 2, NEAP_MAX);
  expect(problem, "2^63");
}

/* ---------------------------------------------------------------- pools */

static void colocated_buffers_have_a_common_pool(void **state) {
  (void)state;
  static const size_t x[] = {0}, y[] = {1}, xy[] = {0, 1}, yz[] = {1, 2}, zx[] = {2, 0};
  static const struct {
    const size_t *pools[3];
    size_t counts[3];
    const char *words;
  } rows[] = {
      {{x, xy, x}, {1, 2, 1}, NULL},
      {{NULL, NULL, y}, {0, 0, 1}, NULL},
      {{xy, yz, y}, {2, 2, 1}, NULL},
      {{x, y, NULL}, {1, 1, 0}, "'a' and 'b', which is colocated with 'a', have no pool"},
      {{x, NULL, yz}, {1, 0, 2}, "'a' and 'c', which is colocated 4 bytes above 'a', have no"},
      {{xy, yz, zx}, {2, 2, 2}, "'a' and the buffers that are colocated with it have no pool"},
  };
  for (size_t r = 0; r < SAMPLE_COUNT(rows); r++) {
    neap_problem *problem = neap_problem_new();
    neap_error error;
    for (size_t i = 0; i < 3; i++) {
      neap_pool pool = NEAP_POOL_INIT;
      pool.name = (const char *const[]){"x", "y", "z"}[i];
      assert_ok(neap_problem_add_pool(problem, &pool, &error), &error);
    }
    for (size_t i = 0; i < 3; i++) {
      neap_buffer buffer = sized(8);
      buffer.pools = rows[r].pools[i];
      buffer.pool_count = rows[r].counts[i];
      sample_add_buffer(problem, (const char *const[]){"a", "b", "c"}[i], buffer);
    }
    sample_relate(problem, NEAP_COLOCATION, 0, 1, 0);
    sample_relate(problem, NEAP_COLOCATION, 1, 2, 4);
    expect(problem, rows[r].words);
  }
}

/* ---------------------------------------------------------------- offsets of bodies */

static void fixed_members_agree(void **state) {
  (void)state;
  for (neap_offset offset = 13; offset <= 15; offset++) {
    neap_problem *problem = two(fixed(8, 10), fixed(8, offset));
    sample_relate(problem, NEAP_COLOCATION, 0, 1, 4);
    expect(problem,
           offset == 14
               ? NULL
               : "'a' is fixed to offset 10, and 'b', which is colocated 4 bytes above "
                 "'a', to 1");
  }
}

/* b is `bytes` above a, which is fixed to 16. */
static void expect_beside_fixed(neap_buffer b, neap_size bytes, const char *words) {
  neap_problem *problem = two(fixed(8, 16), b);
  sample_relate(problem, NEAP_COLOCATION, 0, 1, bytes);
  expect(problem, words);
}

static void a_fixed_member_decides_about_the_others(void **state) {
  (void)state;
  expect_beside_fixed(sized(8), -16, NULL);
  expect_beside_fixed(
      sized(8), -17,
      "'a' is fixed to offset 16, so that 'b', which is colocated 17 bytes below "
      "'a', would begin below 0");
  expect_beside_fixed(sized(7), NEAP_MAX - 23, NULL);
  expect_beside_fixed(sized(8), NEAP_MAX - 23, "would end above 2^63 - 1");
  expect_beside_fixed(aligned(8, 8), 8, NULL);
  expect_beside_fixed(aligned(8, 16), 8,
                      "would be at offset 24, which is not a multiple of its "
                      "alignment 16");
  expect_beside_fixed(between(8, 20, 28), 4, NULL);
  expect_beside_fixed(between(8, 20, 29), 3, "at bytes [19, 27), outside its window [20, 29)");
  expect_beside_fixed(between(8, 20, 29), 6, "at bytes [22, 30), outside its window [20, 29)");
  neap_buffer buffer = sized(8);
  buffer.bank = 32;
  expect_beside_fixed(buffer, 8, NULL);
  expect_beside_fixed(buffer, 9, "at bytes [25, 33), in more than one bank of 32 bytes");
}

static void alignments_suit_each_other(void **state) {
  (void)state;
  for (neap_size bytes = 0; bytes < 8; bytes++) {
    neap_problem *problem = two(aligned(8, 8), aligned(8, 12));
    sample_relate(problem, NEAP_COLOCATION, 0, 1, bytes);
    expect(problem, bytes % 4 == 0
                        ? NULL
                        : "no offsets suit the alignments 8 of 'a' and 12 of 'b', which is");
  }
}

static void alignments_of_three_are_compared(void **state) {
  (void)state;
  neap_problem *problem = two(aligned(8, 6), sized(8));
  sample_add_buffer(problem, "c", aligned(8, 10));
  sample_relate(problem, NEAP_COLOCATION, 0, 1, 1);
  sample_relate(problem, NEAP_COLOCATION, 2, 1, 4);
  expect(problem, "no offsets suit the alignments 6 of 'a' and 10 of 'c', which is colocated 3 "
                  "bytes below 'a'");
}

static void large_alignments_suit_each_other_too_high(void **state) {
  (void)state;
  neap_problem *problem = two(aligned(1, INT64_C(1) << 40), aligned(1, (INT64_C(1) << 40) - 1));
  sample_relate(problem, NEAP_COLOCATION, 0, 1, INT64_C(1) << 39);
  expect(problem, "no offsets");
}

static void windows_leave_a_common_place(void **state) {
  (void)state;
  for (neap_offset high = 27; high <= 28; high++) {
    neap_problem *problem = two(between(8, 16, 32), between(8, 0, high));
    sample_relate(problem, NEAP_COLOCATION, 0, 1, 4);
    expect(problem, high == 28
                        ? NULL
                        : "no offsets suit the window [16, 32) of 'a' and [0, 27) of 'b', "
                          "which is colocated 4 bytes above 'a'");
  }
}

static void windows_leave_room_below(void **state) {
  (void)state;
  for (neap_offset high = 27; high <= 28; high++) {
    neap_problem *problem = two(sized(8), between(8, 0, high));
    sample_relate(problem, NEAP_COLOCATION, 0, 1, 20);
    expect(problem, high == 28
                        ? NULL
                        : "the window [0, 27) of 'b' leaves no room below for 'a', which "
                          "is colocated 20 bytes below 'b'");
  }
}

static void windows_and_alignments_leave_a_place(void **state) {
  (void)state;
  for (neap_offset high = 39; high <= 40; high++) {
    neap_problem *problem = two(aligned(8, 16), between(8, 18, high));
    sample_relate(problem, NEAP_COLOCATION, 0, 1, 0);
    expect(problem, high == 40 ? NULL : "no offsets in the window of 'b'");
  }
}

/* ---------------------------------------------------------------- limits of one buffer */

static void a_window_has_an_aligned_offset(void **state) {
  (void)state;
  for (neap_offset high = 23; high <= 24; high++) {
    neap_problem *problem = neap_problem_new();
    neap_buffer buffer = between(8, 9, high);
    buffer.alignment = 16;
    sample_add_buffer(problem, "a", buffer);
    expect(problem, high == 24
                        ? NULL
                        : "'a': no offset in the window [9, 23) suits its 8 bytes and its "
                          "alignment 16");
  }
}

static void a_window_has_room_in_a_bank(void **state) {
  (void)state;
  for (neap_offset high = 23; high <= 24; high++) {
    neap_problem *problem = neap_problem_new();
    neap_buffer buffer = between(8, 9, high);
    buffer.bank = 16;
    sample_add_buffer(problem, "a", buffer);
    expect(problem, high == 24 ? NULL : "its bank of 16 bytes");
  }
}

/* ---------------------------------------------------------------- banks */

static void colocated_buffers_can_be_in_different_banks(void **state) {
  (void)state;
  static const struct {
    neap_size alignment, bytes, bank;
    bool fits;
  } rows[] = {
      {1, 8, 64, true},   {1, 7, 64, false},   {1, -8, 64, true},  {1, -7, 64, false},
      {4, 8, 64, true},   {8, 9, 64, true},    {16, 8, 64, false}, {16, 15, 64, false},
      {16, 16, 64, true}, {64, 63, 64, false}, {64, 64, 64, true}, {3, 8, 64, true},
  };
  for (size_t r = 0; r < SAMPLE_COUNT(rows); r++) {
    neap_problem *problem = two(aligned(8, rows[r].alignment), sized(8));
    sample_relate(problem, NEAP_COLOCATION, 0, 1, rows[r].bytes);
    sample_relate(problem, NEAP_BANK_SEPARATION, 1, 0, rows[r].bank);
    expect(problem, rows[r].fits
                        ? NULL
                        : "the separation of 'b' and 'a' by banks of 64 bytes|contradicts "
                          "the colocation of 'b'");
  }
}

static void fixed_buffers_are_in_different_banks(void **state) {
  (void)state;
  for (neap_offset offset = 31; offset <= 32; offset++) {
    neap_problem *problem = two(fixed(8, 10), fixed(8, offset));
    sample_relate(problem, NEAP_BANK_SEPARATION, 0, 1, 16);
    expect(problem, offset == 32
                        ? NULL
                        : "banks of 16 bytes|contradicts fixed offsets, which put 'a' at "
                          "offset 10 and 'b' at offset 31");
  }
}

/* ---------------------------------------------------------------- fixed offsets */

static void relations_decide_whether_fixed_offsets_collide(void **state) {
  (void)state;
  static const struct {
    neap_relation_kind kind;
    neap_size bytes;
    bool is_fine;
  } rows[] = {
      {NEAP_EXCLUSION, 0, true},  {NEAP_OVERLAP, 4, true},        {NEAP_OVERLAP, 5, false},
      {NEAP_COLOCATION, 4, true}, {NEAP_REUSE_PENALTY, 4, false},
  };
  for (size_t r = 0; r < SAMPLE_COUNT(rows); r++) {
    neap_problem *problem = two(fixed(8, 10), fixed(8, 14));
    sample_relate(problem, rows[r].kind, 0, 1, rows[r].bytes);
    expect(problem,
           rows[r].is_fine ? NULL : "fixed offsets collide: 'a' and 'b' share bytes [14, 18)");
  }
}

static void separated_fixed_offsets_collide(void **state) {
  (void)state;
  neap_problem *problem = neap_problem_new();
  sample_add_fixed(problem, "a", 0, 3, 8, 10);
  sample_add_fixed(problem, "b", 5, 7, 8, 17);
  sample_relate(problem, NEAP_SEPARATION, 0, 1, 0);
  expect(problem, "fixed offsets collide: 'a' and 'b' share bytes [17, 18), against the "
                  "separation of 'a' and 'b'");
}

/* b is colocated with a, which is fixed; so b collides with c. */
static void what_follows_from_fixed_offsets_collides(void **state) {
  (void)state;
  for (neap_offset offset = 27; offset <= 28; offset++) {
    neap_problem *problem = two(fixed(8, 10), sized(8));
    sample_add_buffer(problem, "c", fixed(8, offset));
    sample_relate(problem, NEAP_COLOCATION, 0, 1, 10);
    expect(problem,
           offset == 28 ? NULL : "fixed offsets collide: 'b' and 'c' share bytes [27, 28)");
  }
}

/* Pool x, which is aligned to 8, and y; a and b are fixed to the same offset. */
static void fixed_offsets_collide_only_in_a_certain_pool(void **state) {
  (void)state;
  static const size_t x[] = {0}, y[] = {1};
  static const struct {
    const size_t *a, *b;
    neap_offset offset;
    const char *words;
  } rows[] = {
      {x, y, 16, NULL},
      {x, NULL, 16, NULL},
      {x, x, 16, "fixed offsets collide"},
      {x, y, 12,
       "'a' is fixed to offset 12, which is not a multiple of the alignment of its pool"},
      {NULL, y, 12, NULL},
  };
  for (size_t r = 0; r < SAMPLE_COUNT(rows); r++) {
    neap_problem *problem = neap_problem_new();
    const neap_pool pools[] = {{sizeof(neap_pool), "x", -1, 8, 0, -1},
                               {sizeof(neap_pool), "y", -1, 1, 0, -1}};
    neap_error error;
    for (size_t i = 0; i < 2; i++)
      assert_ok(neap_problem_add_pool(problem, &pools[i], &error), &error);
    neap_buffer a = fixed(8, rows[r].offset), b = fixed(8, rows[r].offset);
    a.pools = rows[r].a;
    b.pools = rows[r].b;
    a.pool_count = a.pools ? 1 : 0;
    b.pool_count = b.pools ? 1 : 0;
    sample_add_buffer(problem, "a", a);
    sample_add_buffer(problem, "b", b);
    expect(problem, rows[r].words);
  }
}

static void fixed_offsets_avoid_reserved_bytes(void **state) {
  (void)state;
  for (neap_offset low = 17; low <= 18; low++) {
    neap_problem *problem = two(fixed(8, 10), sized(8));
    const neap_reserved reserved = {sizeof(neap_reserved), 0, low, 30, {8, 20}},
                        later = {sizeof(neap_reserved), 0, 0, 99, {9, NEAP_MAX}};
    neap_error error;
    assert_ok(neap_problem_reserve(problem, &reserved, &error), &error);
    assert_ok(neap_problem_reserve(problem, &later, &error), &error);
    expect(problem, low == 18 ? NULL
                              : "at its fixed offset, 'a' uses bytes [17, 18) at times [8, 9), "
                                "but bytes [17, 30) are reserved");
  }
}

/* ---------------------------------------------------------------- raised alignments */

/* Raises alignments to 8, and then expects those of the problem to be `alignment`. */
static void expect_raised(neap_problem *problem, const char *words, neap_size alignment) {
  neap_error error;
  neap_buffer buffer = NEAP_INIT(neap_buffer);
  if (words) {
    assert_error(neap_problem_align(problem, 8, 1, &error), NEAP_ERROR_INPUT, &error);
    assert_says(&error, words);
  } else {
    assert_ok(neap_problem_align(problem, 8, 1, &error), &error);
  }
  for (size_t i = 0; neap_problem_buffer_at(problem, i, &buffer); i++)
    assert_int_equal(buffer.alignment, alignment);
  expect(problem, NULL);
}

static void alignments_are_raised_within_colocations(void **state) {
  (void)state;
  for (neap_size bytes = 4; bytes <= 8; bytes += 4) {
    neap_problem *problem = two(aligned(8, 4), aligned(8, 4));
    sample_relate(problem, NEAP_COLOCATION, 0, 1, bytes);
    expect_raised(problem, bytes == 8 ? NULL : "no offsets suit the alignments 8 of 'a' and 8",
                  bytes == 8 ? 8 : 4);
  }
}

static void alignments_are_raised_within_windows(void **state) {
  (void)state;
  for (neap_offset high = 23; high <= 24; high++) {
    neap_problem *problem = two(between(8, 12, high), sized(1));
    expect_raised(problem, high == 24 ? NULL : "'a': no offset in the window [12, 23)",
                  high == 24 ? 8 : 1);
  }
}

static void sizes_are_raised_within_banks(void **state) {
  (void)state;
  neap_error error;
  neap_buffer buffer = sized(9), held = NEAP_INIT(neap_buffer);
  buffer.bank = 20;
  neap_problem *problem = two(buffer, buffer);
  assert_ok(neap_problem_align(problem, 1, 10, &error), &error);
  assert_error(neap_problem_align(problem, 4, 21, &error), NEAP_ERROR_INPUT, &error);
  assert_says(&error, "'a'");
  assert_true(neap_problem_buffer_at(problem, 1, &held));
  assert_int_equal(held.size, 10);
  assert_int_equal(held.alignment, 1);
  expect(problem, NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(separated_buffers_are_not_excluded),
      cmocka_unit_test(separated_buffers_are_colocated_apart),
      cmocka_unit_test(separated_buffers_may_be_colocated_by_others),
      cmocka_unit_test(separated_buffers_may_share_what_is_allowed),
      cmocka_unit_test(nothing_is_separated_from_no_bytes),
      cmocka_unit_test(overlaps_of_colocated_buffers_are_ignored),
      cmocka_unit_test(colocations_agree),
      cmocka_unit_test(a_cycle_of_colocations_closes),
      cmocka_unit_test(sums_of_colocations_may_not_overflow),
      cmocka_unit_test(colocated_buffers_have_a_common_pool),
      cmocka_unit_test(fixed_members_agree),
      cmocka_unit_test(a_fixed_member_decides_about_the_others),
      cmocka_unit_test(alignments_suit_each_other),
      cmocka_unit_test(alignments_of_three_are_compared),
      cmocka_unit_test(large_alignments_suit_each_other_too_high),
      cmocka_unit_test(windows_leave_a_common_place),
      cmocka_unit_test(windows_leave_room_below),
      cmocka_unit_test(windows_and_alignments_leave_a_place),
      cmocka_unit_test(a_window_has_an_aligned_offset),
      cmocka_unit_test(a_window_has_room_in_a_bank),
      cmocka_unit_test(colocated_buffers_can_be_in_different_banks),
      cmocka_unit_test(fixed_buffers_are_in_different_banks),
      cmocka_unit_test(relations_decide_whether_fixed_offsets_collide),
      cmocka_unit_test(separated_fixed_offsets_collide),
      cmocka_unit_test(what_follows_from_fixed_offsets_collides),
      cmocka_unit_test(fixed_offsets_collide_only_in_a_certain_pool),
      cmocka_unit_test(fixed_offsets_avoid_reserved_bytes),
      cmocka_unit_test(alignments_are_raised_within_colocations),
      cmocka_unit_test(alignments_are_raised_within_windows),
      cmocka_unit_test(sizes_are_raised_within_banks),
  };
  return cmocka_run_group_tests_name("api contradictions", tests, NULL, NULL);
}
