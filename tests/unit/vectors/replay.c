/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * replay [FILE]: replays test vectors, one case of this program per vector, and compares every
 * number that a vector expects.  FILE has one JSON object per vector.  Without it, replays
 * tests/unit/vectors of the source.  A file without vectors, a damaged one and a vector of an
 * unknown kind are failures.
 */
#include "tests/unit/vectors/replay.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------- members of vectors */

const json_t *member(const json_t *object, const char *key) {
  const json_t *value = json_object_get(object, key);
  if (!value) fail_msg("the case has no \"%s\"", key);
  return value;
}

int64_t member_integer(const json_t *object, const char *key) {
  const json_t *value = member(object, key);
  if (!json_is_integer(value)) fail_msg("\"%s\" is no integer", key);
  return json_integer_value(value);
}

const char *member_text(const json_t *object, const char *key) {
  const json_t *value = member(object, key);
  if (!json_is_string(value)) fail_msg("\"%s\" is no string", key);
  return json_string_value(value);
}

const json_t *member_array(const json_t *object, const char *key) {
  const json_t *value = member(object, key);
  if (!json_is_array(value)) fail_msg("\"%s\" is no array", key);
  return value;
}

int64_t element_integer(const json_t *array, size_t index) {
  const json_t *value = json_array_get(array, index);
  if (!json_is_integer(value)) fail_msg("element %zu is no integer", index);
  return json_integer_value(value);
}

void expect_integers(const json_t *expected, const int64_t *found, size_t count,
                     const char *what) {
  if (json_array_size(expected) != count)
    fail_msg("%s: expected %zu numbers, found %zu", what, json_array_size(expected), count);
  for (size_t i = 0; i < count; i++) {
    int64_t wanted = element_integer(expected, i);
    if (found[i] != wanted)
      fail_msg("%s[%zu]: expected %" PRId64 ", found %" PRId64, what, i, wanted, found[i]);
  }
}

static void add_rectangle(neap_problem *problem, const json_t *rectangle) {
  neap_range range = {member_integer(rectangle, "start"), member_integer(rectangle, "end")};
  neap_buffer buffer = NEAP_BUFFER_INIT;
  buffer.name = member_text(rectangle, "name");
  buffer.size = member_integer(rectangle, "size");
  buffer.alignment = member_integer(rectangle, "align");
  buffer.ranges = &range;
  buffer.range_count = 1;
  neap_error error;
  assert_ok(neap_problem_add(problem, &buffer, &error), &error);
}

neap_problem *vector_problem(const json_t *vector) {
  const json_t *rectangles = member_array(vector, "rectangles");
  neap_problem *problem = neap_problem_new();
  assert_non_null(problem);
  for (size_t i = 0; i < json_array_size(rectangles); i++)
    add_rectangle(problem, json_array_get(rectangles, i));
  return problem;
}

int64_t *vector_integers(const json_t *array) {
  assert_true(json_is_array(array));
  size_t count = json_array_size(array);
  int64_t *numbers = test_calloc(count + 1, sizeof *numbers);
  for (size_t i = 0; i < count; i++)
    numbers[i] = json_is_null(json_array_get(array, i)) ? -1 : element_integer(array, i);
  return numbers;
}

size_t *vector_sizes(const json_t *array) {
  size_t count = json_array_size(array);
  size_t *numbers = test_calloc(count + 1, sizeof *numbers);
  for (size_t i = 0; i < count; i++)
    numbers[i] = (size_t)element_integer(array, i);
  return numbers;
}

void expect_optional(const json_t *expected, const int64_t *found, size_t count, int64_t none,
                     const char *what) {
  assert_int_equal(json_array_size(expected), count);
  for (size_t i = 0; i < count; i++) {
    const json_t *wanted = json_array_get(expected, i);
    int64_t value = json_is_null(wanted) ? none : json_integer_value(wanted);
    if (found[i] != value)
      fail_msg("%s[%zu]: expected %" PRId64 ", found %" PRId64, what, i, value, found[i]);
  }
}

void expect_sizes(const json_t *expected, const size_t *found, size_t count, const char *what) {
  int64_t *numbers = test_calloc(count + 1, sizeof *numbers);
  for (size_t i = 0; i < count; i++)
    numbers[i] = (int64_t)found[i];
  expect_integers(expected, numbers, count, what);
  test_free(numbers);
}

size_t *vector_order(const neap_problem *problem, const json_t *array) {
  size_t count = neap_problem_count(problem);
  assert_int_equal(json_array_size(array), count);
  size_t *order = test_calloc(count + 1, sizeof *order);
  bool *seen = test_calloc(count + 1, sizeof *seen);
  for (size_t i = 0; i < count; i++) {
    int64_t buffer = element_integer(array, i);
    assert_in_range(buffer, 0, count - 1);
    assert_false(seen[buffer]);
    seen[buffer] = true;
    order[i] = (size_t)buffer;
  }
  test_free(seen);
  return order;
}

/* ---------------------------------------------------------------- running them */

static const struct kind {
  const char *name;
  void (*replay)(const json_t *vector);
} kinds[] = {
    {"convert", replay_convert},
    {"metrics", replay_metrics},
    {"sort", replay_sort},
    {"place", replay_place},
    {"classify", replay_classify},
    {"stop_goal", replay_stop_goal},
    {"check_overlap", replay_check_overlap},
    {"export", replay_export},
    {"optimum", replay_optimum},
    {"1d", replay_gpu},
    {"1d+deps", replay_gpu},
    {"2d", replay_gpu_extents},
    {"3d", replay_gpu_extents},
    {"objects_to_offsets", replay_objects_to_offsets},
    {"reallocation_graph", replay_reallocation_graph},
    {"planner", replay_arena_planner},
    {"arena", replay_arena},
    {"requests", replay_tflm_requests},
    {"plan_memory", replay_nnvm},
    {"manager_script", replay_pplnn_manager},
    {"graph", replay_pplnn_graph},
    {"run_simulation", replay_pplnn_run},
};

static const struct kind *find_kind(const char *name) {
  for (size_t i = 0; i < SAMPLE_COUNT(kinds); i++)
    if (strcmp(kinds[i].name, name) == 0) return &kinds[i];
  fail_msg("kind \"%s\" is unknown: it must be replayed", name);
  return NULL;
}

/* ---------------------------------------------------------------- the cases */

struct cases {
  const char *path;
  json_t **vectors;
  size_t count;
};

static void *must(void *memory) {
  if (memory) return memory;
  fputs("replay: out of memory\n", stderr);
  exit(1);
}

static bool is_at_end(FILE *file) {
  int letter;
  while ((letter = getc(file)) != EOF && isspace(letter)) {
  }
  return letter == EOF || ungetc(letter, file) == EOF;
}

/* Reads all vectors; prints why it cannot. */
static bool read_cases(struct cases *cases) {
  FILE *file = fopen(cases->path, "r");
  json_error_t problem;
  bool good = file != NULL;
  if (!file) fprintf(stderr, "replay: %s: %s\n", cases->path, strerror(errno));
  while (good && !is_at_end(file)) {
    json_t *vector =
        json_loadf(file, JSON_REJECT_DUPLICATES | JSON_DISABLE_EOF_CHECK, &problem);
    good = vector != NULL;
    if (!good)
      fprintf(stderr, "replay: %s, vector %zu: %s\n", cases->path, cases->count + 1,
              problem.text);
    else {
      size_t size = (cases->count + 1) * sizeof *cases->vectors;
      cases->vectors = must(realloc(cases->vectors, size));
      cases->vectors[cases->count++] = vector;
    }
  }
  if (file) fclose(file);
  return good && cases->count > 0;
}

static void clear_cases(struct cases *cases) {
  for (size_t i = 0; i < cases->count; i++)
    json_decref(cases->vectors[i]);
  free(cases->vectors);
}

/* ---------------------------------------------------------------- running */

static void run_case(void **state) {
  const json_t *vector = *state;
  find_kind(member_text(vector, "kind"))->replay(vector);
}

static void file_has_vectors(void **state) {
  fail_msg("%s has no test vectors", (const char *)*state);
}

static int run_cases(const struct cases *cases) {
  struct CMUnitTest *tests = must(calloc(cases->count, sizeof *tests));
  for (size_t i = 0; i < cases->count; i++) {
    const char *name = json_string_value(json_object_get(cases->vectors[i], "case"));
    tests[i] = (struct CMUnitTest){name ? name : "without a name", run_case, NULL, NULL,
                                   cases->vectors[i]};
  }
  int failures = _cmocka_run_group_tests("replay", tests, cases->count, NULL, NULL);
  free(tests);
  return failures;
}

/* Replays one file; returns the number of failures. */
static int replay_file(const char *path) {
  struct cases cases = {.path = path};
  const struct CMUnitTest none[] = {
      {"file_has_vectors", file_has_vectors, NULL, NULL, (void *)(uintptr_t)path}};
  int result = read_cases(&cases) ? run_cases(&cases)
                                  : cmocka_run_group_tests_name("replay", none, NULL, NULL);
  clear_cases(&cases);
  return result;
}

int main(int argc, char **argv) {
  static const char *const systems[] = {"patent",      "tflite-gpu", "tflite-arena",
                                        "tflm-greedy", "nnvm",       "pplnn"};
  if (argc > 2) {
    fputs("usage: replay [FILE]\n", stderr);
    return 2;
  }
  if (argc == 2) return replay_file(argv[1]);
  const char *source = getenv("NEAP_SOURCE");
  int failures = 0;
  for (size_t s = 0; s < SAMPLE_COUNT(systems); s++) {
    char path[4096];
    snprintf(path, sizeof path, "%s/tests/unit/vectors/%s.jsonl", source ? source : ".",
             systems[s]);
    failures += replay_file(path);
  }
  return failures > 0;
}
