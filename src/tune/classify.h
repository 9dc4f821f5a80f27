/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The classifier: which buffers a layout puts at risk of passing the bound. */
#ifndef TUNE_CLASSIFY_H
#define TUNE_CLASSIFY_H

#include "model/sections.h"

/*
 * Sets risks[i] to a neap_risk for every buffer, and counts them.  With *over* those that end
 * above `threshold` and *at* those that end at it: high is over and what overlaps over in time;
 * medium is at and what overlaps at, less high; low is what overlaps high or medium, less
 * these; none is the rest.  Every buffer is placed; `sections` are SECTIONS_ALL.  O(n +
 * sections).
 */
neap_status classify(const struct neap_problem *problem, const struct sections *sections,
                     const neap_offset *offsets, neap_size threshold, unsigned char *risks,
                     size_t counts[NEAP_RISK_COUNT], neap_error *error);

#endif
