/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sets of operators from which no order continues within a limit. */
#ifndef SCHEDULE_FAILURES_H
#define SCHEDULE_FAILURES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct failures {
  size_t words;     /* of a set */
  size_t count;     /* sets */
  size_t most;      /* sets that the memory allowed has room for */
  size_t slot_mask; /* one less than the number of slots, a power of two; 0: there are none */
  uint32_t *slots;  /* the number of a set plus one, or 0 */
  uint64_t *hashes; /* per set */
  uint64_t *sets;   /* `words` each */
  size_t capacity;  /* of the two */
};

/* Remembers sets of `words` words in at most about `bytes` bytes. */
void failures_init(struct failures *failures, size_t words, size_t bytes);
void failures_clear(struct failures *failures);

/* Forgets all sets. */
void failures_forget(struct failures *failures);

bool failures_has(const struct failures *failures, const uint64_t *set, uint64_t hash);

/* Remembers a set that is not there yet; without room, does nothing. */
void failures_add(struct failures *failures, const uint64_t *set, uint64_t hash);

#endif
