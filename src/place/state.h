/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The inside of a placer, for the placement rules. */
#ifndef PLACE_STATE_H
#define PLACE_STATE_H

#include "place/container.h"
#include "place/limiter.h"
#include "place/placer.h"
#include "place/waiting.h"

struct put {
  size_t buffer;
  neap_size peak_before;
};

/* The buffers with fixed offsets leave no room for those colocated with them. */
#define STUCK_ON_FIXED SIZE_MAX

struct placer {
  const struct neap_problem *problem;
  const struct sections *sections;
  const struct place_rule *rule;
  struct budget *budget;
  struct container container;
  struct waiting waiting; /* all zero unless the rule needs it */
  neap_offset *ends;      /* of the buffers that it has met, if the rule needs it */
  size_t end_capacity;
  struct view view;       /* the bytes taken during the life of the buffer being placed */
  bool is_limited;        /* the problem has what the limiter knows */
  struct limiter limiter; /* all zero unless it is limited */
  /* Buffers that once had no offset left, the newest last: they are placed first, from the end. */
  size_t *urgent;
  size_t urgent_count, urgent_capacity;
  bool is_stuck;   /* one that goes first has no offset */
  size_t stuck_on; /* that one, or STUCK_ON_FIXED */
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
