/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Small files that describe, or claim to describe, something huge. */
#ifndef FUZZ_BOMBS_H
#define FUZZ_BOMBS_H

#include <stdbool.h>
#include <stddef.h>

struct bytes {
  char *text; /* released with free() */
  size_t size, capacity;
};

struct bomb {
  const char *name;
  const char *reader; /* of tests/fuzz/readers */
  void (*make)(struct bytes *bytes);
  bool is_taken;     /* valid, though large; otherwise it is rejected ... */
  const char *words; /* ... with a message that contains these words */
};

/* Terminated by an entry without a name. */
extern const struct bomb bombs_text[], bombs_model[];

void bytes_add(struct bytes *bytes, const char *text);
void bytes_repeat(struct bytes *bytes, const char *text, size_t count);
__attribute__((format(printf, 2, 3))) void bytes_format(struct bytes *bytes, const char *format,
                                                        ...);

#endif
