/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Each band runs the operators of the whole network, with their own padding.  SAME padding is
 * added at the ends of the input, so it spoils the outermost rows at an inner border:
 *
 *     rows of the whole   0 1 2 3 4 5 6 7 8 9
 *     given                     3 4 5 6 7 8       3x3, stride 1
 *     made                      x 4 5 6 7 x
 *
 * So a band gets more rows, and spoilt rows are cut off, immediately or later.  Two ranges
 * describe a tensor of a band: its rows, and the exact rows among them.  With a stride, rows
 * must also lie on the grid of the whole.  SAME padding depends on the height of the
 * input, so some heights cannot be used.
 *
 * Otherwise, a separate operator pads the input: on all sides at the borders of the whole, and
 * only on the left and right at inner borders.  This spoils no row, but adds a tensor.
 *
 * A row is exact if its window has the same input rows in the band as in the whole, and all
 * these rows are exact.  This also holds for average pools, which divide by the number of rows
 * within the borders.
 *
 * Groups of channels spoil nothing and compute nothing twice: pools, depthwise convolutions and
 * means make each channel from one input channel, and a convolution that begins a segment makes
 * each channel from the whole input.
 *
 * At its top, a band needs rows that the band before has computed.  These rows are computed
 * again or kept:
 *
 *     band 1          3 4 5 6
 *     kept                5 6
 *     made                    7 8 9
 *     band 2              5 6 7 8 9     their concatenation
 *
 * A pass backwards gives each operator the fewest rows from which later operators can compute
 * their own rows.  A pass forwards keeps spoilt rows where they do no harm, which saves slices.
 */
#include "models/bands/bands.h"

#include <stdlib.h>

#include "core/checked.h"
#include "core/error.h"

void band_network_clear(struct band_network *network) {
  if (network->channels) band_network_clear(network->channels);
  free(network->channels);
  free(network->tensors);
  free(network->operators);
  free(network->places);
}

const struct band_network *band_network_along(const struct band_network *network,
                                              enum band_axis axis) {
  return axis == SPLIT_CHANNELS ? network->channels : network;
}

void band_network_copy_uses(struct band_network *network) {
  for (size_t t = 0; t < network->tensor_count; t++) {
    const struct band_tensor *from = &network->tensors[t];
    struct band_tensor *to = &network->channels->tensors[t];
    to->made = from->made;
    to->read = from->read;
    to->is_output = from->is_output;
  }
}

#define SUM_MAX ((int64_t)1 << 53)

static bool add_to_sum(int64_t *sum, int64_t more) {
  return checked_add(*sum, more, sum) && *sum <= SUM_MAX;
}

neap_status band_network_sum(const struct band_network *network, int64_t *macs,
                             neap_error *error) {
  int64_t all = 0, bytes;
  *macs = 0;
  bool fits = true;
  for (size_t k = 0; k < network->operator_count; k++)
    fits = fits && add_to_sum(macs, network->operators[k].macs);
  for (size_t t = 0; t < network->tensor_count; t++)
    fits = fits &&
           checked_mul(network->tensors[t].height, network->tensors[t].row_bytes, &bytes) &&
           add_to_sum(&all, bytes);
  return fits ? NEAP_OK
              : error_set(error, NEAP_ERROR_FORMAT,
                          "a model with over 2^53 multiply-accumulates, or as many bytes of "
                          "tensors, cannot be split");
}

static int64_t divide_down(int64_t a, int64_t b) { return a / b - (a % b < 0); }
static int64_t divide_up(int64_t a, int64_t b) { return a / b + (a % b > 0); }

static bool is_within(struct band_range inner, struct band_range outer) {
  return outer.begin <= inner.begin && inner.end <= outer.end;
}

static bool is_equal(struct band_range a, struct band_range b) {
  return a.begin == b.begin && a.end == b.end;
}

static bool is_empty(struct band_range range) { return range.begin >= range.end; }

static struct band_range hull(struct band_range a, struct band_range b) {
  if (is_empty(a)) return b;
  return (struct band_range){smaller_of(a.begin, b.begin), larger_of(a.end, b.end)};
}

/* ---------------------------------------------------------------- one operator */

/*
 * The one or two input rows between which row i of a resized tensor lies; they may be beyond a
 * border.
 */
static struct band_range rows_between(const struct band_rule *rule, int64_t i) {
  int64_t twice = 2 * i, factor = 2 * rule->stride;
  if (!rule->is_linear) return (struct band_range){i / rule->stride, i / rule->stride + 1};
  if (rule->is_half_pixel) twice += 1 - rule->stride;
  return (struct band_range){divide_down(twice, factor), divide_up(twice, factor) + 1};
}

/* The number of windows over `height` rows, which include the padding unless it is SAME. */
static int64_t rows_of_window(const struct band_rule *rule, int64_t height) {
  if (rule->is_same) return divide_up(height, rule->stride);
  return height < rule->reach ? 0 : (height - rule->reach) / rule->stride + 1;
}

/* The number of rows that SAME padding adds. */
static int64_t padding_of_window(const struct band_rule *rule, int64_t height) {
  int64_t last = (rows_of_window(rule, height) - 1) * rule->stride;
  return larger_of(last + rule->reach - height, 0);
}

/* The number of padding rows at the top; with SAME, the smaller half. */
static int64_t top_of_window(const struct band_rule *rule, int64_t height) {
  return rule->is_same ? padding_of_window(rule, height) / 2 : rule->before;
}

/* The rule of a SAME window whose input already contains the padding. */
static struct band_rule padded_rule(const struct band_rule *rule, int64_t height) {
  struct band_rule padded = *rule;
  padded.is_same = false;
  padded.before = top_of_window(rule, height);
  padded.after = padding_of_window(rule, height) - padded.before;
  return padded;
}

static bool window_made(const struct band_rule *rule, int64_t height, struct band_range given,
                        struct band_range *made) {
  int64_t own = given.end - given.begin, top = rule->is_same ? top_of_window(rule, own) : 0;
  if (!rule->is_same && given.begin == 0) top = rule->before;
  if (!rule->is_same) own += top + (given.end == height ? rule->after : 0);
  int64_t first = given.begin - top + top_of_window(rule, height);
  if (first < 0 || first % rule->stride != 0) return false;
  made->begin = first / rule->stride;
  made->end = made->begin + rows_of_window(rule, own);
  return true;
}

bool band_rows_made(const struct band_rule *rule, int64_t height, int64_t made_height,
                    struct band_range given, struct band_range *made) {
  if (given.begin < 0 || given.end > height || is_empty(given)) return false;
  *made = given;
  if (rule->kind == SPLIT_WINDOW && !window_made(rule, height, given, made)) return false;
  if (rule->kind == SPLIT_PAD) {
    made->begin = given.begin == 0 ? 0 : given.begin + rule->before;
    made->end = given.end == height ? made_height : given.end + rule->before;
  }
  if (rule->kind == SPLIT_RESIZE)
    *made = (struct band_range){given.begin * rule->stride, given.end * rule->stride};
  return !is_empty(*made) && made->begin >= 0 && made->end <= made_height;
}

/* The input rows, within the borders, from which rows of the output are made. */
static struct band_range rows_needed(const struct band_rule *rule, int64_t height,
                                     struct band_range made) {
  struct band_range needed = made;
  if (rule->kind == SPLIT_WINDOW) {
    int64_t top = top_of_window(rule, height);
    needed.begin = made.begin * rule->stride - top;
    needed.end = (made.end - 1) * rule->stride - top + rule->reach;
  } else if (rule->kind == SPLIT_PAD) {
    needed.begin = made.begin - rule->before;
    needed.end = made.end - rule->before;
  } else if (rule->kind == SPLIT_RESIZE) {
    needed.begin = rows_between(rule, made.begin).begin;
    needed.end = rows_between(rule, made.end - 1).end;
  }
  /* A window at a border may contain only padding. */
  needed.begin = smaller_of(larger_of(needed.begin, 0), height - 1);
  needed.end = larger_of(smaller_of(needed.end, height), needed.begin + 1);
  return needed;
}

static bool is_resized_exactly(const struct band_rule *rule, int64_t height,
                               struct band_range exact, int64_t i) {
  struct band_range rows = rows_between(rule, i);
  return (exact.begin == 0 || rows.begin >= exact.begin) &&
         (exact.end == height || rows.end <= exact.end);
}

static struct band_range resized_exactly(const struct band_rule *rule, int64_t height,
                                         struct band_range exact, struct band_range made) {
  while (!is_empty(made) && !is_resized_exactly(rule, height, exact, made.begin))
    made.begin++;
  while (!is_empty(made) && !is_resized_exactly(rule, height, exact, made.end - 1))
    made.end--;
  return made;
}

struct band_range band_rows_exact(const struct band_rule *rule, int64_t height,
                                  struct band_range exact, struct band_range made) {
  int64_t stride = rule->kind == SPLIT_WINDOW ? rule->stride : 1;
  int64_t reach = rule->kind == SPLIT_WINDOW ? rule->reach : 1;
  int64_t top = rule->kind == SPLIT_WINDOW ? top_of_window(rule, height)
                : rule->kind == SPLIT_PAD  ? rule->before
                                           : 0;
  struct band_range rows = made;
  if (is_empty(exact)) return (struct band_range){made.begin, made.begin};
  if (rule->kind == SPLIT_RESIZE) return resized_exactly(rule, height, exact, made);
  if (exact.begin > 0) rows.begin = larger_of(rows.begin, divide_up(exact.begin + top, stride));
  if (exact.end < height)
    rows.end = smaller_of(rows.end, divide_down(exact.end + top - reach, stride) + 1);
  if (rows.end < rows.begin) rows.end = rows.begin;
  return rows;
}

/* Finds the fewest input rows that contain `needed` and suffice for all `wanted` output rows. */
static bool find_given(const struct band_rule *rule, int64_t height, int64_t made_height,
                       struct band_range needed, struct band_range wanted,
                       struct band_range *given) {
  int64_t window = rule->kind == SPLIT_WINDOW ? rule->reach + rule->stride : 0;
  int64_t span = wanted.end - wanted.begin;
  int64_t limit = 2 * window + span * (rule->kind == SPLIT_WINDOW ? rule->stride : 1);
  for (int64_t extra = 0; extra <= limit; extra++)
    for (int64_t above = 0; above <= extra; above++) {
      struct band_range made;
      *given = (struct band_range){needed.begin - above, needed.end + extra - above};
      if (band_rows_made(rule, height, made_height, *given, &made) && is_within(wanted, made))
        return true;
    }
  return false;
}

/* ---------------------------------------------------------------- a segment */

static const struct band_operator *operator_at(const struct band_segment *segment, size_t k) {
  return &segment->network->operators[segment->first + k];
}

static int64_t height_of(const struct band_segment *segment, size_t tensor) {
  return segment->network->tensors[tensor].height;
}

static struct band_rows *maker_of(const struct band_segment *segment, struct band_rows *rows,
                                  size_t tensor) {
  size_t made = segment->network->tensors[tensor].made;
  return tensor == segment->input ? NULL : &rows[made - 1 - segment->first];
}

struct band_range band_rows_of(const struct band_segment *segment, const struct band_rows *rows,
                               size_t tensor) {
  size_t made = segment->network->tensors[tensor].made;
  if (tensor == segment->input) return (struct band_range){0, height_of(segment, tensor)};
  const struct band_rows *own = &rows[made - 1 - segment->first];
  return is_empty(own->kept) ? own->made : (struct band_range){own->kept.begin, own->made.end};
}

/* Wants all rows of the segment's input; wanting all of another tensor would save nothing. */
static bool want_whole(const struct band_segment *segment, struct band_rows *rows, size_t k) {
  const struct band_operator *node = operator_at(segment, k);
  if (node->inputs[0] != segment->input) return false;
  rows[k].given = (struct band_range){0, height_of(segment, segment->input)};
  return true;
}

int64_t band_kept_bytes(const struct band_segment *segment, const struct band_rows *rows,
                        size_t k) {
  const size_t output = operator_at(segment, k)->output;
  return band_rows_in(rows[k].kept) * segment->network->tensors[output].row_bytes;
}

int64_t band_padded_bytes(const struct band_segment *segment, const struct band_rows *rows,
                          size_t k) {
  const struct band_operator *node = operator_at(segment, k);
  if (!rows->is_padded) return 0;
  return (band_rows_in(rows->given) + rows->above + rows->below) *
         (segment->network->tensors[node->inputs[0]].row_bytes + node->rule.side_bytes);
}

/* The rule by which operator k makes its rows. */
static struct band_rule rule_of(const struct band_segment *segment,
                                const struct band_rows *rows, size_t k) {
  const struct band_operator *node = operator_at(segment, k);
  return rows[k].is_padded ? padded_rule(&node->rule, height_of(segment, node->inputs[0]))
                           : node->rule;
}

/* Finds the fewest input rows for operator k; with explicit padding, no output row is spoilt. */
static bool give(const struct band_segment *segment, struct band_rows *rows, size_t k) {
  const struct band_operator *node = operator_at(segment, k);
  const struct band_rule rule = rule_of(segment, rows, k);
  const int64_t height = height_of(segment, node->inputs[0]);
  const struct band_range needed = rows_needed(&rule, height, rows[k].wanted_exact);
  if (!find_given(&rule, height, height_of(segment, node->output), needed, rows[k].wanted,
                  &rows[k].given))
    return false;
  rows[k].above = rows[k].is_padded && rows[k].given.begin == 0 ? rule.before : 0;
  rows[k].below = rows[k].is_padded && rows[k].given.end == height ? rule.after : 0;
  return band_rows_made(&rule, height, height_of(segment, node->output), rows[k].given,
                        &rows[k].made);
}

/* Whether a padded input and the tensor that it copies are within the limit together. */
static bool is_padding_small(const struct band_segment *segment, const struct band_rows *rows,
                             size_t k) {
  const size_t input = operator_at(segment, k)->inputs[0];
  return band_padded_bytes(segment, &rows[k], k) +
             band_rows_in(rows[k].given) * segment->network->tensors[input].row_bytes <=
         segment->padding_max;
}

/* Like give(), but pads explicitly if that saves rows and is within the limit. */
static bool give_least(const struct band_segment *segment, struct band_rows *rows, size_t k) {
  const bool is_given = give(segment, rows, k);
  const struct band_rows same = rows[k];
  if (segment->padding_max == 0 || !operator_at(segment, k)->rule.is_paddable) return is_given;
  rows[k].is_padded = true;
  if (give(segment, rows, k) && is_padding_small(segment, rows, k) &&
      (!is_given || band_rows_in(rows[k].made) < band_rows_in(same.made) ||
       band_rows_in(rows[k].given) < band_rows_in(same.given)))
    return true;
  rows[k] = same;
  return is_given;
}

/*
 * Takes the first wanted rows from the band before, if they are exact there.  At least one exact
 * row is left, so that each operator runs in each band.
 */
static void keep(const struct band_segment *segment, const struct band_rows *before,
                 struct band_rows *rows, size_t k) {
  struct band_rows *own = &rows[k];
  const size_t output = operator_at(segment, k)->output;
  if (!before || output == segment->output ||
      segment->network->tensors[output].row_bytes > segment->kept_row_max ||
      own->wanted.begin < before[k].exact.begin)
    return;
  const int64_t end = smaller_of(before[k].exact.end, own->wanted_exact.end - 1);
  if (end <= own->wanted_exact.begin) return;
  own->kept = (struct band_range){own->wanted.begin, end};
  own->wanted.begin = own->wanted_exact.begin = end;
}

/* Finds the rows that operator k is given, and the rows that it wants from its inputs. */
static bool want(const struct band_segment *segment, struct band_rows *rows, size_t k) {
  const struct band_operator *node = operator_at(segment, k);
  if (is_empty(rows[k].wanted)) return false; /* nothing reads it */
  if (node->rule.kind == SPLIT_OUTPUTS) return want_whole(segment, rows, k);
  if (!give_least(segment, rows, k)) return false;
  struct band_range needed =
      rows_needed(&node->rule, height_of(segment, node->inputs[0]), rows[k].wanted_exact);
  for (size_t i = 0; i < node->input_count; i++) {
    struct band_rows *maker = maker_of(segment, rows, node->inputs[i]);
    if (!maker) continue;
    maker->wanted = hull(maker->wanted, rows[k].given);
    maker->wanted_exact = hull(maker->wanted_exact, needed);
  }
  return true;
}

static bool spoils(const struct band_rule *rule) {
  return rule->kind == SPLIT_PAD || rule->is_linear ||
         (rule->kind == SPLIT_WINDOW && (rule->reach > 1 || rule->stride > 1));
}

static bool spoils_later(const struct band_segment *segment, size_t k) {
  for (size_t j = k; j < segment->end - segment->first; j++)
    if (spoils(&operator_at(segment, j)->rule)) return true;
  return false;
}

/* The given rows that are exact in all inputs. */
static struct band_range exact_inputs(const struct band_segment *segment,
                                      const struct band_rows *rows, size_t k) {
  const struct band_operator *node = operator_at(segment, k);
  struct band_range exact = rows[k].given;
  for (size_t i = 0; i < node->input_count; i++) {
    if (node->inputs[i] == segment->input) continue;
    size_t made = segment->network->tensors[node->inputs[i]].made;
    struct band_range own = rows[made - 1 - segment->first].exact;
    exact.begin = larger_of(exact.begin, own.begin);
    exact.end = smaller_of(exact.end, own.end);
  }
  return exact;
}

static bool make(const struct band_segment *segment, struct band_rows *rows, size_t k) {
  const struct band_operator *node = operator_at(segment, k);
  int64_t height = height_of(segment, node->inputs[0]);
  if (node->rule.kind == SPLIT_OUTPUTS) {
    rows[k].made = rows[k].exact = rows[k].wanted;
    return true;
  }
  const struct band_rule rule = rule_of(segment, rows, k);
  if (!band_rows_made(&rule, height, height_of(segment, node->output), rows[k].given,
                      &rows[k].made))
    return false;
  rows[k].exact = band_rows_exact(&rule, height, exact_inputs(segment, rows, k), rows[k].made);
  const bool is_made =
      is_within(rows[k].wanted, rows[k].made) && is_within(rows[k].wanted_exact, rows[k].exact);
  if (!is_empty(rows[k].kept)) rows[k].exact.begin = rows[k].kept.begin;
  return is_made;
}

/* Gives operator k all rows of its inputs, if that does no harm. */
static bool make_of_all(const struct band_segment *segment, struct band_rows *rows, size_t k) {
  const struct band_operator *node = operator_at(segment, k);
  struct band_range given = rows[k].given;
  struct band_range all = band_rows_of(segment, rows, node->inputs[0]);
  for (size_t i = 0; i < node->input_count; i++)
    if (node->inputs[i] == segment->input ||
        !is_equal(all, band_rows_of(segment, rows, node->inputs[i])))
      return false;
  if (rows[k].is_padded) return false; /* by the rows above and below those given */
  rows[k].given = all;
  if (make(segment, rows, k)) return true;
  rows[k].given = given;
  return false;
}

bool band_slice(const struct band_segment *segment, struct band_range band,
                const struct band_rows *before, struct band_rows *rows) {
  size_t count = segment->end - segment->first;
  for (size_t k = 0; k < count; k++)
    rows[k] = (struct band_rows){.wanted = {0, 0}};
  struct band_rows *last = maker_of(segment, rows, segment->output);
  last->wanted = last->wanted_exact = band;
  for (size_t k = count; k-- > 0;) {
    keep(segment, before, rows, k);
    if (!want(segment, rows, k)) return false;
  }
  for (size_t k = 0; k < count; k++) {
    bool keeps = segment->keeps_spoilt && spoils_later(segment, k);
    if (!(keeps && make_of_all(segment, rows, k)) && !make(segment, rows, k)) return false;
  }
  return true;
}

/* ---------------------------------------------------------------- costs */

int64_t band_band_macs(const struct band_segment *segment, const struct band_rows *rows) {
  int64_t sum = 0;
  for (size_t k = 0; k < segment->end - segment->first; k++) {
    const struct band_operator *node = operator_at(segment, k);
    sum +=
        node->macs / height_of(segment, node->output) * (rows[k].made.end - rows[k].made.begin);
  }
  return sum;
}
