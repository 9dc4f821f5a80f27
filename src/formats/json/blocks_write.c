/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Columns are made from the text of objects: the value of each key is kept as a slice of that text until
 * the block is full, and each column then chooses its form.
 */
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/text.h"
#include "formats/json/blocks.h"
#include "formats/json/packed.h"
#include "formats/json/scan.h"

/* A slice of the text of the block's objects. */
struct cell {
  size_t at, length; /* length 0: the object lacks the key */
};

struct json_column {
  char *key;
  size_t length;
  size_t present; /* how many objects have it */
  struct cell cells[JSON_BLOCK];
};

enum { SLOTS = 2 * JSON_BLOCK };

/* What the form of a column is computed with. */
struct work {
  const char *text; /* of the objects */
  size_t count;
  uint64_t numbers[JSON_BLOCK], folded[JSON_BLOCK];
  uint16_t slots[SLOTS];       /* of a hash table of values: index + 1, or 0 */
  uint16_t values[JSON_BLOCK]; /* the first row with each value */
  size_t value_count;
};

/* ---------------------------------------------------------------- collecting */

void json_packer_clear(struct json_packer *packer) {
  for (size_t i = 0; i < packer->column_count; i++)
    free(packer->columns[i].key);
  free(packer->columns);
  row_clear(&packer->rows);
}

static struct json_column *column_add(struct json_packer *packer, const char *key,
                                      size_t length) {
  if (!memory_reserve(&packer->columns, &packer->column_capacity, packer->column_count + 1,
                      sizeof *packer->columns))
    return NULL;
  struct json_column *column = &packer->columns[packer->column_count];
  *column = (struct json_column){.key = memory_text(key, length), .length = length};
  if (!column->key) return NULL;
  packer->column_count++;
  return column;
}

/* The column of a key.  Objects have their keys in the same order, so the search begins at `hint`. */
static struct json_column *column_of(struct json_packer *packer, const char *key, size_t length,
                                     size_t hint) {
  for (size_t i = 0; i < packer->column_count; i++) {
    struct json_column *column = &packer->columns[(hint + i) % packer->column_count];
    if (column->length == length && memcmp(column->key, key, length) == 0) return column;
  }
  return column_add(packer, key, length);
}

/* Notes where the values of the last object are, whose text begins at `at`. */
static bool note_cells(struct json_packer *packer, size_t at) {
  const char *text = packer->rows.text;
  size_t end = packer->rows.length, hint = 0;
  while ((at = scan_blank(text, end, at)) < end) {
    size_t key_end = scan_string(text, end, at);
    struct json_column *column = column_of(packer, text + at + 1, key_end - at - 2, hint);
    if (!column) return false;
    at = scan_blank(text, end, scan_blank(text, end, key_end) + 1);
    size_t stop = scan_element(text, end, at);
    column->cells[packer->count] = (struct cell){at, stop - at};
    column->present++;
    hint = (size_t)(column - packer->columns) + 1;
    at = stop + 1;
  }
  return true;
}

/* ---------------------------------------------------------------- numbers */

/* Appends the shorter form of the numbers, which are at most 2^63 - 1. */
static void append_numbers(const uint64_t *numbers, uint64_t *folded, size_t count,
                           struct row *row) {
  uint64_t before = 0;
  for (size_t i = 0; i < count; before = numbers[i++])
    folded[i] = packed_fold((int64_t)numbers[i] - (int64_t)before);
  row_char(row, '{');
  if (packed_bytes(folded, count) < packed_bytes(numbers, count))
    packed_append_member("deltas", folded, count, row);
  else packed_append_member("numbers", numbers, count, row);
  row_char(row, '}');
}

/* Whether all cells are numbers; fills work->numbers. */
static bool take_numbers(struct work *work, const struct json_column *column) {
  for (size_t i = 0; i < work->count; i++) {
    int64_t number;
    const struct cell *cell = &column->cells[i];
    if (text_number(work->text + cell->at, cell->length, &number) != TEXT_NUMBER_OK)
      return false;
    work->numbers[i] = (uint64_t)number;
  }
  return true;
}

/* ---------------------------------------------------------------- lifetimes */

/* The ranges of all objects; arrays have room for every number in the text. */
struct ranges {
  uint64_t *starts, *durations, *folded;
  size_t count, capacity;
};

/* Reads the number after the blanks and brackets at `at`; returns the position after it. */
static const char *next_number(const char *at, uint64_t *number) {
  while (*at < '0' || *at > '9')
    at++;
  for (*number = 0; *at >= '0' && *at <= '9'; at++)
    *number = 10 * *number + (uint64_t)(*at - '0');
  return at;
}

/* Takes the ranges of a cell such as [[0, 3], [5, 7]], and returns how many. */
static size_t take_ranges(struct ranges *ranges, const char *at, size_t length) {
  const char *end = at + length;
  size_t before = ranges->count;
  while (at < end && (at = memchr(at + 1, '[', (size_t)(end - at - 1)))) {
    uint64_t start, stop;
    at = next_number(next_number(at, &start), &stop);
    ranges->starts[ranges->count] = start;
    ranges->durations[ranges->count++] = stop - start;
  }
  return ranges->count - before;
}

static bool ranges_allocate(struct ranges *ranges, const struct work *work,
                            const struct json_column *column) {
  for (size_t i = 0; i < work->count; i++) {
    const char *at = work->text + column->cells[i].at, *end = at + column->cells[i].length;
    for (; at < end; at++)
      ranges->capacity += *at == '[';
  }
  ranges->starts = memory_array(ranges->capacity, sizeof *ranges->starts);
  ranges->durations = memory_array(ranges->capacity, sizeof *ranges->durations);
  ranges->folded = memory_array(ranges->capacity, sizeof *ranges->folded);
  return ranges->starts && ranges->durations && ranges->folded;
}

static void append_lifetimes(struct work *work, const struct json_column *column,
                             struct row *row) {
  struct ranges ranges = {0};
  if (ranges_allocate(&ranges, work, column)) {
    for (size_t i = 0; i < work->count; i++)
      work->numbers[i] =
          take_ranges(&ranges, work->text + column->cells[i].at, column->cells[i].length);
    row_string(row, "{\"starts\": ");
    append_numbers(ranges.starts, ranges.folded, ranges.count, row);
    row_string(row, ", \"durations\": ");
    append_numbers(ranges.durations, ranges.folded, ranges.count, row);
    if (ranges.count != work->count) {
      row_string(row, ", ");
      packed_append_member("counts", work->numbers, work->count, row);
    }
    row_char(row, '}');
  } else row->failed = true;
  free(ranges.starts);
  free(ranges.durations);
  free(ranges.folded);
}

/* ---------------------------------------------------------------- values */

static size_t hash_of(const char *text, size_t length) {
  uint32_t hash = 2166136261; /* FNV-1a */
  for (size_t i = 0; i < length; i++)
    hash = (hash ^ (unsigned char)text[i]) * 16777619;
  return hash % SLOTS;
}

static bool are_equal(const struct work *work, const struct cell *a, const struct cell *b) {
  return a->length == b->length &&
         memcmp(work->text + a->at, work->text + b->at, a->length) == 0;
}

/* Numbers the distinct values from 1 in work->numbers, with 0 for an object that lacks the key. */
static void take_values(struct work *work, const struct json_column *column) {
  memset(work->slots, 0, sizeof work->slots);
  work->value_count = 0;
  for (size_t i = 0; i < work->count; i++) {
    const struct cell *cell = &column->cells[i];
    work->numbers[i] = 0;
    if (cell->length == 0) continue;
    size_t slot = hash_of(work->text + cell->at, cell->length);
    while (work->slots[slot] &&
           !are_equal(work, cell, &column->cells[work->values[work->slots[slot] - 1]]))
      slot = (slot + 1) % SLOTS;
    if (!work->slots[slot]) {
      work->values[work->value_count++] = (uint16_t)i;
      work->slots[slot] = (uint16_t)work->value_count;
    }
    work->numbers[i] = work->slots[slot];
  }
}

static void append_values(const struct work *work, const struct json_column *column,
                          struct row *row) {
  row_string(row, "{\"values\": [");
  for (size_t k = 0; k < work->value_count; k++) {
    const struct cell *cell = &column->cells[work->values[k]];
    if (k > 0) row_string(row, ", ");
    row_append(row, work->text + cell->at, cell->length);
  }
  row_char(row, ']');
  if (work->value_count > 1 || column->present < work->count) {
    row_string(row, ", ");
    packed_append_member("index", work->numbers, work->count, row);
  }
  row_char(row, '}');
}

/* ---------------------------------------------------------------- texts */

/* A character that none of the strings contains; '\0' if there is none. */
static char find_separator(const struct work *work, const struct json_column *column) {
  static const char candidates[] = ",;|!~^#$%&*+=?@ ";
  bool seen[256] = {false};
  for (size_t i = 0; i < work->count; i++) {
    const char *text = work->text + column->cells[i].at;
    for (size_t k = 1; k + 1 < column->cells[i].length; k++)
      seen[(unsigned char)text[k]] = true;
  }
  for (size_t i = 0; candidates[i]; i++)
    if (!seen[(unsigned char)candidates[i]]) return candidates[i];
  return '\0';
}

/*
 * The number of characters with which both strings begin.  It stops at escapes and at characters that are
 * not ASCII, so bytes of this text, of UTF-8 and units of UTF-16 all give the same number.
 */
static size_t shared_start(const struct work *work, const struct cell *a,
                           const struct cell *b) {
  const char *x = work->text + a->at + 1, *y = work->text + b->at + 1;
  size_t most = (a->length < b->length ? a->length : b->length) - 2, shared = 0;
  if (most > JSON_BLOCK_SHARED) most = JSON_BLOCK_SHARED;
  while (shared < most && x[shared] == y[shared] && x[shared] != '\\' &&
         (unsigned char)x[shared] < 0x80)
    shared++;
  return shared;
}

static void append_texts(struct work *work, const struct json_column *column, char between,
                         struct row *row) {
  row_string(row, "{\"texts\": \"");
  for (size_t i = 0; i < work->count; i++) {
    const struct cell *cell = &column->cells[i];
    size_t shared = i > 0 ? shared_start(work, cell - 1, cell) : 0;
    if (i > 0) row_char(row, between);
    row_append(row, work->text + cell->at + 1 + shared, cell->length - 2 - shared);
    work->numbers[i] = shared;
  }
  row_string(row, "\", \"between\": \"");
  row_char(row, between);
  row_string(row, "\", ");
  packed_append_member("shared", work->numbers, work->count, row);
  row_char(row, '}');
}

static bool are_strings(const struct work *work, const struct json_column *column) {
  for (size_t i = 0; i < work->count; i++)
    if (column->cells[i].length < 2 || work->text[column->cells[i].at] != '"') return false;
  return true;
}

/* ---------------------------------------------------------------- a block */

/* With more distinct strings than one per FEW objects, a dictionary does not pay. */
enum { FEW = 8 };

static void append_column(struct work *work, const struct json_column *column,
                          struct row *row) {
  bool in_all = column->present == work->count;
  if (in_all && strcmp(column->key, "lifetimes") == 0) {
    append_lifetimes(work, column, row);
    return;
  }
  take_values(work, column);
  if (in_all && work->value_count > 1 && take_numbers(work, column)) {
    append_numbers(work->numbers, work->folded, work->count, row);
    return;
  }
  if (in_all && FEW * work->value_count > work->count && are_strings(work, column)) {
    char between = find_separator(work, column);
    if (between) {
      append_texts(work, column, between, row);
      return;
    }
  }
  take_values(work, column); /* again, because the attempts above overwrite it */
  append_values(work, column, row);
}

static void append_block(struct json_packer *packer, struct work *work, struct row *row) {
  const char *separator = "";
  row_string(row, packer->has_written ? ",\n    " : "\n    ");
  row_string(row, "{\"count\": ");
  row_number(row, (int64_t)packer->count);
  row_string(row, ", \"columns\": {");
  for (size_t i = 0; i < packer->column_count; i++) {
    const struct json_column *column = &packer->columns[i];
    if (column->present == 0) continue;
    row_string(row, separator);
    row_char(row, '"');
    row_append(row, column->key, column->length);
    row_string(row, "\": ");
    append_column(work, column, row);
    separator = ", ";
  }
  row_string(row, "}}");
}

static void start_block(struct json_packer *packer) {
  for (size_t i = 0; i < packer->column_count; i++) {
    memset(packer->columns[i].cells, 0, sizeof packer->columns[i].cells);
    packer->columns[i].present = 0;
  }
  packer->rows.length = 0;
  packer->count = 0;
  packer->has_written = true;
}

neap_status json_packer_end(struct json_packer *packer, neap_error *error) {
  if (packer->count == 0) return NEAP_OK;
  struct work *work = memory_array(1, sizeof *work);
  struct row row = {0};
  if (!work) return error_memory(error);
  work->text = packer->rows.text;
  work->count = packer->count;
  append_block(packer, work, &row);
  neap_status status = row_write(&row, packer->stream, error);
  row_clear(&row);
  free(work);
  start_block(packer);
  return status;
}

neap_status json_packer_add(struct json_packer *packer, const struct row *object,
                            neap_error *error) {
  size_t at = packer->rows.length;
  row_append(&packer->rows, object->text, object->length);
  if (object->failed || packer->rows.failed || !note_cells(packer, at))
    return error_memory(error);
  packer->count++;
  return packer->count < JSON_BLOCK ? NEAP_OK : json_packer_end(packer, error);
}
