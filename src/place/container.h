/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The container: which bytes are taken when. An index over time finds free bytes without
 * looking at pairs.
 */
#ifndef PLACE_CONTAINER_H
#define PLACE_CONTAINER_H

#include "model/sections.h"
#include "place/pieces.h"

struct container {
  size_t leaves;  /* of a tree over sections (core/tree.h) */
  unsigned crown; /* the greatest depth of a node in the crown; the root has depth 0 */
  struct container_node {
    /*
     * Taken by buffers that live through all of it and are stored here or, if it is in the crown, above.
     */
    struct pieces across;
    struct pieces within; /* taken by any buffer at some time in it */
  } * nodes;
  void *memory; /* of the nodes, which begin at cache lines */
  /*
   * The number of pieces from which a set loses its smallest gaps, until it has half as many; 0: no
   * limit.  Their bytes then count as taken.  Sets may exceed it while logging.
   */
  uint32_t most;
  struct pieces_log log;
  bool logging;
};

/* `sections` need not outlive the call. */
bool container_init(struct container *container, const struct sections *sections);
void container_clear(struct container *container);

/* Removes everything and clears the log; keeps the memory. */
void container_reset(struct container *container);

/*
 * Takes bytes during each of `spans`. False when memory is short; the container can then only
 * be reset or cleared.
 */
bool container_take(struct container *container, const struct span *spans, size_t span_count,
                    struct piece taken);

/* The bytes that are taken at any time during some spans. */
struct view {
  struct view_set {
    const struct piece *items;
    uint32_t count, at;
  } * sets;
  neap_offset *next; /* per set: where its piece `at` begins; NEAP_MAX: there is none */
  size_t count, capacity, next_capacity;
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
 * Where the free bytes at `offset` end: the lowest taken byte above it, or NEAP_MAX. `offset`
 * must not fall between calls.
 */
neap_offset view_free_until(struct view *view, neap_offset offset);

/*
 * Where the free bytes begin whose end view_free_until has just given: the highest end of a taken byte
 * at or below its offset, or 0.
 */
neap_offset view_free_from(const struct view *view);

/* The highest end of a taken byte; 0 if none is taken. */
neap_offset view_top(const struct view *view);

#endif
