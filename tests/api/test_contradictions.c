/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Problems whose statements contradict each other, and problems whose statements nearly do. */
#include <stdio.h>
#include <string.h>

#include "neap/planner.h"
#include "tests/support/sample.h"

/* A buffer that is alive during [0, 9). */
static neap_buffer sized(neap_size size) {
  neap_buffer buffer = NEAP_BUFFER_INIT;
  buffer.size = size;
  return buffer;
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

/* ---------------------------------------------------------------- a table of problems */

static const struct row {
  const char *name, *buffers, *relations, *words;
} rows[] = {
    {"separated buffers are not excluded", "8 8 8",
     "exclude a c, separate b c, fine, exclude c b",
     "the separation of 'b' and 'c' (reason 'a reason') contradicts the exclusion of 'c' and "
     "'b' (reason 'a reason')"},
    {"separated buffers are colocated apart", "8 8", "colocate a b 8, separate b a", NULL},
    {"separated buffers are not colocated closer", "8 8", "colocate a b 7, separate b a",
     "the separation of 'b' and 'a'|contradicts|the colocation of 'b' 7 bytes above 'a'"},
    {"separated buffers may be colocated apart by others", "8 8 8",
     "colocate a b 4, colocate c b -4, separate a c", NULL},
    {"separated buffers are not colocated closer by others", "8 8 8",
     "colocate a b 4, colocate c b -3, separate a c",
     "yield 'c', which is colocated 7 bytes above 'a'"},
    {"nothing is separated from no bytes", "8 0", "colocate a b 4, separate b a, banks b a 64",
     NULL},
    {"overlaps of colocated buffers are ignored", "8 8",
     "colocate a b 4, overlap a b 8, exclude a b, penalise a b 100", NULL},
    {"colocations agree", "8 8", "colocate a b 4, colocate b a -4, fine, colocate b a 4",
     "contradicts|the colocation of 'b' 4 bytes above 'a'|'a' 4 bytes above 'b'"},
    {"a cycle of colocations closes after 7 bytes: 6", "8 8 8",
     "colocate a b 4, colocate b c 3, colocate a c 6",
     "contradicts other colocations, which yield"},
    {"a cycle of colocations closes after 7 bytes: 7", "8 8 8",
     "colocate a b 4, colocate b c 3, colocate a c 7", NULL},
    {"a cycle of colocations closes after 7 bytes: 8", "8 8 8",
     "colocate a b 4, colocate b c 3, colocate a c 8",
     "contradicts other colocations, which yield"},
    {"sums of colocations do not overflow", "0 0 0",
     "colocate a b 9223372036854775807, fine, colocate b c 9223372036854775807", "2^63"},
    /* Offsets of bodies. */
    {"fixed members agree on 14: 13", "8@10 8@13", "colocate a b 4",
     "'a' is fixed to offset 10, and 'b', which is colocated 4 bytes above 'a', to 13"},
    {"fixed members agree on 14: 14", "8@10 8@14", "colocate a b 4", NULL},
    {"fixed members agree on 14: 15", "8@10 8@15", "colocate a b 4",
     "'a' is fixed to offset 10, and 'b', which is colocated 4 bytes above 'a', to 15"},
    {"beside a fixed member: at 0", "8@16 8", "colocate a b -16", NULL},
    {"beside a fixed member: below 0", "8@16 8", "colocate a b -17",
     "'a' is fixed to offset 16, so that 'b', which is colocated 17 bytes below 'a', would "
     "begin below 0"},
    {"beside a fixed member: below 2^63", "8@16 7", "colocate a b 9223372036854775784", NULL},
    {"beside a fixed member: above 2^63", "8@16 8", "colocate a b 9223372036854775784",
     "would end above 2^63 - 1"},
    {"beside a fixed member: aligned", "8@16 8%8", "colocate a b 8", NULL},
    {"beside a fixed member: not aligned", "8@16 8%16", "colocate a b 8",
     "would be at offset 24, which is not a multiple of its alignment 16"},
    {"beside a fixed member: in a window", "8@16 8[20,28)", "colocate a b 4", NULL},
    {"beside a fixed member: below a window", "8@16 8[20,29)", "colocate a b 3",
     "at bytes [19, 27), outside its window [20, 29)"},
    {"beside a fixed member: above a window", "8@16 8[20,29)", "colocate a b 6",
     "at bytes [22, 30), outside its window [20, 29)"},
    {"beside a fixed member: in a bank", "8@16 8/32", "colocate a b 8", NULL},
    {"beside a fixed member: in two banks", "8@16 8/32", "colocate a b 9",
     "at bytes [25, 33), in more than one bank of 32 bytes"},
    {"alignments of three are compared", "8%6 8 8%10", "colocate a b 1, colocate c b 4",
     "no offsets suit the alignments 6 of 'a' and 10 of 'c', which is colocated 3 bytes below "
     "'a'"},
    {"large alignments suit each other too high", "1%1099511627776 1%1099511627775",
     "colocate a b 549755813888", "no offsets"},
    {"windows have a common place", "8[16,32) 8[0,28)", "colocate a b 4", NULL},
    {"windows have no common place", "8[16,32) 8[0,27)", "colocate a b 4",
     "no offsets suit the window [16, 32) of 'a' and [0, 27) of 'b', which is colocated 4 "
     "bytes above 'a'"},
    {"a window leaves room below", "8 8[0,28)", "colocate a b 20", NULL},
    {"a window leaves no room below", "8 8[0,27)", "colocate a b 20",
     "the window [0, 27) of 'b' leaves no room below for 'a', which is colocated 20 bytes "
     "below 'b'"},
    {"a window and an alignment have a common place", "8%16 8[18,40)", "colocate a b 0", NULL},
    {"a window and an alignment have none", "8%16 8[18,39)", "colocate a b 0",
     "no offsets in the window of 'b'"},
    /* Limits of one buffer. */
    {"a window has an aligned offset", "8%16[9,24)", "", NULL},
    {"a window has no aligned offset", "8%16[9,23)", "",
     "'a': no offset in the window [9, 23) suits its 8 bytes and its alignment 16"},
    {"a window has room in a bank", "8[9,24)/16", "", NULL},
    {"a window has no room in a bank", "8[9,23)/16", "", "its bank of 16 bytes"},
    /* Fixed offsets. */
    {"fixed buffers are in different banks", "8@10 8@32", "banks a b 16", NULL},
    {"fixed buffers are in the same bank", "8@10 8@31", "banks a b 16",
     "banks of 16 bytes|contradicts fixed offsets, which put 'a' at offset 10 and 'b' at "
     "offset 31"},
    {"an exclusion permits fixed offsets that collide", "8@10 8@14", "exclude a b", NULL},
    {"so does an overlap", "8@10 8@14", "overlap a b 4", NULL},
    {"so does a colocation", "8@10 8@14", "colocate a b 4", NULL},
    {"an overlap of fewer bytes does not", "8@10 8@14", "overlap a b 5",
     "fixed offsets collide: 'a' and 'b' share bytes [14, 18)"},
    {"a penalty does not", "8@10 8@14", "penalise a b 4",
     "fixed offsets collide: 'a' and 'b' share bytes [14, 18)"},
    {"a colocation puts a buffer below a fixed one", "8@10 8 8@28", "colocate a b 10", NULL},
    {"a colocation puts a buffer over a fixed one", "8@10 8 8@27", "colocate a b 10",
     "fixed offsets collide: 'b' and 'c' share bytes [27, 28)"},
};

static void a_contradiction_is_named(void **state) {
  const struct row *row = *state;
  neap_problem *problem = sample_read(row->buffers);
  sample_read_relations(problem, row->relations);
  expect(problem, row->words);
}

/* ---------------------------------------------------------------- pairs */

/* b is 4 bytes above a; allowances of other pairs, and larger ones of this pair, do not help. */
TEST(separated_buffers_may_share_what_is_allowed) {
  for (neap_size gap = 4; gap <= 5; gap++) {
    neap_problem *problem = sample_read("8 8");
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

TEST(alignments_suit_each_other) {
  for (neap_size bytes = 0; bytes < 8; bytes++) {
    neap_problem *problem = sample_read("8%8 8%12");
    sample_relate(problem, NEAP_COLOCATION, 0, 1, bytes);
    expect(problem, bytes % 4 == 0
                        ? NULL
                        : "no offsets suit the alignments 8 of 'a' and 12 of 'b', which is");
  }
}

TEST(colocated_buffers_can_be_in_different_banks) {
  static const struct {
    neap_size alignment, bytes, bank;
    bool fits;
  } pairs[] = {
      {1, 8, 64, true},   {1, 7, 64, false},   {1, -8, 64, true},  {1, -7, 64, false},
      {4, 8, 64, true},   {8, 9, 64, true},    {16, 8, 64, false}, {16, 15, 64, false},
      {16, 16, 64, true}, {64, 63, 64, false}, {64, 64, 64, true}, {3, 8, 64, true},
  };
  for (size_t r = 0; r < SAMPLE_COUNT(pairs); r++) {
    char buffers[32];
    snprintf(buffers, sizeof buffers, "8%%%d 8", (int)pairs[r].alignment);
    neap_problem *problem = sample_read(buffers);
    sample_relate(problem, NEAP_COLOCATION, 0, 1, pairs[r].bytes);
    sample_relate(problem, NEAP_BANK_SEPARATION, 1, 0, pairs[r].bank);
    expect(problem, pairs[r].fits
                        ? NULL
                        : "the separation of 'b' and 'a' by banks of 64 bytes|contradicts "
                          "the colocation of 'b'");
  }
}

/* ---------------------------------------------------------------- pools */

TEST(colocated_buffers_have_a_common_pool) {
  static const size_t x[] = {0}, y[] = {1}, xy[] = {0, 1}, yz[] = {1, 2}, zx[] = {2, 0};
  static const struct {
    const size_t *pools[3];
    size_t counts[3];
    const char *words;
  } triples[] = {
      {{x, xy, x}, {1, 2, 1}, NULL},
      {{NULL, NULL, y}, {0, 0, 1}, NULL},
      {{xy, yz, y}, {2, 2, 1}, NULL},
      {{x, y, NULL}, {1, 1, 0}, "'a' and 'b', which is colocated with 'a', have no pool"},
      {{x, NULL, yz}, {1, 0, 2}, "'a' and 'c', which is colocated 4 bytes above 'a', have no"},
      {{xy, yz, zx}, {2, 2, 2}, "'a' and the buffers that are colocated with it have no pool"},
  };
  for (size_t r = 0; r < SAMPLE_COUNT(triples); r++) {
    neap_problem *problem = neap_problem_new();
    neap_error error;
    for (size_t i = 0; i < 3; i++) {
      neap_pool pool = NEAP_POOL_INIT;
      pool.name = (const char *const[]){"x", "y", "z"}[i];
      assert_ok(neap_problem_add_pool(problem, &pool, &error), &error);
    }
    for (size_t i = 0; i < 3; i++) {
      neap_buffer buffer = sized(8);
      buffer.pools = triples[r].pools[i];
      buffer.pool_count = triples[r].counts[i];
      sample_add_buffer(problem, (const char *const[]){"a", "b", "c"}[i], buffer);
    }
    sample_relate(problem, NEAP_COLOCATION, 0, 1, 0);
    sample_relate(problem, NEAP_COLOCATION, 1, 2, 4);
    expect(problem, triples[r].words);
  }
}

/* ---------------------------------------------------------------- fixed offsets */

TEST(separated_fixed_offsets_collide) {
  neap_problem *problem = neap_problem_new();
  sample_add_fixed(problem, "a", 0, 3, 8, 10);
  sample_add_fixed(problem, "b", 5, 7, 8, 17);
  sample_relate(problem, NEAP_SEPARATION, 0, 1, 0);
  expect(problem, "fixed offsets collide: 'a' and 'b' share bytes [17, 18), against the "
                  "separation of 'a' and 'b'");
}

/* Pool x, which is aligned to 8, and y; a and b are fixed to the same offset. */
TEST(fixed_offsets_collide_only_in_a_certain_pool) {
  static const size_t x[] = {0}, y[] = {1};
  static const struct {
    const size_t *a, *b;
    neap_offset offset;
    const char *words;
  } pairs[] = {
      {x, y, 16, NULL},
      {x, NULL, 16, NULL},
      {x, x, 16, "fixed offsets collide"},
      {x, y, 12,
       "'a' is fixed to offset 12, which is not a multiple of the alignment of its pool"},
      {NULL, y, 12, NULL},
  };
  for (size_t r = 0; r < SAMPLE_COUNT(pairs); r++) {
    neap_problem *problem = neap_problem_new();
    const neap_pool pools[] = {{sizeof(neap_pool), "x", -1, 8, 0, -1},
                               {sizeof(neap_pool), "y", -1, 1, 0, -1}};
    neap_error error;
    for (size_t i = 0; i < 2; i++)
      assert_ok(neap_problem_add_pool(problem, &pools[i], &error), &error);
    neap_buffer a = sized(8);
    a.fixed_offset = pairs[r].offset;
    neap_buffer b = a;
    a.pools = pairs[r].a;
    b.pools = pairs[r].b;
    a.pool_count = a.pools ? 1 : 0;
    b.pool_count = b.pools ? 1 : 0;
    sample_add_buffer(problem, "a", a);
    sample_add_buffer(problem, "b", b);
    expect(problem, pairs[r].words);
  }
}

TEST(fixed_offsets_avoid_reserved_bytes) {
  for (neap_offset low = 17; low <= 18; low++) {
    neap_problem *problem = sample_read("8@10 8");
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

TEST(alignments_are_raised_within_colocations) {
  for (neap_size bytes = 4; bytes <= 8; bytes += 4) {
    neap_problem *problem = sample_read("8%4 8%4");
    sample_relate(problem, NEAP_COLOCATION, 0, 1, bytes);
    expect_raised(problem, bytes == 8 ? NULL : "no offsets suit the alignments 8 of 'a' and 8",
                  bytes == 8 ? 8 : 4);
  }
}

TEST(alignments_are_raised_within_windows) {
  for (neap_offset high = 23; high <= 24; high++) {
    neap_problem *problem = sample_read(high == 24 ? "8[12,24) 1" : "8[12,23) 1");
    expect_raised(problem, high == 24 ? NULL : "'a': no offset in the window [12, 23)",
                  high == 24 ? 8 : 1);
  }
}

TEST(sizes_are_raised_within_banks) {
  neap_error error;
  neap_buffer held = NEAP_INIT(neap_buffer);
  neap_problem *problem = sample_read("9/20 9/20");
  assert_ok(neap_problem_align(problem, 1, 10, &error), &error);
  assert_error(neap_problem_align(problem, 4, 21, &error), NEAP_ERROR_INPUT, &error);
  assert_says(&error, "'a'");
  assert_true(neap_problem_buffer_at(problem, 1, &held));
  assert_int_equal(held.size, 10);
  assert_int_equal(held.alignment, 1);
  expect(problem, NULL);
}

int main(void) {
  static const struct CMUnitTest others[] = {
      cmocka_unit_test(separated_buffers_may_share_what_is_allowed),
      cmocka_unit_test(alignments_suit_each_other),
      cmocka_unit_test(colocated_buffers_can_be_in_different_banks),
      cmocka_unit_test(colocated_buffers_have_a_common_pool),
      cmocka_unit_test(separated_fixed_offsets_collide),
      cmocka_unit_test(fixed_offsets_collide_only_in_a_certain_pool),
      cmocka_unit_test(fixed_offsets_avoid_reserved_bytes),
      cmocka_unit_test(alignments_are_raised_within_colocations),
      cmocka_unit_test(alignments_are_raised_within_windows),
      cmocka_unit_test(sizes_are_raised_within_banks),
  };
  return sample_run("api contradictions", others, SAMPLE_COUNT(others),
                    a_contradiction_is_named, rows, SAMPLE_COUNT(rows), sizeof *rows);
}
