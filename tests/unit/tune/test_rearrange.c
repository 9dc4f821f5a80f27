/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The ways to find the next order of a group. */
#include <string.h>

#include "tests/support/sample.h"
#include "tune/rearrange.h"

#define COUNT 5

/*
 * A group of five buffers that are alive at once; they are not the first buffers of the
 * problem.
 */
static const size_t members[COUNT] = {6, 2, 5, 1, 3};

struct group {
  neap_problem *problem;
  neap_offset offsets[7];
  size_t last[COUNT], best[COUNT], next[COUNT];
  struct random random;
  struct trial trial;
};

static void group_init(struct group *group, size_t count) {
  static const struct sample samples[] = {{0, 9, 1, 0}, {0, 8, 3, 0}, {1, 9, 9, 0},
                                          {2, 9, 2, 0}, {0, 9, 1, 0}, {3, 6, 4, 0},
                                          {1, 7, 9, 0}};
  *group = (struct group){.problem = sample_problem(samples, SAMPLE_COUNT(samples))};
  assert_true(random_init(&group->random, 7));
  memcpy(group->last, members, sizeof members);
  memcpy(group->best, members, sizeof members);
  group->trial = (struct trial){.problem = group->problem,
                                .offsets = group->offsets,
                                .bound = 20,
                                .count = count,
                                .sorted = members,
                                .last = group->last,
                                .best = group->best,
                                .tried = 1,
                                .cap = 1000,
                                .random = &group->random};
}

static void group_clear(struct group *group) {
  random_clear(&group->random);
  neap_problem_free(group->problem);
}

static const struct rearranger *find_rearranger(const char *name) {
  for (size_t i = 0; rearranger_at(i); i++)
    if (strcmp(rearranger_at(i)->name, name) == 0) return rearranger_at(i);
  fail_msg("there is no rearranger \"%s\"", name);
  return NULL;
}

/* Proposes once; the proposal must be a permutation of the members. */
static bool propose(struct group *group, const char *way) {
  if (!find_rearranger(way)->propose(&group->trial, group->next)) return false;
  for (size_t i = 0; i < group->trial.count; i++) {
    size_t times = 0;
    for (size_t j = 0; j < group->trial.count; j++)
      times += group->next[j] == members[i];
    assert_int_equal(times, 1);
  }
  return true;
}

/* Marks the proposal as tried, without improvement. */
static void accept(struct group *group) {
  memcpy(group->last, group->next, sizeof group->last);
  group->trial.tried++;
}

static void expect_next(const struct group *group, const size_t *wanted) {
  for (size_t i = 0; i < group->trial.count; i++)
    assert_int_equal(group->next[i], wanted[i]);
}

/* ---------------------------------------------------------------- the table */

TEST(the_table_begins_with_the_default) {
  size_t count = 0;
  for (; rearranger_at(count); count++) {
    assert_ptr_equal(find_rearranger(rearranger_at(count)->name), rearranger_at(count));
    assert_true(rearranger_at(count)->summary[0] != '\0');
  }
  assert_int_equal(count, 7);
  assert_string_equal(rearranger_at(0)->name, "repack");
  assert_string_equal(rearranger_at(rearranger_index_of_orders())->name, "auto");
}

/* ---------------------------------------------------------------- offenders and top */

/* With a bound of 20: buffers 2, 1 and 3 end at 21, 25 and 22. */
static void lift_some(struct group *group) {
  group->offsets[6] = 0;
  group->offsets[2] = 12;
  group->offsets[5] = 16;
  group->offsets[1] = 22;
  group->offsets[3] = 20;
}

TEST(offenders_go_to_the_front_and_keep_their_order) {
  struct group group;
  group_init(&group, COUNT);
  lift_some(&group);
  assert_true(propose(&group, "offenders"));
  expect_next(&group, (const size_t[]){2, 1, 3, 6, 5});
  group_clear(&group);
}

TEST(top_moves_the_highest_alone) {
  struct group group;
  group_init(&group, COUNT);
  lift_some(&group);
  assert_true(propose(&group, "top"));
  expect_next(&group, (const size_t[]){1, 6, 2, 5, 3});
  group_clear(&group);
}

/* They continue from the order tried last. */
TEST(the_last_order_is_rearranged) {
  static const size_t last[COUNT] = {3, 5, 6, 1, 2};
  struct group group;
  group_init(&group, COUNT);
  memcpy(group.last, last, sizeof last);
  lift_some(&group);
  assert_true(propose(&group, "offenders"));
  expect_next(&group, (const size_t[]){3, 1, 2, 5, 6});
  assert_true(propose(&group, "top"));
  expect_next(&group, (const size_t[]){1, 3, 5, 6, 2});
  group_clear(&group);
}

/* No member ends above the bound, so other groups are the cause and nothing moves. */
TEST(without_an_offender_nothing_moves) {
  static const char *const ways[] = {"offenders", "top"};
  struct group group;
  group_init(&group, COUNT);
  for (size_t i = 0; i < SAMPLE_COUNT(ways); i++)
    if (propose(&group, ways[i])) expect_next(&group, members);
  group_clear(&group);
}

/* ---------------------------------------------------------------- exhaustive */

/*
 * Proposes until there is nothing more; each order must be new. Returns the number of orders,
 * including the first.
 */
static size_t exhaust(struct group *group) {
  size_t seen[150][COUNT], count = 1, width = group->trial.count * sizeof **seen;
  memcpy(seen[0], members, width);
  for (; propose(group, "exhaustive"); accept(group)) {
    for (size_t i = 0; i < count; i++)
      assert_memory_not_equal(seen[i], group->next, width);
    assert_true(count < SAMPLE_COUNT(seen));
    memcpy(seen[count++], group->next, width);
  }
  return count;
}

TEST(exhaustive_tries_every_order_once) {
  static const size_t orders[] = {1, 2, 6, 24, 120};
  for (size_t count = 1; count <= COUNT; count++) {
    struct group group;
    group_init(&group, count);
    assert_int_equal(exhaust(&group), orders[count - 1]);
    group_clear(&group);
  }
}

TEST(exhaustive_knows_whether_it_fits) {
  struct group group;
  group_init(&group, COUNT);
  group.trial.cap = 120;
  assert_true(exhaustive_fits(&group.trial));
  group.trial.cap = 119;
  assert_false(exhaustive_fits(&group.trial));
  group.trial.count = 4000; /* too many orders to count */
  group.trial.cap = UINT64_MAX;
  assert_false(exhaustive_fits(&group.trial));
  group_clear(&group);
}

/* ---------------------------------------------------------------- metrics and search */

static bool is_sorted_by(const struct group *group,
                         neap_size value(const neap_buffer *buffer)) {
  for (size_t i = 1; i < COUNT; i++) {
    neap_buffer before = NEAP_INIT(neap_buffer), here = NEAP_INIT(neap_buffer);
    neap_problem_buffer_at(group->problem, group->next[i - 1], &before);
    neap_problem_buffer_at(group->problem, group->next[i], &here);
    if (value(&before) < value(&here)) return false;
  }
  return true;
}

static neap_size size_of(const neap_buffer *buffer) { return buffer->size; }

static neap_size duration_of(const neap_buffer *buffer) {
  return buffer->ranges[0].end - buffer->ranges[0].start;
}

TEST(metrics_sorts_by_one_after_the_other) {
  struct group group;
  bool by_size = false, by_duration = false;
  int proposals = 0;
  group_init(&group, COUNT);
  for (; proposals < 100 && propose(&group, "metrics"); proposals++, accept(&group)) {
    by_size |= is_sorted_by(&group, size_of);
    by_duration |= is_sorted_by(&group, duration_of);
  }
  assert_true(by_size && by_duration);
  assert_in_range(proposals, 2, 99); /* the metrics run out */
  group_clear(&group);
}

/* The number of members that have moved, not counting the longest run that kept its order. */
static size_t moved(const size_t *from, const size_t *to) {
  size_t longest = 0;
  for (unsigned kept = 0; kept < 1u << COUNT; kept++) {
    size_t count = 0, at = 0;
    for (size_t i = 0; i < COUNT; i++) {
      if (!(kept >> i & 1)) continue;
      while (at < COUNT && to[at] != from[i])
        at++;
      count += at++ < COUNT;
    }
    if (count > longest) longest = count;
  }
  return COUNT - longest;
}

TEST(search_moves_one_or_two_of_the_best) {
  static const size_t best[COUNT] = {1, 2, 3, 5, 6};
  struct group group;
  bool changed = false;
  group_init(&group, COUNT);
  memcpy(group.best, best, sizeof best);
  for (int i = 0; i < 200; i++, accept(&group)) {
    assert_true(propose(&group, "search"));
    assert_in_range(moved(best, group.next), 0, 2);
    changed |= memcmp(best, group.next, sizeof best) != 0;
  }
  assert_true(changed);
  group_clear(&group);
}

TEST(a_seed_repeats_a_search) {
  struct group one, other;
  group_init(&one, COUNT);
  group_init(&other, COUNT);
  for (int i = 0; i < 50; i++) {
    assert_true(propose(&one, "search") && propose(&other, "search"));
    expect_next(&one, other.next);
    accept(&one);
    accept(&other);
  }
  group_clear(&one);
  group_clear(&other);
}

/* One member has one order: every way may say so or propose it, but must not fail. */
TEST(a_group_of_one_is_handled) {
  for (size_t way = 0; rearranger_at(way); way++) {
    struct group group;
    if (rearranger_at(way)->repacks) continue; /* it makes layouts, not proposals */
    group_init(&group, 1);
    for (int i = 0; i < 5 && propose(&group, rearranger_at(way)->name); i++) {
      expect_next(&group, members);
      accept(&group);
    }
    group_clear(&group);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_table_begins_with_the_default),
      cmocka_unit_test(offenders_go_to_the_front_and_keep_their_order),
      cmocka_unit_test(top_moves_the_highest_alone),
      cmocka_unit_test(the_last_order_is_rearranged),
      cmocka_unit_test(without_an_offender_nothing_moves),
      cmocka_unit_test(exhaustive_tries_every_order_once),
      cmocka_unit_test(exhaustive_knows_whether_it_fits),
      cmocka_unit_test(metrics_sorts_by_one_after_the_other),
      cmocka_unit_test(search_moves_one_or_two_of_the_best),
      cmocka_unit_test(a_seed_repeats_a_search),
      cmocka_unit_test(a_group_of_one_is_handled),
  };
  return cmocka_run_group_tests_name("rearrange", tests, NULL, NULL);
}
