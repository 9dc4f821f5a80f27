/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/api/models.h"

#include <dirent.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---------------------------------------------------------------- finding them */

static void data_path(char path[4096], const char *kind, const char *folder, const char *name) {
  const char *shared = getenv("NEAP_SHARED");
  snprintf(path, 4096, "%.2900s/data/%s/%s/%s", shared ? shared : "", kind, folder, name);
}

void models_path(char path[4096], const char *folder, const char *name) {
  data_path(path, "models", folder, name);
}

static int compare_names(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

size_t models_list(const char *folder, const char *ending, char *names[MODELS_MAX]) {
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

void models_are_missing(void **state) {
  (void)state;
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
    neap_buffer buffer = NEAP_INIT(neap_buffer);
    neap_problem_buffer_at(problem, i, &buffer);
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
    if (json_is_true(json_object_get(tensor, "const")) || !life_of(graph, t, &life)) continue;
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

void models_expect_graph(const neap_problem *problem, const char *model, bool named) {
  char path[4096];
  if (!find_of(path, "graphs", ".", model, ".json")) return;
  json_t *graph = json_load_file(path, 0, NULL);
  assert_non_null(graph);
  expect_graph(problem, graph, named);
  json_decref(graph);
}

/* ---------------------------------------------------------------- against data/instances */

void models_expect_instance(const neap_problem *problem, const char *folder,
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

void models_damage(const char *path, size_t cuts, int rounds, void (*read)(const char *path)) {
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
