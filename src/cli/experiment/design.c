/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/experiment/design.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options/options.h"
#include "cli/output/messages.h"
#include "cli/output/suggest.h"

/* ---------------------------------------------------------------- lists of limits */

#define LIMITS_MAX 1000

#define LIMITS_MILLION 1000000

struct limits {
  int64_t *values; /* ascending, each once; released with free() */
  size_t count;
  int64_t
      unit; /* what stands for 1 in `values`: 1, or LIMITS_MILLION where decimals are allowed */
};

#define LIMIT_TEXT 32

/* Far above any valid limit, and far from overflowing. */
#define LARGEST INT64_C(1000000000000)

static const char *read_digits(const char *at, int64_t *number) {
  for (*number = 0; *at >= '0' && *at <= '9' && *number < LARGEST; at++)
    *number = *number * 10 + (*at - '0');
  return at;
}

/* At most as many decimals as the unit has zeros.  Two dots are not a decimal point. */
static const char *read_decimals(const char *at, int64_t unit, int64_t *fraction) {
  *fraction = 0;
  if (*at != '.' || at[1] == '.' || unit == 1) return at;
  for (at++; *at >= '0' && *at <= '9' && unit > 1; at++) {
    unit /= 10;
    *fraction += (*at - '0') * unit;
  }
  return at;
}

static bool read_number(const char **text, int64_t unit, int64_t *number) {
  int64_t whole, fraction;
  const char *digits = read_digits(*text, &whole);
  const char *end = read_decimals(digits, unit, &fraction);
  size_t length = (size_t)(end - *text);
  bool good = length > (size_t)(end > digits) && whole < LARGEST;
  *number = whole * unit + fraction;
  *text = end;
  return good;
}

static bool skip_word(const char **text, const char *word) {
  size_t length = strlen(word);
  if (strncmp(*text, word, length) != 0) return false;
  *text += length;
  return true;
}

/* Adds "3", "3..7" or "3..7..2" to the values. */
static bool read_part(const char **text, struct limits *limits) {
  int64_t first, last, unit = limits->unit, step = unit;
  if (!read_number(text, unit, &first)) return false;
  last = first;
  if (skip_word(text, "..") && !read_number(text, unit, &last)) return false;
  if (last != first && skip_word(text, "..") && !read_number(text, unit, &step)) return false;
  if (last < first || step < 1) return false;
  if ((last - first) / step >= (int64_t)(LIMITS_MAX - limits->count)) return false;
  for (int64_t value = first; value <= last; value += step)
    limits->values[limits->count++] = value;
  return true;
}

static int ascending(const void *a, const void *b) {
  int64_t one = *(const int64_t *)a, other = *(const int64_t *)b;
  return one < other ? -1 : one > other;
}

static void sort_each_once(struct limits *limits) {
  size_t kept = 0;
  qsort(limits->values, limits->count, sizeof *limits->values, ascending);
  for (size_t i = 0; i < limits->count; i++)
    if (i == 0 || limits->values[i] != limits->values[i - 1])
      limits->values[kept++] = limits->values[i];
  limits->count = kept;
}

static int refuse_list(const char *name, const char *text, int64_t unit) {
  const char *example = unit == 1 ? "1,2,5 or 1..10 or 5..50..5" : "0.25,0.5 or 0.2..0.8..0.1";
  return message_usage("--%s: expected up to %d numbers, such as %s, found '%.40s'", name,
                       LIMITS_MAX, example, text);
}

/*
 * Reads a comma-separated list of numbers and ranges: "1,2,5", "1..10", "5..50..5"; with a unit
 * of LIMITS_MILLION also "0.25,0.5" and "0.2..0.8..0.1".  `name` is the option's name.  Returns
 * 0, or the exit code of the message it has printed.
 */
static int limits_read(const char *name, const char *text, int64_t unit,
                       struct limits *limits) {
  *limits =
      (struct limits){.values = malloc(LIMITS_MAX * sizeof *limits->values), .unit = unit};
  if (!limits->values) return message_memory();
  const char *at = text;
  bool good = read_part(&at, limits);
  while (good && skip_word(&at, ","))
    good = read_part(&at, limits);
  if (!good || *at) return refuse_list(name, text, unit);
  sort_each_once(limits);
  return 0;
}

/* The value at `index` as an option takes it: "50", "0.25".  Returns `text`. */
static const char *limit_text(const struct limits *limits, size_t index,
                              char text[LIMIT_TEXT]) {
  int64_t whole = limits->values[index] / limits->unit;
  int64_t fraction = limits->values[index] % limits->unit;
  int length = snprintf(text, LIMIT_TEXT, "%" PRId64, whole);
  if (fraction == 0) return text;
  length += snprintf(text + length, LIMIT_TEXT - (size_t)length, ".%06" PRId64, fraction);
  while (text[length - 1] == '0')
    text[--length] = '\0';
  return text;
}

/* ---------------------------------------------------------------- factors */

/* The options that can be varied.  Orders contain commas, so colons separate them. */
static const struct row {
  const char *name;
  size_t field;
  enum factor_kind kind;
  const char *separator; /* between names */
} rows[] = {
    {"max-rounds", OPTION_FIELD(max_rounds), FACTOR_WHOLE, NULL},
    {"max-group-rounds", OPTION_FIELD(max_group_rounds), FACTOR_WHOLE, NULL},
    {"group-size", OPTION_FIELD(group_size), FACTOR_WHOLE, NULL},
    {"group-overlap", OPTION_FIELD(group_overlap), FACTOR_DECIMAL, NULL},
    {"rearrange", OPTION_FIELD(rearrange), FACTOR_NAMES, ","},
    {"order", OPTION_FIELD(order), FACTOR_NAMES, ":"},
};
#define ROWS (sizeof rows / sizeof *rows)

/* ---------------------------------------------------------------- one list */

static void factor_clear(struct factor *factor) {
  for (size_t i = 0; i < factor->count; i++)
    free(factor->texts[i]);
  free(factor->texts);
  free(factor->numbers);
  *factor = (struct factor){0};
}

static bool factor_allocate(struct factor *factor, size_t most) {
  factor->texts = calloc(most, sizeof *factor->texts);
  factor->numbers = calloc(most, sizeof *factor->numbers);
  return factor->texts && factor->numbers;
}

static int add_value(struct factor *factor, const char *text, double number) {
  char *copy = strdup(text);
  if (!copy) return message_memory();
  factor->texts[factor->count] = copy;
  factor->numbers[factor->count++] = number;
  return 0;
}

static bool has_name(const struct factor *factor, const char *name) {
  for (size_t i = 0; i < factor->count; i++)
    if (strcmp(factor->texts[i], name) == 0) return true;
  return false;
}

static int add_name(struct factor *factor, const char *name) {
  return has_name(factor, name) ? 0 : add_value(factor, name, (double)factor->count);
}

static int read_numbers(struct factor *factor, const char *list) {
  char text[LIMIT_TEXT];
  struct limits limits;
  int64_t unit = factor->kind == FACTOR_DECIMAL ? LIMITS_MILLION : 1;
  int code = limits_read(factor->name, list, unit, &limits);
  if (code == 0 && !factor_allocate(factor, limits.count)) code = message_memory();
  for (size_t i = 0; i < limits.count && code == 0; i++)
    code = add_value(factor, limit_text(&limits, i, text),
                     (double)limits.values[i] / (double)unit);
  free(limits.values);
  return code;
}

/* Every value that the option can have. */
static int add_all(struct factor *factor) {
  neap_option_info info = option_planning(factor->name);
  if (!factor_allocate(factor, info.choice_count)) return message_memory();
  int code = 0;
  for (size_t i = 0; i < info.choice_count && code == 0; i++)
    code = add_name(factor, info.choices[i]);
  return code;
}

static int read_names(struct factor *factor, const char *list, const char *separator) {
  bool is_choice = option_planning(factor->name).kind == NEAP_OPTION_CHOICE;
  if (is_choice && strcmp(list, "all") == 0) return add_all(factor);
  size_t most = 1;
  for (const char *at = list; (at = strstr(at, separator)) != NULL; at++)
    most++;
  char *copy = strdup(list), *rest = copy, *name;
  int code = copy && factor_allocate(factor, most) ? 0 : message_memory();
  while (code == 0 && (name = strsep(&rest, separator)) != NULL)
    code = add_name(factor, name);
  free(copy);
  return code;
}

/* Setting the option to each value checks it; a single value remains set. */
static int factor_read(struct factor *factor, const struct row *row,
                       const struct arguments *arguments) {
  const struct list_text *list =
      (const struct list_text *)((const char *)arguments + row->field);
  *factor = (struct factor){.name = row->name, .kind = row->kind, .place = list->place};
  if (!list->text) return 0;
  int code = row->kind == FACTOR_NAMES ? read_names(factor, list->text, row->separator)
                                       : read_numbers(factor, list->text);
  for (size_t i = 0; i < factor->count && code == 0; i++)
    code = option_set_planning(arguments, factor->name, factor->texts[i]);
  return code;
}

/* ---------------------------------------------------------------- which are varied */

static int refuse_lists(const struct factor *const *lists, size_t count) {
  char names[ROWS][32];
  const char *words[ROWS];
  for (size_t i = 0; i < count; i++) {
    snprintf(names[i], sizeof names[i], "--%s", lists[i]->name);
    words[i] = names[i];
  }
  char *list = listing_join(words, count, " and ");
  int code = list ? message_usage("sweep varies at most %d options, but %s are lists",
                                  DESIGN_FACTORS_MAX, list)
                  : message_memory();
  free(list);
  return code;
}

/* Without a list, sweeps over a single value, preferably a limit on rounds. */
static struct factor *only_value(struct factor *all) {
  struct factor *first = NULL;
  if (all[1].count > 0) return &all[1];
  for (size_t i = 0; i < ROWS; i++)
    if (all[i].count > 0 && (!first || all[0].count == 0)) {
      if (!first || all[i].place < first->place) first = &all[i];
    }
  return first;
}

static int by_place(const void *left, const void *right) {
  const struct factor *a = *(const struct factor *const *)left;
  const struct factor *b = *(const struct factor *const *)right;
  return a->place < b->place ? -1 : a->place > b->place;
}

/* Moves the factors that are varied into the design, in the order of the command line. */
static int choose_factors(struct design *design, struct factor *all) {
  struct factor *lists[ROWS];
  size_t count = 0;
  for (size_t i = 0; i < ROWS; i++)
    if (all[i].count > 1) lists[count++] = &all[i];
  if (count == 0 && (lists[0] = only_value(all)) != NULL) count = 1;
  if (count == 0)
    return message_usage("sweep needs a LIST for --max-rounds, --max-group-rounds, "
                         "--group-size, --group-overlap, --rearrange or --order");
  qsort(lists, count, sizeof *lists, by_place);
  if (count > DESIGN_FACTORS_MAX)
    return refuse_lists((const struct factor *const *)lists, count);
  design->setting_count = 1;
  for (size_t i = 0; i < count; i++) {
    design->factors[design->factor_count++] = *lists[i];
    design->setting_count *= lists[i]->count;
    *lists[i] = (struct factor){0};
  }
  return 0;
}

/* ---------------------------------------------------------------- seeds */

static int allocate_seeds(struct design *design, size_t count) {
  design->seeds = calloc(count, sizeof *design->seeds);
  if (!design->seeds) return message_memory();
  design->seed_count = count;
  return 0;
}

/* The first seed and those after it. */
static int count_seeds(struct design *design, const char *text, int64_t first) {
  size_t count = strlen(text) < 10 ? strtoul(text, NULL, 10) : 0;
  if (count < 1 || count > LIMITS_MAX)
    return message_usage("--seeds: expected 1 to %d seeds, found '%.40s'", LIMITS_MAX, text);
  if (first > NEAP_MAX - (int64_t)count)
    return message_usage(
        "--seeds: %zu seeds from --seed %" PRId64 " on exceed the largest seed", count, first);
  int code = allocate_seeds(design, count);
  for (size_t i = 0; i < count && code == 0; i++)
    design->seeds[i] = (uint64_t)first + i;
  return code;
}

static int list_seeds(struct design *design, const char *text) {
  struct limits limits;
  int code = limits_read("seeds", text, 1, &limits);
  if (code == 0) code = allocate_seeds(design, limits.count);
  for (size_t i = 0; i < limits.count && code == 0; i++)
    design->seeds[i] = (uint64_t)limits.values[i];
  free(limits.values);
  return code;
}

static int read_seeds(struct design *design, const struct arguments *arguments) {
  const char *text = arguments->seeds ? arguments->seeds : "1";
  bool is_number = text[strspn(text, "0123456789")] == '\0';
  return is_number ? count_seeds(design, text, arguments->seed) : list_seeds(design, text);
}

/* ---------------------------------------------------------------- the whole */

int design_read(const struct arguments *arguments, struct design *design) {
  struct factor all[ROWS] = {{0}};
  *design = (struct design){0};
  int code = 0;
  for (size_t i = 0; i < ROWS && code == 0; i++)
    code = factor_read(&all[i], &rows[i], arguments);
  if (code == 0) code = choose_factors(design, all);
  if (code == 0) code = read_seeds(design, arguments);
  for (size_t i = 0; i < ROWS; i++)
    factor_clear(&all[i]);
  if (code == 0 && design->setting_count > DESIGN_RUNS_MAX / design->seed_count)
    code = message_usage("sweep makes at most %d runs; these lists ask for %zu",
                         DESIGN_RUNS_MAX, design->setting_count * design->seed_count);
  return code;
}

void design_clear(struct design *design) {
  for (size_t i = 0; i < design->factor_count; i++)
    factor_clear(&design->factors[i]);
  free(design->seeds);
  *design = (struct design){0};
}

static const char *text_of(const struct design *design, size_t setting, size_t factor) {
  return design->factors[factor].texts[design_value(design, setting, factor)];
}

int design_apply(const struct design *design, const struct arguments *arguments, size_t setting,
                 uint64_t seed) {
  char text[32];
  int code = 0;
  for (size_t i = 0; i < design->factor_count && code == 0; i++)
    code = option_set_planning(arguments, design->factors[i].name, text_of(design, setting, i));
  snprintf(text, sizeof text, "%" PRIu64, seed);
  return code != 0 ? code : option_set_planning(arguments, "seed", text);
}

const char *design_text(const struct design *design, size_t setting, const char *before,
                        const char *between, char text[DESIGN_TEXT]) {
  size_t used = 0;
  for (size_t i = 0; i < design->factor_count && used < DESIGN_TEXT; i++) {
    int length = snprintf(text + used, DESIGN_TEXT - used, "%s%s%s %s", i > 0 ? between : "",
                          before, design->factors[i].name, text_of(design, setting, i));
    used += length > 0 ? (size_t)length : 0;
  }
  return text;
}
