/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Turns sections of time into columns, which also reflect separations, exclusions and
 * colocations.
 */
#ifndef FACTS_COLUMNS_H
#define FACTS_COLUMNS_H

#include "core/budget.h"
#include "facts/sections.h"

/*
 * Divides time into sections, splits those whose buffers may share bytes although they are alive
 * together, and appends columns for separated buffers.  Afterwards, two buffers of at least one byte
 * conflict exactly if they share a column.  Without relations, columns are sections.
 */
neap_status columns_init(struct sections *sections, const struct neap_problem *problem,
                         enum sections_scope scope, neap_error *error);

/* Like columns_init, within a budget; NEAP_NO_PLAN at its end, if relations take longer. */
neap_status columns_init_within(struct sections *sections, const struct neap_problem *problem,
                                enum sections_scope scope, struct budget *budget,
                                neap_error *error);

#endif
