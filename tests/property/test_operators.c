/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Operators of random graphs: the lists of buffers agree with the graph's links whatever shares
 * bytes, and JSON returns them, with shapes, types and labels.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files/json/problem.h"
#include "tests/support/random_graph.h"
#include "tests/support/sample.h"

#define UNKNOWN SIZE_MAX

/* ---------------------------------------------------------------- decorated graphs */

/* A copy with a random shape and type per tensor; operators keep their order and get labels. */
static neap_graph *decorate(const neap_graph *graph, struct dice *dice) {
  static const char *const types[] = {NULL, "int8", "float32"};
  neap_graph *copy = neap_graph_copy(graph);
  assert_non_null(copy);
  shapes_clear(&copy->shapes);
  for (size_t t = 0; t < graph_tensor_count(copy); t++) {
    neap_size dimensions[4];
    struct tensor_shape shape = {.type = types[dice_roll(dice, 3)]};
    if (dice_chance(dice, 70)) {
      shape.dimensions = dimensions;
      shape.rank = dice_roll(dice, 5);
    }
    for (size_t d = 0; d < shape.rank; d++)
      dimensions[d] = (neap_size)dice_roll(dice, 50) - 1;
    assert_true(shapes_add(&copy->shapes, t, &shape));
  }
  for (size_t k = 0; k < copy->operator_count; k++)
    if (dice_chance(dice, 60)) {
      char label[40];
      snprintf(label, sizeof label, "op%zu \"x\"", k);
      copy->operators[k].label = strdup(label);
    }
  return copy;
}

/* ---------------------------------------------------------------- against the links */

static size_t own_buffer(const neap_graph *graph, const neap_problem *problem, size_t tensor) {
  size_t buffer;
  return neap_problem_find(problem, names_text(&graph->names, tensor), &buffer) ? buffer
                                                                                : UNKNOWN;
}

static bool has(const size_t *list, size_t count, size_t item) {
  for (size_t i = 0; i < count; i++)
    if (list[i] == item) return true;
  return false;
}

static void expect_once(const size_t *list, size_t count) {
  for (size_t i = 0; i < count; i++)
    assert_false(has(list, i, list[i]));
}

static bool is_planned(const neap_graph *graph, const neap_liveness *options, size_t tensor) {
  return graph_is_planned(graph, options, tensor);
}

/*
 * Finds the buffer of each output of operator k: the tensor's own, or else the next in the list,
 * which the operator must also read.  Returns false if two outputs share one indistinguishably.
 */
static bool find_holders(const neap_graph *graph, const neap_problem *problem,
                         const neap_liveness *options, size_t k, size_t *holders) {
  const struct graph_operator *node = &graph->operators[k];
  neap_operator_info info = NEAP_INIT(neap_operator_info);
  size_t at = 0, planned = 0;
  assert_true(neap_problem_operator_at(problem, k, &info));
  const struct graph_links runs[] = {node->outputs, node->temporaries};
  for (size_t r = 0; r < 2; r++)
    for (size_t i = runs[r].begin; i < runs[r].end; i++)
      planned += is_planned(graph, options, graph->links[i]);
  if (planned != info.make_count) return false;
  for (size_t r = 0; r < 2; r++)
    for (size_t i = runs[r].begin; i < runs[r].end; i++) {
      size_t tensor = graph->links[i], own = own_buffer(graph, problem, tensor);
      if (!is_planned(graph, options, tensor)) continue;
      if (own != UNKNOWN) assert_int_equal(info.makes[at], own);
      else assert_true(has(info.reads, info.read_count, info.makes[at]));
      holders[tensor] = info.makes[at++];
    }
  return true;
}

static void expect_reads(const neap_graph *graph, const neap_problem *problem,
                         const neap_liveness *options, size_t k, const size_t *holders) {
  const struct graph_operator *node = &graph->operators[k];
  neap_operator_info info = NEAP_INIT(neap_operator_info);
  size_t expected = 0;
  assert_true(neap_problem_operator_at(problem, k, &info));
  assert_string_equal(info.type, node->name);
  assert_true(node->label ? info.name && strcmp(info.name, node->label) == 0 : !info.name);
  expect_once(info.reads, info.read_count);
  expect_once(info.makes, info.make_count);
  for (size_t i = node->inputs.begin; i < node->inputs.end; i++) {
    size_t tensor = graph->links[i];
    if (!is_planned(graph, options, tensor)) continue;
    if (holders[tensor] == UNKNOWN) return;
    assert_true(has(info.reads, info.read_count, holders[tensor]));
    bool is_new = true;
    for (size_t j = node->inputs.begin; j < i; j++)
      is_new = is_new && holders[graph->links[j]] != holders[tensor];
    expected += is_new;
  }
  assert_int_equal(info.read_count, expected);
}

/* Whatever an operator reads or makes is alive while it runs. */
static void expect_alive(const neap_problem *problem, const size_t *buffers, size_t count,
                         size_t k) {
  for (size_t i = 0; i < count; i++) {
    neap_range hull = problem_hull(problem, buffers[i]);
    assert_true(hull.start <= (neap_time)k && hull.end > (neap_time)k);
  }
}

static void expect_operators(const neap_graph *graph, const neap_problem *problem,
                             const neap_liveness *options) {
  size_t tensors = graph_tensor_count(graph), *holders = malloc(tensors * sizeof *holders);
  assert_non_null(holders);
  for (size_t t = 0; t < tensors; t++)
    holders[t] = own_buffer(graph, problem, t);
  assert_int_equal(neap_problem_operator_count(problem), graph->operator_count);
  for (size_t k = 0; k < graph->operator_count; k++) {
    neap_operator_info info = NEAP_INIT(neap_operator_info);
    expect_reads(graph, problem, options, k, holders);
    find_holders(graph, problem, options, k, holders);
    assert_true(neap_problem_operator_at(problem, k, &info));
    expect_alive(problem, info.reads, info.read_count, k);
    expect_alive(problem, info.makes, info.make_count, k);
  }
  free(holders);
}

/* ---------------------------------------------------------------- JSON */

static char *text_of(const neap_problem *problem) {
  char *text = NULL;
  size_t size;
  neap_error error;
  FILE *stream = open_memstream(&text, &size);
  assert_non_null(stream);
  assert_ok(json_problem_write(problem, stream, &error), &error);
  assert_int_equal(fclose(stream), 0);
  return text;
}

static void expect_round_trip(const neap_problem *problem) {
  static const neap_reading reading = NEAP_INIT(neap_reading);
  char *first = text_of(problem), *copy = strdup(first);
  neap_problem *read;
  neap_error error;
  assert_ok(json_problem_read(copy, strlen(copy), &reading, &read, &error), &error);
  char *second = text_of(read);
  assert_string_equal(first, second);
  neap_problem_free(read);
  free(first);
  free(copy);
  free(second);
}

TEST(operators_agree_with_the_graph) {
  struct dice dice = {19};
  for (int round = 0; round < 2000; round++) {
    neap_graph *plain = random_graph(&dice, 12), *graph = decorate(plain, &dice);
    neap_liveness options = {.in_place = round % 2 == 1,
                             .overlap = round % 3 == 1,
                             .aliases = (unsigned)round % 8,
                             .no_inputs = round % 5 == 0,
                             .no_outputs = round % 7 == 0};
    neap_scheduling scheduling = {.schedule = NEAP_SCHEDULE_MIN_PEAK};
    neap_error error;
    if (round % 11 == 0)
      assert_ok(neap_graph_reorder(graph, &scheduling, &options, &error), &error);
    neap_problem *problem = sample_graph_problem(graph, &options);
    expect_operators(graph, problem, &options);
    expect_round_trip(problem);
    neap_problem_free(problem);
    neap_graph_free(graph);
    neap_graph_free(plain);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(operators_agree_with_the_graph)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
