/* SPDX-License-Identifier: GPL-3.0-or-later */
/* TensorFlow Lite's arena planner: liveness of a graph, sharing in place, and execution in steps
 * during which sizes may change. */
#ifndef RUNTIMES_TFLITE_ARENA_H
#define RUNTIMES_TFLITE_ARENA_H

#include "runtimes/arena.h"

#define ARENA_ABSENT (-1) /* a tensor that is not there */

/* What may share memory at a node. */
enum arena_flags {
  ARENA_UNMODIFIED = 1, /* the output is the input's data */
  ARENA_INPUT_0 = 4,    /* the first output may take the place of this input */
  ARENA_INPUT_1 = 8,
  ARENA_INPUT_2 = 16
};

enum arena_type { ARENA_NORMAL, ARENA_PERSISTENT, ARENA_ELSEWHERE /* constants and so on */ };

struct arena_list {
  const int64_t *items; /* tensors, or ARENA_ABSENT */
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

/* All belongs to the caller and outlives the planner; tensors may change between steps. */
struct arena_graph {
  struct arena_tensor *tensors;
  size_t tensor_count;
  const struct arena_node *nodes;
  size_t node_count;
  struct arena_list inputs, outputs, variables;
};

struct arena_options {
  neap_size alignment; /* of tensors: a power of two up to ARENA_ALIGNMENT */
  bool preserves_all;  /* nothing is ever freed */
  bool shares;         /* in place, where flags allow it */
  bool measures_exactly;
};

struct arena_planner;

/* NEAP_ERROR_INPUT names what is wrong with the graph. */
neap_status arena_planner_new(struct arena_planner **planner, const struct arena_graph *graph,
                              const struct arena_options *options, neap_error *error);
void arena_planner_free(struct arena_planner *planner);

/* Finds out when tensors live, and which share.  O(tensors + edges). */
neap_status arena_planner_plan(struct arena_planner *planner, neap_error *error);

/* Allocates what nodes first .. last need.  O(list * active). */
neap_status arena_planner_execute(struct arena_planner *planner, size_t first, size_t last,
                                  neap_error *error);

/* Takes back what was allocated by later nodes, whose tensors have other sizes now. */
neap_status arena_planner_reset_after(struct arena_planner *planner, size_t node,
                                      neap_error *error);

/* Takes back everything; lives stay known. */
void arena_planner_reset(struct arena_planner *planner);

void arena_planner_release(struct arena_planner *planner); /* the buffer of normal tensors */
void arena_planner_acquire(struct arena_planner *planner);

/* How a tensor stands. */
struct arena_tensor_state {
  neap_offset offset;  /* in its own arena; NEAP_UNPLACED: it points nowhere */
  int64_t first, last; /* ARENA_UNTIL_END: not assigned */
  int64_t shares_with; /* the tensor whose memory it uses, or ARENA_ABSENT */
};
struct arena_tensor_state arena_planner_tensor(const struct arena_planner *planner,
                                               size_t tensor);

/* How the arenas stand. */
struct arena_sizes {
  neap_size normal, persistent; /* of the buffers */
  bool has_normal;
};
struct arena_sizes arena_planner_sizes(const struct arena_planner *planner);

#endif
