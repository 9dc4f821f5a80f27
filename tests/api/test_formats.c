/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which format a file has, and what becomes of files that fail. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "neap/models.h"
#include "neap/planner.h"
#include "tests/support/files.h"

/* ---------------------------------------------------------------- which format */

TEST(formats_are_listed) {
  static const char *const names[] = {
      "csv", "ops",  "json",   "dot",    "html",        "table",  "svg",  "png",
      "pdf", "header", "source", "certificate", "tflite", "onnx", "buffer-plan"};
  neap_format_info info = NEAP_INIT(neap_format_info);
  for (size_t i = 0; i < SAMPLE_COUNT(names); i++) {
    assert_true(neap_format_at(i, &info));
    assert_string_equal(info.name, names[i]);
    assert_int_equal(info.extensions[0][0], '.');
    assert_true(strlen(info.summary) > 0);
  }
  assert_false(neap_format_at(SAMPLE_COUNT(names), &info));
}

TEST(the_content_decides_if_the_extension_is_unknown) {
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
    assert_int_equal(neap_problem_count(problem), 1);
    neap_buffer buffer = sample_buffer(problem, 0);
    assert_string_equal(buffer.name, "a");
    assert_int_equal(buffer.size, 8);
    neap_problem_free(problem);
    assert_int_equal(unlink(files[i].path), 0);
  }
}

TEST(standard_input_is_read) {
  files_make("a", "name,type,size\na,alloc,8\n");
  assert_non_null(freopen("a", "r", stdin));
  neap_problem *problem = files_read("-");
  assert_int_equal(neap_problem_horizon(problem), 1);
  neap_problem_free(problem);
  files_make("a", "id,lower,upper,size\na,0,0,8\n");
  assert_non_null(freopen("a", "r", stdin));
  neap_error error;
  assert_int_equal(
      neap_problem_read("-",
                        &(neap_reading){.struct_size = sizeof(neap_reading), .format = "csv"},
                        &problem, &error),
      NEAP_ERROR_INPUT);
  assert_string_equal(error.source, "standard input");
  assert_non_null(freopen("/dev/null", "r", stdin));
}

TEST(the_requested_format_prevails) {
  files_make("a.json", "id,lower,upper,size\na,0,1,8\n");
  neap_problem *problem;
  neap_error error;
  assert_ok(neap_problem_read(
                "a.json", &(neap_reading){.struct_size = sizeof(neap_reading), .format = "csv"},
                &problem, &error),
            &error);
  assert_ok(neap_problem_write(problem, "b.json", "csv", &error), &error);
  files_expect("b.json", "id,lower,upper,size\na,0,1,8\n");
  neap_problem_free(problem);
  assert_int_equal(neap_problem_read("a.json", NULL, &problem, &error), NEAP_ERROR_INPUT);
  assert_string_equal(error.source, "a.json");
}

/* ---------------------------------------------------------------- options of reading */

static void keep_warning(const neap_error *warning, void *user) {
  neap_error *kept = user;
  assert_int_equal(kept->text[0], 0); /* one for all columns */
  *kept = *warning;
}

TEST(warnings_are_passed_on) {
  neap_problem *problem;
  neap_plan *plan;
  neap_error error, warning = {.text = ""};
  const neap_reading reading = {
      .struct_size = sizeof(neap_reading), .warn = keep_warning, .warn_user = &warning};
  files_make("wide.csv", "id,lower,upper,size,offset,x,y\na,0,1,8,0,,\n");
  assert_ok(neap_problem_read("wide.csv", &reading, &problem, &error), &error);
  neap_problem_free(problem);
  assert_string_equal(warning.source, "wide.csv");
  assert_int_equal(warning.line, 1);
  assert_int_equal(warning.column, 28);
  assert_says(&warning, "'x', 'y'");
  warning = (neap_error){.text = ""};
  assert_ok(neap_plan_read("wide.csv", &reading, &plan, &error), &error);
  neap_plan_free(plan);
  assert_says(&warning, "'x', 'y'");
  assert_ok(neap_plan_read("wide.csv", NULL, &plan, &error), &error);
  neap_plan_free(plan);
}

TEST(options_that_do_not_apply_are_errors) {
  static const neap_dimension dimension = {"N", 1};
  static const neap_column column = {"id", "id"};
  static const neap_scheduling scheduling = {.schedule = NEAP_SCHEDULE_MIN_PEAK};
  static const neap_reading readings[] = {
      {.struct_size = sizeof(neap_reading), .graph.liveness = {.in_place = true}},
      {.struct_size = sizeof(neap_reading), .graph.liveness = {.keep_all = true}},
      {.struct_size = sizeof(neap_reading),
       .model.dimensions = &dimension,
       .model.dimension_count = 1},
      {.struct_size = sizeof(neap_reading), .dot.size = "bytes"},
      {.struct_size = sizeof(neap_reading), .dot.order = "id"},
      {.struct_size = sizeof(neap_reading), .table.columns = &column, .table.column_count = 1},
      {.struct_size = sizeof(neap_reading), .table.inclusive = true}};
  neap_problem *problem;
  neap_error error;
  files_make("a.json", "{\"format\": \"neap-problem\", \"version\": 1, \"buffers\": []}");
  for (size_t i = 0; i < SAMPLE_COUNT(readings); i++) {
    assert_error(neap_problem_read("a.json", &readings[i], &problem, &error),
                 NEAP_ERROR_ARGUMENT, &error);
    assert_string_equal(error.source, "a.json");
  }
  assert_error(neap_problem_prepare("a.json", NULL, &scheduling, &problem, &error),
               NEAP_ERROR_ARGUMENT, &error);
  assert_string_equal(error.source, "a.json");
}

/* A plan in a format: tests of models copy one. */
static void write_and_read_back(const neap_plan *plan, const neap_format_info *info) {
  char path[64];
  neap_error error;
  neap_plan *read;
  snprintf(path, sizeof path, "every%s", info->extensions[0]);
  if (neap_format_check(info->name, &error) != NEAP_OK) return; /* no librsvg */
  assert_ok(neap_plan_write(plan, path,
                            &(neap_writing){.struct_size = sizeof(neap_writing),
                                            .format = info->name,
                                            .header = "every.h"},
                            &error),
            &error);
  char *text = files_text(path);
  assert_true(strlen(text) > 0);
  free(text);
  if (!(info->reads & NEAP_CONTENT_PLAN)) return;
  assert_ok(neap_plan_read(path, NULL, &read, &error), &error);
  for (size_t i = 0; i < neap_problem_count(neap_plan_problem(plan)); i++)
    assert_int_equal(neap_plan_offset(read, i), neap_plan_offset(plan, i));
  neap_plan_free(read);
}

TEST(every_format_is_written) {
  neap_problem *problem =
      sample_problem((const struct sample[]){{0, 7, 16, 0}, {3, 9, 4, 0}}, 2);
  neap_plan *plan = files_solve(problem);
  neap_format_info info = NEAP_INIT(neap_format_info);
  neap_error error;
  for (size_t i = 0; neap_format_at(i, &info); i++) {
    assert_true(info.reads || info.writes);
    if (info.writes &
        ~(unsigned)(NEAP_CONTENT_PROBLEM | NEAP_CONTENT_MODEL | NEAP_CONTENT_CERTIFICATE |
                    NEAP_CONTENT_SPLIT | NEAP_CONTENT_ORDERED))
      write_and_read_back(plan, &info);
    else
      assert_int_not_equal(neap_plan_write(plan, "never",
                                           &(neap_writing){.struct_size = sizeof(neap_writing),
                                                           .format = info.name},
                                           &error),
                           NEAP_OK);
  }
  assert_int_equal(access("never", F_OK), -1);
  neap_plan_free(plan);
  neap_problem_free(problem);
}

/* ---------------------------------------------------------------- what cannot be */

static void expect_unreadable(const char *path, const char *format, neap_status wanted) {
  const neap_reading reading = {.struct_size = sizeof(neap_reading), .format = format};
  neap_problem *problem;
  neap_plan *plan;
  neap_error error;
  assert_int_equal(neap_problem_read(path, &reading, &problem, &error), wanted);
  assert_int_equal(neap_plan_read(path, &reading, &plan, &error), wanted);
  if (wanted != NEAP_ERROR_ARGUMENT) assert_string_equal(error.source, path);
  assert_true(strlen(error.text) > 0);
  assert_int_equal(neap_problem_read(path, &reading, &problem, NULL), wanted);
}

TEST(unreadable_files_are_errors) {
  assert_int_equal(mkdir("folder.csv", 0777), 0);
  files_make("plan.txt", "a table for people\n");
  expect_unreadable("missing.csv", NULL, NEAP_ERROR_SYSTEM);
  expect_unreadable("folder.csv", NULL, NEAP_ERROR_SYSTEM);
  expect_unreadable("plan.txt", NULL, NEAP_ERROR_INPUT);
  expect_unreadable("plan.txt", "table", NEAP_ERROR_INPUT);
  expect_unreadable("plan.txt", "word", NEAP_ERROR_ARGUMENT);
  files_make("a.ops", "name,type,size\na,alloc,8\n");
  neap_plan *plan;
  neap_error error;
  assert_int_equal(neap_plan_read("a.ops", NULL, &plan, &error), NEAP_ERROR_INPUT);
  if (geteuid() == 0) return; /* root ignores permissions */
  files_make("secret.csv", "id,lower,upper,size\n");
  assert_int_equal(chmod("secret.csv", 0), 0);
  expect_unreadable("secret.csv", NULL, NEAP_ERROR_SYSTEM);
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
static void expect_unwritable(const char *path, const char *format, neap_status wanted) {
  const neap_writing writing = {.struct_size = sizeof(neap_writing), .format = format};
  neap_problem *problem = many_buffers();
  neap_offset *offsets = calloc(2000, sizeof *offsets);
  neap_error error;
  assert_non_null(offsets);
  neap_plan *plan = sample_plan(problem, offsets);
  assert_int_equal(neap_problem_write(problem, path, format, &error), wanted);
  assert_string_equal(error.source, path);
  assert_int_equal(neap_plan_write(plan, path, &writing, &error), wanted);
  assert_string_equal(error.source, path);
  assert_int_equal(neap_plan_write(plan, path, &writing, NULL), wanted);
  neap_plan_free(plan);
  free(offsets);
  neap_problem_free(problem);
}

TEST(unwritable_files_are_errors) {
  static const char *const both[] = {"csv", "json"};
  assert_int_equal(mkdir("folder.csv", 0777), 0);
  expect_unwritable("a.unknown", NULL, NEAP_ERROR_ARGUMENT);
  expect_unwritable("none", NULL, NEAP_ERROR_ARGUMENT);
  expect_unwritable("a.csv", "word", NEAP_ERROR_ARGUMENT);
  for (size_t i = 0; i < SAMPLE_COUNT(both); i++) {
    expect_unwritable("missing/a.csv", both[i], NEAP_ERROR_SYSTEM);
    expect_unwritable("folder.csv", both[i], NEAP_ERROR_SYSTEM);
    if (access("/dev/full", W_OK) == 0)
      expect_unwritable("/dev/full", both[i], NEAP_ERROR_SYSTEM);
  }
  assert_int_equal(access("a.csv", F_OK), -1);
}

TEST(a_failed_conversion_leaves_the_old_file) {
  neap_problem *problem =
      sample_problem((const struct sample[]){{0, 7, 8, 0}, {3, 9, 4, 0}}, 2);
  neap_plan *plan = files_solve(problem);
  neap_error error;
  files_make("a.ops", "old");
  files_make("a.txt", "old");
  assert_int_equal(neap_problem_write(problem, "a.ops", NULL, &error), NEAP_ERROR_FORMAT);
  assert_string_equal(error.source, "a.ops");
  assert_int_equal(neap_plan_write(plan, "a.ops", NULL, &error), NEAP_ERROR_FORMAT);
  assert_int_equal(neap_problem_write(problem, "a.txt", NULL, &error), NEAP_ERROR_FORMAT);
  files_expect("a.ops", "old");
  files_expect("a.txt", "old");
  neap_plan_free(plan);
  neap_problem_free(problem);
}

TEST(errors_name_the_file) {
  files_make("a.csv", "id,lower,upper,size\na,0,1,x\n");
  neap_problem *problem;
  neap_error error;
  assert_int_equal(neap_problem_read("a.csv", NULL, &problem, &error), NEAP_ERROR_INPUT);
  assert_string_equal(error.source, "a.csv");
  assert_int_equal(error.line, 2);
  assert_int_equal(error.column, 7);
  assert_int_equal(error.status, NEAP_ERROR_INPUT);
}

static const struct CMUnitTest tests[] = {
    FILES_CASE(formats_are_listed),
    FILES_CASE(the_content_decides_if_the_extension_is_unknown),
    FILES_CASE(standard_input_is_read),
    FILES_CASE(the_requested_format_prevails),
    FILES_CASE(warnings_are_passed_on),
    FILES_CASE(options_that_do_not_apply_are_errors),
    FILES_CASE(every_format_is_written),
    FILES_CASE(unreadable_files_are_errors),
    FILES_CASE(unwritable_files_are_errors),
    FILES_CASE(a_failed_conversion_leaves_the_old_file),
    FILES_CASE(errors_name_the_file),
};

int main(void) {
  neap_models_register();
  return cmocka_run_group_tests(tests, NULL, NULL);
}
