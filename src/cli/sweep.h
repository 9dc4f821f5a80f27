/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A sweep: its design, and the results so far. */
#ifndef CLI_SWEEP_H
#define CLI_SWEEP_H

#include <neap/neap-io.h>

#include "cli/arguments.h"
#include "cli/sweep_design.h"
#include "cli/sweep_layouts.h"
#include "cli/sweep_statistics.h"

struct sweep {
  const struct arguments *arguments;
  struct design design;
  const neap_problem *problem;
  neap_bound bound;
  struct outcome *outcomes;      /* of all seeds, setting by setting */
  struct statistics *statistics; /* one per setting */
  struct layouts layouts;        /* with --svg: the one with the lowest peak of each setting */
  size_t done;                   /* settings that are finished */
};

/* The outcomes of a setting. */
static inline const struct outcome *sweep_outcomes(const struct sweep *sweep, size_t setting) {
  return &sweep->outcomes[setting * sweep->design.seed_count];
}

#endif
