/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One pass of a beam search for a better order of a segment. */
#ifndef SCHEDULE_BEAM_H
#define SCHEDULE_BEAM_H

#include "core/budget.h"
#include "schedule/segment.h"

struct beam_task {
  const struct segment *segment;
  neap_size limit; /* the order must have a lower peak than this */
  neap_size floor; /* other segments reach this in any case, so lower peaks are no improvement */
  size_t width;    /* >= 1: states kept per layer */
  size_t work;     /* work units available */
  struct budget *budget; /* also ends the pass, which spends no ticks */
  /* States are compared by bytes alive plus random numbers below `noise` (0: none). */
  neap_size noise;
  uint64_t seed;
};

struct beam_result {
  size_t *order; /* in the segment's numbering; NULL: no order below the limit was found */
  neap_size peak;   /* the peak of the order, or the floor if that is higher */
  bool is_complete; /* no state was dropped, so no order is better */
  size_t work;      /* units spent */
};

/* False if memory is short.  The caller releases the order with free(). */
bool beam_run(const struct beam_task *task, struct beam_result *result);

#endif
