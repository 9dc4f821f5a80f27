/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "facts/gaps.h"

#include <assert.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/memory.h"

static int by_pair(const void *left, const void *right) {
  const struct gap *a = left, *b = right;
  if (a->first != b->first) return a->first < b->first ? -1 : 1;
  return a->second < b->second ? -1 : a->second > b->second;
}

/* The gaps of one allowance: its bytes if the output is below, the input's size otherwise. */
static struct gap gap_of(const struct neap_problem *problem, const neap_relation *relation) {
  size_t out = relation->first, in = relation->second;
  neap_size size = problem->buffers[in].size;
  if (out < in) return (struct gap){(uint32_t)out, (uint32_t)in, relation->bytes, size, false};
  return (struct gap){(uint32_t)in, (uint32_t)out, size, relation->bytes, true};
}

/* Keeps each pair once, with the smallest gaps. */
static void merge_pairs(struct gaps *gaps) {
  size_t used = 0;
  for (size_t i = 0; i < gaps->count; i++) {
    const struct gap *gap = &gaps->items[i];
    if (used == 0 || by_pair(&gaps->items[used - 1], gap) != 0) {
      gaps->items[used++] = *gap;
      continue;
    }
    struct gap *kept = &gaps->items[used - 1];
    if (gap->first_below < kept->first_below) kept->first_below = gap->first_below;
    if (gap->second_below < kept->second_below) kept->second_below = gap->second_below;
  }
  gaps->count = used;
}

neap_status gaps_init(struct gaps *gaps, const struct neap_problem *problem,
                      neap_error *error) {
  const struct relations *relations = problem->relations;
  size_t most = relations ? relations->count_of[NEAP_OVERLAP] : 0;
  *gaps = (struct gaps){.items = memory_array(most, sizeof *gaps->items)};
  if (!gaps->items) return error_memory(error);
  for (size_t i = 0; most > 0 && i < relations->count; i++) {
    const neap_relation *relation = &relations->items[i];
    if (relation->kind != NEAP_OVERLAP || problem->buffers[relation->second].size == 0 ||
        relation->bytes >= problem->buffers[relation->first].size)
      continue;
    assert(gaps->count < most);
    gaps->items[gaps->count++] = gap_of(problem, relation);
  }
  if (gaps->count > 0) qsort(gaps->items, gaps->count, sizeof *gaps->items, by_pair);
  merge_pairs(gaps);
  return NEAP_OK;
}

void gaps_clear(struct gaps *gaps) {
  free(gaps->items);
  *gaps = (struct gaps){0};
}
