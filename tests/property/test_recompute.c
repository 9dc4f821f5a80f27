/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Recomputation on random graphs of a few operators.  The reference is a shortest path over states,
 * which are the operators that have run and the values that are held: it finds the least time
 * within a capacity exactly, however often operators run.  No claim about the least time is wrong,
 * every graph with repeated operators is sound, and the search nearly always finds the least time.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/unroll.h"
#include "recompute/recompute.h"
#include "recompute/runs.h"
#include "tests/support/random_graph.h"
#include "tests/support/sample.h"

#define OPERATORS_MOST 6
#define VALUES_MOST 14
#define NEVER INT64_MAX

/* ---------------------------------------------------------------- the reference */

struct reference {
  const struct runs_model *model;
  neap_size capacity;
  int64_t *times; /* per state */
  size_t *open;   /* states to look at */
  size_t open_count;
  struct share_uses uses;
  unsigned ending; /* values that end with the operator */
};

static size_t state_of(const struct reference *reference, unsigned ran, unsigned held) {
  return (size_t)ran << reference->model->costs.value_count | held;
}

static void reach(struct reference *reference, unsigned ran, unsigned held, int64_t time) {
  size_t state = state_of(reference, ran, held);
  if (time >= reference->times[state]) return;
  if (reference->times[state] == NEVER) reference->open[reference->open_count++] = state;
  reference->times[state] = time;
}

static neap_size bytes_of(const struct costs *costs, unsigned held) {
  neap_size bytes = 0;
  for (size_t v = 0; v < costs->value_count; v++)
    if (held >> v & 1) bytes += costs->sizes[v];
  return bytes;
}

static unsigned mask_of(const struct costs_lists *lists, size_t k) {
  unsigned mask = 0;
  for (size_t i = costs_begin(lists, k); i < lists->ends[k]; i++)
    mask |= 1u << lists->items[i];
  return mask;
}

static bool ends(const void *state, size_t operator, size_t input) {
  const struct reference *reference = state;
  (void)operator;
  return reference->ending >> input & 1;
}

/* The bytes that operator k needs, if the inputs that are ending share theirs with its outputs. */
static neap_size bytes_at(const struct reference *reference, size_t k, unsigned alive) {
  const struct costs *costs = &reference->model->costs;
  return bytes_of(costs, alive) -
         shares_saved(&costs->shares, k, reference->uses, ends, reference);
}

static void run_operator(struct reference *reference, size_t k, unsigned ran, unsigned held,
                         int64_t time) {
  const struct runs_model *model = reference->model;
  unsigned inputs = mask_of(&model->costs.inputs, k), made = mask_of(&model->made, k);
  if (ran >> k & 1 && !model->may_repeat[k]) return;
  if (mask_of(&model->costs.befores, k) & ~ran || inputs & ~held) return;
  unsigned may_end = inputs;
  for (size_t v = 0; v < model->costs.value_count; v++)
    if (model->costs.lives[v] & COSTS_STAYS) may_end &= ~(1u << v);
  for (unsigned ending = may_end;; ending = (ending - 1) & may_end) { /* each subset */
    reference->ending = ending;
    if (bytes_at(reference, k, held | made) <= reference->capacity)
      reach(reference, ran | 1u << k, (held | made) & ~ending, time + model->durations[k]);
    if (ending == 0) return;
  }
}

/* Takes the open state that has been reached first. */
static size_t take_nearest(struct reference *reference) {
  size_t nearest = 0;
  for (size_t i = 1; i < reference->open_count; i++)
    if (reference->times[reference->open[i]] < reference->times[reference->open[nearest]])
      nearest = i;
  size_t state = reference->open[nearest];
  reference->open[nearest] = reference->open[--reference->open_count];
  return state;
}

/* The least time of runs that fit, or NEVER.  E. W. Dijkstra, 1959. */
static int64_t least_time(const struct runs_model *model, neap_size capacity) {
  const struct costs *costs = &model->costs;
  size_t states = (size_t)1 << (costs->count + costs->value_count);
  struct reference reference = {.model = model, .capacity = capacity};
  unsigned starts = 0, all = (1u << costs->count) - 1;
  int64_t least = NEVER;
  reference.times = malloc(states * sizeof *reference.times);
  reference.open = malloc(states * sizeof *reference.open);
  assert_true(reference.times && reference.open);
  assert_true(share_uses_init(&reference.uses, costs->value_count, costs->output_count));
  for (size_t s = 0; s < states; s++)
    reference.times[s] = NEVER;
  for (size_t v = 0; v < costs->value_count; v++)
    if (costs->lives[v] & COSTS_STARTS) starts |= 1u << v;
  reach(&reference, 0, starts, 0);
  while (reference.open_count > 0 && least == NEVER) {
    size_t state = take_nearest(&reference);
    unsigned held = (unsigned)(state & (((size_t)1 << costs->value_count) - 1));
    unsigned ran = (unsigned)(state >> costs->value_count);
    int64_t time = reference.times[state];
    if (ran == all) least = time;
    for (size_t v = 0; v < costs->value_count && ran; v++)
      if (held >> v & 1 && !(costs->lives[v] & COSTS_STAYS))
        reach(&reference, ran, held & ~(1u << v), time);
    for (size_t k = 0; k < costs->count; k++)
      run_operator(&reference, k, ran, held, time);
  }
  free(reference.times);
  free(reference.open);
  share_uses_clear(&reference.uses);
  return least;
}

/* ---------------------------------------------------------------- trials */

static neap_size bound_of(const neap_graph *graph, const neap_liveness *options) {
  neap_problem *problem = sample_graph_problem(graph, options);
  const neap_bound bound = sample_bound(problem);
  neap_problem_free(problem);
  return bound.bytes;
}

static int64_t time_of(const neap_graph *graph) {
  int64_t time = 0;
  for (size_t k = 0; k < neap_graph_operator_count(graph); k++)
    time += graph_operator_duration(graph, k);
  return time;
}

static void add_link(neap_graph *graph, neap_link link, size_t tensor) {
  neap_error error;
  assert_ok(neap_graph_add_link(graph, link, tensor, &error), &error);
}

static size_t add_tensor(neap_graph *graph, struct dice *dice, size_t number) {
  char name[24];
  neap_error error;
  const neap_tensor tensor = {.struct_size = sizeof(neap_tensor),
                              .bytes = (neap_size)dice_roll(dice, 6),
                              .alignment = 1,
                              .is_input = number == 0,
                              .is_output = number > 0 && dice_chance(dice, 8)};
  snprintf(name, sizeof name, "t%zu", number);
  assert_ok(neap_graph_add_tensor(graph, name, &tensor, &error), &error);
  return number;
}

/* The operator added last may write over its inputs. */
static void add_pairs(neap_graph *graph, struct dice *dice) {
  const struct graph_operator *last = &graph->operators[graph->operator_count - 1];
  neap_error error;
  for (size_t i = 0; i < last->inputs.end - last->inputs.begin; i++)
    if (dice_chance(dice, 70))
      assert_ok(neap_graph_add_pair(
                    graph, &(neap_in_place){.struct_size = sizeof(neap_in_place), .input = i},
                    &error),
                &error);
}

/* A chain with shortcuts: tensors are read again later, and need not be kept till then. */
static neap_graph *make_graph_with(struct dice *dice, bool has_pairs) {
  neap_graph *graph = neap_graph_new();
  neap_error error;
  size_t operators = 3 + dice_roll(dice, OPERATORS_MOST - 2), readable[2 * OPERATORS_MOST];
  size_t count = 1, made = 1;
  readable[0] = add_tensor(graph, dice, 0);
  for (size_t k = 0; k < operators; k++) {
    assert_ok(neap_graph_add_operator(graph, "op", &error), &error);
    if (dice_chance(dice, 85)) add_link(graph, NEAP_LINK_INPUT, readable[count - 1]);
    if (dice_chance(dice, 70))
      add_link(graph, NEAP_LINK_INPUT, readable[dice_roll(dice, count)]);
    readable[count++] = made;
    add_link(graph, NEAP_LINK_OUTPUT, add_tensor(graph, dice, made++));
    if (dice_chance(dice, 20)) {
      readable[count++] = made;
      add_link(graph, NEAP_LINK_OUTPUT, add_tensor(graph, dice, made++));
    } else if (dice_chance(dice, 20)) {
      add_link(graph, NEAP_LINK_TEMPORARY, add_tensor(graph, dice, made++));
    }
    if (has_pairs) add_pairs(graph, dice);
    if (dice_chance(dice, 90))
      assert_ok(neap_graph_time_operator(graph, (int64_t)dice_roll(dice, 10), &error), &error);
  }
  return graph;
}

static neap_graph *make_graph(struct dice *dice) { return make_graph_with(dice, false); }

struct tally {
  size_t fitting, repeating, exact, proven;
};

static void expect_order(const neap_problem *problem, size_t count, int64_t time) {
  size_t times[OPERATORS_MOST] = {0};
  neap_operator_order order = NEAP_INIT(neap_operator_order);
  assert_true(neap_problem_order(problem, &order));
  assert_true(order.time == time);
  for (size_t i = 0; i < order.count; i++) {
    assert_true(order.given[i] < count);
    times[order.given[i]]++;
  }
  for (size_t k = 0; k < count; k++)
    assert_true(times[k] >= 1);
}

/* The plan is verified like any other. */
static void expect_sound(const neap_graph *graph, const neap_liveness *options, size_t count) {
  neap_problem *problem = sample_graph_problem(graph, options);
  neap_plan *plan = sample_solve(problem, NULL);
  expect_order(problem, count, time_of(graph));
  neap_plan_free(plan);
  neap_problem_free(problem);
}

static void recompute(neap_graph *graph, const neap_liveness *options, neap_size capacity,
                      int64_t most_time) {
  neap_error error;
  assert_ok(neap_graph_recompute(graph,
                                 &(neap_scheduling){.max_ticks = 4000,
                                                    .recompute = true,
                                                    .capacity = capacity,
                                                    .most_time = most_time},
                                 options, &error),
            &error);
}

static void compare(struct dice *dice, bool in_place, struct tally *tally) {
  const neap_liveness options = {.in_place = in_place};
  neap_graph *graph = make_graph_with(dice, in_place);
  size_t count = graph->operator_count;
  struct runs_model model = {.durations = NULL};
  neap_error error;
  neap_size most = bound_of(graph, &options);
  neap_size capacity = 1 + most / 2;
  assert_ok(runs_model_init(&model, graph, &options, &error), &error);
  if (model.costs.value_count <= VALUES_MOST) {
    int64_t least = least_time(&model, capacity);
    while (least == NEVER && dice_chance(dice, 95))
      least = least_time(&model, ++capacity);
    recompute(graph, &options, capacity, 0);
    bool fits = bound_of(graph, &options) <= capacity;
    assert_false(fits && least == NEVER);
    assert_true(!fits || time_of(graph) >= least);
    assert_true(graph->times.least <= least);
    expect_sound(graph, &options, count);
    tally->fitting += least != NEVER;
    tally->repeating += least != NEVER && least > model.once;
    tally->exact += least != NEVER && fits && time_of(graph) == least;
    tally->proven += least != NEVER && least > model.once && graph->times.least == least;
  }
  runs_model_clear(&model);
  neap_graph_free(graph);
}

static void expect_least_times(unsigned seed, bool in_place) {
  struct dice dice = {seed};
  struct tally tally = {0};
  size_t rounds = sample_tries(3000);
  for (size_t round = 0; round < rounds; round++)
    compare(&dice, in_place, &tally);
  print_message("%zu fit, %zu repeat, %zu exact, %zu repeating proven\n", tally.fitting,
                tally.repeating, tally.exact, tally.proven);
  assert_true(tally.repeating * 100 > rounds);
  assert_true(tally.exact * 100 >= tally.fitting * 99);
}

TEST(the_time_is_the_least) {
  expect_least_times(31, false);
}

TEST(the_time_is_the_least_in_place) {
  expect_least_times(47, true);
}

/* What runs need is the bound of the graph with an operator for each. */
TEST(profiles_are_bounds) {
  struct dice dice = {53};
  size_t sharing = 0;
  for (int round = 0; round < 2000; round++) {
    const neap_liveness options = {.in_place = round % 2 > 0};
    neap_graph *graph = make_graph_with(&dice, true);
    struct runs_model model = {.durations = NULL};
    struct runs runs = {.items = NULL};
    struct runs_profile profile;
    neap_error error;
    neap_size before = bound_of(graph, &options);
    assert_ok(runs_model_init(&model, graph, &options, &error), &error);
    assert_true(runs_profile_init(&profile, &model));
    for (size_t k = 0; k < graph->operator_count; k++) {
      assert_true(runs_insert(&runs, runs.count, k));
      size_t again = dice_roll(&dice, k + 1);
      if (model.may_repeat[again] && dice_chance(&dice, 40))
        assert_true(runs_insert(&runs, runs.count, again));
    }
    assert_int_equal(runs_measure(&model, &runs, 0, &profile), RUNS_SOUND);
    assert_ok(unroll_graph(graph, runs.items, runs.count, before, &error), &error);
    neap_size bound = bound_of(graph, &options);
    assert_true(profile.peak == bound);
    sharing += options.in_place && bound < bound_of(graph, &(neap_liveness){0});
    runs_profile_clear(&profile);
    runs_clear(&runs);
    runs_model_clear(&model);
    neap_graph_free(graph);
  }
  print_message("%zu share bytes at the peak\n", sharing);
  assert_true(sharing > 50);
}

/* ---------------------------------------------------------------- the peak within a time */

/* The lowest peak of runs that take at most this time. */
static neap_size lowest_peak(const struct runs_model *model, neap_size most, int64_t time) {
  while (most > 0 && least_time(model, most - 1) <= time)
    most--;
  return most;
}

/* No claim about the peak is wrong, and the search nearly always finds the lowest. */
TEST(the_peak_is_the_lowest) {
  struct dice dice = {43};
  static const neap_liveness options = {0};
  size_t rounds = sample_tries(600), compared = 0, exact = 0, proven = 0;
  for (size_t round = 0; round < rounds; round++) {
    neap_graph *graph = make_graph(&dice);
    struct runs_model model = {.durations = NULL};
    neap_error error;
    int64_t millionths = 1000000 + (int64_t)dice_roll(&dice, 600000);
    assert_ok(runs_model_init(&model, graph, &options, &error), &error);
    if (model.costs.value_count <= VALUES_MOST) {
      int64_t time = (int64_t)((double)model.once * ((double)millionths / 1e6));
      neap_size lowest = lowest_peak(&model, bound_of(graph, &options), time);
      recompute(graph, &options, 0, millionths);
      neap_size found = bound_of(graph, &options), least = graph_order_bound(graph, &options);
      assert_true(least > 0 || lowest == 0);
      assert_true(least <= lowest);
      assert_true(lowest <= found && time_of(graph) <= time);
      compared++;
      exact += found == lowest;
      proven += found == least;
    }
    runs_model_clear(&model);
    neap_graph_free(graph);
  }
  print_message("%zu compared, %zu exact, %zu proven\n", compared, exact, proven);
  assert_true(exact * 100 >= compared * 95);
  assert_true(proven * 2 >= compared);
}

/* ---------------------------------------------------------------- layouts that miss */

/* Layouts that need an eighth more than the bound. */
static neap_status plan_badly(void *state, const neap_graph *graph, struct budget *budget,
                              neap_size *peak, neap_error *error) {
  (void)budget, (void)error;
  *peak = bound_of(graph, state);
  *peak += *peak / 8;
  return NEAP_OK;
}

/* Runs lower the bound until such layouts fit, if any can, and take no longer than that needs. */
TEST(layouts_fit) {
  struct dice dice = {41};
  neap_liveness options = {0};
  const struct recompute_layouts layouts = {plan_badly, &options};
  size_t fitting = 0, found = 0, exact = 0;
  for (int round = 0; round < 1000; round++) {
    neap_graph *graph = make_graph(&dice);
    struct runs_model model = {.durations = NULL};
    neap_error error;
    neap_size goal = 4 + bound_of(graph, &options) / 2;
    const neap_scheduling scheduling = {
        .max_ticks = 8000, .recompute = true, .capacity = goal + goal / 8};
    assert_ok(runs_model_init(&model, graph, &options, &error), &error);
    if (model.costs.value_count <= VALUES_MOST) {
      int64_t least = least_time(&model, goal);
      assert_ok(recompute_graph(graph, &scheduling, &options, &layouts, &error), &error);
      bool fits = bound_of(graph, &options) <= goal;
      assert_true(!fits || time_of(graph) >= least);
      fitting += least != NEVER;
      found += least != NEVER && fits;
      exact += least != NEVER && fits && time_of(graph) == least;
    }
    runs_model_clear(&model);
    neap_graph_free(graph);
  }
  print_message("%zu fit, %zu found, %zu exact\n", fitting, found, exact);
  assert_true(fitting > 300);
  assert_true(found * 100 >= fitting * 99);
  assert_true(exact * 100 >= fitting * 98);
}

/* ---------------------------------------------------------------- other options */

/* With sharing, pools of options and without a capacity, graphs stay sound and the limits hold. */
TEST(graphs_are_sound) {
  struct dice dice = {37};
  for (int round = 0; round < 400; round++) {
    neap_graph *graph = round % 2 ? make_graph(&dice) : random_graph(&dice, OPERATORS_MOST);
    const neap_liveness options = {.in_place = round % 4 < 2,
                                   .overlap = round % 3 == 0,
                                   .aliases = round % 5 == 0 ? NEAP_ALIAS_VIEWS : 0,
                                   .no_inputs = round % 7 == 0,
                                   .no_outputs = round % 11 == 0};
    neap_size before = bound_of(graph, &options);
    size_t count = graph->operator_count;
    int64_t once = time_of(graph);
    recompute(graph, &options, round % 4 == 0 ? before * 3 / 4 + 1 : 0, 1500000);
    assert_true(time_of(graph) <= once + once / 2);
    assert_true(bound_of(graph, &options) <= before);
    assert_true(graph->times.least <= time_of(graph) ||
                bound_of(graph, &options) > before * 3 / 4 + 1);
    expect_sound(graph, &options, count);
    neap_graph_free(graph);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_time_is_the_least), cmocka_unit_test(the_time_is_the_least_in_place),
      cmocka_unit_test(profiles_are_bounds),   cmocka_unit_test(the_peak_is_the_lowest),
      cmocka_unit_test(layouts_fit),           cmocka_unit_test(graphs_are_sound)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
