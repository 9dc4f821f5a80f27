/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The means that can lower the memory of a model, with the options that allow them, in one table.
 * 'info' prints all of them with what they save.  'explain' and 'fit' print those that help, and
 * 'fit' names its steps after them.
 */
#ifndef CLI_OPTIONS_MEANS_H
#define CLI_OPTIONS_MEANS_H

#include "cli/options/arguments.h"
#include "neap/models.h"

/* Which inputs a means is for. */
enum means_inputs { MEANS_ANY, MEANS_TFLITE, MEANS_OTHER };

struct means {
  const char *key;   /* of its rung in the ladder of 'info'; NULL: it has none */
  const char *label; /* of that rung if there is no option */
  /* The option that allows it, and its value or an option that it goes with; NULL: none. */
  const char *option, *value;
  neap_kernels kernels;    /* which it needs unless others are known; or NEAP_KERNELS_DEFAULT */
  const char *step;        /* its step of 'fit', in words; NULL: it is none */
  neap_fit_means fit_step; /* which step */
  const char *assumed;     /* what 'fit' assumes without the option, in words; or NULL */
  bool is_asked_for;       /* 'fit' uses it only with the option, and looks for what it saves */
  enum means_inputs inputs;
  bool needs_kernels; /* that read and write the same bytes */
  bool adds_work;     /* the model has to compute more */
  bool is_in_models;  /* a model can express it, so bands and targets allow it */
  bool keeps_order;   /* the operators run in the given order */
};

/* Lists the means, those that cost least first; NULL past the last. */
const struct means *means_at(size_t index);

/* Whether a means is for the model that a problem was built from. */
bool means_suits(const struct means *means, const neap_problem *problem);

/* A step of 'fit' in words. */
const char *means_step(neap_fit_means step);

#define MEANS_TEXT 160 /* enough for all options */

/*
 * Changes arguments as its option on their command line would, and appends that to a text, such
 * as "--kernels elementwise --overlap".  `problem` is the one they read.  False if they have the
 * option already, with whatever value, or if their command lacks it.
 */
bool means_add(const struct means *means, const neap_problem *problem,
               struct arguments *arguments, char options[MEANS_TEXT]);

/* Appends an option to a text. */
void means_append(char options[MEANS_TEXT], const char *option);

#endif
