/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a model with its plan needs of one memory or of two. */
#ifndef IO_NEEDS_H
#define IO_NEEDS_H

#include "neap-tool.h"

/* The point of a plan with this peak, without work, operators and file. */
neap_split_point needs_point(const neap_problem *problem, neap_size peak);

/* The smallest arena that a lower bound on the peak allows beside a tail, which may be 0; 0: no bound. */
neap_size needs_arena_bound(neap_size lower_bound, neap_size tail);

/* What a point needs of the first and of the second memory at a place, and how much more than there is. */
void needs_at(const neap_split_point *point, neap_fit_place place, neap_size needs[2]);
neap_size needs_missing(const neap_splitting *splitting, const neap_split_point *point,
                        neap_fit_place place);

/* The place at which least is missing, and the smallest capacity of the first memory that would do. */
neap_fit_place needs_place(const neap_splitting *splitting, const neap_split_point *point);
neap_size needs_capacity(const neap_splitting *splitting, const neap_split_point *point);

#endif
