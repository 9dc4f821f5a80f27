/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Summaries of plans for people.  Functions that return an int return 0, or the exit code of
 * the message they have printed.
 */
#ifndef CLI_OUTPUT_SUMMARY_H
#define CLI_OUTPUT_SUMMARY_H

#include <jansson.h>
#include <neap/neap.h>
#include <stdio.h>

/* Prints "bound  ...", where it is attained, and the lower bound if that is higher. */
void summary_bound(FILE *stream, const neap_bound *bound, int label_width);

/*
 * Prints "runtime  allocates 2 tensors of 96 bytes itself: a, b" if the runtime allocates any, and
 * likewise what it places in the arena that is planned; `label` is what comes before "allocates".
 */
void summary_runtime(FILE *stream, const neap_problem *problem, const char *label);

/* Adds "runtime", a list of them, to an object, if the runtime allocates any; as object_append. */
json_t *summary_add_runtime(json_t *object, const neap_problem *problem);

/*
 * If a plan was made for a target, prints how much of the target's arena it takes, which operators
 * may take more, and which tensors nothing uses.  Labels are padded, or have a colon.
 */
void summary_head(const neap_plan *plan, bool is_padded);

/* Prints the figures of a plan. */
int summary_plan(const neap_plan *plan);

#endif
