/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One run, measured in a separate process. */
#ifndef CLI_BENCH_RUN_H
#define CLI_BENCH_RUN_H

#include "cli/arguments.h"

/* The result of a run.  Unknown numbers are -1. */
struct bench_result {
  int64_t buffers, bound, lower_bound, peak;
  double seconds;       /* of planning, without reading */
  int64_t memory;       /* the process's largest resident size, in bytes */
  char status[16];      /* of the plan, or infeasible, unknown, failed, timeout, memory */
  char stop_reason[24]; /* "" if there is none */
  char error[160];      /* the error message, or "" */
};

/*
 * Plans the problem at `path` with the planning options.  The process is killed after `patience`
 * seconds, and its memory is limited to arguments->memory_limit unless that is 0.  False if
 * interrupted.
 */
bool bench_run(const struct arguments *arguments, const char *path, double patience,
               struct bench_result *result);

#endif
