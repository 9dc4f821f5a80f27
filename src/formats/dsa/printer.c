/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/dsa/printer.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"

void printer_clear(struct printer *printer) { row_clear(&printer->row); }

/* ---------------------------------------------------------------- strings */

/*
 * Escapes only what JSON requires, in lower-case hexadecimal.  row_json writes upper case, which
 * would change the fingerprint.
 */
static void append_string(struct row *row, const char *text) {
  static const char letters[] = "btn\vfr"; /* for \b (8) and up; \v has none */
  row_char(row, '"');
  for (const char *at = text; *at; at++) {
    unsigned char byte = (unsigned char)*at;
    if (byte == '"' || byte == '\\') row_char(row, '\\');
    if (byte >= 0x20) {
      row_char(row, *at);
    } else if (byte >= '\b' && byte <= '\r' && byte != '\v') {
      row_char(row, '\\');
      row_char(row, letters[byte - '\b']);
    } else {
      char escape[8];
      snprintf(escape, sizeof escape, "\\u%04x", (unsigned)byte);
      row_string(row, escape);
    }
  }
  row_char(row, '"');
}

/* ---------------------------------------------------------------- members and elements */

static void append_line(struct printer *printer) {
  row_char(&printer->row, '\n');
  for (size_t i = 0; i < printer->depth; i++)
    row_string(&printer->row, "  ");
}

static void begin(struct printer *printer, const char *key) {
  if (printer->has_any) row_char(&printer->row, ',');
  if (printer->depth > 0) append_line(printer);
  if (key) {
    append_string(&printer->row, key);
    row_string(&printer->row, ": ");
  }
  printer->has_any = true;
}

void printer_open(struct printer *printer, const char *key, char bracket) {
  begin(printer, key);
  row_char(&printer->row, bracket);
  printer->depth++;
  printer->has_any = false;
}

void printer_close(struct printer *printer, char bracket) {
  printer->depth--;
  if (printer->has_any) append_line(printer);
  row_char(&printer->row, bracket);
  printer->has_any = true;
}

void printer_number(struct printer *printer, const char *key, int64_t number) {
  begin(printer, key);
  row_number(&printer->row, number);
}

void printer_string(struct printer *printer, const char *key, const char *string) {
  begin(printer, key);
  append_string(&printer->row, string);
}

void printer_word(struct printer *printer, const char *key, const char *word) {
  begin(printer, key);
  row_string(&printer->row, word);
}

/* ---------------------------------------------------------------- values */

static int by_bytes(const void *left, const void *right) {
  return strcmp(*(const char *const *)left, *(const char *const *)right);
}

/* The keys of an object in byte order; NULL if memory is short. */
static const char **sorted_keys(json_t *object) {
  const char **keys = memory_array(json_object_size(object), sizeof *keys);
  size_t count = 0;
  for (void *entry = json_object_iter(object); entry && keys;
       entry = json_object_iter_next(object, entry))
    keys[count++] = json_object_iter_key(entry);
  if (keys) qsort(keys, count, sizeof *keys, by_bytes);
  return keys;
}

static void print_object(struct printer *printer, const char *key, const json_t *object) {
  size_t count = json_object_size(object);
  const char **keys = sorted_keys((json_t *)object);
  if (!keys) printer->row.failed = true;
  printer_open(printer, key, '{');
  for (size_t i = 0; i < count && !printer->row.failed; i++)
    printer_value(printer, keys[i], json_object_get(object, keys[i]));
  printer_close(printer, '}');
  free(keys);
}

static void print_array(struct printer *printer, const char *key, const json_t *array) {
  printer_open(printer, key, '[');
  for (size_t i = 0; i < json_array_size(array) && !printer->row.failed; i++)
    printer_value(printer, NULL, json_array_get(array, i));
  printer_close(printer, ']');
}

void printer_value(struct printer *printer, const char *key, const json_t *value) {
  if (!value) return;
  if (json_is_object(value)) print_object(printer, key, value);
  else if (json_is_array(value)) print_array(printer, key, value);
  else if (json_is_string(value)) printer_string(printer, key, json_string_value(value));
  else if (json_is_integer(value)) printer_number(printer, key, json_integer_value(value));
  else
    printer_word(printer, key,
                 json_is_null(value)   ? "null"
                 : json_is_true(value) ? "true"
                                       : "false");
}

/* ---------------------------------------------------------------- the document */

neap_status printer_flush(struct printer *printer, neap_error *error) {
  struct row *row = &printer->row;
  if (!printer->is_started) printer->hash = UINT64_C(14695981039346656037);
  printer->is_started = true;
  for (size_t i = 0; i < row->length && !row->failed; i++)
    printer->hash = (printer->hash ^ (unsigned char)row->text[i]) * UINT64_C(1099511628211);
  if (printer->stream || row->failed) return row_write(row, printer->stream, error);
  row->length = 0;
  return NEAP_OK;
}

neap_status printer_finish(struct printer *printer, neap_error *error) {
  row_char(&printer->row, '\n');
  return printer_flush(printer, error);
}

void printer_fingerprint(const struct printer *printer, char text[PRINTER_FINGERPRINT]) {
  snprintf(text, PRINTER_FINGERPRINT, "%016" PRIx64, printer->hash);
}
