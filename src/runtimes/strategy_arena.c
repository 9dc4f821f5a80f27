/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * TensorFlow Lite's arena for problems: one execution of all nodes. For a graph, its planner
 * finds the lifetimes itself; inputs and outputs are never freed. Variables get an arena of
 * their own, which is placed above the normal arena.
 */
#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>

#include "core/checked.h"
#include "core/error.h"
#include "core/memory.h"
#include "runtimes/simple_memory_arena.h"
#include "runtimes/strategy.h"
#include "runtimes/tflite_planner.h"

struct order {
  const struct record *items;
  neap_time begin, end; /* the earliest first task and the latest last task */
};

/*
 * Records that are alive throughout come first, by number; then the largest, then the earliest.
 */
static int by_urgency(const void *left, const void *right, void *context) {
  const struct order *order = context;
  size_t a = *(const size_t *)left, b = *(const size_t *)right;
  const struct record *x = &order->items[a], *y = &order->items[b];
  bool x_whole = x->first == order->begin && x->last == order->end;
  bool y_whole = y->first == order->begin && y->last == order->end;
  if (x_whole != y_whole) return x_whole ? -1 : 1;
  if (!x_whole && x->size != y->size) return x->size > y->size ? -1 : 1;
  if (!x_whole && x->first != y->first) return x->first < y->first ? -1 : 1;
  return a < b ? -1 : a > b;
}

static void sort_by_urgency(const struct records *records, size_t *list) {
  struct order order = {records->items, NEAP_MAX, 0};
  for (size_t r = 0; r < records->count; r++) {
    list[r] = r;
    if (records->items[r].first < order.begin) order.begin = records->items[r].first;
    if (records->items[r].last > order.end) order.end = records->items[r].last;
  }
  if (records->count > 0) qsort_r(list, records->count, sizeof *list, by_urgency, &order);
}

static neap_status allocate_records(const struct strategy_task *task, struct arena *arena,
                                    const size_t *list, neap_offset *offsets,
                                    neap_error *error) {
  for (size_t i = 0; i < task->records.count; i++) {
    const struct record *record = &task->records.items[list[i]];
    struct arena_record made = {0, record->size, list[i], record->first, record->last};
    if (!budget_tick(task->budget)) return NEAP_NO_PLAN;
    neap_status status = arena_allocate(arena, task->alignment, &made, error);
    if (status != NEAP_OK) return status;
    offsets[list[i]] = made.offset;
  }
  return NEAP_OK;
}

static neap_status plan_records(const struct strategy_task *task,
                                struct strategy_result *result, neap_error *error) {
  struct arena arena = {.fit = ARENA_FIT_PADDED};
  size_t *list = memory_array(task->records.count, sizeof *list);
  if (!list) return error_memory(error);
  sort_by_urgency(&task->records, list);
  neap_status status = allocate_records(task, &arena, list, result->offsets, error);
  result->total = arena.high_water;
  arena_clear(&arena);
  free(list);
  return status;
}

/* ---------------------------------------------------------------- operators */

/* The graph in the form that the arena planner takes; its tensors are buffers. */
struct network {
  struct arena_graph graph;
  struct arena_node *nodes;
  int64_t *items; /* the items of all lists */
  size_t item_count;
};

static void copy_item(struct network *network, size_t buffer, struct arena_list *list) {
  network->items[network->item_count++] = (int64_t)buffer;
  list->count++;
}

/* Copies the items of operator k that stay, or the items that do not stay. */
static void copy_some(struct network *network, const struct operators *operators,
                      const struct operator_lists *lists, size_t k, bool stays,
                      struct arena_list *list) {
  for (size_t i = operators_begin(lists, k); i < lists->ends[k]; i++)
    if (((operators->roles[lists->items[i]] & OPERATORS_STAYS) != 0) == stays)
      copy_item(network, lists->items[i], list);
}

/* Temporaries that must be kept become outputs. */
static struct arena_node copy_operator(struct network *network,
                                       const struct operators *operators, size_t k) {
  struct arena_node node = {.inputs = {&network->items[network->item_count], 0}};
  copy_some(network, operators, &operators->inputs, k, false, &node.inputs);
  copy_some(network, operators, &operators->inputs, k, true, &node.inputs);
  node.outputs.items = &network->items[network->item_count];
  copy_some(network, operators, &operators->outputs, k, false, &node.outputs);
  copy_some(network, operators, &operators->outputs, k, true, &node.outputs);
  copy_some(network, operators, &operators->temporaries, k, true, &node.outputs);
  node.temporaries.items = &network->items[network->item_count];
  copy_some(network, operators, &operators->temporaries, k, false, &node.temporaries);
  return node;
}

/* Lists the buffers that have one of `roles` and none of `others`. */
static struct arena_list list_role(struct network *network, const struct operators *operators,
                                   unsigned roles, unsigned others) {
  struct arena_list list = {&network->items[network->item_count], 0};
  for (size_t b = 0; b < operators->buffer_count; b++) {
    if (!(operators->roles[b] & roles) || (operators->roles[b] & others)) continue;
    copy_item(network, b, &list);
  }
  return list;
}

static size_t links_in(const struct operator_lists *lists, size_t count) {
  return count > 0 ? lists->ends[count - 1] : 0;
}

static bool network_init(struct network *network, const struct strategy_task *task) {
  const struct operators *operators = task->operators;
  size_t count = operators->count, buffers = operators->buffer_count;
  size_t links = links_in(&operators->inputs, count) + links_in(&operators->outputs, count) +
                 links_in(&operators->temporaries, count);
  network->nodes = memory_array(count, sizeof *network->nodes);
  network->items = memory_array(links + 3 * buffers, sizeof *network->items);
  network->graph.tensors = memory_array(buffers, sizeof *network->graph.tensors);
  if (!network->nodes || !network->items || !network->graph.tensors) return false;
  for (size_t k = 0; k < count; k++)
    network->nodes[k] = copy_operator(network, operators, k);
  for (size_t b = 0; b < buffers; b++)
    network->graph.tensors[b] = (struct arena_tensor){
        task->records.items[task->record_of[b]].size,
        operators->roles[b] & OPERATORS_VARIABLE ? ARENA_PERSISTENT : ARENA_NORMAL};
  assert(network->item_count <= links);
  network->graph.nodes = network->nodes;
  network->graph.node_count = count;
  network->graph.tensor_count = buffers;
  network->graph.inputs = list_role(network, operators, OPERATORS_INPUT, OPERATORS_VARIABLE);
  network->graph.outputs = list_role(network, operators, OPERATORS_STAYS, OPERATORS_VARIABLE);
  network->graph.variables = list_role(network, operators, OPERATORS_VARIABLE, 0);
  return true;
}

/* The persistent arena is placed above the normal one. */
static neap_status take_offsets(const struct strategy_task *task,
                                const struct arena_planner *planner,
                                struct strategy_result *result, neap_error *error) {
  struct arena_sizes sizes = arena_planner_sizes(planner);
  neap_offset above;
  if (!checked_round_up(sizes.normal, task->alignment, &above) ||
      !checked_add(above, sizes.persistent, &result->total))
    return error_set(error, NEAP_ERROR_INPUT, "the end of the arenas exceeds 2^63 - 1");
  if (sizes.persistent == 0) result->total = sizes.normal;
  for (size_t b = 0; b < task->records.count; b++) {
    struct arena_tensor_state state = arena_planner_tensor(planner, b);
    neap_offset offset = state.offset == NEAP_UNPLACED ? 0 : state.offset;
    bool persistent = task->operators->roles[b] & OPERATORS_VARIABLE;
    result->offsets[task->record_of[b]] = persistent ? above + offset : offset;
  }
  return NEAP_OK;
}

static neap_status plan_operators(const struct strategy_task *task,
                                  struct strategy_result *result, neap_error *error) {
  struct network network = {0};
  struct arena_options options = {task->alignment, false, false, ARENA_FIT_PADDED};
  struct arena_planner *planner = NULL;
  neap_status status = network_init(&network, task) ? NEAP_OK : error_memory(error);
  if (status == NEAP_OK) status = arena_planner_new(&planner, &network.graph, &options, error);
  if (status == NEAP_OK) status = arena_planner_plan(planner, error);
  size_t last = task->operators->count > 0 ? task->operators->count - 1 : 0;
  if (status == NEAP_OK) status = arena_planner_execute(planner, 0, last, error);
  if (status == NEAP_OK) status = take_offsets(task, planner, result, error);
  arena_planner_free(planner);
  free(network.nodes);
  free(network.items);
  free(network.graph.tensors);
  return status;
}

static neap_status plan_arena(const struct strategy_task *task, struct strategy_result *result,
                              neap_error *error) {
  if (task->alignment > ARENA_ALIGNMENT || (task->alignment & (task->alignment - 1)) != 0)
    return error_set(error, NEAP_ERROR_ARGUMENT,
                     "the arena aligns to powers of two up to %d, found %" PRId64,
                     ARENA_ALIGNMENT, task->alignment);
  return task->operators ? plan_operators(task, result, error)
                         : plan_records(task, result, error);
}

const struct strategy strategies_arena[] = {
    {.info = {.name = "tflite-arena",
              .summary =
                  "TFLite arena: largest tensors first, each in the smallest gap that fits",
              .is_runtime = true},
     .plan = plan_arena},
    {.info = {.name = NULL}},
};
