/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The container: which bytes are taken when. An index over time finds free bytes without
 * looking at pairs.
 */
#ifndef PLACE_CONTAINER_H
#define PLACE_CONTAINER_H

#include <stdint.h>

#include "core/bisection.h"
#include "facts/sections.h"
#include "neap/neap.h"

/* ---------------------------------------------------------------- pieces */

/* Sets of bytes as ascending lists of disjoint pieces, with undo. */

/* Taken bytes: [low, high).  Neighbouring pieces of a set never touch. */
struct piece {
  neap_offset low, high;
};

/* Most sets have at most one piece, so one is stored in place. */
struct pieces {
  struct piece *items; /* NULL: the one in `only` */
  uint32_t count, capacity;
  struct piece only;
};

static inline const struct piece *pieces_items(const struct pieces *set) {
  return set->items ? set->items : &set->only;
}

/* The changes by insertions, newest last, so that they can be undone in reverse. */
struct pieces_log {
  struct pieces_change *changes;
  size_t change_count, change_capacity;
  struct piece *replaced; /* the replaced pieces, one change after another */
  size_t replaced_count, replaced_capacity;
};

void pieces_clear(struct pieces *set);
void pieces_log_clear(struct pieces_log *log);

enum pieces_result {
  PIECES_SHORT_OF_MEMORY, /* nothing has changed */
  PIECES_ADDED,
  PIECES_THERE /* the set already had all of the bytes */
};

/*
 * Adds bytes to a set and merges them with pieces that they touch.  With a log, records how to
 * undo it.
 */
enum pieces_result pieces_insert(struct pieces *set, struct piece added,
                                 struct pieces_log *log);

/* Undoes the newest changes until `change_count` are left. */
void pieces_undo(struct pieces_log *log, size_t change_count);

/*
 * The first of `count` pieces, from index `from` on, that ends above `offset`; `count` if there
 * is none.
 */
static inline uint32_t pieces_above(const struct piece *items, uint32_t count, uint32_t from,
                                    neap_offset offset) {
  if (from >= count || items[from].high > offset) return from;
  /* It is usually near, so gallop. */
  struct bisection search = bisection_of(from + 1, from + 1);
  for (size_t step = 1; search.high < count && items[search.high].high <= offset; step *= 2) {
    search.low = search.high + 1;
    search.high = count - search.high > step ? search.high + step : count;
  }
  while (bisection_open(&search))
    bisection_step(&search, items[search.middle].high <= offset);
  return (uint32_t)search.low;
}

/* ---------------------------------------------------------------- buckets */

/*
 * Short lists of the bytes taken during a few sections, which replace the lowest levels of a
 * tree.
 */

/* Bytes that are taken during some sections of a bucket. */
struct bucket_entry {
  neap_offset low, high;
  uint8_t first, end; /* sections, counted from the first one of the bucket */
};

/* Bucket b has the sections from b << height on, 1 << height of them. */
struct buckets {
  unsigned height; /* 0: there are no buckets */
  bool is_whole;   /* bucket 0 covers all sections and is usable; it also holds whole spans */
  size_t count;
  uint32_t largest;             /* the most entries of a usable bucket */
  size_t *begin;                /* per bucket, and one more: the begin of its entries */
  uint32_t *used;               /* per bucket */
  struct bucket_entry *entries; /* per bucket, ascending by `low` */
};

#define BUCKET_HEIGHT_MAX 7

/*
 * The height that gives buckets few entries; 0 if there are few sections or many buffers in
 * each.
 */
unsigned buckets_height(const struct sections *sections);

/*
 * Makes room for all spans of the problem that cover a part of a bucket.  A bucket with more
 * than `most` such spans is unusable.
 */
bool buckets_init(struct buckets *buckets, const struct sections *sections, unsigned height,
                  uint32_t most);
void buckets_clear(struct buckets *buckets);

/* Removes all entries. */
void buckets_reset(struct buckets *buckets);

static inline bool buckets_usable(const struct buckets *buckets, size_t bucket) {
  return buckets->begin[bucket] < buckets->begin[bucket + 1];
}

/*
 * A span is cut into the parts that cover a usable bucket partly, and the rest.  If is_whole,
 * the only part may cover all of its bucket.
 */
struct cut {
  struct span rest; /* may be empty */
  struct bucket_part {
    size_t bucket;
    uint8_t first, end;
  } parts[2];
  unsigned part_count;
  bool at_first, at_end; /* whether the span's first and last section are in parts */
};

void buckets_cut(const struct buckets *buckets, struct span span, struct cut *cut);

void buckets_take(struct buckets *buckets, const struct bucket_part *part, struct piece taken);

/* Undoes buckets_take; other bytes may have been taken since. */
void buckets_untake(struct buckets *buckets, const struct bucket_part *part,
                    struct piece taken);

/*
 * Stores the bytes that are taken during a part as ascending pieces from pieces[1] on, and
 * returns their number.  The first element is scratch.
 */
uint32_t buckets_collect(const struct buckets *buckets, const struct bucket_part *part,
                         struct piece *pieces);

/* ---------------------------------------------------------------- container */

/*
 * How a container is built.  The shape changes the cost of operations, but not their results.
 */
struct container_shape {
  unsigned crown; /* the greatest depth of a node in the crown; the root has depth 0 */
  /* A bucket has 1 << bucket_height sections; 0: there are no buckets. */
  unsigned bucket_height;
  uint32_t bucket_most; /* a bucket with more entries is replaced by nodes */
};

struct container {
  size_t leaves; /* of a tree over sections (core/tree.h) */
  struct container_shape shape;
  struct buckets buckets;
  /*
   * First the nodes of the tree down to one node per bucket, then one tree for each unusable
   * bucket.  Its root is not stored: the bucket's node takes that role.
   */
  struct container_node {
    /*
     * Bytes of buffers that live throughout this node and are stored here or, in the crown,
     * above.
     */
    struct pieces across;
    struct pieces within; /* bytes of buffers alive at some time in this node */
  } * nodes;
  size_t node_count;
  uint32_t *deep; /* per bucket, the number of its tree, from 1; NULL if none has one */
  void *memory;   /* the allocation that holds the nodes, which are aligned to cache lines */
  struct pieces_log log;
  bool logging;
};

/* The shape that suits a problem. */
struct container_shape container_shape_for(const struct sections *sections);

/* `sections` need not outlive the call.  If it fails, the container has to be cleared. */
bool container_init(struct container *container, const struct sections *sections,
                    struct container_shape shape);
void container_clear(struct container *container);

/* Removes everything and clears the log; keeps the memory. */
void container_reset(struct container *container);

/*
 * Takes bytes during each of `spans`. False when memory is short; the container can then only
 * be reset or cleared.
 */
bool container_take(struct container *container, const struct span *spans, size_t span_count,
                    struct piece taken);

/*
 * Prefetches the data that is read first for some spans: the nodes, and in a later call, when
 * these have arrived, their pieces.
 */
enum container_fetched { CONTAINER_NODES, CONTAINER_PIECES };
void container_fetch(const struct container *container, const struct span *spans,
                     size_t span_count, enum container_fetched what);

/*
 * Undoes everything taken since the log had `change_count` changes, except in buckets: there,
 * each container_take needs a container_untake.
 */
void container_undo(struct container *container, size_t change_count);
void container_untake(struct container *container, const struct span *spans, size_t span_count,
                      struct piece taken);

/* The bytes that are taken at any time during some spans. */
struct view {
  struct view_set {
    const struct piece *items;
    uint32_t count, at;
  } * sets;
  neap_offset *next; /* per set: the start of its piece `at`; NEAP_MAX if there is none */
  size_t count, capacity, next_capacity;
  struct piece *collected; /* from buckets */
  size_t collected_capacity;
};

/*
 * Initialise the view with zeroes. It is filled again by each call and valid until the
 * container changes. False when memory is short.
 */
bool container_view(const struct container *container, const struct span *spans,
                    size_t span_count, struct view *view);
void view_clear(struct view *view);

/* Returns to the bottom, for calls that start there again. */
void view_rewind(struct view *view);

/*
 * The lowest multiple of `alignment`, at or above `from`, where `size` (>= 1) bytes are free.
 * `from` must not fall between calls on one view, unless it is rewound.
 */
neap_offset view_lowest(struct view *view, neap_offset from, neap_size size,
                        neap_size alignment);

/*
 * The end of the free bytes that view_lowest has just found: the lowest taken byte above, or
 * NEAP_MAX.
 */
neap_offset view_free_until(const struct view *view);

/*
 * The start of the free bytes that view_lowest has just found: the highest end of a taken byte
 * at or below the offset found, or 0.
 */
neap_offset view_free_from(const struct view *view);

/* The highest end of a taken byte; 0 if none is taken. */
neap_offset view_top(const struct view *view);

#endif
