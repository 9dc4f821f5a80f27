/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A part of a problem that can be searched by itself (search/parts), in units of its sizes. */
#ifndef SEARCH_PART_H
#define SEARCH_PART_H

#include "core/checked.h"
#include "facts/sections.h"
#include "search/constraint_groups.h"

/*
 * A set of buffers of at least one byte whose lifetimes are connected; the search calls them
 * rectangles.  Sizes, alignments and offsets are in units of `unit` bytes.
 *
 * A column is a set of rectangles of which no two may collide, and a layout is sound when no
 * column holds a collision.  The columns of a part are the maximal sections of its time, and
 * columns of separated buffers, numbered from 0, so each rectangle covers a few runs of them.
 */
struct part {
  size_t count;
  void *arrays;         /* the block of the next six */
  size_t *buffer;       /* the rectangle's number in the problem */
  neap_size *size;      /* >= 1 */
  neap_size *alignment; /* >= 1 */
  neap_offset *fixed;   /* or NEAP_UNPLACED */
  struct span *spans;   /* runs of columns, those of rectangle 0 first */
  size_t *spans_end;    /* where each rectangle's spans end */
  struct ties *ties;    /* relations of rectangles that columns cannot express, or NULL */
  uint32_t column_count;
  neap_size unit;
  /*
   * If sizes were rounded up to whole units: the rounding per rectangle, in steps; otherwise
   * NULL.  A unit has `steps` steps, and peaks and capacities are in steps, because the padding
   * of the topmost rectangle does not count.
   */
  neap_size *padding;
  neap_size steps;
  neap_size lower_bound; /* of the peak in steps, from facts/bound */
  neap_size extent;      /* in steps; an upper bound of all layouts that searches build */
  bool has_gaps;         /* some rectangle has several spans */
  /* No rectangle has several spans; and with ties, none is fixed and all alignments are 1. */
  bool is_simple;
  bool is_unaligned; /* all alignments are 1 */
  /*
   * Columns express lifetimes only, and ties hold all relations, including separations.  Such a
   * part can be simple although it has ties; its search finds layouts but proves nothing.
   */
  bool is_relaxed;
};

struct parts {
  struct part *items;
  size_t count;
};

/* Allocates the arrays of a zeroed part.  False when memory is short; clear it in any case. */
bool part_allocate(struct part *part, size_t count, size_t span_count);
void part_clear(struct part *part);

/*
 * Completes a part in bytes whose rectangles, columns and ties are known: divides it by the
 * common divisor of its sizes, rounds sizes up to the alignment, and sets the lower bound, the
 * extent and what kind of part it is.
 */
neap_status part_finish(struct part *part, neap_error *error);

/* A step in bytes. */
static inline neap_size part_step(const struct part *part) { return part->unit / part->steps; }

/*
 * A capacity in whole units.  A rectangle may end there only if its padding is at least the
 * reserve.
 */
struct part_capacity {
  neap_size units, reserve;
};

static inline struct part_capacity part_capacity(const struct part *part, neap_size capacity) {
  neap_size units = capacity / part->steps + (capacity % part->steps != 0);
  return (struct part_capacity){units, units * part->steps - capacity};
}

static inline neap_size part_padding(const struct part *part, size_t item) {
  return part->padding ? part->padding[item] : 0;
}

/* The end of a rectangle at an offset in units: in steps, without padding. */
static inline neap_size part_end(const struct part *part, size_t item, neap_offset offset) {
  return (offset + part->size[item]) * part->steps - part_padding(part, item);
}

/* The peak of a layout, in steps. */
static inline neap_size part_peak(const struct part *part, const neap_offset *offsets) {
  neap_size peak = 0;
  for (size_t i = 0; i < part->count; i++)
    if (part_end(part, i, offsets[i]) > peak) peak = part_end(part, i, offsets[i]);
  return peak;
}

/* Whether some rectangle is fixed. */
static inline bool part_is_fixed(const struct part *part) {
  for (size_t i = 0; i < part->count; i++)
    if (part->fixed[i] != NEAP_UNPLACED) return true;
  return false;
}

/* Whether alignments differ or some rectangle is fixed. */
static inline bool part_is_constrained(const struct part *part) {
  return !part->is_unaligned || part_is_fixed(part);
}

/* Lists the fixed rectangles by ascending offset; returns their number. */
uint32_t part_list_fixed(const struct part *part, uint32_t *items);

/*
 * Per column, the sum of the sizes of all fixed rectangles, or of all others.  Each rectangle
 * has one span.
 */
void part_add_up(const struct part *part, bool is_fixed, neap_size *sums);

static inline size_t part_spans_begin(const struct part *part, size_t item) {
  return item == 0 ? 0 : part->spans_end[item - 1];
}

static inline bool part_is_in(const struct part *part, size_t item, uint32_t column) {
  return spans_contain(part->spans + part_spans_begin(part, item),
                       part->spans + part->spans_end[item], column);
}

/* The runs of columns that two rectangles share. */
static inline struct common part_common(const struct part *part, size_t first, size_t second) {
  return (struct common){
      part->spans + part_spans_begin(part, first), part->spans + part->spans_end[first],
      part->spans + part_spans_begin(part, second), part->spans + part->spans_end[second]};
}

/* Whether two rectangles share a column. */
static inline bool part_meet(const struct part *part, size_t first, size_t second) {
  struct common common = part_common(part, first, second);
  struct span run;
  return common_next(&common, &run);
}

/* The columns from the first to the last, including gaps. */
static inline struct span part_hull(const struct part *part, size_t item) {
  return (struct span){part->spans[part_spans_begin(part, item)].first,
                       part->spans[part->spans_end[item] - 1].end};
}

#endif
