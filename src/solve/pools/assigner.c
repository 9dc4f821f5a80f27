/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Branch and check.  The search bounds an assignment by the bytes that buffers take up in each
 * column (pool_columns), which is fast.  Planners decide whether an assignment has a layout,
 * which is slow, so they see only assignments that are cheaper than the best one so far.
 *
 *     greedy ─► prices ─► greedy by prices ─► depth first, cheapest choices first
 *                                                │   ▲
 *                                  all assigned  ▼   │ this set does not fit into that pool
 *                                             planners
 *
 * A set of units that the planner of a pool refutes becomes a no-good, after as many units as
 * possible have been removed from it.  A set that the planner leaves open is passed over, but
 * the cost of the assignment then limits the proven bound.
 *
 *   Bounds.  The bytes that single columns must give up (pool_cover) give a lower bound.
 *   Prices (pool_prices) give another one.  They also order the choices, and exclude those that
 *   are too expensive.  At each node, the remaining units must still have room, at a total cost
 *   below that of the best assignment.
 *
 *   Order.  Units whose choice matters most come first, so the search begins with the choices
 *   that the prices prefer, and varies the choices that the prices leave open.  Identical pools
 *   are filled in order.
 *
 * Logic-based Benders decomposition (Hooker and Ottosson 2003) is the same idea.  Costs are in
 * units of spill cost (facts/spill), loads are bytes, and each node is a tick.
 */
#include "pools/assigner.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/checked.h"
#include "core/error.h"
#include "core/knobs.h"
#include "core/load_tree.h"
#include "core/memory.h"
#include "pools/pool_prices.h"

#define NONE SIZE_MAX

enum fit { FIT_FOUND, FIT_REFUTED, FIT_OPEN };

struct assigner {
  struct assigner_task task;
  size_t pool_count;
  struct pool_columns columns;
  struct pool_prices prices;
  struct no_goods no_goods;
  size_t *twin; /* per pool: the last earlier pool that is identical, or NONE */

  /* The assignment under construction. */
  struct load_tree *loads; /* per limited pool */
  size_t *chosen;          /* per unit: a choice, or NONE */
  size_t *pool_units;      /* per pool: its number of units */
  int64_t percent;         /* the percentage of each room that may be used */

  /* The search. */
  size_t *order;  /* units */
  size_t *ranked; /* per unit, where its choices are in units.choices: by price */
  size_t *rank;   /* per choice: its place in `ranked` */
  size_t depth;
  size_t *tried;      /* per depth: the last choice tried, or NONE */
  price_sum *partial; /* per depth: a lower bound on all assignments below */
  bool is_searching;
  size_t stage; /* of the work before the search */
  uint64_t check_ticks;
  bool is_short;        /* in this pass, a planner ran out of ticks */
  neap_size open_bound; /* the least cost passed over in this pass; NEAP_MAX: none */
  bool is_exhausted;    /* a pass has been completed */
  neap_size proven;     /* lower bound */

  /* The best assignment, once cost >= 0. */
  neap_size cost;
  size_t *pools;
  neap_offset *offsets;

  /* Scratch arrays. */
  size_t *list;    /* of units */
  size_t *members; /* of buffers */
  neap_offset *found;
  uint64_t spent; /* ticks of the last check */
};

/* ---------------------------------------------------------------- starting and ending */

void assigner_free(struct assigner *assigner) {
  if (!assigner) return;
  for (size_t p = 0; assigner->loads && p < assigner->pool_count; p++)
    load_tree_clear(&assigner->loads[p]);
  free(assigner->loads);
  pool_prices_clear(&assigner->prices);
  pool_columns_clear(&assigner->columns);
  no_goods_clear(&assigner->no_goods);
  free(assigner->twin);
  free(assigner->chosen);
  free(assigner->pool_units);
  free(assigner->order);
  free(assigner->ranked);
  free(assigner->rank);
  free(assigner->tried);
  free(assigner->partial);
  free(assigner->pools);
  free(assigner->offsets);
  free(assigner->list);
  free(assigner->members);
  free(assigner->found);
  free(assigner);
}

static bool allocate(struct assigner *assigner) {
  size_t units = assigner->task.units->count, buffers = assigner->task.problem->count;
  size_t pools = assigner->pool_count;
  size_t choices = units > 0 ? assigner->task.units->choices_end[units - 1] : 0;
  assigner->ranked = memory_array(choices, sizeof *assigner->ranked);
  assigner->rank = memory_array(choices, sizeof *assigner->rank);
  assigner->twin = memory_array(pools, sizeof *assigner->twin);
  assigner->loads = memory_array(pools, sizeof *assigner->loads);
  assigner->pool_units = memory_array(pools, sizeof *assigner->pool_units);
  assigner->chosen = memory_array(units, sizeof *assigner->chosen);
  assigner->order = memory_array(units, sizeof *assigner->order);
  assigner->tried = memory_array(units + 1, sizeof *assigner->tried);
  assigner->partial = memory_array(units + 1, sizeof *assigner->partial);
  assigner->list = memory_array(units, sizeof *assigner->list);
  assigner->pools = memory_array(buffers, sizeof *assigner->pools);
  assigner->offsets = memory_array(buffers, sizeof *assigner->offsets);
  assigner->members = memory_array(buffers, sizeof *assigner->members);
  assigner->found = memory_array(buffers, sizeof *assigner->found);
  return assigner->twin && assigner->loads && assigner->pool_units && assigner->chosen &&
         assigner->order && assigner->ranked && assigner->rank && assigner->tried &&
         assigner->partial && assigner->list &&
         assigner->pools && assigner->offsets && assigner->members && assigner->found;
}

/*
 * Whether pools differ only in their own properties: no buffer has a list of pools, and no
 * bytes are reserved.
 */
static bool treats_pools_alike(const struct neap_problem *problem) {
  return problem->relations->pool_list_count == 0 && problem->relations->reserved_count == 0;
}

static int by_properties(const void *left, const void *right, void *context) {
  const neap_pool *pools = context;
  size_t i = *(const size_t *)left, k = *(const size_t *)right;
  const neap_pool *a = &pools[i], *b = &pools[k];
  if (a->capacity != b->capacity) return a->capacity < b->capacity ? -1 : 1;
  if (a->alignment != b->alignment) return a->alignment < b->alignment ? -1 : 1;
  if (a->cost != b->cost) return a->cost < b->cost ? -1 : 1;
  return i < k ? -1 : i > k;
}

static bool are_equal(const neap_pool *a, const neap_pool *b) {
  return a->capacity == b->capacity && a->alignment == b->alignment && a->cost == b->cost &&
         a->cost >= 0;
}

/* Finds identical pools.  Filling them in order prunes symmetric assignments. */
static bool find_twins(struct assigner *assigner) {
  const struct neap_problem *problem = assigner->task.problem;
  neap_pool *pools = problem->relations->pools;
  size_t *sorted = memory_array(assigner->pool_count, sizeof *sorted);
  if (!sorted) return false;
  for (size_t p = 0; p < assigner->pool_count; p++) {
    sorted[p] = p;
    assigner->twin[p] = NONE;
  }
  if (treats_pools_alike(problem)) {
    qsort_r(sorted, assigner->pool_count, sizeof *sorted, by_properties, pools);
    for (size_t i = 1; i < assigner->pool_count; i++)
      if (are_equal(&pools[sorted[i]], &pools[sorted[i - 1]]))
        assigner->twin[sorted[i]] = sorted[i - 1];
  }
  free(sorted);
  return true;
}

static bool make_loads(struct assigner *assigner) {
  for (size_t p = 0; p < assigner->pool_count; p++)
    if (assigner->columns.rooms[p] >= 0 &&
        !load_tree_init(&assigner->loads[p], assigner->columns.count))
      return false;
  return true;
}

neap_status assigner_new(struct assigner **assigner, const struct assigner_task *task,
                         neap_error *error) {
  struct assigner *made = memory_array(1, sizeof *made);
  if (!made) return error_memory(error);
  made->task = *task;
  made->pool_count = problem_pool_count(task->problem);
  made->cost = -1;
  made->percent = 100;
  made->open_bound = NEAP_MAX;
  made->check_ticks =
      ASSIGNER_CHECK_TICKS + ASSIGNER_CHECK_TICKS_PER_BUFFER * task->problem->count;
  neap_status status = allocate(made) && no_goods_init(&made->no_goods, task->units->count)
                           ? NEAP_OK
                           : error_memory(error);
  if (status == NEAP_OK)
    status = pool_columns_init(&made->columns, task->problem, task->units, error);
  if (status == NEAP_OK &&
      (!make_loads(made) || !find_twins(made) ||
       !pool_prices_init(&made->prices, task->units, &made->columns)))
    status = error_memory(error);
  if (status != NEAP_OK) {
    assigner_free(made);
    return status;
  }
  for (size_t u = 0; u < task->units->count; u++)
    made->chosen[u] = NONE;
  *assigner = made;
  return NEAP_OK;
}

/* ---------------------------------------------------------------- one choice */

static size_t pool_of(const struct assigner *assigner, size_t unit) {
  return assigner->task.units->choices[assigner->chosen[unit]].pool;
}

static neap_size bytes_in(const struct assigner *assigner, size_t span, size_t pool) {
  return round_up(assigner->columns.spans[span].bytes, assigner->columns.steps[pool]);
}

static bool has_room(const struct assigner *assigner, size_t unit, size_t pool) {
  const struct pool_columns *columns = &assigner->columns;
  neap_size room = columns->rooms[pool];
  if (room < 0) return true;
  if (assigner->percent < 100) room = room / 100 * assigner->percent;
  for (size_t s = pool_columns_begin(columns, unit); s < columns->spans_end[unit]; s++) {
    struct span span = columns->spans[s].columns;
    neap_size load = load_tree_largest(&assigner->loads[pool], span.first, span.end);
    if (load > room || bytes_in(assigner, s, pool) > room - load) return false;
  }
  return true;
}

static bool is_out_of_turn(const struct assigner *assigner, size_t pool) {
  size_t twin = assigner->twin[pool];
  return twin != NONE && assigner->pool_units[twin] == 0;
}

/* Adds a unit to the loads of its pool, or removes it (sign -1). */
static void change_loads(struct assigner *assigner, size_t unit, size_t pool, int sign) {
  const struct pool_columns *columns = &assigner->columns;
  if (columns->rooms[pool] < 0) return;
  for (size_t s = pool_columns_begin(columns, unit); s < columns->spans_end[unit]; s++) {
    struct span span = columns->spans[s].columns;
    load_tree_add(&assigner->loads[pool], span.first, span.end,
                  sign * bytes_in(assigner, s, pool));
  }
}

static void enter(struct assigner *assigner, size_t unit, size_t choice) {
  size_t pool = assigner->task.units->choices[choice].pool;
  assert(assigner->chosen[unit] == NONE);
  assigner->chosen[unit] = choice;
  assigner->pool_units[pool]++;
  change_loads(assigner, unit, pool, 1);
  no_goods_enter(&assigner->no_goods, unit, pool);
}

static void leave(struct assigner *assigner, size_t unit) {
  size_t pool = pool_of(assigner, unit);
  no_goods_leave(&assigner->no_goods, unit, pool);
  change_loads(assigner, unit, pool, -1);
  assigner->pool_units[pool]--;
  assigner->chosen[unit] = NONE;
}

static void leave_all(struct assigner *assigner) {
  for (size_t u = 0; u < assigner->task.units->count; u++)
    if (assigner->chosen[u] != NONE) leave(assigner, u);
}

/* The next choice after `last` (NONE: the first), by price; NONE after the last. */
static size_t next_choice(const struct assigner *assigner, size_t unit, size_t last) {
  const struct units *units = assigner->task.units;
  size_t at = last == NONE ? units_choices_begin(units, unit) : assigner->rank[last] + 1;
  while (at < units->choices_end[unit] &&
         assigner->prices.is_excluded[assigner->ranked[at]])
    at++;
  return at < units->choices_end[unit] ? assigner->ranked[at] : NONE;
}

static int cheaper_first(const void *left, const void *right, void *context) {
  const price_sum *costs = context;
  size_t a = *(const size_t *)left, b = *(const size_t *)right;
  if (costs[a] != costs[b]) return costs[a] < costs[b] ? -1 : 1;
  return a < b ? -1 : a > b;
}

/* Sorts the choices of each unit by their current prices, for next_choice. */
static void rank_choices(struct assigner *assigner) {
  const struct units *units = assigner->task.units;
  for (size_t u = 0; u < units->count; u++) {
    size_t begin = units_choices_begin(units, u), end = units->choices_end[u];
    for (size_t c = begin; c < end; c++)
      assigner->ranked[c] = c;
    if (end > begin)
      qsort_r(assigner->ranked + begin, end - begin, sizeof *assigner->ranked, cheaper_first,
              assigner->prices.costs);
    for (size_t c = begin; c < end; c++)
      assigner->rank[assigner->ranked[c]] = c;
  }
}

/* ---------------------------------------------------------------- planners */

static bool go_on(void *user, uint64_t ticks) {
  struct assigner *assigner = user;
  budget_spend(assigner->task.budget, ticks);
  return budget_look(assigner->task.budget);
}

/* Lists the buffers of some units. */
static size_t list_buffers(struct assigner *assigner, const size_t *units, size_t count) {
  const struct units *all = assigner->task.units;
  size_t listed = 0;
  for (size_t i = 0; i < count; i++)
    for (size_t m = units_members_begin(all, units[i]); m < all->members_end[units[i]]; m++)
      assigner->members[listed++] = all->members[m];
  return listed;
}

static void judge(struct assigner *assigner, const struct pool_outcome *outcome,
                  enum fit *fit) {
  *fit = FIT_FOUND;
  assigner->spent = outcome->ticks;
  if (outcome->has_layout) return;
  *fit = outcome->refusal.status == NEAP_INFEASIBLE ? FIT_REFUTED : FIT_OPEN;
  if (*fit == FIT_OPEN && outcome->reason == NEAP_STOP_TICK_LIMIT) assigner->is_short = true;
}

/* Plans a pool with some units.  NEAP_NO_PLAN: the budget ended. */
static neap_status check_pool(struct assigner *assigner, size_t pool, const size_t *units,
                              size_t count, uint64_t max_ticks, enum fit *fit,
                              neap_error *error) {
  const struct pool_planner *planner = assigner->task.planner;
  struct pool_outcome outcome;
  const struct pool_task task = {.problem = assigner->task.problem,
                                 .pool = pool,
                                 .members = assigner->members,
                                 .count = list_buffers(assigner, units, count),
                                 .max_ticks = max_ticks,
                                 .only_fit = true,
                                 .go_on = go_on,
                                 .user = assigner};
  neap_status status = planner->plan(planner->options, &task, assigner->found, &outcome, error);
  if (status == NEAP_OK) judge(assigner, &outcome, fit);
  bool is_spent = assigner->task.budget->end != BUDGET_LEFT;
  return status == NEAP_OK && is_spent && *fit == FIT_OPEN ? NEAP_NO_PLAN : status;
}

/* Removes `width` units from a list, beginning at `at`. */
static void cut_list(size_t *list, size_t *count, size_t at, size_t width, size_t *cut) {
  memcpy(cut, list + at, width * sizeof *cut);
  memmove(list + at, list + at + width, (*count - at - width) * sizeof *list);
  *count -= width;
}

static void mend_list(size_t *list, size_t *count, size_t at, size_t width, const size_t *cut) {
  memmove(list + at + width, list + at, (*count - at) * sizeof *list);
  memcpy(list + at, cut, width * sizeof *cut);
  *count += width;
}

/*
 * Shrinks a refuted set: removes units, at first many at a time, as long as the rest is refuted
 * about as fast.
 */
static neap_status shrink(struct assigner *assigner, size_t pool, size_t *count,
                          neap_error *error) {
  uint64_t ticks = 2 * assigner->spent + 1000,
           left = 10 * ticks + ASSIGNER_SHRINK_CHECKS * *count;
  size_t *list = assigner->list;
  size_t *cut = memory_array(*count, sizeof *cut);
  neap_status status = cut ? NEAP_OK : error_memory(error);
  for (size_t width = *count / 4 + 1; status == NEAP_OK && *count > 1; width = width / 2) {
    for (size_t at = 0; at<*count && * count> width && status == NEAP_OK && left > 0;) {
      size_t taken = *count - at < width ? *count - at : width;
      enum fit fit;
      cut_list(list, count, at, taken, cut);
      status = check_pool(assigner, pool, list, *count, ticks, &fit, error);
      uint64_t work = assigner->spent + *count;
      left -= work < left ? work : left;
      if (status == NEAP_OK && fit == FIT_REFUTED) continue;
      mend_list(list, count, at, taken, cut);
      at += taken;
    }
    if (width == 1 || left == 0) break;
  }
  free(cut);
  return status;
}

/*
 * Lists the units in a pool; *is_known is set if the best plan also has all of them in this
 * pool.
 */
static size_t list_units(struct assigner *assigner, size_t pool, bool *is_known) {
  const struct units *units = assigner->task.units;
  size_t count = 0;
  *is_known = assigner->cost >= 0;
  for (size_t u = 0; u < units->count; u++) {
    if (pool_of(assigner, u) != pool) continue;
    assigner->list[count++] = u;
    *is_known =
        *is_known && assigner->pools[units->members[units_members_begin(units, u)]] == pool;
  }
  return count;
}

static void copy_known(struct assigner *assigner, size_t count) {
  size_t listed = list_buffers(assigner, assigner->list, count);
  for (size_t i = 0; i < listed; i++)
    assigner->found[assigner->members[i]] = assigner->offsets[assigner->members[i]];
}

/* Finds a layout of a pool, or records that its units have none. */
static neap_status settle_pool(struct assigner *assigner, size_t pool, enum fit *fit,
                               neap_error *error) {
  bool is_known;
  size_t count = list_units(assigner, pool, &is_known);
  *fit = FIT_FOUND;
  if (is_known) copy_known(assigner, count);
  if (is_known || count == 0) return NEAP_OK;
  neap_status status =
      check_pool(assigner, pool, assigner->list, count, assigner->check_ticks, fit, error);
  if (status != NEAP_OK || *fit == FIT_FOUND) return status;
  if (*fit == FIT_REFUTED) status = shrink(assigner, pool, &count, error);
  if (status == NEAP_NO_PLAN) status = NEAP_OK; /* the set is still refuted */
  if (status == NEAP_OK &&
      !no_goods_add(&assigner->no_goods, pool, assigner->list, count, *fit == FIT_REFUTED))
    status = error_memory(error);
  return status;
}

/* ---------------------------------------------------------------- whole assignments */

static neap_size cost_of(const struct assigner *assigner) {
  neap_size cost = 0;
  for (size_t u = 0; u < assigner->task.units->count; u++)
    cost += assigner->task.units->choices[assigner->chosen[u]].cost; /* fits: units */
  return cost;
}

static void keep_assignment(struct assigner *assigner) {
  const struct units *units = assigner->task.units;
  assigner->cost = cost_of(assigner);
  for (size_t u = 0; u < units->count; u++)
    for (size_t m = units_members_begin(units, u); m < units->members_end[u]; m++)
      assigner->pools[units->members[m]] = pool_of(assigner, u);
  if (assigner->task.problem->count > 0)
    memcpy(assigner->offsets, assigner->found,
           assigner->task.problem->count * sizeof *assigner->offsets);
}

/* Lets planners lay out the assignment, limited pools first, and keeps it if they succeed. */
static neap_status check_assignment(struct assigner *assigner, enum fit *fit,
                                    neap_error *error) {
  neap_status status = NEAP_OK;
  *fit = FIT_FOUND;
  for (int unlimited = 0; unlimited < 2; unlimited++)
    for (size_t p = 0; p < assigner->pool_count && status == NEAP_OK && *fit == FIT_FOUND; p++)
      if ((assigner->columns.rooms[p] < 0) == (unlimited == 1))
        status = settle_pool(assigner, p, fit, error);
  if (status == NEAP_OK && *fit == FIT_FOUND) keep_assignment(assigner);
  return status;
}

static bool is_cheaper(const struct assigner *assigner, neap_size cost) {
  return assigner->cost < 0 || cost < assigner->cost;
}

/* ---------------------------------------------------------------- greedy */

struct keyed {
  price_sum key;
  neap_size tie;
  size_t unit;
};

static int larger_key_first(const void *left, const void *right) {
  const struct keyed *a = left, *b = right;
  if (a->key != b->key) return a->key > b->key ? -1 : 1;
  if (a->tie != b->tie) return a->tie > b->tie ? -1 : 1;
  return a->unit < b->unit ? -1 : a->unit > b->unit;
}

static neap_size largest_bytes(const struct assigner *assigner, size_t unit) {
  neap_size most = 0;
  for (size_t s = pool_columns_begin(&assigner->columns, unit);
       s < assigner->columns.spans_end[unit]; s++)
    if (assigner->columns.spans[s].bytes > most) most = assigner->columns.spans[s].bytes;
  return most;
}

/*
 * Ranks the choices, and sorts the units by the loss if a unit does not get its best choice, the
 * largest first.
 */
static bool sort_units(struct assigner *assigner) {
  size_t count = assigner->task.units->count;
  struct keyed *keyed = memory_array(count, sizeof *keyed);
  if (!keyed) return false;
  rank_choices(assigner);
  for (size_t u = 0; u < count; u++) {
    size_t best = next_choice(assigner, u, NONE);
    size_t second = best == NONE ? NONE : next_choice(assigner, u, best);
    const price_sum *costs = assigner->prices.costs;
    keyed[u] = (struct keyed){NEAP_MAX, largest_bytes(assigner, u), u};
    keyed[u].key *= PRICE_SCALE;
    if (second != NONE) keyed[u].key = costs[second] - costs[best];
  }
  qsort(keyed, count, sizeof *keyed, larger_key_first);
  for (size_t i = 0; i < count; i++)
    assigner->order[i] = keyed[i].unit;
  free(keyed);
  return true;
}

/* Gives each unit its best choice that has room; false if a unit has none. */
static bool construct(struct assigner *assigner) {
  for (size_t i = 0; i < assigner->task.units->count; i++) {
    size_t unit = assigner->order[i], c = next_choice(assigner, unit, NONE);
    for (; c != NONE; c = next_choice(assigner, unit, c)) {
      size_t pool = assigner->task.units->choices[c].pool;
      bool is_proven;
      if (!is_out_of_turn(assigner, pool) && has_room(assigner, unit, pool) &&
          !no_goods_forbid(&assigner->no_goods, unit, pool, &is_proven))
        break;
    }
    if (c == NONE) return false;
    enter(assigner, unit, c);
  }
  return true;
}

static neap_status try_greedy(struct assigner *assigner, int64_t percent, neap_error *error) {
  enum fit fit;
  if (!sort_units(assigner)) return error_memory(error);
  assigner->percent = percent;
  neap_status status = NEAP_OK;
  if (construct(assigner) && is_cheaper(assigner, cost_of(assigner)))
    status = check_assignment(assigner, &fit, error);
  leave_all(assigner);
  assigner->percent = 100;
  return status;
}

/* ---------------------------------------------------------------- before the search */

static bool costs_differ(const struct assigner *assigner) {
  const struct units *units = assigner->task.units;
  for (size_t u = 0; u < units->count; u++) {
    size_t begin = units_choices_begin(units, u), end = units->choices_end[u];
    if (end > begin && units->choices[end - 1].cost > units->choices[begin].cost) return true;
  }
  return false;
}

/* The cost to expect while no assignment is known: every unit gets its last choice. */
static neap_size highest_cost(const struct assigner *assigner) {
  const struct units *units = assigner->task.units;
  neap_size cost = 0;
  for (size_t u = 0; u < units->count; u++)
    if (units->choices_end[u] > units_choices_begin(units, u))
      cost += units->choices[units->choices_end[u] - 1].cost;
  return cost;
}

static void raise_proven(struct assigner *assigner, neap_size bound) {
  if (bound > assigner->proven) assigner->proven = bound;
}

static void set_prices(struct assigner *assigner) {
  size_t units = assigner->task.units->count;
  size_t steps = units > 0 && ASSIGNER_PRICE_WORK / units < ASSIGNER_PRICE_STEPS
                     ? ASSIGNER_PRICE_WORK / units + 1
                     : ASSIGNER_PRICE_STEPS;
  neap_size cost = assigner->cost >= 0 ? assigner->cost : highest_cost(assigner);
  pool_prices_improve(&assigner->prices, costs_differ(assigner) ? steps : 0, cost,
                      assigner->task.budget);
  budget_spend(assigner->task.budget, costs_differ(assigner) ? steps : 0);
  raise_proven(assigner, pool_prices_bound(assigner->prices.bound));
}

static bool begin_search(struct assigner *assigner) {
  assigner->is_searching = true;
  assigner->depth = 0;
  assigner->tried[0] = NONE;
  assigner->partial[0] = assigner->prices.bound;
  assigner->open_bound = NEAP_MAX;
  assigner->is_short = false;
  if (assigner->cost >= 0) pool_prices_exclude(&assigner->prices, assigner->cost);
  return sort_units(assigner);
}

/* Finds the bounds that need no prices, including the bound of single columns. */
static bool find_first_bounds(struct assigner *assigner) {
  neap_size bound = 0;
  if (!pool_cover_bound(assigner->task.units, &assigner->columns, &bound)) return false;
  raise_proven(assigner, bound);
  pool_prices_improve(&assigner->prices, 0, 0, assigner->task.budget);
  return true;
}

/*
 * Makes the first assignments: by cost, with a decreasing share of the rooms until an
 * assignment has a layout, and then by price.
 */
static neap_status prepare(struct assigner *assigner, neap_error *error) {
  static const int64_t percents[] = {100, 97, 92, 85, 70, 50, 25};
  const size_t tries = sizeof percents / sizeof *percents;
  size_t stage = assigner->stage++;
  if (stage == 0 && !find_first_bounds(assigner)) return error_memory(error);
  if (stage < tries)
    return assigner->cost < 0 ? try_greedy(assigner, percents[stage], error) : NEAP_OK;
  if (stage == tries) set_prices(assigner);
  if (stage == tries || stage == tries + 1)
    return try_greedy(assigner, stage == tries ? 100 : 97, error);
  if (stage == tries + 2 && assigner->cost >= 0) set_prices(assigner);
  return begin_search(assigner) ? NEAP_OK : error_memory(error);
}

/* ---------------------------------------------------------------- the search */

static void pass_over(struct assigner *assigner, price_sum bound) {
  neap_size cost = pool_prices_bound(bound);
  if (cost < assigner->open_bound) assigner->open_bound = cost;
}

/* Leaves the last unit, whose next choice will be tried next. */
static void go_back(struct assigner *assigner) {
  assert(assigner->depth > 0);
  leave(assigner, assigner->order[--assigner->depth]);
}

/*
 * Whether the last no-good is complete, so that everything below this node is refuted or passed
 * over.
 */
static bool is_stuck(const struct assigner *assigner) {
  const struct no_goods *no_goods = &assigner->no_goods;
  if (no_goods->count == 0) return false;
  const struct no_good *last = &no_goods->items[no_goods->count - 1];
  return last->present == last->count;
}

static neap_status visit_leaf(struct assigner *assigner, neap_error *error) {
  enum fit fit = FIT_OPEN;
  neap_size cost = cost_of(assigner);
  neap_status status = NEAP_OK;
  if (is_cheaper(assigner, cost)) {
    status = check_assignment(assigner, &fit, error);
    if (status != NEAP_OK) return status;
    if (fit == FIT_OPEN && cost < assigner->open_bound) assigner->open_bound = cost;
    if (fit == FIT_FOUND) pool_prices_exclude(&assigner->prices, assigner->cost);
  }
  /* An open set is also passed over when another assignment contains it. */
  do
    go_back(assigner);
  while (assigner->depth > 0 && is_stuck(assigner));
  return NEAP_OK;
}

/* The best choice of a unit that has room now; NONE if there is none. */
static size_t best_with_room(const struct assigner *assigner, size_t unit) {
  size_t c = next_choice(assigner, unit, NONE);
  while (c != NONE && !has_room(assigner, unit, assigner->task.units->choices[c].pool))
    c = next_choice(assigner, unit, c);
  return c;
}

/*
 * Whether the remaining units can still lead to a cheaper assignment: each has a choice with
 * room, and together these do not cost too much.
 */
static bool is_promising(struct assigner *assigner) {
  price_sum bound = assigner->partial[assigner->depth];
  size_t count = assigner->task.units->count;
  if (count > ASSIGNER_LOOK_AHEAD_MOST) return true;
  budget_spend(assigner->task.budget, (count - assigner->depth) / ASSIGNER_LOOK_AHEAD_PER_TICK);
  for (size_t i = assigner->depth; i < count; i++) {
    size_t unit = assigner->order[i], c = best_with_room(assigner, unit);
    if (c == NONE) return false;
    bound += assigner->prices.costs[c] - assigner->prices.least[unit];
    if (assigner->cost >= 0 && pool_prices_bound(bound) >= assigner->cost) return false;
  }
  return true;
}

/* Tries the unit's next choice; false if no choice is left. */
static bool try_next(struct assigner *assigner) {
  size_t depth = assigner->depth, unit = assigner->order[depth];
  size_t c = next_choice(assigner, unit, assigner->tried[depth]);
  if (c == NONE) return false;
  assigner->tried[depth] = c;
  price_sum bound =
      assigner->partial[depth] + assigner->prices.costs[c] - assigner->prices.least[unit];
  if (assigner->cost >= 0 && pool_prices_bound(bound) >= assigner->cost) return false;
  size_t pool = assigner->task.units->choices[c].pool;
  bool is_proven;
  if (is_out_of_turn(assigner, pool) || !has_room(assigner, unit, pool)) return true;
  if (no_goods_forbid(&assigner->no_goods, unit, pool, &is_proven)) {
    if (!is_proven) pass_over(assigner, bound);
    return true;
  }
  enter(assigner, unit, c);
  assigner->tried[++assigner->depth] = NONE;
  assigner->partial[assigner->depth] = bound;
  if (assigner->columns.rooms[pool] >= 0 && !is_promising(assigner)) go_back(assigner);
  return true;
}

/* Ends a pass, in which every assignment was examined or passed over. */
static neap_status end_pass(struct assigner *assigner, bool *is_over, neap_error *error) {
  neap_size bound = assigner->cost >= 0 ? assigner->cost : NEAP_MAX;
  if (assigner->open_bound < bound) bound = assigner->open_bound;
  raise_proven(assigner, bound);
  bool is_open = assigner->open_bound < NEAP_MAX &&
                 (assigner->cost < 0 || assigner->open_bound < assigner->cost);
  *is_over = !is_open || !assigner->is_short;
  if (*is_over) return NEAP_OK;
  no_goods_forget_open(&assigner->no_goods, assigner->task.units->count);
  assigner->check_ticks *= ASSIGNER_CHECK_GROWTH;
  return begin_search(assigner) ? NEAP_OK : error_memory(error);
}

static neap_status search(struct assigner *assigner, bool *is_over, neap_error *error) {
  neap_size before = assigner->cost;
  for (size_t node = 0; node < ASSIGNER_NODES_PER_STEP && assigner->cost == before; node++) {
    if (!budget_tick(assigner->task.budget)) return NEAP_NO_PLAN;
    if (assigner->depth == assigner->task.units->count) {
      neap_status status = visit_leaf(assigner, error);
      if (status != NEAP_OK) return status;
    } else if (!try_next(assigner)) {
      if (assigner->depth == 0) return end_pass(assigner, is_over, error);
      go_back(assigner);
    }
  }
  return NEAP_OK;
}

neap_status assigner_step(struct assigner *assigner, bool *is_over, neap_error *error) {
  *is_over = false;
  neap_status status =
      assigner->is_searching ? search(assigner, is_over, error) : prepare(assigner, error);
  if (assigner->cost >= 0 && assigner->cost <= assigner->proven) *is_over = true;
  return status;
}

/* ---------------------------------------------------------------- results */

const size_t *assigner_pools(const struct assigner *assigner) {
  return assigner->cost >= 0 ? assigner->pools : NULL;
}

const neap_offset *assigner_offsets(const struct assigner *assigner) {
  return assigner->cost >= 0 ? assigner->offsets : NULL;
}

neap_size assigner_cost(const struct assigner *assigner) { return assigner->cost; }

neap_size assigner_lower_bound(const struct assigner *assigner) {
  return assigner->cost >= 0 && assigner->cost < assigner->proven ? assigner->cost
                                                                  : assigner->proven;
}
