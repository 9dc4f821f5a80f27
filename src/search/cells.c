/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Cell search over all sections.
 *
 * As in search/valley, a node decides one cell: which rectangle begins right at the floor of
 * one section, or that none does.  A section can be decided when all rectangles that could
 * begin at its floor find the same floor everywhere they live; the lowest floor of all always
 * can.  Then every pushed-down layout is met on one path only, and exhausting the tree is a
 * proof.
 *
 * Here every conclusion is drawn everywhere (search/cells_state), and of all sections that can
 * be decided the one is taken with the fewest children (fail first, Haralick and Elliott 1980),
 * divided by a weight that grows whenever the section refutes a node (dom/wdeg, Boussemart et
 * al. 2004).
 *
 * What falls apart during the search is decided part by part: once a part is refuted, no choice
 * made elsewhere can mend that, and the search goes back to the last choice that bears on it.
 * A state of a part is known by its rectangles and their lows; a table remembers which were
 * refuted.
 */
#include "search/cells.h"

#include <assert.h>
#include <stdlib.h>

#include "core/memory.h"
#include "search/cells_state.h"
#include "search/refuted.h"

#define TABLE_BITS 18 /* 4 MiB */

/* A node on the way from the root. */
struct node {
  struct span component;
  struct span valley;
  uint32_t section;
  neap_offset floor;
  uint32_t placed;  /* the rectangle of the child being tried, or CELLS_NONE */
  size_t next, end; /* children still to try, in the pool */
  size_t pool_mark; /* where its children begin */
  bool empty_tried;
  struct cells_mark mark;       /* before the node */
  struct cells_mark child_mark; /* with what its failed children taught */
  wide_half key;
};

struct cells {
  const struct part *part;
  struct rules rules;
  struct cells_state state;
  struct refuted refuted;
  double *urgency; /* per section: the reciprocal of its weight */
  uint32_t *twin; /* per rectangle: an equal one that must be placed before it, or CELLS_NONE */
  const uint32_t *rank;
  struct node *nodes;
  size_t depth, node_capacity;
  uint32_t *pool; /* the children of all nodes on the way */
  size_t pool_count, pool_capacity;
  bool is_new, is_refuted_at_once, out_of_memory;
};

/* ---------------------------------------------------------------- making */

bool cells_fits(const struct part *part) { return cells_state_fits(part); }

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
  return a < b ? -1 : a > b;
}

static bool may_be_twin(const struct part *part, uint32_t item) {
  return part->fixed[item] == NEAP_UNPLACED &&
         part->spans_end[item] - part_spans_begin(part, item) == 1;
}

static bool are_twins(const struct part *part, uint32_t a, uint32_t b) {
  struct span x = part->spans[part_spans_begin(part, a)],
              y = part->spans[part_spans_begin(part, b)];
  return may_be_twin(part, a) && may_be_twin(part, b) && x.first == y.first && x.end == y.end &&
         part->size[a] == part->size[b] && part->alignment[a] == part->alignment[b];
}

/* Chains equal rectangles; false when memory is short. */
static bool find_twins(struct cells *cells) {
  const struct part *part = cells->part;
  uint32_t *order = memory_array(part->count, sizeof *order);
  if (!order) return false;
  for (uint32_t i = 0; i < part->count; i++)
    order[i] = i;
  qsort_r(order, part->count, sizeof *order, by_likeness, (void *)(uintptr_t)part);
  for (uint32_t i = 0; i < part->count; i++) {
    uint32_t before = i > 0 ? order[i - 1] : CELLS_NONE;
    bool chained = cells->rules.twins && i > 0 && are_twins(part, before, order[i]);
    cells->twin[order[i]] = chained ? before : CELLS_NONE;
  }
  free(order);
  return true;
}

struct cells *cells_new(const struct part *part, struct rules rules) {
  assert(cells_fits(part));
  struct cells *cells = memory_array(1, sizeof *cells);
  if (!cells) return NULL;
  cells->part = part;
  cells->rules = rules;
  cells->urgency = memory_array(part->section_count, sizeof *cells->urgency);
  cells->twin = memory_array(part->count, sizeof *cells->twin);
  if (!cells->urgency || !cells->twin || !cells_state_init(&cells->state, part) ||
      !refuted_init(&cells->refuted, rules.refuted ? TABLE_BITS : 1) || !find_twins(cells)) {
    cells_free(cells);
    return NULL;
  }
  cells_forget(cells);
  return cells;
}

void cells_free(struct cells *cells) {
  if (!cells) return;
  cells_state_clear(&cells->state);
  refuted_clear(&cells->refuted);
  free(cells->urgency);
  free(cells->twin);
  free(cells->nodes);
  free(cells->pool);
  free(cells);
}

void cells_forget(struct cells *cells) {
  for (uint32_t s = 0; s < cells->part->section_count; s++)
    cells->urgency[s] = 1;
}

void cells_start(struct cells *cells, neap_size capacity, const uint32_t *rank) {
  cells->rank = rank;
  cells->depth = cells->pool_count = 0;
  cells->is_new = true;
  cells->is_refuted_at_once = !cells_state_reset(&cells->state, capacity);
}

/* ---------------------------------------------------------------- which cell */

/* Whether all that could begin at the section's floor find that floor wherever they live. */
static bool is_flat(const struct cells *cells, uint32_t section) {
  const struct part *part = cells->part;
  const struct cells_state *state = &cells->state;
  neap_offset floor = state->floor[section];
  struct rectangle_walk walk = rectangle_walk(&state->live, section, state->left);
  uint32_t item;
  while (rectangle_walk_next(&walk, &item)) {
    if (state->low[item] != floor) continue;
    for (size_t s = part_spans_begin(part, item); s < part->spans_end[item]; s++)
      for (uint32_t at = part->spans[s].first; at < part->spans[s].end; at++)
        if (state->floor[at] != floor) return false;
  }
  return true;
}

/* A section's floor for its neighbours: a wall where nothing lives. */
static neap_offset wall(const struct cells *cells, struct span range, uint32_t at) {
  return at < range.first || at >= range.end ? NEAP_MAX : cells->state.floor[at];
}

/* What is to be decided next. */
struct choice {
  struct span valley;
  uint32_t section; /* CELLS_NONE: nothing */
  double merit;     /* the lowest is best */
};

/* Of the sections of a valley, the best one to decide, if it beats the choice so far. */
static void consider(const struct cells *cells, struct span valley, struct choice *choice) {
  const struct cells_state *state = &cells->state;
  for (uint32_t at = valley.first; at < valley.end; at++) {
    uint32_t children = state->lowest_count[at] + (cells_state_slack(state, at) > 0 ? 1 : 0);
    double merit = children * cells->urgency[at];
    if (merit >= choice->merit || (cells->part->has_gaps && !is_flat(cells, at))) continue;
    *choice = (struct choice){valley, at, merit};
  }
}

/* The best section to decide within `range`. */
static struct choice choose(const struct cells *cells, struct span range) {
  const neap_offset *floors = cells->state.floor;
  struct choice choice = {.section = CELLS_NONE, .merit = 1e300};
  for (uint32_t first = range.first, end; first < range.end; first = end) {
    neap_offset floor = floors[first];
    for (end = first + 1; end < range.end && floors[end] == floor;)
      end++;
    if (floor == NEAP_MAX) continue;
    if (first > range.first && floors[first - 1] < floor) continue;
    if (end < range.end && floors[end] < floor) continue;
    consider(cells, (struct span){first, end}, &choice);
  }
  return choice;
}

/* The run of sections around `at` that what is left to place hangs together in. */
static struct span component_of(const struct cells *cells, uint32_t at) {
  struct span whole = {0, cells->part->section_count};
  if (!cells->rules.components) return whole;
  const uint32_t *crossing = cells->state.crossing;
  struct span component = {at, at + 1};
  while (component.first > 0 && crossing[component.first - 1] > 0)
    component.first--;
  while (component.end < whole.end && crossing[component.end - 1] > 0)
    component.end++;
  return component;
}

/* The key of a component's state, from that of the node above where they are the same. */
static wide_half key_of(const struct cells *cells, struct span component) {
  if (cells->depth > 0) {
    const struct node *above = &cells->nodes[cells->depth - 1];
    if (above->component.first == component.first && above->component.end == component.end)
      return above->key + (cells->state.key - above->mark.key);
  }
  return cells_state_key_of(&cells->state, component);
}

/* ---------------------------------------------------------------- nodes */

static bool waits_for_twin(const struct cells *cells, uint32_t item) {
  uint32_t twin = cells->twin[item];
  return twin != CELLS_NONE && cells_state_is_left(&cells->state, twin);
}

/* Lists what could begin at the floor of a section. */
static bool list_children(struct cells *cells, struct node *node) {
  const struct cells_state *state = &cells->state;
  if (!memory_reserve(&cells->pool, &cells->pool_capacity,
                      cells->pool_count + state->lowest_count[node->section],
                      sizeof *cells->pool))
    return false;
  struct rectangle_walk walk = rectangle_walk(&state->live, node->section, state->left);
  uint32_t item;
  node->next = node->pool_mark = cells->pool_count;
  while (rectangle_walk_next(&walk, &item))
    if (state->low[item] == node->floor && !waits_for_twin(cells, item))
      cells->pool[cells->pool_count++] = item;
  node->end = cells->pool_count;
  return true;
}

/* Takes the child of the best rank out of those left. */
static uint32_t take_child(struct cells *cells, struct node *node) {
  size_t best = node->next;
  for (size_t i = best + 1; i < node->end; i++)
    if (cells->rank[cells->pool[i]] < cells->rank[cells->pool[best]]) best = i;
  uint32_t item = cells->pool[best];
  cells->pool[best] = cells->pool[node->next];
  cells->pool[node->next++] = item;
  return item;
}

static void retract(struct cells *cells, struct node *node) {
  cells_state_undo(&cells->state, node->child_mark, node->placed);
  node->placed = CELLS_NONE;
}

static void close_node(struct cells *cells) {
  struct node *node = &cells->nodes[--cells->depth];
  retract(cells, node);
  cells_state_undo(&cells->state, node->mark, CELLS_NONE);
  cells->pool_count = node->pool_mark;
}

/* Goes back to the last node that bears on a component: no choice made since can mend it. */
static void go_back_to(struct cells *cells, struct span component) {
  while (cells->depth > 0) {
    struct span other = cells->nodes[cells->depth - 1].component;
    if (other.first < component.end && component.first < other.end) break;
    close_node(cells);
  }
}

/*
 * Opens a node for the next cell to decide, within `focus` as long as something lives there;
 * false when its state is known to be refuted.  Opens none when everything is placed.
 */
static bool open_node(struct cells *cells, struct span focus) {
  struct choice choice = choose(cells, focus);
  if (choice.section == CELLS_NONE)
    choice = choose(cells, (struct span){0, cells->part->section_count});
  if (choice.section == CELLS_NONE) return true;
  struct node node = {.component = component_of(cells, choice.section),
                      .valley = choice.valley,
                      .section = choice.section,
                      .floor = cells->state.floor[choice.section],
                      .placed = CELLS_NONE,
                      .mark = cells_state_mark(&cells->state)};
  node.child_mark = node.mark;
  node.key = key_of(cells, node.component);
  if (cells->rules.refuted && refuted_has(&cells->refuted, node.key)) {
    go_back_to(cells, node.component);
    return false;
  }
  if (!list_children(cells, &node) || !memory_reserve(&cells->nodes, &cells->node_capacity,
                                                      cells->depth + 1, sizeof *cells->nodes)) {
    cells->out_of_memory = true;
    return false;
  }
  cells->nodes[cells->depth++] = node;
  return true;
}

/* A node all of whose children have failed. */
static void refute(struct cells *cells) {
  struct node node = cells->nodes[cells->depth - 1];
  if (cells->rules.refuted) refuted_add(&cells->refuted, node.key);
  close_node(cells);
  go_back_to(cells, node.component);
}

/* ---------------------------------------------------------------- children */

/* Whether a rectangle, just placed, was the last in all of its sections. */
static bool was_alone(const struct cells *cells, uint32_t item) {
  const struct part *part = cells->part;
  for (size_t s = part_spans_begin(part, item); s < part->spans_end[item]; s++)
    for (uint32_t at = part->spans[s].first; at < part->spans[s].end; at++)
      if (cells->state.floor[at] != NEAP_MAX) return false;
  return true;
}

/* No more children. */
static void give_up(struct node *node) {
  node->next = node->end;
  node->empty_tried = true;
}

static bool try_rectangle(struct cells *cells, struct node *node) {
  node->placed = take_child(cells, node);
  if (!cells_state_place(&cells->state, node->placed)) return false;
  if (cells->rules.alone && was_alone(cells, node->placed)) give_up(node);
  return true;
}

static bool try_empty(struct cells *cells, struct node *node) {
  struct cells_state *state = &cells->state;
  node->empty_tried = true;
  state->failed = CELLS_NONE;
  if (state->floor[node->section] > node->floor) return true; /* it is empty already */
  if (cells_state_slack(state, node->section) <= 0) return false;
  neap_offset height = cells_state_next_height(state, node->section);
  state->failed = node->section;
  if (height > state->capacity) return false;
  return cells_state_raise(state, node->section, height);
}

/*
 * When a rectangle that spans the whole valley has failed at the floor, it cannot begin anywhere
 * up to the valley's walls either: what would lie below it there lies within the valley, and
 * could as well lie on top of it.  False when that leaves no layout.
 */
static bool learn_from_child(struct cells *cells, struct node *node, uint32_t failed) {
  struct span hull = cells->state.hulls[failed], valley = node->valley;
  if (!cells->rules.spanning || !cells->part->is_simple) return true;
  if (hull.first != valley.first || hull.end != valley.end) return true;
  neap_offset left = wall(cells, node->component, valley.first - 1);
  neap_offset right = wall(cells, node->component, valley.end);
  neap_offset walls = left < right ? left : right;
  bool good =
      walls < cells->state.capacity && cells_state_lift(&cells->state, failed, walls + 1);
  node->child_mark = cells_state_mark(&cells->state);
  return good;
}

static void blame(struct cells *cells) {
  if (!cells->rules.weights || cells->state.failed == CELLS_NONE) return;
  double *urgency = &cells->urgency[cells->state.failed];
  *urgency = *urgency / (1 + *urgency); /* the weight grows by 1 */
}

static bool try_child(struct cells *cells, struct node *node) {
  bool good = node->next < node->end ? try_rectangle(cells, node) : try_empty(cells, node);
  if (!good) blame(cells);
  return good;
}

enum verdict cells_run(struct cells *cells, uint64_t failures, struct budget *budget) {
  if (cells->is_new) {
    cells->is_new = false;
    struct span whole = {0, cells->part->section_count};
    if (cells->is_refuted_at_once || !open_node(cells, whole)) return VERDICT_REFUTED;
  }
  while (cells->depth > 0) {
    if (cells->out_of_memory || cells->state.out_of_memory) return VERDICT_MEMORY;
    if (cells->state.left_count == 0) return VERDICT_FOUND;
    struct node *node = &cells->nodes[cells->depth - 1];
    uint32_t failed = node->placed;
    retract(cells, node);
    if (failures == 0) return VERDICT_OPEN;
    if (!budget_tick(budget)) return VERDICT_STOPPED;
    if (failed != CELLS_NONE && !node->empty_tried && !learn_from_child(cells, node, failed))
      give_up(node);
    if (node->next == node->end && node->empty_tried) {
      refute(cells);
      continue;
    }
    struct span focus = node->component;
    if (!try_child(cells, node) || !open_node(cells, focus)) failures--;
  }
  return VERDICT_REFUTED;
}

const neap_offset *cells_offsets(const struct cells *cells) { return cells->state.low; }
