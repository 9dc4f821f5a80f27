/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is better or worse in one file of 'neap bench --json' than in another. */
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "cli/experiment/bench.h"
#include "cli/output/messages.h"

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

static bool compare_numbers(struct difference *difference, const struct side *side,
                            const char *name, json_int_t a, json_int_t b, bool better) {
  char what[128];
  if (a == b) return false;
  snprintf(what, sizeof what, "%s %" JSON_INTEGER_FORMAT " -> %" JSON_INTEGER_FORMAT, name, a,
           b);
  print_change(difference, better, side, what);
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
  bool lower = b->peak >= 0 && (a->peak < 0 || b->peak < a->peak);
  bool differs = compare_numbers(difference, b, "peak", a->peak, b->peak, lower);
  differs = compare_numbers(difference, b, "lower bound", a->lower_bound, b->lower_bound,
                            b->lower_bound > a->lower_bound) ||
            differs;
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

int bench_print_differences(const char *first, const char *second) {
  json_t *one = NULL, *other = NULL;
  const json_t *a, *b;
  int code = read_rows(first, &one, &a);
  if (code == 0) code = read_rows(second, &other, &b);
  if (code == 0) compare_rows(a, b);
  json_decref(one);
  json_decref(other);
  return code;
}
