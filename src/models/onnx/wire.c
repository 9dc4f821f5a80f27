/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/onnx/wire.h"

#include <string.h>

#include "core/memory.h"

bool wire_varint(const char *text, size_t size, size_t *at, uint64_t *number) {
  *number = 0;
  for (unsigned shift = 0; *at < size && shift < 64; shift += 7) {
    unsigned char byte = (unsigned char)text[(*at)++];
    *number |= (uint64_t)(byte & 0x7f) << shift;
    if (byte < 0x80) return true;
  }
  return false;
}

bool wire_skip(const char *text, size_t size, size_t *at, uint64_t tag) {
  uint64_t length;
  switch (tag & 7) {
  case WIRE_VARINT:
    return wire_varint(text, size, at, &length);
  case WIRE_64:
    length = 8;
    break;
  case WIRE_32:
    length = 4;
    break;
  case WIRE_LENGTH:
    if (!wire_varint(text, size, at, &length)) return false;
    break;
  default:
    return false;
  }
  if (length > size - *at) return false;
  *at += (size_t)length;
  return true;
}

bool wire_next(const struct wire_text *message, size_t *at, struct wire_field *field) {
  const size_t begin = *at;
  uint64_t tag, length;
  if (!wire_varint(message->bytes, message->size, at, &tag)) return false;
  size_t value = *at;
  if (!wire_skip(message->bytes, message->size, at, tag)) return false;
  if ((tag & 7) == WIRE_LENGTH) wire_varint(message->bytes, message->size, &value, &length);
  field->number = (unsigned)(tag >> 3);
  field->whole = (struct wire_text){message->bytes + begin, *at - begin};
  field->value = (struct wire_text){message->bytes + value, *at - value};
  return true;
}

/* ---------------------------------------------------------------- writing */

void wire_put(struct wire_buffer *buffer, const char *bytes, size_t size) {
  if (!buffer->only_counts &&
      (buffer->is_short ||
       !memory_reserve(&buffer->bytes, &buffer->capacity, buffer->size + size, 1))) {
    buffer->is_short = true;
    return;
  }
  if (!buffer->only_counts && size > 0) memcpy(buffer->bytes + buffer->size, bytes, size);
  buffer->size += size;
}

#define VARINT_MAX 10

static size_t encode(uint64_t number, char bytes[VARINT_MAX]) {
  size_t size = 0;
  for (; number >= 0x80; number >>= 7)
    bytes[size++] = (char)(number | 0x80);
  bytes[size++] = (char)number;
  return size;
}

static size_t encode_head(unsigned field, enum wire_type type, uint64_t number,
                          char bytes[2 * VARINT_MAX]) {
  size_t size = encode((uint64_t)field << 3 | type, bytes);
  return size + encode(number, bytes + size);
}

void wire_put_number(struct wire_buffer *buffer, unsigned field, uint64_t number) {
  char head[2 * VARINT_MAX];
  wire_put(buffer, head, encode_head(field, WIRE_VARINT, number, head));
}

void wire_put_text(struct wire_buffer *buffer, unsigned field, const char *text, size_t size) {
  char head[2 * VARINT_MAX];
  wire_put(buffer, head, encode_head(field, WIRE_LENGTH, size, head));
  wire_put(buffer, text, size);
}

size_t wire_open(const struct wire_buffer *buffer) { return buffer->size; }

/* The length comes first, but is only known now. */
void wire_close(struct wire_buffer *buffer, unsigned field, size_t begin) {
  char head[2 * VARINT_MAX];
  const size_t length = buffer->size - begin;
  const size_t size = encode_head(field, WIRE_LENGTH, length, head);
  wire_put(buffer, head, size); /* makes room */
  if (buffer->only_counts || buffer->is_short) return;
  memmove(buffer->bytes + begin + size, buffer->bytes + begin, length);
  memcpy(buffer->bytes + begin, head, size);
}
