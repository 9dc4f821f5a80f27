/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gen/kind.h"

/*
 * Sizes from 16 bytes to 16 KiB, lifetimes from 64 to 2^21 allocations: a few hundred are
 * alive.
 */
#define SIZE_LEAST 16
#define SIZE_DOUBLINGS 9
#define LIFE_LEAST 64
#define LIFE_DOUBLINGS 14

/* One allocation per moment; buffers that would outlive the trace are released at its end. */
neap_status trace_fill(neap_problem *problem, size_t count, struct random *random,
                       neap_error *error) {
  for (size_t i = 0; i < count; i++) {
    neap_time start = (neap_time)i;
    neap_time end = start + kind_heavy(random, LIFE_LEAST, LIFE_DOUBLINGS);
    neap_size size = kind_heavy(random, SIZE_LEAST, SIZE_DOUBLINGS) / 16 * 16;
    if (end > (neap_time)count) end = (neap_time)count;
    neap_status status = kind_add(problem, start, end, size, error);
    if (status != NEAP_OK) return status;
  }
  return NEAP_OK;
}
