/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * replay [FOLDER]: replays a folder of test vectors, one case of this program per vector, and
 * compares every number that a vector expects.  A vector is a file CASE.json; those that
 * ../MANIFEST.csv lists for the folder must exist.  Without an argument it replays all systems in
 * tests/vectors of the source.  A missing folder, a folder without vectors and a vector of an
 * unknown kind are failures.
 */
#include "tests/unit/replay.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
  const char *folder;
  char **names;
  size_t count, capacity;
};

static void *must(void *memory) {
  if (memory) return memory;
  fputs("replay: out of memory\n", stderr);
  exit(1);
}

static void add_case(struct cases *cases, const char *name, size_t length) {
  for (size_t i = 0; i < cases->count; i++)
    if (strlen(cases->names[i]) == length && memcmp(cases->names[i], name, length) == 0) return;
  if (cases->count == cases->capacity) {
    cases->capacity = cases->capacity * 2 + 16;
    cases->names = must(realloc(cases->names, cases->capacity * sizeof *cases->names));
  }
  cases->names[cases->count++] = must(strndup(name, length));
}

/* Every CASE.json; false when there is no such folder. */
static bool list_folder(struct cases *cases) {
  DIR *folder = opendir(cases->folder);
  if (!folder) return false;
  for (const struct dirent *entry; (entry = readdir(folder));) {
    size_t length = strlen(entry->d_name);
    if (length > 5 && strcmp(entry->d_name + length - 5, ".json") == 0)
      add_case(cases, entry->d_name, length - 5);
  }
  closedir(folder);
  return true;
}

/* The second field of each row whose first is the folder's name. */
static void list_manifest(struct cases *cases) {
  char path[4096], line[1024];
  snprintf(path, sizeof path, "%s/../MANIFEST.csv", cases->folder);
  FILE *manifest = fopen(path, "r");
  if (!manifest) return;
  const char *slash = strrchr(cases->folder, '/');
  const char *system = slash ? slash + 1 : cases->folder;
  size_t length = strlen(system);
  while (fgets(line, sizeof line, manifest))
    if (strncmp(line, system, length) == 0 && line[length] == ',')
      add_case(cases, line + length + 1, strcspn(line + length + 1, ",\r\n"));
  fclose(manifest);
}

static int compare_names(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

/* ---------------------------------------------------------------- running */

struct run {
  const char *folder, *name;
};

static void run_case(void **state) {
  const struct run *run = *state;
  char path[4096];
  snprintf(path, sizeof path, "%s/%s.json", run->folder, run->name);
  json_error_t problem;
  json_t *vector = json_load_file(path, JSON_REJECT_DUPLICATES, &problem);
  if (!vector) fail_msg("%s:%d: %s", path, problem.line, problem.text);
  assert_string_equal(member_text(vector, "case"), run->name);
  const struct kind *kind = find_kind(member_text(vector, "kind"));
  kind->replay(vector);
  json_decref(vector);
}

static void folder_has_vectors(void **state) {
  fail_msg("%s has no test vectors", (const char *)*state);
}

static int run_cases(const struct cases *cases) {
  struct CMUnitTest *tests = must(calloc(cases->count, sizeof *tests));
  struct run *runs = must(calloc(cases->count, sizeof *runs));
  for (size_t i = 0; i < cases->count; i++) {
    runs[i] = (struct run){cases->folder, cases->names[i]};
    tests[i] = (struct CMUnitTest){cases->names[i], run_case, NULL, NULL, &runs[i]};
  }
  int failures = _cmocka_run_group_tests("replay", tests, cases->count, NULL, NULL);
  free(tests);
  free(runs);
  return failures;
}

/* Reports that there is nothing to replay, as one failed case. */
static int fail_alone(char *folder) {
  const struct CMUnitTest tests[] = {
      {"folder_has_vectors", folder_has_vectors, NULL, NULL, folder}};
  return cmocka_run_group_tests_name("replay", tests, NULL, NULL);
}

/* Replays one folder; returns the number of failures. */
static int replay_folder(char *folder) {
  size_t length = strlen(folder);
  while (length > 1 && folder[length - 1] == '/')
    folder[--length] = '\0';
  struct cases cases = {.folder = folder};
  if (list_folder(&cases)) list_manifest(&cases);
  else fprintf(stderr, "replay: %s: %s\n", folder, strerror(errno));
  if (cases.count > 1) qsort(cases.names, cases.count, sizeof *cases.names, compare_names);
  int result = cases.count ? run_cases(&cases) : fail_alone(folder);
  for (size_t i = 0; i < cases.count; i++)
    free(cases.names[i]);
  free(cases.names);
  return result;
}

int main(int argc, char **argv) {
  static const char *const systems[] = {"patent",      "tflite-gpu", "tflite-arena",
                                        "tflm-greedy", "nnvm",       "pplnn"};
  if (argc > 2) {
    fputs("usage: replay [FOLDER]\n", stderr);
    return 2;
  }
  if (argc == 2) return replay_folder(argv[1]);
  const char *source = getenv("NEAP_SOURCE");
  int failures = 0;
  for (size_t s = 0; s < SAMPLE_COUNT(systems); s++) {
    char folder[4096];
    snprintf(folder, sizeof folder, "%s/tests/vectors/%s", source ? source : ".", systems[s]);
    failures += replay_folder(folder);
  }
  return failures > 0;
}
