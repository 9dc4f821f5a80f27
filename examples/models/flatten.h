/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writing FlatBuffers from front to back: a table first, with room for its fields, then what its
 * fields lead to.  Begin with a zeroed struct; a shortage of memory is remembered in `failed`.
 */
#ifndef MODELS_FLATTEN_H
#define MODELS_FLATTEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FLATTEN_FIELDS 16

struct flatten {
  unsigned char *bytes; /* released with free() */
  size_t size, capacity;
  bool failed;
};

/* Where a table's fields are; 0 for a field that it does not have. */
struct flatten_table {
  size_t at, field[FLATTEN_FIELDS];
};

/* Appends `size` zero bytes with this alignment; returns where they are. */
size_t flatten_take(struct flatten *flatten, size_t size, size_t alignment);

/* A number of 1, 2, 4 or 8 bytes at `at`. */
void flatten_put(struct flatten *flatten, size_t at, uint64_t number, size_t width);

/* The offset at `at` leads to `to`, which lies behind it. */
void flatten_lead(struct flatten *flatten, size_t at, size_t to);

/*
 * A table whose field i has as many bytes as digit i of `widths` says: "104" has a byte, nothing,
 * and four.
 */
struct flatten_table flatten_table(struct flatten *flatten, const char *widths);

/* A vector that `at` leads to; returns where its elements are. */
size_t flatten_vector(struct flatten *flatten, size_t at, size_t count, size_t width,
                      size_t alignment);

/* A text that `at` leads to. */
void flatten_text(struct flatten *flatten, size_t at, const char *text);

#endif
