/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The live-size curve of a plan, for programs that draw it: only where relations let buffers share bytes,
 * because otherwise it is the sum of the sizes alive.  One curve per pool, or one without pools:
 *
 *     "live": [{"times": [0, 3, 8], "bytes": [512, 768, 0]}]
 *
 * bytes[i] are alive from times[i] to the next time; before the first, none.
 */
#ifndef FORMATS_JSON_LIVE_H
#define FORMATS_JSON_LIVE_H

#include "formats/row.h"
#include "plan/plan.h"

/* Appends a comma and the curves, if the plan needs them. */
neap_status json_live_append(const struct neap_plan *plan, struct row *row, neap_error *error);

#endif
