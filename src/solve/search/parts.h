/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Problems prepared for exact search: split into independent parts, reduced to maximal sections,
 * and divided by the common divisor of their sizes.
 */
#ifndef SEARCH_PARTS_H
#define SEARCH_PARTS_H

#include "core/disjoint.h"
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

/* ---------------------------------------------------------------- kinship */

/*
 * The relations of a problem that tie rectangles (search/constraint_groups), before it is split
 * into parts.
 */

enum kinship_scope {
  KINSHIP_TIES, /* only relations that columns cannot express */
  KINSHIP_ALL   /* separations as well; without overlap allowances, which need not be used */
};

struct kinship {
  enum kinship_scope scope;
  struct bodies bodies;
  struct domains domains;
  struct pair_rules rules;
  /* Links by the numbers of buffers: bank separations, and separations if in scope. */
  struct tie_link *others;
  size_t other_count;
};

/* The struct need not be initialised.  Clear it in any case. */
neap_status kinship_init(struct kinship *kinship, const struct neap_problem *problem,
                         enum kinship_scope scope, neap_error *error);
void kinship_clear(struct kinship *kinship);

/* Joins the sections of tied buffers, so that these end up in one part. */
void kinship_join(const struct kinship *kinship, const struct sections *sections,
                  struct disjoint *sets);

/* Gives each part, still in bytes, its ties. */
neap_status kinship_tie(const struct kinship *kinship, const struct neap_problem *problem,
                        struct parts *parts, neap_error *error);

#endif
