/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Recomputation by local search: operators run again shortly before a later reader, instead of
 * keeping their outputs.
 *
 * The search begins greedily.  At the highest moment, it drops the value that frees the most
 * excess bytes per unit of its operator's time, until everything fits.  Simulated annealing
 * (S. Kirkpatrick, C. D. Gelatt and M. P. Vecchi, 1983) then changes order and repetitions
 * together.  Its moves are:
 *
 *     ... A . . . . B ...      move a run
 *     ... A . . A . B ...      run A again before a reader B, and perhaps also what A reads
 *     ... . . . A . B ...      drop a run
 *
 * It minimises time, plus the bytes above the capacity at a price.  The price rises while the
 * runs do not fit, and falls while they do, so that the search keeps crossing the border.
 *
 * A move walks through all runs: O(runs + values that they read and make).
 */
#include "recompute/recompute.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/knobs.h"
#include "core/random.h"

#define NONE RUNS_NONE
#define SEED 1
#define CASCADE_MOST 4 /* operators that one move runs again */

struct search {
  const struct recomputer_task *task;
  struct runs now, other, best;
  struct runs_profile profile, other_profile; /* of `now` and `other` */
  neap_size best_peak;
  int64_t best_time;
  struct random random;
  double price, heat;
  bool is_short; /* of memory */
};

static size_t pick(struct search *search, size_t count) {
  return random_below(&search->random, (uint32_t)count);
}

/* ---------------------------------------------------------------- what is better */

static bool fits(const struct search *search, neap_size peak) {
  return peak <= search->task->capacity;
}

/* Keeps `now` if it is the best so far: by peak above the capacity, by time within it. */
static void keep_best(struct search *search) {
  const struct runs_profile *profile = &search->profile;
  bool is_fit = fits(search, profile->peak), was_fit = fits(search, search->best_peak);
  bool is_better = is_fit ? !was_fit || profile->time < search->best_time
                          : !was_fit && profile->peak < search->best_peak;
  if (!is_better) return;
  if (!runs_copy(&search->best, &search->now)) search->is_short = true;
  search->best_peak = profile->peak;
  search->best_time = profile->time;
}

static bool is_done(const struct search *search) {
  return search->is_short ||
         (fits(search, search->best_peak) && search->best_time <= search->task->least_time);
}

static double cost_of(const struct search *search, const struct runs_profile *profile,
                      size_t count) {
  double capacity = (double)search->task->capacity + 1;
  double above =
      profile->peak > search->task->capacity ? (double)profile->peak - capacity + 1 : 0;
  double time = (double)profile->time / (double)(search->task->model->once + 1);
  return time + search->price *
                    (above + profile->excess / (double)(count + 1) * RECOMPUTER_EXCESS_WEIGHT) /
                    capacity;
}

/*
 * Measures `other`; false if it breaks a dependence, takes too long, or the budget has ended.
 */
static bool measure(struct search *search) {
  const struct recomputer_task *task = search->task;
  enum runs_fault fault =
      runs_measure(task->model, &search->other, task->capacity, &search->other_profile);
  if (fault == RUNS_MEMORY) search->is_short = true;
  return fault == RUNS_SOUND && search->other_profile.time <= task->most_time;
}

static void accept(struct search *search) {
  const struct runs runs = search->now;
  const struct runs_profile profile = search->profile;
  search->now = search->other;
  search->profile = search->other_profile;
  search->other = runs;
  search->other_profile = profile;
}

/* ---------------------------------------------------------------- moves */

static bool begin_move(struct search *search) {
  bool has_room = runs_copy(&search->other, &search->now);
  search->is_short |= !has_room;
  return has_room;
}

/*
 * The first run after `moment` that reads a value which the run at `from` made and the run at
 * `moment` does not read; NONE if there is none, or the value cannot be made again.
 */
static size_t reader_beyond(const struct search *search, size_t from, size_t moment) {
  const struct runs_model *model = search->task->model;
  const size_t *items = search->now.items;
  size_t k = items[from], last = search->profile.last_uses[from];
  if (!model->may_repeat[k]) return NONE;
  for (size_t next = moment + 1; next <= last; next++)
    if (runs_reads_beyond(model, items[next], k, items[moment])) return next;
  return NONE;
}

/*
 * Runs operator k again before position `at` of `other`, and randomly also the producers of
 * inputs that are no longer alive there.
 */
static void run_again(struct search *search, size_t k, size_t at) {
  const struct runs_model *model = search->task->model;
  const struct costs_lists *inputs = &model->costs.inputs;
  size_t todo[CASCADE_MOST] = {k}, count = 1;
  for (size_t next = 0; next < count; next++) {
    if (!runs_insert(&search->other, at, todo[next])) search->is_short = true;
    for (size_t i = costs_begin(inputs, todo[next]); i < inputs->ends[todo[next]]; i++) {
      size_t value = inputs->items[i], maker = model->costs.maker[value];
      bool is_gone = search->profile.lasts[value] < at;
      if (count < CASCADE_MOST && is_gone && maker != COSTS_NONE && model->may_repeat[maker] &&
          pick(search, 2))
        todo[count++] = maker;
    }
  }
}

/* Picks a random moment above the capacity; the highest moment if everything fits. */
static size_t pick_moment(struct search *search) {
  size_t chosen = 0, found = 0, highest = 0;
  const neap_size *live = search->profile.live;
  for (size_t at = 0; at < search->now.count; at++) {
    if (live[at] > live[highest]) highest = at;
    if (live[at] > search->task->capacity && pick(search, ++found) == 0) chosen = at;
  }
  return found > 0 ? chosen : highest;
}

static bool try_again(struct search *search) {
  size_t moment = pick_moment(search), chosen = NONE, found = 0;
  for (size_t at = 0; at < moment; at++)
    if (search->profile.last_uses[at] > moment &&
        search->task->model->may_repeat[search->now.items[at]] && pick(search, ++found) == 0)
      chosen = at;
  size_t reader = chosen == NONE ? NONE : reader_beyond(search, chosen, moment);
  if (reader == NONE || !begin_move(search)) return false;
  run_again(search, search->now.items[chosen], reader);
  return true;
}

/* Drops one of several runs of an operator. */
static bool try_drop(struct search *search) {
  size_t chosen = NONE, found = 0;
  for (size_t at = 0; at < search->now.count; at++)
    if (search->profile.times[search->now.items[at]] > 1 && pick(search, ++found) == 0)
      chosen = at;
  if (chosen == NONE || !begin_move(search)) return false;
  runs_remove(&search->other, chosen);
  return true;
}

static size_t later(size_t a, size_t b) { return a > b ? a : b; }

static size_t sooner(size_t a, size_t b) { return a < b ? a : b; }

/*
 * Moves a run.  It stays after the first runs of the operators that it depends on, and, if it
 * is its operator's first run, before the first runs of the operators that depend on it.
 */
static bool try_move(struct search *search) {
  const struct costs *costs = &search->task->model->costs;
  const struct costs_lists *befores = &costs->befores, *afters = &costs->afters;
  size_t from = pick(search, search->now.count), k = search->now.items[from];
  size_t low = 0, high = search->now.count - 1;
  for (size_t i = costs_begin(befores, k); i < befores->ends[k]; i++)
    low = later(low, search->profile.firsts[befores->items[i]] + 1);
  for (size_t i = costs_begin(afters, k);
       search->profile.firsts[k] == from && i < afters->ends[k]; i++)
    high = sooner(high, search->profile.firsts[afters->items[i]] - 1);
  size_t reach = pick(search, 4) > 0 ? RECOMPUTER_REACH : search->now.count;
  if (from > reach && low < from - reach) low = from - reach;
  if (high > from + reach) high = from + reach;
  if (low >= high || !begin_move(search)) return false;
  size_t to = low + pick(search, high - low + 1);
  if (to == from) return false;
  runs_move(&search->other, from, to);
  return true;
}

static bool try_any(struct search *search) {
  size_t chance = pick(search, 16);
  if (chance < 8) return try_move(search);
  if (chance < 12) return try_again(search);
  return try_drop(search);
}

/* ---------------------------------------------------------------- greedy beginning */

/* Removes the runs that nothing needs. */
static void prune(struct search *search) {
  for (size_t at = search->now.count; at-- > 0;) {
    size_t k = search->now.items[at];
    if (search->profile.times[k] == 1 || search->profile.last_uses[at] > at) continue;
    if (!begin_move(search)) return;
    runs_remove(&search->other, at);
    if (measure(search)) accept(search);
  }
}

/* The excess bytes that the move saves per unit of its time. */
static double yield_of(const struct search *search) {
  double saved = search->profile.excess - search->other_profile.excess;
  double time = (double)(search->other_profile.time - search->profile.time);
  return saved / (time + (double)search->task->model->once * 1e-9 + 1e-9);
}

static bool try_drop_of(struct search *search, size_t from, size_t moment) {
  size_t reader = reader_beyond(search, from, moment);
  if (reader == NONE || !begin_move(search)) return false;
  if (!runs_insert(&search->other, reader, search->now.items[from])) search->is_short = true;
  return !search->is_short && measure(search);
}

/* Drops the best value at the highest moment; false if no drop helps. */
static bool drop_best(struct search *search) {
  size_t highest = 0, chosen = NONE;
  double best = 0;
  for (size_t at = 0; at < search->now.count; at++)
    if (search->profile.live[at] > search->profile.live[highest]) highest = at;
  for (size_t at = 0; at < highest && budget_tick(search->task->budget); at++)
    if (try_drop_of(search, at, highest) && yield_of(search) > best) {
      best = yield_of(search);
      chosen = at;
    }
  if (chosen == NONE || !try_drop_of(search, chosen, highest)) return false;
  accept(search);
  return true;
}

static void begin_greedily(struct search *search) {
  while (!fits(search, search->profile.peak) && !search->is_short &&
         budget_look(search->task->budget) && drop_best(search))
    keep_best(search);
  prune(search);
  keep_best(search);
}

/* ---------------------------------------------------------------- annealing */

/* The part of the budget that is spent, from 0 to 1. */
static double part_done(const struct budget *budget) {
  double ticks = budget->max_ticks > 0 ? (double)budget->ticks / (double)budget->max_ticks : 0;
  double length = budget->deadline - budget->started;
  double time = budget->deadline > 0 && length > 0 ? budget_seconds(budget) / length : 0;
  double part = ticks > time ? ticks : time;
  return part < 1 ? part : 1;
}

/* Each cycle begins hot and from the best runs. */
static void set_heat(struct search *search, size_t *cycle) {
  double part = part_done(search->task->budget) * (double)RECOMPUTER_CYCLES;
  size_t own = (size_t)part;
  if (own != *cycle) {
    *cycle = own;
    if (runs_copy(&search->other, &search->best) && measure(search)) accept(search);
  }
  search->heat =
      RECOMPUTER_HEAT / (double)search->now.count * pow(RECOMPUTER_COOLING, part - (double)own);
}

static void set_price(struct search *search) {
  bool is_fit = fits(search, search->profile.peak);
  search->price *= is_fit ? 1 / RECOMPUTER_PRICE_STEP : RECOMPUTER_PRICE_STEP;
  if (search->price < 0.01) search->price = 0.01;
  if (search->price > 1000) search->price = 1000;
}

static void step(struct search *search) {
  if (!try_any(search) || search->is_short || !measure(search)) return;
  double before = cost_of(search, &search->profile, search->now.count);
  double after = cost_of(search, &search->other_profile, search->other.count);
  double chance = random_share(&search->random) + 1e-7;
  if (after > before - search->heat * log(chance)) return;
  accept(search);
  keep_best(search);
}

static void anneal(struct search *search) {
  size_t cycle = 0, period = search->now.count / RECOMPUTER_PERIODS + 16;
  for (uint64_t steps = 0; !is_done(search) && budget_tick(search->task->budget); steps++) {
    if (steps % period == 0) {
      budget_look(search->task->budget);
      set_heat(search, &cycle);
      set_price(search);
    }
    step(search);
  }
}

/* ---------------------------------------------------------------- the whole */

static bool init(struct search *search, const struct runs *runs) {
  const struct runs_model *model = search->task->model;
  bool has_room = runs_profile_init(&search->profile, model);
  has_room = runs_profile_init(&search->other_profile, model) && has_room;
  return has_room && runs_copy(&search->now, runs) && runs_copy(&search->best, runs) &&
         runs_measure(model, runs, search->task->capacity, &search->profile) == RUNS_SOUND;
}

static void clear(struct search *search) {
  runs_clear(&search->now);
  runs_clear(&search->other);
  runs_clear(&search->best);
  runs_profile_clear(&search->profile);
  runs_profile_clear(&search->other_profile);
  random_clear(&search->random);
}

neap_status recomputer_run(const struct recomputer_task *task, struct runs *runs,
                           neap_error *error) {
  struct search search = {.task = task, .price = 2};
  if (runs->count == 0) return NEAP_OK;
  assert(runs->count < INT32_MAX);
  if (!random_init(&search.random, SEED)) return error_memory(error);
  bool has_room = init(&search, runs);
  if (has_room) {
    search.best_peak = search.profile.peak;
    search.best_time = search.profile.time;
    begin_greedily(&search);
    anneal(&search);
    has_room = !search.is_short && runs_copy(runs, &search.best);
  }
  clear(&search);
  return has_room ? NEAP_OK : error_memory(error);
}
