/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/hosts/tflm/draft.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/tflite_maker.h"

void draft_init(struct draft *draft, unsigned seed) {
  *draft = (struct draft){.state = (uint32_t)seed * 2654435761u};
  draft_roll(draft, 2);
}

unsigned draft_roll(struct draft *draft, unsigned count) {
  draft->state = (uint32_t)(draft->state * 1664525u + 1013904223u);
  return (unsigned)(((uint64_t)draft->state * count) >> 32);
}

/* Appends to a text of `size` bytes at most. */
static void append(char *text, size_t size, const char *format, va_list list) {
  size_t length = strlen(text);
  int added = vsnprintf(text + length, size - length, format, list);
  if (added < 0 || (size_t)added >= size - length) {
    fprintf(stderr, "a draft of more than %zu bytes\n", size);
    abort();
  }
}

void draft_tensor(struct draft *draft, const char *format, ...) {
  va_list list;
  va_start(list, format);
  append(draft->tensors, sizeof draft->tensors, format, list);
  va_end(list);
}

void draft_operator(struct draft *draft, const char *format, ...) {
  va_list list;
  va_start(list, format);
  append(draft->operators, sizeof draft->operators, format, list);
  va_end(list);
}

void draft_write(struct draft *draft, const char *path) {
  char text[sizeof draft->tensors + sizeof draft->operators];
  snprintf(text, sizeof text, "%s%s", draft->tensors, draft->operators);
  tflite_make_file(text, path);
}
