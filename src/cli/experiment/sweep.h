/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A sweep: its design, the results so far, and their chart. */
#ifndef CLI_EXPERIMENT_SWEEP_H
#define CLI_EXPERIMENT_SWEEP_H

#include "cli/experiment/design.h"
#include "cli/experiment/layouts.h"
#include "cli/experiment/outcome.h"
#include "cli/options/arguments.h"

/* A row of the table. */
struct setting {
  const char *values[DESIGN_FACTORS_MAX]; /* of the options that are varied */
  int64_t bound, lower_bound, seeds;
  struct outcome outcome; /* of the first seed */
  struct statistics statistics;
};

struct sweep {
  const struct arguments *arguments;
  struct design design;
  const neap_problem *problem;
  neap_bound bound;
  struct outcome *outcomes; /* of all seeds, setting by setting */
  struct setting *settings;
  double *scratch;        /* a number per seed */
  neap_plan *best;        /* the one with the lowest peak in the setting being planned */
  struct layouts layouts; /* with --svg: of each setting, the one with the lowest peak */
  size_t done;            /* settings that are finished */
};

/* The best setting that is finished, the first of equals; sweep->done if none has a plan. */
size_t sweep_best(const struct sweep *sweep);

/*
 * Draws to --svg, if given: the layouts are below the chart.  Returns 0, or the exit code of
 * the message it has printed.
 */
int sweep_draw(struct sweep *sweep);

#endif
