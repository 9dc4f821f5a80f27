/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A problem with one arena as a network of differences: for every pair of buffers, the
 * constraints and penalties on the distance between their offsets.
 *
 *     hard:  position(a) - position(b) must not lie in (low, high)     alive together, separated
 *     soft:  position(a) - position(b) in (low, high) costs something  reuse penalty
 *
 * Both intervals are open.  Colocated buffers form one *body* with one position.  The *ground*
 * is an additional body that is always at position 0.  Reserved bytes are hard arcs to the
 * ground; an earlier offset is a pair of soft arcs to it, one below and one above the offset.
 */
#ifndef COSTS_CONSTRAINT_NETWORK_H
#define COSTS_CONSTRAINT_NETWORK_H

#include "core/checked.h"
#include "core/residues.h"
#include "model/problem.h"

/* An arc as seen from one of its two bodies; the other body has the mirrored arc. */
struct net_arc {
  uint32_t other;
  uint32_t term;     /* soft: index of the term paid; hard: NET_NO_BANK or a bank */
  int64_t low, high; /* forbidden: position - position(other) in (low, high) */
};

#define NET_NO_BANK UINT32_MAX

/*
 * Two members that must not touch the same bank.  The forbidden interval depends on the
 * position of the other body.
 */
struct net_bank {
  neap_size bytes;
  neap_offset shift, other_shift; /* of the members in their bodies */
  neap_size size, other_size;
};

struct net_body {
  neap_offset low, high;               /* the position is in low .. high; set by net_limit */
  neap_offset window_low, window_high; /* the same, without a capacity */
  neap_size extent;                    /* from its position to the end of its highest member */
  struct residues steps;               /* the position is one of these */
  size_t last_rest;                    /* its last rest; NET_NO_REST: none */
};

/*
 * The position is such that (position + shift) % bank <= spare.  For a member in one bank,
 * `shift` is its own and `spare` the bytes of the bank that the member leaves.  For two members
 * in separate banks, `shift` is the shift of the higher member and `spare` the gap between the
 * two, in which a bank must begin.
 */
struct net_rest {
  neap_size bank, spare;
  neap_offset shift;
  size_t before; /* another rest of this body, or NET_NO_REST */
};

#define NET_NO_REST SIZE_MAX

/* A soft term: a cost that layouts can avoid. */
struct net_term {
  neap_size cost; /* > 0 */
  neap_term kind; /* NEAP_TERM_REUSE or NEAP_TERM_MOVED */
  size_t index;   /* of the relation, or of the buffer with an earlier offset */
};

struct net {
  const struct neap_problem *problem;
  size_t count; /* bodies; the ground is body `count` */
  struct net_body *bodies;
  uint32_t *body_of;  /* per buffer */
  neap_offset *shift; /* per buffer: its offset above the body's position */
  size_t *members_begin;
  uint32_t *members;               /* per body */
  size_t *hard_begin, *soft_begin; /* per body and the ground, and one more */
  struct net_arc *hard, *soft;
  struct net_bank *banks; /* for hard arcs with a bank */
  size_t bank_count;
  struct net_rest *rests;
  size_t rest_count;
  struct net_term *terms;
  size_t term_count;
  neap_size base_reuse; /* penalties between colocated buffers, which every layout pays */
};

/* net_init sets *too_large and builds no network if there are more hard arcs than this. */
#define NET_MOST_ARCS ((size_t)1 << 25)

/*
 * Begin with a zeroed struct; clear it in any case.  *is_contradictory is set if alignments,
 * windows or banks of colocated buffers leave no position.
 */
neap_status net_init(struct net *net, const struct neap_problem *problem, bool *too_large,
                     bool *is_contradictory, neap_error *error);
void net_clear(struct net *net);

/* Sets the range of positions for a capacity (NEAP_MAX: none); false if some body has none. */
bool net_limit(struct net *net, neap_size capacity);

/*
 * The smallest position >= `from`, or the largest <= `from`, that alignments and banks allow;
 * may be out of the body's range.
 */
int64_t net_fit_up(const struct net *net, size_t body, int64_t from);
int64_t net_fit_down(const struct net *net, size_t body, int64_t from);

/* The forbidden interval of positions, given the position of the other body. */
static inline void net_interval(const struct net *net, const struct net_arc *arc, bool is_hard,
                                int64_t other, int64_t *low, int64_t *high) {
  *low = other + arc->low;
  *high = other + arc->high;
  if (!is_hard || arc->term == NET_NO_BANK) return;
  const struct net_bank *bank = &net->banks[arc->term];
  int64_t begin = other + bank->other_shift, last = begin + bank->other_size - 1;
  *low = begin / bank->bytes * bank->bytes - bank->size - bank->shift;
  *high = (last / bank->bytes + 1) * bank->bytes - bank->shift;
}

/* Whether positions violate an arc of a body. */
static inline bool net_hits(const struct net *net, const struct net_arc *arc, bool is_hard,
                            int64_t position, int64_t other) {
  int64_t low, high;
  net_interval(net, arc, is_hard, other, &low, &high);
  return low < position && position < high;
}

/* The cost that a layout pays for one kind of term.  `positions` includes the ground. */
neap_size net_cost(const struct net *net, const int64_t *positions, neap_term kind);

/* Convert between offsets of buffers and positions of bodies; positions[net->count] becomes 0. */
void net_positions(const struct net *net, const neap_offset *offsets, int64_t *positions);
void net_offsets(const struct net *net, const int64_t *positions, neap_offset *offsets);

/* Whether positions respect all hard constraints. */
bool net_is_sound(const struct net *net, const int64_t *positions);

#endif
