/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/unroll.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"

struct unroll {
  const struct neap_graph *from;
  struct neap_graph *to;
  size_t *newest; /* per tensor of `from`: its newest copy in `to` */
  size_t *copies; /* per tensor of `from` */
  bool *has_run;  /* per operator */
  size_t *given;  /* per run */
};

/* ---------------------------------------------------------------- tensors */

static neap_status add_tensor(struct unroll *unroll, size_t t, const char *name,
                              neap_error *error) {
  const struct tensor_shape shape = shapes_of(&unroll->from->shapes, t);
  neap_tensor tensor = unroll->from->tensors[t];
  tensor.shape = shape.dimensions;
  tensor.rank = shape.rank;
  tensor.dtype = shape.type;
  return neap_graph_add_tensor(unroll->to, name, &tensor, error);
}

/* Adds the next copy of a tensor, with the first name that is free. */
static neap_status copy_tensor(struct unroll *unroll, size_t t, neap_error *error) {
  const char *own = names_text(&unroll->from->names, t);
  size_t size = strlen(own) + 24;
  char *name = malloc(size);
  if (!name) return error_memory(error);
  do {
    snprintf(name, size, "%s#%zu", own, ++unroll->copies[t] + 1);
  } while (names_find(&unroll->to->names, name, strlen(name)) != NAMES_NONE);
  neap_status status = add_tensor(unroll, t, name, error);
  unroll->newest[t] = graph_tensor_count(unroll->to) - 1;
  free(name);
  return status;
}

static neap_status copy_made(struct unroll *unroll, struct graph_links links,
                             neap_error *error) {
  neap_status status = NEAP_OK;
  for (size_t i = links.begin; i < links.end && status == NEAP_OK; i++)
    status = copy_tensor(unroll, unroll->from->links[i], error);
  return status;
}

/* ---------------------------------------------------------------- runs */

static neap_status add_links(struct unroll *unroll, struct graph_links links, neap_link role,
                             neap_error *error) {
  neap_status status = NEAP_OK;
  for (size_t i = links.begin; i < links.end && status == NEAP_OK; i++)
    status =
        neap_graph_add_link(unroll->to, role, unroll->newest[unroll->from->links[i]], error);
  return status;
}

/*
 * Copies all members that do not refer to tensors.  The runs of an operator share its pairs,
 * allowances and parts, which refer to positions of inputs and outputs.
 */
static void settle(struct unroll *unroll, size_t k, struct graph_operator *added) {
  const struct graph_operator *node = &unroll->from->operators[k];
  struct graph_operator own = *added;
  *added = *node;
  added->name = own.name;
  added->label = own.label;
  added->inputs = own.inputs;
  added->outputs = own.outputs;
  added->temporaries = own.temporaries;
  unroll->given[unroll->to->operator_count - 1] =
      unroll->from->given ? unroll->from->given[k] : k;
  unroll->has_run[k] = true;
}

static neap_status add_run(struct unroll *unroll, size_t k, neap_error *error) {
  const struct graph_operator *node = &unroll->from->operators[k];
  struct neap_graph *to = unroll->to;
  neap_status status = neap_graph_add_operator(to, node->name, error);
  if (status == NEAP_OK) status = neap_graph_label_operator(to, node->label, error);
  if (status == NEAP_OK) status = add_links(unroll, node->inputs, NEAP_LINK_INPUT, error);
  if (status == NEAP_OK && unroll->has_run[k]) {
    status = copy_made(unroll, node->outputs, error);
    if (status == NEAP_OK) status = copy_made(unroll, node->temporaries, error);
  }
  if (status == NEAP_OK) status = add_links(unroll, node->outputs, NEAP_LINK_OUTPUT, error);
  if (status == NEAP_OK)
    status = add_links(unroll, node->temporaries, NEAP_LINK_TEMPORARY, error);
  if (status != NEAP_OK) return status;
  settle(unroll, k, &to->operators[to->operator_count - 1]);
  return NEAP_OK;
}

/* Keeps the pins of tensors; their copies are not pinned. */
static bool copy_pins(const struct neap_graph *from, struct neap_graph *to) {
  size_t count = graph_tensor_count(to), old = graph_tensor_count(from);
  if (!from->pins) return true;
  to->pins = memory_array(count, sizeof *to->pins);
  for (size_t t = 0; to->pins && t < count; t++)
    to->pins[t] = t < old ? from->pins[t] : (struct graph_pin){t, NEAP_UNPLACED};
  return to->pins != NULL;
}

static neap_status add_all(struct unroll *unroll, const size_t *runs, size_t count,
                           neap_error *error) {
  neap_status status = NEAP_OK;
  for (size_t t = 0; t < graph_tensor_count(unroll->from) && status == NEAP_OK; t++) {
    status = add_tensor(unroll, t, names_text(&unroll->from->names, t), error);
    unroll->newest[t] = t;
  }
  for (size_t at = 0; at < count && status == NEAP_OK; at++)
    status = add_run(unroll, runs[at], error);
  if (status == NEAP_OK &&
      (!names_add_all(&unroll->to->unknown_scratch, &unroll->from->unknown_scratch) ||
       !names_add_all(&unroll->to->missing, &unroll->from->missing) ||
       !graph_copy_states(unroll->from, unroll->to) || !copy_pins(unroll->from, unroll->to)))
    status = error_memory(error);
  return status;
}

/* ---------------------------------------------------------------- the whole */

/* Replaces a graph by its unrolled form, which inherits the properties of the order. */
static void replace(struct neap_graph *graph, struct neap_graph *by, size_t *given,
                    neap_size bound) {
  struct neap_graph before = *graph;
  by->given_bound = before.given ? before.given_bound : bound;
  by->given = given;
  by->order_ticks = before.order_ticks;
  by->order_seconds = before.order_seconds;
  by->leads_in = before.leads_in;
  by->counts_work = before.counts_work;
  by->is_ordered = before.is_ordered;
  by->step_count = before.step_count;
  by->pairs = before.pairs;
  by->pair_count = by->pair_capacity = before.pair_count;
  by->allowances = before.allowances;
  by->allowance_count = by->allowance_capacity = before.allowance_count;
  by->parts = before.parts;
  by->part_count = by->part_capacity = before.part_count;
  by->extents = before.extents;
  by->extent_capacity = before.part_count;
  if (by->operator_count == before.operator_count) { /* otherwise, the arena differs */
    by->arena = before.arena;
    before.arena = NULL;
  }
  before.pairs = NULL;
  before.allowances = NULL;
  before.parts = NULL;
  before.extents = NULL;
  *graph = *by;
  *by = before;
}

neap_status unroll_graph(struct neap_graph *graph, const size_t *runs, size_t count,
                         neap_size bound, neap_error *error) {
  struct unroll unroll = {.from = graph, .to = neap_graph_new()};
  size_t tensors = graph_tensor_count(graph);
  unroll.newest = memory_array(tensors, sizeof *unroll.newest);
  unroll.copies = memory_array(tensors, sizeof *unroll.copies);
  unroll.has_run = memory_array(graph->operator_count, sizeof *unroll.has_run);
  unroll.given = memory_array(count, sizeof *unroll.given);
  bool has_room = unroll.to && unroll.newest && unroll.copies && unroll.has_run && unroll.given;
  neap_status status = has_room ? add_all(&unroll, runs, count, error) : error_memory(error);
  if (status == NEAP_OK) replace(graph, unroll.to, unroll.given, bound);
  else free(unroll.given);
  free(unroll.newest);
  free(unroll.copies);
  free(unroll.has_run);
  neap_graph_free(unroll.to);
  return status;
}
