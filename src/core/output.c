/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"
#include "core/memory.h"

static bool is_stdout(const char *path) { return strcmp(path, "-") == 0; }

/*
 * The path that a symbolic link names, as seen from here; NULL: errno tells why, ENOMEM or
 * otherwise.
 */
static char *read_link(const char *path) {
  char target[PATH_MAX];
  ssize_t length = readlink(path, target, sizeof target);
  const char *slash = strrchr(path, '/');
  if (length < 0 || length == sizeof target) return NULL;
  errno = ENOMEM; /* unless there is memory */
  size_t folder = target[0] == '/' || !slash ? 0 : (size_t)(slash + 1 - path);
  char *named = memory_array(folder + (size_t)length + 1, 1);
  if (!named) return NULL;
  memcpy(named, path, folder);
  memcpy(named + folder, target, (size_t)length);
  return named;
}

/*
 * Follows symbolic links to the file, which need not exist: renaming onto a link would replace the
 * link, not the file.
 */
static char *follow_links(const char *path) {
  enum { LINKS_MOST = 40 };
  char *real = realpath(path, NULL);
  if (real || errno != ENOENT) return real;
  char *at = memory_text(path, strlen(path));
  for (int links = 0; at && links < LINKS_MOST; links++) {
    char *next = read_link(at);
    if (!next && errno != ENOMEM) return at;
    free(at);
    at = next;
  }
  errno = at ? ELOOP : ENOMEM;
  free(at);
  return NULL;
}

/*
 * Opens a named pipe, which waits for a reader.  A signal that the program handles ends the wait,
 * which open() would restart.  Signals are unblocked only during pauses, so that none is lost.
 */
static int wait_for_reader(const char *path) {
  const struct timespec pause = {.tv_nsec = 20000000};
  sigset_t all, before;
  int descriptor;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  while ((descriptor = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)) < 0)
    if (errno != ENXIO || pselect(0, NULL, NULL, NULL, &pause, &before) != 0) break;
  int error = errno;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  errno = error;
  return descriptor;
}

static FILE *open_pipe(const char *path) {
  int descriptor = wait_for_reader(path);
  if (descriptor < 0) return NULL;
  FILE *stream = fcntl(descriptor, F_SETFL, 0) == 0 ? fdopen(descriptor, "w") : NULL;
  if (!stream) close(descriptor);
  return stream;
}

/*
 * Creates a new file beside the destination.  mkstemp would ignore the user's umask, which
 * decides the mode of a new file.
 */
static int create_beside(struct output *output) {
  size_t size = strlen(output->path) + 64;
  output->temporary = memory_array(size, 1);
  if (!output->temporary) return -1;
  for (int attempt = 0; attempt < 1000; attempt++) {
    snprintf(output->temporary, size, "%s.%ld-%d.tmp", output->path, (long)getpid(), attempt);
    int descriptor = open(output->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor >= 0 || errno != EEXIST) return descriptor;
  }
  return -1;
}

/* `old` is the file to be replaced, whose mode the new file gets, or NULL. */
static FILE *open_temporary(struct output *output, const struct stat *old) {
  int descriptor = create_beside(output);
  if (descriptor < 0) return NULL;
  if (old)
    (void)!fchmod(
        descriptor,
        old->st_mode &
            07777); /* if this fails, the mode differs, which is no reason to give up */
  FILE *stream = fdopen(descriptor, "w");
  if (!stream) {
    int code = errno;
    close(descriptor);
    unlink(output->temporary);
    errno = code;
  }
  return stream;
}

static FILE *open_path(struct output *output) {
  struct stat found;
  if (stat(output->path, &found) != 0) return open_temporary(output, NULL);
  if (S_ISREG(found.st_mode)) {
    if (access(output->path, W_OK) != 0)
      return NULL; /* renaming would bypass write protection */
    return open_temporary(output, &found);
  }
  return S_ISFIFO(found.st_mode) ? open_pipe(output->path) : fopen(output->path, "w");
}

static void clear_output(struct output *output) {
  free(output->path);
  free(output->temporary);
  *output = (struct output){0};
}

neap_status output_open(struct output *output, const char *path, neap_error *error) {
  *output = (struct output){0};
  if (is_stdout(path)) {
    output->stream = stdout;
    return NEAP_OK;
  }
  errno = ENOENT;
  if (path[0] == '\0') return error_system(error, path, "cannot open for writing");
  output->path = follow_links(path);
  if (output->path) output->stream = open_path(output);
  if (output->stream) return NEAP_OK;
  neap_status status = errno == ENOMEM ? error_in_file(error, error_memory(error), path)
                                       : error_system(error, path, "cannot open for writing");
  clear_output(output);
  return status;
}

/*
 * The cause of a stream's failure.  The cause of the failed write is lost, so another write
 * provokes it again; the file is discarded or incomplete anyway.
 */
static int find_cause(FILE *stream) {
  clearerr(stream);
  errno = 0;
  bool again = fputc('\n', stream) == EOF || fflush(stream) != 0;
  return again && errno ? errno : EIO;
}

/*
 * A file is complete on its disk before it gets its name, so that no crash leaves half of it there.
 */
static bool reaches_disk(FILE *stream) {
  return fsync(fileno(stream)) == 0 || errno == EINVAL || errno == ENOSYS || errno == EROFS;
}

/* Whether everything has reached the file. */
static bool flush_and_close(struct output *output) {
  int code = ferror(output->stream) ? find_cause(output->stream) : 0;
  if (!output->path) {
    if (fflush(stdout) != 0 && !code) code = errno;
    if (code) errno = code;
    return code == 0;
  }
  if (fflush(output->stream) != 0 && !code) code = errno;
  if (!code && output->temporary && !reaches_disk(output->stream)) code = errno;
  if (fclose(output->stream) != 0 && !code) code = errno;
  if (code) errno = code;
  return code == 0;
}

neap_status output_close(struct output *output, neap_status status, neap_error *error) {
  const char *name = output->path ? output->path : "standard output";
  bool good = flush_and_close(output);
  if (!good && status == NEAP_OK) status = error_system(error, name, "cannot write");
  if (output->temporary && status == NEAP_OK && rename(output->temporary, output->path) != 0)
    status = error_system(error, name, "cannot rename into place");
  if (output->temporary && status != NEAP_OK) unlink(output->temporary);
  clear_output(output);
  return status;
}
