/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The inside of a placer, for the placement rules. */
#ifndef PLACE_STATE_H
#define PLACE_STATE_H

#include "place/container.h"
#include "place/limiter.h"
#include "place/waiting.h"

struct put {
  size_t buffer;
  neap_size peak_before;
};

/* Buffers with fixed offsets leave no room for buffers colocated with them. */
#define STUCK_ON_FIXED SIZE_MAX

struct placer {
  const struct neap_problem *problem;
  const struct sections *sections;
  const struct place_rule *rule;
  struct budget *budget;
  struct container container;
  struct waiting waiting; /* all zero unless the rule needs it */
  neap_offset *ends;      /* the ends of the buffers met, if the rule needs them */
  size_t end_capacity;
  struct view view;       /* the bytes taken during the life of the buffer being placed */
  bool is_limited;        /* the problem needs the limiter */
  struct limiter limiter; /* all zero unless is_limited */
  /*
   * Buffers that had no offset left in an earlier attempt, the newest last.  They are placed
   * first, from the end.
   */
  size_t *urgent;
  size_t urgent_count, urgent_capacity;
  bool is_stuck;   /* a buffer placed before the order has no offset */
  size_t stuck_on; /* that buffer, or STUCK_ON_FIXED */
  neap_offset *offsets;
  struct put *puts; /* all placements, in order */
  size_t put_count;
  neap_size peak;
};

/* The rules. */
neap_offset lowest_choose(struct placer *placer, size_t buffer);
neap_offset drop_choose(struct placer *placer, size_t buffer);
neap_offset tight_choose(struct placer *placer, size_t buffer);
neap_offset best_fit_choose(struct placer *placer, size_t buffer);

#endif
