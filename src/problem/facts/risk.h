/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The classifier: which buffers of a layout are at risk of exceeding the bound. */
#ifndef FACTS_RISK_H
#define FACTS_RISK_H

#include "facts/sections.h"
#include "neap/planner.h"

/*
 * Sets risks[i] to a neap_risk for every buffer and counts each risk.  Let *over* be the buffers
 * that end above `threshold`, and *at* those that end at it.  High: *over*, and all buffers that
 * overlap a buffer of *over* in time.  Medium: *at*, and all buffers that overlap a buffer of
 * *at*, unless they are high.  Low: all other buffers that overlap a high or medium buffer.  None:
 * all other buffers.  Every buffer is placed; `sections` are SECTIONS_ALL.  O(n + sections).
 */
neap_status risk_classify(const struct neap_problem *problem, const struct sections *sections,
                          const neap_offset *offsets, neap_size threshold, unsigned char *risks,
                          size_t counts[NEAP_RISK_COUNT], neap_error *error);

#endif
