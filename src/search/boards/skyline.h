/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The skyline: how high each column is filled, as segments of equal height, with a trail by which
 * changes are undone.
 */
#ifndef SEARCH_BOARDS_SKYLINE_H
#define SEARCH_BOARDS_SKYLINE_H

#include "core/ordered.h"
#include "facts/sections.h"

/* The height of columns in which no rectangle is left; above any offset. */
#define SKYLINE_WALL (INT64_MAX / 4)

struct skyline {
  uint32_t count;
  struct ordered starts; /* the columns at which a segment starts, and always `count` */
  neap_offset *floor;    /* the height, valid at each segment's start */
  uint32_t *changes;     /* the trail: columns and kinds of changes */
  size_t change_count, change_capacity;
  neap_offset *heights; /* heights overwritten by changes */
  size_t height_count, height_capacity;
};

/* All columns are at height 0.  False when memory is short. */
bool skyline_init(struct skyline *skyline, uint32_t count);
void skyline_clear(struct skyline *skyline);

/* The start and the end of the segment that holds column `at`. */
uint32_t skyline_start(const struct skyline *skyline, uint32_t at);
uint32_t skyline_end(const struct skyline *skyline, uint32_t at);

/* The height of column `at`. */
static inline neap_offset skyline_floor(const struct skyline *skyline, uint32_t at) {
  return skyline->floor[skyline_start(skyline, at)];
}

/* The heights on either side of a segment; SKYLINE_WALL at the edges. */
neap_offset skyline_left_of(const struct skyline *skyline, uint32_t start);
neap_offset skyline_right_of(const struct skyline *skyline, uint32_t end);

/*
 * Sets the height of a run of columns; neighbours of equal height become one segment.  False,
 * with nothing changed, when memory is short.
 */
bool skyline_set(struct skyline *skyline, struct span span, neap_offset height);

/* Undoes changes until `change_count` are left. */
void skyline_undo(struct skyline *skyline, size_t change_count);

#endif
