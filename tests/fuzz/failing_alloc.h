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
  FILE *null; /* what is written here does not matter */
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
};

/* Closed by one without a name. */
extern const struct scenario scenarios[];

#endif
