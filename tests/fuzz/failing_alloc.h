/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is tried while memory runs short. A scenario is one thing that a program may do with
 * libneap.
 */
#ifndef FUZZ_FAILING_ALLOC_H
#define FUZZ_FAILING_ALLOC_H

#include "neap/neap-io.h"

/* The input of scenarios, made in the current folder while memory is available. */
struct fixture {
  neap_problem *problem;
  neap_problem
      *aligned; /* sizes are no multiples of the alignments; the bound is out of reach */
  neap_plan *plan;
  neap_problem *graph_problem; /* from a graph of operators, some in place */
  neap_plan *model_plan;       /* the plan in planned.tflite */
  FILE *null;                  /* discards output */
  const char *with;            /* the argument of the current scenario */
};

void fixture_make(struct fixture *fixture);
void fixture_clear(struct fixture *fixture);

/* The files it made, terminated by NULL; after a scenario, the folder contains only these. */
extern const char *const fixture_files[];

struct scenario {
  const char *name;
  const char *output; /* the file that it writes, or NULL */
  /* On NEAP_OK, *fingerprint identifies the result, which is the same every time. */
  neap_status (*run)(const struct fixture *fixture, uint64_t *fingerprint, neap_error *error);
  /*
   * It reads with jansson, which (as of 2.14) ignores that the text of a long token cannot
   * grow, and drops a character. If memory stays short, the next allocation reports it.
   */
  bool by_jansson;
  const char *with; /* its argument, passed in the fixture */
};

/* Terminated by an entry without a name. */
extern const struct scenario scenarios[];

/* Problems with relations, and the verdict on plans for them. */
neap_status relate_in_one_arena(const struct fixture *fixture, uint64_t *fingerprint,
                                neap_error *error);
neap_status relate_in_pools(const struct fixture *fixture, uint64_t *fingerprint,
                            neap_error *error);
neap_status choose_pools(const struct fixture *fixture, uint64_t *fingerprint,
                         neap_error *error);
neap_status decide_pairs(const struct fixture *fixture, uint64_t *fingerprint,
                         neap_error *error);

/* Certificates. */
neap_status certify_layout(const struct fixture *fixture, uint64_t *fingerprint,
                           neap_error *error);
neap_status certify_terms(const struct fixture *fixture, uint64_t *fingerprint,
                          neap_error *error);
neap_status certify_order(const struct fixture *fixture, uint64_t *fingerprint,
                          neap_error *error);
neap_status certify_plan(const struct fixture *fixture, uint64_t *fingerprint,
                         neap_error *error);

/* Explanations. */
neap_status explain_set(const struct fixture *fixture, uint64_t *fingerprint,
                        neap_error *error);
neap_status explain_sum(const struct fixture *fixture, uint64_t *fingerprint,
                        neap_error *error);

/* More scenarios: graphs and models, every engine, and every kind of generated problem. */
#define SCENARIOS_MORE 96
size_t scenarios_more(struct scenario more[SCENARIOS_MORE]);

/* Their part of the fixture. */
void fixture_make_graphs(struct fixture *fixture);
void fixture_clear_graphs(struct fixture *fixture);

void fixture_write(const char *path, const void *bytes, size_t size);

/* ---------------------------------------------------------------- fingerprints */

void fingerprint_number(uint64_t *fingerprint, uint64_t value);
void fingerprint_problem(uint64_t *fingerprint, const neap_problem *problem);
void fingerprint_plan(uint64_t *fingerprint, const neap_plan *plan);

/* Solves the problem with options, a list of names and values terminated by NULL. */
neap_status solve_with(const neap_problem *problem, const char *const *pairs,
                       uint64_t *fingerprint, neap_error *error);

/* For calls that return NULL when memory is short, without an error: sets the error. */
neap_status no_memory(neap_error *error);

#endif
