/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The encoding of ONNX files, protocol buffers: fields with a number, each of one of four types. */
#ifndef MODELS_ONNX_WIRE_H
#define MODELS_ONNX_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum wire_type { WIRE_VARINT = 0, WIRE_64 = 1, WIRE_LENGTH = 2, WIRE_32 = 5 };

/* ---------------------------------------------------------------- reading */

/* Reads a number at *at, and moves past it; false if it does not end. */
bool wire_varint(const char *text, size_t size, size_t *at, uint64_t *number);

/* Skips the value of a field; false if it does not fit. */
bool wire_skip(const char *text, size_t size, size_t *at, uint64_t tag);

struct wire_text {
  const char *bytes;
  size_t size;
};

struct wire_field {
  unsigned number;
  struct wire_text whole, value; /* with its tag; without tag and length */
};

/* Reads the field at *at of a valid message, and moves past it; false at the end. */
bool wire_next(const struct wire_text *message, size_t *at, struct wire_field *field);

/* ---------------------------------------------------------------- writing */

/* Grows as it is written.  Once memory is short, nothing more is written. */
struct wire_buffer {
  char *bytes; /* released with free() */
  size_t size, capacity;
  bool only_counts, is_short; /* only_counts: no bytes are kept */
};

void wire_put(struct wire_buffer *buffer, const char *bytes, size_t size);
void wire_put_number(struct wire_buffer *buffer, unsigned field, uint64_t number);
void wire_put_text(struct wire_buffer *buffer, unsigned field, const char *text, size_t size);

/*
 * Turn the bytes written between the two calls into a message within another.  `begin` is the
 * result of wire_open.
 */
size_t wire_open(const struct wire_buffer *buffer);
void wire_close(struct wire_buffer *buffer, unsigned field, size_t begin);

#endif
