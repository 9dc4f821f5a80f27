/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The part of the verifier that knows limits of buffers, pools, reserved bytes and relations. */
#ifndef PLAN_VERIFY_RELATIONS_H
#define PLAN_VERIFY_RELATIONS_H

#include "plan/plan.h"

/*
 * Checks everything that a problem asks for beyond sizes, lifetimes, alignments and fixed offsets,
 * except that buffers do not collide.  All offsets and ends are possible.  O(n log n) time.
 */
neap_status verify_relations(const neap_plan *plan, neap_error *error);

#endif
