/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of kinds of problems that can be generated. */
#ifndef GEN_KIND_H
#define GEN_KIND_H

#include "core/random.h"
#include "model/problem.h"
#include "neap-tool.h"

struct kind {
  neap_kind_info info;
  /* Adds `count` (>= 1) buffers to an empty problem. */
  neap_status (*fill)(neap_problem *problem, size_t count, struct random *random,
                      neap_error *error);
};

/* NULL after the last. */
const struct kind *kind_at(size_t index);

/* Adds a buffer with one range, named after its index. */
neap_status kind_add(neap_problem *problem, neap_time start, neap_time end, neap_size size,
                     neap_error *error);

/* Uniform over low .. high; high - low < 2^31 - 1. */
int64_t kind_between(struct random *random, int64_t low, int64_t high);

/* True with probability 1 / times. */
bool kind_chance(struct random *random, uint32_t times);

/*
 * Heavy-tailed: reaches 2^k times `least` with probability 2^-k, up to k = most, and is uniform
 * in between. This is a Pareto distribution with exponent 1, made from coin tosses, so it is
 * the same on every machine.
 */
int64_t kind_heavy(struct random *random, int64_t least, int most);

/* The kinds, one per file. */
neap_status perfect_fill(neap_problem *problem, size_t count, struct random *random,
                         neap_error *error);
neap_status sheet_fill(neap_problem *problem, size_t count, struct random *random,
                       neap_error *error);
neap_status uniform_fill(neap_problem *problem, size_t count, struct random *random,
                         neap_error *error);
neap_status chain_fill(neap_problem *problem, size_t count, struct random *random,
                       neap_error *error);
neap_status branch_fill(neap_problem *problem, size_t count, struct random *random,
                        neap_error *error);
neap_status related_fill(neap_problem *problem, size_t count, struct random *random,
                         neap_error *error);
neap_status trace_fill(neap_problem *problem, size_t count, struct random *random,
                       neap_error *error);

#endif
