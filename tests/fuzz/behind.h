/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The steps after the readers: whatever the readers accept must get through all of them. Each
 * function returns NULL or a complaint, which stays valid until the next one.
 */
#ifndef FUZZ_BEHIND_H
#define FUZZ_BEHIND_H

#include "neap/neap-io.h"

const char *behind_complaint(const char *what, const char *of, const neap_error *error);

/* Computes the bound, which must not exceed the lower bound. */
const char *behind_bound(const neap_problem *problem);

/*
 * Checks and plans the problem, verifies the plan, and writes both; `choice` selects variants.
 */
const char *behind_problem(const neap_problem *problem, uint64_t choice);

/* Verifies a plan or finds its collisions, and writes it. */
const char *behind_plan(const neap_plan *plan);

/* Builds problems from a graph in several ways. */
const char *behind_graph(const neap_graph *graph, uint64_t choice);

/*
 * Plans a model and writes the plan to it; read back, it must be the same. `graph` may be NULL.
 */
const char *behind_model(const char *bytes, size_t size, const neap_graph *graph);

/* Stores bytes in a new file, which the caller removes. */
#define BEHIND_PATH 64
bool behind_store(const char *bytes, size_t size, char path[BEHIND_PATH]);

#endif
