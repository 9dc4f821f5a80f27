/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/bench_files.h"

#include <dirent.h>
#include <errno.h>
#include <neap/neap.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/exits.h"
#include "cli/messages.h"

void bench_files_clear(struct bench_files *files) {
  for (size_t i = 0; i < files->count; i++)
    free(files->paths[i]);
  free(files->paths);
  *files = (struct bench_files){0};
}

/* Takes ownership of the path. */
static int add(struct bench_files *files, char *path) {
  if (files->count == files->capacity) {
    size_t capacity = files->capacity ? 2 * files->capacity : 64;
    char **paths = realloc(files->paths, capacity * sizeof *paths);
    if (paths) files->paths = paths;
    if (paths) files->capacity = capacity;
  }
  if (!path || files->count == files->capacity) {
    free(path);
    return message_memory();
  }
  files->paths[files->count++] = path;
  return 0;
}

static bool is_problem(const char *name) {
  static const char *const endings[] = {".csv", ".ops", ".json"};
  for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
    size_t length = strlen(endings[i]), whole = strlen(name);
    if (whole > length && strcmp(name + whole - length, endings[i]) == 0) return true;
  }
  return false;
}

static char *join(const char *folder, const char *name) {
  size_t length = strlen(folder), size = length + strlen(name) + 2;
  bool slash = length > 0 && folder[length - 1] == '/';
  char *path = malloc(size);
  if (path) snprintf(path, size, "%s%s%s", folder, slash ? "" : "/", name);
  return path;
}

static int find_in(struct bench_files *files, const char *folder);

/* Adds an entry of a folder: a problem, or what another folder holds; others are ignored. */
static int find_entry(struct bench_files *files, const char *folder, const char *name) {
  struct stat found;
  if (name[0] == '.') return 0;
  char *path = join(folder, name);
  if (!path) return message_memory();
  bool there = stat(path, &found) == 0;
  if (there && S_ISREG(found.st_mode) && is_problem(name)) return add(files, path);
  int code = there && S_ISDIR(found.st_mode) ? find_in(files, path) : 0;
  free(path);
  return code;
}

static int find_in(struct bench_files *files, const char *folder) {
  DIR *directory = opendir(folder);
  if (!directory) return message_system(folder, "cannot be read");
  struct dirent *entry;
  int code = 0;
  while (code == 0 && (entry = readdir(directory)) != NULL)
    code = find_entry(files, folder, entry->d_name);
  closedir(directory);
  return code;
}

static int by_name(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

int bench_files_find(struct bench_files *files, const char *const *paths, size_t count) {
  int code = 0;
  for (size_t i = 0; i < count && code == 0; i++) {
    struct stat found;
    if (stat(paths[i], &found) != 0) code = message_system(paths[i], "cannot be read");
    else if (S_ISDIR(found.st_mode)) code = find_in(files, paths[i]);
    else code = add(files, strdup(paths[i]));
  }
  if (code == 0 && files->count == 0) {
    message_usage("%s: no problems found (.csv, .ops, .json)", paths[0]);
    return EXIT_INPUT;
  }
  if (code == 0 && files->count > 1)
    qsort(files->paths, files->count, sizeof *files->paths, by_name);
  return code;
}
