/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * TensorFlow Lite's arena planner: liveness of a graph, sharing in place, and execution in
 * steps between which sizes may change.
 */
#ifndef RUNTIMES_TFLITE_PLANNER_H
#define RUNTIMES_TFLITE_PLANNER_H

#include "runtimes/simple_memory_arena.h"

#define ARENA_ABSENT (-1) /* an optional tensor that is not given */

/* Which memory a node may share. */
enum arena_flags {
  ARENA_UNMODIFIED = 1, /* the output has the same contents as the input */
  ARENA_INPUT_0 = 4,    /* the first output may use the memory of this input */
  ARENA_INPUT_1 = 8,
  ARENA_INPUT_2 = 16
};

enum arena_type {
  ARENA_NORMAL,
  ARENA_PERSISTENT,
  ARENA_ELSEWHERE /* constants and the like */
};

struct arena_list {
  const int64_t *items; /* tensors or ARENA_ABSENT */
  size_t count;
};

struct arena_node {
  struct arena_list inputs, outputs, temporaries;
  unsigned flags;
};

struct arena_tensor {
  neap_size bytes;
  enum arena_type type;
};

/*
 * The caller owns all arrays, which must outlive the planner; tensors may change between steps.
 */
struct arena_graph {
  struct arena_tensor *tensors;
  size_t tensor_count;
  const struct arena_node *nodes;
  size_t node_count;
  struct arena_list inputs, outputs, variables;
};

struct arena_options {
  neap_size alignment; /* of tensors: a power of two up to ARENA_ALIGNMENT */
  bool preserves_all;  /* never free a tensor */
  bool shares;         /* share in place where flags allow it */
  enum arena_fit fit;
};

/* The functions below return its state. */
struct arena_planner {
  const struct arena_graph *graph;
  struct arena_options options;
  struct arena normal, persistent;
  bool has_normal;
  size_t count;          /* number of tensors */
  int64_t *alloc, *free; /* the nodes that allocate and free each tensor */
  int64_t *shared;       /* per tensor: the tensor whose memory it uses, or ARENA_ABSENT */
  struct arena_record *records;
  neap_offset *pointers; /* offsets in the arenas; NEAP_UNPLACED: null */
  int64_t *uses, *lives; /* reference counts, for sharing and for freeing */
  int64_t *born;         /* the first node that allocates each tensor, or ARENA_ABSENT */
  size_t *list;          /* the tensors to allocate */
  size_t list_count;
  int64_t last_active;
};

/* NEAP_ERROR_INPUT describes what is wrong with the graph. */
neap_status arena_planner_new(struct arena_planner **planner, const struct arena_graph *graph,
                              const struct arena_options *options, neap_error *error);
void arena_planner_free(struct arena_planner *planner);

/* Finds the lifetimes of tensors and which of them share memory. O(tensors + edges). */
neap_status arena_planner_plan(struct arena_planner *planner, neap_error *error);

/* Allocates the tensors that nodes first .. last need. O(list * active). */
neap_status arena_planner_execute(struct arena_planner *planner, size_t first, size_t last,
                                  neap_error *error);

/* Updates the pointer of a tensor to where its memory, or the memory that it shares, lies now. */
void arena_planner_resolve(struct arena_planner *planner, size_t tensor);

/* Undoes all allocations, but keeps the lifetimes. */
void arena_planner_reset(struct arena_planner *planner);

/* The state of a tensor. */
struct arena_tensor_state {
  neap_offset offset;  /* in its arena; NEAP_UNPLACED: not allocated */
  int64_t first, last; /* ARENA_UNTIL_END: not known */
  int64_t shares_with; /* the tensor whose memory it uses, or ARENA_ABSENT */
};
struct arena_tensor_state arena_planner_tensor(const struct arena_planner *planner,
                                               size_t tensor);

/* The sizes of the arenas. */
struct arena_sizes {
  neap_size normal, persistent; /* of the buffers */
  bool has_normal;
};
struct arena_sizes arena_planner_sizes(const struct arena_planner *planner);

#endif
