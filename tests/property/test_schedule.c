/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Orders of operators on random graphs: the bound never rises, every dependence is kept, and on
 * graphs small enough to try every order, the search finds the lowest bound and no claim of
 * optimality is wrong.
 */
#include <stdlib.h>
#include <string.h>

#include "schedule/exact.h"
#include "schedule/operator_cuts.h"
#include "schedule/precedence.h"
#include "schedule/schedule.h"
#include "tests/support/random_graph.h"
#include "tests/support/sample.h"

static neap_size bound_of(const neap_graph *graph, const neap_liveness *options) {
  neap_problem *problem = sample_graph_problem(graph, options);
  const neap_bound bound = sample_bound(problem);
  neap_problem_free(problem);
  return bound.bytes;
}

static size_t tensor(neap_graph *graph, const char *name, neap_size bytes,
                     neap_tensor_kind kind) {
  neap_error error;
  assert_ok(neap_graph_add_tensor(graph, name,
                                  &(neap_tensor){.struct_size = sizeof(neap_tensor),
                                                 .bytes = bytes,
                                                 .alignment = 1,
                                                 .kind = kind,
                                                 .is_input = strcmp(name, "in") == 0},
                                  &error),
            &error);
  return neap_graph_tensor_count(graph) - 1;
}

/* ---------------------------------------------------------------- never worse */

static void expect_permutation(const neap_problem *problem, size_t count) {
  bool seen[RANDOM_GRAPH_MAX] = {false};
  neap_operator_order order = NEAP_INIT(neap_operator_order);
  assert_true(neap_problem_order(problem, &order));
  assert_int_equal(order.count, count);
  for (size_t k = 0; k < count; k++) {
    assert_true(order.given[k] < count);
    assert_false(seen[order.given[k]]);
    seen[order.given[k]] = true;
  }
}

/* What is reported of the order does not depend on the layout, for which a moment is enough. */
static neap_plan *solve_shortly(const neap_problem *problem) {
  neap_options *options = neap_options_new();
  neap_error error;
  assert_ok(neap_options_set(options, "max-ticks", "1000", &error), &error);
  neap_plan *plan = sample_solve(problem, options);
  neap_options_free(options);
  return plan;
}

TEST(the_bound_never_rises) {
  struct dice dice = {5};
  for (int round = 0; round < 2000; round++) {
    neap_graph *graph = random_graph(&dice, RANDOM_GRAPH_MAX);
    neap_schedule schedule = round % 2 ? NEAP_SCHEDULE_MIN_PEAK : NEAP_SCHEDULE_DEPTH_FIRST;
    neap_liveness options = {.in_place = round % 3 == 0,
                             .overlap = round % 4 == 1,
                             .no_inputs = round % 5 == 0,
                             .no_outputs = round % 7 == 0,
                             .keep_all = round % 11 == 0};
    neap_size before = bound_of(graph, &options);
    size_t count = neap_graph_operator_count(graph);
    neap_error error;
    assert_ok(
        neap_graph_reorder(graph, &(neap_scheduling){.schedule = schedule}, &options, &error),
        &error);
    assert_true(bound_of(graph, &options) <= before);
    neap_problem *problem = sample_graph_problem(graph, &options);
    expect_permutation(problem, count);
    neap_plan *plan = solve_shortly(problem);
    neap_report report = sample_report(plan);
    assert_true(report.order.is_scheduled);
    assert_true(report.order.given_bound == before);
    assert_true(report.order.lower_bound <= report.bound);
    neap_plan_free(plan);
    neap_problem_free(problem);
    neap_graph_free(graph);
  }
}

/* ---------------------------------------------------------------- the best of all */

/* Tries every order that goes on from here. */
static void try_all(struct costs_walk *walk, size_t *order, size_t at, neap_size *best) {
  const struct costs *costs = walk->costs;
  if (at == costs->count) {
    neap_size peak = costs_walk_peak(walk, order);
    if (peak < *best) *best = peak;
    return;
  }
  for (size_t k = 0; k < costs->count; k++) {
    size_t missing = 0;
    bool is_there = false;
    for (size_t i = 0; i < at; i++)
      is_there = is_there || order[i] == k;
    if (is_there) continue;
    for (size_t i = costs_begin(&costs->befores, k); i < costs->befores.ends[k]; i++) {
      bool ran = false;
      for (size_t j = 0; j < at; j++)
        ran = ran || order[j] == costs->befores.items[i];
      missing += !ran;
    }
    if (missing > 0) continue;
    order[at] = k;
    try_all(walk, order, at + 1, best);
  }
}

TEST(the_search_finds_the_best) {
  struct dice dice = {23};
  static const neap_liveness options = {0};
  size_t improved = 0;
  for (int round = 0; round < 1500; round++) {
    neap_graph *graph = random_graph(&dice, 7);
    struct costs costs = {0};
    struct costs_walk walk;
    size_t order[RANDOM_GRAPH_MAX];
    neap_size best = NEAP_MAX, least = 0, before = bound_of(graph, &options);
    neap_error error;
    assert_ok(costs_init(&costs, graph, &options, &error), &error);
    assert_true(costs_walk_init(&walk, &costs));
    try_all(&walk, order, 0, &best);
    for (size_t k = 0; k < costs.count; k++)
      order[k] = k;
    struct budget budget;
    budget_init(&budget, 0, 0);
    assert_ok(improve_order(&costs, order, &budget, &least, &error), &error);
    assert_true(costs_walk_peak(&walk, order) == best);
    assert_true(least == best);
    assert_ok(neap_graph_reorder(graph, &(neap_scheduling){.schedule = NEAP_SCHEDULE_MIN_PEAK},
                                 &options, &error),
              &error);
    improved += bound_of(graph, &options) < before;
    costs_walk_clear(&walk);
    costs_clear(&costs);
    neap_graph_free(graph);
  }
  assert_true(improved > 50);
}

/* ---------------------------------------------------------------- no false proofs */

static neap_report report_of(const neap_graph *graph, const neap_liveness *options) {
  neap_problem *problem = sample_graph_problem(graph, options);
  neap_plan *plan = solve_shortly(problem);
  neap_report report = sample_report(plan);
  neap_plan_free(plan);
  neap_problem_free(problem);
  return report;
}

struct trial {
  neap_graph *graph; /* its operators are permuted in place */
  const struct graph_operator *operators;
  const struct costs *costs;
  const neap_liveness *options;
  neap_size best;
};

static bool has_needs(const struct costs *costs, size_t k, const bool *ran) {
  for (size_t i = costs_begin(&costs->befores, k); i < costs->befores.ends[k]; i++)
    if (!ran[costs->befores.items[i]]) return false;
  return true;
}

static bool may_run(const struct costs *costs, size_t k, const bool *ran) {
  return !ran[k] && has_needs(costs, k, ran);
}

/* Puts every order that continues here into the graph, and takes the lowest of their bounds. */
static void try_bounds(struct trial *trial, bool *ran, size_t at) {
  if (at == trial->costs->count) {
    neap_size bound = bound_of(trial->graph, trial->options);
    if (bound < trial->best) trial->best = bound;
    return;
  }
  for (size_t k = 0; k < trial->costs->count; k++) {
    if (!may_run(trial->costs, k, ran)) continue;
    ran[k] = true;
    trial->graph->operators[at] = trial->operators[k];
    try_bounds(trial, ran, at + 1);
    ran[k] = false;
  }
}

static neap_size lowest_bound(neap_graph *graph, const neap_liveness *options) {
  struct graph_operator operators[RANDOM_GRAPH_MAX];
  struct costs costs = {0};
  bool ran[RANDOM_GRAPH_MAX] = {false};
  neap_error error;
  assert_ok(costs_init(&costs, graph, options, &error), &error);
  memcpy(operators, graph->operators, costs.count * sizeof *operators);
  struct trial trial = {graph, operators, &costs, options, NEAP_MAX};
  try_bounds(&trial, ran, 0);
  memcpy(graph->operators, operators, costs.count * sizeof *operators);
  costs_clear(&costs);
  return trial.best;
}

/* An input of 100 bytes that nothing reads ends with the first operator, which should be small. */
TEST(unread_inputs_count_with_the_first_operator) {
  neap_graph *graph = neap_graph_new();
  neap_error error;
  size_t unread = tensor(graph, "in", 100, NEAP_TENSOR_ACTIVATION), tensors[4];
  static const struct {
    const char *name;
    neap_size bytes;
  } rows[] = {{"large", 90}, {"of large", 1}, {"small", 10}, {"of small", 1}};
  (void)unread;
  for (size_t t = 0; t < SAMPLE_COUNT(rows); t++)
    tensors[t] = tensor(graph, rows[t].name, rows[t].bytes, NEAP_TENSOR_ACTIVATION);
  for (size_t t = 0; t < SAMPLE_COUNT(rows); t++) {
    assert_ok(neap_graph_add_operator(graph, rows[t].name, &error), &error);
    if (t % 2)
      assert_ok(neap_graph_add_link(graph, NEAP_LINK_INPUT, tensors[t - 1], &error), &error);
    assert_ok(neap_graph_add_link(graph, NEAP_LINK_OUTPUT, tensors[t], &error), &error);
  }
  assert_true(bound_of(graph, &(neap_liveness){0}) == 190);
  assert_ok(neap_graph_reorder(graph, &(neap_scheduling){.schedule = NEAP_SCHEDULE_MIN_PEAK},
                               NULL, &error),
            &error);
  assert_true(bound_of(graph, &(neap_liveness){0}) == 110);
  neap_graph_free(graph);
}

/* Appends an operator with inputs and outputs, each given by the letters of its tensors. */
static void add_operator(neap_graph *graph, const char *inputs, const char *outputs) {
  neap_error error;
  assert_ok(neap_graph_add_operator(graph, outputs, &error), &error);
  for (; *inputs; inputs++)
    assert_ok(neap_graph_add_link(graph, NEAP_LINK_INPUT, (size_t)(*inputs - 'a'), &error),
              &error);
  for (; *outputs; outputs++)
    assert_ok(neap_graph_add_link(graph, NEAP_LINK_OUTPUT, (size_t)(*outputs - 'a'), &error),
              &error);
}

/*
 * The last operator saves 15 bytes by overlaps if it runs second.  If it runs third, it is the last
 * to read a, takes that in place, and saves only 10, although no more bytes are alive before it.
 */
TEST(an_operator_that_costs_nothing_can_cost_overlaps) {
  neap_graph *graph = neap_graph_new();
  static const neap_liveness options = {.in_place = true, .overlap = true};
  static const char names[] = "abcdefghi";
  static const neap_size sizes[] = {5, 5, 5, 5, 1, 1, 5, 5, 5};
  static const size_t allowances[][2] = {{1, 0}, {2, 0}, {3, 1}, {3, 2}};
  neap_error error;
  for (size_t t = 0; t < SAMPLE_COUNT(sizes); t++)
    tensor(graph, (const char[]){names[t], '\0'}, sizes[t], NEAP_TENSOR_ACTIVATION);
  add_operator(graph, "", "abcde");
  add_operator(graph, "ae", "f");
  add_operator(graph, "abcd", "ghi");
  neap_in_place pair = {.struct_size = sizeof pair};
  assert_ok(neap_graph_add_pair(graph, &pair, &error), &error);
  for (size_t i = 0; i < SAMPLE_COUNT(allowances); i++) {
    neap_allowance allowance = {sizeof allowance, allowances[i][0], allowances[i][1], 0};
    assert_ok(neap_graph_add_allowance(graph, &allowance, &error), &error);
  }
  assert_true(bound_of(graph, &options) == 25);
  assert_ok(neap_graph_reorder(graph, &(neap_scheduling){.schedule = NEAP_SCHEDULE_OPTIMAL},
                               &options, &error),
            &error);
  assert_true(bound_of(graph, &options) == 21);
  assert_true(graph_order_bound(graph, &options) == 21);
  neap_graph_free(graph);
}

TEST(orders_are_optimal_where_reported) {
  struct dice dice = {97};
  size_t optimal = 0, proven_in_place = 0, missed = 0;
  for (int round = 0; round < 600; round++) {
    neap_graph *graph = random_graph(&dice, 6);
    neap_schedule how = round % 3 ? NEAP_SCHEDULE_MIN_PEAK : NEAP_SCHEDULE_DEPTH_FIRST;
    neap_liveness options = {.in_place = round % 2 == 0,
                             .overlap = round % 4 == 1,
                             .no_inputs = round % 5 == 0,
                             .no_outputs = round % 7 == 0,
                             .keep_all = round % 11 == 0};
    neap_error error;
    neap_size best = lowest_bound(graph, &options);
    assert_ok(neap_graph_reorder(graph, &(neap_scheduling){.schedule = how}, &options, &error),
              &error);
    neap_report report = report_of(graph, &options);
    assert_true(report.order.lower_bound <= best);
    if (report.order.outcome == NEAP_OPTIMAL) assert_true(report.bound == best);
    optimal += report.order.outcome == NEAP_OPTIMAL;
    proven_in_place += report.order.outcome == NEAP_OPTIMAL && options.in_place;
    missed += report.order.outcome != NEAP_OPTIMAL && report.bound == best && !options.in_place;
    neap_graph_free(graph);
  }
  assert_true(optimal > 400);
  assert_true(proven_in_place > 150);
  assert_true(missed < 50);
}

/* ---------------------------------------------------------------- the exact search */

#define SETS_OPERATORS 10

/* The most bytes alive while k runs after the operators of a set, whatever their order. */
static neap_size moment_of(struct costs_walk *walk, unsigned set, size_t k) {
  costs_walk_start(walk);
  for (size_t i = 0; i < walk->costs->count; i++)
    if (set >> i & 1) costs_walk_pass(walk, i);
  walk->peak = set == 0 ? walk->live : 0;
  costs_walk_pass(walk, k);
  return walk->peak;
}

/* The lowest peak after a set, over orders that run it first; by larger set, the lowest so far. */
static neap_size lowest_peak_after(const struct costs *costs, unsigned begin) {
  neap_size best[1 << SETS_OPERATORS];
  struct costs_walk walk;
  unsigned all = (1u << costs->count) - 1;
  assert_true(costs->count <= SETS_OPERATORS && costs_walk_init(&walk, costs));
  for (unsigned set = 0; set <= all; set++)
    best[set] = NEAP_MAX;
  best[begin] = begin == 0 ? costs->at_start : 0;
  for (unsigned set = 0; set < all; set++) {
    bool ran[SETS_OPERATORS];
    for (size_t k = 0; k < costs->count; k++)
      ran[k] = set >> k & 1;
    for (size_t k = 0; k < costs->count && best[set] < NEAP_MAX; k++) {
      if (!may_run(costs, k, ran)) continue;
      neap_size moment = moment_of(&walk, set, k);
      neap_size peak = moment > best[set] ? moment : best[set];
      if (peak < best[set | 1u << k]) best[set | 1u << k] = peak;
    }
  }
  costs_walk_clear(&walk);
  return best[all];
}

static neap_size lowest_peak(const struct costs *costs) { return lowest_peak_after(costs, 0); }

/* Whether each operator runs once, after those that it depends on. */
static bool is_order(const struct costs *costs, const size_t *order) {
  bool ran[SETS_OPERATORS] = {false};
  for (size_t at = 0; at < costs->count; at++) {
    if (order[at] >= costs->count || !may_run(costs, order[at], ran)) return false;
    ran[order[at]] = true;
  }
  return true;
}

/* An order of all operators, each after those that it depends on, has this peak. */
static void expect_order(const struct costs *costs, const size_t *order, neap_size peak) {
  struct costs_walk walk;
  assert_true(is_order(costs, order));
  assert_true(costs_walk_init(&walk, costs));
  assert_true(costs_walk_peak(&walk, order) == peak);
  costs_walk_clear(&walk);
}

/* Begins with the given order, which no other search has improved.  Links twins. */
static void expect_proof(struct costs *costs, neap_size best) {
  size_t order[SETS_OPERATORS];
  struct costs_walk walk;
  struct budget budget;
  neap_error error;
  for (size_t k = 0; k < costs->count; k++)
    order[k] = k;
  assert_true(costs_walk_init(&walk, costs));
  neap_size given = costs_walk_peak(&walk, order);
  assert_true(twins_link(costs, order));
  assert_true(costs_walk_peak(&walk, order) == given);
  budget_init(&budget, 0, 0);
  struct prove_task task = {
      .costs = costs, .order = order, .memory = 1 << 20, .budget = &budget};
  assert_ok(exact_order(&task, &error), &error);
  assert_true(task.peak == best && task.least == best);
  expect_order(costs, order, best);
  costs_walk_clear(&walk);
}

/* Refines the given order; returns the peak. */
static neap_size refine_given(const struct costs *costs, neap_size least, uint64_t ticks,
                              uint64_t seed) {
  size_t order[SETS_OPERATORS];
  struct costs_walk walk;
  struct budget budget;
  neap_error error;
  for (size_t k = 0; k < costs->count; k++)
    order[k] = k;
  assert_true(costs_walk_init(&walk, costs));
  budget_init(&budget, ticks, 0);
  struct prove_task task = {.costs = costs,
                            .order = order,
                            .peak = costs_walk_peak(&walk, order),
                            .least = least,
                            .memory = 1 << 20,
                            .budget = &budget};
  assert_ok(refine_order(&task, seed, &error), &error);
  assert_true(task.least == least && (task.peak == least || budget.end == BUDGET_TICKS));
  expect_order(costs, order, task.peak);
  costs_walk_clear(&walk);
  return task.peak;
}

/* The order never becomes worse; with the lowest peak as the bound, the search stops there. */
TEST(local_search_reaches_the_best) {
  struct dice dice = {61};
  size_t count = sample_tries(300), reached = 0;
  for (size_t round = 0; round < count; round++) {
    neap_graph *graph = random_graph(&dice, SETS_OPERATORS - 2);
    neap_liveness options = {.in_place = round % 2 == 0, .overlap = round % 3 == 0};
    struct costs costs = {0};
    neap_error error;
    assert_ok(costs_init(&costs, graph, &options, &error), &error);
    if (costs.count > 0) {
      neap_size best = lowest_peak(&costs), first = refine_given(&costs, 0, 1, round);
      assert_in_range(refine_given(&costs, 0, 100, round), best, first);
      assert_true(refine_given(&costs, best, 100000, round) == best);
      reached += first > best;
    }
    costs_clear(&costs);
    neap_graph_free(graph);
  }
  assert_true(reached > count / 10);
}

static void add_branch_operator(neap_graph *graph, struct dice *dice, size_t input,
                                size_t output) {
  neap_error error;
  assert_ok(neap_graph_add_operator(graph, "branch", &error), &error);
  assert_ok(neap_graph_add_link(graph, NEAP_LINK_INPUT, input, &error), &error);
  assert_ok(neap_graph_add_link(graph, NEAP_LINK_OUTPUT, output, &error), &error);
  if (dice_chance(dice, 40))
    assert_ok(neap_graph_add_pair(graph, &(neap_in_place){sizeof(neap_in_place), 0, 0, false},
                                  &error),
              &error);
  if (dice_chance(dice, 40))
    assert_ok(neap_graph_add_allowance(graph,
                                       &(neap_allowance){sizeof(neap_allowance), 0, 0,
                                                         (neap_size)dice_roll(dice, 3) * 4},
                                       &error),
              &error);
}

/* Branches from one or two tensors to one or two joins, many of them alike. */
static neap_graph *branching_graph(struct dice *dice) {
  neap_graph *graph = neap_graph_new();
  size_t branches = 2 + dice_roll(dice, 3), length = 1 + dice_roll(dice, 2), ends[4];
  neap_error error;
  char name[48];
  size_t starts[2] = {tensor(graph, "in", 8, NEAP_TENSOR_ACTIVATION),
                      tensor(graph, "start", 8, NEAP_TENSOR_ACTIVATION)};
  add_branch_operator(graph, dice, starts[0], starts[1]);
  for (size_t b = 0; b < branches; b++) {
    ends[b] = starts[dice_chance(dice, 80)];
    for (size_t i = 0; i < length; i++) {
      snprintf(name, sizeof name, "b%zu.%zu", b, i);
      size_t next = tensor(graph, name, 8 + 8 * (dice_chance(dice, 30) + (neap_size)i),
                           NEAP_TENSOR_ACTIVATION);
      add_branch_operator(graph, dice, ends[b], next);
      ends[b] = next;
    }
  }
  size_t joined = tensor(graph, "joined", 16, NEAP_TENSOR_ACTIVATION);
  assert_ok(neap_graph_add_operator(graph, "join", &error), &error);
  for (size_t b = 0; b < branches; b++)
    assert_ok(neap_graph_add_link(graph, NEAP_LINK_INPUT, ends[b], &error), &error);
  assert_ok(neap_graph_add_link(graph, NEAP_LINK_OUTPUT, joined, &error), &error);
  for (size_t b = 0; b < branches; b++)
    if (dice_chance(dice, 50))
      assert_ok(neap_graph_add_pair(graph, &(neap_in_place){sizeof(neap_in_place), b, 0, false},
                                    &error),
                &error);
  return graph;
}

TEST(alike_branches_are_searched_once) {
  struct dice dice = {47};
  size_t count = sample_tries(5000), linked = 0;
  for (size_t round = 0; round < count; round++) {
    neap_graph *graph = branching_graph(&dice);
    neap_liveness options = {.in_place = round % 2 == 0, .overlap = round % 3 == 0};
    struct costs costs = {0};
    neap_error error;
    assert_ok(costs_init(&costs, graph, &options, &error), &error);
    size_t edges = costs.edge_count;
    expect_proof(&costs, lowest_peak(&costs));
    linked += costs.edge_count > edges;
    costs_clear(&costs);
    neap_graph_free(graph);
  }
  assert_in_range(linked, count / 4, count - count / 10);
}

/*
 * Takes, for each operator outside a set, the fewest bytes alive while it runs after any of the
 * larger sets; returns the most of these.
 */
static neap_size least_moments_after(const struct costs *costs, unsigned begin) {
  struct costs_walk walk;
  neap_size most = 0;
  assert_true(costs->count <= SETS_OPERATORS && costs_walk_init(&walk, costs));
  for (size_t k = 0; k < costs->count; k++) {
    neap_size least = NEAP_MAX;
    if (begin >> k & 1) continue;
    for (unsigned set = begin; set < 1u << costs->count; set++) {
      bool ran[SETS_OPERATORS], can = !(set >> k & 1) && (set & begin) == begin;
      for (size_t i = 0; i < costs->count; i++)
        ran[i] = set >> i & 1;
      for (size_t i = 0; i < costs->count && can; i++)
        can = !ran[i] || has_needs(costs, i, ran);
      if (!can || !may_run(costs, k, ran)) continue;
      neap_size bytes = moment_of(&walk, set, k);
      if (bytes < least) least = bytes;
    }
    if (least > most) most = least;
  }
  costs_walk_clear(&walk);
  return most;
}

static neap_size least_moments(const struct costs *costs) {
  return least_moments_after(costs, 0);
}

static bool has_unread(const struct costs *costs) {
  for (size_t v = 0; v < costs->value_count; v++)
    if (costs->lives[v] == COSTS_STARTS &&
        costs_begin(&costs->readers, v) == costs->readers.ends[v])
      return true;
  return false;
}

/* Nested cuts leave an order whose peak is no higher, and a bound that no order is below. */
static void expect_nested(const struct costs *costs) {
  struct costs_walk walk;
  struct budget budget;
  neap_error error;
  neap_size least = 0, best = lowest_peak(costs);
  size_t order[SETS_OPERATORS];
  bool ran[SETS_OPERATORS] = {false};
  assert_true(costs_walk_init(&walk, costs));
  for (size_t k = 0; k < costs->count; k++)
    order[k] = k;
  neap_size given = costs_walk_peak(&walk, order);
  budget_init(&budget, 0, 0);
  assert_ok(closure_order(costs, order, &budget, &least, &error), &error);
  for (size_t at = 0; at < costs->count; at++) {
    assert_true(order[at] < costs->count && !ran[order[at]] &&
                has_needs(costs, order[at], ran));
    ran[order[at]] = true;
  }
  assert_true(least <= best);
  assert_in_range(costs_walk_peak(&walk, order), best, given);
  costs_walk_clear(&walk);
}

static neap_liveness varied_liveness(size_t round) {
  return (neap_liveness){.in_place = round % 2 == 0,
                         .overlap = round % 3 == 0,
                         .no_inputs = round % 5 == 0,
                         .no_outputs = round % 7 == 0,
                         .keep_all = round % 11 == 0};
}

TEST(least_cuts_are_what_sets_leave_alive) {
  struct dice dice = {77};
  size_t count = sample_tries(1000), exact = 0;
  for (size_t round = 0; round < count; round++) {
    neap_graph *graph = random_graph(&dice, 8);
    neap_liveness options = varied_liveness(round);
    struct costs costs = {0};
    struct budget budget;
    neap_error error;
    neap_size found = 0;
    size_t order[SETS_OPERATORS];
    assert_ok(costs_init(&costs, graph, &options, &error), &error);
    for (size_t k = 0; k < costs.count; k++)
      order[k] = k;
    budget_init(&budget, 0, 0);
    assert_ok(closure_bound(&costs, order, &budget, &found, &error), &error);
    neap_size expected = least_moments(&costs);
    bool is_exact = costs.share_count == 0 && !has_unread(&costs);
    assert_true(found <= lowest_peak(&costs));
    assert_true(is_exact ? found == expected : found <= expected);
    exact += is_exact && costs.count > 2;
    expect_nested(&costs);
    costs_clear(&costs);
    neap_graph_free(graph);
  }
  assert_true(exact > count / 10);
}

/*
 * No order that continues a dead end is within the limit.  Where cuts are exact, the dead end is
 * the first set of the path at which one of the operators exceeds the limit.
 */
static size_t expect_dead_end(const struct costs *costs, const struct dead_ends_path *path,
                              neap_size limit, bool is_exact) {
  struct dead_ends dead_ends;
  struct dead_end found;
  struct segment segment;
  struct budget budget;
  assert_true(segment_init_whole(&segment, costs, path->trail));
  budget_init(&budget, 0, 0);
  assert_true(dead_ends_init(&dead_ends, &segment, 1));
  for (size_t k = 0; k < costs->count; k++)
    for (size_t i = 0; i <= k % 3; i++)
      dead_ends_note(&dead_ends, k);
  assert_true(dead_ends_find(&dead_ends, path, limit, &budget, &found));
  assert_true(found.at <= path->count && (found.at == path->count || found.bytes > limit));
  for (size_t at = 0; at < path->count; at++) {
    unsigned set = (1u << path->ends[at]) - 1;
    neap_size least = least_moments_after(costs, set);
    if (at >= found.at) assert_true(lowest_peak_after(costs, set) >= found.bytes);
    assert_true(!is_exact || at < path->count - 1 || (least > limit) == (found.at <= at));
    assert_true(!is_exact || at < found.at || least >= found.bytes);
  }
  dead_ends_clear(&dead_ends);
  segment_clear(&segment);
  return found.at < path->count;
}

TEST(dead_ends_have_no_way_on) {
  struct dice dice = {97};
  size_t count = sample_tries(2000), found = 0;
  for (size_t round = 0; round < count; round++) {
    neap_graph *graph = random_graph(&dice, SETS_OPERATORS - 2);
    neap_liveness options = varied_liveness(round);
    struct costs costs = {0};
    neap_error error;
    size_t trail[SETS_OPERATORS], ends[SETS_OPERATORS], sets = 0;
    assert_ok(costs_init(&costs, graph, &options, &error), &error);
    for (size_t k = 0; k < costs.count; k++) {
      trail[k] = k;
      if (dice_roll(&dice, 2) == 0) ends[sets++] = k;
    }
    struct dead_ends_path path = {trail, ends, sets};
    neap_size best = lowest_peak(&costs);
    bool is_exact = costs.share_count == 0 && !has_unread(&costs);
    if (sets > 0 && best > 0)
      found +=
          expect_dead_end(&costs, &path, best + (neap_size)dice_roll(&dice, 20) - 10, is_exact);
    costs_clear(&costs);
    neap_graph_free(graph);
  }
  print_message("%zu dead ends\n", found);
  assert_in_range(found, count / 10, count);
}

/* The lowest peak of orders that run `first` before `second`; NEAP_MAX if there are none. */
static neap_size lowest_peak_with(const struct costs *costs, size_t first, size_t second) {
  struct costs with = *costs;
  assert_true(costs_lists_copy(&with.befores, &costs->befores, costs->count, 1));
  assert_true(costs_lists_copy(&with.afters, &costs->afters, costs->count, 1));
  costs_lists_depend(&with.befores, &with.afters, costs->count, first, second);
  neap_size lowest = lowest_peak(&with);
  costs_lists_clear(&with.befores);
  costs_lists_clear(&with.afters);
  return lowest;
}

/* Orders that break a rule exceed the limit; if it is refuted, all do.  Returns how many rules. */
static size_t expect_rules(const struct costs *costs, neap_size best, neap_size limit,
                           size_t most) {
  size_t order[SETS_OPERATORS];
  struct precedence precedence;
  struct budget budget;
  bool is_refuted;
  for (size_t k = 0; k < costs->count; k++)
    order[k] = k;
  budget_init(&budget, 0, 0);
  assert_true(precedence_init(&precedence, costs, order, most, &budget));
  assert_true(precedence_refute(&precedence, limit, &budget, &is_refuted));
  size_t rules = precedence.rule_count;
  for (size_t i = 0; i < rules; i++) {
    const struct precedence_rule *rule = &precedence.rules[i];
    assert_true(rule->at == rule->before || rule->at == rule->after);
    assert_true(lowest_peak_with(costs, rule->after, rule->before) >= precedence.next);
  }
  assert_true(precedence.next > limit);
  assert_true(!is_refuted || best >= precedence.next);
  precedence_clear(&precedence);
  return rules;
}

/* Returns the bound from the given order on. */
static neap_size precedence_bound_of(const struct costs *costs) {
  size_t order[SETS_OPERATORS];
  struct costs_walk walk;
  struct budget budget;
  neap_error error;
  for (size_t k = 0; k < costs->count; k++)
    order[k] = k;
  assert_true(costs_walk_init(&walk, costs));
  budget_init(&budget, 0, 0);
  struct prove_task task = {
      .costs = costs, .order = order, .peak = costs_walk_peak(&walk, order), .budget = &budget};
  assert_ok(precedence_bound(&task, &error), &error);
  costs_walk_clear(&walk);
  return task.least;
}

/* Each operator is the last that can run, of the given order. */
TEST(the_reversed_order_keeps_dependences) {
  struct dice dice = {89};
  for (size_t round = 0; round < 1000; round++) {
    neap_graph *graph = random_graph(&dice, SETS_OPERATORS - 2);
    struct costs costs = {0};
    neap_error error;
    size_t order[SETS_OPERATORS];
    bool ran[SETS_OPERATORS] = {false};
    assert_ok(costs_init(&costs, graph, &(neap_liveness){0}, &error), &error);
    assert_ok(latest_first_order(&costs, order, &error), &error);
    for (size_t at = 0; at < costs.count; at++) {
      size_t latest = costs.count;
      while (!may_run(&costs, --latest, ran))
        assert_true(latest > 0);
      assert_int_equal(order[at], latest);
      ran[latest] = true;
    }
    costs_clear(&costs);
    neap_graph_free(graph);
  }
}

TEST(rules_hold_within_their_limit) {
  struct dice dice = {83};
  size_t count = sample_tries(2000), rules = 0, higher = 0, above_cuts = 0;
  for (size_t round = 0; round < count; round++) {
    neap_graph *graph = random_graph(&dice, SETS_OPERATORS - 2);
    neap_liveness options = varied_liveness(round);
    struct costs costs = {0};
    neap_error error;
    assert_ok(costs_init(&costs, graph, &options, &error), &error);
    size_t most = 2 + dice_roll(&dice, SETS_OPERATORS);
    neap_size best = lowest_peak(&costs), cuts = least_moments(&costs);
    neap_size below = best - (neap_size)dice_roll(&dice, 3);
    if (costs.count > 0 && below > 0) {
      rules += expect_rules(&costs, best, below - 1, most);
      expect_rules(&costs, best, best + (neap_size)dice_roll(&dice, 20), most);
      neap_size bound = precedence_bound_of(&costs);
      assert_true(bound <= best);
      above_cuts += best > cuts;
      higher += bound > cuts;
    }
    costs_clear(&costs);
    neap_graph_free(graph);
  }
  print_message("%zu rules; %zu of %zu bounds are above all cuts\n", rules, higher, above_cuts);
  assert_true(rules > count / 10 && higher > above_cuts / 4);
}

TEST(the_exact_search_proves_the_best) {
  struct dice dice = {41};
  size_t count = sample_tries(10000), better = 0, shared = 0;
  for (size_t round = 0; round < count; round++) {
    neap_graph *graph = random_graph(&dice, 9);
    neap_liveness options = {.in_place = round % 2 == 0,
                             .overlap = round % 3 == 0,
                             .aliases = round % 7 == 0 ? NEAP_ALIAS_VIEWS : 0,
                             .no_inputs = round % 5 == 0,
                             .no_outputs = round % 7 == 0,
                             .keep_all = round % 11 == 0};
    struct costs costs = {0};
    neap_error error;
    neap_size given = bound_of(graph, &options);
    assert_ok(costs_init(&costs, graph, &options, &error), &error);
    neap_size best = lowest_peak(&costs);
    shared += costs.share_count > 0;
    expect_proof(&costs, best);
    costs_clear(&costs);
    assert_ok(neap_graph_reorder(graph, &(neap_scheduling){.schedule = NEAP_SCHEDULE_OPTIMAL},
                                 &options, &error),
              &error);
    assert_true(bound_of(graph, &options) == best);
    assert_true(graph_order_bound(graph, &options) == best);
    better += best < given;
    neap_graph_free(graph);
  }
  assert_true(better > count / 30 && shared > count / 10);
}

/* Operators that read up to three of the last thirty tensors. */
static neap_graph *large_graph(struct dice *dice, size_t count) {
  neap_graph *graph = neap_graph_new();
  neap_error error;
  char name[24];
  for (size_t k = 0; k < count; k++) {
    snprintf(name, sizeof name, "t%zu", k);
    tensor(graph, name, 64 + 64 * (neap_size)dice_roll(dice, 64), NEAP_TENSOR_ACTIVATION);
    assert_ok(neap_graph_add_operator(graph, "op", &error), &error);
    for (size_t i = 0; i < 3 && k > 0; i++)
      assert_ok(neap_graph_add_link(graph, NEAP_LINK_INPUT,
                                    k - 1 - dice_roll(dice, k < 30 ? k : 30), &error),
                &error);
    assert_ok(neap_graph_add_link(graph, NEAP_LINK_OUTPUT, k, &error), &error);
  }
  return graph;
}

static bool count_call(const neap_order_progress *progress, void *user) {
  size_t *calls = user;
  assert_true(progress->lower_bound <= progress->bound);
  return ++*calls < 8;
}

TEST(large_graphs_keep_to_limits) {
  struct dice dice = {53};
  neap_graph *graph = large_graph(&dice, getenv("NEAP_LONG") ? 10000 : 2000);
  static const neap_liveness options = {0};
  neap_size given = bound_of(graph, &options);
  size_t calls = 0;
  neap_scheduling how = {.schedule = NEAP_SCHEDULE_OPTIMAL,
                         .max_ticks = 5000,
                         .memory_limit = 1 << 20,
                         .progress = count_call,
                         .user = &calls};
  neap_error error;
  assert_ok(neap_graph_reorder(graph, &how, NULL, &error), &error);
  neap_size stopped = bound_of(graph, &options), least = graph_order_bound(graph, &options);
  assert_true(stopped <= given && least <= stopped);
  assert_int_equal(calls, 8);
  how.progress = NULL;
  assert_ok(neap_graph_reorder(graph, &how, NULL, &error), &error);
  assert_true(bound_of(graph, &options) < given);
  assert_true(graph_order_bound(graph, &options) >= least);
  neap_graph_free(graph);
}

/* At every limit, the search keeps the best order so far and claims no proof too early. */
TEST(limits_leave_sound_orders) {
  struct dice dice = {43};
  for (size_t round = 0; round < 300; round++) {
    neap_graph *graph = random_graph(&dice, 9);
    neap_liveness options = {.in_place = round % 2 == 0, .overlap = round % 3 == 0};
    struct costs costs = {0};
    neap_error error;
    neap_size given = bound_of(graph, &options);
    assert_ok(costs_init(&costs, graph, &options, &error), &error);
    neap_size best = lowest_peak(&costs);
    costs_clear(&costs);
    neap_scheduling how = {.schedule = NEAP_SCHEDULE_OPTIMAL,
                           .max_ticks = 1 + dice_roll(&dice, 20),
                           .memory_limit = 1 + (neap_size)dice_roll(&dice, 500)};
    assert_ok(neap_graph_reorder(graph, &how, &options, &error), &error);
    assert_in_range(bound_of(graph, &options), best, given);
    assert_true(graph_order_bound(graph, &options) <= best);
    neap_graph_free(graph);
  }
}

/* With no time, the result is no worse than a start; a start that is no order is refused. */
TEST(a_start_is_never_made_worse) {
  struct dice dice = {97};
  size_t refused = 0, better = 0;
  for (size_t round = 0; round < 2000; round++) {
    neap_graph *graph = random_graph(&dice, SETS_OPERATORS - 2);
    neap_liveness options = {.in_place = round % 2 == 0};
    struct costs costs = {0};
    struct costs_walk walk;
    neap_error error;
    size_t order[SETS_OPERATORS];
    assert_ok(costs_init(&costs, graph, &options, &error), &error);
    assert_ok(latest_first_order(&costs, order, &error), &error);
    if (costs.count > 1 && round % 3 == 0) order[dice_roll(&dice, costs.count)] = order[0];
    if (costs.count > 1 && round % 3 == 1) {
      size_t at = dice_roll(&dice, costs.count - 1), moved = order[at];
      order[at] = order[at + 1];
      order[at + 1] = moved;
    }
    const neap_operator_order start = {.given = order, .count = costs.count};
    const neap_scheduling how = {
        .schedule = NEAP_SCHEDULE_OPTIMAL, .max_ticks = 1, .start = &start};
    neap_size given = bound_of(graph, &options);
    bool is_sound = is_order(&costs, order);
    assert_true(costs_walk_init(&walk, &costs));
    neap_size peak = is_sound ? costs_walk_peak(&walk, order) : 0;
    neap_status status = neap_graph_reorder(graph, &how, &options, &error);
    assert_int_equal(status, is_sound ? NEAP_OK : NEAP_ERROR_INPUT);
    if (is_sound) assert_true(bound_of(graph, &options) <= peak);
    refused += !is_sound;
    better += is_sound && peak < given;
    costs_walk_clear(&walk);
    costs_clear(&costs);
    neap_graph_free(graph);
  }
  assert_true(refused > 300 && better > 100);
}

/* A proof holds for the lives that it assumed, and for longer ones. */
TEST(proofs_do_not_outlive_their_options) {
  struct dice dice = {101};
  for (int round = 0; round < 500; round++) {
    neap_graph *graph = random_graph(&dice, 6);
    neap_liveness before = {
        .in_place = round % 2 == 0, .overlap = round % 9 < 4, .keep_all = round % 3 == 0};
    neap_liveness after = {.in_place = round % 5 == 0,
                           .overlap = round % 13 < 6,
                           .keep_all = round % 4 == 0,
                           .no_inputs = round % 7 == 0,
                           .no_outputs = round % 11 == 0};
    neap_error error;
    neap_size best = lowest_bound(graph, &after);
    assert_ok(neap_graph_reorder(graph, &(neap_scheduling){.schedule = NEAP_SCHEDULE_MIN_PEAK},
                                 &before, &error),
              &error);
    neap_graph *copy = neap_graph_copy(graph);
    assert_non_null(copy);
    assert_true(report_of(copy, &after).order.lower_bound <= best);
    assert_ok(neap_graph_reorder(copy,
                                 &(neap_scheduling){.schedule = NEAP_SCHEDULE_DEPTH_FIRST},
                                 &after, &error),
              &error);
    assert_true(report_of(copy, &after).order.lower_bound <= best);
    assert_true(report_of(graph, &before).order.lower_bound ==
                graph_order_bound(graph, &before));
    neap_graph_free(copy);
    neap_graph_free(graph);
  }
}

/* ---------------------------------------------------------------- the model of costs */

/* The peaks that the search compares are the bounds that liveness gives. */
TEST(costs_are_those_of_liveness) {
  struct dice dice = {31};
  for (int round = 0; round < 2000; round++) {
    neap_graph *graph = random_graph(&dice, RANDOM_GRAPH_MAX);
    neap_liveness options = {.in_place = round % 2 == 0,
                             .overlap = round % 3 == 0,
                             .no_inputs = round % 5 == 0,
                             .no_outputs = round % 7 == 0};
    struct costs costs = {0};
    struct costs_walk walk;
    size_t order[RANDOM_GRAPH_MAX];
    neap_error error;
    assert_ok(costs_init(&costs, graph, &options, &error), &error);
    for (size_t k = 0; k < costs.count; k++)
      order[k] = k;
    assert_true(costs_walk_init(&walk, &costs));
    neap_size peak = costs_walk_peak(&walk, order), bound = bound_of(graph, &options);
    assert_true(peak == bound);
    costs_walk_clear(&walk);
    costs_clear(&costs);
    neap_graph_free(graph);
  }
}

/* ---------------------------------------------------------------- what must not pass what */

static size_t place_of(const neap_graph *graph, const char *name) {
  for (size_t k = 0; k < graph->operator_count; k++)
    if (strcmp(graph->operators[k].name, name) == 0) return k;
  fail_msg("there is no operator %s", name);
  return 0;
}

TEST(operators_with_effects_keep_their_order) {
  neap_graph *graph = neap_graph_new();
  neap_error error;
  size_t in = tensor(graph, "in", 8, NEAP_TENSOR_ACTIVATION);
  size_t variable = tensor(graph, "state", 8, NEAP_TENSOR_VARIABLE);
  size_t big = tensor(graph, "big", 1000, NEAP_TENSOR_ACTIVATION);
  size_t small = tensor(graph, "small", 8, NEAP_TENSOR_ACTIVATION);
  size_t end = tensor(graph, "end", 8, NEAP_TENSOR_ACTIVATION);
  /* Without the variable, `reset` would be first: it ends `in`. */
  assert_ok(neap_graph_add_operator(graph, "grow", &error), &error);
  assert_ok(neap_graph_add_link(graph, NEAP_LINK_INPUT, variable, &error), &error);
  assert_ok(neap_graph_add_link(graph, NEAP_LINK_OUTPUT, big, &error), &error);
  assert_ok(neap_graph_add_operator(graph, "reset", &error), &error);
  assert_ok(neap_graph_add_link(graph, NEAP_LINK_INPUT, in, &error), &error);
  assert_ok(neap_graph_add_link(graph, NEAP_LINK_INPUT, variable, &error), &error);
  assert_ok(neap_graph_add_link(graph, NEAP_LINK_OUTPUT, small, &error), &error);
  assert_ok(neap_graph_add_operator(graph, "join", &error), &error);
  assert_ok(neap_graph_add_link(graph, NEAP_LINK_INPUT, big, &error), &error);
  assert_ok(neap_graph_add_link(graph, NEAP_LINK_INPUT, small, &error), &error);
  assert_ok(neap_graph_add_link(graph, NEAP_LINK_OUTPUT, end, &error), &error);
  assert_ok(neap_graph_add_operator(graph, "print", &error), &error);
  assert_ok(neap_graph_add_link(graph, NEAP_LINK_INPUT, end, &error), &error);
  assert_ok(neap_graph_add_operator(graph, "barrier", &error), &error);
  for (int how = NEAP_SCHEDULE_DEPTH_FIRST; how <= NEAP_SCHEDULE_MIN_PEAK; how++) {
    assert_ok(neap_graph_reorder(graph, &(neap_scheduling){.schedule = (neap_schedule)how},
                                 NULL, &error),
              &error);
    assert_true(place_of(graph, "grow") < place_of(graph, "reset"));
    assert_true(place_of(graph, "print") < place_of(graph, "barrier"));
    assert_int_equal(place_of(graph, "barrier"), 4);
  }
  neap_graph_free(graph);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_bound_never_rises),
      cmocka_unit_test(the_search_finds_the_best),
      cmocka_unit_test(unread_inputs_count_with_the_first_operator),
      cmocka_unit_test(an_operator_that_costs_nothing_can_cost_overlaps),
      cmocka_unit_test(orders_are_optimal_where_reported),
      cmocka_unit_test(least_cuts_are_what_sets_leave_alive),
      cmocka_unit_test(dead_ends_have_no_way_on),
      cmocka_unit_test(rules_hold_within_their_limit),
      cmocka_unit_test(a_start_is_never_made_worse),
      cmocka_unit_test(the_reversed_order_keeps_dependences),
      cmocka_unit_test(the_exact_search_proves_the_best),
      cmocka_unit_test(local_search_reaches_the_best),
      cmocka_unit_test(alike_branches_are_searched_once),
      cmocka_unit_test(large_graphs_keep_to_limits),
      cmocka_unit_test(limits_leave_sound_orders),
      cmocka_unit_test(proofs_do_not_outlive_their_options),
      cmocka_unit_test(costs_are_those_of_liveness),
      cmocka_unit_test(operators_with_effects_keep_their_order),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
