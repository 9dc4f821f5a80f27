/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A lower bound from chains of overlap allowances. */
#ifndef FACTS_OVERLAP_CHAINS_H
#define FACTS_OVERLAP_CHAINS_H

#include "facts/pair_rules.h"
#include "facts/sections.h"

/*
 * Raises *least, a lower bound on the peak in one arena, to what chains of overlap allowances
 * force.  O(n + gaps) time for each of at most 63 heights, and memory.
 */
neap_status overlap_chains_raise(const struct neap_problem *problem,
                                 const struct pair_rules *rules,
                                 const struct sections *sections, neap_size *least,
                                 neap_error *error);

#endif
