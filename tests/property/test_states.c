/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Graphs whose outputs are inputs of the next run, against a computation of who is alive when: in
 * plans, no two tensors that are alive together share bytes, a state is in one place or in two that
 * both stay, and no order has a bound below the proven one.
 */
#include <stdio.h>
#include <string.h>

#include "neap/graph.h"
#include "neap/planner.h"
#include "tests/support/random_problem.h"
#include "tests/support/sample.h"

#define OPERATORS 6
#define TENSORS (2 * OPERATORS)

/* Operator k makes tensor inputs + k. */
struct net {
  size_t inputs, operators, states;
  neap_size bytes[TENSORS];
  bool reads[OPERATORS][TENSORS], is_output[TENSORS];
  size_t output[OPERATORS], input[OPERATORS]; /* of each state */
};

static struct net random_net(struct dice *dice) {
  struct net net = {.inputs = 1 + dice_roll(dice, 3),
                    .operators = 2 + dice_roll(dice, OPERATORS - 1)};
  const size_t count = net.inputs + net.operators;
  for (size_t t = 0; t < count; t++)
    net.bytes[t] = 8 * (1 + (neap_size)dice_roll(dice, 4));
  for (size_t k = 0; k < net.operators; k++)
    for (size_t i = 0; i < 2; i++)
      net.reads[k][dice_roll(dice, net.inputs + k)] = true;
  net.is_output[count - 1] = true;
  for (size_t s = 0; s < net.inputs && s < net.operators && dice_chance(dice, 80); s++) {
    net.output[s] = count - 1 - s;
    net.input[s] = s;
    net.bytes[s] = net.bytes[count - 1 - s];
    net.is_output[count - 1 - s] = true;
    net.states++;
  }
  return net;
}

static neap_graph *graph_of(const struct net *net) {
  neap_graph *graph = neap_graph_new();
  neap_error error;
  for (size_t t = 0; t < net->inputs + net->operators; t++) {
    char name[24];
    neap_tensor tensor = NEAP_TENSOR_INIT;
    tensor.bytes = net->bytes[t];
    tensor.is_input = t < net->inputs;
    tensor.is_output = net->is_output[t];
    snprintf(name, sizeof name, "t%zu", t);
    assert_ok(neap_graph_add_tensor(graph, name, &tensor, &error), &error);
  }
  for (size_t k = 0; k < net->operators; k++) {
    assert_ok(neap_graph_add_operator(graph, "", &error), &error);
    for (size_t t = 0; t < net->inputs + k; t++)
      if (net->reads[k][t])
        assert_ok(neap_graph_add_link(graph, NEAP_LINK_INPUT, t, &error), &error);
    assert_ok(neap_graph_add_link(graph, NEAP_LINK_OUTPUT, net->inputs + k, &error), &error);
  }
  for (size_t s = 0; s < net->states; s++)
    assert_ok(neap_graph_add_state(graph, net->output[s], net->input[s], &error), &error);
  return graph;
}

/* ---------------------------------------------------------------- who is alive when */

struct life {
  size_t first, last;
};

/* `at` has the moment of each operator. */
static void find_lives(const struct net *net, const size_t *at, struct life *lives) {
  const size_t end = net->operators - 1;
  for (size_t t = 0; t < net->inputs + net->operators; t++) {
    lives[t].first = lives[t].last = t < net->inputs ? 0 : at[t - net->inputs];
    for (size_t k = 0; k < net->operators; k++)
      if (net->reads[k][t] && at[k] > lives[t].last) lives[t].last = at[k];
    if (net->is_output[t]) lives[t].last = end;
  }
  for (size_t s = 0; s < net->states; s++)
    if (lives[net->input[s]].last >= lives[net->output[s]].first)
      lives[net->input[s]].last = end;
}

static neap_size bound_of(const struct net *net, const struct life *lives) {
  neap_size most = 0;
  for (size_t time = 0; time < net->operators; time++) {
    neap_size sum = 0;
    for (size_t t = 0; t < net->inputs + net->operators; t++)
      if (lives[t].first <= time && time <= lives[t].last) sum += net->bytes[t];
    if (sum > most) most = sum;
  }
  return most;
}

/* The lowest bound of all orders: `at` has the moments of the first `count` operators to run. */
static neap_size least_bound(const struct net *net, size_t *at, unsigned done, size_t count) {
  struct life lives[TENSORS];
  if (count == net->operators) {
    find_lives(net, at, lives);
    return bound_of(net, lives);
  }
  neap_size least = NEAP_MAX;
  for (size_t k = 0; k < net->operators; k++) {
    bool is_ready = !(done >> k & 1);
    for (size_t t = net->inputs; t < net->inputs + net->operators && is_ready; t++)
      is_ready = !net->reads[k][t] || (done >> (t - net->inputs) & 1);
    if (!is_ready) continue;
    at[k] = count;
    const neap_size found = least_bound(net, at, done | 1U << k, count + 1);
    if (found < least) least = found;
  }
  return least;
}

/* ---------------------------------------------------------------- plans */

static neap_offset offset_of(const neap_plan *plan, size_t tensor) {
  char name[24];
  size_t index;
  snprintf(name, sizeof name, "t%zu", tensor);
  assert_true(neap_problem_find(neap_plan_problem(plan), name, &index));
  return neap_plan_offset(plan, index);
}

static void check_plan(const struct net *net, const struct life *lives, const neap_plan *plan) {
  const size_t count = net->inputs + net->operators;
  neap_offset offsets[TENSORS];
  for (size_t t = 0; t < count; t++)
    offsets[t] = offset_of(plan, t);
  for (size_t a = 0; a < count; a++)
    for (size_t b = 0; b < a; b++) {
      const bool meet = lives[a].first <= lives[b].last && lives[b].first <= lives[a].last;
      const bool share =
          offsets[a] < offsets[b] + net->bytes[b] && offsets[b] < offsets[a] + net->bytes[a];
      assert_false(meet && share);
    }
  for (size_t s = 0; s < net->states; s++)
    if (lives[net->input[s]].last < lives[net->output[s]].first)
      assert_int_equal(offsets[net->input[s]], offsets[net->output[s]]);
}

static void check_order(const struct net *net, neap_graph *graph) {
  struct life lives[TENSORS];
  size_t at[OPERATORS];
  neap_problem *problem = sample_graph_problem(graph, NULL);
  neap_operator_order order = NEAP_INIT(neap_operator_order);
  const bool is_scheduled = neap_problem_order(problem, &order);
  for (size_t k = 0; k < net->operators; k++)
    at[is_scheduled ? order.given[k] : k] = k;
  find_lives(net, at, lives);
  assert_int_equal(sample_bound(problem).bytes, bound_of(net, lives));
  neap_plan *plan = sample_solve(problem, NULL);
  check_plan(net, lives, plan);
  const neap_report report = sample_report(plan);
  const neap_size least = least_bound(net, at, 0, 0);
  if (is_scheduled) assert_true(report.order.lower_bound <= least);
  if (is_scheduled && report.order.outcome == NEAP_OPTIMAL)
    assert_int_equal(report.bound, least);
  neap_plan_free(plan);
  neap_problem_free(problem);
}

TEST(states_stay_in_place_or_apart) {
  struct dice dice = {58};
  size_t with = 0;
  for (int round = 0; round < 1500; round++) {
    const struct net net = random_net(&dice);
    const neap_schedule schedule = (neap_schedule)dice_roll(&dice, 4);
    neap_graph *graph = graph_of(&net);
    neap_scheduling how = {.schedule = schedule};
    neap_error error;
    assert_ok(neap_graph_reorder(graph, &how, NULL, &error), &error);
    check_order(&net, graph);
    with += net.states > 0;
    neap_graph_free(graph);
  }
  assert_true(with > 1000);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(states_stay_in_place_or_apart),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
