/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds the dependences between operators, and the bytes that each operator allocates and frees.
 *
 * An operator depends on the makers of its inputs.  Some operators also keep their given order,
 * because the graph does not show all the data that passes between them.  These are: users of
 * the same variable, or of the same tensor that an operator without outputs reads; operators
 * without outputs or with other side effects; and all pairs of operators on different sides of
 * a kept operator or of one without inputs and outputs.
 *
 * The bytes alive after a set of operators depend only on the set: a value is alive if its
 * maker has run and some of its readers have not.  The bytes that the next operator shares
 * depend only on the set, too, because outputs share bytes only with inputs that end with the
 * operator.  The searches (beam, sets) rely on this.
 *
 * O((links + dependences) log) time for sorting, O(links + dependences) memory.  A graph of n
 * operators without inputs and outputs has n * n / 2 dependences.
 */
#include "schedule/costs.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "model/aliases.h"
#include "model/values.h"

#define NONE COSTS_NONE

/* ---------------------------------------------------------------- lists */

struct pair {
  size_t owner, item;
};

struct pairs {
  struct pair *items;
  size_t count, capacity;
};

static bool add_pair(struct pairs *pairs, size_t owner, size_t item) {
  if (!memory_reserve(&pairs->items, &pairs->capacity, pairs->count + 1, sizeof *pairs->items))
    return false;
  pairs->items[pairs->count++] = (struct pair){owner, item};
  return true;
}

static int by_owner(const void *left, const void *right) {
  const struct pair *a = left, *b = right;
  if (a->owner != b->owner) return a->owner < b->owner ? -1 : 1;
  return a->item < b->item ? -1 : a->item > b->item;
}

/* Sorts the pairs and removes duplicates. */
static void make_unique(struct pairs *pairs) {
  size_t kept = 0;
  if (pairs->count > 0) qsort(pairs->items, pairs->count, sizeof *pairs->items, by_owner);
  for (size_t p = 0; p < pairs->count; p++)
    if (kept == 0 || by_owner(&pairs->items[kept - 1], &pairs->items[p]) != 0)
      pairs->items[kept++] = pairs->items[p];
  pairs->count = kept;
}

static bool list_pairs(struct costs_lists *lists, size_t owners, struct pairs *pairs) {
  make_unique(pairs);
  lists->ends = memory_array(owners, sizeof *lists->ends);
  lists->items = memory_array(pairs->count, sizeof *lists->items);
  if (!lists->ends || !lists->items) return false;
  for (size_t p = 0; p < pairs->count; p++) {
    assert(pairs->items[p].owner < owners);
    lists->ends[pairs->items[p].owner]++;
    lists->items[p] = pairs->items[p].item;
  }
  for (size_t k = 1; k < owners; k++)
    lists->ends[k] += lists->ends[k - 1];
  return true;
}

static void swap_pairs(struct pairs *pairs) {
  for (size_t p = 0; p < pairs->count; p++)
    pairs->items[p] = (struct pair){pairs->items[p].item, pairs->items[p].owner};
}

/* ---------------------------------------------------------------- dependences */

struct walk {
  const struct neap_graph *graph;
  const neap_liveness *options;
  struct costs *costs;
  struct values values;
  size_t *maker;   /* per tensor */
  size_t *touched; /* per tensor whose users keep their order: its last user so far */
  size_t *reads;   /* per value: how often the current operator reads it */
  size_t *numbers; /* per value: its number among the current operator's outputs with shares */
  bool *is_chained;
  struct pairs befores, readers;
  size_t barrier, silent; /* the last operator of each kind, or NONE */
  size_t share_capacity;
};

/*
 * An operator that reads a variable may also write it; operators without outputs have side effects.
 */
static void find_chained(struct walk *walk) {
  const struct neap_graph *graph = walk->graph;
  for (size_t t = 0; t < graph_tensor_count(graph); t++) {
    walk->maker[t] = walk->touched[t] = NONE;
    walk->is_chained[t] = graph->tensors[t].kind == NEAP_TENSOR_VARIABLE;
  }
  for (size_t k = 0; k < graph->operator_count; k++) {
    const struct graph_operator *node = &graph->operators[k];
    if (node->outputs.begin < node->outputs.end) continue;
    for (size_t i = node->inputs.begin; i < node->inputs.end; i++)
      walk->is_chained[graph->links[i]] = true;
  }
}

static bool add_before(struct walk *walk, size_t k, size_t before) {
  assert(before == NONE || before <= k);
  return before == NONE || before == k || add_pair(&walk->befores, k, before);
}

static bool keep_chain(struct walk *walk, size_t k, size_t tensor) {
  if (!walk->is_chained[tensor]) return true;
  size_t before = walk->touched[tensor];
  walk->touched[tensor] = k;
  return add_before(walk, k, before);
}

/* No operator may move across a kept operator, or across one without inputs and outputs. */
static bool keep_barriers(struct walk *walk, size_t k) {
  const struct graph_operator *node = &walk->graph->operators[k];
  bool has_outputs = node->outputs.begin < node->outputs.end;
  bool is_linked = has_outputs || node->inputs.begin < node->inputs.end;
  if (!add_before(walk, k, walk->barrier)) return false;
  if (node->keep == GRAPH_FREE && has_outputs) return true;
  if (!add_before(walk, k, walk->silent)) return false;
  walk->silent = k;
  if (node->keep == GRAPH_CHAINED || (node->keep == GRAPH_FREE && is_linked)) return true;
  for (size_t before = walk->barrier == NONE ? 0 : walk->barrier + 1; before < k; before++)
    if (!add_before(walk, k, before)) return false;
  walk->barrier = k;
  return true;
}

/* ---------------------------------------------------------------- bytes */

/* Records that operator k needs all values that a tensor covers. */
static bool need_values(struct walk *walk, size_t k, size_t tensor) {
  const struct values *values = &walk->values;
  for (size_t i = values_begin(values, tensor); i < values->ends[tensor]; i++)
    if (values->sizes[values->items[i]] > 0 && !add_pair(&walk->readers, k, values->items[i]))
      return false;
  return true;
}

static bool note_read(struct walk *walk, size_t k, size_t tensor) {
  return add_before(walk, k, walk->maker[tensor]) && keep_chain(walk, k, tensor) &&
         need_values(walk, k, tensor);
}

/*
 * The first operator that makes a tensor makes its values.  Values that already have a maker,
 * or are alive from the start, only become a need of the operator.
 */
static bool note_made(struct walk *walk, size_t k, size_t tensor) {
  struct costs *costs = walk->costs;
  const struct values *values = &walk->values;
  walk->maker[tensor] = k;
  for (size_t i = values_begin(values, tensor); i < values->ends[tensor]; i++) {
    size_t value = values->items[i];
    if (costs->lives[value] & COSTS_STARTS || values->sizes[value] == 0) continue;
    if (costs->maker[value] == NONE) {
      costs->maker[value] = k;
      costs->made[k] += values->sizes[value];
    } else if (costs->maker[value] != k && !add_pair(&walk->readers, k, value)) {
      return false;
    }
  }
  return keep_chain(walk, k, tensor);
}

static bool walk_operator(struct walk *walk, size_t k) {
  const struct graph_operator *node = &walk->graph->operators[k];
  const size_t *links = walk->graph->links;
  for (size_t i = node->inputs.begin; i < node->inputs.end; i++)
    if (!note_read(walk, k, links[i])) return false;
  for (size_t i = node->outputs.begin; i < node->outputs.end; i++)
    if (!note_made(walk, k, links[i])) return false;
  for (size_t i = node->temporaries.begin; i < node->temporaries.end; i++)
    if (!note_made(walk, k, links[i])) return false;
  return keep_barriers(walk, k);
}

static void find_lives(struct walk *walk) {
  struct costs *costs = walk->costs;
  const struct values *values = &walk->values;
  for (size_t v = 0; v < values->count; v++)
    costs->maker[v] = NONE;
  for (size_t t = 0; t < graph_tensor_count(walk->graph); t++) {
    const neap_tensor *info = &walk->graph->tensors[t];
    unsigned char life = 0;
    if (info->is_input || info->kind == NEAP_TENSOR_VARIABLE) life |= COSTS_STARTS;
    if (graph_stays(walk->graph, walk->options, t)) life |= COSTS_STAYS;
    for (size_t i = values_begin(values, t); i < values->ends[t]; i++)
      costs->lives[values->items[i]] |= life;
  }
  for (size_t v = 0; v < values->count; v++)
    if (costs->lives[v] & COSTS_STARTS) costs->at_start += values->sizes[v];
}

/*
 * A value that is never read and does not stay ends with its maker.  A graph input that is
 * never read ends with the first operator, whichever operator that is.
 */
static void find_dropped(struct walk *walk) {
  struct costs *costs = walk->costs;
  for (size_t v = 0; v < costs->value_count; v++) {
    if (costs->lives[v] & COSTS_STAYS ||
        costs_begin(&costs->readers, v) < costs->readers.ends[v])
      continue;
    if (costs->maker[v] != NONE) costs->dropped[costs->maker[v]] += costs->sizes[v];
    else if (costs->lives[v] & COSTS_STARTS) costs->unread += costs->sizes[v];
  }
  assert(costs->unread <= costs->at_start);
}

/* ---------------------------------------------------------------- shares */

/* The value of an input, if the operator reads it once and the value may end; otherwise NONE. */
static size_t input_value(const struct walk *walk, const struct graph_operator *node,
                          size_t position) {
  size_t value = values_alone(&walk->values, walk->graph->links[node->inputs.begin + position]);
  bool ends = value != VALUES_NONE && !(walk->costs->lives[value] & COSTS_STAYS);
  return ends && walk->reads[value] == 1 ? value : VALUES_NONE;
}

/* The value of an output, if it is new: not a view of an older tensor. */
static size_t output_value(const struct walk *walk, size_t k, size_t position) {
  const struct graph_operator *node = &walk->graph->operators[k];
  size_t value =
      values_alone(&walk->values, walk->graph->links[node->outputs.begin + position]);
  return value != VALUES_NONE && walk->costs->maker[value] == k ? value : VALUES_NONE;
}

/* Counts the operator's reads in walk->reads, or resets them to 0. */
static void count_reads(struct walk *walk, const struct graph_operator *node, bool begin) {
  for (size_t i = node->inputs.begin; i < node->inputs.end; i++) {
    size_t value = values_alone(&walk->values, walk->graph->links[i]);
    if (value != VALUES_NONE) walk->reads[value] = begin ? walk->reads[value] + 1 : 0;
  }
}

/* Appends a share.  For now, its `output` is a value; number_outputs turns it into a number. */
static bool add_share(struct walk *walk, struct share share) {
  struct shares *shares = &walk->costs->shares;
  size_t count = walk->costs->share_count;
  if (!memory_reserve(&shares->items, &walk->share_capacity, count + 1, sizeof *shares->items))
    return false;
  shares->items[walk->costs->share_count++] = share;
  return true;
}

static bool add_in_place(struct walk *walk, size_t k) {
  const struct neap_graph *graph = walk->graph;
  const struct graph_operator *node = &graph->operators[k];
  for (size_t p = node->pairs_begin; p < node->pairs_end; p++) {
    const neap_in_place *pair = &graph->pairs[p];
    if (pair->is_view || !aliases_pair_applies(walk->options, pair)) continue;
    size_t input = input_value(walk, node, pair->input);
    size_t output = output_value(walk, k, pair->output);
    if (input == VALUES_NONE || output == VALUES_NONE || walk->values.sizes[input] == 0 ||
        !graph_may_share(graph, walk->options, graph->links[node->inputs.begin + pair->input],
                         graph->links[node->outputs.begin + pair->output]))
      continue;
    neap_size bytes = walk->values.sizes[output];
    if (!add_share(walk, (struct share){input, output, bytes, bytes, bytes, true}))
      return false;
  }
  return true;
}

static bool add_overlaps(struct walk *walk, size_t k) {
  const struct neap_graph *graph = walk->graph;
  const struct graph_operator *node = &graph->operators[k];
  for (size_t a = node->allowances_begin; a < node->allowances_end && walk->options->overlap;
       a++) {
    const neap_allowance *allowance = &graph->allowances[a];
    size_t input = input_value(walk, node, allowance->input);
    size_t output = output_value(walk, k, allowance->output);
    if (input == VALUES_NONE || output == VALUES_NONE ||
        !graph_may_overlap(graph, walk->options,
                           graph->links[node->inputs.begin + allowance->input]) ||
        !graph_may_overlap(graph, walk->options,
                           graph->links[node->outputs.begin + allowance->output]) ||
        allowance->bytes >= walk->values.sizes[output])
      continue;
    neap_size above = walk->values.sizes[output], below = walk->values.sizes[input];
    neap_size bytes = share_least(above - allowance->bytes, below);
    if (!add_share(walk, (struct share){input, output, bytes, below, above, false}))
      return false;
  }
  return true;
}

static int by_output(const void *left, const void *right) {
  const struct share *a = left, *b = right;
  if (a->output != b->output) return a->output < b->output ? -1 : 1;
  if (a->input != b->input) return a->input < b->input ? -1 : 1;
  return a->bytes > b->bytes ? -1 : a->bytes < b->bytes;
}

/* Keeps the largest of several allowances for the same two values. */
static void merge_overlaps(struct walk *walk, size_t begin) {
  struct share *items = walk->costs->shares.items;
  size_t count = walk->costs->share_count, kept = begin;
  if (count > begin) qsort(items + begin, count - begin, sizeof *items, by_output);
  for (size_t i = begin; i < count; i++)
    if (kept == begin || items[kept - 1].output != items[i].output ||
        items[kept - 1].input != items[i].input)
      items[kept++] = items[i];
  walk->costs->share_count = kept;
}

/*
 * Numbers, from 0, the outputs in the operator's shares, and returns how many there are.  Each
 * value is the output of one operator.
 */
static size_t number_outputs(struct walk *walk, size_t begin) {
  struct costs *costs = walk->costs;
  size_t numbered = 0;
  for (size_t i = begin; i < costs->share_count; i++) {
    size_t *number = &walk->numbers[costs->shares.items[i].output];
    if (*number == 0) *number = ++numbered;
    costs->shares.items[i].output = *number - 1;
  }
  return numbered;
}

static bool find_shares(struct walk *walk) {
  struct costs *costs = walk->costs;
  bool has_room = true;
  for (size_t k = 0; k < costs->count && has_room; k++) {
    const struct graph_operator *node = &walk->graph->operators[k];
    size_t begin = costs->share_count;
    if (node->pairs_begin < node->pairs_end || node->allowances_begin < node->allowances_end) {
      count_reads(walk, node, true);
      has_room = add_in_place(walk, k);
      size_t overlaps = costs->share_count;
      has_room = has_room && add_overlaps(walk, k);
      merge_overlaps(walk, overlaps);
      count_reads(walk, node, false);
      size_t outputs = number_outputs(walk, begin);
      if (outputs > costs->output_count) costs->output_count = outputs;
      if (outputs > 1 && begin < overlaps && overlaps < costs->share_count)
        costs->mixes_shares = true;
    }
    costs->shares.ends[k] = costs->share_count;
  }
  return has_room;
}

/* ---------------------------------------------------------------- the whole */

/* Drops the readers of values that stay to the end. */
static void drop_staying(struct walk *walk) {
  struct pairs *readers = &walk->readers;
  size_t kept = 0;
  for (size_t p = 0; p < readers->count; p++)
    if (!(walk->costs->lives[readers->items[p].item] & COSTS_STAYS))
      readers->items[kept++] = readers->items[p];
  readers->count = kept;
}

static bool fill_costs(struct walk *walk) {
  struct costs *costs = walk->costs;
  size_t count = costs->count;
  find_lives(walk);
  find_chained(walk);
  for (size_t k = 0; k < count; k++)
    if (!walk_operator(walk, k)) return false;
  if (!list_pairs(&costs->befores, count, &walk->befores)) return false;
  swap_pairs(&walk->befores);
  swap_pairs(&walk->readers);
  if (!list_pairs(&costs->afters, count, &walk->befores) ||
      !list_pairs(&costs->readers, costs->value_count, &walk->readers))
    return false;
  swap_pairs(&walk->readers);
  drop_staying(walk);
  if (!list_pairs(&costs->inputs, count, &walk->readers)) return false;
  find_dropped(walk);
  costs->edge_count = costs_begin(&costs->befores, count);
  return find_shares(walk);
}

static bool make_room(struct walk *walk) {
  struct costs *costs = walk->costs;
  size_t tensors = graph_tensor_count(walk->graph), values = costs->value_count;
  costs->maker = memory_array(values, sizeof *costs->maker);
  costs->lives = memory_array(values, sizeof *costs->lives);
  costs->made = memory_array(costs->count, sizeof *costs->made);
  costs->dropped = memory_array(costs->count, sizeof *costs->dropped);
  costs->shares.ends = memory_array(costs->count, sizeof *costs->shares.ends);
  walk->maker = memory_array(tensors, sizeof *walk->maker);
  walk->touched = memory_array(tensors, sizeof *walk->touched);
  walk->is_chained = memory_array(tensors, sizeof *walk->is_chained);
  walk->reads = memory_array(values, sizeof *walk->reads);
  walk->numbers = memory_array(values, sizeof *walk->numbers);
  return costs->maker && costs->lives && costs->made && costs->dropped && costs->shares.ends &&
         walk->maker && walk->touched && walk->is_chained && walk->reads && walk->numbers;
}

neap_status costs_init(struct costs *costs, const struct neap_graph *graph,
                       const neap_liveness *options, neap_error *error) {
  struct walk walk = {
      .graph = graph, .options = options, .costs = costs, .barrier = NONE, .silent = NONE};
  neap_status status = values_init(&walk.values, graph, options, error);
  costs->count = graph->operator_count;
  costs->value_count = walk.values.count;
  costs->sizes = walk.values.sizes;
  if (status == NEAP_OK && !(make_room(&walk) && fill_costs(&walk)))
    status = error_memory(error);
  walk.values.sizes = NULL; /* the costs now own them */
  values_clear(&walk.values);
  free(walk.maker);
  free(walk.touched);
  free(walk.is_chained);
  free(walk.reads);
  free(walk.numbers);
  free(walk.befores.items);
  free(walk.readers.items);
  return status;
}

bool costs_lists_copy(struct costs_lists *copy, const struct costs_lists *lists, size_t owners,
                      size_t more) {
  size_t count = lists->ends[owners - 1];
  copy->ends = memory_array(owners, sizeof *copy->ends);
  copy->items =
      more <= SIZE_MAX - count ? memory_array(count + more, sizeof *copy->items) : NULL;
  if (!copy->ends || !copy->items) return false;
  costs_lists_assign(copy, lists, owners);
  return true;
}

void costs_lists_assign(struct costs_lists *to, const struct costs_lists *from, size_t owners) {
  memcpy(to->ends, from->ends, owners * sizeof *to->ends);
  memcpy(to->items, from->items, from->ends[owners - 1] * sizeof *to->items);
}

/* Inserts an item into an owner's list, which stays sorted, as in certificates. */
static void insert(struct costs_lists *lists, size_t owners, size_t owner, size_t item) {
  size_t begin = costs_begin(lists, owner), end = lists->ends[owner];
  while (end > begin && lists->items[end - 1] > item)
    end--;
  size_t *at = lists->items + end;
  memmove(at + 1, at, (lists->ends[owners - 1] - end) * sizeof *at);
  *at = item;
  for (size_t k = owner; k < owners; k++)
    lists->ends[k]++;
}

void costs_lists_depend(struct costs_lists *befores, struct costs_lists *afters, size_t count,
                        size_t before, size_t after) {
  insert(befores, count, after, before);
  insert(afters, count, before, after);
}

void costs_lists_clear(struct costs_lists *lists) {
  free(lists->ends);
  free(lists->items);
}

void costs_clear(struct costs *costs) {
  costs_lists_clear(&costs->befores);
  costs_lists_clear(&costs->afters);
  costs_lists_clear(&costs->inputs);
  costs_lists_clear(&costs->readers);
  free(costs->shares.ends);
  free(costs->shares.items);
  free(costs->sizes);
  free(costs->maker);
  free(costs->lives);
  free(costs->made);
  free(costs->dropped);
}

/* ---------------------------------------------------------------- walks */

bool share_uses_init(struct share_uses *uses, size_t values, size_t outputs) {
  uses->inputs = memory_array(values, sizeof *uses->inputs);
  uses->outputs = memory_array(outputs, sizeof *uses->outputs);
  return uses->inputs && uses->outputs;
}

void share_uses_clear(struct share_uses *uses) {
  free(uses->inputs);
  free(uses->outputs);
}

neap_size shares_most_saved(const struct shares *shares, size_t k, struct share_uses uses,
                            share_ends *may_end, const void *state) {
  neap_size saved = 0;
  for (size_t i = shares_begin(shares, k); i < shares->ends[k]; i++) {
    const struct share *share = &shares->items[i];
    neap_size *used = &uses.outputs[share->output];
    if (!may_end(state, k, share->input)) continue;
    neap_size bytes = share_least(share->bytes, share->output_bytes - *used);
    *used += bytes;
    saved += bytes;
  }
  for (size_t i = shares_begin(shares, k); i < shares->ends[k]; i++)
    uses.outputs[shares->items[i].output] = 0;
  return saved;
}

bool costs_walk_init(struct costs_walk *walk, const struct costs *costs) {
  *walk = (struct costs_walk){.costs = costs};
  walk->left = memory_array(costs->value_count, sizeof *walk->left);
  if (!share_uses_init(&walk->uses, costs->value_count, costs->output_count) || !walk->left)
    return false;
  costs_walk_start(walk);
  return true;
}

void costs_walk_clear(struct costs_walk *walk) {
  free(walk->left);
  share_uses_clear(&walk->uses);
}

void costs_walk_start(struct costs_walk *walk) {
  const struct costs *costs = walk->costs;
  for (size_t v = 0; v < costs->value_count; v++)
    walk->left[v] = costs->readers.ends[v] - costs_begin(&costs->readers, v);
  walk->live = walk->peak = costs->at_start;
  walk->passed = 0;
}

/* Whether the operator about to run is the last to read a value. */
static bool is_last_reader(const void *state, size_t operator, size_t input) {
  const struct costs_walk *walk = state;
  (void)operator;
  return walk->left[input] == 1 && !(walk->costs->lives[input] & COSTS_STAYS);
}

void costs_walk_pass(struct costs_walk *walk, size_t k) {
  const struct costs *costs = walk->costs;
  const struct costs_lists *inputs = &costs->inputs;
  neap_size most = walk->live + costs->made[k] -
                   shares_saved(&costs->shares, k, walk->uses, is_last_reader, walk);
  if (most > walk->peak) walk->peak = most;
  walk->live += costs->made[k] - costs->dropped[k];
  for (size_t i = costs_begin(inputs, k); i < inputs->ends[k]; i++) {
    size_t value = inputs->items[i];
    assert(walk->left[value] > 0);
    if (--walk->left[value] == 0) walk->live -= costs->sizes[value];
  }
  if (walk->passed++ == 0) walk->live -= costs->unread;
  assert(walk->live >= 0 && walk->live <= walk->peak);
}

void costs_walk_to(struct costs_walk *walk, const size_t *order, size_t count) {
  costs_walk_start(walk);
  for (size_t at = 0; at < count; at++)
    costs_walk_pass(walk, order[at]);
}

neap_size costs_walk_peak(struct costs_walk *walk, const size_t *order) {
  costs_walk_to(walk, order, walk->costs->count);
  return walk->peak;
}
