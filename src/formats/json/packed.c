/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/json/packed.h"

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* ---------------------------------------------------------------- writing */

size_t packed_bytes(const uint64_t *numbers, size_t count) {
  size_t bytes = count;
  for (size_t i = 0; i < count; i++)
    for (uint64_t rest = numbers[i] >> 7; rest; rest >>= 7)
      bytes++;
  return bytes;
}

/* Bytes that do not fill a group of three yet. */
struct group {
  uint32_t bits;
  unsigned count;
};

/* Writes a group as four digits; those that no byte reaches are '='. */
static void append_group(const struct group *group, struct row *row) {
  uint32_t bits = group->bits << 8 * (3 - group->count);
  char text[4];
  for (unsigned i = 0; i < 4; i++)
    text[i] = i <= group->count ? digits[bits >> (18 - 6 * i) & 63] : '=';
  row_append(row, text, sizeof text);
}

static void append_byte(struct group *group, unsigned byte, struct row *row) {
  group->bits = group->bits << 8 | byte;
  if (++group->count < 3) return;
  append_group(group, row);
  *group = (struct group){0};
}

void packed_append(const uint64_t *numbers, size_t count, struct row *row) {
  struct group group = {0};
  for (size_t i = 0; i < count; i++) {
    uint64_t rest = numbers[i];
    for (; rest > 127; rest >>= 7)
      append_byte(&group, (unsigned)(rest & 127) | 128, row);
    append_byte(&group, (unsigned)rest, row);
  }
  if (group.count > 0) append_group(&group, row);
}

void packed_append_member(const char *key, const uint64_t *numbers, size_t count,
                          struct row *row) {
  row_char(row, '"');
  row_string(row, key);
  row_string(row, "\": \"");
  packed_append(numbers, count, row);
  row_char(row, '"');
}

/* ---------------------------------------------------------------- reading */

/* The value of a digit; 64 for any other character. */
static unsigned value_of(char digit) {
  if (digit >= 'A' && digit <= 'Z') return (unsigned)(digit - 'A');
  if (digit >= 'a' && digit <= 'z') return (unsigned)(digit - 'a') + 26;
  if (digit >= '0' && digit <= '9') return (unsigned)(digit - '0') + 52;
  return digit == '+' ? 62 : digit == '/' ? 63 : 64;
}

/* Numbers that are being put together from bytes. */
struct numbers {
  uint64_t *list;
  size_t count, capacity;
  uint64_t current;
  unsigned shift;
};

static bool take_byte(struct numbers *numbers, unsigned byte) {
  uint64_t part = byte & 127;
  if (numbers->count == numbers->capacity || numbers->shift > 63 ||
      (numbers->shift == 63 && part > 1))
    return false;
  numbers->current |= part << numbers->shift;
  numbers->shift += 7;
  if (byte & 128) return true;
  numbers->list[numbers->count++] = numbers->current;
  numbers->current = 0;
  numbers->shift = 0;
  return true;
}

/* Four digits, of which the last one or two may be '=' at the end of the text. */
static bool take_group(struct numbers *numbers, const char *text, bool is_last) {
  unsigned count = 4;
  while (is_last && count > 2 && text[count - 1] == '=')
    count--;
  uint32_t bits = 0;
  for (unsigned i = 0; i < 4; i++) {
    unsigned value = i < count ? value_of(text[i]) : 0;
    if (value == 64) return false;
    bits = bits << 6 | value;
  }
  for (unsigned i = 0; i + 1 < count; i++)
    if (!take_byte(numbers, bits >> (16 - 8 * i) & 255)) return false;
  return true;
}

bool packed_read(const char *text, size_t length, uint64_t *numbers, size_t count) {
  struct numbers made = {.list = numbers, .capacity = count};
  if (length % 4 != 0) return false;
  for (size_t at = 0; at < length; at += 4)
    if (!take_group(&made, text + at, at + 4 == length)) return false;
  return made.count == count && made.shift == 0;
}

/* ---------------------------------------------------------------- signs */

uint64_t packed_fold(int64_t number) {
  return number < 0 ? ~((uint64_t)number << 1) : (uint64_t)number << 1;
}

int64_t packed_unfold(uint64_t folded) {
  return folded & 1 ? -(int64_t)(folded >> 1) - 1 : (int64_t)(folded >> 1);
}
