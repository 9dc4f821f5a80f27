/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds buffers that use reserved bytes.  The verifier and the check of fixed offsets use it. */
#ifndef FACTS_RESERVED_H
#define FACTS_RESERVED_H

#include "facts/placement.h"

struct reserved_use {
  size_t buffer, reserved;
  neap_offset low, high; /* the bytes, [low, high) */
  neap_range when;
};

/*
 * Finds a use of reserved bytes if there is one, and always the same one.  O(n log n) time,
 * O(n) memory for n ranges of time and reserved ranges.
 */
neap_status reserved_first(const struct placement *placement, struct reserved_use *use,
                           bool *found, neap_error *error);

#define RESERVED_TEXT 320

/* "'a' uses the reserved bytes [0, 16) of pool 'sram' at times [2, 5)"; returns `text`. */
const char *reserved_text(const struct neap_problem *problem, const struct reserved_use *use,
                          char text[RESERVED_TEXT]);

#endif
