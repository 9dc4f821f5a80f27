/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ONNX models for tests, encoded from a few lines of text:
 *
 *     opset 13
 *     input x float[1,N,?]              a dimension with a name, and one without; or no shape
 *     constant c int64[2]{1,-1}         an initializer; without braces its elements are missing
 *     raw c int64[2]{1,-1}              the same with its elements as bytes
 *     external c int64[2]               its elements lie in another file
 *     sparse c float[2,2]
 *     value y float[2]                  what the model says of a tensor
 *     output y                          or with a type, as above
 *     Reshape x c -> y allowzero=1      "-" for an input or output that is not there
 *     my.domain:Thing x -> y : name     and what the operator is called
 *
 * Attributes are `name=1`, `=[1,2]`, `=1.5f`, `=[1.5f]`, `='text'`, a tensor as above, or `=@`,
 * which is the graph of the second text.
 */
#ifndef SUPPORT_ONNX_MAKER_H
#define SUPPORT_ONNX_MAKER_H

#include <stddef.h>
#include <stdint.h>

/* Bytes that grow; initialise with zeroes, release with free(). */
struct onnx_bytes {
  char *bytes;
  size_t size, capacity;
};

/* Encodes a model; `within` may be NULL. The *size bytes are released with free(). */
char *onnx_make(const char *text, const char *within, size_t *size);

/* Writes the model to a file. */
void onnx_make_file(const char *text, const char *within, const char *path);

/* The number of the element type with this name, such as "float". */
int onnx_make_type(const char *name, size_t length);

/* ---------------------------------------------------------------- by hand */

void onnx_put_varint(struct onnx_bytes *to, uint64_t number);
void onnx_put_number(struct onnx_bytes *to, unsigned field, int64_t number);
void onnx_put_bytes(struct onnx_bytes *to, unsigned field, const void *bytes, size_t size);

/* Appends a message to another one and releases it. */
void onnx_put_message(struct onnx_bytes *to, unsigned field, struct onnx_bytes *message);

#endif
