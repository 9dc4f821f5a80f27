/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The begins and ends of the members divide the bytes of a body into runs:
 *
 *     a  |-----|
 *     b        |--------|       a lives at [0, 3), b at [1, 5), w at [4, 9)
 *     w     |--------|
 *        |0 |1 |  2  |3 |       run 0 lives at [0, 3), 1 at [0, 3) and [4, 9), 2 at [1, 9) ...
 *
 * Columns (facts/columns) cannot express this.  Of two buffers that share bytes, such as w and
 * b, a column contains only one, so its sum misses the bytes that only the other covers.
 */
#include "facts/flatten.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/sort.h"
#include "facts/bodies.h"
#include "model/groups.h"
#include "model/relations.h"

#define NONE SIZE_MAX

struct flattening {
  const struct neap_problem *problem;
  struct bodies bodies;
  neap_problem *flat;
  size_t *places; /* per buffer outside all bodies: its number in the flat problem */
  neap_offset *edges;
  neap_range *ranges; /* of one run */
  size_t range_capacity;
};

/* ---------------------------------------------------------------- whether it applies */

static bool relations_allow(const struct flattening *flattening) {
  const neap_relation *relation = NULL;
  while ((relation = problem_next_relation(flattening->problem, RELATION_SHARES, relation)))
    if (!relation_has(relation, RELATION_JOINS) &&
        (relation_has(relation, RELATION_FREES) ||
         bodies_of(&flattening->bodies, relation->first) != BODIES_NONE ||
         bodies_of(&flattening->bodies, relation->second) != BODIES_NONE))
      return false;
  return !problem_next_group(flattening->problem, RELATION_FREES, NULL);
}

/* ---------------------------------------------------------------- runs */

static int by_start(const void *left, const void *right) {
  const neap_range *a = left, *b = right;
  return (a->start > b->start) - (a->start < b->start);
}

/* Lists the bytes at which members of a body begin or end, each once. */
static size_t find_edges(const struct flattening *flattening, const struct body *body) {
  const struct bodies *bodies = &flattening->bodies;
  size_t count = 0, used = 0;
  for (size_t m = body->begin; m < body->end; m++) {
    size_t member = bodies->members[m];
    flattening->edges[count++] = bodies->inner[member];
    flattening->edges[count++] =
        bodies->inner[member] + flattening->problem->buffers[member].size;
  }
  sort_numbers(flattening->edges, count);
  for (size_t e = 0; e < count; e++)
    if (used == 0 || flattening->edges[e] != flattening->edges[used - 1])
      flattening->edges[used++] = flattening->edges[e];
  return used;
}

/* Sorts ranges and merges those that touch; returns how many are left. */
static size_t merge_ranges(neap_range *ranges, size_t count) {
  size_t used = 0;
  qsort(ranges, count, sizeof *ranges, by_start);
  for (size_t r = 0; r < count; r++) {
    if (used == 0 || ranges[r].start > ranges[used - 1].end) ranges[used++] = ranges[r];
    else if (ranges[r].end > ranges[used - 1].end) ranges[used - 1].end = ranges[r].end;
  }
  return used;
}

static neap_status add(neap_problem *flat, neap_size size, neap_size alignment,
                       const neap_range *ranges, size_t count, neap_error *error) {
  neap_buffer buffer = NEAP_BUFFER_INIT;
  char name[24];
  snprintf(name, sizeof name, "%zu", neap_problem_count(flat));
  buffer.name = name;
  buffer.size = size;
  buffer.alignment = alignment;
  buffer.ranges = ranges;
  buffer.range_count = count;
  return neap_problem_add(flat, &buffer, error);
}

/* Adds the bytes [low, high) of a body as a buffer; every member covers all of them or none. */
static neap_status add_run(struct flattening *flattening, const struct body *body,
                           neap_offset low, neap_offset high, neap_error *error) {
  const struct neap_problem *problem = flattening->problem;
  const struct bodies *bodies = &flattening->bodies;
  size_t count = 0;
  for (size_t m = body->begin; m < body->end; m++) {
    size_t member = bodies->members[m];
    neap_offset begin = bodies->inner[member];
    if (begin > low || begin + problem->buffers[member].size < high) continue;
    size_t first = problem_ranges_begin(problem, member);
    size_t end = problem->buffers[member].ranges_end;
    if (!memory_reserve(&flattening->ranges, &flattening->range_capacity, count + (end - first),
                        sizeof *flattening->ranges))
      return error_memory(error);
    while (first < end)
      flattening->ranges[count++] = problem->ranges[first++];
  }
  if (count == 0) return NEAP_OK; /* no member covers these bytes */
  count = merge_ranges(flattening->ranges, count);
  return add(flattening->flat, high - low, 1, flattening->ranges, count, error);
}

static neap_status add_body(struct flattening *flattening, const struct body *body,
                            neap_error *error) {
  size_t count = find_edges(flattening, body);
  neap_status status = NEAP_OK;
  for (size_t e = 1; e < count && status == NEAP_OK; e++)
    status = add_run(flattening, body, flattening->edges[e - 1], flattening->edges[e], error);
  return status;
}

/*
 * Whether two members of a body share bytes: then the sum of their sizes exceeds that of the
 * runs.
 */
static bool has_sharing(const struct flattening *flattening) {
  const struct bodies *bodies = &flattening->bodies;
  for (size_t b = 0; b < bodies->count; b++) {
    const struct body *body = &bodies->items[b];
    neap_offset covered = 0;
    size_t count = 0;
    for (size_t m = body->begin; m < body->end; m++) {
      size_t member = bodies->members[m];
      flattening->ranges[count++] =
          (neap_range){bodies->inner[member],
                       bodies->inner[member] + flattening->problem->buffers[member].size};
    }
    qsort(flattening->ranges, count, sizeof *flattening->ranges, by_start);
    for (size_t r = 0; r < count; r++) {
      neap_range bytes = flattening->ranges[r];
      if (bytes.start < covered && bytes.start < bytes.end) return true;
      if (bytes.end > covered) covered = bytes.end;
    }
  }
  return false;
}

/* ---------------------------------------------------------------- the whole */

/* Adds the buffers outside bodies.  Alignment is set to 1 where an offset is fixed. */
static neap_status add_others(struct flattening *flattening, neap_error *error) {
  const struct neap_problem *problem = flattening->problem;
  neap_status status = NEAP_OK;
  for (size_t i = 0; i < problem->count && status == NEAP_OK; i++) {
    const struct buffer *buffer = &problem->buffers[i];
    size_t begin = problem_ranges_begin(problem, i);
    if (bodies_of(&flattening->bodies, i) != BODIES_NONE) continue;
    flattening->places[i] = neap_problem_count(flattening->flat);
    neap_size alignment = buffer->fixed_offset == NEAP_UNPLACED ? buffer->alignment : 1;
    status = add(flattening->flat, buffer->size, alignment, problem->ranges + begin,
                 buffer->ranges_end - begin, error);
  }
  return status;
}

static neap_status add_allowances(struct flattening *flattening, neap_error *error) {
  const neap_relation *next = NULL;
  neap_status status = NEAP_OK;
  while (status == NEAP_OK &&
         (next = problem_next_relation(flattening->problem, RELATION_GAP, next))) {
    neap_relation relation = *next;
    relation.first = flattening->places[relation.first];
    relation.second = flattening->places[relation.second];
    status = neap_problem_relate(flattening->flat, &relation, error);
  }
  return status;
}

static neap_status flatten(struct flattening *flattening, neap_error *error) {
  const struct neap_problem *problem = flattening->problem;
  flattening->range_capacity = problem->count + 1;
  flattening->ranges = memory_array(flattening->range_capacity, sizeof *flattening->ranges);
  flattening->edges = memory_array(2 * problem->count, sizeof *flattening->edges);
  flattening->places = memory_array(problem->count, sizeof *flattening->places);
  if (!flattening->ranges || !flattening->edges || !flattening->places)
    return error_memory(error);
  if (!has_sharing(flattening)) return NEAP_OK;
  flattening->flat = neap_problem_new();
  if (!flattening->flat) return error_memory(error);
  neap_status status = add_others(flattening, error);
  for (size_t b = 0; b < flattening->bodies.count && status == NEAP_OK; b++)
    status = add_body(flattening, &flattening->bodies.items[b], error);
  return status == NEAP_OK ? add_allowances(flattening, error) : status;
}

neap_status flatten_init(neap_problem **flat, const neap_problem *problem, neap_error *error) {
  struct flattening flattening = {.problem = problem};
  *flat = NULL;
  if (!problem_has(problem, RELATION_JOINS) || problem_pool_count(problem) > 0) return NEAP_OK;
  neap_status status = bodies_init(&flattening.bodies, problem, error);
  if (status != NEAP_OK) return status;
  if (relations_allow(&flattening)) status = flatten(&flattening, error);
  bodies_clear(&flattening.bodies);
  free(flattening.places);
  free(flattening.edges);
  free(flattening.ranges);
  if (status == NEAP_OK) *flat = flattening.flat;
  else neap_problem_free(flattening.flat);
  return status;
}
