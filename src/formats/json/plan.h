/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A plan as JSON: its problem (formats/json/problem.h) and, with it,
 *
 *     {
 *       "format": "neap-plan",
 *       "version": 1,
 *       "base": "0x20000000",             optional: the arena's address
 *       "report": {...},                  optional: how it was made (formats/json/report.h)
 *       "buffers": [
 *         {
 *           ...
 *           "offset": 128,                bytes from the arena's beginning
 *           "end_offset": 4224,           optional, like the keys below
 *           "risk": "high",               none, low, medium or high
 *           "start_address": "0x20000080",  with a base only
 *           "end_address": "0x20001080"
 *         }, ...
 *       ],
 *       "rounds": [{...}, ...]            optional: the tuner's rounds
 *     }
 *
 * Addresses are strings because they may exceed 2^63 - 1, which many JSON readers cannot parse.  The
 * planning time is omitted, so that the same plan is always the same bytes.
 *
 * A reader keeps the offsets, and what cannot be computed from them: engine, stop_reason,
 * rounds, seed, capacity, and lower_bound unless it is above the peak.  It recomputes the rest.
 */
#ifndef FORMATS_JSON_PLAN_H
#define FORMATS_JSON_PLAN_H

#include <stdio.h>

#include "formats/row.h"
#include "neap/neap-io.h"
#include "plan/plan.h"

/* The plan owns its problem. */
neap_status json_plan_read(char *text, size_t size, const neap_reading *reading,
                           neap_plan **plan, neap_error *error);

neap_status json_plan_write(const struct neap_plan *plan, FILE *stream, neap_error *error);

/* Appends the member "object_sizes" and a comma if the plan has shared objects. */
void json_plan_append_object_sizes(const struct neap_plan *plan, struct row *row);

/* Writes `columns` instead of `buffers` (formats/json/columns.h). */
neap_status json_plan_write_columns(const struct neap_plan *plan, FILE *stream,
                                    neap_error *error);

#endif
