/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "files/json/scan.h"

#include <string.h>

void scan_locate(const char *text, size_t place, neap_error *error) {
  const char *start = text, *end = text + place, *newline;
  size_t line = 1;
  while ((newline = memchr(start, '\n', (size_t)(end - start)))) {
    start = newline + 1;
    line++;
  }
  error->line = line;
  error->column = (size_t)(end - start) + 1;
}

size_t scan_blank(const char *text, size_t size, size_t at) {
  while (at < size &&
         (text[at] == ' ' || text[at] == '\n' || text[at] == '\r' || text[at] == '\t'))
    at++;
  return at;
}

size_t scan_string(const char *text, size_t size, size_t at) {
  for (at++; at < size && text[at] != '"'; at++)
    if (text[at] == '\\') at++;
  return at < size ? at + 1 : size;
}

/* Does not distinguish between kinds of brackets. */
size_t scan_element(const char *text, size_t size, size_t at) {
  size_t depth = 0;
  while (at < size) {
    char byte = text[at];
    if (byte == '"') {
      at = scan_string(text, size, at);
      continue;
    }
    if (depth == 0 && (byte == ',' || byte == ']' || byte == '}')) return at;
    depth += byte == '[' || byte == '{';
    depth -= byte == ']' || byte == '}';
    at++;
  }
  return size;
}

/* Whether a member with this key begins at `at`; then *place is that of its value. */
static bool has_key(const char *text, size_t size, size_t at, const char *key, size_t *place) {
  size_t length = strlen(key);
  if (size - at < length + 2 || text[at] != '"' || memcmp(text + at + 1, key, length) != 0 ||
      text[at + 1 + length] != '"')
    return false;
  at = scan_blank(text, size, at + length + 2);
  if (at == size || text[at] != ':') return false;
  *place = scan_blank(text, size, at + 1);
  return *place < size;
}

bool scan_member(const char *text, size_t size, size_t at, const char *key, size_t *place) {
  if (at >= size || text[at] != '{') return false;
  for (at++; at < size; at++) {
    at = scan_blank(text, size, at);
    if (at < size && has_key(text, size, at, key, place)) return true;
    at = scan_element(text, size, at);
    if (at == size || text[at] != ',') return false;
  }
  return false;
}

bool scan_index(const char *text, size_t size, size_t at, size_t index, size_t *place) {
  if (at >= size || text[at] != '[') return false;
  for (at++; index > 0; index--) {
    at = scan_element(text, size, at);
    if (at == size || text[at] != ',') return false;
    at++;
  }
  *place = scan_blank(text, size, at);
  return *place < size;
}
