/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Floors are segments (search/boards/skyline), slack and rest are trees with range updates
 * (core/range_min), and rectangles left are in a search tree (search/boards/candidates).  So a
 * change takes O(log n) plus the few segments and obstacles that it meets.
 */
#include "search/boards/local_state.h"

#include <assert.h>
#include <stdlib.h>

#include "core/memory.h"

/* ---------------------------------------------------------------- starting */

void local_free(struct board *board) {
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

/* Weights exist only after a failure: most searches of large parts succeed immediately. */
static bool has_weighted(const struct local *local) { return local->weighted.least != NULL; }

const struct range_min *local_urgency(const struct local *local) {
  return has_weighted(local) ? &local->weighted : &local->slack;
}

void local_fill(struct local *local) {
  size_t columns = local->board.part->column_count;
  part_add_up(local->board.part, false, local->numbers);
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

void local_add_rest(struct local *local, struct span span, int64_t value) {
  range_min_add(&local->rest, span.first, span.end, value);
}

static void add_slack(struct local *local, struct span span, int64_t value) {
  range_min_add(&local->slack, span.first, span.end, value);
  if (has_weighted(local)) range_min_add(&local->weighted, span.first, span.end, value);
}

bool local_add(struct local *local, struct span span, int64_t value) {
  if (!memory_reserve(&local->additions, &local->addition_capacity, local->addition_count + 1,
                      sizeof *local->additions))
    return false;
  local->additions[local->addition_count++] = (struct addition){span, value};
  add_slack(local, span, value);
  if (value == RANGE_MIN_FAR) local_add_rest(local, span, value);
  return true;
}

struct board_mark local_mark(const struct board *board) {
  const struct local *local = const_local_of(board);
  return (struct board_mark){.changes = local->addition_count,
                             .others = local->skyline.change_count};
}

void local_mark_left(struct local *local, uint32_t item, bool is_left) {
  uint64_t bit = UINT64_C(1) << (item & 63);
  if (!local->left) return;
  if (is_left) local->left[item >> 6] |= bit;
  else local->left[item >> 6] &= ~bit;
}

void local_undo(struct board *board, struct board_mark mark, uint32_t item) {
  struct local *local = local_of(board);
  assert(mark.changes <= local->addition_count);
  skyline_undo(&local->skyline, mark.others);
  while (local->addition_count > mark.changes) {
    struct addition addition = local->additions[--local->addition_count];
    add_slack(local, addition.span, -addition.value);
    if (addition.value == RANGE_MIN_FAR) local_add_rest(local, addition.span, -addition.value);
  }
  if (item == BOARD_NONE) return;
  assert(local->placed_count > 0);
  local_add_rest(local, board->part->spans[item], board->part->size[item]);
  candidates_restore(&local->candidates, item);
  local_mark_left(local, item, true);
  local->placed_count--;
}

/*
 * Makes a column with too little slack more urgent in later restarts, unless memory is short.
 */
static void add_weight(struct local *local, uint32_t column) {
  int64_t step = local->capacity / 16 + 1;
  if (!local->weights)
    local->weights = memory_array(local->board.part->column_count, sizeof *local->weights);
  if (!local->weights) return;
  if (local->weights[column] < RANGE_MIN_FAR / 8) local->weights[column] += step;
}

enum search_status local_take_slack(struct local *local, struct span span, neap_size bytes) {
  int64_t least;
  if (bytes == 0) return SEARCH_OPEN;
  size_t tightest = range_min_in(&local->slack, span.first, span.end, &least);
  if (least < bytes) {
    add_weight(local, (uint32_t)tightest);
    return SEARCH_REFUTED;
  }
  return local_add(local, span, -bytes) ? SEARCH_OPEN : SEARCH_MEMORY;
}

/* Pushes a run of columns still to be raised onto the stack, unless it is empty. */
static void push_raise(struct local *local, size_t *count, struct raise raise) {
  if (raise.span.first < raise.span.end) local->raises[(*count)++] = raise;
}

/*
 * Raises a run of columns to the wanted height, or to the lowest obstacle in the way; then
 * pushes the remaining raises.
 */
static enum search_status raise_once(struct local *local, struct raise raise, size_t *count) {
  const struct overhangs *overhangs = &local->overhangs;
  uint32_t place = overhangs_lowest(overhangs, raise.span, raise.floor);
  if (place == OVERHANGS_NONE || overhangs_bottom(overhangs, place) > raise.height) {
    enum search_status status = local_take_slack(local, raise.span, raise.height - raise.floor);
    if (status != SEARCH_OPEN) return status;
    return skyline_set(&local->skyline, raise.span, raise.height) ? SEARCH_OPEN : SEARCH_MEMORY;
  }
  struct span all = raise.span, below = common_span(overhangs_span(overhangs, place), all);
  neap_offset top = overhangs_top(overhangs, place);
  push_raise(local, count, (struct raise){{below.end, all.end}, raise.floor, raise.height});
  push_raise(local, count, (struct raise){below, top, raise.height > top ? raise.height : top});
  push_raise(local, count, (struct raise){{all.first, below.first}, raise.floor, raise.height});
  return local_take_slack(local, below, overhangs_bottom(overhangs, place) - raise.floor);
}

enum search_status local_raise(struct local *local, struct raise raise) {
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

enum search_status local_give_up(struct local *local, struct span span, neap_offset floor,
                                 neap_offset height) {
  assert(floor < height);
  if (height >= SKYLINE_WALL) {
    add_weight(local, span.first);
    return SEARCH_REFUTED;
  }
  return local_raise(local, (struct raise){span, floor, height});
}

bool local_close_finished(struct local *local, struct span span) {
  int64_t least;
  for (;;) {
    uint32_t at = (uint32_t)range_min_in(&local->rest, span.first, span.end, &least);
    assert(least >= 0);
    if (least > 0) return true;
    struct span done = {at, at + 1};
    while (done.end < span.end && range_min_at(&local->rest, done.end) == 0)
      done.end++;
    if (!local_add(local, done, RANGE_MIN_FAR) ||
        !skyline_set(&local->skyline, done, SKYLINE_WALL))
      return false;
  }
}

/* ---------------------------------------------------------------- making */

static bool init_tied(struct local *local, const struct part *part) {
  local->left = memory_array(part->count / 64 + 1, sizeof *local->left);
  local->bodies = memory_array(part->ties->body_count, sizeof *local->bodies);
  return local->left && local->bodies;
}

/* Sets up the fixed rectangles as obstacles. */
static bool init_overhangs(struct local *local, const struct part *part) {
  if (!overhangs_init(&local->overhangs, part)) return false;
  if (local->overhangs.count == 0) return true;
  local->taken = memory_array(part->column_count, sizeof *local->taken);
  if (!local->taken) return false;
  part_add_up(part, true, local->taken);
  for (size_t i = 0; i < part->count; i++)
    if (part->fixed[i] != NEAP_UNPLACED) local->offsets[i] = part->fixed[i];
  return true;
}

bool local_init(struct local *local, const struct part *part) {
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
