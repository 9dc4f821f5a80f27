/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lays out all buffers in one call, for tests, with the sorter and the placer but without an
 * engine.
 */
#ifndef SUPPORT_LAYOUT_H
#define SUPPORT_LAYOUT_H

#include "neap/neap-io.h"
#include "place/rule.h"

/* The placement rule with this name; without one, the test fails. */
const struct place_rule *layout_rule(const char *name);

struct layout {
  size_t count;
  size_t *order;
  neap_offset *offsets, *ends;
  neap_size peak;
};

/* Places the buffers in the given order, by the rule with that name. */
void layout_ordered(struct layout *layout, const neap_problem *problem, const size_t *order,
                    const char *rule);

/* Sorts them first, by a specification such as "size". */
void layout_sorted(struct layout *layout, const neap_problem *problem, const char *spec,
                   const char *rule);

void layout_clear(struct layout *layout);

#endif
