/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An explanation, and the changes that it lists, in words. */
#ifndef CLI_EXPLAIN_EXPLANATION_TEXT_H
#define CLI_EXPLAIN_EXPLANATION_TEXT_H

#include <neap/neap.h>

#include "cli/options/means.h"

/* ---------------------------------------------------------------- remedies */

/*
 * Options of neap that lower the memory of a graph and take nothing from any buffer: another
 * order of operators, tensors that share bytes, and bands of rows; alone where that suffices,
 * or with a small change.
 */

#define LEVERS_MOST 8

struct remedy {
  char options[MEANS_TEXT]; /* "--schedule optimal --in-place" */
  bool needs_kernels;       /* that read and write the same bytes */
  double extra_percent;     /* additional multiply-accumulates of bands; 0: none */
  neap_size bound, peak;    /* of a verified plan with them, and with the change */
  /* The additional change that they need: the first fix of an explanation of `problem`; or NULL. */
  neap_problem *problem;
  neap_explanation *explanation;
};

struct remedies {
  struct remedy items[LEVERS_MOST];
  size_t count;
};

/* The goal: a capacity, or without one, a peak. */
struct remedies_wish {
  neap_size peak;
  neap_size cost; /* with a capacity: changes must take fewer bytes than this; otherwise 0 */
};

/*
 * Plans the graph in the operand with combinations of these options, and lists those that reach
 * the goal.  If none does, lists those that come nearest, with the smallest change.  Finds none
 * for standard input and inputs without a graph.  Clear in any case.  Returns 0, or the exit
 * code of the message it has printed.
 */
int remedies_find(struct remedies *remedies, const struct arguments *arguments,
                  const neap_problem *problem, const struct remedies_wish *wish);
void remedies_clear(struct remedies *remedies);

/* The additional change that a remedy needs; false if it needs none. */
bool remedy_fix(const struct remedy *remedy, neap_fix *fix);

/* ---------------------------------------------------------------- explanation text */

struct explained {
  const char *input;
  const neap_problem *problem;
  neap_explanation *explanation;
  bool has_looked;          /* whether changes were looked for */
  struct remedies remedies; /* options that would make it fit, or lower the peak */
};

/* Prints the explanation to standard output. */
void explanation_print(const struct explained *explained);

#define CHANGE_TEXT_SIZE 1024

/* All changes of a fix, joined by "and". */
const char *change_text_fix(char text[CHANGE_TEXT_SIZE], const neap_problem *problem,
                            const neap_fix *fix);

/* Whether the kernels that run must allow the fix. */
bool change_needs_kernels(const neap_fix *fix);

#endif
