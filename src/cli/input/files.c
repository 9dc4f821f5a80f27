/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/input/files.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/output/messages.h"

bool files_is_standard(const char *path) { return strcmp(path, "-") == 0; }

/* ---------------------------------------------------------------- identity of files */

const char *files_last_part(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

/*
 * The folder that holds a path's last part; NULL when memory is short.  Released with free().
 */
static char *folder_of(const char *path) {
  size_t length = (size_t)(files_last_part(path) - path);
  return length == 0 ? strdup(".") : strndup(path, length);
}

/* Identifies a file, whatever path leads to it. */
struct identity {
  bool known;
  struct stat found; /* the file, or the folder in which it will be created ... */
  const char *name;  /* ... under this name; NULL if it exists */
};

static struct identity identify_file(const char *path, int standard) {
  struct identity identity = {.known = false};
  bool there = files_is_standard(path) ? fstat(standard, &identity.found) == 0
                                       : stat(path, &identity.found) == 0;
  if (there) {
    identity.known =
        S_ISREG(identity.found.st_mode); /* reading and writing one terminal is fine */
    return identity;
  }
  char *folder = folder_of(path);
  identity.known = folder && stat(folder, &identity.found) == 0;
  identity.name = files_last_part(path);
  free(folder);
  return identity;
}

static bool same_file(const struct identity *a, const struct identity *b) {
  if (!a->known || !b->known) return false;
  if (a->found.st_dev != b->found.st_dev || a->found.st_ino != b->found.st_ino) return false;
  return a->name && b->name ? strcmp(a->name, b->name) == 0 : !a->name && !b->name;
}

/* ---------------------------------------------------------------- checks */

/* Whether a file can be written at `path`; sets errno if not. */
static bool can_write(const char *path) {
  struct stat found;
  if (stat(path, &found) == 0) {
    if (!S_ISDIR(found.st_mode)) return access(path, W_OK) == 0;
    errno = EISDIR;
    return false;
  }
  if (errno != ENOENT) return false;
  char *folder = folder_of(path);
  bool good = folder && access(folder, W_OK | X_OK) == 0;
  free(folder);
  return good;
}

static int check_output(const char *input, const char *output) {
  struct identity in = {.known = false}, out = identify_file(output, STDOUT_FILENO);
  if (input) in = identify_file(input, STDIN_FILENO);
  if (same_file(&in, &out))
    return message_usage("%s: cannot overwrite the input; choose another file", output);
  if (!files_is_standard(output) && !can_write(output))
    return message_system(output, "cannot open for writing");
  return 0;
}

static int check_pair(const char *first, const char *second) {
  struct identity one = identify_file(first, STDOUT_FILENO),
                  other = identify_file(second, STDOUT_FILENO);
  bool same =
      same_file(&one, &other) || (files_is_standard(first) && files_is_standard(second));
  return same ? message_usage("%s: given for two outputs; choose another file for one of them",
                              second)
              : 0;
}

int files_check(const char *input, const char *const *outputs, size_t count) {
  int code = 0;
  for (size_t i = 0; i < count && code == 0; i++) {
    if (!outputs[i]) continue;
    code = check_output(input, outputs[i]);
    for (size_t j = 0; j < i && code == 0; j++)
      if (outputs[j]) code = check_pair(outputs[j], outputs[i]);
  }
  return code;
}

bool files_ends_in(const char *path, const char *ending) {
  size_t length = strlen(path), ending_length = strlen(ending);
  return length > ending_length && strcasecmp(path + length - ending_length, ending) == 0;
}

/* Whether the path has an ending of the format. */
static bool has_ending(const char *path, const neap_format_info *info) {
  for (const char *const *ending = info->extensions; *ending; ending++)
    if (files_ends_in(path, *ending)) return true;
  return false;
}

neap_format_info files_format_info(const char *format) {
  neap_format_info info = NEAP_INIT(neap_format_info);
  for (size_t i = 0; neap_format_at(i, &info); i++)
    if (strcmp(info.name, format) == 0) return info;
  assert(false);
  return (neap_format_info){.struct_size = sizeof(neap_format_info), .name = ""};
}

static const char *format_by_ending(const char *path, unsigned contents) {
  neap_format_info info = NEAP_INIT(neap_format_info);
  for (size_t i = 0; neap_format_at(i, &info); i++)
    if ((info.writes & contents) && has_ending(path, &info)) return info.name;
  return NULL;
}

/* The first format that writes the first of the contents. */
static const char *usual_format(unsigned contents) {
  neap_format_info info = NEAP_INIT(neap_format_info);
  unsigned first = contents & (0u - contents);
  for (size_t i = 0; neap_format_at(i, &info); i++)
    if (info.writes & first) return info.name;
  return NULL;
}

int files_format(const char *path, unsigned contents, const char **format) {
  neap_error error;
  bool is_data = contents & (NEAP_CONTENT_PROBLEM | NEAP_CONTENT_PLAN);
  if (!*format && !files_is_standard(path)) *format = format_by_ending(path, contents);
  if (!*format && is_data && !files_is_standard(path))
    return message_usage("%s: unknown extension; specify --format", path);
  if (!*format) *format = usual_format(contents);
  if (neap_format_check(*format, &error) == NEAP_OK) return 0;
  snprintf(error.source, sizeof error.source, "%s", path);
  return message_error(&error);
}

bool files_hold(const char *path, unsigned contents) {
  neap_format_info info = NEAP_INIT(neap_format_info);
  for (size_t i = 0; neap_format_at(i, &info); i++)
    if ((info.reads & contents) && has_ending(path, &info)) return true;
  return false;
}

/* ---------------------------------------------------------------- reading twice */

static bool copy_stream(FILE *from, FILE *to) {
  char block[65536];
  size_t got;
  while ((got = fread(block, 1, sizeof block, from)) > 0)
    if (fwrite(block, 1, got, to) != got) return false;
  return !ferror(from) && fflush(to) == 0;
}

/* Replaces standard input by a file with all of its content. */
static bool keep_standard_input(void) {
  FILE *kept = tmpfile();
  if (!kept) return false;
  bool good = copy_stream(stdin, kept) && dup2(fileno(kept), STDIN_FILENO) >= 0;
  fclose(kept);
  return good;
}

int files_keep(const char *path) {
  if (!files_is_standard(path)) return 0;
  if (!keep_standard_input()) return message_system("standard input", "cannot keep a copy");
  rewind(stdin);
  return 0;
}

void files_rewind(const char *path) {
  if (files_is_standard(path)) rewind(stdin);
}
