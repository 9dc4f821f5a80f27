/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/random.h"

#include <assert.h>
#include <stdlib.h>

#include "core/memory.h"

bool random_init(struct random *random, uint64_t seed) {
  /*
   * If memory runs out, gsl_rng_alloc calls GSL's global error handler, which aborts.  The struct
   * is public, so neap allocates it.
   */
  const gsl_rng_type *type = gsl_rng_taus2;
  random->rng.type = type;
  random->rng.state = memory_array(1, type->size);
  if (!random->rng.state) return false;
  gsl_rng_set(&random->rng, (unsigned long)(seed ^ (seed >> 32)));
  return true;
}

void random_clear(struct random *random) {
  free(random->rng.state);
  random->rng.state = NULL;
}

uint32_t random_below(struct random *random, uint32_t bound) {
  assert(bound >= 1 && bound < (UINT32_C(1) << 31));
  return (uint32_t)gsl_rng_uniform_int(&random->rng, bound);
}
