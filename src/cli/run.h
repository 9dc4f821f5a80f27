/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A planner at work, with someone watching: progress and rounds are shown, and Ctrl-C ends it
 * with the best plan so far.
 */
#ifndef CLI_RUN_H
#define CLI_RUN_H

#include <neap/neap.h>

struct run {
  const neap_problem *problem;
  const neap_options *options;
  const char *label;      /* what the status line begins with; "" is nothing */
  neap_progress progress; /* how far it got */
  double shown;           /* at how many seconds the status line was last shown */
};

/*
 * From now on the first SIGINT or SIGTERM ends the running planner, or the next one at once;
 * the second ends the program.
 */
void run_catch_signals(void);

/* Whether there was such a signal. */
bool run_interrupted(void);

/*
 * The exit code of a command that would end with `code`: a supervisor that sends SIGTERM is told that
 * it took effect, even though the best results so far have been written.
 */
int run_exit_code(int code);

/* Plans.  As neap_solve. */
neap_status run_planner(struct run *run, neap_plan **plan, neap_error *error);

#endif
