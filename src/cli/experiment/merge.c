/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lines may be truncated, because jobs are killed, or changed by other programs.  So everything that is
 * printed later is checked.  Lines are sorted by input, engine, seed and age; the rows are then found in
 * one pass.  The cost is that of sorting.
 */
#include "cli/experiment/merge.h"

#include <ctype.h>
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/experiment/table.h"
#include "cli/input/files.h"
#include "cli/output/figures.h"
#include "cli/output/messages.h"

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
  *seed = is_missing(value) ? CELL_NONE : json_integer_value(value);
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

static bool read_status(const json_t *report, struct outcome *outcome,
                        struct complaint *complaint) {
  static const char *const known[] = {"optimal", "feasible", "infeasible", "unknown",
                                      "failed",  "timeout",  "memory"};
  if (!read_word(report, "status", outcome->status, sizeof outcome->status, complaint))
    return false;
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (strcmp(outcome->status, known[i]) == 0) return true;
  return complain(complaint, "status",
                  "optimal, feasible, infeasible, unknown, failed, timeout or memory");
}

/* Any text is accepted, but must fit into one line. */
static void read_error(const json_t *report, struct outcome *outcome) {
  const char *text = json_string_value(json_object_get(report, "error"));
  snprintf(outcome->error, sizeof outcome->error, "%.*s", (int)sizeof outcome->error - 1,
           text ? text : "");
  for (char *at = outcome->error; *at; at++)
    if (iscntrl((unsigned char)*at)) *at = '?';
}

/* A report with a plan has all figures; a report without one has no peak. */
static bool agree(const struct outcome *outcome, struct complaint *complaint) {
  bool planned = outcome_is_optimal(outcome) || strcmp(outcome->status, "feasible") == 0;
  if (!planned)
    return outcome->peak < 0 || complain(complaint, "peak", "null with this status");
  if (outcome->peak < 0) return complain(complaint, "peak", "a number with this status");
  if (outcome->bound < 0) return complain(complaint, "bound", "a number with a peak");
  return outcome->lower_bound >= 0 ||
         complain(complaint, "lower_bound", "a number with a peak");
}

/* The members of an outcome that are whole numbers. */
static const struct member {
  const char *key;
  size_t offset;
} members[] = {{"buffers", offsetof(struct outcome, buffers)},
               {"bound", offsetof(struct outcome, bound)},
               {"lower_bound", offsetof(struct outcome, lower_bound)},
               {"peak", offsetof(struct outcome, peak)},
               {"memory", offsetof(struct outcome, memory)}};

static bool read_outcome(const json_t *report, struct outcome *outcome,
                         struct complaint *complaint) {
  bool good = read_status(report, outcome, complaint) &&
              read_word(report, "stop_reason", outcome->stop_reason,
                        sizeof outcome->stop_reason, complaint);
  read_error(report, outcome);
  for (size_t i = 0; i < sizeof members / sizeof *members && good; i++)
    good = read_number(report, members[i].key, (int64_t *)((char *)outcome + members[i].offset),
                       complaint);
  return good && read_seconds(report, &outcome->seconds, complaint) &&
         agree(outcome, complaint);
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

static bool make_room(struct reports *reports) {
  if (reports->count < reports->capacity) return true;
  size_t capacity = reports->capacity ? 2 * reports->capacity : 64;
  struct report *items = realloc(reports->items, capacity * sizeof *items);
  if (!items) return false;
  reports->items = items;
  reports->capacity = capacity;
  return true;
}

static void release_report(struct report *report) {
  free(report->instance);
  free(report->engine);
}

/* Takes ownership of the texts, which may be NULL when memory is short. */
static int append(struct reports *reports, struct report *line) {
  if (!line->instance || !line->engine || !make_room(reports)) {
    release_report(line);
    return message_memory();
  }
  line->place = reports->count;
  reports->items[reports->count++] = *line;
  return 0;
}

#define ENGINE_SIZE 64

static int read_report(struct reports *reports, const struct place *place,
                       const json_t *report) {
  struct report line = {.outcome = OUTCOME_INIT};
  struct complaint complaint;
  char engine[ENGINE_SIZE];
  if (!json_is_object(report))
    return refuse(place, 1, "not a line of 'neap plan --json': expected an object");
  const char *input = json_string_value(json_object_get(report, "input"));
  if (!input) return refuse(place, 1, "not a line of 'neap plan --json': no \"input\"");
  if (!read_word(report, "engine", engine, sizeof engine, &complaint) ||
      !read_seed(report, &line.seed, &complaint) ||
      !read_outcome(report, &line.outcome, &complaint))
    return refuse(place, 1, "not a line of 'neap plan --json': \"%s\": expected %s",
                  complaint.key, complaint.expected);
  line.instance = strdup(input);
  line.engine = strdup(*engine ? engine : "-");
  return append(reports, &line);
}

static int read_line(struct reports *reports, const struct place *place, const char *text,
                     size_t length) {
  json_error_t error;
  size_t blank = 0;
  while (blank < length && isspace((unsigned char)text[blank]))
    blank++;
  if (blank == length) return 0;
  json_t *report = json_loadb(text, length, 0, &error);
  if (!report) return refuse_syntax(place, &error);
  int code = read_report(reports, place, report);
  json_decref(report);
  return code;
}

/* ---------------------------------------------------------------- one file */

static int read_stream(struct reports *reports, const char *path, FILE *stream) {
  struct place place = {.path = path};
  char *text = NULL;
  size_t size = 0;
  int code = 0;
  ssize_t length;
  while (code == 0 && (errno = 0, length = getline(&text, &size, stream)) > 0) {
    place.number++;
    place.ends = text[length - 1] == '\n';
    code = read_line(reports, &place, text, (size_t)length);
  }
  if (code == 0 && !feof(stream)) code = message_system(path, "cannot be read");
  free(text);
  return code;
}

static int read_file(struct reports *reports, const char *path) {
  if (files_is_standard(path)) return read_stream(reports, path, stdin);
  FILE *stream = fopen(path, "r");
  if (!stream) return message_system(path, "cannot open");
  int code = read_stream(reports, path, stream);
  fclose(stream);
  return code;
}

static int read_all(struct merge *merge) {
  int code = 0;
  for (size_t i = 0; i < merge->files.count && code == 0; i++)
    code = read_file(&merge->lines, merge->files.items[i]);
  return code;
}

/* ---------------------------------------------------------------- sorting */

static int by_row(const struct report *a, const struct report *b) {
  int order = strcmp(a->instance, b->instance);
  return order != 0 ? order : strcmp(a->engine, b->engine);
}

static int by_key(const struct report *a, const struct report *b) {
  int order = by_row(a, b);
  return order != 0 ? order : (a->seed > b->seed) - (a->seed < b->seed);
}

static int by_age(const void *left, const void *right) {
  const struct report *a = left, *b = right;
  int order = by_key(a, b);
  return order != 0 ? order : (a->place > b->place) - (a->place < b->place);
}

/* Sorts the lines, and keeps the last of those with the same key. */
static void keep_latest(struct reports *lines) {
  size_t kept = 0;
  if (lines->count > 1) qsort(lines->items, lines->count, sizeof *lines->items, by_age);
  for (size_t i = 0; i < lines->count; i++) {
    bool replaces = kept > 0 && by_key(&lines->items[kept - 1], &lines->items[i]) == 0;
    if (replaces) kept--;
    struct report older = lines->items[kept];
    lines->items[kept] = lines->items[i];
    lines->items[i] = older; /* to be released with all others */
    kept++;
  }
  for (size_t i = kept; i < lines->count; i++)
    release_report(&lines->items[i]);
  lines->count = kept;
}

/* ---------------------------------------------------------------- one row */

/* Whether a run is better: a lower peak, then a proof, then less time. */
static bool is_better(const struct outcome *a, const struct outcome *b) {
  if (a->peak < 0 || b->peak < 0) return b->peak < 0 && a->peak >= 0;
  if (a->peak != b->peak) return a->peak < b->peak;
  if (outcome_is_optimal(a) != outcome_is_optimal(b)) return outcome_is_optimal(a);
  return a->seconds < b->seconds;
}

/*
 * A lower bound that one run has proven holds for all runs of the same problem.  Runs with another
 * bound planned another problem.
 */
static int64_t best_lower_bound(const struct report *lines, size_t count,
                                const struct outcome *best) {
  int64_t lower = best->lower_bound;
  for (size_t i = 0; i < count; i++) {
    const struct outcome *result = &lines[i].outcome;
    bool same = result->bound == best->bound && result->buffers == best->buffers;
    bool possible = best->peak < 0 || result->lower_bound <= best->peak;
    if (same && possible && result->lower_bound > lower) lower = result->lower_bound;
  }
  return lower;
}

/* The seconds of all runs that report them; `numbers` has room for them. */
static void set_seconds(struct bench_row *row, const struct report *lines, size_t count,
                        double *numbers) {
  size_t known = 0;
  for (size_t i = 0; i < count; i++)
    if (lines[i].outcome.seconds >= 0) numbers[known++] = lines[i].outcome.seconds;
  struct spread seconds = spread_of(numbers, known);
  row->outcome.seconds = known > 0 ? seconds.median : -1;
  row->best_seconds = known > 0 ? seconds.min : -1;
}

/* Counts the seeds of a row and their plans; writes the peaks to `numbers`. */
static void count_seeds(struct bench_row *row, const struct report *lines, size_t count,
                        double *numbers) {
  size_t planned = 0;
  row->seeds = (int64_t)count;
  row->peaks = numbers;
  for (size_t i = 0; i < count; i++) {
    int64_t peak = lines[i].outcome.peak;
    if (peak >= 0) numbers[planned++] = (double)peak;
    row->at_best += peak >= 0 && peak == row->outcome.peak;
  }
  struct spread spread = spread_of(numbers, planned);
  row->planned = (int64_t)planned;
  row->peak_median = planned > 0 ? spread.median : -1;
  row->peak_max = planned > 0 ? spread.max : -1;
}

static struct bench_row make_row(const struct report *lines, size_t count, double *numbers) {
  const struct report *best = lines;
  for (size_t i = 1; i < count; i++)
    if (is_better(&lines[i].outcome, &best->outcome)) best = &lines[i];
  struct bench_row row = {.instance = best->instance,
                          .engine = best->engine,
                          .outcome = best->outcome,
                          .best_seed = best->seed};
  set_seconds(&row, lines, count, numbers);
  row.outcome.lower_bound = best_lower_bound(lines, count, &best->outcome);
  if (outcome_is_planned(&row.outcome))
    row.outcome.gap_percent = figure_gap(row.outcome.peak, row.outcome.lower_bound);
  count_seeds(&row, lines, count, numbers);
  return row;
}

/* ---------------------------------------------------------------- all rows */

static int make_rows(struct merge *merge) {
  const struct reports *lines = &merge->lines;
  struct bench_table *table = &merge->table;
  table->is_merged = true;
  table->rows = calloc(lines->count + 1, sizeof *table->rows);
  merge->numbers = calloc(lines->count + 1, sizeof *merge->numbers);
  if (!table->rows || !merge->numbers) return message_memory();
  for (size_t first = 0, end; first < lines->count; first = end) {
    end = first + 1;
    while (end < lines->count && by_row(&lines->items[first], &lines->items[end]) == 0)
      end++;
    table->rows[table->count++] =
        make_row(&lines->items[first], end - first, &merge->numbers[first]);
  }
  return 0;
}

int merge_reports(struct merge *merge, const char *const *paths, size_t count) {
  int code = paths_find_reports(&merge->files, paths, count);
  if (code == 0) code = read_all(merge);
  if (code != 0) return code;
  keep_latest(&merge->lines);
  return make_rows(merge);
}

void merge_clear(struct merge *merge) {
  paths_clear(&merge->files);
  for (size_t i = 0; i < merge->lines.count; i++)
    release_report(&merge->lines.items[i]);
  free(merge->lines.items);
  free(merge->table.rows);
  free(merge->numbers);
  *merge = (struct merge){0};
}
