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
 * once.  If a part suits both, they take turns.  If most columns are full, half of the restarts
 * search the part with rectangles joined (search/assembler).  If restarts do not succeed soon,
 * other methods take turns with them (search/turns).
 */
#include "search/decider.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "core/knobs.h"
#include "core/memory.h"
#include "search/aligner.h"
#include "search/assembler.h"
#include "search/beamer.h"
#include "search/board_global.h"
#include "search/board_local.h"
#include "search/coarsener.h"
#include "search/descent.h"
#include "search/driver.h"
#include "search/orienter.h"
#include "search/ranking.h"
#include "search/turns.h"

/* Spreads the seeds of variants. */
#define VARIANT UINT64_C(0x9e3779b97f4a7c15)

struct decider {
  const struct part *part;
  struct rules rules;
  struct driver *global, *local; /* each created on first use */
  struct assembler *assembler;   /* NULL if it does not support the part */
  struct aligner *aligner;       /* likewise */
  struct beamer *beamer;         /* likewise */
  struct descent *descent;       /* likewise */
  struct orienter *orienter;     /* likewise */
  struct coarsener *coarsener;   /* created on first use */
  struct random random;
  uint64_t seed;
  void *arrays; /* the block of merits, order, rank and guide */
  double *merits;
  uint32_t *order, *rank;
  const neap_offset *offsets; /* of the last layout found */
  neap_offset *guide;         /* the layout to lower: offsets in units */
  bool lacks_memory;          /* the global search ran out of memory */
  bool is_guided;
  neap_size goal;                     /* the capacity wanted in the end */
  neap_size capacity;                 /* of the last restart */
  uint64_t restarts;                  /* for that capacity */
  uint64_t global_turns, local_turns; /* for all capacities */
  struct turns turns;
  uint64_t restart_ticks;       /* of the last restart of the local search */
  uint64_t retreats_from;       /* the restart from which on retreats follow */
  unsigned retreats;            /* turns of retreats left at the present path */
  double base, growth, ceiling; /* failures allowed: initial, now, highest */
};

/*
 * Searches add heights to heights and use large numbers for "out of reach", so sums must stay far
 * below NEAP_MAX.
 */
bool decider_suits(const struct part *part) {
  return part->extent < NEAP_MAX / 16 && (part->is_simple || board_global_fits(part));
}

/* Whether only the local search is suitable. */
static bool is_local(const struct part *part) {
  return part->is_simple && (part->is_relaxed || part->count > DECIDER_MEDIUM);
}

/* Creates the methods that support the part; false if memory is short. */
static bool make_methods(struct decider *decider, uint64_t variant) {
  const struct part *part = decider->part;
  const struct rules rules = decider->rules;
  const uint64_t seed = decider->seed, own = seed + variant * VARIANT;
  if (!random_init(&decider->random, own) ||
      !assembler_new(&decider->assembler, part, rules, seed) ||
      !aligner_new(&decider->aligner, part, rules, seed, variant) ||
      !descent_new(&decider->descent, part, rules, own) ||
      (variant == 0 && !orienter_new(&decider->orienter, part, rules)) ||
      (!is_local(part) && !beamer_new(&decider->beamer, part, rules, own)))
    return false;
  bool *is_there = decider->turns.is_there;
  is_there[METHOD_COARSER] =
      rules.coarsening && variant == 0; /* one thread suffices: all threads share its bound */
  is_there[METHOD_ORIENTER] = decider->orienter != NULL;
  is_there[METHOD_EJECTION] = decider->descent != NULL;
  is_there[METHOD_ALIGNER] = decider->aligner != NULL;
  is_there[METHOD_BEAMS] = decider->beamer != NULL;
  return true;
}

struct decider *decider_new(const struct part *part, struct rules rules, uint64_t seed,
                            uint64_t variant) {
  assert(decider_suits(part));
  struct decider *decider = memory_array(1, sizeof *decider);
  if (!decider) return NULL;
  decider->part = part;
  decider->rules = rules;
  decider->seed = seed;
  /* Variants other than 0 start with noise, each with another order. */
  if (variant > 0) decider->global_turns = decider->local_turns = 8 * ranking_count() + variant;
  decider->base = variant % 4 == 3 ? 8 : 1;
  decider->retreats_from = variant > 0 ? DECIDER_RACING_RETREATS_FROM : DECIDER_RETREATS_FROM;
  decider->capacity = -1;
  decider->goal = NEAP_MAX;
  decider->turns = turns_for(part);
  const struct memory_part parts[] = {{&decider->merits, part->count, sizeof *decider->merits},
                                      {&decider->guide, part->count, sizeof *decider->guide},
                                      {&decider->order, part->count, sizeof *decider->order},
                                      {&decider->rank, part->count, sizeof *decider->rank}};
  decider->arrays = memory_block(parts, sizeof parts / sizeof *parts);
  if (decider->arrays && make_methods(decider, variant)) return decider;
  decider_free(decider);
  return NULL;
}

void decider_free(struct decider *decider) {
  if (!decider) return;
  driver_free(decider->global);
  driver_free(decider->local);
  beamer_free(decider->beamer);
  descent_free(decider->descent);
  coarsener_free(decider->coarsener);
  orienter_free(decider->orienter);
  assembler_free(decider->assembler);
  aligner_free(decider->aligner);
  random_clear(&decider->random);
  free(decider->arrays);
  free(decider);
}

/* Whether the next turn is the global search's. */
static bool is_global_turn(const struct decider *decider) {
  const struct part *part = decider->part;
  if (!part->is_simple) return true;
  if (decider->lacks_memory || is_local(part) ||
      (part->count > DECIDER_SMALL && decider->restarts < 2))
    return false;
  return decider->restarts % 8 != 7;
}

/* Continues the driver from its present path. */
static enum verdict run_driver(struct decider *decider, struct driver *driver, double base,
                               struct budget *budget) {
  assert(base >= 1 && decider->growth >= 1 &&
         decider->growth < decider->ceiling * DECIDER_GROWTH);
  enum verdict verdict = driver_run(driver, (uint64_t)(base * decider->growth), budget);
  decider->offsets = driver_offsets(driver);
  if (verdict != VERDICT_REFUTED || !decider->part->is_relaxed) return verdict;
  /* An immediate failure takes no ticks; without this charge, restarts could go on forever. */
  budget_spend(budget, decider->part->count / DECIDER_BUFFERS_PER_TICK);
  return budget_tick(budget) ? VERDICT_OPEN : VERDICT_STOPPED;
}

/* Restarts the driver.  The first restart may fail max(base, least) times; later ones more. */
static enum verdict restart_driver(struct decider *decider, struct driver *driver, double base,
                                   double least, struct budget *budget) {
  driver_start(driver, decider->capacity, decider->rank);
  return run_driver(decider, driver, base < least ? least : base, budget);
}

static enum verdict run_global(struct decider *decider, struct budget *budget) {
  if (!decider->global)
    decider->global =
        driver_new(board_global_new(decider->part, decider->rules), decider->rules);
  if (!decider->global) return VERDICT_MEMORY;
  if (decider->global_turns % DECIDER_WEIGHTS_LAST == 0) driver_forget(decider->global);
  double count = (double)decider->part->count / 16;
  return restart_driver(decider, decider->global, count * count / 2000, DECIDER_GLOBAL_BASE,
                        budget);
}

/* Ranks rectangles by offset in the layout to lower, lowest first, with a little noise. */
static void rank_as_guided(struct decider *decider) {
  assert(decider->is_guided);
  double most = DECIDER_GUIDE_NOISE * (double)decider->capacity / (double)decider->part->steps;
  for (uint32_t i = 0; i < decider->part->count; i++) {
    decider->merits[i] = -(double)decider->guide[i] - most * random_share(&decider->random);
  }
  ranking_by_merits(decider->part->count, decider->merits, decider->order, decider->rank);
}

static enum verdict run_assembler(struct decider *decider, struct budget *budget) {
  enum verdict verdict = assembler_restart(decider->assembler, decider->capacity, budget);
  decider->offsets = assembler_offsets(decider->assembler);
  return verdict;
}

static enum verdict run_aligner(struct decider *decider, struct budget *budget) {
  enum verdict verdict = aligner_restart(decider->aligner, decider->capacity, budget);
  decider->offsets = aligner_offsets(decider->aligner);
  if (decider->descent && aligner_peak(decider->aligner) < descent_peak(decider->descent))
    decider->turns.ejection_leads = false;
  return verdict;
}

static enum verdict run_descent(struct decider *decider, struct budget *budget) {
  neap_size goal = decider->goal < decider->capacity ? decider->goal : decider->capacity;
  enum verdict verdict = descent_restart(decider->descent, decider->capacity, goal, budget);
  if (decider->aligner && descent_peak(decider->descent) < aligner_peak(decider->aligner))
    decider->turns.ejection_leads = true;
  if (verdict == VERDICT_FOUND) decider->offsets = descent_offsets(decider->descent);
  return verdict;
}

static enum verdict run_beamer(struct decider *decider, struct budget *budget) {
  enum verdict verdict =
      beamer_restart(decider->beamer, decider->capacity, decider->goal, budget);
  if (verdict == VERDICT_FOUND) decider->offsets = beamer_offsets(decider->beamer);
  return verdict;
}

static enum verdict run_orienter(struct decider *decider, struct budget *budget) {
  enum verdict verdict = orienter_restart(decider->orienter, decider->capacity, budget);
  if (verdict == VERDICT_FOUND) decider->offsets = orienter_offsets(decider->orienter);
  return verdict;
}

static enum verdict run_coarsener(struct decider *decider, struct budget *budget) {
  if (!decider->coarsener &&
      !coarsener_new(&decider->coarsener, decider->part, decider->rules, decider->seed))
    return VERDICT_MEMORY;
  enum verdict verdict = VERDICT_OPEN;
  if (decider->coarsener)
    verdict = coarsener_restart(decider->coarsener, decider->capacity, budget);
  decider->turns.is_there[METHOD_COARSER] =
      decider->coarsener && !coarsener_is_done(decider->coarsener);
  return verdict;
}

/* Drops a method that ran out of memory, if the others can do without it. */
static bool give_up(struct decider *decider, enum method method) {
  switch (method) {
  case METHOD_BEAMS:
    beamer_free(decider->beamer);
    decider->beamer = NULL;
    break;
  case METHOD_EJECTION:
    descent_free(decider->descent);
    decider->descent = NULL;
    break;
  case METHOD_COARSER:
    coarsener_free(decider->coarsener);
    decider->coarsener = NULL;
    break;
  default:
    return false;
  }
  decider->turns.is_there[method] = false;
  return true;
}

/* Picks the next ranking: first each ranking without noise, then with noise. */
static void rank_items(struct decider *decider, bool global, uint64_t turn) {
  if (decider->is_guided && turn % 4 == 3) {
    rank_as_guided(decider);
    return;
  }
  /*
   * Longest lifetime first wins so often that it gets every second turn.  The largest area
   * comes next, or the largest size in the local search.
   */
  uint64_t others = ranking_count() - 1;
  size_t which = turn % 2 == 0 ? 0 : (size_t)(1 + (turn / 2 + (global ? 0 : 1)) % others);
  double noise = turn == 0 || (turn % 2 == 1 && turn / 2 < others) ? 0 : DECIDER_NOISE;
  ranking_fill(ranking_at(which), decider->part, noise, &decider->random, decider->merits,
               decider->order, decider->rank);
}

/*
 * In a large part, most of a restart repeats placements that were not the cause of the failure.
 * So once a restart is stuck, the search goes back a number of cells and continues with other
 * ranks.  The logarithm of that number is drawn at random, so few retreats are long, and many
 * of them cost as much as one restart.
 */
static enum verdict run_retreats(struct decider *decider, struct budget *budget) {
  struct driver *driver = decider->local;
  /*
   * With obstacles, a failure shows long after the wrong decision, further back than retreats
   * go.
   */
  uint64_t share = decider->turns.is_fixed ? 1 : DECIDER_RETREAT_TICKS;
  uint64_t end = budget->ticks + share * decider->restart_ticks;
  enum verdict verdict = VERDICT_OPEN;
  decider->retreats--;
  while (verdict == VERDICT_OPEN && budget->ticks < end &&
         driver_depth(driver) > 2 * DECIDER_SHORTEST_RETREAT) {
    size_t depth = driver_depth(driver);
    double most = log2((double)depth / DECIDER_SHORTEST_RETREAT);
    size_t back =
        (size_t)(DECIDER_SHORTEST_RETREAT * exp2(random_share(&decider->random) * most));
    assert(back < depth);
    driver_retreat(driver, depth - back);
    rank_items(decider, false, decider->local_turns++);
    driver_rerank(driver, decider->rank);
    verdict = run_driver(decider, driver, DECIDER_LOCAL_BASE, budget);
  }
  if (verdict != VERDICT_OPEN) decider->retreats = 0;
  return verdict;
}

static enum verdict run_local(struct decider *decider, struct budget *budget) {
  if (!decider->local)
    decider->local = driver_new(board_local_new(decider->part), decider->rules);
  if (!decider->local) return VERDICT_MEMORY;
  uint64_t before = budget->ticks;
  double base = (double)decider->part->count / 16;
  enum verdict verdict =
      restart_driver(decider, decider->local, base, DECIDER_LOCAL_BASE, budget);
  decider->restart_ticks = budget->ticks - before;
  if (verdict == VERDICT_OPEN && is_local(decider->part) &&
      decider->restarts >= decider->retreats_from)
    decider->retreats = DECIDER_RETREATS;
  return verdict;
}

/* Drops the global search, which needs the most memory, if the local one can go on alone. */
static bool give_up_global(struct decider *decider) {
  if (!decider->global || !decider->part->is_simple) return false;
  driver_free(decider->global);
  decider->global = NULL;
  decider->lacks_memory = true;
  return true;
}

static void begin_capacity(struct decider *decider, neap_size capacity) {
  decider->capacity = capacity;
  decider->restarts = 0;
  decider->growth = decider->base;
  decider->ceiling = DECIDER_CEILING * decider->base;
  decider->retreats = 0;
}

/* Allows more failures per restart, up to the ceiling. */
static void grow(struct decider *decider) {
  decider->growth *= DECIDER_GROWTH;
  if (decider->growth < decider->ceiling) return;
  decider->growth = decider->base;
  decider->ceiling *= 2;
}

static enum verdict run_board(struct decider *decider, struct budget *budget) {
  bool global = is_global_turn(decider);
  rank_items(decider, global, global ? decider->global_turns++ : decider->local_turns++);
  enum verdict verdict = global ? run_global(decider, budget) : run_local(decider, budget);
  if (verdict == VERDICT_MEMORY && give_up_global(decider)) verdict = VERDICT_OPEN;
  grow(decider);
  return verdict;
}

static enum verdict run_method(struct decider *decider, enum method method,
                               struct budget *budget) {
  switch (method) {
  case METHOD_COARSER:
    return run_coarsener(decider, budget);
  case METHOD_ORIENTER:
    return run_orienter(decider, budget);
  case METHOD_EJECTION:
    return run_descent(decider, budget);
  case METHOD_ALIGNER:
    return run_aligner(decider, budget);
  case METHOD_BEAMS:
    return run_beamer(decider, budget);
  default:
    return run_board(decider, budget);
  }
}

/* Gives a method one turn. */
static enum verdict take_turn(struct decider *decider, enum method method,
                              struct budget *budget) {
  uint64_t before = budget->ticks;
  enum verdict verdict = run_method(decider, method, budget);
  decider->turns.ticks[method] += budget->ticks - before;
  return verdict == VERDICT_MEMORY && give_up(decider, method) ? VERDICT_OPEN : verdict;
}

static enum verdict search_on(struct decider *decider, struct budget *budget) {
  if (decider->assembler && decider->restarts % 2 == 0) return run_assembler(decider, budget);
  /* The coarsener can only refute, so its turns do not count as restarts for the capacity. */
  while (turns_is_due(&decider->turns, METHOD_COARSER)) {
    enum verdict verdict = take_turn(decider, METHOD_COARSER, budget);
    if (verdict != VERDICT_OPEN) return verdict;
  }
  enum method method = turns_next(&decider->turns);
  if (method == METHOD_BOARDS && decider->retreats > 0) return run_retreats(decider, budget);
  return take_turn(decider, method, budget);
}

enum verdict decider_restart(struct decider *decider, neap_size capacity,
                             struct budget *budget) {
  assert(capacity >= 0);
  if (capacity != decider->capacity) begin_capacity(decider, capacity);
  enum verdict verdict = search_on(decider, budget);
  decider->restarts++;
  return verdict;
}

void decider_guide(struct decider *decider, const neap_offset *offsets) {
  assert(decider->part->unit > 0);
  for (uint32_t i = 0; i < decider->part->count; i++)
    decider->guide[i] = offsets[decider->part->buffer[i]] / decider->part->unit;
  decider->is_guided = true;
  if (decider->aligner) aligner_guide(decider->aligner, decider->guide);
  if (decider->descent) descent_guide(decider->descent, decider->guide);
  if (decider->orienter) orienter_guide(decider->orienter, decider->guide);
  if (decider->beamer) beamer_know(decider->beamer, part_peak(decider->part, decider->guide));
}

neap_size decider_proven(const struct decider *decider) {
  neap_size coarser = decider->coarsener ? coarsener_proven(decider->coarsener) : 0;
  neap_size oriented = decider->orienter ? orienter_proven(decider->orienter) : 0;
  return coarser > oriented ? coarser : oriented;
}

void decider_aim(struct decider *decider, neap_size goal) { decider->goal = goal; }

bool decider_improved(struct decider *decider, neap_size peak) {
  const neap_offset *offsets = NULL;
  if (decider->aligner && aligner_peak(decider->aligner) < peak) {
    peak = aligner_peak(decider->aligner);
    offsets = aligner_offsets(decider->aligner);
  }
  if (decider->descent && descent_peak(decider->descent) < peak) {
    peak = descent_peak(decider->descent);
    offsets = descent_offsets(decider->descent);
  }
  if (decider->orienter && orienter_peak(decider->orienter) < peak) {
    peak = orienter_peak(decider->orienter);
    offsets = orienter_offsets(decider->orienter);
  }
  if (decider->beamer && beamer_peak(decider->beamer) < peak)
    offsets = beamer_offsets(decider->beamer);
  if (offsets) decider->offsets = offsets;
  return offsets != NULL;
}

const neap_offset *decider_offsets(const struct decider *decider) { return decider->offsets; }
