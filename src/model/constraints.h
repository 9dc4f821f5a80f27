/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether a problem has constraints beyond sizes and lifetimes. */
#ifndef MODEL_CONSTRAINTS_H
#define MODEL_CONSTRAINTS_H

#include "model/problem.h"

/*
 * Whether alignment can leave bytes unused. It cannot if every alignment divides every size,
 * because then all sums of sizes are aligned: scaled down by the common divisor of the sizes,
 * this is a problem without alignment. Float tensors aligned to their elements are the usual
 * case.  O(n).
 */
bool constraints_align(const struct neap_problem *problem);

/* Whether there are fixed offsets, buffers with several lifetimes, or alignments that matter. */
bool constraints_any(const struct neap_problem *problem);

#endif
