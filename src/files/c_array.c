/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "files/c_array.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/input.h"

/* Text from `at` to `end`. */
struct cursor {
  const char *at, *end;
};

/* ---------------------------------------------------------------- tokens */

/* Skips a comment that begins here; false if there is none. */
static bool skip_comment(struct cursor *cursor) {
  if (cursor->end - cursor->at < 2 || cursor->at[0] != '/') return false;
  if (cursor->at[1] == '/') {
    while (cursor->at < cursor->end && *cursor->at != '\n')
      cursor->at++;
    return true;
  }
  if (cursor->at[1] != '*') return false;
  cursor->at += 2;
  while (cursor->end - cursor->at >= 2 && (cursor->at[0] != '*' || cursor->at[1] != '/'))
    cursor->at++;
  cursor->at = cursor->end - cursor->at >= 2 ? cursor->at + 2 : cursor->end;
  return true;
}

static void skip_blank(struct cursor *cursor) {
  while (cursor->at < cursor->end &&
         (isspace((unsigned char)*cursor->at) || skip_comment(cursor)))
    if (cursor->at < cursor->end && isspace((unsigned char)*cursor->at)) cursor->at++;
}

/* Takes the character if it is next. */
static bool take(struct cursor *cursor, char character) {
  skip_blank(cursor);
  if (cursor->at == cursor->end || *cursor->at != character) return false;
  cursor->at++;
  return true;
}

static int digit_of(char character) {
  if (character >= '0' && character <= '9') return character - '0';
  character = (char)(character | 0x20);
  return character >= 'a' && character <= 'f' ? character - 'a' + 10 : 16;
}

/* Takes a number from -128 to 255, in any base of C. */
static bool take_byte(struct cursor *cursor, char *byte) {
  const bool is_negative = take(cursor, '-');
  int base = 10, number = 0;
  skip_blank(cursor);
  if (cursor->end - cursor->at >= 2 && cursor->at[0] == '0') {
    base = (cursor->at[1] | 0x20) == 'x' ? 16 : 8;
    if (base == 16) cursor->at += 2;
  }
  const char *first = cursor->at;
  for (; cursor->at < cursor->end && digit_of(*cursor->at) < base; cursor->at++)
    if ((number = base * number + digit_of(*cursor->at)) > 255) return false;
  if (cursor->at == first || (is_negative && number > 128)) return false;
  if (cursor->at < cursor->end && (*cursor->at | 0x20) == 'u') cursor->at++;
  *byte = (char)(unsigned char)(is_negative ? -number : number);
  return true;
}

/* ---------------------------------------------------------------- arrays */

static bool is_word(char character) {
  return isalnum((unsigned char)character) || character == '_';
}

static bool has_word(const char *from, const char *end, const char *word) {
  const size_t length = strlen(word);
  for (const char *at = from; (size_t)(end - at) >= length; at++)
    if (memcmp(at, word, length) == 0 && (at == from || !is_word(at[-1])) &&
        (at + length == end || !is_word(at[length])))
      return true;
  return false;
}

/* Whether the statement declares an array of bytes before its '='. */
static bool declares_bytes(const char *text, const char *equals) {
  const char *from = equals;
  while (from > text && !strchr(";{}=", from[-1])) /* no two of these ranges overlap */
    from--;
  return memchr(from, '[', (size_t)(equals - from)) &&
         (has_word(from, equals, "char") || has_word(from, equals, "uint8_t") ||
          has_word(from, equals, "int8_t"));
}

/* Reads the bytes between braces; returns their number, 0 if there is anything else. */
static size_t read_bytes(struct cursor *cursor, char *bytes) {
  size_t count = 0;
  while (take_byte(cursor, &bytes[count])) {
    count++;
    if (!take(cursor, ',')) break;
  }
  return take(cursor, '}') ? count : 0;
}

static bool is_model(const char *bytes, size_t count) {
  return count >= 8 && memcmp(bytes + 4, "TFL3", 4) == 0;
}

neap_status c_array_unpack(char **text, size_t *size, neap_error *error) {
  struct cursor cursor = {*text, *text + *size};
  char *bytes = NULL;
  if (memchr(*text, '\0', *size)) return NEAP_OK; /* not source text */
  while ((cursor.at = memchr(cursor.at, '=', (size_t)(cursor.end - cursor.at)))) {
    const char *equals = cursor.at++;
    if (!take(&cursor, '{') || !declares_bytes(*text, equals)) continue;
    /* A byte takes at least two characters: a digit, and a comma or a brace. */
    if (!bytes && !(bytes = malloc(*size + 1))) return error_memory(error);
    const size_t count = read_bytes(&cursor, bytes);
    if (!is_model(bytes, count)) continue;
    free(*text);
    bytes[count] = '\0';
    *text = bytes;
    *size = count;
    return NEAP_OK;
  }
  free(bytes);
  return NEAP_OK;
}

static neap_status copy_content(const neap_reading *reading, char **text, size_t *size,
                                neap_error *error) {
  *size = reading->content_size;
  *text = *size < SIZE_MAX ? malloc(*size + 1) : NULL;
  if (!*text) return error_memory(error);
  if (*size > 0) memcpy(*text, reading->content, *size);
  (*text)[*size] = '\0';
  return NEAP_OK;
}

neap_status c_array_read(const char *path, const neap_reading *reading, char **text,
                         size_t *size, neap_error *error) {
  neap_status status = reading && reading->content ? copy_content(reading, text, size, error)
                                                   : input_read(path, text, size, error);
  if (status != NEAP_OK) return status;
  status = c_array_unpack(text, size, error);
  if (status != NEAP_OK) free(*text);
  return status;
}
