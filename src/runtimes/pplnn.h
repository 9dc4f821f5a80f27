/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * PPL.NN's memory management: the buffer managers of its devices, the order of nodes and the
 * last consumer of every edge, and a run that combines them. Addresses are offsets from the
 * base of the provider's memory.
 */
#ifndef RUNTIMES_PPLNN_H
#define RUNTIMES_PPLNN_H

#include "core/budget.h"
#include "neap/neap.h"

/* ---------------------------------------------------------------- managers */

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
  { PPLNN_COMPACT, 1, 0, NEAP_MAX, 1 }

/* A buffer in use. Initialise with PPLNN_NO_BUFFER. */
struct pplnn_handle {
  bool has_buffer;
  neap_offset address; /* with slots: 0 */
  neap_size bytes;     /* its size */
  size_t slot;
};

#define PPLNN_NO_BUFFER \
  { false, 0, 0, SIZE_MAX }

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

/*
 * Gets a free block of a compact manager, by address, or an idle slot, from the bottom of the
 * stack to the top. False after the last.
 */
bool pplnn_manager_idle(const struct pplnn_manager *manager, size_t index,
                        neap_offset *address_or_slot, neap_size *size);

/* ---------------------------------------------------------------- graphs */

#define PPLNN_ABSENT (-1)
#define PPLNN_NONE SIZE_MAX

struct pplnn_edges {
  const int64_t *items; /* edges, or PPLNN_ABSENT */
  size_t count;
};

struct pplnn_node {
  struct pplnn_edges inputs, extra_inputs, outputs;
  int64_t transfer;    /* the input position whose buffer the first output takes over, or -1 */
  neap_size temporary; /* bytes needed while the node runs */
};

/* The caller owns all arrays. */
struct pplnn_graph {
  const struct pplnn_node *nodes;
  size_t node_count, edge_count;
  const neap_size *edge_bytes; /* only needed to run */
  struct pplnn_edges inputs, extra_inputs, constants, outputs, reserved;
};

/*
 * Orders the nodes, deepest producer first, and finds for each edge the node after which it is
 * released, or PPLNN_NONE if the run never releases it. `order` has room for node_count nodes;
 * *count of them are used, since nodes that no result depends on are left out.
 */
neap_status pplnn_schedule(const struct pplnn_graph *graph, size_t *order, size_t *count,
                           size_t *last_consumer, neap_error *error);

enum pplnn_event_kind {
  PPLNN_ALLOC,
  PPLNN_FREE,
  PPLNN_TRANSFER,
  PPLNN_TEMPORARY_ALLOC,
  PPLNN_TEMPORARY_FREE
};

struct pplnn_event {
  enum pplnn_event_kind kind;
  size_t edge; /* for a temporary: the node */
  neap_size bytes;
  struct pplnn_handle handle; /* the buffer */
  size_t from;                /* for a transfer: the input edge */
};

typedef neap_status pplnn_observer(const struct pplnn_event *event, void *user,
                                   neap_error *error);

/*
 * Runs the graph once: first the inputs, then one node after another. Calls `observer` for
 * every event.
 */
neap_status pplnn_run(const struct pplnn_graph *graph, struct pplnn_manager *manager,
                      pplnn_observer *observer, void *user, neap_error *error);

#endif
