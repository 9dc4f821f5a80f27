/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The order that a graph's operators were put into, in problems and plans. */
#ifndef FORMATS_JSON_SCHEDULE_H
#define FORMATS_JSON_SCHEDULE_H

#include "formats/json/json.h"
#include "formats/row.h"
#include "model/problem.h"

/* Reads the key `schedule` of a root, if it is there. */
neap_status json_schedule_read(const struct json_at *root, struct neap_problem *problem,
                               neap_error *error);

/* Appends the line with the key, if the problem has a schedule. */
void json_schedule_append(const struct neap_problem *problem, struct row *row);

#endif
