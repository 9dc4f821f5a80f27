/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A depth-first search over the choices of all units.  The bytes that the units of a pool take
 * up in its fullest column (pool_columns) are a lower bound on its peak, and the sum over the
 * pools never falls while units enter.  So a branch ends if this sum reaches the lowest sum of
 * peaks so far, if a pool is too full, or if prices (pool_prices) prove that it costs too much.
 * Units without a choice come first, then large units.
 *
 *     a ─┬─ fast ── b ─┬─ fast   too full
 *        │             └─ slow   30 + 20: no lower
 *        └─ slow   costs too much
 *
 * When all units have a pool, planners lay out the pools that differ from the best plan.  If a
 * planner leaves a pool open, the assignment is passed over, and the search proves nothing.
 */
#include "pools/pool_peaks.h"

#include <stdlib.h>
#include <string.h>

#include "core/checked.h"
#include "core/error.h"
#include "core/knobs.h"
#include "core/load_tree.h"
#include "core/memory.h"
#include "pools/pool_prices.h"

/*
 * Lower bounds on the cost of a branch: with the cheapest choices of the remaining units, and
 * by prices.
 */
struct expense {
  neap_size cost; /* the sum fits (units) */
  price_sum priced;
};

struct search {
  const struct pool_peaks_task *task;
  struct pool_layout *best;
  struct pool_columns columns;
  struct pool_prices prices;
  struct load_tree *loads; /* per pool */
  size_t *order;           /* units */
  size_t *chosen;          /* per unit: its pool */
  bool *differs;           /* per pool: its units differ from those of the best plan */
  size_t *members;         /* buffers of a pool */
  struct pool_layout made; /* made by the planners, for the pools that differ */
  bool is_open;            /* an assignment that was passed over may be better */
  uint64_t ticks;
};

/* ---------------------------------------------------------------- making */

static void clear(struct search *search) {
  for (size_t p = 0; search->loads && p < search->columns.pool_count; p++)
    load_tree_clear(&search->loads[p]);
  free(search->loads);
  free(search->order);
  free(search->chosen);
  free(search->differs);
  free(search->members);
  free(search->made.pools);
  free(search->made.offsets);
  free(search->made.lower_bounds);
  pool_prices_clear(&search->prices);
  pool_columns_clear(&search->columns);
}

struct ranked {
  size_t unit, choices;
  neap_size bytes;
};

static int by_weight(const void *left, const void *right) {
  const struct ranked *a = left, *b = right;
  if ((a->choices > 1) != (b->choices > 1)) return a->choices > 1 ? 1 : -1;
  if (a->bytes != b->bytes) return a->bytes > b->bytes ? -1 : 1;
  return a->unit < b->unit ? -1 : a->unit > b->unit;
}

static bool sort_units(struct search *search) {
  const struct units *units = search->task->units;
  struct ranked *list = memory_array(units->count, sizeof *list);
  for (size_t u = 0; list && u < units->count; u++) {
    list[u] = (struct ranked){u, units->choices_end[u] - units_choices_begin(units, u), 0};
    for (size_t s = pool_columns_begin(&search->columns, u); s < search->columns.spans_end[u];
         s++)
      if (search->columns.spans[s].bytes > list[u].bytes)
        list[u].bytes = search->columns.spans[s].bytes;
  }
  if (list) qsort(list, units->count, sizeof *list, by_weight);
  for (size_t u = 0; list && u < units->count; u++)
    search->order[u] = list[u].unit;
  free(list);
  return list != NULL;
}

static bool allocate(struct search *search) {
  size_t units = search->task->units->count, pools = search->columns.pool_count;
  size_t buffers = search->task->problem->count;
  search->loads = memory_array(pools, sizeof *search->loads);
  search->order = memory_array(units, sizeof *search->order);
  search->chosen = memory_array(units, sizeof *search->chosen);
  search->differs = memory_array(pools, sizeof *search->differs);
  search->members = memory_array(buffers, sizeof *search->members);
  search->made.pools = memory_array(buffers, sizeof *search->made.pools);
  search->made.offsets = memory_array(buffers, sizeof *search->made.offsets);
  search->made.lower_bounds = memory_array(pools, sizeof *search->made.lower_bounds);
  for (size_t p = 0; search->loads && p < pools; p++)
    if (!load_tree_init(&search->loads[p], search->columns.count)) return false;
  return search->loads && search->order && search->chosen && search->differs &&
         search->members && search->made.pools && search->made.offsets &&
         search->made.lower_bounds && sort_units(search) &&
         pool_prices_init(&search->prices, search->task->units, &search->columns);
}

static neap_status init(struct search *search, neap_error *error) {
  const struct pool_peaks_task *task = search->task;
  neap_status status = pool_columns_init(&search->columns, task->problem, task->units, error);
  if (status != NEAP_OK) return status;
  if (!allocate(search)) return error_memory(error);
  bool is_limited = task->cost < NEAP_MAX;
  pool_prices_improve(&search->prices, is_limited ? POOL_PEAKS_PRICE_STEPS : 0,
                      is_limited ? task->cost : 0, task->budget);
  budget_spend(task->budget, is_limited ? POOL_PEAKS_PRICE_STEPS : 0);
  return NEAP_OK;
}

/* ---------------------------------------------------------------- choices */

static void change_loads(struct search *search, size_t unit, size_t pool, int sign) {
  const struct pool_columns *columns = &search->columns;
  for (size_t s = pool_columns_begin(columns, unit); s < columns->spans_end[unit]; s++) {
    struct span span = columns->spans[s].columns;
    load_tree_add(&search->loads[pool], span.first, span.end, sign * columns->spans[s].bytes);
  }
}

static bool is_too_expensive(const struct search *search, struct expense expense) {
  neap_size most = search->task->cost;
  return expense.cost > most || pool_prices_bound(expense.priced) > most;
}

/* The expense at the root.  Every unit has a choice, because there is a plan. */
static struct expense least_expense(const struct search *search) {
  const struct units *units = search->task->units;
  struct expense expense = {0, search->prices.bound};
  for (size_t u = 0; u < units->count; u++)
    expense.cost += units->choices[units_choices_begin(units, u)].cost;
  return expense;
}

/* A lower bound on the peak of a pool with its present units. */
static neap_size load_of(const struct search *search, size_t pool) {
  size_t columns = search->columns.count;
  return columns > 0 ? load_tree_largest(&search->loads[pool], 0, columns) : 0;
}

/* Whether the loads permit a lower sum of peaks. */
static bool is_lower(const struct search *search) {
  neap_size sum = 0; /* sums of sizes, which are at most NEAP_MAX in total */
  for (size_t p = 0; p < search->columns.pool_count; p++) {
    neap_size load = load_of(search, p), room = search->columns.rooms[p];
    if (room >= 0 && load > room) return false;
    sum += load;
  }
  return sum < search->best->peak;
}

/* ---------------------------------------------------------------- all units have a pool */

static void find_differences(struct search *search) {
  const struct units *units = search->task->units;
  memset(search->differs, 0, search->columns.pool_count * sizeof *search->differs);
  for (size_t u = 0; u < units->count; u++) {
    size_t pool = search->chosen[u];
    for (size_t m = units_members_begin(units, u); m < units->members_end[u]; m++)
      search->made.pools[units->members[m]] = pool;
    size_t other = search->best->pools[units->members[units_members_begin(units, u)]];
    if (other != pool) search->differs[other] = search->differs[pool] = true;
  }
}

static bool go_on(void *user, uint64_t ticks) {
  struct search *search = user;
  search->ticks += ticks;
  budget_spend(search->task->budget, ticks);
  return budget_look(search->task->budget);
}

/* Plans a pool; *peak is NEAP_MAX if no layout was found. */
static neap_status plan_pool(struct search *search, size_t pool, neap_size *peak,
                             neap_error *error) {
  const struct neap_problem *problem = search->task->problem;
  const struct pool_planner *planner = search->task->planner;
  struct pool_outcome outcome;
  size_t count = 0;
  for (size_t i = 0; i < problem->count; i++)
    if (search->made.pools[i] == pool) search->members[count++] = i;
  const struct pool_task task = {.problem = problem,
                                 .pool = pool,
                                 .members = search->members,
                                 .count = count,
                                 .max_ticks = POOL_PEAKS_PLAN_TICKS +
                                              POOL_PEAKS_PLAN_TICKS_PER_BUFFER * count,
                                 .go_on = go_on,
                                 .user = search};
  neap_status status =
      planner->plan(planner->options, &task, search->made.offsets, &outcome, error);
  if (status != NEAP_OK) return status;
  *peak = outcome.has_layout ? outcome.peak : NEAP_MAX;
  search->made.lower_bounds[pool] = outcome.lower_bound;
  if (!outcome.has_layout && outcome.refusal.status == NEAP_INFEASIBLE)
    search->made.lower_bounds[pool] = NEAP_MAX;
  return NEAP_OK;
}

/* Adds with saturation at NEAP_MAX. */
static void add(neap_size *sum, neap_size bytes) {
  if (!checked_add(*sum, bytes, sum)) *sum = NEAP_MAX;
}

static neap_size peak_in_best(const struct search *search, size_t pool) {
  neap_size peak = 0;
  for (size_t i = 0; i < search->task->problem->count; i++) {
    neap_size end = search->best->offsets[i] + search->task->problem->buffers[i].size;
    if (search->best->pools[i] == pool && end > peak) peak = end;
  }
  return peak;
}

/* Plans the pools that differ; the others keep their layouts. */
static neap_status plan_pools(struct search *search, neap_size *lower_bound,
                              neap_error *error) {
  neap_status status = NEAP_OK;
  search->made.peak = *lower_bound = 0;
  for (size_t p = 0; p < search->columns.pool_count && status == NEAP_OK; p++) {
    neap_size peak;
    if (search->differs[p]) status = plan_pool(search, p, &peak, error);
    else peak = peak_in_best(search, p);
    if (status != NEAP_OK) return status;
    if (!search->differs[p]) search->made.lower_bounds[p] = search->best->lower_bounds[p];
    add(&search->made.peak, peak);
    add(lower_bound, search->made.lower_bounds[p]);
  }
  return status;
}

static void keep_made(struct search *search) {
  const struct pool_layout *made = &search->made;
  struct pool_layout *best = search->best;
  for (size_t i = 0; i < search->task->problem->count; i++) {
    if (search->differs[made->pools[i]]) best->offsets[i] = made->offsets[i];
    best->pools[i] = made->pools[i];
  }
  for (size_t p = 0; p < search->columns.pool_count; p++)
    best->lower_bounds[p] = made->lower_bounds[p];
  best->peak = made->peak;
}

static neap_status visit_leaf(struct search *search, neap_error *error) {
  const struct pool_peaks_task *task = search->task;
  neap_size lower_bound;
  find_differences(search);
  /* Other terms of the objective might make a different layout better. */
  bool can_plan = !task->planner->has_costs;
  for (size_t p = 0; p < search->columns.pool_count && !can_plan; p++)
    search->is_open = search->is_open || search->differs[p];
  if (search->is_open && !can_plan) return NEAP_OK;
  neap_status status = plan_pools(search, &lower_bound, error);
  if (status != NEAP_OK) return status;
  if (search->made.peak < search->best->peak) keep_made(search);
  if (lower_bound < search->best->peak) search->is_open = true;
  return NEAP_OK;
}

/* ---------------------------------------------------------------- the search */

static neap_status visit(struct search *search, size_t depth, struct expense expense,
                         neap_error *error);

static neap_status try_choice(struct search *search, size_t depth, size_t choice,
                              struct expense expense, neap_error *error) {
  const struct units *units = search->task->units;
  size_t unit = search->order[depth], pool = units->choices[choice].pool;
  neap_status status = NEAP_OK;
  if (!budget_tick(search->task->budget)) return NEAP_NO_PLAN;
  if (++search->ticks > POOL_PEAKS_TICKS_MOST) search->is_open = true;
  expense.priced += search->prices.costs[choice] - search->prices.least[unit];
  expense.cost +=
      units->choices[choice].cost - units->choices[units_choices_begin(units, unit)].cost;
  if (search->ticks > POOL_PEAKS_TICKS_MOST || is_too_expensive(search, expense))
    return NEAP_OK;
  search->chosen[unit] = pool;
  change_loads(search, unit, pool, 1);
  if (is_lower(search)) status = visit(search, depth + 1, expense, error);
  change_loads(search, unit, pool, -1);
  return status;
}

/* Visits the choices of the units from `depth` on. */
static neap_status visit(struct search *search, size_t depth, struct expense expense,
                         neap_error *error) {
  const struct units *units = search->task->units;
  if (depth == units->count) return visit_leaf(search, error);
  size_t unit = search->order[depth];
  neap_status status = NEAP_OK;
  for (size_t c = units_choices_begin(units, unit);
       c < units->choices_end[unit] && status == NEAP_OK; c++)
    status = try_choice(search, depth, c, expense, error);
  return status;
}

neap_status pool_peaks_lower(const struct pool_peaks_task *task, struct pool_layout *layout,
                             bool *is_proven, neap_error *error) {
  struct search search = {.task = task, .best = layout};
  *is_proven = false;
  if (task->units->count > POOL_PEAKS_UNITS_MOST) return NEAP_OK;
  neap_status status = init(&search, error);
  if (status == NEAP_OK) status = visit(&search, 0, least_expense(&search), error);
  *is_proven = status == NEAP_OK && !search.is_open;
  clear(&search);
  return status;
}
