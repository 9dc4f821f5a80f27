/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Collisions among rectangles of time and bytes, by a sweep (M. I. Shamos and D. Hoey, Geometric
 * intersection problems, 1976).
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

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/bisection.h"
#include "core/error.h"
#include "core/max_tree.h"
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
  assert(range == problem->range_count && used <= range);
  qsort(boxes, used, sizeof *boxes, by_low);
  *count = used;
  return boxes;
}

/* ---------------------------------------------------------------- one collision */

static neap_time larger(neap_time a, neap_time b) { return a > b ? a : b; }

static neap_time smaller(neap_time a, neap_time b) { return a < b ? a : b; }

static neap_collision collision_of(const struct box *a, const struct box *b) {
  neap_collision collision = {
      .first = a->buffer < b->buffer ? a->buffer : b->buffer,
      .second = a->buffer < b->buffer ? b->buffer : a->buffer,
      .when = {larger(a->when.start, b->when.start), smaller(a->when.end, b->when.end)},
      .low = larger(a->low, b->low),
      .high = smaller(a->high, b->high),
  };
  assert(collision.first < collision.second);
  assert(collision.when.start < collision.when.end && collision.low < collision.high);
  return collision;
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
static size_t find_neighbour(const struct ordered *alive, const struct box *boxes, size_t box) {
  size_t below = ordered_below(alive, box), above = ordered_above(alive, box);
  if (below != ORDERED_NONE && boxes[below].high > boxes[box].low) return below;
  if (above != ORDERED_NONE && boxes[above].low < boxes[box].high) return above;
  return ORDERED_NONE;
}

static bool find_collision(struct ordered *alive, const struct box *boxes,
                           const struct event *events, size_t event_count,
                           neap_collision *collision) {
  for (size_t e = 0; e < event_count; e++) {
    size_t box = events[e].box;
    if (!events[e].begins) {
      ordered_remove(alive, box);
      continue;
    }
    size_t other = find_neighbour(alive, boxes, box);
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
  *found = ready && find_collision(&alive, boxes, events, 2 * count, collision);
  ordered_clear(&alive);
  free(events);
  free(boxes);
  return ready ? NEAP_OK : error_memory(error);
}

neap_status collide_fixed(const struct neap_problem *problem, neap_collision *collision,
                          bool *found, neap_error *error) {
  *found = false;
  if (problem->fixed_count < 2) return NEAP_OK;
  neap_offset *offsets = memory_array(problem->count, sizeof *offsets);
  if (!offsets) return error_memory(error);
  for (size_t i = 0; i < problem->count; i++)
    offsets[i] = problem->buffers[i].fixed_offset;
  neap_status status = collide_first(problem, offsets, collision, found, error);
  free(offsets);
  return status;
}

/* ---------------------------------------------------------------- all collisions */

/*
 * The same walk, with rectangles that may overlap.  A new rectangle [low, high) collides with the
 * live ones that begin below its high and end above its low.
 *
 *   - They are found in a tree over all rectangles by ascending low.  Each node holds the highest
 *     end among the live rectangles below it, so subtrees that end too low are skipped: O(log n)
 *     for each one found.
 *   - They are counted without being found: those that begin below `high`, minus those that end
 *     at or below `low`.  A Fenwick tree gives each of the two numbers in O(log n).
 */
struct listing {
  const struct box *boxes; /* by ascending low */
  size_t box_count;
  struct max_tree tops; /* the ends of the boxes alive */
  neap_offset *ends;    /* all ends, ascending */
  /* Fenwick trees that count the live boxes, by position in `boxes` and in `ends`. */
  size_t *live_by_low, *live_by_end;
  neap_collision *items;
  size_t count, capacity, limit;
  uint64_t total;
  bool failed; /* memory is short */
};

static int ascending(const void *left, const void *right) {
  neap_offset a = *(const neap_offset *)left, b = *(const neap_offset *)right;
  return a < b ? -1 : a > b;
}

static bool listing_init(struct listing *listing, const struct box *boxes, size_t count,
                         size_t limit) {
  *listing = (struct listing){.boxes = boxes, .box_count = count, .limit = limit};
  listing->ends = memory_array(count, sizeof *listing->ends);
  listing->live_by_low = memory_array(count + 1, sizeof *listing->live_by_low);
  listing->live_by_end = memory_array(count + 1, sizeof *listing->live_by_end);
  if (!max_tree_init(&listing->tops, count) || !listing->ends || !listing->live_by_low ||
      !listing->live_by_end)
    return false;
  for (size_t i = 0; i < count; i++)
    listing->ends[i] = boxes[i].high;
  if (count > 0) qsort(listing->ends, count, sizeof *listing->ends, ascending);
  return true;
}

/* Leaves the list of collisions to its new owner. */
static void listing_clear(struct listing *listing) {
  max_tree_clear(&listing->tops);
  free(listing->ends);
  free(listing->live_by_low);
  free(listing->live_by_end);
}

/* How many boxes begin below an offset. */
static size_t begin_below(const struct listing *listing, neap_offset offset) {
  struct bisection search = bisection_of(0, listing->box_count);
  while (bisection_open(&search))
    bisection_step(&search, listing->boxes[search.middle].low < offset);
  return search.low;
}

/* How many boxes end at an offset or below. */
static size_t end_until(const struct listing *listing, neap_offset offset) {
  struct bisection search = bisection_of(0, listing->box_count);
  while (bisection_open(&search))
    bisection_step(&search, listing->ends[search.middle] <= offset);
  return search.low;
}

static void fenwick_add(size_t *tree, size_t count, size_t position, size_t amount) {
  for (size_t i = position + 1; i <= count; i += i & -i)
    tree[i] += amount;
}

/* The sum of the first `count` elements. */
static size_t fenwick_sum(const size_t *tree, size_t count) {
  size_t sum = 0;
  for (size_t i = count; i > 0; i &= i - 1)
    sum += tree[i];
  return sum;
}

/* Adds a box to those alive, or takes it away: `amount` is 1 or, modulo 2^N, -1. */
static void set_alive(struct listing *listing, size_t box, size_t amount) {
  const struct box *self = &listing->boxes[box];
  assert(amount == 1 || amount == SIZE_MAX);
  fenwick_add(listing->live_by_low, listing->box_count, box, amount);
  fenwick_add(listing->live_by_end, listing->box_count, end_until(listing, self->high) - 1,
              amount);
  max_tree_set(&listing->tops, box, amount == 1 ? self->high : MAX_TREE_NONE);
}

static void add_collision(struct listing *listing, size_t box, size_t other) {
  if (!memory_reserve(&listing->items, &listing->capacity, listing->count + 1,
                      sizeof *listing->items)) {
    listing->failed = true;
    return;
  }
  listing->items[listing->count++] = collision_of(&listing->boxes[other], &listing->boxes[box]);
}

/* The first box alive, from `box` on, that ends above `low`; box_count: none. */
static size_t next_above(const struct listing *listing, size_t box, neap_offset low) {
  return max_tree_next(&listing->tops, box, low + 1);
}

/* Counts the live boxes that a new one collides with, and lists as many as the limit allows. */
static void count_collisions(struct listing *listing, size_t box) {
  const struct box *self = &listing->boxes[box];
  size_t stop = begin_below(listing, self->high);
  size_t begun = fenwick_sum(listing->live_by_low, stop);
  size_t ended = fenwick_sum(listing->live_by_end, end_until(listing, self->low));
  assert(ended <= begun);
  listing->total += begun - ended;
  for (size_t other = next_above(listing, 0, self->low);
       other < stop && listing->count < listing->limit && !listing->failed;
       other = next_above(listing, other + 1, self->low))
    add_collision(listing, box, other);
}

static void list_collisions(struct listing *listing, const struct event *events,
                            size_t event_count) {
  for (size_t e = 0; e < event_count && !listing->failed; e++) {
    if (events[e].begins) count_collisions(listing, events[e].box);
    set_alive(listing, events[e].box, events[e].begins ? 1 : SIZE_MAX);
  }
}

static int by_pair(const void *left, const void *right) {
  const neap_collision *a = left, *b = right;
  if (a->first != b->first) return a->first < b->first ? -1 : 1;
  if (a->second != b->second) return a->second < b->second ? -1 : 1;
  return a->when.start < b->when.start ? -1 : a->when.start > b->when.start;
}

neap_status collide_all(const struct neap_problem *problem, const neap_offset *offsets,
                        size_t limit, struct collisions *collisions, neap_error *error) {
  size_t count = 0;
  struct box *boxes = boxes_new(problem, offsets, &count);
  struct event *events = boxes ? events_new(boxes, count) : NULL;
  struct listing listing = {.failed = true};
  if (events && listing_init(&listing, boxes, count, limit))
    list_collisions(&listing, events, 2 * count);
  else listing.failed = true;
  listing_clear(&listing);
  free(events);
  free(boxes);
  if (listing.failed) {
    free(listing.items);
    return error_memory(error);
  }
  /* The two ways to find collisions, by counting and by listing, agree. */
  assert(listing.count == (listing.total < limit ? listing.total : limit));
  if (listing.count > 0) qsort(listing.items, listing.count, sizeof *listing.items, by_pair);
  *collisions = (struct collisions){listing.items, listing.count, listing.total};
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
