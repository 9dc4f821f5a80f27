/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/options.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/messages.h"
#include "cli/suggest.h"

/* ---------------------------------------------------------------- the list */

#define FIELD(name) offsetof(struct arguments, name)

static const struct option_row common_rows[] = {
    {"help", 'h', OPTION_FLAG, FIELD(help), NULL, 0, false,
     "say what the command does and takes, and stop"},
    {"help-all", '\0', OPTION_FLAG, FIELD(help_all), NULL, 0, false,
     "the same, with the switches that are for research"},
    {"quiet", 'q', OPTION_FLAG, FIELD(quiet), NULL, 0, false,
     "no messages but errors, and no summary of a plan"},
    {"verbose", 'v', OPTION_FLAG, FIELD(verbose), NULL, 0, false,
     "say more about what is being done"},
};
#define COMMON_COUNT (sizeof common_rows / sizeof *common_rows)

const char *option_group_title(enum option_group group) {
  static const char *const titles[] = {"Options", "Planning", "Common options"};
  return titles[group];
}

static bool has_row(const struct command *command, const char *name) {
  for (size_t i = 0; i < command->option_count; i++)
    if (strcmp(command->options[i].name, name) == 0) return true;
  return false;
}

static size_t add_rows(struct option_view views[OPTIONS_MAX], size_t count,
                       enum option_group group, const struct option_row *rows,
                       size_t row_count) {
  for (const struct option_row *row = rows; row < rows + row_count; row++) {
    assert(count < OPTIONS_MAX);
    views[count++] = (struct option_view){.group = group,
                                          .row = row,
                                          .name = row->name,
                                          .argument = row->argument,
                                          .help = row->help,
                                          .letter = row->letter};
  }
  return count;
}

/* A command's own option takes the place of the library's of the same name. */
static size_t add_options_of_planning(struct option_view views[OPTIONS_MAX], size_t count,
                                      const struct command *command) {
  neap_option_info info;
  for (size_t i = 0; neap_option_at(i, &info); i++) {
    if (command && has_row(command, info.name)) continue;
    assert(count < OPTIONS_MAX);
    if (command && command->engine && strcmp(info.name, "engine") == 0)
      info.initial = command->engine;
    views[count++] = (struct option_view){.group = OPTION_PLANNING,
                                          .planning = info,
                                          .name = info.name,
                                          .argument = info.argument,
                                          .help = info.help};
  }
  return count;
}

size_t options_list(const struct command *command, struct option_view views[OPTIONS_MAX]) {
  size_t count = add_rows(views, 0, OPTION_OWN, command->options, command->option_count);
  if (command->plans) count = add_options_of_planning(views, count, command);
  return add_rows(views, count, OPTION_COMMON, common_rows, COMMON_COUNT);
}

size_t options_list_planning(struct option_view views[OPTIONS_MAX]) {
  return add_options_of_planning(views, 0, NULL);
}

/* ---------------------------------------------------------------- remarks */

static void join(char text[OPTION_REMARK_SIZE], const char *part) {
  size_t used = strlen(text);
  snprintf(text + used, OPTION_REMARK_SIZE - used, "%s%s", used > 0 ? ", " : "", part);
}

static void add_limits(char text[OPTION_REMARK_SIZE], int64_t low, int64_t high) {
  char part[64];
  if (high == NEAP_MAX) snprintf(part, sizeof part, "%" PRId64 " or more", low);
  else snprintf(part, sizeof part, "%" PRId64 " to %" PRId64, low, high);
  join(text, part);
}

static bool fits(const struct option_row *row, const neap_format_info *info) {
  return row->kind == OPTION_FORMAT || info->writes_plans;
}

static void add_formats(char text[OPTION_REMARK_SIZE], const struct option_row *row) {
  const neap_format_info *info;
  for (size_t i = 0; (info = neap_format_at(i)) != NULL; i++)
    if (fits(row, info)) join(text, info->name);
}

/* The library's options are described by their own kinds. */
static void add_planning(char text[OPTION_REMARK_SIZE], const neap_option_info *info) {
  char part[64];
  if (info->kind != NEAP_OPTION_CHOICE && info->kind != NEAP_OPTION_ORDER &&
      info->kind != NEAP_OPTION_SWITCH)
    add_limits(text, info->low, info->high);
  if (!*info->initial) return;
  snprintf(part, sizeof part, "default %s", info->initial);
  join(text, part);
}

const char *option_remark(const struct option_view *view, char text[OPTION_REMARK_SIZE]) {
  const struct option_row *row = view->row;
  text[0] = '\0';
  if (!row) add_planning(text, &view->planning);
  else if (row->kind == OPTION_BYTES) add_limits(text, row->low, NEAP_MAX);
  else if (row->kind == OPTION_FORMAT || row->kind == OPTION_PLAN_FORMAT)
    add_formats(text, row);
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

/*
 * Bytes with K, M, G, T or KiB and so on behind them: cuts the unit off `digits` and says how
 * many bits it shifts by.
 */
static bool cut_unit(char *digits, unsigned *shift) {
  static const char letters[] = "KMGT";
  char *unit = digits + strspn(digits, "0123456789");
  const char *letter = *unit ? strchr(letters, *unit) : NULL;
  if (*unit && (!letter || (unit[1] != '\0' && strcmp(unit + 1, "iB") != 0))) return false;
  *shift = letter ? 10 * (unsigned)(letter - letters + 1) : 0;
  *unit = '\0';
  return true;
}

static bool read_bytes(const char *text, int64_t low, int64_t *bytes) {
  char digits[40];
  unsigned shift;
  uint64_t value;
  if ((size_t)snprintf(digits, sizeof digits, "%s", text) >= sizeof digits) return false;
  if (!cut_unit(digits, &shift)) return false;
  if (!read_digits(digits, 10, (uint64_t)NEAP_MAX >> shift, &value)) return false;
  *bytes = (int64_t)(value << shift);
  return *bytes >= low;
}

static int set_number(const struct option_row *row, const char *text, int64_t *field) {
  uint64_t value;
  if (read_digits(text, 10, (uint64_t)NEAP_MAX, &value) && (int64_t)value >= row->low) {
    *field = (int64_t)value;
    return 0;
  }
  return message_usage("option %s: expected a whole number from %" PRId64 " to %" PRId64
                       ", found '%.40s'",
                       row->name, row->low, NEAP_MAX, text);
}

static int set_bytes(const struct option_row *row, const char *text, int64_t *field) {
  if (read_bytes(text, row->low, field)) return 0;
  return message_usage(
      "option %s: expected bytes (K, M, G or KiB, MiB, GiB may follow) from %" PRId64
      " to %" PRId64 ", found '%.40s'",
      row->name, row->low, NEAP_MAX, text);
}

static int set_address(const struct option_row *row, const char *text, struct address *field) {
  bool hex = strncmp(text, "0x", 2) == 0 || strncmp(text, "0X", 2) == 0;
  if (!read_digits(hex ? text + 2 : text, hex ? 16 : 10, UINT64_MAX, &field->value))
    return message_usage(
        "option %s: expected an address of 64 bits such as 4096 or 0x1000, found '%.40s'",
        row->name, text);
  field->given = true;
  return 0;
}

static int set_format(const struct option_row *row, const char *text, neap_format *field) {
  struct suggestion suggestion = suggestion_for(text);
  char known[OPTION_REMARK_SIZE] = "";
  const neap_format_info *info;
  for (size_t i = 0; (info = neap_format_at(i)) != NULL; i++) {
    if (!fits(row, info)) continue;
    suggestion_offer(&suggestion, info->name);
    if (strcmp(info->name, text) != 0) continue;
    *field = info->format;
    return 0;
  }
  add_formats(known, row);
  if (!suggestion.nearest)
    return message_usage("option %s: expected one of %s, found '%.40s'", row->name, known,
                         text);
  return message_usage("option %s: expected one of %s, found '%.40s'; did you mean '%s'?",
                       row->name, known, text, suggestion.nearest);
}

static int set_row(const struct option_row *row, const char *value,
                   struct arguments *arguments) {
  void *field = (char *)arguments + row->field;
  switch (row->kind) {
  case OPTION_FLAG:
    *(bool *)field = true;
    return 0;
  case OPTION_TEXT:
    *(const char **)field = value;
    return 0;
  case OPTION_NUMBER:
    return set_number(row, value, field);
  case OPTION_BYTES:
    return set_bytes(row, value, field);
  case OPTION_ADDRESS:
    return set_address(row, value, field);
  case OPTION_FORMAT:
  case OPTION_PLAN_FORMAT:
    return set_format(row, value, field);
  }
  return 0;
}

static const char *nearest_choice(const neap_option_info *info, const char *value) {
  struct suggestion suggestion = suggestion_for(value);
  for (size_t i = 0; i < info->choice_count; i++)
    suggestion_offer(&suggestion, info->choices[i]);
  return suggestion.nearest;
}

static int set_planning(const neap_option_info *info, const char *value,
                        neap_options *options) {
  neap_error error;
  neap_status status = neap_options_set(options, info->name, value ? value : "yes", &error);
  if (status == NEAP_OK) return 0;
  const char *nearest = nearest_choice(info, value);
  if (status != NEAP_ERROR_ARGUMENT || !nearest) return message_error(&error);
  return message_usage("%s; did you mean '%s'?", error.text, nearest);
}

int option_set(const struct option_view *view, const char *value, struct arguments *arguments) {
  return view->row ? set_row(view->row, value, arguments)
                   : set_planning(&view->planning, value, arguments->planning);
}
