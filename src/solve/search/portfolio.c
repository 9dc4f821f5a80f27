/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * No method is best for all parts, so they share the work (an algorithm portfolio, Gomes and
 * Selman 2001).  Depth-first search on boards goes first, because it usually succeeds immediately.
 * Every other method has a share (method.share): it may spend that multiple of the boards' work,
 * or of the work of all methods that look for layouts, once that work has reached a minimum.
 * Each turn goes to the first method of the table that has not used up its share, and to the
 * boards if all have.
 *
 * Droppable methods are given up if they run out of memory.
 *
 * The shares are from MiniMalloc's instances, with and without fixed offsets and alignments.
 */
#include "search/portfolio.h"

#include <assert.h>
#include <stdlib.h>

#include "core/knobs.h"
#include "core/memory.h"
#include "search/boards/board_global.h"

struct portfolio {
  struct method_task task;
  struct ledger ledger;
  void *states[METHODS_MOST]; /* NULL: not created yet, or not there */
  neap_offset *guide;         /* the layout to lower: offsets in units */
  const neap_offset *offsets; /* of the last layout found */
  neap_size proven;
  struct turn turn; /* the next one */
};

/* ---------------------------------------------------------------- sharing the work */

struct ledger ledger_for(const struct part *part) {
  return (struct ledger){.leader = METHODS_MOST,
                         .count = part->count,
                         .is_tied = part->ties != NULL,
                         .is_fixed = part_is_fixed(part),
                         .is_aligned = !part->is_unaligned};
}

/* Whether a method looks for layouts; others prove more than they find. */
static bool is_finder(size_t m) {
  return methods[m]->finds_layouts && !methods[m]->proves_bounds;
}

/* The work that a method's share counts from. */
static uint64_t work_of_others(const struct ledger *ledger, size_t method) {
  uint64_t work = ledger->work[method_count - 1];
  if (!methods[method]->share.is_of_finders) return work;
  for (size_t m = 0; m + 1 < method_count; m++)
    if (m != method && is_finder(m)) work += ledger->work[m];
  return work;
}

static size_t case_of(const struct ledger *ledger, size_t method, uint64_t others) {
  const bool is_small = ledger->count <= PORTFOLIO_SMALL;
  const bool applies[SHARE_CASES] = {
      [SHARE_TIED] = ledger->is_tied,
      [SHARE_EARLY] = is_small && ledger->work[method] < PORTFOLIO_EARLY,
      [SHARE_SMALL] = is_small,
      [SHARE_STUCK] = ledger->is_fixed && others >= PORTFOLIO_STUCK_FROM,
      [SHARE_FIXED] = ledger->is_fixed,
      [SHARE_LEADING] = ledger->leader == method,
      [SHARE_ALIGNED] = ledger->is_aligned,
      [SHARE_USUAL] = true};
  const double *ratio = methods[method]->share.ratio;
  size_t which = 0;
  while (which < SHARE_USUAL && !(applies[which] && ratio[which] > 0))
    which++;
  return which;
}

bool ledger_is_due(const struct ledger *ledger, size_t method, uint64_t turn) {
  const struct share *share = &methods[method]->share;
  if (!ledger->is_there[method]) return false;
  if (share->every > 0) return turn % share->every == 0;
  uint64_t others = work_of_others(ledger, method), from = share->from;
  size_t which = case_of(ledger, method, others);
  if (which == SHARE_ALIGNED && share->from_each > 0) from = share->from_each * ledger->count;
  return others >= from && (double)ledger->work[method] < share->ratio[which] * (double)others;
}

/* ---------------------------------------------------------------- making */

/*
 * Searches add heights to heights and use large numbers for "out of reach", so sums must stay far
 * below NEAP_MAX.
 */
bool portfolio_suits(const struct part *part) {
  return part->extent < NEAP_MAX / 16 && (part->is_simple || board_global_fits(part));
}

static void drop(struct portfolio *portfolio, size_t m) {
  methods[m]->free(portfolio->states[m]);
  portfolio->states[m] = NULL;
  portfolio->ledger.is_there[m] = false;
}

/* False when memory is short. */
static bool create(struct portfolio *portfolio, size_t m) {
  assert(!portfolio->states[m]);
  bool made = methods[m]->create(&portfolio->task, &portfolio->states[m]);
  if (!made) drop(portfolio, m);
  portfolio->ledger.is_there[m] = !made || portfolio->states[m];
  return made;
}

/*
 * Creates the methods that take guides, so that they miss no guide.  Other methods are created
 * for their first turns, because many parts are solved before.
 */
static bool make_methods(struct portfolio *portfolio) {
  const struct method_task *task = &portfolio->task;
  for (size_t m = 0; m < method_count; m++) {
    portfolio->ledger.is_there[m] = !(task->rules.disabled >> m & 1);
    if (portfolio->ledger.is_there[m] && methods[m]->guide && !create(portfolio, m))
      return false;
  }
  return true;
}

struct portfolio *portfolio_new(struct method_task task) {
  assert(portfolio_suits(task.part));
  struct portfolio *portfolio = memory_array(1, sizeof *portfolio);
  if (!portfolio) return NULL;
  portfolio->task = task;
  portfolio->ledger = ledger_for(task.part);
  portfolio->turn = (struct turn){.capacity = -1, .goal = NEAP_MAX};
  portfolio->guide = memory_array(task.part->count, sizeof *portfolio->guide);
  if (portfolio->guide && make_methods(portfolio)) return portfolio;
  portfolio_free(portfolio);
  return NULL;
}

void portfolio_free(struct portfolio *portfolio) {
  if (!portfolio) return;
  for (size_t m = 0; m < method_count; m++)
    drop(portfolio, m);
  free(portfolio->guide);
  free(portfolio);
}

/* ---------------------------------------------------------------- turns */

static neap_size peak_of(const struct portfolio *portfolio, size_t m) {
  const struct findings *found = portfolio->states[m];
  return found ? found->peak : NEAP_MAX;
}

/* After the turn of a local search: whether it has overtaken all others. */
static void update_leader(struct portfolio *portfolio, size_t searched) {
  bool leads = false;
  for (size_t m = 0; m < method_count; m++) {
    if (m == searched || !methods[m]->is_local_search || !portfolio->states[m]) continue;
    if (peak_of(portfolio, m) <= peak_of(portfolio, searched)) return;
    leads = true;
  }
  if (leads) portfolio->ledger.leader = searched;
}

static void learn(struct portfolio *portfolio, size_t m, enum verdict verdict) {
  const struct method *method = methods[m];
  const struct findings *found = portfolio->states[m];
  if (verdict == VERDICT_FOUND) portfolio->offsets = found->offsets;
  if (found->proven > portfolio->proven) portfolio->proven = found->proven;
  if (method->is_local_search) update_leader(portfolio, m);
  if (method->is_done && method->is_done(found)) portfolio->ledger.is_there[m] = false;
}

/* Gives a method one turn. */
static enum verdict take_turn(struct portfolio *portfolio, size_t m, struct budget *budget) {
  const struct method *method = methods[m];
  uint64_t *work = &portfolio->ledger.work[m], before = budget->ticks;
  bool is_short = !portfolio->states[m] && !create(portfolio, m);
  if (!is_short && !portfolio->states[m]) return VERDICT_OPEN;
  enum verdict verdict =
      is_short ? VERDICT_MEMORY : method->step(portfolio->states[m], &portfolio->turn, budget);
  if (verdict == VERDICT_MEMORY && method->is_droppable) drop(portfolio, m);
  if (verdict == VERDICT_MEMORY) return method->is_droppable ? VERDICT_OPEN : verdict;
  *work = method->work ? method->work(portfolio->states[m]) : *work + budget->ticks - before;
  learn(portfolio, m, verdict);
  return verdict;
}

/*
 * A turn ends with a verdict, or once a method has looked for a layout.  A method that can only
 * refute leaves the turn to another one.
 */
static enum verdict search(struct portfolio *portfolio, struct budget *budget) {
  for (size_t m = 0;; m++) {
    assert(m < method_count);
    while (ledger_is_due(&portfolio->ledger, m, portfolio->turn.number)) {
      enum verdict verdict = take_turn(portfolio, m, budget);
      if (verdict != VERDICT_OPEN || (portfolio->states[m] && methods[m]->finds_layouts))
        return verdict;
    }
  }
}

enum verdict portfolio_step(struct portfolio *portfolio, neap_size capacity,
                            struct budget *budget) {
  struct turn *turn = &portfolio->turn;
  assert(capacity >= 0);
  if (capacity != turn->capacity) {
    turn->capacity = capacity;
    turn->number = 0;
    turn->change++;
  }
  enum verdict verdict = search(portfolio, budget);
  turn->number++;
  return verdict;
}

void portfolio_guide(struct portfolio *portfolio, const neap_offset *offsets) {
  const struct part *part = portfolio->task.part;
  assert(part->unit > 0);
  for (uint32_t i = 0; i < part->count; i++)
    portfolio->guide[i] = offsets[part->buffer[i]] / part->unit;
  for (size_t m = 0; m < method_count; m++)
    if (portfolio->states[m] && methods[m]->guide)
      methods[m]->guide(portfolio->states[m], portfolio->guide);
}

void portfolio_aim(struct portfolio *portfolio, neap_size goal) { portfolio->turn.goal = goal; }

/* ---------------------------------------------------------------- results */

neap_size portfolio_proven(const struct portfolio *portfolio) { return portfolio->proven; }

bool portfolio_improved(struct portfolio *portfolio, neap_size peak) {
  bool is_lower = false;
  for (size_t m = method_count; m-- > 0;) {
    const struct findings *found = portfolio->states[m];
    if (peak_of(portfolio, m) >= peak) continue;
    peak = found->peak;
    portfolio->offsets = found->offsets;
    is_lower = true;
  }
  return is_lower;
}

const neap_offset *portfolio_offsets(const struct portfolio *portfolio) {
  return portfolio->offsets;
}
