/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The skyline: how high each section is filled, as segments of equal height, with a trail to go
 * back.
 */
#ifndef SEARCH_SKYLINE_H
#define SEARCH_SKYLINE_H

#include "core/ordered.h"
#include "model/sections.h"

/* Higher than anything: the height of sections in which nothing is left to be placed. */
#define SKYLINE_WALL (INT64_MAX / 4)

struct skyline_change;

struct skyline {
  uint32_t count;
  struct ordered starts; /* the sections at which a segment starts, and always `count` */
  neap_offset *floor;    /* at each segment's start */
  struct skyline_change *changes;
  size_t change_count, change_capacity;
};

/* All at height 0; false when memory is short. */
bool skyline_init(struct skyline *skyline, uint32_t count);
void skyline_clear(struct skyline *skyline);

/* Where the segment that holds section `at` starts, and where it ends. */
uint32_t skyline_start(const struct skyline *skyline, uint32_t at);
uint32_t skyline_end(const struct skyline *skyline, uint32_t at);

/* The height at section `at`. */
static inline neap_offset skyline_floor(const struct skyline *skyline, uint32_t at) {
  return skyline->floor[skyline_start(skyline, at)];
}

/* Heights beside a segment; a wall where there is nothing. */
neap_offset skyline_left_of(const struct skyline *skyline, uint32_t start);
neap_offset skyline_right_of(const struct skyline *skyline, uint32_t end);

/*
 * Sets the height of a run of sections; neighbours of equal height become one segment.  False
 * when memory is short.
 */
bool skyline_set(struct skyline *skyline, struct span span, neap_offset height);

/* Takes back changes until `change_count` are left. */
void skyline_undo(struct skyline *skyline, size_t change_count);

#endif
