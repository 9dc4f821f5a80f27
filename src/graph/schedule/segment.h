/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A run of operators in an order, with its own numbering of operators and values, for searches
 * that reorder only this run.
 */
#ifndef SCHEDULE_SEGMENT_H
#define SCHEDULE_SEGMENT_H

#include "schedule/costs.h"

struct segment {
  size_t count;
  const size_t *order; /* the operators' numbers in the costs, in the current order */
  struct costs_lists befores, afters; /* per operator */
  struct costs_lists inputs;          /* per operator: values that it reads and that can end here */
  struct costs_lists readers;         /* per value: the operators in the segment that read it */
  struct shares shares; /* per operator: the shares whose inputs can end in the segment */
  neap_size *sizes;     /* per value */
  size_t *makers;       /* per value: an operator here, or COSTS_NONE if it is made before */
  size_t value_count, output_count;
  bool mixes_shares;         /* as in the costs */
  neap_size *made, *dropped; /* per operator */
  neap_size at_start;        /* bytes alive before the first operator */
  neap_size unread;          /* of at_start: the bytes that end with the first operator */
};

/*
 * Makes a segment of order[begin] .. order[end - 1].  `live` bytes are alive before it, and
 * left[v] operators at or after `begin` read value v.  `local` is scratch space for one number
 * per value, `place` for one per operator.
 */
bool segment_init(struct segment *segment, const struct costs *costs, const size_t *order,
                  size_t begin, size_t end, neap_size live, const size_t *left, size_t *local,
                  size_t *place);
/*
 * Makes a segment of all operators in an order, which must outlive it.  False if memory is
 * short; clear even then.
 */
bool segment_init_whole(struct segment *segment, const struct costs *costs,
                        const size_t *order);
void segment_clear(struct segment *segment);

/*
 * Rearranges the `count` operators at `order` into `local`, an order in the segment's
 * numbering.  `scratch` has room for `count` numbers.
 */
void segment_reorder(size_t *order, size_t count, const size_t *local, size_t *scratch);

#endif
