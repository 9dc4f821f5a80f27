/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Problems made ready for exact search: independent parts, maximal sections, the common divisor
 * taken out.
 */
#ifndef SEARCH_PART_H
#define SEARCH_PART_H

#include "model/sections.h"

/*
 * Buffers that hold a byte and hang together in time.  Sizes, alignments, fixed offsets and all
 * offsets found count in units of `unit` bytes; sections are numbered from 0 within the part.
 */
struct part {
  size_t count;
  size_t *buffer;       /* of each: its number in the problem */
  neap_size *size;      /* >= 1 */
  neap_size *alignment; /* >= 1 */
  neap_offset *fixed;   /* or NEAP_UNPLACED */
  struct span *spans;   /* one after the other's */
  size_t *spans_end;
  uint32_t section_count;
  neap_size unit;
  neap_size lower_bound; /* of the peak: the largest sum alive, and the highest fixed end */
  neap_size extent;      /* no layout that a search builds reaches higher */
  bool has_gaps;         /* somebody has several spans */
  bool is_simple;        /* nobody has, nothing is fixed, all alignments are 1 */
  bool is_rounded; /* sizes are rounded up to whole units: a peak of k units is one of more than
                      k - 1 */
};

struct parts {
  struct part *items;
  size_t count;
};

/* O(n log n) time, O(n) memory.  Begin with a zeroed struct. */
neap_status parts_init(struct parts *parts, const struct neap_problem *problem,
                       neap_error *error);
void parts_clear(struct parts *parts);

/* A peak in bytes that is proven where `peak` units are. */
static inline neap_size part_bytes(const struct part *part, neap_size peak) {
  return part->is_rounded && peak > 0 ? (peak - 1) * part->unit + 1 : peak * part->unit;
}

static inline size_t part_spans_begin(const struct part *part, size_t item) {
  return item == 0 ? 0 : part->spans_end[item - 1];
}

/* First section and end of last, gaps included. */
static inline struct span part_hull(const struct part *part, size_t item) {
  return (struct span){part->spans[part_spans_begin(part, item)].first,
                       part->spans[part->spans_end[item] - 1].end};
}

#endif
