/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One planning, measured in a process of its own. */
#ifndef CLI_BENCH_RUN_H
#define CLI_BENCH_RUN_H

#include "cli/arguments.h"

/* What came of it.  Numbers that are not known are -1. */
struct bench_result {
  int64_t buffers, bound, lower_bound, peak;
  double seconds;       /* of planning, without reading */
  int64_t memory;       /* the most that the process had resident, in bytes */
  char status[16];      /* of the plan, or infeasible, unknown, failed, timeout, memory */
  char stop_reason[24]; /* "" where there is none */
  char error[160];      /* the message of a failure, or "" */
};

/*
 * Plans the problem at `path` with the planning options and, unless negative, a capacity.  The
 * process is killed when it takes `patience` seconds in all, and its memory is limited to
 * arguments->memory_limit.  False when interrupted.
 */
bool bench_run(const struct arguments *arguments, const char *path, double patience,
               struct bench_result *result);

#endif
