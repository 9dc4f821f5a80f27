/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The levels of one arena of a plan: its only one, or a pool. */
#ifndef VIZ_LAYOUT_LEVEL_LINES_H
#define VIZ_LAYOUT_LEVEL_LINES_H

#include "core/text.h"
#include "plan/plan.h"

struct levels {
  const char *pool; /* its name; NULL without pools */
  neap_size peak, bound, lower_bound;
  neap_size capacity; /* -1 if none is known */
};

/* The levels of pool `index`, or of the only arena if there are no pools. */
struct levels levels_of(const struct neap_plan *plan, size_t index);

#define LEVELS_TEXT (4 * TEXT_BYTES)

/* "1.19 KiB of 2.00 KiB used, 832 B free".  Returns `text`. */
const char *levels_text(const struct levels *levels, char text[LEVELS_TEXT]);

#define LEVELS_POOLS_MOST 16 /* pools that are drawn */

/* The number of arenas that are drawn, at least one; those after the most are left out. */
size_t levels_count(const struct neap_plan *plan);

#endif
