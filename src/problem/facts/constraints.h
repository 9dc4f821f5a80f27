/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether a problem has constraints beyond sizes and lifetimes. */
#ifndef FACTS_CONSTRAINTS_H
#define FACTS_CONSTRAINTS_H

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

/*
 * Names the first kind of constraint that a layout may break even if it respects lifetimes,
 * alignments and fixed offsets, such as "separations", and counts the constraints of that kind.
 * NULL if there is none; relations that only permit more, such as exclusions and overlaps, do
 * not count.
 */
const char *constraints_beyond_time(const struct neap_problem *problem, size_t *count);

/* Like constraints_beyond_time, but ignores relations between two buffers. */
const char *constraints_limits(const struct neap_problem *problem, size_t *count);

#endif
