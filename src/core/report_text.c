/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What people read in reports and pictures: gaps and stop reasons. */
#include <math.h>
#include <stdio.h>

#include "core/text.h"
#include "neap-tool.h"

const char *neap_stop_reason_text(neap_stop_reason reason) {
  switch (reason) {
  case NEAP_STOP_BOUND:
    return "bound reached";
  case NEAP_STOP_PROVEN:
    return "proven lower bound reached";
  case NEAP_STOP_FIXED_POINT:
    return "converged: an order repeated";
  case NEAP_STOP_ITERATION_CAP:
    return "round limit reached";
  case NEAP_STOP_TIME_LIMIT:
    return "time limit reached";
  case NEAP_STOP_TICK_LIMIT:
    return "work limit reached";
  case NEAP_STOP_CANCELLED:
    return "interrupted";
  case NEAP_STOP_CAPACITY:
    return "capacity met";
  case NEAP_STOP_COMPLETE:
    return "engine finished";
  case NEAP_STOP_RUNTIME:
    return "the runtime places some buffers higher";
  case NEAP_STOP_INCOMPLETE:
    return "bound reached, but parts of the model are left out";
  }
  return "unknown reason";
}

/* With integers only, since printf uses the locale's decimal point. */
const char *neap_gap_text(double gap_percent, char text[NEAP_GAP_TEXT]) {
  char whole[TEXT_GROUPED];
  if (!(gap_percent > 0)) {
    snprintf(text, NEAP_GAP_TEXT, "0 %%");
  } else if (gap_percent < 0.01) {
    snprintf(text, NEAP_GAP_TEXT, "<0.01 %%");
  } else if (gap_percent > 1e6) {
    snprintf(text, NEAP_GAP_TEXT, ">1,000,000 %%");
  } else {
    int hundredths = (int)llround(gap_percent * 100);
    text_grouped(whole, (uint64_t)hundredths / 100);
    snprintf(text, NEAP_GAP_TEXT, "%.15s.%02d %%", whole, hundredths % 100);
  }
  return text;
}
