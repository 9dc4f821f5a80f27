/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "schedule/costs.h"

#include <stdlib.h>

#include "core/memory.h"

bool share_uses_init(struct share_uses *uses, size_t values, size_t outputs) {
  uses->inputs = memory_array(values, sizeof *uses->inputs);
  uses->outputs = memory_array(outputs, sizeof *uses->outputs);
  return uses->inputs && uses->outputs;
}

void share_uses_clear(struct share_uses *uses) {
  free(uses->inputs);
  free(uses->outputs);
}
