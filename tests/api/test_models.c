/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * TensorFlow Lite models of $NEAP_SHARED: what neap reads of them is what data/graphs says, a plan
 * written into a model is read back, and no damage to a file does any.  Skipped where there are
 * no models.
 */
#include <dirent.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/sample.h"

#define MODELS_MAX 64

static char folder[3000];

static void path_of(char path[4096], const char *name) {
  snprintf(path, 4096, "%s/models/tflite/%s", folder, name);
}

/* ---------------------------------------------------------------- against data/graphs */

/* The graph whose name ends in the model's, or NULL. */
static json_t *find_graph(const char *model) {
  char path[4096], ending[256];
  json_t *found = NULL;
  snprintf(path, sizeof path, "%s/graphs", folder);
  snprintf(ending, sizeof ending, "__%.*s.json", (int)(strlen(model) - strlen(".tflite")),
           model);
  DIR *graphs = opendir(path);
  for (const struct dirent *entry; graphs && (entry = readdir(graphs));) {
    size_t length = strlen(entry->d_name), end = strlen(ending);
    if (length < end || strcmp(entry->d_name + length - end, ending) != 0) continue;
    snprintf(path, sizeof path, "%s/graphs/%s", folder, entry->d_name);
    found = json_load_file(path, 0, NULL);
  }
  if (graphs) closedir(graphs);
  return found;
}

static bool is_listed(const json_t *list, size_t tensor) {
  for (size_t i = 0; i < json_array_size(list); i++)
    if ((size_t)json_integer_value(json_array_get(list, i)) == tensor) return true;
  return false;
}

/* When a tensor lives, by the operators that name it; false when none does. */
static bool life_of(const json_t *graph, size_t tensor, neap_range *life) {
  const json_t *ops = json_object_get(graph, "ops");
  size_t count = json_array_size(ops);
  bool variable = is_listed(json_object_get(graph, "variables"), tensor);
  bool found = is_listed(json_object_get(graph, "inputs"), tensor) || variable;
  *life = (neap_range){0, 1};
  for (size_t k = 0; k < count; k++) {
    const json_t *op = json_array_get(ops, k);
    bool made = is_listed(json_object_get(op, "out"), tensor);
    if (made && !found) life->start = (neap_time)k;
    if (made || is_listed(json_object_get(op, "in"), tensor)) {
      found = true;
      life->end = (neap_time)k + 1;
    }
  }
  if (variable || is_listed(json_object_get(graph, "outputs"), tensor))
    life->end = (neap_time)count;
  return found;
}

static int by_size_and_life(const void *left, const void *right) {
  const int64_t *a = left, *b = right;
  for (size_t i = 0; i < 3; i++)
    if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
  return 0;
}

/* Names may differ, being changed where they are not unique: sizes and lives are compared. */
static void expect_graph(const neap_problem *problem, const json_t *graph) {
  const json_t *tensors = json_object_get(graph, "tensors");
  size_t expected = 0, count = neap_problem_count(problem);
  int64_t(*wanted)[3] = test_calloc(json_array_size(tensors) + 1, sizeof *wanted);
  int64_t(*found)[3] = test_calloc(count + 1, sizeof *found);
  for (size_t t = 0; t < json_array_size(tensors); t++) {
    const json_t *tensor = json_array_get(tensors, t);
    neap_range life;
    if (json_is_true(json_object_get(tensor, "const")) || !life_of(graph, t, &life)) continue;
    wanted[expected][0] = json_integer_value(json_object_get(tensor, "bytes"));
    wanted[expected][1] = life.start;
    wanted[expected++][2] = life.end;
  }
  for (size_t i = 0; i < count; i++) {
    neap_buffer buffer;
    neap_problem_get(problem, i, &buffer);
    found[i][0] = buffer.size;
    found[i][1] = buffer.ranges[0].start;
    found[i][2] = buffer.ranges[0].end;
  }
  assert_int_equal(count, expected);
  qsort(wanted, count, sizeof *wanted, by_size_and_life);
  qsort(found, count, sizeof *found, by_size_and_life);
  assert_memory_equal(wanted, found, count * sizeof *found);
  test_free(wanted);
  test_free(found);
}

static void the_model_is_read(void **state) {
  const char *name = *state;
  char path[4096];
  neap_problem *problem;
  neap_error error;
  path_of(path, name);
  assert_ok(neap_problem_read(path, NEAP_FORMAT_AUTO, &problem, &error), &error);
  json_t *graph = find_graph(name);
  if (graph) expect_graph(problem, graph);
  json_decref(graph);
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
    neap_buffer buffer;
    neap_problem_get(problem, i, &buffer);
    buffer.alignment = 16;
    assert_ok(neap_problem_add(made, &buffer, &error), &error);
  }
  return made;
}

/* What is in the model is what was planned, but for variables, which the runtime places. */
static void expect_read_back(const neap_plan *plan, const char *path) {
  neap_plan *read;
  neap_error error;
  assert_ok(neap_plan_read(path, NEAP_FORMAT_AUTO, &read, &error), &error);
  assert_ok(neap_plan_verify(read, -1, &error), &error);
  for (size_t i = 0; i < neap_problem_count(neap_plan_problem(read)); i++) {
    neap_buffer buffer;
    size_t index;
    neap_problem_get(neap_plan_problem(read), i, &buffer);
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
  assert_ok(neap_problem_read(path, NEAP_FORMAT_AUTO, &problem, &error), &error);
  neap_problem *wanted = aligned(problem);
  neap_plan *plan = plan_for_target(wanted);
  assert_ok(neap_plan_write_tflite(plan, path, made, false, &error), &error);
  expect_read_back(plan, made);
  assert_int_equal(neap_plan_write_tflite(plan, made, again, false, &error),
                   NEAP_ERROR_ARGUMENT);
  assert_ok(neap_plan_write_tflite(plan, made, again, true, &error), &error);
  expect_read_back(plan, again);
  neap_plan_free(plan);
  neap_problem_free(wanted);
  neap_problem_free(problem);
  remove(made);
  remove(again);
}

/* ---------------------------------------------------------------- damage */

static void write_file(const char *path, const char *bytes, size_t size) {
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(bytes, 1, size, file), size);
  fclose(file);
}

/* Whatever comes of it, it is a problem or a message. */
static void read_damaged(const char *path) {
  neap_problem *problem = NULL;
  neap_plan *plan = NULL;
  neap_error error = {.text = ""};
  if (neap_problem_read(path, NEAP_FORMAT_TFLITE, &problem, &error) != NEAP_OK)
    assert_true(error.text[0]);
  neap_problem_free(problem);
  if (neap_plan_read(path, NEAP_FORMAT_TFLITE, &plan, &error) == NEAP_OK) neap_plan_free(plan);
}

static void damage_is_survived(void **state) {
  char path[4096], made[] = "/tmp/neap-model-XXXXXX";
  (void)state;
  path_of(path, "hello_world_int8.tflite");
  FILE *file = fopen(path, "rb");
  if (!file) skip();
  static char bytes[65536];
  size_t size = fread(bytes, 1, sizeof bytes, file);
  fclose(file);
  close(mkstemp(made));
  for (size_t cut = 0; cut < size; cut++) {
    write_file(made, bytes, cut);
    read_damaged(made);
  }
  uint64_t random = 88172645463325252u;
  for (int round = 0; round < 4000; round++) {
    random ^= random << 13;
    random ^= random >> 7;
    random ^= random << 17;
    size_t at = random % size;
    char kept = bytes[at];
    bytes[at] = (char)(random >> 32);
    write_file(made, bytes, size);
    read_damaged(made);
    if (round % 8 != 0) bytes[at] = kept; /* damage adds up, but slowly */
  }
  remove(made);
}

/* ---------------------------------------------------------------- all of them */

static void no_folder(void **state) {
  (void)state;
  print_message("skipped: there is no data/models/tflite in NEAP_SHARED\n");
  skip();
}

static int compare_names(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

static size_t list_models(char *names[MODELS_MAX]) {
  char path[4096];
  size_t count = 0;
  path_of(path, "");
  DIR *models = opendir(path);
  for (const struct dirent *entry; models && (entry = readdir(models));)
    if (strstr(entry->d_name, ".tflite") && count < MODELS_MAX)
      names[count++] = strdup(entry->d_name);
  if (models) closedir(models);
  qsort(names, count, sizeof *names, compare_names);
  return count;
}

int main(void) {
  const char *shared = getenv("NEAP_SHARED");
  char *names[MODELS_MAX];
  struct CMUnitTest tests[2 * MODELS_MAX + 1];
  snprintf(folder, sizeof folder, "%.2900s/data", shared ? shared : "");
  size_t models = list_models(names), count = 0;
  for (size_t m = 0; m < models; m++) {
    tests[count++] = (struct CMUnitTest){names[m], the_model_is_read, NULL, NULL, names[m]};
    tests[count++] = (struct CMUnitTest){names[m], the_plan_is_read_back, NULL, NULL, names[m]};
  }
  tests[count++] = (struct CMUnitTest){
      "damage_is_survived", models ? damage_is_survived : no_folder, NULL, NULL, NULL};
  int failed = _cmocka_run_group_tests("models", tests, count, NULL, NULL);
  for (size_t m = 0; m < models; m++)
    free(names[m]);
  return failed;
}
