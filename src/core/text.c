/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/text.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The length of the UTF-8 character at text; 0 if it is invalid. */
static size_t utf8_character_size(const unsigned char *text, size_t length) {
  unsigned first = text[0];
  if (first < 0x80) return 1;
  size_t size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || size > length) return 0;
  for (size_t i = 1; i < size; i++)
    if ((text[i] & 0xc0) != 0x80) return 0;
  unsigned second = text[1];
  bool overlong = (first == 0xe0 && second < 0xa0) || (first == 0xf0 && second < 0x90);
  bool beyond = (first == 0xed && second > 0x9f) || (first == 0xf4 && second > 0x8f);
  return overlong || beyond ? 0 : size;
}

size_t text_utf8_prefix(const char *text, size_t length) {
  size_t at = 0;
  while (at < length) {
    size_t size = utf8_character_size((const unsigned char *)text + at, length - at);
    if (size == 0) break;
    at += size;
  }
  return at;
}

const char *text_excerpt(char excerpt[TEXT_EXCERPT], const char *text, size_t length) {
  size_t at = 0, out = 0;
  const size_t limit = TEXT_EXCERPT - sizeof "\\xNN...'";
  excerpt[out++] = '\'';
  while (at < length && out < limit) {
    const unsigned char *here = (const unsigned char *)text + at;
    size_t size = utf8_character_size(here, length - at);
    bool shown =
        size > 1 ? out + size <= limit + 4 : size == 1 && here[0] >= 0x20 && here[0] != 0x7f;
    if (shown) {
      memcpy(excerpt + out, here, size);
    } else {
      snprintf(excerpt + out, 5, "\\x%02x", here[0]);
    }
    out += shown ? size : 4;
    at += shown ? size : 1;
  }
  snprintf(excerpt + out, TEXT_EXCERPT - out, "%s'", at < length ? "..." : "");
  return excerpt;
}

enum text_number text_number(const char *text, size_t length, int64_t *number) {
  if (length == 0) return TEXT_NUMBER_EMPTY;
  if (text[0] == '-' || text[0] == '+') return TEXT_NUMBER_SIGN;
  int64_t value = 0;
  bool large = false;
  for (size_t i = 0; i < length; i++) {
    unsigned digit = (unsigned)(unsigned char)text[i] - '0';
    if (digit > 9) return text[i] == '.' && i > 0 ? TEXT_NUMBER_FRACTION : TEXT_NUMBER_RUBBISH;
    large = large || __builtin_mul_overflow(value, 10, &value) ||
            __builtin_add_overflow(value, (int64_t)digit, &value);
  }
  if (large) return TEXT_NUMBER_LARGE;
  *number = value;
  return TEXT_NUMBER_OK;
}

const char *text_number_problem(enum text_number result) {
  switch (result) {
  case TEXT_NUMBER_OK:
    return "";
  case TEXT_NUMBER_EMPTY:
    return "is empty";
  case TEXT_NUMBER_SIGN:
    return "has a sign";
  case TEXT_NUMBER_FRACTION:
    return "has a fraction";
  case TEXT_NUMBER_RUBBISH:
    return "has characters other than digits";
  case TEXT_NUMBER_LARGE:
    return "is too large";
  }
  return "";
}

const char *text_bytes(char text[TEXT_BYTES], int64_t bytes) {
  static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  assert(bytes >= 0);
  size_t unit = 0;
  while (unit < 6 && bytes >> (10 * (unit + 1)) != 0)
    unit++;
  if (unit == 0) {
    snprintf(text, TEXT_BYTES, "%d B", (int)bytes);
    return text;
  }
  /* Integers only, since printf would use the locale's decimal point. */
  int64_t one = INT64_C(1) << (10 * unit);
  int64_t whole = bytes / one, rest = bytes % one;
  int64_t hundredths = ((rest >> (10 * (unit - 1))) * 100 + 512) / 1024;
  whole += hundredths / 100;
  snprintf(text, TEXT_BYTES, "%d.%02d %s", (int)whole, (int)(hundredths % 100), units[unit]);
  return text;
}

size_t text_decimal(char text[TEXT_DECIMAL], uint64_t number) {
  size_t length = 1;
  for (uint64_t rest = number / 10; rest > 0; rest /= 10)
    length++;
  text[length] = '\0';
  for (size_t at = length; at > 0; number /= 10)
    text[--at] = (char)('0' + number % 10);
  return length;
}

const char *text_grouped(char text[TEXT_GROUPED], uint64_t number) {
  char digits[TEXT_GROUPED];
  int count = snprintf(digits, sizeof digits, "%" PRIu64, number), size = 0;
  for (int i = 0; i < count; i++) {
    if (i > 0 && (count - i) % 3 == 0) text[size++] = ',';
    text[size++] = digits[i];
  }
  text[size] = '\0';
  return text;
}
