/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A counting sort by risk (doc/tuner.md, R28). */
#include "tune/merge.h"

#include <assert.h>

void merge_by_risk(const gsl_permutation *order, const unsigned char *risks,
                   const size_t counts[NEAP_RISK_COUNT], gsl_permutation *merged) {
  assert(merged->size == order->size && merged->data != order->data);
  size_t next[NEAP_RISK_COUNT], begin = 0;
  for (size_t risk = NEAP_RISK_COUNT; risk-- > 0; begin += counts[risk])
    next[risk] = begin;
  assert(begin == order->size);
  for (size_t rank = 0; rank < order->size; rank++) {
    size_t buffer = order->data[rank];
    assert(risks[buffer] < NEAP_RISK_COUNT);
    merged->data[next[risks[buffer]]++] = buffer;
  }
}
