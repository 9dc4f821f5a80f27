/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Plans with many settings of options, one after another, until a signal arrives: either one
 * problem in this process, or files, each in a process of its own with limited time and memory.
 */
#ifndef CLI_EXPERIMENT_RUN_H
#define CLI_EXPERIMENT_RUN_H

#include <neap/neap-io.h>

#include "cli/experiment/outcome.h"
#include "cli/options/arguments.h"

#define TRIAL_LABEL 384

/* The parts of a run that are not options. */
struct trial {
  char label[TRIAL_LABEL]; /* for the status line, where its progress follows */
  const char *path;        /* of the file to plan, in a process of its own */
};

struct experiment {
  const struct arguments *arguments; /* the options of runs are set in `planning` */
  const neap_problem *problem;       /* NULL: files are planned */
  double patience;                   /* seconds until the process of a file is killed */
  size_t count;                      /* of runs */
  bool keeps_stopped; /* a run that a signal stops counts, with the best plan so far */
  /* Functions return 0, or the exit code of the message they have printed. */
  int (*prepare)(void *user, size_t run, struct trial *trial);
  /*
   * Takes ownership of the plan, which is NULL if there is none, and always for files.
   * `failure` is why there is none, or NULL.
   */
  int (*keep)(void *user, size_t run, const struct outcome *outcome, neap_plan *plan,
              const neap_error *failure);
  void *user;
  size_t done; /* runs that are kept */
};

/* Performs the runs.  Returns like the functions above. */
int experiment_run(struct experiment *experiment);

#endif
