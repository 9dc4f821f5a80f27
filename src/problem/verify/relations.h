/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The part of the verifier that knows limits of buffers, pools, reserved bytes and relations. */
#ifndef VERIFY_RELATIONS_H
#define VERIFY_RELATIONS_H

#include "plan/plan.h"

/*
 * Checks all constraints of a problem beyond sizes, lifetimes, alignments and fixed offsets,
 * except that buffers do not collide.  All offsets and ends are possible.  O(n log n) time.
 */
neap_status verify_relations(const neap_plan *plan, neap_error *error);

/* A limit or a relation that a plan does not keep. */
struct relation_fault {
  size_t first, second; /* `second` is SIZE_MAX if it concerns one buffer */
  const char *name;     /* "window", "colocation", "reserved bytes", ... */
  char text[512];       /* as verify_relations reports it */
};

struct relation_faults {
  struct relation_fault *items; /* released with free() */
  size_t count;
  size_t total; /* how many there are, listed or not */
};

/*
 * Lists up to `limit` limits and relations that a plan breaks, and counts all of them, except that
 * it finds only one use of reserved bytes.  O(n log n + limit) time.
 */
neap_status verify_relations_all(const neap_plan *plan, size_t limit,
                                 struct relation_faults *faults, neap_error *error);

#endif
