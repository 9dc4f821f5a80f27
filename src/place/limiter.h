/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The limits on the offsets of buffers besides the bytes taken: domains (facts/domain), bodies
 * of colocated buffers, which are placed as a whole, and banks that two buffers must not share.
 */
#ifndef PLACE_LIMITER_H
#define PLACE_LIMITER_H

#include "facts/bodies.h"
#include "facts/domain.h"
#include "facts/relation_index.h"
#include "place/container.h"

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

#endif
