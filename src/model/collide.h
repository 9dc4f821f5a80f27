/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finding buffers that share bytes while both are alive.  The verifier and the check of fixed
 * offsets rest on this; no engine uses it.
 */
#ifndef MODEL_COLLIDE_H
#define MODEL_COLLIDE_H

#include "model/problem.h"

/*
 * Finds one collision, the same one always, if there is any.  offsets[i] is NEAP_UNPLACED for
 * buffers to pass over; otherwise offset + size fits.  O(n log n) time, O(n) memory.
 */
neap_status collide_first(const struct neap_problem *problem, const neap_offset *offsets,
                          neap_collision *collision, bool *found, neap_error *error);

/*
 * Lists up to `limit` collisions as neap_plan_collisions describes.  Slow where many buffers
 * share bytes or many collide.
 */
neap_status collide_all(const struct neap_problem *problem, const neap_offset *offsets,
                        size_t limit, neap_collision **collisions, size_t *count,
                        neap_error *error);

#define COLLIDE_TEXT 320

/* "'a' and 'b' share bytes [10, 20) while both live, at times [2, 5)"; returns `text`. */
const char *collide_text(const struct neap_problem *problem, const neap_collision *collision,
                         char text[COLLIDE_TEXT]);

#endif
