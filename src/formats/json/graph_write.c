/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "core/error.h"
#include "core/text.h"
#include "formats/json/graph.h"
#include "formats/json/shape.h"
#include "formats/row.h"
#include "model/graph.h"
#include "neap-tool.h"

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
