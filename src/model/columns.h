/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Turns sections of time into columns that also know separations, exclusions and colocations. */
#ifndef MODEL_COLUMNS_H
#define MODEL_COLUMNS_H

#include "model/sections.h"

/*
 * Splits sections in which some buffers may share bytes although both are alive, and appends
 * columns for separated buffers, so that afterwards two buffers of at least one byte conflict
 * exactly if they share a column.  Needs the relations of a problem; changes nothing without any
 * of these kinds.
 */
neap_status columns_relate(struct sections *sections, const struct neap_problem *problem,
                           neap_error *error);

#endif
