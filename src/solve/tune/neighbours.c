/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Spans are sorted by their first sections, and a tournament tree holds their ends.  A span
 * meets a window [a, b) if it begins before b and ends after a.  The spans that begin before b
 * are a prefix; in this prefix, the tree finds the spans that end after a one by one, without
 * visiting others.
 */
#include "tune/room.h"

#include <assert.h>
#include <stdlib.h>

#include "core/bisection.h"
#include "core/memory.h"

struct entry {
  uint32_t first, end, buffer;
};

static int by_first(const void *left, const void *right) {
  const struct entry *a = left, *b = right;
  if (a->first != b->first) return a->first < b->first ? -1 : 1;
  return a->buffer < b->buffer ? -1 : a->buffer > b->buffer;
}

static struct entry *sorted_entries(const struct sections *sections, size_t buffer_count) {
  struct entry *entries = memory_array(sections->span_count, sizeof *entries);
  if (!entries) return NULL;
  size_t used = 0;
  for (size_t i = 0; i < buffer_count; i++)
    for (size_t s = sections_spans_begin(sections, i); s < sections->spans_end[i]; s++)
      entries[used++] =
          (struct entry){sections->spans[s].first, sections->spans[s].end, (uint32_t)i};
  assert(used == sections->span_count);
  qsort(entries, used, sizeof *entries, by_first);
  return entries;
}

bool neighbours_init(struct neighbours *neighbours, const struct sections *sections,
                     size_t buffer_count) {
  size_t count = sections->span_count;
  *neighbours = (struct neighbours){.count = count,
                                    .buffer = memory_array(count, sizeof(uint32_t)),
                                    .first = memory_array(count, sizeof(uint32_t))};
  struct entry *entries = sorted_entries(sections, buffer_count);
  bool made = max_tree_init(&neighbours->ends, count) && entries && neighbours->buffer &&
              neighbours->first;
  for (size_t i = 0; i < count && made; i++) {
    neighbours->buffer[i] = entries[i].buffer;
    neighbours->first[i] = entries[i].first;
    max_tree_set(&neighbours->ends, i, entries[i].end);
  }
  free(entries);
  if (!made) neighbours_clear(neighbours);
  return made;
}

void neighbours_clear(struct neighbours *neighbours) {
  free(neighbours->buffer);
  free(neighbours->first);
  max_tree_clear(&neighbours->ends);
  *neighbours = (struct neighbours){0};
}

/* The number of spans that begin before a section. */
static size_t begun_before(const struct neighbours *neighbours, uint32_t section) {
  struct bisection search = bisection_of(0, neighbours->count);
  while (bisection_open(&search))
    bisection_step(&search, neighbours->first[search.middle] < section);
  return search.low;
}

bool neighbours_find(const struct neighbours *neighbours, struct span window, size_t most,
                     struct buffer_list *found) {
  assert(window.first < window.end);
  size_t limit = begun_before(neighbours, window.end);
  int64_t least =
      (int64_t)window.first + 1; /* the least end of a span that reaches into the window */
  for (size_t i = max_tree_next(&neighbours->ends, 0, least); i < limit && found->count <= most;
       i = max_tree_next(&neighbours->ends, i + 1, least)) {
    if (!memory_reserve(&found->items, &found->capacity, found->count + 1,
                        sizeof *found->items))
      return false;
    found->items[found->count++] = neighbours->buffer[i];
  }
  return true;
}
