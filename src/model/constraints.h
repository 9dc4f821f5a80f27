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

/*
 * What a layout may break although it keeps lifetimes, alignments and fixed offsets: the first kind of
 * it that the problem has, such as "separations", and how many there are.  NULL if there is none; what
 * permits more than lifetimes do, as exclusions and overlaps, does not count.
 */
const char *constraints_beyond_time(const struct neap_problem *problem, size_t *count);

#endif
