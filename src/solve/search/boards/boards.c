/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Restarts (Gomes, Selman and Kautz 1998).  A search that took a wrong turn early rarely
 * recovers, so each restart may fail only a limited number of times.  It tries rectangles in
 * another order and keeps the weights of the columns and, in the global search, the table of
 * refuted states.  The limit grows by a tenth with each restart (geometric, Walsh 1999) up to a
 * ceiling; then it starts over, with the ceiling doubled.  So there are many short attempts,
 * and eventually a restart is long enough to exhaust the tree.
 *
 *     failures                      ╱
 *     allowed              ╱      ╱
 *                 ╱      ╱      ╱
 *               ╱      ╱      ╱
 *             ╱      ╱      ╱        restarts ──►
 *
 * In a large part, most of a restart repeats placements that were not the cause of the failure.
 * So after a few restarts, retreats take over, which undo only part of the path.
 *
 * Small parts are searched globally: nodes cost more, but tight parts need far fewer of them.
 * Large parts are searched valley by valley, which costs about as much as placing the buffers
 * once.  If a part suits both, they take turns.
 */
#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "core/knobs.h"
#include "core/memory.h"
#include "search/boards/board_global.h"
#include "search/boards/board_local.h"
#include "search/boards/driver.h"
#include "search/boards/ranking.h"
#include "search/method.h"

/*
 * From turn BOARDS_RETREATS_FROM on, BOARDS_RETREATS turns of retreats follow each local
 * restart that stays open.  Each turn gets BOARDS_RETREAT_TICKS times the restart's ticks, and
 * the shortest retreat goes back BOARDS_SHORTEST_RETREAT cells.  Threads other than the first
 * begin to retreat earlier and leave restarts to the first.
 */

struct boards {
  struct findings findings;
  const struct part *part;
  struct rules rules;
  struct driver *global, *local; /* each created on first use */
  struct random random;
  void *arrays; /* the block of merits, order and rank */
  double *merits;
  uint32_t *order, *rank;
  const neap_offset *guide;           /* the layout to lower, or NULL: offsets in units */
  bool lacks_memory;                  /* the global search ran out of memory */
  bool is_fixed;                      /* the part has fixed rectangles */
  struct turn turn;                   /* the present one */
  uint64_t global_turns, local_turns; /* for all capacities */
  uint64_t ticks;                     /* of all restarts */
  uint64_t restart_ticks;             /* of the last restart of the local search */
  uint64_t retreats_from;             /* the turn from which on retreats follow */
  unsigned retreats;                  /* turns of retreats left at the present path */
  double base, growth, ceiling;       /* failures allowed: initial, now, highest */
};

/* ---------------------------------------------------------------- making */

static void boards_free(void *state) {
  struct boards *boards = state;
  if (!boards) return;
  driver_free(boards->global);
  driver_free(boards->local);
  random_clear(&boards->random);
  free(boards->arrays);
  free(boards);
}

static bool boards_create(const struct method_task *task, void **state) {
  const uint64_t variant = task->variant;
  struct boards *boards = *state = memory_array(1, sizeof *boards);
  if (!boards) return false;
  boards->part = task->part;
  boards->rules = task->rules;
  boards->is_fixed = part_is_fixed(task->part);
  boards->local_turns = task->turns;
  /* Variants other than 0 start with noise, each with another order. */
  if (variant > 0) boards->global_turns = boards->local_turns = 8 * ranking_count() + variant;
  boards->base = variant % 4 == 3 ? 8 : 1;
  boards->retreats_from = variant > 0 ? BOARDS_RACING_RETREATS_FROM : BOARDS_RETREATS_FROM;
  const size_t count = task->part->count;
  const struct memory_part parts[] = {{&boards->merits, count, sizeof *boards->merits},
                                      {&boards->order, count, sizeof *boards->order},
                                      {&boards->rank, count, sizeof *boards->rank}};
  boards->arrays = memory_block(parts, sizeof parts / sizeof *parts);
  boards->findings.peak = NEAP_MAX;
  return boards->arrays && random_init(&boards->random, method_seed(task));
}

/* ---------------------------------------------------------------- orders */

/* Ranks rectangles by offset in the layout to lower, lowest first, with a little noise. */
static void rank_as_guided(struct boards *boards) {
  double most =
      BOARDS_GUIDE_NOISE * (double)boards->turn.capacity / (double)boards->part->steps;
  for (uint32_t i = 0; i < boards->part->count; i++)
    boards->merits[i] = -(double)boards->guide[i] - most * random_share(&boards->random);
  ranking_by_merits(boards->part->count, boards->merits, boards->order, boards->rank);
}

/* Picks the next ranking: first each ranking without noise, then with noise. */
static void rank_items(struct boards *boards, bool global, uint64_t turn) {
  if (boards->guide && turn % BOARDS_GUIDED_EVERY == BOARDS_GUIDED_EVERY - 1) {
    rank_as_guided(boards);
    return;
  }
  /*
   * Longest lifetime first wins so often that it gets every second turn.  The largest area
   * comes next, or the largest size in the local search.
   */
  uint64_t others = ranking_count() - 1;
  size_t which = turn % 2 == 0 ? 0 : (size_t)(1 + (turn / 2 + (global ? 0 : 1)) % others);
  double noise = turn == 0 || (turn % 2 == 1 && turn / 2 < others) ? 0 : BOARDS_NOISE;
  ranking_fill(ranking_at(which), boards->part, noise, &boards->random, boards->merits,
               boards->order, boards->rank);
}

static void boards_guide(void *state, const neap_offset *offsets) {
  struct boards *boards = state;
  boards->guide = offsets;
}

/* ---------------------------------------------------------------- restarts */

/* Continues the driver from its present path. */
static enum verdict run_driver(struct boards *boards, struct driver *driver, double base,
                               struct budget *budget) {
  assert(base >= 1 && boards->growth >= 1 && boards->growth < boards->ceiling * BOARDS_GROWTH);
  enum verdict verdict = driver_run(driver, (uint64_t)(base * boards->growth), budget);
  boards->findings.offsets = driver_offsets(driver);
  if (verdict != VERDICT_REFUTED || !boards->part->is_relaxed) return verdict;
  /* An immediate failure takes no ticks; without this charge, restarts could go on forever. */
  budget_spend(budget, boards->part->count / BOARDS_BUFFERS_PER_TICK);
  return budget_tick(budget) ? VERDICT_OPEN : VERDICT_STOPPED;
}

/* Restarts the driver.  The first restart may fail max(base, least) times; later ones more. */
static enum verdict restart_driver(struct boards *boards, struct driver *driver, double base,
                                   double least, struct budget *budget) {
  driver_start(driver, boards->turn.capacity, boards->rank);
  return run_driver(boards, driver, base < least ? least : base, budget);
}

static enum verdict run_global(struct boards *boards, struct budget *budget) {
  if (!boards->global)
    boards->global = driver_new(board_global_new(boards->part, boards->rules), boards->rules);
  if (!boards->global) return VERDICT_MEMORY;
  if (boards->global_turns % BOARDS_WEIGHTS_LAST == 0) driver_forget(boards->global);
  double count = (double)boards->part->count / 16;
  return restart_driver(boards, boards->global, count * count / 2000, BOARDS_GLOBAL_BASE,
                        budget);
}

static enum verdict run_local(struct boards *boards, struct budget *budget) {
  if (!boards->local) boards->local = driver_new(board_local_new(boards->part), boards->rules);
  if (!boards->local) return VERDICT_MEMORY;
  uint64_t before = budget->ticks;
  double base = (double)boards->part->count / 16;
  enum verdict verdict = restart_driver(boards, boards->local, base, BOARDS_LOCAL_BASE, budget);
  boards->restart_ticks = budget->ticks - before;
  if (verdict == VERDICT_OPEN && !board_global_pays(boards->part) &&
      boards->turn.number >= boards->retreats_from)
    boards->retreats = BOARDS_RETREATS;
  return verdict;
}

/*
 * In a large part, most of a restart repeats placements that were not the cause of the failure.
 * So once a restart is stuck, the search goes back a number of cells and continues with other
 * ranks.  The logarithm of that number is drawn at random, so few retreats are long, and many
 * of them cost as much as one restart.
 */
static enum verdict run_retreats(struct boards *boards, struct budget *budget) {
  struct driver *driver = boards->local;
  /*
   * With obstacles, a failure shows long after the wrong decision, further back than retreats
   * go.
   */
  uint64_t share = boards->is_fixed ? 1 : BOARDS_RETREAT_TICKS;
  uint64_t end = budget->ticks + share * boards->restart_ticks;
  enum verdict verdict = VERDICT_OPEN;
  boards->retreats--;
  while (verdict == VERDICT_OPEN && budget->ticks < end &&
         driver_depth(driver) > 2 * BOARDS_SHORTEST_RETREAT) {
    size_t depth = driver_depth(driver);
    double most = log2((double)depth / BOARDS_SHORTEST_RETREAT);
    size_t back =
        (size_t)(BOARDS_SHORTEST_RETREAT * exp2(random_share(&boards->random) * most));
    assert(back < depth);
    driver_retreat(driver, depth - back);
    rank_items(boards, false, boards->local_turns++);
    driver_rerank(driver, boards->rank);
    verdict = run_driver(boards, driver, BOARDS_LOCAL_BASE, budget);
  }
  if (verdict != VERDICT_OPEN) boards->retreats = 0;
  return verdict;
}

/* ---------------------------------------------------------------- turns */

/* Whether the next restart is the global search's. */
static bool is_global_turn(const struct boards *boards) {
  const struct part *part = boards->part;
  const uint64_t number = boards->turn.number;
  if (!part->is_simple) return true;
  if (boards->lacks_memory || !board_global_pays(part) ||
      (part->count > BOARDS_SMALL && number < 2))
    return false;
  return number % BOARDS_LOCAL_EVERY != BOARDS_LOCAL_EVERY - 1;
}

/* Drops the global search, which needs the most memory, if the local one can go on alone. */
static bool give_up_global(struct boards *boards) {
  if (!boards->global || !boards->part->is_simple) return false;
  driver_free(boards->global);
  boards->global = NULL;
  boards->lacks_memory = true;
  return true;
}

/* Allows more failures per restart, up to the ceiling. */
static void grow(struct boards *boards) {
  boards->growth *= BOARDS_GROWTH;
  if (boards->growth < boards->ceiling) return;
  boards->growth = boards->base;
  boards->ceiling *= 2;
}

static void begin_capacity(struct boards *boards) {
  boards->growth = boards->base;
  boards->ceiling = BOARDS_CEILING * boards->base;
  boards->retreats = 0;
}

static enum verdict restart(struct boards *boards, struct budget *budget) {
  bool global = is_global_turn(boards);
  rank_items(boards, global, global ? boards->global_turns++ : boards->local_turns++);
  enum verdict verdict = global ? run_global(boards, budget) : run_local(boards, budget);
  if (verdict == VERDICT_MEMORY && give_up_global(boards)) verdict = VERDICT_OPEN;
  grow(boards);
  return verdict;
}

static enum verdict boards_step(void *state, const struct turn *turn, struct budget *budget) {
  struct boards *boards = state;
  uint64_t before = budget->ticks;
  if (turn->change != boards->turn.change) begin_capacity(boards);
  boards->turn = *turn;
  if (boards->retreats > 0) return run_retreats(boards, budget);
  enum verdict verdict = restart(boards, budget);
  boards->ticks += budget->ticks - before;
  return verdict;
}

/* ---------------------------------------------------------------- results */

/* Retreats do not count, so that they do not start other methods earlier. */
static uint64_t boards_work(const void *state) {
  const struct boards *boards = state;
  return boards->ticks;
}

const struct method method_boards = {
    .name = "boards",
    .share = {.every = 1},
    .finds_layouts = true,
    .create = boards_create,
    .free = boards_free,
    .step = boards_step,
    .guide = boards_guide,
    .work = boards_work,
};
