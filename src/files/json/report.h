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

/*
 * Appends bound, lower_bound, peak, gap_percent, status, stop_reason, engine, rounds, seed,
 * alignment_low, alignment_high and, if it is known, capacity as the members of an object.
 * They depend on problem, options and seed only.  With `seconds`, the planning time follows
 * rounds; without, pairs that overlap are listed.  JSON_REPORT_RELATION_KEYS follow if the
 * problem has such things.
 */
void report_append(struct row *row, const struct neap_plan *plan, bool seconds);

/* Keys that only reports on problems with relations, pools or earlier offsets have. */
#define JSON_REPORT_RELATION_KEYS                                                            \
  "overlapped_bytes", "overlapped", "reuse_cost", "reuse_cost_lower_bound", "spilled_bytes", \
      "spilled_lower_bound", "moved_bytes", "moved_lower_bound", "pools"
#define JSON_REPORT_OVERLAP_KEYS "first", "second", "bytes"
#define JSON_REPORT_POOL_KEYS \
  "name", "buffers", "capacity", "peak", "free", "bound", "lower_bound"

/* Appends one round of the tuner as an object. */
void report_append_round(struct row *row, const neap_round *round);

/* Writes the line that neap_plan_write_report describes. */
neap_status report_write(const neap_plan *plan, const char *input, bool rounds, FILE *stream,
                         neap_error *error);

/*
 * Reads what cannot be computed from the offsets into *history, whose engine is valid as long
 * as the document.
 */
neap_status report_read(const struct json_at *report, neap_history *history, neap_error *error);

#endif
