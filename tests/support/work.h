/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For tests of planning: problems that take long, and planners at work on them. */
#ifndef SUPPORT_WORK_H
#define SUPPORT_WORK_H

#include "neap/planner.h"
#include "tests/support/sample.h"

/*
 * Seven buffers whose bound of 4 no layout reaches, so that the tuner goes on; the optimum is
 * 5.
 */
neap_problem *work_hard(void);

/*
 * The same in units of 1000000000 bytes, amid many small buffers and one that lives with all of
 * them, which makes them one large group: there are orders without end to try.
 */
neap_problem *work_large(size_t count);

#define WORK_LARGE_BOUND INT64_C(4000000000) /* a little above it */

void work_set(neap_options *options, const char *name, const char *value);

/* The tuner with its defaults; and one that would go on with work_large until it is stopped. */
neap_options *work_tuner(void);
neap_options *work_endless(void);

neap_planner *work_planner(const neap_problem *problem, const neap_options *options);

/* Steps until there is nothing left to do. */
void work_run(neap_planner *planner);

/* The plan so far, verified; and its report, without the name of its engine. */
neap_plan *work_plan(const neap_planner *planner);
neap_report work_report(const neap_planner *planner);

/* Peak, rounds, reason to stop and every offset. */
void work_expect_same(const neap_plan *a, const neap_plan *b);

#endif
