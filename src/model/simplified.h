/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A problem without relations, each layout of which gives one of a problem with separations and
 * colocations.  A body of colocated buffers becomes one buffer, alive as long as any of them, and of
 * two separated buffers the smaller one stays alive until both are:
 *
 *     separated   ▓▓▓▓▓▓       ░░░░░░     ─►   ▓▓▓▓▓▓▓▓▓▓▓▓▓▓
 *                                                           ░░░░░░
 *
 * That may ask for more bytes than the relations do.  With few relations between neighbours in time, it
 * rarely does at the bound.
 */
#ifndef MODEL_SIMPLIFIED_H
#define MODEL_SIMPLIFIED_H

#include "model/bodies.h"
#include "model/problem.h"

struct simplified {
  const struct neap_problem *original;
  neap_problem *problem;
  size_t *places; /* per buffer of the original: the buffer that has its bytes */
  struct bodies bodies;
};

/*
 * Whether a problem can be simplified, as far as its kinds of relations and limits tell: it has
 * separations or colocations, and beyond these only what permits more than lifetimes do.
 */
bool simplified_suits(const struct neap_problem *original);

/*
 * Simplifies a problem that suits; `original` must outlive the result.  NEAP_ERROR_INPUT: it cannot be
 * simplified nevertheless.  O(n + relations).
 */
neap_status simplified_init(struct simplified *simplified, const struct neap_problem *original,
                            neap_error *error);
void simplified_clear(struct simplified *simplified);

/* Turns a layout of the simplified problem into one of the original. */
void simplified_expand(const struct simplified *simplified, const neap_offset *from,
                       neap_offset *to);

#endif
