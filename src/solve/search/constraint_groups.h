/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The ties of a part: constraints on its rectangles that columns cannot express.  They are the
 * domain of each rectangle, rigid bodies of colocated rectangles, overlap allowances and bank
 * separations.  Most parts have no ties.  After ties_scale, all numbers are in the part's
 * units.
 */
#ifndef SEARCH_CONSTRAINT_GROUPS_H
#define SEARCH_CONSTRAINT_GROUPS_H

#include "facts/bodies.h"
#include "facts/domain.h"
#include "facts/pair_rules.h"

#define TIES_NONE UINT32_MAX

/* A rectangle whose offset limits the offset of another by an allowance or by banks. */
struct tie_partner {
  uint32_t other;
  neap_size above;  /* least offset above the other's, if the other lies below */
  neap_size below;  /* least offset of the other above this one's, if this one lies below */
  neap_size bank;   /* > 0: instead, no bank of this size has bytes of both */
  neap_size saving; /* the most bytes that both can share */
};

/* A member of a body.  It is also a rectangle unless it has 0 bytes. */
struct tie_member {
  size_t buffer;
  neap_offset delta; /* its offset in the body */
  struct domain domain;
};

struct tie_body {
  neap_size size; /* from the lowest offset to the highest end of a member */
  size_t members_begin, members_end;
  size_t rectangles_begin, rectangles_end;
};

struct ties {
  size_t count;           /* of rectangles */
  struct domain *domains; /* per rectangle */
  uint32_t *body;         /* per rectangle, or TIES_NONE */
  neap_offset *delta;     /* per rectangle, in its body, or 0 */
  size_t body_count;
  struct tie_body *bodies;
  struct tie_member *members;
  uint32_t *rectangles;   /* of all bodies */
  size_t *partners_begin; /* per rectangle and one more */
  struct tie_partner *partners;
  struct hole *holes;
  size_t hole_count;
  bool has_links; /* bodies or partners */
};

/* Two rectangles of a part that are partners of each other. */
struct tie_link {
  uint32_t first, second;
  neap_size first_below, second_below; /* as in struct pair_rule */
  neap_size bank;
  neap_size saving;
};

/* The input of ties_new. */
struct ties_source {
  const struct neap_problem *problem;
  const struct bodies *bodies;
  const struct domains *domains;
  const size_t *buffers; /* per rectangle of the part: its buffer */
  size_t count;
  const uint32_t *rectangle_of; /* per buffer: its rectangle in its part, or TIES_NONE */
  const struct tie_link *links; /* those of this part */
  size_t link_count;
};

/* Sets *ties, or sets it to NULL if the rectangles have none. */
neap_status ties_new(struct ties **ties, const struct ties_source *source, neap_error *error);
void ties_free(struct ties *ties);

/* The greatest common divisor of `unit` and all sizes and offsets of the ties. */
neap_size ties_unit(const struct ties *ties, neap_size unit);

/* Divides by a unit that ties_unit has accepted and that suits all alignments. */
void ties_scale(struct ties *ties, neap_size unit);

/* An upper bound of the height that ties can add to a layout, capped at NEAP_MAX / 4. */
neap_size ties_extent(const struct ties *ties);

/*
 * The offset of a rectangle that its own fixed offset, or the fixed offset of a member of its
 * body, implies; or NEAP_UNPLACED.
 */
neap_offset ties_fixed(const struct ties *ties, uint32_t rectangle);

/* Sets the offsets in bytes of all members of bodies, from those of the rectangles in units. */
void ties_place_members(const struct ties *ties, const neap_offset *rectangles, neap_size unit,
                        neap_offset *buffers);

/* The highest end of a member of a body, in units; 0 without bodies. */
neap_offset ties_top(const struct ties *ties, const neap_offset *rectangles);

/* The highest offset, in bytes, of a member of 0 bytes; 0 without any. */
neap_offset ties_empty_top(const struct ties *ties, const neap_offset *buffers);

/* Copies the offsets of all members of bodies from one layout of all buffers to another. */
void ties_copy_members(const struct ties *ties, const neap_offset *from, neap_offset *to);

/* Whether a rectangle is tied to others. */
static inline bool ties_has(const struct ties *ties, uint32_t rectangle) {
  return ties->body[rectangle] != TIES_NONE ||
         ties->partners_begin[rectangle] < ties->partners_begin[rectangle + 1];
}

#endif
