/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The method that lowers the peak of a part and proves lower bounds by deciding, pair by pair,
 * which rectangle lies below, can record its proofs.  Its state is a struct orienter.
 */
#ifndef SEARCH_ORIENTING_ORIENTING_H
#define SEARCH_ORIENTING_ORIENTING_H

#include "search/method.h"

struct orienter;

/*
 * Searches only for layouts below a peak, in steps, and records all clauses in the order in
 * which they are learnt.  Propagation alone derives each clause from the clauses before it,
 * and, once the capacity is refuted, a contradiction from all of them.  Call before the first
 * step.
 */
void orienter_record(struct orienter *orienter, neap_size peak);

/*
 * The recorded clauses, one after another.  Each is a count, followed by that many pairs of
 * rectangles; in at least one of these, the first lies below the second.  Sets *count to the
 * number of words.
 */
const uint32_t *orienter_clauses(const struct orienter *orienter, size_t *count);

#endif
