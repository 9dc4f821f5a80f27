/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The text of a certificate, built word by word.  A word is preceded by a space unless it begins a
 * line.  Errors are sticky: once memory is short, `failed` is set and further calls do nothing, so
 * callers check once at the end.
 *
 * Appending takes amortised O(1) per byte.  Invariants: `text` ends in NUL, `length` does not count
 * it, and `count` is the number of line breaks.
 */
#include "certify/text.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

void lines_clear(struct lines *lines) {
  free(lines->text);
  *lines = (struct lines){0};
}

static void add_bytes(struct lines *lines, const char *bytes, size_t count) {
  if (!lines->failed)
    lines->failed =
        !memory_reserve(&lines->text, &lines->capacity, lines->length + count + 1, 1);
  if (lines->failed) return;
  memcpy(lines->text + lines->length, bytes, count);
  lines->length += count;
  lines->text[lines->length] = '\0';
}

static void add_gap(struct lines *lines) {
  if (lines->length > 0 && lines->text[lines->length - 1] != '\n') add_bytes(lines, " ", 1);
}

void lines_word(struct lines *lines, const char *word) {
  add_gap(lines);
  add_bytes(lines, word, strlen(word));
}

void lines_number(struct lines *lines, int64_t number) {
  char text[24];
  snprintf(text, sizeof text, "%" PRId64, number);
  lines_word(lines, text);
}

void lines_optional(struct lines *lines, int64_t number, int64_t none) {
  if (number == none) lines_word(lines, "-");
  else lines_number(lines, number);
}

void lines_list(struct lines *lines, const size_t *items, size_t count) {
  if (count == 0) lines_word(lines, "-");
  for (size_t i = 0; i < count; i++)
    lines_number(lines, (int64_t)items[i]);
}

void lines_set(struct lines *lines, const uint64_t *set, size_t words) {
  static const char digits[] = "0123456789abcdef";
  size_t at = words * 16;
  add_gap(lines);
  while (at > 1 && (set[(at - 1) / 16] >> ((at - 1) % 16 * 4) & 15) == 0)
    at--;
  while (at-- > 0)
    add_bytes(lines, &digits[set[at / 16] >> (at % 16 * 4) & 15], 1);
}

void lines_sum(struct lines *lines, uint32_t sum) {
  char text[16];
  snprintf(text, sizeof text, "%08" PRIx32, sum);
  lines_word(lines, text);
}

/* The shortest JSON escape of a control character, a quote or a backslash. */
static const char *escape(unsigned char letter, char text[8]) {
  static const char plain[] = "\b\f\n\r\t\"\\", named[] = "bfnrt\"\\";
  const char *found = strchr(plain, letter);
  if (found) snprintf(text, 8, "\\%c", named[found - plain]);
  else snprintf(text, 8, "\\u%04x", letter);
  return text;
}

void lines_string(struct lines *lines, const char *text) {
  char escaped[8];
  lines_word(lines, "\"");
  for (; *text; text++) {
    unsigned char letter = (unsigned char)*text;
    if (letter >= ' ' && letter != '"' && letter != '\\') add_bytes(lines, text, 1);
    else add_bytes(lines, escape(letter, escaped), strlen(escape(letter, escaped)));
  }
  add_bytes(lines, "\"", 1);
}

void lines_end(struct lines *lines) {
  add_bytes(lines, "\n", 1);
  lines->count++;
}

void lines_append(struct lines *lines, const struct lines *other) {
  if (other->length > 0) add_bytes(lines, other->text, other->length);
  lines->count += other->count;
}

void lines_cut(struct lines *lines, size_t length, size_t count) {
  if (lines->failed || !lines->text) return;
  assert(length <= lines->length && count <= lines->count);
  lines->length = length;
  lines->count = count;
  lines->text[length] = '\0';
}

uint32_t lines_checksum(const struct lines *lines) {
  uint32_t table[256], sum = UINT32_MAX;
  for (uint32_t i = 0; i < 256; i++) {
    table[i] = i;
    for (int bit = 0; bit < 8; bit++)
      table[i] = table[i] >> 1 ^ (table[i] & 1 ? UINT32_C(0xedb88320) : 0);
  }
  for (size_t i = 0; i < lines->length; i++)
    sum = table[(sum ^ (unsigned char)lines->text[i]) & 255] ^ sum >> 8;
  return ~sum;
}
