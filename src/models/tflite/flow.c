/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Some operators, such as IF, run other subgraphs: operators/subgraph_calls merges the operators of
 * all of them into one sequence.  TensorFlow Lite Micro plans all subgraphs together, in the same
 * way.
 *
 * An operator may read a tensor that nothing makes, such as the working memory of an accelerator.
 * Then the first reader counts as its maker, or the last operator if the tensor is only an
 * output.
 *
 * Operators that use a tensor outside the arena, such as a variable's handle, keep their order,
 * because the graph does not show the flow of its data.
 */
#include "models/tflite/tflite.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/checked.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/text.h"
#include "files/kernels.h"
#include "files/target.h"
#include "model/graph.h"
#include "models/operators/multiply_accumulates.h"
#include "models/operators/subgraph_calls.h"
#include "models/operators/tensor_slices.h"
#include "models/tflite/kernel_shapes.h"
#include "models/tflite/kernels.h"
#include "models/tflite/macs.h"
#include "models/tflite/operand.h"
#include "models/tflite/operators.h"
#include "models/tflite/schema.h"

/* --------------------------------------------------- operators that may request scratch buffers */

static neap_status note_unknown_scratch(const struct tflite_model *model, size_t subgraph,
                                        size_t index, neap_graph *graph, neap_error *error) {
  struct tflite_footprint footprint = {.custom = NULL};
  char text[TFLITE_PLACE], reason[ACCEPTS_REASON];
  neap_status status = tflite_footprint_open(&footprint, model, subgraph, index, error);
  if (status == NEAP_OK && !footprint_knows(&footprint.call) &&
      !footprint_refuses(&footprint.call, reason)) {
    tflite_footprint_name(&footprint, subgraph, index, text);
    size_t length = strlen(text);
    if (names_find(&graph->unknown_scratch, text, length) == NAMES_NONE &&
        !names_add(&graph->unknown_scratch, text, length))
      status = error_memory(error);
  }
  tflite_footprint_clear(&footprint);
  return status;
}

/* ---------------------------------------------------------------- concatenations and splits */

/*
 * The axis need not be read: it is the one in which the shapes differ.  Concatenations of uint8
 * are left out, because they may convert inputs with other scales.
 */

/* Finds where the elements of a slice begin in its input; false if unknown. */
static bool find_slice(const struct tflite_call *call, const struct tflite_operand *whole,
                       int64_t *first) {
  struct flat_vector begin;
  *first = 0;
  if (!tflite_constant(call, 1, whole->rank, &begin)) return false;
  for (size_t d = 0; d < whole->rank; d++) {
    int64_t at = flat_int32(&begin, d);
    if (at < 0 || !checked_mul(*first, whole->dims[d], first) ||
        !checked_add(*first, at, first))
      return false;
  }
  return true;
}

static neap_status add_parts(const struct tflite_call *call, neap_graph *graph,
                             neap_error *error) {
  bool is_concat = call->code == TFLITE_CONCATENATION;
  const struct flat_vector *list = is_concat ? call->inputs : call->outputs;
  struct tflite_operand whole, part;
  struct parts parts;
  neap_status status = NEAP_OK;
  bool is_slice = call->code == TFLITE_SLICE;
  if (!is_concat && !is_slice && call->code != TFLITE_SPLIT && call->code != TFLITE_SPLIT_V)
    return status;
  if (!tflite_operand_read(call->subgraph, is_concat ? call->outputs : call->inputs,
                           call->code == TFLITE_SPLIT, &whole) ||
      (is_concat && whole.type == TFLITE_UINT8) ||
      !parts_begin(&parts, graph, is_concat ? NEAP_ALIAS_CONCAT : NEAP_ALIAS_SPLIT,
                   whole.tensor, &(struct parts_shape){whole.rank, whole.dims}) ||
      (is_slice && !find_slice(call, &whole, &parts.elements)))
    return status;
  for (size_t i = 0; i < list->count && status == NEAP_OK; i++) {
    if (!tflite_operand_read(call->subgraph, list, i, &part) || part.type != whole.type)
      return NEAP_OK;
    status = parts_add(&parts, part.tensor, &(struct parts_shape){part.rank, part.dims}, error);
  }
  return status;
}

/* Limit on the links of subgraphs that are called again. */
#define AGAIN_MAX ((size_t)1 << 18)

enum tensor_state { TENSOR_UNMADE, TENSOR_HAS_MAKER, TENSOR_IS_ENTERED };

struct flow {
  struct tflite_model *model;
  const struct tflite_scratch *scratch;
  bool has_overlap; /* outputs may lie over inputs, as far as kernels allow */
  neap_kernels kernels;
  neap_graph *graph;
  unsigned char *tensors; /* by tensor: its enum tensor_state */
  struct calls calls;
  size_t again; /* links of subgraphs that ran before */
};

/* Where the operators of a subgraph are in the sequence. */
struct visit {
  const struct tflite_subgraph *subgraph;
  size_t index;
  bool is_again;      /* an earlier call has made its tensors */
  const char *caller; /* the operator that calls it; NULL for subgraph 0 */
};

static struct visit visit_of(const struct flow *flow, const struct calls_visit *visit) {
  return (struct visit){&flow->model->subgraphs[visit->body], visit->body, visit->is_again,
                        visit->caller};
}

/* The lists of an operator. */
struct node {
  struct flat_table table;
  struct flat_vector inputs, outputs;
  uint64_t code;
  size_t index; /* in its subgraph */
};

static bool is_activation(const struct flow *flow, size_t tensor) {
  return flow->graph->tensors[tensor].kind == NEAP_TENSOR_ACTIVATION;
}

/* ---------------------------------------------------------------- what makes the tensors */

static neap_status open_node(const struct flow *flow, const struct tflite_subgraph *subgraph,
                             size_t index, struct node *node, neap_error *error) {
  node->index = index;
  if (flat_element(&subgraph->operators, index, &node->table) &&
      tflite_model_code(flow->model, &node->table, &node->code) &&
      flat_vector(&node->table, TFLITE_OPERATOR_INPUTS, 4, &node->inputs) &&
      flat_vector(&node->table, TFLITE_OPERATOR_OUTPUTS, 4, &node->outputs))
    return NEAP_OK;
  return tflite_model_broken("operator", index, error);
}

/* Checks a list of tensors, and notes that an operator makes them. */
static neap_status note_makers(struct flow *flow, const struct tflite_subgraph *subgraph,
                               const struct flat_vector *list, bool are_made, const char *where,
                               size_t number, neap_error *error) {
  neap_status status = tflite_model_spend(flow->model, 4 * list->count, error);
  for (size_t i = 0; i < list->count && status == NEAP_OK; i++) {
    size_t tensor;
    status = tflite_model_tensor(subgraph, list, i, where, number, &tensor, error);
    if (status == NEAP_OK && are_made && tensor != TFLITE_NONE)
      flow->tensors[tensor] = TENSOR_HAS_MAKER;
  }
  return status;
}

static neap_status survey_subgraph(struct flow *flow, size_t index, neap_error *error) {
  const struct tflite_subgraph *subgraph = &flow->model->subgraphs[index];
  struct node node;
  neap_status status =
      note_makers(flow, subgraph, &subgraph->inputs, true, "subgraph", index, error);
  if (status == NEAP_OK)
    status = note_makers(flow, subgraph, &subgraph->outputs, false, "subgraph", index, error);
  for (size_t k = 0; k < subgraph->operators.count && status == NEAP_OK; k++) {
    status = tflite_model_spend(flow->model, 4, error);
    if (status == NEAP_OK) status = open_node(flow, subgraph, k, &node, error);
    if (status == NEAP_OK)
      status = note_makers(flow, subgraph, &node.inputs, false, "operator", k, error);
    if (status == NEAP_OK)
      status = note_makers(flow, subgraph, &node.outputs, true, "operator", k, error);
  }
  return status;
}

static neap_status survey(struct flow *flow, neap_error *error) {
  neap_status status = NEAP_OK;
  for (size_t s = 0; s < flow->model->subgraph_count && status == NEAP_OK; s++)
    status = survey_subgraph(flow, s, error);
  for (size_t t = 0; t < flow->model->tensor_count; t++)
    if (!is_activation(flow, t)) flow->tensors[t] = TENSOR_HAS_MAKER;
  return status;
}

/* ---------------------------------------------------------------- what keeps its place */

static struct graph_operator *last_operator(const struct flow *flow) {
  return &flow->graph->operators[flow->graph->operator_count - 1];
}

/* Whether a list has a tensor that the graph does not link. */
static bool has_external(const struct flow *flow, const struct visit *visit,
                         const struct flat_vector *list) {
  size_t tensor;
  for (size_t i = 0; i < list->count; i++)
    if (tflite_model_tensor(visit->subgraph, list, i, "subgraph", visit->index, &tensor,
                            NULL) == NEAP_OK &&
        tensor != TFLITE_NONE && flow->graph->tensors[tensor].kind == NEAP_TENSOR_EXTERNAL)
      return true;
  return false;
}

/* Notes the place of the last operator in the model, and whether it must keep this place. */
static void note_place(const struct flow *flow, const struct visit *visit,
                       const struct node *node) {
  struct graph_operator *last = last_operator(flow);
  last->body = visit->is_again ? GRAPH_STEP : visit->index;
  last->place = node->index;
  last->is_once = node->code == TFLITE_RANDOM_STANDARD_NORMAL ||
                  node->code == TFLITE_RANDOM_UNIFORM || node->code == TFLITE_MULTINOMIAL;
  if (has_external(flow, visit, &node->inputs) || has_external(flow, visit, &node->outputs))
    last->keep = GRAPH_CHAINED;
  if (visit->is_again || tflite_operator_caller(node->code)) last->keep = GRAPH_KEPT;
}

/* ---------------------------------------------------------------- links */

/* Which tensors of a list to link. */
enum pick { PICK_ALL, PICK_MADE, PICK_UNMADE };

static bool is_picked(const struct flow *flow, size_t tensor, enum pick pick) {
  if (tensor == TFLITE_NONE) return false;
  if (flow->graph->tensors[tensor].kind == NEAP_TENSOR_EXTERNAL) return false;
  bool is_unmade = flow->tensors[tensor] == TENSOR_UNMADE;
  return pick == PICK_ALL || is_unmade == (pick == PICK_UNMADE);
}

static neap_status add_links(struct flow *flow, const struct visit *visit,
                             const struct flat_vector *list, neap_link link, enum pick pick,
                             neap_error *error) {
  neap_status status = NEAP_OK;
  if (visit->is_again && list->count + 1 > AGAIN_MAX - flow->again)
    return error_set(error, NEAP_ERROR_INPUT,
                     "the model calls its subgraphs from too many operators");
  if (visit->is_again) flow->again += list->count + 1;
  for (size_t i = 0; i < list->count && status == NEAP_OK; i++) {
    size_t tensor;
    status =
        tflite_model_tensor(visit->subgraph, list, i, "subgraph", visit->index, &tensor, error);
    if (status != NEAP_OK || !is_picked(flow, tensor, pick)) continue;
    if (pick == PICK_UNMADE) flow->tensors[tensor] = TENSOR_HAS_MAKER;
    status = neap_graph_add_link(flow->graph, link, tensor, error);
  }
  return status;
}

/* Links the scratch buffers of an operator. */
static neap_status add_scratch(struct flow *flow, const struct visit *visit,
                               const struct node *node, neap_link link, neap_error *error) {
  const struct tflite_scratch *scratch = flow->scratch;
  neap_status status = NEAP_OK;
  for (size_t r = tflite_scratch_find(scratch, visit->index, node->index);
       r < scratch->count && status == NEAP_OK; r++) {
    const struct tflite_request *request = &scratch->requests[r];
    if (request->subgraph != visit->index || request->index != node->index) break;
    status = neap_graph_add_link(flow->graph, link, request->tensor, error);
  }
  return status;
}

/* In a subgraph that ran before, the outputs of an operator exist and are only read again. */
static neap_status link_node(struct flow *flow, const struct visit *visit,
                             const struct node *node, neap_error *error) {
  neap_link made = visit->is_again ? NEAP_LINK_INPUT : NEAP_LINK_OUTPUT;
  neap_status status = add_links(flow, visit, &node->inputs, NEAP_LINK_INPUT, PICK_MADE, error);
  if (status == NEAP_OK) status = add_links(flow, visit, &node->outputs, made, PICK_ALL, error);
  if (status == NEAP_OK)
    status = add_links(flow, visit, &node->inputs, NEAP_LINK_OUTPUT, PICK_UNMADE, error);
  return status == NEAP_OK ? add_scratch(flow, visit, node, made, error) : status;
}

/* Allows the first output to use the bytes of one of the first inputs. */
static neap_status add_pairs(struct flow *flow, const struct node *node, neap_error *error) {
  const struct graph_operator *last = last_operator(flow);
  bool view = tflite_operator_is_view(node->code);
  size_t inputs = last->inputs.end - last->inputs.begin;
  if ((!view && !tflite_operator_is_element_wise(node->code)) ||
      last->outputs.begin == last->outputs.end)
    return NEAP_OK;
  neap_status status = NEAP_OK;
  for (size_t i = 0; i < inputs && i < (view ? 1 : 2) && status == NEAP_OK; i++)
    status = neap_graph_add_pair(flow->graph,
                                 &(neap_in_place){sizeof(neap_in_place), i, 0, view}, error);
  return status;
}

/* Describes the kernel; parts only if no subgraph calls it, which may run again with other data. */
static neap_status describe_kernel(struct flow *flow, const struct visit *visit,
                                   const struct node *node, neap_error *error) {
  const struct tflite_call call = {flow->model,   visit->subgraph, &node->table,
                                   &node->inputs, &node->outputs,  node->code};
  neap_status status = NEAP_OK;
  if (!flow->scratch->is_given)
    status = note_unknown_scratch(flow->model, visit->index, node->index, flow->graph, error);
  if (status == NEAP_OK)
    status = work_time_operator(flow->graph, tflite_count_macs(&call), error);
  if (status == NEAP_OK && !visit->caller) status = add_parts(&call, flow->graph, error);
  if (status != NEAP_OK || !flow->has_overlap) return status;
  return tflite_add_allowances(&call, flow->kernels, flow->graph, error);
}

/* ---------------------------------------------------------------- calls */

/* Notes what the plan lacks. */
static neap_status note_missing(const struct flow *flow, const char *text, neap_error *error) {
  return names_find(&flow->graph->missing, text, strlen(text)) != NAMES_NONE ||
                 names_add(&flow->graph->missing, text, strlen(text))
             ? NEAP_OK
             : error_memory(error);
}

/* An operator without a decomposition has a kernel of its own, which may need memory. */
static neap_status note_no_decomposition(const struct flow *flow, const struct visit *visit,
                                         const struct node *node, neap_error *error) {
  char text[128];
  snprintf(text, sizeof text, "the decomposition of operator %zu of subgraph %zu, %s",
           node->index, visit->index, tflite_operator_name(node->code));
  return note_missing(flow, text, error);
}

/* The subgraphs that an operator calls. */
struct callees {
  const struct tflite_caller *caller; /* NULL: it calls none */
  struct flat_table options;
  struct flat_vector list; /* of callees, if the caller has one */
  size_t count;
};

static neap_status open_callees(const struct visit *visit, const struct node *node,
                                struct callees *callees, neap_error *error) {
  const struct tflite_caller *caller = tflite_operator_caller(node->code);
  uint64_t type;
  bool found;
  *callees = (struct callees){.caller = caller};
  if (!caller) return NEAP_OK;
  if (!flat_unsigned(&node->table,
                     caller->is_second ? TFLITE_OPERATOR_OPTIONS_2_TYPE
                                       : TFLITE_OPERATOR_OPTIONS_TYPE,
                     1, 0, &type) ||
      !flat_child(&node->table,
                  caller->is_second ? TFLITE_OPERATOR_OPTIONS_2 : TFLITE_OPERATOR_OPTIONS,
                  &callees->options, &found))
    return tflite_model_broken("operator", node->index, error);
  if (!found || type != caller->options_type)
    return error_set(error, NEAP_ERROR_INPUT,
                     "operator %zu of subgraph %zu, %s: expected the subgraphs that it calls",
                     node->index, visit->index, tflite_operator_name(node->code));
  callees->count = caller->count;
  if (caller->count > 0) return NEAP_OK;
  if (!flat_vector(&callees->options, caller->first, 4, &callees->list))
    return tflite_model_broken("operator", node->index, error);
  callees->count = callees->list.count;
  return NEAP_OK;
}

/* The subgraph that a call runs; TFLITE_NONE: a composite without a decomposition. */
static neap_status find_callee(const struct flow *flow, const struct visit *visit,
                               const struct node *node, const struct callees *callees,
                               size_t call, size_t *callee, neap_error *error) {
  const size_t subgraphs = flow->model->subgraph_count;
  const struct flat_vector *list = &callees->list;
  uint64_t index = 0;
  if (callees->caller->count == 0) index = flat_get32(list->file, list->at + 4 * call);
  else if (!flat_unsigned(&callees->options, callees->caller->first + call, 4, 0, &index))
    return tflite_model_broken("operator", node->index, error);
  *callee = (size_t)index;
  if (node->code == TFLITE_STABLEHLO_COMPOSITE && (index == 0 || index >= subgraphs))
    *callee = TFLITE_NONE;
  else if (index >= subgraphs)
    return error_set(error, NEAP_ERROR_INPUT,
                     "operator %zu of subgraph %zu, %s, calls subgraph %" PRIu64
                     ", but the model has %zu subgraphs",
                     node->index, visit->index, tflite_operator_name(node->code), index,
                     subgraphs);
  return NEAP_OK;
}

/* Makes each input of a called subgraph once. */
static neap_status enter(void *user, const struct calls_visit *called, neap_error *error) {
  struct flow *flow = user;
  const struct visit visit = visit_of(flow, called);
  const struct flat_vector *inputs = &visit.subgraph->inputs;
  neap_status status = NEAP_OK;
  if (visit.is_again) return add_links(flow, &visit, inputs, NEAP_LINK_INPUT, PICK_ALL, error);
  for (size_t i = 0; i < inputs->count && status == NEAP_OK; i++) {
    size_t tensor;
    status =
        tflite_model_tensor(visit.subgraph, inputs, i, "subgraph", visit.index, &tensor, error);
    if (status != NEAP_OK || tensor == TFLITE_NONE || !is_activation(flow, tensor) ||
        flow->tensors[tensor] == TENSOR_IS_ENTERED)
      continue;
    flow->tensors[tensor] = TENSOR_IS_ENTERED;
    status = neap_graph_add_link(flow->graph, NEAP_LINK_OUTPUT, tensor, error);
  }
  return status;
}

static neap_status leave(void *user, const struct calls_visit *called, neap_error *error) {
  struct flow *flow = user;
  const struct visit visit = visit_of(flow, called);
  const struct flat_vector *outputs = &visit.subgraph->outputs;
  neap_status status = add_links(flow, &visit, outputs, NEAP_LINK_INPUT, PICK_MADE, error);
  return status == NEAP_OK
             ? add_links(flow, &visit, outputs, NEAP_LINK_OUTPUT, PICK_UNMADE, error)
             : status;
}

/* Adds the operators of the subgraphs that an operator calls. */
static neap_status add_calls(struct flow *flow, const struct visit *visit,
                             const struct node *node, neap_error *error) {
  struct callees callees;
  size_t callee = TFLITE_NONE;
  const char *name = tflite_operator_name(node->code);
  neap_status status = open_callees(visit, node, &callees, error);
  for (size_t c = 0; c < callees.count && status == NEAP_OK; c++) {
    status = find_callee(flow, visit, node, &callees, c, &callee, error);
    if (status == NEAP_OK && callee == TFLITE_NONE)
      return note_no_decomposition(flow, visit, node, error);
    if (status == NEAP_OK) status = calls_run(&flow->calls, callee, name, error);
  }
  if (status != NEAP_OK || callees.count == 0) return status;
  status = calls_add_step(&flow->calls, name, error);
  if (status == NEAP_OK)
    status = add_links(flow, visit, &node->inputs, NEAP_LINK_INPUT, PICK_ALL, error);
  if (status == NEAP_OK)
    status = add_links(flow, visit, &node->outputs, NEAP_LINK_INPUT, PICK_ALL, error);
  return status == NEAP_OK ? add_scratch(flow, visit, node, NEAP_LINK_INPUT, error) : status;
}

/* ---------------------------------------------------------------- running */

static neap_status run_operator(struct flow *flow, const struct visit *visit, size_t index,
                                neap_error *error) {
  struct node node;
  neap_status status = open_node(flow, visit->subgraph, index, &node, error);
  if (status == NEAP_OK)
    status = neap_graph_add_operator(flow->graph, tflite_operator_name(node.code), error);
  if (status == NEAP_OK) note_place(flow, visit, &node);
  if (status == NEAP_OK) status = link_node(flow, visit, &node, error);
  if (visit->is_again) flow->graph->step_count++;
  if (status == NEAP_OK && !visit->is_again) status = add_pairs(flow, &node, error);
  if (status == NEAP_OK && !visit->is_again)
    status = describe_kernel(flow, visit, &node, error);
  return status == NEAP_OK ? add_calls(flow, visit, &node, error) : status;
}

static neap_status run_operators(void *user, const struct calls_visit *called,
                                 neap_error *error) {
  struct flow *flow = user;
  const struct visit visit = visit_of(flow, called);
  neap_status status = NEAP_OK;
  for (size_t k = 0; k < visit.subgraph->operators.count && status == NEAP_OK; k++)
    status = run_operator(flow, &visit, k, error);
  if (status != NEAP_OK || visit.caller || flow->graph->operator_count == 0) return status;
  return add_links(flow, &visit, &visit.subgraph->outputs, NEAP_LINK_OUTPUT, PICK_UNMADE,
                   error);
}

/* ---------------------------------------------------------------- the whole */

/* Subgraph 0 is the one that runs; its inputs and outputs are those of the graph. */
static neap_status mark_ends(struct flow *flow, neap_error *error) {
  const struct tflite_subgraph *main = &flow->model->subgraphs[0];
  neap_status status = NEAP_OK;
  size_t tensor;
  for (size_t i = 0; i < main->inputs.count && status == NEAP_OK; i++) {
    status = tflite_model_tensor(main, &main->inputs, i, "subgraph", 0, &tensor, error);
    if (status == NEAP_OK && tensor != TFLITE_NONE && is_activation(flow, tensor))
      flow->graph->tensors[tensor].is_input = true;
  }
  for (size_t i = 0; i < main->outputs.count && status == NEAP_OK; i++) {
    status = tflite_model_tensor(main, &main->outputs, i, "subgraph", 0, &tensor, error);
    if (status == NEAP_OK && tensor != TFLITE_NONE)
      flow->graph->tensors[tensor].is_output = true;
  }
  return status;
}

/* Signatures may run subgraphs that no operator calls. */
static neap_status note_uncalled(const struct flow *flow, neap_error *error) {
  neap_status status = NEAP_OK;
  for (size_t s = 1; s < flow->model->subgraph_count && status == NEAP_OK; s++) {
    const struct tflite_subgraph *subgraph = &flow->model->subgraphs[s];
    char text[96];
    if (calls_has_run(&flow->calls, s) || subgraph->operators.count == 0) continue;
    snprintf(text, sizeof text, "subgraph %zu, which no operator of subgraph 0 calls", s);
    status = note_missing(flow, text, error);
  }
  return status;
}

neap_status tflite_read_flow(struct tflite_model *model, const struct tflite_scratch *scratch,
                             const neap_reading *reading, neap_graph *graph,
                             neap_error *error) {
  static const struct calls_format format = {run_operators, enter, leave};
  const struct kernels *kernels = kernels_at(kernels_of(reading));
  struct flow flow = {.model = model,
                      .scratch = scratch,
                      .has_overlap =
                          reading->graph.liveness.overlap && kernels && kernels->is_runtimes,
                      .kernels = kernels_of(reading),
                      .graph = graph};
  flow.calls = (struct calls){
      .graph = graph, .format = &format, .user = &flow, .body_count = model->subgraph_count};
  flow.tensors = memory_array(model->tensor_count, sizeof *flow.tensors);
  const bool fits = calls_init(&flow.calls) && flow.tensors;
  neap_status status = fits ? survey(&flow, error) : error_memory(error);
  if (status == NEAP_OK) status = mark_ends(&flow, error);
  if (status == NEAP_OK) status = calls_run(&flow.calls, 0, NULL, error);
  if (status == NEAP_OK && !target_of(reading)->is_predicted)
    status = note_uncalled(&flow, error);
  calls_clear(&flow.calls);
  free(flow.tensors);
  return status;
}
