/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The iterative tuner as it is specified, step by step and with every layout made from scratch:
 * for instances without alignments and fixed offsets, sorted by size, placed by the rule
 * lowest, with rearrangers that need no random numbers.
 */
#ifndef SUPPORT_REFERENCE_TUNER_H
#define SUPPORT_REFERENCE_TUNER_H

#include "neap/planner.h"
#include "tests/support/random_problem.h"

struct reference_settings {
  bool top; /* the highest offender alone goes to the front; otherwise all do */
  uint64_t max_rounds, max_group_rounds;
  size_t group_size;
  int64_t group_overlap; /* in thousandths */
};

#define REFERENCE_ROUNDS 64

struct reference_run {
  neap_round rounds[REFERENCE_ROUNDS]; /* group_rounds is not counted */
  uint64_t count;
  neap_stop_reason reason;
  neap_offset *offsets; /* of the best round; released with test_free */
};

void reference_tune(const struct instance *instance, const struct reference_settings *settings,
                    struct reference_run *run);

/*
 * Divides a class into groups: their members go to `members`, one past the last of each to
 * `ends`.  Returns how many groups.
 */
size_t reference_groups(const struct instance *instance,
                        const struct reference_settings *settings, const size_t *class_members,
                        size_t count, size_t *members, size_t *ends);

#endif
