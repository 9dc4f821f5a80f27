/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The lifetimes of the tensors in one shared object: disjoint intervals, ordered by time. */
#ifndef RUNTIMES_LANE_H
#define RUNTIMES_LANE_H

#include "facts/usage_records.h"

/* Begin with a zeroed struct. */
struct lane {
  struct life {
    neap_time first, last;
  } * lives;
  size_t count, capacity;
};

void lane_clear(struct lane *lane);

#define LANE_OVERLAP NEAP_MAX

/*
 * The distance in time from a record to its nearest neighbour in the lane, at least 1, or
 * LANE_OVERLAP if the record overlaps a neighbour. The lane must not be empty.
 */
neap_time lane_distance(const struct lane *lane, const struct record *record);

/* Adds a record that overlaps no other; false when memory is short. */
bool lane_add(struct lane *lane, const struct record *record);

#endif
