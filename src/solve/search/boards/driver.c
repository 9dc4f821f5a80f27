/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Cell search: rectangles are only put on top of placed ones, never below.  Every layout that
 * is pushed down as far as possible can be built this way.  A node of the tree decides one
 * cell, the byte right above the floor of a column.  Its children are the rectangles that can
 * begin exactly there, by rank, and last the empty cell:
 *
 *     ──┐        ┌──    ──┐        ┌──    ──┐        ┌──    ──┐        ┌──
 *       │   ?    │        │  ▒▒▒   │        │▒▒▒▒▒▒▒▒│        │   ×    │
 *       └────────┘        └────────┘        └────────┘        └────────┘
 *       the cell          one child         another           the empty cell
 *
 * Layouts that are pushed down are the normal patterns of packing (Herz 1972); MiniMalloc
 * (Moffitt 2023) also searches them.  Each is reached on one path only, so exhausting the tree
 * proves that no layout fits the capacity.  The board chooses the next cell and propagates
 * decisions; the walk is the same for all boards.
 *
 * Columns that become independent during the search are decided separately.  Once a component
 * is refuted, decisions in other columns cannot help, so the search jumps back to the last
 * decision that affects the component (conflict-directed backjumping, Prosser 1993).  The state
 * of a component is its rectangles left with their lowest offsets; a table remembers refuted
 * states.
 *
 * A visit costs one child of the board, and O(1) here.  Invariant: undoing a child restores the
 * board exactly; with rules.checks, digests are compared to verify that.
 */
#include "search/boards/driver.h"

#include <assert.h>
#include <stdlib.h>

#include "core/knobs.h"
#include "core/memory.h"
#include "search/refuted.h"

/* The number of nodes that the first allocation has room for. */
#define FIRST_NODES 64

/* A node on the path from the root. */
struct node {
  struct cell cell;
  uint32_t placed;        /* the rectangle of the child being tried, or BOARD_NONE */
  bool is_last_child;     /* no further child needs to be tried */
  size_t changes, others; /* of the mark before the node */
};

/*
 * The rest of a node, only for boards that have keys or are checked: the path of a large part has
 * a node per rectangle, so memory matters.
 */
struct memo {
  wide_half before;             /* the key of the mark before the node */
  struct board_mark child_mark; /* with the list of its children */
  wide_half key;                /* of its component */
  uint64_t digest;              /* of the board at child_mark, for checks */
};

struct driver {
  struct board *board;
  const struct board_kind *kind;
  struct rules rules;
  struct refuted refuted;
  struct node *nodes;
  struct memo *memos; /* one per node, if there are any */
  bool has_memos;
  size_t depth, node_capacity, memo_capacity;
  bool is_new;                 /* nothing has been tried since driver_start */
  enum search_status at_first; /* the status of driver_start */
  bool is_found;               /* all rectangles are placed */
};

/* ---------------------------------------------------------------- making */

/* Makes room for a path of `count` nodes; false when memory is short. */
static bool reserve_nodes(struct driver *driver, size_t count) {
  return memory_reserve(&driver->nodes, &driver->node_capacity, count, sizeof *driver->nodes) &&
         (!driver->has_memos ||
          memory_reserve(&driver->memos, &driver->memo_capacity, count, sizeof *driver->memos));
}

struct driver *driver_new(struct board *board, struct rules rules) {
  if (!board) return NULL;
  struct driver *driver = memory_array(1, sizeof *driver);
  if (!driver) {
    board->kind->free(board);
    return NULL;
  }
  driver->board = board;
  driver->kind = board->kind;
  driver->rules = rules;
  if (!board->kind->key_of) driver->rules.refuted = false;
  if (board->part->count > DRIVER_CHECKED_MOST) driver->rules.checks = false;
  driver->has_memos = driver->kind->key_of || driver->rules.checks;
  refuted_init(&driver->refuted, DRIVER_TABLE_BITS);
  size_t nodes = board->part->count < FIRST_NODES ? board->part->count : FIRST_NODES;
  if (reserve_nodes(driver, nodes)) return driver;
  driver_free(driver);
  return NULL;
}

void driver_free(struct driver *driver) {
  if (!driver) return;
  driver->kind->free(driver->board);
  refuted_clear(&driver->refuted);
  free(driver->nodes);
  free(driver->memos);
  free(driver);
}

void driver_forget(struct driver *driver) {
  if (driver->kind->forget) driver->kind->forget(driver->board);
}

void driver_start(struct driver *driver, neap_size capacity, const uint32_t *rank) {
  assert(capacity >= 0 && rank);
  driver->depth = 0;
  driver->is_new = true;
  driver->is_found = false;
  driver->at_first = driver->kind->reset(driver->board, capacity, rank);
}

const neap_offset *driver_offsets(const struct driver *driver) {
  return driver->board->offsets;
}

/* ---------------------------------------------------------------- checks */

/* Checks the invariants of a board that is still open. */
static void check_invariants(const struct driver *driver, enum search_status status) {
  if (!driver->rules.checks || status != SEARCH_OPEN) return;
  const char *broken = driver->kind->broken(driver->board);
  assert(!broken);
  (void)broken;
}

/* ---------------------------------------------------------------- nodes */

static struct memo *memo_of(const struct driver *driver, size_t node) {
  assert(driver->has_memos);
  return &driver->memos[node];
}

/* The mark before a node. */
static struct board_mark mark_of(const struct driver *driver, size_t node) {
  return (struct board_mark){.changes = driver->nodes[node].changes,
                             .others = driver->nodes[node].others,
                             .key = driver->has_memos ? memo_of(driver, node)->before : 0};
}

/* Saves the mark that undoing a child of the last node restores. */
static void mark_children(const struct driver *driver) {
  if (!driver->has_memos) return; /* undo then restores the mark before the node */
  struct memo *memo = memo_of(driver, driver->depth - 1);
  memo->child_mark = driver->kind->mark(driver->board);
  if (driver->rules.checks) memo->digest = driver->kind->digest(driver->board);
}

static void check_undo(const struct driver *driver) {
  if (!driver->rules.checks) return;
  check_invariants(driver, SEARCH_OPEN);
  assert(driver->kind->digest(driver->board) == memo_of(driver, driver->depth - 1)->digest);
}

/* The key of a component; updated from the last node's key if both have the same component. */
static wide_half key_of(const struct driver *driver, struct span component, wide_half now) {
  if (driver->depth > 0) {
    size_t above = driver->depth - 1;
    struct span other = driver->nodes[above].cell.component;
    const struct memo *memo = memo_of(driver, above);
    if (other.first == component.first && other.end == component.end)
      return memo->key + (now - memo->before);
  }
  return driver->kind->key_of(driver->board, component);
}

/* Undoes the current child of the last node. */
static void undo_child(struct driver *driver) {
  size_t last = driver->depth - 1;
  struct node *node = &driver->nodes[last];
  driver->kind->undo(driver->board,
                     driver->has_memos ? memo_of(driver, last)->child_mark
                                       : mark_of(driver, last),
                     node->placed);
  node->placed = BOARD_NONE;
  check_undo(driver);
}

static void close_node(struct driver *driver) {
  assert(driver->depth > 0);
  undo_child(driver);
  if (driver->has_memos)
    driver->kind->undo(driver->board, mark_of(driver, driver->depth - 1), BOARD_NONE);
  driver->depth--;
}

/* Goes back to the last node that affects a component. */
static void go_back_to(struct driver *driver, struct span component) {
  while (driver->depth > 0 &&
         !spans_meet(driver->nodes[driver->depth - 1].cell.component, component))
    close_node(driver);
}

/* Opens a node for the next cell to decide, unless all rectangles are placed. */
static enum search_status open_node(struct driver *driver, struct span focus) {
  struct board *board = driver->board;
  struct node node = {.placed = BOARD_NONE};
  enum search_status status = driver->kind->choose(board, focus, &node.cell);
  check_invariants(driver, status);
  if (status != SEARCH_OPEN) return status;
  driver->is_found = node.cell.column == BOARD_NONE;
  if (driver->is_found) return SEARCH_OPEN;
  assert(span_contains(node.cell.valley, node.cell.column));
  assert(span_contains(node.cell.component, node.cell.column) && node.cell.floor >= 0);
  struct board_mark mark = driver->kind->mark(board);
  struct memo memo = {.before = mark.key};
  node.changes = mark.changes;
  node.others = mark.others;
  if (driver->rules.refuted) {
    memo.key = key_of(driver, node.cell.component, mark.key);
    if (refuted_has(&driver->refuted, memo.key)) {
      go_back_to(driver, node.cell.component);
      return SEARCH_REFUTED;
    }
  }
  if (!driver->kind->list(board, &node.cell) || !reserve_nodes(driver, driver->depth + 1))
    return SEARCH_MEMORY;
  driver->nodes[driver->depth] = node;
  if (driver->has_memos) driver->memos[driver->depth] = memo;
  driver->depth++;
  mark_children(driver);
  return SEARCH_OPEN;
}

/* Closes the last node, whose children have all failed. */
static void refute_node(struct driver *driver) {
  assert(driver->depth > 0);
  size_t last = driver->depth - 1;
  struct span component = driver->nodes[last].cell.component;
  if (driver->rules.refuted) refuted_add(&driver->refuted, memo_of(driver, last)->key);
  close_node(driver);
  go_back_to(driver, component);
}

/* ---------------------------------------------------------------- retreating */

size_t driver_depth(const struct driver *driver) { return driver->depth; }

void driver_retreat(struct driver *driver, size_t depth) {
  assert(depth >= 1 && depth <= driver->depth);
  while (driver->depth > depth)
    close_node(driver);
  driver->is_found = false;
}

void driver_rerank(struct driver *driver, const uint32_t *rank) {
  assert(driver->kind->rerank && driver->kind->relist && rank);
  driver->kind->rerank(driver->board, rank);
  for (size_t i = 0; i < driver->depth; i++) {
    driver->nodes[i].is_last_child = false;
    driver->kind->relist(driver->board, &driver->nodes[i].cell);
  }
}

/* ---------------------------------------------------------------- children */

/* Makes the next child of a node: the next rectangle, or at last the empty cell. */
static enum search_status make_child(struct driver *driver, struct node *node) {
  struct board *board = driver->board;
  assert(node->placed == BOARD_NONE && !node->is_last_child);
  uint32_t item = driver->kind->next(board, &node->cell);
  if (item == BOARD_NONE) {
    node->is_last_child = true;
    return driver->kind->leave_empty(board, &node->cell);
  }
  node->placed = item;
  return driver->kind->place(board, &node->cell, item);
}

/* Tries the next child of the last node, and opens a node below it. */
static enum search_status try_child(struct driver *driver, struct node *node) {
  struct span focus = node->cell.component;
  enum search_status status = make_child(driver, node);
  check_invariants(driver, status);
  return status == SEARCH_OPEN ? open_node(driver, focus) : status;
}

/* ---------------------------------------------------------------- the walk */

static enum search_status open_root(struct driver *driver) {
  assert(driver->depth == 0);
  struct span whole = {0, driver->board->part->column_count};
  driver->is_new = false;
  check_invariants(driver, driver->at_first);
  return driver->at_first == SEARCH_OPEN ? open_node(driver, whole) : driver->at_first;
}

enum verdict driver_run(struct driver *driver, uint64_t failures, struct budget *budget) {
  enum search_status status = driver->is_new ? open_root(driver) : SEARCH_OPEN;
  if (status == SEARCH_REFUTED) return VERDICT_REFUTED;
  if (status == SEARCH_OPEN && driver->is_found) return VERDICT_FOUND; /* nothing to decide */
  while (status != SEARCH_MEMORY && driver->depth > 0) {
    if (driver->is_found) return VERDICT_FOUND;
    if (failures == 0) return VERDICT_OPEN;
    if (!budget_tick(budget)) return VERDICT_STOPPED;
    struct node *node = &driver->nodes[driver->depth - 1];
    undo_child(driver);
    if (node->is_last_child) {
      refute_node(driver);
      continue;
    }
    status = try_child(driver, node);
    if (status == SEARCH_REFUTED) failures--;
  }
  return status == SEARCH_MEMORY ? VERDICT_MEMORY : VERDICT_REFUTED;
}
