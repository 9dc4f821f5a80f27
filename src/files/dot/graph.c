/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "files/dot/graph.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/text.h"
#include "files/dimensions.h"
#include "files/dot/nodes.h"
#include "model/graph.h"

/* ---------------------------------------------------------------- kinds of operators */

/*
 * Names of operators in frameworks.  Matching ignores case, everything up to the last `::` or `.`,
 * and trailing underscores, with which frameworks mark variants that work in place.
 */

static const char *const element_wise[] = {
    "abs",         "acos",       "add",        "and",
    "asin",        "atan",       "batch_norm", "batchnormalization",
    "ceil",        "celu",       "clamp",      "clip",
    "cos",         "div",        "divide",     "elu",
    "erf",         "exp",        "floor",      "gelu",
    "hardsigmoid", "hardswish",  "hardtanh",   "hsigmoid",
    "hswish",      "leaky_relu", "leakyrelu",  "log",
    "logicaland",  "logicalor",  "maximum",    "minimum",
    "mish",        "mul",        "multiply",   "neg",
    "negative",    "not",        "or",         "pow",
    "power",       "prelu",      "relu",       "relu6",
    "round",       "rsqrt",      "selu",       "sigmoid",
    "sign",        "silu",       "sin",        "softplus",
    "sqrt",        "square",     "sub",        "subtract",
    "swish",       "tanh",       "xor"};

static const char *const views[] = {"alias",       "contiguous", "detach",   "dropout",
                                    "expand_dims", "flatten",    "identity", "reshape",
                                    "squeeze",     "unsqueeze",  "view"};

static bool is_in(const char *const *names, size_t count, const char *name) {
  for (const char *at = name; *at; at++)
    if ((*at == '.' || *at == ':') && at[1] && at[1] != ':') name = at + 1;
  size_t length = strlen(name);
  while (length > 1 && name[length - 1] == '_')
    length--;
  for (size_t i = 0; i < count; i++)
    if (strlen(names[i]) == length && strncasecmp(names[i], name, length) == 0) return true;
  return false;
}

static bool operator_is_element_wise(const char *name) {
  return is_in(element_wise, sizeof element_wise / sizeof *element_wise, name);
}

static bool operator_is_view(const char *name) {
  return is_in(views, sizeof views / sizeof *views, name);
}

struct maker {
  const struct dot_nodes *nodes;
  neap_graph *graph;
  size_t *order;        /* of all nodes */
  size_t *edge_begin;   /* of each node: its first edge, once they are sorted by maker */
  size_t *by_reader;    /* edges by the node that reads, then in the file's order */
  size_t *read_end;     /* of each node */
  size_t *tensor_end;   /* of each node; its tensors are made one after another */
  bool ends_in_outputs; /* some node is an output of the graph */
};

/* ---------------------------------------------------------------- tensors */

static int by_maker(const void *left, const void *right) {
  const struct dot_edge *a = left, *b = right;
  if (a->from != b->from) return a->from < b->from ? -1 : 1;
  int order = strcmp(a->port, b->port);
  if (order != 0) return order;
  if (a->size.bytes != b->size.bytes) return a->size.bytes < b->size.bytes ? -1 : 1;
  return a->number < b->number ? -1 : a->number > b->number;
}

static bool is_same_tensor(const struct dot_edge *a, const struct dot_edge *b) {
  return a->from == b->from && a->size.bytes == b->size.bytes && strcmp(a->port, b->port) == 0;
}

/* Names a tensor after its node, with a number if the node has several or the name is taken. */
static char *name_tensor(const struct maker *maker, const struct dot_node *node, size_t nth) {
  const char *base = dot_node_name(node);
  size_t length = strlen(base);
  char *name = malloc(length + 64);
  if (!name) return NULL;
  memcpy(name, base, length + 1);
  if (nth > 0) snprintf(name + length, 64, ":%zu", nth);
  for (size_t n = graph_tensor_count(maker->graph);
       names_find(&maker->graph->names, name, strlen(name)) != NAMES_NONE; n++)
    snprintf(name + length, 64, "#%zu", n);
  return name;
}

static neap_status add_tensor(struct maker *maker, const struct dot_node *node, size_t nth,
                              struct dot_size size, bool is_read, neap_error *error) {
  char *name = name_tensor(maker, node, nth);
  if (!name) return error_memory(error);
  neap_tensor tensor = {
      .struct_size = sizeof(neap_tensor), .bytes = size.bytes, .alignment = size.alignment};
  tensor.is_input = node->role == DOT_INPUT;
  tensor.is_output = !is_read && !maker->ends_in_outputs;
  if (node->role == DOT_CONSTANT) tensor.kind = NEAP_TENSOR_CONSTANT;
  neap_status status = neap_graph_add_tensor(maker->graph, name, &tensor, error);
  free(name);
  return status;
}

/* One tensor for each port and size; without edges, one of the size that the node gives. */
static neap_status add_tensors(struct maker *maker, size_t n, neap_error *error) {
  const struct dot_node *node = &maker->nodes->nodes[n];
  struct dot_edge *edges = maker->nodes->edges;
  size_t nth = 0, begin = maker->edge_begin[n], end = maker->edge_begin[n + 1];
  neap_status status = NEAP_OK;
  for (size_t e = begin; e < end && status == NEAP_OK; e++) {
    bool is_new = e == begin || !is_same_tensor(&edges[e], &edges[e - 1]);
    if (is_new) status = add_tensor(maker, node, nth++, edges[e].size, true, error);
    edges[e].tensor = graph_tensor_count(maker->graph) - 1;
  }
  if (status == NEAP_OK && begin == end && node->own.bytes != NEAP_UNPLACED &&
      node->role != DOT_OUTPUT)
    status = add_tensor(maker, node, 0, node->own, false, error);
  maker->tensor_end[n] = graph_tensor_count(maker->graph);
  return status;
}

/* ---------------------------------------------------------------- operators */

/* Lists, for each node, the edges that it reads, in the file's order. */
static bool list_readers(struct maker *maker) {
  const struct dot_nodes *nodes = maker->nodes;
  size_t *by_number = memory_array(nodes->edge_count, sizeof *by_number);
  if (!by_number) return false;
  for (size_t e = 0; e < nodes->edge_count; e++) {
    by_number[nodes->edges[e].number] = e;
    maker->read_end[nodes->edges[e].to]++;
  }
  for (size_t n = 1; n < nodes->count; n++)
    maker->read_end[n] += maker->read_end[n - 1];
  for (size_t i = nodes->edge_count; i-- > 0;)
    maker->by_reader[--maker->read_end[nodes->edges[by_number[i]].to]] = by_number[i];
  for (size_t n = 0; n + 1 < nodes->count; n++)
    maker->read_end[n] = maker->read_end[n + 1];
  if (nodes->count > 0) maker->read_end[nodes->count - 1] = nodes->edge_count;
  free(by_number);
  return true;
}

/* The first output may use the bytes of either of the first two inputs that is no weight. */
static neap_status add_pairs(struct maker *maker, const struct dot_node *node,
                             neap_error *error) {
  neap_graph *graph = maker->graph;
  const struct graph_operator *last = &graph->operators[graph->operator_count - 1];
  const char *type = dot_node_type(node);
  bool view = operator_is_view(type);
  size_t inputs = last->inputs.end - last->inputs.begin;
  if ((!view && !operator_is_element_wise(type)) || last->outputs.begin == last->outputs.end)
    return NEAP_OK;
  neap_status status = NEAP_OK;
  for (size_t i = 0; i < inputs && i < (view ? 1 : 2) && status == NEAP_OK; i++)
    status =
        neap_graph_add_pair(graph, &(neap_in_place){sizeof(neap_in_place), i, 0, view}, error);
  return status;
}

static neap_status add_operator(struct maker *maker, size_t n, neap_error *error) {
  const struct dot_nodes *nodes = maker->nodes;
  size_t tensor = n == 0 ? 0 : maker->tensor_end[n - 1];
  const char *type = dot_node_type(&nodes->nodes[n]), *name = dot_node_name(&nodes->nodes[n]);
  neap_status status = neap_graph_add_operator(maker->graph, type, error);
  if (status == NEAP_OK && strcmp(type, name) != 0 &&
      text_utf8_prefix(name, strlen(name)) == strlen(name))
    status = neap_graph_label_operator(maker->graph, name, error);
  for (size_t i = n == 0 ? 0 : maker->read_end[n - 1];
       i < maker->read_end[n] && status == NEAP_OK; i++)
    status = neap_graph_add_link(maker->graph, NEAP_LINK_INPUT,
                                 nodes->edges[maker->by_reader[i]].tensor, error);
  for (; tensor < maker->tensor_end[n] && status == NEAP_OK; tensor++)
    status = neap_graph_add_link(maker->graph, NEAP_LINK_OUTPUT, tensor, error);
  return status == NEAP_OK ? add_pairs(maker, &nodes->nodes[n], error) : status;
}

static void mark_outputs(struct maker *maker) {
  const struct dot_nodes *nodes = maker->nodes;
  for (size_t e = 0; e < nodes->edge_count; e++)
    if (nodes->nodes[nodes->edges[e].to].role == DOT_OUTPUT)
      maker->graph->tensors[nodes->edges[e].tensor].is_output = true;
}

static neap_status add_all(struct maker *maker, neap_error *error) {
  const struct dot_nodes *nodes = maker->nodes;
  neap_status status = NEAP_OK;
  for (size_t n = 0; n < nodes->count && status == NEAP_OK; n++)
    status = add_tensors(maker, n, error);
  for (size_t i = 0; i < nodes->count && status == NEAP_OK; i++)
    if (nodes->nodes[maker->order[i]].role == DOT_OPERATOR)
      status = add_operator(maker, maker->order[i], error);
  if (status == NEAP_OK) mark_outputs(maker);
  return status;
}

/* ---------------------------------------------------------------- the whole */

/* Operators that depend on constants only are constants, such as quantised weights. */
static void fold_constants(struct maker *maker) {
  struct dot_node *nodes = maker->nodes->nodes;
  const struct dot_edge *edges = maker->nodes->edges;
  for (size_t i = 0; i < maker->nodes->count; i++) {
    size_t n = maker->order[i], begin = n == 0 ? 0 : maker->read_end[n - 1];
    bool is_constant = nodes[n].role == DOT_OPERATOR && begin < maker->read_end[n];
    for (size_t r = begin; r < maker->read_end[n] && is_constant; r++)
      is_constant = nodes[edges[maker->by_reader[r]].from].role == DOT_CONSTANT;
    if (is_constant) nodes[n].role = DOT_CONSTANT;
  }
}

static neap_status add_parts(struct maker *maker, const struct dot_reading *reading,
                             neap_error *error) {
  const struct dot_nodes *nodes = maker->nodes;
  neap_status status = dot_nodes_order(nodes, reading, maker->order, error);
  if (status != NEAP_OK) return status;
  qsort(nodes->edges, nodes->edge_count, sizeof *nodes->edges, by_maker);
  for (size_t e = 0; e < nodes->edge_count; e++)
    maker->edge_begin[nodes->edges[e].from + 1]++;
  for (size_t n = 0; n < nodes->count; n++) {
    maker->edge_begin[n + 1] += maker->edge_begin[n];
    if (nodes->nodes[n].role == DOT_OUTPUT) maker->ends_in_outputs = true;
  }
  if (!list_readers(maker)) return error_memory(error);
  fold_constants(maker);
  return add_all(maker, error);
}

static neap_status make_graph(const struct dot_nodes *nodes, const struct dot_reading *reading,
                              neap_graph **graph, neap_error *error) {
  struct maker maker = {.nodes = nodes, .graph = neap_graph_new()};
  maker.order = memory_array(nodes->count, sizeof *maker.order);
  maker.edge_begin = memory_array(nodes->count + 1, sizeof *maker.edge_begin);
  maker.by_reader = memory_array(nodes->edge_count, sizeof *maker.by_reader);
  maker.read_end = memory_array(nodes->count, sizeof *maker.read_end);
  maker.tensor_end = memory_array(nodes->count, sizeof *maker.tensor_end);
  neap_status status = maker.graph && maker.order && maker.edge_begin && maker.by_reader &&
                               maker.read_end && maker.tensor_end
                           ? add_parts(&maker, reading, error)
                           : error_memory(error);
  free(maker.order);
  free(maker.edge_begin);
  free(maker.by_reader);
  free(maker.read_end);
  free(maker.tensor_end);
  if (status == NEAP_OK) *graph = maker.graph;
  else neap_graph_free(maker.graph);
  return status;
}

/* Checks that each dimension has a value, and that each given value is for a dimension. */
static neap_status check_dimensions(const struct dot_reading *reading, neap_error *error) {
  char known[320] = "";
  size_t length = 0;
  for (size_t i = 0; i < reading->open->count; i++)
    dimensions_list(known, sizeof known, &length, names_text(reading->open, i));
  neap_status status = dimensions_check(reading->asked, reading->used, known, error);
  return status == NEAP_OK ? dimensions_check_open(reading->open, "", error) : status;
}

static neap_status read_parsed(Agraph_t *parsed, const struct dot_reading *reading,
                               neap_graph **graph, neap_error *error) {
  struct dot_nodes nodes = {0};
  if (!agisdirected(parsed))
    return error_set(
        error, NEAP_ERROR_INPUT,
        "expected a digraph, whose edges are tensors; an undirected graph has no operators");
  neap_status status = dot_nodes_read(&nodes, parsed, reading, error);
  if (status == NEAP_OK) status = check_dimensions(reading, error);
  if (status == NEAP_OK) status = make_graph(&nodes, reading, graph, error);
  dot_nodes_clear(&nodes);
  return status;
}

neap_status dot_graph_read(const char *text, size_t size, const neap_reading *reading,
                           neap_graph **graph, neap_error *error) {
  Agraph_t *parsed;
  struct names open = {0};
  struct dot_reading marked = {
      reading, memory_array(reading->model.dimension_count, sizeof *marked.used), &open, text,
      size};
  if (!marked.used) return error_memory(error);
  dot_library_lock();
  neap_status status = dot_library_parse(text, size, &parsed, error);
  if (status == NEAP_OK) {
    status = read_parsed(parsed, &marked, graph, error);
    agclose(parsed);
  }
  dot_library_unlock();
  names_clear(&open);
  free(marked.used);
  return status;
}
