/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A plan as JSON: its problem (files/json/problem.h) and, with it,
 *
 *     {
 *       "format": "neap-plan",
 *       "version": 1,
 *       "base": "0x20000000",             optional: the arena's address
 *       "report": {...},                  optional: how it was made (files/json/report.h)
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
 *       "live": [{"times": [0, 3, 8], "bytes": [512, 768, 0]}],
 *                                         optional, per pool: bytes[i] are alive from times[i] on
 *       "rounds": [{...}, ...]            optional: the tuner's rounds (below)
 *     }
 *
 * Addresses are strings because they may exceed 2^63 - 1, which many JSON readers cannot parse.
 * The planning time is omitted, so that the same plan is always the same bytes.
 *
 * A reader keeps the offsets, and what cannot be computed from them: engine, stop_reason,
 * rounds, seed, capacity, and lower_bound unless it is above the peak.  It recomputes the rest.
 */
#ifndef FILES_JSON_PLAN_H
#define FILES_JSON_PLAN_H

#include <stdio.h>

#include "files/json/json.h"
#include "files/text_builder.h"
#include "neap/neap-io.h"
#include "plan/plan.h"

/* The plan owns its problem. */
neap_status json_plan_read(char *text, size_t size, const neap_reading *reading,
                           neap_plan **plan, neap_error *error);

/* Like json_plan_read, for a text that had `stored` bytes in the file. */
neap_status json_plan_unpacked(const char *text, size_t size, size_t stored, neap_plan **plan,
                               neap_error *error);

neap_status json_plan_write(const struct neap_plan *plan, FILE *stream, neap_error *error);

/* Writes `columns` instead of `buffers` (files/json/columns.h). */
neap_status json_plan_write_columns(const struct neap_plan *plan, FILE *stream,
                                    neap_error *error);

/*
 * The parts that distinguish plans of the same problem, for pages with several plans:
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
neap_status json_layout_write(const struct neap_plan *plan, FILE *stream, neap_error *error);

/* ---------------------------------------------------------------- rounds */

/*
 * The rounds of the tuner in a plan: what report_append_round writes and, if the layouts were
 * kept, the "offsets" of all buffers and the "moves": groups that the tuner took out of the
 * layout.
 *
 *     "moves": [
 *       {
 *         "blamed": 3,               the buffer that the group grew from; absent: everything
 *         "top": 4224,               the highest end of a member before
 *         "target": 4096,            no member was to end above this
 *         "outcome": "lowered",      lowered, refuted or open
 *         "member_count": 2,
 *         "members": [1, 3],         optional: indices of buffers, ascending
 *         "offsets": [128, 0]        if lowered, with members only: where they are now
 *       }, ...
 *     ]
 */

/* Reads the list of rounds, if there is one, into memory that json_rounds_free releases. */
neap_status json_rounds_read(const struct json_at *at, const struct neap_problem *problem,
                             neap_round **rounds, size_t *count, neap_error *error);
void json_rounds_free(neap_round *rounds, size_t count);

/* Writes a comma and the list as a member of an object; nothing if it is empty. */
neap_status json_rounds_write(const struct neap_plan *plan, struct row *row, FILE *stream,
                              neap_error *error);

#endif
