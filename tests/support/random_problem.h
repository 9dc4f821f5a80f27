/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Random problems, each made anew from its seed.  An instance is plain arrays, so that a test
 * can shift, scale or permute it and reference algorithms can read it; instance_problem gives
 * what neap plans.
 */
#ifndef SUPPORT_RANDOM_PROBLEM_H
#define SUPPORT_RANDOM_PROBLEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "neap/neap-io.h"

/* A generator of its own (SplitMix64), so that the tests share no code with what they test. */
struct dice {
  uint64_t state;
};

uint64_t dice_roll(struct dice *dice, uint64_t bound); /* even over 0 .. bound - 1 */
bool dice_chance(struct dice *dice, unsigned percent);
void dice_shuffle(struct dice *dice, size_t *order, size_t count);

#define INSTANCE_RANGES 4

struct rectangle {
  unsigned number; /* gives its name, whatever becomes of its position */
  neap_size size, alignment;
  neap_offset fixed; /* or NEAP_UNPLACED */
  neap_range ranges[INSTANCE_RANGES];
  size_t range_count;
};

struct instance {
  size_t count;
  struct rectangle *rectangles;
};

/* What may occur in an instance; whether it does is also random. */
enum {
  WITH_GAPS = 1,       /* buffers of several ranges */
  WITH_ALIGNMENTS = 2, /* also ones that are no powers of two */
  WITH_ZEROS = 4,      /* buffers of size 0 */
  WITH_FIXED = 8,      /* fixed offsets that do not collide */
  DISTINCT_SIZES = 16, /* no two buffers of one size */
  MOSTLY_FIXED = 32,   /* half of the buffers have fixed offsets */
  WITH_ALL = WITH_GAPS | WITH_ALIGNMENTS | WITH_ZEROS | WITH_FIXED
};

/*
 * 0 to `most` buffers: scattered in time, in chains as in a network, nested, or all at the same
 * few moments.
 */
struct instance instance_random(uint64_t seed, size_t most, unsigned with);
struct instance instance_copy(const struct instance *instance);
void instance_free(struct instance *instance);

/* Released with neap_problem_free. */
neap_problem *instance_problem(const struct instance *instance);

/* Prints an instance and its seed, so that a failure can be seen. */
void instance_print(const struct instance *instance, uint64_t seed);

/* Fails and prints the instance unless something holds. */
void instance_expect(const struct instance *instance, uint64_t seed, const char *what,
                     bool holds);

/* A random order of its buffers; released with test_free. */
size_t *instance_order(const struct instance *instance, struct dice *dice);

#endif
