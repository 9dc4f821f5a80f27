/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arithmetic progressions and their residues. */
#ifndef CORE_RESIDUES_H
#define CORE_RESIDUES_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Finds the least x >= 0 with low <= step * x mod modulus <= high, where 0 <= step and 0 <= low <=
 * high < modulus.  False if there is none, and possibly if step * x exceeds 2^63 - 1.
 * O(log modulus) time.
 */
bool residues_reaches(int64_t step, int64_t modulus, int64_t low, int64_t high, int64_t *x);

/* The numbers that are `rest` modulo `step`: 0 <= rest < step. */
struct residues {
  int64_t step, rest;
};

/*
 * Keeps the numbers that are also `rest` modulo `step`.  False if no such number is below 2^63;
 * where just one is, the step becomes INT64_MAX.
 */
bool residues_meet(struct residues *progression, int64_t step, int64_t rest);

/* The least number of the progression that is >= from (>= 0); false if it exceeds 2^63 - 1. */
bool residues_next(const struct residues *progression, int64_t from, int64_t *next);

#endif
