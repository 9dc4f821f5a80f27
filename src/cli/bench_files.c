/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/bench_files.h"

#include <dirent.h>
#include <errno.h>
#include <neap/neap-io.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/exits.h"
#include "cli/files.h"
#include "cli/listing.h"
#include "cli/messages.h"

/* What can be planned, other than a plan. */
#define BENCH_CONTENTS (NEAP_CONTENT_PROBLEM | NEAP_CONTENT_GRAPH)

void bench_files_clear(struct bench_files *files) {
  for (size_t i = 0; i < files->count; i++)
    free(files->paths[i]);
  free(files->paths);
  *files = (struct bench_files){0};
}

/* Takes ownership of the path. */
static int add_file(struct bench_files *files, char *path) {
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

static char *join(const char *folder, const char *name) {
  size_t length = strlen(folder), size = length + strlen(name) + 2;
  bool slash = length > 0 && folder[length - 1] == '/';
  char *path = malloc(size);
  if (path) snprintf(path, size, "%s%s%s", folder, slash ? "" : "/", name);
  return path;
}

static int find_in(struct bench_files *files, const char *folder);

/* Notes a file that is not measured. */
static void skip_file(struct bench_files *files, const char *path) {
  if (files->skipped++ == 0)
    snprintf(files->first_skipped, sizeof files->first_skipped, "%s", path);
}

/* Adds an entry of a folder: a problem, a model, or what another folder holds. */
static int find_entry(struct bench_files *files, const char *folder, const char *name) {
  struct stat found;
  if (name[0] == '.') return 0;
  char *path = join(folder, name);
  if (!path) return message_memory();
  bool there = stat(path, &found) == 0;
  bool is_file = there && S_ISREG(found.st_mode);
  if (is_file && files_hold(name, BENCH_CONTENTS)) return add_file(files, path);
  if (is_file) skip_file(files, path);
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

static void warn_of_skipped(const struct bench_files *files) {
  const char *first = files->first_skipped;
  if (files->skipped == 1)
    message_warning("skipped %s, which is neither a problem nor a model", first);
  else if (files->skipped > 1)
    message_warning("skipped %zu files that are neither problems nor models, such as %s",
                    files->skipped, first);
}

static int refuse_empty(const char *path) {
  struct listing listing;
  neap_format_info info;
  const char *last = NULL; /* formats that share an extension follow each other */
  listing_begin(&listing);
  for (size_t i = 0; neap_format_at(i, &info); i++)
    if ((info.reads & BENCH_CONTENTS) && (!last || strcmp(last, info.extensions[0]) != 0)) {
      listing_add(&listing, last ? ", " : "", info.extensions[0]);
      last = info.extensions[0];
    }
  char *endings = listing_end(&listing);
  if (!endings) return message_memory();
  message_usage("%s: no problems and no models found (%s)", path, endings);
  free(endings);
  return EXIT_INPUT;
}

int bench_files_find(struct bench_files *files, const char *const *paths, size_t count) {
  int code = 0;
  for (size_t i = 0; i < count && code == 0; i++) {
    struct stat found;
    if (stat(paths[i], &found) != 0) code = message_system(paths[i], "cannot be read");
    else if (S_ISDIR(found.st_mode)) code = find_in(files, paths[i]);
    else code = add_file(files, strdup(paths[i]));
  }
  if (code == 0 && files->count == 0) return refuse_empty(paths[0]);
  if (code == 0) warn_of_skipped(files);
  if (code == 0 && files->count > 1)
    qsort(files->paths, files->count, sizeof *files->paths, by_name);
  return code;
}
