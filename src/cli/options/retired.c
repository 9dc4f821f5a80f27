/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/options/retired.h"

#include <stddef.h>
#include <string.h>

#include "cli/output/messages.h"

struct row {
  const char *option, *value; /* without a value: with any, and with none */
  const char *instead;
};

static const struct row rows[] = {
    {"kernels", "reference", "--kernels tflm-reference"},
    {"kernels", "python", "--kernels tflm-python"},
    {"kernels", "esp-nn",
     "--scratch FILE with what its kernels request, which neap does not know"},
    {"overlap", "tflite-reference", "--overlap"},
    {"overlap", "tflite", "--overlap, a flag; --kernels names the kernels"},
    {"overlap", "elementwise", "--kernels elementwise --overlap"},
    {"convergence", NULL, "neap sweep --svg FILE"},
    {"lowest-peak", NULL, "--goal peak"},
    {"max-macs", NULL, "--max-work"},
    {"max-time-factor", NULL, "--max-time"},
    {"near", NULL, "--previous"},
    {"start", NULL, "--previous"},
    {"library", NULL, "bench/recheck.py in the source"},
    {"merge", NULL, "examples/fleet/merge.py in the source"},
    {"overlap", "none", "--kernels without --overlap"},
};

int retired_refuse(const char *option, const char *value) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const struct row *row = &rows[i];
    if (strcmp(row->option, option) != 0 ||
        (row->value && (!value || strcmp(row->value, value) != 0)))
      continue;
    return message_usage("--%s%s%s: use %s", row->option, row->value ? " " : "",
                         row->value ? row->value : "", row->instead);
  }
  return 0;
}
