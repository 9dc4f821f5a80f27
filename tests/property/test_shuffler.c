/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Shuffled layouts of tiny random problems are sound and never lower than the optimum; most problems
 * get there.  A problem that suits no other search ends by its limit, or with a proof.
 */
#include <string.h>

#include "tune/shuffler.h"
#include "tests/property/reference.h"
#include "tests/property/trial.h"
#include "tests/unit/sample.h"

#define PROBLEMS 400
#define STEPS 60

static neap_size peak_of(const struct trial *trial) {
  neap_size peak = 0;
  for (size_t i = 0; i < trial->instance.count; i++) {
    neap_offset end = trial->offsets[i] + trial->problem->buffers[i].size;
    if (end > peak) peak = end;
  }
  return peak;
}

/* The lowest of some layouts, each near the last one; NEAP_MAX if none was made. */
static neap_size shuffle(struct trial *trial) {
  struct shuffler *shuffler;
  struct budget budget;
  neap_error error;
  neap_size lowest = NEAP_MAX;
  budget_init(&budget, 0, 0);
  assert_ok(shuffler_new(&shuffler, trial->problem, trial->seed, &budget, &error), &error);
  for (int step = 0; step < STEPS; step++) {
    const neap_offset *near = lowest == NEAP_MAX ? NULL : trial->offsets;
    neap_status status = shuffler_step(shuffler, near, &error);
    if (status == NEAP_INFEASIBLE) continue;
    assert_ok(status, &error);
    memcpy(trial->offsets, shuffler_offsets(shuffler),
           trial->instance.count * sizeof *trial->offsets);
    trial_expect_sound(trial, -1);
    neap_size peak = peak_of(trial);
    if (peak < lowest) lowest = peak;
  }
  shuffler_free(shuffler);
  return lowest;
}

static void shuffled_layouts_are_sound(void **state) {
  (void)state;
  size_t optimal = 0;
  for (uint64_t seed = 0; seed < PROBLEMS; seed++) {
    struct trial trial;
    trial_init(&trial, seed);
    neap_size optimum = reference_optimum(&trial.instance), lowest = shuffle(&trial);
    trial_expect(&trial, lowest >= optimum, "none is lower than the optimum");
    optimal += lowest == optimum;
    trial_clear(&trial);
  }
  assert_in_range(optimal, PROBLEMS * 3 / 4, PROBLEMS);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(shuffled_layouts_are_sound),
  };
  return cmocka_run_group_tests_name("property shuffler", tests, NULL, NULL);
}
