/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pages: a plan is read back as written, whatever its names contain; broken pages are refused. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "neap/planner.h"
#include "tests/support/files.h"

#define LONG_NAME 10240

/* ---------------------------------------------------------------- plans with names */

static void add_named(neap_problem *problem, const char *name, const char *hint) {
  static const neap_range ranges[] = {{0, 3}, {5, 9}};
  neap_buffer buffer = NEAP_BUFFER_INIT;
  neap_error error;
  buffer.name = name;
  buffer.hint = hint;
  buffer.size = 64;
  buffer.ranges = ranges;
  buffer.range_count = 1 + neap_problem_count(problem) % 2;
  assert_ok(neap_problem_add(problem, &buffer, &error), &error);
}

/* What could end a block, begin a comment, or break a line of a script. */
static neap_problem *nasty(void) {
  static const char *const names[] = {"</script>",
                                      "<script>alert(1)</script>",
                                      "<!--",
                                      "-->]]>",
                                      "\"quoted\" 'twice' \\ back",
                                      "line\xe2\x80\xa8separator\xe2\x80\xa9",
                                      "&lt;&amp;",
                                      "new\nline\ttab \x01",
                                      "\xf0\x9f\x8c\x8a <",
                                      "\\u003c/script>",
                                      "${x}`"};
  char *name = malloc(LONG_NAME + 1);
  assert_non_null(name);
  for (size_t i = 0; i < LONG_NAME; i++)
    name[i] = "<\"ab"[i % 4];
  name[LONG_NAME] = '\0';
  neap_problem *problem = neap_problem_new();
  assert_non_null(problem);
  for (size_t i = 0; i < SAMPLE_COUNT(names); i++)
    add_named(problem, names[i], i % 3 == 0 ? names[i] : NULL);
  add_named(problem, name, NULL);
  free(name);
  return problem;
}

static void write_page(const neap_plan *plan, const neap_plan *other, const char *path) {
  neap_error error;
  const neap_writing drawing = {
      .struct_size = sizeof(neap_writing), .format = "html", .other = other};
  assert_ok(neap_plan_write(plan, path, &drawing, &error), &error);
}

static size_t occurrences(const char *text, const char *word) {
  size_t count = 0;
  for (; (text = strstr(text, word)); text += strlen(word))
    count++;
  return count;
}

TEST(a_page_round_trips) {
  neap_problem *problem = nasty();
  neap_plan *plan = files_solve(problem);
  neap_error error;
  assert_ok(neap_plan_set_base(plan, 0x20000000, &error), &error);
  write_page(plan, NULL, "page.html");
  files_write_plan(plan, "plan.json");
  neap_plan *back = files_read_plan("page.html");
  files_write_plan(back, "back.json");
  files_expect_same("plan.json", "back.json");
  neap_plan_free(back);
  neap_problem *again = files_read("page.html");
  assert_int_equal(neap_problem_count(again), neap_problem_count(problem));
  neap_problem_free(again);
  neap_plan_free(plan);
  neap_problem_free(problem);
}

/* No name ends a block of the page; the only address in it is the name of SVG's namespace, which
 * nothing loads. */
TEST(names_cannot_inject_markup) {
  neap_problem *problem = nasty();
  neap_plan *plan = files_solve(problem);
  for (size_t plans = 1; plans <= 2; plans++) {
    write_page(plan, plans == 2 ? plan : NULL, "page.html");
    char *text = files_text("page.html");
    assert_int_equal(occurrences(text, "</script"), 1 + plans);
    assert_int_equal(occurrences(text, "<script"), 1 + plans);
    assert_int_equal(occurrences(text, "<!--"), 0);
    assert_int_equal(occurrences(text, "id=\"other\""), plans - 1);
    assert_int_equal(occurrences(text, "://"),
                     occurrences(text, "xmlns: 'http://www.w3.org/2000/svg'"));
    assert_int_equal(occurrences(text, "default-src 'none'"), 1);
    assert_int_equal(strncmp(text, "<!doctype html>\n", 16), 0);
    free(text);
  }
  neap_plan_free(plan);
  neap_problem_free(problem);
}

TEST(a_page_is_known_by_its_content) {
  neap_problem *problem = nasty();
  neap_plan *plan = files_solve(problem);
  write_page(plan, NULL, "page.of-a-plan");
  neap_plan *back = files_read_plan("page.of-a-plan");
  assert_int_equal(neap_problem_count(neap_plan_problem(back)), neap_problem_count(problem));
  neap_plan_free(back);
  neap_plan_free(plan);
  neap_problem_free(problem);
}

TEST(an_empty_plan_has_a_page) {
  neap_problem *problem = neap_problem_new();
  neap_plan *plan = files_solve(problem);
  write_page(plan, NULL, "page.html");
  neap_plan *back = files_read_plan("page.html");
  assert_int_equal(neap_problem_count(neap_plan_problem(back)), 0);
  neap_plan_free(back);
  neap_plan_free(plan);
  neap_problem_free(problem);
}

/* The page states the fault as text beside the plan. */
TEST(a_page_of_an_unsound_plan_states_the_fault) {
  static const neap_offset offsets[] = {0, 3};
  neap_problem *problem = neap_problem_new();
  sample_add(problem, "a\"><b>&", 0, 2, 4);
  sample_add(problem, "b", 1, 3, 4);
  neap_plan *plan = sample_plan(problem, offsets);
  write_page(plan, NULL, "page.html");
  char *text = files_text("page.html");
  assert_int_equal(occurrences(text, "data-fault=\""), 1);
  assert_int_equal(occurrences(text, "'a&quot;&gt;&lt;b&gt;&amp;' and 'b' share bytes"), 1);
  free(text);
  neap_plan_free(plan);
  neap_problem_free(problem);
}

/* ---------------------------------------------------------------- broken pages */

static void refuse(const char *path, const char *words) {
  neap_plan *plan;
  neap_error error;
  assert_error(neap_plan_read(path, NULL, &plan, &error), NEAP_ERROR_INPUT, &error);
  assert_says(&error, words);
  assert_string_equal(error.source, path);
  assert_int_equal(neap_plan_read(path, NULL, &plan, NULL), NEAP_ERROR_INPUT);
}

/* Cut anywhere before the block's end, a page gives one clear error. */
TEST(a_truncated_page_is_refused) {
  neap_problem *problem = nasty();
  neap_plan *plan = files_solve(problem);
  write_page(plan, NULL, "page.html");
  char *text = files_text("page.html");
  char *block = strchr(strstr(text, "id=\"plan\""), '>'), *end = strstr(block, "</script>");
  size_t begin = (size_t)(block - text) + 1, stop = (size_t)(end - text);
  for (size_t size = 0; size <= stop; size += size < begin - 100 ? 1000 : 61) {
    char kept = text[size];
    text[size] = '\0';
    files_make("cut.html", text);
    text[size] = kept;
    refuse("cut.html", size < begin ? "<script id=\"plan\">" : "no </script> after the plan");
  }
  free(text);
  neap_plan_free(plan);
  neap_problem_free(problem);
}

/* The line of a fault is the page's. */
TEST(a_fault_has_its_line) {
  static const char head[] =
      "<!doctype html>\n<p>\n<script id=\"plan\">\n{\"format\": \"neap-plan\",";
  static const struct {
    const char *rest, *words;
    size_t line;
  } cases[] = {
      {"\n\"version\": 1,\n\"buffers\": [\n{\"name\": 7}]}\n</script>", "name", 7},
      {"\n\"version\": 1,\n\"buffers\": [], }\n</script>", "not valid JSON", 6},
      {"</script>", "not valid JSON", 4},
  };
  for (size_t i = 0; i < SAMPLE_COUNT(cases); i++) {
    char text[400];
    neap_plan *plan;
    neap_error error;
    snprintf(text, sizeof text, "%s%s", head, cases[i].rest);
    files_make("page.html", text);
    refuse("page.html", cases[i].words);
    neap_plan_read("page.html", NULL, &plan, &error);
    assert_int_equal(error.line, cases[i].line);
  }
}

TEST(a_page_without_a_plan_is_refused) {
  files_make("page.html", "<!DOCTYPE HTML>\n<script id=\"other\">{}</script><script>");
  refuse("page.html", "not a page with a plan");
}

/* ---------------------------------------------------------------- writing */

TEST(a_full_device_is_reported) {
  if (access("/dev/full", W_OK) != 0) skip();
  neap_problem *problem = nasty();
  neap_plan *plan = files_solve(problem);
  neap_error error;
  assert_error(
      neap_plan_write(plan, "/dev/full",
                      &(neap_writing){.struct_size = sizeof(neap_writing), .format = "html"},
                      &error),
      NEAP_ERROR_SYSTEM, &error);
  assert_string_equal(error.source, "/dev/full");
  assert_int_equal(
      neap_plan_write(plan, "/dev/full",
                      &(neap_writing){.struct_size = sizeof(neap_writing), .format = "html"},
                      NULL),
      NEAP_ERROR_SYSTEM);
  neap_plan_free(plan);
  neap_problem_free(problem);
}

TEST(pages_hold_plans_not_problems) {
  neap_problem *problem = nasty();
  neap_error error;
  assert_error(neap_problem_write(problem, "page.html", NULL, &error), NEAP_ERROR_FORMAT,
               &error);
  assert_int_not_equal(access("page.html", F_OK), 0);
  neap_problem_free(problem);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      FILES_CASE(a_page_round_trips),
      FILES_CASE(names_cannot_inject_markup),
      FILES_CASE(a_page_is_known_by_its_content),
      FILES_CASE(an_empty_plan_has_a_page),
      FILES_CASE(a_page_of_an_unsound_plan_states_the_fault),
      FILES_CASE(a_truncated_page_is_refused),
      FILES_CASE(a_fault_has_its_line),
      FILES_CASE(a_page_without_a_plan_is_refused),
      FILES_CASE(a_full_device_is_reported),
      FILES_CASE(pages_hold_plans_not_problems),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
