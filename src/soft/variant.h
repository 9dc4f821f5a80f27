/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A problem with some of its soft terms made hard, and no others. */
#ifndef SOFT_VARIANT_H
#define SOFT_VARIANT_H

#include "soft/net.h"

/*
 * Copies the problem of a net, buffer by buffer in the same order: its penalties with is_hard[term]
 * become separations, earlier offsets with is_hard[term] fixed offsets, and all other soft terms are
 * dropped.  NEAP_ERROR_INPUT: an earlier offset contradicts what is hard.
 */
neap_status variant_new(const struct net *net, const bool *is_hard, neap_problem **variant,
                        neap_error *error);

#endif
