/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * PPL.NN's memory management: the buffer managers of its devices, the order of nodes and the last
 * consumer of every edge, and a run that puts them together.  Addresses are offsets from the base
 * of what the provider gives.
 */
#ifndef RUNTIMES_PPLNN_H
#define RUNTIMES_PPLNN_H

#include "core/budget.h"
#include "neap/neap.h"

/* ---------------------------------------------------------------- managers */

enum pplnn_policy {
  PPLNN_PLAIN,        /* every request goes to the provider, a first-fit heap */
  PPLNN_MRU,          /* slots; the one freed last is taken first */
  PPLNN_BEST_FIT,     /* slots; the one of the nearest size */
  PPLNN_COMPACT,      /* best fit by size in one range that grows */
  PPLNN_COMPACT_BLOCK /* the same over blocks that need not adjoin */
};

struct pplnn_options {
  enum pplnn_policy policy;
  neap_size granularity; /* the provider rounds what is asked of it up to a multiple; >= 1 */
  neap_size gap;         /* between blocks of the provider */
  neap_size capacity;    /* the most there is; of slots: the most asked for at once */
  neap_size alignment;   /* of compact policies; a power of two */
};

#define PPLNN_DEFAULTS \
  { PPLNN_COMPACT, 1, 0, NEAP_MAX, 1 }

/* A buffer handed out.  Begin with PPLNN_NO_BUFFER. */
struct pplnn_handle {
  bool has_buffer;
  neap_offset address; /* of slots: 0 */
  neap_size bytes;     /* held */
  size_t slot;
};

#define PPLNN_NO_BUFFER \
  { false, 0, 0, SIZE_MAX }

struct pplnn_manager;

/* NEAP_ERROR_ARGUMENT when an option is out of its range. */
neap_status pplnn_manager_new(struct pplnn_manager **manager,
                              const struct pplnn_options *options, neap_error *error);
void pplnn_manager_free(struct pplnn_manager *manager);

/*
 * Gives the handle a buffer of at least `bytes`, without its contents; 0 takes it away.
 * NEAP_NO_PLAN when the provider has no more: the handle is then without a buffer.
 */
neap_status pplnn_realloc(struct pplnn_manager *manager, neap_size bytes,
                          struct pplnn_handle *handle, neap_error *error);
neap_status pplnn_free(struct pplnn_manager *manager, struct pplnn_handle *handle,
                       neap_error *error);

struct pplnn_figures {
  neap_size buffered;         /* obtained from the provider and not given back */
  neap_size peak;             /* the most of that; of plain: the largest sum of live sizes */
  uint64_t requests, returns; /* to the provider; refused ones count, too */
  size_t slot_count;
};
struct pplnn_figures pplnn_manager_figures(const struct pplnn_manager *manager);

/* The size of a slot. */
neap_size pplnn_manager_slot(const struct pplnn_manager *manager, size_t slot);

/* A free block of a compact manager, by address; or an idle slot, the top one last.  False past the
 * last. */
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
  int64_t transfer;    /* the input position whose buffer the first output takes; or -1 */
  neap_size temporary; /* bytes needed while it runs */
};

/* All belongs to the caller. */
struct pplnn_graph {
  const struct pplnn_node *nodes;
  size_t node_count, edge_count;
  const neap_size *edge_bytes; /* needed to run alone */
  struct pplnn_edges inputs, extra_inputs, constants, outputs, reserved;
};

/*
 * Orders nodes, the deepest producer first, and finds for each edge the node after which it is
 * released, PPLNN_NONE where no run releases it.  `order` has node_count places, of which *count
 * are used: nodes from which no result can be reached are left out.
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
  size_t edge; /* of a temporary: the node */
  neap_size bytes;
  struct pplnn_handle handle; /* what was given */
  size_t from;                /* of a transfer: the input edge */
};

typedef neap_status pplnn_observer(const struct pplnn_event *event, void *user,
                                   neap_error *error);

/* Runs the graph once: inputs first, then node after node.  Calls `observer` at every event. */
neap_status pplnn_run(const struct pplnn_graph *graph, struct pplnn_manager *manager,
                      pplnn_observer *observer, void *user, neap_error *error);

#endif
