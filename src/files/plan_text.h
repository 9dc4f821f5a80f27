/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A plan as a table for reading: a summary, then a line for each buffer.  Columns without
 * information (alignments if all are 1, addresses without a base) are omitted.  It cannot be read
 * back.
 */
#ifndef FILES_PLAN_TEXT_H
#define FILES_PLAN_TEXT_H

#include <stdio.h>

#include "plan/plan.h"

neap_status table_plan_write(const struct neap_plan *plan, FILE *stream, neap_error *error);

#endif
