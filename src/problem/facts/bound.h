/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lower bounds on the peak of any layout. */
#ifndef FACTS_BOUND_H
#define FACTS_BOUND_H

#include "core/budget.h"
#include "facts/pair_rules.h"
#include "facts/sections.h"

/* Like neap_problem_bound, within a budget; NEAP_NO_PLAN if relations take longer than that. */
neap_status bound_within(const struct neap_problem *problem, struct budget *budget,
                         neap_bound *bound, neap_error *error);

/*
 * Finds the bounds of a problem without relations, whose nonempty buffers have the spans in
 * `sections`.
 */
neap_status bound_by_sections(const struct neap_problem *problem,
                              const struct sections *sections, neap_bound *bound,
                              neap_error *error);

/*
 * Raises *lower_bound to the height that the alignments force on the buffers of some section.
 * `sections` holds the spans of `buffers`, which need no ranges.  The sum of all sizes and
 * alignments, plus the highest fixed end, fits into a neap_size.  O(n log n) time, O(n) memory.
 */
neap_status bound_raise_by_alignment(const struct buffer *buffers, size_t count,
                                     const struct sections *sections, neap_size *lower_bound,
                                     neap_error *error);

/* ---------------------------------------------------------------- overlap chains */

/* A lower bound from chains of overlap allowances. */

/*
 * Raises *least, a lower bound on the peak in one arena, to what chains of overlap allowances
 * force.  O(n + gaps) time for each of at most 63 heights, and memory.
 */
neap_status overlap_chains_raise(const struct neap_problem *problem,
                                 const struct pair_rules *rules,
                                 const struct sections *sections, neap_size *least,
                                 neap_error *error);

#endif
