/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/problems.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/messages.h"

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

static int read_as(const struct arguments *arguments, const neap_reading *reading,
                   neap_problem **problem) {
  neap_error error;
  const char *path = arguments->operand;
  if (neap_problem_read_as(path, NEAP_FORMAT_AUTO, reading, problem, &error) != NEAP_OK)
    return message_error(&error);
  message_detail("%s: read a problem of %zu buffers", path, neap_problem_count(*problem));
  return 0;
}

int problems_read(const struct arguments *arguments, neap_problem **problem) {
  neap_reading reading = {.replan = arguments->replan,
                          .liveness = {.in_place = arguments->in_place,
                                       .keep_all = arguments->keep_all,
                                       .no_inputs = arguments->no_inputs,
                                       .no_outputs = arguments->no_outputs}};
  if (!arguments->keep) return read_as(arguments, &reading, problem);
  char *list = strdup(arguments->keep);
  const char **names = NULL;
  int code = list ? part_names(list, &names, &reading.liveness.keep_count) : message_memory();
  reading.liveness.keep = names;
  if (code == 0) code = read_as(arguments, &reading, problem);
  free(names);
  free(list);
  return code;
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

static neap_size common_divisor(neap_size a, neap_size b) {
  while (b != 0) {
    neap_size rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

/* The least common multiple: an alignment that keeps both.  False where it passes NEAP_MAX. */
static bool common_multiple(neap_size a, neap_size b, neap_size *multiple) {
  return !__builtin_mul_overflow(a / common_divisor(a, b), b, multiple);
}

static neap_status add_aligned(neap_problem *to, const neap_problem *from, size_t index,
                               neap_size alignment, neap_error *error) {
  neap_buffer buffer;
  neap_problem_get(from, index, &buffer);
  neap_size own = buffer.alignment;
  if (common_multiple(own, alignment, &buffer.alignment))
    return neap_problem_add(to, &buffer, error);
  *error = (neap_error){.status = NEAP_ERROR_INPUT};
  snprintf(error->text, sizeof error->text,
           "no alignment up to %" PRId64 " keeps both %" PRId64 ", of '%.100s', and %" PRId64,
           NEAP_MAX, own, buffer.name, alignment);
  return NEAP_ERROR_INPUT;
}

static neap_status copy_aligned(neap_problem *to, const neap_problem *from, neap_size alignment,
                                neap_error *error) {
  neap_status status = NEAP_OK;
  size_t count = neap_problem_count(from);
  for (size_t i = 0; i < count && status == NEAP_OK; i++)
    status = add_aligned(to, from, i, alignment, error);
  return status;
}

int problems_align(neap_problem **problem, neap_size alignment, const char *path) {
  if (alignment == 1) return 0;
  neap_error error;
  neap_problem *aligned = neap_problem_new();
  if (!aligned) return message_memory();
  if (copy_aligned(aligned, *problem, alignment, &error) != NEAP_OK) {
    neap_problem_free(aligned);
    snprintf(error.source, sizeof error.source, "%s", path);
    return message_error(&error);
  }
  neap_problem_free(*problem);
  *problem = aligned;
  return 0;
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
