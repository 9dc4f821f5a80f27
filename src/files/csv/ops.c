/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "files/csv/ops.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/text.h"
#include "files/csv/columns.h"
#include "files/text_builder.h"
#include "files/unsupported.h"

/* ---------------------------------------------------------------- reading */

bool ops_is(const char *text, size_t size, const neap_reading *reading) {
  bool has[ROLE_COUNT];
  columns_glance(text, size, reading, has);
  return has[ROLE_TYPE] && !(has[ROLE_START] && has[ROLE_END]);
}

struct reader {
  struct csv csv;
  struct columns columns;
  const neap_reading *reading;
  neap_operation *operations; /* names point into the text */
  size_t count, capacity;
  struct csv_lines lines; /* of the operations */
};

static const struct csv_field *field_of(const struct reader *reader, enum column_role role) {
  return &reader->csv.fields[reader->columns.place[role]];
}

static neap_status read_type(const struct reader *reader, bool *is_alloc, neap_error *error) {
  const struct csv_field *field = field_of(reader, ROLE_TYPE);
  *is_alloc = strcmp(field->text, "alloc") == 0;
  if (*is_alloc || strcmp(field->text, "free") == 0) return NEAP_OK;
  char excerpt[TEXT_EXCERPT];
  return csv_blame(&reader->csv, reader->columns.place[ROLE_TYPE], error,
                   "expected type alloc or free, found %s",
                   text_excerpt(excerpt, field->text, field->length));
}

static neap_status read_request(const struct reader *reader, neap_operation *operation,
                                neap_error *error) {
  const struct columns *columns = &reader->columns;
  neap_status status =
      csv_number(&reader->csv, columns->place[ROLE_SIZE], columns->names[ROLE_SIZE],
                 "a whole number of bytes", 0, &operation->size, error);
  size_t place = columns->place[ROLE_ALIGNMENT];
  if (status != NEAP_OK || place == COLUMNS_NONE || reader->csv.fields[place].length == 0)
    return status;
  return csv_number(&reader->csv, place, columns->names[ROLE_ALIGNMENT],
                    "a whole number of bytes", 1, &operation->alignment, error);
}

static neap_status read_row(struct reader *reader, neap_error *error) {
  neap_operation operation = {.alignment = 1};
  neap_status status = columns_check_row(&reader->columns, &reader->csv, error);
  if (status != NEAP_OK) return status;
  operation.name = field_of(reader, ROLE_NAME)->text;
  status = read_type(reader, &operation.is_alloc, error);
  if (status == NEAP_OK && operation.is_alloc) status = read_request(reader, &operation, error);
  if (status != NEAP_OK) return status;
  if (!csv_lines_note(&reader->lines, reader->count, reader->csv.line) ||
      !memory_reserve(&reader->operations, &reader->capacity, reader->count + 1,
                      sizeof *reader->operations))
    return error_memory(error);
  reader->operations[reader->count++] = operation;
  return NEAP_OK;
}

static neap_status read_all(struct reader *reader, neap_error *error) {
  neap_status status =
      columns_read(&reader->columns, &reader->csv, TABLE_OPERATIONS, reader->reading, error);
  while (status == NEAP_OK) {
    bool found;
    status = csv_next(&reader->csv, &found, error);
    if (status == NEAP_OK && !found) return NEAP_OK;
    if (status == NEAP_OK) status = read_row(reader, error);
  }
  return status;
}

neap_status ops_read(char *text, size_t size, const neap_reading *reading,
                     neap_problem **problem, neap_error *error) {
  struct reader reader = {.reading = reading};
  csv_init(&reader.csv, text, size);
  neap_status status = read_all(&reader, error);
  if (status == NEAP_OK) {
    status = neap_problem_from_operations(reader.operations, reader.count, problem, error);
    if (status == NEAP_ERROR_INPUT && error && error->line > 0)
      error->line = csv_lines_find(&reader.lines, error->line - 1);
  }
  free(reader.operations);
  free(reader.lines.shifts);
  return status;
}

/* ---------------------------------------------------------------- writing */

/*
 * An operation is NOTHING yet, or twice the index of its buffer plus 1 if it allocates the
 * buffer, or plus 2 if it frees it.
 */
enum { NOTHING = 0 };

struct sequence {
  const struct neap_problem *problem;
  size_t *operations;
  size_t count;
};

static neap_status refuse(const struct neap_problem *problem, size_t index, const char *what,
                          neap_error *error) {
  char excerpt[TEXT_EXCERPT];
  const char *name = problem_name(problem, index);
  return error_set(error, NEAP_ERROR_FORMAT, "memory operations cannot hold %s of buffer %s",
                   what, text_excerpt(excerpt, name, strlen(name)));
}

static neap_status check_buffer(const struct neap_problem *problem, size_t index,
                                neap_error *error) {
  const struct buffer *buffer = &problem->buffers[index];
  const char *name = problem_name(problem, index), *hint = problem_hint(problem, index);
  if (buffer->ranges_end - problem_ranges_begin(problem, index) > 1)
    return refuse(problem, index, "the gaps", error);
  if (buffer->fixed_offset != NEAP_UNPLACED)
    return refuse(problem, index, "the fixed offset", error);
  if (hint && hint[0]) return refuse(problem, index, "the hint", error);
  if (strlen(name) > CSV_LINE_LIMIT / 4)
    return refuse(problem, index, "the overlong name", error);
  return csv_check_text(name, "name", name, error);
}

static neap_status refuse_time(const struct sequence *sequence, size_t index,
                               const char *expected, neap_error *error) {
  char excerpt[TEXT_EXCERPT];
  const char *name = problem_name(sequence->problem, index);
  neap_range life = problem_hull(sequence->problem, index);
  return error_set(error, NEAP_ERROR_FORMAT,
                   "memory operations cannot hold the lifetime [%" PRId64 ", %" PRId64
                   ") of buffer %s: they need %s (neap_problem_retime renumbers time)",
                   life.start, life.end, text_excerpt(excerpt, name, strlen(name)), expected);
}

static bool claim(struct sequence *sequence, neap_time moment, size_t operation) {
  if (moment >= (neap_time)sequence->count || sequence->operations[moment] != NOTHING)
    return false;
  sequence->operations[moment] = operation;
  return true;
}

/*
 * Assigns an operation to each start, and to each end that is a free.  There are as many of these
 * starts and ends as operations, so no operation stays unassigned.
 */
static neap_status arrange(struct sequence *sequence, neap_error *error) {
  const struct neap_problem *problem = sequence->problem;
  neap_time last_start = -1;
  for (size_t i = 0; i < problem->count; i++) {
    neap_range life = problem_hull(problem, i);
    bool freed = life.end != problem->horizon;
    if (life.start < last_start)
      return refuse_time(sequence, i, "buffers in order of allocation", error);
    if (!claim(sequence, life.start, 2 * i + 1) ||
        (freed && !claim(sequence, life.end, 2 * i + 2)) ||
        (!freed && life.end != (neap_time)sequence->count))
      return refuse_time(sequence, i,
                         "each start and end at a time of its own, without gaps from 0 on",
                         error);
    last_start = life.start;
  }
  return NEAP_OK;
}

static neap_status write_operation(const struct neap_problem *problem, size_t operation,
                                   struct row *row, FILE *stream, neap_error *error) {
  size_t index = (operation - 1) / 2;
  row_csv(row, problem_name(problem, index));
  if (operation % 2 == 0) {
    row_string(row, ",free,0,0\n");
  } else {
    row_string(row, ",alloc,");
    row_number(row, problem->buffers[index].size);
    row_char(row, ',');
    row_number(row, problem->buffers[index].alignment);
    row_char(row, '\n');
  }
  return row_write(row, stream, error);
}

static neap_status write_all(const struct sequence *sequence, FILE *stream, neap_error *error) {
  struct row row = {0};
  row_string(&row, "name,type,size,alignment\n");
  neap_status status = row_write(&row, stream, error);
  for (size_t i = 0; i < sequence->count && status == NEAP_OK; i++)
    status = write_operation(sequence->problem, sequence->operations[i], &row, stream, error);
  row_clear(&row);
  return status;
}

neap_status ops_write(const struct neap_problem *problem, FILE *stream, neap_error *error) {
  struct sequence sequence = {.problem = problem, .count = problem->count};
  neap_status status = unsupported_refuse(problem, 0, "a table of operations", error);
  if (status != NEAP_OK) return status;
  for (size_t i = 0; i < problem->count; i++) {
    status = check_buffer(problem, i, error);
    if (status != NEAP_OK) return status;
    sequence.count += problem_hull(problem, i).end != problem->horizon; /* it is freed */
  }
  sequence.operations = memory_array(sequence.count, sizeof *sequence.operations);
  if (!sequence.operations) return error_memory(error);
  status = arrange(&sequence, error);
  if (status == NEAP_OK) status = write_all(&sequence, stream, error);
  free(sequence.operations);
  return status;
}
