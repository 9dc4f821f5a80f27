/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Buffers that the runtime allocates itself: variables, which are alive throughout.  A plan
 * counts their bytes, but the runtime does not follow it in where to put them.
 */
#ifndef PLAN_RUNTIME_H
#define PLAN_RUNTIME_H

#include "model/problem.h"

/*
 * Moves the buffers that the runtime allocates above all others if that does not raise the peak,
 * so that the others need as few bytes as possible.  `offsets` is a sound plan before and after.
 */
neap_status runtime_lift(const struct neap_problem *problem, neap_offset *offsets,
                         neap_error *error);

/*
 * Places every buffer whose offset is NEAP_UNPLACED in bytes that no other buffer uses at any
 * time.  With up to six of them, the highest end is as low as possible; with more, or in problems
 * of very many buffers, the largest are placed first.  Given the offsets of the other buffers,
 * this restores a plan of runtime_lift.
 */
neap_status runtime_place(const struct neap_problem *problem, neap_offset *offsets,
                          neap_error *error);

#endif
