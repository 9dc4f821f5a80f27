/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Buffers that banks of one size separate pairwise need banks of their own.  facts/bank_cliques
 * finds them, and doc/certificate.md proves how many bytes they need.
 */
#include "certify/reasons.h"

#include <stdlib.h>

#include "core/checked.h"
#include "facts/bank_cliques.h"

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

/* The least end of the topmost buffer. */
static neap_size height_of(const struct items *items, const struct bank_clique *clique) {
  neap_size banks = 0, least = ITEMS_NOWHERE;
  for (size_t i = 0; i < clique->count; i++)
    banks += banks_of(items, clique->members[i], clique->bank);
  for (size_t i = 0; i < clique->count; i++) {
    neap_size below = banks - banks_of(items, clique->members[i], clique->bank);
    least = smaller_of(least, end_above(items, clique->members[i], clique->bank, below));
  }
  return least;
}

static void print(struct certify_task *task, const struct items *items,
                  const struct bank_clique *clique) {
  neap_size height = height_of(items, clique);
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
  print(task, items, &clique);
  free(clique.members);
  return NEAP_OK;
}
