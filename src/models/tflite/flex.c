/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A FlexBuffer is read from its end: the last byte is the width of the root, and the byte before
 * it the type of the root.  The root comes before both; for vectors and maps, it is an offset
 * backwards.  A vector has its size before the first element; a map also has the offset and the
 * width of its sorted keys before the size, and the types of the elements after the last one.
 */
#include "models/tflite/kernel_shapes.h"

#include <string.h>

enum { MAP = 9, UINT_VECTOR = 12 }; /* types between: vectors of any elements, and of int */

struct flex {
  const unsigned char *bytes;
  size_t size;
  unsigned type;
  size_t at, width, count; /* of the elements */
};

static bool is_width(uint64_t width) {
  return width == 1 || width == 2 || width == 4 || width == 8;
}

static bool get(const struct flex *flex, size_t at, size_t width, uint64_t *number) {
  if (!is_width(width) || at > flex->size || width > flex->size - at) return false;
  *number = 0;
  for (size_t i = width; i-- > 0;)
    *number = *number << 8 | flex->bytes[at + i];
  return true;
}

/* Follows the offset at `at`. */
static bool follow(const struct flex *flex, size_t at, size_t width, size_t *to) {
  uint64_t offset;
  if (!get(flex, at, width, &offset) || offset > at) return false;
  *to = at - (size_t)offset;
  return true;
}

/* A number with its sign. */
static bool get_signed(const struct flex *flex, size_t at, size_t width, int64_t *number) {
  uint64_t bits;
  if (!get(flex, at, width, &bits)) return false;
  uint64_t sign = (uint64_t)1 << (8 * width - 1);
  *number = (int64_t)((bits ^ sign) - sign);
  return true;
}

static bool open_root(const struct flat_vector *bytes, struct flex *flex) {
  uint64_t count;
  if (bytes->count < 3) return false;
  *flex = (struct flex){.bytes = bytes->file->bytes + bytes->at, .size = bytes->count};
  size_t width = flex->bytes[flex->size - 1];
  flex->type = flex->bytes[flex->size - 2] >> 2;
  flex->width = (size_t)1 << (flex->bytes[flex->size - 2] & 3);
  if (!is_width(width) || flex->size - 2 < width ||
      !follow(flex, flex->size - 2 - width, width, &flex->at) || flex->at < flex->width ||
      !get(flex, flex->at - flex->width, flex->width, &count) ||
      count > (flex->size - flex->at) / flex->width)
    return false;
  flex->count = (size_t)count;
  return true;
}

size_t flex_numbers(const struct flat_vector *bytes, int64_t *numbers, size_t capacity) {
  struct flex flex;
  size_t count = 0;
  if (!open_root(bytes, &flex) || flex.type < MAP || flex.type > UINT_VECTOR) return 0;
  for (; count < flex.count && count < capacity; count++)
    if (!get_signed(&flex, flex.at + count * flex.width, flex.width, &numbers[count])) break;
  return count;
}

static bool is_key(const struct flex *flex, size_t at, const char *key) {
  size_t length = strlen(key) + 1;
  return at <= flex->size && length <= flex->size - at &&
         memcmp(flex->bytes + at, key, length) == 0;
}

bool flex_member(const struct flat_vector *bytes, const char *key, int64_t *number) {
  struct flex flex;
  size_t keys, at;
  uint64_t width;
  if (!open_root(bytes, &flex) || flex.type != MAP || flex.at < 3 * flex.width ||
      !follow(&flex, flex.at - 3 * flex.width, flex.width, &keys) ||
      !get(&flex, flex.at - 2 * flex.width, flex.width, &width) || !is_width(width))
    return false;
  for (size_t i = 0; i < flex.count; i++)
    if (follow(&flex, keys + i * (size_t)width, (size_t)width, &at) && is_key(&flex, at, key))
      return get_signed(&flex, flex.at + i * flex.width, flex.width, number);
  return false;
}
