/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/bench_table.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/exits.h"
#include "cli/figures.h"
#include "cli/messages.h"
#include "cli/summary.h"
#include "neap-tool.h"

/* ---------------------------------------------------------------- totals */

struct totals {
  size_t optimal, planned;
  double gap, seconds; /* sums */
};

static double gap_of(const struct bench_result *result) {
  return result->peak < 0 ? -1 : figure_gap(result->peak, result->lower_bound);
}

static struct totals add_up(const struct bench_table *table) {
  struct totals totals = {0};
  for (size_t i = 0; i < table->count; i++) {
    const struct bench_result *result = &table->rows[i].result;
    totals.optimal += strcmp(result->status, "optimal") == 0;
    totals.planned += result->peak >= 0;
    if (result->peak >= 0) totals.gap += gap_of(result);
    if (result->seconds > 0) totals.seconds += result->seconds;
  }
  return totals;
}

static double mean_gap(const struct totals *totals) {
  return totals->planned > 0 ? totals->gap / (double)totals->planned : 0;
}

bool bench_table_has_seeds(const struct bench_table *table) {
  for (size_t i = 0; i < table->count; i++)
    if (bench_row_has_seeds(&table->rows[i])) return true;
  return false;
}

/* ---------------------------------------------------------------- for people */

static const char *number(char text[FIGURE_SIZE], int64_t value) {
  if (value < 0) return "-";
  snprintf(text, FIGURE_SIZE, "%" PRId64, value);
  return text;
}

/* The widths of the columns whose content is not a number. */
struct widths {
  int instance, engine;
};

static void print_name(const struct bench_row *row, const struct widths *widths) {
  char name[FIGURE_NAME_SIZE];
  figure_name(name, row->instance);
  printf("%-*s %-*s", widths->instance + (int)strlen(name) - figure_width(name), name,
         widths->engine, row->engine);
}

static const char *gap_text(const struct bench_result *result, char text[NEAP_GAP_TEXT]) {
  return result->peak < 0 ? "-" : neap_gap_text(gap_of(result), text);
}

static void print_row(const struct bench_row *row, const struct widths *widths) {
  const struct bench_result *result = &row->result;
  char texts[4][FIGURE_SIZE], gap[NEAP_GAP_TEXT];
  print_name(row, widths);
  printf(" %8s %14s %14s %12s %-10s %9.4f %11s", number(texts[0], result->buffers),
         number(texts[1], result->bound), number(texts[2], result->peak), gap_text(result, gap),
         result->status, result->seconds < 0 ? 0 : result->seconds,
         result->memory < 0 ? "-" : figure_unit(texts[3], result->memory));
  if (*result->error) printf("  %s", result->error);
  putchar('\n');
}

/* A row with the peaks of several seeds. */
static void print_seeds(const struct bench_row *row, const struct widths *widths) {
  const struct bench_result *result = &row->result;
  const struct bench_seeds *seeds = &row->seeds;
  char texts[5][FIGURE_SIZE], gap[NEAP_GAP_TEXT];
  bool planned = seeds->planned > 0;
  print_name(row, widths);
  printf(" %6zu %14s %14s %16s %14s %7zu %12s %-10s %9.4f", seeds->count,
         number(texts[0], result->bound), number(texts[1], result->peak),
         planned ? figure_decimal(texts[2], seeds->peak_median) : "-",
         planned ? figure_decimal(texts[3], seeds->peak_max) : "-", seeds->at_best,
         gap_text(result, gap), result->status, result->seconds < 0 ? 0 : result->seconds);
  if (*result->error) printf("  %s", result->error);
  putchar('\n');
}

static int wider(int a, int b) { return a > b ? a : b; }

static struct widths find_widths(const struct bench_table *table) {
  struct widths widths = {(int)strlen("instance"), (int)strlen("engine")};
  for (size_t i = 0; i < table->count; i++) {
    char name[FIGURE_NAME_SIZE];
    const struct bench_row *row = &table->rows[i];
    widths.instance = wider(widths.instance, figure_width(figure_name(name, row->instance)));
    widths.engine = wider(widths.engine, (int)strlen(row->engine));
  }
  return widths;
}

static void print_headings(const struct widths *widths, bool has_seeds) {
  printf("%-*s %-*s", widths->instance, "instance", widths->engine, "engine");
  if (has_seeds)
    printf(" %6s %14s %14s %16s %14s %7s %12s %-10s %9s\n", "seeds", "bound", "best peak",
           "median peak", "worst peak", "at best", "gap", "status", "seconds");
  else
    printf(" %8s %14s %14s %12s %-10s %9s %11s\n", "buffers", "bound", "peak", "gap", "status",
           "seconds", "memory");
}

void bench_table_print(const struct bench_table *table) {
  struct widths widths = find_widths(table);
  bool has_seeds = bench_table_has_seeds(table);
  print_headings(&widths, has_seeds);
  for (size_t i = 0; i < table->count; i++)
    if (has_seeds) print_seeds(&table->rows[i], &widths);
    else print_row(&table->rows[i], &widths);
  struct totals totals = add_up(table);
  char gap[NEAP_GAP_TEXT], rows[FIGURE_SIZE];
  printf("%s: %zu optimal, %zu with a plan, mean gap %s, %.3f s\n",
         figure_count(rows, table->count, "row"), totals.optimal, totals.planned,
         neap_gap_text(mean_gap(&totals), gap), totals.seconds);
}

/* ---------------------------------------------------------------- for programs */

static void print_quoted(const char *text) {
  putchar('"');
  for (; *text; text++) {
    if (*text == '"') putchar('"');
    putchar(*text);
  }
  putchar('"');
}

static void print_csv_seeds(const struct bench_seeds *seeds) {
  char median[FIGURE_SIZE] = "-1", max[FIGURE_SIZE] = "-1";
  if (seeds->planned > 0) figure_decimal(median, seeds->peak_median);
  if (seeds->planned > 0) figure_decimal(max, seeds->peak_max);
  printf(",%" PRId64 ",%zu,%zu,%zu,%s,%s", seeds->has_best ? seeds->best : -1, seeds->count,
         seeds->planned, seeds->at_best, median, max);
}

void bench_table_print_csv(const struct bench_table *table) {
  printf(
      "instance,engine,buffers,bound,lower_bound,peak,gap_percent,status,stop_reason,seconds,"
      "best_seconds,memory%s\n",
      table->is_merged ? ",seed,seeds,planned,at_best,peak_median,peak_max" : "");
  for (size_t i = 0; i < table->count; i++) {
    const struct bench_row *row = &table->rows[i];
    const struct bench_result *result = &row->result;
    print_quoted(row->instance);
    printf(",%s,%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%.6f,%s,%s,%.6f,%.6f,%" PRId64,
           row->engine, result->buffers, result->bound, result->lower_bound, result->peak,
           gap_of(result), result->status, result->stop_reason, result->seconds,
           row->best_seconds, result->memory);
    if (table->is_merged) print_csv_seeds(&row->seeds);
    putchar('\n');
  }
}

static json_t *row_object(const struct bench_row *row) {
  const struct bench_result *result = &row->result;
  return json_pack(
      "{so ss sI sI sI sI so ss ss so so so sI}", "instance", summary_text(row->instance),
      "engine", row->engine, "buffers", (json_int_t)result->buffers, "bound",
      (json_int_t)result->bound, "lower_bound", (json_int_t)result->lower_bound, "peak",
      (json_int_t)result->peak, "gap_percent", summary_real(gap_of(result)), "status",
      result->status, "stop_reason", result->stop_reason, "error", summary_text(result->error),
      "seconds", summary_real(result->seconds), "best_seconds", summary_real(row->best_seconds),
      "memory", (json_int_t)result->memory);
}

/* Adds the figures of the seeds to the object of a row; NULL if memory is short. */
static json_t *add_seeds(json_t *object, const struct bench_seeds *seeds) {
  bool planned = seeds->planned > 0;
  json_t *more =
      json_pack("{so sI sI sI so so}", "seed",
                seeds->has_best ? json_integer((json_int_t)seeds->best) : json_null(), "seeds",
                (json_int_t)seeds->count, "planned", (json_int_t)seeds->planned, "at_best",
                (json_int_t)seeds->at_best, "peak_median",
                summary_real(planned ? seeds->peak_median : -1), "peak_max",
                summary_real(planned ? seeds->peak_max : -1));
  bool added = object && more && json_object_update(object, more) == 0;
  json_decref(more);
  if (added) return object;
  json_decref(object);
  return NULL;
}

int bench_table_print_json(const struct bench_table *table) {
  struct totals totals = add_up(table);
  json_t *rows = json_array();
  for (size_t i = 0; i < table->count && rows; i++) {
    json_t *row = row_object(&table->rows[i]);
    if (table->is_merged) row = add_seeds(row, &table->rows[i].seeds);
    rows = summary_append(rows, row);
  }
  return summary_json(
      json_pack("{so so}", "rows", rows, "totals",
                json_pack("{sI sI sI so so}", "rows", (json_int_t)table->count, "optimal",
                          (json_int_t)totals.optimal, "planned", (json_int_t)totals.planned,
                          "mean_gap_percent", summary_real(mean_gap(&totals)), "seconds",
                          summary_real(totals.seconds))));
}

/* ---------------------------------------------------------------- comparing */

/* Times that differ by less than either of these are considered equal. */
#define NOISE_RATIO 1.5
#define NOISE_SECONDS 0.05

struct side {
  const char *instance, *engine, *status;
  json_int_t lower_bound, peak;
  double seconds;
};

static bool read_side(const json_t *row, struct side *side) {
  json_error_t error;
  return json_unpack_ex((json_t *)(uintptr_t)row, &error, 0, "{s:s s:s s:s s:I s:I s:F}",
                        "instance", &side->instance, "engine", &side->engine, "status",
                        &side->status, "lower_bound", &side->lower_bound, "peak", &side->peak,
                        "seconds", &side->seconds) == 0;
}

/* The numbers of rows that are better, worse, equal, and only in the second file. */
struct difference {
  size_t better, worse, same, alone;
};

static void print_change(struct difference *difference, bool better, const struct side *side,
                         const char *what) {
  if (better) difference->better++;
  else difference->worse++;
  printf("%-6s %s %s: %s\n", better ? "better" : "worse", side->instance, side->engine, what);
}

static bool compare_peaks(struct difference *difference, const struct side *a,
                          const struct side *b) {
  char what[128];
  if (a->peak == b->peak) return false;
  snprintf(what, sizeof what, "peak %" JSON_INTEGER_FORMAT " -> %" JSON_INTEGER_FORMAT, a->peak,
           b->peak);
  print_change(difference, b->peak >= 0 && (a->peak < 0 || b->peak < a->peak), b, what);
  return true;
}

static bool compare_bounds(struct difference *difference, const struct side *a,
                           const struct side *b) {
  char what[128];
  if (a->lower_bound == b->lower_bound) return false;
  snprintf(what, sizeof what, "lower bound %" JSON_INTEGER_FORMAT " -> %" JSON_INTEGER_FORMAT,
           a->lower_bound, b->lower_bound);
  print_change(difference, b->lower_bound > a->lower_bound, b, what);
  return true;
}

static bool compare_status(struct difference *difference, const struct side *a,
                           const struct side *b) {
  char what[128];
  if (strcmp(a->status, b->status) == 0) return false;
  snprintf(what, sizeof what, "%.40s -> %.40s", a->status, b->status);
  bool better = strcmp(b->status, "optimal") == 0 || strcmp(b->status, "infeasible") == 0 ||
                (strcmp(b->status, "feasible") == 0 && strcmp(a->status, "optimal") != 0);
  print_change(difference, better, b, what);
  return true;
}

static bool compare_seconds(struct difference *difference, const struct side *a,
                            const struct side *b) {
  char what[128];
  double more = a->seconds > b->seconds ? a->seconds : b->seconds;
  double less = a->seconds > b->seconds ? b->seconds : a->seconds;
  if (more < less * NOISE_RATIO || more - less < NOISE_SECONDS) return false;
  snprintf(what, sizeof what, "%.4f s -> %.4f s", a->seconds, b->seconds);
  print_change(difference, b->seconds < a->seconds, b, what);
  return true;
}

static void compare_sides(struct difference *difference, const struct side *a,
                          const struct side *b) {
  bool differs = compare_peaks(difference, a, b);
  differs = compare_bounds(difference, a, b) || differs;
  differs = compare_status(difference, a, b) || differs;
  differs = compare_seconds(difference, a, b) || differs;
  difference->same += !differs;
}

/* Finds the row of the same instance and engine. */
static bool find_side(const json_t *rows, const struct side *like, struct side *found) {
  for (size_t i = 0; i < json_array_size(rows); i++)
    if (read_side(json_array_get(rows, i), found) &&
        strcmp(found->instance, like->instance) == 0 &&
        strcmp(found->engine, like->engine) == 0)
      return true;
  return false;
}

static void compare_rows(const json_t *first, const json_t *second) {
  struct difference difference = {0};
  for (size_t i = 0; i < json_array_size(second); i++) {
    struct side a, b;
    if (read_side(json_array_get(second, i), &b) && find_side(first, &b, &a))
      compare_sides(&difference, &a, &b);
    else difference.alone++;
  }
  printf("%zu better, %zu worse, %zu rows equal, %zu not in the first\n", difference.better,
         difference.worse, difference.same, difference.alone);
}

/* Reads a file that --json has printed.  *file is released with json_decref. */
static int read_rows(const char *path, json_t **file, const json_t **rows) {
  json_error_t error;
  FILE *stream = fopen(path, "r");
  if (!stream) return message_system(path, "cannot open");
  *file = json_loadf(stream, 0, &error);
  fclose(stream);
  *rows = *file ? json_object_get(*file, "rows") : NULL;
  if (!*file)
    message_usage("%s:%d:%d: not the output of 'neap bench --json': %s", path, error.line,
                  error.column, error.text);
  else if (!json_is_array(*rows))
    message_usage("%s: not the output of 'neap bench --json': no \"rows\"", path);
  return json_is_array(*rows) ? 0 : EXIT_INPUT;
}

int bench_table_compare(const char *first, const char *second) {
  json_t *one = NULL, *other = NULL;
  const json_t *a, *b;
  int code = read_rows(first, &one, &a);
  if (code == 0) code = read_rows(second, &other, &b);
  if (code == 0) compare_rows(a, b);
  json_decref(one);
  json_decref(other);
  return code;
}
