/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which format a file has, and what becomes of files that fail. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/api/files.h"

/* ---------------------------------------------------------------- which format */

static void formats_are_listed(void **state) {
  (void)state;
  static const char *const names[] = {"csv",    "ops",  "json", "dot",
                                      "tflite", "onnx", "html", "table"};
  neap_format_info info;
  for (size_t i = 0; i < SAMPLE_COUNT(names); i++) {
    assert_true(neap_format_at(i, &info));
    assert_string_equal(info.name, names[i]);
    assert_int_equal(info.extension[0], '.');
    assert_true(strlen(info.summary) > 0);
  }
  assert_false(neap_format_at(SAMPLE_COUNT(names), &info));
}

static void content_tells_where_the_ending_does_not(void **state) {
  (void)state;
  static const struct {
    const char *path, *text;
  } files[] = {
      {"csv", "id,lower,upper,size\na,0,1,8\n"},
      {"csv.txt", "\xef\xbb\xbfid,lower,upper,size\na,0,1,8\n"},
      {"UPPER.CSV", "id,lower,upper,size\na,0,1,8\n"},
      {"ops.data", "name,type,size\na,alloc,8\n"},
      {"bom.ops", "\xef\xbb\xbfname,type,size\na,alloc,8\n"},
      {".csv", "name,type,size\na,alloc,8\n"}, /* a name, not an ending */
      {"json", "\n {\"format\":\"neap-problem\",\"version\":1,\"buffers\":[{\"name\":\"a\","
               "\"size\":8,\"lifetimes\":[[0,1]]}]}"},
      {"bom.json", "\xef\xbb\xbf{\"format\":\"neap-problem\",\"version\":1,\"buffers\":[{"
                   "\"name\":\"a\",\"size\":8,\"lifetimes\":[[0,1]]}]}"},
  };
  for (size_t i = 0; i < SAMPLE_COUNT(files); i++) {
    files_make(files[i].path, files[i].text);
    neap_problem *problem = files_read(files[i].path);
    neap_buffer buffer;
    assert_int_equal(neap_problem_count(problem), 1);
    neap_problem_buffer_at(problem, 0, &buffer);
    assert_string_equal(buffer.name, "a");
    assert_int_equal(buffer.size, 8);
    neap_problem_free(problem);
    assert_int_equal(unlink(files[i].path), 0);
  }
}

static void standard_input_is_read(void **state) {
  (void)state;
  files_make("a", "name,type,size\na,alloc,8\n");
  assert_non_null(freopen("a", "r", stdin));
  neap_problem *problem = files_read("-");
  assert_int_equal(neap_problem_horizon(problem), 1);
  neap_problem_free(problem);
  files_make("a", "id,lower,upper,size\na,0,0,8\n");
  assert_non_null(freopen("a", "r", stdin));
  neap_error error;
  assert_int_equal(neap_problem_read("-", NEAP_FORMAT_CSV, NULL, &problem, &error),
                   NEAP_ERROR_INPUT);
  assert_string_equal(error.source, "standard input");
  assert_non_null(freopen("/dev/null", "r", stdin));
}

static void the_format_asked_for_prevails(void **state) {
  (void)state;
  files_make("a.json", "id,lower,upper,size\na,0,1,8\n");
  neap_problem *problem;
  neap_error error;
  assert_ok(neap_problem_read("a.json", NEAP_FORMAT_CSV, NULL, &problem, &error), &error);
  assert_ok(neap_problem_write(problem, "b.json", NEAP_FORMAT_CSV, &error), &error);
  files_expect("b.json", "id,lower,upper,size\na,0,1,8\n");
  neap_problem_free(problem);
  assert_int_equal(neap_problem_read("a.json", NEAP_FORMAT_AUTO, NULL, &problem, &error),
                   NEAP_ERROR_INPUT);
  assert_string_equal(error.source, "a.json");
}

/* ---------------------------------------------------------------- options of reading */

static void keep_warning(const neap_error *warning, void *user) {
  neap_error *kept = user;
  assert_int_equal(kept->text[0], 0); /* one for all columns */
  *kept = *warning;
}

static void warnings_are_handed_over(void **state) {
  (void)state;
  neap_problem *problem;
  neap_plan *plan;
  neap_error error, warning = {.text = ""};
  const neap_reading reading = {.warn = keep_warning, .warn_user = &warning};
  files_make("wide.csv", "id,lower,upper,size,offset,x,y\na,0,1,8,0,,\n");
  assert_ok(neap_problem_read("wide.csv", NEAP_FORMAT_AUTO, &reading, &problem, &error),
            &error);
  neap_problem_free(problem);
  assert_string_equal(warning.source, "wide.csv");
  assert_int_equal(warning.line, 1);
  assert_int_equal(warning.column, 28);
  assert_says(&warning, "'x', 'y'");
  warning = (neap_error){.text = ""};
  assert_ok(neap_plan_read("wide.csv", NEAP_FORMAT_AUTO, &reading, &plan, &error), &error);
  neap_plan_free(plan);
  assert_says(&warning, "'x', 'y'");
  assert_ok(neap_plan_read("wide.csv", NEAP_FORMAT_AUTO, NULL, &plan, &error), &error);
  neap_plan_free(plan);
}

static void options_that_do_not_apply_are_errors(void **state) {
  (void)state;
  static const neap_dimension dimension = {"N", 1};
  static const neap_column column = {"id", "id"};
  static const neap_reading readings[] = {{.schedule = NEAP_SCHEDULE_MIN_PEAK},
                                          {.liveness = {.in_place = true}},
                                          {.liveness = {.keep_all = true}},
                                          {.dimensions = &dimension, .dimension_count = 1},
                                          {.dot_size = "bytes"},
                                          {.dot_order = "id"},
                                          {.columns = &column, .column_count = 1},
                                          {.inclusive = true}};
  neap_problem *problem;
  neap_error error;
  files_make("a.json", "{\"format\": \"neap-problem\", \"version\": 1, \"buffers\": []}");
  for (size_t i = 0; i < SAMPLE_COUNT(readings); i++) {
    assert_error(neap_problem_read("a.json", NEAP_FORMAT_AUTO, &readings[i], &problem, &error),
                 NEAP_ERROR_ARGUMENT, &error);
    assert_string_equal(error.source, "a.json");
  }
}

/* ---------------------------------------------------------------- what cannot be */

static void expect_unreadable(const char *path, neap_format format, neap_status wanted) {
  neap_problem *problem;
  neap_plan *plan;
  neap_error error;
  assert_int_equal(neap_problem_read(path, format, NULL, &problem, &error), wanted);
  assert_int_equal(neap_plan_read(path, format, NULL, &plan, &error), wanted);
  if (wanted != NEAP_ERROR_ARGUMENT) assert_string_equal(error.source, path);
  assert_true(strlen(error.text) > 0);
  assert_int_equal(neap_problem_read(path, format, NULL, &problem, NULL), wanted);
}

static void what_cannot_be_read_is_an_error(void **state) {
  (void)state;
  assert_int_equal(mkdir("folder.csv", 0777), 0);
  files_make("plan.txt", "a table for people\n");
  expect_unreadable("missing.csv", NEAP_FORMAT_AUTO, NEAP_ERROR_SYSTEM);
  expect_unreadable("folder.csv", NEAP_FORMAT_AUTO, NEAP_ERROR_SYSTEM);
  expect_unreadable("plan.txt", NEAP_FORMAT_AUTO, NEAP_ERROR_INPUT);
  expect_unreadable("plan.txt", NEAP_FORMAT_TABLE, NEAP_ERROR_INPUT);
  expect_unreadable("plan.txt", (neap_format)77, NEAP_ERROR_ARGUMENT);
  files_make("a.ops", "name,type,size\na,alloc,8\n");
  neap_plan *plan;
  neap_error error;
  assert_int_equal(neap_plan_read("a.ops", NEAP_FORMAT_AUTO, NULL, &plan, &error),
                   NEAP_ERROR_INPUT);
  if (geteuid() == 0) return; /* whom no mode keeps out */
  files_make("secret.csv", "id,lower,upper,size\n");
  assert_int_equal(chmod("secret.csv", 0), 0);
  expect_unreadable("secret.csv", NEAP_FORMAT_AUTO, NEAP_ERROR_SYSTEM);
}

/* More than streams keep in memory before they write. */
static neap_problem *many_buffers(void) {
  neap_problem *problem = neap_problem_new();
  for (int i = 0; i < 2000; i++) {
    char name[32];
    snprintf(name, sizeof name, "buffer%d", i);
    sample_add(problem, name, i, i + 2, 64);
  }
  return problem;
}

/* Writing both a problem and its plan there gives `wanted`. */
static void expect_unwritable(const char *path, neap_format format, neap_status wanted) {
  neap_problem *problem = many_buffers();
  neap_offset *offsets = calloc(2000, sizeof *offsets);
  neap_plan *plan;
  neap_error error;
  assert_non_null(offsets);
  assert_ok(neap_plan_new(problem, offsets, &plan, &error), &error);
  assert_int_equal(neap_problem_write(problem, path, format, &error), wanted);
  assert_string_equal(error.source, path);
  assert_int_equal(neap_plan_write(plan, path, format, &error), wanted);
  assert_string_equal(error.source, path);
  assert_int_equal(neap_plan_write(plan, path, format, NULL), wanted);
  neap_plan_free(plan);
  free(offsets);
  neap_problem_free(problem);
}

static void what_cannot_be_written_is_an_error(void **state) {
  (void)state;
  static const neap_format both[] = {NEAP_FORMAT_CSV, NEAP_FORMAT_JSON};
  assert_int_equal(mkdir("folder.csv", 0777), 0);
  expect_unwritable("a.unknown", NEAP_FORMAT_AUTO, NEAP_ERROR_ARGUMENT);
  expect_unwritable("none", NEAP_FORMAT_AUTO, NEAP_ERROR_ARGUMENT);
  expect_unwritable("a.csv", (neap_format)77, NEAP_ERROR_ARGUMENT);
  for (size_t i = 0; i < SAMPLE_COUNT(both); i++) {
    expect_unwritable("missing/a.csv", both[i], NEAP_ERROR_SYSTEM);
    expect_unwritable("folder.csv", both[i], NEAP_ERROR_SYSTEM);
    if (access("/dev/full", W_OK) == 0)
      expect_unwritable("/dev/full", both[i], NEAP_ERROR_SYSTEM);
  }
  assert_int_equal(access("a.csv", F_OK), -1);
}

static void a_failed_conversion_leaves_the_old_file(void **state) {
  (void)state;
  neap_problem *problem =
      sample_problem((const struct sample[]){{0, 7, 8, 0}, {3, 9, 4, 0}}, 2);
  neap_plan *plan = files_solve(problem);
  neap_error error;
  files_make("a.ops", "old");
  files_make("a.txt", "old");
  assert_int_equal(neap_problem_write(problem, "a.ops", NEAP_FORMAT_AUTO, &error),
                   NEAP_ERROR_FORMAT);
  assert_string_equal(error.source, "a.ops");
  assert_int_equal(neap_plan_write(plan, "a.ops", NEAP_FORMAT_AUTO, &error), NEAP_ERROR_FORMAT);
  assert_int_equal(neap_problem_write(problem, "a.txt", NEAP_FORMAT_AUTO, &error),
                   NEAP_ERROR_FORMAT);
  files_expect("a.ops", "old");
  files_expect("a.txt", "old");
  neap_plan_free(plan);
  neap_problem_free(problem);
}

static void errors_name_the_file(void **state) {
  (void)state;
  files_make("a.csv", "id,lower,upper,size\na,0,1,x\n");
  neap_problem *problem;
  neap_error error;
  assert_int_equal(neap_problem_read("a.csv", NEAP_FORMAT_AUTO, NULL, &problem, &error),
                   NEAP_ERROR_INPUT);
  assert_string_equal(error.source, "a.csv");
  assert_int_equal(error.line, 2);
  assert_int_equal(error.column, 7);
  assert_int_equal(error.status, NEAP_ERROR_INPUT);
}

static const struct CMUnitTest tests[] = {
    FILES_CASE(formats_are_listed),
    FILES_CASE(content_tells_where_the_ending_does_not),
    FILES_CASE(standard_input_is_read),
    FILES_CASE(the_format_asked_for_prevails),
    FILES_CASE(warnings_are_handed_over),
    FILES_CASE(options_that_do_not_apply_are_errors),
    FILES_CASE(what_cannot_be_read_is_an_error),
    FILES_CASE(what_cannot_be_written_is_an_error),
    FILES_CASE(a_failed_conversion_leaves_the_old_file),
    FILES_CASE(errors_name_the_file),
};

int main(void) { return cmocka_run_group_tests(tests, NULL, NULL); }
