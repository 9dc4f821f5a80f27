/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Collisions among rectangles of time and bytes, by a sweep (M. I. Shamos and D. Hoey, Geometric
 * intersection problems, 1976).
 *
 * Walk through time.  Until the first collision, the rectangles alive at a moment are disjoint
 * intervals of bytes.  So a new rectangle collides with any of them only if it collides with
 * its neighbour directly below or directly above:
 *
 *      bytes |      +--------+ above
 *            |   +--|--+  b  |          b begins: its neighbour below, a, ends above b's low,
 *            |   |  +--|-----+          so a and b collide
 *            |   |  a  |
 *            |   +-----+
 *            +----------------- time
 *
 * All offsets are known beforehand.  So rectangles are numbered by offset, the live rectangles
 * form a set of numbers, and neighbours are found in a few steps (core/index_set).  O(n log n)
 * for sorting, and little more than O(n) for the walk.
 *
 * Up to FEW rectangles are first compared in pairs, and swept only if two of them collide.
 *
 * Buffers of different pools never collide: rectangles are numbered by pool first, then by
 * offset.
 *
 * Relations may permit some pairs to share bytes (facts/shared_bytes).  Then the live rectangles
 * are no longer disjoint, and comparing neighbours is not enough.  As when listing all collisions,
 * each new rectangle is compared with every live rectangle that shares bytes with it.  Counting
 * them (verify/tally) shows whether any pair is not permitted; only then does a tree find it.
 * Separations between buffers that are never alive together cannot be seen in the plane of time and
 * bytes, so they are checked one by one.
 */
#include "verify/collide.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/bisection.h"
#include "core/checked.h"
#include "core/error.h"
#include "core/index_set.h"
#include "core/max_tree.h"
#include "core/memory.h"
#include "core/sort.h"
#include "core/text.h"
#include "facts/relation_text.h"
#include "facts/shared_bytes.h"
#include "model/groups.h"

/* One buffer during one of its ranges. */
struct box {
  size_t pool;
  neap_offset low, high;
  neap_range when;
  size_t buffer;
};

/* Stores the boxes of all placed buffers that hold at least a byte, and returns their number. */
static size_t fill_boxes(const struct placement *placement, struct box *boxes) {
  const struct neap_problem *problem = placement->problem;
  size_t used = 0, range = 0;
  for (size_t i = 0; i < problem->count; i++) {
    bool has_bytes = placement_has(placement, i);
    for (; range < problem->buffers[i].ranges_end; range++)
      if (has_bytes)
        boxes[used++] = (struct box){placement_pool(placement, i), placement->offsets[i],
                                     placement_end(placement, i), problem->ranges[range], i};
  }
  assert(range == problem->range_count && used <= range);
  return used;
}

/* Like fill_boxes, in new memory; NULL when memory is short. */
static struct box *boxes_new(const struct placement *placement, size_t *count) {
  struct box *boxes = memory_array(placement->problem->range_count, sizeof *boxes);
  if (boxes) *count = fill_boxes(placement, boxes);
  return boxes;
}

/* A box begins or ends: its time is the key. */
typedef struct sort_pair event;

static event event_of(neap_time time, size_t box, bool begins) {
  return (event){sort_key(time), 2 * (uint64_t)box + begins};
}

static size_t event_box(event what) { return what.item / 2; }

static bool event_begins(event what) { return what.item % 2 == 1; }

/* The begins and ends of boxes, in order.  Ranges are half-open, so ends come before beginnings. */
static event *events_new(const struct box *boxes, size_t count) {
  event *events = memory_array(count, 2 * sizeof *events);
  if (!events) return NULL;
  for (size_t i = 0; i < count; i++) {
    events[i] = event_of(boxes[i].when.end, i, false);
    events[count + i] = event_of(boxes[i].when.start, i, true);
  }
  if (sort_pairs(events, 2 * count)) return events;
  free(events);
  return NULL;
}

static bool have_pools(const struct box *boxes, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (boxes[i].pool != 0) return true;
  return false;
}

/* The numbers of boxes by pool, then by ascending offset, as items; false when memory is short. */
static bool sort_numbers_of(const struct box *boxes, struct sort_pair *numbers, size_t count) {
  for (size_t i = 0; i < count; i++)
    numbers[i] = (struct sort_pair){sort_key(boxes[i].low), i};
  if (!sort_pairs(numbers, count)) return false;
  if (!have_pools(boxes, count)) return true;
  for (size_t i = 0; i < count; i++)
    numbers[i].key = boxes[numbers[i].item].pool;
  return sort_pairs(numbers, count);
}

/*
 * Sorts boxes by pool, then by ascending offset; boxes with equal offsets stay in the order of
 * buffers.  False, with nothing changed, when memory is short.
 */
static bool boxes_sort(struct box **boxes, size_t count) {
  struct sort_pair *numbers = memory_array(count, sizeof *numbers);
  struct box *sorted = memory_array(count, sizeof *sorted);
  bool ready = numbers && sorted && sort_numbers_of(*boxes, numbers, count);
  for (size_t i = 0; i < count && ready; i++)
    sorted[i] = (*boxes)[numbers[i].item];
  free(numbers);
  free(ready ? *boxes : sorted);
  if (ready) *boxes = sorted;
  return ready;
}

/* ---------------------------------------------------------------- one collision */

static neap_collision collision_of(const struct box *a, const struct box *b) {
  neap_collision collision = {
      .first = a->buffer < b->buffer ? a->buffer : b->buffer,
      .second = a->buffer < b->buffer ? b->buffer : a->buffer,
      .when = {larger_of(a->when.start, b->when.start), smaller_of(a->when.end, b->when.end)},
      .low = larger_of(a->low, b->low),
      .high = smaller_of(a->high, b->high),
  };
  assert(collision.first < collision.second);
  assert(collision.when.start < collision.when.end && collision.low < collision.high);
  return collision;
}

/* The live neighbour that shares bytes with a new box; INDEX_NONE when there is none. */
static size_t find_neighbour(const struct index_set *alive, const struct box *boxes,
                             size_t box) {
  size_t below = index_set_below(alive, box), above = index_set_above(alive, box);
  const struct box *self = &boxes[box];
  if (below != INDEX_NONE && boxes[below].pool == self->pool && boxes[below].high > self->low)
    return below;
  if (above != INDEX_NONE && boxes[above].pool == self->pool && boxes[above].low < self->high)
    return above;
  return INDEX_NONE;
}

static bool find_collision(struct index_set *alive, const struct box *boxes,
                           const event *events, size_t event_count, neap_collision *collision) {
  for (size_t e = 0; e < event_count; e++) {
    size_t box = event_box(events[e]);
    if (!event_begins(events[e])) {
      index_set_remove(alive, box);
      continue;
    }
    size_t other = find_neighbour(alive, boxes, box);
    if (other != INDEX_NONE) {
      *collision = collision_of(&boxes[other], &boxes[box]);
      return true;
    }
    index_set_add(alive, box);
  }
  return false;
}

/* Up to this many boxes are compared in pairs, which needs no sorting. */
#define FEW 48

/* The number of boxes that one vector instruction of most processors compares. */
#define LANES 2

/* Boxes in vector layout.  Unused lanes are empty and meet no box. */
struct lanes {
  int64_t low[LANES], high[LANES], start[LANES], end[LANES];
};

/* Whether a box meets a box of one of `count` groups; pools are ignored. */
static bool meets_any(const struct lanes *lanes, size_t count, const struct box *box) {
  const int64_t low = box->low, high = box->high;
  const int64_t start = box->when.start, end = box->when.end;
  /*
   * An element becomes negative where boxes meet.  The loop has no branches, because no
   * processor can predict which pairs are apart, or why.
   */
  int64_t met[LANES] = {0};
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k < LANES; k++)
      met[k] |= (low - lanes[i].high[k]) & (lanes[i].low[k] - high) &
                (start - lanes[i].end[k]) & (lanes[i].start[k] - end);
  return (met[0] | met[1]) < 0;
}

/* Whether a placement has few boxes and all of them are apart, even if all pools were one. */
static bool are_few_apart(const struct placement *placement) {
  struct lanes lanes[FEW / LANES] = {{{0}, {0}, {0}, {0}}};
  struct box boxes[FEW];
  if (placement->problem->range_count > FEW) return false;
  size_t count = fill_boxes(placement, boxes);
  for (size_t i = 0; i < count; i++) {
    if (meets_any(lanes, (i + LANES - 1) / LANES, &boxes[i])) return false;
    struct lanes *to = &lanes[i / LANES];
    to->low[i % LANES] = boxes[i].low;
    to->high[i % LANES] = boxes[i].high;
    to->start[i % LANES] = boxes[i].when.start;
    to->end[i % LANES] = boxes[i].when.end;
  }
  return true;
}

/*
 * Finds a collision if no pair may share bytes; then comparing neighbours is enough.  False
 * when memory is short.
 */
static bool find_among_neighbours(const struct box *boxes, size_t count, const event *events,
                                  neap_collision *collision, bool *found) {
  struct index_set alive = {.level_count = 0};
  bool ready = index_set_init(&alive, count);
  *found = ready && find_collision(&alive, boxes, events, 2 * count, collision);
  index_set_clear(&alive);
  return ready;
}

/* ---------------------------------------------------------------- all collisions */

/*
 * The same walk through time, with rectangles that may overlap.  A new rectangle [low, high)
 * shares bytes with the live ones that begin below its high and end above its low.
 *
 *   - They are found in a tree over all rectangles by ascending low.  Each node holds the highest
 *     end among the live rectangles below it, so subtrees that end too low are skipped: O(log n)
 *     for each one found.
 *   - Their number is known without finding them (verify/tally): O(log n).
 *   - Rectangles that relations permit to share bytes are subtracted from the count, and skipped.
 */
struct listing {
  const struct shared_bytes *sharing; /* the pairs that may share bytes */
  bool *is_alive;                /* per buffer; only if there are such pairs */
  const struct box *boxes;       /* by pool, then ascending low */
  size_t box_count;
  struct max_tree tops;   /* the ends of the boxes alive */
  struct tally all;       /* of boxes, by pool */
  struct tally colocated; /* of boxes, by those colocated with each other */
  neap_collision *items;
  size_t count, capacity, limit;
  uint64_t total;
  bool failed; /* memory is short */
};

/* The body of a box's buffer, or SHARING_ALONE. */
static size_t body_of(const struct listing *listing, const struct box *box) {
  return listing->sharing->bodies ? listing->sharing->bodies[box->buffer] : SHARING_ALONE;
}

static void enter_boxes(struct listing *listing) {
  for (size_t i = 0; i < listing->box_count; i++) {
    const struct box *box = &listing->boxes[i];
    tally_enter(&listing->all, box->pool, box->low, box->high);
    size_t body = body_of(listing, box);
    if (body != SHARING_ALONE) tally_enter(&listing->colocated, body, box->low, box->high);
  }
  tally_seal(&listing->all);
  tally_seal(&listing->colocated);
}

/* False when memory is short; call listing_clear in any case. */
static bool listing_init(struct listing *listing, const struct placement *placement,
                         const struct shared_bytes *sharing, const struct box *boxes,
                         size_t count) {
  size_t buffers = sharing->count > 0 ? placement->problem->count : 0;
  *listing = (struct listing){.sharing = sharing, .boxes = boxes, .box_count = count};
  listing->is_alive = memory_array(buffers, sizeof *listing->is_alive);
  if (!listing->is_alive || !max_tree_init(&listing->tops, count) ||
      !tally_init(&listing->all, count) ||
      !tally_init(&listing->colocated, sharing->bodies ? count : 0))
    return false;
  enter_boxes(listing);
  return true;
}

/* Releases everything but the list of collisions, which the caller owns. */
static void listing_clear(struct listing *listing) {
  max_tree_clear(&listing->tops);
  tally_clear(&listing->all);
  tally_clear(&listing->colocated);
  free(listing->is_alive);
}

/* The number of boxes that begin below an offset of a pool or belong to a lower pool. */
static size_t begin_below(const struct listing *listing, size_t pool, neap_offset offset) {
  struct bisection search = bisection_of(0, listing->box_count);
  while (bisection_open(&search)) {
    const struct box *box = &listing->boxes[search.middle];
    bisection_step(&search, box->pool < pool || (box->pool == pool && box->low < offset));
  }
  return search.low;
}

/* Adds a box to the live ones, or removes it. */
static void set_alive(struct listing *listing, size_t box, bool is_alive) {
  const struct box *self = &listing->boxes[box];
  size_t body = body_of(listing, self);
  tally_set(&listing->all, self->pool, self->low, self->high, is_alive);
  if (body != SHARING_ALONE)
    tally_set(&listing->colocated, body, self->low, self->high, is_alive);
  if (listing->sharing->count > 0) listing->is_alive[self->buffer] = is_alive;
  max_tree_set(&listing->tops, box, is_alive ? self->high : MAX_TREE_NONE);
}

static void add_collision(struct listing *listing, neap_collision collision) {
  if (memory_reserve(&listing->items, &listing->capacity, listing->count + 1,
                     sizeof *listing->items))
    listing->items[listing->count++] = collision;
  else listing->failed = true;
}

/* The first live box, from `box` on, that ends above `low`; box_count if there is none. */
static size_t next_above(const struct listing *listing, size_t box, neap_offset low) {
  return max_tree_next(&listing->tops, box, low + 1);
}

/* The number of live boxes that share bytes with this one and may do so. */
static size_t count_permitted(const struct listing *listing, const struct box *self) {
  const struct shared_bytes *sharing = listing->sharing;
  size_t body = body_of(listing, self), count = 0;
  if (body != SHARING_ALONE)
    count = tally_count(&listing->colocated, body, self->low, self->high);
  for (size_t i = shared_bytes_begin(sharing, self->buffer);
       i < sharing->count && sharing->pairs[i].buffer == self->buffer; i++)
    count += listing->is_alive[sharing->pairs[i].partner];
  return count;
}

/* Counts the live boxes that collide with a new one, and lists them up to the limit. */
static void count_collisions(struct listing *listing, size_t box) {
  const struct box *self = &listing->boxes[box];
  size_t sharers = tally_count(&listing->all, self->pool, self->low, self->high);
  size_t permitted = sharers > 0 ? count_permitted(listing, self) : 0;
  assert(permitted <= sharers);
  listing->total += sharers - permitted;
  if (sharers == permitted || listing->count >= listing->limit) return;
  size_t stop = begin_below(listing, self->pool, self->high);
  for (size_t other = next_above(listing, begin_below(listing, self->pool, 0), self->low);
       other < stop && listing->count < listing->limit && !listing->failed;
       other = next_above(listing, other + 1, self->low))
    if (permitted == 0 ||
        !shared_bytes_has(listing->sharing, self->buffer, listing->boxes[other].buffer))
      add_collision(listing, collision_of(&listing->boxes[other], self));
}

/* Walks through time, at most to the first collision if `first` is set. */
static void list_collisions(struct listing *listing, const event *events, size_t event_count,
                            bool first) {
  for (size_t e = 0; e < event_count && !listing->failed; e++) {
    size_t box = event_box(events[e]);
    if (event_begins(events[e])) count_collisions(listing, box);
    if (first && listing->total > 0) return;
    set_alive(listing, box, event_begins(events[e]));
  }
}

static int by_pair(const void *left, const void *right) {
  const neap_collision *a = left, *b = right;
  if (a->first != b->first) return a->first < b->first ? -1 : 1;
  if (a->second != b->second) return a->second < b->second ? -1 : 1;
  return a->when.start < b->when.start ? -1 : a->when.start > b->when.start;
}

/* ---------------------------------------------------------------- separations */

/* Pairs whose separation is broken. */
struct broken {
  const struct placement *placement;
  const struct shared_bytes *sharing;
  neap_collision *items;
  size_t count, capacity;
};

/*
 * Lists two separated buffers if they share bytes although they are never alive together.  False
 * when memory is short.
 */
static bool list_broken(struct broken *broken, size_t a, size_t b) {
  const struct placement *placement = broken->placement;
  neap_range when;
  neap_collision collision = {.first = a < b ? a : b, .second = a < b ? b : a};
  if (!placement_shared(placement, a, b, &collision.low, &collision.high) ||
      shared_bytes_has(broken->sharing, a, b) || placement_together(placement, a, b, &when))
    return true;
  if (!memory_reserve(&broken->items, &broken->capacity, broken->count + 1,
                      sizeof *broken->items))
    return false;
  broken->items[broken->count++] = collision;
  return true;
}

static int by_place(const void *left, const void *right, void *context) {
  const struct placement *placement = context;
  size_t a = *(const size_t *)left, b = *(const size_t *)right;
  size_t x = placement_pool(placement, a), y = placement_pool(placement, b);
  if (x != y) return x < y ? -1 : 1;
  if (placement->offsets[a] != placement->offsets[b])
    return placement->offsets[a] < placement->offsets[b] ? -1 : 1;
  return a < b ? -1 : a > b;
}

/*
 * Lists the pairs of a group.  A sweep over the bytes keeps the members that end above where the
 * next one begins, so it compares just those that share bytes.  False when memory is short.
 */
static bool list_group(struct broken *broken, const struct relation_group *group) {
  struct placement placement = *broken->placement;
  size_t open = 0, count = 0, *sorted = memory_array(group_size(group), sizeof *sorted);
  bool done = sorted != NULL;
  for (size_t m = group->begin; m < group->end && done; m++) {
    size_t member = placement.problem->relations->members[m];
    if (placement_has(&placement, member)) sorted[count++] = member;
  }
  if (count > 1) qsort_r(sorted, count, sizeof *sorted, by_place, &placement);
  for (size_t i = 0; i < count && done; i++) {
    size_t self = sorted[i], kept = 0;
    for (size_t k = 0; k < open && done; k++) {
      if (placement_pool(&placement, sorted[k]) != placement_pool(&placement, self) ||
          placement_end(&placement, sorted[k]) <= placement.offsets[self])
        continue;
      done = list_broken(broken, sorted[k], self);
      sorted[kept++] = sorted[k];
    }
    sorted[kept++] = self; /* kept <= i + 1 */
    open = kept;
  }
  free(sorted);
  return done;
}

static bool list_all_broken(struct broken *broken) {
  const struct neap_problem *problem = broken->placement->problem;
  const neap_relation *relation = NULL;
  const struct relation_group *group = NULL;
  while ((relation = problem_next_relation(problem, RELATION_APART, relation)))
    if (!list_broken(broken, relation->first, relation->second)) return false;
  while ((group = problem_next_group(problem, RELATION_APART, group)))
    if (!list_group(broken, group)) return false;
  return true;
}

/*
 * Lists all pairs whose separation is broken, sorted; sets their number.  False when memory is
 * short.
 */
static bool broken_separations(const struct placement *placement,
                               const struct shared_bytes *sharing, neap_collision **list,
                               size_t *count) {
  struct broken broken = {.placement = placement, .sharing = sharing};
  *list = NULL;
  *count = 0;
  if (!list_all_broken(&broken)) {
    free(broken.items);
    return false;
  }
  if (broken.count > 0) qsort(broken.items, broken.count, sizeof *broken.items, by_pair);
  for (size_t i = 0; i < broken.count; i++) /* a pair may be separated more than once */
    if (*count == 0 || by_pair(&broken.items[*count - 1], &broken.items[i]) != 0)
      broken.items[(*count)++] = broken.items[i];
  *list = broken.items;
  return true;
}

static void list_separations(struct listing *listing, const struct placement *placement) {
  neap_collision *broken;
  size_t count;
  if (!broken_separations(placement, listing->sharing, &broken, &count)) listing->failed = true;
  for (size_t i = 0; i < count && listing->count < listing->limit && !listing->failed; i++)
    add_collision(listing, broken[i]);
  listing->total += count;
  free(broken);
}

static neap_status find_separation(const struct placement *placement,
                                   const struct shared_bytes *sharing,
                                   neap_collision *collision, bool *found, neap_error *error) {
  neap_collision *broken;
  size_t count;
  if (!broken_separations(placement, sharing, &broken, &count)) return error_memory(error);
  *found = count > 0;
  if (*found) *collision = broken[0];
  free(broken);
  return NEAP_OK;
}

/* ---------------------------------------------------------------- the whole */

/* Finds the first collision where some pairs may share bytes.  False when memory is short. */
static bool find_among_all(const struct placement *placement,
                           const struct shared_bytes *sharing, const struct box *boxes,
                           size_t count, const event *events, neap_collision *collision,
                           bool *found) {
  struct listing listing;
  bool ready = listing_init(&listing, placement, sharing, boxes, count);
  listing.limit = 1;
  if (ready) list_collisions(&listing, events, 2 * count, true);
  ready = ready && !listing.failed;
  *found = ready && listing.count > 0;
  if (*found) *collision = listing.items[0];
  listing_clear(&listing);
  free(listing.items);
  return ready;
}

static neap_status find_first(const struct placement *placement,
                              const struct shared_bytes *sharing, neap_collision *collision,
                              bool *found, neap_error *error) {
  size_t count = 0;
  *found = false;
  if (shared_bytes_is_empty(sharing) && are_few_apart(placement)) return NEAP_OK;
  struct box *boxes = boxes_new(placement, &count);
  event *events = boxes && boxes_sort(&boxes, count) ? events_new(boxes, count) : NULL;
  bool ready = false;
  if (events && shared_bytes_is_empty(sharing))
    ready = find_among_neighbours(boxes, count, events, collision, found);
  else if (events)
    ready = find_among_all(placement, sharing, boxes, count, events, collision, found);
  free(events);
  free(boxes);
  return ready ? NEAP_OK : error_memory(error);
}

neap_status collide_first(const struct placement *placement, neap_collision *collision,
                          bool *found, neap_error *error) {
  struct shared_bytes sharing;
  *found = false;
  neap_status status = shared_bytes_init(&sharing, placement, error);
  if (status == NEAP_OK) status = find_first(placement, &sharing, collision, found, error);
  if (status == NEAP_OK && !*found)
    status = find_separation(placement, &sharing, collision, found, error);
  shared_bytes_clear(&sharing);
  return status;
}

/* The fixed offset of a buffer; NEAP_UNPLACED if it has none, or if its pool is open. */
static neap_offset known_offset(const struct neap_problem *problem, size_t index,
                                size_t *pool) {
  const struct limits *limits = problem_limits(problem, index);
  *pool = 0;
  if (limits->pools_end - limits->pools_begin == 1)
    *pool = problem->relations->pool_lists[limits->pools_begin];
  else if (problem_pool_count(problem) > 1) return NEAP_UNPLACED;
  return problem->buffers[index].fixed_offset;
}

neap_status collide_fixed(const struct neap_problem *problem, neap_collision *collision,
                          bool *found, neap_error *error) {
  *found = false;
  if (problem->fixed_count < 2) return NEAP_OK;
  neap_offset *offsets = memory_array(problem->count, sizeof *offsets);
  size_t *pools = memory_array(problem->count, sizeof *pools);
  neap_status status = offsets && pools ? NEAP_OK : error_memory(error);
  if (status == NEAP_OK) {
    for (size_t i = 0; i < problem->count; i++)
      offsets[i] = known_offset(problem, i, &pools[i]);
    status =
        collide_first(&(struct placement){problem, offsets, pools}, collision, found, error);
  }
  free(offsets);
  free(pools);
  return status;
}

/* Lists the collisions in time, then the collisions that only separations forbid. */
static void list_all(struct listing *listing, const struct placement *placement,
                     const struct shared_bytes *sharing, size_t limit) {
  size_t count = 0;
  struct box *boxes = boxes_new(placement, &count);
  event *events = boxes && boxes_sort(&boxes, count) ? events_new(boxes, count) : NULL;
  if (events && listing_init(listing, placement, sharing, boxes, count)) {
    listing->limit = limit;
    list_collisions(listing, events, 2 * count, false);
    list_separations(listing, placement);
  } else {
    listing->failed = true;
  }
  listing_clear(listing);
  free(events);
  free(boxes);
}

neap_status collide_all(const struct placement *placement, size_t limit,
                        struct collisions *collisions, neap_error *error) {
  struct shared_bytes sharing;
  struct listing listing = {.failed = false};
  neap_status status = shared_bytes_init(&sharing, placement, error);
  if (status != NEAP_OK) return status;
  list_all(&listing, placement, &sharing, limit);
  shared_bytes_clear(&sharing);
  if (listing.failed) {
    free(listing.items);
    return error_memory(error);
  }
  /* Counting and listing find the same number of collisions. */
  assert(listing.count == (listing.total < limit ? listing.total : limit));
  if (listing.count > 0) qsort(listing.items, listing.count, sizeof *listing.items, by_pair);
  *collisions = (struct collisions){listing.items, listing.count, listing.total};
  return NEAP_OK;
}

/* Appends the relation that the collision breaks, if there is one. */
static void append_relation(const struct neap_problem *problem, unsigned effect,
                            const neap_collision *collision, const char *before,
                            char text[COLLIDE_TEXT]) {
  neap_relation relation;
  char words[RELATION_TEXT];
  size_t used = strlen(text);
  if (relation_between(problem, effect, collision->first, collision->second, &relation))
    snprintf(text + used, COLLIDE_TEXT - used, "%s%s", before,
             relation_text(problem, &relation, words));
}

const char *collide_text(const struct neap_problem *problem, const neap_collision *collision,
                         char text[COLLIDE_TEXT]) {
  char first[TEXT_EXCERPT], second[TEXT_EXCERPT];
  const char *a = problem_name(problem, collision->first);
  const char *b = problem_name(problem, collision->second);
  int used = snprintf(text, COLLIDE_TEXT, "%s and %s share bytes [%" PRId64 ", %" PRId64 ")",
                      text_excerpt(first, a, strlen(a)), text_excerpt(second, b, strlen(b)),
                      collision->low, collision->high);
  assert(used > 0 && used < COLLIDE_TEXT);
  if (collision->when.end > 0)
    snprintf(text + used, COLLIDE_TEXT - (size_t)used,
             " while both live, at times [%" PRId64 ", %" PRId64 ")", collision->when.start,
             collision->when.end);
  append_relation(problem, RELATION_APART, collision, ", against ", text);
  append_relation(problem, RELATION_GAP, collision, ", more than allowed by ", text);
  return text;
}
