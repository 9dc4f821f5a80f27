/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Buffers that banks of one size separate pairwise need banks of their own.  facts/bank_cliques
 * finds them, and doc/certificate.md proves how many bytes they need.
 *
 * As the document requires, buffers that the proof does not need are dropped from sets of at most
 * BANKS_SHRUNK_MOST, in cubic time.
 */
#include "certify/reasons.h"

#include <stdlib.h>

#include "core/checked.h"
#include "facts/bank_cliques.h"

/* doc/certificate.md also states it. */
#define BANKS_SHRUNK_MOST 100

static neap_size banks_of(const struct items *items, uint32_t buffer, neap_size bank) {
  return bank_cliques_touch(items->problem->buffers[buffer].size, bank);
}

/* The lowest end of a buffer above `banks` banks; 0 if finding it takes too many leaps. */
static neap_size end_above(const struct items *items, uint32_t buffer, neap_size bank,
                           neap_size banks) {
  bool is_scattered = false;
  neap_offset from;
  if (!checked_mul(bank, banks, &from)) return ITEMS_NOWHERE;
  neap_offset place = items_place(items, buffer, from, &is_scattered);
  if (is_scattered) return 0;
  return smaller_of(place + items->problem->buffers[buffer].size, ITEMS_NOWHERE);
}

/* The least end of the topmost buffer if `left_out` is left out; SIZE_MAX leaves out none. */
static neap_size height_without(const struct items *items, const struct bank_clique *clique,
                                size_t left_out) {
  neap_size banks = 0, least = ITEMS_NOWHERE;
  for (size_t i = 0; i < clique->count; i++)
    if (i != left_out) banks += banks_of(items, clique->members[i], clique->bank);
  for (size_t i = 0; i < clique->count; i++) {
    uint32_t top = clique->members[i];
    if (i == left_out) continue;
    neap_size below = banks - banks_of(items, top, clique->bank);
    least = smaller_of(least, end_above(items, top, clique->bank, below));
  }
  return least;
}

/* Drops one buffer that the height does not need; false if there is none. */
static bool drop(const struct items *items, struct bank_clique *clique) {
  neap_size height = height_without(items, clique, SIZE_MAX);
  for (size_t i = clique->count; i-- > 0;) {
    if (height_without(items, clique, i) < height) continue;
    for (size_t k = i + 1; k < clique->count; k++)
      clique->members[k - 1] = clique->members[k];
    clique->count--;
    return true;
  }
  return false;
}

static void print(struct certify_task *task, const struct items *items,
                  const struct bank_clique *clique) {
  neap_size height = height_without(items, clique, SIZE_MAX);
  if (height < task->target) return;
  lines_word(task->proof, "banks");
  lines_number(task->proof, clique->bank);
  for (size_t i = 0; i < clique->count; i++)
    lines_number(task->proof, certify_number(task, clique->members[i]));
  lines_end(task->proof);
  task->least = height;
  task->kind = NEAP_CERTIFICATE_BANKS;
}

neap_status banks_prove(struct certify_task *task, const struct items *items,
                        neap_error *error) {
  struct bank_clique clique;
  neap_status status = bank_cliques_find(task->problem, task->target, &clique, error);
  if (status != NEAP_OK || !clique.members) return status;
  while (clique.count > 2 && clique.count <= BANKS_SHRUNK_MOST && drop(items, &clique))
    continue;
  print(task, items, &clique);
  free(clique.members);
  return NEAP_OK;
}
