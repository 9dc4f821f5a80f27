/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Maximal sections of time. tests/property checks, on random problems, that they tell which
 * buffers are alive together.
 */
#include <string.h>

#include "facts/sections.h"
#include "tests/unit/sample.h"

/* One string per section: for each buffer, '#' if it has a span over it, else '.'. */
static void expect_picture(neap_problem *problem, enum sections_scope scope,
                           const char *const *pictures, size_t count) {
  struct sections sections;
  neap_error error;
  assert_ok(sections_init(&sections, problem, scope, &error), &error);
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
static void sections_are_the_maximal_sets_of_live_buffers(void **state) {
  (void)state;
  const struct sample samples[] = {{0, 4, 1, 0}, {2, 7, 1, 0}, {6, 10, 1, 0}};
  const char *const pictures[] = {"##.", ".##"};
  expect_picture(sample_problem(samples, 3), SECTIONS_ALL, pictures, 2);
}

static void sections_have_their_times(void **state) {
  (void)state;
  const struct sample samples[] = {{0, 4, 1, 0}, {2, 7, 1, 0}, {6, 10, 1, 0}};
  neap_problem *problem = sample_problem(samples, 3);
  struct sections sections;
  neap_error error;
  assert_ok(sections_init(&sections, problem, SECTIONS_ALL, &error), &error);
  assert_int_equal(sections.count, 2);
  assert_int_equal(sections.when[0].start, 2);
  assert_int_equal(sections.when[0].end, 4);
  assert_int_equal(sections.when[1].start, 6);
  assert_int_equal(sections.when[1].end, 7);
  sections_clear(&sections);
  neap_problem_free(problem);
}

static void one_moment_for_all_is_one_section(void **state) {
  (void)state;
  const struct sample samples[] = {{0, 9, 1, 0}, {3, 8, 1, 0}, {4, 5, 1, 0}, {1, 6, 1, 0}};
  const char *const pictures[] = {"####"};
  expect_picture(sample_problem(samples, 4), SECTIONS_ALL, pictures, 1);
}

static void meeting_ends_make_two_sections(void **state) {
  (void)state;
  const struct sample samples[] = {{0, 5, 1, 0}, {5, 9, 1, 0}};
  const char *const pictures[] = {"#.", ".#"};
  expect_picture(sample_problem(samples, 2), SECTIONS_ALL, pictures, 2);
}

static void a_gap_that_holds_another_lifetime_splits_the_spans(void **state) {
  (void)state;
  const neap_range ranges[] = {{0, 2}, {5, 7}};
  const char *const pictures[] = {"#.", ".#", "#."};
  neap_problem *problem = neap_problem_new();
  sample_add_gapped(problem, "gapped", ranges, 2, 1);
  sample_add(problem, "between", 3, 4, 1);
  expect_picture(problem, SECTIONS_ALL, pictures, 3);
}

static void empty_buffers_can_be_ignored(void **state) {
  (void)state;
  const struct sample samples[] = {{0, 4, 1, 0}, {2, 7, 0, 0}, {6, 10, 1, 0}};
  const char *const all[] = {"##.", ".##"}, *const nonempty[] = {"#..", "..#"};
  expect_picture(sample_problem(samples, 3), SECTIONS_ALL, all, 2);
  expect_picture(sample_problem(samples, 3), SECTIONS_NONEMPTY, nonempty, 2);
}

static void no_buffers_have_no_sections(void **state) {
  (void)state;
  const struct sample empty[] = {{0, 4, 0, 0}};
  expect_picture(neap_problem_new(), SECTIONS_ALL, NULL, 0);
  expect_picture(sample_problem(empty, 1), SECTIONS_NONEMPTY, NULL, 0);
}

static void the_ends_of_time_are_within(void **state) {
  (void)state;
  const struct sample samples[] = {{0, NEAP_MAX, 1, 0}, {NEAP_MAX - 1, NEAP_MAX, 1, 0}};
  const char *const pictures[] = {"##"};
  expect_picture(sample_problem(samples, 2), SECTIONS_ALL, pictures, 1);
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
  };
  return cmocka_run_group_tests_name("sections", tests, NULL, NULL);
}
