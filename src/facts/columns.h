/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Turns sections of time into columns, which also reflect separations, exclusions and
 * colocations.
 */
#ifndef FACTS_COLUMNS_H
#define FACTS_COLUMNS_H

#include "facts/sections.h"

/*
 * Splits sections whose buffers may share bytes although they are alive together, and appends
 * columns for separated buffers.  Afterwards, two buffers of at least one byte conflict exactly
 * if they share a column.  Needs the problem's relations; without relations of these kinds,
 * nothing changes.
 */
neap_status columns_relate(struct sections *sections, const struct neap_problem *problem,
                           neap_error *error);

#endif
