/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Splitting of models in memory, for fit.c. */
#ifndef IO_SPLIT_H
#define IO_SPLIT_H

#include "neap-tool.h"
#include "neap/neap-io.h"

/*
 * Like neap_split_model, with a model in memory, which it takes and releases with free().  If nothing fits the
 * capacity, the report says so, and it is no error.
 */
neap_status split_bytes(char *text, size_t size, const neap_reading *reading,
                        const neap_splitting *splitting, neap_split **split,
                        neap_error *error);

/* Copies a reading, NULL for none, and lists what the runtime needs; `target` is for readings without one. */
neap_status split_copy_reading(const neap_reading *given, const char *target,
                               neap_reading *reading, neap_error *error);

/* Options for planning with this much work; NULL if memory is short. */
neap_options *split_options(uint64_t ticks, neap_error *error);

/* Replaces a model by one with the plan, whose operators are in the order of the plan. */
neap_status split_reorder(const neap_plan *plan, char **text, size_t *size, neap_error *error);

/* Looks for the smallest arena or the lowest peak, after nothing was found that fits. */
neap_status split_shrink(neap_split *split, neap_error *error);

/* The point of a plan with this peak, without work, operators and file. */
neap_split_point split_point_of(const neap_problem *problem, neap_size peak);

/* The smallest arena that a lower bound on the peak allows beside a tail; 0: no bound. */
neap_size split_arena_bound(neap_size lower_bound, neap_size tail);

/* What a point needs of the first and of the second memory at a place, and how much more than there is. */
void split_needs(const neap_split_point *point, neap_fit_place place, neap_size needs[2]);
neap_size split_missing(const neap_splitting *splitting, const neap_split_point *point,
                        neap_fit_place place);

/* The place at which least is missing, and the smallest capacity of the first memory that would do. */
neap_fit_place split_place(const neap_splitting *splitting, const neap_split_point *point);
neap_size split_need(const neap_splitting *splitting, const neap_split_point *point);

#endif
