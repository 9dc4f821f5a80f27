/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The strategies of TensorFlow Lite's GPU delegate.  All but the last give shared objects; each
 * spends a tick per record or per step of its inner work, and returns NEAP_NO_PLAN when the budget
 * ends first.  n is the number of records, o that of objects.
 */
#ifndef RUNTIMES_TFLITE_GPU_H
#define RUNTIMES_TFLITE_GPU_H

#include "runtimes/reallocation.h"
#include "runtimes/records.h"

/* `objects` is zeroed, and to be cleared by the caller whatever comes of it. */
typedef neap_status gpu_strategy(const struct records *records, struct objects *objects,
                                 struct budget *budget, neap_error *error);

/* An object for each record.  O(n). */
gpu_strategy gpu_naive;

/*
 * Objects are used again for records of the same size alone.  Hashed takes the one released last,
 * O(n log n), records by first task; ordered takes the one with the lowest id, O(n o).
 */
gpu_strategy gpu_equality_hashed;
gpu_strategy gpu_equality_ordered;

/*
 * In the order of first tasks, each record gets the free object of the nearest size, which may
 * grow.  O(n log n), records by first task.
 */
gpu_strategy gpu_greedy_in_order;

/*
 * The same for tasks that run in parallel: an object is used again only by a neighbour, in the
 * re-allocation graph, of the record that had it last.  O(n o log n).
 */
neap_status gpu_greedy_in_order_parallel(const struct records *records,
                                         const struct reallocation *graph,
                                         struct objects *objects, struct budget *budget,
                                         neap_error *error);

/* Tasks by the sum of sizes alive in them, the largest first.  O(n o log n). */
gpu_strategy gpu_greedy_by_breadth;

/*
 * Records by the first positional maximum that they may be, to the objects nearest in time.
 * O(n^2) time, O(n o / 8) bytes.
 */
gpu_strategy gpu_greedy_by_size;

/* The better of the two before. */
gpu_strategy gpu_greedy_best;

/*
 * The cheapest flow in which a record takes memory from an earlier one and pays for what is
 * missing.  Up to GPU_FLOW_EXACT records it is the flow that TensorFlow Lite finds, O(n^2) bytes
 * and O(n^3) time and more; of more records one that costs as little, O(n) bytes and, mostly,
 * far less than O(n^2) time.  Records by first task.
 */
gpu_strategy gpu_min_cost_flow;
#define GPU_FLOW_EXACT 256

/* Records are laid into one arena, the largest first, each into the smallest gap.  O(n^2). */
neap_status gpu_offset_greedy_by_size(const struct records *records, neap_size alignment,
                                      neap_offset *offsets, neap_size *total,
                                      struct budget *budget, neap_error *error);

#endif
