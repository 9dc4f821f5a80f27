/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/experiment/lines.h"

#include <stdlib.h>
#include <string.h>

bool lines_init(struct lines *lines, const double *x, size_t x_count, size_t most) {
  *lines = (struct lines){.x_count = x_count,
                          .x = calloc(x_count + 1, sizeof *lines->x),
                          .series = calloc(most + 1, sizeof *lines->series),
                          .bands = calloc(most + 1, sizeof *lines->bands),
                          .values = calloc(3 * most * x_count + 1, sizeof *lines->values)};
  if (!lines->x || !lines->series || !lines->bands || !lines->values) return false;
  memcpy(lines->x, x, x_count * sizeof *x);
  return true;
}

void lines_clear(struct lines *lines) {
  free(lines->x);
  free(lines->series);
  free(lines->bands);
  free(lines->values);
}

struct line lines_add(struct lines *lines, const char *name) {
  double *values = lines->values + 3 * lines->count * lines->x_count;
  struct line line = {values, values + lines->x_count, values + 2 * lines->x_count};
  lines->series[lines->count] = (neap_series){name, values, false};
  lines->bands[lines->count++] = (neap_band){line.low, line.high};
  return line;
}

void lines_add_reference(struct lines *lines, const char *name, double value) {
  struct line line = lines_add(lines, name);
  lines->series[lines->count - 1].is_reference = true;
  lines->bands[lines->count - 1] = (neap_band){NULL, NULL};
  for (size_t i = 0; i < lines->x_count; i++)
    line.values[i] = value;
}
