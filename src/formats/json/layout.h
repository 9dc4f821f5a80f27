/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What distinguishes a plan from another one of the same problem, for pages with several of them:
 *
 *     {
 *       "format": "neap-layout",
 *       "version": 1,
 *       "object_sizes": [96, ...],     optional, as in a plan
 *       "report": {...},               as in a plan
 *       "offsets": [0, 4096, ...],     one per buffer
 *       "risks": [0, 3, ...],          0 to 3 for none to high
 *       "objects": [0, 1, ...],        optional: shared objects
 *       "pools": [0, 0, ...]           optional: numbers in the plan's list of pools
 *     }
 *
 * Buffer i is the one at place i of the plan that the page begins with.
 */
#ifndef FORMATS_JSON_LAYOUT_H
#define FORMATS_JSON_LAYOUT_H

#include <stdio.h>

#include "plan/plan.h"

neap_status json_layout_write(const struct neap_plan *plan, FILE *stream, neap_error *error);

#endif
