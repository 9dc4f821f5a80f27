/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs of an engine with options given as text, for property tests. */
#ifndef SUPPORT_RUN_H
#define SUPPORT_RUN_H

#include "tests/support/random_problem.h"

/* Options as pairs of a name and a value, closed by NULL; released with neap_options_free. */
neap_options *run_options(const char *const *pairs);

/* Solves and verifies; released with neap_plan_free. */
neap_plan *run_plan(const neap_problem *problem, const char *const *pairs);

/* The same for its peak alone. */
neap_size run_peak(const struct instance *instance, const char *const *pairs);

/* Whether both give every buffer of the same name the same offset. */
bool run_same(const neap_plan *a, const neap_plan *b);

#endif
