/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/files.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[64], start_folder[4096];

int files_enter(void **state) {
  (void)state;
  snprintf(folder, sizeof folder, "/tmp/neap-roundtrip-XXXXXX");
  assert_non_null(getcwd(start_folder, sizeof start_folder));
  assert_non_null(mkdtemp(folder));
  return chdir(folder);
}

/*
 * Each file that a case leaves is one that it asked for: no name has a suffix of temporary
 * files.
 */
int files_leave(void **state) {
  (void)state;
  bool leftover = false;
  DIR *entries = opendir(".");
  assert_non_null(entries);
  for (const struct dirent *entry; (entry = readdir(entries));) {
    leftover = leftover || strstr(entry->d_name, ".tmp");
    if (unlink(entry->d_name) != 0 && entry->d_name[0] != '.') rmdir(entry->d_name);
  }
  closedir(entries);
  assert_int_equal(chdir(start_folder), 0);
  assert_int_equal(rmdir(folder), 0);
  return leftover;
}

void files_make(const char *path, const char *text) {
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  assert_true(fputs(text, file) >= 0);
  assert_int_equal(fclose(file), 0);
}

char *files_text(const char *path) {
  struct stat found;
  FILE *file = fopen(path, "r");
  if (!file) fail_msg("%s is not there", path);
  assert_int_equal(fstat(fileno(file), &found), 0);
  char *text = calloc(1, (size_t)found.st_size + 1);
  assert_non_null(text);
  assert_int_equal(fread(text, 1, (size_t)found.st_size, file), found.st_size);
  fclose(file);
  return text;
}

void files_expect_same(const char *left, const char *right) {
  char *a = files_text(left), *b = files_text(right);
  if (strcmp(a, b) != 0) fail_msg("%s and %s differ", left, right);
  free(a);
  free(b);
}

void files_expect(const char *path, const char *wanted) {
  char *text = files_text(path);
  assert_string_equal(text, wanted);
  free(text);
}

/*
 * ---------------------------------------------------------------- reading, writing, comparing
 */

neap_problem *files_read(const char *path) {
  neap_problem *problem = NULL;
  neap_error error;
  assert_ok(neap_problem_read(path, NULL, &problem, &error), &error);
  return problem;
}

neap_plan *files_read_plan(const char *path) {
  neap_plan *plan = NULL;
  neap_error error;
  assert_ok(neap_plan_read(path, NULL, &plan, &error), &error);
  return plan;
}

void files_write(const neap_problem *problem, const char *path) {
  neap_error error;
  assert_ok(neap_problem_write(problem, path, NULL, &error), &error);
}

void files_write_plan(const neap_plan *plan, const char *path) {
  neap_error error;
  assert_ok(neap_plan_write(plan, path, NULL, &error), &error);
}

neap_plan *files_solve(const neap_problem *problem) {
  neap_error error;
  neap_options *options = neap_options_new();
  assert_ok(neap_options_set(options, "engine", "tune", &error), &error);
  assert_ok(neap_options_set(options, "seed", "12345", &error), &error);
  if (!sample_is_full())
    assert_ok(neap_options_set(options, "max-ticks", "200000", &error), &error);
  neap_plan *plan = sample_solve(problem, options);
  neap_options_free(options);
  return plan;
}
