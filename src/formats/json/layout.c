/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/json/layout.h"

#include "core/error.h"
#include "formats/json/live.h"
#include "formats/json/plan.h"
#include "formats/json/report.h"

/* Appends a number for each buffer, if there are any. */
#define APPEND_NUMBERS(row, key, numbers, count) \
  do {                                           \
    if (!(numbers)) break;                       \
    row_string(row, ",\n  \"" key "\": [");      \
    for (size_t i = 0; i < (count); i++) {       \
      if (i > 0) row_string(row, ", ");          \
      row_number(row, (int64_t)(numbers)[i]);    \
    }                                            \
    row_char(row, ']');                          \
  } while (0)

neap_status json_layout_write(const struct neap_plan *plan, FILE *stream, neap_error *error) {
  struct row row = {0};
  size_t count = plan->problem->count;
  row_string(&row, "{\n  \"format\": \"neap-layout\",\n  \"version\": 1,\n");
  json_plan_append_object_sizes(plan, &row);
  row_string(&row, "  \"report\": {");
  report_append(&row, plan, false);
  row_char(&row, '}');
  APPEND_NUMBERS(&row, "offsets", plan->offsets, count);
  APPEND_NUMBERS(&row, "risks", plan->risks, count);
  APPEND_NUMBERS(&row, "objects", plan->objects, count);
  APPEND_NUMBERS(&row, "pools", plan->pools, count);
  neap_status status = json_live_append(plan, &row, error);
  row_string(&row, "\n}\n");
  if (status == NEAP_OK) status = row_write(&row, stream, error);
  row_clear(&row);
  return status;
}
