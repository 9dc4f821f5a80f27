/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/random_graph.h"

#include <stdio.h>

#include "tests/support/sample.h"

static void add_tensors(neap_graph *graph, struct dice *dice, size_t count) {
  for (size_t t = 0; t < count; t++) {
    char name[24];
    neap_error error;
    neap_tensor tensor = {.struct_size = sizeof(neap_tensor),
                          .bytes = (neap_size)dice_roll(dice, 5) * 8,
                          .alignment = 1 << dice_roll(dice, 3),
                          .is_kept = dice_chance(dice, 5),
                          .is_output = dice_chance(dice, 8)};
    if (t == 1 && dice_chance(dice, 50)) tensor.kind = NEAP_TENSOR_CONSTANT;
    if (t == 2 && dice_chance(dice, 50)) tensor.kind = NEAP_TENSOR_VARIABLE;
    tensor.is_input = t == 0 || (t < 3 && tensor.kind == NEAP_TENSOR_ACTIVATION);
    snprintf(name, sizeof name, "t%zu", t);
    assert_ok(neap_graph_add_tensor(graph, name, &tensor, &error), &error);
  }
}

neap_graph *random_graph(struct dice *dice, size_t operators_max) {
  neap_graph *graph = neap_graph_new();
  neap_error error;
  assert_true(operators_max <= RANDOM_GRAPH_MAX);
  size_t operators = 1 + dice_roll(dice, operators_max), made = 3;
  size_t readable[3 + 2 * RANDOM_GRAPH_MAX] = {0, 1, 2}, count = 3; /* not temporaries */
  assert_non_null(graph);
  add_tensors(graph, dice, 3 + 3 * operators);
  for (size_t k = 0; k < operators; k++) {
    size_t inputs = dice_roll(dice, 4), outputs = 1 + dice_roll(dice, 2);
    assert_ok(neap_graph_add_operator(graph, "op", &error), &error);
    graph->operators[k].device = dice_chance(dice, 20);
    for (size_t i = 0; i < inputs; i++)
      assert_ok(
          neap_graph_add_link(graph, NEAP_LINK_INPUT, readable[dice_roll(dice, count)], &error),
          &error);
    for (size_t o = 0; o < outputs; o++)
      assert_ok(neap_graph_add_link(graph, NEAP_LINK_OUTPUT, made + o, &error), &error);
    if (dice_chance(dice, 30))
      assert_ok(neap_graph_add_link(graph, NEAP_LINK_TEMPORARY, made + outputs, &error),
                &error);
    for (size_t i = 0; i < inputs; i++) {
      neap_in_place pair = {sizeof(neap_in_place), i, dice_roll(dice, outputs),
                            dice_chance(dice, 30)};
      neap_allowance allowance = {sizeof(neap_allowance), i, dice_roll(dice, outputs),
                                  (neap_size)dice_roll(dice, 40)};
      if (dice_chance(dice, 60)) assert_ok(neap_graph_add_pair(graph, &pair, &error), &error);
      if (dice_chance(dice, 60))
        assert_ok(neap_graph_add_allowance(graph, &allowance, &error), &error);
    }
    for (size_t o = 0; o < outputs; o++)
      readable[count++] = made++;
    const struct graph_links *temporaries = &graph->operators[k].temporaries;
    if (temporaries->end > temporaries->begin) made++;
  }
  return graph;
}
