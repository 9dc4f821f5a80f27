/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/simplified.h"

#include <stdlib.h>

#include "core/error.h"
#include "core/memory.h"

/* A buffer of the simplified problem. */
struct merged {
  size_t first; /* of the original's buffers in it */
  neap_size size;
  neap_range hull;
  bool is_hulled; /* it is alive all the time from its first moment to its last */
};

struct maker {
  struct simplified *simplified;
  struct merged *merged;
  size_t count;
};

bool simplified_suits(const struct neap_problem *original) {
  const struct relations *relations = original->relations;
  return relations && original->fixed_count == 0 && !domains_matter(original) &&
         relations->pool_names.count == 0 && !problem_has(original, NEAP_BANK_SEPARATION) &&
         (problem_has(original, NEAP_SEPARATION) || problem_has(original, NEAP_COLOCATION));
}

/* ---------------------------------------------------------------- what becomes of buffers */

static void add_member(struct merged *merged, neap_range hull, neap_size end) {
  if (hull.start < merged->hull.start) merged->hull.start = hull.start;
  if (hull.end > merged->hull.end) merged->hull.end = hull.end;
  if (end > merged->size) merged->size = end;
  merged->is_hulled = true;
}

/* Gives each buffer its place; the lowest member of a body founds it. */
static void merge_bodies(struct maker *maker) {
  const struct neap_problem *original = maker->simplified->original;
  const struct bodies *bodies = &maker->simplified->bodies;
  size_t *places = maker->simplified->places;
  for (size_t i = 0; i < original->count; i++) {
    size_t body = bodies_of(bodies, i);
    size_t founder = body == BODIES_NONE ? i : bodies->members[bodies->items[body].begin];
    neap_range hull = problem_hull(original, i);
    neap_size end = original->buffers[i].size + (bodies->inner ? bodies->inner[i] : 0);
    if (founder == i) {
      places[i] = maker->count;
      maker->merged[maker->count++] = (struct merged){.first = i, .size = end, .hull = hull};
    } else {
      places[i] = places[founder];
      add_member(&maker->merged[places[i]], hull, end);
    }
  }
}

/* Makes two buffers live at one moment at least. */
static void join(struct merged *a, struct merged *b) {
  struct merged *early = a->hull.start <= b->hull.start ? a : b, *late = early == a ? b : a;
  a->is_hulled = b->is_hulled = true;
  if (early->hull.end > late->hull.start) return;
  if (early->size <= late->size) early->hull.end = late->hull.start + 1;
  else late->hull.start = early->hull.end - 1;
}

/* False if two buffers of one body are separated. */
static bool join_separated(struct maker *maker) {
  const struct relations *relations = maker->simplified->original->relations;
  const size_t *places = maker->simplified->places;
  for (size_t r = 0; r < relations->count; r++) {
    const neap_relation *relation = &relations->items[r];
    if (relation->kind != NEAP_SEPARATION) continue;
    size_t a = places[relation->first], b = places[relation->second];
    if (a == b) return false;
    join(&maker->merged[a], &maker->merged[b]);
  }
  return true;
}

/* ---------------------------------------------------------------- making */

static neap_status add_buffer(const struct maker *maker, const struct merged *merged,
                              neap_error *error) {
  const struct simplified *simplified = maker->simplified;
  const struct neap_problem *original = simplified->original;
  size_t begin = problem_ranges_begin(original, merged->first);
  size_t body = bodies_of(&simplified->bodies, merged->first);
  neap_buffer buffer = NEAP_BUFFER_INIT;
  buffer.name = problem_name(original, merged->first);
  buffer.size = merged->size;
  buffer.alignment = original->buffers[merged->first].alignment;
  buffer.ranges = merged->is_hulled ? &merged->hull : original->ranges + begin;
  buffer.range_count =
      merged->is_hulled ? 1 : original->buffers[merged->first].ranges_end - begin;
  if (body != BODIES_NONE) {
    struct progression bases = simplified->bodies.items[body].bases;
    if (bases.step == 0 || bases.rest != 0)
      return error_set(error, NEAP_ERROR_INPUT, "a body cannot be aligned like one buffer");
    buffer.alignment = bases.step;
  }
  return neap_problem_add(simplified->problem, &buffer, error);
}

static neap_status make_problem(struct maker *maker, neap_error *error) {
  merge_bodies(maker);
  if (!join_separated(maker))
    return error_set(error, NEAP_ERROR_INPUT, "colocated buffers are separated");
  neap_status status = NEAP_OK;
  for (size_t i = 0; i < maker->count && status == NEAP_OK; i++)
    status = add_buffer(maker, &maker->merged[i], error);
  return status;
}

neap_status simplified_init(struct simplified *simplified, const struct neap_problem *original,
                            neap_error *error) {
  *simplified = (struct simplified){.original = original};
  struct maker maker = {.simplified = simplified};
  neap_status status = bodies_init(&simplified->bodies, original, error);
  if (status != NEAP_OK) return status;
  simplified->problem = neap_problem_new();
  simplified->places = memory_array(original->count, sizeof *simplified->places);
  maker.merged = memory_array(original->count, sizeof *maker.merged);
  bool is_allocated = simplified->problem && simplified->places && maker.merged;
  status = is_allocated ? make_problem(&maker, error) : error_memory(error);
  free(maker.merged);
  if (status != NEAP_OK) simplified_clear(simplified);
  return status;
}

void simplified_clear(struct simplified *simplified) {
  neap_problem_free(simplified->problem);
  free(simplified->places);
  bodies_clear(&simplified->bodies);
  *simplified = (struct simplified){0};
}

void simplified_expand(const struct simplified *simplified, const neap_offset *from,
                       neap_offset *to) {
  const neap_offset *inner = simplified->bodies.inner;
  for (size_t i = 0; i < simplified->original->count; i++)
    to[i] = from[simplified->places[i]] + (inner ? inner[i] : 0);
}
