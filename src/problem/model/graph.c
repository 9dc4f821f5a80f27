/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Builds, copies and queries operator graphs.  A graph grows at its end: links, pairs, allowances
 * and parts belong to the operator added last, so each operator holds runs [begin, end) of arrays
 * that all operators share, and the operator added last can be removed again.  Adding takes
 * amortised constant time plus the texts copied; copying and freeing are linear.
 *
 * A graph can carry a proof: a lower bound for every order of its operators, with the
 * assumptions that it rests on.  The bound holds for other options only if they permit no more
 * sharing and let no tensor be alive for less time.
 */
#include "model/graph.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/checked.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/sized.h"
#include "core/text.h"
#include "neap-tool.h"

struct neap_graph *neap_graph_new(void) { return memory_array(1, sizeof(struct neap_graph)); }

static void free_texts(struct graph_operator *node) {
  free(node->name);
  free(node->label);
}

void neap_graph_free(neap_graph *graph) {
  if (!graph) return;
  for (size_t k = 0; k < graph->operator_count; k++)
    free_texts(&graph->operators[k]);
  names_clear(&graph->names);
  names_clear(&graph->unknown_scratch);
  names_clear(&graph->missing);
  runtime_arena_free(graph->arena);
  shapes_clear(&graph->shapes);
  free(graph->tensors);
  free(graph->operators);
  free(graph->links);
  free(graph->pairs);
  free(graph->allowances);
  free(graph->parts);
  free(graph->extents);
  free(graph->given);
  free(graph->proof.lives);
  free(graph->pins);
  free(graph->states);
  free(graph->is_state);
  free(graph);
}

size_t neap_graph_tensor_count(const neap_graph *graph) { return graph_tensor_count(graph); }

size_t neap_graph_operator_count(const neap_graph *graph) { return graph->operator_count; }

size_t neap_graph_step_count(const neap_graph *graph) { return graph->step_count; }

size_t neap_graph_kept_count(const neap_graph *graph) { return graph_kept_count(graph); }

/* ---------------------------------------------------------------- adding */

static neap_status add_tensor(struct neap_graph *graph, const char *name,
                              const neap_tensor *tensor, neap_error *error) {
  char excerpt[TEXT_EXCERPT];
  const struct tensor_shape shape = {tensor->shape, tensor->rank, tensor->dtype};
  size_t length = strlen(name), index = graph->names.count;
  text_excerpt(excerpt, name, length);
  if (length == 0) return error_set(error, NEAP_ERROR_INPUT, "expected a tensor's name");
  if (names_find(&graph->names, name, length) != NAMES_NONE)
    return error_set(error, NEAP_ERROR_INPUT, "tensor %s is there twice", excerpt);
  if (tensor->bytes < 0 || tensor->alignment < 1)
    return error_set(error, NEAP_ERROR_INPUT,
                     "tensor %s: expected bytes and an alignment of at least 1, found %" PRId64
                     " and %" PRId64,
                     excerpt, tensor->bytes, tensor->alignment);
  neap_status status = shapes_check(&shape, error);
  if (status != NEAP_OK) return status;
  if (!memory_reserve(&graph->tensors, &graph->tensor_capacity, index + 1,
                      sizeof *graph->tensors) ||
      !shapes_add(&graph->shapes, index, &shape))
    return error_memory(error);
  if (!names_add(&graph->names, name, length)) {
    shapes_drop(&graph->shapes, index);
    return error_memory(error);
  }
  neap_tensor *held = &graph->tensors[index];
  *held = *tensor;
  held->shape = NULL;
  held->rank = 0;
  held->dtype = NULL;
  return NEAP_OK;
}

neap_status neap_graph_add_tensor(struct neap_graph *graph, const char *name,
                                  const neap_tensor *tensor, neap_error *error) {
  neap_tensor own = NEAP_TENSOR_INIT;
  neap_status status = SIZED_READ(neap_tensor, own, tensor, error);
  return status == NEAP_OK ? add_tensor(graph, name, &own, error) : status;
}

neap_status neap_graph_add_operator(struct neap_graph *graph, const char *name,
                                    neap_error *error) {
  if (!memory_reserve(&graph->operators, &graph->operator_capacity, graph->operator_count + 1,
                      sizeof *graph->operators))
    return error_memory(error);
  char *copy = memory_text(name, strlen(name));
  if (!copy) return error_memory(error);
  struct graph_links none = {graph->link_count, graph->link_count};
  graph->operators[graph->operator_count++] =
      (struct graph_operator){.name = copy,
                              .inputs = none,
                              .outputs = none,
                              .temporaries = none,
                              .pairs_begin = graph->pair_count,
                              .pairs_end = graph->pair_count,
                              .allowances_begin = graph->allowance_count,
                              .allowances_end = graph->allowance_count,
                              .parts_begin = graph->part_count,
                              .parts_end = graph->part_count,
                              .duration = GRAPH_UNTIMED};
  return NEAP_OK;
}

neap_status neap_graph_label_operator(struct neap_graph *graph, const char *label,
                                      neap_error *error) {
  char excerpt[TEXT_EXCERPT];
  size_t length = label ? strlen(label) : 0;
  if (graph->operator_count == 0)
    return error_set(error, NEAP_ERROR_ARGUMENT, "add an operator before its label");
  if (length > 0 && text_utf8_prefix(label, length) != length)
    return error_set(error, NEAP_ERROR_INPUT, "label %s is not valid UTF-8",
                     text_excerpt(excerpt, label, length));
  char *copy = length > 0 ? memory_text(label, length) : NULL;
  if (length > 0 && !copy) return error_memory(error);
  free(graph->operators[graph->operator_count - 1].label);
  graph->operators[graph->operator_count - 1].label = copy;
  return NEAP_OK;
}

neap_status neap_graph_time_operator(neap_graph *graph, int64_t duration, neap_error *error) {
  if (graph->operator_count == 0)
    return error_set(error, NEAP_ERROR_ARGUMENT, "add an operator before its duration");
  if (duration < 0 || duration > NEAP_DURATION_MAX)
    return error_set(error, NEAP_ERROR_INPUT,
                     "expected a duration from 0 to 2^53, found %" PRId64, duration);
  graph->operators[graph->operator_count - 1].duration = duration;
  return NEAP_OK;
}

static size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

void neap_graph_remove_operator(struct neap_graph *graph) {
  if (graph->operator_count == 0) return;
  struct graph_operator *last = &graph->operators[--graph->operator_count];
  /* A role without links is an empty run that begins where the operator's links begin. */
  graph->link_count =
      smaller(smaller(last->inputs.begin, last->outputs.begin), last->temporaries.begin);
  graph->pair_count = last->pairs_begin;
  graph->allowance_count = last->allowances_begin;
  graph->part_count = last->parts_begin;
  free_texts(last);
}

/* Links must come in the order of their roles, so that those of each role are contiguous. */
static struct graph_links *links_of(struct graph_operator *last, neap_link link) {
  switch (link) {
  case NEAP_LINK_INPUT:
    return &last->inputs;
  case NEAP_LINK_OUTPUT:
    return &last->outputs;
  case NEAP_LINK_TEMPORARY:
    break;
  }
  return &last->temporaries;
}

neap_status neap_graph_add_link(struct neap_graph *graph, neap_link link, size_t tensor,
                                neap_error *error) {
  if (graph->operator_count == 0)
    return error_set(error, NEAP_ERROR_ARGUMENT, "add an operator before its links");
  if (tensor >= graph_tensor_count(graph))
    return error_set(error, NEAP_ERROR_ARGUMENT, "there is no tensor %zu", tensor);
  struct graph_links *links = links_of(&graph->operators[graph->operator_count - 1], link);
  bool is_first = links->begin == links->end;
  if (!is_first && links->end != graph->link_count)
    return error_set(error, NEAP_ERROR_ARGUMENT,
                     "add all inputs of an operator, then all outputs, then all temporaries");
  if (!memory_reserve(&graph->links, &graph->link_capacity, graph->link_count + 1,
                      sizeof *graph->links))
    return error_memory(error);
  if (is_first) links->begin = graph->link_count;
  graph->links[graph->link_count++] = tensor;
  links->end = graph->link_count;
  return NEAP_OK;
}

/* The last operator, if it has an input and an output at these positions. */
static neap_status find_ends(struct neap_graph *graph, size_t input, size_t output,
                             struct graph_operator **last, neap_error *error) {
  if (graph->operator_count == 0)
    return error_set(error, NEAP_ERROR_ARGUMENT, "add an operator before its pairs");
  *last = &graph->operators[graph->operator_count - 1];
  size_t inputs = (*last)->inputs.end - (*last)->inputs.begin;
  size_t outputs = (*last)->outputs.end - (*last)->outputs.begin;
  if (input < inputs && output < outputs) return NEAP_OK;
  return error_set(error, NEAP_ERROR_INPUT,
                   "expected the positions of an input and an output, found %zu of %zu and "
                   "%zu of %zu",
                   input, inputs, output, outputs);
}

static neap_status add_pair(struct neap_graph *graph, const neap_in_place *pair,
                            neap_error *error) {
  struct graph_operator *last;
  neap_status status = find_ends(graph, pair->input, pair->output, &last, error);
  if (status != NEAP_OK) return status;
  if (!memory_reserve(&graph->pairs, &graph->pair_capacity, graph->pair_count + 1,
                      sizeof *graph->pairs))
    return error_memory(error);
  graph->pairs[graph->pair_count++] = *pair;
  last->pairs_end = graph->pair_count;
  return NEAP_OK;
}

neap_status neap_graph_add_pair(struct neap_graph *graph, const neap_in_place *pair,
                                neap_error *error) {
  neap_in_place own = NEAP_INIT(neap_in_place);
  neap_status status = SIZED_READ(neap_in_place, own, pair, error);
  return status == NEAP_OK ? add_pair(graph, &own, error) : status;
}

static neap_status add_allowance(struct neap_graph *graph, const neap_allowance *allowance,
                                 neap_error *error) {
  struct graph_operator *last;
  neap_status status = find_ends(graph, allowance->input, allowance->output, &last, error);
  if (status != NEAP_OK) return status;
  if (allowance->bytes < 0)
    return error_set(error, NEAP_ERROR_INPUT, "expected 0 bytes or more, found %" PRId64,
                     allowance->bytes);
  if (!memory_reserve(&graph->allowances, &graph->allowance_capacity,
                      graph->allowance_count + 1, sizeof *graph->allowances))
    return error_memory(error);
  graph->allowances[graph->allowance_count++] = *allowance;
  last->allowances_end = graph->allowance_count;
  return NEAP_OK;
}

neap_status neap_graph_add_allowance(struct neap_graph *graph, const neap_allowance *allowance,
                                     neap_error *error) {
  neap_allowance own = NEAP_INIT(neap_allowance);
  neap_status status = SIZED_READ(neap_allowance, own, allowance, error);
  return status == NEAP_OK ? add_allowance(graph, &own, error) : status;
}

static neap_status check_part(const struct neap_graph *graph, const struct graph_operator *last,
                              const neap_part *part, struct graph_extent *extent,
                              neap_error *error) {
  neap_size input = graph->tensors[graph->links[last->inputs.begin + part->input]].bytes;
  neap_size output = graph->tensors[graph->links[last->outputs.begin + part->output]].bytes;
  neap_size inner = part->alias == NEAP_ALIAS_CONCAT ? input : output;
  neap_size whole = part->alias == NEAP_ALIAS_CONCAT ? output : input, end;
  if (part->alias != NEAP_ALIAS_CONCAT && part->alias != NEAP_ALIAS_SPLIT)
    return error_set(error, NEAP_ERROR_ARGUMENT,
                     "a part is that of a concatenation or a split");
  *extent = (struct graph_extent){inner, whole};
  if (part->offset >= 0 && checked_add(part->offset, inner, &end) && end <= whole)
    return NEAP_OK;
  return error_set(error, NEAP_ERROR_INPUT,
                   "a part of %" PRId64 " bytes at %" PRId64 " does not lie in %" PRId64
                   " bytes",
                   inner, part->offset, whole);
}

static neap_status add_part(struct neap_graph *graph, const neap_part *part,
                            neap_error *error) {
  struct graph_operator *last;
  struct graph_extent extent;
  neap_status status = find_ends(graph, part->input, part->output, &last, error);
  if (status == NEAP_OK) status = check_part(graph, last, part, &extent, error);
  if (status != NEAP_OK) return status;
  if (!memory_reserve(&graph->parts, &graph->part_capacity, graph->part_count + 1,
                      sizeof *graph->parts) ||
      !memory_reserve(&graph->extents, &graph->extent_capacity, graph->part_count + 1,
                      sizeof *graph->extents))
    return error_memory(error);
  graph->extents[graph->part_count] = extent;
  graph->parts[graph->part_count++] = *part;
  last->parts_end = graph->part_count;
  return NEAP_OK;
}

neap_status neap_graph_add_part(struct neap_graph *graph, const neap_part *part,
                                neap_error *error) {
  neap_part own = NEAP_INIT(neap_part);
  neap_status status = SIZED_READ(neap_part, own, part, error);
  return status == NEAP_OK ? add_part(graph, &own, error) : status;
}

neap_status neap_graph_add_state(struct neap_graph *graph, size_t output, size_t input,
                                 neap_error *error) {
  return graph_add_state(graph, output, input, error);
}

/* ---------------------------------------------------------------- asking */

const char *neap_graph_operator_name(const neap_graph *graph, size_t index) {
  assert(index < graph->operator_count);
  return graph->operators[index].name;
}

int64_t graph_operator_duration(const struct neap_graph *graph, size_t index) {
  assert(index < graph->operator_count);
  int64_t duration = graph->operators[index].duration;
  return duration == GRAPH_UNTIMED ? 1 : duration;
}

neap_time_unit graph_time_unit(const struct neap_graph *graph) {
  if (graph->counts_work) return NEAP_TIME_WORK;
  for (size_t k = 0; k < graph->operator_count; k++)
    if (graph->operators[k].duration != GRAPH_UNTIMED) return NEAP_TIME_GIVEN;
  return NEAP_TIME_RUNS;
}

void neap_graph_left_out(const neap_graph *graph, neap_left_out *left_out) {
  *left_out = (neap_left_out){0, 0, 0};
  for (size_t t = 0; t < graph_tensor_count(graph); t++) {
    const neap_tensor *tensor = &graph->tensors[t];
    left_out->elsewhere += tensor->kind == NEAP_TENSOR_EXTERNAL;
    if (tensor->kind != NEAP_TENSOR_CONSTANT) continue;
    left_out->constants++;
    if (!checked_add(left_out->constant_bytes, tensor->bytes, &left_out->constant_bytes))
      left_out->constant_bytes = NEAP_MAX;
  }
}

/* ---------------------------------------------------------------- the proof about its orders */

enum life { LIFE_STAYS = 1, LIFE_IS_PLANNED = 2 };

static unsigned char life_of(const struct neap_graph *graph, const neap_liveness *options,
                             size_t tensor) {
  return (unsigned char)((graph_stays(graph, options, tensor) ? LIFE_STAYS : 0) |
                         (graph_is_planned(graph, options, tensor) ? LIFE_IS_PLANNED : 0));
}

/*
 * Whether `options` permit no more sharing than the proof assumed.  Buffers shared in place do
 * not overlap, so switching in-place off can permit more overlaps; it is safe only without
 * overlaps.
 */
static bool shares_no_more(const struct graph_proof *proof, const neap_liveness *options) {
  if (proof->overlap != options->overlap || proof->aliases != options->aliases) return false;
  return proof->in_place == options->in_place || (proof->in_place && !proof->overlap);
}

neap_size graph_order_bound(const struct neap_graph *graph, const neap_liveness *options) {
  const struct graph_proof *proof = &graph->proof;
  if (!proof->lives || !shares_no_more(proof, options)) return 0;
  for (size_t t = 0; t < graph_tensor_count(graph); t++)
    if (proof->lives[t] & ~life_of(graph, options, t)) return 0;
  return proof->least;
}

neap_status graph_prove(struct neap_graph *graph, const neap_liveness *options, neap_size least,
                        neap_error *error) {
  struct graph_proof *proof = &graph->proof;
  if (proof->lives && graph_order_bound(graph, options) >= least) return NEAP_OK;
  unsigned char *lives = memory_array(graph_tensor_count(graph), sizeof *lives);
  if (!lives) return error_memory(error);
  for (size_t t = 0; t < graph_tensor_count(graph); t++)
    lives[t] = life_of(graph, options, t);
  free(proof->lives);
  *proof = (struct graph_proof){.least = least,
                                .lives = lives,
                                .in_place = options->in_place,
                                .overlap = options->overlap,
                                .aliases = options->aliases};
  return NEAP_OK;
}

/* ---------------------------------------------------------------- copying */

static bool copy_tensors(const struct neap_graph *graph, struct neap_graph *copy) {
  for (size_t t = 0; t < graph_tensor_count(graph); t++) {
    const struct tensor_shape shape = shapes_of(&graph->shapes, t);
    neap_tensor tensor = graph->tensors[t];
    tensor.shape = shape.dimensions;
    tensor.rank = shape.rank;
    tensor.dtype = shape.type;
    if (neap_graph_add_tensor(copy, names_text(&graph->names, t), &tensor, NULL) != NEAP_OK)
      return false;
  }
  return true;
}

static bool copy_operators(const struct neap_graph *graph, struct neap_graph *copy) {
  for (size_t k = 0; k < graph->operator_count; k++) {
    const struct graph_operator *node = &graph->operators[k];
    if (neap_graph_add_operator(copy, node->name, NULL) != NEAP_OK ||
        neap_graph_label_operator(copy, node->label, NULL) != NEAP_OK)
      return false;
    char *name = copy->operators[k].name, *label = copy->operators[k].label;
    copy->operators[k] = *node;
    copy->operators[k].name = name;
    copy->operators[k].label = label;
  }
  return true;
}

/* Copies `count` items of `size` bytes to the array at `copy`; false if memory is short. */
static bool copy_list(const void *items, size_t count, size_t size, void *copy,
                      size_t *capacity) {
  void *room;
  if (!memory_reserve(copy, capacity, count, size)) return false;
  memcpy(&room, copy, sizeof room); /* a pointer of any type */
  if (count > 0) memcpy(room, items, count * size);
  return true;
}

/* Copies links and pairs.  The operators are copied already, and refer to them by position. */
static bool copy_links(const struct neap_graph *graph, struct neap_graph *copy) {
  if (!copy_list(graph->links, graph->link_count, sizeof *graph->links, &copy->links,
                 &copy->link_capacity) ||
      !copy_list(graph->pairs, graph->pair_count, sizeof *graph->pairs, &copy->pairs,
                 &copy->pair_capacity) ||
      !copy_list(graph->allowances, graph->allowance_count, sizeof *graph->allowances,
                 &copy->allowances, &copy->allowance_capacity) ||
      !copy_list(graph->parts, graph->part_count, sizeof *graph->parts, &copy->parts,
                 &copy->part_capacity) ||
      !copy_list(graph->extents, graph->part_count, sizeof *graph->extents, &copy->extents,
                 &copy->extent_capacity))
    return false;
  copy->link_count = graph->link_count;
  copy->pair_count = graph->pair_count;
  copy->allowance_count = graph->allowance_count;
  copy->part_count = graph->part_count;
  return true;
}

static bool copy_schedule(const struct neap_graph *graph, struct neap_graph *copy) {
  size_t count = graph->operator_count, tensors = graph_tensor_count(graph);
  if (!graph->given) return true;
  copy->given_bound = graph->given_bound;
  copy->order_ticks = graph->order_ticks;
  copy->order_seconds = graph->order_seconds;
  copy->times = graph->times;
  copy->proof = graph->proof;
  copy->proof.lives = NULL;
  copy->given = memory_array(count, sizeof *copy->given);
  if (!copy->given) return false;
  memcpy(copy->given, graph->given, count * sizeof *copy->given);
  if (!graph->proof.lives) return true; /* nothing is proven */
  copy->proof.lives = memory_array(tensors, sizeof *copy->proof.lives);
  if (!copy->proof.lives) return false;
  memcpy(copy->proof.lives, graph->proof.lives, tensors * sizeof *copy->proof.lives);
  return true;
}

static bool copy_pins(const struct neap_graph *graph, struct neap_graph *copy) {
  size_t count = graph_tensor_count(graph);
  copy->is_part = graph->is_part;
  copy->is_ordered = graph->is_ordered;
  copy->leads_in = graph->leads_in;
  copy->counts_work = graph->counts_work;
  copy->step_count = graph->step_count;
  if (!names_add_all(&copy->unknown_scratch, &graph->unknown_scratch) ||
      !names_add_all(&copy->missing, &graph->missing) || !graph_copy_states(graph, copy))
    return false;
  if (graph->arena && !(copy->arena = runtime_arena_copy(graph->arena))) return false;
  if (!graph->pins) return true;
  copy->pins = memory_array(count, sizeof *copy->pins);
  if (copy->pins) memcpy(copy->pins, graph->pins, count * sizeof *copy->pins);
  return copy->pins != NULL;
}

neap_graph *neap_graph_copy(const neap_graph *graph) {
  neap_graph *copy = neap_graph_new();
  if (copy && copy_tensors(graph, copy) && copy_operators(graph, copy) &&
      copy_links(graph, copy) && copy_schedule(graph, copy) && copy_pins(graph, copy))
    return copy;
  neap_graph_free(copy);
  return NULL;
}
