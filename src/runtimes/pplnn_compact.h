/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The compact manager's list of free blocks, which never adjoin, and where new ones come from. */
#ifndef RUNTIMES_PPLNN_COMPACT_H
#define RUNTIMES_PPLNN_COMPACT_H

#include "runtimes/pplnn.h"
#include "runtimes/sorted.h"

/* Begin with a zeroed struct and its options. */
struct compact {
  struct pplnn_options options;
  struct sorted by_address; /* of free blocks; the id is their size */
  struct sorted by_size;    /* the same by size, then address, which is the id */
  neap_size obtained;       /* from the provider */
  neap_offset end;          /* of the last block obtained */
  neap_size in_use;
};

void compact_clear(struct compact *compact);

/*
 * Best fit, the lowest address among equal ones; of PPLNN_PLAIN first fit.  NEAP_NO_PLAN when the
 * provider has no more.  O(log n), but for moving the lists.
 */
neap_status compact_alloc(struct compact *compact, neap_size bytes, neap_offset *address,
                          neap_error *error);

/* NEAP_ERROR_ARGUMENT when it overlaps what is free. */
neap_status compact_release(struct compact *compact, neap_offset address, neap_size bytes,
                            neap_error *error);

/* By address; false past the last. */
bool compact_free_block(const struct compact *compact, size_t index, neap_offset *address,
                        neap_size *size);

#endif
