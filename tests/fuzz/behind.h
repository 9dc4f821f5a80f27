/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is behind the readers: what they have taken must get through all of it.  Each returns NULL,
 * or a complaint that holds until the next one.
 */
#ifndef FUZZ_BEHIND_H
#define FUZZ_BEHIND_H

#include "neap/neap.h"

const char *behind_complaint(const char *what, const char *of, const neap_error *error);

/* The bound is computed, and is no more than the lower bound. */
const char *behind_bound(const neap_problem *problem);

/* The problem is sound, planned, the plan verified, and both are written; `choice` varies it. */
const char *behind_problem(const neap_problem *problem, uint64_t choice);

/* A plan is verified, or its collisions are found; and it is written. */
const char *behind_plan(const neap_plan *plan);

/* Makes problems of a graph in several ways. */
const char *behind_graph(const neap_graph *graph, uint64_t choice);

/* Plans a model and writes the plan into it: read back it must be the same.  `graph` may be NULL. */
const char *behind_model(const char *bytes, size_t size, const neap_graph *graph);

/* Stores bytes in a file of their own, which the caller removes. */
#define BEHIND_PATH 64
bool behind_store(const char *bytes, size_t size, char path[BEHIND_PATH]);

#endif
