/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One table describes all options of a run.  Values are parsed and checked against it, and the
 * program generates its help, its manual and its completion from it.
 */
#include "engine/options.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/checked.h"
#include "core/checks.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/sized.h"
#include "core/text.h"
#include "engine/engine.h"
#include "place/rule.h"
#include "tune/rearrange.h"
#include "tune/tuner.h"

/* ---------------------------------------------------------------- choices */

static bool engine_choice(size_t index, const char **name, const char **summary) {
  const neap_engine_info *info = engine_info(index);
  if (!info) return false;
  *name = info->name;
  *summary = info->summary;
  return true;
}

static bool place_choice(size_t index, const char **name, const char **summary) {
  const struct place_rule *rule = place_rule_at(index);
  if (!rule) return false;
  *name = rule->name;
  *summary = rule->summary;
  return true;
}

static bool rearrange_choice(size_t index, const char **name, const char **summary) {
  const struct rearranger *rearranger = rearranger_at(index);
  if (!rearranger) return false;
  *name = rearranger->name;
  *summary = rearranger->summary;
  return true;
}

/* ---------------------------------------------------------------- the table */

struct option_row {
  const char *name;
  const char *heading; /* the section of the help */
  neap_option_kind kind;
  const char *argument;
  const char *initial; /* the default as text; "": not set */
  int64_t low, high;   /* in the unit that the user writes */
  bool (*choice)(size_t index, const char **name, const char **summary);
  const char *help;
  bool is_advanced; /* only --help-all shows it */
};

#define MANY INT64_C(1000000000)

static const struct option_row rows[OPTION_COUNT] = {
    {.name = "capacity",
     .heading = "Constraints",
     .kind = NEAP_OPTION_BYTES,
     .argument = "BYTES",
     .initial = "",
     .low = 0,
     .high = NEAP_MAX,
     .help = "size of the arena; plans above it are rejected; neap still looks for the lowest "
             "peak"},
    {.name = "disable",
     .heading = "Research",
     .kind = NEAP_OPTION_LIST,
     .argument = "LIST",
     .initial = "",
     .choice = tuner_part_at,
     .help =
         "comma-separated rules, methods and neighbourhoods that the searches do without, for "
         "research",
     .is_advanced = true},
    {.name = "engine",
     .heading = "Engine",
     .kind = NEAP_OPTION_CHOICE,
     .argument = "NAME",
     .initial = "auto",
     .choice = engine_choice,
     .help = "planner to use; without option time-limit and option max-ticks, auto and tune "
             "stop after "
             "five million ticks and exact runs until it has a proof"},
    {.name = "group-overlap",
     .heading = "Tuner",
     .kind = NEAP_OPTION_RATIO,
     .argument = "R",
     .initial = "0.5",
     .low = 0,
     .high = 1,
     .help = "fraction of the shorter lifetime that a buffer must share with a group's first "
             "member to join the group; repacked groups ignore it"},
    {.name = "group-size",
     .heading = "Tuner",
     .kind = NEAP_OPTION_INTEGER,
     .argument = "N",
     .initial = "12",
     .low = 1,
     .high = 4096,
     .help =
         "maximum number of buffers in a group; with option rearrange repack, also the size of "
         "the first groups that are taken out, which may grow later"},
    {.name = "keep-layouts",
     .heading = "Tuner",
     .kind = NEAP_OPTION_SWITCH,
     .initial = "",
     .help = "store the layout of every round and the groups moved between rounds in the "
             "plan; takes 8 to 32 bytes per buffer and round"},
    {.name = "max-group-rounds",
     .heading = "Tuner",
     .kind = NEAP_OPTION_INTEGER,
     .argument = "N",
     .initial = "30",
     .low = 1,
     .high = MANY,
     .help = "maximum number of orders to try for each group in a round; with option rearrange "
             "repack, also the number of groups to take out in a round"},
    {.name = "max-rounds",
     .heading = "Tuner",
     .kind = NEAP_OPTION_INTEGER,
     .argument = "N",
     .initial = "1000",
     .low = 1,
     .high = MANY,
     .help = "maximum number of rounds of the tuner; the first is the sorted layout"},
    {.name = "max-ticks",
     .heading = "Limits",
     .kind = NEAP_OPTION_INTEGER,
     .argument = "N",
     .initial = "",
     .low = 1,
     .high = NEAP_MAX,
     .help =
         "stop after this much work; placing a buffer or visiting a search node is one tick"},
    {.name = "order",
     .heading = "Engine",
     .kind = NEAP_OPTION_ORDER,
     .argument = "SPEC",
     .initial = "",
     .help = "order in which to place the buffers, such as size or overlap,-duration; by "
             "default, sort tries ten orders, and so does tune with option rearrange repack; "
             "otherwise tune sorts by size"},
    {.name = "place",
     .heading = "Engine",
     .kind = NEAP_OPTION_CHOICE,
     .argument = "RULE",
     .initial = "lowest",
     .choice = place_choice,
     .help = "rule that chooses the offset of a buffer"},
    {.name = "rearrange",
     .heading = "Tuner",
     .kind = NEAP_OPTION_CHOICE,
     .argument = "WAY",
     .initial = "repack",
     .choice = rearrange_choice,
     .help = "how the tuner looks for a lower layout: repack takes groups of buffers out and "
             "repacks them, all other ways change the order of groups"},
    {.name = "seed",
     .heading = "Engine",
     .kind = NEAP_OPTION_INTEGER,
     .argument = "N",
     .initial = "1",
     .low = 0,
     .high = NEAP_MAX,
     .help = "seed of the random number generator"},
    {.name = "threads",
     .heading = "Engine",
     .kind = NEAP_OPTION_INTEGER,
     .argument = "N",
     .initial = "1",
     .low = 1,
     .high = 256,
     .help =
         "number of searches that the exact engine races, each with its own seed; they join "
         "the first if it takes long; with option max-ticks there is only one, so that the "
         "result is reproducible"},
    {.name = "time-limit",
     .heading = "Limits",
     .kind = NEAP_OPTION_SECONDS,
     .argument = "SECONDS",
     .initial = "",
     .low = 0,
     .high = 1000000,
     .help = "stop after this time and return the best plan so far"},
    {.name = "until-fits",
     .heading = "Limits",
     .kind = NEAP_OPTION_SWITCH,
     .initial = "",
     .help = "search for a plan that fits option capacity or the sizes of the pools, and stop "
             "at the "
             "first; without it, the search continues to the lowest peak"},
};

bool neap_option_at(size_t index, neap_option_info *info) {
  if (index >= OPTION_COUNT) return false;
  const struct option_row *row = &rows[index];
  neap_option_info own = {.struct_size = sizeof(neap_option_info),
                          .name = row->name,
                          .kind = row->kind,
                          .argument = row->argument,
                          .initial = row->initial,
                          .low = row->low,
                          .high = row->high,
                          .help = row->help,
                          .heading = row->heading,
                          .is_advanced = row->is_advanced};
  while (row->choice && own.choice_count < NEAP_CHOICES_MAX &&
         row->choice(own.choice_count, &own.choices[own.choice_count],
                     &own.summaries[own.choice_count]))
    own.choice_count++;
  return SIZED_FILL(info, own);
}

/* ---------------------------------------------------------------- reading values */

static neap_status refuse_value(const char *value, const char *expected, neap_error *error) {
  char excerpt[TEXT_EXCERPT];
  return error_set(error, NEAP_ERROR_ARGUMENT, "expected %s, found %s", expected,
                   text_excerpt(excerpt, value, strlen(value)));
}

static neap_status refuse_range(const struct option_row *row, const char *value,
                                const char *what, neap_error *error) {
  char expected[128];
  if (row->high == NEAP_MAX)
    snprintf(expected, sizeof expected, "%s, %" PRId64 " or more", what, row->low);
  else
    snprintf(expected, sizeof expected, "%s from %" PRId64 " to %" PRId64, what, row->low,
             row->high);
  return refuse_value(value, expected, error);
}

static bool read_integer(const struct option_row *row, const char *value, size_t length,
                         int64_t *number) {
  return text_number(value, length, number) == TEXT_NUMBER_OK && *number >= row->low &&
         *number <= row->high;
}

static bool read_bytes(const struct option_row *row, const char *value, int64_t *number) {
  return neap_size_read(value, number) && *number >= row->low && *number <= row->high;
}

/*
 * Parses decimal fractions into millionths, with integers only, so that neither the locale nor
 * rounding matters.
 */
static bool read_fraction(const struct option_row *row, const char *value,
                          int64_t *millionths) {
  size_t digits = strspn(value, "0123456789");
  int64_t whole = 0, rest = 0;
  const char *fraction = value + digits + (value[digits] == '.');
  size_t places = strlen(fraction);
  if (digits + places == 0 || places > 6 || (value[digits] != '\0' && value[digits] != '.'))
    return false;
  if (digits > 0 && text_number(value, digits, &whole) != TEXT_NUMBER_OK) return false;
  if (places > 0 && text_number(fraction, places, &rest) != TEXT_NUMBER_OK) return false;
  for (size_t i = places; i < 6; i++)
    rest *= 10;
  assert(rest >= 0 && rest < OPTION_MILLIONTHS);
  if (whole < row->low || whole > row->high || (whole == row->high && rest > 0)) return false;
  *millionths = whole * OPTION_MILLIONTHS + rest;
  return true;
}

/* Finds the choice with a name of `length` characters. */
static neap_status read_name(const struct option_row *row, const char *value, size_t length,
                             int64_t *index, neap_error *error) {
  char excerpt[TEXT_EXCERPT];
  const char *name, *summary;
  assert(row->choice);
  for (size_t i = 0; row->choice(i, &name, &summary); i++)
    if (strlen(name) == length && memcmp(name, value, length) == 0) {
      *index = (int64_t)i;
      return NEAP_OK;
    }
  error_set(error, NEAP_ERROR_ARGUMENT, "unknown value %s; use one of",
            text_excerpt(excerpt, value, length));
  for (size_t i = 0; row->choice(i, &name, &summary); i++)
    error_append(error, i > 0 ? ", " : " ", name);
  return NEAP_ERROR_ARGUMENT;
}

/* Reads comma-separated choices into a set with a bit for each. */
static neap_status read_list(const struct option_row *row, const char *value, int64_t *set,
                             neap_error *error) {
  for (const char *at = value;; at++) {
    size_t length = strcspn(at, ",");
    int64_t index = 0;
    neap_status status = read_name(row, at, length, &index, error);
    if (status != NEAP_OK) return status;
    *set |= INT64_C(1) << index;
    at += length;
    if (*at == '\0') return NEAP_OK;
  }
}

static neap_status read_order(struct neap_options *options, const char *value,
                              neap_error *error) {
  struct order_spec spec;
  neap_error inner;
  if (order_spec_parse(&spec, value, &inner) != NEAP_OK)
    return error_set(error, NEAP_ERROR_ARGUMENT, "at character %zu: %s", inner.column,
                     inner.text);
  options->order = spec;
  options->order_given = true;
  return NEAP_OK;
}

static neap_status read_value(struct neap_options *options, enum option option,
                              const char *value, neap_error *error) {
  const struct option_row *row = &rows[option];
  neap_status status = NEAP_OK;
  int64_t read = 0;
  switch (row->kind) {
  case NEAP_OPTION_INTEGER:
    if (!read_integer(row, value, strlen(value), &read))
      return refuse_range(row, value, "a whole number", error);
    break;
  case NEAP_OPTION_BYTES:
    if (!read_bytes(row, value, &read))
      return refuse_range(row, value,
                          "a size in whole bytes such as 4096, 0x1000, 64K or 1.5MB", error);
    break;
  case NEAP_OPTION_SECONDS:
  case NEAP_OPTION_RATIO:
    if (!read_fraction(row, value, &read))
      return refuse_range(row, value, "a number with at most six decimals", error);
    break;
  case NEAP_OPTION_CHOICE:
    status = read_name(row, value, strlen(value), &read, error);
    break;
  case NEAP_OPTION_LIST:
    status = read_list(row, value, &read, error);
    break;
  case NEAP_OPTION_SWITCH:
    if (strcmp(value, "yes") != 0 && strcmp(value, "no") != 0)
      return refuse_value(value, "yes or no", error);
    read = value[0] == 'y';
    break;
  case NEAP_OPTION_ORDER:
    return read_order(options, value, error);
  }
  if (status == NEAP_OK) options->value[option] = read;
  return status;
}

/* ---------------------------------------------------------------- options as a whole */

void option_table_set_defaults(struct neap_options *options) {
  *options = (struct neap_options){0};
  for (int option = 0; option < OPTION_COUNT; option++) {
    assert_slowly(option == 0 || strcmp(rows[option - 1].name, rows[option].name) < 0);
    assert_slowly(rows[option].low <= rows[option].high && rows[option].help[0] != '\0');
    if (rows[option].initial[0] == '\0') continue;
    neap_status status = read_value(options, (enum option)option, rows[option].initial, NULL);
    assert(status == NEAP_OK);
    (void)status;
  }
  options->value[OPTION_CAPACITY] = -1;
  neap_status status = order_spec_parse(&options->order, "size", NULL);
  assert(status == NEAP_OK);
  (void)status;
}

neap_options *neap_options_new(void) {
  struct neap_options *options = memory_array(1, sizeof *options);
  if (options) option_table_set_defaults(options);
  return options;
}

void neap_options_free(neap_options *options) { free(options); }

neap_status neap_options_set(neap_options *options, const char *name, const char *value,
                             neap_error *error) {
  for (int option = 0; option < OPTION_COUNT; option++)
    if (strcmp(rows[option].name, name) == 0)
      return error_in_file(error, read_value(options, (enum option)option, value, error), name);
  return error_in_file(error, error_set(error, NEAP_ERROR_ARGUMENT, "unknown option"), name);
}

bool neap_options_number(const neap_options *options, const char *name, int64_t *number) {
  for (int option = 0; option < OPTION_COUNT; option++) {
    if (strcmp(rows[option].name, name) != 0) continue;
    neap_option_kind kind = rows[option].kind;
    bool is_number = kind == NEAP_OPTION_INTEGER || kind == NEAP_OPTION_BYTES ||
                     kind == NEAP_OPTION_SECONDS || kind == NEAP_OPTION_RATIO;
    if (is_number) *number = options->value[option];
    return is_number;
  }
  return false;
}
