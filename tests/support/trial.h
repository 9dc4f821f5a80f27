/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A tiny random problem, split into parts, and a layout of it that a search finds. */
#ifndef SUPPORT_TRIAL_H
#define SUPPORT_TRIAL_H

#include "search/part.h"
#include "tests/support/random_problem.h"

#define TRIAL_MOST 6

struct trial {
  uint64_t seed;
  struct instance instance;
  neap_problem *problem;
  struct parts parts;
  neap_offset offsets[TRIAL_MOST + 1]; /* by buffer, set by the test */
};

/* Seeds that are multiples of 16 give problems without constraints. */
void trial_init(struct trial *trial, uint64_t seed);
void trial_clear(struct trial *trial);

/* Copies the layout of a part, in its units. */
void trial_take(struct trial *trial, const struct part *part, const neap_offset *offsets);

/* Fails and prints the problem unless something holds. */
void trial_expect(const struct trial *trial, bool holds, const char *what);

/* Fails unless the verifier accepts the layout within a capacity in bytes. */
void trial_expect_sound(const struct trial *trial, neap_size capacity);

#endif
