/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Problems made at random: what each kind promises, and that a seed always gives the same. */
#include <stdlib.h>
#include <string.h>

#include "model/graph.h"
#include "neap-tool.h"
#include "tests/support/generated.h"
#include "tests/support/sample.h"

static neap_problem *make(const char *kind, size_t count, uint64_t seed) {
  neap_error error;
  neap_problem *problem = sample_generate(kind, count, seed);
  assert_int_equal(neap_problem_count(problem), count);
  assert_ok(neap_problem_check(problem, &error), &error);
  return problem;
}

static bool same(const neap_problem *a, const neap_problem *b) {
  for (size_t i = 0; i < neap_problem_count(a); i++) {
    neap_buffer one = NEAP_INIT(neap_buffer), other = NEAP_INIT(neap_buffer);
    neap_problem_buffer_at(a, i, &one);
    neap_problem_buffer_at(b, i, &other);
    if (one.size != other.size || one.ranges[0].start != other.ranges[0].start ||
        one.ranges[0].end != other.ranges[0].end || strcmp(one.name, other.name) != 0)
      return false;
  }
  return true;
}

static void check_kind(const char *kind) {
  static const size_t counts[] = {1, 2, 3, 4, 5, 6, 7, 17, 100, 1000};
  for (size_t i = 0; i < SAMPLE_COUNT(counts); i++) {
    neap_problem *problem = make(kind, counts[i], 5), *again = make(kind, counts[i], 5);
    neap_problem *other = make(kind, counts[i], 6);
    assert_true(same(problem, again));
    if (counts[i] > 2) assert_false(same(problem, other));
    neap_problem_free(problem);
    neap_problem_free(again);
    neap_problem_free(other);
  }
}

TEST(every_kind_is_reproducible_by_its_seed) {
  neap_kind_info info;
  size_t count = 0;
  for (; neap_kind_at(count, &info); count++) {
    assert_true(info.name[0] && info.summary[0]);
    check_kind(info.name);
  }
  assert_int_equal(count, 7);
}

TEST(related_problems_have_relations) {
  neap_problem *problem = make("related", 10000, 1);
  assert_int_equal(neap_problem_relation_count(problem, NEAP_SEPARATION), 100);
  assert_int_equal(neap_problem_relation_count(problem, NEAP_COLOCATION), 20);
  neap_problem_free(problem);
}

static void check_no_gap(const char *kind) {
  for (uint64_t seed = 0; seed < 40; seed++) {
    neap_problem *problem = make(kind, 1 + (size_t)seed * 7, seed);
    const neap_bound bound = sample_bound(problem);
    double area = 0;
    neap_time last = 0;
    for (size_t i = 0; i < neap_problem_count(problem); i++) {
      neap_buffer buffer = sample_buffer(problem, i);
      neap_range life = buffer.ranges[0];
      area += (double)buffer.size * (double)(life.end - life.start);
      if (life.end > last) last = life.end;
      assert_true(buffer.size > 0);
    }
    /* The area is the sheet's, and no moment is above the sheet's height, so the sheet is full. */
    assert_true(area == (double)bound.bytes * (double)last);
    neap_problem_free(problem);
  }
}

TEST(perfect_problems_have_no_gap) {
  check_no_gap("perfect");
  check_no_gap("sheet");
}

/* At most 1000 moments, and of 2000 pieces hardly any is alone in beginning at its moment. */
TEST(sheets_have_few_moments) {
  neap_problem *problem = make("sheet", 2000, 3);
  size_t begin[1000] = {0}, shared = 0;
  assert_int_equal(neap_problem_count(problem), 2000);
  for (int pass = 0; pass < 2; pass++)
    for (size_t i = 0; i < 2000; i++) {
      neap_buffer buffer = sample_buffer(problem, i);
      assert_in_range(buffer.ranges[0].end, buffer.ranges[0].start + 1, 1000);
      if (pass == 0) begin[buffer.ranges[0].start]++;
      else shared += begin[buffer.ranges[0].start] > 1;
    }
  assert_in_range(shared, 1600, 2000);
  neap_problem_free(problem);
}

TEST(traces_are_heavy_tailed) {
  neap_problem *problem = make("trace", 100000, 1);
  size_t large = 0, small = 0;
  for (size_t i = 0; i < neap_problem_count(problem); i++) {
    neap_buffer buffer = sample_buffer(problem, i);
    small += buffer.size < 32;
    large += buffer.size >= 1024;
  }
  /* A half is below twice the least; 2^-6 is above 2^6 times it. */
  assert_in_range(small, 49000, 51000);
  assert_in_range(large, 1300, 1850);
  neap_problem_free(problem);
}

TEST(impossible_kinds_and_counts_are_rejected) {
  neap_problem *problem = NULL;
  neap_error error;
  assert_int_equal(neap_problem_generate("perfekt", 10, 1, &problem, &error),
                   NEAP_ERROR_ARGUMENT);
  assert_non_null(strstr(error.text, "perfect"));
  assert_non_null(strstr(error.text, "perfekt"));
  assert_int_equal(neap_problem_generate("trace", 0, 1, &problem, &error), NEAP_ERROR_ARGUMENT);
  assert_int_equal(
      neap_problem_generate("trace", (size_t)NEAP_GENERATED_MAX + 1, 1, &problem, &error),
      NEAP_ERROR_ARGUMENT);
  assert_null(problem);
}

/* ---------------------------------------------------------------- RandWire */

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

/* Moving the ends of edges keeps the number of edges. */
TEST(stages_of_randwire_have_as_many_edges_as_rings) {
  for (uint64_t seed = 0, tries = sample_tries(100); seed < tries; seed++) {
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
      cmocka_unit_test(every_kind_is_reproducible_by_its_seed),
      cmocka_unit_test(related_problems_have_relations),
      cmocka_unit_test(perfect_problems_have_no_gap),
      cmocka_unit_test(sheets_have_few_moments),
      cmocka_unit_test(traces_are_heavy_tailed),
      cmocka_unit_test(impossible_kinds_and_counts_are_rejected),
      cmocka_unit_test(stages_of_randwire_have_as_many_edges_as_rings),
  };
  return cmocka_run_group_tests_name("generate", tests, NULL, NULL);
}
