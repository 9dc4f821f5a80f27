/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tiny random problems with relations, pools and reserved bytes.  A tiny problem is plain arrays,
 * so that a slow, obvious algorithm can read it and a failing one can be shrunk; tiny_problem
 * gives what neap plans.
 */
#ifndef SUPPORT_RANDOM_RELATIONS_H
#define SUPPORT_RANDOM_RELATIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "neap/neap-io.h"
#include "neap/relations.h"

#define TINY_BUFFERS 6
#define TINY_RANGES 3
#define TINY_RELATIONS 12
#define TINY_POOLS 3
#define TINY_RESERVED 3

/* Room for problems that are not drawn here, but judged by the same definitions. */
#define TINY_ROOM 24
#define TINY_RANGES_ROOM 4
#define TINY_RELATIONS_ROOM 48
#define TINY_RESERVED_ROOM 20

struct tiny_buffer {
  neap_size size, alignment;
  neap_offset fixed; /* or NEAP_UNPLACED */
  neap_range ranges[TINY_RANGES_ROOM];
  size_t range_count;
  neap_offset window_low, window_high;
  neap_size bank;
  size_t pools[TINY_POOLS], pool_count; /* 0: any pool */
  neap_offset near_offset;              /* or NEAP_UNPLACED */
  neap_size move_cost;
};

#define TINY_BUFFER_INIT                                             \
  {                                                                  \
    .alignment = 1, .fixed = NEAP_UNPLACED, .window_high = NEAP_MAX, \
    .near_offset = NEAP_UNPLACED, .move_cost = -1                    \
  }

struct tiny {
  size_t count, relation_count, pool_count, reserved_count;
  struct tiny_buffer buffers[TINY_ROOM];
  neap_relation relations[TINY_RELATIONS_ROOM];
  neap_pool pools[TINY_POOLS];
  neap_reserved reserved[TINY_RESERVED_ROOM];
  neap_term objective[NEAP_TERM_COUNT];
};

/* What a tiny problem is about: one kind of statement, or a mixture. */
enum tiny_kind {
  TINY_SEPARATIONS,
  TINY_EXCLUSIONS,
  TINY_OVERLAPS,
  TINY_COLOCATIONS,
  TINY_BANKS,
  TINY_BANK_SEPARATIONS,
  TINY_WINDOWS,
  TINY_RESERVES,
  TINY_FIXED,
  TINY_HARD, /* a mixture of all the above */
  TINY_POOLED,
  TINY_HARD_POOLED, /* the mixture in pools */
  TINY_PENALTIES,
  TINY_MOVES,
  TINY_PRICED, /* the mixture with soft terms, in one arena */
  TINY_EVERYTHING
};
#define TINY_KIND_COUNT 16

const char *tiny_kind_name(enum tiny_kind kind);

/* The same kind and seed give the same problem. */
struct tiny tiny_random(enum tiny_kind kind, uint64_t seed);

/*
 * Released with neap_problem_free; NULL if a statement is refused as soon as it is made.
 * Contradictions that neap_problem_check finds are not looked for.
 */
neap_problem *tiny_problem(const struct tiny *tiny);

/*
 * The opposite, for a problem without pools. Empty buffers lose their limits, which are a matter of
 * taste.
 */
struct tiny tiny_of(const neap_problem *problem);

/* Whether the problem has a buffer without bytes, whose limits are a matter of taste. */
bool tiny_has_empty(const struct tiny *tiny);

/* Writes it as an initialiser in C, to be kept as a test. */
void tiny_print(const struct tiny *tiny, FILE *file);

/*
 * Removes and simplifies parts of a tiny problem as long as `fails` says that it still fails;
 * `context` is passed on.
 */
typedef bool tiny_fails(const struct tiny *tiny, const void *context);
void tiny_shrink(struct tiny *tiny, tiny_fails *fails, const void *context);

#endif
