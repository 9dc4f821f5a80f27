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
#include "neap/neap.h"

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
  uint64_t disabled;   /* rules, methods (method_rules_without) and neighbourhoods to skip */
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
  uint64_t improved; /* groups for which a lower layout was found */
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

/* ---------------------------------------------------------------- refuted groups */

/* Remembers, until the layout changes, which groups an exact search has refuted. */

#define REFUTED_GROUPS 1024

struct refuted_groups {
  struct refuted_group {
    uint64_t hash, version;
    neap_size target;
  } entries[REFUTED_GROUPS];
  uint64_t version; /* of the layout, from 1 */
};

void refuted_groups_init(struct refuted_groups *groups);

/* Forgets all groups, because the layout has changed. */
void refuted_groups_forget(struct refuted_groups *groups);

/* Records a proof that the members (ascending) cannot all end at or below `target`. */
void refuted_groups_add(struct refuted_groups *groups, const uint32_t *members, size_t count,
                        neap_size target);

/*
 * The highest target refuted for a group, or -1 if none is remembered.  Groups are identified
 * by 64-bit hashes, so use the answer only to choose what to try next, never as a proof.
 */
neap_size refuted_groups_target(const struct refuted_groups *groups, const uint32_t *members,
                                size_t count);

/* ---------------------------------------------------------------- global search */

/* Searches for lower layouts of all buffers at once, which helps where groups do not. */

struct global_task {
  const struct neap_problem *problem;
  const struct sections *sections; /* SECTIONS_ALL */
  struct budget *budget;
  neap_size bound;   /* the peak cannot, or need not, be below this */
  uint64_t disabled; /* see method_rules_without */
  uint64_t seed;
  uint64_t variant; /* different variants search in different orders from the start */
};

/* The searches: with sizes as they are, and with sizes rounded up to the alignments. */
enum global_kind { GLOBAL_PLAIN, GLOBAL_ROUNDED, GLOBAL_SEARCHES };

struct global_search;

/* The task's pointers must stay valid as long as the result.  NULL when memory is short. */
struct global_search *global_search_new(const struct global_task *task);
void global_search_free(struct global_search *global);

/* Whether the search has targets left to try. */
bool global_search_can_go_on(const struct global_search *global, enum global_kind search);

/*
 * Makes one restart of a search, from a sound layout, which becomes lower or stays as it is.
 * The search must have something left to try.  NEAP_NO_PLAN when the budget is spent;
 * NEAP_ERROR_MEMORY.
 */
neap_status global_search_step(struct global_search *global, enum global_kind search,
                               neap_offset *layout, neap_error *error);

/* The best lower bound proven, at least the task's bound. */
neap_size global_search_lower_bound(const struct global_search *global);

#endif
