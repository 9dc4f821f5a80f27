/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The state of a buffer manager of PPL.NN. */
#ifndef RUNTIMES_PPLNN_MANAGER_H
#define RUNTIMES_PPLNN_MANAGER_H

#include "runtimes/pplnn.h"
#include "runtimes/sorted.h"

/* ---------------------------------------------------------------- pplnn compact */

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

/* ---------------------------------------------------------------- pplnn manager */

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

#endif
