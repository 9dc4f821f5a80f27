/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The cheapest way to hand memory on: every record takes the memory of at most one earlier record
 * and is taken from by at most one later record; what its source lacks has to be paid for.
 */
#ifndef RUNTIMES_REUSE_H
#define RUNTIMES_REUSE_H

#include "runtimes/records.h"

#define REUSE_NONE UINT32_MAX

/*
 * Sets source[i] to the record whose memory record i takes, or to REUSE_NONE; the sum over all
 * records of max(0, size - size of the source), without a source size, is the lowest there is.
 * Records by first task.  NEAP_NO_PLAN when the budget ends.
 */
neap_status reuse_cheapest(const struct records *records, uint32_t *source,
                           struct budget *budget, neap_error *error);

#endif
