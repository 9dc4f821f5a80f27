/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/json/layout.h"

#include <stdlib.h>

#include "core/error.h"
#include "core/memory.h"
#include "formats/json/live.h"
#include "formats/json/packed.h"
#include "formats/json/plan.h"
#include "formats/json/report.h"

static void append_line(const char *key, const uint64_t *numbers, size_t count,
                        struct row *row) {
  row_string(row, ",\n  ");
  packed_append_member(key, numbers, count, row);
}

static void append_buffers(const struct neap_plan *plan, uint64_t *numbers, struct row *row) {
  size_t count = plan->problem->count;
  for (size_t i = 0; i < count; i++)
    numbers[i] = packed_fold(plan->offsets[i] - (i > 0 ? plan->offsets[i - 1] : 0));
  append_line("offsets", numbers, count, row);
  for (size_t i = 0; i < count; i++)
    numbers[i] = (uint64_t)plan->risks[i];
  append_line("risks", numbers, count, row);
  for (size_t i = 0; plan->objects && i < count; i++)
    numbers[i] = plan->objects[i];
  if (plan->objects) append_line("objects", numbers, count, row);
  for (size_t i = 0; plan->pools && i < count; i++)
    numbers[i] = plan->pools[i];
  if (plan->pools) append_line("pools", numbers, count, row);
}

neap_status json_layout_write(const struct neap_plan *plan, FILE *stream, neap_error *error) {
  struct row row = {0};
  uint64_t *numbers = memory_array(plan->problem->count, sizeof *numbers);
  if (!numbers) return error_memory(error);
  row_string(&row, "{\n  \"format\": \"neap-layout\",\n  \"version\": 1,\n");
  json_plan_append_object_sizes(plan, &row);
  row_string(&row, "  \"report\": {");
  report_append(&row, plan, false);
  row_char(&row, '}');
  append_buffers(plan, numbers, &row);
  neap_status status = json_live_append(plan, &row, error);
  row_string(&row, "\n}\n");
  if (status == NEAP_OK) status = row_write(&row, stream, error);
  row_clear(&row);
  free(numbers);
  return status;
}
