/* SPDX-License-Identifier: GPL-3.0-or-later */
/* TensorFlow Lite Micro's GreedyMemoryPlanner (doc/tflm-greedy.md). */
#ifndef RUNTIMES_TFLM_GREEDY_H
#define RUNTIMES_TFLM_GREEDY_H

#include "core/budget.h"
#include "facts/usage_records.h"

/*
 * Sets the offsets of records, which are in the order in which the runtime requests them, and the
 * end of the highest. Sizes are rounded up to `alignment`, 16 in the runtime. NEAP_ERROR_INPUT: a
 * record is malformed, or an end exceeds NEAP_MAX; NEAP_NO_PLAN: the budget is spent. O(n^2).
 */
neap_status tflm_greedy(const struct records *records, neap_size alignment,
                        neap_offset *offsets, neap_size *total, struct budget *budget,
                        neap_error *error);

#endif
