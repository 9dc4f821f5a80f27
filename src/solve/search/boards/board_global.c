/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The global board propagates each decision to all columns at once (search/boards/global_state).
 * This file chooses the next cell and lists its children.
 *
 * A column can be decided if every rectangle that could begin at its floor has that floor in
 * all of its columns; the column with the lowest floor always can.  Among these columns, the
 * board chooses the one with the fewest children (fail first, Haralick and Elliott 1980),
 * divided by a weight that grows whenever the column refutes a child (dom/wdeg, Boussemart,
 * Hemery, Lecoutre and Sais 2004).  Beams choose without weights (struct board_manner).
 *
 *                     ┌──┐
 *     ───┐            │  └─┐   ┌────
 *        └──┐    A    │    └─B─┘
 *           └─────────┘
 *
 * In a part without gaps in lifetimes, these are the columns of valleys: runs of equal floor
 * between higher floors, such as A and B.
 *
 * Choosing takes time linear in the columns and listing children in the rectangles of one column;
 * memory is quadratic in the rectangles, in bits.
 */
#include "search/boards/board_global.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "core/knobs.h"
#include "core/memory.h"
#include "core/sort.h"
#include "search/boards/global_state.h"

/* The number of children that the first allocation has room for. */
#define FIRST_POOL 128

struct global {
  struct board board; /* first member, so that pointers convert */
  struct rules rules;
  struct global_state state;
  void *arrays;   /* the block of ease, slack_at_first and twin */
  double *ease;   /* per column: 1 / its weight */
  neap_size *slack_at_first; /* per column */
  struct board_manner manner;
  /* Per rectangle: an equal rectangle that must be placed before it, or BOARD_NONE. */
  uint32_t *twin;
  const uint32_t *rank;
  uint32_t *pool; /* the children of all open nodes, the last node's at the end */
  size_t pool_count, pool_capacity;
};

static struct global *global_of(struct board *board) { return (struct global *)board; }

static const struct global *const_global_of(const struct board *board) {
  return (const struct global *)board;
}

/* ---------------------------------------------------------------- making */

bool board_global_fits(const struct part *part) { return global_state_fits(part); }

bool board_global_pays(const struct part *part) {
  return !part->is_simple || (!part->is_relaxed && part->count <= GLOBAL_PAYS_MOST);
}

static int by_likeness(const void *left, const void *right, void *context) {
  const struct part *part = context;
  uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
  struct span x = part->spans[part_spans_begin(part, a)],
              y = part->spans[part_spans_begin(part, b)];
  if (x.first != y.first) return x.first < y.first ? -1 : 1;
  if (x.end != y.end) return x.end < y.end ? -1 : 1;
  if (part->size[a] != part->size[b]) return part->size[a] < part->size[b] ? -1 : 1;
  if (part->alignment[a] != part->alignment[b])
    return part->alignment[a] < part->alignment[b] ? -1 : 1;
  if (part_padding(part, a) != part_padding(part, b))
    return part_padding(part, a) < part_padding(part, b) ? -1 : 1;
  return a < b ? -1 : a > b;
}

static bool may_be_twin(const struct part *part, uint32_t item) {
  return part->fixed[item] == NEAP_UNPLACED && !part->ties &&
         part->spans_end[item] - part_spans_begin(part, item) == 1;
}

static bool are_twins(const struct part *part, uint32_t a, uint32_t b) {
  struct span x = part->spans[part_spans_begin(part, a)],
              y = part->spans[part_spans_begin(part, b)];
  return part->size[a] == part->size[b] && x.first == y.first && x.end == y.end &&
         part->alignment[a] == part->alignment[b] &&
         part_padding(part, a) == part_padding(part, b) && may_be_twin(part, a) &&
         may_be_twin(part, b);
}

/* Chains equal rectangles among those of [begin, end), which all begin in one column. */
static void chain_few(struct global *global, uint32_t begin, uint32_t end) {
  for (uint32_t i = begin + 1; i < end; i++)
    for (uint32_t other = i; other-- > begin && global->twin[i] == BOARD_NONE;)
      if (are_twins(global->board.part, other, i)) global->twin[i] = other;
}

static void chain_many(struct global *global, uint32_t begin, uint32_t end, uint32_t *order) {
  const struct part *part = global->board.part;
  uint32_t count = end - begin;
  for (uint32_t i = 0; i < count; i++)
    order[i] = begin + i;
  sort_items(order, count, sizeof *order, by_likeness, (void *)(uintptr_t)part);
  for (uint32_t i = 1; i < count; i++)
    if (are_twins(part, order[i - 1], order[i])) global->twin[order[i]] = order[i - 1];
}

/* Chains equal rectangles; false when memory is short. */
static bool find_twins(struct global *global) {
  const struct part *part = global->board.part;
  const uint32_t *starters = global->state.starters;
  uint32_t *order = memory_scratch(part->count, sizeof *order);
  if (!order) return false;
  for (uint32_t i = 0; i < part->count; i++)
    global->twin[i] = BOARD_NONE;
  for (uint32_t at = 0; at < part->column_count && global->rules.twins; at++)
    if (starters[at + 1] - starters[at] <= GLOBAL_FEW_TWINS)
      chain_few(global, starters[at], starters[at + 1]);
    else chain_many(global, starters[at], starters[at + 1], order);
  free(order);
  return true;
}

static void free_global(struct board *board) {
  struct global *global = global_of(board);
  global_state_clear(&global->state);
  free(global->arrays);
  free(global->pool);
  free(global);
}

static void forget_weights(struct board *board) {
  struct global *global = global_of(board);
  for (uint32_t at = 0; at < board->part->column_count; at++)
    global->ease[at] = 1;
}

static enum search_status reset_global(struct board *board, neap_size capacity,
                                       const uint32_t *rank) {
  struct global *global = global_of(board);
  global->rank = rank;
  global->pool_count = 0;
  enum search_status status = global_state_reset(&global->state, capacity);
  for (uint32_t at = 0; at < board->part->column_count && status == SEARCH_OPEN; at++)
    global->slack_at_first[at] =
        global->state.floor[at] < NEAP_MAX ? global_state_slack(&global->state, at) : 0;
  return status;
}

/* ---------------------------------------------------------------- which cell */

/*
 * Whether all rectangles that could begin at the column's floor have that floor in all their
 * columns.
 */
static bool is_flat(const struct global *global, uint32_t column) {
  const struct part *part = global->board.part;
  const struct global_state *state = &global->state;
  neap_offset floor = state->floor[column];
  struct rectangle_walk walk = rectangle_walk(&state->members, column, state->left);
  uint32_t item;
  while (rectangle_walk_next(&walk, &item)) {
    if (state->low[item] != floor) continue;
    for (size_t s = part_spans_begin(part, item); s < part->spans_end[item]; s++)
      for (uint32_t at = part->spans[s].first; at < part->spans[s].end; at++)
        if (state->floor[at] != floor) return false;
  }
  return true;
}

/* A cell that could be decided next. */
struct choice {
  struct span valley;
  uint32_t column; /* BOARD_NONE: nothing */
  double cost;     /* the lowest is best */
};

/* The cost of deciding a column, from its number of children. */
static double cost_of(const struct global *global, uint32_t at) {
  const struct global_state *state = &global->state;
  neap_size slack = global_state_slack(state, at);
  if (global->manner.choice == BOARD_WEIGHTED)
    return (state->lowest_count[at] + (slack > 0 ? 1 : 0)) * global->ease[at];
  /*
   * The empty cell decides less than a rectangle, so it counts half.  Slack only breaks ties.
   */
  double children = state->lowest_count[at] + (slack > 0 ? 0.5 : 0);
  return children + GLOBAL_SLACK_SHARE * (double)slack / ((double)state->capacity + 1);
}

/* Takes the best column of a valley, if it is better than the choice so far. */
static void consider_valley(const struct global *global, struct span valley,
                            struct choice *choice) {
  for (uint32_t at = valley.first; at < valley.end; at++) {
    double cost = cost_of(global, at);
    if (cost >= choice->cost || (global->board.part->has_gaps && !is_flat(global, at)))
      continue;
    *choice = (struct choice){valley, at, cost};
  }
}

/*
 * The highest floor that may be chosen within `range`: the lowest one for BOARD_LOWEST, else
 * any.
 */
static neap_offset floor_limit(const struct global *global, struct span range) {
  neap_offset lowest = NEAP_MAX;
  if (global->manner.choice != BOARD_LOWEST) return NEAP_MAX;
  for (uint32_t at = range.first; at < range.end; at++)
    if (global->state.floor[at] < lowest) lowest = global->state.floor[at];
  return lowest;
}

/* The best column to decide within `range`. */
static struct choice choose_within(const struct global *global, struct span range) {
  const neap_offset *floors = global->state.floor;
  neap_offset highest = floor_limit(global, range);
  struct choice choice = {.column = BOARD_NONE, .cost = 1e300};
  for (uint32_t first = range.first, end; first < range.end; first = end) {
    neap_offset floor = floors[first];
    for (end = first + 1; end < range.end && floors[end] == floor;)
      end++;
    if (floor == NEAP_MAX || floor > highest) continue;
    if (first > range.first && floors[first - 1] < floor) continue;
    if (end < range.end && floors[end] < floor) continue;
    consider_valley(global, (struct span){first, end}, &choice);
  }
  return choice;
}

static bool has_links(const struct part *part) { return part->ties && part->ties->has_links; }

/* The run of columns around `at` that are connected by rectangles left. */
static struct span component_of(const struct global *global, uint32_t at) {
  struct span whole = {0, global->board.part->column_count};
  /* Ties may reach beyond the columns that hulls connect. */
  if (!global->rules.components || has_links(global->board.part)) return whole;
  const uint32_t *crossing = global->state.crossing;
  struct span component = {at, at + 1};
  while (component.first > 0 && crossing[component.first - 1] > 0)
    component.first--;
  while (component.end < whole.end && crossing[component.end - 1] > 0)
    component.end++;
  return component;
}

static void set_manner(struct board *board, struct board_manner manner) {
  global_of(board)->manner = manner;
}

static enum search_status choose_cell(struct board *board, struct span focus,
                                      struct cell *cell) {
  const struct global *global = global_of(board);
  struct choice choice = choose_within(global, focus);
  if (choice.column == BOARD_NONE)
    choice = choose_within(global, (struct span){0, board->part->column_count});
  cell->column = choice.column;
  if (choice.column == BOARD_NONE) return SEARCH_OPEN;
  assert(global->state.floor[choice.column] <= global->state.capacity);
  cell->floor = global->state.floor[choice.column];
  cell->valley = choice.valley;
  cell->component = component_of(global, choice.column);
  return SEARCH_OPEN;
}

/* ---------------------------------------------------------------- children */

static bool waits_for_twin(const struct global *global, uint32_t item) {
  uint32_t twin = global->twin[item];
  return twin != BOARD_NONE && global_state_is_left(&global->state, twin);
}

static bool list_children(struct board *board, struct cell *cell) {
  struct global *global = global_of(board);
  const struct global_state *state = &global->state;
  size_t most = global->pool_count + state->lowest_count[cell->column];
  if (most > UINT32_MAX ||
      !memory_reserve(&global->pool, &global->pool_capacity, most, sizeof *global->pool))
    return false;
  struct rectangle_walk walk = rectangle_walk(&state->members, cell->column, state->left);
  uint32_t item;
  cell->next = (uint32_t)global->pool_count;
  while (rectangle_walk_next(&walk, &item))
    if (state->low[item] == cell->floor && !waits_for_twin(global, item))
      global->pool[global->pool_count++] = item;
  cell->end = (uint32_t)global->pool_count;
  assert(cell->end - cell->next <= state->lowest_count[cell->column]);
  return true;
}

/* Takes the child with the best rank out of the pool. */
static uint32_t next_child(struct board *board, struct cell *cell) {
  struct global *global = global_of(board);
  uint32_t *pool = global->pool;
  assert(cell->next <= cell->end && cell->end <= global->pool_count);
  if (cell->next == cell->end) return BOARD_NONE;
  size_t best = cell->next;
  for (size_t i = best + 1; i < cell->end; i++)
    if (global->rank[pool[i]] < global->rank[pool[best]]) best = i;
  uint32_t item = pool[best];
  pool[best] = pool[cell->next];
  pool[cell->next++] = item;
  return item;
}

/* Adds 1 to the weight of the column that has refuted a child. */
static enum search_status weigh_refuting_column(struct global *global,
                                                enum search_status status) {
  uint32_t refuting = global->state.refuting;
  if (status != SEARCH_REFUTED || !global->rules.weights || refuting == BOARD_NONE)
    return status;
  double *ease = &global->ease[refuting];
  *ease = *ease / (1 + *ease);
  return status;
}

static enum search_status place_item(struct board *board, const struct cell *cell,
                                     uint32_t item) {
  struct global *global = global_of(board);
  assert(global->state.low[item] == cell->floor);
  (void)cell;
  return weigh_refuting_column(global, global_state_place(&global->state, item));
}

static enum search_status raise_floor(struct global_state *state, const struct cell *cell) {
  state->refuting = BOARD_NONE;
  if (state->floor[cell->column] > cell->floor) return SEARCH_OPEN; /* it is empty already */
  if (global_state_slack(state, cell->column) <= 0) return SEARCH_REFUTED;
  neap_offset height = global_state_next_height(state, cell->column);
  state->refuting = cell->column;
  assert(height > cell->floor);
  if (height > state->capacity) return SEARCH_REFUTED;
  return global_state_raise(state, cell->column, height);
}

static enum search_status leave_cell_empty(struct board *board, const struct cell *cell) {
  struct global *global = global_of(board);
  return weigh_refuting_column(global, raise_floor(&global->state, cell));
}

/* ---------------------------------------------------------------- measuring */

/*
 * One logarithm of a product is faster than a sum of logarithms, and a product of FACTORS
 * factors cannot overflow.
 */
#define FACTORS 12

/* How far the highest rectangle placed reaches into the spare bytes. */
static neap_size use_of_spare(const struct global *global) {
  const struct global_state *state = &global->state;
  const struct part *part = state->part;
  neap_offset goal = state->capacity - global->manner.spare, highest = goal;
  for (uint32_t i = 0; global->manner.spare > 0 && i < part->count; i++)
    if (!global_state_is_left(state, i) && state->low[i] + part->size[i] > highest)
      highest = state->low[i] + part->size[i];
  return highest - goal;
}

static struct board_measure measure_board(const struct board *board) {
  const struct global *global = const_global_of(board);
  const struct global_state *state = &global->state;
  uint32_t columns = board->part->column_count;
  neap_size spare = global->manner.spare;
  double more = global->manner.leeway * (double)state->capacity;
  double filled = 0, used = (double)use_of_spare(global), waste = 0, product = 1;
  for (uint32_t at = 0; at < columns; at++) {
    bool is_finished = state->floor[at] == NEAP_MAX;
    filled += (double)(is_finished ? state->capacity : state->floor[at]);
    if (!is_finished) {
      neap_size before = global->slack_at_first[at] - spare;
      neap_size now = global_state_slack(state, at) - spare;
      product *=
          ((double)(before > 0 ? before : 0) + more) / ((double)(now > 0 ? now : 0) + more);
      used -= now < 0 ? (double)now : 0;
    }
    if (at % FACTORS == FACTORS - 1 || at + 1 == columns) {
      waste += log(product);
      product = 1;
    }
  }
  return (struct board_measure){filled / ((double)state->capacity * columns),
                                waste + GLOBAL_SPARE_PRICE * used / more};
}

/* ---------------------------------------------------------------- snapshots */

static size_t snapshot_size(const struct board *board) {
  return global_snapshot_size(&const_global_of(board)->state);
}

static void save_snapshot(const struct board *board, void *snapshot) {
  global_snapshot_save(&const_global_of(board)->state, snapshot);
}

static void load_snapshot(struct board *board, const void *snapshot) {
  struct global *global = global_of(board);
  global->pool_count = 0;
  global_snapshot_load(&global->state, snapshot);
}

/* ---------------------------------------------------------------- undoing, and the rest */

static struct board_mark mark_changes(const struct board *board) {
  const struct global *global = const_global_of(board);
  struct board_mark mark = global_state_mark(&global->state);
  mark.others = global->pool_count;
  return mark;
}

static void undo_changes(struct board *board, struct board_mark mark, uint32_t item) {
  struct global *global = global_of(board);
  assert(mark.others <= global->pool_count);
  global->pool_count = mark.others;
  global_state_undo(&global->state, mark, item);
}

static wide_half key_of_component(const struct board *board, struct span component) {
  return global_state_key_of(&const_global_of(board)->state, component);
}

static const char *broken_invariant(const struct board *board) {
  return global_state_broken(&const_global_of(board)->state);
}

static uint64_t digest_state(const struct board *board) {
  return global_state_digest(&const_global_of(board)->state);
}

static const struct board_kind global_kind = {
    .name = "global",
    .free = free_global,
    .reset = reset_global,
    .choose = choose_cell,
    .list = list_children,
    .next = next_child,
    .place = place_item,
    .leave_empty = leave_cell_empty,
    .mark = mark_changes,
    .undo = undo_changes,
    .measure = measure_board,
    .snapshot_size = snapshot_size,
    .save = save_snapshot,
    .load = load_snapshot,
    .set_manner = set_manner,
    .forget = forget_weights,
    .key_of = key_of_component,
    .broken = broken_invariant,
    .digest = digest_state,
};

struct board *board_global_new(const struct part *part, struct rules rules) {
  assert(board_global_fits(part));
  struct global *global = memory_array(1, sizeof *global);
  if (!global) return NULL;
  global->board = (struct board){.kind = &global_kind, .part = part};
  global->rules = rules;
  const struct memory_part parts[] = {
      {&global->ease, part->column_count, sizeof *global->ease},
      {&global->slack_at_first, part->column_count, sizeof *global->slack_at_first},
      {&global->twin, part->count, sizeof *global->twin}};
  global->arrays = memory_block(parts, sizeof parts / sizeof *parts);
  if (!global->arrays ||
      !memory_reserve(&global->pool, &global->pool_capacity, FIRST_POOL,
                      sizeof *global->pool) ||
      !global_state_init(&global->state, part) || !find_twins(global)) {
    free_global(&global->board);
    return NULL;
  }
  global->board.offsets = global->state.low;
  forget_weights(&global->board);
  return &global->board;
}
