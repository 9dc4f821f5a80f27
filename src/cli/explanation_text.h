/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An explanation in words. */
#ifndef CLI_EXPLANATION_TEXT_H
#define CLI_EXPLANATION_TEXT_H

#include "cli/levers.h"

struct explained {
  const char *input;
  const neap_problem *problem;
  neap_explanation *explanation;
  bool has_looked; /* for changes */
  struct levers levers; /* options that would make it fit, or lower the peak */
};

/* Prints it to standard output. */
void explanation_print(const struct explained *explained);

#endif
