/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Collisions among rectangles of time and bytes.
 *
 * Take the rectangles by ascending offset.  One that begins at `low` shares bytes with an earlier one (which begins no higher)
 * exactly when that one ends above `low`.  So it is enough to know, for its time, the highest end of all earlier ones:
 *
 *      bytes |        +-----+
 *            |  +-----|  b  |          when b comes, the highest end over b's time is a's:
 *            |  |  a  +-----+          above b's low, so a and b collide
 *            |  +--------+
 *            +----------------- time
 *
 * A segment tree over time answers "highest end within a range, and whose" and takes "raise a range to at least this".  Raising
 * never has to be undone, so marks stay where they are put and need no pushing down.  O(n log n).
 *
 * Time is the distinct starts and ends.  This is a plain structure on purpose: it shares nothing with the way in which
 * engines place, since it is there to find them out.
 */
#include "model/collide.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
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

static int by_time(const void *left, const void *right) {
  neap_time a = *(const neap_time *)left, b = *(const neap_time *)right;
  return a < b ? -1 : a > b;
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
        boxes[used++] = (struct box){offsets[i], offsets[i] + buffer->size, problem->ranges[range], i};
  }
  qsort(boxes, used, sizeof *boxes, by_low);
  *count = used;
  return boxes;
}

/* ---------------------------------------------------------------- the tree over time */

/* Leaves are the steps between neighbouring distinct times; boxes are named by their place + 1, 0 is none. */
struct tree {
  neap_time *times;
  size_t time_count;
  size_t leaf_count; /* a power of two */
  size_t *whole;     /* highest box that covers all of a node */
  size_t *within;    /* highest box that touches it */
  const struct box *boxes;
};

static void tree_clear(struct tree *tree) {
  free(tree->times);
  free(tree->whole);
  free(tree->within);
}

static bool tree_init(struct tree *tree, const struct box *boxes, size_t count) {
  *tree = (struct tree){.boxes = boxes};
  tree->times = memory_array(2 * count, sizeof *tree->times);
  if (!tree->times) return false;
  for (size_t i = 0; i < count; i++) {
    tree->times[2 * i] = boxes[i].when.start;
    tree->times[2 * i + 1] = boxes[i].when.end;
  }
  qsort(tree->times, 2 * count, sizeof *tree->times, by_time);
  for (size_t i = 0; i < 2 * count; i++)
    if (tree->time_count == 0 || tree->times[tree->time_count - 1] != tree->times[i])
      tree->times[tree->time_count++] = tree->times[i];
  tree->leaf_count = 1;
  while (tree->leaf_count < tree->time_count) tree->leaf_count *= 2;
  tree->whole = memory_array(2 * tree->leaf_count, sizeof *tree->whole);
  tree->within = memory_array(2 * tree->leaf_count, sizeof *tree->within);
  return tree->whole && tree->within;
}

static size_t step_of(const struct tree *tree, neap_time time) {
  const neap_time *found =
      bsearch(&time, tree->times, tree->time_count, sizeof *tree->times, by_time);
  assert(found);
  return (size_t)(found - tree->times);
}

static size_t higher(const struct tree *tree, size_t a, size_t b) {
  if (a == 0 || b == 0) return a ? a : b;
  return tree->boxes[a - 1].high >= tree->boxes[b - 1].high ? a : b;
}

/* The highest box over the steps [first, last), where the node covers [left, right). */
static size_t tree_highest(const struct tree *tree, size_t node, size_t left, size_t right,
                           size_t first, size_t last) {
  if (first >= right || last <= left) return 0;
  if (first <= left && right <= last) return tree->within[node];
  size_t middle = left + (right - left) / 2;
  size_t below = higher(tree, tree_highest(tree, 2 * node, left, middle, first, last),
                        tree_highest(tree, 2 * node + 1, middle, right, first, last));
  return higher(tree, tree->whole[node], below);
}

static void tree_raise(struct tree *tree, size_t node, size_t left, size_t right, size_t first,
                       size_t last, size_t box) {
  if (first >= right || last <= left) return;
  tree->within[node] = higher(tree, tree->within[node], box);
  if (first <= left && right <= last) {
    tree->whole[node] = higher(tree, tree->whole[node], box);
    return;
  }
  size_t middle = left + (right - left) / 2;
  tree_raise(tree, 2 * node, left, middle, first, last, box);
  tree_raise(tree, 2 * node + 1, middle, right, first, last, box);
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

static bool search(struct tree *tree, size_t count, neap_collision *collision) {
  for (size_t i = 0; i < count; i++) {
    const struct box *box = &tree->boxes[i];
    size_t first = step_of(tree, box->when.start), last = step_of(tree, box->when.end);
    size_t highest = tree_highest(tree, 1, 0, tree->leaf_count, first, last);
    if (highest != 0 && tree->boxes[highest - 1].high > box->low) {
      *collision = collision_of(&tree->boxes[highest - 1], box);
      return true;
    }
    tree_raise(tree, 1, 0, tree->leaf_count, first, last, i + 1);
  }
  return false;
}

neap_status collide_first(const struct neap_problem *problem, const neap_offset *offsets,
                          neap_collision *collision, bool *found, neap_error *error) {
  size_t count = 0;
  struct box *boxes = boxes_new(problem, offsets, &count);
  if (!boxes) return error_memory(error);
  struct tree tree;
  bool ready = tree_init(&tree, boxes, count);
  *found = ready && search(&tree, count, collision);
  tree_clear(&tree);
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

/* Every pair of boxes that share bytes and time, taken by ascending offset; false when memory is short. */
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
    if (last && last->first == listing->items[i].first && last->second == listing->items[i].second)
      continue;
    listing->items[kept++] = listing->items[i];
  }
  listing->count = kept;
}

neap_status collide_all(const struct neap_problem *problem, const neap_offset *offsets, size_t limit,
                        neap_collision **collisions, size_t *count, neap_error *error) {
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
           "%s and %s share bytes [%" PRId64 ", %" PRId64 ") while both live, at times [%" PRId64
           ", %" PRId64 ")",
           text_excerpt(first, a, strlen(a)), text_excerpt(second, b, strlen(b)), collision->low,
           collision->high, collision->when.start, collision->when.end);
  return text;
}
