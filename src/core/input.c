/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/input.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/error.h"
#include "core/memory.h"

/* The size of the first allocation: that of a regular file, if the system knows it. */
static size_t expected_size(FILE *stream) {
  struct stat found;
  if (fstat(fileno(stream), &found) != 0 || !S_ISREG(found.st_mode) || found.st_size < 0)
    return 0;
  return (size_t)found.st_size;
}

static neap_status read_stream(FILE *stream, const char *path, char **text, size_t *size,
                               neap_error *error) {
  size_t capacity = 0, used = 0, chunk = expected_size(stream) + 1;
  for (;;) {
    if (chunk < 65536) chunk = 65536;
    if (!memory_reserve(text, &capacity, used + chunk + 1, 1))
      return error_in_file(error, error_memory(error), path);
    size_t got = fread(*text + used, 1, chunk, stream);
    used += got;
    if (got < chunk) break;
    chunk = 65536;
  }
  if (ferror(stream)) return error_system(error, path, "cannot read");
  (*text)[used] = '\0';
  *size = used;
  return NEAP_OK;
}

neap_status input_read(const char *path, char **text, size_t *size, neap_error *error) {
  bool standard = strcmp(path, "-") == 0;
  FILE *stream = standard ? stdin : fopen(path, "r");
  if (!stream) return error_system(error, path, "cannot open");
  *text = NULL;
  neap_status status =
      read_stream(stream, standard ? "standard input" : path, text, size, error);
  if (!standard) fclose(stream);
  if (status != NEAP_OK) {
    free(*text);
    *text = NULL;
  }
  return status;
}
