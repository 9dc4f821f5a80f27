/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Threads may allocate at the same time, so all counters are atomic. */
#include "tests/fuzz/failing_memory.h"

#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdlib.h>

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

static struct {
  atomic_bool armed;
  atomic_uint_fast64_t count; /* allocations since it was armed */
  uint64_t fail_at;
  bool all_after;
  atomic_bool failed;
  atomic_long live;
} memory;

bool failing_memory_works(void) { return HAVE_OWN_MALLOC; }

void failing_memory_arm(uint64_t fail_at, bool all_after) {
  memory.count = 0;
  memory.fail_at = fail_at;
  memory.all_after = all_after;
  memory.failed = false;
  memory.armed = fail_at > 0;
}

bool failing_memory_disarm(void) {
  memory.armed = false;
  return memory.failed;
}

long failing_memory_live(void) { return memory.live; }

bool failing_memory_fails(void) {
  if (!memory.armed) return false;
  uint64_t number = ++memory.count;
  if (number != memory.fail_at && !(memory.all_after && number > memory.fail_at)) return false;
  memory.failed = true;
  errno = ENOMEM;
  return true;
}

#if HAVE_OWN_MALLOC

#define EXPORTED __attribute__((visibility("default")))

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *block);

static void *counted(void *block) {
  if (block) memory.live++;
  return block;
}

EXPORTED void *malloc(size_t size) {
  return failing_memory_fails() ? NULL : counted(__libc_malloc(size));
}

EXPORTED void *calloc(size_t count, size_t size) {
  return failing_memory_fails() ? NULL : counted(__libc_calloc(count, size));
}

EXPORTED void *realloc(void *old, size_t size) {
  if (failing_memory_fails()) return NULL;
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
  return failing_memory_fails() ? NULL : counted(__libc_memalign(alignment, size));
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

#endif
