/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Local search that inserts rectangles where they fit best and ejects those in the way. */
#ifndef SEARCH_EJECTION_EJECTOR_H
#define SEARCH_EJECTION_EJECTOR_H

#include "core/budget.h"
#include "search/part.h"
#include "search/verdict.h"

struct ejector;

/* Whether the part is of moderate size and has no ties. */
bool ejector_suits(const struct part *part);

/* `part` must outlive the ejector.  NULL when memory is short. */
struct ejector *ejector_new(const struct part *part, uint64_t seed);
void ejector_free(struct ejector *ejector);

/* Sets the capacity, in steps; ejects rectangles that end above it. */
void ejector_aim(struct ejector *ejector, neap_size capacity);

/*
 * Sets the capacity and starts from a layout, without rectangles that end above it or collide.
 */
void ejector_begin(struct ejector *ejector, const neap_offset *offsets, neap_size capacity);

/*
 * Makes up to `insertions` insertions.  VERDICT_FOUND when all are in; otherwise VERDICT_OPEN or
 * VERDICT_STOPPED.
 */
enum verdict ejector_run(struct ejector *ejector, uint64_t insertions, struct budget *budget);

/* After VERDICT_FOUND: the offset of each rectangle. */
const neap_offset *ejector_offsets(const struct ejector *ejector);

#endif
