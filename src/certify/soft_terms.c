/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "certify/soft_terms.h"

#include <stdlib.h>

#include "core/checked.h"
#include "core/memory.h"

static int by_buffers(const void *left, const void *right) {
  const struct soft_term *a = left, *b = right;
  if (a->first != b->first) return a->first < b->first ? -1 : 1;
  return (a->second > b->second) - (a->second < b->second);
}

/* Adds up the penalties of each pair. */
static void merge(struct soft_terms *terms) {
  size_t kept = 0;
  if (terms->count > 0) qsort(terms->items, terms->count, sizeof *terms->items, by_buffers);
  for (size_t t = 0; t < terms->count; t++) {
    struct soft_term *last = kept > 0 ? &terms->items[kept - 1] : NULL;
    if (!last || by_buffers(last, &terms->items[t]) != 0)
      terms->items[kept++] = terms->items[t];
    else if (!checked_add(last->cost, terms->items[t].cost, &last->cost)) last->cost = NEAP_MAX;
  }
  terms->count = kept;
}

static void list_penalties(struct soft_terms *terms, const struct relations *relations) {
  for (size_t r = 0; r < relations->count; r++) {
    const neap_relation *relation = &relations->items[r];
    size_t a = relation->first, b = relation->second;
    if (relation->kind == NEAP_REUSE_PENALTY)
      terms->items[terms->count++] = (struct soft_term){
          NEAP_TERM_REUSE, a < b ? a : b, (int64_t)(a < b ? b : a), relation->bytes};
  }
}

static void list_moves(struct soft_terms *terms, const struct relations *relations) {
  for (size_t i = 0; i < relations->limit_count; i++) {
    const struct limits *limits = &relations->limits[i];
    if (limits->near_offset != NEAP_UNPLACED && limits->move_cost > 0)
      terms->items[terms->count++] =
          (struct soft_term){NEAP_TERM_MOVED, i, limits->near_offset, limits->move_cost};
  }
}

bool soft_terms_init(struct soft_terms *terms, const struct neap_problem *problem,
                     neap_term kind) {
  const struct relations *relations = problem->relations;
  size_t room =
      relations->count > relations->limit_count ? relations->count : relations->limit_count;
  *terms = (struct soft_terms){.items = memory_array(room, sizeof *terms->items)};
  if (!terms->items) return false;
  if (kind == NEAP_TERM_REUSE) list_penalties(terms, relations);
  else list_moves(terms, relations);
  merge(terms);
  return true;
}

void soft_terms_clear(struct soft_terms *terms) {
  free(terms->items);
  *terms = (struct soft_terms){0};
}
