/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The local board.  It goes to the column that is most urgent, at first the one of least slack, and
 * from there downhill to a *valley*: a run of columns of equal floor between higher ones.
 *
 *              slack is least here
 *        ┌──┐       │
 *        │  └──┐    ▼  ┌────
 *     ───┘     └──┐ ┌──┘
 *                 └─┘ ◄── valley
 *
 * In the valley it decides the cell of one column.  Either a rectangle begins there, and then lies
 * wholly inside the valley, or the cell stays empty: the floor of that column alone is raised to
 * the next height at which anything could begin, the lower wall or the top of the smallest
 * rectangle beside it.  Where no rectangle fits over a cell at all, the whole hole is raised to the
 * wall without a decision.
 *
 * The *slack* of a column is what the capacity leaves it: capacity less floor less the sizes still
 * to come.  Putting a rectangle on a flat floor costs no slack; only bytes given up do, and no
 * column can give up more than its slack.
 *
 * A child costs O(log n) and the few rectangles and segments looked at, however many columns there
 * are: floors are segments (search/skyline), slack and rest are trees with range updates
 * (core/range_min), and what fits is found by branch and bound (search/candidates).  Conclusions
 * are drawn only where a floor changes, so this board needs more nodes than the global one, and it
 * takes only simple parts.
 *
 * Fixed rectangles are obstacles above the skyline (search/overhangs).  A rectangle fits below the
 * lowest one that it meets, or cannot begin at its floor; a floor that reaches an obstacle goes on at
 * its top.  Only bytes left below it are given up.
 *
 *         │     ┌──────────┐
 *         │     │  fixed   │ ┌───       a fits, b does not and begins on the fixed one's top or
 *         └───┐ └──────────┘ │          higher
 *             │  a      b    │
 *             └──────────────┘
 *
 * A rectangle that begins at a floor is put at the next multiple of its alignment, and the bytes below
 * it are given up.  So what can begin in a cell, and in what order things lie over each other, has
 * nothing to do with alignments.
 *
 * A relaxed part (search/part) has ties: bodies are put at the bottom first, and children that ties
 * forbid are left out.  What follows from ties is not worked out, so failing proves nothing.
 *
 * Columns in which the search fails become more urgent: later restarts count their slack as
 * smaller (as dom/wdeg does for constraints, Boussemart, Hemery, Lecoutre and Sais 2004).
 */
#include "search/board_local.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/checked.h"
#include "core/memory.h"
#include "core/range_min.h"
#include "search/candidates.h"
#include "search/overhangs.h"
#include "search/settle.h"
#include "search/skyline.h"

/* What was added to the slack of a range, so that it can be undone. */
struct addition {
  struct span span;
  int64_t value; /* RANGE_MIN_FAR was added to the rest, too */
};

/* Columns whose floors are at `floor`, and are to be raised to `height`. */
struct raise {
  struct span span;
  neap_offset floor, height;
};

struct local {
  struct board board; /* first, so that a pointer to it is one to all of this */
  struct candidates candidates;
  struct overhangs overhangs;
  struct skyline skyline;
  struct range_min slack, rest;
  struct range_min weighted; /* slack less weight; made when there are weights */
  int64_t *weights;          /* per column; NULL before the first */
  int64_t *numbers;          /* scratch, per column */
  int64_t *taken;            /* per column: the bytes of obstacles; NULL without these */
  uint32_t *ranked;          /* rank to rectangle */
  neap_offset *offsets;
  size_t placed_count;
  uint64_t resets;
  neap_size capacity;         /* in units */
  neap_size reserve;          /* the padding that it takes to end there (search/part) */
  uint64_t *left;             /* the set of rectangles not placed; NULL without ties */
  uint32_t *bodies;           /* of the ties, in the order in which they are placed; or NULL */
  struct addition *additions; /* the trail, next to that of the skyline */
  size_t addition_count, addition_capacity;
  struct raise *raises; /* scratch: a stack */
  size_t raise_capacity;
};

static struct local *local_of(struct board *board) { return (struct local *)board; }

static const struct local *const_local_of(const struct board *board) {
  return (const struct local *)board;
}

/* ---------------------------------------------------------------- starting */

static void free_local(struct board *board) {
  struct local *local = local_of(board);
  candidates_clear(&local->candidates);
  overhangs_clear(&local->overhangs);
  skyline_clear(&local->skyline);
  range_min_clear(&local->slack);
  range_min_clear(&local->rest);
  range_min_clear(&local->weighted);
  free(local->weights);
  free(local->numbers);
  free(local->taken);
  free(local->ranked);
  free(local->offsets);
  free(local->left);
  free(local->bodies);
  free(local->additions);
  free(local->raises);
  free(local);
}

/* Adds up the sizes of all rectangles that are fixed, or of all others, per column. */
static void add_up(const struct local *local, bool is_fixed, int64_t *sums) {
  const struct part *part = local->board.part;
  memset(sums, 0, part->column_count * sizeof *sums);
  for (size_t i = 0; i < part->count; i++) {
    if ((part->fixed[i] != NEAP_UNPLACED) != is_fixed) continue;
    sums[part->spans[i].first] += part->size[i];
    if (part->spans[i].end < part->column_count) sums[part->spans[i].end] -= part->size[i];
  }
  for (size_t at = 1; at < part->column_count; at++)
    sums[at] += sums[at - 1];
}

/* Searches that succeed at once, as most in large parts, have no weights. */
static bool has_weighted(const struct local *local) { return local->weighted.least != NULL; }

/* The smallest is the most urgent. */
static const struct range_min *urgency_of(const struct local *local) {
  return has_weighted(local) ? &local->weighted : &local->slack;
}

/* What is left in the columns, and what the capacity leaves them then. */
static void fill_trees(struct local *local) {
  size_t columns = local->board.part->column_count;
  add_up(local, false, local->numbers);
  range_min_fill(&local->rest, local->numbers);
  for (size_t at = 0; at < columns; at++)
    local->numbers[at] =
        local->capacity - local->numbers[at] - (local->taken ? local->taken[at] : 0);
  range_min_fill(&local->slack, local->numbers);
  if (!local->weights || (!has_weighted(local) && !range_min_init(&local->weighted, columns)))
    return;
  for (size_t at = 0; at < columns; at++)
    local->numbers[at] -= local->weights[at];
  range_min_fill(&local->weighted, local->numbers);
}

/* ---------------------------------------------------------------- changes */

static void add_rest(struct local *local, struct span span, int64_t value) {
  range_min_add(&local->rest, span.first, span.end, value);
}

static void add_slack(struct local *local, struct span span, int64_t value) {
  range_min_add(&local->slack, span.first, span.end, value);
  if (has_weighted(local)) range_min_add(&local->weighted, span.first, span.end, value);
}

/* Adds to the slack of a range; false, with nothing changed, when memory is short. */
static bool add_to_span(struct local *local, struct span span, int64_t value) {
  if (!memory_reserve(&local->additions, &local->addition_capacity, local->addition_count + 1,
                      sizeof *local->additions))
    return false;
  local->additions[local->addition_count++] = (struct addition){span, value};
  add_slack(local, span, value);
  if (value == RANGE_MIN_FAR) add_rest(local, span, value);
  return true;
}

static struct board_mark mark_changes(const struct board *board) {
  const struct local *local = const_local_of(board);
  return (struct board_mark){.changes = local->addition_count,
                             .others = local->skyline.change_count};
}

static void mark_left(struct local *local, uint32_t item, bool is_left) {
  uint64_t bit = UINT64_C(1) << (item & 63);
  if (!local->left) return;
  if (is_left) local->left[item >> 6] |= bit;
  else local->left[item >> 6] &= ~bit;
}

static void undo_changes(struct board *board, struct board_mark mark, uint32_t item) {
  struct local *local = local_of(board);
  assert(mark.changes <= local->addition_count);
  skyline_undo(&local->skyline, mark.others);
  while (local->addition_count > mark.changes) {
    struct addition addition = local->additions[--local->addition_count];
    add_slack(local, addition.span, -addition.value);
    if (addition.value == RANGE_MIN_FAR) add_rest(local, addition.span, -addition.value);
  }
  if (item == BOARD_NONE) return;
  assert(local->placed_count > 0);
  add_rest(local, board->part->spans[item], board->part->size[item]);
  candidates_restore(&local->candidates, item);
  mark_left(local, item, true);
  local->placed_count--;
}

/*
 * Makes a column that could not give up what it had to more urgent in later restarts, unless memory
 * is short.
 */
static void add_weight(struct local *local, uint32_t column) {
  int64_t step = local->capacity / 16 + 1;
  if (!local->weights)
    local->weights = memory_array(local->board.part->column_count, sizeof *local->weights);
  if (!local->weights) return;
  if (local->weights[column] < RANGE_MIN_FAR / 8) local->weights[column] += step;
}

/* Gives up some bytes in each column of `span`; refuted when some column cannot afford it. */
static enum search_status take_slack(struct local *local, struct span span, neap_size bytes) {
  int64_t least;
  if (bytes == 0) return SEARCH_OPEN;
  size_t tightest = range_min_in(&local->slack, span.first, span.end, &least);
  if (least < bytes) {
    add_weight(local, (uint32_t)tightest);
    return SEARCH_REFUTED;
  }
  return add_to_span(local, span, -bytes) ? SEARCH_OPEN : SEARCH_MEMORY;
}

/* The columns that two spans share. */
static struct span common_span(struct span a, struct span b) {
  return (struct span){a.first > b.first ? a.first : b.first, a.end < b.end ? a.end : b.end};
}

/* Pushes what is still to be raised onto the stack, unless it is empty. */
static void push_raise(struct local *local, size_t *count, struct raise raise) {
  if (raise.span.first < raise.span.end) local->raises[(*count)++] = raise;
}

/* Raises a run of columns up to the lowest obstacle above it, or as far as wanted. */
static enum search_status raise_once(struct local *local, struct raise raise, size_t *count) {
  const struct overhangs *overhangs = &local->overhangs;
  uint32_t place = overhangs_lowest(overhangs, raise.span, raise.floor);
  if (place == OVERHANGS_NONE || overhangs_bottom(overhangs, place) > raise.height) {
    enum search_status status = take_slack(local, raise.span, raise.height - raise.floor);
    if (status != SEARCH_OPEN) return status;
    return skyline_set(&local->skyline, raise.span, raise.height) ? SEARCH_OPEN : SEARCH_MEMORY;
  }
  struct span all = raise.span, below = common_span(overhangs_span(overhangs, place), all);
  neap_offset top = overhangs_top(overhangs, place);
  push_raise(local, count, (struct raise){{below.end, all.end}, raise.floor, raise.height});
  push_raise(local, count, (struct raise){below, top, raise.height > top ? raise.height : top});
  push_raise(local, count, (struct raise){{all.first, below.first}, raise.floor, raise.height});
  return take_slack(local, below, overhangs_bottom(overhangs, place) - raise.floor);
}

/*
 * Raises the floors of a span, all equal, and gives up the bytes in between, but for obstacles.  No
 * floor stays at the bottom of an obstacle.
 */
static enum search_status raise_span(struct local *local, struct raise raise) {
  size_t count = 0;
  enum search_status status = SEARCH_OPEN;
  for (bool more = true; more && status == SEARCH_OPEN; more = count > 0) {
    if (count > 0) raise = local->raises[--count];
    if (local->overhangs.count > 0 && !memory_reserve(&local->raises, &local->raise_capacity,
                                                      count + 3, sizeof *local->raises))
      return SEARCH_MEMORY;
    status = raise_once(local, raise, &count);
  }
  return status;
}

/* Gives up the bytes of `span` up to `height`; refuted when some column cannot afford it. */
static enum search_status give_up(struct local *local, struct span span, neap_offset floor,
                                  neap_offset height) {
  assert(floor < height);
  if (height >= SKYLINE_WALL) {
    add_weight(local, span.first);
    return SEARCH_REFUTED;
  }
  return raise_span(local, (struct raise){span, floor, height});
}

/* Columns of `span` in which nothing is left to place become walls; false when memory is short. */
static bool close_finished(struct local *local, struct span span) {
  int64_t least;
  for (;;) {
    uint32_t at = (uint32_t)range_min_in(&local->rest, span.first, span.end, &least);
    assert(least >= 0);
    if (least > 0) return true;
    struct span done = {at, at + 1};
    while (done.end < span.end && range_min_at(&local->rest, done.end) == 0)
      done.end++;
    if (!add_to_span(local, done, RANGE_MIN_FAR) ||
        !skyline_set(&local->skyline, done, SKYLINE_WALL))
      return false;
  }
}

/* ---------------------------------------------------------------- ties */

static struct settle_view view_of(const struct local *local) {
  return (struct settle_view){local->board.part->ties, local->left, local->offsets,
                              local->capacity};
}

/* Whether the ties of a rectangle let it begin at a height, and its padding lets it end there. */
static bool may_begin(const struct local *local, uint32_t item, neap_offset height) {
  const struct part *part = local->board.part;
  const struct ties *ties = part->ties;
  if (height + part->size[item] == local->capacity && part_padding(part, item) < local->reserve)
    return false;
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

/* The lowest base of a body, with all its rectangles on the skyline and where ties allow it. */
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

/* Raises the floors in a span to a top; slack loses what is lost below a rectangle of this size. */
static bool raise_floors(struct local *local, struct span span, neap_offset top,
                         neap_size size) {
  for (uint32_t at = span.first, end; at < span.end; at = end) {
    neap_offset floor = skyline_floor(&local->skyline, at);
    end = skyline_end(&local->skyline, at);
    if (end > span.end) end = span.end;
    struct span run = {at, end};
    neap_offset raised = top > floor ? top : floor;
    if (!add_to_span(local, run, size - (raised - floor)) ||
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
  mark_left(local, item, false);
  local->placed_count++;
  add_rest(local, span, -size);
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
    if (!close_finished(local, part->spans[ties->rectangles[k]])) return SEARCH_MEMORY;
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

/* Lists the bodies by time, which is mostly best, or each other time by their first rectangles' rank. */
static void list_bodies(struct local *local) {
  size_t count = local->board.part->ties->body_count;
  for (uint32_t b = 0; b < count; b++)
    local->bodies[b] = b;
  if (count > 0 && local->resets++ % 2 == 1)
    qsort_r(local->bodies, count, sizeof *local->bodies, by_rank, local);
}

/*
 * The skyline cannot keep a place free high up, so bodies go to the bottom before the search begins,
 * and it builds on top of them.
 */
static enum search_status place_bodies(struct local *local) {
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

/* Where nothing is left but obstacles there is nothing to decide, and no floor is within one. */
static enum search_status settle_overhangs(struct local *local) {
  const struct overhangs *overhangs = &local->overhangs;
  uint32_t columns = local->board.part->column_count;
  if (overhangs->count == 0) return SEARCH_OPEN;
  if (overhangs->collide || overhangs->peak > local->capacity) return SEARCH_REFUTED;
  local->placed_count = overhangs->count;
  if (!close_finished(local, (struct span){0, columns})) return SEARCH_MEMORY;
  enum search_status status = SEARCH_OPEN;
  for (uint32_t at = 0, end; at < columns && status == SEARCH_OPEN; at = end) {
    end = skyline_end(&local->skyline, at);
    if (skyline_floor(&local->skyline, at) == 0)
      status = raise_span(local, (struct raise){{at, end}, 0, 0});
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
  fill_trees(local);
  candidates_fill(&local->candidates, rank);
  for (uint32_t i = 0; i < board->part->count; i++)
    local->ranked[rank[i]] = i;
  if (range_min_least(&local->slack) < 0) return SEARCH_REFUTED;
  enum search_status status = settle_overhangs(local);
  return status == SEARCH_OPEN ? place_bodies(local) : status;
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

/* The most that fits between a floor and the lowest obstacle over a span. */
static neap_size gap_above(const struct local *local, struct span span, neap_offset floor) {
  if (local->overhangs.count == 0) return NEAP_MAX;
  uint32_t place = overhangs_lowest(&local->overhangs, span, floor);
  return place == OVERHANGS_NONE ? NEAP_MAX
                                 : overhangs_bottom(&local->overhangs, place) - floor;
}

/* The first rank, from `from` on, of what fits over a column of a valley, also below obstacles. */
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

/* Columns in which nothing can begin below a height. */
struct barren {
  struct span span;
  neap_offset height;
};

/*
 * Where nothing fits over a column of a valley.  If nothing at all lies over it, neither does it over
 * the columns around, up to the wall.  If only obstacles are in the way, the lowest one over the valley
 * is: whatever meets it and is no larger than the gap below fits there, unlike all that is larger.
 * So a column below it either can be decided, or is in a hole.  Returns the first rank that fits,
 * over another column perhaps, or finds the hole.
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
    *at = (uint32_t)range_min_in(urgency_of(local), below.first, below.end, &least);
  if (candidates_best(candidates, valley, *at, bottom - floor, 0) == CANDIDATES_NONE) {
    hole->span = common_span(candidates_hole(candidates, valley, *at, bottom - floor), below);
  } else {
    uint32_t first = first_fit(local, valley, *at, 0);
    if (first != CANDIDATES_NONE) return first;
    /* Alignments keep all that is small enough from fitting. */
    hole->span = (struct span){*at, *at + 1};
  }
  if (bottom < hole->height) hole->height = bottom;
  return CANDIDATES_NONE;
}

/* Raises holes that nothing fits into until there is a cell to decide. */
static enum search_status choose_cell(struct board *board, struct span focus,
                                      struct cell *cell) {
  struct local *local = local_of(board);
  (void)focus;
  cell->column = BOARD_NONE;
  while (local->placed_count < board->part->count) {
    uint32_t at = (uint32_t)range_min_first(urgency_of(local));
    struct span valley = find_valley(local, at);
    int64_t least;
    if (at < valley.first || at >= valley.end)
      at = (uint32_t)range_min_in(urgency_of(local), valley.first, valley.end, &least);
    neap_offset floor = local->skyline.floor[valley.first];
    assert(valley.first <= at && at < valley.end && floor <= local->capacity);
    struct barren hole = {{0, 0}, wall_of(local, valley)};
    uint32_t first = first_fit(local, valley, at, 0);
    if (first == CANDIDATES_NONE) first = look_below(local, valley, &at, &hole);
    if (first != CANDIDATES_NONE) {
      *cell = (struct cell){floor, valley, {0, board->part->column_count}, at, first, first};
      return SEARCH_OPEN;
    }
    enum search_status status = give_up(local, hole.span, floor, hole.height);
    if (status != SEARCH_OPEN) return status;
  }
  return SEARCH_OPEN;
}

/* ---------------------------------------------------------------- children */

/*
 * Children are found one by one.  No rank below cell->next is left to try; the one at cell->end,
 * which the choice has found, is the first.
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

static uint32_t next_child(struct board *board, struct cell *cell) {
  const struct local *local = local_of(board);
  for (;;) {
    uint32_t rank = cell->next;
    if (rank != cell->end) rank = first_fit(local, cell->valley, cell->column, rank);
    if (rank == CANDIDATES_NONE) return BOARD_NONE;
    cell->next = rank + 1;
    if (may_begin(local, local->ranked[rank], cell->floor)) return local->ranked[rank];
  }
}

/* Raises the floors that a rectangle, just placed, covers to its top. */
static enum search_status build_on(struct local *local, struct span span, neap_offset top) {
  if (local->overhangs.count > 0) return raise_span(local, (struct raise){span, top, top});
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
  mark_left(local, item, false);
  local->placed_count++;
  add_rest(local, span, -size);
  enum search_status status = take_slack(local, span, offset - cell->floor);
  if (status == SEARCH_OPEN) status = build_on(local, span, offset + size);
  if (status != SEARCH_OPEN) return status;
  return close_finished(local, span) ? SEARCH_OPEN : SEARCH_MEMORY;
}

/*
 * The next height at which anything could begin in a column of a valley if nothing does at the floor:
 * a wall, the top of what lies beside the column, or that of an obstacle on which what does not fit
 * below could lie.
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
  return give_up(local, (struct span){cell->column, cell->column + 1}, cell->floor,
                 next_height(local, cell));
}

/* ---------------------------------------------------------------- checks */

static bool is_left(const struct local *local, uint32_t item) {
  const struct candidates *candidates = &local->candidates;
  uint32_t rank = candidates->rank[item];
  struct span span = local->board.part->spans[item];
  return candidates_best(candidates, span, span.first, NEAP_MAX, rank) == rank;
}

static const char *broken_column(const struct local *local, uint32_t at) {
  const struct part *part = local->board.part;
  neap_size rest = 0, above = 0;
  neap_offset top = 0, floor = skyline_floor(&local->skyline, at);
  for (uint32_t i = 0; i < part->count; i++) {
    if (at < part->spans[i].first || at >= part->spans[i].end) continue;
    if (part->fixed[i] != NEAP_UNPLACED) {
      if (part->fixed[i] >= floor) above += part->size[i];
      else if (part->fixed[i] + part->size[i] > floor) return "a floor is within an obstacle";
      if (part->fixed[i] == floor) return "a floor is at an obstacle's bottom";
    } else if (is_left(local, i)) rest += part->size[i];
    else if (local->offsets[i] + part->size[i] > top) top = local->offsets[i] + part->size[i];
  }
  if (top > local->capacity) return "a placed rectangle ends above the capacity";
  if (rest == 0) return floor == SKYLINE_WALL ? NULL : "a finished column is no wall";
  if (floor < top) return "a floor is below the top of what is placed";
  if (range_min_at(&local->rest, at) != rest) return "a rest is not the sum of the sizes left";
  neap_size slack = local->capacity - floor - rest - above;
  if (range_min_at(&local->slack, at) != slack) return "a slack is not what is left";
  return slack < 0 ? "a slack is negative" : NULL;
}

static const char *broken_invariant(const struct board *board) {
  const struct local *local = const_local_of(board);
  const char *broken = NULL;
  size_t left_count = 0;
  for (uint32_t at = 0; at < board->part->column_count && !broken; at++)
    broken = broken_column(local, at);
  for (uint32_t i = 0; i < board->part->count; i++)
    left_count += is_left(local, i);
  if (broken) return broken;
  return left_count + local->placed_count == board->part->count ? NULL
                                                                : "what is left is miscounted";
}

static uint64_t digest_state(const struct board *board) {
  const struct local *local = const_local_of(board);
  uint64_t digest = local->placed_count;
  for (uint32_t i = 0; i < board->part->count; i++)
    digest = board_digest(digest, is_left(local, i));
  for (uint32_t at = 0; at < board->part->column_count; at++) {
    digest = board_digest(digest, (uint64_t)skyline_floor(&local->skyline, at));
    digest = board_digest(digest, (uint64_t)range_min_at(&local->slack, at));
    digest = board_digest(digest, (uint64_t)range_min_at(&local->rest, at));
    digest = board_digest(digest, (uint64_t)range_min_at(urgency_of(local), at));
  }
  return digest;
}

static const struct board_kind local_kind = {
    .name = "local",
    .free = free_local,
    .reset = reset_local,
    .choose = choose_cell,
    .list = list_children,
    .next = next_child,
    .place = place_item,
    .leave_empty = leave_cell_empty,
    .mark = mark_changes,
    .undo = undo_changes,
    .rerank = rerank,
    .relist = relist_children,
    .broken = broken_invariant,
    .digest = digest_state,
};

/* ---------------------------------------------------------------- making */

static bool init_tied(struct local *local, const struct part *part) {
  local->left = memory_array(part->count / 64 + 1, sizeof *local->left);
  local->bodies = memory_array(part->ties->body_count, sizeof *local->bodies);
  return local->left && local->bodies;
}

/* Where the fixed rectangles are. */
static bool init_overhangs(struct local *local, const struct part *part) {
  if (!overhangs_init(&local->overhangs, part)) return false;
  if (local->overhangs.count == 0) return true;
  local->taken = memory_array(part->column_count, sizeof *local->taken);
  if (!local->taken) return false;
  add_up(local, true, local->taken);
  for (size_t i = 0; i < part->count; i++)
    if (part->fixed[i] != NEAP_UNPLACED) local->offsets[i] = part->fixed[i];
  return true;
}

static bool init_local(struct local *local, const struct part *part) {
  size_t columns = part->column_count;
  local->numbers = memory_array(columns, sizeof *local->numbers);
  local->ranked = memory_array(part->count, sizeof *local->ranked);
  local->offsets = memory_array(part->count, sizeof *local->offsets);
  return (!part->ties || init_tied(local, part)) && local->numbers && local->ranked &&
         local->offsets && init_overhangs(local, part) &&
         candidates_init(&local->candidates, part) &&
         skyline_init(&local->skyline, part->column_count) &&
         range_min_init(&local->slack, columns) && range_min_init(&local->rest, columns);
}

struct board *board_local_new(const struct part *part) {
  assert(part->is_simple && part->count >= 1 && part->count < BOARD_NONE);
  struct local *local = memory_array(1, sizeof *local);
  if (!local) return NULL;
  local->board = (struct board){.kind = &local_kind, .part = part};
  if (!init_local(local, part)) {
    free_local(&local->board);
    return NULL;
  }
  local->board.offsets = local->offsets;
  return &local->board;
}
