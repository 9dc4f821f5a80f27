/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "files/csv/problem.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/checked.h"
#include "core/error.h"
#include "core/input.h"
#include "core/memory.h"
#include "core/text.h"
#include "files/csv/columns.h"
#include "files/csv/csv.h"
#include "files/error_place.h"
#include "files/unsupported.h"
#include "verify/collide.h"

/* ---------------------------------------------------------------- conflicts */

/*
 * Conflicts between the buffers of a table, as a table of their own:
 *
 *     first,second
 *     a,b
 *     a,c
 *
 * Each row separates two buffers.  Rows may repeat, in either order.  Other columns are ignored.
 */

/* The columns, by their fields. */
struct conflicts {
  struct csv csv;
  size_t fields, first, second;
};

static neap_status find_conflict_columns(struct conflicts *table, neap_error *error) {
  bool found;
  neap_status status = csv_next(&table->csv, &found, error);
  table->first = table->second = SIZE_MAX;
  for (size_t f = 0; status == NEAP_OK && found && f < table->csv.count && f < CSV_FIELDS;
       f++) {
    if (strcmp(table->csv.fields[f].text, "first") == 0) table->first = f;
    if (strcmp(table->csv.fields[f].text, "second") == 0) table->second = f;
  }
  table->fields = table->csv.count;
  if (status == NEAP_OK && (table->first == SIZE_MAX || table->second == SIZE_MAX))
    return error_at(error, NEAP_ERROR_INPUT, 1, 1,
                    "expected a table of conflicts, with the columns first and second");
  return status;
}

static neap_status read_conflict_buffer(const struct conflicts *table, size_t field,
                                        const neap_problem *problem, size_t *index,
                                        neap_error *error) {
  const struct csv_field *name = &table->csv.fields[field];
  char excerpt[TEXT_EXCERPT];
  if (neap_problem_find(problem, name->text, index)) return NEAP_OK;
  return csv_blame(&table->csv, field, error, "there is no buffer %s",
                   text_excerpt(excerpt, name->text, name->length));
}

static neap_status read_conflict(const struct conflicts *table, neap_problem *problem,
                                 neap_error *error) {
  neap_relation relation = relation_separating(0, 0);
  if (table->csv.count != table->fields)
    return error_at(error, NEAP_ERROR_INPUT, table->csv.line, 1,
                    "expected %zu fields as in the first row, found %zu", table->fields,
                    table->csv.count);
  neap_status status =
      read_conflict_buffer(table, table->first, problem, &relation.first, error);
  if (status == NEAP_OK)
    status = read_conflict_buffer(table, table->second, problem, &relation.second, error);
  if (status != NEAP_OK) return status;
  status = neap_problem_relate(problem, &relation, error);
  if (status != NEAP_ERROR_INPUT || !error) return status;
  error->line = table->csv.line;
  error->column = table->csv.fields[table->second].column;
  return status;
}

static neap_status read_conflicts(char *text, size_t size, neap_problem *problem,
                                  neap_error *error) {
  struct conflicts *table = memory_array(1, sizeof *table);
  bool found = true;
  if (!table) return error_memory(error);
  csv_init(&table->csv, text, size);
  neap_status status = find_conflict_columns(table, error);
  while (status == NEAP_OK && found) {
    status = csv_next(&table->csv, &found, error);
    if (status == NEAP_OK && found) status = read_conflict(table, problem, error);
  }
  free(table);
  return status;
}

static neap_status read_conflict_file(const char *path, neap_problem *problem,
                                      neap_error *error) {
  char *text;
  size_t size;
  neap_status status = input_read(path, &text, &size, error);
  if (status == NEAP_OK) {
    status = read_conflicts(text, size, problem, error);
    free(text);
  }
  return error_in_file(error, status, path);
}

/* The columns of the table that a problem was read from. */
struct header {
  size_t count;
  unsigned char codes[COLUMNS_MAX];
};

static void *copy_header(const void *memo) {
  struct header *copy = memory_array(1, sizeof *copy);
  if (copy) *copy = *(const struct header *)memo;
  return copy;
}

static const struct problem_memo_kind header_kind = {.copy = copy_header, .free = free};

/* False when memory is short. */
static bool remember_header(struct neap_problem *problem, const struct columns *columns) {
  struct header *header = memory_array(1, sizeof *header);
  if (!header) return false;
  header->count = columns->count;
  memcpy(header->codes, columns->codes, columns->count);
  problem_set_memo(problem, &header_kind, header);
  return true;
}

bool csv_problem_is(const char *text, size_t size, const neap_reading *reading) {
  (void)text;
  (void)size;
  (void)reading;
  return true;
}

/* ---------------------------------------------------------------- reading */

struct reader {
  struct csv csv;
  struct columns columns;
  const neap_reading *reading;
  bool is_plan, is_inclusive;
  neap_problem *problem;
  neap_offset *offsets; /* of a plan */
  size_t offset_capacity;
  struct csv_pools pools; /* of the row, or of all buffers of a plan */
  struct gaps gaps;       /* of the row */
  struct csv_lines lines; /* of the buffers */
};

/* The field that holds `role`, or COLUMNS_NONE when there is none or it is empty. */
static size_t given(const struct reader *reader, enum column_role role) {
  size_t place = reader->columns.place[role];
  return place == COLUMNS_NONE || reader->csv.fields[place].length == 0 ? COLUMNS_NONE : place;
}

static neap_status read_number(const struct reader *reader, enum column_role role,
                               const char *unit, int64_t low, int64_t *number,
                               neap_error *error) {
  return csv_number(&reader->csv, reader->columns.place[role], reader->columns.names[role],
                    unit, low, number, error);
}

static neap_status read_bytes(const struct reader *reader, enum column_role role, int64_t low,
                              int64_t *number, neap_error *error) {
  return read_number(reader, role, "a whole number of bytes", low, number, error);
}

static bool ends_inclusive(const struct reader *reader) {
  const struct columns *columns = &reader->columns;
  bool is_inclusive = reader->reading->table.inclusive;
  for (size_t i = 0; i < columns->count; i++)
    is_inclusive = is_inclusive || columns_is_inclusive(columns->codes[i]);
  return is_inclusive;
}

static neap_status read_life(const struct reader *reader, neap_range *life, neap_error *error) {
  const struct columns *columns = &reader->columns;
  neap_status status =
      read_number(reader, ROLE_START, "a whole number", 0, &life->start, error);
  if (status == NEAP_OK)
    status = read_number(reader, ROLE_END, "a whole number", 0, &life->end, error);
  if (status != NEAP_OK) return status;
  size_t end_place = columns->place[ROLE_END];
  const char *start = columns->names[ROLE_START], *end = columns->names[ROLE_END];
  if (reader->is_inclusive) {
    if (life->end < life->start)
      return csv_blame(&reader->csv, end_place, error,
                       "expected %s (inclusive) of at least %s %" PRId64 ", found %" PRId64,
                       end, start, life->start, life->end);
    if (checked_add(life->end, 1, &life->end)) return NEAP_OK;
    return csv_blame(&reader->csv, end_place, error,
                     "%s (inclusive) is too large: %" PRId64 " has no next moment", end,
                     life->end);
  }
  if (life->start < life->end) return NEAP_OK;
  return csv_blame(&reader->csv, end_place, error,
                   "expected %s above %s %" PRId64 ", found %" PRId64 "%s", end, start,
                   life->start, life->end,
                   life->start == life->end
                       ? " (neap_reading.table.inclusive if it is the last moment alive)"
                       : "");
}

/* Sets the ranges of `buffer`, which lie in `life` or in the reader's gaps. */
static neap_status read_ranges(struct reader *reader, neap_range *life, neap_buffer *buffer,
                               neap_error *error) {
  buffer->ranges = life;
  buffer->range_count = 1;
  if (reader->columns.place[ROLE_START] == COLUMNS_NONE) { /* conflicts replace lifetimes */
    life->start = (neap_time)reader->problem->count;
    life->end = life->start + 1;
    return NEAP_OK;
  }
  neap_status status = read_life(reader, life, error);
  if (status != NEAP_OK) return status;
  size_t field = given(reader, ROLE_GAPS);
  if (field == COLUMNS_NONE) return NEAP_OK;
  status = gaps_read(&reader->gaps, &reader->csv, field, *life, reader->is_inclusive, error);
  buffer->ranges = reader->gaps.ranges;
  buffer->range_count = reader->gaps.count;
  return status;
}

static neap_status read_hint(const struct reader *reader, neap_buffer *buffer,
                             neap_error *error) {
  size_t place = given(reader, ROLE_HINT);
  if (place == COLUMNS_NONE) return NEAP_OK;
  const struct csv_field *field = &reader->csv.fields[place];
  buffer->hint = field->text;
  if (text_utf8_prefix(field->text, field->length) == field->length) return NEAP_OK;
  char excerpt[TEXT_EXCERPT];
  return csv_blame(&reader->csv, place, error, "expected a hint in UTF-8, found %s",
                   text_excerpt(excerpt, field->text, field->length));
}

/* Keeps the plan's offset of the buffer about to be added. */
static neap_status keep_offset(struct reader *reader, neap_offset offset, neap_size size,
                               neap_error *error) {
  int64_t end;
  if (!checked_add(offset, size, &end))
    return csv_blame(&reader->csv, reader->columns.place[ROLE_OFFSET], error,
                     "offset %" PRId64 " and size %" PRId64 " add up to more than 2^63 - 1",
                     offset, size);
  size_t index = reader->problem->count;
  if (!memory_reserve(&reader->offsets, &reader->offset_capacity, index + 1,
                      sizeof *reader->offsets))
    return error_memory(error);
  reader->offsets[index] = offset;
  return NEAP_OK;
}

/* Reads a number that may be missing. */
static neap_status read_given(const struct reader *reader, enum column_role role, int64_t low,
                              int64_t *number, neap_error *error) {
  if (given(reader, role) == COLUMNS_NONE) return NEAP_OK;
  return read_bytes(reader, role, low, number, error);
}

static neap_status read_offset(struct reader *reader, neap_buffer *buffer, neap_error *error) {
  neap_offset offset;
  if (!reader->is_plan)
    return reader->reading->replan
               ? NEAP_OK
               : read_given(reader, ROLE_OFFSET, 0, &buffer->fixed_offset, error);
  neap_status status = read_bytes(reader, ROLE_OFFSET, 0, &offset, error);
  return status == NEAP_OK ? keep_offset(reader, offset, buffer->size, error) : status;
}

static neap_status read_limits(struct reader *reader, neap_buffer *buffer, neap_error *error) {
  neap_status status = read_given(reader, ROLE_WINDOW_LOW, 0, &buffer->window_low, error);
  if (status == NEAP_OK)
    status = read_given(reader, ROLE_WINDOW_HIGH, 1, &buffer->window_high, error);
  if (status == NEAP_OK) status = read_given(reader, ROLE_BANK, 1, &buffer->bank, error);
  if (status == NEAP_OK) status = read_given(reader, ROLE_NEAR, 0, &buffer->near_offset, error);
  if (status == NEAP_OK)
    status = read_given(reader, ROLE_MOVE_COST, 0, &buffer->move_cost, error);
  return status;
}

/* In a problem, the pools that the buffer may be in; in a plan, the one that it is in. */
static neap_status read_pools(struct reader *reader, neap_buffer *buffer, neap_error *error) {
  size_t place = reader->columns.place[ROLE_POOL];
  if (place == COLUMNS_NONE) return NEAP_OK;
  if (reader->is_plan)
    return csv_pools_read_placed(&reader->pools, &reader->csv, place, reader->problem, error);
  if (reader->csv.fields[place].length == 0) return NEAP_OK;
  neap_status status =
      csv_pools_read(&reader->pools, &reader->csv, place, reader->problem, error);
  buffer->pools = reader->pools.indices;
  buffer->pool_count = reader->pools.count;
  return status;
}

/* Adds line and column to an error about `buffer`. */
static neap_status place_error(const struct reader *reader, const neap_buffer *buffer,
                               neap_status status, neap_error *error) {
  if (status != NEAP_ERROR_INPUT || !error) return status;
  const struct columns *columns = &reader->columns;
  size_t name_place = columns->place[ROLE_NAME], length = strlen(buffer->name);
  size_t earlier = names_find(&reader->problem->names, buffer->name, length);
  if (earlier != NAMES_NONE) {
    char excerpt[TEXT_EXCERPT];
    return csv_blame(&reader->csv, name_place, error,
                     "duplicate %s %s, first defined on line %zu", columns->names[ROLE_NAME],
                     text_excerpt(excerpt, buffer->name, length),
                     csv_lines_find(&reader->lines, earlier));
  }
  enum column_role role = ROLE_SIZE;
  if (length == 0 || text_utf8_prefix(buffer->name, length) != length) role = ROLE_NAME;
  else if (buffer->fixed_offset != NEAP_UNPLACED &&
           buffer->fixed_offset % buffer->alignment != 0)
    role = ROLE_OFFSET;
  error->line = reader->csv.line;
  error->column = reader->csv.fields[columns->place[role]].column;
  return status;
}

static neap_status read_row(struct reader *reader, neap_error *error) {
  neap_buffer buffer = NEAP_BUFFER_INIT;
  neap_range life;
  neap_status status = columns_check_row(&reader->columns, &reader->csv, error);
  if (status != NEAP_OK) return status;
  if (!csv_lines_note(&reader->lines, reader->problem->count, reader->csv.line))
    return error_memory(error);
  buffer.name = reader->csv.fields[reader->columns.place[ROLE_NAME]].text;
  status = read_ranges(reader, &life, &buffer, error);
  if (status == NEAP_OK) status = read_bytes(reader, ROLE_SIZE, 0, &buffer.size, error);
  if (status == NEAP_OK)
    status = read_given(reader, ROLE_ALIGNMENT, 1, &buffer.alignment, error);
  if (status == NEAP_OK) status = read_hint(reader, &buffer, error);
  if (status == NEAP_OK) status = read_offset(reader, &buffer, error);
  if (status == NEAP_OK) status = read_limits(reader, &buffer, error);
  if (status == NEAP_OK) status = read_pools(reader, &buffer, error);
  if (status != NEAP_OK) return status;
  return place_error(reader, &buffer, neap_problem_add(reader->problem, &buffer, error), error);
}

static neap_status refuse_collision(const struct reader *reader, neap_error *error) {
  neap_collision collision;
  bool found;
  neap_status status = collide_fixed(reader->problem, &collision, &found, error);
  if (status != NEAP_OK || !found) return status;
  char text[COLLIDE_TEXT];
  return error_at(error, NEAP_ERROR_INPUT, csv_lines_find(&reader->lines, collision.second), 0,
                  "fixed offsets collide: %s (the former is on line %zu)",
                  collide_text(reader->problem, &collision, text),
                  csv_lines_find(&reader->lines, collision.first));
}

/* Finds contradictions, and the line of the buffer that one is about. */
static neap_status check_limits(const struct reader *reader, neap_error *error) {
  if (!reader->problem->relations) return NEAP_OK;
  neap_status status = neap_problem_check(reader->problem, error);
  if (status != NEAP_ERROR_INPUT || !error) return status;
  size_t buffer = blame_buffer(reader->problem, error->text);
  if (buffer != BLAME_NONE) error->line = csv_lines_find(&reader->lines, buffer);
  return status;
}

static neap_status read_all(struct reader *reader, neap_error *error) {
  neap_status status =
      columns_read(&reader->columns, &reader->csv, TABLE_BUFFERS, reader->reading, error);
  if (status != NEAP_OK) return status;
  if (reader->is_plan && reader->columns.place[ROLE_OFFSET] == COLUMNS_NONE)
    return error_at(error, NEAP_ERROR_INPUT, reader->csv.line, 0,
                    "missing column offset, which a plan needs; neap_reading.table.columns "
                    "offset=NAME names another one");
  reader->is_inclusive = ends_inclusive(reader);
  neap_error empty = {.text = "the table has no rows", .line = reader->csv.line, .column = 1};
  for (bool found = true; status == NEAP_OK && found;) {
    status = csv_next(&reader->csv, &found, error);
    if (status == NEAP_OK && found) status = read_row(reader, error);
  }
  if (status != NEAP_OK) return status;
  if (reader->problem->count == 0 && reader->reading->warn)
    reader->reading->warn(&empty, reader->reading->warn_user);
  if (!remember_header(reader->problem, &reader->columns)) return error_memory(error);
  if (reader->reading->table.conflicts)
    status = read_conflict_file(reader->reading->table.conflicts, reader->problem, error);
  if (status == NEAP_OK) status = refuse_collision(reader, error);
  return status == NEAP_OK ? check_limits(reader, error) : status;
}

static neap_status read_table(char *text, size_t size, const neap_reading *reading,
                              neap_problem **problem, struct csv_placements *placements,
                              neap_error *error) {
  struct reader reader = {
      .reading = reading, .is_plan = placements != NULL, .problem = neap_problem_new()};
  if (!reader.problem) return error_memory(error);
  csv_init(&reader.csv, text, size);
  neap_status status = read_all(&reader, error);
  if (status == NEAP_OK && placements && !reader.offsets) {
    reader.offsets = memory_array(0, sizeof *reader.offsets); /* not NULL for an empty plan */
    if (!reader.offsets) status = error_memory(error);
  }
  free(reader.gaps.ranges);
  free(reader.lines.shifts);
  if (status != NEAP_OK) {
    neap_problem_free(reader.problem);
    free(reader.offsets);
    free(reader.pools.indices);
    return status;
  }
  *problem = reader.problem;
  if (placements)
    *placements = (struct csv_placements){reader.offsets, NULL, reader.pools.indices};
  else free(reader.pools.indices);
  return NEAP_OK;
}

neap_status csv_problem_read(char *text, size_t size, const neap_reading *reading,
                             neap_problem **problem, neap_error *error) {
  return read_table(text, size, reading, problem, NULL, error);
}

neap_status csv_problem_read_placed(char *text, size_t size, const neap_reading *reading,
                                    neap_problem **problem, struct csv_placements *placements,
                                    neap_error *error) {
  return read_table(text, size, reading, problem, placements, error);
}

/* ---------------------------------------------------------------- writing */

struct writer {
  const struct neap_problem *problem;
  const neap_offset *offsets;
  const size_t *objects, *pools; /* NULL unless the plan has some */
  unsigned char codes[COLUMNS_MAX];
  size_t code_count;
  bool inclusive; /* ends are written as the last moment alive */
  struct row row;
};

static bool has_role(const struct writer *writer, enum column_role role) {
  for (size_t i = 0; i < writer->code_count; i++)
    if (columns_role(writer->codes[i]) == role) return true;
  return false;
}

static void add_column(struct writer *writer, bool needed, enum column code) {
  if (!needed || has_role(writer, columns_role((unsigned char)code))) return;
  assert(writer->code_count < COLUMNS_MAX);
  writer->codes[writer->code_count++] = (unsigned char)code;
}

/* An empty column of offsets is omitted: not every reader accepts empty fields. */
static void take_columns(struct writer *writer, const unsigned char *codes, size_t count,
                         bool with_offsets) {
  for (size_t i = 0; i < count; i++) {
    if (columns_role(codes[i]) == ROLE_OFFSET && !with_offsets) continue;
    if (columns_role(codes[i]) == ROLE_OBJECT) continue; /* belongs to another plan */
    writer->codes[writer->code_count++] = codes[i];
    writer->inclusive = writer->inclusive || columns_is_inclusive(codes[i]);
  }
}

/* The columns of limits that a buffer has. */
static void add_limits(struct writer *writer) {
  const struct neap_problem *problem = writer->problem;
  const struct relations *relations = problem->relations;
  bool low = false, high = false, costs = false, pools = writer->pools != NULL;
  if (!relations) return;
  for (size_t i = 0; i < relations->limit_count; i++) {
    const struct limits *limits = &relations->limits[i];
    low = low || limits->window_low > 0;
    high = high || limits->window_high < NEAP_MAX;
    costs = costs || (limits->near_offset != NEAP_UNPLACED &&
                      limits->move_cost != problem->buffers[i].size);
    pools = pools || limits->pools_end > limits->pools_begin;
  }
  add_column(writer, pools, COLUMN_POOL);
  add_column(writer, low, COLUMN_WINDOW_LOW);
  add_column(writer, high, COLUMN_WINDOW_HIGH);
  add_column(writer, relations->bank_count > 0, COLUMN_BANK);
  add_column(writer, relations->near_count > 0, COLUMN_NEAR);
  add_column(writer, costs, COLUMN_MOVE_COST);
}

static void choose_columns(struct writer *writer) {
  static const unsigned char usual[] = {COLUMN_ID, COLUMN_LOWER, COLUMN_UPPER, COLUMN_SIZE};
  const struct neap_problem *problem = writer->problem;
  bool aligned = false, hinted = false, placed = writer->offsets || problem->fixed_count > 0;
  for (size_t i = 0; i < problem->count; i++) {
    aligned = aligned || problem->buffers[i].alignment != 1;
    const char *hint = problem_hint(problem, i);
    hinted = hinted || (hint && hint[0]);
  }
  const struct header *header = problem->memo_kind == &header_kind ? problem->memo : NULL;
  if (header) take_columns(writer, header->codes, header->count, placed);
  else take_columns(writer, usual, sizeof usual, placed);
  add_column(writer, aligned, COLUMN_ALIGNMENT);
  add_column(writer, problem->range_count > problem->count, COLUMN_GAPS);
  add_column(writer, placed, COLUMN_OFFSET);
  add_column(writer, hinted, COLUMN_HINT);
  add_column(writer, writer->objects != NULL, COLUMN_OBJECT);
  add_limits(writer);
}

static void append_field(struct writer *writer, size_t index, enum column_role role) {
  const struct neap_problem *problem = writer->problem;
  const struct buffer *buffer = &problem->buffers[index];
  size_t begin = problem_ranges_begin(problem, index);
  neap_offset offset = writer->offsets ? writer->offsets[index] : buffer->fixed_offset;
  const char *hint = problem_hint(problem, index);
  const struct limits *limits = problem_limits(problem, index);
  struct row *row = &writer->row;
  switch (role) {
  case ROLE_NAME:
    row_csv(row, problem_name(problem, index));
    break;
  case ROLE_START:
    row_number(row, problem->ranges[begin].start);
    break;
  case ROLE_END:
    row_number(row, problem->ranges[buffer->ranges_end - 1].end - writer->inclusive);
    break;
  case ROLE_SIZE:
    row_number(row, buffer->size);
    break;
  case ROLE_ALIGNMENT:
    row_number(row, buffer->alignment);
    break;
  case ROLE_GAPS:
    gaps_write(row, problem->ranges + begin, buffer->ranges_end - begin, writer->inclusive);
    break;
  case ROLE_OFFSET:
    if (offset != NEAP_UNPLACED) row_number(row, offset);
    break;
  case ROLE_HINT:
    if (hint) row_csv(row, hint);
    break;
  case ROLE_OBJECT:
    row_number(row, (int64_t)writer->objects[index]);
    break;
  case ROLE_POOL:
    if (writer->pools) csv_pools_append(problem, &writer->pools[index], 1, row);
    else if (limits->pools_end > limits->pools_begin)
      csv_pools_append(problem, problem->relations->pool_lists + limits->pools_begin,
                       limits->pools_end - limits->pools_begin, row);
    break;
  case ROLE_WINDOW_LOW:
    if (limits->window_low > 0) row_number(row, limits->window_low);
    break;
  case ROLE_WINDOW_HIGH:
    if (limits->window_high < NEAP_MAX) row_number(row, limits->window_high);
    break;
  case ROLE_BANK:
    if (limits->bank > 0) row_number(row, limits->bank);
    break;
  case ROLE_NEAR:
    if (limits->near_offset != NEAP_UNPLACED) row_number(row, limits->near_offset);
    break;
  case ROLE_MOVE_COST:
    if (limits->near_offset != NEAP_UNPLACED) row_number(row, limits->move_cost);
    break;
  case ROLE_TYPE:
  case ROLE_COUNT:
    assert(false); /* no table of buffers has these */
  }
}

static void append_row(struct writer *writer, size_t index) {
  for (size_t i = 0; i < writer->code_count; i++) {
    if (i > 0) row_char(&writer->row, ',');
    append_field(writer, index, columns_role(writer->codes[i]));
  }
}

/* Whether the row of a buffer can be read back: whether its line is short enough. */
static neap_status check_length(struct writer *writer, size_t index, neap_error *error) {
  const struct neap_problem *problem = writer->problem;
  const char *name = problem_name(problem, index), *hint = problem_hint(problem, index);
  size_t ranges = problem->buffers[index].ranges_end - problem_ranges_begin(problem, index);
  enum { DIGITS = 20 };
  size_t at_most = 2 * (strlen(name) + (hint ? strlen(hint) : 0)) + (ranges + 4) * 2 * DIGITS;
  if (at_most <= CSV_LINE_LIMIT) return NEAP_OK;
  append_row(writer, index);
  size_t length = writer->row.length;
  writer->row.length = 0;
  if (writer->row.failed) return error_memory(error);
  if (length <= CSV_LINE_LIMIT) return NEAP_OK;
  char excerpt[TEXT_EXCERPT];
  return error_set(error, NEAP_ERROR_FORMAT,
                   "CSV cannot hold buffer %s: its row would be longer than %zu bytes",
                   text_excerpt(excerpt, name, strlen(name)), CSV_LINE_LIMIT);
}

static neap_status check_buffers(struct writer *writer, neap_error *error) {
  for (size_t i = 0; i < writer->problem->count; i++) {
    const char *name = problem_name(writer->problem, i),
               *hint = problem_hint(writer->problem, i);
    neap_status status = csv_check_text(name, "name", name, error);
    if (status == NEAP_OK && hint) status = csv_check_text(name, "hint", hint, error);
    if (status == NEAP_OK) status = check_length(writer, i, error);
    if (status != NEAP_OK) return status;
  }
  return NEAP_OK;
}

static neap_status write_all(struct writer *writer, FILE *stream, neap_error *error) {
  for (size_t i = 0; i < writer->code_count; i++) {
    if (i > 0) row_char(&writer->row, ',');
    row_string(&writer->row, columns_name(writer->codes[i]));
  }
  row_char(&writer->row, '\n');
  neap_status status = row_write(&writer->row, stream, error);
  for (size_t i = 0; i < writer->problem->count && status == NEAP_OK; i++) {
    append_row(writer, i);
    row_char(&writer->row, '\n');
    status = row_write(&writer->row, stream, error);
  }
  return status;
}

/* Properties that CSV keeps.  In a plan, penalties, pool facts and the objective are settled. */
enum {
  KEPT = SUPPORTED_LIMITS | SUPPORTED_NEAR | SUPPORTED_POOLS,
  KEPT_IN_PLANS = KEPT | SUPPORTED_PENALTIES | SUPPORTED_POOL_FACTS | SUPPORTED_OBJECTIVE
};

neap_status csv_problem_write_placed(const struct neap_problem *problem,
                                     const struct csv_placements *placements, FILE *stream,
                                     neap_error *error) {
  struct writer writer = {.problem = problem,
                          .offsets = placements->offsets,
                          .objects = placements->objects,
                          .pools = placements->pools};
  bool is_plan = placements->offsets != NULL;
  choose_columns(&writer);
  neap_status status =
      unsupported_refuse(problem, is_plan ? KEPT_IN_PLANS : KEPT, "CSV", error);
  if (status == NEAP_OK) status = csv_pools_check(problem, is_plan, error);
  if (status == NEAP_OK) status = check_buffers(&writer, error);
  if (status == NEAP_OK) status = write_all(&writer, stream, error);
  row_clear(&writer.row);
  return status;
}

neap_status csv_problem_write(const struct neap_problem *problem, FILE *stream,
                              neap_error *error) {
  return csv_problem_write_placed(problem, &(struct csv_placements){NULL}, stream, error);
}
