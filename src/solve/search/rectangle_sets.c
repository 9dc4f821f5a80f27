/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A set is a row of 64-bit words.  If rectangles are numbered by their first columns, the members
 * of a column's set are close together, so each row keeps only the words from its first to its
 * last that is not zero:
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
  const struct memory_part parts[] = {{&sets->begin, rows, sizeof *sets->begin},
                                      {&sets->first, rows, sizeof *sets->first},
                                      {&sets->end, rows, sizeof *sets->end}};
  sets->arrays = memory_block(parts, sizeof parts / sizeof *parts);
  if (!sets->arrays) return false;
  sets->rows = rows;
  for (size_t row = 0; row < rows && !rectangle_sets_are_wide(sets); row++)
    sets->end[row] = 1;
  return true;
}

void rectangle_sets_clear(struct rectangle_sets *sets) {
  free(sets->words);
  free(sets->arrays);
  *sets = (struct rectangle_sets){0};
}

void rectangle_sets_widen_to(struct rectangle_sets *sets, size_t row,
                             const struct rectangle_sets *others, size_t other) {
  assert(row < sets->rows && other < others->rows && sets->row_words == others->row_words);
  if (others->end[other] == 0) return;
  rectangle_sets_widen(sets, row, others->first[other] << 6);
  rectangle_sets_widen(sets, row, (others->end[other] - 1) << 6);
}

size_t rectangle_sets_size(const struct rectangle_sets *sets) {
  size_t size = 0;
  for (size_t row = 0; row < sets->rows; row++)
    size += sets->end[row] - sets->first[row];
  return size;
}

bool rectangle_sets_open(struct rectangle_sets *sets) {
  size_t size = 0;
  for (size_t row = 0; row < sets->rows; row++) {
    sets->begin[row] = size;
    size += sets->end[row] - sets->first[row];
  }
  sets->words = memory_array(size, sizeof *sets->words);
  return sets->words != NULL;
}
