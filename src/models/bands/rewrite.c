/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/bands/rewrite.h"

#include <stdlib.h>

#include "core/memory.h"

/* Rows that have been sliced from a tensor of a band. */
struct slice {
  size_t tensor, result;
  struct band_range rows; /* of the tensor */
};

struct writer {
  struct steps *made;
  size_t parts_max;
  enum band_axis axis;     /* of the segment */
  size_t *band;            /* by operator of a segment: the tensor made last */
  size_t *kept;            /* by operator: its rows that the next band needs again */
  struct band_rows *rows;  /* of each operator of a segment */
  struct band_rows *next;  /* in the next band */
  struct slice *slices;
  size_t slice_count, slice_capacity;
};

/* ---------------------------------------------------------------- making */

static size_t add_tensor(struct writer *writer, size_t like, int64_t rows) {
  return steps_add_tensor(
      writer->made, &(struct step_tensor){.like = like, .rows = rows, .axis = writer->axis});
}

static void add_step(struct writer *writer, struct step step, const size_t *links,
                     size_t count) {
  step.axis = writer->axis;
  steps_add(writer->made, &step, links, count);
}

/* Takes rows of a tensor, which are like tensor `like`; a band slices the same rows only once. */
static size_t add_slice(struct writer *writer, size_t tensor, size_t like,
                        struct band_range rows) {
  for (size_t s = 0; s < writer->slice_count; s++)
    if (writer->slices[s].tensor == tensor && writer->slices[s].rows.begin == rows.begin &&
        writer->slices[s].rows.end == rows.end)
      return writer->slices[s].result;
  const struct step step = {.kind = STEP_SLICE,
                            .output = add_tensor(writer, like, rows.end - rows.begin),
                            .rows = {.given = rows}};
  add_step(writer, step, &tensor, 1);
  if (memory_reserve(&writer->slices, &writer->slice_capacity, writer->slice_count + 1,
                     sizeof *writer->slices))
    writer->slices[writer->slice_count++] = (struct slice){tensor, step.output, rows};
  else writer->made->is_short = true;
  return step.output;
}

/* ---------------------------------------------------------------- bands */

/* The rows `wanted` of a tensor of a segment. */
static size_t take_rows(struct writer *writer, const struct band_segment *segment,
                        size_t tensor, struct band_range wanted) {
  struct band_range all = band_rows_of(segment, writer->rows, tensor);
  size_t made = segment->network->tensors[tensor].made;
  size_t from = tensor == segment->input ? tensor : writer->band[made - 1 - segment->first];
  if (all.begin == wanted.begin && all.end == wanted.end) return from;
  return add_slice(writer, from, tensor,
                   (struct band_range){wanted.begin - all.begin, wanted.end - all.begin});
}

/* Concatenates the rows kept from the band before with the new rows of operator k. */
static void add_kept(struct writer *writer, const struct band_segment *segment, size_t k) {
  const struct band_rows *rows = &writer->rows[k];
  const size_t like = segment->network->operators[segment->first + k].output;
  const int64_t spoilt = rows->kept.end - rows->made.begin;
  const struct band_range made = {spoilt, rows->made.end - rows->made.begin};
  size_t parts[] = {writer->kept[k], writer->band[k]};
  if (spoilt > 0) parts[1] = add_slice(writer, parts[1], like, made);
  writer->band[k] = add_tensor(writer, like, rows->made.end - rows->kept.begin);
  add_step(writer, (struct step){.kind = STEP_CONCATENATION, .output = writer->band[k]}, parts,
           2);
}

/* Keeps the output rows of operator k that the next band needs again. */
static void keep_rows(struct writer *writer, const struct band_segment *segment, size_t k) {
  const size_t like = segment->network->operators[segment->first + k].output;
  writer->kept[k] = take_rows(writer, segment, like, writer->next[k].kept);
}

/* Adds operator k of a segment for a band, after the slices that it reads. */
static void add_banded(struct writer *writer, const struct band_segment *segment, size_t k) {
  const struct band_operator *node = &segment->network->operators[segment->first + k];
  const struct band_rows *rows = &writer->rows[k];
  struct step step = {.kind = STEP_BANDED, .like = segment->first + k, .rows = *rows};
  size_t links[SPLIT_INPUTS];
  for (size_t i = 0; i < node->input_count; i++)
    links[i] = take_rows(writer, segment, node->inputs[i], rows->given);
  step.output = add_tensor(writer, node->output, rows->made.end - rows->made.begin);
  writer->band[k] = step.output;
  add_step(writer, step, links, node->input_count);
  if (band_rows_in(rows->kept) > 0) add_kept(writer, segment, k);
  if (band_rows_in(writer->next[k].kept) > 0) keep_rows(writer, segment, k);
}

/* Concatenates parts into `output`, unless there is only one. */
static size_t concatenate(struct writer *writer, const size_t *parts, size_t count,
                          size_t output) {
  const struct step step = {.kind = STEP_CONCATENATION, .output = output};
  if (count == 1) return parts[0];
  add_step(writer, step, parts, count);
  return output;
}

/* Collects the parts of a tensor; more than parts_max are concatenated in groups. */
struct parts {
  size_t items[SPLIT_BANDS_MAX], count, groups[SPLIT_BANDS_MAX], group_count;
  int64_t rows;
};

static void close_group(struct writer *writer, struct parts *parts, size_t like) {
  size_t whole = parts->count > 1 ? add_tensor(writer, like, parts->rows) : 0;
  parts->groups[parts->group_count++] = concatenate(writer, parts->items, parts->count, whole);
  parts->count = 0;
  parts->rows = 0;
}

static void swap_rows(struct writer *writer) {
  struct band_rows *rows = writer->rows;
  writer->rows = writer->next;
  writer->next = rows;
}

/* Adds the bands of a segment, and concatenates them. */
static void add_bands(struct writer *writer, const struct band_piece *piece) {
  const struct band_segment *segment = &piece->segment;
  struct steps *made = writer->made;
  struct parts parts = {.count = 0};
  writer->axis = segment->network->axis;
  band_slice(segment, band_piece_band(piece, 0), NULL, writer->rows);
  for (size_t b = 0; b < piece->bands && !writer->made->is_short; b++, swap_rows(writer)) {
    const struct band_range band = band_piece_band(piece, b);
    writer->slice_count = 0;
    band_piece_next(piece, b, writer->rows, writer->next);
    for (size_t k = 0; k < segment->end - segment->first && !writer->made->is_short; k++)
      add_banded(writer, segment, k);
    if (writer->made->is_short) return;
    parts.items[parts.count++] = take_rows(writer, segment, segment->output, band);
    parts.rows += band.end - band.begin;
    if (piece->bands > writer->parts_max &&
        (parts.count == writer->parts_max || b == piece->bands - 1))
      close_group(writer, &parts, segment->output);
  }
  if (parts.group_count == 0) concatenate(writer, parts.items, parts.count, segment->output);
  else concatenate(writer, parts.groups, parts.group_count, segment->output);
  for (size_t k = segment->first; k < segment->end; k++)
    if (segment->network->operators[k].output != segment->output)
      made->vanished[made->vanished_count++] = segment->network->operators[k].output;
}

/* ---------------------------------------------------------------- the whole */

bool band_pieces_cover(const struct band_pieces *pieces, const struct band_network *network) {
  return pieces->items[0]->segment.first == 0 &&
         pieces->items[pieces->count - 1]->segment.end == network->operator_count;
}

/* Writes the steps of the pieces, one after the other. */
static void add_pieces(struct writer *writer, const struct band_pieces *pieces) {
  for (size_t i = 0; i < pieces->count && !writer->made->is_short; i++) {
    const struct band_piece *piece = pieces->items[i];
    if (piece->bands > 1) add_bands(writer, piece);
    for (size_t k = piece->segment.first; piece->bands == 1 && k < piece->segment.end; k++)
      add_step(writer, (struct step){.kind = STEP_OLD, .like = k}, NULL, 0);
  }
}

bool band_rewrite(const struct band_network *network, const struct band_pieces *pieces,
                  size_t parts_max, struct steps *steps) {
  *steps = (struct steps){.old_count = network->tensor_count};
  struct writer writer = {.made = steps, .parts_max = parts_max};
  size_t count = 1;
  for (size_t i = 0; i < pieces->count; i++)
    count += pieces->items[i]->segment.end - pieces->items[i]->segment.first;
  const struct memory_part parts[] = {{&writer.band, count, sizeof *writer.band},
                                      {&writer.kept, count, sizeof *writer.kept},
                                      {&writer.rows, count, sizeof *writer.rows},
                                      {&writer.next, count, sizeof *writer.next}};
  void *arrays = memory_block(parts, sizeof parts / sizeof *parts);
  steps->vanished = memory_array(count, sizeof *steps->vanished);
  steps->is_short = !arrays || !steps->vanished;
  add_pieces(&writer, pieces);
  free(arrays);
  free(writer.slices);
  return !steps->is_short;
}
