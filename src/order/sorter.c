/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sorts buffers by up to eight keys.  Every key of every buffer is computed once, so comparisons
 * only read: O(n log n).  Keys are exact 256-bit integers, and ratios are compared by
 * cross-multiplication.  Ties are broken by index, which makes the order total, so any sorting
 * algorithm gives the same result.
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
  struct wide number;
  struct {
    wide_half over, under;
  } ratio;
};

struct item {
  size_t buffer;
  union value *values; /* one per key */
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
static union value evaluate_key(const struct order_key *key, const struct metrics *metrics,
                                size_t buffer) {
  assert(key->metric_count >= 1 && key->metric_count <= METRIC_COUNT);
  wide_half m[METRIC_COUNT] = {0};
  for (size_t i = 0; i < key->metric_count; i++)
    m[i] = metrics->values[key->metrics[i]][buffer];
  union value value = {.number = wide_from(m[0])};
  if (key->combine == COMBINE_SUM) {
    value.number = wide_from(m[0] + m[1] + m[2]);
  } else if (key->combine == COMBINE_RATIO) {
    value.ratio.over = m[0];
    value.ratio.under = m[1];
  } else if (key->combine == COMBINE_PRODUCT && key->metric_count == 2) {
    value.number = wide_product(m[0], m[1]);
  } else if (key->combine == COMBINE_PRODUCT) {
    /* All three: the overlap against the product of the other two. */
    wide_half overlap = metrics->values[METRIC_OVERLAP][buffer];
    wide_half area =
        metrics->values[METRIC_DURATION][buffer] * metrics->values[METRIC_SIZE][buffer];
    value.number = wide_product(overlap, area);
  }
  return value;
}

/* a / 0 is infinite for a > 0 and equal to every other infinity; 0 / 0 is 0. */
static int compare_ratios(const union value *a, const union value *b) {
  bool a_infinite = a->ratio.under == 0 && a->ratio.over > 0;
  bool b_infinite = b->ratio.under == 0 && b->ratio.over > 0;
  if (a_infinite || b_infinite) return (int)a_infinite - (int)b_infinite;
  struct wide left = wide_product(a->ratio.over, b->ratio.under ? b->ratio.under : 1);
  struct wide right = wide_product(b->ratio.over, a->ratio.under ? a->ratio.under : 1);
  return wide_compare(&left, &right);
}

static int compare_items(const void *left, const void *right, void *context) {
  const struct item *a = left, *b = right;
  const struct order_spec *spec = context;
  for (size_t k = 0; k < spec->key_count; k++) {
    const struct order_key *key = &spec->keys[k];
    int result = key->combine == COMBINE_RATIO
                     ? compare_ratios(&a->values[k], &b->values[k])
                     : wide_compare(&a->values[k].number, &b->values[k].number);
    if (result != 0) return key->ascending ? result : -result;
  }
  return a->buffer < b->buffer ? -1 : a->buffer > b->buffer;
}

static neap_status sort_by_keys(const struct neap_problem *problem, const struct order_spec *spec,
                              const struct metrics *metrics, gsl_permutation *order,
                              neap_error *error) {
  struct item *items = memory_array(problem->count, sizeof *items);
  union value *values = memory_array(problem->count, spec->key_count * sizeof *values);
  neap_status status = items && values ? NEAP_OK : error_memory(error);
  if (status == NEAP_OK) {
    for (size_t i = 0; i < problem->count; i++) {
      items[i] = (struct item){i, values + i * spec->key_count};
      for (size_t k = 0; k < spec->key_count; k++)
        items[i].values[k] = evaluate_key(&spec->keys[k], metrics, i);
    }
    sort_items(items, problem->count, sizeof *items, compare_items, (void *)(uintptr_t)spec);
    for (size_t i = 0; i < problem->count; i++)
      order->data[i] = items[i].buffer;
  }
  free(items);
  free(values);
  return status;
}

neap_status sorter_sort(const struct neap_problem *problem, const struct order_spec *spec,
                        gsl_permutation *order, neap_error *error) {
  assert(order->size == problem->count && spec->key_count >= 1);
  struct metrics metrics;
  neap_status status = metrics_init(&metrics, problem, wanted_metrics(spec), error);
  if (status != NEAP_OK) return status;
  status = sort_by_keys(problem, spec, &metrics, order, error);
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
