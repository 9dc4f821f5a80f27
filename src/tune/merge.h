/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The merger: orders buffers by risk, and buffers of equal risk as in the given order. */
#ifndef TUNE_MERGE_H
#define TUNE_MERGE_H

#include <gsl/gsl_permutation.h>

#include "neap/planner.h"

/*
 * Writes the buffers of `order` to `merged`, another permutation of the same size, by
 * descending risk. Stable. O(n).
 */
void merge_by_risk(const gsl_permutation *order, const unsigned char *risks,
                   const size_t counts[NEAP_RISK_COUNT], gsl_permutation *merged);

#endif
