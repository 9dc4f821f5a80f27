/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The results of a search for bands, and how they are written. */
#include <string.h>

#include "core/error.h"
#include "core/output.h"
#include "core/sized.h"
#include "files/target.h"
#include "model/graph.h"
#include "models/find_bands.h"
#include "models/open.h"
#include "neap-tool.h"

void neap_bands_get_report(const neap_bands *split, neap_bands_report *report) {
  neap_bands_report own = split->report;
  own.struct_size = sizeof own;
  own.before = split->before->point;
  own.after = split->best->point;
  own.is_split = split->best != split->before;
  SIZED_FILL(report, own);
}

/* An operator's place in the model. */
static size_t place_of(const struct neap_bands *split, size_t k) {
  return split->network.places ? split->network.places[k] : k;
}

bool neap_bands_segment_at(const neap_bands *split, size_t index, neap_bands_segment *segment) {
  const struct band_path *path = &split->best->path;
  for (size_t i = 0; i < path->count; i++) {
    const struct band_piece *piece = path->pieces[i];
    if (piece->bands == 1 || index-- > 0) continue;
    const struct band_segment *own = &piece->segment;
    neap_bands_segment found;
    memset(&found, 0, sizeof found); /* the padding between members, too */
    found.struct_size = sizeof found;
    found.first = place_of(split, own->first);
    found.end = place_of(split, own->end - 1) + 1;
    found.count = piece->bands;
    found.ends = piece->ends;
    found.is_by_channels = own->network->axis == SPLIT_CHANNELS;
    found.keeps_rows = own->kept_row_max > 0;
    found.input = names_text(&split->graph->names, own->input);
    found.output = names_text(&split->graph->names, own->output);
    return SIZED_FILL(segment, found);
  }
  return false;
}

/* Whether bands of an operator are known along an axis. */
static bool has_bands(const struct neap_bands *split, size_t k) {
  const struct band_network *channels = split->network.channels;
  return split->network.operators[k].rule.kind != SPLIT_NONE ||
         (channels && channels->operators[k].rule.kind != SPLIT_NONE);
}

static const char *type_of(const struct neap_bands *split, size_t k) {
  return neap_graph_operator_name(split->graph, place_of(split, k));
}

/* The first operator of the type of operator k that has no bands, and their number. */
static size_t find_alike(const struct neap_bands *split, size_t k, size_t *count) {
  size_t first = SIZE_MAX;
  *count = 0;
  for (size_t i = 0; i < split->network.operator_count; i++)
    if (!has_bands(split, i) && strcmp(type_of(split, i), type_of(split, k)) == 0) {
      if (first == SIZE_MAX) first = i;
      ++*count;
    }
  return first;
}

bool neap_bands_whole_at(const neap_bands *split, size_t index, neap_arena_note *note) {
  for (size_t k = 0; k < split->network.operator_count; k++) {
    size_t count;
    if (has_bands(split, k) || find_alike(split, k, &count) != k || index-- > 0) continue;
    const neap_arena_note own = {sizeof own, type_of(split, k), 0, place_of(split, k), count};
    return SIZED_FILL(note, own);
  }
  return false;
}

bool neap_bands_choice_at(const neap_bands *split, size_t index, neap_model_need *point) {
  if (index > split->point_count) return false;
  *point = index < split->point_count ? split->points[index]->point : split->before->point;
  return true;
}

const neap_plan *neap_bands_plan(const neap_bands *split) { return split->best->plan; }

neap_problem *neap_bands_take_problem(neap_bands *split) {
  struct choice *best = split->best;
  neap_problem *problem = best->problem;
  neap_plan_free(best->plan);
  best->problem = NULL;
  best->plan = NULL;
  return problem;
}

const neap_plan *neap_bands_plan_before(const neap_bands *split) { return split->before->plan; }

neap_status neap_bands_write(const neap_bands *split, const neap_plan *plan, const char *path,
                             neap_error *error) {
  const struct choice *best = split->best;
  struct output output;
  neap_status status = model_check_path(split->source, path, error);
  if (status != NEAP_OK) return status;
  if (split->source->format->holds_plan && !target_of(&split->source->reading)->places_ends)
    return error_set(
        error, NEAP_ERROR_ARGUMENT,
        "a plan in a model is for TensorFlow Lite Micro, so it needs the target tflm");
  status = output_open(&output, path, error);
  if (status != NEAP_OK) return status;
  const struct band_pieces pieces = choice_pieces(&best->path);
  status = split->source->format->write(split->model, &split->network, &pieces, &best->copy,
                                        plan ? plan : best->plan, output.stream, error);
  return output_close(&output, error_in_file(error, status, path), error);
}
