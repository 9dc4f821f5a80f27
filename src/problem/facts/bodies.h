/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Colocated buffers as rigid bodies: the differences between their offsets are given, so the
 * offset of the body determines the offsets of all members.
 */
#ifndef FACTS_BODIES_H
#define FACTS_BODIES_H

#include "core/residues.h"
#include "facts/domain.h"

#define BODIES_NONE SIZE_MAX

struct body {
  size_t begin, end; /* its members in bodies.members, ascending; at least two */
  /* The offsets of the body that suit all alignments of members; step 0: none does. */
  struct residues bases;
  /*
   * Period, in bytes, with which the constraints of alignments and banks (also of bank
   * separations between members) repeat.  NEAP_MAX: the period is too large; 0: there are no
   * banks.
   */
  neap_size period;
};

struct bodies {
  size_t count; /* 0: no buffers are colocated, and the arrays are NULL */
  struct body *items;
  size_t *members;
  size_t *of;         /* per buffer: its body, or BODIES_NONE */
  neap_offset *inner; /* per buffer: its offset in its body, 0 for the lowest; 0 without a body */
};

/*
 * `problem` is checked: colocations do not contradict each other.  NEAP_ERROR_INPUT: a body is
 * larger than NEAP_MAX.  O(buffers + colocations), O(1) without any.
 */
neap_status bodies_init(struct bodies *bodies, const struct neap_problem *problem,
                        neap_error *error);
void bodies_clear(struct bodies *bodies);

/* The body of a buffer, or BODIES_NONE. */
static inline size_t bodies_of(const struct bodies *bodies, size_t buffer) {
  return bodies->of ? bodies->of[buffer] : BODIES_NONE;
}

/* Whether two buffers of one body share bytes.  No end of a member overflows. */
bool bodies_share_bytes(const struct bodies *bodies, const struct neap_problem *problem,
                        size_t a, size_t b);

/*
 * The lowest offset of a body, at or above `from` (>= 0), at which every member's offset is in its
 * domain; NEAP_UNPLACED if there is none.
 */
neap_offset bodies_next(const struct bodies *bodies, const struct domains *domains, size_t body,
                        neap_offset from);

#endif
