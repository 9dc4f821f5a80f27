/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A hash table without chains: a new group replaces the group in the same entry. */
#include "tune/repacker.h"

#include "core/hash_set.h"

void refuted_groups_init(struct refuted_groups *groups) {
  *groups = (struct refuted_groups){.version = 1};
}

void refuted_groups_forget(struct refuted_groups *groups) { groups->version++; }

static uint64_t hash_of(const uint32_t *members, size_t count) {
  uint64_t hash = HASH_FIRST;
  for (size_t i = 0; i < count; i++)
    hash = hash_next(hash, members[i]);
  return hash ^ hash >> 32;
}

neap_size refuted_groups_target(const struct refuted_groups *groups, const uint32_t *members,
                                size_t count) {
  uint64_t hash = hash_of(members, count);
  const struct refuted_group *group = &groups->entries[hash % REFUTED_GROUPS];
  return group->hash == hash && group->version == groups->version ? group->target : -1;
}

void refuted_groups_add(struct refuted_groups *groups, const uint32_t *members, size_t count,
                        neap_size target) {
  uint64_t hash = hash_of(members, count);
  struct refuted_group *group = &groups->entries[hash % REFUTED_GROUPS];
  if (group->hash == hash && group->version == groups->version && group->target >= target)
    return;
  *group = (struct refuted_group){hash, groups->version, target};
}
