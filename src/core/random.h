/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Random numbers from GSL, in memory of our own so that GSL's error handler is never reached.
 */
#ifndef CORE_RANDOM_H
#define CORE_RANDOM_H

#include <gsl/gsl_rng.h>
#include <stdbool.h>
#include <stdint.h>

struct random {
  gsl_rng rng;
};

/* False when memory is short. The same seed gives the same numbers everywhere. */
bool random_init(struct random *random, uint64_t seed);
void random_clear(struct random *random);

/* Even over 0 .. bound - 1; 1 <= bound < 2^31. */
uint32_t random_below(struct random *random, uint32_t bound);

#endif
