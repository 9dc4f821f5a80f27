/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The inside of a placer, for the placement rules. */
#ifndef PLACE_STATE_H
#define PLACE_STATE_H

#include "core/index_set.h"
#include "facts/bodies.h"
#include "facts/domain.h"
#include "facts/relation_index.h"
#include "facts/sections.h"
#include "place/container.h"

/* ---------------------------------------------------------------- limiter */

/*
 * The limits on the offsets of buffers besides the bytes taken: domains (facts/domain), bodies
 * of colocated buffers, which are placed as a whole, and banks that two buffers must not share.
 */

/* Where buffers lie so far. */
struct placed {
  const struct sections *sections;
  const struct container *container;
  const neap_offset *offsets;
};

/* A buffer to be placed: by itself, or as a member of its body. */
struct seat {
  size_t buffer;
  neap_offset inner; /* its offset in its body */
  struct domain domain;
  struct view view;
  /* The banks closed to this buffer, as the holes of a domain. */
  struct hole *closed;
  size_t closed_count, closed_capacity;
};

struct limiter {
  const struct neap_problem *problem;
  struct domains domains;
  struct bodies bodies;
  struct relation_index banks; /* separations by banks */
  struct seat
      *seats; /* as many as the largest body has members; only those in use have values */
  size_t seat_count;
  size_t seat_capacity;
};

/* Whether a problem has any constraint that needs a limiter. */
bool limiter_is_needed(const struct neap_problem *problem);

neap_status limiter_init(struct limiter *limiter, const struct neap_problem *problem,
                         neap_error *error);
void limiter_clear(struct limiter *limiter);

/* Whether anything besides alignment and taken bytes limits the offset of a buffer. */
bool limiter_concerns(const struct limiter *limiter, size_t buffer);

/*
 * Fills the seats for a buffer and all buffers colocated with it, none of which is placed.
 * False if memory is short.
 */
bool limiter_sit(struct limiter *limiter, const struct placed *placed, size_t buffer);

/* Whether the only seat allows an offset.  The bytes there must be free. */
bool limiter_allows(const struct limiter *limiter, neap_offset offset);

/*
 * The lowest offset of the body at which all seats are free and allowed; NEAP_UNPLACED if there
 * is none.  With one seat, this is the offset of the buffer.
 */
neap_offset limiter_lowest(struct limiter *limiter);

/* ---------------------------------------------------------------- waiting */

/*
 * Tracks, for the tight rule, the placed buffers that wait: no buffer placed later overlaps
 * them in time.
 */

struct waiting {
  const struct sections *sections;
  struct index_set runs;          /* the sections at which a run of one colour begins */
  uint32_t *colours;              /* per section at which a run begins: its colour */
  bool *waits;                    /* per buffer */
  struct waiting_change *changes; /* made while logging */
  size_t change_count, change_capacity;
  bool logging;
  size_t *met; /* the buffers that waiting_meet found */
  size_t met_count, met_capacity;
};

bool waiting_init(struct waiting *waiting, const struct sections *sections,
                  size_t buffer_count);
void waiting_clear(struct waiting *waiting);
void waiting_reset(struct waiting *waiting, size_t buffer_count);

/*
 * Adds buffer `next` of the order: stores the waiting buffers that it overlaps in met[0 ..
 * met_count), which stop waiting, and lets `next` wait. False when memory is short.
 */
bool waiting_meet(struct waiting *waiting, size_t next);

/* Undoes meetings until `change_count` changes are left. */
void waiting_undo(struct waiting *waiting, size_t change_count);

/* ---------------------------------------------------------------- state */

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
