/* SPDX-License-Identifier: GPL-3.0-or-later */
/* When a run improved: the moments at which its peak, excess area or lower bound changed. */
#ifndef ENGINE_TIMELINE_H
#define ENGINE_TIMELINE_H

#include "neap/neap.h"

/* Initialise the struct with zeroes. */
struct timeline {
  neap_moment *moments;
  size_t count, capacity;
};

/*
 * Adds a moment if it is the first or the last, or better than the previous one.  False if memory
 * runs out.
 */
bool timeline_add(struct timeline *timeline, const neap_moment *now, bool is_last);

void timeline_clear(struct timeline *timeline);

#endif
