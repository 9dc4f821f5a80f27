/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Remembers which groups were searched in vain, as long as the layout does not change. */
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

/* Proven: the members (ascending) cannot all end at or below `target`. */
void refuted_groups_add(struct refuted_groups *groups, const uint32_t *members, size_t count,
                        neap_size target);

/*
 * The highest target refuted for a group, or -1 if none is remembered.  Groups are told apart by
 * 64-bit hashes, so use the answer to choose what to try next, not as a proof.
 */
neap_size refuted_groups_target(const struct refuted_groups *groups, const uint32_t *members,
                                size_t count);

#endif
