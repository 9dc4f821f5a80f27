/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chooses which of a decider's methods runs next.  Each gets a share of the work of others. */
#ifndef SEARCH_TURNS_H
#define SEARCH_TURNS_H

#include <stdbool.h>
#include <stdint.h>

#include "search/part.h"

enum method {
  METHOD_BOARDS,   /* depth first; always available */
  METHOD_COARSER,  /* search/coarsening: only refutes */
  METHOD_ORIENTER, /* search/orienting/orienting: finds layouts and refutes */
  METHOD_EJECTION, /* search/ejection/ejection */
  METHOD_ALIGNER,  /* search/alignment/alignment */
  METHOD_BEAMS,    /* search/beams/beams */
  METHOD_COUNT
};

struct turns {
  bool is_there[METHOD_COUNT];
  uint64_t ticks[METHOD_COUNT]; /* spent so far */
  bool ejection_leads;          /* ejection, not the aligner, has the lowest layout */
  bool is_provable, is_fixed, is_unaligned; /* the part */
};

/* Initially only the boards are available. */
struct turns turns_for(const struct part *part);

/* Whether a method is available and has not used up its share. */
bool turns_is_due(const struct turns *turns, enum method method);

/* The next method that can find a layout. */
enum method turns_next(const struct turns *turns);

#endif
