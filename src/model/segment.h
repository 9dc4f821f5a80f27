/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A run of operators in an order, as a search for a better order of just them wants it.  What is
 * before and after stays; operators and tensors are numbered within it.
 */
#ifndef MODEL_SEGMENT_H
#define MODEL_SEGMENT_H

#include "model/schedule.h"

struct segment {
  size_t count;
  const size_t *order; /* the operators' numbers in the schedule, in the order so far */
  struct schedule_lists befores, afters; /* of each operator */
  struct schedule_lists inputs;          /* of each operator: tensors that end in the segment */
  struct schedule_lists readers;         /* of each tensor: the operators that read it here */
  neap_size *sizes;                      /* of each tensor */
  neap_size *made, *dropped;             /* by each operator */
  neap_size at_start, peak; /* live before the first, and the peak of the order so far */
};

/*
 * Of order[begin] .. order[end - 1].  `live` bytes are alive before, and left[t] operators from
 * there on read tensor t.  `local` and `place` have room for a number per tensor and operator.
 */
bool segment_init(struct segment *segment, const struct schedule *schedule, const size_t *order,
                  size_t begin, size_t end, neap_size live, const size_t *left, size_t *local,
                  size_t *place);
void segment_clear(struct segment *segment);

#endif
