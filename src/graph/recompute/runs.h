/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs of operators: a sequence in which each operator runs once or more, and the bytes alive
 * at each run.  Each run makes its values anew, and an operator reads the newest copies.  A
 * copy is alive from the run that makes it to the last one that reads it.
 */
#ifndef RECOMPUTE_RUNS_H
#define RECOMPUTE_RUNS_H

#include "schedule/costs.h"

#define RUNS_NONE SIZE_MAX

/* The values that operators make and read, and the time that operators take. */
struct runs_model {
  struct costs costs;
  struct costs_lists made; /* per operator: the values that it makes */
  int64_t *durations;      /* per operator */
  bool *may_repeat;        /* per operator */
  int64_t once;            /* the sum of durations */
};

/*
 * The graph's liveness must have been checked.  Begin with zeroes; clear even on failure.
 * NEAP_ERROR_INPUT: the sum of the durations exceeds NEAP_DURATION_MAX.
 */
neap_status runs_model_init(struct runs_model *model, const struct neap_graph *graph,
                            const neap_liveness *options, neap_error *error);
void runs_model_clear(struct runs_model *model);

struct runs {
  size_t *items; /* operators, in the order in which they run */
  size_t count, capacity;
};

/* Inserts a run of operator k before position `at`; false if memory is short. */
bool runs_insert(struct runs *runs, size_t at, size_t k);
void runs_remove(struct runs *runs, size_t at);
void runs_move(struct runs *runs, size_t from, size_t to);
bool runs_copy(struct runs *runs, const struct runs *from);
void runs_clear(struct runs *runs);

/* The needs of a sequence of runs, with bytes shared in place or by overlap counted once. */
struct runs_profile {
  neap_size *live;        /* per run: the bytes alive while it runs */
  size_t *last_uses;      /* per run: the last run that reads its values, or itself */
  size_t *firsts;         /* per operator: its first run */
  size_t *times;          /* per operator: the number of its runs */
  size_t *starts, *lasts; /* per value: where its newest copy is made, and last read */
  bool *is_needed;        /* per value: a later run reads the copy at hand */
  struct share_uses uses;
  size_t capacity; /* runs */
  neap_size peak;
  double excess; /* the sum of bytes above the capacity, over all runs */
  int64_t time;
};

bool runs_profile_init(struct runs_profile *profile, const struct runs_model *model);
void runs_profile_clear(struct runs_profile *profile);

/* The result of runs_measure. */
enum runs_fault {
  RUNS_SOUND,
  RUNS_UNREADY, /* an operator runs before another that it depends on */
  RUNS_MEMORY
};

/*
 * Fills the profile of a sequence in which each operator runs; O(runs + values that they read
 * and make).
 */
enum runs_fault runs_measure(const struct runs_model *model, const struct runs *runs,
                             neap_size capacity, struct runs_profile *profile);

/* Whether `reader` reads a value that operator k makes and that `other` does not read. */
bool runs_reads_beyond(const struct runs_model *model, size_t reader, size_t k, size_t other);

#endif
