/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table of placement rules, which choose the offset of a buffer around those already
 * placed.
 */
#ifndef PLACE_RULE_H
#define PLACE_RULE_H

#include "neap/neap.h"

struct placer;

struct place_rule {
  const char *name;
  const char *summary;
  /*
   * Chooses the offset of a buffer; cannot fail, since there is always room above everything.
   */
  neap_offset (*choose)(struct placer *placer, size_t buffer);
  /*
   * Whether the rule needs to know which placed buffers still wait for the next buffer that
   * overlaps them in time (place/waiting).
   */
  bool needs_waiting;
};

/* The rules, the default first; NULL after the last. */
const struct place_rule *place_rule_at(size_t index);

#endif
