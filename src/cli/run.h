/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs a planner: shows its progress and its rounds, and stops it with the best plan so far on
 * Ctrl-C.  Also plans in as few pools as possible.
 */
#ifndef CLI_RUN_H
#define CLI_RUN_H

#include <neap/graph.h>
#include <neap/planner.h>

struct run {
  const neap_problem *problem;
  const neap_options *options;
  const char *label;      /* what the status line begins with; "" is nothing */
  neap_progress progress; /* the latest */
  double shown;           /* at how many seconds the status line was last shown */
  bool orders;            /* the search for the order of the operators is a part of the run */
  double earlier;         /* how long that took */
  bool is_late;           /* a signal came before there was a planner */
  bool needs_plan;        /* also after a signal: a sorted layout, if there is none yet */
};

/*
 * After this call, the first SIGINT or SIGTERM stops the running planner, or the next one a second
 * after it starts; the second ends the program.
 */
void run_catch_signals(void);

/* Seconds on a clock that never goes back. */
double run_seconds(void);

/*
 * Whether to update the status line now, no faster than people read; *shown is when it last was.
 */
bool run_wants_status(double seconds, double *shown);

/* Whether a signal has arrived. */
bool run_interrupted(void);

/* Records that a signal has cut off results that were asked for. */
void run_note_missing(void);

/*
 * The exit code of a command that would end with `code`.  If a signal cut off results or ended a
 * wait, this is EXIT_INTERRUPTED or EXIT_TERMINATED.  If SIGTERM stopped it, this is
 * EXIT_TERMINATED: a supervisor must see that the signal took effect, although the best results
 * so far have been written.
 */
int run_exit_code(int code);

/*
 * A neap_order_function: shows the progress of a search for an order of operators, and stops it
 * once a signal has arrived.  `user` is a double, 0 at first: when the status line was last shown.
 * It catches signals from its first call on; until then, there is nothing to save, and a signal
 * ends the program.
 */
bool run_watch_order(const neap_order_progress *progress, void *user);

/* From now on, allocations fail if the program's data would exceed `bytes`; 0: no limit. */
void run_limit_memory(int64_t bytes);

/* Plans like neap_solve.  If memory runs out, the best plan so far is the result. */
neap_status run_planner(struct run *run, neap_plan **plan, neap_error *error);

/* Planning in as few pools of one size as possible. */
struct chunks {
  neap_problem *problem; /* without pools at first; it gets them */
  neap_size bytes;       /* the capacity of each */
  bool allows_larger;    /* each buffer that does not fit gets a pool of its size */
  size_t larger;         /* how many of these there are */
  size_t count;          /* of other pools, once planned */
  size_t least;          /* proven: fewer do not suffice */
};

/*
 * Refuses a problem that has pools, or if larger chunks are not allowed, a buffer above the size of
 * a chunk.  Returns 0, or the exit code of the message it has printed.
 */
int chunks_begin(struct chunks *chunks, const char *source);

/* Plans like run_planner, with more and more pools until everything fits. */
neap_status chunks_plan(struct chunks *chunks, struct run *run, neap_plan **plan,
                        neap_error *error);

#endif
