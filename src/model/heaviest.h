/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The heaviest clique of conflicting buffers, as a column. */
#ifndef MODEL_HEAVIEST_H
#define MODEL_HEAVIEST_H

#include "model/sections.h"

/*
 * Appends a column of buffers of which each two share a column, if their sizes add up to more than in
 * any column that is there.  Finds the heaviest such set in small problems, and a heavy one in others.
 */
neap_status heaviest_append(struct sections *sections, const struct neap_problem *problem,
                            neap_error *error);

#endif
