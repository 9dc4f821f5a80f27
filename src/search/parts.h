/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Problems prepared for exact search: split into independent parts, reduced to maximal sections,
 * and divided by the common divisor of their sizes.
 */
#ifndef SEARCH_PARTS_H
#define SEARCH_PARTS_H

#include "search/part.h"

/* O(n log n) time, O(n) memory.  Begin with a zeroed struct. */
neap_status parts_init(struct parts *parts, const struct neap_problem *problem,
                       neap_error *error);

/* Like parts_init, for a problem without relations whose SECTIONS_NONEMPTY are known. */
neap_status parts_init_by_sections(struct parts *parts, const struct neap_problem *problem,
                                   const struct sections *sections, neap_error *error);

/*
 * Like parts_init, with relaxed parts.  Sets *is_possible to whether all of them are simple; if
 * not, makes no parts.
 */
neap_status parts_relax(struct parts *parts, const struct neap_problem *problem,
                        bool *is_possible, neap_error *error);
void parts_clear(struct parts *parts);

#endif
