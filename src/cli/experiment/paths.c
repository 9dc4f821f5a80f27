/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/experiment/paths.h"

#include <dirent.h>
#include <errno.h>
#include <neap/neap-io.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/input/files.h"
#include "cli/output/messages.h"
#include "cli/output/suggest.h"

/* What can be planned, other than a plan. */
#define CONTENTS (NEAP_CONTENT_PROBLEM | NEAP_CONTENT_GRAPH)

void paths_clear(struct paths *files) {
  for (size_t i = 0; i < files->count; i++)
    free(files->items[i]);
  free(files->items);
  *files = (struct paths){0};
}

/* Takes ownership of the path. */
static int add_file(struct paths *files, char *path) {
  if (files->count == files->capacity) {
    size_t capacity = files->capacity ? 2 * files->capacity : 64;
    char **paths = realloc(files->items, capacity * sizeof *paths);
    if (paths) files->items = paths;
    if (paths) files->capacity = capacity;
  }
  if (!path || files->count == files->capacity) {
    free(path);
    return message_memory();
  }
  files->items[files->count++] = path;
  return 0;
}

static char *join(const char *folder, const char *name) {
  size_t length = strlen(folder), size = length + strlen(name) + 2;
  bool slash = length > 0 && folder[length - 1] == '/';
  char *path = malloc(size);
  if (path) snprintf(path, size, "%s%s%s", folder, slash ? "" : "/", name);
  return path;
}

static int find_in(struct paths *files, const char *folder);

/* Notes a file that is not measured. */
static void skip_file(struct paths *files, const char *path) {
  if (files->skipped++ == 0)
    snprintf(files->first_skipped, sizeof files->first_skipped, "%s", path);
}

/* Adds an entry of a folder: a problem, or the problems of a sub-folder. */
static int find_entry(struct paths *files, const char *folder, const char *name) {
  struct stat found;
  if (name[0] == '.') return 0;
  char *path = join(folder, name);
  if (!path) return message_memory();
  bool there = stat(path, &found) == 0;
  bool is_file = there && S_ISREG(found.st_mode);
  if (is_file && files_hold(name, CONTENTS)) return add_file(files, path);
  if (is_file) skip_file(files, path);
  int code = there && S_ISDIR(found.st_mode) ? find_in(files, path) : 0;
  free(path);
  return code;
}

static int find_in(struct paths *files, const char *folder) {
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

static void warn_of_skipped(const struct paths *files) {
  const char *first = files->first_skipped;
  if (files->skipped == 1)
    message_warning("skipped %s, which is neither a problem nor a model", first);
  else if (files->skipped > 1)
    message_warning("skipped %zu files that are neither problems nor models, such as %s",
                    files->skipped, first);
}

static int refuse_empty(const char *path) {
  struct listing listing;
  neap_format_info info = NEAP_INIT(neap_format_info);
  const char *last = NULL; /* formats that share an extension follow each other */
  listing_begin(&listing);
  for (size_t i = 0; neap_format_at(i, &info); i++)
    if ((info.reads & CONTENTS) && (!last || strcmp(last, info.extensions[0]) != 0)) {
      listing_add(&listing, last ? ", " : "", info.extensions[0]);
      last = info.extensions[0];
    }
  char *endings = listing_end(&listing);
  if (!endings) return message_memory();
  message_usage("%s: no problems and no models found (%s)", path, endings);
  free(endings);
  return EXIT_INPUT;
}

/* Adds a file, or the problems of a folder. */
static int find_path(struct paths *files, const char *path) {
  struct stat found;
  if (stat(path, &found) != 0) return message_system(path, "cannot be read");
  return S_ISDIR(found.st_mode) ? find_in(files, path) : add_file(files, strdup(path));
}

int paths_find(struct paths *files, const char *const *paths, size_t count) {
  int code = 0;
  for (size_t i = 0; i < count && code == 0; i++)
    code = find_path(files, paths[i]);
  if (code == 0 && files->count == 0) return refuse_empty(paths[0]);
  if (code == 0) warn_of_skipped(files);
  if (files->count > 1) qsort(files->items, files->count, sizeof *files->items, by_name);
  return code;
}
