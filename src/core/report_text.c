/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What people read in reports and pictures: gaps and stop reasons. */
#include <math.h>
#include <stdio.h>

#include "core/text.h"
#include "neap-tool.h"

const char *neap_stop_reason_text(neap_stop_reason reason) {
  static const char *const names[] = {
      [NEAP_STOP_BOUND] = "bound reached",
      [NEAP_STOP_PROVEN] = "proven lower bound reached",
      [NEAP_STOP_FIXED_POINT] = "converged: an order repeated",
      [NEAP_STOP_ITERATION_CAP] = "round limit reached",
      [NEAP_STOP_TIME_LIMIT] = "time limit reached",
      [NEAP_STOP_TICK_LIMIT] = "work limit reached",
      [NEAP_STOP_CANCELLED] = "interrupted",
      [NEAP_STOP_CAPACITY] = "capacity met",
      [NEAP_STOP_COMPLETE] = "engine finished",
      [NEAP_STOP_RUNTIME] = "the runtime places some buffers higher",
      [NEAP_STOP_INCOMPLETE] = "bound reached, but parts of the model are left out",
  };
  return TEXT_OF(names, reason, "unknown reason");
}

/* With integers only, since printf uses the locale's decimal point. */
const char *neap_gap_text(double gap_percent, char text[NEAP_GAP_TEXT]) {
  char whole[TEXT_GROUPED];
  if (!(gap_percent > 0)) snprintf(text, NEAP_GAP_TEXT, "0 %%");
  else if (gap_percent < 0.01) snprintf(text, NEAP_GAP_TEXT, "<0.01 %%");
  else if (gap_percent > 1e6) snprintf(text, NEAP_GAP_TEXT, ">1,000,000 %%");
  else {
    int hundredths = (int)llround(gap_percent * 100);
    text_grouped(whole, (uint64_t)hundredths / 100);
    snprintf(text, NEAP_GAP_TEXT, "%.15s.%02d %%", whole, hundredths % 100);
  }
  return text;
}
