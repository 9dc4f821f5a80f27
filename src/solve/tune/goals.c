/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The three goals of tuning (doc/tuner.md, R29, A12 to A15). Orders are compared in full only if
 * their hashes agree, so a check costs O(length).
 */
#include "tune/reorderer.h"

#include <assert.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/memory.h"

/* ---------------------------------------------------------------- history */

void history_init(struct history *history, size_t length) {
  *history = (struct history){.length = length};
}

void history_clear(struct history *history) {
  free(history->orders);
  hash_set_clear(&history->found);
  *history = (struct history){0};
}

void history_restart(struct history *history, size_t length) {
  history->length = length;
  hash_set_empty(&history->found);
}

static uint64_t hash_order(const size_t *order, size_t length) {
  uint64_t hash = HASH_FIRST;
  for (size_t i = 0; i < length; i++)
    hash = hash_next(hash, order[i]);
  return hash;
}

static bool is_same_order(const uint32_t *held, const size_t *order, size_t length) {
  for (size_t i = 0; i < length; i++)
    if (held[i] != order[i]) return false;
  return true;
}

bool history_has(const struct history *history, const size_t *order) {
  size_t number, probe = 0, length = history->length;
  uint64_t hash = hash_order(order, length);
  while ((number = hash_set_next(&history->found, hash, &probe)) != HASH_SET_NONE)
    if (is_same_order(history->orders + number * length, order, length)) return true;
  return false;
}

bool history_add(struct history *history, const size_t *order) {
  size_t count = history->found.count, length = history->length;
  size_t elements; /* even an empty order takes up an element */
  if (__builtin_mul_overflow(count + 1, length, &elements) ||
      !memory_reserve(&history->orders, &history->capacity, elements > 0 ? elements : 1,
                      sizeof *history->orders) ||
      !hash_set_reserve(&history->found, count + 1))
    return false;
  uint32_t *held = history->orders + count * length;
  for (size_t i = 0; i < length; i++) {
    assert(order[i] <= UINT32_MAX);
    held[i] = (uint32_t)order[i];
  }
  hash_set_add(&history->found, hash_order(order, length), count);
  return true;
}

/* ---------------------------------------------------------------- goals */

neap_status goals_check(struct goals *goals, uint64_t round, const size_t *order,
                        neap_size peak, bool *stop, neap_stop_reason *reason,
                        neap_error *error) {
  assert(round >= 1 && goals->cap >= 1);
  bool repeated = history_has(goals->history, order);
  if (!history_add(goals->history, order)) return error_memory(error);
  *stop = true;
  if (peak <= goals->bound) *reason = NEAP_STOP_BOUND;
  else if (repeated) *reason = NEAP_STOP_FIXED_POINT;
  else if (round >= goals->cap) *reason = NEAP_STOP_ITERATION_CAP;
  else *stop = false;
  return NEAP_OK;
}
