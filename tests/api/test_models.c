/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * TensorFlow Lite models of $NEAP_SHARED: what neap reads of them is what data/graphs says, a plan
 * written into a model is read back, and no damage to a file does any.  Skipped where there are
 * no models.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/api/files.h"
#include "tests/api/models.h"

static void path_of(char path[4096], const char *name) { models_path(path, "tflite", name); }

static void the_model_is_read(void **state) {
  const char *name = *state;
  char path[4096];
  neap_problem *problem;
  neap_error error;
  path_of(path, name);
  assert_ok(neap_problem_read(path, NULL, &problem, &error), &error);
  models_expect_graph(problem, name, false);
  neap_problem_free(problem);
}

/* ---------------------------------------------------------------- plans in models */

static neap_plan *plan_for_target(const neap_problem *problem) {
  neap_plan *plan;
  neap_error error;
  assert_ok(neap_solve(problem, NULL, &plan, &error), &error);
  return plan;
}

/* The same buffers, each at multiples of 16. */
static neap_problem *aligned(const neap_problem *problem) {
  neap_problem *made = neap_problem_new();
  neap_error error;
  for (size_t i = 0; i < neap_problem_count(problem); i++) {
    neap_buffer buffer = NEAP_INIT(neap_buffer);
    neap_problem_buffer_at(problem, i, &buffer);
    buffer.alignment = 16;
    assert_ok(neap_problem_add(made, &buffer, &error), &error);
  }
  return made;
}

/* What is in the model is what was planned, but for variables, which the runtime places. */
static void expect_read_back(const neap_plan *plan, const char *path) {
  neap_plan *read;
  neap_error error;
  assert_ok(neap_plan_read(path, NULL, &read, &error), &error);
  assert_ok(neap_plan_verify(read, -1, &error), &error);
  for (size_t i = 0; i < neap_problem_count(neap_plan_problem(read)); i++) {
    neap_buffer buffer = NEAP_INIT(neap_buffer);
    size_t index;
    neap_problem_buffer_at(neap_plan_problem(read), i, &buffer);
    assert_true(neap_problem_find(neap_plan_problem(plan), buffer.name, &index));
    assert_int_equal(neap_plan_offset(read, i), neap_plan_offset(plan, index));
  }
  neap_plan_free(read);
}

static void the_plan_is_read_back(void **state) {
  char path[4096], made[] = "/tmp/neap-model-XXXXXX", again[] = "/tmp/neap-model-XXXXXX";
  neap_problem *problem;
  neap_error error;
  path_of(path, *state);
  close(mkstemp(made));
  close(mkstemp(again));
  assert_ok(neap_problem_read(path, NULL, &problem, &error), &error);
  neap_problem *wanted = aligned(problem);
  neap_plan *plan = plan_for_target(wanted);
  assert_ok(neap_plan_write(plan, made,
                            &(neap_writing){.struct_size = sizeof(neap_writing),
                                            .format = "tflite",
                                            .model = path},
                            &error),
            &error);
  expect_read_back(plan, made);
  /* The same plan changes nothing, so it needs no .replace. */
  for (int replace = 0; replace < 2; replace++) {
    const neap_writing writing = {.struct_size = sizeof(neap_writing),
                                  .format = "tflite",
                                  .model = made,
                                  .replace = replace > 0};
    assert_ok(neap_plan_write(plan, again, &writing, &error), &error);
    files_expect_same(made, again);
    expect_read_back(plan, again);
  }
  neap_plan_free(plan);
  neap_problem_free(wanted);
  neap_problem_free(problem);
  remove(made);
  remove(again);
}

/* ---------------------------------------------------------------- damage */

/* Whatever comes of it, it is a problem or a message. */
static void read_damaged(const char *path) {
  neap_problem *problem = NULL;
  neap_plan *plan = NULL;
  neap_error error = {.text = ""};
  if (neap_problem_read(
          path, &(neap_reading){.struct_size = sizeof(neap_reading), .format = "tflite"},
          &problem, &error) != NEAP_OK)
    assert_true(error.text[0]);
  neap_problem_free(problem);
  if (neap_plan_read(path,
                     &(neap_reading){.struct_size = sizeof(neap_reading), .format = "tflite"},
                     &plan, &error) == NEAP_OK)
    neap_plan_free(plan);
}

static void damage_is_survived(void **state) {
  char path[4096];
  (void)state;
  path_of(path, "hello_world_int8.tflite");
  models_damage(path, SIZE_MAX, 4000, read_damaged);
}

/* ---------------------------------------------------------------- all of them */

int main(void) {
  char *names[MODELS_MAX];
  struct CMUnitTest tests[2 * MODELS_MAX + 1];
  size_t models = models_list("tflite", ".tflite", names), count = 0;
  for (size_t m = 0; m < models; m++) {
    tests[count++] = (struct CMUnitTest){names[m], the_model_is_read, NULL, NULL, names[m]};
    tests[count++] = (struct CMUnitTest){names[m], the_plan_is_read_back, NULL, NULL, names[m]};
  }
  tests[count++] = (struct CMUnitTest){
      "damage_is_survived", models ? damage_is_survived : models_are_missing, NULL, NULL, NULL};
  int failed = _cmocka_run_group_tests("models", tests, count, NULL, NULL);
  for (size_t m = 0; m < models; m++)
    free(names[m]);
  return failed;
}
