/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "split/search.h"

#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"

/* A longer segment recomputes more than it saves. */
#define SEGMENT_MAX 64

/* ---------------------------------------------------------------- cuts */

/* The tensor that alone is read after the first `at` operators; SPLIT_NO_TENSOR if there are others. */
static size_t find_cut(const struct split_network *network, size_t at) {
  size_t found = SPLIT_NO_TENSOR;
  for (size_t t = 0; t < network->tensor_count; t++) {
    const struct split_tensor *tensor = &network->tensors[t];
    if (tensor->made > at || tensor->read <= at) continue;
    if (found != SPLIT_NO_TENSOR) return SPLIT_NO_TENSOR;
    found = t;
  }
  return found;
}

/* Whether the operators can be computed in bands. */
static bool is_splittable(const struct split_segment *segment) {
  const struct split_network *network = segment->network;
  if (segment->input == SPLIT_NO_TENSOR || segment->output == SPLIT_NO_TENSOR) return false;
  const struct split_tensor *output = &network->tensors[segment->output];
  if (output->height < 2 || output->made <= segment->first || output->made > segment->end ||
      network->tensors[segment->input].height < 2)
    return false;
  for (size_t k = segment->first; k < segment->end; k++) {
    const struct split_operator *node = &network->operators[k];
    const struct split_tensor *made = &network->tensors[node->output];
    if (node->rule.kind == SPLIT_NONE) return false;
    if (node->output != segment->output && (made->is_output || made->read > segment->end))
      return false;
    for (size_t i = 0; i < node->input_count; i++)
      if (node->inputs[i] == segment->output ||
          (node->inputs[i] != segment->input &&
           network->tensors[node->inputs[i]].made <= segment->first))
        return false;
  }
  return true;
}

/* ---------------------------------------------------------------- pieces */

struct builder {
  struct split_search *search;
  size_t *cuts; /* the tensor at each moment */
  struct split_rows *rows;
  neap_size peak; /* of the network as it is */
  size_t capacity;
};

static neap_size bytes_of(const struct split_network *network, size_t tensor) {
  return network->tensors[tensor].height * network->tensors[tensor].row_bytes;
}

static size_t count_slices(const struct split_segment *segment, const struct split_rows *rows) {
  size_t count = 0;
  for (size_t k = 0; k < segment->end - segment->first; k++) {
    const struct split_operator *node = &segment->network->operators[segment->first + k];
    for (size_t i = 0; i < node->input_count; i++) {
      struct split_range all = split_rows_of(segment, rows, node->inputs[i]);
      count += all.begin != rows[k].given.begin || all.end != rows[k].given.end;
    }
  }
  return count;
}

/* While a band runs, the input waits for later bands, and the output has the rows of earlier ones. */
static neap_size band_peak(const struct split_segment *segment, const struct split_rows *rows,
                           struct split_range band) {
  const struct split_network *network = segment->network;
  const struct split_tensor *output = &network->tensors[segment->output];
  neap_size most = 0, waiting = band.begin * output->row_bytes;
  if (band.end < output->height) waiting += bytes_of(network, segment->input);
  for (size_t k = 0; k < segment->end - segment->first; k++) {
    size_t made = network->operators[segment->first + k].output;
    neap_size bytes =
        (rows[k].made.end - rows[k].made.begin) * network->tensors[made].row_bytes;
    if (bytes > most) most = bytes;
  }
  return waiting + most;
}

/* Fills in the costs of a piece in bands; false if it cannot be. */
static bool measure_bands(const struct builder *builder, struct split_piece *piece) {
  const struct split_segment *segment = &piece->segment;
  int64_t height = segment->network->tensors[segment->output].height;
  piece->operators = 1;
  for (size_t b = 0; b < piece->bands; b++) {
    struct split_range band = split_band_at(height, b, piece->bands);
    if (!split_band(segment, band, builder->rows)) return false;
    piece->macs += split_band_macs(segment, builder->rows);
    piece->operators += segment->end - segment->first + count_slices(segment, builder->rows);
    neap_size peak = band_peak(segment, builder->rows, band);
    if (peak > piece->peak) piece->peak = peak;
    if (piece->peak >= builder->peak) return false;
  }
  return true;
}

static int64_t macs_of(const struct split_segment *segment) {
  int64_t sum = 0;
  for (size_t k = segment->first; k < segment->end; k++)
    sum += segment->network->operators[k].macs;
  return sum;
}

static bool add_piece(struct builder *builder, const struct split_piece *piece) {
  struct split_search *search = builder->search;
  if (!memory_reserve(&search->pieces, &builder->capacity, search->piece_count + 1,
                      sizeof *search->pieces))
    return false;
  search->pieces[search->piece_count++] = *piece;
  return true;
}

/* Adds a segment in each number of bands.  *goes_on: a longer segment may be worth it, too. */
static bool add_bands(struct builder *builder, const struct split_segment *segment,
                      bool *goes_on) {
  const struct split_search *search = builder->search;
  int64_t height = segment->network->tensors[segment->output].height;
  int64_t extra = (int64_t)((search->factor_max - 1) * (double)search->macs);
  int64_t own = macs_of(segment);
  *goes_on = false;
  for (size_t bands = 2; bands <= SPLIT_BANDS_MAX && (int64_t)bands <= height; bands++)
    for (int keeps = 0; keeps < 2; keeps++) {
      struct split_piece piece = {.segment = *segment, .bands = bands};
      piece.segment.keeps_spoilt = keeps;
      if (!measure_bands(builder, &piece)) continue;
      if (piece.macs - own > extra) continue;
      *goes_on = true;
      if (!add_piece(builder, &piece)) return false;
    }
  *goes_on = *goes_on || segment->end - segment->first < 8;
  return true;
}

static bool add_whole(struct builder *builder, const struct split_segment *segment) {
  struct split_piece piece = {.segment = *segment,
                              .bands = 1,
                              .macs = macs_of(segment),
                              .operators = segment->end - segment->first};
  return add_piece(builder, &piece);
}

static bool is_cut(const struct builder *builder, size_t at) {
  return at == 0 || at == builder->search->network->operator_count ||
         builder->cuts[at] != SPLIT_NO_TENSOR;
}

/* Adds the pieces that begin at a cut. */
static bool add_from(struct builder *builder, size_t first) {
  const struct split_network *network = builder->search->network;
  bool is_next = true, goes_on = true;
  for (size_t end = first + 1; end <= network->operator_count && end <= first + SEGMENT_MAX;
       end++) {
    const struct split_segment segment = {
        network, first, end, builder->cuts[first], builder->cuts[end], false};
    if (!is_cut(builder, end)) continue;
    if (is_next && !add_whole(builder, &segment)) return false;
    is_next = false;
    if (network->operators[first].rule.kind == SPLIT_NONE || !goes_on) return true;
    if (is_splittable(&segment) && !add_bands(builder, &segment, &goes_on)) return false;
  }
  return true;
}

/* A run of operators without a cut that is longer than any segment. */
static bool add_long(struct builder *builder, size_t first) {
  const struct split_network *network = builder->search->network;
  size_t end = first + 1;
  while (!is_cut(builder, end))
    end++;
  const struct split_segment segment = {network,         first,           end,
                                        SPLIT_NO_TENSOR, SPLIT_NO_TENSOR, false};
  return end <= first + SEGMENT_MAX || add_whole(builder, &segment);
}

static neap_status add_pieces(struct builder *builder, neap_error *error) {
  const struct split_network *network = builder->search->network;
  size_t count = network->operator_count;
  for (size_t at = 0; at < count; at++)
    builder->cuts[at] = find_cut(network, at);
  builder->cuts[count] = count > 0 ? network->operators[count - 1].output : SPLIT_NO_TENSOR;
  for (size_t at = 0; at < count; at++)
    if (is_cut(builder, at) && (!add_from(builder, at) || !add_long(builder, at)))
      return error_memory(error);
  return NEAP_OK;
}

neap_status split_search_init(struct split_search *search, const struct split_network *network,
                              double factor_max, neap_size peak, neap_error *error) {
  *search = (struct split_search){.network = network, .factor_max = factor_max};
  for (size_t k = 0; k < network->operator_count; k++)
    search->macs += network->operators[k].macs;
  struct builder builder = {.search = search, .peak = peak};
  builder.cuts = memory_array(network->operator_count + 1, sizeof *builder.cuts);
  builder.rows = memory_array(network->operator_count + 1, sizeof *builder.rows);
  neap_status status =
      builder.cuts && builder.rows ? add_pieces(&builder, error) : error_memory(error);
  free(builder.cuts);
  free(builder.rows);
  return status;
}

void split_search_clear(struct split_search *search) { free(search->pieces); }

/* ---------------------------------------------------------------- paths */

/* The least work from the beginning to each cut, and the piece that ends there. */
struct node {
  int64_t macs;
  size_t operators;
  struct split_piece *by;
};

#define FAR INT64_MAX

static bool is_nearer(const struct node *from, const struct split_piece *piece,
                      const struct node *to) {
  int64_t macs = from->macs + piece->macs;
  return macs < to->macs ||
         (macs == to->macs && from->operators + piece->operators < to->operators);
}

/* Whether there is a path of pieces up to `peak`; its work is that of the last node. */
static bool find_nodes(const struct split_search *search, neap_size peak, struct node *nodes) {
  size_t count = search->network->operator_count;
  for (size_t at = 0; at <= count; at++)
    nodes[at] = (struct node){at == 0 ? 0 : FAR, 0, NULL};
  for (size_t p = 0; p < search->piece_count; p++) {
    struct split_piece *piece = &search->pieces[p];
    const struct node *from = &nodes[piece->segment.first];
    struct node *to = &nodes[piece->segment.end];
    if (piece->peak > peak || from->macs == FAR || !is_nearer(from, piece, to)) continue;
    *to = (struct node){from->macs + piece->macs, from->operators + piece->operators, piece};
  }
  return nodes[count].macs != FAR;
}

static void follow(const struct split_search *search, const struct node *nodes,
                   struct split_path *path) {
  size_t at = search->network->operator_count;
  path->count = path->operators = 0;
  path->macs = path->peak = 0;
  for (size_t k = at; k > 0; k = nodes[k].by->segment.first)
    path->count++;
  for (size_t i = path->count; i-- > 0; at = nodes[at].by->segment.first) {
    struct split_piece *piece = nodes[at].by;
    path->pieces[i] = piece;
    path->macs += piece->macs;
    path->operators += piece->operators;
    if (piece->peak > path->peak) path->peak = piece->peak;
  }
}

static int compare_peaks(const void *a, const void *b) {
  neap_size one = *(const neap_size *)a, other = *(const neap_size *)b;
  return (one > other) - (one < other);
}

struct finder {
  struct split_search *search;
  struct node *nodes;
  neap_size *peaks; /* of all pieces, sorted */
};

/* The lowest peak from `floor` on for which a path is within the limit of work. */
static bool find_path(struct finder *finder, const struct split_wish *wish, neap_size floor,
                      struct split_path *path) {
  const struct split_search *search = finder->search;
  size_t low = 0, high = search->piece_count;
  for (size_t p = 0; p < search->piece_count; p++)
    finder->peaks[p] = search->pieces[p].peak;
  qsort(finder->peaks, search->piece_count, sizeof *finder->peaks, compare_peaks);
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (finder->peaks[middle] >= floor &&
        find_nodes(search, finder->peaks[middle], finder->nodes) &&
        finder->nodes[search->network->operator_count].macs <= wish->macs)
      high = middle;
    else low = middle + 1;
  }
  if (low == search->piece_count) return false;
  find_nodes(search, finder->peaks[low], finder->nodes);
  follow(search, finder->nodes, path);
  return true;
}

/* The least work of a path up to `peak`. */
static bool find_least_work(struct finder *finder, neap_size peak, struct split_path *path) {
  if (!find_nodes(finder->search, peak, finder->nodes)) return false;
  follow(finder->search, finder->nodes, path);
  return true;
}

/* ---------------------------------------------------------------- measuring */

/* Measures the pieces of a path that have not been; *rises: a bound or a count is higher now. */
static neap_status measure_path(const struct split_path *path, bool plans,
                                const struct split_measure *measure, bool *rises,
                                neap_error *error) {
  neap_status status = NEAP_OK;
  *rises = false;
  for (size_t i = 0; i < path->count && status == NEAP_OK && measure->keep_on(measure->user);
       i++) {
    struct split_piece *piece = path->pieces[i];
    neap_size peak = piece->peak;
    size_t operators = piece->operators;
    if (plans ? piece->is_planned || piece->peak < path->peak : piece->is_measured) continue;
    status = measure->piece(piece, plans, measure->user, error);
    if (plans) piece->is_planned = true;
    else piece->is_measured = true;
    *rises = *rises || piece->peak > peak || piece->operators != operators;
  }
  return status;
}

static void keep(struct split_found *found, const struct split_path *path, neap_size peak) {
  struct split_piece **pieces = found->path.pieces;
  memcpy(pieces, path->pieces, path->count * sizeof *pieces);
  found->path = *path;
  found->path.pieces = pieces;
  found->peak = peak;
  found->is_found = true;
}

/* Plans a path and keeps it if it is better. */
static neap_status try_path(const struct split_path *path, const struct split_wish *wish,
                            const struct split_measure *measure, struct split_found *found,
                            neap_size *peak, neap_error *error) {
  neap_status status = measure->path(path, peak, measure->user, error);
  if (status != NEAP_OK) return status;
  bool fits = wish->capacity < 0 || *peak <= wish->capacity;
  if (fits && (!found->is_found || *peak < found->peak)) keep(found, path, *peak);
  return status;
}

/* How often the whole is planned before the best so far has to do. */
#define TRIES_MAX 12

static bool next_path(struct finder *finder, const struct split_wish *wish, neap_size ceiling,
                      struct split_path *path) {
  if (wish->capacity >= 0) return find_least_work(finder, ceiling, path);
  return find_path(finder, wish, 0, path);
}

static neap_status run(struct finder *finder, const struct split_wish *wish,
                       const struct split_measure *measure, struct split_path *path,
                       struct split_found *found, neap_error *error) {
  neap_size peak, ceiling = wish->capacity;
  bool rises = false;
  for (size_t tries = 0; tries < TRIES_MAX && measure->keep_on(measure->user);) {
    if (!next_path(finder, wish, ceiling, path)) return NEAP_OK;
    neap_status status = measure_path(path, false, measure, &rises, error);
    if (status != NEAP_OK) return status;
    if (rises || !measure->keep_on(measure->user)) continue;
    if (wish->capacity < 0) found->lower_bound = path->peak;
    status = try_path(path, wish, measure, found, &peak, error);
    if (status != NEAP_OK) return status;
    bool is_best = wish->capacity >= 0 ? peak <= wish->capacity : peak <= path->peak;
    /* The first path within a capacity has the least work; later ones may have more than they need. */
    if (is_best) found->is_proven = wish->capacity < 0 || ceiling == wish->capacity;
    if (is_best) return NEAP_OK;
    tries++;
    status = measure_path(path, true, measure, &rises, error);
    if (status != NEAP_OK) return status;
    if (!rises && wish->capacity < 0) return NEAP_OK;
    if (!rises) ceiling = path->peak - 1;
  }
  return NEAP_OK;
}

neap_status split_search_run(struct split_search *search, const struct split_wish *wish,
                             const struct split_measure *measure, struct split_found *found,
                             neap_error *error) {
  size_t count = search->network->operator_count;
  struct finder finder = {.search = search};
  struct split_path path = {NULL, 0, 0, 0, 0};
  finder.nodes = memory_array(count + 1, sizeof *finder.nodes);
  finder.peaks = memory_array(search->piece_count + 1, sizeof *finder.peaks);
  path.pieces = memory_array(count + 1, sizeof *path.pieces);
  found->is_found = found->is_proven = false;
  found->lower_bound = 0;
  neap_status status = finder.nodes && finder.peaks && path.pieces
                           ? run(&finder, wish, measure, &path, found, error)
                           : error_memory(error);
  free(finder.nodes);
  free(finder.peaks);
  free(path.pieces);
  return status;
}
