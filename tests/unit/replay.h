/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Replaying test vectors: what the kinds of cases share. */
#ifndef UNIT_REPLAY_H
#define UNIT_REPLAY_H

#include <jansson.h>

#include "tests/unit/sample.h"

/* One function per kind; each compares every number that the case expects.  replay_model.c: */
void replay_convert(const json_t *vector);
void replay_check_overlap(const json_t *vector);
void replay_export(const json_t *vector);

/* replay_order.c: */
void replay_metrics(const json_t *vector);
void replay_sort(const json_t *vector);
void replay_place(const json_t *vector);

/* replay_tune.c: */
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

/* replay_nnvm.c: */
void replay_nnvm(const json_t *vector);

/* replay_pplnn.c: */
void replay_pplnn_manager(const json_t *vector);
void replay_pplnn_graph(const json_t *vector);
void replay_pplnn_run(const json_t *vector);

/*
 * replay_json.c: members that must be there, of the type asked for; otherwise the case fails.
 */
const json_t *member(const json_t *object, const char *key);
int64_t member_integer(const json_t *object, const char *key);
const char *member_text(const json_t *object, const char *key);
const json_t *member_array(const json_t *object, const char *key);
int64_t element_integer(const json_t *array, size_t index);

/* Fails unless `expected` is the array of exactly these numbers; `what` names them. */
void expect_integers(const json_t *expected, const int64_t *found, size_t count,
                     const char *what);

/* The problem of the case's "rectangles"; released with neap_problem_free. */
neap_problem *vector_problem(const json_t *vector);

/* An order of all of the problem's buffers, checked to be one; released with test_free. */
size_t *vector_order(const neap_problem *problem, const json_t *array);

/* An array of integers as int64_t, null as -1; released with test_free. */
int64_t *vector_integers(const json_t *array);

/* The same as size_t. */
size_t *vector_sizes(const json_t *array);

/* Fails unless `expected`, an array of numbers and null for `none`, is what was found. */
void expect_optional(const json_t *expected, const int64_t *found, size_t count, int64_t none,
                     const char *what);

/* The same of sizes, none of which may be missing. */
void expect_sizes(const json_t *expected, const size_t *found, size_t count, const char *what);

#endif
