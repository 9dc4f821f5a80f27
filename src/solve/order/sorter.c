/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sorts buffers by up to eight keys.  Keys are exact 256-bit integers, and ratios are compared by
 * cross-multiplication.  Ties are broken by index, which makes the order total, so any sorting
 * algorithm gives the same result.
 *
 * The keys of a buffer are packed into 64 bits, each in as many bits as the largest value needs,
 * the first key in the highest; an ascending key is stored as it is, any other key as its distance
 * from the largest value.  Usually all keys fit, and one radix sort (core/sort) is enough: O(n).
 * Otherwise the last packed key loses its lowest bits, or is a ratio that is rounded down, and runs
 * of buffers with equal packed keys are sorted by comparisons of all keys.
 *
 *     size,duration:   [ 4096 - size: 13 bits ][ longest - duration: 18 bits ]
 */
#include "order/sorter.h"

#include <assert.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/sort.h"

bool order_init(gsl_permutation *order, size_t count) {
  order->size = count;
  order->data = memory_array(count, sizeof *order->data);
  if (!order->data) return false;
  gsl_permutation_init(order);
  return true;
}

void order_clear(gsl_permutation *order) {
  free(order->data);
  order->data = NULL;
  order->size = 0;
}

/* A ratio has two numbers, any other key has one. */
union value {
  struct uint256 number;
  struct {
    wide_half over, under;
  } ratio;
};

static unsigned wanted_metrics(const struct order_spec *spec) {
  unsigned wanted = 0;
  for (size_t k = 0; k < spec->key_count; k++)
    for (size_t m = 0; m < spec->keys[k].metric_count; m++)
      wanted |= 1u << spec->keys[k].metrics[m];
  return wanted;
}

/*
 * Durations and sizes are below 2^63 and overlaps below 2^127, so no sum or product here can
 * overflow.
 */
static union value combine_metrics(const struct order_key *key, const struct metrics *metrics,
                                   size_t buffer) {
  assert(key->metric_count >= 1 && key->metric_count <= METRIC_COUNT);
  wide_half m[METRIC_COUNT] = {0};
  for (size_t i = 0; i < key->metric_count; i++)
    m[i] = metrics->values[key->metrics[i]][buffer];
  union value value = {.number = uint256_from(m[0])};
  if (key->combine == COMBINE_SUM) {
    value.number = uint256_from(m[0] + m[1] + m[2]);
  } else if (key->combine == COMBINE_RATIO) {
    value.ratio.over = m[0];
    value.ratio.under = m[1];
  } else if (key->combine == COMBINE_PRODUCT && key->metric_count == 2) {
    value.number = uint256_product(m[0], m[1]);
  } else if (key->combine == COMBINE_PRODUCT) {
    /* All three metrics: the overlap against the product of the other two. */
    wide_half overlap = metrics->values[METRIC_OVERLAP][buffer];
    wide_half area =
        metrics->values[METRIC_DURATION][buffer] * metrics->values[METRIC_SIZE][buffer];
    value.number = uint256_product(overlap, area);
  }
  return value;
}

/* Most keys are a single metric. */
static inline union value evaluate_key(const struct order_key *key,
                                       const struct metrics *metrics, size_t buffer) {
  if (key->combine != COMBINE_SINGLE) return combine_metrics(key, metrics, buffer);
  return (union value){.number = uint256_from(metrics->values[key->metrics[0]][buffer])};
}

/* a / 0 is infinite for a > 0 and equal to every other infinity; 0 / 0 is 0. */
static int compare_ratios(const union value *a, const union value *b) {
  bool a_infinite = a->ratio.under == 0 && a->ratio.over > 0;
  bool b_infinite = b->ratio.under == 0 && b->ratio.over > 0;
  if (a_infinite || b_infinite) return (int)a_infinite - (int)b_infinite;
  struct uint256 left = uint256_product(a->ratio.over, b->ratio.under ? b->ratio.under : 1);
  struct uint256 right = uint256_product(b->ratio.over, a->ratio.under ? a->ratio.under : 1);
  return uint256_compare(&left, &right);
}

/* The order that comparisons follow. */
struct ranking {
  const struct order_spec *spec;
  const struct metrics *metrics;
};

static int compare_buffers(const void *left, const void *right, void *context) {
  const struct ranking *ranking = context;
  const size_t a = ((const struct sort_pair *)left)->item,
               b = ((const struct sort_pair *)right)->item;
  for (size_t k = 0; k < ranking->spec->key_count; k++) {
    const struct order_key *key = &ranking->spec->keys[k];
    union value x = evaluate_key(key, ranking->metrics, a),
                y = evaluate_key(key, ranking->metrics, b);
    int result = key->combine == COMBINE_RATIO ? compare_ratios(&x, &y)
                                               : uint256_compare(&x.number, &y.number);
    if (result != 0) return key->ascending ? result : -result;
  }
  return a < b ? -1 : a > b;
}

/* ---------------------------------------------------------------- packing */

static unsigned bits_of(wide_half value) {
  uint64_t high = (uint64_t)(value >> 64), low = (uint64_t)value;
  if (high > 0) return 128 - (unsigned)__builtin_clzll(high);
  return low > 0 ? 64 - (unsigned)__builtin_clzll(low) : 0;
}

/* How a key becomes a number below 2^128 with the same order, but for ties. */
struct packing {
  const struct order_key *key;
  unsigned scale; /* a ratio is multiplied by 2^scale before it is rounded down */
  wide_half infinity;
  wide_half largest; /* the largest of these numbers */
  bool fits;         /* all numbers are below 2^128; otherwise the key is not packed */
};

static wide_half packing_number(const struct packing *packing, const union value *value) {
  if (packing->key->combine != COMBINE_RATIO) return value->number.low;
  if (value->ratio.over == 0) return 0;
  if (value->ratio.under == 0) return packing->infinity;
  return (value->ratio.over << packing->scale) / value->ratio.under;
}

static struct packing packing_of(const struct order_key *key, const struct metrics *metrics,
                                 size_t count) {
  struct packing packing = {.key = key, .fits = true};
  if (key->combine == COMBINE_RATIO) {
    wide_half over = 0;
    for (size_t i = 0; i < count; i++)
      over |= evaluate_key(key, metrics, i).ratio.over;
    packing.scale = bits_of(over) < 64 ? 64 : 127 - bits_of(over);
  }
  bool has_infinity = false;
  for (size_t i = 0; i < count && packing.fits; i++) {
    union value value = evaluate_key(key, metrics, i);
    has_infinity |=
        key->combine == COMBINE_RATIO && value.ratio.over > 0 && value.ratio.under == 0;
    packing.fits = key->combine == COMBINE_RATIO || value.number.high == 0;
    wide_half number = packing_number(&packing, &value);
    if (number > packing.largest) packing.largest = number;
  }
  if (has_infinity) packing.infinity = ++packing.largest; /* all other ratios are below 2^127 */
  return packing;
}

/* Appends a key to the packed ones, in `bits` bits, without its `lost` lowest bits. */
static void append_key(struct sort_pair *pairs, size_t count, const struct packing *packing,
                       const struct metrics *metrics, unsigned bits, unsigned lost) {
  for (size_t i = 0; i < count; i++) {
    union value value = evaluate_key(packing->key, metrics, i);
    wide_half number = packing_number(packing, &value);
    if (!packing->key->ascending) number = packing->largest - number;
    pairs[i].key = (bits < 64 ? pairs[i].key << bits : 0) | (uint64_t)(number >> lost);
  }
}

/* Packs as many keys as fit, and returns whether nothing is lost. */
static bool pack_keys(struct sort_pair *pairs, size_t count, const struct ranking *ranking) {
  unsigned left = 64;
  for (size_t k = 0; k < ranking->spec->key_count; k++) {
    struct packing packing = packing_of(&ranking->spec->keys[k], ranking->metrics, count);
    unsigned needed = bits_of(packing.largest), used = needed < left ? needed : left;
    if (!packing.fits) return false;
    if (used > 0) append_key(pairs, count, &packing, ranking->metrics, used, needed - used);
    left -= used;
    if (used < needed || packing.key->combine == COMBINE_RATIO) return false;
  }
  return true;
}

/* Sorts the buffers whose packed keys are equal. */
static void sort_runs(struct sort_pair *pairs, size_t count, const struct ranking *ranking) {
  for (size_t begin = 0, end; begin < count; begin = end) {
    end = begin + 1;
    while (end < count && pairs[end].key == pairs[begin].key)
      end++;
    if (end - begin > 1)
      sort_items(pairs + begin, end - begin, sizeof *pairs, compare_buffers,
                 (void *)(uintptr_t)ranking);
  }
}

static neap_status sort_buffers(const struct ranking *ranking, gsl_permutation *order,
                                neap_error *error) {
  struct sort_pair few[SORT_FEW];
  bool are_few = order->size <= SORT_FEW;
  struct sort_pair *pairs = are_few ? few : memory_scratch(order->size, sizeof *pairs);
  if (!pairs) return error_memory(error);
  for (size_t i = 0; i < order->size; i++)
    pairs[i] = (struct sort_pair){0, i};
  bool is_exact = pack_keys(pairs, order->size, ranking);
  neap_status status = sort_pairs(pairs, order->size) ? NEAP_OK : error_memory(error);
  if (status == NEAP_OK && !is_exact) sort_runs(pairs, order->size, ranking);
  for (size_t i = 0; i < order->size && status == NEAP_OK; i++)
    order->data[i] = pairs[i].item;
  if (!are_few) free(pairs);
  return status;
}

/* ---------------------------------------------------------------- sorting */

neap_status sorter_sort(const struct neap_problem *problem, const struct order_spec *spec,
                        gsl_permutation *order, neap_error *error) {
  assert(order->size == problem->count && spec->key_count >= 1);
  struct metrics metrics;
  neap_status status = metrics_init(&metrics, problem, wanted_metrics(spec), error);
  if (status != NEAP_OK) return status;
  status = sort_buffers(&(struct ranking){spec, &metrics}, order, error);
  metrics_clear(&metrics);
  return status;
}

/* ---------------------------------------------------------------- by offset */

static int by_offset(const void *left, const void *right, void *context) {
  const neap_offset *offsets = context;
  size_t a = *(const size_t *)left, b = *(const size_t *)right;
  if (offsets[a] != offsets[b]) return offsets[a] < offsets[b] ? -1 : 1;
  return a < b ? -1 : a > b;
}

void sorter_sort_by_offset(const neap_offset *offsets, gsl_permutation *order) {
  gsl_permutation_init(order);
  qsort_r(order->data, order->size, sizeof *order->data, by_offset, (void *)offsets);
}
