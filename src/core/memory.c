/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/memory.h"

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
