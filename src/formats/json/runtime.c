/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/json/runtime.h"

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
