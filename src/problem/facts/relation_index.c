/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A counting sort: counts at the place of each buffer, sums up, then fills from the back. */
#include "facts/relation_index.h"

#include <stdlib.h>

#include "core/memory.h"

static void sort_by_buffer(struct relation_index *index, const struct neap_problem *problem,
                           unsigned effects) {
  const struct relations *relations = problem->relations;
  const neap_relation *next = NULL;
  while ((next = problem_next_relation(problem, effects, next))) {
    index->ends[next->first]++;
    index->ends[next->second]++;
  }
  for (size_t b = 1; b < problem->count; b++)
    index->ends[b] += index->ends[b - 1];
  size_t total = index->ends[problem->count - 1];
  for (size_t i = relations->count; i-- > 0;) {
    const neap_relation *item = &relations->items[i];
    if (!relation_has(item, effects)) continue;
    index->items[--index->ends[item->first]] = item;
    index->items[--index->ends[item->second]] = item;
  }
  /* Each end has become a begin, which is the end of the buffer before. */
  for (size_t b = 0; b < problem->count; b++)
    index->ends[b] = b + 1 < problem->count ? index->ends[b + 1] : total;
}

bool relation_index_init(struct relation_index *index, const struct neap_problem *problem,
                         unsigned effects) {
  *index = (struct relation_index){0};
  if (!problem_has(problem, effects)) return true;
  index->ends = memory_array(problem->count, sizeof *index->ends);
  index->items =
      memory_array(2 * problem_count_relations(problem, effects), sizeof *index->items);
  if (index->ends && index->items) {
    sort_by_buffer(index, problem, effects);
    return true;
  }
  relation_index_clear(index);
  return false;
}

void relation_index_clear(struct relation_index *index) {
  free(index->ends);
  free(index->items);
  *index = (struct relation_index){0};
}
