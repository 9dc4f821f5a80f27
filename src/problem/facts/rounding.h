/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A problem with rounded sizes, in which alignment leaves no byte unused: the size of every
 * buffer is a multiple of all alignments.  Each of its layouts is also a layout of the original
 * problem.  Since all sums of sizes are aligned, it can be searched as if there were no
 * alignment.
 */
#ifndef FACTS_ROUNDING_H
#define FACTS_ROUNDING_H

#include "model/problem.h"

struct rounding {
  struct neap_problem problem; /* shares everything but its buffers with the original */
};

enum rounding_outcome {
  ROUNDING_MADE,
  ROUNDING_USELESS, /* all sizes are multiples already, or the rounded ones are too large */
  ROUNDING_MEMORY
};

/* `original` must outlive the rounding.  Sizes of buffers with fixed offsets stay as they are. */
enum rounding_outcome rounding_init(struct rounding *rounding,
                                    const struct neap_problem *original);
void rounding_clear(struct rounding *rounding);

#endif
