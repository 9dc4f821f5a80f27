/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The rounds of the tuner in a plan: what report_append_round writes and, if the layouts were kept, the
 * "offsets" of all buffers and the "moves": groups that the tuner took out of the layout.
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
#ifndef FORMATS_JSON_ROUNDS_H
#define FORMATS_JSON_ROUNDS_H

#include "formats/json/json.h"
#include "formats/row.h"
#include "plan/plan.h"

/* Reads the list of rounds, if there is one, into memory that json_rounds_free releases. */
neap_status json_rounds_read(const struct json_at *at, const struct neap_problem *problem,
                             neap_round **rounds, size_t *count, neap_error *error);
void json_rounds_free(neap_round *rounds, size_t count);

/* Writes a comma and the list as a member of an object; nothing if it is empty. */
neap_status json_rounds_write(const struct neap_plan *plan, struct row *row, FILE *stream,
                              neap_error *error);

#endif
