/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which of a decider's methods works next: each gets a share of the work of others. */
#ifndef SEARCH_TURNS_H
#define SEARCH_TURNS_H

#include <stdbool.h>
#include <stdint.h>

#include "search/part.h"

enum method {
  METHOD_BOARDS,   /* depth first; always there */
  METHOD_COARSER,  /* search/coarsener: finds nothing, but refutes */
  METHOD_ORIENTER, /* search/orienter: finds layouts and refutes */
  METHOD_EJECTION, /* search/descent */
  METHOD_ALIGNER,  /* search/aligner */
  METHOD_BEAMS,    /* search/beamer */
  METHOD_COUNT
};

struct turns {
  bool is_there[METHOD_COUNT];
  uint64_t ticks[METHOD_COUNT]; /* spent so far */
  bool ejection_leads;          /* it has found the lowest layout, not the aligner */
  bool is_provable, is_fixed, is_unaligned; /* the part */
};

/* Only the boards are there. */
struct turns turns_for(const struct part *part);

/* Whether a method may work for the share that it has. */
bool turns_is_due(const struct turns *turns, enum method method);

/* One that can find a layout. */
enum method turns_next(const struct turns *turns);

#endif
