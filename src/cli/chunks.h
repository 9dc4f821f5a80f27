/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Planning in as few pools of one size as possible. */
#ifndef CLI_CHUNKS_H
#define CLI_CHUNKS_H

#include <neap/neap.h>

#include "cli/run.h"

struct chunks {
  neap_problem *problem; /* without pools at first; it gets them */
  neap_size bytes;       /* the capacity of each */
  size_t count;          /* of pools, once planned */
  size_t least;          /* proven: fewer do not suffice */
};

/*
 * Refuses a problem that has pools or a buffer above the size of a chunk.  Returns 0, or the exit
 * code of the message it has printed.
 */
int chunks_begin(struct chunks *chunks, const char *source);

/* Plans like run_planner, with more and more pools until everything fits. */
neap_status chunks_plan(struct chunks *chunks, struct run *run, neap_plan **plan,
                        neap_error *error);

#endif
