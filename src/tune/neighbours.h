/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the buffers that are alive at some time of a span. */
#ifndef TUNE_NEIGHBOURS_H
#define TUNE_NEIGHBOURS_H

#include "core/max_tree.h"
#include "facts/sections.h"

/* The spans of all buffers, by first section. */
struct neighbours {
  size_t count;
  uint32_t *buffer; /* of each span */
  uint32_t *first;
  struct max_tree ends;
};

/* A growing list of buffers. */
struct buffer_list {
  uint32_t *items;
  size_t count, capacity;
};

/* O(n log n) time, O(n) memory.  False when memory is short. */
bool neighbours_init(struct neighbours *neighbours, const struct sections *sections,
                     size_t buffer_count);
void neighbours_clear(struct neighbours *neighbours);

/*
 * Appends the buffers that have a span in common with `window`, once per such span, ordered by
 * the first sections of the spans.  Stops once the list has more than `most` entries.  O(log n)
 * per buffer found.  False when memory is short.
 */
bool neighbours_find(const struct neighbours *neighbours, struct span window, size_t most,
                     struct buffer_list *found);

/* Compares two 32-bit numbers (buffers or sections) in ascending order, for qsort. */
int neighbours_by_number(const void *left, const void *right);

#endif
