/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A segment is a maximal run of columns of equal height.  The set `starts` holds the first
 * column of each segment, and `floor` its height at that column:
 *
 *     height 3         ┌──────┐          ┌──┐
 *            2  ┌──────┘      │          │  │
 *            1  │             └──────────┘  │
 *     starts    0      3      6          11 13 = count
 *
 * Setting a run of columns to a height removes the segments that the run covers and changes its
 * two ends, where it may merge with neighbours of the same height.  Neighbouring segments are
 * found in O(log n) with few steps (core/index_set), so the cost depends on the segments that
 * change and hardly on the number of columns.  For undo, a trail records the starts that were
 * set, cleared or given another height.  Overwritten heights have a separate stack, because
 * most changes clear a start and need none.
 */
#include "search/boards/local_state.h"

#include <assert.h>
#include <stdlib.h>

#include "core/memory.h"

/*
 * The kinds of changes of a segment's start.  A change is stored as its kind plus KINDS times
 * the column.
 */
enum change_kind { CHANGE_SET, CHANGE_CLEAR, CHANGE_HEIGHT, KINDS };

bool skyline_init(struct skyline *skyline, uint32_t count) {
  *skyline = (struct skyline){.count = count};
  if (count > UINT32_MAX / KINDS - 1) return false; /* more columns than any memory holds */
  skyline->floor = memory_array((size_t)count + 1, sizeof *skyline->floor);
  if (!skyline->floor || !index_set_init(&skyline->starts, (size_t)count + 2)) {
    skyline_clear(skyline);
    return false;
  }
  index_set_add(&skyline->starts, 0);
  index_set_add(&skyline->starts, count);
  skyline->floor[count] = SKYLINE_WALL;
  return true;
}

void skyline_clear(struct skyline *skyline) {
  index_set_clear(&skyline->starts);
  free(skyline->floor);
  free(skyline->changes);
  free(skyline->heights);
  *skyline = (struct skyline){0};
}

/* ---------------------------------------------------------------- neighbours */

uint32_t skyline_start(const struct skyline *skyline, uint32_t at) {
  /* Column 0 always starts a segment. */
  return (uint32_t)index_set_below(&skyline->starts, (size_t)at + 1);
}

uint32_t skyline_end(const struct skyline *skyline, uint32_t at) {
  return (uint32_t)index_set_above(&skyline->starts, at);
}

neap_offset skyline_left_of(const struct skyline *skyline, uint32_t start) {
  return start == 0 ? SKYLINE_WALL : skyline_floor(skyline, start - 1);
}

neap_offset skyline_right_of(const struct skyline *skyline, uint32_t end) {
  return skyline->floor[end];
}

/* ---------------------------------------------------------------- changing */

static void log_change(struct skyline *skyline, uint32_t at, enum change_kind kind) {
  assert(skyline->change_count < skyline->change_capacity && at <= skyline->count);
  skyline->changes[skyline->change_count++] = at * KINDS + kind;
  if (kind == CHANGE_CLEAR) return;
  assert(skyline->height_count < skyline->height_capacity);
  skyline->heights[skyline->height_count++] = skyline->floor[at];
}

static void start_segment(struct skyline *skyline, uint32_t at, neap_offset height) {
  if (!index_set_has(&skyline->starts, at)) {
    log_change(skyline, at, CHANGE_SET);
    index_set_add(&skyline->starts, at);
  } else if (skyline->floor[at] != height) {
    log_change(skyline, at, CHANGE_HEIGHT);
  }
  skyline->floor[at] = height;
}

static void drop_segment_start(struct skyline *skyline, uint32_t at) {
  assert(at > 0 && at < skyline->count && index_set_has(&skyline->starts, at));
  log_change(skyline, at, CHANGE_CLEAR);
  index_set_remove(&skyline->starts, at);
}

bool skyline_set(struct skyline *skyline, struct span span, neap_offset height) {
  assert(span.first < span.end && span.end <= skyline->count && height >= 0);
  size_t covered = 0;
  for (uint32_t at = skyline_end(skyline, span.first); at < span.end;
       at = skyline_end(skyline, at))
    covered++;
  /* Besides the covered starts, two starts are set or raised, and two may be cleared. */
  if (!memory_reserve(&skyline->changes, &skyline->change_capacity,
                      skyline->change_count + covered + 4, sizeof *skyline->changes) ||
      !memory_reserve(&skyline->heights, &skyline->height_capacity, skyline->height_count + 2,
                      sizeof *skyline->heights))
    return false;
  neap_offset beyond = skyline_floor(skyline, span.end);
  start_segment(skyline, span.first, height);
  for (uint32_t at = skyline_end(skyline, span.first); at < span.end;) {
    uint32_t next = skyline_end(skyline, at);
    drop_segment_start(skyline, at);
    at = next;
  }
  bool is_last = span.end == skyline->count;
  if (is_last || beyond != height) start_segment(skyline, span.end, beyond);
  else if (index_set_has(&skyline->starts, span.end)) drop_segment_start(skyline, span.end);
  if (span.first > 0 && skyline_floor(skyline, span.first - 1) == height)
    drop_segment_start(skyline, span.first);
  return true;
}

void skyline_undo(struct skyline *skyline, size_t change_count) {
  assert(change_count <= skyline->change_count);
  while (skyline->change_count > change_count) {
    uint32_t change = skyline->changes[--skyline->change_count], at = change / KINDS;
    if (change % KINDS == CHANGE_SET) index_set_remove(&skyline->starts, at);
    if (change % KINDS == CHANGE_CLEAR) index_set_add(&skyline->starts, at);
    else skyline->floor[at] = skyline->heights[--skyline->height_count];
  }
}
