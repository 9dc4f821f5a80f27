/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Changes that make a problem fit. */
#ifndef EXPLAIN_FIXES_H
#define EXPLAIN_FIXES_H

#include "explain/oracle.h"
#include "explain/spanning.h"
#include "neap/proof.h"

struct fixes_task {
  const struct neap_problem *problem;
  neap_size capacity; /* to fit into; -1: that of the pools */
  /* Without a capacity: the peak to get below; otherwise NEAP_UNPLACED. */
  neap_size peak;
  neap_size least;     /* the fewest bytes by which one buffer alone can help, >= 1 */
  const size_t *focus; /* the buffers to change, the most promising first */
  size_t focus_count;
  neap_range when; /* proven: no lifetime that still covers all of this helps; or 0, 0 */
  struct spanning spanning; /* pairs to change if no single buffer helps; or none */
  bool sizes_only; /* proven: alignments, offsets, limits and reserved bytes do not matter */
  size_t limit;    /* of the list */
};

struct fixes {
  neap_fix *items; /* sorted, the cheapest first */
  size_t count, capacity;
};

/* Finds fixes as long as the oracle's stage lasts.  Clear in any case. */
neap_status fixes_find(struct fixes *fixes, const struct fixes_task *task,
                       struct oracle *oracle, neap_error *error);

/* Adds a fix that has been verified; fixes_sort puts it in its place. */
neap_status fixes_add(struct fixes *fixes, const neap_fix *fix, neap_error *error);
void fixes_sort(struct fixes *fixes, bool by_peak);
void fixes_clear(struct fixes *fixes);

#endif
