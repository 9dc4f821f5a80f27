/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/bench_table.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/exits.h"
#include "cli/figures.h"
#include "cli/messages.h"
#include "cli/summary.h"

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

static void print_row(const struct bench_row *row, const struct widths *widths) {
  const struct bench_result *result = &row->result;
  char name[FIGURE_NAME_SIZE], texts[4][FIGURE_SIZE], gap[NEAP_GAP_TEXT] = "-";
  figure_name(name, row->instance);
  if (result->peak >= 0) neap_gap_text(gap_of(result), gap);
  printf("%-*s %-*s %8s %14s %14s %12s %-10s %9.4f %11s",
         widths->instance + (int)strlen(name) - figure_width(name), name, widths->engine,
         row->engine, number(texts[0], result->buffers), number(texts[1], result->bound),
         number(texts[2], result->peak), gap, result->status,
         result->seconds < 0 ? 0 : result->seconds, figure_unit(texts[3], result->memory));
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

void bench_table_print(const struct bench_table *table) {
  struct widths widths = find_widths(table);
  printf("%-*s %-*s %8s %14s %14s %12s %-10s %9s %11s\n", widths.instance, "instance",
         widths.engine, "engine", "buffers", "bound", "peak", "gap", "status", "seconds",
         "memory");
  for (size_t i = 0; i < table->count; i++)
    print_row(&table->rows[i], &widths);
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

void bench_table_print_csv(const struct bench_table *table) {
  puts("instance,engine,buffers,bound,lower_bound,peak,gap_percent,status,stop_reason,seconds,"
       "best_seconds,memory");
  for (size_t i = 0; i < table->count; i++) {
    const struct bench_row *row = &table->rows[i];
    const struct bench_result *result = &row->result;
    print_quoted(row->instance);
    printf(",%s,%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%.6f,%s,%s,%.6f,%.6f,%" PRId64
           "\n",
           row->engine, result->buffers, result->bound, result->lower_bound, result->peak,
           gap_of(result), result->status, result->stop_reason, result->seconds,
           row->best_seconds, result->memory);
  }
}

static json_t *row_object(const struct bench_row *row) {
  const struct bench_result *result = &row->result;
  return json_pack("{so ss sI sI sI sI so ss ss ss so so sI}", "instance",
                   summary_text(row->instance), "engine", row->engine, "buffers",
                   (json_int_t)result->buffers, "bound", (json_int_t)result->bound,
                   "lower_bound", (json_int_t)result->lower_bound, "peak",
                   (json_int_t)result->peak, "gap_percent", summary_real(gap_of(result)),
                   "status", result->status, "stop_reason", result->stop_reason, "error",
                   result->error, "seconds", summary_real(result->seconds), "best_seconds",
                   summary_real(row->best_seconds), "memory", (json_int_t)result->memory);
}

int bench_table_print_json(const struct bench_table *table) {
  struct totals totals = add_up(table);
  json_t *rows = json_array();
  for (size_t i = 0; i < table->count && rows; i++)
    rows = summary_append(rows, row_object(&table->rows[i]));
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
