/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Replaying test vectors: one function per kind of vector, and what they share. */
#ifndef VECTORS_REPLAY_H
#define VECTORS_REPLAY_H

#include <jansson.h>

#include "tests/support/sample.h"

/* Each compares every number that the vector expects.  replay_tuner.c: */
void replay_convert(const json_t *vector);
void replay_check_overlap(const json_t *vector);
void replay_export(const json_t *vector);
void replay_metrics(const json_t *vector);
void replay_sort(const json_t *vector);
void replay_place(const json_t *vector);
void replay_classify(const json_t *vector);
void replay_stop_goal(const json_t *vector);
void replay_optimum(const json_t *vector);

/* replay_gpu.c: */
void replay_gpu(const json_t *vector);
void replay_gpu_extents(const json_t *vector);
void replay_objects_to_offsets(const json_t *vector);
void replay_reallocation_graph(const json_t *vector);

/* replay_arena.c: */
void replay_arena(const json_t *vector);
void replay_arena_planner(const json_t *vector);
void replay_tflm_requests(const json_t *vector);

/* replay_nnvm.c: */
void replay_nnvm(const json_t *vector);

/* replay_pplnn.c: */
void replay_pplnn_manager(const json_t *vector);
void replay_pplnn_graph(const json_t *vector);
void replay_pplnn_run(const json_t *vector);

/* A member that must exist and have this type; otherwise the case fails. */
const json_t *member(const json_t *object, const char *key);
int64_t member_integer(const json_t *object, const char *key);
const char *member_text(const json_t *object, const char *key);
const json_t *member_array(const json_t *object, const char *key);
int64_t element_integer(const json_t *array, size_t index);

/* Fails unless `expected` is an array of exactly these numbers; `what` is for the message. */
void expect_integers(const json_t *expected, const int64_t *found, size_t count,
                     const char *what);

/* Builds a problem from the vector's "rectangles"; release it with neap_problem_free. */
neap_problem *vector_problem(const json_t *vector);

/* Reads an order, checked to name every buffer once; release it with test_free. */
size_t *vector_order(const neap_problem *problem, const json_t *array);

/* Reads an array of integers, null as -1; release it with test_free. */
int64_t *vector_integers(const json_t *array);

/* Reads an array of sizes; release it with test_free. */
size_t *vector_sizes(const json_t *array);

/* Fails unless `expected` equals `found`; null in `expected` stands for `none`. */
void expect_optional(const json_t *expected, const int64_t *found, size_t count, int64_t none,
                     const char *what);

/* Fails unless `expected` is an array of exactly these sizes. */
void expect_sizes(const json_t *expected, const size_t *found, size_t count, const char *what);

#endif
