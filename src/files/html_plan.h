/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A page that shows a plan (viz/html.c) holds it as JSON in
 *
 *     <script type="application/json" id="plan"> ... </script>
 *
 * That JSON has no '<'.  The rest of the page is ignored.
 */
#ifndef FILES_HTML_PLAN_H
#define FILES_HTML_PLAN_H

#include "neap/neap-io.h"
#include "plan/plan.h"

/* Whether a text begins like a page. */
bool html_is(const char *text, size_t size, const neap_reading *reading);

/* The plan owns its problem. */
neap_status html_plan_read(char *text, size_t size, const neap_reading *reading,
                           neap_plan **plan, neap_error *error);

/* Reads the problem of the plan. */
neap_status html_problem_read(char *text, size_t size, const neap_reading *reading,
                              neap_problem **problem, neap_error *error);

#endif
