/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The groups that the tuner took out of a layout, in a round of a plan:
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
#ifndef FORMATS_JSON_MOVES_H
#define FORMATS_JSON_MOVES_H

#include "formats/json/json.h"
#include "formats/row.h"
#include "neap/planner.h"

/* Reads an offset of at least `low` for a buffer of `size` bytes, so that its end is a number. */
neap_status json_moves_read_offset(const struct json_at *at, neap_offset low, neap_size size,
                                   neap_offset *offset, neap_error *error);

/* Reads the list, if there is one, into memory that belongs to the round. */
neap_status json_moves_read(const struct json_at *at, const neap_problem *problem,
                            neap_round *round, neap_error *error);

/* Appends the list as a further member of an object; nothing if it is empty. */
void json_moves_append(const neap_round *round, struct row *row);

#endif
