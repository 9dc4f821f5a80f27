/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A set is a row of 64-bit words.  If rectangles are numbered by their first columns, the members
 * of a column's set are close together, so each row notes its first and its last word that is not
 * zero, and joins and walks skip the others:
 *
 *     row     0 0 0 0 ▒ ▓ ░ ▓ 0 0 0 0 0 0
 *                     │       │
 *                   first    end
 *
 * A walk takes one step per word between them and one per member.
 */
#include "search/rectangle_sets.h"

#include <assert.h>
#include <stdlib.h>

#include "core/memory.h"

bool rectangle_sets_init(struct rectangle_sets *sets, size_t rows, size_t count) {
  *sets = (struct rectangle_sets){.row_words = count / 64 + 1};
  sets->words = memory_array(rows * sets->row_words, sizeof *sets->words);
  sets->first = memory_array(rows, sizeof *sets->first);
  sets->end = memory_array(rows, sizeof *sets->end);
  if (sets->words && sets->first && sets->end) {
    sets->rows = rows;
    return true;
  }
  rectangle_sets_clear(sets);
  return false;
}

void rectangle_sets_clear(struct rectangle_sets *sets) {
  free(sets->words);
  free(sets->first);
  free(sets->end);
  *sets = (struct rectangle_sets){0};
}

void rectangle_sets_join(struct rectangle_sets *sets, size_t row,
                         const struct rectangle_sets *others, size_t other) {
  assert(row < sets->rows && other < others->rows && sets->row_words == others->row_words);
  uint64_t *to = sets->words + row * sets->row_words;
  const uint64_t *from = others->words + other * others->row_words;
  for (uint32_t word = others->first[other]; word < others->end[other]; word++)
    to[word] |= from[word];
}

void rectangle_sets_trim(struct rectangle_sets *sets) {
  for (size_t row = 0; row < sets->rows; row++) {
    const uint64_t *words = sets->words + row * sets->row_words;
    uint32_t first = 0, end = (uint32_t)sets->row_words;
    while (end > 0 && words[end - 1] == 0)
      end--;
    while (first < end && words[first] == 0)
      first++;
    sets->first[row] = first;
    sets->end[row] = end;
  }
}
