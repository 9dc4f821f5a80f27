/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How much lies over each task: weights added over whole lives, and the most of any task. */
#ifndef RUNTIMES_DEPTH_H
#define RUNTIMES_DEPTH_H

#include "runtimes/records.h"

struct depth {
  const struct records *records;
  neap_time *starts; /* the distinct first tasks, ascending: more begins to live nowhere else */
  size_t count;
  size_t leaves;   /* a power of two */
  neap_size *most; /* of a tree over the starts: the most below a node, without what is above */
  neap_size *added; /* to all below a node */
};

/* `records` outlives it.  On failure, when memory is short, it is cleared. */
bool depth_init(struct depth *depth, const struct records *records);
void depth_clear(struct depth *depth);

/* Adds a weight over the life of a record.  O(log n). */
void depth_add(struct depth *depth, size_t record, neap_size weight);

/* The most over any task; 0 where there is none. */
neap_size depth_most(const struct depth *depth);

/* The weight over the start of this number. */
neap_size depth_at(const struct depth *depth, size_t start);

#endif
