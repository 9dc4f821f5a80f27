/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void *memory_array(size_t count, size_t element_size) {
  return calloc(count ? count : 1, element_size);
}

bool memory_reserve(void *array, size_t *capacity, size_t needed, size_t element_size) {
  if (needed <= *capacity) return true;
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
