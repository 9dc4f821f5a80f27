/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Remembers sets of operators after which no order stays within a limit. */
#ifndef SCHEDULE_FAILURES_H
#define SCHEDULE_FAILURES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct failures {
  size_t words;     /* of a set */
  size_t count;     /* sets */
  size_t most;      /* the number of sets that the allowed memory has room for */
  size_t slot_mask; /* the number of slots, a power of two, less 1; 0: no slots yet */
  uint32_t *slots;  /* the number of a set plus one, or 0 */
  uint64_t *hashes; /* per set */
  uint64_t *sets;   /* `words` each */
  size_t capacity;  /* of `hashes` and `sets` */
};

/* Prepares to remember sets of `words` words in about `bytes` bytes of memory at most. */
void failures_init(struct failures *failures, size_t words, size_t bytes);
void failures_clear(struct failures *failures);

/* Forgets all sets. */
void failures_forget(struct failures *failures);

bool failures_has(const struct failures *failures, const uint64_t *set, uint64_t hash);

/* Remembers a set that is not in the table yet; does nothing if there is no room. */
void failures_add(struct failures *failures, const uint64_t *set, uint64_t hash);

#endif
