/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Problems and solutions of dsa-solver, in version 1 of its JSON schema.
 *
 * A problem document has pools, buffers, constraints, an optional cost model and an objective.  A
 * solution names the problem by a *fingerprint*: the 64-bit FNV-1a hash, in hexadecimal, of the
 * problem document as dsa-solver itself prints it (canonical.h).
 *
 *     pools                 pools; a single one without a capacity is the arena without a name
 *     separations           separations; their reasons are joined with ", "
 *     temporal_exclusions   exclusions, except where they have no effect: in a separated pair, within
 *                           a class of colocated buffers, and of a buffer pinned for all time
 *     colocations           colocations.  dsa-solver treats a class of colocated buffers as one
 *                           allocation of the largest size, so all members get that size.
 *     pinned_allocations    a fixed offset and a list of one pool; if it is exclusive for all time,
 *                           the buffer is alive throughout
 *     reuse_penalties       reuse penalties, except within a class of colocated buffers
 *     objective             the order of terms: capacities are always kept, total_peak and max_peak
 *                           are both the peak, and bank_cost, which is always 0, is ignored
 *
 * Times are shifted if the earliest is negative.
 */
#ifndef FORMATS_DSA_DSA_H
#define FORMATS_DSA_DSA_H

#include "model/problem.h"
#include "neap/neap-io.h"

/* Whether a text is JSON whose first telling key is one of dsa-solver's. */
bool dsa_is(const char *text, size_t size, const neap_reading *reading);

neap_status dsa_problem_read(char *text, size_t size, const neap_reading *reading,
                             neap_problem **problem, neap_error *error);

neap_status dsa_problem_write(const struct neap_problem *problem, FILE *stream,
                              neap_error *error);

/* Writes a solution.  If the problem was not read from a document, it is for dsa_problem_write's. */
neap_status dsa_plan_write(const neap_plan *plan, FILE *stream, neap_error *error);

#endif
