/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * As in Euclid's algorithm: if no multiple of `step` is in [low, high], then the first of the
 * ranges [low + y modulus, high + y modulus] that contains one has the least y such that
 * modulus y is in [-high, -low] modulo `step`, and that is the same question with smaller
 * numbers.  A step above half the modulus goes backwards, so that at least every second
 * question halves the modulus.
 *
 * The smaller question multiplies smaller numbers, so if it overflows, so does the larger one.
 */
#include "core/residues.h"

#include <assert.h>

#include "core/checked.h"

bool residues_reaches(int64_t step, int64_t modulus, int64_t low, int64_t high, int64_t *x) {
  assert(step >= 0 && 0 <= low && low <= high && high < modulus);
  int64_t y, least;
  step %= modulus;
  *x = 0;
  if (low == 0) return true;
  if (step == 0) return false;
  if (step > modulus - step)
    return residues_reaches(modulus - step, modulus, modulus - high, modulus - low, x);
  *x = (low - 1) / step + 1;
  if (*x <= high / step) return true;
  int64_t low_rest = (step - high % step) % step, high_rest = step - low % step;
  if (!residues_reaches(modulus % step, step, low_rest, high_rest, &y) ||
      !checked_mul(y, modulus, &least) || !checked_add(least, low, &least))
    return false;
  *x = (least - 1) / step + 1;
  return true;
}

bool residues_meet(struct residues *progression, int64_t step, int64_t rest) {
  assert(step >= 1 && 0 <= rest && rest < step);
  int64_t wanted = rest - progression->rest % step, x, way, common;
  if (wanted < 0) wanted += step;
  if (!residues_reaches(progression->step, step, wanted, wanted, &x) ||
      !checked_mul(progression->step, x, &way) ||
      !checked_add(progression->rest, way, &progression->rest))
    return false;
  common = common_divisor(progression->step, step);
  if (!checked_mul(progression->step / common, step, &progression->step))
    progression->step = INT64_MAX;
  return true;
}

bool residues_next(const struct residues *progression, int64_t from, int64_t *next) {
  int64_t rest = progression->rest, way;
  if (from <= rest) {
    *next = rest;
    return true;
  }
  return checked_round_up(from - rest, progression->step, &way) && checked_add(rest, way, next);
}
