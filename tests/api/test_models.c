/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Models of $NEAP_SHARED: neap reads from them what data/graphs and data/instances say; a plan
 * written into a TensorFlow Lite model is read back; a damaged file does no harm; and all models,
 * like the examples, are planned to a proven optimum.  Skipped where there are no models.
 */
#include <dirent.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "neap/models.h"
#include "tests/support/files.h"
#include "tests/support/sample.h"

/* ---------------------------------------------------------------- model files and their facts */

/* Model files of $NEAP_SHARED/data, what is known of their graphs, and damage to them. */

#define MODELS_MAX 64

/* ---------------------------------------------------------------- finding them */

static void data_path(char path[4096], const char *kind, const char *folder, const char *name) {
  const char *shared = getenv("NEAP_SHARED");
  snprintf(path, 4096, "%.2900s/data/%s/%s/%s", shared ? shared : "", kind, folder, name);
}

/* data/models/FOLDER/NAME */
static void models_path(char path[4096], const char *folder, const char *name) {
  data_path(path, "models", folder, name);
}

static int compare_names(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The models of data/models/FOLDER whose names have that ending, sorted; each to be freed. */
static size_t models_list(const char *folder, const char *ending, char *names[MODELS_MAX]) {
  char path[4096];
  size_t count = 0;
  models_path(path, folder, "");
  DIR *models = opendir(path);
  for (const struct dirent *entry; models && (entry = readdir(models));)
    if (strstr(entry->d_name, ending) && count < MODELS_MAX)
      names[count++] = strdup(entry->d_name);
  if (models) closedir(models);
  qsort(names, count, sizeof *names, compare_names);
  return count;
}

/* A case that says that it is skipped. */
TEST(models_are_missing) {
  print_message("skipped: there are no such models in NEAP_SHARED\n");
  skip();
}

/* The file of a folder of data whose name ends in the model's, with another extension. */
static bool find_of(char path[4096], const char *kind, const char *folder, const char *model,
                    const char *extension) {
  char ending[256], name[256] = "";
  snprintf(ending, sizeof ending, "__%.*s%s", (int)(strrchr(model, '.') - model), model,
           extension);
  data_path(path, kind, folder, "");
  DIR *entries = opendir(path);
  for (const struct dirent *entry; entries && (entry = readdir(entries));) {
    size_t length = strlen(entry->d_name), end = strlen(ending);
    if (length >= end && strcmp(entry->d_name + length - end, ending) == 0)
      snprintf(name, sizeof name, "%s", entry->d_name);
  }
  if (entries) closedir(entries);
  data_path(path, kind, folder, name);
  return name[0] != '\0';
}

/* ---------------------------------------------------------------- against data/graphs */

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

/* Whether a tensor is constant, or a constant that is dequantized once. */
static bool is_weights(const json_t *graph, size_t tensor) {
  const json_t *tensors = json_object_get(graph, "tensors"), *ops = json_object_get(graph, "ops");
  for (size_t k = 0; k < json_array_size(ops); k++) {
    const json_t *op = json_array_get(ops, k);
    const char *type = json_string_value(json_object_get(op, "op"));
    if (is_listed(json_object_get(op, "out"), tensor) && type &&
        strcmp(type, "DEQUANTIZE") == 0)
      tensor = (size_t)json_integer_value(json_array_get(json_object_get(op, "in"), 0));
  }
  return json_is_true(json_object_get(json_array_get(tensors, tensor), "const"));
}

static int by_size_and_life(const void *left, const void *right) {
  const int64_t *a = left, *b = right;
  for (size_t i = 0; i < 3; i++)
    if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
  return 0;
}

/* The buffer of a tensor's name is as large and lives as long. */
static void expect_named(const neap_problem *problem, const json_t *tensor,
                         const int64_t *wanted) {
  neap_buffer buffer = NEAP_INIT(neap_buffer);
  size_t index;
  const char *name = json_string_value(json_object_get(tensor, "name"));
  if (!neap_problem_find(problem, name, &index)) fail_msg("there is no buffer %s", name);
  neap_problem_buffer_at(problem, index, &buffer);
  const int64_t found[] = {buffer.size, buffer.ranges[0].start, buffer.ranges[0].end};
  if (memcmp(found, wanted, sizeof found) != 0)
    fail_msg("%s: expected %lld bytes in %lld to %lld, found %lld in %lld to %lld", name,
             (long long)wanted[0], (long long)wanted[1], (long long)wanted[2],
             (long long)found[0], (long long)found[1], (long long)found[2]);
}

/* Sizes and lives of all buffers, sorted; released with test_free. */
static int64_t (*list_buffers(const neap_problem *problem))[3] {
  size_t count = neap_problem_count(problem);
  int64_t(*found)[3] = test_calloc(count + 1, sizeof *found);
  for (size_t i = 0; i < count; i++) {
    neap_buffer buffer = sample_buffer(problem, i);
    found[i][0] = buffer.size;
    found[i][1] = buffer.ranges[0].start;
    found[i][2] = buffer.ranges[0].end;
  }
  qsort(found, count, sizeof *found, by_size_and_life);
  return found;
}

static void expect_graph(const neap_problem *problem, const json_t *graph, bool named) {
  const json_t *tensors = json_object_get(graph, "tensors");
  size_t expected = 0;
  int64_t(*wanted)[3] = test_calloc(json_array_size(tensors) + 1, sizeof *wanted);
  int64_t(*found)[3] = list_buffers(problem);
  for (size_t t = 0; t < json_array_size(tensors); t++) {
    const json_t *tensor = json_array_get(tensors, t);
    neap_range life;
    if (is_weights(graph, t) || !life_of(graph, t, &life)) continue;
    wanted[expected][0] = json_integer_value(json_object_get(tensor, "bytes"));
    wanted[expected][1] = life.start;
    wanted[expected][2] = life.end;
    if (named) expect_named(problem, tensor, wanted[expected]);
    expected++;
  }
  assert_int_equal(neap_problem_count(problem), expected);
  qsort(wanted, expected, sizeof *wanted, by_size_and_life);
  assert_memory_equal(wanted, found, expected * sizeof *found);
  test_free(wanted);
  test_free(found);
}

/*
 * The problem agrees with data/graphs, if that describes the model.  Unless `named`, names may
 * differ, because neap changes names that are not unique.
 */
static void models_expect_graph(const neap_problem *problem, const char *model, bool named) {
  char path[4096];
  if (!find_of(path, "graphs", ".", model, ".json")) return;
  json_t *graph = json_load_file(path, 0, NULL);
  assert_non_null(graph);
  expect_graph(problem, graph, named);
  json_decref(graph);
}

/* ---------------------------------------------------------------- against data/instances */

/* The problem has the buffers of the model's instance in data/instances/FOLDER, if there is one. */
static void models_expect_instance(const neap_problem *problem, const char *folder,
                                   const char *model) {
  char path[4096];
  neap_problem *instance;
  neap_bound bound = NEAP_INIT(neap_bound), wanted = NEAP_INIT(neap_bound);
  neap_error error;
  if (!find_of(path, "instances", folder, model, ".csv")) return;
  assert_ok(neap_problem_read(path, NULL, &instance, &error), &error);
  size_t count = neap_problem_count(instance);
  assert_int_equal(neap_problem_count(problem), count);
  int64_t(*expected)[3] = list_buffers(instance), (*found)[3] = list_buffers(problem);
  assert_memory_equal(expected, found, count * sizeof *found);
  assert_ok(neap_problem_bound(instance, &wanted, &error), &error);
  assert_ok(neap_problem_bound(problem, &bound, &error), &error);
  assert_int_equal(bound.bytes, wanted.bytes);
  test_free(expected);
  test_free(found);
  neap_problem_free(instance);
}

/* ---------------------------------------------------------------- damage */

static void write_file(const char *path, const char *bytes, size_t size) {
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(bytes, 1, size, file), size);
  fclose(file);
}

/* Calls `read` with the path of a file that holds the model, cut and changed in many ways. */
static void models_damage(const char *path, size_t cuts, int rounds,
                          void (*read)(const char *path)) {
  char made[] = "/tmp/neap-model-XXXXXX";
  static char bytes[65536];
  FILE *file = fopen(path, "rb");
  if (!file) skip();
  size_t size = fread(bytes, 1, sizeof bytes, file);
  fclose(file);
  close(mkstemp(made));
  for (size_t cut = 0; cut < size && cut < cuts; cut++) {
    write_file(made, bytes, cut);
    read(made);
  }
  uint64_t random = 88172645463325252u;
  for (int round = 0; round < rounds; round++) {
    random ^= random << 13;
    random ^= random >> 7;
    random ^= random << 17;
    size_t at = random % size;
    char kept = bytes[at];
    bytes[at] = (char)(random >> 32);
    write_file(made, bytes, size);
    read(made);
    if (round % 8 != 0) bytes[at] = kept; /* damage adds up, but slowly */
  }
  remove(made);
}

/* ---------------------------------------------------------------- TensorFlow Lite */

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

/* The same buffers, each at multiples of 16. */
static neap_problem *aligned(const neap_problem *problem) {
  neap_problem *made = neap_problem_new();
  neap_error error;
  for (size_t i = 0; i < neap_problem_count(problem); i++) {
    neap_buffer buffer = sample_buffer(problem, i);
    buffer.alignment = 16;
    assert_ok(neap_problem_add(made, &buffer, &error), &error);
  }
  return made;
}

static bool is_of_runtime(const neap_problem *problem, const char *name) {
  neap_runtime_tensor tensor = NEAP_INIT(neap_runtime_tensor);
  for (size_t i = 0; neap_problem_runtime_tensor_at(problem, i, &tensor); i++)
    if (strcmp(tensor.name, name) == 0) return true;
  return false;
}

/* The model holds the planned offsets, except those of variables and scratch buffers, which the
 * runtime places. */
static void expect_read_back(const neap_plan *plan, const char *path) {
  neap_plan *read;
  neap_error error;
  assert_ok(neap_plan_read(path, NULL, &read, &error), &error);
  assert_ok(neap_plan_verify(read, -1, &error), &error);
  for (size_t i = 0; i < neap_problem_count(neap_plan_problem(read)); i++) {
    size_t index;
    neap_buffer buffer = sample_buffer(neap_plan_problem(read), i);
    if (neap_problem_find(neap_plan_problem(plan), buffer.name, &index))
      assert_int_equal(neap_plan_offset(read, i), neap_plan_offset(plan, index));
    else assert_true(is_of_runtime(neap_plan_problem(read), buffer.name));
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
  neap_plan *plan = sample_solve(wanted, NULL);
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

/* The result is a problem or a message. */
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

TEST(damage_is_survived) {
  char path[4096];
  path_of(path, "hello_world_int8.tflite");
  models_damage(path, SIZE_MAX, 4000, read_damaged);
}

/* ---------------------------------------------------------------- all of them */

/* ---------------------------------------------------------------- ONNX */

static void the_onnx_model_is_read(void **state) {
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

/* With sharing in place, there are fewer bytes to plan, and they need no more memory. */
static void the_onnx_model_is_planned(void **state) {
  char path[4096];
  const neap_reading reading = {.struct_size = sizeof(neap_reading),
                                .graph.liveness = {.in_place = true}};
  neap_problem *problem;
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
  neap_plan *plan = sample_solve(problem, NULL);
  assert_ok(neap_plan_verify(plan, -1, &error), &error);
  neap_plan_free(plan);
  neap_problem_free(problem);
}

/* ---------------------------------------------------------------- damage */

static void read_damaged_onnx(const char *path) {
  neap_problem *problem = NULL;
  neap_error error = {.text = ""};
  if (neap_problem_read(path,
                        &(neap_reading){.struct_size = sizeof(neap_reading), .format = "onnx"},
                        &problem, &error) != NEAP_OK)
    assert_true(error.text[0]);
  neap_problem_free(problem);
}

TEST(damage_to_onnx_is_survived) {
  char path[4096];
  models_path(path, "onnx", "light_bvlc_alexnet.onnx");
  models_damage(path, SIZE_MAX, 3000, read_damaged_onnx);
}

/* ---------------------------------------------------------------- optima */

/* 0 stands for the alignment of the tensors' elements. */
static const neap_size alignments[] = {0, 1, 4, 16, 32, 64, 256};

static void expect_optimal(const char *path, neap_size alignment) {
  const neap_reading reading = {.struct_size = sizeof(neap_reading),
                                .graph.alignment = alignment};
  neap_problem *problem;
  neap_error error;
  assert_ok(neap_problem_read(path, &reading, &problem, &error), &error);
  if (alignment > 0) assert_ok(neap_problem_align(problem, alignment, 1, &error), &error);
  neap_plan *plan = sample_solve(problem, NULL);
  assert_ok(neap_plan_verify(plan, -1, &error), &error);
  neap_report report = sample_report(plan);
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

TEST(examples_are_planned_optimally) {
  const char *source = getenv("NEAP_SOURCE");
  char path[4096];
  size_t count = 0;
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
TEST(the_keyword_model_takes_4024_bytes) {
  const char *source = getenv("NEAP_SOURCE");
  char path[4096];
  neap_problem *problem;
  neap_error error;
  snprintf(path, sizeof path, "%.3000s/examples/keyword.tflite", source ? source : ".");
  assert_ok(neap_problem_read(path, NULL, &problem, &error), &error);
  assert_ok(neap_problem_align(problem, 16, 1, &error), &error);
  const neap_bound bound = sample_bound(problem);
  assert_int_equal(bound.bytes, 4000);
  assert_int_equal(bound.lower_bound, 4024);
  neap_problem_free(problem);
}

/* Int8 activations align to 1, int32 sums to 4; a caller may ask for another alignment. */
TEST(tensors_are_aligned_to_their_elements) {
  static const neap_size asked[] = {0, 1, 16}, low[] = {1, 1, 16}, high[] = {4, 1, 16};
  const char *source = getenv("NEAP_SOURCE");
  char path[4096];
  snprintf(path, sizeof path, "%.3000s/examples/keyword.tflite", source ? source : ".");
  for (size_t i = 0; i < SAMPLE_COUNT(asked); i++) {
    const neap_reading reading = {.struct_size = sizeof(neap_reading),
                                  .graph.alignment = asked[i]};
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

/* ---------------------------------------------------------------- all of them */

struct family {
  const char *folder, *ending;
  CMUnitTestFunction is_read, is_planned, is_robust;
};

static const struct family families[] = {
    {"tflite", ".tflite", the_model_is_read, the_plan_is_read_back, damage_is_survived},
    {"onnx", ".onnx", the_onnx_model_is_read, the_onnx_model_is_planned,
     damage_to_onnx_is_survived},
};

/* The cases of a family; its names are released with free(). */
static size_t add_family(const struct family *family, char *names[MODELS_MAX], size_t models,
                         struct CMUnitTest *tests) {
  size_t count = 0;
  for (size_t m = 0; m < models; m++) {
    tests[count++] = (struct CMUnitTest){names[m], family->is_read, NULL, NULL, names[m]};
    tests[count++] = (struct CMUnitTest){names[m], family->is_planned, NULL, NULL, names[m]};
  }
  tests[count++] = (struct CMUnitTest){
      "damage_is_survived", models ? family->is_robust : models_are_missing, NULL, NULL, NULL};
  return count;
}

int main(void) {
  neap_models_register();
  static char folders[][8] = {"tflite", "onnx", "dot", "order"};
  static struct CMUnitTest
      tests[SAMPLE_COUNT(families) * (2 * MODELS_MAX + 1) + 3 + SAMPLE_COUNT(folders)] = {
          cmocka_unit_test(examples_are_planned_optimally),
          cmocka_unit_test(the_keyword_model_takes_4024_bytes),
          cmocka_unit_test(tensors_are_aligned_to_their_elements),
      };
  char *names[SAMPLE_COUNT(families)][MODELS_MAX];
  size_t models[SAMPLE_COUNT(families)], count = 3;
  for (size_t f = 0; f < SAMPLE_COUNT(folders); f++)
    tests[count++] =
        (struct CMUnitTest)cmocka_unit_test_prestate(models_are_planned_optimally, folders[f]);
  for (size_t f = 0; f < SAMPLE_COUNT(families); f++) {
    models[f] = models_list(families[f].folder, families[f].ending, names[f]);
    count += add_family(&families[f], names[f], models[f], &tests[count]);
  }
  int failed = _cmocka_run_group_tests("models", tests, count, NULL, NULL);
  for (size_t f = 0; f < SAMPLE_COUNT(families); f++)
    while (models[f] > 0)
      free(names[f][--models[f]]);
  return failed;
}
