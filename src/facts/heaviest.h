/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The heaviest clique of conflicting buffers, as a column. */
#ifndef FACTS_HEAVIEST_H
#define FACTS_HEAVIEST_H

#include "facts/sections.h"

/*
 * Appends a column of pairwise conflicting buffers if their sizes sum to more than any existing
 * column's.  The set is the heaviest in small problems, and a heavy one in larger ones.
 */
neap_status heaviest_append(struct sections *sections, const struct neap_problem *problem,
                            neap_error *error);

#endif
