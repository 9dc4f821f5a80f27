/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Each bomb is rejected or accepted with memory in proportion to the file. It runs in its own
 * process, with a time limit that is only exceeded if something is wrong.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/fuzz/bombs.h"
#include "tests/fuzz/readers.h"
#include "tests/unit/sample.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HAVE_LIMITS 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || \
    __has_feature(memory_sanitizer)
#define HAVE_LIMITS 0
#endif
#endif
#ifndef HAVE_LIMITS
#define HAVE_LIMITS 1
#endif

#define BOMBS_MAX 64
#define SECONDS 60
#define BYTES_PER_BYTE 160 /* of memory, per byte of the file */
#define BYTES_AT_LEAST ((rlim_t)64 << 20)

static const struct reader *find_reader(const char *name) {
  for (size_t i = 0; reader_at(i); i++)
    if (strcmp(reader_at(i)->name, name) == 0) return reader_at(i);
  fail_msg("there is no reader %s", name);
  return NULL;
}

/* Limits memory to the present size of the process plus room for the file. */
static void limit_memory(size_t size) {
  unsigned long pages = 0;
  FILE *stat = fopen("/proc/self/statm", "r");
  if (!stat || fscanf(stat, "%lu", &pages) != 1) pages = 0;
  if (stat) fclose(stat);
  rlim_t bytes = BYTES_AT_LEAST + (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) +
                 (rlim_t)size * BYTES_PER_BYTE;
  const struct rlimit limit = {bytes, bytes};
  if (HAVE_LIMITS && pages > 0) setrlimit(RLIMIT_AS, &limit);
}

/* NULL, or what is wrong. */
static const char *judge(const struct bomb *bomb, const struct reader *reader,
                         const struct bytes *bytes) {
  static neap_error error;
  const char *complaint = reader_taste(reader, bytes->text, bytes->size, &error);
  if (complaint) return complaint;
  if (bomb->is_taken && error.status != NEAP_OK) return error.text;
  if (!bomb->is_taken && error.status == NEAP_OK) return "it is taken";
  return bomb->is_taken || strstr(error.text, bomb->words) ? NULL : error.text;
}

static void explode(void **state) {
  const struct bomb *bomb = *state;
  const struct reader *reader = find_reader(bomb->reader);
  struct bytes bytes = {0};
  fflush(NULL);
  pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    bomb->make(&bytes);
    alarm(SECONDS);
    limit_memory(bytes.size);
    const char *complaint = judge(bomb, reader, &bytes);
    if (complaint) fprintf(stderr, "%s: %.400s\n", bomb->name, complaint);
    free(bytes.text);
    _exit(complaint != NULL);
  }
  int status;
  assert_int_equal(waitpid(child, &status, 0), child);
  if (WIFSIGNALED(status)) fail_msg("it ended with signal %d", WTERMSIG(status));
  assert_int_equal(WEXITSTATUS(status), 0);
}

static size_t add_tests(struct CMUnitTest *tests, size_t count, const struct bomb *bombs) {
  for (; bombs->name && count < BOMBS_MAX; bombs++) {
    struct bomb *bomb = (struct bomb *)(uintptr_t)bombs;
    tests[count++] = (struct CMUnitTest){bomb->name, explode, NULL, NULL, bomb};
  }
  return count;
}

int main(void) {
  struct CMUnitTest tests[BOMBS_MAX];
  size_t count = add_tests(tests, 0, bombs_text);
  count = add_tests(tests, count, bombs_model);
  return _cmocka_run_group_tests("bombs", tests, count, NULL, NULL);
}
