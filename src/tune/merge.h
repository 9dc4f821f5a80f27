/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The merger: high, medium, low, none, each in the order it has in `order`. */
#ifndef TUNE_MERGE_H
#define TUNE_MERGE_H

#include <gsl/gsl_permutation.h>

#include "neap/neap.h"

/*
 * Writes to `merged` (another permutation of the same size) the buffers of `order` by
 * descending risk, stable.  O(n).
 */
void merge_by_risk(const gsl_permutation *order, const unsigned char *risks,
                   const size_t counts[NEAP_RISK_COUNT], gsl_permutation *merged);

#endif
