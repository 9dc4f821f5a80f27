/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sections of time, and columns, which also know relations. */
#include <string.h>

#include "core/random.h"
#include "facts/columns.h"
#include "tests/support/sample.h"

/* ---------------------------------------------------------------- sections of time */

/*
 * Maximal sections of time. tests/property checks, on random problems, that they tell which
 * buffers are alive together.
 */

/* One string per section: for each buffer, '#' if it has a span over it, else '.'. */
static void expect_picture(neap_problem *problem, enum sections_scope scope,
                           const char *const *pictures, size_t count) {
  struct sections sections;
  neap_error error;
  assert_ok(columns_init(&sections, problem, scope, &error), &error);
  assert_int_equal(sections.count, count);
  for (size_t section = 0; section < count; section++) {
    assert_true(sections.when[section].start < sections.when[section].end);
    if (section > 0)
      assert_true(sections.when[section - 1].end <= sections.when[section].start);
    for (size_t i = 0; i < neap_problem_count(problem); i++) {
      bool within = false;
      for (size_t s = sections_spans_begin(&sections, i); s < sections.spans_end[i]; s++)
        if (sections.spans[s].first <= section && section < sections.spans[s].end)
          within = true;
      if (within != (pictures[section][i] == '#'))
        fail_msg("section %zu, buffer %zu: expected %c", section, i, pictures[section][i]);
    }
  }
  sections_clear(&sections);
  neap_problem_free(problem);
}

/*
 *  b0 ####          Only two sections matter: [2,4), where b0 and b1 live, and [6,7), where b1
 *  b1   #####       and b2 do.  What lives at other times lives there as well.
 *  b2       ####
 *     0 2 4 6  10
 */
TEST(sections_are_the_maximal_sets_of_live_buffers) {
  const struct sample samples[] = {{0, 4, 1, 0}, {2, 7, 1, 0}, {6, 10, 1, 0}};
  const char *const pictures[] = {"##.", ".##"};
  expect_picture(sample_problem(samples, 3), SECTIONS_ALL, pictures, 2);
}

TEST(sections_have_their_times) {
  const struct sample samples[] = {{0, 4, 1, 0}, {2, 7, 1, 0}, {6, 10, 1, 0}};
  neap_problem *problem = sample_problem(samples, 3);
  struct sections sections;
  neap_error error;
  assert_ok(columns_init(&sections, problem, SECTIONS_ALL, &error), &error);
  assert_int_equal(sections.count, 2);
  assert_int_equal(sections.when[0].start, 2);
  assert_int_equal(sections.when[0].end, 4);
  assert_int_equal(sections.when[1].start, 6);
  assert_int_equal(sections.when[1].end, 7);
  sections_clear(&sections);
  neap_problem_free(problem);
}

TEST(one_moment_for_all_is_one_section) {
  const struct sample samples[] = {{0, 9, 1, 0}, {3, 8, 1, 0}, {4, 5, 1, 0}, {1, 6, 1, 0}};
  const char *const pictures[] = {"####"};
  expect_picture(sample_problem(samples, 4), SECTIONS_ALL, pictures, 1);
}

TEST(meeting_ends_make_two_sections) {
  const struct sample samples[] = {{0, 5, 1, 0}, {5, 9, 1, 0}};
  const char *const pictures[] = {"#.", ".#"};
  expect_picture(sample_problem(samples, 2), SECTIONS_ALL, pictures, 2);
}

TEST(a_gap_that_holds_another_lifetime_splits_the_spans) {
  const neap_range ranges[] = {{0, 2}, {5, 7}};
  const char *const pictures[] = {"#.", ".#", "#."};
  neap_problem *problem = neap_problem_new();
  sample_add_gapped(problem, "gapped", ranges, 2, 1);
  sample_add(problem, "between", 3, 4, 1);
  expect_picture(problem, SECTIONS_ALL, pictures, 3);
}

TEST(empty_buffers_can_be_ignored) {
  const struct sample samples[] = {{0, 4, 1, 0}, {2, 7, 0, 0}, {6, 10, 1, 0}};
  const char *const all[] = {"##.", ".##"}, *const nonempty[] = {"#..", "..#"};
  expect_picture(sample_problem(samples, 3), SECTIONS_ALL, all, 2);
  expect_picture(sample_problem(samples, 3), SECTIONS_NONEMPTY, nonempty, 2);
}

TEST(no_buffers_have_no_sections) {
  const struct sample empty[] = {{0, 4, 0, 0}};
  expect_picture(neap_problem_new(), SECTIONS_ALL, NULL, 0);
  expect_picture(sample_problem(empty, 1), SECTIONS_NONEMPTY, NULL, 0);
}

TEST(the_ends_of_time_are_within) {
  const struct sample samples[] = {{0, NEAP_MAX, 1, 0}, {NEAP_MAX - 1, NEAP_MAX, 1, 0}};
  const char *const pictures[] = {"##"};
  expect_picture(sample_problem(samples, 2), SECTIONS_ALL, pictures, 1);
}

/* ---------------------------------------------------------------- columns */

/*
 * Columns: with relations, two buffers share a section exactly if they conflict, and some
 * section is the heaviest clique.  Checked by definition, on random problems with few and with many
 * relations.
 */

#define MOST 90

/* What relates each pair, by definition. */
struct facts {
  size_t count;
  bool separated[MOST][MOST], excluded[MOST][MOST];
  neap_range life[MOST];
  neap_size size[MOST];
};

static bool do_conflict(const struct facts *facts, size_t a, size_t b) {
  bool alive =
      facts->life[a].start < facts->life[b].end && facts->life[b].start < facts->life[a].end;
  if (facts->size[a] == 0 || facts->size[b] == 0) return false;
  return facts->separated[a][b] || (alive && !facts->excluded[a][b]);
}

static bool share_section(const struct sections *sections, size_t a, size_t b) {
  struct common common = sections_common(sections, a, b);
  struct span run;
  return common_next(&common, &run);
}

static void relate(neap_problem *problem, neap_relation_kind kind, size_t a, size_t b) {
  neap_relation relation = {
      .struct_size = sizeof(neap_relation), .kind = kind, .first = a, .second = b};
  neap_error error;
  assert_ok(neap_problem_relate(problem, &relation, &error), &error);
}

/* Each pair is separated or excluded with a chance of so many percent. */
static neap_problem *draw(struct random *random, size_t count, unsigned percent,
                          struct facts *facts) {
  neap_problem *problem = neap_problem_new();
  neap_error error;
  *facts = (struct facts){.count = count};
  for (size_t i = 0; i < count; i++) {
    char name[24];
    snprintf(name, sizeof name, "b%zu", i);
    neap_time start = (neap_time)random_below(random, 12);
    facts->life[i] = (neap_range){start, start + 1 + (neap_time)random_below(random, 6)};
    facts->size[i] = (neap_size)random_below(random, 9);
    assert_ok(neap_problem_add_simple(problem, name, facts->size[i], start, facts->life[i].end,
                                      &error),
              &error);
  }
  for (size_t a = 0; a < count; a++)
    for (size_t b = a + 1; b < count; b++) {
      if (random_below(random, 100) >= percent) continue;
      bool separated = random_below(random, 2) == 0;
      relate(problem, separated ? NEAP_SEPARATION : NEAP_EXCLUSION, a, b);
      facts->separated[a][b] = facts->separated[b][a] = separated;
      facts->excluded[a][b] = facts->excluded[b][a] = !separated;
    }
  return problem;
}

static void expect_conflicts(const neap_problem *problem, const struct facts *facts) {
  struct sections sections;
  neap_error error;
  assert_ok(columns_init(&sections, problem, SECTIONS_NONEMPTY, &error), &error);
  for (size_t a = 0; a < facts->count; a++)
    for (size_t b = 0; b < a; b++)
      assert_int_equal(share_section(&sections, a, b), do_conflict(facts, a, b));
  sections_clear(&sections);
}

static void check_random(size_t count, unsigned percent, uint64_t seeds) {
  static struct facts facts;
  for (uint64_t seed = 0; seed < seeds; seed++) {
    struct random random;
    assert_true(random_init(&random, seed));
    neap_problem *problem = draw(&random, count, percent, &facts);
    expect_conflicts(problem, &facts);
    neap_problem_free(problem);
    random_clear(&random);
  }
}

TEST(few_buffers_share_a_column_if_they_conflict) {
  check_random(6, 30, 300);
}

/* So many maximal sets that columns are chosen greedily. */
TEST(many_buffers_share_a_column_if_they_conflict) {
  check_random(MOST, 5, 4);
  check_random(MOST, 40, 2);
}

/* The largest sum of sizes of buffers that conflict in pairs, among those from `next` on. */
static neap_size heaviest(const struct facts *facts, const size_t *chosen, size_t count,
                          size_t next) {
  if (next == facts->count) return 0;
  neap_size without = heaviest(facts, chosen, count, next + 1);
  size_t more[MOST];
  for (size_t i = 0; i < count; i++) {
    if (!do_conflict(facts, chosen[i], next)) return without;
    more[i] = chosen[i];
  }
  more[count] = next;
  neap_size with = facts->size[next] + heaviest(facts, more, count + 1, next + 1);
  return with > without ? with : without;
}

TEST(some_column_is_the_heaviest_clique) {
  static struct facts facts;
  for (uint64_t seed = 0, tries = sample_tries(400); seed < tries; seed++) {
    struct random random;
    assert_true(random_init(&random, seed));
    neap_problem *problem =
        draw(&random, 4 + seed % 12, 10 + (unsigned)(seed % 5) * 20, &facts);
    const neap_bound bound = sample_bound(problem);
    assert_int_equal(bound.lower_bound, heaviest(&facts, NULL, 0, 0));
    neap_problem_free(problem);
    random_clear(&random);
  }
}

/* Pairs that are alive together, and the first of them separated from each other. */
TEST(large_problems_have_a_heavy_clique) {
  enum { COUNT = 3000, CLIQUE = 40 };
  neap_problem *problem = neap_problem_new();
  neap_error error;
  for (size_t i = 0; i < COUNT; i++) {
    char name[24];
    snprintf(name, sizeof name, "b%zu", i);
    neap_time start = (neap_time)(i / 2);
    assert_ok(
        neap_problem_add_simple(problem, name, i < CLIQUE ? 100 : 60, start, start + 1, &error),
        &error);
  }
  for (size_t i = 0; i < COUNT; i += 7)
    relate(problem, NEAP_SEPARATION, i, (i + 700) % COUNT);
  for (size_t a = 0; a < CLIQUE; a++)
    for (size_t b = a + 2 - a % 2; b < CLIQUE; b++)
      relate(problem, NEAP_SEPARATION, a, b);
  const neap_bound bound = sample_bound(problem);
  assert_int_equal(bound.lower_bound, 100 * CLIQUE);
  neap_problem_free(problem);
}

/* Buffers colocated at different bytes stay in one column, others do not. */
TEST(colocated_buffers_share_a_column_unless_they_share_bytes) {
  static const struct sample samples[] = {{0, 4, 8, 0}, {0, 4, 4, 0}, {0, 4, 4, 0}};
  neap_relation low = {sizeof(neap_relation), NEAP_COLOCATION, 0, 1, 0, NULL},
                high = {sizeof(neap_relation), NEAP_COLOCATION, 0, 2, 4, NULL};
  neap_problem *problem = sample_problem(samples, 3);
  struct sections sections;
  neap_error error;
  assert_ok(neap_problem_relate(problem, &low, &error), &error);
  assert_ok(neap_problem_relate(problem, &high, &error), &error);
  assert_ok(columns_init(&sections, problem, SECTIONS_NONEMPTY, &error), &error);
  assert_false(share_section(&sections, 0, 1));
  assert_false(share_section(&sections, 0, 2));
  assert_true(share_section(&sections, 1, 2));
  sections_clear(&sections);
  neap_problem_free(problem);
}

TEST(too_many_exclusions_at_one_moment_are_an_error) {
  neap_problem *problem = neap_problem_new();
  neap_error error;
  neap_bound bound = NEAP_INIT(neap_bound);
  for (size_t i = 0; i < 1026; i++) {
    char name[24];
    snprintf(name, sizeof name, "b%zu", i);
    assert_ok(neap_problem_add_simple(problem, name, 8, 0, 1, &error), &error);
  }
  for (size_t i = 0; i < 1026; i += 2)
    relate(problem, NEAP_EXCLUSION, i, i + 1);
  assert_error(neap_problem_bound(problem, &bound, &error), NEAP_ERROR_INPUT, &error);
  assert_says(&error, "1024");
  neap_problem_free(problem);
}

/*
 * At each of many moments another crowd of 640 buffers, each excluded by the next one.  One crowd
 * is little work; all of them together are too much.
 */
TEST(too_many_crowds_are_an_error) {
  enum { LONG = 640, SHORT = 200 };
  neap_problem *problem = neap_problem_new();
  neap_error error;
  neap_bound bound = NEAP_INIT(neap_bound);
  for (size_t i = 0; i < LONG + SHORT; i++) {
    char name[24];
    snprintf(name, sizeof name, "b%zu", i);
    neap_time start = i < LONG ? 0 : (neap_time)(2 * (i - LONG));
    neap_time end = i < LONG ? 2 * SHORT : start + 1;
    assert_ok(neap_problem_add_simple(problem, name, 8, start, end, &error), &error);
  }
  for (size_t i = 0; i < LONG + SHORT; i++)
    if (i != LONG - 1)
      relate(problem, NEAP_EXCLUSION, i < LONG ? i : i - LONG, i < LONG ? i + 1 : i);
  assert_error(neap_problem_bound(problem, &bound, &error), NEAP_ERROR_INPUT, &error);
  assert_says(&error, "too many in total");
  neap_problem_free(problem);
}

/* Related buffers ask the budget, also before there is any plan. */
TEST(a_budget_ends_the_columns) {
  static const struct sample two[] = {{0, 2, 8, 0}, {1, 3, 8, 0}};
  neap_problem *problem = sample_problem(two, 2);
  struct sections sections;
  struct budget budget;
  neap_error error;
  relate(problem, NEAP_EXCLUSION, 0, 1);
  budget_init(&budget, 0, 0);
  assert_ok(columns_init_within(&sections, problem, SECTIONS_ALL, &budget, &error), &error);
  sections_clear(&sections);
  budget_cancel(&budget);
  assert_error(columns_init_within(&sections, problem, SECTIONS_ALL, &budget, &error),
               NEAP_NO_PLAN, &error);
  assert_says(&error, "stopped");
  assert_null(sections.spans);
  neap_problem_free(problem);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sections_are_the_maximal_sets_of_live_buffers),
      cmocka_unit_test(sections_have_their_times),
      cmocka_unit_test(one_moment_for_all_is_one_section),
      cmocka_unit_test(meeting_ends_make_two_sections),
      cmocka_unit_test(a_gap_that_holds_another_lifetime_splits_the_spans),
      cmocka_unit_test(empty_buffers_can_be_ignored),
      cmocka_unit_test(no_buffers_have_no_sections),
      cmocka_unit_test(the_ends_of_time_are_within),
      cmocka_unit_test(few_buffers_share_a_column_if_they_conflict),
      cmocka_unit_test(many_buffers_share_a_column_if_they_conflict),
      cmocka_unit_test(some_column_is_the_heaviest_clique),
      cmocka_unit_test(large_problems_have_a_heavy_clique),
      cmocka_unit_test(colocated_buffers_share_a_column_unless_they_share_bytes),
      cmocka_unit_test(too_many_exclusions_at_one_moment_are_an_error),
      cmocka_unit_test(too_many_crowds_are_an_error),
      cmocka_unit_test(a_budget_ends_the_columns),
  };
  return cmocka_run_group_tests_name("sections", tests, NULL, NULL);
}
