/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every allocation that fails is survived.  This program brings its own malloc and kin (on
 * glibc's, to which they lead): in each scenario the first allocation fails, then the second,
 * and so on, until the scenario gets by without meeting the one that is to fail; once with that
 * one failing alone and once with all after it as well.  Each time the call must say that
 * memory is short (or that the system failed, where the C library hides why), leave no file
 * that was not there, and give everything back.  When it goes well in spite of a failure, what
 * it made must be whole.
 */
#include "tests/fuzz/failing_alloc.h"

#include <dirent.h>
#include <errno.h>
#include <libxml/parser.h>
#include <libxml/xmlerror.h>
#include <libxml/xmlmemory.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/sample.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HAVE_OWN_MALLOC 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || \
    __has_feature(memory_sanitizer)
#define HAVE_OWN_MALLOC 0
#endif
#endif
#ifndef HAVE_OWN_MALLOC
#ifdef __GLIBC__
#define HAVE_OWN_MALLOC 1
#else
#define HAVE_OWN_MALLOC 0
#endif
#endif

/* ---------------------------------------------------------------- malloc and kin */

static struct {
  bool armed;
  uint64_t count;   /* allocations since it was armed */
  uint64_t fail_at; /* the count at which one fails */
  bool all_after;   /* and all after it */
  bool failed;
  long live;     /* allocations not freed yet, since the program began */
  long live_xml; /* the same of libxml2, which are not among those */
} memory;

#if HAVE_OWN_MALLOC

#define EXPORTED __attribute__((visibility("default")))

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *block);

/* Whether this allocation is one that fails. */
static bool fails(void) {
  if (!memory.armed) return false;
  memory.count++;
  if (memory.count != memory.fail_at && !(memory.all_after && memory.count > memory.fail_at))
    return false;
  memory.failed = true;
  errno = ENOMEM;
  return true;
}

static void *counted(void *block) {
  if (block) memory.live++;
  return block;
}

EXPORTED void *malloc(size_t size) { return fails() ? NULL : counted(__libc_malloc(size)); }

EXPORTED void *calloc(size_t count, size_t size) {
  return fails() ? NULL : counted(__libc_calloc(count, size));
}

EXPORTED void *realloc(void *old, size_t size) {
  if (fails()) return NULL;
  void *block = __libc_realloc(old, size);
  if (!old) return counted(block);
  if (!block && size == 0) memory.live--;
  return block;
}

EXPORTED void free(void *block) {
  if (block) memory.live--;
  __libc_free(block);
}

EXPORTED void *memalign(size_t alignment, size_t size) {
  return fails() ? NULL : counted(__libc_memalign(alignment, size));
}

EXPORTED void *aligned_alloc(size_t alignment, size_t size) {
  return memalign(alignment, size);
}

EXPORTED int posix_memalign(void **block, size_t alignment, size_t size) {
  void *made = memalign(alignment, size);
  if (!made) return ENOMEM;
  *block = made;
  return 0;
}

/*
 * libxml2's own, counted apart: where its writer cannot note that an element is open it loses
 * that note and the element's name, two blocks, and there is nothing that a caller can do about
 * it.
 */
static void *counted_xml(void *block) {
  if (block) memory.live_xml++;
  return block;
}

static void *malloc_xml(size_t size) {
  return fails() ? NULL : counted_xml(__libc_malloc(size));
}

static void *realloc_xml(void *old, size_t size) {
  if (fails()) return NULL;
  void *block = __libc_realloc(old, size);
  return old ? block : counted_xml(block);
}

static void free_xml(void *block) {
  if (block) memory.live_xml--;
  __libc_free(block);
}

static char *strdup_xml(const char *text) {
  size_t size = strlen(text) + 1;
  char *copy = malloc_xml(size);
  return copy ? memcpy(copy, text, size) : NULL;
}

static void init_xml(void) {
  xmlMemSetup(free_xml, malloc_xml, realloc_xml, strdup_xml);
  xmlInitParser();
}

#else

static void init_xml(void) { xmlInitParser(); }

#endif

/* ---------------------------------------------------------------- one attempt */

static struct fixture fixture;

struct attempt {
  neap_status status;
  neap_error error;
  uint64_t fingerprint; /* with that of the output, if all went well */
  bool met;             /* the failure came up */
  long leaked, leaked_xml;
};

static uint64_t fingerprint_file(const char *path, uint64_t fingerprint) {
  FILE *file = fopen(path, "r");
  if (!file) fail_msg("%s was not written", path);
  for (int c; (c = getc(file)) != EOF;)
    fingerprint = (fingerprint ^ (uint64_t)c) * UINT64_C(0x100000001b3) + 1;
  fclose(file);
  return fingerprint;
}

/* fail_at 0: no failure. */
static struct attempt try(const struct scenario *scenario, uint64_t fail_at, bool all_after) {
  struct attempt attempt = {.fingerprint = 1};
  fixture.with = scenario->with;
  memory.count = 0;
  memory.fail_at = fail_at;
  memory.all_after = all_after;
  memory.failed = false;
  long before = memory.live, before_xml = memory.live_xml;
  memory.armed = fail_at > 0;
  attempt.status = scenario->run(&fixture, &attempt.fingerprint, &attempt.error);
  memory.armed = false;
  xmlResetLastError(); /* libxml2 keeps a thread's last error until the next one */
  attempt.met = memory.failed;
  attempt.leaked = memory.live - before;
  attempt.leaked_xml = memory.live_xml - before_xml;
  if (attempt.status == NEAP_OK && scenario->output)
    attempt.fingerprint = fingerprint_file(scenario->output, attempt.fingerprint);
  return attempt;
}

static bool is_listed(const char *name) {
  for (size_t i = 0; fixture_files[i]; i++)
    if (strcmp(fixture_files[i], name) == 0) return true;
  return false;
}

/* Nothing but the fixture lies in the folder, and the output if it was written. */
static void check_folder(const struct scenario *scenario, bool written) {
  DIR *folder = opendir(".");
  assert_non_null(folder);
  for (const struct dirent *entry; (entry = readdir(folder));) {
    bool output = scenario->output && strcmp(entry->d_name, scenario->output) == 0;
    bool parent = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0;
    if (!parent && !is_listed(entry->d_name) && !(output && written))
      fail_msg("%s was left behind", entry->d_name);
  }
  closedir(folder);
  if (scenario->output) unlink(scenario->output);
}

/*
 * `whole` is the fingerprint when all goes well, or 0 where another is nothing that a caller
 * could know.
 */
static void check_attempt(const struct scenario *scenario, const struct attempt *attempt,
                          uint64_t fail_at, uint64_t whole) {
  neap_status status = attempt->status;
  if (attempt->leaked != 0 || attempt->leaked_xml < 0 || attempt->leaked_xml > 2)
    fail_msg("allocation %d fails: %ld are not given back, and %ld of libxml2's", (int)fail_at,
             attempt->leaked, attempt->leaked_xml);
  if (status != NEAP_OK && status != NEAP_ERROR_MEMORY && status != NEAP_ERROR_SYSTEM)
    fail_msg("allocation %d fails: %s: %s", (int)fail_at, neap_status_name(status),
             attempt->error.text);
  if (status != NEAP_OK) sample_check_error(&attempt->error, status, __FILE__, __LINE__);
  if (status == NEAP_OK && whole != 0 && attempt->fingerprint != whole)
    fail_msg("allocation %d fails: it is passed over, with another outcome", (int)fail_at);
  check_folder(scenario, status == NEAP_OK);
}

/* ---------------------------------------------------------------- every attempt */

static void survive(const struct scenario *scenario, bool all_after) {
  struct attempt whole = try(scenario, 0, false);
  check_folder(scenario, true);
  if (whole.status != NEAP_OK) fail_msg("%s", whole.error.text);
  uint64_t fail_at = 0;
  for (struct attempt attempt = {.met = true}; attempt.met;) {
    attempt = try(scenario, ++fail_at, all_after);
    bool unknown = scenario->by_jansson && !all_after;
    check_attempt(scenario, &attempt, fail_at, unknown ? 0 : whole.fingerprint);
  }
}

static void run_scenario(void **state) {
  const struct scenario *scenario = *state;
  if (!HAVE_OWN_MALLOC) skip();
  try(scenario, 0, false); /* what libraries allocate once and keep is not counted */
  check_folder(scenario, true);
  survive(scenario, false);
  survive(scenario, true);
}

static char folder[] = "failing-alloc-XXXXXX", start_folder[4096];

static int make_fixture(void **state) {
  (void)state;
  init_xml();
  assert_non_null(getcwd(start_folder, sizeof start_folder));
  assert_non_null(mkdtemp(folder));
  assert_int_equal(chdir(folder), 0);
  fixture_make(&fixture);
  return 0;
}

static int clear_fixture(void **state) {
  (void)state;
  fixture_clear(&fixture);
  for (size_t i = 0; scenarios[i].name; i++) /* what a case that failed has left */
    if (scenarios[i].output) unlink(scenarios[i].output);
  unlink("out.tflite");
  unlink("out.h");
  assert_int_equal(chdir(start_folder), 0);
  return rmdir(folder);
}

static size_t add_tests(struct CMUnitTest *tests, const struct scenario *list, size_t most) {
  size_t count = 0;
  for (; count < most && list[count].name; count++) {
    struct scenario *scenario = (struct scenario *)(uintptr_t)&list[count];
    tests[count] = (struct CMUnitTest){scenario->name, run_scenario, NULL, NULL, scenario};
  }
  return count;
}

int main(void) {
  static struct CMUnitTest tests[64 + SCENARIOS_MORE];
  static struct scenario more[SCENARIOS_MORE];
  size_t count = add_tests(tests, scenarios, 64);
  count += add_tests(tests + count, more, scenarios_more(more));
  return _cmocka_run_group_tests("failing alloc", tests, count, make_fixture, clear_fixture);
}
