/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Some of a problem's buffers as a problem of their own. */
#ifndef FACTS_SUBSET_H
#define FACTS_SUBSET_H

#include "model/problem.h"

#define SUBSET_NONE SIZE_MAX

struct subset {
  neap_problem *problem;
  size_t *originals; /* per buffer of `problem`: its index in the whole */
  size_t *places;    /* per buffer of the whole: its index in `problem`, or SUBSET_NONE */
};

/* The buffers to keep, and what becomes of pools. */
struct subset_choice {
  const size_t *indices; /* distinct; the order of the buffers in the subset */
  size_t count;
  /*
   * The pool that all chosen buffers are in.  The subset has no pools: its only arena gets the
   * reserved bytes of this pool.  SUBSET_NONE: all pools and their reserved bytes are kept.
   */
  size_t pool;
  bool aligns; /* raise alignments to multiples of the pool's */
};

/*
 * Copies the buffers with names, lifetimes, alignments, fixed offsets, hints and limits, the
 * relations among them, and the objective; not the graph, the target or the schedule.  A
 * relation to a buffer outside is dropped, so bodies of colocated buffers must be chosen as a
 * whole.  NEAP_ERROR_INPUT: a fixed offset is not a multiple of the pool's alignment, or the
 * sizes exceed NEAP_MAX once aligned.  O(buffers + relations of the whole).
 */
neap_status subset_init(struct subset *subset, const struct neap_problem *whole,
                        const struct subset_choice *choice, neap_error *error);
void subset_clear(struct subset *subset);

/* Frees `places`, which take memory for the whole: for subsets that are kept, one per pool. */
void subset_forget_places(struct subset *subset);

/* Changes made while copying.  Indices refer to the whole; NULL: no change. */
struct subset_edits {
  void (*buffer)(neap_buffer *buffer, size_t index, const void *user);
  bool (*relation)(const neap_relation *relation, size_t index, const void *user); /* keep? */
  bool (*reserved)(size_t index, const void *user);                                /* keep? */
  const void *user;
};

/*
 * Like subset_init, with edits; constraints that they violate are also NEAP_ERROR_INPUT.
 * `edits` may be NULL.
 */
neap_status subset_init_edited(struct subset *subset, const struct neap_problem *whole,
                               const struct subset_choice *choice,
                               const struct subset_edits *edits, neap_error *error);

#endif
