/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is tried while memory runs short: each scenario is one thing a program may ask of
 * libneap.
 */
#ifndef FUZZ_FAILING_ALLOC_H
#define FUZZ_FAILING_ALLOC_H

#include "neap/neap.h"

/* What scenarios work on; made while memory is plenty, in the current folder. */
struct fixture {
  neap_problem *problem;
  neap_plan *plan;
  neap_problem *graph_problem; /* of a graph of operators, some in place */
  neap_plan *model_plan;       /* the one in planned.tflite */
  FILE *null;                  /* what is written here does not matter */
  const char *with;            /* what the scenario at hand is told */
};

void fixture_make(struct fixture *fixture);
void fixture_clear(struct fixture *fixture);

/*
 * The files it made, closed by NULL: these and nothing else may lie in the folder after a
 * scenario.
 */
extern const char *const fixture_files[];

struct scenario {
  const char *name;
  const char *output; /* the file that it writes, or NULL */
  /* On NEAP_OK *fingerprint is of what was made, the same every time. */
  neap_status (*run)(const struct fixture *fixture, uint64_t *fingerprint, neap_error *error);
  /*
   * It reads with jansson, which passes over it when the text of a long token cannot grow, and
   * drops a character.  (As of 2.14.) Where memory stays short the next allocation tells.
   */
  bool by_jansson;
  const char *with; /* told to it, through the fixture */
};

/* Closed by one without a name. */
extern const struct scenario scenarios[];

/* More of them: graphs and models, every engine, and every kind that can be made. */
#define SCENARIOS_MORE 96
size_t scenarios_more(struct scenario more[SCENARIOS_MORE]);

/* The part of the fixture that is theirs. */
void fixture_make_graphs(struct fixture *fixture);
void fixture_clear_graphs(struct fixture *fixture);

void fixture_write(const char *path, const void *bytes, size_t size);

/* ---------------------------------------------------------------- fingerprints */

void fingerprint_number(uint64_t *fingerprint, uint64_t value);
void fingerprint_problem(uint64_t *fingerprint, const neap_problem *problem);
void fingerprint_plan(uint64_t *fingerprint, const neap_plan *plan);

/* Solves the problem under options, pairs of names and values closed by NULL. */
neap_status solve_with(const neap_problem *problem, const char *const *pairs,
                       uint64_t *fingerprint, neap_error *error);

/* NULL came back from a call that says no more: it is as if it had. */
neap_status no_memory(neap_error *error);

#endif
