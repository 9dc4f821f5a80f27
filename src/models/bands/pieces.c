/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/bands/pieces.h"

#include <stdlib.h>
#include <string.h>

#include "core/checked.h"
#include "core/error.h"
#include "core/memory.h"

/* A longer segment recomputes more than it saves. */
#define SEGMENT_MAX 64
#define SEGMENT_MIN 8
/*
 * The work of listing pieces grows with the square of their length, so the pieces of large networks
 * are limited to shorter ones.
 */
#define LISTING_MAX ((size_t)530000)

/* ---------------------------------------------------------------- cuts */

/* How the tensors that have been made and will be read change from one moment to the next. */
struct change {
  size_t count, sum; /* of their numbers: of a single tensor, its number; both modulo 2^n */
};

/*
 * Sets cuts[at] to the only tensor that is read after the first `at` operators, or to
 * SPLIT_NO_TENSOR.
 */
static bool find_cuts(const struct band_network *network, size_t *cuts) {
  struct change *changes = memory_array(network->operator_count + 2, sizeof *changes);
  struct change alive = {0, 0};
  if (!changes) return false;
  for (size_t t = 0; t < network->tensor_count; t++) {
    const struct band_tensor *tensor = &network->tensors[t];
    if (tensor->read <= tensor->made) continue;
    changes[tensor->made].count++;
    changes[tensor->made].sum += t;
    changes[tensor->read].count--;
    changes[tensor->read].sum -= t;
  }
  for (size_t at = 0; at < network->operator_count; at++) {
    alive.count += changes[at].count;
    alive.sum += changes[at].sum;
    cuts[at] = alive.count == 1 ? alive.sum : SPLIT_NO_TENSOR;
  }
  free(changes);
  return true;
}

/* Whether the operators can be computed in bands. */
static bool is_splittable(const struct band_segment *segment) {
  const struct band_network *network = segment->network;
  if (segment->input == SPLIT_NO_TENSOR || segment->output == SPLIT_NO_TENSOR) return false;
  const struct band_tensor *output = &network->tensors[segment->output];
  if (output->height < 2 || output->made <= segment->first || output->made > segment->end ||
      network->tensors[segment->input].height < 2)
    return false;
  for (size_t k = segment->first; k < segment->end; k++) {
    const struct band_operator *node = &network->operators[k];
    const struct band_tensor *made = &network->tensors[node->output];
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

/* How to estimate the memory of a single band. */
enum measure { BY_TENSOR, BY_PAIR, MEASURES };

#define BALANCED_HEIGHT_MAX 1024 /* of an output in balanced bands */

struct builder {
  struct band_listing *listing;
  size_t *cuts;                   /* the tensor at each moment */
  struct band_rows *rows, *next;  /* of a band, and of the next one */
  neap_size *waiting;             /* while each operator of a band runs */
  const struct band_limits *limits;
  size_t capacity;
  /* The estimated bytes of a single band by height, once known; NEAP_MAX: it cannot be computed. */
  neap_size work[MEASURES][BALANCED_HEIGHT_MAX + 1];
  bool is_known[BALANCED_HEIGHT_MAX + 1];
  /* Of the piece that was measured last. */
  neap_size pair; /* the largest of an operator's input and output */
  size_t paddings, keeping;
};

struct band_range band_piece_band(const struct band_piece *piece, size_t index) {
  return (struct band_range){index > 0 ? piece->ends[index - 1] : 0, piece->ends[index]};
}

bool band_piece_next(const struct band_piece *piece, size_t index, const struct band_rows *rows,
                     struct band_rows *next) {
  const struct band_segment *segment = &piece->segment;
  if (index + 1 < piece->bands)
    return band_slice(segment, band_piece_band(piece, index + 1), rows, next);
  for (size_t k = 0; k < segment->end - segment->first; k++)
    next[k].kept = (struct band_range){0, 0};
  return true;
}

static neap_size bytes_of(const struct band_network *network, size_t tensor) {
  return network->tensors[tensor].height * network->tensors[tensor].row_bytes;
}

static neap_size bytes_in_memory(const struct band_network *network, size_t tensor) {
  return network->tensors[tensor].is_elsewhere ? 0 : bytes_of(network, tensor);
}

static size_t count_paddings(const struct band_segment *segment, const struct band_rows *rows) {
  size_t count = 0;
  for (size_t k = 0; k < segment->end - segment->first; k++)
    count += rows[k].is_padded;
  return count;
}

static size_t count_slices(const struct band_segment *segment, const struct band_rows *rows) {
  size_t count = 0;
  for (size_t k = 0; k < segment->end - segment->first; k++) {
    const struct band_operator *node = &segment->network->operators[segment->first + k];
    for (size_t i = 0; i < node->input_count; i++) {
      struct band_range all = band_rows_of(segment, rows, node->inputs[i]);
      count += all.begin != rows[k].given.begin || all.end != rows[k].given.end;
    }
  }
  return count;
}

/*
 * Counts the operators for keeping rows: a slice in the band before, a concatenation, and another
 * slice if rows are spoilt.
 */
static size_t count_keeping(const struct band_segment *segment, const struct band_rows *rows) {
  size_t count = 0;
  for (size_t k = 0; k < segment->end - segment->first; k++)
    if (band_kept_bytes(segment, rows, k) > 0)
      count += rows[k].made.begin < rows[k].kept.end ? 3 : 2;
  return count;
}

/* The bytes that wait while a band runs: the input, and the output rows of earlier bands. */
static neap_size waiting_bytes(const struct band_segment *segment,
                               const struct band_limits *limits, int64_t begin, int64_t end) {
  const struct band_network *network = segment->network;
  const struct band_tensor *output = &network->tensors[segment->output];
  bool is_elsewhere = limits->concatenations_alias && output->is_elsewhere;
  neap_size waiting = is_elsewhere ? 0 : begin * output->row_bytes;
  if (end == output->height) return waiting;
  return waiting + bytes_in_memory(network, segment->input);
}

/* The bytes while slices begin a band, with the input and the rows of earlier bands. */
static neap_size slicing_bytes(const struct band_segment *segment, const struct band_rows *rows,
                               int64_t begin) {
  const struct band_network *network = segment->network;
  const struct band_tensor *input = &network->tensors[segment->input];
  neap_size most = 0;
  for (size_t k = 0; k < segment->end - segment->first; k++) {
    const struct band_operator *node = &network->operators[segment->first + k];
    int64_t given = rows[k].given.end - rows[k].given.begin;
    for (size_t i = 0; i < node->input_count; i++)
      if (node->inputs[i] == segment->input && given < input->height &&
          given * input->row_bytes > most)
        most = given * input->row_bytes;
  }
  if (most == 0) return 0;
  return most + bytes_in_memory(network, segment->input) +
         begin * network->tensors[segment->output].row_bytes;
}

/* A band, and the rows that the next one keeps of it. */
struct band {
  const struct band_segment *segment;
  const struct band_rows *rows, *next;
};

/* The bytes of operator k's output or of its padded input; by pairs, with the input before it. */
static neap_size bytes_of_operator(const struct band *band, size_t k, enum measure measure) {
  const struct band_network *network = band->segment->network;
  const struct band_operator *node = &network->operators[band->segment->first + k];
  const neap_size made =
      band_rows_in(band->rows[k].made) * network->tensors[node->output].row_bytes;
  const neap_size given =
      band_rows_in(band->rows[k].given) * network->tensors[node->inputs[0]].row_bytes;
  const neap_size padded = band_padded_bytes(band->segment, &band->rows[k], k);
  if (measure == BY_TENSOR) return larger_of(made, padded);
  return padded > 0 ? padded + larger_of(made, given) : made + given;
}

/*
 * Sets waiting[k] to the bytes kept while operator k runs: for later operators of the band, and
 * by earlier ones for the next band.
 */
static void list_kept(const struct band *band, neap_size *waiting) {
  const size_t count = band->segment->end - band->segment->first;
  neap_size kept = 0;
  for (size_t k = 0; k < count; k++)
    kept += band_kept_bytes(band->segment, band->rows, k);
  for (size_t k = 0; k < count; k++) {
    waiting[k] = kept;
    kept += band_kept_bytes(band->segment, band->next, k) -
            band_kept_bytes(band->segment, band->rows, k);
  }
}

/* The largest output of the operators of a band, or the largest pair of input and output. */
static neap_size working_bytes(struct builder *builder, const struct band *band,
                               enum measure measure) {
  const size_t count = band->segment->end - band->segment->first;
  neap_size most = 0;
  list_kept(band, builder->waiting);
  for (size_t k = 0; k < count; k++)
    most = larger_of(most, builder->waiting[k] + bytes_of_operator(band, k, measure));
  return most;
}

/* ---------------------------------------------------------------- lower bounds */

/*
 * The bytes of a tensor as its last reader gets it, without the rows kept for the next band, which
 * wait in any case.
 */
static neap_size bytes_apart(const struct band *band, size_t tensor) {
  const struct band_segment *segment = band->segment;
  const struct band_tensor *own = &segment->network->tensors[tensor];
  const struct band_range given = band->rows[own->read - 1 - segment->first].given;
  const struct band_range kept = band->next[own->made - 1 - segment->first].kept;
  const int64_t both = band_rows_in(
      (struct band_range){larger_of(given.begin, kept.begin), smaller_of(given.end, kept.end)});
  return (band_rows_in(given) - both) * own->row_bytes;
}

/* Adds tensors that wait for an operator after the next one. */
static void add_waiting(const struct band *band, neap_size *waiting) {
  const struct band_segment *segment = band->segment;
  const struct band_network *network = segment->network;
  for (size_t k = 0; k < segment->end - segment->first; k++) {
    const size_t output = network->operators[segment->first + k].output;
    if (output == segment->output || network->tensors[output].read == 0) continue;
    const size_t last = network->tensors[output].read - 1 - segment->first;
    for (size_t later = k + 1; later < last; later++)
      waiting[later] += bytes_apart(band, output);
  }
}

static bool is_before(const struct band_operator *node, size_t input) {
  for (size_t i = 0; i < input; i++)
    if (node->inputs[i] == node->inputs[input]) return true;
  return false;
}

/* The inputs that operator k of a band is the last to read. */
static neap_size input_bytes(const struct band *band, size_t k) {
  const struct band_segment *segment = band->segment;
  const struct band_operator *node = &segment->network->operators[segment->first + k];
  neap_size sum = 0;
  for (size_t i = 0; i < node->input_count; i++)
    if (node->inputs[i] != segment->input && !is_before(node, i) &&
        segment->network->tensors[node->inputs[i]].read == segment->first + k + 1)
      sum += bytes_apart(band, node->inputs[i]);
  return sum;
}

/*
 * The bytes that operator k needs in addition to waiting tensors; with overlaps, its output may
 * share bytes with its inputs.
 */
static neap_size least_bytes(const struct band *band, size_t k, bool overlaps) {
  const struct band_network *network = band->segment->network;
  const struct band_operator *node = &network->operators[band->segment->first + k];
  const neap_size made =
      band_rows_in(band->rows[k].made) * network->tensors[node->output].row_bytes;
  const neap_size inputs = input_bytes(band, k);
  const neap_size padded = band_padded_bytes(band->segment, &band->rows[k], k);
  if (overlaps || node->rule.kind == SPLIT_POINTWISE)
    return larger_of(larger_of(made, inputs), padded);
  return padded > 0 ? padded + larger_of(made, inputs) : made + inputs;
}

/* A lower bound on the peak of any layout of a band's tensors. */
static neap_size bound_band(struct builder *builder, const struct band *band) {
  neap_size most = 0;
  list_kept(band, builder->waiting);
  add_waiting(band, builder->waiting);
  for (size_t k = 0; k < band->segment->end - band->segment->first; k++)
    most =
        larger_of(most, builder->waiting[k] + least_bytes(band, k, builder->limits->overlaps));
  return most;
}

static void raise(neap_size *peak, neap_size bytes) {
  if (bytes > *peak) *peak = bytes;
}

/* Adds the costs of a band, whose rows are known. */
static bool add_costs(struct builder *builder, struct band_piece *piece, size_t index) {
  const struct band_segment *segment = &piece->segment;
  const struct band_limits *limits = builder->limits;
  const struct band_rows *rows = builder->rows;
  const struct band_range range = band_piece_band(piece, index);
  const struct band band = {segment, rows, builder->next};
  raise(&builder->pair, working_bytes(builder, &band, BY_PAIR));
  builder->paddings += count_paddings(segment, rows);
  builder->keeping += count_keeping(segment, rows);
  piece->macs += band_band_macs(segment, rows);
  piece->operators += segment->end - segment->first + count_slices(segment, rows);
  raise(&piece->peak,
        waiting_bytes(segment, limits, range.begin, range.end) + bound_band(builder, &band));
  if (!limits->slices_alias) raise(&piece->peak, slicing_bytes(segment, rows, range.begin));
  return piece->peak < limits->peak;
}

static bool measure_band(struct builder *builder, struct band_piece *piece, size_t index) {
  return band_slice(&piece->segment, band_piece_band(piece, index), NULL, builder->rows) &&
         add_costs(builder, piece, index);
}

/* Bands that keep rows depend on those before them. */
static bool measure_keeping(struct builder *builder, struct band_piece *piece) {
  const struct band_range first = band_piece_band(piece, 0);
  if (!band_slice(&piece->segment, first, NULL, builder->rows)) return false;
  for (size_t b = 0; b < piece->bands; b++) {
    if (!band_piece_next(piece, b, builder->rows, builder->next) ||
        !add_costs(builder, piece, b))
      return false;
    struct band_rows *rows = builder->rows;
    builder->rows = builder->next;
    builder->next = rows;
  }
  return true;
}

/* Fills in the costs of a piece in bands; false if it cannot be.  Later bands usually need more. */
static bool measure_bands(struct builder *builder, struct band_piece *piece) {
  const struct band_network *network = piece->segment.network;
  size_t output = piece->segment.output;
  piece->operators = 1;
  builder->pair = 0;
  builder->paddings = builder->keeping = 0;
  if (!builder->limits->concatenations_alias)
    piece->peak = bytes_of(network, output) + bytes_in_memory(network, output);
  if (piece->peak >= builder->limits->peak) return false;
  if (piece->segment.kept_row_max > 0) return measure_keeping(builder, piece);
  band_piece_next(piece, piece->bands - 1, builder->rows, builder->next);
  if (!measure_band(builder, piece, piece->bands - 2)) return false;
  for (size_t b = piece->bands; b-- > 0;)
    if (b != piece->bands - 2 && !measure_band(builder, piece, b)) return false;
  return true;
}

static int64_t macs_of(const struct band_segment *segment) {
  int64_t sum = 0;
  for (size_t k = segment->first; k < segment->end; k++)
    sum += segment->network->operators[k].macs;
  return sum;
}

static bool add_piece(struct builder *builder, const struct band_piece *piece) {
  struct band_listing *listing = builder->listing;
  if (!memory_reserve(&listing->pieces, &builder->capacity, listing->count + 1,
                      sizeof *listing->pieces))
    return false;
  listing->pieces[listing->count++] = *piece;
  return true;
}

/* Adds a piece with known heights, unless it has too much work or cannot be computed. */
static bool add_banded(struct builder *builder, struct band_piece piece) {
  int64_t extra = (int64_t)((builder->limits->factor_max - 1) * (double)builder->listing->macs);
  bool fits = measure_bands(builder, &piece) && piece.macs - macs_of(&piece.segment) <= extra;
  if (piece.segment.padding_max > 0 && builder->paddings == 0) return true; /* there already */
  if (piece.segment.kept_row_max > 0 && builder->keeping == 0) return true;
  piece.operators += builder->paddings + builder->keeping;
  return !fits || add_piece(builder, &piece);
}

static bool is_paddable(const struct band_segment *segment) {
  for (size_t k = segment->first; k < segment->end; k++)
    if (segment->network->operators[k].rule.is_paddable) return true;
  return false;
}

/*
 * Adds a piece, and one of the same heights with padding wherever that takes no more bytes than the
 * largest pair.
 */
static bool add_paddings(struct builder *builder, struct band_piece piece) {
  const struct band_segment *segment = &piece.segment;
  builder->pair = 0;
  if (!add_banded(builder, piece)) return false;
  if (segment->keeps_spoilt || segment->padding_max > 0 || builder->pair == 0 ||
      !is_paddable(segment))
    return true;
  piece.segment.padding_max = builder->pair;
  return add_banded(builder, piece);
}

/* ---------------------------------------------------------------- heights */

static int64_t output_height(const struct band_segment *segment) {
  return segment->network->tensors[segment->output].height;
}

static void make_equal(struct band_piece *piece) {
  int64_t height = output_height(&piece->segment), bands = (int64_t)piece->bands;
  for (int64_t b = 0; b < bands; b++)
    piece->ends[b] = (int32_t)(height * (b + 1) / bands);
}

/* Finds the rows of a band in the middle, after another one. */
static bool find_middle(struct builder *builder, const struct band_segment *segment,
                        int64_t rows) {
  const int64_t begin = (output_height(segment) - rows) / 2;
  const struct band_range before = {larger_of(begin - rows, 0), larger_of(begin, 1)};
  const struct band_range band = {before.end, before.end + rows};
  const bool keeps = segment->kept_row_max > 0 && band.end <= output_height(segment);
  if (!keeps)
    return band_slice(segment, (struct band_range){begin, begin + rows}, NULL, builder->rows);
  return band_slice(segment, before, NULL, builder->next) &&
         band_slice(segment, band, builder->next, builder->rows);
}

/* Estimates a band of a height by one in the middle, which keeps as much as the next one. */
static neap_size estimate_work(struct builder *builder, const struct band_segment *segment,
                               enum measure measure, int64_t rows) {
  if (!builder->is_known[rows]) {
    const bool can = find_middle(builder, segment, rows);
    const struct band band = {segment, builder->rows, builder->rows};
    for (enum measure m = 0; m < MEASURES; m++)
      builder->work[m][rows] = can ? working_bytes(builder, &band, m) : NEAP_MAX;
    builder->is_known[rows] = true;
  }
  return builder->work[measure][rows];
}

/* Makes each band in turn as high as a peak allows; false if there would be too many bands. */
static bool fill_bands(struct builder *builder, struct band_piece *piece, enum measure measure,
                       neap_size peak) {
  const struct band_segment *segment = &piece->segment;
  const neap_size row_bytes = segment->network->tensors[segment->output].row_bytes;
  int64_t height = output_height(segment), begin = 0, rows = height;
  for (size_t b = 0; b < piece->bands; b++, begin += rows) {
    int64_t left = (int64_t)(piece->bands - b - 1), most = height - begin - left;
    neap_size waiting =
        waiting_bytes(segment, builder->limits, begin, left == 0 ? height : begin + 1);
    /* More bytes wait than for the band before, so only the last band can be higher. */
    rows = left == 0 ? most : smaller_of(rows, most);
    if (waiting + rows * row_bytes > peak) { /* a lower bound on its need */
      if (left == 0 || waiting > peak) return false;
      rows = (peak - waiting) / row_bytes;
    }
    for (; rows > 0; rows--) {
      neap_size work = estimate_work(builder, segment, measure, rows);
      if (work < NEAP_MAX - waiting && waiting + work <= peak) break;
      if (left == 0) return false;
    }
    if (rows == 0) return false;
    piece->ends[b] = (int32_t)(begin + rows);
  }
  return begin == height;
}

/* Chooses heights with the lowest estimate, up to `highest`; false if none are found. */
static bool make_balanced(struct builder *builder, struct band_piece *piece,
                          enum measure measure, neap_size highest) {
  neap_size low = 0;
  while (low < highest) {
    neap_size middle = low + (highest - low) / 2;
    if (fill_bands(builder, piece, measure, middle)) highest = middle;
    else low = middle + 1;
  }
  return fill_bands(builder, piece, measure, highest);
}

/* Whether a piece has the heights of one of `count` others. */
static bool is_among(const struct band_piece *piece, const struct band_piece *others,
                     size_t count) {
  for (size_t i = 0; i < count; i++)
    if (memcmp(piece->ends, others[i].ends, sizeof piece->ends) == 0) return true;
  return false;
}

/* Adds a segment in a number of bands, of equal and balanced heights. */
static bool add_heights(struct builder *builder, const struct band_segment *segment,
                        size_t bands) {
  struct band_piece pieces[1 + MEASURES];
  /* An estimate may be above the peak of the network, whose tensors may overlap. */
  neap_size peak = builder->limits->peak, highest = peak < NEAP_MAX / 2 ? 2 * peak : NEAP_MAX;
  size_t count = 0;
  for (size_t way = 0; way < 1 + MEASURES; way++) {
    struct band_piece *piece = &pieces[count];
    *piece = (struct band_piece){.segment = *segment, .bands = bands};
    if (way == 0) make_equal(piece);
    else if (output_height(segment) > BALANCED_HEIGHT_MAX ||
             !make_balanced(builder, piece, (enum measure)(way - 1), highest))
      continue;
    if (is_among(piece, pieces, count++)) continue;
    if (!add_paddings(builder, *piece)) return false;
  }
  return true;
}

/* Adds a segment in each number of bands. */
static bool add_numbers(struct builder *builder, const struct band_segment *segment) {
  static const unsigned char counts[] = {2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 20, 24, 32};
  const int64_t height = output_height(segment);
  memset(builder->is_known, 0, sizeof builder->is_known);
  for (size_t i = 0; i < sizeof counts && counts[i] <= height; i++)
    if (!add_heights(builder, segment, counts[i])) return false;
  return true;
}

/* Adds a segment with spoilt rows cut off and, if there are any, with spoilt rows kept. */
static bool add_rows(struct builder *builder, const struct band_segment *segment) {
  struct band_segment spoiling = *segment, padding = *segment;
  spoiling.keeps_spoilt = true;
  padding.padding_max = INT64_MAX;
  return add_numbers(builder, segment) &&
         (segment->kept_row_max > 0 || add_numbers(builder, &spoiling)) &&
         (!is_paddable(segment) || add_numbers(builder, &padding));
}

/* The bytes of the widest rows between the ends of a segment, at most `most`; 0: there are none. */
static int64_t widest_row(const struct band_segment *segment, int64_t most) {
  const struct band_network *network = segment->network;
  int64_t widest = 0;
  for (size_t k = segment->first; k < segment->end; k++) {
    const size_t output = network->operators[k].output;
    const int64_t own = network->tensors[output].row_bytes;
    if (output != segment->output && own <= most) widest = larger_of(widest, own);
  }
  return widest;
}

/* Keeps the rows of all tensors, or only of those at most half as wide as the widest. */
static bool add_kept(struct builder *builder, const struct band_segment *segment) {
  const int64_t widest = widest_row(segment, INT64_MAX),
                narrow = widest_row(segment, widest / 2);
  struct band_segment keeping = *segment;
  keeping.kept_row_max = widest;
  if (widest > 0 && !add_rows(builder, &keeping)) return false;
  keeping.kept_row_max = narrow;
  return narrow == 0 || add_rows(builder, &keeping);
}

/* Groups of channels spoil nothing, and need nothing twice. */
static bool add_bands(struct builder *builder, const struct band_segment *segment) {
  if (segment->network->axis == SPLIT_CHANNELS) return add_numbers(builder, segment);
  return add_rows(builder, segment) && add_kept(builder, segment);
}

/* The bytes of all tensors that the original operators read and make; NEAP_MAX: not known. */
static neap_size sum_bytes(const struct band_segment *segment) {
  const struct band_network *network = segment->network;
  neap_size sum = segment->input == SPLIT_NO_TENSOR ? 0 : bytes_of(network, segment->input);
  for (size_t k = segment->first; k < segment->end; k++) {
    const struct band_operator *node = &network->operators[k];
    if (node->rule.kind == SPLIT_NONE) return NEAP_MAX;
    sum += bytes_of(network, node->output);
  }
  return sum;
}

static bool add_whole(struct builder *builder, const struct band_segment *segment) {
  struct band_piece piece = {.segment = *segment,
                             .sum = sum_bytes(segment),
                             .bands = 1,
                             .macs = macs_of(segment),
                             .operators = segment->end - segment->first};
  return add_piece(builder, &piece);
}

static bool is_cut(const struct builder *builder, size_t at) {
  return at == 0 || at == builder->listing->network->operator_count ||
         builder->cuts[at] != SPLIT_NO_TENSOR;
}

/* Whether an operator can begin a segment, along any axis. */
static bool can_begin(const struct band_network *network, size_t first) {
  return network->operators[first].rule.kind != SPLIT_NONE ||
         (network->channels && network->channels->operators[first].rule.kind != SPLIT_NONE);
}

/* Adds the pieces of a segment in bands of rows, and of channels. */
static bool add_axes(struct builder *builder, const struct band_segment *segment) {
  for (enum band_axis axis = SPLIT_ROWS; axis <= SPLIT_CHANNELS; axis++) {
    struct band_segment own = *segment;
    own.network = band_network_along(segment->network, axis);
    if (own.network && is_splittable(&own) && !add_bands(builder, &own)) return false;
  }
  return true;
}

/* Adds the pieces that begin at a cut. */
static bool add_from(struct builder *builder, size_t first) {
  const struct band_network *network = builder->listing->network;
  bool is_next = true;
  for (size_t end = first + 1;
       end <= network->operator_count && end <= first + builder->listing->length_max; end++) {
    const struct band_segment segment = {
        network, first, end, builder->cuts[first], builder->cuts[end], false, 0, 0};
    if (!is_cut(builder, end)) continue;
    if (is_next && !add_whole(builder, &segment)) return false;
    is_next = false;
    if (!can_begin(network, first)) return true;
    if (!add_axes(builder, &segment)) return false;
  }
  return true;
}

/* Adds a run of operators without a cut, which is longer than any segment. */
static bool add_long(struct builder *builder, size_t first) {
  const struct band_network *network = builder->listing->network;
  size_t end = first + 1;
  while (!is_cut(builder, end))
    end++;
  const struct band_segment segment = {
      network, first, end, builder->cuts[first], builder->cuts[end], false, 0, 0};
  return end <= first + builder->listing->length_max || add_whole(builder, &segment);
}

static size_t choose_length(const struct builder *builder) {
  size_t cuts = 1, length = SEGMENT_MAX;
  for (size_t at = 1; at < builder->listing->network->operator_count; at++)
    cuts += is_cut(builder, at);
  while (length > SEGMENT_MIN && length * length > LISTING_MAX / cuts)
    length--;
  return length;
}

static neap_status add_pieces(struct builder *builder, neap_error *error) {
  const struct band_network *network = builder->listing->network;
  size_t count = network->operator_count;
  if (!find_cuts(network, builder->cuts)) return error_memory(error);
  builder->cuts[count] = count > 0 ? network->operators[count - 1].output : SPLIT_NO_TENSOR;
  builder->listing->length_max = choose_length(builder);
  for (size_t at = 0; at < count; at++) {
    if (!is_cut(builder, at)) continue;
    if (builder->limits->keep_on && !builder->limits->keep_on(builder->limits->user))
      return NEAP_OK;
    if (!add_from(builder, at) || !add_long(builder, at)) return error_memory(error);
  }
  builder->listing->is_whole = true;
  return NEAP_OK;
}

neap_status band_listing_init(struct band_listing *listing, const struct band_network *network,
                              const struct band_limits *limits, neap_error *error) {
  *listing = (struct band_listing){.network = network};
  neap_status status = band_network_sum(network, &listing->macs, error);
  if (status != NEAP_OK) return status;
  struct builder builder = {.listing = listing, .limits = limits};
  builder.cuts = memory_array(network->operator_count + 1, sizeof *builder.cuts);
  builder.rows = memory_array(network->operator_count + 1, sizeof *builder.rows);
  builder.next = memory_array(network->operator_count + 1, sizeof *builder.next);
  builder.waiting = memory_array(network->operator_count + 1, sizeof *builder.waiting);
  status = builder.cuts && builder.rows && builder.next && builder.waiting
               ? add_pieces(&builder, error)
               : error_memory(error);
  free(builder.cuts);
  free(builder.rows);
  free(builder.next);
  free(builder.waiting);
  return status;
}

void band_listing_clear(struct band_listing *listing) { free(listing->pieces); }
