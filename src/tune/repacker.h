/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lowers a layout: takes out groups and searches for lower layouts of them in the room they
 * leave.
 */
#ifndef TUNE_REPACKER_H
#define TUNE_REPACKER_H

#include "core/budget.h"
#include "core/random.h"
#include "facts/sections.h"
#include "model/moves.h"

/* Neighbourhoods of a layout, and in the tuner, of an order. */
enum neighbourhood {
  NEIGHBOURHOOD_GROUPS,
  NEIGHBOURHOOD_EVERYTHING,
  NEIGHBOURHOOD_WHOLE,
  NEIGHBOURHOOD_ROUNDED,
  NEIGHBOURHOOD_ORDERS,
  NEIGHBOURHOODS
};

/* Whether a set has the neighbourhood, whose bit follows those of the rules and methods. */
bool neighbourhood_is_in(uint64_t set, enum neighbourhood neighbourhood);

struct repacker_task {
  const struct neap_problem *problem;
  const struct sections *sections; /* SECTIONS_ALL */
  struct random *random;
  struct budget *budget;
  struct moves *moves; /* records the groups taken out; NULL: no record */
  neap_size bound;     /* the peak cannot, or need not, be below this */
  size_t group_size;   /* of the first groups, >= 1 */
  uint64_t seed;       /* for the searches over all buffers */
  uint64_t variant;    /* of these searches: different variants search in different orders */
  uint64_t disabled;   /* what is not used: see method_rules_without; also neighbourhoods */
  neap_offset *layout; /* of all buffers, sound; it changes only to become lower */
};

struct repacker;

/* The task's pointers must stay valid as long as the repacker.  NULL when memory is short. */
struct repacker *repacker_new(const struct repacker_task *task);
void repacker_free(struct repacker *repacker);

/* Call this after changing the layout. */
void repacker_refresh(struct repacker *repacker);

struct repacked {
  uint64_t groups;   /* groups taken out */
  uint64_t improved; /* those for which a lower layout was found */
  bool is_final;     /* proven: no layout has a lower peak */
};

/*
 * Takes out up to `groups` groups, one after another, and puts each back either lower or as
 * before.  Stops once the peak is at the bound.  The layout is sound whatever the status.
 * NEAP_NO_PLAN when the budget is spent; NEAP_ERROR_MEMORY.
 */
neap_status repacker_run(struct repacker *repacker, uint64_t groups, struct repacked *repacked,
                         neap_error *error);

/* The best lower bound proven so far. */
neap_size repacker_lower_bound(const struct repacker *repacker);

#endif
