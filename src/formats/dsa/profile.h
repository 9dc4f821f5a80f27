/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a document can hold of a problem, and the most special profile that permits it. */
#ifndef FORMATS_DSA_PROFILE_H
#define FORMATS_DSA_PROFILE_H

#include "formats/dsa/names.h"
#include "model/problem.h"
#include "neap/relations.h"

/* NEAP_ERROR_FORMAT names what a document cannot hold. */
neap_status profile_check(const struct neap_problem *problem, neap_error *error);

enum profile profile_of(const struct neap_problem *problem);

/* The terms of the objective in a document of this profile; returns their number. */
size_t profile_terms(const struct neap_problem *problem, enum profile profile,
                     enum metric terms[METRIC_COUNT]);

/* Whether some buffer may be in several pools. */
bool profile_has_choices(const struct neap_problem *problem);

/*
 * The order of neap's terms that stands for a document's metrics.  Spilled bytes are no metric, so
 * they come after those; they keep their usual place, the first, where no buffer has a choice.
 */
void profile_order(const enum metric *metrics, size_t count, bool has_choices,
                   neap_term order[NEAP_TERM_COUNT]);

#endif
