/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A plan as CSV: its problem's table (formats/csv_problem.h) with an offset in every row.
 * Which offsets had been fixed is not said, nor are addresses, risks and how the plan came
 * about: any reader of such tables can take it.
 */
#ifndef FORMATS_CSV_PLAN_H
#define FORMATS_CSV_PLAN_H

#include "plan/plan.h"

/* As csv_problem_read; the plan owns its problem. */
neap_status csv_plan_read(char *text, size_t size, neap_plan **plan, neap_error *error);

neap_status csv_plan_write(const struct neap_plan *plan, FILE *stream, neap_error *error);

#endif
