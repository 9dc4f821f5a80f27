/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Formats gaps, with integers only, since printf uses the locale's decimal point. */
#include <math.h>
#include <stdio.h>

#include "core/text.h"
#include "neap/neap.h"

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
