/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files are either written completely or left untouched. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/output.h"
#include "tests/support/sample.h"

/* Every test case runs in a new folder, which is the current one. */
static char folder[] = "test-output-XXXXXX", start_folder[4096];

static int enter_folder(void **state) {
  (void)state;
  memcpy(strrchr(folder, '-') + 1, "XXXXXX", 6);
  assert_non_null(getcwd(start_folder, sizeof start_folder));
  assert_non_null(mkdtemp(folder));
  assert_int_equal(chdir(folder), 0);
  return 0;
}

static int leave_folder(void **state) {
  (void)state;
  DIR *entries = opendir(".");
  for (const struct dirent *entry; entries && (entry = readdir(entries));)
    if (unlink(entry->d_name) != 0 && entry->d_name[0] != '.') rmdir(entry->d_name);
  if (entries) closedir(entries);
  assert_int_equal(chdir(start_folder), 0);
  return rmdir(folder);
}

static size_t count_files(void) {
  size_t count = 0;
  DIR *entries = opendir(".");
  assert_non_null(entries);
  for (const struct dirent *entry; (entry = readdir(entries));)
    count += entry->d_name[0] != '.';
  closedir(entries);
  return count;
}

static void make_file(const char *path, const char *text) {
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  assert_true(fputs(text, file) >= 0);
  assert_int_equal(fclose(file), 0);
}

static void expect_file(const char *path, const char *text) {
  char found[256] = "";
  FILE *file = fopen(path, "r");
  if (!file) fail_msg("%s is not there", path);
  size_t size = fread(found, 1, sizeof found - 1, file);
  found[size] = '\0';
  fclose(file);
  assert_string_equal(found, text);
}

static void write_file(const char *path, const char *text, neap_status status) {
  struct output output;
  neap_error error;
  assert_ok(output_open(&output, path, &error), &error);
  assert_true(fputs(text, output.stream) >= 0);
  assert_int_equal(output_close(&output, status, &error), status);
}

TEST(a_new_file_is_all_there) {
  write_file("new", "text\n", NEAP_OK);
  expect_file("new", "text\n");
  assert_int_equal(count_files(), 1);
}

/* The mode is that of any other new file of this process. */
TEST(a_new_file_has_the_usual_mode) {
  struct stat made, usual;
  mode_t mask = umask(027);
  write_file("new", "", NEAP_OK);
  make_file("usual", "");
  umask(mask);
  assert_int_equal(stat("new", &made), 0);
  assert_int_equal(stat("usual", &usual), 0);
  assert_int_equal(made.st_mode, usual.st_mode);
}

TEST(until_closed_the_old_file_stands) {
  struct output output;
  neap_error error;
  make_file("file", "old");
  assert_ok(output_open(&output, "file", &error), &error);
  assert_true(fputs("new", output.stream) >= 0);
  assert_int_equal(fflush(output.stream), 0);
  expect_file("file", "old");
  assert_ok(output_close(&output, NEAP_OK, &error), &error);
  expect_file("file", "new");
  assert_int_equal(count_files(), 1);
}

TEST(a_replaced_file_keeps_its_mode) {
  struct stat found;
  make_file("file", "old");
  assert_int_equal(chmod("file", 0640), 0);
  write_file("file", "new", NEAP_OK);
  assert_int_equal(stat("file", &found), 0);
  assert_int_equal(found.st_mode & 07777, 0640);
}

TEST(a_failed_writing_leaves_what_was) {
  make_file("file", "old");
  write_file("file", "half", NEAP_ERROR_FORMAT);
  expect_file("file", "old");
  write_file("absent", "half", NEAP_ERROR_MEMORY);
  assert_int_equal(count_files(), 1);
}

TEST(a_link_still_leads_to_its_file) {
  struct stat found;
  make_file("target", "old");
  assert_int_equal(symlink("target", "link"), 0);
  write_file("link", "new", NEAP_OK);
  expect_file("target", "new");
  assert_int_equal(lstat("link", &found), 0);
  assert_true(S_ISLNK(found.st_mode));
  assert_int_equal(count_files(), 2);
}

static void expect_refused(const char *path) {
  struct output output;
  neap_error error;
  assert_error(output_open(&output, path, &error), NEAP_ERROR_SYSTEM, &error);
  assert_string_equal(error.source, path);
}

TEST(what_cannot_be_opened_is_named) {
  expect_refused("absent/file");
  expect_refused(".");
  expect_refused("");
  make_file("file", "");
  expect_refused("file/below");
  if (geteuid() != 0) { /* the superuser may write everything */
    assert_int_equal(chmod("file", 0444), 0);
    expect_refused("file");
  }
  assert_int_equal(count_files(), 1);
}

TEST(a_full_device_is_an_error) {
  struct output output;
  neap_error error;
  if (access("/dev/full", W_OK) != 0) skip();
  assert_ok(output_open(&output, "/dev/full", &error), &error);
  assert_null(output.temporary);
  for (int i = 0; i < 10000; i++)
    fputs("lines and lines\n", output.stream);
  assert_error(output_close(&output, NEAP_OK, &error), NEAP_ERROR_SYSTEM, &error);
  assert_string_equal(error.source, "/dev/full");
  struct stat found;
  assert_int_equal(stat("/dev/full", &found), 0);
  assert_true(S_ISCHR(found.st_mode));
}

/* The first error is the one reported. */
TEST(an_earlier_error_is_kept) {
  struct output output;
  neap_error error;
  if (access("/dev/full", W_OK) != 0) skip();
  assert_ok(output_open(&output, "/dev/full", &error), &error);
  fputs("text", output.stream);
  assert_int_equal(output_close(&output, NEAP_ERROR_FORMAT, &error), NEAP_ERROR_FORMAT);
}

TEST(a_dash_is_standard_output) {
  struct output output;
  neap_error error;
  fflush(stdout);
  int kept = dup(STDOUT_FILENO);
  assert_true(kept >= 0);
  FILE *file = freopen("captured", "w", stdout);
  assert_non_null(file);
  neap_status opened = output_open(&output, "-", &error);
  bool is_stdout = output.stream == stdout;
  fputs("text", output.stream);
  neap_status closed = output_close(&output, NEAP_OK, &error);
  fflush(stdout);
  dup2(kept, STDOUT_FILENO);
  close(kept);
  assert_int_equal(opened, NEAP_OK);
  assert_true(is_stdout);
  assert_int_equal(closed, NEAP_OK);
  expect_file("captured", "text");
}

int main(void) {
#define CASE(function) cmocka_unit_test_setup_teardown(function, enter_folder, leave_folder)
  const struct CMUnitTest tests[] = {
      CASE(a_new_file_is_all_there),          CASE(a_new_file_has_the_usual_mode),
      CASE(until_closed_the_old_file_stands), CASE(a_replaced_file_keeps_its_mode),
      CASE(a_failed_writing_leaves_what_was), CASE(a_link_still_leads_to_its_file),
      CASE(what_cannot_be_opened_is_named),   CASE(a_full_device_is_an_error),
      CASE(an_earlier_error_is_kept),         CASE(a_dash_is_standard_output),
  };
  return cmocka_run_group_tests_name("output", tests, NULL, NULL);
}
