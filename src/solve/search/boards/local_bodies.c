/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ties in the local search: the placement of bodies before the search, and a test of where a
 * tied rectangle may begin.  The skyline cannot reserve bytes above a floor, so each body goes
 * to the lowest base that its ties and the skyline allow, and the search builds on top.  A body
 * takes one pass over its rectangles' segments per leap of its base.  Offsets are in units.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/checked.h"
#include "search/boards/local_state.h"
#include "search/boards/place_constrained.h"

static struct settle_view view_of(const struct local *local) {
  return (struct settle_view){local->board.part->ties, local->left, local->offsets,
                              local->capacity};
}

bool local_may_begin(const struct local *local, uint32_t item, neap_offset height) {
  const struct part *part = local->board.part;
  const struct ties *ties = part->ties;
  neap_offset end = round_up(height, part->alignment[item]) + part->size[item];
  if (end == local->capacity && part_padding(part, item) < local->reserve) return false;
  if (!ties || (!ties_has(ties, item) && domain_is_plain(&ties->domains[item]))) return true;
  struct settle_view view = view_of(local);
  return settle_lowest(&view, item, height) == height;
}

/* The highest floor in a span. */
static neap_offset highest_floor(const struct local *local, struct span span) {
  neap_offset highest = 0;
  for (uint32_t at = span.first; at < span.end; at = skyline_end(&local->skyline, at)) {
    neap_offset floor = skyline_floor(&local->skyline, at);
    if (floor > highest) highest = floor;
  }
  return highest;
}

/*
 * The lowest base of a body at which all its rectangles lie on or above the skyline and ties
 * allow it.
 */
static neap_offset find_base(const struct local *local, const struct tie_body *body) {
  const struct part *part = local->board.part;
  struct settle_view view = view_of(local);
  neap_offset base = 0, before;
  do {
    before = base;
    uint32_t any = part->ties->rectangles[body->rectangles_begin];
    neap_offset low = settle_lowest(&view, any, base + part->ties->delta[any]);
    if (low == NEAP_UNPLACED) return NEAP_UNPLACED;
    base = low - part->ties->delta[any];
    for (size_t k = body->rectangles_begin; k < body->rectangles_end; k++) {
      uint32_t item = part->ties->rectangles[k];
      neap_offset least = highest_floor(local, part->spans[item]) - part->ties->delta[item];
      if (least > base) base = least;
    }
  } while (base != before);
  return base;
}

/*
 * Raises the floors in a span to `top`; the slack loses the bytes that are lost below a
 * rectangle of this size.
 */
static bool raise_floors(struct local *local, struct span span, neap_offset top,
                         neap_size size) {
  for (uint32_t at = span.first, end; at < span.end; at = end) {
    neap_offset floor = skyline_floor(&local->skyline, at);
    end = skyline_end(&local->skyline, at);
    if (end > span.end) end = span.end;
    struct span run = {at, end};
    neap_offset raised = top > floor ? top : floor;
    if (!local_add(local, run, size - (raised - floor)) ||
        !skyline_set(&local->skyline, run, raised))
      return false;
  }
  return true;
}

static bool place_in_body(struct local *local, uint32_t item, neap_offset offset) {
  struct span span = local->board.part->spans[item];
  neap_size size = local->board.part->size[item];
  local->offsets[item] = offset;
  candidates_remove(&local->candidates, item);
  local_mark_left(local, item, false);
  local->placed_count++;
  local_add_rest(local, span, -size);
  return raise_floors(local, span, offset + size, size);
}

static enum search_status place_body(struct local *local, const struct tie_body *body) {
  const struct part *part = local->board.part;
  const struct ties *ties = part->ties;
  neap_offset base = find_base(local, body);
  if (base == NEAP_UNPLACED || base > local->capacity - body->size) return SEARCH_REFUTED;
  for (size_t k = body->rectangles_begin; k < body->rectangles_end; k++)
    if (!place_in_body(local, ties->rectangles[k], base + ties->delta[ties->rectangles[k]]))
      return SEARCH_MEMORY;
  for (size_t k = body->rectangles_begin; k < body->rectangles_end; k++)
    if (!local_close_finished(local, part->spans[ties->rectangles[k]])) return SEARCH_MEMORY;
  return SEARCH_OPEN;
}

static int by_rank(const void *left, const void *right, void *context) {
  const struct local *local = context;
  const struct ties *ties = local->board.part->ties;
  const uint32_t *rank = local->candidates.rank;
  uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
  uint32_t x = rank[ties->rectangles[ties->bodies[a].rectangles_begin]];
  uint32_t y = rank[ties->rectangles[ties->bodies[b].rectangles_begin]];
  return x < y ? -1 : x > y;
}

/*
 * Lists the bodies by time, which is mostly best; on every second reset by the rank of their
 * first rectangle.
 */
static void list_bodies(struct local *local) {
  size_t count = local->board.part->ties->body_count;
  for (uint32_t b = 0; b < count; b++)
    local->bodies[b] = b;
  if (count > 0 && local->resets++ % 2 == 1)
    qsort_r(local->bodies, count, sizeof *local->bodies, by_rank, local);
}

enum search_status local_place_bodies(struct local *local) {
  const struct part *part = local->board.part;
  enum search_status status = SEARCH_OPEN;
  if (!part->ties) return status;
  for (size_t word = 0; word <= part->count / 64; word++)
    local->left[word] = UINT64_MAX;
  list_bodies(local);
  for (size_t b = 0; b < part->ties->body_count && status == SEARCH_OPEN; b++)
    status = place_body(local, &part->ties->bodies[local->bodies[b]]);
  if (status != SEARCH_OPEN) return status;
  return range_min_least(&local->slack) < 0 ? SEARCH_REFUTED : SEARCH_OPEN;
}
