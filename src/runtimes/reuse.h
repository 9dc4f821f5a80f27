/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The cheapest way to pass memory on: every record reuses the memory of at most one earlier
 * record, and at most one later record reuses its own. A record pays for the bytes that its
 * source lacks.
 */
#ifndef RUNTIMES_REUSE_H
#define RUNTIMES_REUSE_H

#include "core/budget.h"
#include "facts/records.h"

#define REUSE_NONE UINT32_MAX

/*
 * Sets source[i] to the record whose memory record i reuses, or to REUSE_NONE, so that the
 * total cost is minimal. The cost of a record is max(0, size - size of its source), or its size
 * without a source. Records must be ordered by first task. NEAP_NO_PLAN if the budget is spent.
 */
neap_status reuse_cheapest(const struct records *records, uint32_t *source,
                           struct budget *budget, neap_error *error);

#endif
