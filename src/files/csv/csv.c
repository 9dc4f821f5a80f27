/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "files/csv/csv.h"

#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "core/checked.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/text.h"
#include "neap-tool.h"

/* ---------------------------------------------------------------- advice */

/*
 * What to write in place of a number that tables cannot have, such as 1e6, 4096.0, 0x1000 or "4
 * KB".
 */

#define CSV_ADVICE 80

enum { LONGEST = 40 };

/* Copies a text without what separates digits or a unit from them; false if it is too long. */
static bool squeeze(char to[LONGEST], const char *text) {
  size_t length = 0;
  for (; *text && length + 1 < LONGEST; text++)
    if (!strchr(" _'", *text)) to[length++] = *text;
  to[length] = '\0';
  return !*text;
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* Reads the digits of a number with a point or without; returns what follows, NULL on overflow. */
static const char *read_digits(const char *text, int64_t *number, int *decimals) {
  bool has_point = false;
  *number = *decimals = 0;
  for (; is_digit(*text) || (*text == '.' && !has_point); text++) {
    if (*text == '.') {
      has_point = true;
      continue;
    }
    if (!checked_mul(*number, 10, number) || !checked_add(*number, *text - '0', number))
      return NULL;
    *decimals += has_point;
  }
  return text;
}

/* Reads a whole number that is written with a point or an exponent, such as 4096.0 or 1e6. */
static bool read_scaled(const char *text, int64_t *number) {
  int decimals, none;
  int64_t exponent = 0;
  if (!is_digit(*text) || !(text = read_digits(text, number, &decimals))) return false;
  if (*text == 'e' || *text == 'E') {
    text += text[1] == '+' ? 2 : 1;
    if (!is_digit(*text) || !(text = read_digits(text, &exponent, &none)) || none > 0)
      return false;
  }
  if (*text || exponent > 18) return false;
  for (exponent -= decimals; exponent > 0; exponent--)
    if (!checked_mul(*number, 10, number)) return false;
  for (; exponent < 0; exponent++) {
    if (*number % 10 != 0) return false;
    *number /= 10;
  }
  return true;
}

/* Reads a size in thousands, such as 4KB, as one in units of 1024. */
static bool read_binary(const char *text, neap_size *size) {
  char binary[LONGEST + 2];
  size_t length = strlen(text);
  if (length < 2 || !strchr("kKmMgGtT", text[length - 2]) || !strchr("bB", text[length - 1]))
    return false;
  snprintf(binary, sizeof binary, "%.*siB", (int)length - 1, text);
  return neap_size_read(binary, size);
}

/* Writes "4096", or "4000, or 4096 for units of 1024"; false if the text is no such number. */
static bool csv_advise(char advice[CSV_ADVICE], const char *found) {
  char text[LONGEST];
  neap_size size, binary;
  if (!squeeze(text, found)) return false;
  if (!read_scaled(text, &size) && !neap_size_read(text, &size)) return false;
  int length = snprintf(advice, CSV_ADVICE, "%" PRId64, size);
  if (read_binary(text, &binary))
    snprintf(advice + length, CSV_ADVICE - (size_t)length, ", or %" PRId64 " for units of 1024",
             binary);
  return true;
}

/* ---------------------------------------------------------------- the text */

/* A tab separates fields where it is the separator. */
static bool is_blank(char c, char separator) {
  return c == ' ' || (c == '\t' && separator != '\t');
}

/* ---------------------------------------------------------------- the first row */

/* Whether the line from `start` to `end` is no row: blank, or a comment. */
static bool is_skipped(const char *start, const char *end, char separator) {
  const char *at = start;
  while (at < end && (*at == ' ' || *at == '\t'))
    at++;
  bool is_first = separator != '\t' || !memchr(start, '\t', (size_t)(at - start));
  return at == end || (*at == '#' && is_first);
}

static char find_separator(const char *at, const char *end) {
  bool is_quoted = false;
  for (; at < end; at++) {
    if (*at == '"') is_quoted = !is_quoted;
    if (!is_quoted && (*at == ',' || *at == ';' || *at == '\t')) return *at;
  }
  return ',';
}

void csv_glance(struct csv_glance *glance, const char *text, size_t size) {
  const char *last = text + size;
  *glance = (struct csv_glance){last, last, ','};
  for (const char *at = text, *end; at < last; at = end + 1) {
    const char *newline = memchr(at, '\n', (size_t)(last - at));
    end = newline ? newline : last;
    const char *stop = end > at && end[-1] == '\r' ? end - 1 : end;
    if (is_skipped(at, stop, ',')) continue;
    *glance = (struct csv_glance){at, stop, find_separator(at, stop)};
    return;
  }
}

bool csv_glance_field(struct csv_glance *glance, const char **text, size_t *length) {
  if (glance->at > glance->end) return false;
  const char *at = glance->at, *end = glance->end;
  const char *stop = at < end ? memchr(at, glance->separator, (size_t)(end - at)) : NULL;
  if (!stop) stop = end;
  glance->at = stop + 1;
  while (at < stop && is_blank(*at, glance->separator))
    at++;
  while (stop > at && is_blank(stop[-1], glance->separator))
    stop--;
  if (stop - at >= 2 && *at == '"' && stop[-1] == '"') {
    at++;
    stop--;
  }
  *text = at;
  *length = (size_t)(stop - at);
  return true;
}

void csv_init(struct csv *csv, char *text, size_t size) {
  struct csv_glance glance;
  csv_glance(&glance, text, size);
  csv->next = text;
  csv->end = text + size;
  csv->separator = glance.separator;
  csv->line = csv->line_length = csv->count = 0;
}

const char *csv_separator_name(const struct csv *csv) {
  return csv->separator == ',' ? "comma" : csv->separator == ';' ? "semicolon" : "tab";
}

/* ---------------------------------------------------------------- lines */

/* Sets *end to the end of the line at csv->next, and csv->next to the following line. */
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
                    "the line is longer than %zu bytes, the limit", CSV_LINE_LIMIT);
  csv->next = newline ? newline + 1 : csv->end;
  return NEAP_OK;
}

/* ---------------------------------------------------------------- fields */

/*
 * take_bare and take_quoted set *end to the separator after the field that begins at `at`, or to
 * the line's end.
 */

static neap_status take_bare(struct csv *csv, char *at, char *line_end, struct csv_field *field,
                             char **end, neap_error *error) {
  char *start = at, separator = csv->separator;
  while (at < line_end && *at != separator) {
    if (*at == '"')
      return error_at(
          error, NEAP_ERROR_INPUT, csv->line, field->column + (size_t)(at - start),
          "a quote inside a field that does not begin with one; put the whole field "
          "in quotes and double those inside");
    at++;
  }
  *end = at;
  while (at > start && is_blank(at[-1], separator))
    at--;
  field->text = start;
  field->length = (size_t)(at - start);
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
          "no closing quote on this line (line breaks inside quotes are not supported)");
    if (*from == '"') {
      if (from + 1 == line_end || from[1] != '"') break;
      from++;
    }
    *to++ = *from;
  }
  field->length = (size_t)(to - field->text);
  from++;
  while (from < line_end && is_blank(*from, csv->separator))
    from++;
  *end = from;
  if (from == line_end || *from == csv->separator) return NEAP_OK;
  char excerpt[TEXT_EXCERPT];
  return error_at(error, NEAP_ERROR_INPUT, csv->line, opening + (size_t)(from - at),
                  "expected a %s after the closing quote, found %s", csv_separator_name(csv),
                  text_excerpt(excerpt, from, (size_t)(line_end - from)));
}

static neap_status split(struct csv *csv, char *start, char *line_end, neap_error *error) {
  csv->count = 0;
  for (char *at = start, *end = start;; at = end + 1) {
    while (at < line_end && is_blank(*at, csv->separator))
      at++;
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
  while (csv->next < csv->end) {
    char *start = csv->next, *end;
    csv->line++;
    neap_status status = take_line(csv, &end, error);
    if (status != NEAP_OK) return status;
    if (is_skipped(start, end, csv->separator)) continue;
    const char *nul = memchr(start, '\0', csv->line_length);
    if (nul)
      return error_at(error, NEAP_ERROR_INPUT, csv->line, (size_t)(nul - start) + 1,
                      "expected text, found a NUL byte");
    *found = true;
    return split(csv, start, end, error);
  }
  return NEAP_OK;
}

/* ---------------------------------------------------------------- lines of rows */

bool csv_lines_note(struct csv_lines *lines, size_t row, size_t line) {
  size_t count = lines->count, offset = line - row;
  if (count > 0 && lines->shifts[count - 1].offset == offset) return true;
  if (!memory_reserve(&lines->shifts, &lines->capacity, count + 1, sizeof *lines->shifts))
    return false;
  lines->shifts[lines->count++] = (struct csv_shift){row, offset};
  return true;
}

size_t csv_lines_find(const struct csv_lines *lines, size_t row) {
  size_t at = lines->count - 1;
  while (lines->shifts[at].row > row)
    at--;
  return row + lines->shifts[at].offset;
}

/* ---------------------------------------------------------------- values of fields */

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
  char advice[CSV_ADVICE];
  if (csv_advise(advice, held->text))
    return csv_blame(csv, field, error, "expected %s as %s, found %s; write %s", name, unit,
                     excerpt, advice);
  return csv_blame(csv, field, error, "expected %s as %s, found %s, which %s", name, unit,
                   excerpt, text_number_problem(result));
}

neap_status csv_check_text(const char *name, const char *what, const char *text,
                           neap_error *error) {
  bool breaks = strchr(text, '\n');
  if (!breaks && text_utf8_prefix(text, strlen(text)) == strlen(text)) return NEAP_OK;
  char excerpt[TEXT_EXCERPT];
  return error_set(error, NEAP_ERROR_FORMAT, "CSV cannot hold the %s of buffer %s: it %s", what,
                   text_excerpt(excerpt, name, strlen(name)),
                   breaks ? "has a line break" : "is not valid UTF-8");
}
