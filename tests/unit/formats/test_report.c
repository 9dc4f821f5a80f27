/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The output for scripts and people: the report of a run, and the table. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files/plan_text.h"
#include "neap-tool.h"
#include "tests/support/fault.h"

/* ---------------------------------------------------------------- reports */

/* A plan of one buffer of 300 bytes, added to `problem`. */
static neap_plan *plan_of(const neap_history *history, neap_problem *problem,
                          neap_offset offset) {
  neap_error error;
  sample_add(problem, "a", 0, 2, 300);
  neap_plan *plan = sample_plan(problem, &offset);
  assert_ok(neap_plan_set_history(plan, history, &error), &error);
  return plan;
}

static char *report_of(const neap_plan *plan, const char *input, bool rounds) {
  struct fault_output output;
  neap_error error;
  const neap_summary summary = {.plan = plan, .input = input, .has_rounds = rounds};
  fault_output_open(&output);
  assert_ok(neap_summary_write(&summary, output.stream, &error), &error);
  return fault_output_close(&output);
}

TEST(reports_have_their_keys_in_order) {
  const neap_round round = {.struct_size = sizeof(neap_round),
                            .round = 1,
                            .peak = 400,
                            .excess_area = 200,
                            .excess_count = 1,
                            .risk = {1, 2, 3, 4},
                            .high_groups = 5,
                            .medium_groups = 6,
                            .group_rounds = 7,
                            .improved = true};
  const neap_history history = {.struct_size = sizeof(neap_history),
                                .engine = "tune",
                                .stop_reason = NEAP_STOP_FIXED_POINT,
                                .rounds = 1,
                                .seed = 42,
                                .seconds = 1.23456789,
                                .round_list = &round,
                                .round_count = 1};
  neap_problem *problem = neap_problem_new();
  neap_plan *plan = plan_of(&history, problem, 100);
  char *text = report_of(plan, "x.csv", false);
  assert_string_equal(text, "{\"input\": \"x.csv\", \"buffers\": 1, \"bound\": 300, "
                            "\"lower_bound\": 300, \"peak\": 400, \"gap_percent\": 33.333333, "
                            "\"status\": \"feasible\", \"stop_reason\": \"fixed_point\", "
                            "\"engine\": \"tune\", \"rounds\": 1, \"seconds\": 1.234568, "
                            "\"seed\": 42, \"alignment_low\": 1, "
                            "\"alignment_high\": 1}\n");
  free(text);
  text = report_of(plan, "x.csv", true);
  assert_non_null(
      strstr(text, "\"alignment_high\": 1, \"round_list\": [{\"round\": 1, \"peak\": 400, "
                   "\"excess_area\": 200, \"excess_count\": 1, \"high\": 4, \"medium\": 3, "
                   "\"low\": 2, \"none\": 1, "
                   "\"high_groups\": 5, \"medium_groups\": 6, \"group_rounds\": 7, "
                   "\"improved\": true}]}\n"));
  free(text);
  neap_plan_free(plan);
  neap_problem_free(problem);
}

static void expect_seconds(double seconds, const char *wanted) {
  const neap_history history = {.struct_size = sizeof(neap_history),
                                .engine = "",
                                .stop_reason = NEAP_STOP_COMPLETE,
                                .seconds = seconds};
  neap_problem *problem = neap_problem_new();
  neap_plan *plan = plan_of(&history, problem, 0);
  char *text = report_of(plan, "", false);
  const char *found = strstr(text, "\"seconds\": ");
  assert_non_null(found);
  found += strlen("\"seconds\": ");
  if (strncmp(found, wanted, strlen(wanted)) != 0 || found[strlen(wanted)] != ',')
    fail_msg("expected %s in: %s", wanted, text);
  free(text);
  neap_plan_free(plan);
  neap_problem_free(problem);
}

TEST(fractions_have_six_places_at_most) {
  expect_seconds(0, "0.0");
  expect_seconds(2, "2.0");
  expect_seconds(0.000068, "0.000068");
  expect_seconds(0.0000004, "0.0");
  expect_seconds(1.05, "1.05");
  expect_seconds(0.9999996, "1.0");
  expect_seconds(123456789.100001, "123456789.100001");
  expect_seconds(1e300, "null");
}

TEST(names_of_inputs_become_valid_text) {
  const neap_history history = {
      .struct_size = sizeof(neap_history), .engine = "", .stop_reason = NEAP_STOP_COMPLETE};
  neap_problem *problem = neap_problem_new();
  neap_plan *plan = plan_of(&history, problem, 0);
  char *text = report_of(plan, "\xff\"\xc3\xa9\xe2\x82", false);
  json_t *value = json_loads(text, 0, NULL);
  assert_non_null(value);
  assert_string_equal(json_string_value(json_object_get(value, "input")),
                      "\xef\xbf\xbd\"\xc3\xa9\xef\xbf\xbd\xef\xbf\xbd");
  json_decref(value);
  free(text);
  neap_plan_free(plan);
  neap_problem_free(problem);
}

TEST(a_report_that_cannot_be_written_is_an_error) {
  const neap_history history = {
      .struct_size = sizeof(neap_history), .engine = "", .stop_reason = NEAP_STOP_COMPLETE};
  FILE *full = fopen("/dev/full", "w");
  if (!full) skip();
  assert_int_equal(setvbuf(full, NULL, _IONBF, 0), 0);
  neap_problem *problem = neap_problem_new();
  neap_plan *plan = plan_of(&history, problem, 0);
  neap_error error;
  const neap_summary summary = {.plan = plan, .input = "x"};
  assert_int_equal(neap_summary_write(&summary, full, &error), NEAP_ERROR_SYSTEM);
  neap_plan_free(plan);
  neap_problem_free(problem);
  fclose(full);
}

/* ---------------------------------------------------------------- tables */

static char *table_of(const neap_plan *plan) {
  struct fault_output output;
  neap_error error;
  fault_output_open(&output);
  assert_ok(table_plan_write(plan, output.stream, &error), &error);
  return fault_output_close(&output);
}

static void expect_table(const neap_problem *problem, const neap_offset *offsets,
                         const uint64_t *base, const char *wanted) {
  neap_error error;
  neap_plan *plan = sample_plan(problem, offsets);
  if (base) assert_ok(neap_plan_set_base(plan, *base, &error), &error);
  char *text = table_of(plan);
  assert_string_equal(text, wanted);
  free(text);
  neap_plan_free(plan);
}

TEST(tables_are_aligned) {
  neap_problem *problem = neap_problem_new();
  sample_add(problem, "a", 0, 10, 8);
  sample_add_gapped(problem, "long", (const neap_range[]){{0, 2}, {3, 4}}, 2, 1500);
  const neap_offset offsets[] = {1500, 0};
  expect_table(problem, offsets, NULL,
               "buffers  2\n"
               "peak     1508 bytes (1.47 KiB)\n"
               "bound    1508 bytes (1.47 KiB)\n"
               "gap      0 %\n"
               "status   optimal\n"
               "\n"
               "name  lifetime       size  offset   end  risk\n"
               "a     [0, 10)           8    1500  1508  medium\n"
               "long  [0, 2) [3, 4)  1500       0  1500  medium\n");
  neap_problem_free(problem);
}

TEST(alignments_and_addresses_are_shown_where_there_are_some) {
  neap_problem *problem =
      sample_problem((const struct sample[]){{0, 1, 1, 64}, {0, 1, 1, 0}}, 2);
  const neap_offset offsets[] = {64, 0};
  const uint64_t base = UINT64_C(0xffffffffffffff00);
  expect_table(problem, offsets, &base,
               "buffers  2\n"
               "peak     65 bytes\n"
               "bound    2 bytes\n"
               "gap      3,150.00 %\n"
               "status   feasible\n"
               "base     0xffffffffffffff00\n"
               "\n"
               "name  lifetime  size  alignment  offset  end       start address         "
               "end address  risk\n"
               "b0    [0, 1)       1         64      64   65  0xffffffffffffff40  "
               "0xffffffffffffff41  high\n"
               "b1    [0, 1)       1          1       0    1  0xffffffffffffff00  "
               "0xffffffffffffff01  high\n");
  neap_problem_free(problem);
}

TEST(empty_plans_have_a_table) {
  neap_problem *problem = neap_problem_new();
  expect_table(problem, (const neap_offset[]){0}, NULL,
               "buffers  0\npeak     0 bytes\nbound    0 bytes\ngap      0 %\n"
               "status   optimal\n\nname  lifetime  size  offset  end  risk\n");
  neap_problem_free(problem);
}

/* The table of a plan of one buffer with this name contains `wanted`. */
static void expect_shown(const char *name, const char *wanted) {
  neap_problem *problem = neap_problem_new();
  sample_add(problem, name, 0, 1, 8);
  neap_plan *plan = sample_plan(problem, (const neap_offset[]){0});
  char *text = table_of(plan);
  if (!strstr(text, wanted)) fail_msg("expected \"%s\" in: %s", wanted, text);
  free(text);
  neap_plan_free(plan);
  neap_problem_free(problem);
}

TEST(names_cannot_command_a_terminal) {
  expect_shown("\x1b[2J\n", "\n\\x1b[2J\\x0a  [0, 1)");
  expect_shown("\x7f\xc2\x9b\xc3\xa9", "\n\\x7f\\xc2\\x9b\xc3\xa9  [0, 1)");
}

TEST(long_names_stick_out) {
  char name[101];
  memset(name, 'n', 100);
  name[100] = '\0';
  neap_problem *problem = neap_problem_new();
  sample_add(problem, name, 0, 1, 8);
  sample_add(problem, "b", 0, 1, 8);
  neap_plan *plan = sample_plan(problem, (const neap_offset[]){0, 8});
  char *text = table_of(plan);
  const char *row = strstr(text, "\nb  ");
  assert_non_null(row);
  assert_int_equal(strchr(row, '[') - row, 1 + 48 + 2);
  free(text);
  neap_plan_free(plan);
  neap_problem_free(problem);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(reports_have_their_keys_in_order),
    cmocka_unit_test(fractions_have_six_places_at_most),
    cmocka_unit_test(names_of_inputs_become_valid_text),
    cmocka_unit_test(a_report_that_cannot_be_written_is_an_error),
    cmocka_unit_test(tables_are_aligned),
    cmocka_unit_test(alignments_and_addresses_are_shown_where_there_are_some),
    cmocka_unit_test(empty_plans_have_a_table),
    cmocka_unit_test(names_cannot_command_a_terminal),
    cmocka_unit_test(long_names_stick_out),
};

int main(void) { return cmocka_run_group_tests(tests, NULL, NULL); }
