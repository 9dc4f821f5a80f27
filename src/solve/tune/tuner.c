/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The iterative tuner.  There are two kinds of rounds:
 *
 *   - Rounds of the source text (tune/reorderer): classify buffers by risk, group them by
 *     overlap, find new orders for the groups, and place all buffers again.  With every
 *     rearranger except `repack`, all rounds are of this kind, and begin with one sorted order.
 *   - Rounds that take groups out of the layout, search for lower layouts of them, and put
 *     them back (tune/repacker).
 *
 * With `repack`, several sorted orders come first; each one that lowers the peak counts as a
 * round.  Afterwards, both kinds share the work.  The rounds of the source text begin with the
 * sorted order whose layout has the least area above the bound, and switch to the next sorted
 * order whenever an order repeats.  Layouts that they find are repacked.
 *
 * The best round is kept: the one with the lowest peak, then with the least area and the fewest
 * buffers above the bound (facts/excess).
 */
#include "tune/tuner.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/knobs.h"
#include "core/memory.h"
#include "facts/columns.h"
#include "facts/excess.h"
#include "facts/risk.h"
#include "model/moves.h"
#include "order/spec.h"
#include "search/method.h"
#include "tune/reorderer.h"
#include "tune/repacker.h"
#include "tune/shares.h"

/* The kinds of rounds with `repack`. */
enum { ROUND_REPACK, ROUND_REORDER, ROUND_KINDS };

#define LINES_MOST 16

/* A sorted order from which rounds of the source text begin. */
struct line {
  struct order_spec spec;
  int64_t area; /* the area above the bound of the layout of this order */
};

struct tuner {
  const struct neap_problem *problem;
  struct tuner_settings settings;
  struct budget *budget;
  struct sections sections;
  struct random random;
  struct reorderer *reorderer;
  struct repacker *repacker; /* created when first needed */
  struct moves moves;        /* of the last round, if they are kept */
  struct shares shares;
  struct line lines[LINES_MOST]; /* by ascending area */
  size_t line_count, next_line;
  bool line_is_open;
  size_t preset;       /* the next preset to try */
  uint64_t settled;    /* the ticks when the layout was last settled */
  neap_offset *layout; /* the layout nearest to the bound so far, which is repacked */
  struct excess excess;
  const neap_offset *last; /* the layout of the last round */
  neap_offset *best;
  struct excess best_excess; /* its peak is NEAP_UNPLACED before the first round */
  unsigned char *risks;      /* scratch */
  uint64_t round;
};

/* ---------------------------------------------------------------- neighbourhoods */

bool tuner_part_at(size_t index, const char **name, const char **summary) {
  static const struct {
    const char *name, *summary;
  } rows[] = {
      [NEIGHBOURHOOD_GROUPS] = {"groups", "take groups of buffers out and put them back lower"},
      [NEIGHBOURHOOD_EVERYTHING] = {"everything", "sometimes make a group of all buffers"},
      [NEIGHBOURHOOD_WHOLE] = {"whole", "continue a search over all buffers between groups"},
      [NEIGHBOURHOOD_ROUNDED] = {"rounded", "continue another one with sizes rounded up to "
                                            "all alignments, where these differ"},
      [NEIGHBOURHOOD_ORDERS] = {"orders", "try new orders of groups between repacked groups"},
  };
  if (method_rule_at(index, name, summary)) return true;
  index -= method_rule_count();
  if (index >= NEIGHBOURHOODS) return false;
  *name = rows[index].name;
  *summary = rows[index].summary;
  return true;
}

/* ---------------------------------------------------------------- making */

static bool repacks(const struct tuner *tuner) { return tuner->settings.rearranger->repacks; }

static neap_status init_reorderer(struct tuner *tuner, neap_error *error) {
  const struct tuner_settings *settings = &tuner->settings;
  struct reorderer_task task = {
      .problem = tuner->problem,
      .sections = &tuner->sections,
      .rule = settings->rule,
      .rearranger =
          repacks(tuner) ? rearranger_at(rearranger_index_of_orders()) : settings->rearranger,
      .grouping = settings->grouping,
      .max_rounds = repacks(tuner) ? UINT64_MAX : settings->max_rounds,
      .max_group_rounds = settings->max_group_rounds,
      .bound = settings->bound,
      .random = &tuner->random,
      .budget = tuner->budget};
  return reorderer_new(&tuner->reorderer, &task, error);
}

static neap_status init_parts(struct tuner *tuner, neap_error *error) {
  size_t count = tuner->problem->count;
  tuner->best_excess.peak = tuner->excess.peak = NEAP_UNPLACED;
  tuner->preset = tuner->settings.incumbent ? 0 : 1; /* the first round tries the first one */
  shares_init(&tuner->shares, ROUND_KINDS);
  tuner->shares.ways[ROUND_REPACK].worth = TUNER_REPACK_WORTH;
  tuner->risks = memory_array(count, 1);
  tuner->best = memory_array(count, sizeof *tuner->best);
  tuner->layout = memory_array(count, sizeof *tuner->layout);
  if (!tuner->risks || !tuner->best || !tuner->layout ||
      !random_init(&tuner->random, tuner->settings.seed))
    return error_memory(error);
  neap_status status = columns_init_within(&tuner->sections, tuner->problem, SECTIONS_ALL,
                                           tuner->budget, error);
  if (status == NEAP_OK) status = init_reorderer(tuner, error);
  return status == NEAP_OK && !repacks(tuner)
             ? reorderer_start(tuner->reorderer, &tuner->settings.order, error)
             : status;
}

neap_status tuner_new(struct tuner **tuner, const struct neap_problem *problem,
                      const struct tuner_settings *settings, struct budget *budget,
                      neap_error *error) {
  struct tuner *made = memory_array(1, sizeof *made);
  if (!made) return error_memory(error);
  made->problem = problem;
  made->settings = *settings;
  made->budget = budget;
  neap_status status = init_parts(made, error);
  if (status == NEAP_OK) *tuner = made;
  else tuner_free(made);
  return status;
}

void tuner_free(struct tuner *tuner) {
  if (!tuner) return;
  reorderer_free(tuner->reorderer);
  repacker_free(tuner->repacker);
  moves_clear(&tuner->moves);
  random_clear(&tuner->random);
  sections_clear(&tuner->sections);
  free(tuner->risks);
  free(tuner->layout);
  free(tuner->best);
  free(tuner);
}

/* ---------------------------------------------------------------- layouts */

static struct excess measure(const struct tuner *tuner, const neap_offset *offsets) {
  return excess_measure(tuner->problem, offsets, tuner->settings.bound);
}

/*
 * Whether a layout is nearer to the bound than another, and so a better start for repacking.
 * The area above the bound decides, not the peak: a small area is easier to remove than a large
 * one, however high it reaches.
 */
static bool is_nearer(const struct excess *excess, const struct excess *other) {
  if (other->peak == NEAP_UNPLACED || excess->area == 0) return true;
  return excess->area < other->area;
}

static void copy_layout(const struct tuner *tuner, neap_offset *to, const neap_offset *from) {
  memcpy(to, from, tuner->problem->count * sizeof *to);
}

/*
 * Keeps the round if it is the best.  Among equal peaks, less area above the bound is nearer to
 * a lower peak.
 */
static void keep_if_best(struct tuner *tuner, neap_round *round) {
  struct excess excess = measure(tuner, tuner->last);
  bool is_first = tuner->best_excess.peak == NEAP_UNPLACED;
  round->peak = excess.peak;
  round->improved = is_first || excess.peak < tuner->best_excess.peak;
  if (!is_first && !excess_is_less(&excess, &tuner->best_excess)) return;
  tuner->best_excess = excess;
  copy_layout(tuner, tuner->best, tuner->last);
}

/* Whether this round's layout has a lower peak than all earlier ones. */
static bool is_lowest(const struct tuner *tuner) {
  return problem_peak(tuner->problem, tuner->last) < tuner->best_excess.peak;
}

/* If a layout is nearer to the bound, adopts it for the next rounds to repack. */
static bool take_if_nearer(struct tuner *tuner, const neap_offset *offsets,
                           const struct excess *excess) {
  if (!is_nearer(excess, &tuner->excess)) return false;
  tuner->excess = *excess;
  copy_layout(tuner, tuner->layout, offsets);
  if (tuner->repacker) repacker_refresh(tuner->repacker);
  return true;
}

/*
 * Measures the layout that the reorderer has made, and adopts it if it is nearer to the bound.
 * A layout that is nearer, or has the lowest peak so far, is the layout of this round.
 */
static struct excess take_placed(struct tuner *tuner) {
  struct excess excess = measure(tuner, reorderer_layout(tuner->reorderer));
  tuner->last = reorderer_layout(tuner->reorderer);
  if (take_if_nearer(tuner, tuner->last, &excess) || !is_lowest(tuner))
    tuner->last = tuner->layout;
  return excess;
}

/* ---------------------------------------------------------------- the first round */

static void add_line(struct tuner *tuner, const struct order_spec *spec, int64_t area) {
  size_t at = tuner->line_count;
  if (at == LINES_MOST) return;
  for (tuner->line_count++; at > 0 && tuner->lines[at - 1].area > area; at--)
    tuner->lines[at] = tuner->lines[at - 1];
  tuner->lines[at] = (struct line){*spec, area};
}

/* Restarts the reorderer, which places all buffers in a sorted order. */
static neap_status place_sorted(struct tuner *tuner, const struct order_spec *spec,
                                neap_error *error) {
  neap_round ignored = NEAP_INIT(neap_round);
  bool stop;
  neap_stop_reason reason;
  neap_status status = reorderer_start(tuner->reorderer, spec, error);
  return status == NEAP_OK ? reorderer_step(tuner->reorderer, &ignored, &stop, &reason, error)
                           : status;
}

/* Places all buffers in a sorted order, and adopts the layout if it is nearer to the bound. */
static neap_status try_order(struct tuner *tuner, const struct order_spec *spec,
                             neap_error *error) {
  neap_status status = place_sorted(tuner, spec, error);
  if (status != NEAP_OK) return status;
  add_line(tuner, spec, take_placed(tuner).area);
  return NEAP_OK;
}

static neap_status try_preset(struct tuner *tuner, neap_error *error) {
  struct order_spec spec;
  neap_status status = order_spec_parse(&spec, order_preset(tuner->preset++), error);
  assert(status == NEAP_OK);
  return status == NEAP_OK ? try_order(tuner, &spec, error) : status;
}

/* Tries the orders until one of them has a layout. */
static neap_status try_orders(struct tuner *tuner, neap_error *error) {
  neap_status status = try_order(tuner, &tuner->settings.order, error);
  while (status == NEAP_INFEASIBLE && tuner->settings.tries_presets &&
         order_preset(tuner->preset))
    status = try_preset(tuner, error);
  return status;
}

/* The first round: the sorted layout, or the incumbent. */
static neap_status lay_out_first(struct tuner *tuner, neap_error *error) {
  if (!tuner->settings.incumbent) return try_orders(tuner, error);
  tuner->last = tuner->layout;
  copy_layout(tuner, tuner->layout, tuner->settings.incumbent);
  tuner->excess = measure(tuner, tuner->layout);
  return NEAP_OK;
}

/* Whether there is a preset order left to try. */
static bool has_preset(const struct tuner *tuner) {
  return tuner->round > 0 && tuner->settings.tries_presets && order_preset(tuner->preset);
}

/* ---------------------------------------------------------------- a round of orders */

/* Begins a line with another sorted order, and places it as the first round did. */
static neap_status open_line(struct tuner *tuner, neap_error *error) {
  neap_status status = place_sorted(tuner, &tuner->lines[tuner->next_line].spec, error);
  if (status == NEAP_OK || status == NEAP_INFEASIBLE) tuner->next_line++;
  tuner->line_is_open = status == NEAP_OK;
  return status;
}

static neap_status reorder(struct tuner *tuner, neap_round *round, neap_error *error) {
  bool stop = false;
  neap_stop_reason reason;
  neap_status status = tuner->line_is_open ? NEAP_OK : open_line(tuner, error);
  if (status == NEAP_OK)
    status = reorderer_step(tuner->reorderer, round, &stop, &reason, error);
  if (status == NEAP_INFEASIBLE) { /* no offset was left for a buffer: this line ends */
    tuner->line_is_open = false;
    tuner->last = tuner->layout;
    return NEAP_OK;
  }
  if (status != NEAP_OK) return status;
  tuner->line_is_open = !stop;
  take_placed(tuner);
  return NEAP_OK;
}

/* ---------------------------------------------------------------- a round of groups */

static neap_status make_repacker(struct tuner *tuner, neap_error *error) {
  struct repacker_task task = {.problem = tuner->problem,
                               .sections = &tuner->sections,
                               .random = &tuner->random,
                               .budget = tuner->budget,
                               .moves = tuner->settings.keeps_moves ? &tuner->moves : NULL,
                               .bound = tuner->settings.bound,
                               .group_size = tuner->settings.grouping.max_size,
                               .disabled = tuner->settings.disabled,
                               .seed = tuner->settings.seed,
                               .variant = tuner->settings.incumbent ? TUNER_HANDED_OVER : 0,
                               .layout = tuner->layout};
  tuner->repacker = repacker_new(&task);
  return tuner->repacker ? NEAP_OK : error_memory(error);
}

/*
 * Places all buffers once more, by ascending offset.  With the lowest rule, no buffer ends
 * higher than before.  Other rules may place buffers higher; then the layout stays.  This takes
 * one tick per buffer, so it waits until the groups have used as many ticks.
 */
static neap_status settle(struct tuner *tuner, neap_error *error) {
  if (tuner->budget->ticks - tuner->settled < tuner->problem->count) return NEAP_OK;
  neap_status status = reorderer_settle(tuner->reorderer, tuner->layout, error);
  if (status == NEAP_INFEASIBLE) return NEAP_OK;
  if (status != NEAP_OK) return status;
  tuner->settled = tuner->budget->ticks;
  const neap_offset *settled = reorderer_layout(tuner->reorderer);
  if (problem_peak(tuner->problem, settled) > problem_peak(tuner->problem, tuner->layout))
    return NEAP_OK;
  copy_layout(tuner, tuner->layout, settled);
  repacker_refresh(tuner->repacker);
  return NEAP_OK;
}

/*
 * A round may be long.  If the budget ends within it and the layout is already the best, it
 * counts, and the next round finds the budget spent.
 */
static neap_status repack(struct tuner *tuner, neap_round *round, bool *is_final,
                          neap_error *error) {
  struct repacked repacked;
  neap_status status = tuner->repacker ? NEAP_OK : make_repacker(tuner, error);
  if (status != NEAP_OK) return status;
  status = repacker_run(tuner->repacker, tuner->settings.max_group_rounds, &repacked, error);
  if (status == NEAP_OK && repacked.improved > 0) status = settle(tuner, error);
  if (status != NEAP_OK && status != NEAP_NO_PLAN) return status;
  round->group_rounds = repacked.groups;
  *is_final = repacked.is_final;
  tuner->last = tuner->layout;
  tuner->excess = measure(tuner, tuner->layout);
  bool is_better = excess_is_less(&tuner->excess, &tuner->best_excess);
  return status == NEAP_NO_PLAN && is_better ? NEAP_OK : status;
}

/* ---------------------------------------------------------------- one round */

/* Sets *is_final if no further round can lower the peak. */
static neap_status share_round(struct tuner *tuner, neap_round *round, bool *is_final,
                               neap_error *error) {
  uint64_t ticks = tuner->budget->ticks;
  neap_size peak = tuner->excess.peak;
  tuner->shares.ways[ROUND_REORDER].is_closed =
      neighbourhood_is_in(tuner->settings.disabled, NEIGHBOURHOOD_ORDERS) ||
      (!tuner->line_is_open && tuner->next_line == tuner->line_count);
  size_t kind = shares_choose(&tuner->shares);
  neap_status status = kind == ROUND_REORDER ? reorder(tuner, round, error)
                                             : repack(tuner, round, is_final, error);
  shares_spend(&tuner->shares, kind, (double)(tuner->budget->ticks - ticks));
  if (tuner->excess.peak < peak) shares_reward(&tuner->shares, kind);
  return status;
}

/* Whether this round is the last, and why. */
static bool is_last(const struct tuner *tuner, bool is_final, neap_stop_reason *reason) {
  neap_size peak = problem_peak(tuner->problem, tuner->last);
  if (tuner->round > 0 && tuner->best_excess.peak < peak) peak = tuner->best_excess.peak;
  if (peak <= tuner->settings.bound) *reason = NEAP_STOP_BOUND;
  else if (peak <= tuner_lower_bound(tuner)) *reason = NEAP_STOP_PROVEN;
  else if (is_final) *reason = NEAP_STOP_FIXED_POINT;
  else if (tuner->round + 1 >= tuner->settings.max_rounds) *reason = NEAP_STOP_ITERATION_CAP;
  else return false;
  return true;
}

/*
 * Places all buffers in the first round; then tries the preset orders, each of which counts as
 * a round only if it lowers the peak; then does the rounds that share the work.  Classifies the
 * buffers of each round.
 */
static neap_status repacking_round(struct tuner *tuner, neap_round *round, bool *has_round,
                                   bool *stop, neap_stop_reason *reason, neap_error *error) {
  bool is_final = false;
  neap_status status;
  *has_round = !has_preset(tuner);
  if (!*has_round) status = try_preset(tuner, error);
  else if (tuner->round == 0) status = lay_out_first(tuner, error);
  else status = share_round(tuner, round, &is_final, error);
  if (status == NEAP_INFEASIBLE && !*has_round) return NEAP_OK; /* this order has no layout */
  if (status != NEAP_OK) return status;
  if (tuner->round > 0 && is_lowest(tuner)) *has_round = true;
  *stop = *has_round && is_last(tuner, is_final, reason);
  return *has_round ? risk_classify(tuner->problem, &tuner->sections, tuner->last,
                                    tuner->settings.bound, tuner->risks, round->risk, error)
                    : NEAP_OK;
}

/* Ends the run, because no offset is left for a buffer. */
static neap_status end_without_round(bool *has_round, bool *stop, neap_stop_reason *reason) {
  *has_round = false;
  *stop = true;
  *reason = NEAP_STOP_FIXED_POINT;
  return NEAP_OK;
}

neap_status tuner_step(struct tuner *tuner, neap_round *round, bool *has_round, bool *stop,
                       neap_stop_reason *reason, neap_error *error) {
  *round = (neap_round)NEAP_INIT(neap_round);
  *has_round = true;
  assert(tuner->round < tuner->settings.max_rounds);
  moves_begin(&tuner->moves, NEAP_MOVES_MAX, 2 * tuner->problem->count + NEAP_MOVE_MEMBERS);
  neap_status status = repacks(tuner)
                           ? repacking_round(tuner, round, has_round, stop, reason, error)
                           : reorderer_step(tuner->reorderer, round, stop, reason, error);
  if (status == NEAP_INFEASIBLE) return end_without_round(has_round, stop, reason);
  if (status != NEAP_OK) return status;
  if (!repacks(tuner)) tuner->last = reorderer_layout(tuner->reorderer);
  if (!*has_round) return NEAP_OK;
  keep_if_best(tuner, round);
  /* The next step changes the reorderer's layout; if that was the lowest, `best` has a copy. */
  if (repacks(tuner) && tuner->last != tuner->layout) tuner->last = tuner->best;
  round->round = ++tuner->round;
  round->moves = tuner->moves.items;
  round->move_count = tuner->moves.count;
  return NEAP_OK;
}

void tuner_adopt(struct tuner *tuner, const neap_offset *offsets) {
  struct excess excess = measure(tuner, offsets);
  assert(repacks(tuner));
  take_if_nearer(tuner, offsets, &excess);
}

const neap_offset *tuner_best(const struct tuner *tuner) {
  return tuner->best_excess.peak == NEAP_UNPLACED ? NULL : tuner->best;
}

const neap_offset *tuner_layout(const struct tuner *tuner) { return tuner->last; }

neap_size tuner_lower_bound(const struct tuner *tuner) {
  return tuner->repacker ? repacker_lower_bound(tuner->repacker) : tuner->settings.bound;
}
