/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Problems as commands want them.  Functions that return an int return 0, or the exit code of
 * the message they have printed.
 */
#ifndef CLI_PROBLEMS_H
#define CLI_PROBLEMS_H

#include <neap/neap.h>

/* Reads a plan, which is not verified. */
int problems_read_plan(const char *path, neap_plan **plan);

/* Reads a problem; with `replan`, without its fixed offsets. */
int problems_read(const char *path, bool replan, neap_problem **problem);

/*
 * Replaces *problem by one in which every offset is also a multiple of `alignment` (>= 1).
 * `path` names it in errors.
 */
int problems_align(neap_problem **problem, neap_size alignment, const char *path);

/*
 * Which buffers are alive at a moment, or all of them for moment NEAP_UNPLACED, the largest
 * first and those of one size in the problem's order.  Returns their numbers, *count of them,
 * to be released with free(); NULL when memory is short.
 */
size_t *problems_by_size(const neap_problem *problem, neap_time moment, size_t *count);

#endif
