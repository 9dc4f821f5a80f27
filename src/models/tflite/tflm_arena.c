/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The interpreter fills its arena from both ends:
 *
 *     start                                                                     end
 *     +---------------------+-------------------+----------+-----------------------+
 *     | list of the         | descriptions of   |          | tail: all that stays, |
 *     | scratch requests    | tensors           | free     | downwards             |
 *     +---------------------+-------------------+----------+-----------------------+
 *     | head: tensors and scratch buffers       |          | tail                  |
 *     +-----------------------------------------+----------+-----------------------+
 *
 * While the interpreter prepares operators (above), the list grows, and an operator's descriptions
 * are dropped once it is prepared.  A record of each tensor and the planner's own memory then take
 * their place.  At the end (below), the head replaces all of this.  Any of these stages may need
 * the most memory.
 *
 * The order of allocations matters, because each one is aligned; it was found by recording them
 * (tests/hosts/tflm/arena.cc).  Sizes of structs are those of a build without compressed weights,
 * with pointers of 8 bytes, or of 4 on processors that align 64-bit numbers to 8 bytes, as Arm
 * does; and of the Python package, whose allocators record their work.  O(file).
 */
#include "models/tflite/tflite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/checked.h"
#include "core/error.h"
#include "core/memory.h"
#include "files/kernels.h"
#include "files/target.h"
#include "models/tflite/kernel_shapes.h"
#include "models/tflite/operators.h"
#include "models/tflite/schema.h"

/* Requests for which the list of scratch buffers always has room. */
#define REQUEST_MARGIN 12

/* The bytes that the greedy planner needs for each buffer. */
#define PLANNER_BYTES 40

/*
 * Bytes of the runtime's structs; a member without a comment has the struct's name in the recorder.
 */
struct structs {
  size_t pointer;
  size_t allocator, planner, micro_allocator, option_allocator;
  size_t allocators; /* for two arenas, instead of one for both */
  size_t subgraph, eval_tensor, node;
  size_t tensor, quantization; /* a description of a tensor, and of its quantisation */
  size_t request;              /* in the list of scratch requests */
  size_t record;               /* of a tensor, for planning */
  size_t resources, resource;  /* the table of resource variables, and a row */
};

static const struct structs all_structs[] = {
    {8, 72, 72, 72, 16, 88, 16, 24, 64, 64, 24, 16, 32, 16, 40},
    {4, 36, 44, 36, 8, 48, 8, 12, 32, 40, 12, 12, 24, 12, 20},
    {8, 104, 72, 272, 16, 104, 24, 24, 64, 64, 24, 16, 32, 16, 40},
};

static const struct structs *structs_of(const struct footprint_call *call) {
  return &all_structs[call->kernels == NEAP_KERNELS_PYTHON ? 2 : call->pointer == 4];
}

/* A resource variable, which handles find by name. */
struct resource {
  const char *container, *name;
  size_t container_length, name_length;
  bool has_memory;
};

struct run {
  const struct tflite_model *model;
  const struct tflite_scratch *scratch;
  const neap_graph *graph;
  const struct structs *structs;
  struct runtime_arena *arena;
  struct tflite_footprint footprint;
  neap_arena_part part; /* the part of current allocations */
  bool is_out_of_memory;
  struct resource *resources;
  size_t resource_count, resource_capacity;
  size_t *resource_of;    /* by tensor: its resource if it is a handle, or TFLITE_NONE */
  bool *is_known;         /* by tensor: a constant, or made only of constants and shapes */
  const int32_t *offsets; /* of the plan that the runtime will use, or NULL */
  bool plans_variables;   /* without `offsets`: whether the plan will have variables */
};

/* ---------------------------------------------------------------- allocations */

static void record(struct run *run, const struct arena_step *step) {
  if (!runtime_arena_add(run->arena, step)) run->is_out_of_memory = true;
}

static void keep_many(struct run *run, neap_size bytes, neap_size count, size_t alignment) {
  record(run, &(struct arena_step){ARENA_KEEP, run->part, alignment, bytes, count});
}

static void keep(struct run *run, size_t bytes, size_t count, size_t alignment) {
  keep_many(run, (neap_size)bytes * (neap_size)count, 1, alignment);
}

static void borrow(struct run *run, size_t bytes, size_t count, size_t alignment) {
  record(run, &(struct arena_step){ARENA_BORROW, run->part, alignment, (neap_size)bytes,
                                   (neap_size)count});
}

/* Drops borrowed memory, and gives the list of scratch requests room for more. */
static void settle(struct run *run, size_t requests) {
  neap_size bytes = (neap_size)(run->structs->request * requests);
  record(run, &(struct arena_step){ARENA_SETTLE, run->part, 1, bytes, 1});
}

/* The list of a tensor's zero points. */
static size_t zero_points_bytes(size_t channels) { return 4 + 4 * channels; }

/* ---------------------------------------------------------------- objects */

static void keep_runtime(struct run *run) {
  const struct structs *structs = run->structs;
  run->part = NEAP_ARENA_RUNTIME;
  run->arena->apart = (neap_size)(structs->allocators - structs->allocator);
  keep(run, structs->allocator, 1, structs->pointer);
  keep(run, structs->planner, 1, structs->pointer);
  keep(run, structs->micro_allocator, 1, structs->pointer);
}

static void keep_resources(struct run *run, neap_size count) {
  neap_size bytes;
  run->part = NEAP_ARENA_VARIABLES;
  run->arena->totals.resource_count = count;
  if (count == 0) return;
  keep(run, run->structs->resources, 1, NEAP_ARENA_STEP);
  if (!checked_mul((neap_size)run->structs->resource, count, &bytes)) bytes = NEAP_MAX;
  keep_many(run, bytes, 1, NEAP_ARENA_STEP);
}

static void keep_model(struct run *run) {
  const struct structs *structs = run->structs;
  const struct tflite_model *model = run->model;
  run->part = NEAP_ARENA_RUNTIME;
  keep(run, structs->option_allocator, 1, structs->pointer);
  settle(run, REQUEST_MARGIN);
  keep(run, structs->subgraph, model->subgraph_count, structs->pointer);
  run->part = NEAP_ARENA_TENSORS;
  for (size_t s = 0; s < model->subgraph_count; s++)
    keep(run, structs->eval_tensor, model->subgraphs[s].tensors.count, structs->pointer);
  run->part = NEAP_ARENA_NODES;
  for (size_t s = 0; s < model->subgraph_count; s++)
    keep(run, structs->node, model->subgraphs[s].operators.count, structs->pointer);
}

/* ---------------------------------------------------------------- resource variables */

static bool is_same(const char *a, size_t a_length, const char *b, size_t b_length) {
  return a_length == b_length && (a_length == 0 || memcmp(a, b, a_length) == 0);
}

/* Finds or adds the resource of a handle; a handle without a container accepts any container. */
static neap_status find_resource(struct run *run, size_t *index, neap_error *error) {
  struct flat_table options;
  struct resource wanted = {.container = NULL};
  bool found;
  if (flat_child(&run->footprint.node, TFLITE_OPERATOR_OPTIONS, &options, &found) && found &&
      (!flat_text(&options, 0, &wanted.container, &wanted.container_length) ||
       !flat_text(&options, 1, &wanted.name, &wanted.name_length)))
    return tflite_model_broken("options", 0, error);
  for (*index = 0; *index < run->resource_count; ++*index) {
    const struct resource *own = &run->resources[*index];
    if ((!wanted.container || is_same(wanted.container, wanted.container_length, own->container,
                                      own->container_length)) &&
        is_same(wanted.name, wanted.name_length, own->name, own->name_length))
      return NEAP_OK;
  }
  if (!memory_reserve(&run->resources, &run->resource_capacity, run->resource_count + 1,
                      sizeof *run->resources))
    return error_memory(error);
  run->resources[run->resource_count++] = wanted;
  return NEAP_OK;
}

/* The number of the operator's input or output `index`; TFLITE_NONE if it is absent. */
static size_t number_of(const struct tflite_subgraph *subgraph, const struct flat_vector *list,
                        size_t index) {
  size_t tensor;
  if (index >= list->count ||
      tflite_model_tensor(subgraph, list, index, "operator", 0, &tensor, NULL) != NEAP_OK)
    return TFLITE_NONE;
  return tensor;
}

static neap_status note_handle(struct run *run, const struct tflite_subgraph *subgraph,
                               neap_error *error) {
  size_t tensor = number_of(subgraph, &run->footprint.outputs, 0), resource = TFLITE_NONE;
  neap_status status = find_resource(run, &resource, error);
  if (status == NEAP_OK && tensor != TFLITE_NONE) run->resource_of[tensor] = resource;
  return status;
}

/* The first operator that assigns to a resource allocates it. */
static void assign_resource(struct run *run, const struct tflite_subgraph *subgraph) {
  size_t handle = number_of(subgraph, &run->footprint.inputs, 0);
  size_t value = number_of(subgraph, &run->footprint.inputs, 1);
  if (handle == TFLITE_NONE || value == TFLITE_NONE) return;
  size_t resource = run->resource_of[handle];
  if (resource == TFLITE_NONE || run->resources[resource].has_memory) return;
  run->resources[resource].has_memory = true;
  run->part = NEAP_ARENA_VARIABLES;
  keep_many(run, run->graph->tensors[value].bytes, 1, NEAP_ARENA_STEP);
  run->part = NEAP_ARENA_KERNELS;
}

/* ---------------------------------------------------------------- kernels */

static void take(void *user, const struct footprint_request *request) {
  struct run *run = user;
  const struct structs *structs = run->structs;
  switch (request->kind) {
  case FOOTPRINT_PERSISTENT:
    keep_many(run, request->bytes, request->repeat, request->alignment);
    break;
  case FOOTPRINT_TENSOR:
    borrow(run, structs->tensor, 1, structs->pointer);
    if (request->tensor->channels == 0) break;
    borrow(run, structs->quantization, 1, structs->pointer);
    borrow(run, zero_points_bytes(request->tensor->channels), 1, 4);
    break;
  case FOOTPRINT_SCRATCH:
    break; /* planned: see tflite_scratch_predict */
  }
}

/* The requests of an operator, *count of them. */
static const struct tflite_request *requests_of(const struct run *run,
                                                const neap_arena_operator *kernel,
                                                size_t *count) {
  const struct tflite_scratch *scratch = run->scratch;
  size_t first = tflite_scratch_find(scratch, kernel->subgraph, kernel->index), end = first;
  while (end < scratch->count && scratch->requests[end].subgraph == kernel->subgraph &&
         scratch->requests[end].index == kernel->index)
    end++;
  *count = end - first;
  return *count > 0 ? &scratch->requests[first] : NULL;
}

/* Whether a table lists all needs of an operator's kernel. */
static bool is_stated(const struct run *run, const neap_arena_operator *kernel) {
  size_t count;
  const struct tflite_request *requests = requests_of(run, kernel, &count);
  return count > 0 && requests->persistent >= 0;
}

/* Counts an operator's scratch buffers, be they predicted or listed in a file. */
static size_t count_requests(struct run *run, neap_arena_operator *kernel) {
  size_t count;
  const struct tflite_request *requests = requests_of(run, kernel, &count);
  bool is_known = footprint_knows(&run->footprint.call);
  for (size_t r = 0; r < count; r++) {
    kernel->scratch += requests[r].bytes;
    if (!is_known && requests[r].persistent > 0)
      keep_many(run, requests[r].persistent, 1, NEAP_ARENA_STEP);
  }
  run->arena->totals.scratch_count += count;
  return count;
}

static neap_status prepare_operator(struct run *run, neap_arena_operator *kernel,
                                    neap_error *error) {
  const struct tflite_subgraph *own = &run->model->subgraphs[kernel->subgraph];
  unsigned code = run->footprint.call.code;
  neap_status status = NEAP_OK;
  if (code == TFLITE_VAR_HANDLE) status = note_handle(run, own, error);
  if (code == TFLITE_ASSIGN_VARIABLE) assign_resource(run, own);
  settle(run, count_requests(run, kernel));
  return status;
}

static neap_status run_operator(struct run *run, size_t number, enum footprint_stage stage,
                                neap_error *error) {
  neap_arena_operator *kernel = &run->arena->operators[number];
  struct arena_record *steps = &run->arena->records[number];
  neap_status status = tflite_footprint_open(&run->footprint, run->model, kernel->subgraph,
                                             kernel->index, error);
  if (status != NEAP_OK) return status;
  steps->begins[stage] = run->arena->step_count;
  footprint_find(&run->footprint.call, stage);
  if (stage == FOOTPRINT_PREPARE) status = prepare_operator(run, kernel, error);
  steps->ends[stage] = run->arena->step_count;
  return status;
}

static neap_status run_stage(struct run *run, enum footprint_stage stage, neap_error *error) {
  neap_status status = NEAP_OK;
  run->part = NEAP_ARENA_KERNELS;
  for (size_t k = 0; k < run->arena->totals.operator_count && status == NEAP_OK; k++)
    status = run_operator(run, k, stage, error);
  return status;
}

/* ---------------------------------------------------------------- planning */

static bool is_placed(const struct run *run, size_t index) {
  return run->offsets ? run->offsets[index] >= 0 : run->plans_variables;
}

/* To decide whether to allocate a variable, the runtime looks at offset `index` in any subgraph. */
static void keep_variables(struct run *run) {
  run->part = NEAP_ARENA_VARIABLES;
  for (size_t s = 0; s < run->model->subgraph_count; s++)
    for (size_t t = 0; t < run->model->subgraphs[s].tensors.count; t++) {
      const neap_tensor *tensor = &run->graph->tensors[run->model->subgraphs[s].first + t];
      if (tensor->kind != NEAP_TENSOR_VARIABLE || is_placed(run, t)) continue;
      keep_many(run, tensor->bytes, 1, NEAP_ARENA_STEP);
      run->arena->totals.variable_count++;
    }
}

/* The buffers that the runtime's planner places. */
static size_t count_planned(const struct run *run) {
  size_t count = run->arena->totals.scratch_count;
  for (size_t t = 0; t < run->model->tensor_count; t++) {
    const neap_tensor *tensor = &run->graph->tensors[t];
    count += tensor->kind == NEAP_TENSOR_VARIABLE
                 ? is_placed(run, t)
                 : tensor->kind == NEAP_TENSOR_ACTIVATION && tensor->bytes > 0;
  }
  return count;
}

static void plan(struct run *run) {
  const struct structs *structs = run->structs;
  size_t requests = run->arena->totals.scratch_count;
  run->part = NEAP_ARENA_HANDLES;
  keep(run, structs->pointer, requests, structs->pointer);
  borrow(run, structs->pointer, run->model->subgraph_count, structs->pointer);
  borrow(run, structs->record, run->model->tensor_count + requests, structs->pointer);
  keep_variables(run);
  /* The planner gets the remaining memory, which begins and ends at a multiple of 16. */
  borrow(run,
         (size_t)round_up((neap_size)(PLANNER_BYTES * count_planned(run)), NEAP_ARENA_STEP), 1,
         NEAP_ARENA_STEP);
  settle(run, 0);
}

/* ---------------------------------------------------------------- inputs and outputs */

static void keep_descriptions(struct run *run, const struct flat_vector *list) {
  const struct structs *structs = run->structs;
  const struct tflite_subgraph *subgraph = &run->model->subgraphs[0];
  run->part = NEAP_ARENA_ENDS;
  keep(run, structs->pointer, list->count, NEAP_ARENA_STEP);
  for (size_t i = 0; i < list->count; i++) {
    struct flat_table table;
    size_t channels = 0;
    if (flat_element(&subgraph->tensors, (size_t)flat_int32(list, i), &table))
      channels = tflite_scales_of(&table).count;
    keep(run, structs->tensor, 1, structs->pointer);
    if (channels == 0) continue;
    keep(run, structs->quantization, 1, structs->pointer);
    keep(run, zero_points_bytes(channels), 1, 4);
  }
}

/* ---------------------------------------------------------------- possible savings */

static bool is_code(unsigned code, const unsigned char *codes, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (codes[i] == code) return true;
  return false;
}

/* Whether all inputs of the operator are known before the model runs. */
static bool is_foldable(const struct run *run, const struct tflite_subgraph *subgraph) {
  const struct flat_vector *inputs = &run->footprint.inputs;
  unsigned code = run->footprint.call.code;
  if (code == TFLITE_SHAPE) return true;
  if (code == TFLITE_CUSTOM || code == TFLITE_VAR_HANDLE || inputs->count == 0 ||
      tflite_operator_caller(code))
    return false;
  for (size_t i = 0; i < inputs->count; i++) {
    size_t tensor = number_of(subgraph, inputs, i);
    if (tensor != TFLITE_NONE && !run->is_known[tensor]) return false;
  }
  return true;
}

static neap_arena_saving saving_of(const struct run *run,
                                   const struct tflite_subgraph *subgraph) {
  static const unsigned char views[] = {TFLITE_RESHAPE, TFLITE_SQUEEZE, TFLITE_EXPAND_DIMS};
  static const unsigned char conversions[] = {TFLITE_QUANTIZE, TFLITE_DEQUANTIZE};
  unsigned code = run->footprint.call.code;
  if (is_foldable(run, subgraph)) return NEAP_ARENA_FOLDING;
  if (is_code(code, views, sizeof views)) return NEAP_ARENA_VIEWS;
  if (is_code(code, conversions, sizeof conversions)) return NEAP_ARENA_CONVERSIONS;
  return NEAP_ARENA_SAVINGS;
}

/* Notes a possible saving: without the operator, its node and its outputs also go. */
static void note_saving(struct run *run, const neap_arena_operator *kernel,
                        struct arena_record *steps) {
  const struct tflite_subgraph *subgraph = &run->model->subgraphs[kernel->subgraph];
  const struct flat_vector *outputs = &run->footprint.outputs;
  steps->saving = saving_of(run, subgraph);
  steps->structs = (neap_size)(run->structs->node + run->structs->eval_tensor * outputs->count);
  if (steps->saving != NEAP_ARENA_FOLDING) return;
  for (size_t i = 0; i < outputs->count; i++) {
    size_t tensor = number_of(subgraph, outputs, i);
    if (tensor != TFLITE_NONE) run->is_known[tensor] = true;
  }
}

/* ---------------------------------------------------------------- the whole */

/*
 * Notes whether the runtime refuses the operator, whether its kernel is unknown, and its savings.
 */
static neap_status judge(struct run *run, size_t number, neap_error *error) {
  const neap_arena_operator *kernel = &run->arena->operators[number];
  char type[TFLITE_TYPE_TEXT], reason[ACCEPTS_REASON];
  char text[TFLITE_TYPE_TEXT + ACCEPTS_REASON + 2];
  neap_status status = tflite_footprint_open(&run->footprint, run->model, kernel->subgraph,
                                             kernel->index, error);
  if (status != NEAP_OK) return status;
  note_saving(run, kernel, &run->arena->records[number]);
  bool is_refused = footprint_refuses(&run->footprint.call, reason);
  if (!is_refused && (footprint_knows(&run->footprint.call) || is_stated(run, kernel)))
    return NEAP_OK;
  tflite_footprint_type(&run->footprint, type);
  snprintf(text, sizeof text, "%s%s%s", type, is_refused ? ": " : "", is_refused ? reason : "");
  return arena_notes_add(is_refused ? &run->arena->refused : &run->arena->unknown, text,
                         kernel->subgraph, kernel->index)
             ? NEAP_OK
             : error_memory(error);
}

static neap_status judge_all(struct run *run, neap_error *error) {
  neap_status status = NEAP_OK;
  for (size_t t = 0; t < run->model->tensor_count; t++)
    run->is_known[t] = run->graph->tensors[t].kind == NEAP_TENSOR_CONSTANT;
  for (size_t k = 0; k < run->arena->totals.operator_count && status == NEAP_OK; k++)
    status = judge(run, k, error);
  return status;
}

/* Counts the resources: their table needs room before the model is read. */
static neap_status count_resources(struct run *run, neap_error *error) {
  const struct tflite_model *model = run->model;
  neap_status status = NEAP_OK;
  for (size_t s = 0; s < model->subgraph_count; s++)
    for (size_t k = 0; k < model->subgraphs[s].operators.count && status == NEAP_OK; k++) {
      status = tflite_footprint_open(&run->footprint, model, s, k, error);
      if (status == NEAP_OK && run->footprint.call.code == TFLITE_VAR_HANDLE)
        status = note_handle(run, &model->subgraphs[s], error);
    }
  return status;
}

static neap_status simulate(struct run *run, neap_size resources, neap_error *error) {
  const struct tflite_subgraph *main = &run->model->subgraphs[0];
  neap_status status = count_resources(run, error);
  if (status != NEAP_OK) return status;
  for (size_t t = 0; t < run->model->tensor_count; t++)
    run->resource_of[t] = TFLITE_NONE;
  keep_runtime(run);
  run->arena->shared = run->arena->step_count;
  keep_resources(run, resources > (neap_size)run->resource_count
                          ? resources
                          : (neap_size)run->resource_count);
  keep_model(run);
  run->arena->opening = run->arena->step_count;
  for (int stage = FOOTPRINT_OPTIONS; stage <= FOOTPRINT_PREPARE && status == NEAP_OK; stage++)
    status = run_stage(run, (enum footprint_stage)stage, error);
  if (status == NEAP_OK) status = judge_all(run, error);
  run->arena->closing = run->arena->step_count;
  plan(run);
  keep_descriptions(run, &main->inputs);
  keep_descriptions(run, &main->outputs);
  if (status == NEAP_OK && run->is_out_of_memory) status = error_memory(error);
  if (status == NEAP_OK) runtime_arena_sum(run->arena);
  return status;
}

/* Lists the operators, subgraph by subgraph. */
static neap_status list_operators(struct run *run, neap_error *error) {
  const struct tflite_model *model = run->model;
  neap_arena_operator *kernel = run->arena->operators;
  neap_status status = NEAP_OK;
  for (size_t s = 0; s < model->subgraph_count; s++)
    for (size_t k = 0; k < model->subgraphs[s].operators.count && status == NEAP_OK; k++) {
      status = tflite_footprint_open(&run->footprint, model, s, k, error);
      *kernel++ = (neap_arena_operator){
          .type = tflite_operator_name(run->footprint.call.code), .subgraph = s, .index = k};
    }
  return status;
}

static struct runtime_arena *make_arena(const struct tflite_model *model) {
  size_t *counts = memory_array(model->subgraph_count, sizeof *counts);
  for (size_t s = 0; s < model->subgraph_count && counts; s++)
    counts[s] = model->subgraphs[s].operators.count;
  struct runtime_arena *arena =
      counts ? runtime_arena_new(model->subgraph_count, counts) : NULL;
  free(counts);
  return arena;
}

static neap_status allocate(struct run *run, neap_error *error) {
  run->arena = make_arena(run->model);
  run->resource_of = memory_array(run->model->tensor_count, sizeof *run->resource_of);
  run->is_known = memory_array(run->model->tensor_count, sizeof *run->is_known);
  if (!run->arena || !run->resource_of || !run->is_known) return error_memory(error);
  neap_arena *totals = &run->arena->totals;
  totals->tensor_count = run->model->tensor_count;
  totals->pointer = (unsigned)run->structs->pointer;
  totals->kernels = kernels_at(run->footprint.call.kernels)->name;
  totals->version = footprint_version(run->footprint.call.kernels);
  return list_operators(run, error);
}

neap_status tflite_arena_predict(const struct tflite_model *model, const neap_reading *reading,
                                 const struct tflite_scratch *scratch, const int32_t *offsets,
                                 neap_graph *graph, neap_error *error) {
  struct run run = {.model = model,
                    .scratch = scratch,
                    .graph = graph,
                    .offsets = offsets,
                    .plans_variables = !target_leaves_variables(reading)};
  run.footprint.call.take = take;
  run.footprint.call.user = &run;
  tflite_footprint_target(&run.footprint, reading);
  run.structs = structs_of(&run.footprint.call);
  neap_status status = allocate(&run, error);
  if (status == NEAP_OK) status = simulate(&run, reading->model.resource_variables, error);
  if (status == NEAP_OK) graph->arena = run.arena;
  else runtime_arena_free(run.arena);
  tflite_footprint_clear(&run.footprint);
  free(run.resources);
  free(run.resource_of);
  free(run.is_known);
  return status;
}
