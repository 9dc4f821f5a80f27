/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Layouts around the buffers that the runtime places itself. */
#ifndef ENGINE_SURROUND_H
#define ENGINE_SURROUND_H

#include "core/budget.h"
#include "engine/option_table.h"
#include "model/problem.h"

struct surrounding {
  const struct neap_problem *problem;
  const struct neap_options *options; /* seed and engine of the searches */
  struct budget *budget;              /* at its end, what was found stays */
  neap_size goal;                     /* a peak that is low enough */
};

/*
 * Places the buffers that the runtime places itself as it will, and improves the layout of the others
 * until its peak is at most `goal`.  Nothing changes if there are no such buffers.
 */
neap_status surround(const struct surrounding *surrounding, neap_offset *offsets,
                     neap_error *error);

#endif
