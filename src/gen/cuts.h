/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A sheet of time by bytes that is cut into pieces without waste. */
#ifndef GEN_CUTS_H
#define GEN_CUTS_H

#include "gen/kind.h"

struct piece {
  neap_time start, end;
  neap_offset bottom, top;
};

struct cuts {
  struct piece *pieces; /* room for all wanted pieces */
  size_t count, wanted;
  struct random *random;
};

/* Starts with an uncut sheet, so `wanted` >= 1.  False if memory runs out. */
bool cuts_init(struct cuts *cuts, neap_time duration, neap_size size, size_t wanted,
               struct random *random);
void cuts_clear(struct cuts *cuts);

static inline int64_t piece_duration(const struct piece *piece) {
  return piece->end - piece->start;
}

static inline int64_t piece_size(const struct piece *piece) {
  return piece->top - piece->bottom;
}

static inline int64_t piece_area(const struct piece *piece) {
  return piece_duration(piece) * piece_size(piece);
}

/*
 * Cut one piece at random places; one part takes its place, and the others are added at the end.  A
 * pinwheel makes five parts of a piece of at least 3 by 3, the others two parts of a piece that is
 * at least 2 long or large.
 */
void cuts_pinwheel(struct cuts *cuts, size_t at);
void cuts_time(struct cuts *cuts, size_t at);
void cuts_size(struct cuts *cuts, size_t at);

/* Adds the pieces in random order, which reveals nothing about the packing. */
neap_status cuts_add(struct cuts *cuts, neap_problem *problem, neap_error *error);

#endif
