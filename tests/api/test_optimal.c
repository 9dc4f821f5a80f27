/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every example and every model of $NEAP_SHARED is planned to a proven optimum with default
 * options, whatever the alignment.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/api/models.h"

/* 0: that of the tensors' elements. */
static const neap_size alignments[] = {0, 1, 4, 16, 32, 64, 256};

static void expect_optimal(const char *path, neap_size alignment) {
  const neap_reading reading = {.struct_size = sizeof(neap_reading), .alignment = alignment};
  neap_problem *problem;
  neap_plan *plan;
  neap_report report = NEAP_INIT(neap_report);
  neap_error error;
  assert_ok(neap_problem_read(path, &reading, &problem, &error), &error);
  if (alignment > 0) assert_ok(neap_problem_align(problem, alignment, 1, &error), &error);
  assert_ok(neap_solve(problem, NULL, &plan, &error), &error);
  assert_ok(neap_plan_verify(plan, -1, &error), &error);
  neap_plan_report(plan, &report);
  if (report.outcome != NEAP_OPTIMAL || report.lower_bound != report.peak)
    fail_msg("%s aligned to %lld: peak %lld, proven lower bound %lld", path,
             (long long)alignment, (long long)report.peak, (long long)report.lower_bound);
  neap_plan_free(plan);
  neap_problem_free(problem);
}

static void expect_optimal_at_all(const char *path) {
  for (size_t a = 0; a < SAMPLE_COUNT(alignments); a++)
    expect_optimal(path, alignments[a]);
}

/* ---------------------------------------------------------------- examples */

static bool is_planned(const char *name) {
  const char *ending = strrchr(name, '.');
  return ending && (strcmp(ending, ".csv") == 0 || strcmp(ending, ".tflite") == 0);
}

static void examples_are_planned_optimally(void **state) {
  const char *source = getenv("NEAP_SOURCE");
  char path[4096];
  size_t count = 0;
  (void)state;
  snprintf(path, sizeof path, "%.3000s/examples", source ? source : ".");
  DIR *examples = opendir(path);
  assert_non_null(examples);
  for (const struct dirent *entry; (entry = readdir(examples));) {
    if (!is_planned(entry->d_name)) continue;
    snprintf(path, sizeof path, "%.3000s/examples/%.255s", source ? source : ".",
             entry->d_name);
    expect_optimal_at_all(path);
    count++;
  }
  closedir(examples);
  assert_true(count > 0);
}

/* 11 buffers, the topmost of which needs no padding: TensorFlow Lite Micro aligns to 16. */
static void the_keyword_model_takes_4024_bytes(void **state) {
  const char *source = getenv("NEAP_SOURCE");
  char path[4096];
  neap_problem *problem;
  neap_bound bound = NEAP_INIT(neap_bound);
  neap_error error;
  (void)state;
  snprintf(path, sizeof path, "%.3000s/examples/keyword.tflite", source ? source : ".");
  assert_ok(neap_problem_read(path, NULL, &problem, &error), &error);
  assert_ok(neap_problem_align(problem, 16, 1, &error), &error);
  assert_ok(neap_problem_bound(problem, &bound, &error), &error);
  assert_int_equal(bound.bytes, 4000);
  assert_int_equal(bound.lower_bound, 4024);
  neap_problem_free(problem);
}

/* Int8 activations, int32 sums behind them; and what a caller asks for instead. */
static void tensors_are_aligned_to_their_elements(void **state) {
  static const neap_size asked[] = {0, 1, 16}, low[] = {1, 1, 16}, high[] = {4, 1, 16};
  const char *source = getenv("NEAP_SOURCE");
  char path[4096];
  (void)state;
  snprintf(path, sizeof path, "%.3000s/examples/keyword.tflite", source ? source : ".");
  for (size_t i = 0; i < SAMPLE_COUNT(asked); i++) {
    const neap_reading reading = {.struct_size = sizeof(neap_reading), .alignment = asked[i]};
    neap_problem *problem;
    neap_size least, most;
    neap_error error;
    assert_ok(neap_problem_read(path, &reading, &problem, &error), &error);
    neap_problem_alignment(problem, &least, &most);
    assert_int_equal(least, low[i]);
    assert_int_equal(most, high[i]);
    neap_problem_free(problem);
  }
}

/* ---------------------------------------------------------------- models */

/* The state is a folder of models. */
static void models_are_planned_optimally(void **state) {
  const char *folder = *state;
  char *names[MODELS_MAX], path[4096];
  size_t count = models_list(folder, ".", names);
  for (size_t m = 0; m < count; m++) {
    models_path(path, folder, names[m]);
    if (names[m][0] != '.') expect_optimal_at_all(path);
    free(names[m]);
  }
  if (count == 0) models_are_missing(state);
}

int main(void) {
  static char folders[][8] = {"tflite", "onnx", "dot", "order"};
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(examples_are_planned_optimally),
      cmocka_unit_test(the_keyword_model_takes_4024_bytes),
      cmocka_unit_test(tensors_are_aligned_to_their_elements),
      cmocka_unit_test_prestate(models_are_planned_optimally, folders[0]),
      cmocka_unit_test_prestate(models_are_planned_optimally, folders[1]),
      cmocka_unit_test_prestate(models_are_planned_optimally, folders[2]),
      cmocka_unit_test_prestate(models_are_planned_optimally, folders[3]),
  };
  return cmocka_run_group_tests_name("optimal", tests, NULL, NULL);
}
