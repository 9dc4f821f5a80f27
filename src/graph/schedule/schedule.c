/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reorders the operators of a graph, unless the new order raises the bound of the problem, and
 * proves a lower bound for every order.
 *
 * The candidates are the given order, one that the caller names, and a depth-first order.  A
 * beam search improves the best of them.  If requested, minimum cuts improve this order and the
 * reversed order, and an exact search then finds a better order or proves that there is none.
 * A long exact search takes turns with a local search and with bounds by pairs of operators.
 * Finally, the bound of the whole problem decides whether the new order replaces the given one.
 */
#include "schedule/schedule.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/checked.h"
#include "core/error.h"
#include "core/knobs.h"
#include "core/memory.h"
#include "core/random.h"
#include "core/sized.h"
#include "model/graph.h"
#include "model/runtime_arena.h"
#include "schedule/costs.h"
#include "schedule/exact.h"
#include "schedule/order_profile.h"
#include "schedule/precedence.h"

/* --------------------------------------------------------------- other orders of the same bound */

/*
 * A random walk over orders.  A step moves an operator to a random place between the last
 * operator that it depends on and the first that depends on it, and undoes the move if the peak
 * rises.  Each step costs a walk through the order.  There are at most a few steps for every
 * operator, as long as the total work stays within SCHEDULE_WORK_MAX, but often far fewer: a
 * small change of a good order is more often a better one, and a large change leaves faults that
 * small ones cannot repair.
 *
 * The sum of the bytes alive at all moments must not rise, either: the less is alive, the more
 * room a layout has.  In large graphs, the steps are too few to lower the sum by much, so it
 * may rise.
 */

struct varied {
  const struct costs *costs;
  size_t *order;
  size_t *place; /* per operator */
  struct costs_walk walk;
  struct moment *moments;
  neap_size peak, sum; /* the highest peak and sum of bytes over all moments to accept */
  bool limits_sum;
  struct random random;
};

/* Moves the operator at position `from` to position `to`. */
static void move_operator(struct varied *varied, size_t from, size_t to) {
  size_t *order = varied->order, k = order[from];
  if (from < to) memmove(order + from, order + from + 1, (to - from) * sizeof *order);
  else memmove(order + to + 1, order + to, (from - to) * sizeof *order);
  order[to] = k;
  size_t low = from < to ? from : to, high = from < to ? to : from;
  for (size_t at = low; at <= high; at++)
    varied->place[order[at]] = at;
}

/* The first and the last place to which an operator can move. */
static void find_range(const struct varied *varied, size_t k, size_t *low, size_t *high) {
  const struct costs_lists *befores = &varied->costs->befores, *afters = &varied->costs->afters;
  *low = 0;
  *high = varied->costs->count - 1;
  for (size_t i = costs_begin(befores, k); i < befores->ends[k]; i++)
    if (varied->place[befores->items[i]] + 1 > *low)
      *low = varied->place[befores->items[i]] + 1;
  for (size_t i = costs_begin(afters, k); i < afters->ends[k]; i++)
    if (varied->place[afters->items[i]] - 1 < *high)
      *high = varied->place[afters->items[i]] - 1;
}

/* Whether the order is no worse than the last one accepted; it is then accepted. */
static bool accept(struct varied *varied) {
  size_t count = varied->costs->count;
  neap_size sum = 0;
  costs_walk_start(&varied->walk);
  if (moments_find(varied->moments, &varied->walk, varied->order, count) > varied->peak)
    return false;
  for (size_t at = 0; at < count; at++)
    if (!checked_add(sum, varied->moments[at].bytes, &sum)) sum = NEAP_MAX;
  if (varied->limits_sum && sum > varied->sum) return false;
  varied->sum = sum;
  return true;
}

static void take_step(struct varied *varied) {
  size_t from = random_below(&varied->random, (uint32_t)varied->costs->count), low, high;
  find_range(varied, varied->order[from], &low, &high);
  size_t to = low + random_below(&varied->random, (uint32_t)(high - low + 1));
  if (to == from) return;
  move_operator(varied, from, to);
  if (!accept(varied)) move_operator(varied, to, from);
}

static void take_steps(struct varied *varied) {
  size_t count = varied->costs->count, links = varied->costs->edge_count;
  size_t steps = SCHEDULE_WORK_MAX / (count + links);
  if (steps > SCHEDULE_STEPS_PER_OPERATOR * count) steps = SCHEDULE_STEPS_PER_OPERATOR * count;
  varied->limits_sum = steps >= count;
  steps >>= random_below(&varied->random, SCHEDULE_STEPS_HALVINGS + 1);
  if (steps < SCHEDULE_STEPS_LEAST) steps = SCHEDULE_STEPS_LEAST;
  varied->peak = costs_walk_peak(&varied->walk, varied->order);
  varied->sum = NEAP_MAX;
  for (size_t at = 0; at < count; at++)
    varied->place[varied->order[at]] = at;
  accept(varied);
  while (steps-- > 0)
    take_step(varied);
}

/*
 * Randomly moves operators of a topological order to other places that their dependences
 * permit, without raising the peak.  Equal seeds give equal orders.
 */
static neap_status vary_order(const struct costs *costs, size_t *order, uint64_t seed,
                              neap_error *error) {
  struct varied varied = {.costs = costs, .order = order};
  if (costs->count < 2 || costs->count > INT32_MAX) return NEAP_OK;
  if (!random_init(&varied.random, seed)) return error_memory(error);
  varied.place = memory_array(costs->count, sizeof *varied.place);
  varied.moments = memory_array(costs->count, sizeof *varied.moments);
  bool has_room = costs_walk_init(&varied.walk, costs) && varied.place && varied.moments;
  if (has_room) take_steps(&varied);
  costs_walk_clear(&varied.walk);
  free(varied.place);
  free(varied.moments);
  random_clear(&varied.random);
  return has_room ? NEAP_OK : error_memory(error);
}

/* ---------------------------------------------------------------- finding an order */

/* The bound of the graph's problem, in-place sharing included. */
static neap_status find_bound(const neap_graph *graph, const neap_liveness *options,
                              neap_size *bytes, neap_error *error) {
  neap_problem *problem;
  neap_bound bound = NEAP_INIT(neap_bound);
  neap_status status = neap_graph_to_problem(graph, options, &problem, error);
  if (status != NEAP_OK) return status;
  status = neap_problem_bound(problem, &bound, error);
  neap_problem_free(problem);
  *bytes = bound.bytes;
  return status;
}

struct orders {
  size_t *best, *other;
  bool is_only; /* there is only one order, so no search is needed */
  struct costs_walk walk;
};

static void keep_better(const struct costs *costs, struct orders *orders) {
  if (costs_walk_peak(&orders->walk, orders->other) <
      costs_walk_peak(&orders->walk, orders->best))
    memcpy(orders->best, orders->other, costs->count * sizeof *orders->best);
}

static neap_status try_depth_first(const struct costs *costs, struct orders *orders,
                                   neap_error *error) {
  neap_status status = depth_first_order(costs, orders->other, error);
  if (status == NEAP_OK) keep_better(costs, orders);
  return status;
}

static neap_status check_start(const struct costs *costs, const neap_operator_order *start,
                               size_t *place, neap_error *error) {
  if (start->count != costs->count)
    return error_set(error, NEAP_ERROR_INPUT,
                     "the order to begin with has %zu operators, but the graph has %zu",
                     start->count, costs->count);
  for (size_t at = 0; at < costs->count; at++) {
    size_t k = start->given[at];
    if (k >= costs->count || place[k] != 0)
      return error_set(
          error, NEAP_ERROR_INPUT,
          "the order to begin with has operator %zu twice, or the graph has no such "
          "operator",
          k);
    place[k] = at + 1;
    for (size_t i = costs_begin(&costs->befores, k); i < costs->befores.ends[k]; i++)
      if (place[costs->befores.items[i]] == 0)
        return error_set(
            error, NEAP_ERROR_INPUT,
            "the order to begin with runs operator %zu before operator %zu, which it "
            "depends on",
            k, costs->befores.items[i]);
  }
  return NEAP_OK;
}

static neap_status try_start(const struct costs *costs, const neap_operator_order *start,
                             struct orders *orders, neap_error *error) {
  if (!start) return NEAP_OK;
  size_t *place = memory_array(costs->count, sizeof *place);
  neap_status status = place ? check_start(costs, start, place, error) : error_memory(error);
  free(place);
  if (status != NEAP_OK) return status;
  memcpy(orders->other, start->given, costs->count * sizeof *orders->other);
  keep_better(costs, orders);
  return NEAP_OK;
}

/* Whether there is only one order, because each operator depends on the one before it. */
static bool is_only_order(const struct costs *costs) {
  const struct costs_lists *befores = &costs->befores;
  for (size_t k = 1; k < costs->count; k++) {
    bool is_chained = false;
    for (size_t i = costs_begin(befores, k); i < befores->ends[k]; i++)
      is_chained = is_chained || befores->items[i] == k - 1;
    if (!is_chained) return false;
  }
  return true;
}

static bool make_orders(const struct costs *costs, struct orders *orders) {
  orders->is_only = is_only_order(costs);
  orders->best = memory_array(costs->count, sizeof *orders->best);
  orders->other = memory_array(costs->count, sizeof *orders->other);
  if (!costs_walk_init(&orders->walk, costs) || !orders->best || !orders->other) return false;
  for (size_t k = 0; k < costs->count; k++)
    orders->best[k] = k;
  return true;
}

/* ---------------------------------------------------------------- the proof */

#define SECONDS_DEFAULT 5
#define NEST_SHARE 2
#define MEMORY_DEFAULT ((neap_size)1 << 30)

/* Passes the budget's watch on to the caller. */
struct watcher {
  const neap_scheduling *scheduling;
  const struct prove_task *task;
  struct budget *budget;
};

static void watch(void *user) {
  const struct watcher *watcher = user;
  const neap_scheduling *scheduling = watcher->scheduling;
  struct budget *budget = watcher->budget;
  const neap_order_progress progress = {watcher->task->peak, watcher->task->least,
                                        budget->ticks, budget_seconds(budget), NEAP_UNPLACED};
  if (budget->end == BUDGET_LEFT && !atomic_load(&budget->cancelled) &&
      !scheduling->progress(&progress, scheduling->user))
    budget_cancel(budget);
}

/* Begins the search.  Only an exact search can end it early; the others do little work. */
static void begin_search(struct watcher *watcher) {
  const neap_scheduling *scheduling = watcher->scheduling;
  struct budget *budget = watcher->budget;
  bool is_exact = scheduling->schedule == NEAP_SCHEDULE_OPTIMAL;
  bool has_limit = scheduling->time_limit > 0 || scheduling->max_ticks > 0;
  double seconds = has_limit ? scheduling->time_limit : SECONDS_DEFAULT;
  budget_init(budget, is_exact ? scheduling->max_ticks : 0, is_exact ? seconds : 0);
  if (!scheduling->progress) return;
  budget->watch = watch;
  budget->user = watcher;
}

/*
 * Rearranges an order by minimum cuts, which also raise the bound.  Takes at most a part of the
 * ticks and of the time that are left.
 */
static neap_status nest(struct prove_task *task, size_t *order, neap_error *error) {
  struct budget *whole = task->budget, part;
  uint64_t ticks = whole->max_ticks - whole->ticks;
  budget_init_within(&part, whole, whole->max_ticks > 0 ? ticks / NEST_SHARE + 1 : 0);
  if (whole->deadline > 0)
    part.deadline = part.started + (whole->deadline - part.started) / NEST_SHARE;
  neap_status status = closure_order(task->costs, order, &part, &task->least, error);
  budget_look(&part);
  return status;
}

static void keep_lower(struct prove_task *task, const size_t *order, neap_size peak) {
  if (peak >= task->peak) return;
  memcpy(task->order, order, task->costs->count * sizeof *order);
  task->peak = peak;
}

/*
 * Minimum cuts depend on the order that they rearrange, so the reversed order is another
 * chance, often the better one for training graphs.
 */
static neap_status try_reversed(struct prove_task *task, neap_error *error) {
  size_t *order = memory_array(task->costs->count, sizeof *order);
  struct costs_walk walk;
  bool has_room = costs_walk_init(&walk, task->costs) && order;
  neap_status status =
      has_room ? latest_first_order(task->costs, order, error) : error_memory(error);
  if (status == NEAP_OK) status = nest(task, order, error);
  if (status == NEAP_OK) keep_lower(task, order, costs_walk_peak(&walk, order));
  costs_walk_clear(&walk);
  free(order);
  return status;
}

/* Refines a copy of the order from which the turns began. */
static neap_status refine_first(struct prove_task *task, const struct prove_task *first,
                                uint64_t seed, neap_error *error) {
  struct prove_task other = *task;
  other.peak = first->peak;
  other.order = memory_array(task->costs->count, sizeof *other.order);
  if (!other.order) return error_memory(error);
  memcpy(other.order, first->order, task->costs->count * sizeof *other.order);
  neap_status status = refine_order(&other, seed, error);
  keep_lower(task, other.order, other.peak);
  free(other.order);
  return status;
}

enum { EXACT, LOCAL, PAIRS, KINDS };

/*
 * A few unlucky steps may lead the local search to where it gets stuck, so every other time it
 * starts afresh.
 */
static neap_status search_by(struct prove_task *task, const struct prove_task *first,
                             uint64_t turn, neap_error *error) {
  uint64_t kind = turn % KINDS;
  if (kind == EXACT) return exact_order(task, error);
  if (kind == PAIRS) return precedence_bound(task, error);
  return turn / KINDS % 2 == 0 ? refine_order(task, turn, error)
                               : refine_first(task, first, turn, error);
}

/* Runs a search with a part of the budget. */
static neap_status search_part(struct prove_task *task, const struct prove_task *first,
                               uint64_t ticks, double seconds, uint64_t turn,
                               neap_error *error) {
  struct budget *whole = task->budget, part;
  budget_init_within(&part, whole, ticks);
  if (whole->deadline > 0 && part.started + seconds < whole->deadline)
    part.deadline = part.started + seconds;
  task->budget = &part;
  neap_status status = search_by(task, first, turn, error);
  budget_look(&part);
  task->budget = whole;
  return status;
}

/*
 * Exact search, local search and bounds by pairs of operators take turns.  Turns become longer,
 * because each begins anew, with the lowest peak so far.  The first turn is enough for networks
 * with few branches; after it, minimum cuts rearrange the reversed order.
 */
static neap_status take_turns(struct prove_task *task, neap_error *error) {
  struct budget *budget = task->budget;
  double left = budget->deadline - budget->started - budget_seconds(budget);
  uint64_t ticks = SCHEDULE_TURN_TICKS;
  size_t bytes = task->costs->count * sizeof *task->order;
  struct prove_task first = {.order = memory_array(task->costs->count, sizeof *first.order)};
  neap_status status = first.order ? NEAP_OK : error_memory(error);
  for (uint64_t turn = 0; status == NEAP_OK && task->peak > task->least && budget_look(budget);
       turn++) {
    status = search_part(task, &first, ticks, left * SCHEDULE_TURN_SHARE, turn, error);
    if (turn == 0 && status == NEAP_OK && task->peak > task->least)
      status = try_reversed(task, error);
    if (turn == 0) {
      memcpy(first.order, task->order, bytes);
      first.peak = task->peak;
    }
    if (turn % KINDS == KINDS - 1 && ticks <= UINT64_MAX / SCHEDULE_TURN_FACTOR)
      ticks *= SCHEDULE_TURN_FACTOR;
  }
  free(first.order);
  return status;
}

/* Fixing the order of alike branches also raises the bound. */
static neap_status prove_best(struct costs *costs, struct prove_task *task, neap_error *error) {
  if (!twins_link(costs, task->order)) return error_memory(error);
  neap_status status = closure_bound(costs, task->order, task->budget, &task->least, error);
  return status == NEAP_OK ? take_turns(task, error) : status;
}

static neap_status nest_best(struct prove_task *task, struct orders *orders,
                             neap_error *error) {
  memcpy(orders->other, orders->best, task->costs->count * sizeof *orders->other);
  return nest(task, orders->other, error);
}

/*
 * Minimum cuts come first, because they often prove that their order is optimal.  If not, a beam
 * search starts from the order before the cuts, because their order may be a dead end for it.
 */
static neap_status search_order(struct costs *costs, bool is_exact, struct orders *orders,
                                struct prove_task *task, neap_error *error) {
  neap_status status = is_exact ? nest_best(task, orders, error) : NEAP_OK;
  if (status == NEAP_OK && costs_walk_peak(&orders->walk, orders->other) > task->least)
    status = improve_order(costs, orders->best, task->budget, &task->least, error);
  keep_better(costs, orders);
  task->peak = costs_walk_peak(&orders->walk, orders->best);
  if (status != NEAP_OK || !is_exact) return status;
  status = nest_best(task, orders, error);
  keep_better(costs, orders);
  task->peak = costs_walk_peak(&orders->walk, orders->best);
  return status == NEAP_OK ? prove_best(costs, task, error) : status;
}

/*
 * Finds an order, and raises *least, a lower bound on the peak of every order, as far as the
 * search proves.
 */
static neap_status find_order(struct costs *costs, const neap_scheduling *scheduling,
                              struct orders *orders, neap_size *least, neap_error *error) {
  struct budget budget;
  neap_size memory = scheduling->memory_limit > 0 ? scheduling->memory_limit : MEMORY_DEFAULT;
  struct prove_task task = {.costs = costs,
                            .least = *least,
                            .memory = (uint64_t)memory < SIZE_MAX ? (size_t)memory : SIZE_MAX,
                            .budget = &budget};
  struct watcher watcher = {scheduling, &task, &budget};
  if (!make_orders(costs, orders)) return error_memory(error);
  task.order = orders->best;
  if (scheduling->schedule == NEAP_SCHEDULE_DEPTH_FIRST)
    return depth_first_order(costs, orders->best, error);
  neap_status status = try_start(costs, scheduling->start, orders, error);
  if (status == NEAP_OK) status = try_depth_first(costs, orders, error);
  task.peak = costs_walk_peak(&orders->walk, orders->best);
  begin_search(&watcher);
  if (status == NEAP_OK && !orders->is_only)
    status = search_order(costs, scheduling->schedule == NEAP_SCHEDULE_OPTIMAL, orders, &task,
                          error);
  *least = task.least;
  return status;
}

static void orders_clear(struct orders *orders) {
  free(orders->best);
  free(orders->other);
  costs_walk_clear(&orders->walk);
}

/* ---------------------------------------------------------------- the new order */

/*
 * Returns the operators in the new order and sets their original indices; NULL if memory is
 * short.
 */
static struct graph_operator *permute_operators(const neap_graph *graph, const size_t *order,
                                                size_t *given) {
  struct graph_operator *operators = memory_array(graph->operator_count, sizeof *operators);
  for (size_t k = 0; operators && k < graph->operator_count; k++) {
    assert(order[k] < graph->operator_count);
    operators[k] = graph->operators[order[k]];
    given[k] = graph->given ? graph->given[order[k]] : order[k];
  }
  return operators;
}

static void set_given(neap_graph *graph, size_t *given, neap_size bound) {
  if (!graph->given) graph->given_bound = bound;
  free(graph->given);
  graph->given = given;
}

/* Keeps the order and marks the graph as scheduled. */
static neap_status keep_order(neap_graph *graph, neap_size bound, neap_error *error) {
  if (graph->given) return NEAP_OK;
  size_t *given = memory_array(graph->operator_count, sizeof *given);
  if (!given) return error_memory(error);
  for (size_t k = 0; k < graph->operator_count; k++)
    given[k] = k;
  set_given(graph, given, bound);
  return NEAP_OK;
}

/* The runtime will prepare the operators of each body in the graph's order. */
static void order_arena(neap_graph *graph) {
  runtime_arena_begin_order(graph->arena);
  for (size_t k = 0; k < graph->operator_count; k++)
    if (graph->operators[k].body != GRAPH_STEP)
      runtime_arena_place(graph->arena, graph->operators[k].body, graph->operators[k].place);
  runtime_arena_sum(graph->arena);
}

/* Applies an order, unless its bound exceeds `bound`, the bound of the present order. */
static neap_status apply_order(neap_graph *graph, const size_t *order,
                               const neap_liveness *options, neap_size bound,
                               neap_error *error) {
  struct graph_operator *before = graph->operators;
  size_t *given = memory_array(graph->operator_count, sizeof *given);
  struct graph_operator *after = given ? permute_operators(graph, order, given) : NULL;
  neap_size bytes = bound;
  neap_status status = after ? NEAP_OK : error_memory(error);
  if (status == NEAP_OK) {
    graph->operators = after;
    status = find_bound(graph, options, &bytes, error);
  }
  if (status != NEAP_OK || bytes > bound) {
    graph->operators = before;
    free(after);
    free(given);
    return status == NEAP_OK ? keep_order(graph, bound, error) : status;
  }
  set_given(graph, given, bound);
  if (graph->arena) order_arena(graph);
  graph->operator_capacity = graph->operator_count;
  free(before);
  return NEAP_OK;
}

/* ---------------------------------------------------------------- the whole */

/* With in-place sharing, the tensors together may be larger than the buffers of the problem. */
static neap_status check_sizes(const neap_graph *graph, const neap_liveness *options,
                               neap_error *error) {
  neap_size total = 0;
  for (size_t t = 0; t < graph_tensor_count(graph); t++)
    if (graph_is_planned(graph, options, t) &&
        !checked_add(total, graph->tensors[t].bytes, &total))
      return error_set(error, NEAP_ERROR_INPUT,
                       "the sizes of the tensors add up to 2^63 bytes or more");
  return NEAP_OK;
}

/*
 * Finds an order, and raises *least, a lower bound for every order, which initially is the
 * bound of the present order.
 */
static neap_status search_orders(neap_graph *graph, const neap_scheduling *how,
                                 const neap_liveness *options, struct orders *orders,
                                 neap_size *least, neap_error *error) {
  struct costs costs = {0};
  neap_size bound = *least;
  neap_status status = costs_init(&costs, graph, options, error);
  if (status == NEAP_OK) status = order_bound(&costs, least, error);
  if (status == NEAP_OK) status = find_order(&costs, how, orders, least, error);
  if (orders->is_only) *least = bound;
  assert(status != NEAP_OK || *least <= bound);
  costs_clear(&costs);
  return status;
}

/*
 * Orders are compared without the moment before the first operator.  If the present order, of
 * bound `bound`, needs that moment for unread inputs, the graph keeps order and moment.
 */
static neap_status drop_lead(neap_graph *graph, const neap_liveness *options, neap_size bound,
                             bool *needs_lead, neap_error *error) {
  neap_size without = bound;
  *needs_lead = false;
  if (!graph->leads_in) return NEAP_OK;
  graph->leads_in = false;
  neap_status status = find_bound(graph, options, &without, error);
  *needs_lead = graph->leads_in = status == NEAP_OK && without > bound;
  return status;
}

static neap_status check_reordering(const neap_graph *graph, neap_error *error) {
  if (!graph->is_ordered) return NEAP_OK;
  return error_set(error, NEAP_ERROR_ARGUMENT,
                   "the operators of this graph cannot be reordered: some of them are "
                   "compiled together with their offsets");
}

static neap_status reorder(neap_graph *graph, const neap_scheduling *scheduling,
                           const neap_liveness *options, neap_error *error) {
  struct orders orders = {0};
  neap_size bound = 0;
  neap_status status = check_reordering(graph, error);
  if (status == NEAP_OK) status = find_bound(graph, options, &bound, error);
  if (status != NEAP_OK) return status;
  bool has_lead = graph->leads_in, needs_lead;
  status = drop_lead(graph, options, bound, &needs_lead, error);
  if (status == NEAP_OK && needs_lead) return keep_order(graph, bound, error);
  if (status == NEAP_OK) status = check_sizes(graph, options, error);
  neap_size least = bound;
  if (status == NEAP_OK)
    status = search_orders(graph, scheduling, options, &orders, &least, error);
  /* With the moment before the first operator, an order might have a lower bound. */
  if (status == NEAP_OK && !has_lead) status = graph_prove(graph, options, least, error);
  if (status == NEAP_OK) status = apply_order(graph, orders.best, options, bound, error);
  orders_clear(&orders);
  return status;
}

neap_status neap_graph_reorder(neap_graph *graph, const neap_scheduling *scheduling,
                               const neap_liveness *options, neap_error *error) {
  static const neap_liveness defaults = {0};
  neap_schedule schedule = scheduling->schedule;
  struct budget clock;
  if (schedule == NEAP_SCHEDULE_KEEP) return NEAP_OK;
  if (schedule < NEAP_SCHEDULE_DEPTH_FIRST || schedule > NEAP_SCHEDULE_OPTIMAL)
    return error_set(error, NEAP_ERROR_ARGUMENT, "there is no schedule number %d",
                     (int)schedule);
  neap_status status = SIZED_CHECK_RESERVED(scheduling->reserved, "neap_scheduling", error);
  if (status != NEAP_OK) return status;
  budget_init(&clock, 0, 0);
  status = reorder(graph, scheduling, options ? options : &defaults, error);
  graph->order_seconds += budget_seconds(&clock);
  return status;
}

/* Finds another order with the same peak, starting from the present one. */
static neap_status find_variation(const neap_graph *graph, const neap_liveness *options,
                                  uint64_t seed, struct orders *orders, neap_error *error) {
  struct costs costs = {0};
  neap_status status = costs_init(&costs, graph, options, error);
  if (status == NEAP_OK && !make_orders(&costs, orders)) status = error_memory(error);
  if (status == NEAP_OK) status = vary_order(&costs, orders->best, seed, error);
  costs_clear(&costs);
  return status;
}

neap_status graph_vary(neap_graph *graph, const neap_liveness *options, uint64_t seed,
                       neap_error *error) {
  struct orders orders = {0};
  neap_size bound = 0;
  neap_status status = check_reordering(graph, error);
  if (status == NEAP_OK) status = find_bound(graph, options, &bound, error);
  if (status == NEAP_OK) status = check_sizes(graph, options, error);
  if (status == NEAP_OK) status = find_variation(graph, options, seed, &orders, error);
  if (status == NEAP_OK) status = apply_order(graph, orders.best, options, bound, error);
  orders_clear(&orders);
  return status;
}
