/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/json_schedule.h"

#include <stdlib.h>

#include "core/error.h"
#include "core/memory.h"

/* Every number below the count, once. */
static neap_status read_numbers(const struct json_at *list, size_t count, size_t *numbers,
                                bool *is_taken, neap_error *error) {
  neap_status status = NEAP_OK;
  for (size_t i = 0; i < count && status == NEAP_OK; i++) {
    struct json_at at = json_element(list, i);
    int64_t number = 0;
    status = json_read_number(&at, 0, &number, error);
    if (status != NEAP_OK) return status;
    if ((uint64_t)number >= count)
      return json_blame(&at, error, "expected the number of one of %zu operators", count);
    if (is_taken[number]) return json_blame(&at, error, "this operator was there before");
    is_taken[number] = true;
    numbers[i] = (size_t)number;
  }
  return status;
}

static neap_status read_operators(const struct json_at *list, neap_size bound,
                                  struct neap_problem *problem, neap_error *error) {
  size_t count;
  neap_status status = json_read_array(list, &count, error);
  if (status != NEAP_OK) return status;
  size_t *numbers = memory_array(count, sizeof *numbers);
  bool *is_taken = memory_array(count, sizeof *is_taken);
  status = numbers && is_taken ? read_numbers(list, count, numbers, is_taken, error)
                               : error_memory(error);
  if (status == NEAP_OK) status = problem_set_schedule(problem, numbers, count, bound, error);
  free(numbers);
  free(is_taken);
  return status;
}

neap_status json_schedule_read(const struct json_at *root, struct neap_problem *problem,
                               neap_error *error) {
  static const char *const keys[] = {"given_bound", "operators", NULL};
  struct json_at schedule = json_member(root, "schedule");
  int64_t bound = 0;
  if (!schedule.value) return NEAP_OK;
  struct json_at given = json_member(&schedule, "given_bound");
  struct json_at operators = json_member(&schedule, "operators");
  neap_status status = json_read_object(&schedule, keys, error);
  if (status == NEAP_OK) status = json_read_number(&given, 0, &bound, error);
  return status == NEAP_OK ? read_operators(&operators, bound, problem, error) : status;
}

void json_schedule_append(const struct neap_problem *problem, struct row *row) {
  const struct problem_schedule *schedule = &problem->schedule;
  if (!schedule->given) return;
  row_string(row, "  \"schedule\": {\"given_bound\": ");
  row_number(row, schedule->given_bound);
  row_string(row, ", \"operators\": [");
  for (size_t k = 0; k < schedule->count; k++) {
    if (k > 0) row_string(row, ", ");
    row_number(row, (int64_t)schedule->given[k]);
  }
  row_string(row, "]},\n");
}
