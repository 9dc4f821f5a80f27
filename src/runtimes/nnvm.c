/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * NNVM's memory pass (doc/nnvm.md, sections 2 to 5). It simulates the nodes in order and counts
 * the references to each block. A node first shares blocks of its inputs in place, then
 * requests blocks for its other outputs, and then releases the inputs and outputs that have no
 * references left. A request takes a free block whose size differs by at most a factor, the
 * match range: first the smallest that is large enough, then the largest that is not.
 *
 * The free blocks are sorted by size, so a request is a binary search; see nnvm_plan for the cost.
 */
#include "runtimes/nnvm.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/checked.h"
#include "core/error.h"
#include "core/memory.h"
#include "runtimes/sorted.h"

struct block {
  neap_size bytes;
  int device;
  size_t released_by;
  uint64_t left; /* remaining references */
};

/* One run with one match range. */
struct run {
  const struct nnvm_graph *graph;
  const struct nnvm_options *options;
  neap_size range;
  const uint64_t *references;
  struct nnvm_plan *plan;
  struct block *blocks;
  size_t block_count, block_capacity;
  struct sorted free; /* by size, then by when they were released */
  uint64_t releases;
  size_t *wanted; /* the outputs of one node that need blocks */
  bool *taken;    /* the inputs of one node whose blocks have been reused */
};

/* ---------------------------------------------------------------- checking */

static neap_status check_node(const struct nnvm_graph *graph, size_t n, size_t *next_entry,
                              neap_error *error) {
  const struct nnvm_node *node = &graph->nodes[n];
  if (node->first_entry != *next_entry || node->output_count > graph->entry_count - *next_entry)
    return error_set(error, NEAP_ERROR_INPUT, "node %zu: its outputs are not the next entries",
                     n);
  for (size_t i = 0; i < node->input_count; i++)
    if (node->inputs[i] >= *next_entry)
      return error_set(error, NEAP_ERROR_INPUT,
                       "node %zu: input %zu is not the output of an earlier node", n, i);
  for (size_t p = 0; p < node->pair_count; p++)
    if (node->pairs[p].input >= node->input_count ||
        node->pairs[p].output >= node->output_count)
      return error_set(error, NEAP_ERROR_INPUT, "node %zu: in-place pair %zu is out of range",
                       n, p);
  for (size_t i = 0; i < node->ignored_count; i++) {
    if (node->ignored[i] >= node->input_count)
      return error_set(error, NEAP_ERROR_INPUT, "node %zu: there is no input %zu to ignore", n,
                       node->ignored[i]);
    for (size_t j = 0; j < i; j++)
      if (node->ignored[j] == node->ignored[i])
        return error_set(error, NEAP_ERROR_INPUT, "node %zu: input %zu is ignored twice", n,
                         node->ignored[i]);
  }
  *next_entry += node->output_count;
  assert(*next_entry <= graph->entry_count);
  return NEAP_OK;
}

/* The product cannot overflow, since check_entries has summed all sizes. */
static neap_size bytes_of(const struct run *run, const struct nnvm_entry *entry) {
  assert(entry->elements >= 0);
  int width = (entry->type.bits * entry->type.lanes + 7) / 8;
  return entry->elements * (run->options->real_widths ? width : 4);
}

static neap_status check_entries(const struct nnvm_graph *graph, neap_error *error) {
  neap_size total = 0;
  for (size_t e = 0; e < graph->entry_count; e++) {
    const struct nnvm_entry *entry = &graph->entries[e];
    int64_t width = entry->type.bits < 32 ? 32 : entry->type.bits;
    neap_size bytes;
    if (entry->type.bits < 1 || entry->type.bits > 4096 || entry->type.lanes < 1 ||
        entry->type.lanes > 4096)
      return error_set(error, NEAP_ERROR_INPUT, "entry %zu: its element type has no width", e);
    if (entry->storage >= 0)
      return error_set(
          error, NEAP_ERROR_INPUT,
          "entry %zu: expected no storage, external or dynamic, found block %" PRId64, e,
          entry->storage);
    if (entry->elements < NNVM_UNKNOWN ||
        (entry->elements > 0 &&
         (!checked_mul(entry->elements, width / 8 * entry->type.lanes + 1, &bytes) ||
          !checked_add(total, bytes, &total))))
      return error_set(error, NEAP_ERROR_INPUT, "entry %zu: the sum of sizes exceeds 2^63 - 1",
                       e);
  }
  return NEAP_OK;
}

static neap_status check_graph(const struct nnvm_graph *graph, neap_error *error) {
  neap_status status = check_entries(graph, error);
  size_t entries = 0;
  for (size_t n = 0; n < graph->node_count && status == NEAP_OK; n++)
    status = check_node(graph, n, &entries, error);
  if (status == NEAP_OK && entries != graph->entry_count)
    return error_set(error, NEAP_ERROR_INPUT, "expected %zu entries, found %zu", entries,
                     graph->entry_count);
  for (size_t o = 0; o < graph->output_count && status == NEAP_OK; o++)
    if (graph->outputs[o] >= entries)
      return error_set(error, NEAP_ERROR_INPUT, "graph output %zu: there is no entry %zu", o,
                       graph->outputs[o]);
  return status;
}

/* ---------------------------------------------------------------- blocks */

static bool is_ignored(const struct nnvm_node *node, size_t input) {
  for (size_t i = 0; i < node->ignored_count; i++)
    if (node->ignored[i] == input) return true;
  return false;
}

static void count_references(const struct nnvm_graph *graph, uint64_t *references) {
  for (size_t n = 0; n < graph->node_count; n++) {
    const struct nnvm_node *node = &graph->nodes[n];
    if (node->is_variable) continue;
    for (size_t i = 0; i < node->input_count; i++)
      if (!is_ignored(node, i)) references[node->inputs[i]]++;
  }
  for (size_t o = 0; o < graph->output_count; o++)
    references[graph->outputs[o]]++;
}

static bool block_suits(const struct run *run, size_t block, size_t node) {
  if (run->blocks[block].device != run->graph->nodes[node].device) return false;
  const size_t *colours = run->options->colours;
  return !colours || colours[run->blocks[block].released_by] == colours[node];
}

/* The index in the free list of the block to reuse, or SIZE_MAX. */
static size_t find_block(const struct run *run, neap_size size, size_t node) {
  const struct sorted *list = &run->free;
  if (run->range == 0) return SIZE_MAX;
  neap_size most;
  if (!checked_mul(size, run->range, &most)) most = NEAP_MAX;
  size_t first = sorted_find(list, size, 0);
  for (size_t at = first; at < list->count && list->items[at].key <= most; at++)
    if (block_suits(run, list->items[at].id, node)) return at;
  for (size_t at = first; at > 0 && list->items[at - 1].key >= size / run->range; at--)
    if (block_suits(run, list->items[at - 1].id, node)) return at - 1;
  return SIZE_MAX;
}

static bool new_block(struct run *run, neap_size size, size_t node) {
  if (!memory_reserve(&run->blocks, &run->block_capacity, run->block_count + 1,
                      sizeof *run->blocks))
    return false;
  run->blocks[run->block_count++] =
      (struct block){.bytes = size, .device = run->graph->nodes[node].device};
  return true;
}

/*
 * Finds or creates a block for an entry; NNVM_NONE if its shape is unknown. False when memory
 * is short.
 */
static bool request_block(struct run *run, size_t entry, size_t node, int64_t *storage) {
  *storage = NNVM_NONE;
  if (run->graph->entries[entry].elements == NNVM_UNKNOWN) return true;
  neap_size size = bytes_of(run, &run->graph->entries[entry]);
  size_t at = find_block(run, size, node), block = run->block_count;
  if (at != SIZE_MAX) block = sorted_take(&run->free, at).id;
  else if (!new_block(run, size, node)) return false;
  if (run->blocks[block].bytes < size) run->blocks[block].bytes = size;
  assert(run->blocks[block].left == 0 && run->blocks[block].bytes >= size);
  run->blocks[block].left = run->references[entry];
  *storage = (int64_t)block;
  return true;
}

static bool release_block(struct run *run, int64_t storage, size_t node) {
  assert(storage >= 0 && (size_t)storage < run->block_count);
  struct block *block = &run->blocks[storage];
  assert(block->left == 0);
  block->released_by = node;
  return sorted_add(&run->free,
                    (struct sorted_entry){block->bytes, run->releases++, (size_t)storage});
}

/* ---------------------------------------------------------------- in place */

static bool same_type(struct nnvm_type a, struct nnvm_type b) {
  return a.code == b.code && a.bits == b.bits && a.lanes == b.lanes;
}

/* The width that sharing in place compares; 0 if the type has none. */
static int width_of(struct nnvm_type type) {
  if (type.lanes != 1) return 0;
  return type.bits == 8 || type.bits == 16 || type.bits == 32 || type.bits == 64 ? type.bits
                                                                                 : 0;
}

static bool may_take(const struct run *run, const struct nnvm_node *node,
                     const struct nnvm_pair *pair) {
  size_t in = node->inputs[pair->input], out = node->first_entry + pair->output;
  const struct nnvm_entry *entries = run->graph->entries;
  int64_t from = run->plan->storage[in];
  if (run->taken[pair->input] || run->plan->storage[out] != NNVM_NONE || from < 0) return false;
  if (entries[in].elements != entries[out].elements || run->references[out] == 0) return false;
  bool same = same_type(entries[in].type, entries[out].type);
  bool sole = run->blocks[from].left == 1 && node->ignored_count != node->input_count;
  return sole || (pair->is_identity && same);
}

static neap_status share_in_place(struct run *run, const struct nnvm_node *node,
                                  neap_error *error) {
  for (size_t i = 0; i < node->input_count; i++)
    run->taken[i] = false;
  for (size_t p = 0; p < node->pair_count; p++) {
    const struct nnvm_pair *pair = &node->pairs[p];
    if (!may_take(run, node, pair)) continue;
    size_t in = node->inputs[pair->input], out = node->first_entry + pair->output;
    struct nnvm_type a = run->graph->entries[in].type, b = run->graph->entries[out].type;
    if (!same_type(a, b)) {
      if (width_of(a) == 0 || width_of(b) == 0)
        return error_set(
            error, NEAP_ERROR_INPUT,
            "entry %zu: expected elements of 8, 16, 32 or 64 bits to share in place",
            width_of(a) == 0 ? in : out);
      if (width_of(a) != width_of(b)) continue;
    }
    assert(!run->taken[pair->input] && run->plan->storage[out] == NNVM_NONE);
    run->taken[pair->input] = true;
    run->plan->storage[out] = run->plan->storage[in];
    run->plan->inplace[out] = (int64_t)pair->input;
    run->blocks[run->plan->storage[in]].left += run->references[out];
  }
  return NEAP_OK;
}

/* ---------------------------------------------------------------- nodes */

/* Largest first; the last of equal ones first. */
static int by_elements(const void *left, const void *right, void *context) {
  const struct nnvm_entry *entries = context;
  size_t a = *(const size_t *)left, b = *(const size_t *)right;
  neap_size x = entries[a].elements > 0 ? entries[a].elements : 0;
  neap_size y = entries[b].elements > 0 ? entries[b].elements : 0;
  if (x != y) return x > y ? -1 : 1;
  return a > b ? -1 : a < b;
}

static bool allocate_outputs(struct run *run, size_t n) {
  const struct nnvm_node *node = &run->graph->nodes[n];
  size_t count = 0;
  for (size_t o = 0; o < node->output_count; o++)
    if (run->plan->storage[node->first_entry + o] == NNVM_NONE)
      run->wanted[count++] = node->first_entry + o;
  qsort_r(run->wanted, count, sizeof *run->wanted, by_elements,
          (void *)(uintptr_t)run->graph->entries);
  for (size_t i = 0; i < count; i++)
    if (!request_block(run, run->wanted[i], n, &run->plan->storage[run->wanted[i]]))
      return false;
  return true;
}

static bool free_inputs(struct run *run, size_t n) {
  const struct nnvm_node *node = &run->graph->nodes[n];
  for (size_t i = 0; i < node->input_count; i++) {
    int64_t storage = run->plan->storage[node->inputs[i]];
    if (is_ignored(node, i) || storage < 0) continue;
    assert(run->blocks[storage].left > 0);
    if (--run->blocks[storage].left == 0 && !release_block(run, storage, n)) return false;
  }
  return true;
}

static bool free_dead_outputs(struct run *run, size_t n) {
  const struct nnvm_node *node = &run->graph->nodes[n];
  for (size_t o = 0; o < node->output_count; o++) {
    size_t entry = node->first_entry + o;
    int64_t storage = run->plan->storage[entry];
    if (storage == NNVM_NONE) run->plan->not_allocated++;
    if (storage < 0 || run->blocks[storage].left != 0) continue;
    run->plan->inplace[entry] = -2;
    if (!release_block(run, storage, n)) return false;
  }
  return true;
}

static neap_status run_nodes(struct run *run, struct budget *budget, neap_error *error) {
  for (size_t n = 0; n < run->graph->node_count; n++) {
    const struct nnvm_node *node = &run->graph->nodes[n];
    if (node->is_variable) continue;
    if (!budget_tick(budget)) return NEAP_NO_PLAN;
    neap_status status = share_in_place(run, node, error);
    if (status != NEAP_OK) return status;
    if (!allocate_outputs(run, n) || !free_inputs(run, n) || !free_dead_outputs(run, n))
      return error_memory(error);
  }
  return NEAP_OK;
}

static bool init_plan(struct nnvm_plan *plan, const struct nnvm_graph *graph) {
  plan->storage = memory_array(graph->entry_count, sizeof *plan->storage);
  plan->inplace = memory_array(graph->entry_count, sizeof *plan->inplace);
  if (!plan->storage || !plan->inplace) return false;
  for (size_t e = 0; e < graph->entry_count; e++) {
    plan->storage[e] = graph->entries[e].storage;
    plan->inplace[e] = -1;
  }
  return true;
}

static bool keep_blocks(struct run *run) {
  struct nnvm_plan *plan = run->plan;
  plan->blocks = memory_array(run->block_count, sizeof *plan->blocks);
  if (!plan->blocks) return false;
  plan->block_count = run->block_count;
  plan->match_range = run->range;
  for (size_t b = 0; b < run->block_count; b++) {
    plan->blocks[b] = run->blocks[b].bytes;
    plan->total += run->blocks[b].bytes;
  }
  return true;
}

/* Does one run; `plan` is zeroed. */
static neap_status run_once(struct run *run, struct budget *budget, neap_error *error) {
  size_t widest = 1;
  for (size_t n = 0; n < run->graph->node_count; n++) {
    const struct nnvm_node *node = &run->graph->nodes[n];
    if (node->output_count > widest) widest = node->output_count;
    if (node->input_count > widest) widest = node->input_count;
  }
  run->wanted = memory_array(widest, sizeof *run->wanted);
  run->taken = memory_array(widest, sizeof *run->taken);
  neap_status status = NEAP_OK;
  if (!run->wanted || !run->taken || !init_plan(run->plan, run->graph))
    status = error_memory(error);
  if (status == NEAP_OK) status = run_nodes(run, budget, error);
  if (status == NEAP_OK && !keep_blocks(run)) status = error_memory(error);
  sorted_clear(&run->free);
  free(run->blocks);
  free(run->wanted);
  free(run->taken);
  return status;
}

/* ---------------------------------------------------------------- the pass */

void nnvm_plan_clear(struct nnvm_plan *plan) {
  free(plan->storage);
  free(plan->inplace);
  free(plan->blocks);
  *plan = (struct nnvm_plan){0};
}

/* Does one run, from scratch, for each match range to try. */
static neap_status run_ranges(const struct run *like, struct nnvm_plan *plan,
                              struct budget *budget, neap_error *error) {
  neap_size most = like->options->match_range;
  neap_size range = like->options->auto_search && most > 0 ? 1 : most;
  bool has_plan = false;
  for (;; range *= 2) {
    struct nnvm_plan tried = {0};
    struct run run = *like;
    run.range = range;
    run.plan = &tried;
    neap_status status = run_once(&run, budget, error);
    if (status == NEAP_OK && (!has_plan || tried.total < plan->total)) {
      struct nnvm_plan worse = *plan;
      *plan = tried;
      tried = worse;
      has_plan = true;
    }
    nnvm_plan_clear(&tried);
    if (status != NEAP_OK || range == 0 || range > most / 2) return status;
  }
}

neap_status nnvm_plan(const struct nnvm_graph *graph, const struct nnvm_options *options,
                      struct nnvm_plan *plan, struct budget *budget, neap_error *error) {
  neap_status status = check_graph(graph, error);
  if (status != NEAP_OK) return status;
  if (options->match_range < 0)
    return error_set(error, NEAP_ERROR_ARGUMENT,
                     "nnvm: expected a match range of at least 0, found %" PRId64,
                     options->match_range);
  uint64_t *references = memory_array(graph->entry_count, sizeof *references);
  if (!references) return error_memory(error);
  count_references(graph, references);
  struct run run = {.graph = graph, .options = options, .references = references};
  status = run_ranges(&run, plan, budget, error);
  free(references);
  return status;
}
