/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The strategies of TensorFlow Lite's GPU delegate. All but the last produce shared objects.
 * Each spends one tick per record or per step of its inner work, and returns NEAP_NO_PLAN if
 * the budget is spent first. n is the number of records, o the number of objects.
 */
#ifndef RUNTIMES_TFLITE_GPU_H
#define RUNTIMES_TFLITE_GPU_H

#include "core/budget.h"
#include "facts/usage_records.h"
#include "neap/neap.h"
#include "runtimes/objects.h"

/* ---------------------------------------------------------------- reallocation */

/*
 * Which tensors can share memory in every valid order of the tasks: all readers of one have
 * finished before the other is made.
 */

/* The neighbours of every vertex, ascending: those of vertex v end at ends[v]. */
struct adjacency {
  size_t count;
  size_t *ends, *neighbours;
};

struct reallocation {
  struct adjacency graph;
};

static inline size_t adjacency_begin(const struct adjacency *graph, size_t vertex) {
  return vertex == 0 ? 0 : graph->ends[vertex - 1];
}

/*
 * `dependencies` has an edge from tensor x to tensor y for each operation that reads x and
 * writes y. NEAP_ERROR_INPUT if an edge leads nowhere; NEAP_NO_PLAN if the budget is spent. O(V
 * * outdegree * (V + E)) time, O(V^2) memory; one tick per vertex visited.
 */
neap_status reallocation_init(struct reallocation *made, const struct adjacency *dependencies,
                              struct budget *budget, neap_error *error);
void reallocation_clear(struct reallocation *made);

/* Whether tensors a and b can share memory. O(log n). */
bool reallocation_has(const struct reallocation *graph, size_t a, size_t b);

/* ---------------------------------------------------------------- tflite gpu */

/* The caller passes zeroed `objects` and clears them, even after an error. */
typedef neap_status gpu_strategy(const struct records *records, struct objects *objects,
                                 struct budget *budget, neap_error *error);

/* One object per record. O(n). */
gpu_strategy gpu_naive;

/*
 * Only records of equal size share an object. Hashed takes the object released last: O(n log
 * n), records by first task. Ordered takes the one with the lowest id: O(n o).
 */
gpu_strategy gpu_equality_hashed;
gpu_strategy gpu_equality_ordered;

/*
 * In order of first tasks, each record gets the free object closest in size, which may grow.
 * O(n log n), records by first task.
 */
gpu_strategy gpu_greedy_in_order;

/*
 * As gpu_greedy_in_order, for tasks that may run in parallel: a record only reuses an object if
 * it is a neighbour, in the reallocation graph, of the record that used it last. O(n o log n).
 */
neap_status gpu_greedy_in_order_parallel(const struct records *records,
                                         const struct reallocation *graph,
                                         struct objects *objects, struct budget *budget,
                                         neap_error *error);

/* Assigns task by task, the task with the largest sum of live sizes first. O(n o log n). */
gpu_strategy gpu_greedy_by_breadth;

/*
 * Assigns records in descending order of positional maxima, each to the object closest in time.
 * O(n^2) time, O(n o / 8) bytes.
 */
gpu_strategy gpu_greedy_by_size;

/* The better of greedy by breadth and greedy by size. */
gpu_strategy gpu_greedy_best;

/*
 * The cheapest flow in which records reuse the memory of earlier ones and pay for the bytes
 * that are missing. Up to GPU_FLOW_EXACT records, it is the flow that TensorFlow Lite finds:
 * O(n^2) bytes and at least O(n^3) time. With more records, it is another flow of the same
 * cost: O(n) bytes and mostly far less than O(n^2) time. Records by first task.
 */
gpu_strategy gpu_min_cost_flow;
#define GPU_FLOW_EXACT 256

/* Places records in one arena, the largest first, each in the smallest gap. O(n^2). */
neap_status gpu_offset_greedy_by_size(const struct records *records, neap_size alignment,
                                      neap_offset *offsets, neap_size *total,
                                      struct budget *budget, neap_error *error);

/* ---------------------------------------------------------------- reuse */

/*
 * The cheapest way to pass memory on: every record reuses the memory of at most one earlier
 * record, and at most one later record reuses its own. A record pays for the bytes that its
 * source lacks.
 */

#define REUSE_NONE UINT32_MAX

/*
 * Sets source[i] to the record whose memory record i reuses, or to REUSE_NONE, so that the
 * total cost is minimal. The cost of a record is max(0, size - size of its source), or its size
 * without a source. Records must be ordered by first task. NEAP_NO_PLAN if the budget is spent.
 */
neap_status reuse_cheapest(const struct records *records, uint32_t *source,
                           struct budget *budget, neap_error *error);

#endif
