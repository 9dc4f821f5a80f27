/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A part differs from the whole along one axis.  Its elements are contiguous in the whole if all
 * dimensions before that axis are 1.
 */
#include "models/operators/tensor_slices.h"

#include "core/checked.h"
#include "model/graph.h"

bool parts_elements(const struct parts_shape *shape, int64_t *elements) {
  *elements = 1;
  for (size_t d = 0; d < shape->rank; d++)
    if (shape->dims[d] < 0 || !checked_mul(*elements, shape->dims[d], elements)) return false;
  return true;
}

/* The links of parts, or of wholes. */
static struct graph_links links_of(const struct parts *parts, bool of_parts) {
  const struct neap_graph *graph = parts->graph;
  const struct graph_operator *last = &graph->operators[graph->operator_count - 1];
  return (parts->alias == NEAP_ALIAS_CONCAT) == of_parts ? last->inputs : last->outputs;
}

bool parts_begin(struct parts *parts, neap_graph *graph, neap_alias alias, size_t whole,
                 const struct parts_shape *shape) {
  int64_t elements;
  *parts =
      (struct parts){.graph = graph, .alias = alias, .whole = whole, .whole_shape = *shape};
  struct graph_links links = links_of(parts, false);
  size_t at = links.begin;
  while (at < links.end && graph->links[at] != whole)
    at++;
  if (at == links.end || !parts_elements(shape, &elements) || elements == 0 ||
      graph->tensors[whole].bytes % elements != 0)
    return false;
  parts->whole_position = at - links.begin;
  parts->element = graph->tensors[whole].bytes / elements;
  return true;
}

static bool is_run(const struct parts_shape *part, const struct parts_shape *whole) {
  size_t axis = 0;
  if (part->rank != whole->rank) return false;
  while (axis < whole->rank && part->dims[axis] == whole->dims[axis])
    axis++;
  for (size_t d = 0; d < axis && axis < whole->rank; d++)
    if (whole->dims[d] != 1) return false;
  for (size_t d = axis + 1; d < whole->rank; d++)
    if (part->dims[d] != whole->dims[d]) return false;
  return true;
}

neap_status parts_add(struct parts *parts, size_t tensor, const struct parts_shape *shape,
                      neap_error *error) {
  const struct neap_graph *graph = parts->graph;
  struct graph_links links = links_of(parts, true);
  bool is_linked = parts->linked < links.end - links.begin &&
                   graph->links[links.begin + parts->linked] == tensor;
  size_t position = parts->linked;
  int64_t count, offset, bytes, end;
  parts->linked += is_linked;
  if (!checked_mul(parts->elements, parts->element, &offset) ||
      !parts_elements(shape, &count) || !checked_mul(count, parts->element, &bytes) ||
      !checked_add(offset, bytes, &end) || end > graph->tensors[parts->whole].bytes) {
    parts->elements = INT64_MAX; /* no more parts */
    return NEAP_OK;
  }
  parts->elements += count;
  if (!is_linked || bytes == 0 || bytes != graph->tensors[tensor].bytes ||
      !is_run(shape, &parts->whole_shape))
    return NEAP_OK;
  bool is_concat = parts->alias == NEAP_ALIAS_CONCAT;
  const neap_part part = {sizeof(neap_part), is_concat ? position : parts->whole_position,
                          is_concat ? parts->whole_position : position, offset, parts->alias};
  return neap_graph_add_part(parts->graph, &part, error);
}
