/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The three goals of tuning (doc/tuner.md, R29, A12 to A15). Orders are compared by hash first
 * and in full only if the hashes agree, so a check costs O(length + orders so far).
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
  free(history->hashes);
  *history = (struct history){0};
}

void history_restart(struct history *history, size_t length) {
  history->length = length;
  history->count = 0;
}

/*
 * Mixes the elements one by one with the finaliser of MurmurHash3 (Appleby), so their order
 * matters.
 */
static uint64_t hash_order(const size_t *order, size_t length) {
  uint64_t value = length;
  for (size_t i = 0; i < length; i++) {
    value = (value ^ order[i]) * UINT64_C(0xff51afd7ed558ccd);
    value ^= value >> 33;
  }
  return value;
}

static bool is_same_order(const uint32_t *held, const size_t *order, size_t length) {
  for (size_t i = 0; i < length; i++)
    if (held[i] != order[i]) return false;
  return true;
}

/* There are few rounds, so a linear scan of the hashes is fast enough. */
bool history_has(const struct history *history, const size_t *order) {
  assert(history->count <= history->hash_capacity);
  uint64_t wanted = hash_order(order, history->length);
  for (size_t i = 0; i < history->count; i++)
    if (history->hashes[i] == wanted &&
        is_same_order(history->orders + i * history->length, order, history->length))
      return true;
  return false;
}

bool history_add(struct history *history, const size_t *order) {
  size_t elements; /* an empty order takes up an element, too */
  if (__builtin_mul_overflow(history->count + 1, history->length, &elements) ||
      !memory_reserve(&history->orders, &history->capacity, elements > 0 ? elements : 1,
                      sizeof *history->orders) ||
      !memory_reserve(&history->hashes, &history->hash_capacity, history->count + 1,
                      sizeof *history->hashes))
    return false;
  uint32_t *held = history->orders + history->count * history->length;
  for (size_t i = 0; i < history->length; i++) {
    assert(order[i] <= UINT32_MAX);
    held[i] = (uint32_t)order[i];
  }
  history->hashes[history->count++] = hash_order(order, history->length);
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
