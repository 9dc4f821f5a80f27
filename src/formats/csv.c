/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/csv.h"

#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "core/error.h"
#include "core/text.h"

void csv_init(struct csv *csv, char *text, size_t size) {
  *csv = (struct csv){.next = text, .end = text + size};
}

/* ---------------------------------------------------------------- lines */

/*
 * Sets *end to the end of the line at csv->next, and csv->next to the beginning of the one
 * after.
 */
static neap_status take_line(struct csv *csv, char **end, neap_error *error) {
  char *start = csv->next;
  size_t left = (size_t)(csv->end - start);
  size_t reach = left < CSV_LINE_LIMIT + 2 ? left : CSV_LINE_LIMIT + 2;
  char *newline = memchr(start, '\n', reach);
  *end = newline ? newline : start + reach;
  if (*end > start && (*end)[-1] == '\r') --*end;
  csv->line_length = (size_t)(*end - start);
  if (csv->line_length > CSV_LINE_LIMIT)
    return error_at(error, NEAP_ERROR_INPUT, csv->line, 0,
                    "expected a line of at most %zu bytes, found a longer one", CSV_LINE_LIMIT);
  csv->next = newline ? newline + 1 : csv->end;
  return NEAP_OK;
}

/* An empty line ends the rows: nothing but empty lines may follow. */
static neap_status take_empty_lines(struct csv *csv, neap_error *error) {
  for (const char *at = csv->next; at < csv->end; at++)
    if (*at != '\n' && *at != '\r')
      return error_at(error, NEAP_ERROR_INPUT, csv->line, 1,
                      "expected a row, found an empty line");
  csv->next = csv->end;
  return NEAP_OK;
}

/* ---------------------------------------------------------------- fields */

/* Both set *end to the separator after the field that begins at `at`, or to the line's end. */

static neap_status take_bare(struct csv *csv, char *at, char *line_end, struct csv_field *field,
                             char **end, neap_error *error) {
  char *start = at;
  while (at < line_end && *at != ',') {
    if (*at == '"')
      return error_at(error, NEAP_ERROR_INPUT, csv->line, field->column + (size_t)(at - start),
                      "expected quotes around the whole field, found one inside it");
    at++;
  }
  field->text = start;
  field->length = (size_t)(at - start);
  *end = at;
  return NEAP_OK;
}

/* Doubled quotes become one, in place. */
static neap_status take_quoted(struct csv *csv, char *at, char *line_end,
                               struct csv_field *field, char **end, neap_error *error) {
  size_t opening = field->column++;
  char *from = at + 1, *to = from;
  field->text = to;
  for (;; from++) {
    if (from == line_end)
      return error_at(
          error, NEAP_ERROR_INPUT, csv->line, opening,
          "expected a closing quote on the same line, found none (line breaks inside quotes "
          "are not supported)");
    if (*from == '"') {
      if (from + 1 == line_end || from[1] != '"') break;
      from++;
    }
    *to++ = *from;
  }
  field->length = (size_t)(to - field->text);
  *end = ++from;
  if (from == line_end || *from == ',') return NEAP_OK;
  char excerpt[TEXT_EXCERPT];
  return error_at(error, NEAP_ERROR_INPUT, csv->line, opening + (size_t)(from - at),
                  "expected a comma after the closing quote, found %s",
                  text_excerpt(excerpt, from, (size_t)(line_end - from)));
}

static neap_status split(struct csv *csv, char *start, char *line_end, neap_error *error) {
  csv->count = 0;
  for (char *at = start, *end = start;; at = end + 1) {
    struct csv_field field = {.column = (size_t)(at - start) + 1};
    neap_status status = at < line_end && *at == '"'
                             ? take_quoted(csv, at, line_end, &field, &end, error)
                             : take_bare(csv, at, line_end, &field, &end, error);
    if (status != NEAP_OK) return status;
    field.text[field.length] = '\0';
    if (csv->count < CSV_FIELDS) csv->fields[csv->count] = field;
    csv->count++;
    if (end == line_end) return NEAP_OK;
  }
}

neap_status csv_next(struct csv *csv, bool *found, neap_error *error) {
  *found = false;
  if (csv->next == csv->end) return NEAP_OK;
  char *start = csv->next, *end;
  csv->line++;
  neap_status status = take_line(csv, &end, error);
  if (status != NEAP_OK) return status;
  if (end == start) return take_empty_lines(csv, error);
  const char *nul = memchr(start, '\0', csv->line_length);
  if (nul)
    return error_at(error, NEAP_ERROR_INPUT, csv->line, (size_t)(nul - start) + 1,
                    "expected text, found a NUL byte");
  *found = true;
  return split(csv, start, end, error);
}

/* ---------------------------------------------------------------- what is in them */

neap_status csv_blame(const struct csv *csv, size_t field, neap_error *error,
                      const char *format, ...) {
  assert(field < CSV_FIELDS);
  char text[sizeof error->text];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return error_at(error, NEAP_ERROR_INPUT, csv->line, csv->fields[field].column, "%s", text);
}

neap_status csv_number(const struct csv *csv, size_t field, const char *name, const char *unit,
                       int64_t low, int64_t *number, neap_error *error) {
  const struct csv_field *held = &csv->fields[field];
  enum text_number result = text_number(held->text, held->length, number);
  if (result == TEXT_NUMBER_OK && *number >= low) return NEAP_OK;
  char excerpt[TEXT_EXCERPT];
  text_excerpt(excerpt, held->text, held->length);
  if (result == TEXT_NUMBER_EMPTY)
    return csv_blame(csv, field, error, "expected %s as %s, found an empty field", name, unit);
  if (result == TEXT_NUMBER_OK)
    return csv_blame(csv, field, error, "expected %s as %s of %" PRId64 " or more, found %s",
                     name, unit, low, excerpt);
  return csv_blame(csv, field, error, "expected %s as %s, found %s, which %s", name, unit,
                   excerpt, text_number_problem(result));
}

neap_status csv_check_text(const char *name, const char *what, const char *text,
                           neap_error *error) {
  bool breaks = strchr(text, '\n');
  if (!breaks && text_utf8_prefix(text, strlen(text)) == strlen(text)) return NEAP_OK;
  char excerpt[TEXT_EXCERPT];
  return error_set(error, NEAP_ERROR_FORMAT, "CSV cannot say the %s of buffer %s: it %s", what,
                   text_excerpt(excerpt, name, strlen(name)),
                   breaks ? "has a line break" : "is not valid UTF-8");
}
