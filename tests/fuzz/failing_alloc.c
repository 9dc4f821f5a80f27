/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every failed allocation is survived. In each scenario, the first allocation fails, then the
 * second, and so on, until the scenario ends before the failure; each both alone and together
 * with all later ones. In short runs (sample_is_full), only the first forty fail one after
 * another, and then every fifteenth. Each time, the call must report that memory is short (or a
 * system error, if the C library hides the cause), create no file, and free everything. If it
 * succeeds in spite of a failure, its result must be complete.
 */
#include "tests/fuzz/failing_alloc.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/fuzz/failing_memory.h"
#include "tests/support/sample.h"

/* ---------------------------------------------------------------- one attempt */

static void fingerprint_file(struct attempt *attempt, const char *path) {
  FILE *file = fopen(path, "r");
  if (!file) fail_msg("%s was not written", path);
  for (int c; (c = getc(file)) != EOF;)
    fingerprint_number(attempt, (uint64_t)c);
  fclose(file);
}

/* fail_at 0: no failure. */
static struct attempt try(const struct scenario *scenario, uint64_t fail_at, bool all_after) {
  struct attempt attempt = {.scenario = scenario, .fingerprint = 1};
  long before = failing_memory_live();
  failing_memory_arm(fail_at, all_after);
  attempt.status = scenario->run(&attempt);
  attempt.met = failing_memory_disarm();
  attempt.leaked = failing_memory_live() - before;
  if (attempt.status == NEAP_OK && scenario->output)
    fingerprint_file(&attempt, scenario->output);
  return attempt;
}

static bool is_listed(const char *name) {
  for (size_t i = 0; fixture_files[i]; i++)
    if (strcmp(fixture_files[i], name) == 0) return true;
  return false;
}

/* The folder contains the fixture only, and the output if it was written. */
static void check_folder(const struct scenario *scenario, bool written) {
  DIR *folder = opendir(".");
  assert_non_null(folder);
  for (const struct dirent *entry; (entry = readdir(folder));) {
    bool output = scenario->output && strcmp(entry->d_name, scenario->output) == 0;
    bool parent = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0;
    if (!parent && !is_listed(entry->d_name) && !(output && written))
      fail_msg("%s was left behind", entry->d_name);
  }
  closedir(folder);
  if (scenario->output) unlink(scenario->output);
}

/*
 * `whole` is the fingerprint without failures, or 0 if a caller could not notice a different
 * one.
 */
static void check_attempt(const struct attempt *attempt, uint64_t fail_at, uint64_t whole) {
  neap_status status = attempt->status;
  if (attempt->leaked != 0)
    fail_msg("allocation %d fails: %ld are not given back", (int)fail_at, attempt->leaked);
  if (status != NEAP_OK && status != NEAP_ERROR_MEMORY && status != NEAP_ERROR_SYSTEM)
    fail_msg("allocation %d fails: %s: %s", (int)fail_at, neap_status_name(status),
             attempt->error.text);
  if (status != NEAP_OK) sample_check_error(&attempt->error, status, __FILE__, __LINE__);
  if (status == NEAP_OK && whole != 0 && attempt->fingerprint != whole)
    fail_msg("allocation %d fails: it is passed over, with another outcome", (int)fail_at);
  check_folder(attempt->scenario, status == NEAP_OK);
}

/* ---------------------------------------------------------------- every attempt */

/* The scenarios, and a case for each. */
static struct scenario scenarios[160];
static struct CMUnitTest tests[SAMPLE_COUNT(scenarios)];
static size_t count;

/* The allocation to fail next; every seventh is another one in the next scenario. */
static uint64_t next_failure(const struct scenario *scenario, uint64_t fail_at,
                             bool all_after) {
  const uint64_t each = 40 + (uint64_t)(scenario - scenarios) % 7 + (all_after ? 3 : 0);
  return fail_at + (fail_at < each || sample_is_full() ? 1 : 15);
}

static void survive(const struct scenario *scenario, bool all_after) {
  struct attempt whole = try(scenario, 0, false);
  check_folder(scenario, true);
  if (whole.status != NEAP_OK) fail_msg("%s", whole.error.text);
  uint64_t fail_at = 0;
  for (struct attempt attempt = {.met = true}; attempt.met;) {
    fail_at = next_failure(scenario, fail_at, all_after);
    attempt = try(scenario, fail_at, all_after);
    bool unknown = scenario->by_jansson && !all_after;
    check_attempt(&attempt, fail_at, unknown ? 0 : whole.fingerprint);
  }
}

static void run_scenario(void **state) {
  const struct scenario *scenario = *state;
  if (!failing_memory_works()) skip();
  try(scenario, 0, false); /* do not count what libraries allocate once and keep */
  check_folder(scenario, true);
  survive(scenario, false);
  survive(scenario, true);
}

static char folder[] = "failing-alloc-XXXXXX", start_folder[4096];

static void add(const struct scenario *scenario) {
  assert_true(count < SAMPLE_COUNT(scenarios));
  scenarios[count] = *scenario;
  tests[count] =
      (struct CMUnitTest){scenario->name, run_scenario, NULL, NULL, &scenarios[count]};
  count++;
}

static int make_fixture(void **state) {
  (void)state;
  assert_non_null(getcwd(start_folder, sizeof start_folder));
  assert_non_null(mkdtemp(folder));
  assert_int_equal(chdir(folder), 0);
  fixture_make();
  return 0;
}

static int clear_fixture(void **state) {
  (void)state;
  fixture_clear();
  for (size_t i = 0; i < count; i++) /* remove what a failed case has left */
    if (scenarios[i].output) unlink(scenarios[i].output);
  assert_int_equal(chdir(start_folder), 0);
  return rmdir(folder);
}

int main(void) {
  scenarios_list(add);
  return _cmocka_run_group_tests("failing alloc", tests, count, make_fixture, clear_fixture);
}
