/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/json/schedule.h"

#include <stdlib.h>

#include "core/error.h"
#include "core/memory.h"

/* Reads a permutation of the numbers below `count`. */
static neap_status read_numbers(const struct json_at *list, size_t count, size_t *numbers,
                                bool *is_taken, neap_error *error) {
  neap_status status = NEAP_OK;
  for (size_t i = 0; i < count && status == NEAP_OK; i++) {
    struct json_at at = json_element(list, i);
    int64_t number = 0;
    status = json_read_number(&at, 0, &number, error);
    if (status != NEAP_OK) return status;
    if ((uint64_t)number >= count)
      return json_blame(&at, error, "expected the index of one of %zu operators", count);
    if (is_taken[number])
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
  status = numbers && is_taken ? read_numbers(list, count, numbers, is_taken, error)
                               : error_memory(error);
  schedule.given = numbers;
  schedule.count = count;
  if (status == NEAP_OK) status = neap_problem_set_order(problem, &schedule, error);
  free(numbers);
  free(is_taken);
  return status;
}

neap_status json_schedule_read(const struct json_at *root, struct neap_problem *problem,
                               neap_error *error) {
  static const char *const keys[] = {"given_bound", "lower_bound", "operators", NULL};
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
  return status == NEAP_OK ? read_operators(&operators, schedule, problem, error) : status;
}

void json_schedule_append(const struct neap_problem *problem, struct row *row) {
  const neap_operator_order *schedule = &problem->order;
  if (!schedule->given) return;
  row_string(row, "  \"schedule\": {\"given_bound\": ");
  row_number(row, schedule->given_bound);
  row_string(row, ", \"lower_bound\": ");
  row_number(row, schedule->lower_bound);
  row_string(row, ", \"operators\": [");
  for (size_t k = 0; k < schedule->count; k++) {
    if (k > 0) row_string(row, ", ");
    row_number(row, (int64_t)schedule->given[k]);
  }
  row_string(row, "]},\n");
}
