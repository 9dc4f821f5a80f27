/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "recompute/runs.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "model/values.h"

/* ---------------------------------------------------------------- which operators may run again */

/*
 * A second run must make the same contents as the first, and nothing else.  An operator
 * therefore runs once if the graph says so, if users keep it in place, if it accesses variables
 * or has no outputs, or if its outputs last to the end or are not planned.  The same holds for
 * an operator that makes a part of a value: the makers of the other parts would also have to
 * run again.
 */
struct repeats {
  const struct neap_graph *graph;
  const neap_liveness *options;
  struct values values;
  size_t *covers; /* per value: the number of tensors that cover it */
  bool *
      /* per tensor: an operator without outputs reads it, or it is pinned or a variable */
      is_fixed;
};

static bool makes_plain(const struct repeats *repeats, size_t tensor) {
  const neap_tensor *info = &repeats->graph->tensors[tensor];
  size_t value = values_alone(&repeats->values, tensor);
  return info->kind == NEAP_TENSOR_ACTIVATION && !info->is_online && value != VALUES_NONE &&
         repeats->covers[value] == 1 && !repeats->is_fixed[tensor] &&
         graph_is_planned(repeats->graph, repeats->options, tensor) &&
         !graph_stays(repeats->graph, repeats->options, tensor);
}

static bool may_repeat(const struct repeats *repeats, const struct graph_operator *node) {
  const size_t *links = repeats->graph->links;
  if (node->is_once || node->outputs.begin == node->outputs.end) return false;
  for (size_t i = node->inputs.begin; i < node->inputs.end; i++)
    if (repeats->is_fixed[links[i]]) return false;
  for (size_t i = node->outputs.begin; i < node->outputs.end; i++)
    if (!makes_plain(repeats, links[i])) return false;
  for (size_t i = node->temporaries.begin; i < node->temporaries.end; i++)
    if (!makes_plain(repeats, links[i])) return false;
  return true;
}

static void find_covers(struct repeats *repeats) {
  const struct neap_graph *graph = repeats->graph;
  const struct values *values = &repeats->values;
  for (size_t t = 0; t < graph_tensor_count(graph); t++) {
    repeats->is_fixed[t] = graph->tensors[t].kind == NEAP_TENSOR_VARIABLE ||
                           (graph->pins && graph->pins[t].offset != NEAP_UNPLACED);
    for (size_t i = values_begin(values, t); i < values->ends[t]; i++)
      repeats->covers[values->items[i]]++;
  }
  for (size_t k = 0; k < graph->operator_count; k++) {
    const struct graph_operator *node = &graph->operators[k];
    if (node->outputs.begin < node->outputs.end) continue;
    for (size_t i = node->inputs.begin; i < node->inputs.end; i++)
      repeats->is_fixed[graph->links[i]] = true;
  }
}

static neap_status find_repeats(struct runs_model *model, const struct neap_graph *graph,
                                const neap_liveness *options, neap_error *error) {
  struct repeats repeats = {.graph = graph, .options = options};
  neap_status status = values_init(&repeats.values, graph, options, error);
  if (status == NEAP_OK) {
    repeats.covers = memory_array(repeats.values.count, sizeof *repeats.covers);
    repeats.is_fixed = memory_array(graph_tensor_count(graph), sizeof *repeats.is_fixed);
    if (!repeats.covers || !repeats.is_fixed) status = error_memory(error);
  }
  if (status == NEAP_OK) find_covers(&repeats);
  for (size_t k = 0; k < graph->operator_count && status == NEAP_OK; k++)
    model->may_repeat[k] =
        graph_kept_count(graph) == 0 && may_repeat(&repeats, &graph->operators[k]);
  values_clear(&repeats.values);
  free(repeats.covers);
  free(repeats.is_fixed);
  return status;
}

/* ---------------------------------------------------------------- the model */

static bool list_made(struct runs_model *model) {
  const struct costs *costs = &model->costs;
  size_t total = 0;
  model->made.ends = memory_array(costs->count, sizeof *model->made.ends);
  model->made.items = memory_array(costs->value_count, sizeof *model->made.items);
  if (!model->made.ends || !model->made.items) return false;
  for (size_t v = 0; v < costs->value_count; v++)
    if (costs->maker[v] != COSTS_NONE) model->made.ends[costs->maker[v]]++;
  for (size_t k = 0; k < costs->count; k++)
    total = model->made.ends[k] += total;
  for (size_t v = costs->value_count; v-- > 0;)
    if (costs->maker[v] != COSTS_NONE)
      model->made.items[--model->made.ends[costs->maker[v]]] = v;
  for (size_t k = 0; k < costs->count; k++)
    model->made.ends[k] = k + 1 < costs->count ? model->made.ends[k + 1] : total;
  return true;
}

static neap_status find_durations(struct runs_model *model, const struct neap_graph *graph,
                                  neap_error *error) {
  for (size_t k = 0; k < graph->operator_count; k++) {
    model->durations[k] = graph_operator_duration(graph, k);
    model->once += model->durations[k]; /* neither is more than 2^53 */
    if (model->once > NEAP_DURATION_MAX)
      return error_set(error, NEAP_ERROR_INPUT, "the operators take more than 2^53 together");
  }
  return NEAP_OK;
}

neap_status runs_model_init(struct runs_model *model, const struct neap_graph *graph,
                            const neap_liveness *options, neap_error *error) {
  neap_status status = costs_init(&model->costs, graph, options, error);
  if (status != NEAP_OK) return status;
  model->durations = memory_array(graph->operator_count, sizeof *model->durations);
  model->may_repeat = memory_array(graph->operator_count, sizeof *model->may_repeat);
  if (!model->durations || !model->may_repeat || !list_made(model)) return error_memory(error);
  status = find_durations(model, graph, error);
  return status == NEAP_OK ? find_repeats(model, graph, options, error) : status;
}

void runs_model_clear(struct runs_model *model) {
  costs_clear(&model->costs);
  costs_lists_clear(&model->made);
  free(model->durations);
  free(model->may_repeat);
}

static bool reads(const struct costs *costs, size_t k, size_t value) {
  for (size_t i = costs_begin(&costs->inputs, k); i < costs->inputs.ends[k]; i++)
    if (costs->inputs.items[i] == value) return true;
  return false;
}

bool runs_reads_beyond(const struct runs_model *model, size_t reader, size_t k, size_t other) {
  const struct costs *costs = &model->costs;
  for (size_t i = costs_begin(&costs->inputs, reader); i < costs->inputs.ends[reader]; i++) {
    size_t value = costs->inputs.items[i];
    if (costs->maker[value] == k && !reads(costs, other, value)) return true;
  }
  return false;
}

/* ---------------------------------------------------------------- sequences */

bool runs_insert(struct runs *runs, size_t at, size_t k) {
  assert(at <= runs->count);
  if (!memory_reserve(&runs->items, &runs->capacity, runs->count + 1, sizeof *runs->items))
    return false;
  memmove(runs->items + at + 1, runs->items + at, (runs->count - at) * sizeof *runs->items);
  runs->items[at] = k;
  runs->count++;
  return true;
}

void runs_remove(struct runs *runs, size_t at) {
  assert(at < runs->count);
  runs->count--;
  memmove(runs->items + at, runs->items + at + 1, (runs->count - at) * sizeof *runs->items);
}

void runs_move(struct runs *runs, size_t from, size_t to) {
  size_t *items = runs->items, k = items[from];
  if (from < to) memmove(items + from, items + from + 1, (to - from) * sizeof *items);
  else memmove(items + to + 1, items + to, (from - to) * sizeof *items);
  items[to] = k;
}

bool runs_copy(struct runs *runs, const struct runs *from) {
  if (!memory_reserve(&runs->items, &runs->capacity, from->count, sizeof *runs->items))
    return false;
  if (from->count > 0) memcpy(runs->items, from->items, from->count * sizeof *runs->items);
  runs->count = from->count;
  return true;
}

void runs_clear(struct runs *runs) {
  free(runs->items);
  *runs = (struct runs){.items = NULL};
}

/* ---------------------------------------------------------------- measuring */

bool runs_profile_init(struct runs_profile *profile, const struct runs_model *model) {
  const struct costs *costs = &model->costs;
  *profile = (struct runs_profile){.live = NULL};
  profile->firsts = memory_array(costs->count, sizeof *profile->firsts);
  profile->times = memory_array(costs->count, sizeof *profile->times);
  profile->starts = memory_array(costs->value_count, sizeof *profile->starts);
  profile->lasts = memory_array(costs->value_count, sizeof *profile->lasts);
  profile->is_needed = memory_array(costs->value_count, sizeof *profile->is_needed);
  bool has_room = share_uses_init(&profile->uses, costs->value_count, costs->output_count);
  return has_room && profile->firsts && profile->times && profile->starts && profile->lasts &&
         profile->is_needed;
}

void runs_profile_clear(struct runs_profile *profile) {
  free(profile->live);
  free(profile->last_uses);
  free(profile->firsts);
  free(profile->times);
  free(profile->starts);
  free(profile->lasts);
  free(profile->is_needed);
  share_uses_clear(&profile->uses);
}

static bool reserve(struct runs_profile *profile, size_t count) {
  size_t own = profile->capacity;
  return memory_reserve(&profile->live, &own, count, sizeof *profile->live) &&
         memory_reserve(&profile->last_uses, &profile->capacity, count,
                        sizeof *profile->last_uses);
}

static bool is_ready(const struct costs *costs, const struct runs_profile *profile, size_t k) {
  const struct costs_lists *befores = &costs->befores;
  for (size_t i = costs_begin(befores, k); i < befores->ends[k]; i++)
    if (profile->times[befores->items[i]] == 0) return false;
  return true;
}

/* Counts the newest copy of a value in the changes of bytes alive. */
static void end_copy(const struct costs *costs, struct runs_profile *profile, size_t v,
                     size_t last) {
  size_t start = profile->starts[v];
  profile->live[start] += costs->sizes[v];
  profile->live[last + 1] -= costs->sizes[v];
  if (costs->maker[v] != COSTS_NONE && last > profile->last_uses[start])
    profile->last_uses[start] = last;
}

static void pass(const struct runs_model *model, struct runs_profile *profile, size_t at,
                 size_t k) {
  const struct costs_lists *inputs = &model->costs.inputs;
  for (size_t i = costs_begin(inputs, k); i < inputs->ends[k]; i++)
    profile->lasts[inputs->items[i]] = at;
  for (size_t i = costs_begin(&model->made, k); i < model->made.ends[k]; i++) {
    size_t v = model->made.items[i];
    if (profile->times[k] > 0) end_copy(&model->costs, profile, v, profile->lasts[v]);
    profile->starts[v] = profile->lasts[v] = at;
  }
  if (profile->times[k]++ == 0) profile->firsts[k] = at;
  profile->last_uses[at] = at;
  profile->time += model->durations[k];
}

static bool ends(const void *state, size_t operator, size_t input) {
  const struct runs_profile *profile = state;
  (void)operator;
  return !profile->is_needed[input];
}

/*
 * Deducts the bytes that runs share with inputs that end with them.  Walks backwards, so that
 * the reads of later runs are known.
 */
static void share(const struct runs_model *model, const struct runs *runs,
                  struct runs_profile *profile) {
  const struct costs *costs = &model->costs;
  if (costs->count == 0 || costs->shares.ends[costs->count - 1] == 0) return;
  for (size_t v = 0; v < costs->value_count; v++)
    profile->is_needed[v] = costs->lives[v] & COSTS_STAYS;
  for (size_t at = runs->count; at-- > 0;) {
    size_t k = runs->items[at];
    profile->live[at] -= shares_saved(&costs->shares, k, profile->uses, ends, profile);
    for (size_t i = costs_begin(&model->made, k); i < model->made.ends[k]; i++)
      profile->is_needed[model->made.items[i]] =
          costs->lives[model->made.items[i]] & COSTS_STAYS;
    for (size_t i = costs_begin(&costs->inputs, k); i < costs->inputs.ends[k]; i++)
      profile->is_needed[costs->inputs.items[i]] = true;
  }
}

/* Turns changes into bytes alive. */
static void sum_up(struct runs_profile *profile, size_t count) {
  for (size_t at = 1; at < count; at++)
    profile->live[at] += profile->live[at - 1];
}

static void find_peak(struct runs_profile *profile, size_t count, neap_size capacity) {
  profile->peak = 0;
  profile->excess = 0;
  for (size_t at = 0; at < count; at++) {
    neap_size live = profile->live[at];
    if (live > profile->peak) profile->peak = live;
    if (live > capacity) profile->excess += (double)(live - capacity);
  }
}

static void start(const struct costs *costs, struct runs_profile *profile, size_t count) {
  memset(profile->live, 0, (count + 1) * sizeof *profile->live);
  memset(profile->times, 0, costs->count * sizeof *profile->times);
  memset(profile->starts, 0, costs->value_count * sizeof *profile->starts);
  memset(profile->lasts, 0, costs->value_count * sizeof *profile->lasts);
  profile->time = 0;
}

enum runs_fault runs_measure(const struct runs_model *model, const struct runs *runs,
                             neap_size capacity, struct runs_profile *profile) {
  const struct costs *costs = &model->costs;
  size_t count = runs->count;
  if (!reserve(profile, count + 1)) return RUNS_MEMORY;
  start(costs, profile, count);
  for (size_t at = 0; at < count; at++) {
    size_t k = runs->items[at];
    if (profile->times[k] == 0 && !is_ready(costs, profile, k)) return RUNS_UNREADY;
    pass(model, profile, at, k);
  }
  for (size_t v = 0; v < costs->value_count && count > 0; v++) {
    bool exists = costs->maker[v] != COSTS_NONE || costs->lives[v] & COSTS_STARTS;
    bool stays = costs->lives[v] & COSTS_STAYS;
    if (exists) end_copy(costs, profile, v, stays ? count - 1 : profile->lasts[v]);
  }
  sum_up(profile, count);
  share(model, runs, profile);
  find_peak(profile, count, capacity);
  return RUNS_SOUND;
}
