/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Remembers, until the layout changes, which groups an exact search has refuted. */
#ifndef TUNE_REFUTED_GROUPS_H
#define TUNE_REFUTED_GROUPS_H

#include "neap/neap.h"

#define REFUTED_GROUPS 1024

struct refuted_groups {
  struct refuted_group {
    uint64_t hash, version;
    neap_size target;
  } entries[REFUTED_GROUPS];
  uint64_t version; /* of the layout, from 1 */
};

void refuted_groups_init(struct refuted_groups *groups);

/* Forgets all groups, because the layout has changed. */
void refuted_groups_forget(struct refuted_groups *groups);

/* Records a proof that the members (ascending) cannot all end at or below `target`. */
void refuted_groups_add(struct refuted_groups *groups, const uint32_t *members, size_t count,
                        neap_size target);

/*
 * The highest target refuted for a group, or -1 if none is remembered.  Groups are identified
 * by 64-bit hashes, so use the answer only to choose what to try next, never as a proof.
 */
neap_size refuted_groups_target(const struct refuted_groups *groups, const uint32_t *members,
                                size_t count);

#endif
