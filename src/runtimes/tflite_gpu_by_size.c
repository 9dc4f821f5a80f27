/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * TensorFlow Lite's GPU delegate: greedy by size and distance, for shared objects
 * (doc/tflite-gpu.md, 4.8). The largest records go first; among records that need objects of
 * about one size, the one closest in time to an object goes next, so that objects idle little.
 *
 * The distance of a record to an object is computed from the object's lane on demand. So there
 * is no table of distances, only a bit for each record and object, which is set if they
 * overlap. O(n^2) time, O(n o / 8) bytes.
 */
#include <assert.h>
#include <stdlib.h>

#include "core/bisection.h"
#include "core/error.h"
#include "core/memory.h"
#include "facts/usage_depth.h"
#include "runtimes/lane.h"
#include "runtimes/tflite_gpu.h"

/* A record without an object. */
struct candidate {
  size_t record;
  size_t position;    /* the last positional maximum that is not below its size */
  neap_time distance; /* to the nearest object; LANE_OVERLAP: none is free */
  size_t object;
};

struct by_size {
  const struct records *records;
  struct objects *objects;
  struct candidate *candidates;
  size_t count; /* the records without an object, in order of ids */
  struct lane *lanes;
  uint64_t **apart; /* per object: a bit for each record that overlaps it */
  size_t lane_capacity, apart_capacity;
};

static bool is_apart(const struct by_size *state, size_t record, size_t object) {
  return state->apart[object][record / 64] >> (record % 64) & 1;
}

/* ---------------------------------------------------------------- choosing */

static bool comes_before(const struct by_size *state, const struct candidate *a,
                         const struct candidate *b) {
  if (a->position != b->position) return a->position < b->position;
  if (a->distance != b->distance) return a->distance < b->distance;
  return state->records->items[a->record].size > state->records->items[b->record].size;
}

/* Removes and returns the most urgent candidate. */
static struct candidate take_most_urgent(struct by_size *state) {
  assert(state->count > 0);
  size_t best = 0;
  for (size_t c = 1; c < state->count; c++)
    if (comes_before(state, &state->candidates[c], &state->candidates[best])) best = c;
  struct candidate taken = state->candidates[best];
  state->count--;
  for (size_t c = best; c < state->count; c++)
    state->candidates[c] = state->candidates[c + 1];
  return taken;
}

/* ---------------------------------------------------------------- learning */

/* Finds the nearest object, the first of equally near ones. */
static void find_nearest_object(const struct by_size *state, struct candidate *candidate) {
  const struct record *record = &state->records->items[candidate->record];
  candidate->distance = LANE_OVERLAP;
  for (size_t o = 0; o < state->objects->count; o++) {
    if (is_apart(state, candidate->record, o)) continue;
    neap_time distance = lane_distance(&state->lanes[o], record);
    if (distance >= candidate->distance) continue;
    candidate->distance = distance;
    candidate->object = o;
  }
}

static neap_time distance_between(const struct record *a, const struct record *b) {
  if (records_overlap(a, b)) return LANE_OVERLAP;
  return a->last < b->first ? b->first - a->last : a->first - b->last;
}

/* Updates a candidate after a record has been assigned an object. */
static void update_candidate(struct by_size *state, struct candidate *candidate, size_t record,
                             size_t object) {
  const struct record *items = state->records->items;
  if (is_apart(state, candidate->record, object)) return;
  neap_time distance = distance_between(&items[candidate->record], &items[record]);
  if (distance == LANE_OVERLAP) {
    state->apart[object][candidate->record / 64] |= UINT64_C(1) << (candidate->record % 64);
    if (candidate->distance != LANE_OVERLAP && candidate->object == object)
      find_nearest_object(state, candidate);
  } else if (distance < candidate->distance) {
    candidate->distance = distance;
    candidate->object = object;
  }
}

/* ---------------------------------------------------------------- assigning */

static bool add_object(struct by_size *state, size_t record) {
  size_t object = state->objects->count;
  if (!memory_reserve(&state->lanes, &state->lane_capacity, object + 1, sizeof *state->lanes) ||
      !memory_reserve(&state->apart, &state->apart_capacity, object + 1, sizeof *state->apart))
    return false;
  uint64_t *apart = memory_array(state->records->count / 64 + 1, sizeof *apart);
  if (!apart) return false;
  state->lanes[object] = (struct lane){0};
  state->apart[object] = apart;
  if (objects_add(state->objects, record, state->records->items[record].size)) return true;
  free(apart);
  return false;
}

static bool assign_next(struct by_size *state) {
  struct candidate next = take_most_urgent(state);
  const struct record *record = &state->records->items[next.record];
  if (next.distance == LANE_OVERLAP) {
    next.object = state->objects->count;
    if (!add_object(state, next.record)) return false;
  } else {
    assert(next.object < state->objects->count);
    objects_assign(state->objects, next.record, next.object, record->size);
  }
  if (!lane_add(&state->lanes[next.object], record)) return false;
  for (size_t c = 0; c < state->count; c++)
    update_candidate(state, &state->candidates[c], next.record, next.object);
  return true;
}

/* Finds how many of the maxima, which descend, are not below each record's size. */
static void set_positions(struct by_size *state, const neap_size *maxima, size_t count) {
  state->count = state->records->count;
  for (size_t i = 0; i < state->count; i++) {
    struct bisection search = bisection_of(0, count);
    while (bisection_open(&search))
      bisection_step(&search, maxima[search.middle] >= state->records->items[i].size);
    state->candidates[i] = (struct candidate){i, search.low, LANE_OVERLAP, 0};
  }
}

static neap_status init_state(struct by_size *state, neap_error *error) {
  state->candidates = memory_array(state->records->count, sizeof *state->candidates);
  if (!state->candidates || !objects_init(state->objects, state->records->count))
    return error_memory(error);
  neap_size *maxima;
  size_t count;
  neap_status status = depth_positional_maxima(state->records, &maxima, &count, error);
  if (status != NEAP_OK) return status;
  set_positions(state, maxima, count);
  free(maxima);
  return NEAP_OK;
}

static void clear_state(struct by_size *state) {
  for (size_t o = 0; o < state->objects->count; o++) {
    lane_clear(&state->lanes[o]);
    free(state->apart[o]);
  }
  free(state->lanes);
  free(state->apart);
  free(state->candidates);
}

neap_status gpu_greedy_by_size(const struct records *records, struct objects *objects,
                               struct budget *budget, neap_error *error) {
  neap_status status = records_check(records, RECORDS_ANY_ORDER, error);
  if (status != NEAP_OK) return status;
  struct by_size state = {.records = records, .objects = objects};
  status = init_state(&state, error);
  while (status == NEAP_OK && state.count > 0) {
    if (!budget_tick(budget)) status = NEAP_NO_PLAN;
    else if (!assign_next(&state)) status = error_memory(error);
  }
  clear_state(&state);
  return status;
}

neap_status gpu_greedy_best(const struct records *records, struct objects *objects,
                            struct budget *budget, neap_error *error) {
  neap_status status = gpu_greedy_by_size(records, objects, budget, error);
  if (status != NEAP_OK) return status;
  struct objects other = {0};
  status = gpu_greedy_by_breadth(records, &other, budget, error);
  if (status == NEAP_OK && objects_total(&other) < objects_total(objects)) {
    struct objects worse = *objects;
    *objects = other;
    other = worse;
  }
  objects_clear(&other);
  return status;
}
