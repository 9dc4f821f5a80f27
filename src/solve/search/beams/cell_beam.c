/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Beam search (Lowerre 1976) over the tree that the driver walks (search/boards/driver).  In
 * depth-first search, one bad decision near the root wastes all the work below it.  A beam
 * follows many partial layouts at a time and compares them, so it drops bad decisions long
 * before they fail:
 *
 *     stage      0     1     2     3     4
 *                      ●─────●──╳     ╭──●
 *                ●─────●──╳     ╭──●──┤         ● followed
 *                ╰─────●─────●──┴──●  ╰──╳      ╳ failed, or too bad
 *                      ╰──╳
 *
 * A stage holds the partial layouts that fill about the same share of the columns.  They may
 * differ in which columns they have filled, so they are compared by *waste*: the slack that
 * columns have lost since the start (struct board_measure).  Of each stage, the best are
 * followed, up to the width of the beam.  A dropped partial layout might have led to a layout,
 * so a beam that fails proves nothing; the next run uses other noise.
 *
 * There is one board.  It makes a child, measures it and undoes it.  A stage stores, per child,
 * the child's rectangle and a snapshot of the board before the child, which siblings share.
 *
 * Cost: a child costs a placement, a measure in O(columns) and an undo; following it costs a
 * load and a placement more.  Invariant: `users` of a snapshot counts the waiting children that
 * refer to it, plus one while its children are made, and snapshots without users are in the
 * list `free`.
 */
#include "search/beams/cell_beam.h"

#include <assert.h>
#include <stdlib.h>

#include "core/checks.h"
#include "core/hash_set.h"
#include "core/knobs.h"
#include "core/memory.h"

/* The number of stages between an empty and a complete layout. */
#define STAGES 400

/* A partial layout that waits in its stage. */
struct waiting {
  uint64_t key; /* equal for equal partial layouts */
  double waste;
  uint32_t before; /* the snapshot */
  uint32_t item;   /* begins in the snapshot's cell; BOARD_NONE: the cell stays empty */
};

struct stage {
  struct waiting *items;
  size_t count, capacity;
};

struct snapshot {
  void *board;
  struct cell cell; /* decided next */
  uint32_t users;   /* waiting children that use it; 0: free */
};

struct cell_beam {
  struct board *board;
  const struct board_kind *kind;
  uint32_t *rank; /* the board needs one; its order does not matter */
  struct snapshot *snapshots;
  uint32_t *free; /* the unused ones among the first `made` snapshots */
  uint32_t made, free_count, most;
  struct stage stages[STAGES];
  uint64_t *keys; /* the keys followed in this stage */
  size_t key_capacity;
  struct hash_set followed; /* of the keys */
  /* Of this run: */
  struct cell_beam_manner manner;
  size_t reached; /* the last stage in which a child was followed */
  struct random *random;
  struct budget *budget;
};

/* ---------------------------------------------------------------- making */

static bool init_beam(struct cell_beam *beam, struct board *board, size_t bytes) {
  size_t most = bytes / (board->kind->snapshot_size(board) + sizeof *beam->snapshots);
  beam->board = board;
  beam->kind = board->kind;
  beam->most = (uint32_t)(most > 2 ? most : 2);
  beam->snapshots = memory_array(beam->most, sizeof *beam->snapshots);
  beam->free = memory_array(beam->most, sizeof *beam->free);
  beam->rank = memory_array(board->part->count, sizeof *beam->rank);
  if (!beam->snapshots || !beam->free || !beam->rank) return false;
  for (uint32_t i = 0; i < board->part->count; i++)
    beam->rank[i] = i;
  return true;
}

struct cell_beam *cell_beam_new(struct board *board, size_t bytes) {
  if (!board) return NULL;
  struct cell_beam *beam = memory_array(1, sizeof *beam);
  if (beam && init_beam(beam, board, bytes)) return beam;
  if (beam) cell_beam_free(beam);
  else board->kind->free(board);
  return NULL;
}

void cell_beam_free(struct cell_beam *beam) {
  if (!beam) return;
  for (size_t s = 0; s < STAGES; s++)
    free(beam->stages[s].items);
  free(beam->keys);
  hash_set_clear(&beam->followed);
  for (uint32_t i = 0; i < beam->made; i++)
    free(beam->snapshots[i].board);
  free(beam->snapshots);
  free(beam->free);
  free(beam->rank);
  beam->kind->free(beam->board);
  free(beam);
}

const neap_offset *cell_beam_offsets(const struct cell_beam *beam) {
  return beam->board->offsets;
}

double cell_beam_reached(const struct cell_beam *beam) {
  return (double)beam->reached / (STAGES - 1);
}

/* ---------------------------------------------------------------- stages */

static int by_waste(const void *left, const void *right) {
  const struct waiting *a = left, *b = right;
  if (a->waste != b->waste) return a->waste < b->waste ? -1 : 1;
  if (a->key != b->key) return a->key < b->key ? -1 : 1;
  if (a->item != b->item) return a->item < b->item ? -1 : 1;
  return a->before < b->before ? -1 : a->before > b->before;
}

static int by_key(const void *left, const void *right) {
  const struct waiting *a = left, *b = right;
  if (a->key != b->key) return a->key < b->key ? -1 : 1;
  return by_waste(left, right);
}

static void leave_snapshot(struct cell_beam *beam, uint32_t number) {
  assert(beam->snapshots[number].users > 0);
  if (--beam->snapshots[number].users == 0) beam->free[beam->free_count++] = number;
}

static void clear_stage(struct cell_beam *beam, struct stage *stage, size_t from) {
  for (size_t i = from; i < stage->count; i++)
    leave_snapshot(beam, stage->items[i].before);
  stage->count = from;
}

/*
 * Drops duplicates, then keeps the `most` partial layouts with the least waste, sorted by
 * waste.
 */
static void thin_out(struct cell_beam *beam, struct stage *stage, size_t most) {
  size_t kept = 0;
  if (stage->count == 0) return;
  qsort(stage->items, stage->count, sizeof *stage->items, by_key);
  for (size_t i = 0; i < stage->count; i++) {
    if (kept > 0 && stage->items[i].key == stage->items[kept - 1].key)
      leave_snapshot(beam, stage->items[i].before);
    else stage->items[kept++] = stage->items[i];
  }
  stage->count = kept;
  qsort(stage->items, stage->count, sizeof *stage->items, by_waste);
  if (stage->count > most) clear_stage(beam, stage, most);
}

/* Adds to a stage, which is a binary heap with the least waste first. */
static bool add_to_stage(struct cell_beam *beam, struct stage *stage, struct waiting item) {
  size_t most = beam->manner.width;
  if (stage->count >= CELL_BEAM_SPARE * most) thin_out(beam, stage, most);
  if (!memory_reserve(&stage->items, &stage->capacity, stage->count + 1, sizeof *stage->items))
    return false;
  budget_spend(beam->budget, 1);
  size_t at = stage->count++;
  for (; at > 0 && by_waste(&item, &stage->items[(at - 1) / 2]) < 0; at = (at - 1) / 2)
    stage->items[at] = stage->items[(at - 1) / 2];
  stage->items[at] = item;
  beam->snapshots[item.before].users++;
  return true;
}

/* Takes the item with the least waste out of a stage. */
static struct waiting take_best(struct stage *stage) {
  struct waiting best = stage->items[0], last = stage->items[--stage->count];
  size_t at = 0;
  for (size_t below = 1; below < stage->count; below = 2 * at + 1) {
    if (below + 1 < stage->count &&
        by_waste(&stage->items[below + 1], &stage->items[below]) < 0)
      below++;
    if (by_waste(&last, &stage->items[below]) <= 0) break;
    stage->items[at] = stage->items[below];
    at = below;
  }
  if (stage->count > 0) stage->items[at] = last;
  return best;
}

/* ---------------------------------------------------------------- snapshots */

static bool make_snapshot(struct cell_beam *beam) {
  struct snapshot *snapshot = &beam->snapshots[beam->made];
  snapshot->board = memory_array(1, beam->kind->snapshot_size(beam->board));
  if (!snapshot->board) return false;
  beam->free[beam->free_count++] = beam->made++;
  return true;
}

static bool all_are_used(const struct cell_beam *beam) {
  return beam->free_count == 0 && beam->made == beam->most;
}

/* Narrows the beam until a snapshot is free; false if even width 1 uses all of them. */
static bool free_snapshot(struct cell_beam *beam) {
  while (all_are_used(beam) && beam->manner.width > 1) {
    beam->manner.width /= 2;
    for (size_t s = 0; s < STAGES; s++)
      thin_out(beam, &beam->stages[s], beam->manner.width);
  }
  return !all_are_used(beam);
}

/* Takes a snapshot of the board; one is free or can be made.  False if memory is short. */
static bool take_snapshot(struct cell_beam *beam, struct cell cell, uint32_t *number) {
  if (beam->free_count == 0 && !make_snapshot(beam)) return false;
  *number = beam->free[--beam->free_count];
  struct snapshot *snapshot = &beam->snapshots[*number];
  snapshot->cell = cell;
  snapshot->users = 1; /* until all children are made */
  beam->kind->save(beam->board, snapshot->board);
  return true;
}

/* ---------------------------------------------------------------- children */

static enum search_status decide(struct cell_beam *beam, const struct cell *cell,
                                 uint32_t item) {
  return item == BOARD_NONE ? beam->kind->leave_empty(beam->board, cell)
                            : beam->kind->place(beam->board, cell, item);
}

/* Measures the child that the board is at, and adds it to its stage. */
static bool keep_child(struct cell_beam *beam, uint32_t before, uint32_t item) {
  struct board_measure measure = beam->kind->measure(beam->board);
  struct stage *stage = &beam->stages[(size_t)(measure.filled * (STAGES - 1))];
  double noise = random_share(beam->random);
  struct waiting waiting = {
      .key = (uint64_t)(beam->kind->mark(beam->board).key >> 64),
      .waste = measure.waste * (1 + beam->manner.noise * noise),
      .before = before,
      .item = item,
  };
  return add_to_stage(beam, stage, waiting);
}

/* Makes all children of the board's cell. */
static enum verdict try_children(struct cell_beam *beam, struct cell *cell, uint32_t before) {
  struct board *board = beam->board;
  enum search_status status = SEARCH_OPEN;
  for (bool more = true; more && status != SEARCH_MEMORY;) {
    if (!budget_tick(beam->budget)) return VERDICT_STOPPED;
    uint32_t item = beam->kind->next(board, cell);
    struct board_mark mark = beam->kind->mark(board);
    status = decide(beam, cell, item);
    more = item != BOARD_NONE;
    if (status == SEARCH_OPEN && !keep_child(beam, before, item)) status = SEARCH_MEMORY;
    beam->kind->undo(board, mark, item);
  }
  return status == SEARCH_MEMORY ? VERDICT_MEMORY : VERDICT_OPEN;
}

/* Chooses the next cell and makes all its children, unless all rectangles are placed. */
static enum verdict expand(struct cell_beam *beam) {
  struct board *board = beam->board;
  struct cell cell;
  uint32_t before;
  enum search_status status =
      beam->kind->choose(board, (struct span){0, board->part->column_count}, &cell);
  assert(status != SEARCH_MEMORY);
  if (status != SEARCH_OPEN) return VERDICT_OPEN;
  if (cell.column == BOARD_NONE) return VERDICT_FOUND;
  if (!free_snapshot(beam)) return VERDICT_OPEN; /* drops this partial layout */
  if (!take_snapshot(beam, cell, &before)) return VERDICT_MEMORY;
  enum verdict verdict =
      beam->kind->list(board, &cell) ? try_children(beam, &cell, before) : VERDICT_MEMORY;
  leave_snapshot(beam, before);
  return verdict;
}

/* ---------------------------------------------------------------- a run */

/* Adds a key to the keys of the stage; returns whether it was there already. */
static bool was_followed(struct cell_beam *beam, uint64_t key) {
  size_t number, probe = 0;
  while ((number = hash_set_next(&beam->followed, key, &probe)) != HASH_SET_NONE)
    if (beam->keys[number] == key) return true;
  beam->keys[beam->followed.count] = key;
  hash_set_add(&beam->followed, key, beam->followed.count);
  return false;
}

/* Restores a partial layout and expands it. */
static enum verdict follow(struct cell_beam *beam, struct waiting waiting) {
  const struct snapshot *snapshot = &beam->snapshots[waiting.before];
  if (!budget_tick(beam->budget)) {
    leave_snapshot(beam, waiting.before);
    return VERDICT_STOPPED;
  }
  beam->kind->load(beam->board, snapshot->board);
  enum search_status status = decide(beam, &snapshot->cell, waiting.item);
  leave_snapshot(beam, waiting.before);
  assert(status != SEARCH_REFUTED); /* it was open when it was measured */
  assert_slowly(status != SEARCH_OPEN || !beam->kind->broken(beam->board));
  return status == SEARCH_OPEN ? expand(beam) : VERDICT_MEMORY;
}

/* Follows the best of a stage, including children that fall into the same stage. */
static enum verdict run_stage(struct cell_beam *beam, struct stage *stage) {
  enum verdict verdict = VERDICT_OPEN;
  if (stage->count == 0) return VERDICT_OPEN;
  beam->reached = (size_t)(stage - beam->stages);
  hash_set_empty(&beam->followed);
  for (uint32_t followed = 0;
       followed < beam->manner.width && stage->count > 0 && verdict == VERDICT_OPEN;) {
    struct waiting best = take_best(stage);
    if (was_followed(beam, best.key)) {
      leave_snapshot(beam, best.before);
      continue;
    }
    verdict = follow(beam, best);
    followed++;
  }
  clear_stage(beam, stage, 0);
  return verdict;
}

static enum verdict run_stages(struct cell_beam *beam) {
  enum verdict verdict = expand(beam);
  for (size_t s = 0; s < STAGES && verdict == VERDICT_OPEN; s++)
    verdict = run_stage(beam, &beam->stages[s]);
  for (size_t s = 0; s < STAGES; s++)
    clear_stage(beam, &beam->stages[s], 0);
  return verdict;
}

enum verdict cell_beam_run(struct cell_beam *beam, neap_size capacity,
                           struct cell_beam_manner manner, struct random *random,
                           struct budget *budget) {
  assert(capacity >= 0 && manner.width >= 1);
  beam->manner = manner;
  beam->reached = 0;
  beam->random = random;
  beam->budget = budget;
  if (!hash_set_reserve(&beam->followed, manner.width) ||
      !memory_reserve(&beam->keys, &beam->key_capacity, manner.width, sizeof *beam->keys))
    return VERDICT_MEMORY;
  beam->kind->set_manner(beam->board, manner.board);
  switch (beam->kind->reset(beam->board, capacity, beam->rank)) {
  case SEARCH_REFUTED:
    return VERDICT_REFUTED;
  case SEARCH_MEMORY:
    return VERDICT_MEMORY;
  default:
    return run_stages(beam);
  }
}
