/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * States the operators of a graph, and proves that their order is optimal by flows
 * (certify/flow, certify/order_rules), or else by listing sets of operators that may have run
 * (certify/order_sets).
 */
#include "certify/order.h"

#include <assert.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/memory.h"
#include "schedule/costs.h"

/* ---------------------------------------------------------------- the text */

static int64_t maker_of(const struct costs *costs, size_t v) {
  return costs->lives[v] & COSTS_STARTS ? -1 : (int64_t)costs->maker[v];
}

/* The number of readers printed for a value: none if the value stays. */
static size_t reader_count(const struct costs *costs, size_t v) {
  if (costs->lives[v] & COSTS_STAYS) return 0;
  return costs->readers.ends[v] - costs_begin(&costs->readers, v);
}

/* Compares by maker, size, whether the value stays, and readers. */
static int by_value(const void *left, const void *right, void *context) {
  const struct costs *costs = context;
  size_t a = *(const size_t *)left, b = *(const size_t *)right;
  const int64_t first[] = {maker_of(costs, a), costs->sizes[a], costs->lives[a] & COSTS_STAYS};
  const int64_t second[] = {maker_of(costs, b), costs->sizes[b], costs->lives[b] & COSTS_STAYS};
  for (size_t i = 0; i < 3; i++)
    if (first[i] != second[i]) return first[i] < second[i] ? -1 : 1;
  const size_t *reads = costs->readers.items + costs_begin(&costs->readers, a);
  const size_t *others = costs->readers.items + costs_begin(&costs->readers, b);
  size_t count = reader_count(costs, a), other_count = reader_count(costs, b);
  for (size_t i = 0; i < count && i < other_count; i++)
    if (reads[i] != others[i]) return reads[i] < others[i] ? -1 : 1;
  if (count != other_count) return count < other_count ? -1 : 1;
  return a < b ? -1 : a > b;
}

/* Sorts the values that take up bytes; numbers[v] is the place of v in `sorted`. */
static size_t sort_values(const struct costs *costs, size_t *sorted, size_t *numbers) {
  size_t count = 0;
  for (size_t v = 0; v < costs->value_count; v++) {
    bool exists = costs->maker[v] != COSTS_NONE || (costs->lives[v] & COSTS_STARTS);
    if (costs->sizes[v] > 0 && exists) sorted[count++] = v;
  }
  if (count > 0) qsort_r(sorted, count, sizeof *sorted, by_value, (void *)(uintptr_t)costs);
  for (size_t i = 0; i < count; i++)
    numbers[sorted[i]] = i;
  return count;
}

/* One line per value: its size, what makes it, whether it ends, and what reads it. */
static void print_values(struct lines *lines, const struct costs *costs, const size_t *sorted,
                         size_t count) {
  for (size_t i = 0; i < count; i++) {
    size_t v = sorted[i], begin = costs_begin(&costs->readers, v);
    lines_word(lines, "value");
    lines_number(lines, costs->sizes[v]);
    lines_optional(lines, maker_of(costs, v), -1);
    lines_word(lines, costs->lives[v] & COSTS_STAYS ? "stays" : "ends");
    lines_list(lines, costs->readers.items + begin, reader_count(costs, v));
    lines_end(lines);
  }
}

static void print_operators(struct lines *lines, const struct costs *costs) {
  for (size_t k = 0; k < costs->count; k++) {
    size_t begin = costs_begin(&costs->befores, k);
    lines_word(lines, "operator");
    lines_list(lines, costs->befores.items + begin, costs->befores.ends[k] - begin);
    lines_end(lines);
  }
}

static void print_shares(struct lines *lines, const struct costs *costs,
                         const size_t *numbers) {
  for (size_t k = 0; k < costs->count; k++)
    for (size_t i = shares_begin(&costs->shares, k); i < costs->shares.ends[k]; i++) {
      const struct share *share = &costs->shares.items[i];
      lines_word(lines, share->in_place ? "in_place" : "over");
      lines_number(lines, (int64_t)k);
      lines_number(lines, (int64_t)numbers[share->input]);
      lines_number(lines, (int64_t)share->output);
      lines_number(lines, share->bytes);
      lines_number(lines, share->output_bytes);
      lines_end(lines);
    }
}

/* Prints the operators and the values that they make and read; false if memory is short. */
static bool print_graph(struct certify_task *task, const struct costs *costs,
                        const struct flow_values *values, size_t begin) {
  struct lines *lines = task->proof, graph = {0};
  print_values(&graph, costs, values->sorted, values->count);
  print_operators(&graph, costs);
  print_shares(&graph, costs, values->numbers);
  lines_word(lines, "order");
  lines_number(lines, task->order);
  lines_number(lines, (int64_t)begin);
  lines_end(lines);
  lines_append(lines, &graph);
  bool has_room = !graph.failed;
  if (has_room) task->graph_sum = lines_checksum(&graph);
  lines_clear(&graph);
  return has_room && !lines->failed;
}

/* ---------------------------------------------------------------- the whole */

static neap_status prove_by_sets(struct certify_task *task, const struct costs *costs,
                                 const struct flow_values *values, neap_error *error) {
  const struct order_sets_task sets = {costs, values, task->order, task->budget};
  struct lines found = {0};
  size_t begin = 0;
  bool is_proven, has_room = order_sets_prove(&sets, &found, &begin, &is_proven);
  if (has_room && is_proven) {
    has_room = print_graph(task, costs, values, begin);
    lines_append(task->proof, &found);
  }
  lines_clear(&found);
  if (!has_room) return error_memory(error);
  if (is_proven) return NEAP_OK;
  return error_set(error, NEAP_NO_PLAN,
                   "the proof that no order is better takes too many sets");
}

/*
 * A flow at an operator proves at most the bytes alive there in this order, so only operators that
 * reach the peak are tried.  If that fails, tries rules, each with a flow.
 */
static bool prove_by_flow(struct certify_task *task, const struct costs *costs,
                          const struct flow_values *values, bool *is_proven) {
  struct costs_walk walk;
  struct lines flow = {0};
  bool has_room = costs_walk_init(&walk, costs);
  *is_proven = false;
  for (size_t k = 0; k < costs->count && has_room && !*is_proven; k++) {
    walk.peak = 0;
    costs_walk_pass(&walk, k);
    if (walk.peak == task->order)
      has_room =
          flow_prove(&(struct flow_claim){costs, values, k, NULL, task->order, task->budget},
                     &flow, is_proven);
  }
  if (has_room && !*is_proven)
    has_room = rules_prove(costs, values, task->order, task->budget, &flow, is_proven);
  if (has_room && *is_proven) {
    has_room = print_graph(task, costs, values, 0);
    lines_append(task->proof, &flow);
  }
  lines_clear(&flow);
  costs_walk_clear(&walk);
  return has_room;
}

/* Flows are a shorter proof than sets, but may not exist. */
static neap_status prove(struct certify_task *task, const struct costs *costs,
                         neap_error *error) {
  struct flow_values values = {memory_array(costs->value_count, sizeof *values.sorted),
                               memory_array(costs->value_count, sizeof *values.numbers), 0};
  bool is_proven = false, has_room = values.sorted && values.numbers;
  if (has_room) values.count = sort_values(costs, values.sorted, values.numbers);
  has_room = has_room && prove_by_flow(task, costs, &values, &is_proven);
  neap_status status = has_room ? NEAP_OK : error_memory(error);
  if (has_room && !is_proven) status = prove_by_sets(task, costs, &values, error);
  free(values.sorted);
  free(values.numbers);
  return status;
}

neap_status order_prove(struct certify_task *task, neap_error *error) {
  const struct neap_problem *problem = task->problem;
  struct costs costs = {0};
  struct costs_walk walk = {0};
  task->order = 0;
  if (!problem->graph || !problem->order.given || problem->order.lower_bound == 0 ||
      problem->has_kept_names || graph_lead(problem->graph) > 0)
    return NEAP_OK;
  neap_status status = costs_init(&costs, problem->graph, &problem->liveness, error);
  if (status == NEAP_OK && costs.count > 0) {
    size_t *order = memory_array(costs.count, sizeof *order);
    bool has_room = costs_walk_init(&walk, &costs) && order;
    for (size_t k = 0; order && k < costs.count; k++)
      order[k] = k;
    neap_size peak = has_room ? costs_walk_peak(&walk, order) : 0;
    free(order);
    if (!has_room) status = error_memory(error);
    else if (peak > 0 && peak == problem->order.lower_bound && peak > costs.at_start) {
      task->order = peak;
      status = prove(task, &costs, error);
    }
  }
  costs_walk_clear(&walk);
  costs_clear(&costs);
  return status;
}
