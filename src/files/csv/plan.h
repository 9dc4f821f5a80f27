/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A plan as CSV: its problem's table (files/csv/problem.h) with an offset in every row, which any
 * reader of such tables accepts.  It does not tell which offsets were fixed, and has no addresses,
 * risks or report.
 */
#ifndef FILES_CSV_PLAN_H
#define FILES_CSV_PLAN_H

#include "neap/neap-io.h"
#include "plan/plan.h"

/* Reads as csv_problem_read does; the plan owns its problem. */
neap_status csv_plan_read(char *text, size_t size, const neap_reading *reading,
                          neap_plan **plan, neap_error *error);

neap_status csv_plan_write(const struct neap_plan *plan, FILE *stream, neap_error *error);

#endif
