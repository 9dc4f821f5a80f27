/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/memory.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* glibc keeps freed blocks up to this size at hand for malloc, but not for calloc. */
#define SMALL 1024

void *memory_scratch(size_t count, size_t element_size) {
  size_t size;
  if (__builtin_mul_overflow(count, element_size, &size)) return NULL;
  return malloc(size ? size : 1);
}

void *memory_array(size_t count, size_t element_size) {
  if (count > SMALL / element_size) return calloc(count, element_size);
  void *made = memory_scratch(count, element_size);
  return made ? memset(made, 0, count * element_size) : NULL;
}

/* What all types are aligned to. */
#define ALIGNMENT _Alignof(max_align_t)

/* Adds the size of a part, rounded up; false if the sum is too large. */
static bool add_part(size_t *size, const struct memory_part *part) {
  size_t bytes;
  return !__builtin_mul_overflow(part->count, part->element_size, &bytes) &&
         !__builtin_add_overflow(*size, bytes, size) &&
         !__builtin_add_overflow(*size, -*size % ALIGNMENT, size);
}

void *memory_block(const struct memory_part *parts, size_t part_count) {
  size_t size = 0;
  for (size_t p = 0; p < part_count; p++)
    if (!add_part(&size, &parts[p])) return NULL;
  char *block = memory_array(size, 1), *at = block;
  for (size_t p = 0; block && p < part_count; p++) {
    memcpy(parts[p].array, &at, sizeof at); /* a pointer of any type */
    at += parts[p].count * parts[p].element_size;
    at += -(uintptr_t)at % ALIGNMENT;
  }
  return block;
}

bool memory_grow(void *array, size_t *capacity, size_t needed, size_t element_size) {
  size_t wanted = *capacity < 4 ? 8 : *capacity <= SIZE_MAX / 2 ? *capacity * 2 : SIZE_MAX;
  if (wanted < needed) wanted = needed;
  if (wanted > PTRDIFF_MAX / element_size) return false;
  void *old;
  memcpy(&old, array, sizeof old); /* a pointer of any type */
  void *grown = realloc(old, wanted * element_size);
  if (!grown) return false;
  memcpy(array, &grown, sizeof grown);
  *capacity = wanted;
  return true;
}

char *memory_text(const char *text, size_t length) {
  if (length == SIZE_MAX) return NULL;
  char *copy = malloc(length + 1);
  if (!copy) return NULL;
  memcpy(copy, text, length);
  copy[length] = '\0';
  return copy;
}
