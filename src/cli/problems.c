/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/problems.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/messages.h"

/* ---------------------------------------------------------------- lists */

/* Parts the list at its commas, in place; *names is released with free(). */
static int part_names(char *list, const char ***names, size_t *count) {
  size_t commas = 0;
  for (const char *at = list; *at; at++)
    commas += *at == ',';
  *names = calloc(commas + 1, sizeof **names);
  if (!*names) return message_memory();
  *count = 0;
  for (char *name; (name = strsep(&list, ",")) != NULL;)
    (*names)[(*count)++] = name;
  return 0;
}

/* "batch=1": cuts it in two. */
static int part_dimension(char *text, neap_dimension *dimension) {
  char *equals = strrchr(text, '='), *end = NULL;
  long long value = 0;
  errno = 0;
  if (equals && equals > text && equals[1] >= '0' && equals[1] <= '9')
    value = strtoll(equals + 1, &end, 10);
  if (!end || *end || errno != 0 || value < 1)
    return message_usage("option dim: expected NAME=N, N being 1 or more, found '%.40s'", text);
  *equals = '\0';
  *dimension = (neap_dimension){text, (neap_size)value};
  return 0;
}

static int part_dimensions(char *list, neap_dimension **dimensions, size_t *count) {
  const char **parts;
  int code = part_names(list, &parts, count);
  if (code != 0) return code;
  *dimensions = calloc(*count, sizeof **dimensions);
  if (!*dimensions) code = message_memory();
  for (size_t d = 0; d < *count && code == 0; d++)
    code = part_dimension(list + (parts[d] - list), &(*dimensions)[d]);
  free(parts);
  return code;
}

/* ---------------------------------------------------------------- reading */

static int choose_schedule(const char *name, neap_schedule *schedule) {
  static const struct {
    const char *name;
    neap_schedule schedule;
  } choices[] = {{"keep", NEAP_SCHEDULE_KEEP},
                 {"depth-first", NEAP_SCHEDULE_DEPTH_FIRST},
                 {"min-peak", NEAP_SCHEDULE_MIN_PEAK}};
  *schedule = NEAP_SCHEDULE_KEEP;
  if (!name) return 0;
  for (size_t i = 0; i < sizeof choices / sizeof *choices; i++)
    if (strcmp(choices[i].name, name) == 0) {
      *schedule = choices[i].schedule;
      return 0;
    }
  return message_usage("option schedule: expected keep, depth-first or min-peak, found '%.40s'",
                       name);
}

/* What the lists of names and of dimensions are read into; both may be NULL. */
struct lists {
  char *keep, *dimensions;
  const char **names;
  neap_dimension *values;
};

static int read_lists(const struct arguments *arguments, struct lists *lists,
                      neap_reading *reading) {
  int code = 0;
  if (arguments->keep) {
    lists->keep = strdup(arguments->keep);
    code = lists->keep ? part_names(lists->keep, &lists->names, &reading->liveness.keep_count)
                       : message_memory();
  }
  if (code == 0 && arguments->dimensions) {
    lists->dimensions = strdup(arguments->dimensions);
    code = lists->dimensions
               ? part_dimensions(lists->dimensions, &lists->values, &reading->dimension_count)
               : message_memory();
  }
  reading->liveness.keep = lists->names;
  reading->dimensions = lists->values;
  return code;
}

static void lists_clear(struct lists *lists) {
  free(lists->keep);
  free(lists->dimensions);
  free(lists->names);
  free(lists->values);
}

/* Fills what is read as the options say, and hands it to `read`. */
static int with_reading(const struct arguments *arguments,
                        int (*read)(const char *path, const neap_reading *reading, void *made),
                        void *made) {
  struct lists lists = {NULL, NULL, NULL, NULL};
  neap_reading reading = {.replan = arguments->replan,
                          .liveness = {.in_place = arguments->in_place,
                                       .keep_all = arguments->keep_all,
                                       .no_inputs = arguments->no_inputs,
                                       .no_outputs = arguments->no_outputs},
                          .dot_size = arguments->dot_size,
                          .dot_order = arguments->dot_order};
  int code = choose_schedule(arguments->schedule, &reading.schedule);
  if (code == 0) code = read_lists(arguments, &lists, &reading);
  if (code == 0) code = read(arguments->operand, &reading, made);
  lists_clear(&lists);
  return code;
}

static int read_problem(const char *path, const neap_reading *reading, void *made) {
  neap_problem **problem = made;
  neap_error error;
  if (neap_problem_read_as(path, NEAP_FORMAT_AUTO, reading, problem, &error) != NEAP_OK)
    return message_error(&error);
  message_detail("%s: read a problem of %zu buffers", path, neap_problem_count(*problem));
  return 0;
}

int problems_read(const struct arguments *arguments, neap_problem **problem) {
  return with_reading(arguments, read_problem, problem);
}

struct description {
  const neap_problem *problem;
  struct model *model;
};

static int describe(const char *path, const neap_reading *reading, void *made) {
  struct description *description = made;
  (void)path;
  return model_find(description->model, description->problem, &reading->liveness);
}

int problems_describe_model(const struct arguments *arguments, const neap_problem *problem,
                            struct model *model) {
  struct description description = {problem, model};
  return with_reading(arguments, describe, &description);
}

int problems_read_plan(const char *path, neap_plan **plan) {
  neap_error error;
  if (neap_plan_read(path, NEAP_FORMAT_AUTO, plan, &error) != NEAP_OK)
    return message_error(&error);
  message_detail("%s: read a plan of %zu buffers", path,
                 neap_problem_count(neap_plan_problem(*plan)));
  return 0;
}

/* ---------------------------------------------------------------- alignment */

int problems_align(neap_problem *problem, neap_size alignment, const char *path) {
  neap_error error;
  if (neap_problem_align(problem, alignment, &error) == NEAP_OK) return 0;
  snprintf(error.source, sizeof error.source, "%s", path);
  return message_error(&error);
}

/* ---------------------------------------------------------------- the largest */

struct sized {
  neap_size size;
  size_t index;
};

static int larger_first(const void *a, const void *b) {
  const struct sized *one = a, *other = b;
  if (one->size != other->size) return one->size > other->size ? -1 : 1;
  return one->index < other->index ? -1 : one->index > other->index;
}

static bool is_alive(const neap_buffer *buffer, neap_time moment) {
  for (size_t i = 0; i < buffer->range_count; i++)
    if (buffer->ranges[i].start <= moment && moment < buffer->ranges[i].end) return true;
  return false;
}

static size_t select_alive(const neap_problem *problem, neap_time moment,
                           struct sized *selected) {
  size_t count = 0;
  for (size_t i = 0; i < neap_problem_count(problem); i++) {
    neap_buffer buffer;
    neap_problem_get(problem, i, &buffer);
    if (moment == NEAP_UNPLACED || is_alive(&buffer, moment))
      selected[count++] = (struct sized){.size = buffer.size, .index = i};
  }
  return count;
}

size_t *problems_by_size(const neap_problem *problem, neap_time moment, size_t *count) {
  size_t room = neap_problem_count(problem) + 1;
  struct sized *selected = malloc(room * sizeof *selected);
  size_t *indices = malloc(room * sizeof *indices);
  if (selected && indices) {
    *count = select_alive(problem, moment, selected);
    qsort(selected, *count, sizeof *selected, larger_first);
    for (size_t i = 0; i < *count; i++)
      indices[i] = selected[i].index;
  } else {
    free(indices);
    indices = NULL;
  }
  free(selected);
  return indices;
}
