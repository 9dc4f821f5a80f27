/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * NNVM's memory pass for problems. It gets the problem's operators, if there are any; otherwise
 * a graph with a node for every moment at which buffers begin or end.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "runtimes/nnvm.h"
#include "runtimes/strategy.h"

struct moments {
  const struct records *records;
  neap_time *times;
  size_t count;
  struct nnvm_node *nodes;
  struct nnvm_entry *entries; /* one per record, by first task */
  size_t *inputs;             /* the inputs of all nodes, one node after another */
  size_t *by_last;
};

static int by_time(const void *left, const void *right) {
  neap_time a = *(const neap_time *)left, b = *(const neap_time *)right;
  return a < b ? -1 : a > b;
}

static int by_last(const void *left, const void *right, void *context) {
  const struct record *items = context;
  size_t a = *(const size_t *)left, b = *(const size_t *)right;
  if (items[a].last != items[b].last) return items[a].last < items[b].last ? -1 : 1;
  return a < b ? -1 : a > b;
}

static void find_times(struct moments *moments) {
  size_t count = moments->records->count;
  for (size_t r = 0; r < count; r++) {
    moments->times[2 * r] = moments->records->items[r].first;
    moments->times[2 * r + 1] = moments->records->items[r].last;
    moments->by_last[r] = r;
    /* one byte per element */
    moments->entries[r] =
        (struct nnvm_entry){moments->records->items[r].size, {0, 8, 1}, NNVM_NONE};
  }
  if (count == 0) return;
  qsort(moments->times, 2 * count, sizeof *moments->times, by_time);
  qsort_r(moments->by_last, count, sizeof *moments->by_last, by_last, moments->records->items);
  for (size_t t = 0; t < 2 * count; t++)
    if (moments->count == 0 || moments->times[t] != moments->times[moments->count - 1])
      moments->times[moments->count++] = moments->times[t];
}

/* A moment at which records only end becomes a node without outputs, which just reads. */
static void make_nodes(struct moments *moments) {
  const struct record *items = moments->records->items;
  size_t entry = 0, ending = 0, input = 0, count = moments->records->count;
  for (size_t m = 0; m < moments->count; m++) {
    struct nnvm_node *node = &moments->nodes[m];
    *node = (struct nnvm_node){.first_entry = entry, .inputs = &moments->inputs[input]};
    for (; entry < count && items[entry].first == moments->times[m]; entry++)
      node->output_count++;
    for (; ending < count && items[moments->by_last[ending]].last == moments->times[m];
         ending++) {
      size_t record = moments->by_last[ending];
      if (items[record].first == items[record].last) continue; /* nothing reads it */
      assert(record < entry);
      moments->inputs[input++] = record;
      node->input_count++;
    }
  }
}

static bool moments_init(struct moments *moments) {
  size_t count = moments->records->count;
  moments->times = memory_array(2 * count, sizeof *moments->times);
  moments->entries = memory_array(count, sizeof *moments->entries);
  moments->inputs = memory_array(count, sizeof *moments->inputs);
  moments->by_last = memory_array(count, sizeof *moments->by_last);
  if (!moments->times || !moments->entries || !moments->inputs || !moments->by_last)
    return false;
  find_times(moments);
  moments->nodes = memory_array(moments->count, sizeof *moments->nodes);
  if (!moments->nodes) return false;
  make_nodes(moments);
  return true;
}

static void moments_clear(struct moments *moments) {
  free(moments->times);
  free(moments->nodes);
  free(moments->entries);
  free(moments->inputs);
  free(moments->by_last);
}

/* ---------------------------------------------------------------- operators */

/* A graph of the operators. Its first node makes everything that exists from the beginning. */
struct network {
  const struct strategy_task *task;
  struct nnvm_node *nodes;
  struct nnvm_entry *entries;
  size_t *entry_of; /* of each buffer */
  size_t entry_count;
  size_t *inputs; /* of all nodes */
  size_t input_count;
  size_t *outputs;
  size_t output_count;
};

#define FROM_START (OPERATORS_INPUT | OPERATORS_VARIABLE)

static void make_entry(struct network *network, size_t buffer, struct nnvm_node *node) {
  const struct strategy_task *task = network->task;
  neap_size size = task->records.items[task->record_of[buffer]].size;
  network->entry_of[buffer] = network->entry_count;
  network->entries[network->entry_count++] = (struct nnvm_entry){size, {0, 8, 1}, NNVM_NONE};
  node->output_count++;
}

static void make_entries(struct network *network, const struct operator_lists *lists, size_t k,
                         struct nnvm_node *node) {
  for (size_t i = operators_begin(lists, k); i < lists->ends[k]; i++)
    if (!(network->task->operators->roles[lists->items[i]] & FROM_START))
      make_entry(network, lists->items[i], node);
}

static void read_entry(struct network *network, size_t buffer, struct nnvm_node *node) {
  network->inputs[network->input_count++] = network->entry_of[buffer];
  node->input_count++;
}

/*
 * Buffers that exist from the beginning are alive while the first operator runs, read or not.
 */
static void read_unused(struct network *network, struct nnvm_node *node) {
  const struct strategy_task *task = network->task;
  for (size_t b = 0; b < task->operators->buffer_count; b++)
    if ((task->operators->roles[b] & FROM_START) &&
        task->records.items[task->record_of[b]].last == 0)
      read_entry(network, b, node);
}

static void make_operator(struct network *network, size_t k) {
  const struct operators *operators = network->task->operators;
  const struct operator_lists *inputs = &operators->inputs;
  struct nnvm_node *node = &network->nodes[k + 1];
  *node = (struct nnvm_node){.device = operators->devices[k],
                             .first_entry = network->entry_count,
                             .inputs = &network->inputs[network->input_count]};
  for (size_t i = operators_begin(inputs, k); i < inputs->ends[k]; i++)
    read_entry(network, inputs->items[i], node);
  if (k == 0) read_unused(network, node);
  make_entries(network, &operators->outputs, k, node);
  make_entries(network, &operators->temporaries, k, node);
}

static bool network_init(struct network *network) {
  const struct operators *operators = network->task->operators;
  size_t count = operators->count, buffers = operators->buffer_count;
  network->nodes = memory_array(count + 1, sizeof *network->nodes);
  network->entries = memory_array(buffers, sizeof *network->entries);
  network->entry_of = memory_array(buffers, sizeof *network->entry_of);
  network->outputs = memory_array(buffers, sizeof *network->outputs);
  size_t links = count > 0 ? operators->inputs.ends[count - 1] : 0;
  network->inputs = memory_array(links + buffers, sizeof *network->inputs);
  if (!network->nodes || !network->entries || !network->entry_of || !network->outputs ||
      !network->inputs)
    return false;
  for (size_t b = 0; b < buffers; b++)
    if (operators->roles[b] & FROM_START) make_entry(network, b, &network->nodes[0]);
  for (size_t k = 0; k < count; k++)
    make_operator(network, k);
  assert(network->entry_count == buffers);
  for (size_t b = 0; b < buffers; b++)
    if (operators->roles[b] & OPERATORS_STAYS)
      network->outputs[network->output_count++] = network->entry_of[b];
  return true;
}

static void network_clear(struct network *network) {
  free(network->nodes);
  free(network->entries);
  free(network->entry_of);
  free(network->outputs);
  free(network->inputs);
}

/* ---------------------------------------------------------------- the plan */

/*
 * Turns blocks into objects. `entry_of` maps buffers to entries; if NULL, entries are records.
 */
static neap_status keep_blocks(const struct strategy_task *task, const size_t *entry_of,
                               struct nnvm_plan *plan, struct strategy_result *result,
                               neap_error *error) {
  result->has_objects = true;
  if (!objects_init(&result->objects, task->records.count)) return error_memory(error);
  for (size_t r = 0; r < task->records.count; r++) {
    size_t entry = entry_of ? entry_of[task->buffers[r]] : r;
    assert(plan->storage[entry] >= 0);
    result->objects.of[r] = (size_t)plan->storage[entry];
  }
  result->objects.sizes = plan->blocks;
  result->objects.count = plan->block_count;
  plan->blocks = NULL;
  return NEAP_OK;
}

static neap_status run_pass(const struct strategy_task *task, const struct nnvm_graph *graph,
                            const size_t *entry_of, bool auto_search,
                            struct strategy_result *result, neap_error *error) {
  struct nnvm_options options = NNVM_DEFAULTS;
  struct nnvm_plan plan = {0};
  options.real_widths = true;
  options.auto_search = auto_search;
  neap_status status = nnvm_plan(graph, &options, &plan, task->budget, error);
  if (status == NEAP_OK) status = keep_blocks(task, entry_of, &plan, result, error);
  nnvm_plan_clear(&plan);
  return status;
}

static neap_status plan_operators(const struct strategy_task *task, bool auto_search,
                                  struct strategy_result *result, neap_error *error) {
  struct network network = {.task = task};
  neap_status status = network_init(&network) ? NEAP_OK : error_memory(error);
  struct nnvm_graph graph = {network.nodes,   task->operators->count + 1,
                             network.entries, network.entry_count,
                             network.outputs, network.output_count};
  if (status == NEAP_OK)
    status = run_pass(task, &graph, network.entry_of, auto_search, result, error);
  network_clear(&network);
  return status;
}

static neap_status plan_moments(const struct strategy_task *task, bool auto_search,
                                struct strategy_result *result, neap_error *error) {
  struct moments moments = {.records = &task->records};
  neap_status status = moments_init(&moments) ? NEAP_OK : error_memory(error);
  struct nnvm_graph graph = {moments.nodes,       moments.count, moments.entries,
                             task->records.count, NULL,          0};
  if (status == NEAP_OK) status = run_pass(task, &graph, NULL, auto_search, result, error);
  moments_clear(&moments);
  return status;
}

static neap_status plan_with(const struct strategy_task *task, bool auto_search,
                             struct strategy_result *result, neap_error *error) {
  return task->operators ? plan_operators(task, auto_search, result, error)
                         : plan_moments(task, auto_search, result, error);
}

static neap_status plan_nnvm(const struct strategy_task *task, struct strategy_result *result,
                             neap_error *error) {
  return plan_with(task, false, result, error);
}

static neap_status plan_auto(const struct strategy_task *task, struct strategy_result *result,
                             neap_error *error) {
  return plan_with(task, true, result, error);
}

const struct strategy strategies_nnvm[] = {
    {.info = {.name = "nnvm",
              .summary =
                  "NNVM (TVM up to 0.6, MXNet): reuse blocks up to 16 times larger or smaller",
              .is_runtime = true},
     .plan = plan_nnvm},
    {.info = {.name = "nnvm-auto",
              .summary = "NNVM: the best result of match ranges 1, 2, 4, 8 and 16",
              .is_runtime = true},
     .plan = plan_auto},
    {.info = {.name = NULL}},
};
