/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "files/json/graph.h"

#include <ctype.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "core/checked.h"
#include "core/error.h"
#include "core/text.h"
#include "files/dtype.h"
#include "files/json/document.h"
#include "files/json/json.h"
#include "files/text_builder.h"
#include "model/graph.h"

bool json_graph_is(json_t *root) {
  const char *format = json_string_value(json_object_get(root, "format"));
  return format && strcmp(format, "neap-graph") == 0;
}

/* ---------------------------------------------------------------- tensors */

static neap_status bytes_of(const struct json_at *tensor, neap_size *bytes, neap_error *error) {
  struct json_at shape = json_member(tensor, "shape"), dtype = json_member(tensor, "dtype");
  const char *type;
  char excerpt[TEXT_EXCERPT];
  size_t rank;
  int64_t elements = 1, dimension, bits;
  neap_status status = json_read_array(&shape, &rank, error);
  if (status == NEAP_OK) status = json_read_string(&dtype, &type, error);
  if (status != NEAP_OK) return status;
  if ((bits = dtype_bits(type)) == 0)
    return json_blame(&dtype, error, "expected a type such as f32 or i8, found %s",
                      text_excerpt(excerpt, type, strlen(type)));
  for (size_t d = 0; d < rank; d++) {
    struct json_at at = json_element(&shape, d);
    status = json_read_number(&at, 0, &dimension, error);
    if (status != NEAP_OK) return status;
    if (!checked_mul(elements, dimension, &elements))
      return json_blame(&at, error, "the shape has more elements than 2^63 - 1");
  }
  return dtype_bytes(elements, bits, bytes)
             ? NEAP_OK
             : json_blame(&shape, error, "the tensor has more bits than 2^63 - 1");
}

static neap_status read_kind(const struct json_at *at, neap_tensor_kind *kind,
                             neap_error *error) {
  static const char *const kinds[] = {"activation", "constant", "variable", "external"};
  const char *name;
  char excerpt[TEXT_EXCERPT];
  if (!at->value) return NEAP_OK;
  neap_status status = json_read_string(at, &name, error);
  if (status != NEAP_OK) return status;
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
    if (strcmp(kinds[k], name) == 0) {
      *kind = (neap_tensor_kind)k;
      return NEAP_OK;
    }
  return json_blame(at, error, "expected activation, constant, variable or external, found %s",
                    text_excerpt(excerpt, name, strlen(name)));
}

/* Adds a tensor with the shape and the type that are known; `bytes` may be there without them. */
static neap_status add_tensor(const struct json_at *at, const char *name, neap_tensor *tensor,
                              neap_graph *graph, neap_error *error) {
  struct json_dimensions room = {0};
  struct tensor_shape shape;
  neap_status status = json_shape_read(at, &room, &shape, error);
  tensor->shape = shape.dimensions;
  tensor->rank = shape.rank;
  tensor->dtype = shape.type;
  if (status == NEAP_OK) {
    status = neap_graph_add_tensor(graph, name, tensor, error);
    if (status == NEAP_ERROR_INPUT) json_place(at, status, error);
  }
  free(room.items);
  return status;
}

static neap_status read_tensor(const struct json_at *at, neap_graph *graph, neap_error *error) {
  static const char *const keys[] = {"name", "bytes", JSON_SHAPE_KEYS, "kind", "alignment",
                                     "keep", NULL};
  neap_tensor tensor = {.struct_size = sizeof(neap_tensor), .alignment = 1};
  struct json_at name = json_member(at, "name"), bytes = json_member(at, "bytes");
  struct json_at kind = json_member(at, "kind"), keep = json_member(at, "keep");
  struct json_at alignment = json_member(at, "alignment");
  const char *text;
  neap_status status = json_read_object(at, keys, error);
  if (status == NEAP_OK) status = json_read_string(&name, &text, error);
  if (status == NEAP_OK)
    status = bytes.value ? json_read_number(&bytes, 0, &tensor.bytes, error)
                         : bytes_of(at, &tensor.bytes, error);
  if (status == NEAP_OK) status = read_kind(&kind, &tensor.kind, error);
  if (status == NEAP_OK && alignment.value)
    status = json_read_number(&alignment, 1, &tensor.alignment, error);
  if (status == NEAP_OK && keep.value)
    status = json_read_boolean(&keep, &tensor.is_kept, error);
  return status == NEAP_OK ? add_tensor(at, text, &tensor, graph, error) : status;
}

/* ---------------------------------------------------------------- operators */

static neap_status find_tensor(const struct json_at *at, const neap_graph *graph,
                               size_t *tensor, neap_error *error) {
  const char *name;
  char excerpt[TEXT_EXCERPT];
  neap_status status = json_read_string(at, &name, error);
  if (status != NEAP_OK) return status;
  *tensor = names_find(&graph->names, name, strlen(name));
  if (*tensor != NAMES_NONE) return NEAP_OK;
  return json_blame(at, error, "no tensor is called %s",
                    text_excerpt(excerpt, name, strlen(name)));
}

static neap_status read_links(const struct json_at *list, neap_link role, neap_graph *graph,
                              neap_error *error) {
  size_t count, tensor;
  neap_status status = json_read_array(list, &count, error);
  for (size_t i = 0; i < count && status == NEAP_OK; i++) {
    struct json_at at = json_element(list, i);
    status = find_tensor(&at, graph, &tensor, error);
    if (status == NEAP_OK) {
      status = neap_graph_add_link(graph, role, tensor, error);
      if (status == NEAP_ERROR_INPUT) json_place(&at, status, error);
    }
  }
  return status;
}

/* Reads an array of `count` numbers, such as "[input, output]". */
static neap_status read_numbers(const struct json_at *at, const char *expected, size_t count,
                                int64_t *numbers, neap_error *error) {
  size_t found;
  neap_status status = json_read_array(at, &found, error);
  if (status != NEAP_OK) return status;
  if (found != count)
    return json_blame(at, error, "expected %s, found an array of %zu", expected, found);
  for (size_t i = 0; i < count && status == NEAP_OK; i++) {
    struct json_at number = json_element(at, i);
    status = json_read_number(&number, 0, &numbers[i], error);
  }
  return status;
}

/* Calls `read` for each item of a list, if there is one. */
static neap_status read_items(const struct json_at *list,
                              neap_status read(const struct json_at *at, int kind,
                                               neap_graph *graph, neap_error *error),
                              int kind, neap_graph *graph, neap_error *error) {
  size_t count;
  if (!list->value) return NEAP_OK;
  neap_status status = json_read_array(list, &count, error);
  for (size_t i = 0; status == NEAP_OK && i < count; i++) {
    struct json_at at = json_element(list, i);
    status = read(&at, kind, graph, error);
  }
  return status;
}

static neap_status read_pair(const struct json_at *at, int is_view, neap_graph *graph,
                             neap_error *error) {
  int64_t ends[2];
  neap_status status = read_numbers(at, "[input, output]", 2, ends, error);
  if (status != NEAP_OK) return status;
  neap_in_place pair = {sizeof(neap_in_place), (size_t)ends[0], (size_t)ends[1], is_view};
  status = neap_graph_add_pair(graph, &pair, error);
  return status == NEAP_ERROR_INPUT ? json_place(at, status, error) : status;
}

static neap_status read_allowance(const struct json_at *at, int kind, neap_graph *graph,
                                  neap_error *error) {
  int64_t numbers[3];
  (void)kind;
  neap_status status = read_numbers(at, "[input, output, bytes]", 3, numbers, error);
  if (status != NEAP_OK) return status;
  neap_allowance allowance = {sizeof(neap_allowance), (size_t)numbers[0], (size_t)numbers[1],
                              numbers[2]};
  status = neap_graph_add_allowance(graph, &allowance, error);
  return status == NEAP_ERROR_INPUT ? json_place(at, status, error) : status;
}

static neap_status read_part(const struct json_at *at, int alias, neap_graph *graph,
                             neap_error *error) {
  int64_t numbers[3];
  neap_status status = read_numbers(at, "[input, output, offset]", 3, numbers, error);
  if (status != NEAP_OK) return status;
  neap_part part = {sizeof(neap_part), (size_t)numbers[0], (size_t)numbers[1], numbers[2],
                    (neap_alias)alias};
  status = neap_graph_add_part(graph, &part, error);
  return status == NEAP_ERROR_INPUT ? json_place(at, status, error) : status;
}

static neap_status read_device(const struct json_at *at, neap_graph *graph, neap_error *error) {
  struct json_at device = json_member(at, "device");
  int64_t number = 0;
  if (!device.value) return NEAP_OK;
  neap_status status = json_read_number(&device, 0, &number, error);
  if (status != NEAP_OK) return status;
  if (number > INT_MAX)
    return json_blame(&device, error, "expected at most %d, found %" PRId64, INT_MAX, number);
  graph->operators[graph->operator_count - 1].device = (int)number;
  return NEAP_OK;
}

static neap_status read_duration(const struct json_at *at, neap_graph *graph,
                                 neap_error *error) {
  struct json_at duration = json_member(at, "duration");
  int64_t number = 0;
  if (!duration.value) return NEAP_OK;
  neap_status status = json_read_number(&duration, 0, &number, error);
  if (status == NEAP_OK) status = neap_graph_time_operator(graph, number, error);
  return status == NEAP_ERROR_INPUT ? json_place(&duration, status, error) : status;
}

static neap_status read_once(const struct json_at *at, neap_graph *graph, neap_error *error) {
  struct json_at once = json_member(at, "once");
  bool is_once = false;
  neap_status status = once.value ? json_read_boolean(&once, &is_once, error) : NEAP_OK;
  if (status == NEAP_OK && is_once) graph_run_once(graph);
  return status;
}

static neap_status read_operator(const struct json_at *at, neap_graph *graph,
                                 neap_error *error) {
  static const char *const keys[] = {
      "name",    "label",  "inputs", "outputs", "temporaries", "in_place", "views",
      "overlap", "concat", "split",  "device",  "duration",    "once",     NULL};
  const char *text = "", *own = "";
  struct json_at label = json_member(at, "label");
  struct json_at name = json_member(at, "name"), temporaries = json_member(at, "temporaries");
  struct json_at inputs = json_member(at, "inputs"), outputs = json_member(at, "outputs");
  struct json_at in_place = json_member(at, "in_place"), views = json_member(at, "views");
  struct json_at overlap = json_member(at, "overlap");
  struct json_at concat = json_member(at, "concat"), split = json_member(at, "split");
  neap_status status = json_read_object(at, keys, error);
  if (status == NEAP_OK && name.value) status = json_read_string(&name, &text, error);
  if (status == NEAP_OK && label.value) status = json_read_string(&label, &own, error);
  if (status == NEAP_OK) status = neap_graph_add_operator(graph, text, error);
  if (status == NEAP_OK) status = neap_graph_label_operator(graph, own, error);
  if (status == NEAP_OK) status = read_device(at, graph, error);
  if (status == NEAP_OK) status = read_duration(at, graph, error);
  if (status == NEAP_OK) status = read_once(at, graph, error);
  if (status == NEAP_OK) status = read_links(&inputs, NEAP_LINK_INPUT, graph, error);
  if (status == NEAP_OK) status = read_links(&outputs, NEAP_LINK_OUTPUT, graph, error);
  if (status == NEAP_OK && temporaries.value)
    status = read_links(&temporaries, NEAP_LINK_TEMPORARY, graph, error);
  if (status == NEAP_OK) status = read_items(&views, read_pair, true, graph, error);
  if (status == NEAP_OK) status = read_items(&in_place, read_pair, false, graph, error);
  if (status == NEAP_OK) status = read_items(&overlap, read_allowance, 0, graph, error);
  if (status == NEAP_OK)
    status = read_items(&concat, read_part, NEAP_ALIAS_CONCAT, graph, error);
  return status == NEAP_OK ? read_items(&split, read_part, NEAP_ALIAS_SPLIT, graph, error)
                           : status;
}

/* ---------------------------------------------------------------- the whole */

typedef neap_status read_item(const struct json_at *at, neap_graph *graph, neap_error *error);

static neap_status read_list(const struct json_at *root, const char *key, read_item *item,
                             neap_graph *graph, neap_error *error) {
  struct json_at list = json_member(root, key);
  size_t count;
  neap_status status = json_read_array(&list, &count, error);
  for (size_t i = 0; status == NEAP_OK && i < count; i++) {
    struct json_at at = json_element(&list, i);
    status = item(&at, graph, error);
  }
  return status;
}

static neap_status read_input(const struct json_at *at, neap_graph *graph, neap_error *error) {
  size_t tensor;
  neap_status status = find_tensor(at, graph, &tensor, error);
  if (status == NEAP_OK) graph->tensors[tensor].is_input = true;
  return status;
}

static neap_status read_output(const struct json_at *at, neap_graph *graph, neap_error *error) {
  size_t tensor;
  neap_status status = find_tensor(at, graph, &tensor, error);
  if (status == NEAP_OK) graph->tensors[tensor].is_output = true;
  return status;
}

/* An output, and the input that it is in the next run. */
static neap_status read_state(const struct json_at *at, neap_graph *graph, neap_error *error) {
  size_t count, tensors[2];
  neap_status status = json_read_array(at, &count, error);
  if (status == NEAP_OK && count != 2)
    return json_blame(at, error, "expected an output and an input, found a list of %zu", count);
  for (size_t i = 0; i < 2 && status == NEAP_OK; i++) {
    struct json_at item = json_element(at, i);
    status = find_tensor(&item, graph, &tensors[i], error);
  }
  if (status != NEAP_OK) return status;
  status = graph_add_state(graph, tensors[0], tensors[1], error);
  return status == NEAP_ERROR_INPUT ? json_place(at, status, error) : status;
}

static neap_status read_all(const struct json_at *root, neap_graph *graph, neap_error *error) {
  static const char *const keys[] = {"format", "version", "tensors", "operators",
                                     "inputs", "outputs", "states",  "missing", NULL};
  struct json_at at = json_member(root, "version");
  int64_t version;
  neap_status status = json_read_object(root, keys, error);
  if (status == NEAP_OK) status = json_read_number(&at, 0, &version, error);
  if (status != NEAP_OK) return status;
  if (version != 1) return json_blame(&at, error, "expected 1, found %" PRId64, version);
  status = read_list(root, "tensors", read_tensor, graph, error);
  if (status == NEAP_OK) status = read_list(root, "operators", read_operator, graph, error);
  if (status == NEAP_OK) status = read_list(root, "inputs", read_input, graph, error);
  if (status == NEAP_OK) status = read_list(root, "outputs", read_output, graph, error);
  if (status == NEAP_OK && json_member(root, "states").value)
    status = read_list(root, "states", read_state, graph, error);
  return status == NEAP_OK ? json_missing_read(root, &graph->missing, error) : status;
}

neap_status json_graph_from(const struct json_document *document, neap_graph **graph,
                            neap_error *error) {
  struct json_at at = json_document_root(document);
  neap_graph *made = neap_graph_new();
  if (!made) return error_memory(error);
  neap_status status = read_all(&at, made, error);
  if (status == NEAP_OK) *graph = made;
  else neap_graph_free(made);
  return status;
}

neap_status json_graph_read(const char *text, size_t size, const neap_reading *reading,
                            neap_graph **graph, neap_error *error) {
  (void)reading;
  struct json_document document;
  neap_status status = json_document_open(&document, text, size, size, "buffers", error);
  if (status != NEAP_OK) return status;
  if (json_graph_is(document.root)) status = json_graph_from(&document, graph, error);
  else
    status =
        error_set(error, NEAP_ERROR_INPUT,
                  "not a graph of operators: its format is not 'neap-graph', and it has no "
                  "nodes and links");
  json_document_close(&document);
  return status;
}

static const char *tensor_name(const struct neap_graph *graph, size_t tensor) {
  return names_text(&graph->names, tensor);
}

/* ---------------------------------------------------------------- what JSON cannot hold */

static bool is_text(const char *text) {
  size_t length = strlen(text);
  return text_utf8_prefix(text, length) == length;
}

static neap_status refuse_name(const char *what, const char *name, neap_error *error) {
  char excerpt[TEXT_EXCERPT];
  return error_set(error, NEAP_ERROR_FORMAT,
                   "JSON cannot hold the name of %s %s: it is not valid UTF-8", what,
                   text_excerpt(excerpt, name, strlen(name)));
}

static neap_status check(const struct neap_graph *graph, neap_error *error) {
  if (graph->pins || graph->leads_in || graph_kept_count(graph) > 0)
    return error_set(
        error, NEAP_ERROR_FORMAT,
        "JSON cannot hold a graph with calls, fixed offsets or a moment before its "
        "operators");
  for (size_t t = 0; t < graph_tensor_count(graph); t++) {
    if (graph->tensors[t].is_runtime || graph->tensors[t].is_online)
      return error_set(error, NEAP_ERROR_FORMAT,
                       "JSON cannot hold a graph whose runtime allocates tensors");
    if (!is_text(tensor_name(graph, t)))
      return refuse_name("tensor", tensor_name(graph, t), error);
  }
  for (size_t k = 0; k < graph->operator_count; k++)
    if (!is_text(graph->operators[k].name))
      return refuse_name("operator", graph->operators[k].name, error);
  return NEAP_OK;
}

/* ---------------------------------------------------------------- parts */

static void append_tensor(const struct neap_graph *graph, size_t t, struct row *row) {
  static const char *const kinds[] = {"activation", "constant", "variable", "external"};
  const neap_tensor *tensor = &graph->tensors[t];
  row_string(row, "{\"name\": ");
  row_json(row, tensor_name(graph, t));
  row_string(row, ", \"bytes\": ");
  row_number(row, tensor->bytes);
  json_shape_append(&graph->shapes, t, row);
  if (tensor->kind != NEAP_TENSOR_ACTIVATION) {
    row_string(row, ", \"kind\": ");
    row_json(row, kinds[tensor->kind]);
  }
  if (tensor->alignment != 1) {
    row_string(row, ", \"alignment\": ");
    row_number(row, tensor->alignment);
  }
  row_string(row, tensor->is_kept ? ", \"keep\": true}" : "}");
}

static void append_links(const struct neap_graph *graph, struct graph_links links,
                         struct row *row) {
  row_char(row, '[');
  for (size_t i = links.begin; i < links.end; i++) {
    if (i > links.begin) row_string(row, ", ");
    row_json(row, tensor_name(graph, graph->links[i]));
  }
  row_char(row, ']');
}

/* A list of numbers in brackets under a key, which is written with the first of them. */
struct list {
  struct row *row;
  const char *key;
  size_t count;
};

/* `third` is -1 in lists of pairs. */
static void list_append(struct list *list, size_t input, size_t output, int64_t third) {
  if (list->count++ > 0) row_string(list->row, ", [");
  else {
    row_string(list->row, ", \"");
    row_string(list->row, list->key);
    row_string(list->row, "\": [[");
  }
  row_number(list->row, (int64_t)input);
  row_string(list->row, ", ");
  row_number(list->row, (int64_t)output);
  if (third >= 0) {
    row_string(list->row, ", ");
    row_number(list->row, third);
  }
  row_char(list->row, ']');
}

static void list_end(struct list *list) {
  if (list->count > 0) row_char(list->row, ']');
}

static void append_pairs(const struct neap_graph *graph, const struct graph_operator *node,
                         bool is_view, struct row *row) {
  struct list list = {row, is_view ? "views" : "in_place", 0};
  for (size_t i = node->pairs_begin; i < node->pairs_end; i++) {
    const neap_in_place *pair = &graph->pairs[i];
    if (pair->is_view == is_view) list_append(&list, pair->input, pair->output, -1);
  }
  list_end(&list);
}

static void append_allowances(const struct neap_graph *graph, const struct graph_operator *node,
                              struct row *row) {
  struct list list = {row, "overlap", 0};
  for (size_t i = node->allowances_begin; i < node->allowances_end; i++) {
    const neap_allowance *allowance = &graph->allowances[i];
    list_append(&list, allowance->input, allowance->output, allowance->bytes);
  }
  list_end(&list);
}

static void append_parts(const struct neap_graph *graph, const struct graph_operator *node,
                         neap_alias alias, struct row *row) {
  struct list list = {row, alias == NEAP_ALIAS_CONCAT ? "concat" : "split", 0};
  for (size_t i = node->parts_begin; i < node->parts_end; i++) {
    const neap_part *part = &graph->parts[i];
    if (part->alias == alias) list_append(&list, part->input, part->output, part->offset);
  }
  list_end(&list);
}

static void append_operator(const struct neap_graph *graph, size_t k, struct row *row) {
  const struct graph_operator *node = &graph->operators[k];
  row_char(row, '{');
  if (node->name[0]) {
    row_string(row, "\"name\": ");
    row_json(row, node->name);
    row_string(row, ", ");
  }
  if (node->label) {
    row_string(row, "\"label\": ");
    row_json(row, node->label);
    row_string(row, ", ");
  }
  row_string(row, "\"inputs\": ");
  append_links(graph, node->inputs, row);
  row_string(row, ", \"outputs\": ");
  append_links(graph, node->outputs, row);
  if (node->temporaries.end > node->temporaries.begin) {
    row_string(row, ", \"temporaries\": ");
    append_links(graph, node->temporaries, row);
  }
  append_pairs(graph, node, true, row);
  append_pairs(graph, node, false, row);
  append_allowances(graph, node, row);
  append_parts(graph, node, NEAP_ALIAS_CONCAT, row);
  append_parts(graph, node, NEAP_ALIAS_SPLIT, row);
  if (node->device != 0) {
    row_string(row, ", \"device\": ");
    row_number(row, node->device);
  }
  if (node->duration != GRAPH_UNTIMED) {
    row_string(row, ", \"duration\": ");
    row_number(row, node->duration);
  }
  if (node->is_once) row_string(row, ", \"once\": true");
  row_char(row, '}');
}

/* Lists the inputs or the outputs of the graph. */
static void append_ends(const struct neap_graph *graph, bool is_input, struct row *row) {
  size_t count = 0;
  row_char(row, '[');
  for (size_t t = 0; t < graph_tensor_count(graph); t++) {
    const neap_tensor *tensor = &graph->tensors[t];
    if (!(is_input ? tensor->is_input : tensor->is_output)) continue;
    if (count++ > 0) row_string(row, ", ");
    row_json(row, tensor_name(graph, t));
  }
  row_char(row, ']');
}

static void append_states(const struct neap_graph *graph, struct row *row) {
  for (size_t i = 0; i < graph->state_count; i++) {
    row_string(row, i > 0 ? ", [" : ",\n  \"states\": [[");
    row_json(row, tensor_name(graph, graph->states[i].output));
    row_string(row, ", ");
    row_json(row, tensor_name(graph, graph->states[i].input));
    row_char(row, ']');
  }
  if (graph->state_count > 0) row_char(row, ']');
}

/* ---------------------------------------------------------------- the whole */

typedef void append_item(const struct neap_graph *graph, size_t index, struct row *row);

/* Writes a list, one item per line, after what is in the row. */
static neap_status write_list(const struct neap_graph *graph, size_t count, append_item *append,
                              struct row *row, FILE *stream, neap_error *error) {
  neap_status status = NEAP_OK;
  for (size_t i = 0; i < count && status == NEAP_OK; i++) {
    row_string(row, i > 0 ? ",\n    " : "\n    ");
    append(graph, i, row);
    status = row_write(row, stream, error);
  }
  row_string(row, count > 0 ? "\n  ]" : "]");
  return status;
}

static neap_status write_all(const struct neap_graph *graph, struct row *row, FILE *stream,
                             neap_error *error) {
  row_string(row, "{\n  \"format\": \"neap-graph\",\n  \"version\": 1,\n  \"inputs\": ");
  append_ends(graph, true, row);
  row_string(row, ",\n  \"outputs\": ");
  append_ends(graph, false, row);
  append_states(graph, row);
  if (graph->missing.count > 0) {
    row_string(row, ",\n  \"missing\": ");
    json_texts_append(&graph->missing, row);
  }
  row_string(row, ",\n  \"tensors\": [");
  neap_status status =
      write_list(graph, graph_tensor_count(graph), append_tensor, row, stream, error);
  if (status != NEAP_OK) return status;
  row_string(row, ",\n  \"operators\": [");
  status = write_list(graph, graph->operator_count, append_operator, row, stream, error);
  if (status != NEAP_OK) return status;
  row_string(row, "\n}\n");
  return row_write(row, stream, error);
}

neap_status json_graph_write(const neap_graph *graph, FILE *stream, neap_error *error) {
  neap_status status = check(graph, error);
  if (status != NEAP_OK) return status;
  struct row row = {0};
  status = write_all(graph, &row, stream, error);
  row_clear(&row);
  return status;
}
