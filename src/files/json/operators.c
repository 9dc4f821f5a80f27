/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "files/json/operators.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/text.h"
#include "files/json/json.h"

/* ---------------------------------------------------------------- reading */

/* The buffers of the current operator: those that it reads, then those that it makes. */
struct links {
  size_t *items;
  size_t count, capacity;
};

static neap_status read_buffer(const struct json_at *at, const struct neap_problem *problem,
                               size_t *buffer, neap_error *error) {
  const char *name;
  char excerpt[TEXT_EXCERPT];
  neap_status status = json_read_string(at, &name, error);
  if (status != NEAP_OK || neap_problem_find(problem, name, buffer)) return status;
  return json_blame(at, error, "no buffer is called %s",
                    text_excerpt(excerpt, name, strlen(name)));
}

static neap_status read_links(const struct json_at *operator, const char * key,
                              const struct neap_problem *problem, struct links *links,
                              neap_error *error) {
  struct json_at list = json_member(operator, key);
  size_t count;
  neap_status status = json_read_array(&list, &count, error);
  if (status != NEAP_OK) return status;
  if (!memory_reserve(&links->items, &links->capacity, links->count + count + 1,
                      sizeof *links->items))
    return error_memory(error);
  for (size_t i = 0; i < count && status == NEAP_OK; i++) {
    struct json_at at = json_element(&list, i);
    status = read_buffer(&at, problem, &links->items[links->count], error);
    links->count += status == NEAP_OK;
  }
  return status;
}

static neap_status read_operator(const struct json_at *at, struct neap_problem *problem,
                                 struct links *links, neap_error *error) {
  static const char *const keys[] = {"type", "name", "reads", "makes", NULL};
  struct json_at type = json_member(at, "type"), name = json_member(at, "name");
  neap_operator_info info = NEAP_INIT(neap_operator_info);
  links->count = 0;
  neap_status status = json_read_object(at, keys, error);
  if (status == NEAP_OK) status = json_read_string(&type, &info.type, error);
  if (status == NEAP_OK && name.value) status = json_read_string(&name, &info.name, error);
  if (status == NEAP_OK) status = read_links(at, "reads", problem, links, error);
  info.read_count = links->count;
  if (status == NEAP_OK) status = read_links(at, "makes", problem, links, error);
  if (status != NEAP_OK) return status;
  info.make_count = links->count - info.read_count;
  info.reads = links->items;
  info.makes = links->items + info.read_count;
  status = neap_problem_add_operator(problem, &info, error);
  return status == NEAP_ERROR_INPUT ? json_place(at, status, error) : status;
}

/* The next operator must end within the horizon, which adding one would extend. */
static neap_status check_horizon(const struct json_at *at, const struct neap_problem *problem,
                                 neap_error *error) {
  if ((neap_time)at->index < problem->horizon) return NEAP_OK;
  return json_blame(at, error,
                    "runs past the horizon, %" PRId64 "; operator k runs during [k, k + 1)",
                    problem->horizon);
}

static neap_status read_elements(struct json_cursor *cursor, const struct json_at *list,
                                 struct neap_problem *problem, neap_error *error) {
  struct links links = {0};
  neap_status status = NEAP_OK;
  for (size_t i = 0; status == NEAP_OK; i++) {
    status = json_cursor_next(cursor, error);
    if (status != NEAP_OK || !cursor->element) break;
    struct json_at at = {.value = cursor->element, .parent = list, .index = i};
    status = check_horizon(&at, problem, error);
    if (status == NEAP_OK) status = read_operator(&at, problem, &links, error);
  }
  free(links.items);
  return status;
}

neap_status json_operators_read(const struct json_document *document,
                                struct neap_problem *problem, neap_error *error) {
  struct json_at root = json_document_root(document), list = json_member(&root, "operators");
  struct json_cursor cursor = {.document = document, .list = &document->operators};
  size_t count; /* 0: the elements are not in the root */
  if (!list.value) return NEAP_OK;
  neap_status status = json_read_array(&list, &count, error);
  if (status == NEAP_OK && count > 0)
    return json_blame(&list, error, "expected the key without escapes");
  if (status == NEAP_OK) status = read_elements(&cursor, &list, problem, error);
  json_cursor_clear(&cursor);
  return status;
}

/* ---------------------------------------------------------------- writing */

neap_status json_operators_check_texts(const struct neap_problem *problem, neap_error *error) {
  neap_operator_info info = NEAP_INIT(neap_operator_info);
  for (size_t k = 0; neap_problem_operator_at(problem, k, &info); k++) {
    char excerpt[TEXT_EXCERPT];
    size_t length = strlen(info.type);
    if (text_utf8_prefix(info.type, length) != length)
      return error_set(error, NEAP_ERROR_FORMAT,
                       "JSON cannot hold type %s of operator %zu: it is not valid UTF-8",
                       text_excerpt(excerpt, info.type, length), k);
  }
  return NEAP_OK;
}

static void append_links(const struct neap_problem *problem, const char *key,
                         const size_t *buffers, size_t count, struct row *row) {
  row_string(row, key);
  for (size_t i = 0; i < count; i++) {
    if (i > 0) row_string(row, ", ");
    row_json(row, problem_name(problem, buffers[i]));
  }
  row_char(row, ']');
}

static void append_operator(const struct neap_problem *problem, const neap_operator_info *info,
                            struct row *row) {
  row_string(row, "{\"type\": ");
  row_json(row, info->type);
  if (info->name) {
    row_string(row, ", \"name\": ");
    row_json(row, info->name);
  }
  append_links(problem, ", \"reads\": [", info->reads, info->read_count, row);
  append_links(problem, ", \"makes\": [", info->makes, info->make_count, row);
  row_char(row, '}');
}

neap_status json_operators_write(const struct neap_problem *problem, struct row *row,
                                 FILE *stream, neap_error *error) {
  neap_status status = NEAP_OK;
  neap_operator_info info = NEAP_INIT(neap_operator_info);
  if (neap_problem_operator_count(problem) == 0) return status;
  row_string(row, ",\n  \"operators\": [");
  for (size_t k = 0; status == NEAP_OK && neap_problem_operator_at(problem, k, &info); k++) {
    row_string(row, k > 0 ? ",\n    " : "\n    ");
    append_operator(problem, &info, row);
    status = row_write(row, stream, error);
  }
  row_string(row, "\n  ]");
  return status;
}

/* ---------------------------------------------------------------- the schedule */

/* Reads `count` numbers below `count`, each once unless operators run again. */
static neap_status read_numbers(const struct json_at *list, size_t count, bool repeats,
                                size_t *numbers, bool *is_taken, neap_error *error) {
  neap_status status = NEAP_OK;
  for (size_t i = 0; i < count && status == NEAP_OK; i++) {
    struct json_at at = json_element(list, i);
    int64_t number = 0;
    status = json_read_number(&at, 0, &number, error);
    if (status != NEAP_OK) return status;
    if ((uint64_t)number >= count)
      return json_blame(&at, error, "expected the index of one of %zu operators", count);
    if (is_taken[number] && !repeats)
      return json_blame(&at, error, "operator %zu is listed twice", (size_t)number);
    is_taken[number] = true;
    numbers[i] = (size_t)number;
  }
  return status;
}

static neap_status read_operators(const struct json_at *list, neap_operator_order schedule,
                                  struct neap_problem *problem, neap_error *error) {
  size_t count;
  neap_status status = json_read_array(list, &count, error);
  if (status != NEAP_OK) return status;
  size_t *numbers = memory_array(count, sizeof *numbers);
  bool *is_taken = memory_array(count, sizeof *is_taken);
  status = numbers && is_taken ? read_numbers(list, count, schedule.time > schedule.time_once,
                                              numbers, is_taken, error)
                               : error_memory(error);
  schedule.given = numbers;
  schedule.count = count;
  if (status == NEAP_OK) status = neap_problem_set_order(problem, &schedule, error);
  free(numbers);
  free(is_taken);
  return status;
}

/* Reads the unit of times; NEAP_TIME_GIVEN, any unit, if the plan names none. */
static neap_status read_unit(const struct json_at *at, neap_time_unit *unit,
                             neap_error *error) {
  struct json_at named = json_member(at, "time_unit");
  char excerpt[TEXT_EXCERPT];
  const char *name;
  *unit = NEAP_TIME_GIVEN;
  if (!named.value) return NEAP_OK;
  neap_status status = json_read_string(&named, &name, error);
  if (status != NEAP_OK) return status;
  for (int u = NEAP_TIME_RUNS; u <= NEAP_TIME_WORK; u++)
    if (strcmp(name, neap_time_unit_name((neap_time_unit)u)) == 0) {
      *unit = (neap_time_unit)u;
      return NEAP_OK;
    }
  return json_blame(&named, error, "expected runs, given or work, found %s",
                    text_excerpt(excerpt, name, strlen(name)));
}

/* Reads the times of runs, of which either all or none are present. */
static neap_status read_times(const struct json_at *at, neap_operator_order *schedule,
                              neap_error *error) {
  struct json_at time = json_member(at, "time"), once = json_member(at, "time_once");
  struct json_at least = json_member(at, "least_time");
  if (!time.value && !once.value && !least.value) return NEAP_OK;
  neap_status status = json_read_number(&time, 0, &schedule->time, error);
  if (status == NEAP_OK) status = json_read_number(&once, 0, &schedule->time_once, error);
  if (status == NEAP_OK) status = json_read_number(&least, 0, &schedule->least_time, error);
  return status == NEAP_OK ? read_unit(at, &schedule->time_unit, error) : status;
}

neap_status json_schedule_read(const struct json_at *root, struct neap_problem *problem,
                               neap_error *error) {
  static const char *const keys[] = {"given_bound", "lower_bound", "time",      "time_once",
                                     "least_time",  "time_unit",   "operators", NULL};
  struct json_at at = json_member(root, "schedule");
  neap_operator_order schedule = NEAP_INIT(neap_operator_order);
  if (!at.value) return NEAP_OK;
  struct json_at given = json_member(&at, "given_bound");
  struct json_at least = json_member(&at, "lower_bound");
  struct json_at operators = json_member(&at, "operators");
  neap_status status = json_read_object(&at, keys, error);
  if (status == NEAP_OK) status = json_read_number(&given, 0, &schedule.given_bound, error);
  if (status == NEAP_OK && least.value)
    status = json_read_number(&least, 0, &schedule.lower_bound, error);
  if (status == NEAP_OK) status = read_times(&at, &schedule, error);
  return status == NEAP_OK ? read_operators(&operators, schedule, problem, error) : status;
}

void json_schedule_append(const struct neap_problem *problem, struct row *row) {
  const neap_operator_order *schedule = &problem->order;
  if (!schedule->given) return;
  row_string(row, "  \"schedule\": {\"given_bound\": ");
  row_number(row, schedule->given_bound);
  row_string(row, ", \"lower_bound\": ");
  row_number(row, schedule->lower_bound);
  if (schedule->time_once > 0) {
    row_string(row, ", \"time\": ");
    row_number(row, schedule->time);
    row_string(row, ", \"time_once\": ");
    row_number(row, schedule->time_once);
    row_string(row, ", \"least_time\": ");
    row_number(row, schedule->least_time);
    row_string(row, ", \"time_unit\": ");
    row_json(row, neap_time_unit_name(schedule->time_unit));
  }
  row_string(row, ", \"operators\": [");
  for (size_t k = 0; k < schedule->count; k++) {
    if (k > 0) row_string(row, ", ");
    row_number(row, (int64_t)schedule->given[k]);
  }
  row_string(row, "]},\n");
}

/* ---------------------------------------------------------------- tensors of the runtime */

static neap_status read_tensor(const struct json_at *at, neap_problem *problem,
                               neap_error *error) {
  static const char *const keys[] = {"name", "size", NULL};
  const char *name = NULL;
  neap_size bytes = 0;
  struct json_at text = json_member(at, "name"), size = json_member(at, "size");
  neap_status status = json_read_object(at, keys, error);
  if (status == NEAP_OK) status = json_read_string(&text, &name, error);
  if (status == NEAP_OK) status = json_read_number(&size, 0, &bytes, error);
  if (status != NEAP_OK) return status;
  status = neap_problem_add_runtime_tensor(problem, name, bytes, error);
  return status == NEAP_ERROR_INPUT ? json_place(at, status, error) : status;
}

neap_status json_runtime_read(const struct json_at *root, neap_problem *problem,
                              neap_error *error) {
  struct json_at list = json_member(root, "runtime");
  size_t count;
  if (!list.value) return NEAP_OK;
  neap_status status = json_read_array(&list, &count, error);
  for (size_t i = 0; status == NEAP_OK && i < count; i++) {
    struct json_at tensor = json_element(&list, i);
    status = read_tensor(&tensor, problem, error);
  }
  return status;
}

bool json_runtime_has_any(const neap_problem *problem) {
  neap_runtime_tensor tensor = NEAP_INIT(neap_runtime_tensor);
  return neap_problem_runtime_tensor_at(problem, 0, &tensor);
}

void json_runtime_append(const neap_problem *problem, struct row *row) {
  neap_runtime_tensor tensor = NEAP_INIT(neap_runtime_tensor);
  row_char(row, '[');
  for (size_t i = 0; neap_problem_runtime_tensor_at(problem, i, &tensor); i++) {
    row_string(row, i > 0 ? ", {\"name\": " : "{\"name\": ");
    row_json(row, tensor.name);
    row_string(row, ", \"size\": ");
    row_number(row, tensor.size);
    row_char(row, '}');
  }
  row_char(row, ']');
}
