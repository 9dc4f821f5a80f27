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
  size_t leaves; /* of a tree over sections (core/tree.h) */
  /* Per node: the bytes taken by buffers that live through all of it and are stored there. */
  struct pieces *across;
  struct pieces *within; /* per node: the bytes taken by any buffer at some time in it */
  struct pieces_log log;
  bool logging;
};

bool container_init(struct container *container, size_t section_count);
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
  size_t count, capacity;
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

/* The highest end of a taken byte; 0 if none is taken. */
neap_offset view_top(const struct view *view);

#endif
