/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/trial.h"

#include "neap/planner.h"
#include "search/parts.h"
#include "tests/support/sample.h"

void trial_init(struct trial *trial, uint64_t seed) {
  unsigned features = (unsigned)(seed % 4 == 3 ? MOSTLY_FIXED | (seed / 4 % 4) : seed % 16);
  neap_error error;
  *trial = (struct trial){.seed = seed};
  trial->instance = instance_random(seed, TRIAL_MOST, features & ~(unsigned)WITH_ZEROS);
  trial->problem = instance_problem(&trial->instance);
  assert_ok(parts_init(&trial->parts, trial->problem, &error), &error);
}

void trial_clear(struct trial *trial) {
  parts_clear(&trial->parts);
  neap_problem_free(trial->problem);
  instance_free(&trial->instance);
}

void trial_take(struct trial *trial, const struct part *part, const neap_offset *offsets) {
  for (size_t i = 0; i < part->count; i++)
    trial->offsets[part->buffer[i]] = offsets[i] * part->unit;
}

void trial_expect(const struct trial *trial, bool holds, const char *what) {
  instance_expect(&trial->instance, trial->seed, what, holds);
}

void trial_expect_sound(const struct trial *trial, neap_size capacity) {
  neap_error error;
  neap_plan *plan = sample_plan(trial->problem, trial->offsets);
  trial_expect(trial, neap_plan_verify(plan, capacity, &error) == NEAP_OK,
               "the layout is sound");
  neap_plan_free(plan);
}
