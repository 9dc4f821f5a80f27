/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The random graphs of RandWire: moving ends of edges leaves as many of them as there were. */
#include <string.h>

#include "model/graph.h"
#include "tests/support/sample.h"

/* Nodes, each with edges to the two nodes on either side. */
#define EDGES (32 * 2)

static const char *name_of(const neap_graph *graph, size_t tensor) {
  return names_text(&graph->names, tensor);
}

static bool ends_in(const char *name, const char *ending) {
  size_t length = strlen(name), rest = strlen(ending);
  return length >= rest && strcmp(name + length - rest, ending) == 0;
}

static size_t inputs_of(const struct graph_operator *operator) {
  return operator->inputs.end - operator->inputs.begin;
}

/* The number of nodes that a node reads, which begins with operator k. */
static size_t reads_of(const neap_graph *graph, size_t k) {
  const struct graph_operator *operator= & graph->operators[k];
  const char *input = name_of(graph, graph->links[operator->inputs.begin]);
  if (strcmp(operator->name, "Sum") == 0) return inputs_of(operator);
  if (strcmp(operator->name, "Relu") != 0 || ends_in(input, "/sum")) return 0;
  /* It reads the only other node of its stage that it is joined to, or the stage's input. */
  const char *output = name_of(graph, graph->links[operator->outputs.begin]);
  return strchr(input, '/') && ends_in(input, "/pointwise") &&
         strncmp(input, output, strlen("stage1/")) == 0;
}

static void stages_have_as_many_edges_as_rings(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < 100; seed++) {
    neap_graph *graph;
    neap_error error;
    size_t edges = 0;
    assert_ok(neap_graph_generate("randwire", seed, &graph, &error), &error);
    for (size_t k = 0; k < graph->operator_count; k++)
      edges += reads_of(graph, k);
    assert_int_equal(edges, 3 * EDGES);
    neap_graph_free(graph);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(stages_have_as_many_edges_as_rings),
  };
  return cmocka_run_group_tests_name("randwire", tests, NULL, NULL);
}
