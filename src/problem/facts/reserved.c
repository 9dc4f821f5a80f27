/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reserved bytes and the lifetimes of buffers are rectangles of time and bytes.  A walk through
 * time compares each rectangle that begins with the live rectangles of the other kind.  As in
 * verify/collide, rectangles are numbered by pool and offset, and a tree over the numbers holds
 * the ends of the live ones.  The tree yields the first live rectangle that ends above the low
 * of the new one, in O(log n).  If any rectangle meets the new one, then this one does.
 */
#include "facts/reserved.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/bisection.h"
#include "core/checked.h"
#include "core/error.h"
#include "core/max_tree.h"
#include "core/memory.h"
#include "core/text.h"

struct area {
  size_t pool;
  neap_offset low, high;
  neap_range when;
  size_t index; /* of the buffer or of the reserved bytes */
  bool is_reserved;
};

/* An area begins or ends. */
struct event {
  neap_time time;
  size_t area;
  bool begins;
};

struct walk {
  struct area *areas; /* by pool, then ascending low */
  size_t count;
  struct event *events;
  struct max_tree tops[2]; /* the ends of the live buffers, and of the live reserved bytes */
};

static int by_low(const void *left, const void *right) {
  const struct area *a = left, *b = right;
  if (a->pool != b->pool) return a->pool < b->pool ? -1 : 1;
  if (a->low != b->low) return a->low < b->low ? -1 : 1;
  if (a->is_reserved != b->is_reserved) return a->is_reserved ? 1 : -1;
  if (a->index != b->index) return a->index < b->index ? -1 : 1;
  return a->when.start < b->when.start ? -1 : a->when.start > b->when.start;
}

static int by_time(const void *left, const void *right) {
  const struct event *a = left, *b = right;
  if (a->time != b->time) return a->time < b->time ? -1 : 1;
  if (a->begins != b->begins) return a->begins ? 1 : -1; /* ranges are half-open: ends first */
  return a->area < b->area ? -1 : a->area > b->area;
}

static void add_areas(struct walk *walk, const struct placement *placement) {
  const struct neap_problem *problem = placement->problem;
  const struct relations *relations = problem->relations;
  for (size_t i = 0, range = 0; i < problem->count; i++) {
    bool has_bytes = placement_has(placement, i);
    for (; range < problem->buffers[i].ranges_end; range++)
      if (has_bytes)
        walk->areas[walk->count++] = (struct area){placement_pool(placement, i),
                                                   placement->offsets[i],
                                                   placement_end(placement, i),
                                                   problem->ranges[range],
                                                   i,
                                                   false};
  }
  for (size_t i = 0; i < relations->reserved_count; i++) {
    const neap_reserved *reserved = &relations->reserved[i];
    walk->areas[walk->count++] =
        (struct area){reserved->pool, reserved->low, reserved->high, reserved->when, i, true};
  }
  qsort(walk->areas, walk->count, sizeof *walk->areas, by_low);
}

/* False when memory is short; call walk_clear in any case. */
static bool walk_init(struct walk *walk, const struct placement *placement) {
  size_t most = placement->problem->range_count + placement->problem->relations->reserved_count;
  *walk = (struct walk){.areas = memory_array(most, sizeof *walk->areas),
                        .events = memory_array(most, 2 * sizeof *walk->events)};
  if (!walk->areas || !walk->events) return false;
  add_areas(walk, placement);
  for (size_t i = 0; i < walk->count; i++) {
    walk->events[2 * i] = (struct event){walk->areas[i].when.start, i, true};
    walk->events[2 * i + 1] = (struct event){walk->areas[i].when.end, i, false};
  }
  qsort(walk->events, 2 * walk->count, sizeof *walk->events, by_time);
  return max_tree_init(&walk->tops[0], walk->count) &&
         max_tree_init(&walk->tops[1], walk->count);
}

static void walk_clear(struct walk *walk) {
  free(walk->areas);
  free(walk->events);
  max_tree_clear(&walk->tops[0]);
  max_tree_clear(&walk->tops[1]);
}

/* The first area of a pool, which is the number of areas in lower pools. */
static size_t pool_begin(const struct walk *walk, size_t pool) {
  struct bisection search = bisection_of(0, walk->count);
  while (bisection_open(&search))
    bisection_step(&search, walk->areas[search.middle].pool < pool);
  return search.low;
}

/* A live area of the other kind that shares bytes with this one; NULL if there is none. */
static const struct area *find_other(const struct walk *walk, const struct area *self) {
  const struct max_tree *tops = &walk->tops[!self->is_reserved];
  size_t at = max_tree_next(tops, pool_begin(walk, self->pool), self->low + 1);
  if (at >= walk->count) return NULL;
  const struct area *other = &walk->areas[at];
  return other->pool == self->pool && other->low < self->high ? other : NULL;
}

static struct reserved_use use_of(const struct area *a, const struct area *b) {
  assert(a->is_reserved != b->is_reserved);
  return (struct reserved_use){
      .buffer = a->is_reserved ? b->index : a->index,
      .reserved = a->is_reserved ? a->index : b->index,
      .low = larger_of(a->low, b->low),
      .high = smaller_of(a->high, b->high),
      .when = {larger_of(a->when.start, b->when.start), smaller_of(a->when.end, b->when.end)},
  };
}

static bool find_use(struct walk *walk, struct reserved_use *use) {
  for (size_t e = 0; e < 2 * walk->count; e++) {
    const struct event *event = &walk->events[e];
    const struct area *area = &walk->areas[event->area];
    const struct area *other = event->begins ? find_other(walk, area) : NULL;
    if (other) {
      *use = use_of(area, other);
      return true;
    }
    max_tree_set(&walk->tops[area->is_reserved], event->area,
                 event->begins ? area->high : MAX_TREE_NONE);
  }
  return false;
}

neap_status reserved_first(const struct placement *placement, struct reserved_use *use,
                           bool *found, neap_error *error) {
  const struct relations *relations = placement->problem->relations;
  struct walk walk;
  *found = false;
  if (!relations || relations->reserved_count == 0) return NEAP_OK;
  bool ready = walk_init(&walk, placement);
  *found = ready && find_use(&walk, use);
  walk_clear(&walk);
  return ready ? NEAP_OK : error_memory(error);
}

const char *reserved_text(const struct neap_problem *problem, const struct reserved_use *use,
                          char text[RESERVED_TEXT]) {
  const neap_reserved *reserved = &problem->relations->reserved[use->reserved];
  const char *name = problem_name(problem, use->buffer);
  char excerpt[TEXT_EXCERPT], pool[TEXT_EXCERPT + 16] = "";
  if (problem_pool_count(problem) > 0) {
    const char *title = names_text(&problem->relations->pool_names, reserved->pool);
    char shown[TEXT_EXCERPT];
    snprintf(pool, sizeof pool, " of pool %s", text_excerpt(shown, title, strlen(title)));
  }
  snprintf(text, RESERVED_TEXT,
           "%s uses bytes [%" PRId64 ", %" PRId64 ")%s at times [%" PRId64 ", %" PRId64
           "), but bytes [%" PRId64 ", %" PRId64 ") are reserved",
           text_excerpt(excerpt, name, strlen(name)), use->low, use->high, pool,
           use->when.start, use->when.end, reserved->low, reserved->high);
  return text;
}
