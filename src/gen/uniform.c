/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gen/kind.h"

/* The longest lifetime, and the moments per buffer: on average (1 + 80) / 2 / 2 are alive. */
#define LONGEST 80
#define STEPS 2

neap_status uniform_fill(neap_problem *problem, size_t count, struct random *random,
                         neap_error *error) {
  int64_t horizon = (int64_t)count * STEPS;
  for (size_t i = 0; i < count; i++) {
    neap_time start = kind_between(random, 0, horizon - 1);
    neap_time end = start + kind_between(random, 1, LONGEST);
    neap_size size = 64 * kind_between(random, 1, 16384);
    neap_status status = kind_add(problem, start, end, size, error);
    if (status != NEAP_OK) return status;
  }
  return NEAP_OK;
}
