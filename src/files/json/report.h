/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The report of a plan as JSON: one line for scripts (report_write), and a part of a plan in JSON.
 * The keys never change meaning.  Numbers do not depend on the
 * locale.
 */
#ifndef FILES_JSON_REPORT_H
#define FILES_JSON_REPORT_H

#include "files/json/json.h"
#include "files/text_builder.h"
#include "neap/planner.h"
#include "plan/plan.h"

/* Appends a plan's report as members of an object, without what differs from run to run. */
void report_append(struct row *row, const struct neap_plan *plan);

/* Appends one round of the tuner as an object. */
void report_append_round(struct row *row, const neap_round *round);

/*
 * Reads what cannot be computed from the offsets into *history, whose engine is valid as long
 * as the document.
 */
neap_status report_read(const struct json_at *report, neap_history *history, neap_error *error);

#endif
