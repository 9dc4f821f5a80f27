/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/files.h"
#include "tests/support/sample.h"

/*
 * Published networks: their graphs have the structure of the publications; what is written is read
 * again unchanged; six graphs in data/models/order of $NEAP_SHARED, made from other descriptions of
 * these networks, are the same.
 */

/* The sizes of the tensors of RandWire with C = 78. */
#define CHANNELS 78
static const neap_size randwire_sizes[] = {
    4 * 224 * 224 * 3,
    4 * 112 * 112 * CHANNELS / 2,
    4 * 56 * 56 * CHANNELS,
    4 * 28 * 28 * CHANNELS,
    4 * 14 * 14 * CHANNELS, /* where a stage's input is halved */
    4 * 14 * 14 * CHANNELS * 2,
    4 * 7 * 7 * CHANNELS * 2, /* likewise */
    4 * 7 * 7 * CHANNELS * 4,
    4 * 7 * 7 * 1280,
    4 * 1280,
    4 * 1000,
};

static neap_graph *generate(const char *name, uint64_t seed) {
  neap_graph *graph;
  neap_error error;
  assert_ok(neap_graph_generate(name, seed, &graph, &error), &error);
  return graph;
}

static neap_problem *problem_of(const neap_graph *graph, bool in_place) {
  const neap_liveness liveness = {.in_place = in_place};
  neap_problem *problem = sample_graph_problem(graph, &liveness);
  return problem;
}

static neap_size bound_of(const neap_graph *graph, bool in_place) {
  neap_problem *problem = problem_of(graph, in_place);
  const neap_bound bound = sample_bound(problem);
  neap_problem_free(problem);
  return bound.bytes;
}

static size_t operators_called(const neap_graph *graph, const char *name) {
  size_t count = 0;
  for (size_t k = 0; k < neap_graph_operator_count(graph); k++)
    count += strcmp(neap_graph_operator_name(graph, k), name) == 0;
  return count;
}

/* ---------------------------------------------------------------- comparing */

struct life {
  neap_range range;
  neap_size size;
};

static int compare_lives(const void *a, const void *b) {
  return memcmp(a, b, sizeof(struct life));
}

/* What is alive when, in an order that does not depend on names. */
static struct life *lives_of(const neap_graph *graph, bool in_place, size_t *count) {
  neap_problem *problem = problem_of(graph, in_place);
  *count = neap_problem_count(problem);
  struct life *lives = calloc(*count, sizeof *lives);
  assert_non_null(lives);
  for (size_t i = 0; i < *count; i++) {
    neap_buffer buffer = sample_buffer(problem, i);
    assert_int_equal(buffer.range_count, 1);
    lives[i] = (struct life){buffer.ranges[0], buffer.size};
  }
  qsort(lives, *count, sizeof *lives, compare_lives);
  neap_problem_free(problem);
  return lives;
}

static bool is_alive_alike(const neap_graph *a, const neap_graph *b, bool in_place) {
  size_t count, other_count;
  struct life *lives = lives_of(a, in_place, &count);
  struct life *others = lives_of(b, in_place, &other_count);
  bool alike = count == other_count && memcmp(lives, others, count * sizeof *lives) == 0;
  free(lives);
  free(others);
  return alike;
}

/* Whether two graphs have the same operators and, in their given order, the same lifetimes. */
static bool is_same(const neap_graph *a, const neap_graph *b) {
  size_t count = neap_graph_operator_count(a);
  if (count != neap_graph_operator_count(b)) return false;
  for (size_t k = 0; k < count; k++)
    if (strcmp(neap_graph_operator_name(a, k), neap_graph_operator_name(b, k)) != 0)
      return false;
  return is_alive_alike(a, b, false) && is_alive_alike(a, b, true);
}

/* ---------------------------------------------------------------- structure */

static const struct structure {
  const char *name;
  size_t cells, blocks; /* of a cell */
  size_t convolutions;
} structures[] = {
    {"amoebanet-a-cifar", 20, 5, 366}, {"amoebanet-a-imagenet", 16, 5, 300},
    {"darts-cifar", 20, 4, 438},       {"darts-imagenet", 16, 4, 300},
    {"nasnet-a-cifar", 20, 5, 442},    {"nasnet-a-imagenet", 16, 5, 356},
    {"pnas-cifar", 20, 5, 522},
};

TEST(cells_have_the_published_structure) {
  for (size_t i = 0; i < SAMPLE_COUNT(structures); i++) {
    const struct structure *known = &structures[i];
    neap_graph *graph = generate(known->name, 1);
    /* A cell that reads one from before a reduction halves it by two pools and joins the halves. */
    size_t halvings = known->cells == 20 ? 2 : 4;
    assert_int_equal(operators_called(graph, "Add"), known->cells * known->blocks);
    assert_int_equal(operators_called(graph, "Concat"), known->cells + halvings);
    assert_int_equal(operators_called(graph, "Slice"), halvings);
    assert_int_equal(operators_called(graph, "Conv"), known->convolutions);
    assert_int_equal(operators_called(graph, "MatMul"), 1);
    neap_graph_free(graph);
  }
}

static void check_size(neap_size size) {
  for (size_t i = 0; i < SAMPLE_COUNT(randwire_sizes); i++)
    if (randwire_sizes[i] == size) return;
  fail_msg("no tensor of RandWire has %lld bytes", (long long)size);
}

TEST(random_wiring_has_the_published_stages) {
  for (uint64_t seed = 1; seed <= 20; seed++) {
    neap_graph *graph = generate("randwire", seed);
    neap_problem *problem = problem_of(graph, false);
    assert_int_equal(operators_called(graph, "Conv"), 3 * 32 * 2 + 3);
    assert_int_equal(operators_called(graph, "Relu"), 3 * 32 + 1);
    assert_in_range(operators_called(graph, "Mean"), 0, 3);
    for (size_t i = 0; i < neap_problem_count(problem); i++) {
      neap_buffer buffer = sample_buffer(problem, i);
      check_size(buffer.size);
    }
    neap_problem_free(problem);
    neap_graph_free(graph);
  }
}

/* ---------------------------------------------------------------- the best orders */

/*
 * The lowest bounds of all orders, without and with sharing in place.  Another program has proven
 * them: a depth-first search in Python over the sets of operators executed.
 */
static const struct optimum {
  const char *name;
  uint64_t seed;
  neap_size bytes, bytes_in_place;
} optima[] = {
    {"amoebanet-a-cifar", 1, 1474560, 1474560}, {"amoebanet-a-imagenet", 1, 4741632, 4465664},
    {"darts-cifar", 1, 1622016, 1622016},       {"darts-imagenet", 1, 4616192, 4616192},
    {"nasnet-a-cifar", 1, 2031616, 2031616},    {"nasnet-a-imagenet", 1, 4619904, 4474080},
    {"pnas-cifar", 1, 1916928, 1916928},        {"randwire", 1, 4402944, 4402944},
    {"randwire", 2, 3913728, 3179904},          {"randwire", 3, 3913728, 3669120},
    {"randwire", 4, 3913728, 3424512},          {"randwire", 5, 3913728, 3913728},
};

/* What a plan says about the order; it is only sorted. */
static neap_report report_of(const neap_problem *problem) {
  neap_options *options = neap_options_new();
  neap_error error;
  assert_non_null(options);
  assert_ok(neap_options_set(options, "engine", "sort", &error), &error);
  neap_plan *plan = sample_solve(problem, options);
  neap_report report = sample_report(plan);
  neap_plan_free(plan);
  neap_options_free(options);
  return report;
}

static void check_optimum(const struct optimum *optimum, bool in_place) {
  neap_graph *graph = generate(optimum->name, optimum->seed);
  const neap_scheduling scheduling = {.schedule = NEAP_SCHEDULE_OPTIMAL, .max_ticks = 20000000};
  const neap_liveness liveness = {.in_place = in_place};
  neap_size bytes = in_place ? optimum->bytes_in_place : optimum->bytes;
  neap_error error;
  assert_true(bound_of(graph, in_place) >= bytes);
  assert_ok(neap_graph_reorder(graph, &scheduling, &liveness, &error), &error);
  neap_problem *problem = problem_of(graph, in_place);
  neap_report report = report_of(problem);
  assert_int_equal(report.bound, bytes);
  assert_int_equal(report.order.lower_bound, bytes);
  assert_int_equal(report.order.outcome, NEAP_OPTIMAL);
  neap_problem_free(problem);
  neap_graph_free(graph);
}

TEST(the_best_orders_are_found_and_proven) {
  for (size_t i = 0; i < SAMPLE_COUNT(optima); i++) {
    check_optimum(&optima[i], false);
    check_optimum(&optima[i], true);
  }
}

/* ---------------------------------------------------------------- seeds and names */

TEST(every_network_is_reproducible) {
  neap_network_info info = NEAP_INIT(neap_network_info);
  size_t count = 0;
  for (; neap_network_at(count, &info); count++) {
    neap_graph *graph = generate(info.name, 5), *again = generate(info.name, 5);
    neap_graph *other = generate(info.name, 6);
    assert_true(info.name[0] && info.summary[0]);
    assert_true(is_same(graph, again));
    assert_int_equal(is_same(graph, other), !info.is_random);
    neap_graph_free(graph);
    neap_graph_free(again);
    neap_graph_free(other);
  }
  assert_int_equal(count, 8);
}

TEST(unknown_networks_are_rejected) {
  neap_graph *graph = NULL;
  neap_error error;
  assert_error(neap_graph_generate("nasnet", 1, &graph, &error), NEAP_ERROR_ARGUMENT, &error);
  assert_says(&error, "'nasnet'");
  assert_says(&error, "nasnet-a-cifar");
  assert_null(graph);
}

/* ---------------------------------------------------------------- files */

TEST(a_written_graph_is_read_again) {
  neap_network_info info = NEAP_INIT(neap_network_info);
  neap_error error;
  for (size_t i = 0; neap_network_at(i, &info); i++) {
    neap_graph *graph = generate(info.name, 1), *read;
    assert_ok(neap_graph_write(graph, "a.json", NULL, &error), &error);
    assert_ok(neap_graph_read("a.json", NULL, &read, &error), &error);
    assert_true(is_same(graph, read));
    assert_int_equal(neap_graph_tensor_count(graph), neap_graph_tensor_count(read));
    neap_graph_free(graph);
    neap_graph_free(read);
  }
}

TEST(other_formats_hold_no_graphs) {
  neap_error error;
  neap_graph *graph = generate("pnas-cifar", 1);
  assert_error(neap_graph_write(graph, "a.csv", NULL, &error), NEAP_ERROR_FORMAT, &error);
  neap_graph_free(graph);
}

TEST(graphs_made_by_others_are_the_same) {
  static const char *const files[][2] = {{"AmoebaNet-ImageNet.json", "amoebanet-a-imagenet"},
                                         {"Darts-Cifar.json", "darts-cifar"},
                                         {"NasNet-ImageNet.json", "nasnet-a-imagenet"},
                                         {"PNas-Cifar.json", "pnas-cifar"}};
  const char *shared = getenv("NEAP_SHARED");
  neap_error error;
  char path[4096];
  for (size_t i = 0; i < SAMPLE_COUNT(files); i++) {
    snprintf(path, sizeof path, "%s/data/models/order/%s", shared ? shared : "", files[i][0]);
    if (access(path, R_OK) != 0) skip();
    neap_graph *graph = generate(files[i][1], 1), *other;
    assert_ok(neap_graph_read(path, NULL, &other, &error), &error);
    assert_true(is_same(graph, other));
    neap_graph_free(graph);
    neap_graph_free(other);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cells_have_the_published_structure),
      cmocka_unit_test(random_wiring_has_the_published_stages),
      cmocka_unit_test(the_best_orders_are_found_and_proven),
      cmocka_unit_test(every_network_is_reproducible),
      cmocka_unit_test(unknown_networks_are_rejected),
      FILES_CASE(a_written_graph_is_read_again),
      FILES_CASE(other_formats_hold_no_graphs),
      cmocka_unit_test(graphs_made_by_others_are_the_same),
  };
  return cmocka_run_group_tests_name("networks", tests, NULL, NULL);
}
