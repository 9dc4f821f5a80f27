/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Turns a problem in which colocated buffers share bytes into one in which none do.  Each run
 * of bytes that is covered by the same buffers becomes one buffer, which is alive while any of
 * them is.
 */
#ifndef FACTS_FLATTEN_H
#define FACTS_FLATTEN_H

#include "model/problem.h"

/*
 * Creates the flat problem, for its bounds only: every plan of `problem` has at least the peak
 * that the flat problem needs.  It has no names, hints, fixed offsets or limits; of the relations,
 * it has only overlap allowances.  *flat is NULL if no colocated buffers share bytes, or other
 * constraints forbid it: exclusions, pools, or overlap allowances of colocated buffers.
 * O(n log n) for n buffers, ranges and pairs of a member of a body and a run of its bytes.
 */
neap_status flatten_init(neap_problem **flat, const neap_problem *problem, neap_error *error);

#endif
