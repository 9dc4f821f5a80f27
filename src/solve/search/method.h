/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A method searches a part for layouts within a capacity, or proves that there are none.  Each
 * method is a constant descriptor in a file of its own, and METHOD_TABLE lists them all.
 * The portfolio (search/portfolio) gives them turns.
 */
#ifndef SEARCH_METHOD_H
#define SEARCH_METHOD_H

#include "core/budget.h"
#include "search/part.h"
#include "search/rules.h"
#include "search/verdict.h"

/* The input for creating a method. */
struct method_task {
  const struct part *part; /* must outlive the method */
  struct rules rules;
  uint64_t seed;
  uint64_t turns;   /* of a search before this one; their rankings are not tried again */
  uint64_t variant; /* racing searches have different ones, and search in different orders */
};

/* A seed that differs between variants. */
static inline uint64_t method_seed(const struct method_task *task) {
  return task->seed + task->variant * UINT64_C(0x9e3779b97f4a7c15);
}

/* The task of a method in its turn. */
struct turn {
  neap_size capacity; /* in steps, like the goal */
  neap_size goal;     /* the capacity wanted in the end; may be higher than `capacity` */
  uint64_t number;    /* turns of all methods for this capacity so far */
  uint64_t change;    /* how often the capacity has changed, including the first one */
};

/* What a method has found out so far. */
struct findings {
  /*
   * After VERDICT_FOUND: the offset of each rectangle, in units.  If the peak is known, they are
   * always those of the lowest layout, which may be above the capacity.
   */
  const neap_offset *offsets;
  neap_size peak;   /* in steps; NEAP_MAX: unknown */
  neap_size proven; /* a lower bound, in steps */
};

/* When a method's share of the work differs; the first case that applies counts. */
enum share_case {
  SHARE_TIED,    /* relations tie rectangles together */
  SHARE_EARLY,   /* a small part, for which the method has not yet worked long */
  SHARE_SMALL,   /* a small part: depth-first search often proves that there is no layout */
  SHARE_STUCK,   /* fixed rectangles, and long work without success */
  SHARE_FIXED,   /* fixed rectangles */
  SHARE_LEADING, /* the method's layout is the lowest of those of all local searches */
  SHARE_ALIGNED, /* alignments differ */
  SHARE_USUAL,
  SHARE_CASES
};

/* The share of the work that a method gets. */
struct share {
  uint64_t every;     /* takes each turn whose number is a multiple; 0: turns depend on ticks */
  bool is_of_finders; /* `ratio` counts from the work of all methods that look for layouts */
  uint64_t from;      /* the least work of the others before the method starts, in ticks */
  uint64_t from_each; /* the same, per rectangle, in SHARE_ALIGNED; 0: as `from` */
  double ratio[SHARE_CASES]; /* to the work of the boards; 0: the case is not distinguished */
};

struct method {
  const char *name;
  const char *summary; /* for help */
  struct share share;
  bool finds_layouts;   /* the others only refute */
  bool proves_bounds;   /* the others at most refute the capacity */
  bool is_droppable;    /* the search continues without it if memory is short */
  bool is_local_search; /* lowers a layout step by step */

  /*
   * Sets *state, which is NULL before, unless the method cannot help the part.  The state
   * begins with a struct findings.  False when memory is short; free the state in any case.
   */
  bool (*create)(const struct method_task *task, void **state);
  void (*free)(void *state); /* NULL-safe */

  /*
   * Searches for a while: a restart, a beam, a number of moves.  Each call searches longer than
   * the last.  After VERDICT_MEMORY, the next step starts over, except for droppable methods.
   */
  enum verdict (*step)(void *state, const struct turn *turn, struct budget *budget);

  /* ---------------- Optional: NULL if the method does not support it. */

  /* Offers a layout, in units, which must remain valid until the next one. */
  void (*guide)(void *state, const neap_offset *offsets);

  /* Whether further turns would be in vain. */
  bool (*is_done)(const void *state);

  /* The ticks that count as its work, if not all do. */
  uint64_t (*work)(const void *state);
};

/*
 * The table, by descending precedence.  The last method, the boards, can always continue.
 */
#define METHOD_TABLE(ROW) \
  ROW(boundaries)         \
  ROW(coarsening) ROW(disjunctive) ROW(ejection) ROW(restacking) ROW(beams) ROW(boards)

#define METHOD_DECLARE(name) extern const struct method method_##name;
METHOD_TABLE(METHOD_DECLARE)

#define METHODS_MOST 16
extern const struct method *const methods[];
extern const size_t method_count;

/* Lists the rules and methods that can be disabled: all but the boards. */
bool method_rule_at(size_t index, const char **name, const char **summary);
size_t method_rule_count(void);

/* All rules and methods except those in a set, which has a bit per index; ignores further bits. */
struct rules method_rules_without(uint64_t set);

/* A method's bit in rules.disabled. */
uint32_t method_bit(const struct method *method);

#endif
