/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The buffer managers of PPL.NN's devices. Addresses are offsets from the base of the
 * provider's memory.
 */
#ifndef RUNTIMES_PPLNN_H
#define RUNTIMES_PPLNN_H

#include "core/budget.h"
#include "neap/neap.h"

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

struct pplnn_manager;

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

struct pplnn_figures {
  neap_size buffered; /* obtained from the provider and not returned */
  neap_size peak;     /* the maximum of `buffered`; for plain: the largest sum of live sizes */
  uint64_t requests, returns; /* to the provider, including refused ones */
  size_t slot_count;
};
struct pplnn_figures pplnn_manager_figures(const struct pplnn_manager *manager);

/* The size of a slot. */
neap_size pplnn_manager_slot(const struct pplnn_manager *manager, size_t slot);

#endif
