/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * TensorFlow Lite's GPU delegate: greedy by breadth (doc/tflite-gpu.md, 4.7). The tasks that use
 * the most bytes get their objects first, because they need most objects together.
 *
 * A task in which no record begins has a subset of the records of the task before it, and comes
 * after it in order of breadth. So only tasks in which a record begins are visited. Each record
 * looks at all objects: O(n o log n).
 */
#include <assert.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/max_tree.h"
#include "core/memory.h"
#include "facts/usage_depth.h"
#include "runtimes/lane.h"
#include "runtimes/tflite_gpu.h"

/* The records not yet assigned. */
struct waiting {
  size_t *order;         /* all records, by first task */
  struct max_tree lasts; /* the last task of each record that waits, in this order */
};

struct by_breadth {
  const struct records *records;
  struct objects *objects;
  struct depth depth;
  struct waiting waiting;
  struct lane *lanes; /* one per object */
  size_t lane_capacity;
  size_t *tasks;      /* indices of first tasks, by breadth */
  neap_size *breadth; /* of each first task */
  size_t *profile;    /* the records of one task */
};

/* ---------------------------------------------------------------- orders */

static int by_weight(const void *left, const void *right, void *context) {
  const neap_size *breadth = context;
  size_t a = *(const size_t *)left, b = *(const size_t *)right;
  if (breadth[a] != breadth[b]) return breadth[a] > breadth[b] ? -1 : 1;
  return a < b ? -1 : a > b;
}

/* ---------------------------------------------------------------- waiting records */

static bool waiting_init(struct waiting *waiting, const struct records *records) {
  waiting->order = memory_array(records->count, sizeof *waiting->order);
  if (!waiting->order || !max_tree_init(&waiting->lasts, records->count)) return false;
  for (size_t i = 0; i < records->count; i++)
    waiting->order[i] = i;
  if (records->count > 0)
    qsort_r(waiting->order, records->count, sizeof *waiting->order, records_by_first,
            records->items);
  for (size_t i = 0; i < records->count; i++)
    max_tree_set(&waiting->lasts, i, records->items[waiting->order[i]].last);
  return true;
}

/* Removes the first unassigned record that is alive during a task; false if there is none. */
static bool take_alive(struct by_breadth *state, neap_time task, size_t *record) {
  struct waiting *waiting = &state->waiting;
  size_t first = max_tree_next(&waiting->lasts, 0, task);
  if (first == waiting->lasts.count) return false;
  *record = waiting->order[first];
  if (state->records->items[*record].first > task) return false;
  assert(state->records->items[*record].last >= task);
  max_tree_set(&waiting->lasts, first, MAX_TREE_NONE);
  return true;
}

/* ---------------------------------------------------------------- objects */

/*
 * Whether an object of size `candidate` suits a record of size `size` better than one of
 * `best`.
 */
static bool is_better(neap_size candidate, neap_size best, neap_size size) {
  if (best < size) return candidate > best;
  return candidate >= size && candidate < best;
}

static size_t choose_object(const struct by_breadth *state, const struct record *record) {
  const struct objects *objects = state->objects;
  size_t best = SIZE_MAX;
  for (size_t o = 0; o < objects->count; o++) {
    if (best != SIZE_MAX && !is_better(objects->sizes[o], objects->sizes[best], record->size))
      continue;
    if (lane_distance(&state->lanes[o], record) != LANE_OVERLAP) best = o;
  }
  return best;
}

static bool assign_object(struct by_breadth *state, size_t i) {
  const struct record *record = &state->records->items[i];
  struct objects *objects = state->objects;
  size_t object = choose_object(state, record);
  if (object != SIZE_MAX) {
    objects_assign(objects, i, object, record->size);
  } else {
    object = objects->count;
    if (!memory_reserve(&state->lanes, &state->lane_capacity, object + 1, sizeof *state->lanes))
      return false;
    state->lanes[object] = (struct lane){0};
    if (!objects_add(objects, i, record->size)) return false;
  }
  assert(object < objects->count && objects->sizes[object] >= record->size);
  return lane_add(&state->lanes[object], record);
}

/* ---------------------------------------------------------------- tasks */

/*
 * Assigns the records of a task, the largest first, except records that earlier tasks assigned.
 */
static neap_status assign_task(struct by_breadth *state, size_t task, struct budget *budget,
                               neap_error *error) {
  size_t count = 0;
  while (take_alive(state, state->depth.starts[task], &state->profile[count]))
    count++;
  if (count > 0)
    qsort_r(state->profile, count, sizeof *state->profile, records_by_size,
            state->records->items);
  for (size_t i = 0; i < count; i++) {
    if (!budget_tick(budget)) return NEAP_NO_PLAN;
    if (!assign_object(state, state->profile[i])) return error_memory(error);
  }
  return NEAP_OK;
}

static bool init_state(struct by_breadth *state) {
  const struct records *records = state->records;
  if (!depth_init(&state->depth, records) || !waiting_init(&state->waiting, records))
    return false;
  size_t starts = state->depth.count;
  state->tasks = memory_array(starts, sizeof *state->tasks);
  state->breadth = memory_array(starts, sizeof *state->breadth);
  state->profile = memory_array(records->count + 1, sizeof *state->profile);
  if (!state->tasks || !state->breadth || !state->profile) return false;
  for (size_t i = 0; i < records->count; i++)
    depth_add(&state->depth, i, records->items[i].size);
  for (size_t t = 0; t < starts; t++) {
    state->tasks[t] = t;
    state->breadth[t] = depth_at(&state->depth, t);
  }
  if (starts > 0)
    qsort_r(state->tasks, starts, sizeof *state->tasks, by_weight, state->breadth);
  return objects_init(state->objects, records->count);
}

static void clear_state(struct by_breadth *state) {
  for (size_t o = 0; o < state->objects->count && o < state->lane_capacity; o++)
    lane_clear(&state->lanes[o]);
  free(state->lanes);
  depth_clear(&state->depth);
  free(state->waiting.order);
  max_tree_clear(&state->waiting.lasts);
  free(state->tasks);
  free(state->breadth);
  free(state->profile);
}

neap_status gpu_greedy_by_breadth(const struct records *records, struct objects *objects,
                                  struct budget *budget, neap_error *error) {
  neap_status status = records_check(records, RECORDS_ANY_ORDER, error);
  if (status != NEAP_OK) return status;
  struct by_breadth state = {.records = records, .objects = objects};
  if (!init_state(&state)) status = error_memory(error);
  for (size_t t = 0; t < state.depth.count && status == NEAP_OK; t++)
    status = assign_task(&state, state.tasks[t], budget, error);
  clear_state(&state);
  return status;
}
