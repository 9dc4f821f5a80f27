/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Turns sections of time into columns, which also reflect separations, exclusions and
 * colocations.
 */
#ifndef FACTS_COLUMNS_H
#define FACTS_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/budget.h"
#include "facts/sections.h"

/*
 * Divides time into sections, splits those whose buffers may share bytes although they are
 * alive together, and appends columns for separated buffers.  Afterwards, two buffers of at
 * least one byte conflict exactly if they share a column.  Without relations, columns are
 * sections.
 */
neap_status columns_init(struct sections *sections, const struct neap_problem *problem,
                         enum sections_scope scope, neap_error *error);

/* Like columns_init, within a budget; NEAP_NO_PLAN if relations take longer than that. */
neap_status columns_init_within(struct sections *sections, const struct neap_problem *problem,
                                enum sections_scope scope, struct budget *budget,
                                neap_error *error);

/* ---------------------------------------------------------------- heaviest */

/* The heaviest clique of conflicting buffers, as a column. */

/*
 * Appends a column of pairwise conflicting buffers if their sizes sum to more than any existing
 * column's.  The set is the heaviest in small problems, and a heavy one in larger ones.
 */
neap_status heaviest_append(struct sections *sections, const struct neap_problem *problem,
                            neap_error *error);

/* For qsort_r with a problem: the numbers (uint32_t) of its buffers, larger ones first. */
int columns_larger_first(const void *left, const void *right, void *problem);

/* ---------------------------------------------------------------- pairs */

/* Pairs of buffers, which can be looked up by either buffer. */

struct pair {
  uint32_t first, second;
};

struct pairs {
  size_t *begin;    /* per buffer and one more: where its partners begin in `others` */
  uint32_t *others; /* per buffer ascending, each once */
};

/*
 * Indexes a list of pairs of the buffers 0 to buffer_count - 1, in either order and with
 * repetitions.  False when memory is short; clear it in any case.  O(n + pairs log pairs).
 */
bool pairs_init(struct pairs *pairs, size_t buffer_count, const struct pair *list,
                size_t count);
void pairs_clear(struct pairs *pairs);

/* Whether two buffers are a pair.  O(log n). */
bool pairs_has(const struct pairs *pairs, uint32_t first, uint32_t second);

#endif
