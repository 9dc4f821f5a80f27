/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A table of sets of rectangles with one bit per rectangle, and walks over them. */
#ifndef SEARCH_RECTANGLE_SETS_H
#define SEARCH_RECTANGLE_SETS_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Each set is a row of words; those before `first` and from `end` on are zero. */
struct rectangle_sets {
  uint64_t *words;
  uint32_t *first, *end; /* per row */
  size_t rows, row_words;
};

/* Makes `rows` empty sets for rectangles 0 to count - 1; false when memory is short. */
bool rectangle_sets_init(struct rectangle_sets *sets, size_t rows, size_t count);
void rectangle_sets_clear(struct rectangle_sets *sets);

/* Adds a rectangle; call rectangle_sets_trim before the next walk. */
static inline void rectangle_sets_add(struct rectangle_sets *sets, size_t row, uint32_t item) {
  assert(row < sets->rows && item >> 6 < sets->row_words);
  sets->words[row * sets->row_words + (item >> 6)] |= UINT64_C(1) << (item & 63);
}

/* Removes a rectangle. */
static inline void rectangle_sets_remove(struct rectangle_sets *sets, size_t row,
                                         uint32_t item) {
  assert(row < sets->rows && item >> 6 < sets->row_words);
  sets->words[row * sets->row_words + (item >> 6)] &= ~(UINT64_C(1) << (item & 63));
}

/* Adds all members of a row of another table, which has been trimmed. */
void rectangle_sets_join(struct rectangle_sets *sets, size_t row,
                         const struct rectangle_sets *others, size_t other);

/* Finds the words that are not zero. */
void rectangle_sets_trim(struct rectangle_sets *sets);

/* A walk over the members of a row that are also in another set, the mask. */
struct rectangle_walk {
  const uint64_t *row, *mask;
  uint64_t bits;
  uint32_t word, end;
};

static inline struct rectangle_walk rectangle_walk(const struct rectangle_sets *sets,
                                                   size_t row, const uint64_t *mask) {
  return (struct rectangle_walk){.row = sets->words + row * sets->row_words,
                                 .mask = mask,
                                 .word = sets->first[row],
                                 .end = sets->end[row]};
}

/* Finds the next member, in ascending order; false when there is none. */
static inline bool rectangle_walk_next(struct rectangle_walk *walk, uint32_t *item) {
  while (walk->bits == 0) {
    if (walk->word == walk->end) return false;
    walk->bits = walk->row[walk->word] & walk->mask[walk->word];
    walk->word++;
  }
  *item = (walk->word - 1) << 6 | (uint32_t)__builtin_ctzll(walk->bits);
  walk->bits &= walk->bits - 1;
  return true;
}

#endif
