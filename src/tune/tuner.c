/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The iterative tuner (doc/tuner.md, R22 to R30).
 *
 *     sort ─► place ─► goals? ─► classify ─► group high ─► tune groups ─┐
 *                ▲                           group medium ─► tune groups │
 *                └────────────── merge: high, medium, low, none ◄────────┘
 *
 * Tuning the groups fills a container: first the high groups, then the medium ones, each around
 * those already placed. Since placement is sequential, this is already the layout of the merged
 * order as far as high and medium go. So the round ends by placing low and none in the same
 * container, and a round costs about one placement of all buffers plus the further trials for
 * groups.
 *
 * The peak may rise from one round to the next, because other buffers come first; the best round
 * is kept: the least by peak, then by the area and the number of buffers above the bound
 * (model/excess). Orders are remembered. One that repeats ends the loop, because later rounds would
 * mostly repeat as well.
 */
#include "tune/tuner.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "model/excess.h"
#include "model/risk.h"
#include "order/sorter.h"
#include "tune/goals.h"
#include "tune/group_tuner.h"
#include "tune/merge.h"
#include "tune/repacker.h"

struct tuner {
  const struct neap_problem *problem;
  struct tuner_settings settings;
  struct sections sections;
  struct placer *placer;
  struct random random;
  struct history history;
  struct group_tuner group_tuner;
  struct groups groups;
  gsl_permutation order, merged;
  uint32_t *rank;       /* of each buffer in the sorted order */
  unsigned char *risks; /* of each buffer in the last layout */
  size_t counts[NEAP_RISK_COUNT];
  struct repacker *repacker; /* NULL if orders are tuned instead */
  struct moves moves;        /* of the last round, if they are kept */
  neap_offset *layout;       /* of the last round */
  neap_offset *best;
  struct excess best_excess; /* its peak is NEAP_UNPLACED before the first round */
  uint64_t round;
};

/* ---------------------------------------------------------------- making */

static neap_status init_orders(struct tuner *tuner, neap_error *error) {
  size_t count = tuner->problem->count;
  tuner->rank = memory_array(count, sizeof *tuner->rank);
  tuner->risks = memory_array(count, 1);
  tuner->best = memory_array(count, sizeof *tuner->best);
  tuner->layout = memory_array(count, sizeof *tuner->layout);
  if (!tuner->rank || !tuner->risks || !tuner->best || !tuner->layout ||
      !order_init(&tuner->order, count) || !order_init(&tuner->merged, count))
    return error_memory(error);
  neap_status status =
      sorter_sort(tuner->problem, &tuner->settings.order, &tuner->order, error);
  if (status != NEAP_OK) return status;
  for (size_t rank = 0; rank < count; rank++)
    tuner->rank[tuner->order.data[rank]] = (uint32_t)rank;
  return NEAP_OK;
}

static neap_status init_group_tuner(struct tuner *tuner, struct budget *budget,
                                    neap_error *error) {
  size_t largest = tuner->settings.grouping.max_size;
  if (largest > tuner->problem->count) largest = tuner->problem->count;
  tuner->group_tuner = (struct group_tuner){.problem = tuner->problem,
                                            .placer = tuner->placer,
                                            .budget = budget,
                                            .rank = tuner->rank,
                                            .rearranger = tuner->settings.rearranger,
                                            .cap = tuner->settings.max_group_rounds,
                                            .bound = tuner->settings.bound,
                                            .random = &tuner->random};
  return group_tuner_init(&tuner->group_tuner, largest) ? NEAP_OK : error_memory(error);
}

static neap_status init_repacker(struct tuner *tuner, struct budget *budget,
                                 neap_error *error) {
  if (!tuner->settings.rearranger->repacks) return NEAP_OK;
  struct repacker_task task = {.problem = tuner->problem,
                               .sections = &tuner->sections,
                               .random = &tuner->random,
                               .budget = budget,
                               .moves = tuner->settings.keeps_moves ? &tuner->moves : NULL,
                               .bound = tuner->settings.bound,
                               .group_size = tuner->settings.grouping.max_size};
  tuner->repacker = repacker_new(&task);
  return tuner->repacker ? NEAP_OK : error_memory(error);
}

static neap_status init_parts(struct tuner *tuner, struct budget *budget, neap_error *error) {
  history_init(&tuner->history, tuner->problem->count);
  neap_status status = sections_init(&tuner->sections, tuner->problem, SECTIONS_ALL, error);
  if (status == NEAP_OK)
    status = placer_new(&tuner->placer, tuner->problem, &tuner->sections, tuner->settings.rule,
                        budget, error);
  if (status == NEAP_OK) status = init_orders(tuner, error);
  if (status == NEAP_OK && !random_init(&tuner->random, tuner->settings.seed))
    status = error_memory(error);
  if (status == NEAP_OK) status = init_group_tuner(tuner, budget, error);
  return status == NEAP_OK ? init_repacker(tuner, budget, error) : status;
}

neap_status tuner_new(struct tuner **tuner, const struct neap_problem *problem,
                      const struct tuner_settings *settings, struct budget *budget,
                      neap_error *error) {
  struct tuner *made = memory_array(1, sizeof *made);
  if (!made) return error_memory(error);
  made->problem = problem;
  made->settings = *settings;
  made->best_excess.peak = NEAP_UNPLACED;
  neap_status status = init_parts(made, budget, error);
  if (status == NEAP_OK) *tuner = made;
  else tuner_free(made);
  return status;
}

void tuner_free(struct tuner *tuner) {
  if (!tuner) return;
  group_tuner_clear(&tuner->group_tuner);
  repacker_free(tuner->repacker);
  moves_clear(&tuner->moves);
  groups_clear(&tuner->groups);
  history_clear(&tuner->history);
  random_clear(&tuner->random);
  placer_free(tuner->placer);
  sections_clear(&tuner->sections);
  order_clear(&tuner->order);
  order_clear(&tuner->merged);
  free(tuner->rank);
  free(tuner->risks);
  free(tuner->layout);
  free(tuner->best);
  free(tuner);
}

/* ---------------------------------------------------------------- one round */

/*
 * Tunes the groups of one class, whose buffers are in `merged` from `begin` on, and writes
 * their new order there.
 */
static neap_status tune_class(struct tuner *tuner, neap_risk risk, size_t begin,
                              size_t *group_count, neap_error *error) {
  size_t *class = tuner->merged.data + begin;
  size_t count = tuner->counts[risk];
  neap_status status = groups_make(&tuner->groups, tuner->problem, &tuner->settings.grouping,
                                   class, count, error);
  size_t at = 0;
  for (size_t g = 0; status == NEAP_OK && g < tuner->groups.count; g++) {
    size_t end = tuner->groups.ends[g];
    status = group_tuner_run(&tuner->group_tuner, tuner->groups.members + at, end - at, error);
    at = end;
  }
  if (status != NEAP_OK) return status;
  assert(at == count);
  *group_count = tuner->groups.count;
  if (count > 0) memcpy(class, tuner->groups.members, count * sizeof *class);
  return NEAP_OK;
}

/* Finds the next order and places all buffers in it. */
static neap_status suppress_peak(struct tuner *tuner, neap_round *round, neap_error *error) {
  merge_by_risk(&tuner->order, tuner->risks, tuner->counts, &tuner->merged);
  neap_status status = placer_reset(tuner->placer, error);
  uint64_t before = tuner->group_tuner.rounds;
  if (status == NEAP_OK)
    status = tune_class(tuner, NEAP_RISK_HIGH, 0, &round->high_groups, error);
  if (status == NEAP_OK)
    status = tune_class(tuner, NEAP_RISK_MEDIUM, tuner->counts[NEAP_RISK_HIGH],
                        &round->medium_groups, error);
  if (status == NEAP_OK) status = placer_fill(tuner->placer, &tuner->merged, error);
  if (status != NEAP_OK) return status;
  assert(tuner->group_tuner.rounds >= before);
  round->group_rounds = tuner->group_tuner.rounds - before;
  gsl_permutation old = tuner->order;
  tuner->order = tuner->merged;
  tuner->merged = old;
  return NEAP_OK;
}

static int by_offset(const void *left, const void *right, void *context) {
  const neap_offset *offsets = context;
  size_t a = *(const size_t *)left, b = *(const size_t *)right;
  if (offsets[a] != offsets[b]) return offsets[a] < offsets[b] ? -1 : 1;
  return a < b ? -1 : a > b;
}

/*
 * Hands the layout back as an order: the lowest rule places no buffer higher than it is.  Other
 * rules may; then the layout stays.
 */
static neap_status settle(struct tuner *tuner, neap_error *error) {
  size_t count = tuner->problem->count;
  qsort_r(tuner->order.data, count, sizeof *tuner->order.data, by_offset, tuner->layout);
  neap_status status = placer_reset(tuner->placer, error);
  if (status == NEAP_OK) status = placer_fill(tuner->placer, &tuner->order, error);
  if (status == NEAP_OK &&
      placer_peak(tuner->placer) <= problem_peak(tuner->problem, tuner->layout))
    memcpy(tuner->layout, placer_offsets(tuner->placer), count * sizeof *tuner->layout);
  return status;
}

/* Lowers the layout group by group. */
static neap_status repack(struct tuner *tuner, neap_round *round, bool *is_final,
                          neap_error *error) {
  struct repacked repacked;
  neap_status status = repacker_run(tuner->repacker, tuner->settings.max_group_rounds,
                                    tuner->layout, &repacked, error);
  round->group_rounds = repacked.groups;
  *is_final = repacked.is_final;
  return status == NEAP_OK && repacked.improved > 0 ? settle(tuner, error) : status;
}

/* Makes the layout of the next round.  Sets *is_final if no further round can lower the peak. */
static neap_status lay_out(struct tuner *tuner, neap_round *round, bool *is_final,
                           neap_error *error) {
  *is_final = false;
  if (tuner->repacker && tuner->round > 0) return repack(tuner, round, is_final, error);
  neap_status status = tuner->round > 0 ? suppress_peak(tuner, round, error)
                                        : placer_fill(tuner->placer, &tuner->order, error);
  if (status == NEAP_OK)
    memcpy(tuner->layout, placer_offsets(tuner->placer),
           tuner->problem->count * sizeof *tuner->layout);
  return status;
}

/* Of layouts with the same peak, the one with less above the bound is nearer to a lower peak. */
static void keep_if_best(struct tuner *tuner, neap_round *round) {
  struct excess excess = excess_measure(tuner->problem, tuner->layout, tuner->settings.bound);
  bool is_first = tuner->best_excess.peak == NEAP_UNPLACED;
  round->peak = excess.peak;
  round->improved = is_first || excess.peak < tuner->best_excess.peak;
  if (!is_first && !excess_is_less(&excess, &tuner->best_excess)) return;
  tuner->best_excess = excess;
  memcpy(tuner->best, tuner->layout, tuner->problem->count * sizeof *tuner->best);
}

/* Layouts that are repacked have no use for the history of orders: each round tries others. */
static neap_status check_goals(struct tuner *tuner, const neap_round *round, bool is_final,
                               bool *stop, neap_stop_reason *reason, neap_error *error) {
  if (!tuner->repacker) {
    struct goals goals = {tuner->settings.bound, tuner->settings.max_rounds, &tuner->history};
    return goals_check(&goals, tuner->round, tuner->order.data, round->peak, stop, reason,
                       error);
  }
  *stop = true;
  if (round->peak <= tuner->settings.bound) *reason = NEAP_STOP_BOUND;
  else if (is_final) *reason = NEAP_STOP_FIXED_POINT;
  else if (tuner->round >= tuner->settings.max_rounds) *reason = NEAP_STOP_ITERATION_CAP;
  else *stop = false;
  return NEAP_OK;
}

neap_status tuner_step(struct tuner *tuner, neap_round *round, bool *stop,
                       neap_stop_reason *reason, neap_error *error) {
  bool is_final;
  *round = (neap_round){0};
  moves_begin(&tuner->moves, NEAP_MOVES_MAX, 2 * tuner->problem->count + NEAP_MOVE_MEMBERS);
  neap_status status = lay_out(tuner, round, &is_final, error);
  if (status != NEAP_OK) return status;
  assert(tuner->round < tuner->settings.max_rounds);
  round->round = ++tuner->round;
  round->moves = tuner->moves.items;
  round->move_count = tuner->moves.count;
  keep_if_best(tuner, round);
  status = risk_classify(tuner->problem, &tuner->sections, tuner->layout, tuner->settings.bound,
                         tuner->risks, tuner->counts, error);
  if (status != NEAP_OK) return status;
  memcpy(round->risk, tuner->counts, sizeof round->risk);
  return check_goals(tuner, round, is_final, stop, reason, error);
}

const neap_offset *tuner_best(const struct tuner *tuner) {
  return tuner->best_excess.peak == NEAP_UNPLACED ? NULL : tuner->best;
}

const neap_offset *tuner_layout(const struct tuner *tuner) { return tuner->layout; }
