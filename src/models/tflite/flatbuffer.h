/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads untrusted FlatBuffers: every offset is checked against the file.  Each function returns
 * false if the file breaks the format, which an absent field does not.
 */
#ifndef MODELS_TFLITE_FLATBUFFER_H
#define MODELS_TFLITE_FLATBUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct flat {
  const unsigned char *bytes;
  size_t size;
};

struct flat_table {
  const struct flat *file;
  size_t at, vtable;
  size_t field_count;
};

struct flat_vector {
  const struct flat *file;
  size_t at; /* of the first element; 0: absent */
  size_t count;
};

bool flat_root(const struct flat *file, struct flat_table *table);

/* The position of a field of `width` bytes; 0 if the table does not have it. */
bool flat_field(const struct flat_table *table, size_t field, size_t width, size_t *at);

/* Reads a number of 1, 2, 4 or 8 bytes; `otherwise` if the field is absent. */
bool flat_unsigned(const struct flat_table *table, size_t field, size_t width,
                   uint64_t otherwise, uint64_t *number);

/* Reads a vector of elements of `width` bytes. */
bool flat_vector(const struct flat_table *table, size_t field, size_t width,
                 struct flat_vector *vector);

/* Reads a text, which a NUL follows; NULL and 0 if the field is absent. */
bool flat_text(const struct flat_table *table, size_t field, const char **text, size_t *length);

/* The table that a field leads to; *found is false if the field is absent. */
bool flat_child(const struct flat_table *table, size_t field, struct flat_table *child,
                bool *found);

/* Element `index` of a vector of tables, and of one of int32. */
bool flat_element(const struct flat_vector *vector, size_t index, struct flat_table *table);
int32_t flat_int32(const struct flat_vector *vector, size_t index);

/* The target of the four-byte offset at `at`. */
bool flat_follow(const struct flat *file, size_t at, size_t *to);

uint32_t flat_get32(const struct flat *file, size_t at);

#endif
