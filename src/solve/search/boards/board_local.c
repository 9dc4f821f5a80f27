/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The local board picks the most urgent column, initially the one with the least slack, and
 * walks downhill from it to a *valley*: a run of columns of equal floor between higher floors.
 *
 *              slack is least here
 *        ┌──┐       │
 *        │  └──┐    ▼  ┌────
 *     ───┘     └──┐ ┌──┘
 *                 └─┘ ◄── valley
 *
 * In the valley it decides the cell of one column.  Either a rectangle begins there, wholly
 * inside the valley, or the cell stays empty: that column's floor alone rises to the next
 * height at which a rectangle could begin, which is the lower wall or the top of the smallest
 * rectangle beside it.  If no rectangle fits over a cell at all, the whole hole is raised to
 * the wall without a decision.
 *
 * The *slack* of a column is the capacity minus its floor minus the sizes still to come.
 * Placing a rectangle on a flat floor costs no slack; giving up bytes does, and a column cannot
 * give up more than its slack.
 *
 * A child costs O(log n) plus the few rectangles and segments it visits, whatever the number of
 * columns: floors are segments (search/boards/skyline), slack and rest are trees with range
 * updates (core/range_min), and rectangles that fit are found by branch and bound
 * (search/boards/candidates).  Propagation happens only where a floor changes, so this board
 * needs more nodes than the global one, and it takes only simple parts.
 *
 * Fixed rectangles are obstacles above the skyline (search/boards/overhangs).  A rectangle must
 * fit below the lowest obstacle that it meets, or it cannot begin at this floor.  A floor that
 * reaches an obstacle continues at the obstacle's top; only the bytes below the obstacle are
 * given up.
 *
 *         │     ┌──────────┐
 *         │     │  fixed   │ ┌───       a fits, b does not and begins on the fixed one's top or
 *         └───┐ └──────────┘ │          higher
 *             │  a      b    │
 *             └──────────────┘
 *
 * A rectangle that begins at a floor is placed at the next multiple of its alignment, and the
 * bytes below it are given up.  So alignments decide neither which rectangles are candidates
 * for a cell nor the order in which rectangles are stacked.
 *
 * A relaxed part (search/part) has ties: bodies are placed at the bottom first, and children
 * that ties forbid are skipped.  Ties are not propagated, so a failure proves nothing.
 *
 * A column in which the search fails becomes more urgent: later restarts count its slack as
 * smaller (as dom/wdeg does for constraints, Boussemart, Hemery, Lecoutre and Sais 2004).
 */
#include "search/boards/board_local.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/checked.h"
#include "core/knobs.h"
#include "core/memory.h"
#include "search/boards/local_state.h"

/* ---------------------------------------------------------------- starting */

/*
 * Closes columns that hold only obstacles, and raises floors at the bottom above obstacles that
 * begin there.
 */
static enum search_status settle_overhangs(struct local *local) {
  const struct overhangs *overhangs = &local->overhangs;
  uint32_t columns = local->board.part->column_count;
  if (overhangs->count == 0) return SEARCH_OPEN;
  if (overhangs->collide || overhangs->peak > local->capacity) return SEARCH_REFUTED;
  local->placed_count = overhangs->count;
  if (!local_close_finished(local, (struct span){0, columns})) return SEARCH_MEMORY;
  enum search_status status = SEARCH_OPEN;
  for (uint32_t at = 0, end; at < columns && status == SEARCH_OPEN; at = end) {
    end = skyline_end(&local->skyline, at);
    if (skyline_floor(&local->skyline, at) == 0)
      status = local_raise(local, (struct raise){{at, end}, 0, 0});
  }
  return status;
}

static enum search_status reset_local(struct board *board, neap_size capacity,
                                      const uint32_t *rank) {
  struct local *local = local_of(board);
  skyline_undo(&local->skyline, 0);
  local->addition_count = local->placed_count = 0;
  local->capacity = part_capacity(board->part, capacity).units;
  local->reserve = part_capacity(board->part, capacity).reserve;
  local_fill(local);
  candidates_fill(&local->candidates, rank);
  for (uint32_t i = 0; i < board->part->count; i++)
    local->ranked[rank[i]] = i;
  if (range_min_least(&local->slack) < 0) return SEARCH_REFUTED;
  enum search_status status = settle_overhangs(local);
  return status == SEARCH_OPEN ? local_place_bodies(local) : status;
}

/* ---------------------------------------------------------------- which cell */

/* From the segment of `at` downhill to a valley. */
static struct span find_valley(const struct local *local, uint32_t at) {
  const struct skyline *skyline = &local->skyline;
  struct span here = {skyline_start(skyline, at), skyline_end(skyline, at)};
  for (;;) {
    neap_offset floor = skyline->floor[here.first];
    neap_offset left = skyline_left_of(skyline, here.first);
    neap_offset right = skyline_right_of(skyline, here.end);
    if (left > floor && right > floor) return here;
    if (left <= right) {
      here.end = here.first;
      here.first = skyline_start(skyline, here.first - 1);
    } else {
      here.first = here.end;
      here.end = skyline_end(skyline, here.first);
    }
  }
}

/* The lower of a valley's walls. */
static neap_offset wall_of(const struct local *local, struct span span) {
  neap_offset left = skyline_left_of(&local->skyline, span.first);
  neap_offset right = skyline_right_of(&local->skyline, span.end);
  return left < right ? left : right;
}

/* The room between a floor and the lowest obstacle over a span. */
static neap_size gap_above(const struct local *local, struct span span, neap_offset floor) {
  if (local->overhangs.count == 0) return NEAP_MAX;
  uint32_t place = overhangs_lowest(&local->overhangs, span, floor);
  return place == OVERHANGS_NONE ? NEAP_MAX
                                 : overhangs_bottom(&local->overhangs, place) - floor;
}

/*
 * The first rank, from `from` on, of a rectangle that fits over a column of a valley and below
 * obstacles.
 */
static uint32_t first_fit(const struct local *local, struct span valley, uint32_t at,
                          uint32_t from) {
  const struct candidates *candidates = &local->candidates;
  const struct part *part = local->board.part;
  if (local->overhangs.count == 0)
    return candidates_best(candidates, valley, at, NEAP_MAX, from);
  neap_offset floor = skyline_floor(&local->skyline, at);
  neap_size most = gap_above(local, (struct span){at, at + 1}, floor);
  for (;; from++) {
    from = candidates_best(candidates, valley, at, most, from);
    if (from == CANDIDATES_NONE) return from;
    uint32_t item = local->ranked[from];
    neap_offset end = round_up(floor, part->alignment[item]) + part->size[item];
    if (end - floor <= gap_above(local, part->spans[item], floor)) return from;
  }
}

/*
 * The first of LOCAL_LOOKS_MOST ranks that fits over a column without padding, else
 * `first`.  With obstacles always `first`: filling the gap below them matters more.
 */
static uint32_t first_unpadded(const struct local *local, struct span valley, uint32_t at,
                               uint32_t first) {
  const struct part *part = local->board.part;
  if (part->is_unaligned || local->overhangs.count > 0) return first;
  neap_offset floor = skyline_floor(&local->skyline, at);
  uint32_t rank = first;
  for (int look = 0; look < LOCAL_LOOKS_MOST && rank != CANDIDATES_NONE; look++) {
    if (floor % part->alignment[local->ranked[rank]] == 0) return rank;
    rank = first_fit(local, valley, at, rank + 1);
  }
  return first;
}

/* Columns in which no rectangle can begin below a height. */
struct barren {
  struct span span;
  neap_offset height;
};

/*
 * Called if no rectangle fits over a column of a valley.  If no rectangle left covers the
 * column within the valley, the run of such columns is a hole up to the wall.  Otherwise an
 * obstacle is in the way.  Take the lowest obstacle over the valley: a rectangle that meets it
 * fits if and only if it is no larger than the gap below.  So a column below this obstacle
 * either can be decided or lies in a hole.  Returns the first rank that fits, perhaps over
 * another column (*at), or CANDIDATES_NONE with the hole.
 */
static uint32_t look_below(const struct local *local, struct span valley, uint32_t *at,
                           struct barren *hole) {
  const struct candidates *candidates = &local->candidates;
  const struct overhangs *overhangs = &local->overhangs;
  if (overhangs->count == 0 ||
      candidates_best(candidates, valley, *at, NEAP_MAX, 0) == CANDIDATES_NONE) {
    hole->span = candidates_hole(candidates, valley, *at, NEAP_MAX);
    return CANDIDATES_NONE;
  }
  neap_offset floor = skyline_floor(&local->skyline, *at);
  uint32_t place = overhangs_lowest(overhangs, valley, floor);
  assert(place != OVERHANGS_NONE);
  struct span below = common_span(overhangs_span(overhangs, place), valley);
  neap_offset bottom = overhangs_bottom(overhangs, place);
  int64_t least;
  if (*at < below.first || *at >= below.end)
    *at = (uint32_t)range_min_in(local_urgency(local), below.first, below.end, &least);
  if (candidates_best(candidates, valley, *at, bottom - floor, 0) == CANDIDATES_NONE) {
    hole->span = common_span(candidates_hole(candidates, valley, *at, bottom - floor), below);
  } else {
    uint32_t first = first_fit(local, valley, *at, 0);
    if (first != CANDIDATES_NONE) return first;
    /* Some rectangles are small enough, but alignment keeps them from fitting. */
    hole->span = (struct span){*at, *at + 1};
  }
  if (bottom < hole->height) hole->height = bottom;
  return CANDIDATES_NONE;
}

/* Raises holes that no rectangle fits into, until there is a cell to decide. */
static enum search_status choose_cell(struct board *board, struct span focus,
                                      struct cell *cell) {
  struct local *local = local_of(board);
  (void)focus;
  cell->column = BOARD_NONE;
  while (local->placed_count < board->part->count) {
    uint32_t at = (uint32_t)range_min_first(local_urgency(local));
    struct span valley = find_valley(local, at);
    int64_t least;
    if (at < valley.first || at >= valley.end)
      at = (uint32_t)range_min_in(local_urgency(local), valley.first, valley.end, &least);
    neap_offset floor = local->skyline.floor[valley.first];
    assert(span_contains(valley, at) && floor <= local->capacity);
    struct barren hole = {{0, 0}, wall_of(local, valley)};
    uint32_t first = first_fit(local, valley, at, 0);
    if (first == CANDIDATES_NONE) first = look_below(local, valley, &at, &hole);
    if (first != CANDIDATES_NONE) {
      first = first_unpadded(local, valley, at, first);
      *cell = (struct cell){floor, valley, {0, board->part->column_count}, at, first, first};
      return SEARCH_OPEN;
    }
    enum search_status status = local_give_up(local, hole.span, floor, hole.height);
    if (status != SEARCH_OPEN) return status;
  }
  return SEARCH_OPEN;
}

/* ---------------------------------------------------------------- children */

/*
 * Children are found one by one.  The rank in cell->end, which choose_cell has found, is tried
 * first.  After that, no rank below cell->next is left to try.
 */
static bool list_children(struct board *board, struct cell *cell) {
  (void)board;
  (void)cell;
  return true;
}

static void rerank(struct board *board, const uint32_t *rank) {
  struct local *local = local_of(board);
  candidates_rerank(&local->candidates, rank);
  for (uint32_t i = 0; i < board->part->count; i++)
    local->ranked[rank[i]] = i;
}

static void relist_children(const struct board *board, struct cell *cell) {
  (void)board;
  cell->next = 0;
  cell->end = CANDIDATES_NONE;
}

/* The next rank to try. choose_cell may have skipped lower ranks; they are tried later. */
static uint32_t next_rank(const struct local *local, struct cell *cell) {
  uint32_t rank = cell->next;
  if (rank == cell->end) {
    cell->next = local->board.part->is_unaligned || rank == 0 ? rank + 1 : 0;
    return rank;
  }
  rank = first_fit(local, cell->valley, cell->column, rank);
  if (rank == cell->end && rank != CANDIDATES_NONE)
    rank = first_fit(local, cell->valley, cell->column, rank + 1);
  if (rank != CANDIDATES_NONE) cell->next = rank + 1 == cell->end ? rank + 2 : rank + 1;
  return rank;
}

static uint32_t next_child(struct board *board, struct cell *cell) {
  const struct local *local = local_of(board);
  for (;;) {
    uint32_t rank = next_rank(local, cell);
    if (rank == CANDIDATES_NONE) return BOARD_NONE;
    if (local_may_begin(local, local->ranked[rank], cell->floor)) return local->ranked[rank];
  }
}

/* Raises the floors that a rectangle, just placed, covers to its top. */
static enum search_status build_on(struct local *local, struct span span, neap_offset top) {
  if (local->overhangs.count > 0) return local_raise(local, (struct raise){span, top, top});
  return skyline_set(&local->skyline, span, top) ? SEARCH_OPEN : SEARCH_MEMORY;
}

static enum search_status place_item(struct board *board, const struct cell *cell,
                                     uint32_t item) {
  struct local *local = local_of(board);
  struct span span = board->part->spans[item];
  neap_size size = board->part->size[item];
  assert(span.first >= cell->valley.first && span.end <= cell->valley.end);
  assert(cell->floor + size <= local->capacity);
  neap_offset offset = round_up(cell->floor, board->part->alignment[item]);
  local->offsets[item] = offset;
  candidates_remove(&local->candidates, item);
  local_mark_left(local, item, false);
  local->placed_count++;
  local_add_rest(local, span, -size);
  enum search_status status = local_take_slack(local, span, offset - cell->floor);
  if (status == SEARCH_OPEN) status = build_on(local, span, offset + size);
  if (status != SEARCH_OPEN) return status;
  return local_close_finished(local, span) ? SEARCH_OPEN : SEARCH_MEMORY;
}

/*
 * The next height at which a rectangle could begin in a column of a valley if none begins at
 * the floor: a wall, the top of a neighbour, or the top of an obstacle that could support a
 * rectangle too tall to fit under it.
 */
static neap_offset next_height(const struct local *local, const struct cell *cell) {
  neap_offset height = wall_of(local, cell->valley);
  neap_size beside = candidates_smallest(&local->candidates, cell->valley, cell->column);
  if (beside < height - cell->floor) height = cell->floor + beside;
  if (local->overhangs.count == 0) return height;
  uint32_t place = overhangs_lowest(&local->overhangs, cell->valley, cell->floor);
  if (place == OVERHANGS_NONE || local->overhangs.top[place] >= height) return height;
  return local->overhangs.top[place];
}

static enum search_status leave_cell_empty(struct board *board, const struct cell *cell) {
  struct local *local = local_of(board);
  return local_give_up(local, (struct span){cell->column, cell->column + 1}, cell->floor,
                       next_height(local, cell));
}

/* ---------------------------------------------------------------- making */

static const struct board_kind local_kind = {
    .name = "local",
    .free = local_free,
    .reset = reset_local,
    .choose = choose_cell,
    .list = list_children,
    .next = next_child,
    .place = place_item,
    .leave_empty = leave_cell_empty,
    .mark = local_mark,
    .undo = local_undo,
    .rerank = rerank,
    .relist = relist_children,
    .broken = local_broken,
    .digest = local_digest,
};

struct board *board_local_new(const struct part *part) {
  assert(part->is_simple && part->count >= 1 && part->count < BOARD_NONE);
  struct local *local = memory_array(1, sizeof *local);
  if (!local) return NULL;
  local->board = (struct board){.kind = &local_kind, .part = part};
  if (!local_init(local, part)) {
    local_free(&local->board);
    return NULL;
  }
  local->board.offsets = local->offsets;
  return &local->board;
}
