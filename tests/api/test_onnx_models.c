/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ONNX models of $NEAP_SHARED: what neap reads of them is what data/graphs and data/instances say,
 * a plan of them is sound, and no damage to a file does any.  Skipped where there are no models.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/api/models.h"

static void the_model_is_read(void **state) {
  char path[4096];
  neap_problem *problem;
  neap_graph *graph;
  neap_error error;
  models_path(path, "onnx", *state);
  assert_ok(neap_problem_read(path, NULL, &problem, &error), &error);
  assert_true(neap_problem_count(problem) > 0);
  models_expect_graph(problem, *state, true);
  models_expect_instance(problem, "onnx", *state);
  neap_problem_free(problem);
  assert_ok(neap_graph_read(path, NULL, &graph, &error), &error);
  assert_int_equal(neap_graph_operator_count(graph) > 0, 1);
  neap_graph_free(graph);
}

/* In place, there is less to plan, and it needs no more. */
static void the_model_is_planned(void **state) {
  char path[4096];
  const neap_reading reading = {.struct_size = sizeof(neap_reading),
                                .liveness = {.in_place = true}};
  neap_problem *problem;
  neap_plan *plan;
  neap_bound bound = NEAP_INIT(neap_bound), in_place = NEAP_INIT(neap_bound);
  neap_error error;
  models_path(path, "onnx", *state);
  assert_ok(neap_problem_read(path, NULL, &problem, &error), &error);
  assert_ok(neap_problem_bound(problem, &bound, &error), &error);
  size_t count = neap_problem_count(problem);
  neap_problem_free(problem);
  assert_ok(neap_problem_read(path, &reading, &problem, &error), &error);
  assert_ok(neap_problem_bound(problem, &in_place, &error), &error);
  assert_true(neap_problem_count(problem) < count && in_place.bytes <= bound.bytes);
  assert_ok(neap_solve(problem, NULL, &plan, &error), &error);
  assert_ok(neap_plan_verify(plan, -1, &error), &error);
  neap_plan_free(plan);
  neap_problem_free(problem);
}

/* ---------------------------------------------------------------- damage */

static void read_damaged(const char *path) {
  neap_problem *problem = NULL;
  neap_error error = {.text = ""};
  if (neap_problem_read(path,
                        &(neap_reading){.struct_size = sizeof(neap_reading), .format = "onnx"},
                        &problem, &error) != NEAP_OK)
    assert_true(error.text[0]);
  neap_problem_free(problem);
}

static void damage_is_survived(void **state) {
  char path[4096];
  (void)state;
  models_path(path, "onnx", "light_bvlc_alexnet.onnx");
  models_damage(path, SIZE_MAX, 3000, read_damaged);
}

int main(void) {
  char *names[MODELS_MAX];
  struct CMUnitTest tests[2 * MODELS_MAX + 1];
  size_t models = models_list("onnx", ".onnx", names), count = 0;
  for (size_t m = 0; m < models; m++) {
    tests[count++] = (struct CMUnitTest){names[m], the_model_is_read, NULL, NULL, names[m]};
    tests[count++] = (struct CMUnitTest){names[m], the_model_is_planned, NULL, NULL, names[m]};
  }
  tests[count++] = (struct CMUnitTest){
      "damage_is_survived", models ? damage_is_survived : models_are_missing, NULL, NULL, NULL};
  int failed = _cmocka_run_group_tests("onnx models", tests, count, NULL, NULL);
  for (size_t m = 0; m < models; m++)
    free(names[m]);
  return failed;
}
