/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "files/text_builder.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"

void row_clear(struct row *row) {
  free(row->text);
  *row = (struct row){0};
}

/* Room for `more` bytes at the end, or NULL. */
static char *extend(struct row *row, size_t more) {
  if (row->failed || more > SIZE_MAX - row->length ||
      !memory_reserve(&row->text, &row->capacity, row->length + more, 1)) {
    row->failed = true;
    return NULL;
  }
  char *place = row->text + row->length;
  row->length += more;
  return place;
}

void row_append(struct row *row, const char *text, size_t length) {
  char *place = length > 0 ? extend(row, length) : NULL;
  if (place) memcpy(place, text, length);
}

void row_string(struct row *row, const char *text) { row_append(row, text, strlen(text)); }

void row_char(struct row *row, char character) { row_append(row, &character, 1); }

static void append_digits(struct row *row, uint64_t number, unsigned base) {
  char digits[20];
  size_t at = sizeof digits;
  do
    digits[--at] = "0123456789abcdef"[number % base];
  while ((number /= base) != 0);
  row_append(row, digits + at, sizeof digits - at);
}

void row_number(struct row *row, int64_t number) {
  if (number < 0) row_char(row, '-');
  append_digits(row, number < 0 ? 0 - (uint64_t)number : (uint64_t)number, 10);
}

void row_hex(struct row *row, uint64_t number) {
  row_string(row, "0x");
  append_digits(row, number, 16);
}

/* Whether a reader would see a separator, a comment, or blanks to drop. */
static bool needs_quotes(const char *text) {
  size_t length = strlen(text);
  return text[strcspn(text, ",\"\r\n")] != '\0' || text[0] == '#' || text[0] == ' ' ||
         text[0] == '\t' ||
         (length > 0 && (text[length - 1] == ' ' || text[length - 1] == '\t'));
}

void row_csv(struct row *row, const char *text) {
  if (!needs_quotes(text)) {
    row_string(row, text);
    return;
  }
  row_char(row, '"');
  for (const char *at = text; *at; at++) {
    if (*at == '"') row_char(row, '"');
    row_char(row, *at);
  }
  row_char(row, '"');
}

static int take_piece(const char *piece, size_t length, void *row) {
  row_append(row, piece, length);
  return 0;
}

/* Most names are plain and need no JSON value to be escaped. */
static bool is_plain(const char *text) {
  for (const char *at = text; *at; at++)
    if (*at < 0x20 || *at > 0x7e || *at == '"' || *at == '\\') return false;
  return true;
}

void row_json(struct row *row, const char *text) {
  if (is_plain(text)) {
    row_char(row, '"');
    row_string(row, text);
    row_char(row, '"');
    return;
  }
  json_t *string = json_string(text);
  if (!string || json_dump_callback(string, take_piece, row, JSON_ENCODE_ANY) != 0)
    row->failed = true;
  json_decref(string);
}

neap_status row_write(struct row *row, FILE *stream, neap_error *error) {
  if (row->failed) return error_memory(error);
  size_t length = row->length;
  row->length = 0;
  if (length > 0 && fwrite(row->text, 1, length, stream) != length)
    return error_system(error, "", "cannot write");
  return NEAP_OK;
}
