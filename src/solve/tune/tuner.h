/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The iterative tuner: sorts and places all buffers, then lowers the peak round by round. */
#ifndef TUNE_TUNER_H
#define TUNE_TUNER_H

#include "neap/planner.h"
#include "order/spec.h"
#include "place/placer.h"
#include "tune/group.h"
#include "tune/rearrange.h"

struct tuner_settings {
  struct order_spec order;
  bool tries_presets;           /* also try the preset orders (order/spec) */
  const neap_offset *incumbent; /* a sound layout to start from, or NULL */
  const struct place_rule *rule;
  const struct rearranger *rearranger;
  struct grouping grouping;
  uint64_t max_rounds;       /* >= 1; 1: only the first layout */
  uint64_t max_group_rounds; /* >= 1 */
  uint64_t disabled;         /* the set of option disable */
  uint64_t seed;
  neap_size bound;  /* the peak cannot, or need not, be below this */
  bool keeps_moves; /* rounds list the groups that a repacker takes out */
};

struct tuner;

/* Lists what option disable can turn off: rules and methods, and then neighbourhoods. */
bool tuner_part_at(size_t index, const char **name, const char **summary);

/* `problem` and `budget` must outlive the tuner. */
neap_status tuner_new(struct tuner **tuner, const struct neap_problem *problem,
                      const struct tuner_settings *settings, struct budget *budget,
                      neap_error *error);
void tuner_free(struct tuner *tuner);

/*
 * Does the next round, or only a part of it; then *has_round is false.  Sets *stop if it was
 * the last, and *reason to NEAP_STOP_BOUND, _PROVEN, _FIXED_POINT or _ITERATION_CAP.
 * NEAP_NO_PLAN if the budget is spent during the round, which then does not count; a round of
 * groups counts if it has found a better layout than all earlier ones.  The round's moves are
 * valid until the next step.
 */
neap_status tuner_step(struct tuner *tuner, neap_round *round, bool *has_round, bool *stop,
                       neap_stop_reason *reason, neap_error *error);

/* With a rearranger that repacks: adopts a sound layout found elsewhere, if it is better. */
void tuner_adopt(struct tuner *tuner, const neap_offset *offsets);

/*
 * The offsets of the best round so far (facts/excess.h), the earliest among equals; NULL before
 * the first round.
 */
const neap_offset *tuner_best(const struct tuner *tuner);

/* The offsets of the last round; valid until the next. */
const neap_offset *tuner_layout(const struct tuner *tuner);

/* The best lower bound proven so far, at least the bound in the settings. */
neap_size tuner_lower_bound(const struct tuner *tuner);

#endif
