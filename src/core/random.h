/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Random numbers from GSL.  neap allocates the memory, so that GSL's error handler is never
 * called.
 */
#ifndef CORE_RANDOM_H
#define CORE_RANDOM_H

#include <gsl/gsl_rng.h>
#include <stdbool.h>
#include <stdint.h>

struct random {
  gsl_rng rng;
};

/* False if memory runs out.  The same seed gives the same numbers on every machine. */
bool random_init(struct random *random, uint64_t seed);
void random_clear(struct random *random);

/* A number in 0 .. bound - 1, all equally likely; 1 <= bound < 2^31. */
uint32_t random_below(struct random *random, uint32_t bound);

/* A number from 0 to below 1, in steps of 2^-20. */
static inline double random_share(struct random *random) {
  return (double)random_below(random, 1u << 20) / (1u << 20);
}

#endif
