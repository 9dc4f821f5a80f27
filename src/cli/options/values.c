/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the values of options into the members that hold them. */
#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options/choices.h"
#include "cli/options/options.h"
#include "cli/options/retired.h"
#include "cli/output/messages.h"
#include "cli/output/suggest.h"
#include "neap-tool.h"

/* ---------------------------------------------------------------- numbers */

/* Digits only, up to `high`. */
static bool read_digits(const char *text, unsigned base, uint64_t high, uint64_t *value) {
  static const char digits[] = "0123456789abcdef";
  if (!*text) return false;
  for (*value = 0; *text; text++) {
    const char *found =
        strchr(digits, *text >= 'A' && *text <= 'F' ? *text - 'A' + 'a' : *text);
    unsigned digit = found ? (unsigned)(found - digits) : base;
    if (digit >= base || *value > (high - digit) / base) return false;
    *value = *value * base + digit;
  }
  return true;
}

static int set_number(const struct option_row *row, const char *text, int64_t *field) {
  uint64_t value;
  if (read_digits(text, 10, (uint64_t)NEAP_MAX, &value) && (int64_t)value >= row->low) {
    *field = (int64_t)value;
    return 0;
  }
  return message_usage("--%s: expected a whole number, %" PRId64 " or more, found '%.40s'",
                       row->name, row->low, text);
}

static int set_bytes(const struct option_row *row, const char *text, int64_t *field) {
  neap_size bytes;
  if (neap_size_read(text, &bytes) && bytes >= row->low) {
    *field = bytes;
    return 0;
  }
  return message_usage(
      "--%s: expected a size in whole bytes such as 4096, 0x1000, 64K or 1.5MB, %" PRId64
      " or more, found '%.40s'",
      row->name, row->low, text);
}

static int set_factor(const struct option_row *row, const char *text, int64_t *millionths) {
  char *end;
  double factor = strtod(text, &end);
  if (*end || end == text || !(factor >= 1 && factor <= 10))
    return message_usage("--%s: expected a factor from 1 to 10, found '%.70s'", row->name,
                         text);
  *millionths = (int64_t)(factor * 1e6 + 0.5);
  return 0;
}

static int set_address(const struct option_row *row, const char *text, struct address *field) {
  bool hex = strncmp(text, "0x", 2) == 0 || strncmp(text, "0X", 2) == 0;
  if (!read_digits(hex ? text + 2 : text, hex ? 16 : 10, UINT64_MAX, &field->value))
    return message_usage(
        "--%s: expected a 64-bit address such as 4096 or 0x1000, found '%.40s'", row->name,
        text);
  field->given = true;
  return 0;
}

/* ---------------------------------------------------------------- choices */

/* More than any option has. */
#define CHOICES_MAX 32

/* Finds the index of a value among those that the option chooses from. */
static int find_choice(const struct option_view *view, const char *value, size_t *index) {
  struct topic_entry choices[CHOICES_MAX];
  const char *names[CHOICES_MAX];
  for (*index = 0; choice_at(view, *index, &choices[*index]); ++*index) {
    names[*index] = choices[*index].term;
    if (strcmp(value, names[*index]) == 0) return 0;
    assert(*index + 1 < CHOICES_MAX);
  }
  int code = retired_refuse(view->name, value);
  return code != 0 ? code : suggest_value(view->name, value, names, *index);
}

static int set_choice(const struct option_view *view, const char *value, const char **field) {
  size_t index;
  int code = find_choice(view, value, &index);
  *field = value;
  return code;
}

static int set_schedule(const struct option_view *view, const char *value,
                        neap_schedule *field) {
  size_t index;
  int code = find_choice(view, value, &index);
  if (code == 0) *field = (neap_schedule)index;
  return code;
}

/* The default is not among the choices. */
static int set_variables(const struct option_view *view, const char *value,
                         neap_variables *field) {
  size_t index;
  int code = find_choice(view, value, &index);
  if (code == 0) *field = (neap_variables)(index + 1);
  return code;
}

static int set_kernels(const struct option_view *view, const char *value, neap_kernels *field) {
  size_t index;
  int code = find_choice(view, value, &index);
  if (code == 0) *field = (neap_kernels)(index + 1);
  return code;
}

/* ---------------------------------------------------------------- lists of known words */

#define WORD_SIZE 16

/* Takes the next word from a comma-separated list; false if there is none. */
static bool next_word(const char **list, char word[WORD_SIZE]) {
  if (!*list) return false;
  size_t length = strcspn(*list, ",");
  snprintf(word, WORD_SIZE, "%.*s", (int)length, *list);
  *list = (*list)[length] ? *list + length + 1 : NULL;
  return true;
}

/* The index of a word; `count` if it is not among the names. */
static size_t find_word(const char *word, const char *const *names, size_t count) {
  size_t i = 0;
  while (i < count && strcmp(names[i], word) != 0)
    i++;
  return i;
}

/* "views,concat": a sum of neap_alias. */
static int set_aliases(const struct option_row *row, const char *list, unsigned *field) {
  static const char *const names[] = {"views", "concat", "split"};
  static const neap_alias values[] = {NEAP_ALIAS_VIEWS, NEAP_ALIAS_CONCAT, NEAP_ALIAS_SPLIT};
  const size_t count = sizeof names / sizeof *names;
  char word[WORD_SIZE];
  *field = 0;
  while (next_word(&list, word)) {
    size_t i = find_word(word, names, count);
    if (i == count) return suggest_value(row->name, word, names, count);
    *field |= values[i];
  }
  return 0;
}

/* "reuse,peak": the terms in their order, then the missing ones in that of the enum. */
static int set_objective(const struct option_row *row, const char *list,
                         struct objective *field) {
  const char *names[NEAP_TERM_COUNT];
  bool is_listed[NEAP_TERM_COUNT] = {false};
  char word[WORD_SIZE];
  size_t count = 0;
  for (int term = 0; term < NEAP_TERM_COUNT; term++)
    names[term] = neap_term_name((neap_term)term);
  while (next_word(&list, word)) {
    size_t term = find_word(word, names, NEAP_TERM_COUNT);
    if (term == NEAP_TERM_COUNT) return suggest_value(row->name, word, names, NEAP_TERM_COUNT);
    if (is_listed[term]) return message_usage("--%s: '%s' is listed twice", row->name, word);
    is_listed[term] = true;
    field->order[count++] = (neap_term)term;
  }
  for (int term = 0; term < NEAP_TERM_COUNT; term++)
    if (!is_listed[term]) field->order[count++] = (neap_term)term;
  field->given = true;
  return 0;
}

/* ---------------------------------------------------------------- lists of names */

static int read_name(char *text, void *item) {
  *(const char **)item = text;
  return 0;
}

/* "batch=1": splits it at its equals sign, in place. */
static int read_dimension(char *text, void *item) {
  char *equals = strrchr(text, '='), *end = NULL;
  long long value = 0;
  errno = 0;
  if (equals && equals > text && equals[1] >= '0' && equals[1] <= '9')
    value = strtoll(equals + 1, &end, 10);
  if (!end || *end || errno != 0 || value < 1)
    return message_usage("--dim: expected NAME=N with N of at least 1, found '%.40s'", text);
  *equals = '\0';
  *(neap_dimension *)item = (neap_dimension){text, (neap_size)value};
  return 0;
}

/* "size=nbytes": splits it at its first equals sign, in place. */
static int read_column(char *text, void *item) {
  char *equals = strchr(text, '=');
  if (!equals || equals == text || !equals[1])
    return message_usage("--columns: expected ROLE=NAME such as size=nbytes, found '%.40s'",
                         text);
  *equals = '\0';
  *(neap_column *)item = (neap_column){text, equals + 1};
  return 0;
}

/*
 * Reads each part of a comma-separated list into an item of `size` bytes.  *items replaces an
 * earlier list; one free() releases it with its texts.
 */
static int set_list(const char *list, size_t size, int (*read)(char *text, void *item),
                    void **items, size_t *count) {
  size_t most = 1;
  for (const char *at = list; *at; at++)
    most += *at == ',';
  free(*items);
  *count = 0;
  *items = malloc(most * size + strlen(list) + 1);
  if (!*items) return message_memory();
  char *item = *items, *rest = strcpy(item + most * size, list), *part;
  int code = 0;
  for (; code == 0 && (part = strsep(&rest, ",")) != NULL; item += size, ++*count)
    code = read(part, item);
  return code;
}

static int set_names(const char *list, struct arguments *arguments) {
  neap_liveness *liveness = &arguments->reading.graph.liveness;
  int code = set_list(list, sizeof *liveness->keep, read_name, &arguments->lists.keep,
                      &liveness->keep_count);
  liveness->keep = arguments->lists.keep;
  return code;
}

static int set_dimensions(const char *list, struct arguments *arguments) {
  neap_reading *reading = &arguments->reading;
  int code = set_list(list, sizeof *reading->model.dimensions, read_dimension,
                      &arguments->lists.dimensions, &reading->model.dimension_count);
  reading->model.dimensions = arguments->lists.dimensions;
  return code;
}

static int set_columns(const char *list, struct arguments *arguments) {
  neap_reading *reading = &arguments->reading;
  int code = set_list(list, sizeof *reading->table.columns, read_column,
                      &arguments->lists.columns, &reading->table.column_count);
  reading->table.columns = arguments->lists.columns;
  return code;
}

static int set_engines(const char *list, struct arguments *arguments) {
  int code = set_list(list, sizeof *arguments->engines, read_name, &arguments->lists.engines,
                      &arguments->engine_count);
  arguments->engines = arguments->lists.engines;
  for (size_t i = 0; i < arguments->engine_count && code == 0; i++)
    code = option_set_planning(arguments, "engine", arguments->engines[i]);
  return code;
}

/* Appends a value to those of an option that may be repeated. */
static int add_text(const struct option_row *row, const char *value, struct texts *field) {
  if (field->count == TEXTS_MAX)
    return message_usage("--%s: at most %d are possible", row->name, TEXTS_MAX);
  field->items[field->count++] = value;
  return 0;
}

/* ---------------------------------------------------------------- all kinds */

static bool takes_number(enum option_kind kind) {
  return kind == OPTION_NUMBER || kind == OPTION_BYTES || kind == OPTION_FACTOR ||
         kind == OPTION_ADDRESS;
}

static int set_row(const struct option_view *view, const char *value,
                   struct arguments *arguments) {
  const struct option_row *row = view->row;
  void *field = (char *)arguments + row->field;
  if (value && !*value && !takes_number(row->kind))
    return message_usage("option '--%s' needs a value: %s", row->name, row->argument);
  switch (row->kind) {
  case OPTION_FLAG:
    *(bool *)field = true;
    return 0;
  case OPTION_NUMBER:
    return set_number(row, value, field);
  case OPTION_BYTES:
    return set_bytes(row, value, field);
  case OPTION_FACTOR:
    return set_factor(row, value, field);
  case OPTION_ADDRESS:
    return set_address(row, value, field);
  case OPTION_FORMAT:
  case OPTION_PLAN_FORMAT:
  case OPTION_PROBLEM_FORMAT:
  case OPTION_TARGET:
  case OPTION_COLOURING:
  case OPTION_WORD:
    return set_choice(view, value, field);
  case OPTION_SCHEDULE:
    return set_schedule(view, value, field);
  case OPTION_VARIABLES:
    return set_variables(view, value, field);
  case OPTION_KERNELS:
    return set_kernels(view, value, field);
  case OPTION_ALIASES:
    return set_aliases(row, value, field);
  case OPTION_OBJECTIVE:
    return set_objective(row, value, field);
  case OPTION_NAMES:
    return set_names(value, arguments);
  case OPTION_DIMENSIONS:
    return set_dimensions(value, arguments);
  case OPTION_COLUMNS:
    return set_columns(value, arguments);
  case OPTION_ENGINES:
    return set_engines(value, arguments);
  case OPTION_POOLS:
    return add_text(row, value, field);
  case OPTION_LIST:
    *(struct list_text *)field = (struct list_text){value, ++arguments->list_count};
    return 0;
  default:
    *(const char **)field = value;
    return 0;
  }
}

int option_set_planning(const struct arguments *arguments, const char *name,
                        const char *value) {
  neap_error error;
  neap_option_info info = option_planning(name);
  neap_status status =
      neap_options_set(arguments->planning, name, value ? value : "yes", &error);
  if (status == NEAP_OK) return 0;
  if (status == NEAP_ERROR_ARGUMENT && info.kind == NEAP_OPTION_CHOICE)
    return suggest_value(name, value, info.choices, info.choice_count);
  return message_option(name, &error);
}

int option_set(const struct option_view *view, const char *value, struct arguments *arguments) {
  return view->row ? set_row(view, value, arguments)
                   : option_set_planning(arguments, view->name, value);
}

bool option_is_set(const struct option_view *view, const struct arguments *arguments) {
  assert(view->row);
  const void *field = (const char *)arguments + view->row->field;
  switch (view->row->kind) {
  case OPTION_FLAG:
    return *(const bool *)field;
  case OPTION_SCHEDULE:
    return *(const neap_schedule *)field != NEAP_SCHEDULE_KEEP;
  case OPTION_KERNELS:
    return *(const neap_kernels *)field != NEAP_KERNELS_DEFAULT;
  case OPTION_ALIASES:
    return *(const unsigned *)field != 0;
  case OPTION_FACTOR:
    return *(const int64_t *)field != 0;
  default:
    return *(const char *const *)field != NULL;
  }
}
