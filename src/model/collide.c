/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Collisions among rectangles of time and bytes.
 *
 * Walk through time.  As long as nothing has collided, the rectangles alive at a moment are
 * disjoint intervals of bytes, and a new one collides with some of them only if it does so with
 * the next one below it or the next one above it:
 *
 *      bytes |      +--------+ above
 *            |   +--|--+  b  |          b begins: its neighbour below, a, ends above b's low,
 *            |   |  +--|-----+          so a and b collide
 *            |   |  a  |
 *            |   +-----+
 *            +----------------- time
 *
 * All offsets are known beforehand; so rectangles are numbered by offset, those alive are a set
 * of numbers, and neighbours are found in a few steps (core/ordered).  O(n log n) for sorting,
 * and little more than O(n) for the walk.
 */
#include "model/collide.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/ordered.h"
#include "core/text.h"

/* One buffer during one of its ranges. */
struct box {
  neap_offset low, high;
  neap_range when;
  size_t buffer;
};

static int by_low(const void *left, const void *right) {
  const struct box *a = left, *b = right;
  if (a->low != b->low) return a->low < b->low ? -1 : 1;
  if (a->buffer != b->buffer) return a->buffer < b->buffer ? -1 : 1;
  return a->when.start < b->when.start ? -1 : a->when.start > b->when.start;
}

/* The boxes of all placed buffers that hold at least a byte, by ascending offset. */
static struct box *boxes_new(const struct neap_problem *problem, const neap_offset *offsets,
                             size_t *count) {
  struct box *boxes = memory_array(problem->range_count, sizeof *boxes);
  if (!boxes) return NULL;
  size_t used = 0, range = 0;
  for (size_t i = 0; i < problem->count; i++) {
    const struct buffer *buffer = &problem->buffers[i];
    for (; range < buffer->ranges_end; range++)
      if (offsets[i] != NEAP_UNPLACED && buffer->size > 0)
        boxes[used++] =
            (struct box){offsets[i], offsets[i] + buffer->size, problem->ranges[range], i};
  }
  qsort(boxes, used, sizeof *boxes, by_low);
  *count = used;
  return boxes;
}

/* ---------------------------------------------------------------- one collision */

static neap_time later(neap_time a, neap_time b) { return a > b ? a : b; }

static neap_time earlier(neap_time a, neap_time b) { return a < b ? a : b; }

static neap_collision collision_of(const struct box *a, const struct box *b) {
  return (neap_collision){
      .first = a->buffer < b->buffer ? a->buffer : b->buffer,
      .second = a->buffer < b->buffer ? b->buffer : a->buffer,
      .when = {later(a->when.start, b->when.start), earlier(a->when.end, b->when.end)},
      .low = later(a->low, b->low),
      .high = earlier(a->high, b->high),
  };
}

/* A box begins or ends. */
struct event {
  neap_time time;
  size_t box;
  bool begins;
};

static int by_time(const void *left, const void *right) {
  const struct event *a = left, *b = right;
  if (a->time != b->time) return a->time < b->time ? -1 : 1;
  if (a->begins != b->begins) return a->begins ? 1 : -1; /* ranges are half-open: ends first */
  return a->box < b->box ? -1 : a->box > b->box;
}

static struct event *events_new(const struct box *boxes, size_t count) {
  struct event *events = memory_array(count, 2 * sizeof *events);
  if (!events) return NULL;
  for (size_t i = 0; i < count; i++) {
    events[2 * i] = (struct event){boxes[i].when.start, i, true};
    events[2 * i + 1] = (struct event){boxes[i].when.end, i, false};
  }
  qsort(events, 2 * count, sizeof *events, by_time);
  return events;
}

/*
 * The neighbour, among the boxes alive, that a new one shares bytes with; ORDERED_NONE when
 * there is none.
 */
static size_t meets(const struct ordered *alive, const struct box *boxes, size_t box) {
  size_t below = ordered_below(alive, box), above = ordered_above(alive, box);
  if (below != ORDERED_NONE && boxes[below].high > boxes[box].low) return below;
  if (above != ORDERED_NONE && boxes[above].low < boxes[box].high) return above;
  return ORDERED_NONE;
}

static bool walk(struct ordered *alive, const struct box *boxes, const struct event *events,
                 size_t event_count, neap_collision *collision) {
  for (size_t e = 0; e < event_count; e++) {
    size_t box = events[e].box;
    if (!events[e].begins) {
      ordered_remove(alive, box);
      continue;
    }
    size_t other = meets(alive, boxes, box);
    if (other != ORDERED_NONE) {
      *collision = collision_of(&boxes[other], &boxes[box]);
      return true;
    }
    ordered_add(alive, box);
  }
  return false;
}

neap_status collide_first(const struct neap_problem *problem, const neap_offset *offsets,
                          neap_collision *collision, bool *found, neap_error *error) {
  size_t count = 0;
  struct box *boxes = boxes_new(problem, offsets, &count);
  struct event *events = boxes ? events_new(boxes, count) : NULL;
  struct ordered alive = {.level_count = 0};
  bool ready = events && ordered_init(&alive, count);
  *found = ready && walk(&alive, boxes, events, 2 * count, collision);
  ordered_clear(&alive);
  free(events);
  free(boxes);
  return ready ? NEAP_OK : error_memory(error);
}

/* ---------------------------------------------------------------- all collisions */

static int by_pair(const void *left, const void *right) {
  const neap_collision *a = left, *b = right;
  if (a->first != b->first) return a->first < b->first ? -1 : 1;
  if (a->second != b->second) return a->second < b->second ? -1 : 1;
  return a->when.start < b->when.start ? -1 : a->when.start > b->when.start;
}

struct listing {
  neap_collision *items;
  size_t count, capacity;
};

/*
 * Every pair of boxes that share bytes and time, taken by ascending offset; false when memory
 * is short.
 */
static bool list_pairs(struct listing *listing, const struct box *boxes, size_t count) {
  for (size_t i = 0; i < count; i++)
    for (size_t j = i + 1; j < count && boxes[j].low < boxes[i].high; j++) {
      neap_collision pair = collision_of(&boxes[i], &boxes[j]);
      if (pair.when.start >= pair.when.end || pair.first == pair.second) continue;
      if (!memory_reserve(&listing->items, &listing->capacity, listing->count + 1,
                          sizeof *listing->items))
        return false;
      listing->items[listing->count++] = pair;
    }
  return true;
}

/* Sorts and leaves each pair of buffers once, at the first time that they meet. */
static void tidy(struct listing *listing) {
  qsort(listing->items, listing->count, sizeof *listing->items, by_pair);
  size_t kept = 0;
  for (size_t i = 0; i < listing->count; i++) {
    const neap_collision *last = kept ? &listing->items[kept - 1] : NULL;
    if (last && last->first == listing->items[i].first &&
        last->second == listing->items[i].second)
      continue;
    listing->items[kept++] = listing->items[i];
  }
  listing->count = kept;
}

neap_status collide_all(const struct neap_problem *problem, const neap_offset *offsets,
                        size_t limit, neap_collision **collisions, size_t *count,
                        neap_error *error) {
  size_t box_count = 0;
  struct box *boxes = boxes_new(problem, offsets, &box_count);
  if (!boxes) return error_memory(error);
  struct listing listing = {0};
  bool done = list_pairs(&listing, boxes, box_count);
  free(boxes);
  if (!done) {
    free(listing.items);
    return error_memory(error);
  }
  if (listing.count > 0) tidy(&listing);
  *collisions = listing.items;
  *count = listing.count < limit ? listing.count : limit;
  return NEAP_OK;
}

const char *collide_text(const struct neap_problem *problem, const neap_collision *collision,
                         char text[COLLIDE_TEXT]) {
  char first[TEXT_EXCERPT], second[TEXT_EXCERPT];
  const char *a = problem_name(problem, collision->first);
  const char *b = problem_name(problem, collision->second);
  snprintf(text, COLLIDE_TEXT,
           "%s and %s share bytes [%" PRId64 ", %" PRId64
           ") while both live, at times [%" PRId64 ", %" PRId64 ")",
           text_excerpt(first, a, strlen(a)), text_excerpt(second, b, strlen(b)),
           collision->low, collision->high, collision->when.start, collision->when.end);
  return text;
}
