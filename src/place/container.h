/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The container: which bytes are taken when.  An index over time answers where there is room,
 * without looking at pairs.
 */
#ifndef PLACE_CONTAINER_H
#define PLACE_CONTAINER_H

#include "model/sections.h"
#include "place/pieces.h"

struct container {
  uint32_t leaf_count; /* a power of two, at least the number of sections */
  struct pieces *
      /* per node: bytes taken by buffers that live through all of it, and are kept there */
      across;
  struct pieces *within; /* per node: bytes taken by any buffer at some time in it */
  struct pieces_log log;
  bool logging;
};

bool container_init(struct container *container, size_t section_count);
void container_clear(struct container *container);

/* Takes everything out and forgets the log; keeps the memory. */
void container_reset(struct container *container);

/*
 * Takes bytes during each of `spans`; false when memory is short: the container is then only
 * good to be reset or cleared.
 */
bool container_take(struct container *container, const struct span *spans, size_t span_count,
                    struct piece taken);

/* A look at the bytes taken at any time of some spans. */
struct view {
  struct view_set {
    const struct piece *items;
    uint32_t count, at;
  } * sets;
  size_t count, capacity;
};

/*
 * Begin with a zeroed view; it is filled anew each time and is valid until the container
 * changes.  False when memory is short.
 */
bool container_view(const struct container *container, const struct span *spans,
                    size_t span_count, struct view *view);
void view_clear(struct view *view);

/* Back to the bottom, for calls that begin there again. */
void view_rewind(struct view *view);

/*
 * The lowest multiple of `alignment`, at or above `from`, where `size` (>= 1) bytes are free.
 * Between calls on one view offsets never fall, unless it is rewound.
 */
neap_offset view_lowest(struct view *view, neap_offset from, neap_size size,
                        neap_size alignment);

/*
 * Where the bytes free at `offset` end: the lowest taken byte above it, or NEAP_MAX.  For
 * offsets that never fall.
 */
neap_offset view_free_until(struct view *view, neap_offset offset);

/* The highest end of a taken byte, 0 when none is. */
neap_offset view_top(const struct view *view);

#endif
