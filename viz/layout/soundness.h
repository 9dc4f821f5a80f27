/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether a plan is sound and, if not, the faults that drawings show. */
#ifndef VIZ_LAYOUT_SOUNDNESS_H
#define VIZ_LAYOUT_SOUNDNESS_H

#include "plan/plan.h"
#include "verify/collide.h"
#include "verify/relations.h"

#define SOUNDNESS_LISTED 1000 /* collisions that drawings mark */
#define SOUNDNESS_BROKEN 100  /* broken relations and limits that they mark */

struct soundness {
  bool sound;
  neap_error fault;              /* of an unsound plan: the first fault */
  struct collisions collisions;  /* the earliest SOUNDNESS_LISTED, and how many there are */
  struct relation_faults broken; /* the first SOUNDNESS_BROKEN, and how many there are */
};

/* Verifies a plan.  Zeroed results may be cleared. */
neap_status soundness_init(struct soundness *soundness, const struct neap_plan *plan,
                           neap_error *error);
void soundness_clear(struct soundness *soundness);

/* When two buffers collide; if never alive together, the time between them. */
neap_range soundness_span(const struct neap_problem *problem, const neap_collision *collision);

#define SOUNDNESS_COUNT 64

/* "3 collisions"; "" where there are none.  Returns `text`. */
const char *soundness_count(const struct soundness *soundness, char text[SOUNDNESS_COUNT]);

/*
 * Names the pairs that collide: "a and b, c and d, and 3 more"; or gives the other fault.  Writes
 * at most `room` bytes including the terminator (64 or more), and as many pairs as fit.  Returns
 * `text`.
 */
const char *soundness_text(const struct soundness *soundness, const struct neap_plan *plan,
                           char *text, size_t room);

#endif
