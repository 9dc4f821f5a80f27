/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "files/csv/columns.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/error.h"
#include "core/text.h"

static const struct spelling {
  const char *name;
  enum column_role role;
  unsigned tables; /* that have such a column */
} spellings[] = {
    [COLUMN_ID] = {"id", ROLE_NAME, TABLE_BUFFERS | TABLE_OPERATIONS},
    [COLUMN_BUFFER] = {"buffer", ROLE_NAME, TABLE_BUFFERS | TABLE_OPERATIONS},
    [COLUMN_BUFFER_ID] = {"buffer_id", ROLE_NAME, TABLE_BUFFERS | TABLE_OPERATIONS},
    [COLUMN_NAME] = {"name", ROLE_NAME, TABLE_BUFFERS | TABLE_OPERATIONS},
    [COLUMN_TENSOR] = {"tensor", ROLE_NAME, TABLE_BUFFERS | TABLE_OPERATIONS},
    [COLUMN_TENSOR_NAME] = {"tensor_name", ROLE_NAME, TABLE_BUFFERS | TABLE_OPERATIONS},
    [COLUMN_LOWER] = {"lower", ROLE_START, TABLE_BUFFERS},
    [COLUMN_START] = {"start", ROLE_START, TABLE_BUFFERS},
    [COLUMN_BEGIN] = {"begin", ROLE_START, TABLE_BUFFERS},
    [COLUMN_FIRST] = {"first", ROLE_START, TABLE_BUFFERS},
    [COLUMN_FIRST_USE] = {"first_use", ROLE_START, TABLE_BUFFERS},
    [COLUMN_ALLOC] = {"alloc", ROLE_START, TABLE_BUFFERS},
    [COLUMN_UPPER] = {"upper", ROLE_END, TABLE_BUFFERS},
    [COLUMN_FREE] = {"free", ROLE_END, TABLE_BUFFERS},
    [COLUMN_END] = {"end", ROLE_END, TABLE_BUFFERS},
    [COLUMN_LAST] = {"last", ROLE_END, TABLE_BUFFERS},
    [COLUMN_LAST_USE] = {"last_use", ROLE_END, TABLE_BUFFERS},
    [COLUMN_TYPE] = {"type", ROLE_TYPE, TABLE_OPERATIONS},
    [COLUMN_SIZE] = {"size", ROLE_SIZE, TABLE_BUFFERS | TABLE_OPERATIONS},
    [COLUMN_BYTES] = {"bytes", ROLE_SIZE, TABLE_BUFFERS | TABLE_OPERATIONS},
    [COLUMN_SIZE_BYTES] = {"size_bytes", ROLE_SIZE, TABLE_BUFFERS | TABLE_OPERATIONS},
    [COLUMN_NBYTES] = {"nbytes", ROLE_SIZE, TABLE_BUFFERS | TABLE_OPERATIONS},
    [COLUMN_ALIGNMENT] = {"alignment", ROLE_ALIGNMENT, TABLE_BUFFERS | TABLE_OPERATIONS},
    [COLUMN_ALIGN] = {"align", ROLE_ALIGNMENT, TABLE_BUFFERS | TABLE_OPERATIONS},
    [COLUMN_GAPS] = {"gaps", ROLE_GAPS, TABLE_BUFFERS},
    [COLUMN_OFFSET] = {"offset", ROLE_OFFSET, TABLE_BUFFERS},
    [COLUMN_HINT] = {"hint", ROLE_HINT, TABLE_BUFFERS},
    [COLUMN_OBJECT] = {"object", ROLE_OBJECT, TABLE_BUFFERS},
    [COLUMN_POOL] = {"pool", ROLE_POOL, TABLE_BUFFERS},
    [COLUMN_POOLS] = {"pools", ROLE_POOL, TABLE_BUFFERS},
    [COLUMN_WINDOW_LOW] = {"window_low", ROLE_WINDOW_LOW, TABLE_BUFFERS},
    [COLUMN_WINDOW_HIGH] = {"window_high", ROLE_WINDOW_HIGH, TABLE_BUFFERS},
    [COLUMN_BANK] = {"bank", ROLE_BANK, TABLE_BUFFERS},
    [COLUMN_NEAR] = {"near", ROLE_NEAR, TABLE_BUFFERS},
    [COLUMN_MOVE_COST] = {"move_cost", ROLE_MOVE_COST, TABLE_BUFFERS},
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

bool columns_is_inclusive(unsigned char code) {
  return code == COLUMN_END || code == COLUMN_LAST || code == COLUMN_LAST_USE;
}

/* ---------------------------------------------------------------- lists for messages */

struct list {
  char text[360];
  size_t length, count;
};

/* Adds a name if there is room for it and for a few words after it. */
static void list_add(struct list *list, const char *between, const char *name) {
  size_t room = sizeof list->text - list->length;
  list->count++;
  if (strlen(name) + strlen(between) + 24 > room) return;
  list->length += (size_t)snprintf(list->text + list->length, room, "%s%s",
                                   list->length > 0 ? between : "", name);
}

/* The spellings of a role that a table knows. */
static const char *role_names(struct list *list, enum columns_table table,
                              enum column_role role) {
  *list = (struct list){.text = ""};
  for (size_t code = 0; code < SPELLING_COUNT; code++)
    if (spellings[code].tables & table && spellings[code].role == role)
      list_add(list, " or ", spellings[code].name);
  return list->text;
}

static size_t kept_fields(const struct csv *csv) {
  return csv->count < CSV_FIELDS ? csv->count : CSV_FIELDS;
}

/* Lists the names of the columns whose mark is false, and counts those for which there is no room.
 */
static const char *field_names(struct list *list, const struct csv *csv, const bool *omitted) {
  size_t shown = 0;
  *list = (struct list){.text = ""};
  for (size_t i = 0; i < kept_fields(csv); i++) {
    char excerpt[TEXT_EXCERPT];
    if (omitted && omitted[i]) continue;
    size_t before = list->length;
    text_excerpt(excerpt, csv->fields[i].text, csv->fields[i].length);
    if (shown == list->count) list_add(list, ", ", excerpt);
    else list->count++;
    shown += list->length > before;
  }
  if (shown < list->count)
    snprintf(list->text + list->length, sizeof list->text - list->length, " and %zu more",
             list->count - shown);
  return list->text;
}

/* ---------------------------------------------------------------- names */

static char folded(char c) {
  if (c >= 'A' && c <= 'Z') return (char)(c - 'A' + 'a');
  return c == ' ' || c == '-' ? '_' : c;
}

static bool is_name(const char *text, size_t length, const char *name) {
  for (size_t i = 0; i < length; i++)
    if (!name[i] || folded(text[i]) != folded(name[i])) return false;
  return name[length] == '\0';
}

/* The code of a name that the table knows, or SPELLING_COUNT. */
static size_t find_spelling(const char *name, size_t length, enum columns_table table) {
  size_t code = 0;
  while (code < SPELLING_COUNT &&
         !(spellings[code].tables & table && is_name(name, length, spellings[code].name)))
    code++;
  return code;
}

/*
 * The code of a column with this name; SPELLING_COUNT if the column is ignored.  A name given for
 * a role replaces all other names of that role.
 */
static size_t code_of(const char *name, size_t length, enum columns_table table,
                      const neap_reading *reading) {
  size_t found = find_spelling(name, length, table);
  bool is_replaced = false;
  for (size_t i = 0; i < reading->table.column_count; i++) {
    const neap_column *given = &reading->table.columns[i];
    size_t code = find_spelling(given->role, strlen(given->role), table);
    if (code == SPELLING_COUNT) continue;
    if (is_name(name, length, given->name)) return code;
    is_replaced = is_replaced ||
                  (found < SPELLING_COUNT && spellings[found].role == spellings[code].role);
  }
  return is_replaced ? SPELLING_COUNT : found;
}

/* ---------------------------------------------------------------- given names */

static neap_status unknown_role(const neap_reading *reading, size_t at,
                                enum columns_table table, neap_error *error) {
  struct list known = {.text = ""};
  const char *role = reading->table.columns[at].role;
  char excerpt[TEXT_EXCERPT];
  for (size_t code = 0; code < SPELLING_COUNT; code++)
    if (spellings[code].tables & table) list_add(&known, ", ", spellings[code].name);
  return error_set(
      error, NEAP_ERROR_ARGUMENT,
      "neap_reading.table.columns[%zu]: %s is not a column of such a table; use one of %s", at,
      text_excerpt(excerpt, role, strlen(role)), known.text);
}

static neap_status check_given(const neap_reading *reading, enum columns_table table,
                               neap_error *error) {
  bool is_given[ROLE_COUNT] = {false};
  for (size_t i = 0; i < reading->table.column_count; i++) {
    const neap_column *given = &reading->table.columns[i];
    size_t code = find_spelling(given->role, strlen(given->role), table);
    if (code == SPELLING_COUNT) return unknown_role(reading, i, table, error);
    bool *is_twice = &is_given[spellings[code].role];
    if (*is_twice) {
      struct list names;
      return error_set(error, NEAP_ERROR_ARGUMENT,
                       "neap_reading.table.columns[%zu]: %s given twice", i,
                       role_names(&names, table, spellings[code].role));
    }
    *is_twice = true;
  }
  return NEAP_OK;
}

/* The name of a role in messages: the given name, if any. */
static const char *given_name(const neap_reading *reading, enum column_role role,
                              enum columns_table table, const char *otherwise) {
  for (size_t i = 0; i < reading->table.column_count; i++) {
    const neap_column *given = &reading->table.columns[i];
    size_t code = find_spelling(given->role, strlen(given->role), table);
    if (code < SPELLING_COUNT && spellings[code].role == role) return given->name;
  }
  return otherwise;
}

/* Every name that was given must be in the header. */
static neap_status check_found(const struct columns *columns, const struct csv *csv,
                               enum columns_table table, const neap_reading *reading,
                               neap_error *error) {
  for (size_t i = 0; i < reading->table.column_count; i++) {
    const neap_column *given = &reading->table.columns[i];
    size_t code = find_spelling(given->role, strlen(given->role), table);
    if (columns->place[spellings[code].role] != COLUMNS_NONE) continue;
    struct list names;
    char excerpt[TEXT_EXCERPT];
    return error_at(error, NEAP_ERROR_ARGUMENT, csv->line, 0,
                    "neap_reading.table.columns[%zu]: no column %s in the header, which has %s",
                    i, text_excerpt(excerpt, given->name, strlen(given->name)),
                    field_names(&names, csv, NULL));
  }
  return NEAP_OK;
}

/* ---------------------------------------------------------------- suggestions */

#define SUGGEST_TEXT 340

/* Words of a name, in lower case.  A digit, a sign or a capital ends the word before it. */
static const struct hint {
  const char *word;
  enum column code; /* the column to suggest */
} hints[] = {
    {"buffer", COLUMN_ID},     {"buf", COLUMN_ID},         {"tensor", COLUMN_ID},
    {"name", COLUMN_ID},       {"id", COLUMN_ID},          {"variable", COLUMN_ID},
    {"value", COLUMN_ID},      {"first", COLUMN_LOWER},    {"start", COLUMN_LOWER},
    {"begin", COLUMN_LOWER},   {"from", COLUMN_LOWER},     {"birth", COLUMN_LOWER},
    {"born", COLUMN_LOWER},    {"def", COLUMN_LOWER},      {"alloc", COLUMN_LOWER},
    {"created", COLUMN_LOWER}, {"lower", COLUMN_LOWER},    {"producer", COLUMN_LOWER},
    {"last", COLUMN_LAST},     {"consumer", COLUMN_LAST},  {"end", COLUMN_UPPER},
    {"stop", COLUMN_UPPER},    {"to", COLUMN_UPPER},       {"until", COLUMN_UPPER},
    {"death", COLUMN_UPPER},   {"dies", COLUMN_UPPER},     {"died", COLUMN_UPPER},
    {"kill", COLUMN_UPPER},    {"free", COLUMN_UPPER},     {"freed", COLUMN_UPPER},
    {"dealloc", COLUMN_UPPER}, {"released", COLUMN_UPPER}, {"upper", COLUMN_UPPER},
    {"bytes", COLUMN_SIZE},    {"size", COLUMN_SIZE},      {"nbytes", COLUMN_SIZE},
    {"length", COLUMN_SIZE},   {"len", COLUMN_SIZE},       {"type", COLUMN_TYPE},
    {"event", COLUMN_TYPE},    {"action", COLUMN_TYPE},
};

/* A size in another unit than bytes is not a size. */
static const char *const other_units[] = {"k", "kb", "kib", "m", "mb", "mib", "g", "gb", "gib"};

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

static bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }

/* The next word of a name from *at on; false if there is none. */
static bool next_word(const char *name, size_t *at, char word[16]) {
  size_t length = 0, i = *at;
  while (name[i] && !is_letter(name[i]))
    i++;
  if (!name[i]) return false;
  do {
    if (length < 15) word[length++] = is_capital(name[i]) ? (char)(name[i] + 32) : name[i];
    i++;
  } while (is_letter(name[i]) && !(is_capital(name[i]) && !is_capital(name[i - 1])));
  word[length] = '\0';
  *at = i;
  return true;
}

static bool has_word(const char *name, const char *wanted) {
  char word[16];
  for (size_t at = 0; next_word(name, &at, word);)
    if (strcmp(word, wanted) == 0) return true;
  return false;
}

/* The hint that makes a column one with this role; NULL if there is none. */
static const struct hint *find_hint(const char *name, enum column_role role) {
  for (size_t i = 0; role == ROLE_SIZE && i < sizeof other_units / sizeof *other_units; i++)
    if (has_word(name, other_units[i])) return NULL;
  for (size_t i = 0; i < sizeof hints / sizeof *hints; i++)
    if (columns_role((unsigned char)hints[i].code) == role && has_word(name, hints[i].word))
      return &hints[i];
  return NULL;
}

/* Whether --columns accepts a name; sets *needs_quotes if a shell needs quotes around the name. */
static bool is_sayable(const char *name, bool *needs_quotes) {
  if (!*name || strlen(name) > 40) return false;
  for (; *name; name++) {
    if (strchr("',=", *name) || *name < ' ' || *name > '~') return false;
    *needs_quotes = *needs_quotes || !(is_letter(*name) || strchr("0123456789_-.:/", *name));
  }
  return true;
}

struct line {
  const struct csv *csv;
  bool used[CSV_FIELDS], found, needs_quotes;
  const char *end; /* the column taken for `upper`, if any */
  char text[SUGGEST_TEXT];
  size_t length;
};

__attribute__((format(printf, 2, 3))) static void add(struct line *line, const char *format,
                                                      ...) {
  va_list arguments;
  va_start(arguments, format);
  int written =
      vsnprintf(line->text + line->length, sizeof line->text - line->length, format, arguments);
  va_end(arguments);
  line->length += written > 0 ? (size_t)written : 0;
  if (line->length >= sizeof line->text) line->length = sizeof line->text - 1;
}

static void add_role(struct line *line, enum column_role role, enum column otherwise) {
  const char *comma = line->length > 0 ? "," : "";
  size_t fields = line->csv->count < CSV_FIELDS ? line->csv->count : CSV_FIELDS;
  for (size_t f = 0; f < fields; f++) {
    const char *name = line->csv->fields[f].text;
    const struct hint *hint = line->used[f] ? NULL : find_hint(name, role);
    if (!hint || !is_sayable(name, &line->needs_quotes)) continue;
    add(line, "%s%s=%s", comma, columns_name((unsigned char)hint->code), name);
    line->used[f] = line->found = true;
    if (hint->code == COLUMN_UPPER) line->end = name;
    return;
  }
  add(line, "%s%s=NAME", comma, columns_name((unsigned char)otherwise));
}

static const char *suggest_columns(char text[SUGGEST_TEXT], const struct csv *csv,
                                   const struct columns *columns,
                                   const bool missing[ROLE_COUNT]) {
  static const enum column roles[] = {COLUMN_ID, COLUMN_LOWER, COLUMN_UPPER, COLUMN_TYPE,
                                      COLUMN_SIZE};
  struct line line = {.csv = csv};
  for (size_t role = 0; role < ROLE_COUNT; role++)
    if (columns->place[role] != COLUMNS_NONE) line.used[columns->place[role]] = true;
  for (size_t i = 0; i < sizeof roles / sizeof *roles; i++)
    if (missing[columns_role((unsigned char)roles[i])])
      add_role(&line, columns_role((unsigned char)roles[i]), roles[i]);
  *text = '\0';
  if (!line.found) return text;
  const char *quote = line.needs_quotes ? "'" : "";
  int written = snprintf(text, SUGGEST_TEXT, "; try neap_reading.table.columns %s%s%s", quote,
                         line.text, quote);
  if (line.end && written > 0 && written < SUGGEST_TEXT)
    snprintf(text + written, (size_t)(SUGGEST_TEXT - written),
             " (end=%s if that is the last moment alive)", line.end);
  return text;
}

/* ---------------------------------------------------------------- the header row */

/* Where `codes` has the role, or its end. */
static size_t find_code(const struct columns *columns, enum column_role role) {
  size_t i = 0;
  while (i < columns->count && columns_role(columns->codes[i]) != role)
    i++;
  return i;
}

/* The standard name that the table uses for a role that it has. */
static const char *spelling_of(const struct columns *columns, enum column_role role) {
  return columns_name(columns->codes[find_code(columns, role)]);
}

static neap_status refuse_duplicate(const struct columns *columns, const struct csv *csv,
                                    size_t at, enum column_role role, neap_error *error) {
  char first[TEXT_EXCERPT], second[TEXT_EXCERPT];
  const struct csv_field *one = &csv->fields[columns->place[role]], *other = &csv->fields[at];
  text_excerpt(first, one->text, one->length);
  text_excerpt(second, other->text, other->length);
  if (strcmp(first, second) == 0)
    return csv_blame(csv, at, error, "duplicate column %s", first);
  return csv_blame(csv, at, error,
                   "columns %s and %s mean the same; choose one with "
                   "neap_reading.table.columns %s=%s or %s=%s",
                   first, second, spelling_of(columns, role), first, spelling_of(columns, role),
                   second);
}

static bool has_number(const struct csv *csv) {
  int64_t number;
  for (size_t i = 0; i < kept_fields(csv); i++)
    if (text_number(csv->fields[i].text, csv->fields[i].length, &number) == TEXT_NUMBER_OK)
      return true;
  return false;
}

static const char *example_header(enum columns_table table) {
  return table == TABLE_BUFFERS ? "id,lower,upper,size" : "name,type,size,alignment";
}

/* Whether a header is one field because neap does not know its separator. */
static bool is_undivided(const struct csv *csv) {
  return csv->count == 1 && strpbrk(csv->fields[0].text, " |:");
}

static neap_status refuse_missing(const struct columns *columns, const struct csv *csv,
                                  enum columns_table table, const bool missing[ROLE_COUNT],
                                  neap_error *error) {
  struct list names, found;
  char suggestion[SUGGEST_TEXT];
  size_t i = 0;
  field_names(&found, csv, NULL);
  for (size_t f = 0; f < kept_fields(csv); f++)
    if (memchr(csv->fields[f].text, '\r', csv->fields[f].length))
      return csv_blame(csv, f, error,
                       "a carriage return in a line; end lines with LF or CR LF");
  if (has_number(csv))
    return csv_blame(csv, 0, error, "expected a header row such as %s, found %s",
                     example_header(table), found.text);
  if (is_undivided(csv))
    return csv_blame(csv, 0, error,
                     "expected a header row such as %s, found one field, %s; separate fields "
                     "with commas, semicolons or tabs",
                     example_header(table), found.text);
  while (!missing[required[i]])
    i++;
  return error_at(error, NEAP_ERROR_INPUT, csv->line, 0,
                  "missing column %s; the header has %s%s",
                  role_names(&names, table, required[i]), found.text,
                  suggest_columns(suggestion, csv, columns, missing));
}

/* Conflicts replace lifetimes, but a table with a start needs an end, and vice versa. */
static bool is_timeless(const struct columns *columns, const neap_reading *reading,
                        enum column_role role) {
  return reading->table.conflicts && (role == ROLE_START || role == ROLE_END) &&
         columns->place[ROLE_START] == COLUMNS_NONE && columns->place[ROLE_END] == COLUMNS_NONE;
}

static neap_status check_required(const struct columns *columns, const struct csv *csv,
                                  enum columns_table table, const neap_reading *reading,
                                  neap_error *error) {
  bool missing[ROLE_COUNT] = {false}, is_complete = true;
  for (size_t i = 0; i < sizeof required / sizeof required[0]; i++) {
    enum column_role role = required[i];
    struct list names;
    if (is_timeless(columns, reading, role) || columns->place[role] != COLUMNS_NONE) continue;
    role_names(&names, table, role);
    missing[role] = names.count > 0;
    is_complete = is_complete && !missing[role];
  }
  return is_complete ? NEAP_OK : refuse_missing(columns, csv, table, missing, error);
}

/* Gives one warning for all ignored columns. */
static void warn_ignored(const struct csv *csv, const bool *used, const neap_reading *reading) {
  struct list names;
  size_t first = 0;
  if (!reading->warn) return;
  while (first < csv->count && used[first])
    first++;
  if (first == csv->count) return;
  field_names(&names, csv, used);
  neap_error warning = {.line = csv->line, .column = csv->fields[first].column};
  snprintf(warning.text, sizeof warning.text, "ignored column%s %s", names.count > 1 ? "s" : "",
           names.text);
  reading->warn(&warning, reading->warn_user);
}

static neap_status take_header(struct columns *columns, const struct csv *csv,
                               enum columns_table table, const neap_reading *reading,
                               neap_error *error) {
  bool used[CSV_FIELDS] = {false};
  if (csv->count > CSV_FIELDS)
    return error_at(error, NEAP_ERROR_INPUT, csv->line, 0,
                    "expected up to %d columns, found %zu", CSV_FIELDS, csv->count);
  columns->field_count = csv->count;
  for (size_t i = 0; i < csv->count; i++) {
    const struct csv_field *field = &csv->fields[i];
    size_t code = code_of(field->text, field->length, table, reading);
    if (code == SPELLING_COUNT) continue;
    enum column_role role = spellings[code].role;
    size_t at = find_code(columns, role);
    if (at == columns->count) columns->count++;
    else if (role != ROLE_NAME || columns->codes[at] == code)
      return refuse_duplicate(columns, csv, i, role, error);
    else if (columns->codes[at] < code)
      continue; /* only the first of id, buffer, …, tensor is read */
    else used[columns->place[role]] = false;
    columns->place[role] = i;
    columns->names[role] = given_name(reading, role, table, spellings[code].name);
    columns->codes[at] = (unsigned char)code;
    used[i] = true;
  }
  neap_status status = check_found(columns, csv, table, reading, error);
  if (status == NEAP_OK) status = check_required(columns, csv, table, reading, error);
  if (status == NEAP_OK) warn_ignored(csv, used, reading);
  return status;
}

neap_status columns_read(struct columns *columns, struct csv *csv, enum columns_table table,
                         const neap_reading *reading, neap_error *error) {
  *columns = (struct columns){.count = 0};
  for (size_t role = 0; role < ROLE_COUNT; role++)
    columns->place[role] = COLUMNS_NONE;
  bool is_empty = csv->next == csv->end, found = false;
  neap_status status = check_given(reading, table, error);
  if (status == NEAP_OK) status = csv_next(csv, &found, error);
  if (status != NEAP_OK) return status;
  if (found) return take_header(columns, csv, table, reading, error);
  return error_set(error, NEAP_ERROR_INPUT, "expected a header row such as %s, found %s",
                   example_header(table),
                   is_empty ? "an empty file" : "only blank lines and comments");
}

neap_status columns_check_row(const struct columns *columns, const struct csv *csv,
                              neap_error *error) {
  size_t expected = columns->field_count, column = csv->line_length + 1;
  if (csv->count == expected) return NEAP_OK;
  if (csv->count > expected && expected < CSV_FIELDS) column = csv->fields[expected].column;
  if (csv->separator == ',')
    return error_at(error, NEAP_ERROR_INPUT, csv->line, column,
                    "expected %zu fields, found %zu", expected, csv->count);
  return error_at(error, NEAP_ERROR_INPUT, csv->line, column,
                  "expected %zu fields, found %zu (the header separates them with a %s)",
                  expected, csv->count, csv_separator_name(csv));
}

void columns_glance(const char *text, size_t size, const neap_reading *reading,
                    bool has[ROLE_COUNT]) {
  struct csv_glance glance;
  const char *name;
  size_t length;
  memset(has, 0, ROLE_COUNT * sizeof *has);
  csv_glance(&glance, text, size);
  while (csv_glance_field(&glance, &name, &length)) {
    size_t code = code_of(name, length, TABLE_BUFFERS, reading);
    if (code < SPELLING_COUNT) has[spellings[code].role] = true;
    code = code_of(name, length, TABLE_OPERATIONS, reading);
    if (code < SPELLING_COUNT) has[spellings[code].role] = true;
  }
}
