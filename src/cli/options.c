/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/options.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/messages.h"
#include "cli/option_tables.h"
#include "cli/outputs.h"
#include "cli/suggest.h"
#include "neap-tool.h"

/* ---------------------------------------------------------------- the list */

const char *option_group_title(enum option_group group) {
  static const char *const titles[] = {[OPTION_OWN] = "Options",
                                       [OPTION_INPUT] = "Input options",
                                       [OPTION_PLANNING] = "Planning options",
                                       [OPTION_COMMON] = "Common options"};
  return titles[group];
}

static bool has_row(const struct command *command, const char *name) {
  for (size_t i = 0; i < command->option_count; i++)
    if (strcmp(command->options[i].name, name) == 0) return true;
  return false;
}

static void add_row(struct option_list *list, enum option_group group,
                    const struct option_row *row) {
  assert(list->count < OPTIONS_MAX);
  list->views[list->count++] = (struct option_view){.group = group,
                                                    .row = row,
                                                    .name = row->name,
                                                    .argument = row->argument,
                                                    .help = row->help,
                                                    .letter = row->letter};
}

static void add_input_options(struct option_list *list, enum command_input input) {
  for (size_t i = 0; i < option_input_table.count && input >= INPUT_TABLE; i++)
    if (input >= INPUT_GRAPH || !option_input_table.rows[i].graphs)
      add_row(list, OPTION_INPUT, &option_input_table.rows[i]);
}

/* A command's own option replaces the library's option of the same name. */
static void add_planning_options(struct option_list *list, const struct command *command) {
  neap_option_info info = NEAP_INIT(neap_option_info);
  for (size_t i = 0; command->plans && neap_option_at(i, &info); i++) {
    if (has_row(command, info.name)) continue;
    assert(list->count < OPTIONS_MAX);
    if (command->engine && strcmp(info.name, "engine") == 0) info.initial = command->engine;
    list->views[list->count++] = (struct option_view){.group = OPTION_PLANNING,
                                                      .planning = info,
                                                      .name = info.name,
                                                      .argument = info.argument,
                                                      .help = info.help};
  }
}

void options_list(const struct command *command, struct option_list *list) {
  list->count = 0;
  for (size_t i = 0; i < command->option_count; i++)
    add_row(list, OPTION_OWN, &command->options[i]);
  add_input_options(list, command->input);
  add_planning_options(list, command);
  for (size_t i = 0; i < option_common_table.count; i++)
    add_row(list, OPTION_COMMON, &option_common_table.rows[i]);
}

/* ---------------------------------------------------------------- remarks */

static void append_part(char text[OPTION_REMARK_SIZE], const char *part) {
  size_t used = strlen(text);
  assert(used + strlen(part) + strlen(", ") < OPTION_REMARK_SIZE);
  snprintf(text + used, OPTION_REMARK_SIZE - used, "%s%s", used > 0 ? ", " : "", part);
}

/* Adds "1 or more" or "1 to 100"; nothing where any number will do. */
static void add_limits(char text[OPTION_REMARK_SIZE], int64_t low, int64_t high) {
  char part[64];
  if (low == 0 && high == NEAP_MAX) return;
  if (high == NEAP_MAX) snprintf(part, sizeof part, "%" PRId64 " or more", low);
  else snprintf(part, sizeof part, "%" PRId64 " to %" PRId64, low, high);
  append_part(text, part);
}

static bool takes_format(const struct option_row *row) {
  return row->kind == OPTION_FORMAT || row->kind == OPTION_PLAN_FORMAT ||
         row->kind == OPTION_PROBLEM_FORMAT;
}

bool option_takes_format(const struct option_row *row, const neap_format_info *info) {
  if (row->kind == OPTION_PLAN_FORMAT) return info->writes & NEAP_CONTENT_PLAN;
  if (row->kind == OPTION_PROBLEM_FORMAT) return info->writes & NEAP_CONTENT_PROBLEM;
  return info->writes & (NEAP_CONTENT_PROBLEM | NEAP_CONTENT_PLAN);
}

static void add_formats(char text[OPTION_REMARK_SIZE], const struct option_row *row) {
  neap_format_info info = NEAP_INIT(neap_format_info);
  for (size_t i = 0; neap_format_at(i, &info); i++)
    if (option_takes_format(row, &info)) append_part(text, info.name);
}

static void add_endings(char text[OPTION_REMARK_SIZE], const struct option_row *row) {
  const char *ending;
  for (size_t i = 0; (ending = outputs_ending_at(row->kind, i)) != NULL; i++)
    append_part(text, ending);
}

/* A list of names longer than this is left to 'neap help'. */
#define CHOICES_SHOWN 8

static void add_choices(char text[OPTION_REMARK_SIZE], const neap_option_info *info) {
  if (info->choice_count > CHOICES_SHOWN) return;
  for (size_t i = 0; i < info->choice_count; i++)
    append_part(text, info->choices[i]);
}

static void add_default(char text[OPTION_REMARK_SIZE], const char *initial) {
  size_t used = strlen(text);
  snprintf(text + used, OPTION_REMARK_SIZE - used, "%sdefault %s", used > 0 ? "; " : "",
           initial);
}

static void add_colourings(char text[OPTION_REMARK_SIZE]) {
  neap_colouring_info info = NEAP_INIT(neap_colouring_info);
  for (size_t i = 0; neap_colouring_at(i, &info); i++)
    append_part(text, info.name);
  if (neap_colouring_at(0, &info)) add_default(text, info.name);
}

/* For a planning option, which the library describes. */
static void add_planning(char text[OPTION_REMARK_SIZE], const neap_option_info *info) {
  switch (info->kind) {
  case NEAP_OPTION_CHOICE:
    add_choices(text, info);
    break;
  case NEAP_OPTION_ORDER:
  case NEAP_OPTION_SWITCH:
    break;
  default:
    add_limits(text, info->low, info->high);
  }
  if (*info->initial) add_default(text, info->initial);
}

const char *option_remark(const struct option_view *view, char text[OPTION_REMARK_SIZE]) {
  const struct option_row *row = view->row;
  text[0] = '\0';
  if (row && row->kind == OPTION_LIST) {
    neap_option_info info = option_planning(row->name);
    add_planning(text, &info);
  } else if (!row) add_planning(text, &view->planning);
  else if (row->kind == OPTION_BYTES) add_limits(text, row->low, NEAP_MAX);
  else if (takes_format(row)) add_formats(text, row);
  else if (row->kind == OPTION_COLOURING) add_colourings(text);
  else if (row->kind == OPTION_PICTURE_FILE || row->kind == OPTION_DRAWING_FILE)
    add_endings(text, row);
  return text;
}

/* ---------------------------------------------------------------- values */

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
  return message_usage("--%s: expected a size such as 4096, 0x1000, 64K or 9MB, %" PRId64
                       " or more, found '%.40s'",
                       row->name, row->low, text);
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

static int set_format(const struct option_row *row, const char *text, const char **field) {
  neap_format_info info = NEAP_INIT(neap_format_info);
  size_t count = 0, known = 0;
  while (neap_format_at(count, &info))
    count++;
  const char **names = calloc(count + 1, sizeof *names);
  if (!names) return message_memory();
  for (size_t i = 0; neap_format_at(i, &info); i++) {
    if (!option_takes_format(row, &info)) continue;
    names[known++] = info.name;
    if (strcmp(info.name, text) == 0) *field = info.name;
  }
  bool found = false;
  for (size_t i = 0; i < known; i++)
    found = found || strcmp(names[i], text) == 0;
  int code = found ? 0 : suggest_value(row->name, text, names, known);
  free(names);
  return code;
}

#define COLOURINGS_MAX 16

static int set_colouring(const struct option_row *row, const char *text, const char **field) {
  neap_colouring_info info = NEAP_INIT(neap_colouring_info);
  const char *names[COLOURINGS_MAX];
  size_t count = 0;
  *field = text;
  for (; neap_colouring_at(count, &info); names[count++] = info.name) {
    assert(count < COLOURINGS_MAX);
    if (strcmp(info.name, text) == 0) return 0;
  }
  return suggest_value(row->name, text, names, count);
}

/* Appends a value to those of an option that may be repeated. */
static int add_text(const struct option_row *row, const char *value, struct texts *field) {
  if (!*value)
    return message_usage("option '--%s' needs a value: %s", row->name, row->argument);
  if (field->count == TEXTS_MAX)
    return message_usage("--%s: at most %d are possible", row->name, TEXTS_MAX);
  field->items[field->count++] = value;
  return 0;
}

static int set_row(const struct option_row *row, const char *value,
                   struct arguments *arguments) {
  void *field = (char *)arguments + row->field;
  switch (row->kind) {
  case OPTION_FLAG:
    *(bool *)field = true;
    return 0;
  case OPTION_NUMBER:
    return set_number(row, value, field);
  case OPTION_BYTES:
    return set_bytes(row, value, field);
  case OPTION_ADDRESS:
    return set_address(row, value, field);
  case OPTION_FORMAT:
  case OPTION_PLAN_FORMAT:
  case OPTION_PROBLEM_FORMAT:
    return set_format(row, value, field);
  case OPTION_COLOURING:
    return set_colouring(row, value, field);
  case OPTION_POOLS:
    return add_text(row, value, field);
  case OPTION_LIST:
    *(struct list_text *)field = (struct list_text){value, ++arguments->lists};
    return 0;
  default:
    *(const char **)field = value;
    return 0;
  }
}

static int set_planning(const neap_option_info *info, const char *value,
                        neap_options *options) {
  neap_error error;
  neap_status status = neap_options_set(options, info->name, value ? value : "yes", &error);
  if (status == NEAP_OK) return 0;
  if (status == NEAP_ERROR_ARGUMENT && info->kind == NEAP_OPTION_CHOICE)
    return suggest_value(info->name, value, info->choices, info->choice_count);
  return message_option(info->name, &error);
}

neap_option_info option_planning(const char *name) {
  neap_option_info info = NEAP_INIT(neap_option_info);
  bool found = false;
  for (size_t i = 0; !found && neap_option_at(i, &info); i++)
    found = strcmp(info.name, name) == 0;
  assert(found);
  return info;
}

int option_set_planning(const struct arguments *arguments, const char *name,
                        const char *value) {
  neap_option_info info = option_planning(name);
  return set_planning(&info, value, arguments->planning);
}

const char *option_text(const struct option_row *row, const struct arguments *arguments) {
  switch (row->kind) {
  case OPTION_FLAG:
  case OPTION_NUMBER:
  case OPTION_BYTES:
  case OPTION_ADDRESS:
  case OPTION_POOLS:
  case OPTION_FORMAT:
  case OPTION_PLAN_FORMAT:
  case OPTION_PROBLEM_FORMAT:
    return NULL;
  case OPTION_LIST:
    return ((const struct list_text *)((const char *)arguments + row->field))->text;
  default:
    return *(const char *const *)((const char *)arguments + row->field);
  }
}

int option_set(const struct option_view *view, const char *value, struct arguments *arguments) {
  return view->row ? set_row(view->row, value, arguments)
                   : set_planning(&view->planning, value, arguments->planning);
}
