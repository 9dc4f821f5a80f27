/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/columns.h"

#include <assert.h>
#include <string.h>

#include "core/error.h"
#include "core/text.h"

static const struct spelling {
  const char *name;
  enum column_role role;
  unsigned tables; /* that know it */
} spellings[] = {
    [COLUMN_ID] = {"id", ROLE_NAME, TABLE_BUFFERS},
    [COLUMN_BUFFER] = {"buffer", ROLE_NAME, TABLE_BUFFERS},
    [COLUMN_BUFFER_ID] = {"buffer_id", ROLE_NAME, TABLE_BUFFERS},
    [COLUMN_NAME] = {"name", ROLE_NAME, TABLE_OPERATIONS},
    [COLUMN_LOWER] = {"lower", ROLE_START, TABLE_BUFFERS},
    [COLUMN_START] = {"start", ROLE_START, TABLE_BUFFERS},
    [COLUMN_BEGIN] = {"begin", ROLE_START, TABLE_BUFFERS},
    [COLUMN_UPPER] = {"upper", ROLE_END, TABLE_BUFFERS},
    [COLUMN_END] = {"end", ROLE_END, TABLE_BUFFERS},
    [COLUMN_TYPE] = {"type", ROLE_TYPE, TABLE_OPERATIONS},
    [COLUMN_SIZE] = {"size", ROLE_SIZE, TABLE_BUFFERS | TABLE_OPERATIONS},
    [COLUMN_ALIGNMENT] = {"alignment", ROLE_ALIGNMENT, TABLE_BUFFERS | TABLE_OPERATIONS},
    [COLUMN_ALIGN] = {"align", ROLE_ALIGNMENT, TABLE_OPERATIONS},
    [COLUMN_GAPS] = {"gaps", ROLE_GAPS, TABLE_BUFFERS},
    [COLUMN_OFFSET] = {"offset", ROLE_OFFSET, TABLE_BUFFERS},
    [COLUMN_HINT] = {"hint", ROLE_HINT, TABLE_BUFFERS},
    [COLUMN_OBJECT] = {"object", ROLE_OBJECT, TABLE_BUFFERS},
};

#define SPELLING_COUNT (sizeof spellings / sizeof spellings[0])

static const enum column_role required[] = {ROLE_NAME, ROLE_START, ROLE_END, ROLE_TYPE,
                                            ROLE_SIZE};

const char *columns_name(unsigned char code) {
  assert(code < SPELLING_COUNT);
  return spellings[code].name;
}

enum column_role columns_role(unsigned char code) {
  assert(code < SPELLING_COUNT);
  return spellings[code].role;
}

/*
 * ---------------------------------------------------------------- lists of names for messages
 */

struct list {
  char text[256];
  size_t length, count;
};

static void list_add(struct list *list, const char *between, const char *name) {
  int written = snprintf(list->text + list->length, sizeof list->text - list->length, "%s%s",
                         list->count ? between : "", name);
  if (written > 0) list->length += (size_t)written;
  if (list->length >= sizeof list->text) list->length = sizeof list->text - 1;
  list->count++;
}

/* The spellings that a table knows: of one role, or of all for ROLE_COUNT. */
static const char *known_names(struct list *list, enum columns_table table,
                               enum column_role role, const char *between) {
  *list = (struct list){.text = ""};
  for (size_t code = 0; code < SPELLING_COUNT; code++)
    if (spellings[code].tables & table && (role == ROLE_COUNT || spellings[code].role == role))
      list_add(list, between, spellings[code].name);
  return list->text;
}

/* ---------------------------------------------------------------- the header row */

/* The code of a name that the table knows, or SPELLING_COUNT. */
static size_t find(const char *name, enum columns_table table) {
  size_t code = 0;
  while (code < SPELLING_COUNT &&
         !(spellings[code].tables & table && strcmp(spellings[code].name, name) == 0))
    code++;
  return code;
}

static size_t kept_fields(const struct csv *csv) {
  return csv->count < CSV_FIELDS ? csv->count : CSV_FIELDS;
}

/* Names the unknown columns, the first few if they are many. */
static neap_status refuse_unknown(const struct csv *csv, enum columns_table table,
                                  neap_error *error) {
  enum { SHOWN = 4 };
  struct list names = {.text = ""}, known;
  size_t first = COLUMNS_NONE;
  for (size_t i = 0; i < kept_fields(csv); i++) {
    const struct csv_field *field = &csv->fields[i];
    if (find(field->text, table) < SPELLING_COUNT) continue;
    if (first == COLUMNS_NONE) first = i;
    char excerpt[TEXT_EXCERPT];
    if (names.count < SHOWN)
      list_add(&names, ", ", text_excerpt(excerpt, field->text, field->length));
    else if (names.count == SHOWN) list_add(&names, ", ", "...");
  }
  if (first == COLUMNS_NONE) return NEAP_OK;
  return csv_blame(csv, first, error, "unknown column%s %s; expected some of %s",
                   names.count > 1 ? "s" : "", names.text,
                   known_names(&known, table, ROLE_COUNT, ", "));
}

static neap_status refuse_doubled(const struct csv *csv, size_t at, const char *earlier,
                                  neap_error *error) {
  const char *name = csv->fields[at].text;
  if (strcmp(name, earlier) == 0)
    return csv_blame(csv, at, error, "column %s is doubled: expected each column once", name);
  return csv_blame(csv, at, error,
                   "columns %s and %s are two spellings of one: expected either", earlier,
                   name);
}

static neap_status refuse_missing(const struct columns *columns, const struct csv *csv,
                                  enum columns_table table, neap_error *error) {
  for (size_t i = 0; i < sizeof required / sizeof required[0]; i++) {
    struct list names;
    known_names(&names, table, required[i], " or ");
    if (names.count == 0 || columns->place[required[i]] != COLUMNS_NONE) continue;
    return error_at(error, NEAP_ERROR_INPUT, csv->line, 0,
                    "missing column: expected one named %s", names.text);
  }
  return NEAP_OK;
}

static neap_status take_header(struct columns *columns, const struct csv *csv,
                               enum columns_table table, neap_error *error) {
  neap_status status = refuse_unknown(csv, table, error);
  if (status != NEAP_OK) return status;
  for (size_t i = 0; i < kept_fields(csv); i++) {
    size_t code = find(csv->fields[i].text, table);
    size_t *place = &columns->place[spellings[code].role];
    if (*place != COLUMNS_NONE)
      return refuse_doubled(csv, i, columns_name(columns->codes[*place]), error);
    *place = i;
    columns->codes[columns->count++] = (unsigned char)code;
  }
  assert(csv->count <= CSV_FIELDS); /* there are fewer roles, so that a double came up before */
  return refuse_missing(columns, csv, table, error);
}

static_assert(ROLE_COUNT < CSV_FIELDS && ROLE_COUNT <= PROBLEM_COLUMNS,
              "a row of every column must be kept whole");

neap_status columns_read(struct columns *columns, struct csv *csv, enum columns_table table,
                         neap_error *error) {
  *columns = (struct columns){.count = 0};
  for (size_t role = 0; role < ROLE_COUNT; role++)
    columns->place[role] = COLUMNS_NONE;
  bool empty = csv->next == csv->end, found = false;
  neap_status status = csv_next(csv, &found, error);
  if (status != NEAP_OK) return status;
  if (found) return take_header(columns, csv, table, error);
  return error_at(error, NEAP_ERROR_INPUT, empty ? 0 : 1, 0,
                  "expected a header row such as %s, found an empty %s",
                  table == TABLE_BUFFERS ? "id,lower,upper,size" : "name,type,size,alignment",
                  empty ? "file" : "line");
}

neap_status columns_check_row(const struct columns *columns, const struct csv *csv,
                              neap_error *error) {
  size_t expected = columns->count;
  if (csv->count == expected) return NEAP_OK;
  if (csv->count > expected)
    return csv_blame(csv, expected, error, "expected %zu fields, found %zu", expected,
                     csv->count);
  return error_at(error, NEAP_ERROR_INPUT, csv->line, csv->line_length + 1,
                  "expected %zu fields, found %zu", expected, csv->count);
}

bool columns_mention(const char *text, size_t size, const char *name) {
  size_t length = strlen(name);
  const char *end = memchr(text, '\n', size);
  if (!end) end = text + size;
  for (const char *at = text; at < end;) {
    const char *comma = memchr(at, ',', (size_t)(end - at));
    const char *stop = comma ? comma : end;
    const char *last = stop; /* less what may stand around the name */
    if (at < last && *at == '"') at++;
    while (last > at && (last[-1] == '"' || last[-1] == '\r'))
      last--;
    if ((size_t)(last - at) == length && memcmp(at, name, length) == 0) return true;
    at = stop + 1;
  }
  return false;
}
