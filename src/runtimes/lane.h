/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The lives of the tensors in one shared object: intervals that never overlap, by time. */
#ifndef RUNTIMES_LANE_H
#define RUNTIMES_LANE_H

#include "runtimes/records.h"

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
 * How far a record is from its nearest neighbour in the lane, at least 1; LANE_OVERLAP when it
 * overlaps one.  The lane is not empty.
 */
neap_time lane_distance(const struct lane *lane, const struct record *record);

/* Adds a record that overlaps none; false when memory is short. */
bool lane_add(struct lane *lane, const struct record *record);

#endif
