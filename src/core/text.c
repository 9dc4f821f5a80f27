/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/text.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "neap-tool.h"

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

static bool is_control(uint32_t code) { return code < 0x20 || (code >= 0x7f && code < 0xa0); }

/* Embeddings, overrides, isolates and marks would also affect the text after a name. */
static bool turns_direction(uint32_t code) {
  return (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069) ||
         code == 0x061c || code == 0x200e || code == 0x200f;
}

/* Separators of lines and paragraphs break a table; a mark of the byte order is invisible. */
static bool breaks_line(uint32_t code) {
  return code == 0x2028 || code == 0x2029 || code == 0xfeff;
}

static bool is_noncharacter(uint32_t code) {
  return (code & 0xfffe) == 0xfffe || (code >= 0xfdd0 && code <= 0xfdef);
}

static uint32_t decode_character(const unsigned char *bytes, size_t size) {
  static const unsigned char lead[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
  uint32_t code = bytes[0] & lead[size];
  for (size_t i = 1; i < size; i++)
    code = code << 6 | (bytes[i] & 0x3f);
  return code;
}

size_t text_next(const char *text, size_t length, uint32_t *code) {
  const unsigned char *bytes = (const unsigned char *)text;
  size_t size = utf8_character_size(bytes, length);
  *code = NEAP_REPLACEMENT;
  if (size == 0) return 1;
  uint32_t found = decode_character(bytes, size);
  if (!is_control(found) && !turns_direction(found) && !breaks_line(found) &&
      !is_noncharacter(found))
    *code = found;
  return size;
}

size_t neap_text_next(const char *text, uint32_t *code) {
  return text_next(text, strnlen(text, 4), code);
}

/*
 * Writes the next character, or a byte of it as \xNN, to `out`; returns how many bytes that takes.
 */
static size_t escape_next(char out[NEAP_TEXT_ESCAPED], const char **text, size_t length) {
  uint32_t code;
  size_t size = text_next(*text, length, &code);
  if (code == NEAP_REPLACEMENT) {
    snprintf(out, NEAP_TEXT_ESCAPED, "\\x%02x", (unsigned char)*(*text)++);
    return strlen(out);
  }
  memcpy(out, *text, size);
  out[size] = '\0';
  *text += size;
  return size;
}

size_t neap_text_escape(char out[NEAP_TEXT_ESCAPED], const char **text) {
  return escape_next(out, text, strnlen(*text, 4));
}

const char *text_excerpt(char excerpt[TEXT_EXCERPT], const char *text, size_t length) {
  const char *at = text, *end = text + length;
  size_t out = 0;
  const size_t limit = TEXT_EXCERPT - sizeof "\\xNN...'";
  excerpt[out++] = '\'';
  while (at < end && out < limit)
    out += escape_next(excerpt + out, &at, (size_t)(end - at)); /* at most 4 beyond the limit */
  snprintf(excerpt + out, TEXT_EXCERPT - out, "%s'", at < end ? "..." : "");
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
  static const char *const names[] = {
      [TEXT_NUMBER_OK] = "",
      [TEXT_NUMBER_EMPTY] = "is empty",
      [TEXT_NUMBER_SIGN] = "has a sign",
      [TEXT_NUMBER_FRACTION] = "has a fraction",
      [TEXT_NUMBER_RUBBISH] = "has characters other than digits",
      [TEXT_NUMBER_LARGE] = "is too large",
  };
  return TEXT_OF(names, result, "");
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
