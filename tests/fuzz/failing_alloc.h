/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is tried while memory runs short. A scenario is one thing that a program may do with
 * libneap; most are a row of a table and one of a few functions.
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
};

extern struct fixture fixture;

void fixture_make(void);
void fixture_clear(void);

/* The files it made, terminated by NULL; after a scenario, the folder contains only these. */
extern const char *const fixture_files[];

struct attempt {
  const struct scenario *scenario;
  neap_status status;
  neap_error error;
  uint64_t fingerprint; /* including that of the output, if all went well */
  bool met;             /* the failure has occurred */
  long leaked;
};

struct scenario {
  const char *name;
  /* On NEAP_OK, the fingerprint identifies the result, which is the same every time. */
  neap_status (*run)(struct attempt *attempt);
  const char *from;    /* the file that it reads, or another argument */
  const char *output;  /* the file that it writes, or NULL */
  const char *options; /* names and values, separated by spaces */
  const neap_reading *reading;
  neap_schedule schedule;
  const neap_writing *writing;
  /*
   * It reads with jansson, which (as of 2.14) ignores that the text of a long token cannot
   * grow, and drops a character. If memory stays short, the next allocation reports it.
   */
  bool by_jansson;
};

/* Calls `add` with each scenario. */
void scenarios_list(void (*add)(const struct scenario *scenario));

/* ---------------------------------------------------------------- fingerprints */

void fingerprint_number(struct attempt *attempt, uint64_t value);
void fingerprint_problem(struct attempt *attempt, const neap_problem *problem);
void fingerprint_plan(struct attempt *attempt, const neap_plan *plan);

/* ---------------------------------------------------------------- steps of scenarios */

/* Solves the problem and takes the plan's fingerprint. */
neap_status solve_with(const neap_problem *problem, const char *options,
                       struct attempt *attempt);

/* For calls that return NULL when memory is short, without an error: sets the error. */
neap_status no_memory(neap_error *error);

/* Problems with relations and pools, certificates, recomputation, explanations. */
neap_status relate_in_one_arena(struct attempt *attempt);
neap_status relate_in_pools(struct attempt *attempt);
neap_status choose_pools(struct attempt *attempt);
neap_status decide_pairs(struct attempt *attempt);
neap_status certify_layout(struct attempt *attempt);
neap_status certify_banks(struct attempt *attempt);
neap_status certify_rules(struct attempt *attempt);
neap_status certify_terms(struct attempt *attempt);
neap_status certify_order(struct attempt *attempt);
neap_status certify_plan(struct attempt *attempt);
neap_status recompute(struct attempt *attempt);
neap_status repeat_operators(struct attempt *attempt);
neap_status explain_set(struct attempt *attempt);
neap_status explain_sum(struct attempt *attempt);

#endif
