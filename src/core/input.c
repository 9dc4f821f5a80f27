/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/input.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"
#include "core/memory.h"

#define INPUT_MOST ((size_t)INT32_MAX)

/* The size of the first allocation: that of a regular file, if the system knows it. */
static size_t expected_size(FILE *stream) {
  struct stat found;
  if (fstat(fileno(stream), &found) != 0 || !S_ISREG(found.st_mode) || found.st_size < 0)
    return 0;
  return (size_t)found.st_size;
}

enum { CHUNK = 65536 };

/* A text that is being read. */
struct reading {
  FILE *stream;
  char *text;
  size_t used, capacity;
  bool is_over;
};

/* Reads up to `chunk` bytes more; false when memory is short. */
static bool read_chunk(struct reading *reading, size_t chunk) {
  if (!memory_reserve(&reading->text, &reading->capacity, reading->used + chunk + 1, 1))
    return false;
  size_t got = fread(reading->text + reading->used, 1, chunk, reading->stream);
  reading->used += got;
  reading->is_over = got < chunk;
  return true;
}

/*
 * The most bytes to read, known after the first chunk.  No text needs more than INPUT_MOST, and a
 * pipe might never end.  A model in a file, which has NUL bytes, may have any size.
 */
static size_t limit_of(const struct reading *reading, size_t expected) {
  bool is_model = expected > INPUT_MOST && memchr(reading->text, '\0', reading->used);
  return is_model ? expected : INPUT_MOST;
}

static neap_status read_stream(struct reading *reading, neap_error *error) {
  size_t expected = expected_size(reading->stream);
  if (!read_chunk(reading, CHUNK)) return error_memory(error);
  size_t most = limit_of(reading, expected);
  while (!reading->is_over && reading->used <= most && expected <= most) {
    size_t left = expected > reading->used ? expected - reading->used : 0;
    if (!read_chunk(reading, left + 1 > CHUNK ? left + 1 : CHUNK)) return error_memory(error);
  }
  if (ferror(reading->stream)) return NEAP_OK; /* reported by the caller */
  if (reading->used > most || expected > most)
    return error_set(error, NEAP_ERROR_INPUT,
                     "longer than 2 GiB, the most that neap reads of a text or a pipe");
  return NEAP_OK;
}

/*
 * Opens a file.  For a named pipe, waits for a writer.  A signal that the program handles ends the
 * wait, which open() would restart.
 */
static FILE *open_path(const char *path) {
  struct stat found;
  if (stat(path, &found) != 0 || !S_ISFIFO(found.st_mode)) return fopen(path, "r");
  int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) return NULL;
  struct pollfd wanted = {.fd = descriptor, .events = POLLIN};
  FILE *stream = NULL;
  if (poll(&wanted, 1, -1) == 1 && fcntl(descriptor, F_SETFL, 0) == 0)
    stream = fdopen(descriptor, "r");
  int code = errno;
  if (!stream) close(descriptor);
  errno = code;
  return stream;
}

neap_status input_read(const char *path, char **text, size_t *size, neap_error *error) {
  bool standard = strcmp(path, "-") == 0;
  const char *name = standard ? "standard input" : path;
  struct reading reading = {.stream = standard ? stdin : open_path(path)};
  if (!reading.stream) return error_system(error, path, "cannot open");
  neap_status status = read_stream(&reading, error);
  if (status != NEAP_OK) status = error_in_file(error, status, name);
  else if (ferror(reading.stream)) status = error_system(error, name, "cannot read");
  if (!standard) fclose(reading.stream);
  if (status != NEAP_OK) {
    free(reading.text);
    return status;
  }
  reading.text[reading.used] = '\0';
  *text = reading.text;
  *size = reading.used;
  return NEAP_OK;
}
