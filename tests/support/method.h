/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs one method of the search without the others. */
#ifndef TESTS_SUPPORT_METHOD_H
#define TESTS_SUPPORT_METHOD_H

#include "search/method.h"
#include "tests/support/sample.h"

/* NULL if the method cannot help the part. */
static inline void *method_made(const struct method *method, const struct part *part,
                                uint64_t seed) {
  const struct method_task task = {.part = part, .rules = RULES_ALL, .seed = seed};
  void *made = NULL;
  assert_true(method->create(&task, &made));
  return made;
}

/* What the method of this state has found out. */
static inline const struct findings *findings_of(const void *state) { return state; }

/* Gives a method a turn, for a capacity and for a goal at or below it. */
static inline enum verdict method_turn(const struct method *method, void *state,
                                       neap_size capacity, neap_size goal,
                                       struct budget *budget) {
  const struct turn turn = {.capacity = capacity, .goal = goal, .change = 1};
  return method->step(state, &turn, budget);
}

#endif
