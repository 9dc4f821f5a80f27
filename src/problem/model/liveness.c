/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Liveness: operator k of the graph runs at the moment [k, k + 1).  A tensor is alive from the
 * operator that makes it to the last operator that reads it, inclusive, so an operator's inputs
 * and outputs are alive together.  Graph inputs are alive from the beginning, graph outputs to
 * the end.  A graph that leads in has a moment before its operators, which then run one moment
 * later.
 *
 * In place, an output takes the bytes of an input of equal size that is not read later; a view
 * may take them even if the input is read later.  Both tensors are then one buffer, with the
 * name of the first and an alignment that suits both.
 *
 * Tensors in one body of model/aliases become colocated buffers; tensors that cover the same
 * bytes share one buffer, as views do.
 *
 * Some runtimes allocate tensors that nothing uses.  Each of these is alive at one moment after
 * the last operator.  A moment takes several of them, as long as the sum of their sizes does
 * not exceed the size of the largest.
 *
 * An allowance becomes an overlap allowance between the buffers of an output and an input if the
 * output's buffer begins with the operator and the input's ends with it.
 *
 * O(tensors + links) time and memory, and a little more for in-place pairs.
 */
#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/checked.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/sized.h"
#include "core/text.h"
#include "model/aliases.h"
#include "model/graph.h"
#include "model/problem.h"

#define NONE SIZE_MAX

struct life {
  size_t first, last;  /* moments; first is NONE if no operator makes it */
  size_t maker;        /* NONE: the tensor exists from the beginning */
  size_t root;         /* the tensor whose buffer it shares, or itself */
  neap_size alignment; /* of the buffer */
  bool is_temporary;   /* a temporary of its maker */
  bool stays;          /* it, or a tensor that shares its buffer, is needed at the end */
};

/* Buffers that may share bytes: those of `output` and `input`, which are roots. */
struct overlap {
  size_t output, input;
  neap_size bytes;
};

struct liveness {
  const struct neap_graph *graph;
  const neap_liveness *options;
  struct aliases aliases;
  size_t lead;       /* operator k runs at moment k + lead */
  size_t idle;       /* moments after the last operator, for tensors that nothing uses */
  neap_size largest; /* the size of the largest of these tensors */
  struct life *lives;
  size_t *buffers; /* per tensor: its buffer, once it has one, or NONE */
  size_t *reads;   /* per root: how often the current operator reads its buffer */
  struct overlap *overlaps;
  size_t overlap_count, overlap_capacity;
};

/* ---------------------------------------------------------------- lives */

static neap_status note_writer(struct liveness *state, size_t tensor, size_t k,
                               neap_error *error) {
  struct life *life = &state->lives[tensor];
  const neap_tensor *info = &state->graph->tensors[tensor];
  char excerpt[TEXT_EXCERPT];
  const char *name = names_text(&state->graph->names, tensor);
  text_excerpt(excerpt, name, strlen(name));
  if (life->maker != NONE)
    return error_set(error, NEAP_ERROR_INPUT, "operators %zu and %zu both make tensor %s",
                     life->maker, k, excerpt);
  if (info->is_input || info->kind == NEAP_TENSOR_CONSTANT)
    return error_set(error, NEAP_ERROR_INPUT, "operator %zu makes tensor %s, which is %s", k,
                     excerpt, info->is_input ? "an input of the graph" : "constant");
  life->maker = k;
  if (life->first == NONE) life->first = life->last = k + state->lead;
  assert(life->first <= k + state->lead && life->last <= k + state->lead);
  return NEAP_OK;
}

static neap_status note_reader(struct liveness *state, size_t tensor, size_t k,
                               neap_error *error) {
  struct life *life = &state->lives[tensor];
  const char *name = names_text(&state->graph->names, tensor);
  char excerpt[TEXT_EXCERPT];
  const neap_tensor *info = &state->graph->tensors[tensor];
  if (life->first == NONE && info->kind != NEAP_TENSOR_CONSTANT &&
      info->kind != NEAP_TENSOR_EXTERNAL)
    return error_set(error, NEAP_ERROR_INPUT,
                     "operator %zu reads tensor %s, which nothing has made", k,
                     text_excerpt(excerpt, name, strlen(name)));
  if (life->is_temporary)
    return error_set(error, NEAP_ERROR_INPUT,
                     "operator %zu reads tensor %s, a temporary of operator %zu", k,
                     text_excerpt(excerpt, name, strlen(name)), life->maker);
  assert(life->last <= k + state->lead); /* operators are visited in order */
  life->last = k + state->lead;
  return NEAP_OK;
}

static neap_status walk_operator(struct liveness *state, size_t k, neap_error *error) {
  const struct graph_operator *node = &state->graph->operators[k];
  const size_t *links = state->graph->links;
  neap_status status = NEAP_OK;
  for (size_t i = node->inputs.begin; i < node->inputs.end && status == NEAP_OK; i++)
    status = note_reader(state, links[i], k, error);
  for (size_t i = node->outputs.begin; i < node->outputs.end && status == NEAP_OK; i++)
    status = note_writer(state, links[i], k, error);
  for (size_t i = node->temporaries.begin; i < node->temporaries.end && status == NEAP_OK;
       i++) {
    status = note_writer(state, links[i], k, error);
    state->lives[links[i]].is_temporary = true;
  }
  return status;
}

static bool is_asked_for(const neap_liveness *options, const char *name) {
  for (size_t i = 0; i < options->keep_count; i++)
    if (strcmp(options->keep[i], name) == 0) return true;
  return false;
}

bool graph_stays(const struct neap_graph *graph, const neap_liveness *options, size_t tensor) {
  const neap_tensor *info = &graph->tensors[tensor];
  return options->keep_all || info->is_output || info->is_kept ||
         info->kind == NEAP_TENSOR_VARIABLE ||
         is_asked_for(options, names_text(&graph->names, tensor));
}

bool graph_is_planned(const struct neap_graph *graph, const neap_liveness *options,
                      size_t tensor) {
  const neap_tensor *info = &graph->tensors[tensor];
  if (info->kind == NEAP_TENSOR_CONSTANT || info->kind == NEAP_TENSOR_EXTERNAL) return false;
  if (info->is_runtime || (info->is_input && options->no_inputs)) return false;
  return !(info->is_output && options->no_outputs);
}

/* Whether a tensor may share bytes with other tensors. */
static bool is_free(const struct neap_graph *graph, size_t tensor) {
  const neap_tensor *info = &graph->tensors[tensor];
  return info->kind == NEAP_TENSOR_ACTIVATION && !graph_is_given(graph, tensor);
}

bool graph_may_share(const struct neap_graph *graph, const neap_liveness *options, size_t input,
                     size_t output) {
  return graph->tensors[input].bytes == graph->tensors[output].bytes && is_free(graph, input) &&
         is_free(graph, output) &&
         graph_is_planned(graph, options, input) == graph_is_planned(graph, options, output);
}

/* If the runtime chooses a tensor's offset itself, it does not know about overlaps. */
bool graph_may_overlap(const struct neap_graph *graph, const neap_liveness *options,
                       size_t tensor) {
  const neap_tensor *info = &graph->tensors[tensor];
  return info->kind == NEAP_TENSOR_ACTIVATION && info->bytes > 0 && !info->is_online &&
         graph_is_planned(graph, options, tensor);
}

static bool stays(const struct liveness *state, size_t tensor) {
  return graph_stays(state->graph, state->options, tensor);
}

/* The first moment after the last operator. */
static size_t idle_begin(const struct liveness *state) {
  size_t moments = state->graph->operator_count + state->lead;
  return moments > 0 ? moments : 1;
}

/* Gives each unused tensor its moment after the last operator. */
static void find_idle_lives(struct liveness *state) {
  const struct neap_graph *graph = state->graph;
  neap_size left = 0;
  for (size_t t = 0; t < graph_tensor_count(graph); t++)
    if (graph->tensors[t].is_unused && graph->tensors[t].bytes > state->largest)
      state->largest = graph->tensors[t].bytes;
  for (size_t t = 0; t < graph_tensor_count(graph); t++) {
    neap_size bytes = graph->tensors[t].bytes;
    if (!graph->tensors[t].is_unused) continue;
    if (state->idle == 0 || bytes > left) {
      state->idle++;
      left = state->largest;
    }
    left -= bytes;
    state->lives[t].first = state->lives[t].last = idle_begin(state) + state->idle - 1;
  }
}

static neap_status find_lives(struct liveness *state, neap_error *error) {
  const struct neap_graph *graph = state->graph;
  for (size_t t = 0; t < graph_tensor_count(graph); t++) {
    const neap_tensor *info = &graph->tensors[t];
    bool from_start = info->is_input || info->kind == NEAP_TENSOR_VARIABLE;
    state->lives[t] = (struct life){.first = from_start ? 0 : NONE,
                                    .maker = NONE,
                                    .root = t,
                                    .alignment = info->alignment,
                                    .stays = stays(state, t)};
  }
  neap_status status = NEAP_OK;
  for (size_t k = 0; k < graph->operator_count && status == NEAP_OK; k++)
    status = walk_operator(state, k, error);
  for (size_t t = 0; graph->operator_count > 0 && t < graph_tensor_count(graph); t++)
    if (state->lives[t].stays) state->lives[t].last = graph->operator_count - 1 + state->lead;
  find_idle_lives(state);
  return status;
}

/* ---------------------------------------------------------------- pins */

/* A home is alive whenever any tensor in it is. */
static void settle_pins(struct liveness *state) {
  const struct graph_pin *pins = state->graph->pins;
  for (size_t t = 0; pins && t < graph_tensor_count(state->graph); t++) {
    if (pins[t].offset == NEAP_UNPLACED || pins[t].home == t) continue;
    struct life *life = &state->lives[t], *home = &state->lives[pins[t].home];
    if (life->first == NONE || home->first == NONE) continue;
    assert(home->root == pins[t].home);
    if (life->first < home->first) home->first = life->first;
    if (life->last > home->last) home->last = life->last;
    life->root = pins[t].home;
  }
}

/* ---------------------------------------------------------------- in place */

static size_t root_of(struct liveness *state, size_t tensor) {
  while (state->lives[tensor].root != tensor)
    tensor = state->lives[tensor].root;
  return tensor;
}

/* The least alignment that suits both; false if it is too large. */
static bool join_alignments(neap_size a, neap_size b, neap_size *joined) {
  return checked_mul(a, b / common_divisor(a, b), joined);
}

/*
 * A buffer that an output took in place counts as read twice, so that no other output takes it.
 */
#define READS_OF_TAKEN 2

/*
 * Whether two tensors may share a buffer.  Views may, unless their bodies give them different
 * bytes.  Otherwise, neither tensor may share only some of its bytes, because overwriting would
 * damage the other tensor there.
 */
static bool may_share(const struct liveness *state, size_t input, size_t output, bool is_view) {
  const struct aliases *aliases = &state->aliases;
  if (!graph_may_share(state->graph, state->options, input, output)) return false;
  if (aliases->bodies && is_view) return aliases_is_same(aliases, state->graph, input, output);
  return aliases_is_simple(aliases, input) && aliases_is_simple(aliases, output);
}

static void share(struct liveness *state, size_t k, size_t input, size_t output, bool is_view) {
  size_t root = root_of(state, input);
  struct life *life = &state->lives[root], *made = &state->lives[output];
  neap_size alignment;
  if (made->root != output || output == root || !may_share(state, input, output, is_view) ||
      !join_alignments(life->alignment, made->alignment, &alignment))
    return;
  /*
   * To be overwritten, the root must end here; it is alive as long as any tensor that shares
   * it.
   */
  if (!is_view && (life->last != k + state->lead || life->stays)) return;
  assert(life->first <= made->first);
  made->root = root;
  life->alignment = alignment;
  life->stays = life->stays || made->stays;
  if (made->last > life->last) life->last = made->last;
  if (!is_view) state->reads[root] = READS_OF_TAKEN;
}

/* Reads are counted before sharing, which does not change the buffers of the inputs. */
static void count_reads(struct liveness *state, const struct graph_operator *node, bool begin) {
  for (size_t i = node->inputs.begin; i < node->inputs.end; i++) {
    size_t root = root_of(state, state->graph->links[i]);
    state->reads[root] = begin ? state->reads[root] + 1 : 0;
  }
}

/* A buffer that is overwritten must not be another input of the same operator. */
static bool is_read_once(struct liveness *state, size_t k, size_t position) {
  const struct graph_operator *node = &state->graph->operators[k];
  size_t input = state->graph->links[node->inputs.begin + position];
  return state->reads[root_of(state, input)] == 1;
}

static void share_pair(struct liveness *state, size_t k, const neap_in_place *pair) {
  const struct graph_operator *node = &state->graph->operators[k];
  const size_t *links = state->graph->links;
  share(state, k, links[node->inputs.begin + pair->input],
        links[node->outputs.begin + pair->output], pair->is_view);
}

/* A part that covers its whole is shared like a view. */
static void share_part(struct liveness *state, size_t k, const neap_part *part) {
  const struct graph_operator *node = &state->graph->operators[k];
  size_t input = state->graph->links[node->inputs.begin + part->input];
  size_t output = state->graph->links[node->outputs.begin + part->output];
  if (state->aliases.bodies && part->offset == 0) share(state, k, input, output, true);
}

/*
 * Views come first, so that the sets of tensors with one content do not depend on the order of
 * the operators.
 */
static void share_operator(struct liveness *state, size_t k) {
  const struct graph_operator *node = &state->graph->operators[k];
  const neap_in_place *pairs = state->graph->pairs;
  for (size_t p = node->parts_begin; p < node->parts_end; p++)
    share_part(state, k, &state->graph->parts[p]);
  for (size_t p = node->pairs_begin; p < node->pairs_end; p++)
    if (pairs[p].is_view && aliases_pair_applies(state->options, &pairs[p]))
      share_pair(state, k, &pairs[p]);
  for (size_t p = node->pairs_begin; p < node->pairs_end; p++)
    if (!pairs[p].is_view && aliases_pair_applies(state->options, &pairs[p]) &&
        is_read_once(state, k, pairs[p].input))
      share_pair(state, k, &pairs[p]);
}

/* ---------------------------------------------------------------- overlap */

/*
 * Whether the buffers of two roots may share bytes at the moment k, when `input` ends and
 * `output` begins.
 */
static bool may_overlap(const struct liveness *state, size_t k, size_t input, size_t output) {
  const struct life *ending = &state->lives[input], *beginning = &state->lives[output];
  return aliases_is_simple(&state->aliases, input) &&
         aliases_is_simple(&state->aliases, output) && beginning->root == output &&
         beginning->maker == k && ending->last == k + state->lead && !ending->stays &&
         graph_may_overlap(state->graph, state->options, input) &&
         graph_may_overlap(state->graph, state->options, output);
}

/*
 * Adds no overlap allowance for an input buffer that the operator reads twice, because an
 * allowance assumes a single read, nor for a buffer that was taken in place.
 */
static neap_status overlap_allowance(struct liveness *state, size_t k,
                                     const neap_allowance *allowance, neap_error *error) {
  const struct neap_graph *graph = state->graph;
  const struct graph_operator *node = &graph->operators[k];
  size_t input = root_of(state, graph->links[node->inputs.begin + allowance->input]);
  size_t output = graph->links[node->outputs.begin + allowance->output];
  if (state->reads[input] != 1 || !may_overlap(state, k, input, output) ||
      allowance->bytes >= graph->tensors[output].bytes)
    return NEAP_OK;
  if (!memory_reserve(&state->overlaps, &state->overlap_capacity, state->overlap_count + 1,
                      sizeof *state->overlaps))
    return error_memory(error);
  state->overlaps[state->overlap_count++] = (struct overlap){output, input, allowance->bytes};
  return NEAP_OK;
}

static neap_status share_all(struct liveness *state, neap_error *error) {
  neap_status status = NEAP_OK;
  for (size_t k = 0; k < state->graph->operator_count && status == NEAP_OK; k++) {
    const struct graph_operator *node = &state->graph->operators[k];
    bool has_allowances =
        state->options->overlap && node->allowances_begin < node->allowances_end;
    bool has_parts = state->aliases.bodies && node->parts_begin < node->parts_end;
    if (node->pairs_begin == node->pairs_end && !has_allowances && !has_parts) continue;
    count_reads(state, node, true);
    share_operator(state, k);
    for (size_t a = node->allowances_begin;
         has_allowances && a < node->allowances_end && status == NEAP_OK; a++)
      status = overlap_allowance(state, k, &state->graph->allowances[a], error);
    count_reads(state, node, false);
  }
  return status;
}

static neap_status add_overlaps(const struct liveness *state, neap_problem *problem,
                                neap_error *error) {
  neap_status status = NEAP_OK;
  for (size_t i = 0; i < state->overlap_count && status == NEAP_OK; i++) {
    const struct overlap *overlap = &state->overlaps[i];
    status = neap_problem_relate(problem,
                                 &(neap_relation){.struct_size = sizeof(neap_relation),
                                                  .kind = NEAP_OVERLAP,
                                                  .first = state->buffers[overlap->output],
                                                  .second = state->buffers[overlap->input],
                                                  .bytes = overlap->bytes},
                                 error);
  }
  return status;
}

/* ---------------------------------------------------------------- the problem */

static bool is_planned(const struct liveness *state, size_t tensor) {
  const struct life *life = &state->lives[tensor];
  return life->first != NONE && life->root == tensor &&
         graph_is_planned(state->graph, state->options, tensor);
}

static neap_status add_buffer(const struct liveness *state, size_t tensor,
                              neap_problem *problem, neap_error *error) {
  const struct neap_graph *graph = state->graph;
  const struct life *life = &state->lives[tensor];
  assert(life->first <= life->last);
  neap_range range = {(neap_time)life->first, (neap_time)life->last + 1};
  const struct tensor_shape shape = shapes_of(&graph->shapes, tensor);
  neap_buffer buffer = NEAP_BUFFER_INIT;
  buffer.shape = shape.dimensions;
  buffer.rank = shape.rank;
  buffer.dtype = shape.type;
  buffer.name = names_text(&graph->names, tensor);
  buffer.size = graph->tensors[tensor].bytes;
  buffer.alignment = life->alignment;
  buffer.ranges = &range;
  buffer.range_count = 1;
  if (graph->pins) buffer.fixed_offset = graph->pins[tensor].offset;
  if (life->maker != NONE && graph->operators[life->maker].name[0])
    buffer.hint = graph->operators[life->maker].name;
  return neap_problem_add(problem, &buffer, error);
}

static neap_status check_keep(const struct neap_graph *graph, const neap_liveness *options,
                              neap_error *error) {
  char excerpt[TEXT_EXCERPT];
  for (size_t i = 0; i < options->keep_count; i++)
    if (names_find(&graph->names, options->keep[i], strlen(options->keep[i])) == NAMES_NONE)
      return error_set(error, NEAP_ERROR_ARGUMENT, "there is no tensor %s to keep",
                       text_excerpt(excerpt, options->keep[i], strlen(options->keep[i])));
  return NEAP_OK;
}

/* Whether the runtime, not the plan, allocates a tensor. */
static bool is_for_runtime(const struct liveness *state, size_t tensor) {
  const neap_tensor *info = &state->graph->tensors[tensor];
  const struct life *life = &state->lives[tensor];
  if (life->first == NONE || life->root != tensor || info->kind == NEAP_TENSOR_CONSTANT ||
      info->kind == NEAP_TENSOR_EXTERNAL)
    return false;
  return info->is_online || !is_planned(state, tensor);
}

static neap_status list_runtime_tensors(const struct liveness *state, neap_problem *problem,
                                        neap_error *error) {
  neap_status status = NEAP_OK;
  if (!state->options->list_runtime) return status;
  for (size_t t = 0; t < graph_tensor_count(state->graph) && status == NEAP_OK; t++)
    if (is_for_runtime(state, t))
      status = neap_problem_add_runtime_tensor(problem, names_text(&state->graph->names, t),
                                               state->graph->tensors[t].bytes, error);
  return status;
}

static neap_status add_buffers(struct liveness *state, neap_problem *problem,
                               neap_error *error) {
  neap_status status = NEAP_OK;
  for (size_t t = 0; t < graph_tensor_count(state->graph) && status == NEAP_OK; t++) {
    state->buffers[t] = NONE;
    if (!is_planned(state, t)) continue;
    state->buffers[t] = problem->count;
    status = add_buffer(state, t, problem, error);
  }
  return status;
}

/* ---------------------------------------------------------------- bodies */

/*
 * Whether a tensor's buffer is colocated with others: some tensors share only some of its
 * bytes.
 */
static bool is_colocated(const struct liveness *state, size_t tensor) {
  return state->buffers[tensor] != NONE && !aliases_is_simple(&state->aliases, tensor);
}

/* Finds the lowest buffer of each body: one that begins at its first byte. */
static void find_lowest(const struct liveness *state, size_t *lowest) {
  size_t count = graph_tensor_count(state->graph);
  for (size_t t = 0; t < count; t++)
    lowest[t] = NONE;
  for (size_t t = 0; t < count; t++) {
    size_t body = aliases_body(&state->aliases, t);
    if (is_colocated(state, t) &&
        (lowest[body] == NONE ||
         aliases_offset(&state->aliases, t) < aliases_offset(&state->aliases, lowest[body])))
      lowest[body] = t;
  }
}

static neap_status add_colocations(const struct liveness *state, neap_problem *problem,
                                   neap_error *error) {
  neap_status status = NEAP_OK;
  const struct aliases *aliases = &state->aliases;
  if (!aliases->bodies) return status;
  size_t *lowest = memory_array(aliases->count, sizeof *lowest);
  if (!lowest) return error_memory(error);
  find_lowest(state, lowest);
  for (size_t t = 0; t < aliases->count && status == NEAP_OK; t++) {
    size_t first = lowest[aliases_body(aliases, t)];
    if (!is_colocated(state, t) || first == t) continue;
    status = neap_problem_relate(
        problem,
        &(neap_relation){.struct_size = sizeof(neap_relation),
                         .kind = NEAP_COLOCATION,
                         .first = state->buffers[first],
                         .second = state->buffers[t],
                         .bytes = aliases_offset(aliases, t) - aliases_offset(aliases, first)},
        error);
  }
  free(lowest);
  return status;
}

/* ---------------------------------------------------------------- states */

/* Whether an output can be in the buffer of the input that it is in the next run. */
static bool is_one_buffer(struct liveness *state, const struct graph_state *pair) {
  return state->lives[pair->input].last < state->lives[root_of(state, pair->output)].first;
}

/* Keeps an input alive to the end if its next value needs another buffer; the caller copies it. */
static void settle_states(struct liveness *state) {
  const struct neap_graph *graph = state->graph;
  for (size_t i = 0; i < graph->state_count && graph->operator_count > 0; i++) {
    struct life *input = &state->lives[graph->states[i].input];
    if (is_one_buffer(state, &graph->states[i])) continue;
    input->last = graph->operator_count - 1 + state->lead;
    input->stays = true;
  }
}

static neap_status add_states(struct liveness *state, neap_problem *problem,
                              neap_error *error) {
  const struct neap_graph *graph = state->graph;
  neap_status status = NEAP_OK;
  for (size_t i = 0; i < graph->state_count && status == NEAP_OK; i++) {
    const size_t input = graph->states[i].input, output = graph->states[i].output;
    if (!is_planned(state, input) || !is_planned(state, output) ||
        !is_one_buffer(state, &graph->states[i]))
      continue;
    status =
        neap_problem_relate(problem,
                            &(neap_relation){.struct_size = sizeof(neap_relation),
                                             .kind = NEAP_COLOCATION,
                                             .first = state->buffers[input],
                                             .second = state->buffers[root_of(state, output)]},
                            error);
  }
  return status;
}

/*
 * Whether the plan puts an output at `distance` from an input, so that nothing needs to be
 * copied.
 */
static bool is_in_place(struct liveness *state, size_t input, size_t output,
                        neap_offset distance) {
  const struct aliases *aliases = &state->aliases;
  if (distance == 0 && root_of(state, input) == root_of(state, output)) return true;
  return aliases->bodies && aliases_body(aliases, input) == aliases_body(aliases, output) &&
         aliases_offset(aliases, output) - aliases_offset(aliases, input) == distance;
}

/* A sum that stops at NEAP_MAX. */
static void add_bytes(neap_size *sum, neap_size bytes) {
  if (!checked_add(*sum, bytes, sum)) *sum = NEAP_MAX;
}

/*
 * The bytes of an operator's outputs that aliasing saves from being copied; each byte counts
 * once.
 */
static neap_size find_kept(struct liveness *state, const struct graph_operator *node) {
  const struct neap_graph *graph = state->graph;
  const size_t *inputs = graph->links + node->inputs.begin;
  const size_t *outputs = graph->links + node->outputs.begin;
  neap_size bytes = 0;
  for (size_t p = node->pairs_begin; p < node->pairs_end; p++) {
    const neap_in_place *pair = &graph->pairs[p];
    if (pair->is_view && state->options->aliases & NEAP_ALIAS_VIEWS &&
        is_in_place(state, inputs[pair->input], outputs[pair->output], 0))
      add_bytes(&bytes, graph->tensors[outputs[pair->output]].bytes);
  }
  for (size_t p = node->parts_begin; p < node->parts_end; p++) {
    const neap_part *part = &graph->parts[p];
    bool is_concat = part->alias == NEAP_ALIAS_CONCAT;
    size_t input = inputs[part->input], output = outputs[part->output];
    if (state->options->aliases & part->alias &&
        is_in_place(state, input, output, is_concat ? -part->offset : part->offset))
      add_bytes(&bytes, graph->tensors[is_concat ? input : output].bytes);
  }
  return bytes;
}

/* Sums the bytes whose copies aliasing avoids. */
static void count_aliased(struct liveness *state, neap_problem *problem) {
  const struct neap_graph *graph = state->graph;
  for (size_t k = 0; state->options->aliases && k < graph->operator_count; k++) {
    const struct graph_operator *node = &graph->operators[k];
    neap_size all = 0, kept = find_kept(state, node);
    for (size_t i = node->outputs.begin; i < node->outputs.end; i++)
      add_bytes(&all, graph->tensors[graph->links[i]].bytes);
    problem->aliased.operators += kept > 0 && kept >= all;
    add_bytes(&problem->aliased.bytes, kept < all ? kept : all);
  }
}

/* ---------------------------------------------------------------- operators */

/* Copies the planned tensors of a run of links; an output shared in place is not a new buffer. */
static void copy_links(struct liveness *state, struct graph_links links, bool made,
                       struct operator_lists *lists, size_t k) {
  size_t at = operators_begin(lists, k);
  for (size_t i = links.begin; i < links.end; i++) {
    size_t tensor = state->graph->links[i], root = root_of(state, tensor);
    if (state->buffers[root] != NONE && !(made && root != tensor))
      lists->items[at++] = state->buffers[root];
  }
  assert(at <= state->graph->link_count);
  lists->ends[k] = at;
}

static void note_roles(struct liveness *state, struct operators *operators) {
  for (size_t t = 0; t < graph_tensor_count(state->graph); t++) {
    size_t buffer = state->buffers[root_of(state, t)];
    const neap_tensor *info = &state->graph->tensors[t];
    if (buffer == NONE) continue;
    if (info->is_input) operators->roles[buffer] |= OPERATORS_INPUT;
    if (info->kind == NEAP_TENSOR_VARIABLE) operators->roles[buffer] |= OPERATORS_VARIABLE;
    if (stays(state, t)) operators->roles[buffer] |= OPERATORS_STAYS;
    if (info->is_unused) operators->roles[buffer] |= OPERATORS_UNUSED;
  }
}

/*
 * For planners, each moment after the last operator counts as an operator that makes the unused
 * tensors of that moment.  Moments ascend with the tensors.
 */
static void add_idle(const struct liveness *state, struct operators *made) {
  size_t from = state->graph->operator_count + state->lead,
         at = operators_begin(&made->outputs, from);
  for (size_t k = from; k < made->count; k++) {
    made->inputs.ends[k] = operators_begin(&made->inputs, k);
    made->temporaries.ends[k] = operators_begin(&made->temporaries, k);
    made->outputs.ends[k] = at;
  }
  for (size_t t = 0; state->idle > 0 && t < graph_tensor_count(state->graph); t++) {
    if (!state->graph->tensors[t].is_unused) continue;
    if (state->buffers[t] != NONE) made->outputs.items[at++] = state->buffers[t];
    made->outputs.ends[state->lives[t].first] = at;
  }
}

static neap_size greater(neap_size a, neap_size b) { return a > b ? a : b; }

/* Records the operators that the problem's buffers come from. */
static neap_status add_operators(struct liveness *state, neap_problem *problem,
                                 neap_error *error) {
  const struct neap_graph *graph = state->graph;
  size_t count =
      state->idle > 0 ? idle_begin(state) + state->idle : graph->operator_count + state->lead;
  struct operators *made =
      operators_new(count, problem->count, graph->link_count + graph_tensor_count(graph));
  if (!made) return error_memory(error);
  /* An operator without links stands for the moment before the first operator. */
  for (size_t k = 0; k < graph->operator_count; k++) {
    const struct graph_operator *node = &graph->operators[k];
    copy_links(state, node->inputs, false, &made->inputs, k + state->lead);
    copy_links(state, node->outputs, true, &made->outputs, k + state->lead);
    copy_links(state, node->temporaries, true, &made->temporaries, k + state->lead);
    made->devices[k + state->lead] = node->device;
  }
  add_idle(state, made);
  note_roles(state, made);
  problem->operators = made;
  if (!graph->given) return NEAP_OK;
  const neap_operator_order order = {
      .struct_size = sizeof(neap_operator_order),
      .given = graph->given,
      .count = graph->operator_count,
      .given_bound = greater(graph->given_bound, state->largest),
      .lower_bound = greater(graph_order_bound(graph, state->options), state->largest),
      .ticks = graph->order_ticks,
      .seconds = graph->order_seconds,
      .time = graph->times.time,
      .time_once = graph->times.once,
      .least_time = graph->times.least,
      .time_unit = graph->times.unit};
  return neap_problem_set_order(problem, &order, error);
}

/* Appends the buffers that hold the tensors of a run of links. */
static void list_holders(struct liveness *state, struct graph_links links, size_t *buffers,
                         size_t *count) {
  for (size_t i = links.begin; i < links.end; i++) {
    size_t buffer = state->buffers[root_of(state, state->graph->links[i])];
    if (buffer != NONE) buffers[(*count)++] = buffer;
  }
}

/* Lists operators for drawings and files; in-place outputs count as outputs. */
static neap_status list_operators(struct liveness *state, neap_problem *problem,
                                  neap_error *error) {
  const struct neap_graph *graph = state->graph;
  static const neap_operator_info lead = {.struct_size = sizeof(neap_operator_info),
                                          .type = ""};
  neap_status status = NEAP_OK;
  size_t *buffers = memory_array(graph->link_count, sizeof *buffers);
  if (!buffers) return error_memory(error);
  for (size_t k = 0; k < state->lead && status == NEAP_OK; k++)
    status = problem_add_operator(problem, &lead, OPERATOR_REPEATS_DROPPED, error);
  for (size_t k = 0; k < graph->operator_count && status == NEAP_OK; k++) {
    const struct graph_operator *node = &graph->operators[k];
    size_t reads = 0, all;
    list_holders(state, node->inputs, buffers, &reads);
    all = reads;
    list_holders(state, node->outputs, buffers, &all);
    list_holders(state, node->temporaries, buffers, &all);
    const neap_operator_info info = {.struct_size = sizeof(neap_operator_info),
                                     .type = node->name,
                                     .name = node->label,
                                     .reads = buffers,
                                     .read_count = reads,
                                     .makes = buffers + reads,
                                     .make_count = all - reads};
    status = problem_add_operator(problem, &info, OPERATOR_REPEATS_DROPPED, error);
  }
  free(buffers);
  return status;
}

neap_status graph_build_problem(const struct neap_graph *graph, const neap_liveness *options,
                                neap_problem **problem, neap_error *error) {
  static const neap_liveness defaults = {0};
  struct liveness state = {
      .graph = graph, .options = options ? options : &defaults, .lead = graph_lead(graph)};
  neap_status status = SIZED_CHECK_RESERVED(state.options->reserved, "neap_liveness", error);
  if (status == NEAP_OK) status = check_keep(graph, state.options, error);
  if (status != NEAP_OK) return status;
  state.lives = memory_array(graph_tensor_count(graph), sizeof *state.lives);
  state.buffers = memory_array(graph_tensor_count(graph), sizeof *state.buffers);
  state.reads = memory_array(graph_tensor_count(graph), sizeof *state.reads);
  neap_problem *made = neap_problem_new();
  status = state.lives && state.buffers && state.reads && made ? find_lives(&state, error)
                                                               : error_memory(error);
  if (status == NEAP_OK) settle_pins(&state);
  if (status == NEAP_OK) status = aliases_init(&state.aliases, graph, state.options, error);
  if (status == NEAP_OK) status = share_all(&state, error);
  if (status == NEAP_OK) settle_states(&state);
  if (status == NEAP_OK) status = add_buffers(&state, made, error);
  if (status == NEAP_OK) status = add_overlaps(&state, made, error);
  if (status == NEAP_OK) status = add_colocations(&state, made, error);
  if (status == NEAP_OK) status = add_states(&state, made, error);
  if (status == NEAP_OK) count_aliased(&state, made);
  if (status == NEAP_OK) status = add_operators(&state, made, error);
  if (status == NEAP_OK) status = list_operators(&state, made, error);
  if (status == NEAP_OK) status = list_runtime_tensors(&state, made, error);
  if (status == NEAP_OK && (!names_add_all(&made->unknown_scratch, &graph->unknown_scratch) ||
                            !names_add_all(&made->missing, &graph->missing)))
    status = error_memory(error);
  free(state.lives);
  free(state.buffers);
  free(state.reads);
  free(state.overlaps);
  aliases_clear(&state.aliases);
  if (status == NEAP_OK) *problem = made;
  else neap_problem_free(made);
  return status;
}
