/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The buffer managers of PPL.NN's devices. Addresses are offsets from the base of the
 * provider's memory.
 */
#ifndef RUNTIMES_PPLNN_H
#define RUNTIMES_PPLNN_H

#include "core/budget.h"
#include "neap/neap.h"
#include "runtimes/sorted.h"

enum pplnn_policy {
  PPLNN_PLAIN,        /* every request goes to the provider, a first-fit heap */
  PPLNN_MRU,          /* slots; takes the most recently freed one */
  PPLNN_BEST_FIT,     /* slots; takes the one closest in size */
  PPLNN_COMPACT,      /* best fit by size in one range that grows */
  PPLNN_COMPACT_BLOCK /* best fit over blocks that need not be adjacent */
};

struct pplnn_options {
  enum pplnn_policy policy;
  neap_size granularity; /* the provider rounds requests up to a multiple of this; >= 1 */
  neap_size gap;         /* between two blocks of the provider */
  neap_size capacity;    /* the provider's total; with slots: the largest single request */
  neap_size alignment;   /* for compact policies; a power of two */
};

#define PPLNN_DEFAULTS \
  { .policy = PPLNN_COMPACT, .granularity = 1, .capacity = NEAP_MAX, .alignment = 1 }

/* A buffer in use. Initialise with PPLNN_NO_BUFFER. */
struct pplnn_handle {
  bool has_buffer;
  neap_offset address; /* with slots: 0 */
  neap_size bytes;     /* its size */
  size_t slot;
};

#define PPLNN_NO_BUFFER \
  { .slot = SIZE_MAX }

/* ---------------------------------------------------------------- free memory */

/* The compact manager's free blocks, which are never adjacent, and its supply of new ones. */

/* Initialise with zeroes and set the options. */
struct compact {
  struct pplnn_options options;
  struct sorted by_address; /* free blocks; the id is the size */
  struct sorted by_size;    /* the same blocks by size, then by address, which is the id */
  neap_size obtained;       /* from the provider */
  neap_offset end;          /* of the last block obtained */
  neap_size in_use;
};

void compact_clear(struct compact *compact);

/*
 * Takes the smallest block that fits, the lowest of equal ones; with PPLNN_PLAIN the first that
 * fits. NEAP_NO_PLAN if the provider is exhausted. O(log n), plus moving entries of the lists.
 */
neap_status compact_alloc(struct compact *compact, neap_size bytes, neap_offset *address,
                          neap_error *error);

/* NEAP_NO_PLAN: the provider is exhausted. */
neap_status compact_refuse(neap_size bytes, neap_error *error);

/* NEAP_ERROR_ARGUMENT if the block overlaps free memory. */
neap_status compact_release(struct compact *compact, neap_offset address, neap_size bytes,
                            neap_error *error);

/* ---------------------------------------------------------------- managers */

struct pplnn_figures {
  neap_size buffered; /* obtained from the provider and not returned */
  neap_size peak;     /* the maximum of `buffered`; for plain: the largest sum of live sizes */
  uint64_t requests, returns; /* to the provider, including refused ones */
  size_t slot_count;
};

struct pplnn_slot {
  neap_size size;
  bool is_idle;
};

struct pplnn_manager {
  struct pplnn_options options;
  struct compact compact; /* also the heap of the plain policy */
  struct pplnn_slot *slots;
  size_t slot_count, slot_capacity;
  size_t *stack; /* idle slots, the most recently freed one on top */
  size_t stack_count, stack_capacity;
  struct pplnn_figures figures;
};

/* NEAP_ERROR_ARGUMENT if an option is out of range. */
neap_status pplnn_manager_new(struct pplnn_manager **manager,
                              const struct pplnn_options *options, neap_error *error);
void pplnn_manager_free(struct pplnn_manager *manager);

/*
 * Replaces the handle's buffer by one of at least `bytes`, whose contents are undefined, or by
 * none if `bytes` is 0. NEAP_NO_PLAN if the provider is exhausted: the handle then has no
 * buffer.
 */
neap_status pplnn_realloc(struct pplnn_manager *manager, neap_size bytes,
                          struct pplnn_handle *handle, neap_error *error);
neap_status pplnn_free(struct pplnn_manager *manager, struct pplnn_handle *handle,
                       neap_error *error);

#endif
