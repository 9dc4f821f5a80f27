/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The inside of a placer, for the placement rules. */
#ifndef PLACE_STATE_H
#define PLACE_STATE_H

#include "place/container.h"
#include "place/placer.h"
#include "place/waiting.h"

struct put {
  size_t buffer;
  neap_size peak_before;
};

struct placer {
  const struct neap_problem *problem;
  const struct sections *sections;
  const struct place_rule *rule;
  struct budget *budget;
  struct container container;
  struct waiting waiting; /* all zero unless the rule needs it */
  struct view view;       /* the bytes taken during the life of the buffer being placed */
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
