/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/options.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/checked.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/text.h"
#include "engine/engine.h"
#include "place/rule.h"
#include "tune/rearrange.h"

/*
 * ---------------------------------------------------------------- choices, from the tables
 * they are of
 */

static bool engine_choice(size_t index, const char **name, const char **summary) {
  const neap_engine_info *info = neap_engine_at(index);
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
  neap_option_kind kind;
  const char *argument;
  const char *initial; /* "" leaves -1 where low is above it, and 0 otherwise */
  int64_t low, high;   /* in the unit that the text is in */
  bool (*choice)(size_t index, const char **name, const char **summary);
  const char *help;
};

#define MANY INT64_C(1000000000)

/* A switch, off unless given, such as of a rule of the exact search. */
#define SWITCH(name, help) \
  { name, NEAP_OPTION_SWITCH, NULL, "", 0, 0, NULL, help }

static const struct option_row rows[OPTION_COUNT] = {
    {"capacity", NEAP_OPTION_BYTES, "BYTES", "", 0, NEAP_MAX, NULL,
     "the arena's size: a plan that needs more is no plan"},
    {"engine", NEAP_OPTION_CHOICE, "NAME", "auto", 0, 0, engine_choice,
     "what plans; without --time-limit and --max-ticks, auto ends after five million ticks and "
     "exact when nothing is left to prove"},
    {"group-overlap", NEAP_OPTION_RATIO, "R", "0.5", 0, 1, NULL,
     "how much of the shorter life a buffer must share with a group's first one to join it"},
    {"group-size", NEAP_OPTION_INTEGER, "N", "12", 1, 4096, NULL, "buffers in a group at most"},
    SWITCH("keep-layouts",
           "keep the layout of every round in the plan: 8 bytes for each buffer and round"),
    {"max-group-rounds", NEAP_OPTION_INTEGER, "N", "30", 1, MANY, NULL,
     "orders tried for each group in a round at most"},
    {"max-rounds", NEAP_OPTION_INTEGER, "N", "50", 1, MANY, NULL,
     "rounds of the tuner at most; the first is the sorted layout"},
    {"max-ticks", NEAP_OPTION_INTEGER, "N", "", 1, NEAP_MAX, NULL,
     "stop after this much work: placing one buffer is one tick"},
    SWITCH("no-alone",
           "exact: try other rectangles even where one was the last in its sections"),
    SWITCH("no-components", "exact: decide what falls apart during the search together"),
    SWITCH("no-refuted", "exact: keep no table of refuted states"),
    SWITCH("no-spanning", "exact: learn nothing from what failed on a floor that it spans"),
    SWITCH("no-twins", "exact: tell equal rectangles apart"),
    SWITCH("no-weights", "exact: do not prefer sections that fail"),
    {"order", NEAP_OPTION_ORDER, "SPEC", "", 0, 0, NULL,
     "what buffers are sorted by, largest first: duration, size, overlap, combined by + * /, "
     "by "
     "priority with commas, ascending with a leading -; unless given, tune takes size and sort "
     "tries ten orders"},
    {"place", NEAP_OPTION_CHOICE, "RULE", "lowest", 0, 0, place_choice, "where a buffer goes"},
    {"rearrange", NEAP_OPTION_CHOICE, "WAY", "auto", 0, 0, rearrange_choice,
     "how a group's next order is found"},
    {"seed", NEAP_OPTION_INTEGER, "N", "1", 0, NEAP_MAX, NULL, "of the random numbers"},
    {"threads", NEAP_OPTION_INTEGER, "N", "1", 1, 256, NULL,
     "searches that the exact engine races, each with a seed of its own; with --max-ticks it "
     "is "
     "always one, so that the result is the same each time"},
    {"time-limit", NEAP_OPTION_SECONDS, "SECONDS", "", 0, 1000000, NULL,
     "stop after this time, with the best plan so far"},
};

bool neap_option_at(size_t index, neap_option_info *info) {
  if (index >= OPTION_COUNT) return false;
  const struct option_row *row = &rows[index];
  *info = (neap_option_info){.name = row->name,
                             .kind = row->kind,
                             .argument = row->argument,
                             .initial = row->initial,
                             .low = row->low,
                             .high = row->high,
                             .help = row->help,
                             .is_advanced = row->kind == NEAP_OPTION_SWITCH};
  while (row->choice && info->choice_count < NEAP_CHOICES_MAX &&
         row->choice(info->choice_count, &info->choices[info->choice_count],
                     &info->summaries[info->choice_count]))
    info->choice_count++;
  return true;
}

/* ---------------------------------------------------------------- reading values */

static neap_status refuse(const struct option_row *row, const char *value, const char *expected,
                          neap_error *error) {
  char excerpt[TEXT_EXCERPT];
  return error_set(error, NEAP_ERROR_ARGUMENT, "option %s: expected %s, found %s", row->name,
                   expected, text_excerpt(excerpt, value, strlen(value)));
}

static neap_status refuse_range(const struct option_row *row, const char *value,
                                const char *what, neap_error *error) {
  char expected[128];
  snprintf(expected, sizeof expected, "%s from %" PRId64 " to %" PRId64, what, row->low,
           row->high);
  return refuse(row, value, expected, error);
}

static bool read_integer(const struct option_row *row, const char *value, size_t length,
                         int64_t *number) {
  return text_number(value, length, number) == TEXT_NUMBER_OK && *number >= row->low &&
         *number <= row->high;
}

/*
 * A unit's letter, followed by "iB" or nothing, to how many bytes it is; 0 for anything else.
 */
static int64_t unit_of(const char *text) {
  static const char letters[] = "KMGT";
  if (text[0] == '\0') return 1;
  const char *letter = strchr(letters, text[0]);
  if (!letter || (text[1] != '\0' && strcmp(text + 1, "iB") != 0)) return 0;
  return INT64_C(1) << (10 * (letter - letters + 1));
}

static bool read_bytes(const struct option_row *row, const char *value, int64_t *number) {
  size_t digits = strspn(value, "0123456789");
  int64_t unit = unit_of(value + digits), amount;
  return unit != 0 && text_number(value, digits, &amount) == TEXT_NUMBER_OK &&
         checked_mul(amount, unit, number) && *number >= row->low && *number <= row->high;
}

/*
 * Decimal fractions become millionths, by integers, so that no locale and no rounding has a
 * say.
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
  if (whole < row->low || whole > row->high || (whole == row->high && rest > 0)) return false;
  *millionths = whole * OPTION_MILLIONTHS + rest;
  return true;
}

static neap_status read_choice(const struct option_row *row, const char *value, int64_t *index,
                               neap_error *error) {
  char expected[256] = "one of";
  size_t used = strlen(expected);
  const char *name, *summary;
  for (size_t i = 0; row->choice(i, &name, &summary); i++) {
    if (strcmp(name, value) == 0) {
      *index = (int64_t)i;
      return NEAP_OK;
    }
    int added = snprintf(expected + used, sizeof expected - used, "%s %s", i ? "," : "", name);
    if (added > 0 && used + (size_t)added < sizeof expected) used += (size_t)added;
  }
  return refuse(row, value, expected, error);
}

static neap_status read_order(struct neap_options *options, const struct option_row *row,
                              const char *value, neap_error *error) {
  struct order_spec spec;
  neap_error inner;
  if (order_spec_parse(&spec, value, &inner) != NEAP_OK)
    return error_set(error, NEAP_ERROR_ARGUMENT, "option %s: at character %zu: %s", row->name,
                     inner.column, inner.text);
  options->order = spec;
  options->order_given = true;
  return NEAP_OK;
}

static neap_status read_value(struct neap_options *options, enum option option,
                              const char *value, neap_error *error) {
  const struct option_row *row = &rows[option];
  int64_t *to = &options->value[option], read = 0;
  switch (row->kind) {
  case NEAP_OPTION_INTEGER:
    if (!read_integer(row, value, strlen(value), &read))
      return refuse_range(row, value, "a whole number", error);
    break;
  case NEAP_OPTION_BYTES:
    if (!read_bytes(row, value, &read))
      return refuse_range(row, value, "bytes (K, M, G or KiB, MiB, GiB may follow)", error);
    break;
  case NEAP_OPTION_SECONDS:
  case NEAP_OPTION_RATIO:
    if (!read_fraction(row, value, &read))
      return refuse_range(row, value, "a number of at most six decimals", error);
    break;
  case NEAP_OPTION_CHOICE: {
    neap_status status = read_choice(row, value, &read, error);
    if (status != NEAP_OK) return status;
    break;
  }
  case NEAP_OPTION_SWITCH:
    if (strcmp(value, "yes") != 0 && strcmp(value, "no") != 0)
      return refuse(row, value, "yes or no", error);
    read = value[0] == 'y';
    break;
  case NEAP_OPTION_ORDER:
    return read_order(options, row, value, error);
  }
  *to = read;
  return NEAP_OK;
}

/* ---------------------------------------------------------------- options as a whole */

void options_init(struct neap_options *options) {
  *options = (struct neap_options){0};
  for (int option = 0; option < OPTION_COUNT; option++) {
    assert(option == 0 || strcmp(rows[option - 1].name, rows[option].name) < 0);
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
  if (options) options_init(options);
  return options;
}

void neap_options_free(neap_options *options) { free(options); }

neap_status neap_options_set(neap_options *options, const char *name, const char *value,
                             neap_error *error) {
  for (int option = 0; option < OPTION_COUNT; option++)
    if (strcmp(rows[option].name, name) == 0)
      return read_value(options, (enum option)option, value, error);
  char excerpt[TEXT_EXCERPT];
  return error_set(error, NEAP_ERROR_ARGUMENT, "there is no option %s",
                   text_excerpt(excerpt, name, strlen(name)));
}
