/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An explanation, and the changes that it lists, in words. */
#ifndef CLI_EXPLAIN_EXPLANATION_TEXT_H
#define CLI_EXPLAIN_EXPLANATION_TEXT_H

#include <neap/neap.h>

#include "cli/explain/levers.h"

struct explained {
  const char *input;
  const neap_problem *problem;
  neap_explanation *explanation;
  bool has_looked;      /* for changes */
  struct levers levers; /* options that would make it fit, or lower the peak */
};

/* Prints it to standard output. */
void explanation_print(const struct explained *explained);

#define CHANGE_TEXT_SIZE 1024

/* All changes of a fix, joined by "and". */
const char *change_text_fix(char text[CHANGE_TEXT_SIZE], const neap_problem *problem,
                            const neap_fix *fix);

/* Whether the kernels that run must allow it. */
bool change_needs_kernels(const neap_fix *fix);

#endif
