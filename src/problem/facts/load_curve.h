/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The bytes alive in each section; bytes that buffers may share count once.  The bound is the
 * largest load of a moment; the live-size curve shows the loads of all moments.
 */
#ifndef FACTS_LOAD_CURVE_H
#define FACTS_LOAD_CURVE_H

#include "facts/pair_rules.h"
#include "facts/sections.h"

/* What a buffer adds to a load; NULL: its size. */
typedef neap_size loads_measure(const struct buffer *buffer, const void *context);

/*
 * Fills load[s] with the sum, over the buffers alive in section s, of their measure, and
 * load[sections->count] with 0; returns the largest.  O(sections + spans).
 */
neap_size loads_sum(const struct buffer *buffers, size_t count, const struct sections *sections,
                    loads_measure *measure, const void *context, neap_size *load);

/* Finds the first section with the largest sum of sizes; false if memory is short. */
bool loads_heaviest(const struct neap_problem *problem, const struct sections *sections,
                    uint32_t *section, neap_size *most);

/*
 * Fills load[s] with the sizes alive in section s less what `gaps` lets them share, and
 * load[sections->count] with 0.  No layout needs fewer bytes in that section.  O(sections +
 * spans), and for each gap the sections in which both of its buffers are alive.
 */
neap_status loads_find(const struct neap_problem *problem, const struct pair_rules *rules,
                       const struct sections *sections, neap_size *load, neap_error *error);

#endif
