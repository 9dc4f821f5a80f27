/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What neap computes, computed the slow and obvious way: every pair and every moment is looked at.
 * These functions follow the definitions (a rectangle is a size and some ranges of time; placing
 * goes by the rules' wording) and share nothing with neap.
 */
#ifndef SUPPORT_REFERENCE_H
#define SUPPORT_REFERENCE_H

#include "tests/support/random_problem.h"

/* The time that both live. */
neap_time reference_overlap(const struct rectangle *a, const struct rectangle *b);

/* The sum of the sizes alive at a moment; the last end of all; the largest such sum. */
neap_size reference_live(const struct instance *instance, neap_time moment);
neap_time reference_horizon(const struct instance *instance);
neap_size reference_bound(const struct instance *instance);

/* The overlap metric of a rectangle. */
int64_t reference_metric(const struct instance *instance, size_t index);

/*
 * Places one after the other, fixed ones first; `placed` counts how many of `order` to place.
 */
void reference_place(const struct instance *instance, const size_t *order, size_t placed,
                     const char *rule, neap_offset *offsets);

neap_size reference_peak(const struct instance *instance, const neap_offset *offsets);

/*
 * The lowest peak that any order gives by the rule lowest: the optimum.  For up to 8 buffers.
 */
neap_size reference_optimum(const struct instance *instance);

/* What is above the threshold at each moment, added up; *count: buffers that end above it. */
int64_t reference_excess(const struct instance *instance, const neap_offset *offsets,
                         neap_size threshold, size_t *count);

void reference_classify(const struct instance *instance, const neap_offset *offsets,
                        neap_size threshold, unsigned char *risks);

/*
 * All collisions, by first, second and time.  `collisions` has room for REFERENCE_MEETINGS of each
 * pair.  Returns how many there are.
 */
#define REFERENCE_MEETINGS (2 * INSTANCE_RANGES)
size_t reference_collisions(const struct instance *instance, const neap_offset *offsets,
                            neap_collision *collisions);

#endif
