/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The syntax of orders: "size", "-size", "size*duration", "size/duration",
 * "overlap,size,duration".
 */
#ifndef ORDER_SPEC_H
#define ORDER_SPEC_H

#include "order/metrics.h"

enum combine { COMBINE_SINGLE, COMBINE_SUM, COMBINE_PRODUCT, COMBINE_RATIO };

/* One key: a metric, or two or three combined. */
struct order_key {
  enum combine combine;
  enum metric metrics[METRIC_COUNT];
  size_t metric_count;
  bool ascending; /* otherwise the largest comes first */
};

#define ORDER_KEYS 8

/* Keys by priority: each decides between buffers for which all earlier keys are equal. */
struct order_spec {
  struct order_key keys[ORDER_KEYS];
  size_t key_count;
};

/*
 * Parses an order. Keys are separated by commas; a leading '-' makes a key ascending; '+', '*'
 * and '/' combine metrics, one operator per key, and '/' only two metrics. NEAP_ERROR_ARGUMENT
 * gives the column (error->column) and what was expected there.
 */
neap_status order_spec_parse(struct order_spec *spec, const char *text, neap_error *error);

#endif
