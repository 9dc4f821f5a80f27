/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lines may be truncated, because jobs are killed, or changed by other programs.  So this file
 * checks everything that is printed later.
 */
#include "cli/bench_lines.h"

#include <ctype.h>
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/exits.h"
#include "cli/files.h"
#include "cli/messages.h"

void bench_lines_clear(struct bench_lines *lines) {
  for (size_t i = 0; i < lines->count; i++) {
    free(lines->items[i].instance);
    free(lines->items[i].engine);
  }
  free(lines->items);
  *lines = (struct bench_lines){0};
}

/* ---------------------------------------------------------------- values */

/* Why a report is invalid: the key, and the value that it should have. */
struct complaint {
  const char *key, *expected;
};

static bool complain(struct complaint *complaint, const char *key, const char *expected) {
  *complaint = (struct complaint){key, expected};
  return false;
}

static bool is_missing(const json_t *value) { return !value || json_is_null(value); }

/* Reads a number; -1 if it is missing or null. */
static bool read_number(const json_t *report, const char *key, int64_t *number,
                        struct complaint *complaint) {
  const json_t *value = json_object_get(report, key);
  *number = -1;
  if (is_missing(value)) return true;
  *number = json_integer_value(value);
  bool good = json_is_integer(value) && *number >= 0;
  return good || complain(complaint, key, "a whole number, 0 or more, or null");
}

static bool read_seconds(const json_t *report, double *seconds, struct complaint *complaint) {
  const json_t *value = json_object_get(report, "seconds");
  *seconds = -1;
  if (is_missing(value)) return true;
  *seconds = json_number_value(value);
  bool good = json_is_number(value) && *seconds >= 0;
  return good || complain(complaint, "seconds", "a number, 0 or more, or null");
}

static bool read_seed(const json_t *report, int64_t *seed, struct complaint *complaint) {
  const json_t *value = json_object_get(report, "seed");
  *seed = is_missing(value) ? BENCH_NO_SEED : json_integer_value(value);
  return is_missing(value) || json_is_integer(value) ||
         complain(complaint, "seed", "a whole number or null");
}

/* Whether a text can be a field of CSV without quotes. */
static bool is_word(const char *text) {
  size_t length = 0;
  while (isalnum((unsigned char)text[length]) || (text[length] && strchr("-_", text[length])))
    length++;
  return length > 0 && !text[length];
}

/* Reads a word of less than `size` bytes; "" if it is missing or null. */
static bool read_word(const json_t *report, const char *key, char *word, size_t size,
                      struct complaint *complaint) {
  const json_t *value = json_object_get(report, key);
  *word = '\0';
  if (is_missing(value)) return true;
  const char *text = json_string_value(value);
  if (!text || !is_word(text) || strlen(text) >= size)
    return complain(complaint, key, "a word or null");
  strcpy(word, text);
  return true;
}

static bool read_status(const json_t *report, struct bench_result *result,
                        struct complaint *complaint) {
  static const char *const known[] = {"optimal", "feasible", "infeasible", "unknown",
                                      "failed",  "timeout",  "memory"};
  if (!read_word(report, "status", result->status, sizeof result->status, complaint))
    return false;
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (strcmp(result->status, known[i]) == 0) return true;
  return complain(complaint, "status",
                  "optimal, feasible, infeasible, unknown, failed, timeout or memory");
}

/* Any text is accepted, but must fit into one line. */
static void read_error(const json_t *report, struct bench_result *result) {
  const char *text = json_string_value(json_object_get(report, "error"));
  snprintf(result->error, sizeof result->error, "%.*s", (int)sizeof result->error - 1,
           text ? text : "");
  for (char *at = result->error; *at; at++)
    if (iscntrl((unsigned char)*at)) *at = '?';
}

/* A report with a plan has all figures; a report without one has no peak. */
static bool agree(const struct bench_result *result, struct complaint *complaint) {
  bool planned =
      strcmp(result->status, "optimal") == 0 || strcmp(result->status, "feasible") == 0;
  if (!planned) return result->peak < 0 || complain(complaint, "peak", "null with this status");
  if (result->peak < 0) return complain(complaint, "peak", "a number with this status");
  if (result->bound < 0) return complain(complaint, "bound", "a number with a peak");
  return result->lower_bound >= 0 || complain(complaint, "lower_bound", "a number with a peak");
}

static bool read_result(const json_t *report, struct bench_result *result,
                        struct complaint *complaint) {
  read_error(report, result);
  return read_status(report, result, complaint) &&
         read_word(report, "stop_reason", result->stop_reason, sizeof result->stop_reason,
                   complaint) &&
         read_number(report, "buffers", &result->buffers, complaint) &&
         read_number(report, "bound", &result->bound, complaint) &&
         read_number(report, "lower_bound", &result->lower_bound, complaint) &&
         read_number(report, "peak", &result->peak, complaint) &&
         read_number(report, "memory", &result->memory, complaint) &&
         read_seconds(report, &result->seconds, complaint) && agree(result, complaint);
}

/* ---------------------------------------------------------------- one line */

/* Where a line is. */
struct place {
  const char *path;
  size_t number; /* of the line, from 1 */
  bool ends;     /* in a line feed */
};

__attribute__((format(printf, 3, 4))) static int refuse(const struct place *place, int column,
                                                        const char *format, ...) {
  neap_error error = {.status = NEAP_ERROR_INPUT, .line = place->number};
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(error.text, sizeof error.text, format, arguments);
  va_end(arguments);
  error.column = column > 0 ? (size_t)column : 1;
  snprintf(error.source, sizeof error.source, "%s",
           files_is_standard(place->path) ? "standard input" : place->path);
  return message_error(&error);
}

static int refuse_syntax(const struct place *place, const json_error_t *error) {
  if (json_error_code(error) == json_error_out_of_memory) return message_memory();
  if (!place->ends)
    return refuse(place, error->column,
                  "the last line is cut short; delete it and repeat its run");
  return refuse(place, error->column, "not a line of 'neap plan --json': %s", error->text);
}

static bool make_room(struct bench_lines *lines) {
  if (lines->count < lines->capacity) return true;
  size_t capacity = lines->capacity ? 2 * lines->capacity : 64;
  struct bench_line *items = realloc(lines->items, capacity * sizeof *items);
  if (!items) return false;
  lines->items = items;
  lines->capacity = capacity;
  return true;
}

/* Takes ownership of the texts, which may be NULL when memory is short. */
static int append(struct bench_lines *lines, struct bench_line *line) {
  if (!line->instance || !line->engine || !make_room(lines)) {
    free(line->instance);
    free(line->engine);
    return message_memory();
  }
  line->place = lines->count;
  lines->items[lines->count++] = *line;
  return 0;
}

#define ENGINE_SIZE 64

static int read_report(struct bench_lines *lines, const struct place *place,
                       const json_t *report) {
  struct bench_line line;
  struct complaint complaint;
  char engine[ENGINE_SIZE];
  if (!json_is_object(report))
    return refuse(place, 1, "not a line of 'neap plan --json': expected an object");
  const char *input = json_string_value(json_object_get(report, "input"));
  if (!input) return refuse(place, 1, "not a line of 'neap plan --json': no \"input\"");
  if (!read_word(report, "engine", engine, sizeof engine, &complaint) ||
      !read_seed(report, &line.seed, &complaint) ||
      !read_result(report, &line.result, &complaint))
    return refuse(place, 1, "not a line of 'neap plan --json': \"%s\": expected %s",
                  complaint.key, complaint.expected);
  line.instance = strdup(input);
  line.engine = strdup(*engine ? engine : "-");
  return append(lines, &line);
}

static int read_line(struct bench_lines *lines, const struct place *place, const char *text,
                     size_t length) {
  json_error_t error;
  size_t blank = 0;
  while (blank < length && isspace((unsigned char)text[blank]))
    blank++;
  if (blank == length) return 0;
  json_t *report = json_loadb(text, length, 0, &error);
  if (!report) return refuse_syntax(place, &error);
  int code = read_report(lines, place, report);
  json_decref(report);
  return code;
}

/* ---------------------------------------------------------------- one file */

static int read_stream(struct bench_lines *lines, const char *path, FILE *stream) {
  struct place place = {.path = path};
  char *text = NULL;
  size_t size = 0;
  int code = 0;
  ssize_t length;
  while (code == 0 && (errno = 0, length = getline(&text, &size, stream)) > 0) {
    place.number++;
    place.ends = text[length - 1] == '\n';
    code = read_line(lines, &place, text, (size_t)length);
  }
  if (code == 0 && !feof(stream)) code = message_system(path, "cannot be read");
  free(text);
  return code;
}

int bench_lines_read(struct bench_lines *lines, const char *path) {
  if (files_is_standard(path)) return read_stream(lines, path, stdin);
  FILE *stream = fopen(path, "r");
  if (!stream) return message_system(path, "cannot open");
  int code = read_stream(lines, path, stream);
  fclose(stream);
  return code;
}
